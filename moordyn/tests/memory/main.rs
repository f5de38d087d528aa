//! What steps cost: no memory after the first one, and little time beside pintle's own.

#[path = "../../../tests/common/heap.rs"]
mod heap;
#[path = "../hosts/system.rs"]
mod system;
mod time;

use moordyn_pintle::parts::{MoorDyn_GetLineNodeTen, MoorDyn_SetLineUnstretchedLengthVel};
use moordyn_pintle::version2::MoorDyn_Serialize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use system::*;

/// Makes the tests run one after another: all threads share one reserve and the processor.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn steps_with_outputs_and_saved_states_do_not_allocate_after_the_first() {
    let _alone = alone();
    let rest = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, -10.0];
    let input = body_and_point().replace("640 20 -", "640 20 p,t,s") + "--- OUTPUTS ---\nFairTen1\nBody1Px\n";
    let system = System::started(&input, &rest);
    assert_eq!(unsafe { MoorDyn_SetLineUnstretchedLengthVel(system.line(3), -0.1) }, OK);
    let (mut f, mut t, mut dt) = ([0.0; 9], 0.0, 0.1);
    let mut state = system.serialized();
    let mut step = |k: usize| {
        let xd = [0.1, 0.0, 0.05, 0.001, 0.0, 0.0, 0.1, 0.0, 0.0];
        let x: [f64; 9] = std::array::from_fn(|i| rest[i] + xd[i] * 0.1 * k as f64);
        let status = unsafe {
            moordyn_pintle::version2::MoorDyn_Step(
                system.handle,
                x.as_ptr(),
                xd.as_ptr(),
                f.as_mut_ptr(),
                &mut t,
                &mut dt,
            )
        };
        assert_eq!(status, OK);
        let mut tension = [0.0; 3];
        assert_eq!(unsafe { MoorDyn_GetLineNodeTen(system.line(2), 7, tension.as_mut_ptr()) }, OK);
    };
    (0..4).for_each(&mut step);
    assert_eq!(heap::traffic(|| (4..104).for_each(&mut step)), 0);
    let size = std::ptr::null_mut();
    let mut save = || assert_eq!(unsafe { MoorDyn_Serialize(system.handle, size, state.as_mut_ptr()) }, OK);
    save();
    let asked = heap::traffic(&mut save);
    assert!(asked <= 2, "{asked}: pintle's own copy of a state makes 2");
}
