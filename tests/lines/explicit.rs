//! Explicit schemes and lines: stable below the limit that the library reports, and an error that
//! names it above.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::{Error, Id, Simulation};

/// A hanging rope with a moved end.
fn rope(scheme: &str, of: &Material, sea: &Sea, n: usize) -> (Simulation, Id, Id) {
    let mut sim = system(scheme, sea);
    let ends = [fixed(&mut sim, [0.0, 0.0, -30.0]), moved(&mut sim, [14.0, 0.0, -25.0])];
    let id = line(&mut sim, of, ends, 20.0, n);
    sim.inputs().set_point_motion(ends[1], &[14.0, 0.0, -25.0], &[0.0; 3], &[4.5, 0.0, 2.7]).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, id, ends[1])
}

fn shake(sim: &mut Simulation, point: Id, h: f64, steps: usize) -> pintle::Result<()> {
    for _ in 0..steps {
        let t = sim.time()? + h;
        let (s, c) = (3.0 * t).sin_cos();
        sim.inputs().set_point_motion(
            point,
            &[14.0 + 0.5 * (1.0 - c), 0.0, -25.0 + 0.3 * (1.0 - c)],
            &[1.5 * s, 0.0, 0.9 * s],
            &[4.5 * c, 0.0, 2.7 * c],
        )?;
        sim.step(h)?;
    }
    Ok(())
}

const STEEL: Material =
    Material { d: 0.05, w: 12.0, ea: 2e7, ba: 0.0, ei: 0.0, cdn: 1.2, can: 1.0, cdt: 0.1, cat: 0.0 };

#[test]
fn explicit_schemes_are_stable_below_the_limit_they_tell() {
    for (what, of, sea) in [
        ("axial", STEEL, Sea { rho: 1025.0, ..Sea::NONE }),
        // BA as much as is critical for a segment: roots on the real axis.
        ("damped", STEEL.damped(1.0, 2.0), Sea { rho: 1025.0, ..Sea::NONE }),
        ("seabed", Material { ea: 2e5, ..STEEL }, Sea { damping: 3e5, stiffness: 1e5, ..Sea::water(30.0) }),
    ] {
        for (scheme, reach) in [("rk4", 2.0 * 2f64.sqrt()), ("rk3", 3f64.sqrt())] {
            let (mut sim, id, point) = rope(scheme, &of, &sea, 10);
            let limit = sim.outputs().statistic("stable_step").unwrap();
            // The fastest wave of a chain: 2/l sqrt(EA/w) (added mass along is none).
            let axial = reach / (2.0 / 2.0 * (of.ea / of.w).sqrt());
            println!("{what} {scheme}: {limit:e} s, axial {axial:e} s");
            if what == "axial" {
                assert!(limit < 1.01 * axial && limit > 0.4 * axial, "{what} {scheme}: {limit} beside {axial}");
            }
            sim.settings().set_option("max_time_step", 1.0).unwrap();
            let h = 0.95 * limit;
            shake(&mut sim, point, h, 3000).unwrap();
            assert!(nodes(&sim, id, 10).iter().all(|r| norm(*r) < 60.0), "{what} {scheme}");
            // The library keeps to the limit by internal steps unless the host sets
            // `max_time_step`.
            let (mut sim, id, point) = rope(scheme, &of, &sea, 10);
            shake(&mut sim, point, 0.05, 20).unwrap();
            assert!(nodes(&sim, id, 10).iter().all(|r| norm(*r) < 60.0), "{what} {scheme}");
            assert!(sim.outputs().statistic("substeps").unwrap() >= (1.0 / limit).floor());
        }
    }
}

