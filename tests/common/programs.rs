//! Helpers for tests that run compilers, checkers and programs linked to libpintle: a missing tool
//! fails the test, which names the package, and the library is the release build.

#[path = "release.rs"]
pub mod release;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the sources.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A required program.
pub fn tool(name: &str) -> Command {
    let package = match name {
        "gcc" => "gcc and libc6-dev",
        "clang++" => "clang",
        "abidw" | "abidiff" => "abigail-tools",
        "nm" | "readelf" => "binutils",
        other => other,
    };
    let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(
        found.is_ok(),
        "{name} is missing; `scripts/setup --install {name}` installs it, or `apt-get install {package}`"
    );
    Command::new(name)
}

/// Runs a command that must succeed; returns its stdout.
pub fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, everything(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The complete output of a command.
pub fn everything(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// An empty directory of this name for a test to work in.
pub fn fresh_directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if directory.exists() {
        std::fs::remove_dir_all(&directory).expect("the last run's files can go");
    }
    std::fs::create_dir_all(&directory).expect("the target directory is writable");
    directory
}

/// The directory of the release build of libpintle.
pub fn release_directory() -> &'static Path {
    release::release_directory(root())
}
