//! The host's callback in long calls.

use std::sync::Arc;

/// Called with the time and the part of the call that is done, 0 to 1 (0 if unknown); a nonzero
/// return stops the call.
pub type ProgressFn = Arc<dyn Fn(f64, f64) -> i32 + Send + Sync>;
