//! Models far from the origin and larger models: inputs and outputs of an FMU are those of the
//! library, and translate with the model.

use crate::unit::{Folder, Unit};
use pintle::Simulation;
use std::fmt::Write;

/// A chain of `n` bodies on ball joints below a base whose motion is prescribed, `shift` metres
/// away along x. All positions are the same numbers there and at zero, but for the shift.
fn chain(n: usize, shift: f64) -> Folder {
    let mut text = format!(
        "pintle_model = 1\ngravity = [0, 0, -9.81]\n\
         [[body]]\nname = \"b0\"\nprescribed = true\nmass = 1\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\npose = [{shift}, 0, 0, 1, 0, 0, 0]\n"
    );
    for k in 1..=n {
        let (at, joint) = (shift + k as f64, shift + k as f64 - 0.5);
        write!(
            text,
            "[[body]]\nname = \"b{k}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\npose = [{at}, 0, 0, 1, 0, 0, 0]\n\
             [[joint]]\nkind = \"spherical\"\nbody_a = \"b{}\"\nbody_b = \"b{k}\"\npoint = [{joint}, 0, 0]\n",
            k - 1
        )
        .unwrap();
    }
    Folder::with(&text)
}

/// The step: a power of two, so that the motion of the base is exact.
const H: f64 = 1.0 / 128.0;

/// The inputs of step `n`: the base speeds up along x by 2 m/s^2, the first body is pushed and
/// twisted.
fn inputs(n: usize, shift: f64) -> [(&'static str, f64); 6] {
    let t = H * n as f64;
    [
        ("body.b0.motion.pos.x", shift + t * t),
        ("body.b0.motion.vel.x", 2.0 * t),
        ("body.b0.motion.acc.x", 2.0),
        ("body.b1.load.fx", 5.0 * (3.0 * t).sin()),
        ("body.b1.load.fy", 2.0),
        ("body.b1.load.mz", -1.0),
    ]
}

/// Outputs after each of 32 steps.
fn run(version: u32, n: usize, shift: f64) -> (Unit, Vec<Vec<f64>>) {
    let unit = Unit::started(version, &chain(n, shift));
    let steps = (0..32).map(|k| {
        for (name, value) in inputs(k + 1, shift) {
            unit.set(name, value);
        }
        unit.step(H * k as f64, H);
        unit.outputs()
    });
    let outputs = steps.collect();
    (unit, outputs)
}

/// The same by the library itself.
fn by_the_library(n: usize, shift: f64) -> Vec<Vec<f64>> {
    let folder = chain(n, shift);
    let mut system = Simulation::load_model(&folder.model()).unwrap();
    system.initialize(0.0).unwrap();
    let list = system.given().input_list();
    let names = inputs(0, shift).map(|(name, _)| list.find(name).unwrap());
    let choice = list.choose(&names).unwrap();
    let steps = (0..32).map(|k| {
        system.inputs().set_chosen_inputs(&choice, &inputs(k + 1, shift).map(|(_, value)| value)).unwrap();
        system.step(H).unwrap();
        let mut values = vec![0.0; system.channels().count().unwrap() as usize];
        system.channels().values(&mut values).unwrap();
        values
    });
    steps.collect()
}

#[test]
fn chains_near_and_far_short_and_long_are_those_of_the_library_bit_by_bit() {
    for (n, shift) in [(8, 0.0), (32, 0.0), (8, 1e6), (32, 1e6)] {
        let expected = by_the_library(n, shift);
        for version in [2, 3] {
            assert!(run(version, n, shift).1 == expected, "{n} bodies at {shift} m, FMI {version}");
        }
    }
}

#[test]
fn a_chain_at_1e6_m_moves_as_at_zero() {
    let (unit, near) = run(3, 8, 0.0);
    let (_, far) = run(3, 8, 1e6);
    for (k, (near, far)) in near.iter().zip(&far).enumerate() {
        for ((output, near), far) in unit.model.outputs.iter().zip(near).zip(far) {
            // Potential energy is zero at the origin of height, which is not moved; positions have
            // gaps of 1e-10 m at 1e6 m, reactions have the size of the weight, 80 N.
            let (shift, tolerance) = match output.suffix.as_str() {
                "pos.x" => (1e6, 2e-10),
                _ => (0.0, 1e-8 * near.abs().max(1.0)),
            };
            let difference = (far - shift - near).abs();
            assert!(difference <= tolerance, "step {k}, {}: {near} and {far}, {difference:.1e}", output.name);
        }
    }
}