#[test]
fn a_step_above_the_limit_is_an_error_that_names_line_node_and_limit() {
    let (mut sim, id, point) = rope("rk4", &STEEL, &Sea { rho: 1025.0, ..Sea::NONE }, 10);
    let limit = sim.outputs().statistic("stable_step").unwrap();
    sim.settings().set_option("max_time_step", 1.0).unwrap();
    let error = shake(&mut sim, point, 6.0 * limit, 3000).expect_err("unstable");
    let said = error.to_string();
    assert!(matches!(error, Error::Diverged { .. } | Error::Unstable { .. }), "{error:?}");
    for word in ["line 0", "node", "axial", &format!("{limit:.6}")] {
        assert!(said.contains(word), "\"{word}\" in: {said}");
    }
    // The system is unchanged, and continues with shorter steps.
    assert!(nodes(&sim, id, 10).iter().flatten().all(|x| x.is_finite()));
}

/// A line on the bed: the message tells the limits of axial waves and of the bed's damper.
#[test]
fn an_unstable_step_on_the_bed_names_both_limits() {
    let sea = Sea::water(OC3_DEPTH);
    let mut sim = system("rk4", &sea);
    let ends = [fixed(&mut sim, OC3_ANCHOR), moved(&mut sim, OC3_FAIRLEAD)];
    line(&mut sim, &OC3.damped(0.8, OC3_LENGTH / 10.0), ends, OC3_LENGTH, 10);
    sim.settings().set_option("max_time_step", 0.1).unwrap();
    sim.initialize(0.0).unwrap();
    let failure = (1..1000).find_map(|k| {
        let t = 0.1 * f64::from(k);
        let x = add(OC3_FAIRLEAD, [0.02 * t * t, 0.0, 0.0]);
        sim.inputs().set_point_motion(ends[1], &x, &[0.04 * t, 0.0, 0.0], &[0.04, 0.0, 0.0]).unwrap();
        sim.step(0.1).err()
    });
    let said = failure.expect("unstable").to_string();
    for word in ["line 0 node", "axial waves up to 0.05", "the seabed up to 0.008"] {
        assert!(said.contains(word), "\"{word}\" in: {said}");
    }
}

/// The seabed pushes and never pulls: if it is too stiff and too damped for a step, nodes bounce a
/// little.
#[test]
fn nodes_that_hop_on_a_bed_too_stiff_for_the_step_stay_near_it() {
    let (of, sea) = (Material { ea: 2e5, ..STEEL }, Sea { damping: 3e6, stiffness: 1e5, ..Sea::water(30.0) });
    let limit = rope("rk4", &of, &sea, 10).0.outputs().statistic("stable_step").unwrap();
    // From the seabed's damper: that of waves is a hundred times as long.
    assert!(limit < 0.02 * 2.0 * 2f64.sqrt() / (of.ea / of.w).sqrt());
    let end = |part: f64| {
        let (mut sim, id, point) = rope("rk4", &of, &sea, 10);
        sim.settings().set_option("max_time_step", 1.0).unwrap();
        shake(&mut sim, point, part * limit, (2.0 / limit / part) as usize).unwrap();
        nodes(&sim, id, 10)
    };
    let right = end(0.5);
    for part in [2.0, 6.0, 60.0] {
        // The height of a bounce is the speed at the end of contact, some 0.5 m/s, times a step or
        // two: centimetres, at a smoothing of 5 cm.
        let off = apart(&right, &end(part));
        println!("{part}: {off}");
        assert!(off < 0.3, "{part}: {off}");
    }
}

