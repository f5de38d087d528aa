//! Messages of local steps that fail.

use pintle::{Error, GROUND, JointKind, Simulation};

/// Two bodies in a chain with negative damping, a free one, and a step of the host cut into ten
/// ticks: the message names the step of the entity that fails, a tick in the starting procedure, or
/// the host's step if the entity takes it as a whole.
#[test]
fn local_steps_that_are_too_long_are_named_not_those_of_the_host() {
    const POSE: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    for scheme in ["leuler", "lab2", "lab3", "lab4", "lab5"] {
        let mut seen = Vec::new();
        for (damping, dt) in [(-2.0, 0.05), (-50.0, 0.2), (0.0, 0.5)] {
            let mut sim = Simulation::new();
            sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
            for x in [0.5, 1.5, 9.0] {
                let pose = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
                sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose).unwrap();
            }
            for (other, body) in [(GROUND, 0), (0, 1)] {
                let at = [f64::from(body), 0.0, 0.0];
                sim.build().add_joint_at(JointKind::Revolute, other, body, &at, Some(&[0.0, 1.0, 0.0])).unwrap();
                if damping != 0.0 {
                    let c: [f64; 36] = std::array::from_fn(|i| if i % 7 == 0 { damping } else { 0.0 });
                    sim.elements().add_bushing(other, body, &POSE, &POSE, &[0.0; 36], &c).unwrap();
                }
            }
            sim.settings().set_scheme(scheme).unwrap();
            sim.settings().set_option("max_time_step", 0.1 * dt).unwrap();
            sim.initialize(0.0).unwrap();
            let limit = 0.5 * sim.outputs().statistic("stable_step").unwrap();
            let error = (0..3000).find_map(|_| sim.step(dt).err()).unwrap();
            match error {
                Error::Diverged { step, .. } => {
                    // Of the divisors of ten.
                    let ticks = step / (0.1 * dt);
                    let own = [10.0, 5.0, 2.0, 1.0].into_iter().find(|n| n * 0.1 * dt <= limit).unwrap_or(1.0);
                    assert!([1.0, own].iter().any(|n| (ticks - n).abs() < 1e-9), "{scheme} {damping}: {ticks} {own}");
                    seen.push(ticks.round());
                }
                Error::Unstable { .. } => {}
                other => panic!("{scheme} {damping}: {other}"),
            }
        }
        assert!(seen.contains(&1.0) && seen.contains(&10.0), "{scheme}: {seen:?}");
    }
}
