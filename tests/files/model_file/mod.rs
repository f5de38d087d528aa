//! Model files: a saved model is read back bit for bit, errors are reported with file, line and
//! key, and the shipped models are those of the example programs.

mod everything;

mod files;
mod inputs;
mod placements;
mod random;
mod refusals;
mod round_trip;
mod shipped;

use pintle::{Result, Simulation};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A file of this test's own, gone with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("model-{}-{number}.toml", std::process::id());
        Scratch(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The system that a text describes.
fn load(bytes: impl AsRef<[u8]>) -> Result<Simulation> {
    let file = Scratch::new();
    std::fs::write(&file.0, bytes).unwrap();
    Simulation::load_model(&file.0)
}

/// The text that describes a system.
fn saved(system: &Simulation) -> String {
    let file = Scratch::new();
    system.save_model(&file.0).unwrap();
    std::fs::read_to_string(&file.0).unwrap()
}