/// Local schemes step lines with local steps that are stable; if the host limits their number, the
/// error says what failed where, and the system is unchanged.
#[test]
fn a_failure_under_a_local_scheme_names_line_and_node_and_leaves_the_object_as_it_was() {
    for scheme in ["leuler", "lab2", "lab3"] {
        let (mut sim, id, point) = rope(scheme, &STEEL, &Sea { rho: 1025.0, ..Sea::NONE }, 10);
        shake(&mut sim, point, 0.02, 5).unwrap();
        let (saved, before) = (sim.save().unwrap(), nodes(&sim, id, 10));
        // The fluid callback returns NaN.
        let broken: pintle::model::FluidFn = std::sync::Arc::new(|_: f64, _: &[[f64; 3]], motion: &mut _| {
            let motion: &mut pintle::model::FluidMotion = motion;
            motion.velocities[4] = [f64::NAN, 0.0, 0.0];
            Ok(())
        });
        sim.settings().set_fluid_callback(Some(broken), false).unwrap();
        let said = shake(&mut sim, point, 0.02, 1).expect_err("no number").to_string();
        for word in ["line 0", "node 4"] {
            assert!(said.contains(word), "{scheme}: \"{word}\" in: {said}");
        }
        assert_eq!(nodes(&sim, id, 10), before, "{scheme}");
        sim.settings().set_fluid_callback(None, false).unwrap();
        sim.restore(&saved).unwrap();
        shake(&mut sim, point, 0.02, 5).unwrap();
        let after = nodes(&sim, id, 10);
        sim.restore(&saved).unwrap();
        shake(&mut sim, point, 0.02, 5).unwrap();
        assert_eq!(nodes(&sim, id, 10), after, "{scheme}: the failure left no trace");
        // More local steps than the host allows.
        sim.settings().set_option("max_substeps", 3.0).unwrap();
        let said = shake(&mut sim, point, 0.5, 1).expect_err("too many").to_string();
        assert!(said.contains("max_substeps"), "{scheme}: {said}");
        assert_eq!(nodes(&sim, id, 10), after, "{scheme}");
    }
}

/// A winch that takes in four fifths of a line makes its waves five times as fast: the internal
/// steps become shorter automatically.
#[test]
fn internal_steps_follow_a_winch() {
    let wound = |scheme: &str, longest: Option<f64>| {
        let sea = Sea { g: 9.81, ..Sea::NONE };
        let of = Material { d: 0.1, w: 20.0, ea: 1e5, ba: 0.0, ei: 0.0, ..STEEL };
        let mut sim = system(scheme, &sea);
        let ends = [fixed(&mut sim, [0.0; 3]), fixed(&mut sim, [10.0, 0.0, 0.0])];
        let id = line(&mut sim, &of, ends, 60.0, 8);
        if let Some(longest) = longest {
            sim.settings().set_option("max_time_step", longest).unwrap();
        }
        sim.initialize(0.0).unwrap();
        let first = sim.outputs().statistic("stable_step").unwrap();
        let mut most: f64 = 0.0;
        for k in 1..=200 {
            sim.inputs().set_line_length(id, 60.0 - 0.24 * f64::from(k), -2.4).unwrap();
            sim.step(0.1).unwrap();
            most = tensions(&sim, id, 8).into_iter().fold(most, f64::max);
        }
        (first / sim.outputs().statistic("stable_step").unwrap(), most)
    };
    let (_, exact) = wound("rk4", Some(1e-3));
    for scheme in ["heun", "rk3", "rk4", "ab4"] {
        let (shorter, most) = wound(scheme, None);
        // The limit of undamped waves is in proportion to the length of a segment, told for lengths
        // in steps of a twentieth.
        assert!((5.0..5.0 / 0.95).contains(&shorter), "{scheme}: {shorter}");
        // Waves at the limit of stability are not resolved; these double tensions at most.
        assert!(most < 3.0 * exact, "{scheme}: {most:e} beside {exact:e}");
    }
}

/// Water that could move along with a line that hangs in air does not make it slower.
#[test]
fn a_line_in_air_is_stable_at_the_step_that_is_told() {
    let of = Material { d: 0.1, w: 3.0, ea: 1e5, ba: 0.0, ei: 0.0, cdn: 0.0, can: 1.0, cdt: 0.0, cat: 1.0 };
    let steps = [0.0, 1025.0].map(|rho| {
        let mut sim = system("rk4", &Sea { g: 9.81, rho, ..Sea::NONE });
        let ends = [fixed(&mut sim, [0.0, 0.0, 40.0]), fixed(&mut sim, [15.0, 0.0, 41.0])];
        line(&mut sim, &of, ends, 20.0, 10);
        sim.initialize(0.0).unwrap();
        sim.outputs().statistic("stable_step").unwrap()
    });
    assert_eq!(steps[0], steps[1]);
}
