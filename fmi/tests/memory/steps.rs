//! Steps after the first, and inputs and outputs between them, do not allocate; saving a state
//! allocates no more than stated.

use crate::alone;
use crate::heap::traffic;
use crate::unit::{OK, Unit, example};
use pintle_fmi::{fmi2, fmi3};

#[test]
fn a_run_asks_the_heap_for_nothing_and_saved_states_for_their_promise() {
    let _alone = alone();
    for (name, input) in [
        ("heavy_top", "body.top.load.fx"),
        ("floating_platform", "body.platform.load.fx"),
        ("four_bar", "body.rocker.load.mz"),
        ("buoy", "body.buoy.load.fz"),
    ] {
        for version in [2, 3] {
            let folder = example(name);
            let unit = Unit::started(version, &folder);
            let input = unit.find(input);
            let outputs: Vec<u32> = (0..unit.model.outputs.len() as u32).collect();
            let mut values = vec![0.0; outputs.len()];
            let mut time = 0.0;
            let mut state = unit.save(std::ptr::null_mut());
            let mut step = |n: usize| {
                let load = [1e-3 * n as f64];
                assert_eq!(unit.set_reference(input, &load), OK);
                let dt = if n.is_multiple_of(2) { 1e-3 } else { 5e-4 };
                let status = unsafe {
                    match version {
                        2 => fmi2::fmi2DoStep(unit.handle, time, dt, 1),
                        _ => {
                            let (mut flags, mut reached) = ([0u8; 3], 0.0);
                            let [event, end, early] = &mut flags;
                            fmi3::fmi3DoStep(unit.handle, time, dt, 1, event, end, early, &mut reached)
                        }
                    }
                };
                assert_eq!(status, OK, "{name}");
                time += dt;
                let (n, into) = (outputs.len(), values.as_mut_ptr());
                let status = unsafe {
                    match version {
                        2 => fmi2::fmi2GetReal(unit.handle, outputs.as_ptr(), n, into),
                        _ => fmi3::fmi3GetFloat64(unit.handle, outputs.as_ptr(), n, into, n),
                    }
                };
                assert_eq!(status, OK, "{name}");
            };
            (0..4).for_each(&mut step);
            let asked = traffic(|| (4..104).for_each(&mut step));
            assert_eq!(asked, 0, "{name}, FMI {version}: 100 steps with inputs and outputs");
            // As a master with rollback does, saves over an existing state, which grows the first
            // time.
            state = unit.save(state);
            let asked = traffic(|| _ = unit.save(state));
            assert_eq!(asked, 2, "{name}, FMI {version}: a state is copied into the one that is there");
            unit.drop_state(state);
        }
    }
}
