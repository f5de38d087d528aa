//! Memory of instances: steps do not allocate; if any one allocation fails, the call returns a
//! status and the instance stays usable.

#[path = "../../../tests/common/heap.rs"]
mod heap;
mod refusals;
mod steps;
#[path = "../fmu/unit.rs"]
#[allow(dead_code)] // every test takes what it needs
mod unit;

/// Keeps the tests one after another: the reserve is one for all threads, and what calls of one of
/// them take from its fixed block, others see as more requests of their own.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
