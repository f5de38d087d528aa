//! The release build of libpintle: the same command for all tests, that of CMakeLists.txt and
//! scripts/wheel, because Cargo would rebuild the library for a command with other kinds of
//! libraries.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Cargo's target directory: that of the running test, so that nothing is built twice.
pub fn target_directory() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("tmp is inside the target directory")
}

/// The directory of the build, which is made now if it is not up to date. `root`: directory of the
/// sources.
pub fn release_directory(root: &Path) -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["rustc", "--locked", "--release", "--lib", "--crate-type", "cdylib,staticlib"]).current_dir(root);
        cargo.arg("--target-dir").arg(target_directory());
        let built = cargo.output().unwrap_or_else(|error| panic!("{cargo:?}: {error}"));
        assert!(built.status.success(), "{cargo:?}: {}", String::from_utf8_lossy(&built.stderr));
        let directory = target_directory().join("release");
        assert!(directory.join("libpintle.so").exists(), "cargo built no {}/libpintle.so", directory.display());
        directory
    })
}
