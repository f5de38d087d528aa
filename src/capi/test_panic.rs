//! A panic on request, inside the barrier: only with feature `test-panic`, in no header and in no
//! table.

use super::boundary::{pintle_system, with_system_mut};

/// Panics. What comes back is `PINTLE_ERR_PANIC`, and the system is in phase FAILED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_test_panic(sys: *mut pintle_system) -> i32 {
    with_system_mut("pintle_test_panic", sys, |_| -> crate::Result<()> { panic!("injected by the test") })
}
