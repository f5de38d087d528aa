//! Winches: analyses of lines whose length was changed, and lengths that a line cannot have.

use crate::models::{OC3, fixed, line, system};
use crate::reference::{Material, Sea};
use pintle::Simulation;

/// A taut line between two fixed points, without gravity.
fn winched() -> Simulation {
    let mut s = system("generalized-alpha", &Sea { g: 0.0, ..Sea::NONE });
    let ends = [0.0, 20.0].map(|x| fixed(&mut s, [x, 0.0, 0.0]));
    line(&mut s, &Material { ea: 1e6, ..OC3 }, ends, 19.9, 8);
    s.initialize(0.0).unwrap();
    s
}

/// A length set for the end of the next step does not affect analyses of the present state.
#[test]
fn analyses_see_a_line_as_long_as_it_is() {
    let seen = |s: &Simulation| {
        let (modes, motion) = s.analysis().modes().unwrap();
        let frequencies: Vec<f64> = modes.iter().map(|mode| mode.frequency).collect();
        (frequencies, motion, s.analysis().mass_matrix().unwrap(), s.lines().length(0).unwrap())
    };
    let mut s = winched();
    let before = seen(&s);
    s.inputs().set_line_length(0, 19.0, -3.0).unwrap();
    assert_eq!(seen(&s), before, "READY");
    s.advance(0.01).unwrap();
    s.reject().unwrap();
    assert_eq!(seen(&s), before, "rejected");
    s.inputs().set_line_length(0, 19.9, 0.0).unwrap();
    s.advance(0.01).unwrap();
    let tried = seen(&s);
    s.inputs().set_line_length(0, 19.0, 0.0).unwrap();
    assert_eq!(seen(&s), tried, "TRIAL");
    s.accept().unwrap();
    assert_eq!(seen(&s), tried, "accepted");
    s.step(1.0).unwrap();
    assert_eq!(s.lines().length(0), Ok((19.0, 0.0)));
    // The first mode of a taut string of tension T: sqrt(T/m)/(2 L), T = EA (20/19 - 1), m = mass
    // per stretched length.
    let linear = OC3.w * 19.0 / 20.0;
    let expected = (1e6 * (20.0 / 19.0 - 1.0) / linear).sqrt() / 40.0;
    let found = seen(&s).0.into_iter().filter(|f| *f > 1e-6).fold(f64::INFINITY, f64::min);
    // Eight segments are off by (pi/8)^2/24.
    assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
}

#[test]
fn an_equilibrium_stops_winches_and_coordinates_leave_them() {
    let mut s = winched();
    s.inputs().set_line_length(0, 19.0, -3.0).unwrap();
    s.solve_equilibrium(50, 1e-6).unwrap();
    assert_eq!(s.lines().length(0), Ok((19.9, 0.0)));
    s.step(0.5).unwrap();
    assert_eq!(s.lines().length(0), Ok((19.9, 0.0)));
}

#[test]
fn a_line_that_would_be_too_short_on_the_way_is_refused() {
    for scheme in ["generalized-alpha", "hht", "rk4", "ab3"] {
        let mut s = winched();
        s.settings().set_scheme(scheme).unwrap();
        s.settings().set_option("max_time_step", 1e-3).unwrap();
        (0..2).for_each(|_| s.step(1e-3).unwrap());
        // From 19.9 to 18 and 400 m/s in half a second: the cubic dips by 4/27 of 200 m.
        s.inputs().set_line_length(0, 18.0, 400.0).unwrap();
        let before = s.save().unwrap().to_bytes();
        let error = s.step(0.5).unwrap_err().to_string();
        assert!(error.contains("line 0") && error.contains("long during the step"), "{scheme}: {error}");
        assert!(s.save().unwrap().to_bytes() == before, "{scheme}: changed");
        s.inputs().set_line_length(0, 19.9, 0.0).unwrap();
        s.step(1e-3).unwrap();
    }
}

/// A line may be reeled in to the limit, in spite of rounding.
#[test]
fn a_line_may_be_reeled_in_to_the_shortest_that_is_allowed() {
    for (from, rate, h) in [(19.0, -3.0, 5.0), (15.3, -4.285275945797478, 9.914268560758163), (17.0, 0.0, 3.0)] {
        let mut s = winched();
        s.settings().set_option("max_time_step", 1.0).unwrap();
        s.inputs().set_line_length(0, from, rate).unwrap();
        s.advance(1.0).unwrap();
        s.accept().unwrap();
        s.inputs().set_line_length(0, 0.199, 0.0).unwrap();
        match s.step(h) {
            Ok(()) => assert_eq!(s.lines().length(0), Ok((0.199, 0.0))),
            Err(error) => assert!(!error.to_string().contains("during the step"), "{from} {rate} {h}: {error}"),
        }
    }
}
