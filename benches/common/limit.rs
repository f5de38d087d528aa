//! The loop by hand of `limit.cpp`, compiled with g++ where that is there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiled loop; its file goes when this is dropped.
pub struct Limit(PathBuf);

impl Limit {
    /// Compiles it; None without g++.
    pub fn compiled() -> Option<Limit> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/limit.cpp");
        let limit = Limit(std::env::temp_dir().join(format!("pintle_limit_{}", std::process::id())));
        let flags = ["-O3", "-march=native", "-ffast-math", "-std=c++17"];
        let compiled = Command::new("g++").args(flags).arg(&source).arg("-o").arg(&limit.0).status();
        compiled.is_ok_and(|status| status.success()).then_some(limit)
    }

    /// Microseconds per step of 1 ms and iterations per step, the best of some repetitions;
    /// `model`: "top", or how many bars a chain has.
    pub fn run(&self, model: &str, steps: usize, repetitions: u32) -> Option<(f64, f64)> {
        let (end, repetitions) = (1e-3 * steps as f64, repetitions.to_string());
        let arguments = [model, "1e-3", &end.to_string(), "0.9", "1e-10", &repetitions];
        let output = Command::new(&self.0).args(arguments).output();
        let text = String::from_utf8(output.ok()?.stdout).ok()?;
        let number = |key: &str| text.split_once(key)?.1.split([',', '}']).next()?.trim().parse().ok();
        Some((number("\"us\":")?, number("\"it\":")?))
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
