//! `tests/abi_proofs/libpintle.abi`: signatures and types as a C compiler sees them, described by
//! libabigail.
//!
//! abidw reads debug information. The release has none, and that of Rust gives 10 000 lines which
//! change with every compiler. Therefore a library is compiled from the header alone, each function
//! with its signature and an empty body.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::header::Header;
use crate::root;

/// Where the baseline is kept.
pub const BASELINE: &str = "tests/abi_proofs/libpintle.abi";

/// Compiles such a library in `directory` from the checked-in header; returns the path of abidw's
/// description.
pub fn describe(directory: &Path) -> PathBuf {
    let header = Header::read();
    let mut source = String::from("#include \"pintle.h\"\n");
    for function in &header.functions {
        source += &format!("{} {{ __builtin_trap(); }}\n", function.declaration);
    }
    let (file, library) = (directory.join("functions.c"), directory.join("libpintle.so"));
    std::fs::write(&file, source).expect("writable");
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O0", "-shared", "-fPIC", "-nostdlib"]);
    gcc.arg(format!("-Wl,-soname,libpintle.so.{}", crate::contract::abi(&header)));
    run(gcc.arg("-I").arg(root().join("include")).arg(&file).arg("-o").arg(&library));

    let description = directory.join("libpintle.abi");
    let mut abidw = Command::new("abidw");
    abidw.args(["--no-architecture", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed"]);
    run(abidw.args(["--type-id-style", "hash", "--out-file"]).arg(&description).arg(&library));
    description
}

/// Compares a description with the baseline by abidiff. pintle_api is excluded, because abidiff
/// reports new members at its end as changes; [`crate::contract`] checks it.
pub fn compare(directory: &Path, description: &Path, extra: &[&str]) -> Output {
    let suppressions = directory.join("suppressions.ini");
    std::fs::write(&suppressions, "[suppress_type]\n  name = pintle_api\n").expect("writable");
    let mut abidiff = Command::new("abidiff");
    abidiff.args(extra).arg("--suppressions").arg(&suppressions).arg(root().join(BASELINE)).arg(description);
    abidiff.output().expect("abidiff, of Debian's abigail-tools")
}

/// True if the baseline has the ABI number of the header: then nothing in it may change.
pub fn is_promised() -> bool {
    let soname = format!("soname='libpintle.so.{}'", crate::contract::abi(&Header::read()));
    std::fs::read_to_string(root().join(BASELINE)).unwrap_or_default().contains(&soname)
}

/// Updates the baseline; true if it was out of date. Panics if compiled programs would break.
pub fn update(directory: &Path) -> bool {
    let description = describe(directory);
    if is_promised() {
        let breaks = compare(directory, &description, &["--no-added-syms"]);
        assert!(
            breaks.status.success(),
            "programs that were compiled before would break:\n{}\nUndo the change, or raise PINTLE_ABI (docs/abi.md).",
            String::from_utf8_lossy(&breaks.stdout)
        );
    }
    let is_stale = !is_promised() || !compare(directory, &description, &[]).status.success();
    if is_stale {
        std::fs::copy(&description, root().join(BASELINE)).expect("tests/abi_proofs is writable");
    }
    is_stale
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
