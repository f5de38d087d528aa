//! The host's say in long calls.

use std::sync::Arc;

/// Called with the time and the part of the call that is done, 0 to 1 (0 where it is not known); nonzero stops the call.
pub type ProgressFn = Arc<dyn Fn(f64, f64) -> i32 + Send + Sync>;
