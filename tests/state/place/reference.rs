//! Reference points beside the centres of mass: the same motion, the same error, the same momentum.

use crate::common::*;
use crate::place::model::{BASE, Rig, SCHEMES, World, assert_alike};
use pintle::{Error, Frame, Simulation};

const OFFSET: World = World { offset: 3.7, ..BASE };

#[test]
fn the_motion_is_that_about_the_centres_of_mass_in_every_scheme() {
    for scheme in SCHEMES {
        let [mut offset, mut plain] = [OFFSET, BASE].map(|world| Rig::new(world, &[], scheme));
        assert_alike(&format!("{scheme}, start"), &offset, &plain, 1e-11);
        let h = 2e-3;
        offset.run(h, 20);
        plain.run(h, 20);
        // Rounding of 4 m, 1e-15, over beta h^2 = 1e-6 gives accelerations 1e-9 of noise. wilson
        // looks 0.37 h ahead, where an imposed motion goes on at the constant acceleration of the
        // point that is given: another motion for another point, by 0.37 h times the jerk of 2.5
        // m/s^3, 2e-3 m/s^2, of which constraints and projections leave a part of 1e-3.
        assert_alike(scheme, &offset, &plain, if scheme == "wilson5" { 2e-6 } else { 1e-8 });
    }
}

#[test]
fn steps_of_changing_length_and_trials_change_nothing_of_it() {
    for (scheme, order) in [("generalized-alpha", 1.0), ("rk4", 0.0), ("ab3", 1.0)] {
        let options = [("input_order", order)];
        let rigs = [OFFSET, BASE].map(|world| {
            let mut rig = Rig::new(world, &options, scheme);
            let mut t = 0.0;
            for n in 0..40 {
                let h = [1e-3, 2e-3, 1.5e-3][n % 3];
                t += h;
                // a first try with another load, then the right one
                rig.impose(t);
                rig.sim
                    .inputs()
                    .set_marker_load(rig.markers[0], Frame::Inertial, &[50.0, 0.0, 30.0, 0.0, 5.0, 0.0])
                    .unwrap();
                rig.sim.advance(h).unwrap();
                rig.impose(t);
                rig.sim.advance(h).unwrap();
                rig.sim.accept().unwrap();
            }
            rig
        });
        // The constraint filter of generalized-alpha looks at the algorithmic acceleration of the
        // point that is imposed, which lags by h times the jerk of that very point: where h
        // changes, a part of second order is left of the difference, (1e-3 s)^2 times (rate 3/s)^2
        // of what is imposed, 1e-5; without changes nothing is.
        let limit = if scheme == "generalized-alpha" { 1e-6 } else { 1e-8 };
        assert_alike(&format!("{scheme}, changing steps"), &rigs[0], &rigs[1], limit);
    }
}

#[test]
fn a_restored_state_goes_on_bit_by_bit() {
    let far = World { shift: [1e6, -2e6, 3e5], ..OFFSET };
    for scheme in ["generalized-alpha", "ab4", "lab3", "wilson5"] {
        let mut one = Rig::new(far, &[], scheme);
        one.run(1e-3, 20);
        let bytes = one.sim.save().unwrap().to_bytes();
        let mut other = Rig::new(far, &[], scheme);
        let snapshot = other.sim.deserialize(&bytes).unwrap();
        other.sim.restore(&snapshot).unwrap();
        for rig in [&mut one, &mut other] {
            for n in 21..=40 {
                rig.impose(1e-3 * f64::from(n));
                rig.sim.step(1e-3).unwrap();
            }
        }
        assert_alike(scheme, &one, &other, 0.0);
    }
}

#[test]
fn a_state_about_other_points_or_from_another_origin_is_refused() {
    let saved = Rig::new(OFFSET, &[], "generalized-alpha").sim.save().unwrap();
    for (world, options) in
        [(World { shift: [1e6, 0.0, 0.0], ..OFFSET }, &[][..]), (OFFSET, &[("integrate_about", 1.0)][..])]
    {
        let mut other = Rig::new(world, options, "generalized-alpha");
        assert!(matches!(other.sim.restore(&saved), Err(Error::Fingerprint { .. })));
    }
}

