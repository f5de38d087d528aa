//! A mixed model of bodies and points is the same wherever it stands, however it is turned, in
//! whatever unit of length.

use crate::common::*;
use crate::points::models::*;

const STEPS: [f64; 60] = {
    let mut steps = [0.01; 60];
    let mut k = 0;
    while k < 60 {
        steps[k] = [0.01, 0.008, 0.012][k % 3];
        k += 1;
    }
    steps
};

fn places(scheme: &str, place: Placed) -> Vec<f64> {
    let mut mixed = mixed(scheme, place).begin(place);
    mixed.run(place, STEPS);
    mixed.places(place)
}

#[test]
fn a_turned_model_and_one_in_millimetres_or_kilometres_move_alike() {
    let turn = unit([0.6, -0.3, 0.5, 0.2]);
    for scheme in ["generalized-alpha", "rk4", "lab2", "midpoint4"] {
        let reference = places(scheme, Placed::HERE);
        for (what, place) in [
            ("turned", Placed { turn, ..Placed::HERE }),
            ("mm", Placed { unit: 1e3, ..Placed::HERE }),
            ("km", Placed { unit: 1e-3, ..Placed::HERE }),
            ("all", Placed { unit: 1e3, turn, shift: [300.0, -20.0, 1000.0] }),
        ] {
            // Rounding grows with the motion of a double pendulum over 0.6 s, a few times; Newton
            // ends at 1e-13.
            assert_close(&format!("{scheme}, {what}"), &places(scheme, place), &reference, 1e-9);
        }
    }
}

#[test]
fn a_model_far_from_the_origin_moves_as_one_at_the_origin() {
    for scheme in ["generalized-alpha", "rk4", "lab2"] {
        let far = Placed { shift: [1e6, -2e6, 1e6], ..Placed::HERE };
        let mut here = mixed(scheme, Placed::HERE).begin(Placed::HERE);
        let mut there = mixed(scheme, far).begin(far);
        here.run(Placed::HERE, STEPS);
        there.run(far, STEPS);
        // Positions given by the host are rounded to 2e-10 there, which moves a model of stiffness
        // 80 as much.
        assert_close(scheme, &there.places(far), &here.places(Placed::HERE), 1e-8);
        for (one, other) in [(here.anchor, there.anchor), (here.driven, there.driven)] {
            let [a, b] = [here.sim.points().reaction(one).unwrap(), there.sim.points().reaction(other).unwrap()];
            assert_close(&format!("{scheme}, reaction"), &a, &b, 1e-6);
        }
    }
}
