//! A moored body moves alike wherever it stands, however it is turned, in whatever units of length
//! and mass, at any time.

use crate::common::*;
use crate::mooring::{Mooring, Placed, STEPS};
use std::f64::consts::PI;

fn told(scheme: &str, at: Placed) -> Vec<f64> {
    let mut mooring = Mooring::new(scheme, at).begin();
    mooring.run(STEPS);
    mooring.told()
}

#[test]
fn a_moored_body_is_the_same_turned_shifted_and_in_other_units() {
    for scheme in ["generalized-alpha", "rk4"] {
        let here = told(scheme, Placed::HERE);
        for (what, at, tolerance) in [
            // Newton ends at 1e-12 of an increment; EA/l of that is in forces (over 1e5 N).
            ("turned", Placed { turn: 2.0, ..Placed::HERE }, 1e-8),
            ("turned half", Placed { turn: PI, ..Placed::HERE }, 1e-8),
            ("mm", Placed { unit: 1e3, ..Placed::HERE }, 1e-8),
            ("km, t", Placed { unit: 1e-3, mass: 1e-3, ..Placed::HERE }, 1e-8),
            ("g", Placed { mass: 1e3, ..Placed::HERE }, 1e-8),
            // Positions given by the host are rounded to 1e-10 m there; a line of 3e5 N/m per
            // segment and a bed of 3e5 N/m answer.
            ("far", Placed { shift: [1e6, -2e6], ..Placed::HERE }, 1e-7),
        ] {
            let there = told(scheme, at);
            let most = here.iter().zip(&there).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            println!("{scheme}, {what}: {most:e}");
            assert_close(&format!("{scheme}, {what}"), &there, &here, tolerance);
        }
    }
}

#[test]
fn a_moored_body_moves_alike_at_any_time() {
    // 2^16 s, and steps that are sums of powers of 2 there and here: times are exact.
    let run = |time: f64| {
        let mut mooring = Mooring::new("generalized-alpha", Placed { time, ..Placed::HERE }).begin();
        mooring.run([1.0 / 64.0; 40]);
        mooring.bits()
    };
    assert_eq!(run(0.0), run(65536.0));
}
