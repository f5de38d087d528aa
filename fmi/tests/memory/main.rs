//! Memory of instances: steps do not allocate; if any one allocation fails, the call returns a
//! status and the instance stays usable.

#[path = "../../../tests/common/heap.rs"]
mod heap;
mod refusals;
mod steps;
#[path = "../fmu/unit.rs"]
#[allow(dead_code)] // every test takes what it needs
mod unit;

/// Makes the tests run one after another: all threads share one reserve, and memory that one thread
/// takes from its fixed block would show as additional allocations in others.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
