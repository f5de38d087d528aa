//! Models far from the origin, turned, and in other units: reactions are those near it.

use crate::common::*;
use crate::place::model::{BASE, Rig, SCHEMES, World, assert_alike};

/// At coordinates of a map. Positions on the grid are the same numbers there and at zero: 2^21 of
/// 2^-32 fill a double.
const FAR: World = World { shift: [1e6, -2e6, 3e5], grid: 1.0 / 4294967296.0, offset: 0.5, of_points: true, ..BASE };

#[test]
fn reactions_at_1e6_m_are_those_at_zero_in_every_scheme() {
    for scheme in SCHEMES {
        let near = World { shift: [0.0; 3], ..FAR };
        let [mut far, mut near] = [FAR, near].map(|world| Rig::new(world, &[], scheme));
        far.run(1e-4, 20);
        near.run(1e-4, 20);
        // positions are read at 1e6 m, with 1e-10; rounding of 1 m over beta h^2 makes 1e-7 of
        // accelerations
        assert_alike(scheme, &far, &near, 1e-6);
    }
}

#[test]
fn models_at_1e7_m_run_in_every_family() {
    let far = World { shift: [1e7, -1.5e7, 3e6], grid: 1.0 / 536870912.0, ..FAR };
    let near = World { shift: [0.0; 3], ..far };
    for (scheme, h) in [("rk4", 1e-4), ("rk4", 1e-2), ("ab4", 1e-3), ("generalized-alpha", 1e-4), ("lab3", 1e-3)] {
        let [mut far, mut near] = [far, near].map(|world| Rig::new(world, &[], scheme));
        far.run(h, 20);
        near.run(h, 20);
        assert_alike(&format!("{scheme}, {h}"), &far, &near, 1e-6);
    }
}

#[test]
fn turned_models_and_those_in_mm_and_km_move_alike() {
    for scheme in ["generalized-alpha", "rk4", "ab3", "anderson5"] {
        let plain = World { offset: 0.5, ..BASE };
        let mut base = Rig::new(plain, &[], scheme);
        base.run(1e-3, 20);
        let turned = quat_exp([0.7, -1.9, 0.4]);
        for (unit, shift) in [(1.0, 0.0), (1e3, 0.0), (1e-3, 0.0), (1e3, 1e9), (1e-3, 1e3)] {
            for turn in [UNROTATED, turned] {
                let world = World { unit, turn, shift: [shift, 0.4 * shift, -shift], ..plain };
                let mut rig = Rig::new(world, &[], scheme);
                rig.run(1e-3, 20);
                // Given at 1e6 m (1e9 mm, 1e3 km) without a grid, positions have gaps of 1e-10 m:
                // the imposed motion takes accelerations of 1e-10/h^2 = 1e-4, up to 4 times that
                // where gaps alternate, on weights of 10.
                let tolerance = if shift == 0.0 { 1e-8 } else { 4e-4 };
                assert_alike(&format!("{scheme}, unit {unit}, shift {shift}, turned {turn:?}"), &rig, &base, tolerance);
            }
        }
    }
}

#[test]
fn imposed_motions_come_back_as_they_were_given() {
    let mut rig = Rig::new(World { grid: 0.0, ..FAR }, &[], "generalized-alpha");
    for n in 1..=20 {
        let t = 0.01 * f64::from(n);
        let x = [1e6 + t * 0.123_456_789, -2e6 + (7.0 * t).sin(), 3e5 - t / 3.0];
        let given = pose(x, unit([1.0, 0.1 * t, 0.0, 0.05]));
        rig.sim.inputs().set_body_motion(0, &given, &[0.0; 6], &[0.0; 6]).unwrap();
        // the joints may not be able to follow this motion; outputs of the prescribed body are
        // those that were set
        if rig.sim.advance(0.01).is_err() {
            break;
        }
        assert_eq!(rig.sim.outputs().body_pose(0).unwrap(), given, "at {t}");
    }
}

#[test]
fn potential_energy_is_zero_at_the_inertial_origin() {
    let near = World { shift: [0.0; 3], ..FAR };
    let [far, near] =
        [FAR, near].map(|world| Rig::new(world, &[], "generalized-alpha").sim.outputs().energy().unwrap());
    let weight = scale(9.5, [0.5, -1.0, -9.5]); // 9.5 kg in all
    let expected = near.1 - dot(weight, FAR.shift);
    // 1e8 J to rounding
    assert!((far.1 - expected).abs() < 1e-15 * 10.0 * expected.abs(), "{} {expected}", far.1);
    assert!((far.0 - near.0).abs() < 1e-9);
}
