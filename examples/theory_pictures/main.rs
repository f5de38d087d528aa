//! Draws the pictures of docs/theory.md. A test compares them with what stands there
//! (`tests/docs/pages.rs`).
//!
//! ```text
//! cargo run --example theory_pictures [directory]      docs/pictures unless a directory is given
//! ```

mod pictures;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let directory = std::env::args().nth(1).map(PathBuf::from);
    let directory = directory.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/pictures"));
    for (name, text) in pictures::all() {
        std::fs::write(directory.join(name), text)?;
    }
    Ok(())
}
