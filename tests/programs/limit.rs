//! The hand-written loop with which benches compare pintle solves the heavy top at second order.

use std::path::Path;
use std::process::Command;

use crate::common::distance;
use crate::common::models::heavy_top;
use crate::common::programs::{fresh_directory, output, root, tool};

/// The position of the heavy top at 1 s, computed by the loop with this step.
fn by_loop(program: &Path, step: &str) -> [f64; 3] {
    let printed = output(Command::new(program).args(["top", step, "1", "0.9", "1e-10", "1"]));
    ["x", "y", "z"].map(|axis| {
        let (_, rest) = printed.split_once(&format!("\"{axis}\":")).expect("a coordinate");
        rest.split([',', '}']).next().expect("a number").parse().expect("a number")
    })
}

/// The same computed by the library.
fn by_library(step: f64) -> [f64; 3] {
    let (mut sim, body, _) = heavy_top::top();
    for (key, value) in [("rho_inf", 0.9), ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)] {
        sim.settings().set_option(key, value).unwrap();
    }
    sim.initialize(0.0).unwrap();
    for _ in 0..(1.0 / step).round() as usize {
        sim.step(step).unwrap();
    }
    let pose = sim.outputs().body_pose(body).unwrap();
    [pose[0], pose[1], pose[2]]
}

/// Richardson extrapolation, which removes the error of second order.
fn extrapolated(coarse: [f64; 3], fine: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| fine[k] + (fine[k] - coarse[k]) / 3.0)
}

#[test]
fn the_hand_written_loop_converges_at_second_order_to_the_motion_of_the_heavy_top() {
    let program = fresh_directory("limit").join("limit");
    let mut compiler = tool("g++");
    compiler.args(["-O2", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    output(compiler.arg(root().join("benches/limit.cpp")).arg("-o").arg(&program));

    let [coarse, middle, fine] = ["1e-3", "5e-4", "2.5e-4"].map(|step| by_loop(&program, step));
    // Halving the step takes the error to a quarter, but for terms of fourth order: (h 150 rad/s)^2
    // = 2 % at 1e-3.
    let ratio = distance(coarse, middle) / distance(middle, fine);
    assert!((ratio - 4.0).abs() < 0.02 * 4.0, "{ratio}");

    // What extrapolation leaves is of fourth order too: a sixteenth of what it changes from one
    // pair to the next, or twice that to be sure; and the same for the library.
    let (rough, exact) = (extrapolated(coarse, middle), extrapolated(middle, fine));
    let [a, b, c] = [5e-4, 2.5e-4, 1.25e-4].map(by_library);
    let (rough_library, library) = (extrapolated(a, b), extrapolated(b, c));
    let bound = (distance(rough, exact) + distance(rough_library, library)) / 8.0;
    assert!(distance(coarse, middle) > 100.0 * bound, "the bound {bound} says something");
    assert!(distance(exact, library) < bound, "{} of {bound}", distance(exact, library));
}
