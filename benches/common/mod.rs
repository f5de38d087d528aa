//! What benches of the C functions share: a system with an owner, and statuses that must be 0.

use pintle::capi::boundary::pintle_system;
use pintle::capi::life_cycle;

/// Ends the program where a call failed.
pub fn ok(status: i32) {
    assert_eq!(status, 0, "a call failed");
}

/// A system that is destroyed with its owner.
pub struct Owned(pub *mut pintle_system);

impl Drop for Owned {
    fn drop(&mut self) {
        ok(unsafe { life_cycle::pintle_destroy(&mut self.0) });
    }
}