/// A free body, middle axis tumbling, its reference point at r from the centre of mass.
fn tumbling(r: V3, options: &[(&str, f64)]) -> Simulation {
    let mut sim = Simulation::new();
    options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
    let (v, w) = ([0.3, -0.2, 0.5], [0.3, 5.0, 0.2]);
    let com = scale(-1.0, r);
    sim.build().add_rigid_body(2.0, &com, &[0.4, 0.6, 0.9, 0.0, 0.0, 0.0], &pose(r, UNROTATED)).unwrap();
    sim.build().set_body_velocity(0, &join(add(v, cross(w, r)), w)).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

const BESIDE: V3 = [2.0, -1.5, 2.7276];
const UNDAMPED: [(&str, f64); 3] = [("rho_inf", 1.0), ("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12)];

#[test]
fn momentum_and_error_are_those_about_the_centre_of_mass() {
    assert!((norm(BESIDE) - 3.7).abs() < 1e-3);
    let h = 0.02;
    let [mut offset, mut plain] = [BESIDE, [0.0; 3]].map(|r| tumbling(r, &UNDAMPED));
    let start = offset.outputs().momentum(&[0.0; 3]).unwrap();
    for n in 1..=2000 {
        offset.step(h).unwrap();
        plain.step(h).unwrap();
        let [p, q] = [&offset, &plain].map(|sim| sim.outputs().momentum(&[0.0; 3]).unwrap());
        // p = 1.2 kg m/s: 2000 roundings of terms of that size, which add up to 2000 eps at most
        assert_close("linear momentum", &p[..3], &start[..3], 2000.0 * 1.2 * f64::EPSILON);
        // the same algorithm on the same numbers but for rounding, which tumbling magnifies by less
        // than 1e3 in 40 s
        assert_close(&format!("step {n}"), &p, &q, 1e-9);
    }
    let p = offset.outputs().body_pose(0).unwrap();
    let com = sub(place(&p), rotate(turn(&p), BESIDE));
    // without forces the centre of mass goes straight, at (0.3, -0.2, 0.5) m/s for 40 s
    assert_close("centre of mass", &com, &[12.0, -8.0, 20.0], 1e-10);
}

#[test]
fn the_option_keeps_the_equations_about_the_reference_point() {
    // Those lose linear momentum of the second order, as any host sees of 0.1: 8 % where the others
    // keep it to rounding.
    let lost = |h: f64| {
        let mut options = UNDAMPED.to_vec();
        options.push(("integrate_about", 1.0));
        let mut sim = tumbling(BESIDE, &options);
        let start = sim.outputs().momentum(&[0.0; 3]).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..(2.0 / h).round() as usize {
            sim.step(h).unwrap();
            let p = sim.outputs().momentum(&[0.0; 3]).unwrap();
            worst = worst.max(distance(halves(p).0, halves(start).0));
        }
        (h, worst)
    };
    assert_order("momentum about the reference point", &[0.01, 5e-3, 2.5e-3].map(lost), 2.0, 0.2);

    // The points that the equations are about have the smallest errors: a body that turns about its
    // reference point keeps that at rest.
    let turning = |about: f64| {
        let mut sim = Simulation::new();
        for (key, value) in [UNDAMPED[1], UNDAMPED[2], ("integrate_about", about)] {
            sim.settings().set_option(key, value).unwrap();
        }
        sim.build()
            .add_rigid_body(2.0, &[0.5, 0.0, 0.0], &[0.4, 0.6, 0.9, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
            .unwrap();
        sim.build().set_body_velocity(0, &[0.0, 0.0, 0.0, 0.0, 0.0, 3.0]).unwrap();
        sim.build()
            .add_joint_at(pintle::JointKind::Revolute, pintle::GROUND, 0, &[0.0; 3], Some(&[0.0, 0.0, 1.0]))
            .unwrap();
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        let velocity = sim.outputs().body_velocity(0, Frame::Inertial).unwrap();
        norm(halves(velocity).0)
    };
    // eps 3 rad/s and 0.5 m over h; about the centre of mass (w h)^2 w r times a constant of 0.18
    // at rho_inf 0.8
    assert!(turning(1.0) < 1e-13, "{}", turning(1.0));
    assert!(turning(0.0) < 3e-4, "{}", turning(0.0));
}

#[test]
fn the_option_changes_before_initialize_only() {
    let mut rig = Rig::new(OFFSET, &[], "generalized-alpha");
    assert!(matches!(rig.sim.settings().set_option("integrate_about", 1.0), Err(Error::BadPhase { .. })));
    rig.sim.settings().set_option("integrate_about", 0.0).unwrap();
    assert_eq!(rig.sim.given().option("integrate_about").unwrap(), 0.0);
}

#[test]
fn forces_of_the_motion_of_reference_points_are_the_same_about_both() {
    // Matrices in inertial axes and drag act by the motion of the reference point. Equations about
    // either point have the same solution: methods of order 4 agree to (w h)^5 per step and less,
    // 1e-11 at 5 rad/s and 1 ms.
    let world = World { of_points: true, offset: 0.5, ..BASE };
    let [mut centre, mut reference] = [0.0, 1.0].map(|about| Rig::new(world, &[("integrate_about", about)], "rk4"));
    assert_alike("start", &centre, &reference, 1e-11);
    centre.run(1e-3, 200);
    reference.run(1e-3, 200);
    assert_alike("after 0.2 s", &centre, &reference, 1e-8);
    // and generalized-alpha tends to that at second order
    let table = [4e-3, 2e-3, 1e-3].map(|h: f64| {
        let mut rig = Rig::new(world, &[], "generalized-alpha");
        rig.run(h, (0.2 / h).round() as usize);
        let error = |name: &str| {
            let of = |rig: &Rig| rig.outputs().into_iter().find(|(own, _)| own == name).unwrap().1;
            of(&rig).iter().zip(&of(&reference)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        (h, (1..4).map(|k| error(&format!("position {k}"))).fold(0.0, f64::max))
    });
    assert_order("generalized-alpha about the centres of mass", &table, 2.0, 0.2);
}
