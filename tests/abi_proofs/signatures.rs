//! Signatures and types as a C compiler sees them, compared with the checked-in baseline by libabigail.
//!
//! The release is stripped, and what abidw makes of Rust's debug information is 10 000 lines that change with every
//! compiler. So a library is made from the header alone: each function with its signature and an empty body, and debug
//! information for abidw. The proof has three links: this baseline = the header; the header = what cbindgen makes of
//! the Rust sources (`tests/header.rs`); the exported names = the header's (`symbols`). pintle_api grows at its end,
//! which abidiff calls a change: `table` watches over that struct, members and their types.

use std::path::{Path, PathBuf};

use super::contract::{abi, functions};
use super::programs::{everything, fresh_directory, output, root, tool};

/// What abidw says about a library that is made from the header in `include`.
fn describe(directory: &Path) -> PathBuf {
    let mut source = String::from("#include \"pintle.h\"\n");
    for declaration in functions() {
        source += &format!("{declaration} {{ __builtin_trap(); }}\n");
    }
    let (file, library) = (directory.join("functions.c"), directory.join("libpintle.so"));
    std::fs::write(&file, source).expect("writable");
    let mut gcc = tool("gcc");
    gcc.args(["-g", "-O0", "-shared", "-fPIC", "-nostdlib"]).arg(format!("-Wl,-soname,libpintle.so.{}", abi()));
    output(gcc.arg("-I").arg(root().join("include")).arg(&file).arg("-o").arg(&library));

    let description = directory.join("libpintle.abi");
    let mut abidw = tool("abidw");
    abidw.args(["--no-architecture", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed"]);
    output(abidw.args(["--type-id-style", "hash", "--out-file"]).arg(&description).arg(&library));
    description
}

#[test]
fn signatures_are_compatible_with_the_baseline() {
    let directory = fresh_directory("abi-signatures");
    let description = describe(&directory);
    let baseline = root().join("tests/abi_proofs/libpintle.abi");
    let suppressions = directory.join("suppressions.ini");
    std::fs::write(&suppressions, "[suppress_type]\n  name = pintle_api\n").expect("writable");

    let compare = |extra: &[&str]| {
        let mut abidiff = tool("abidiff");
        abidiff.args(extra).arg("--suppressions").arg(&suppressions).arg(&baseline).arg(&description);
        abidiff.output().expect("abidiff")
    };
    let promised = std::fs::read_to_string(&baseline).unwrap_or_default();
    if promised.contains(&format!("soname='libpintle.so.{}'", abi())) {
        let breaks = compare(&["--no-added-syms"]);
        assert!(
            breaks.status.success(),
            "programs that were compiled before would break:\n{}\nUndo the change, or raise PINTLE_ABI (docs/abi.md).",
            everything(&breaks)
        );
    }
    if std::env::var_os("PINTLE_BLESS").is_some() {
        std::fs::copy(&description, &baseline).expect("tests/abi_proofs is writable");
    }
    let changes = compare(&[]);
    assert!(
        changes.status.success(),
        "tests/abi_proofs/libpintle.abi is not up to date: PINTLE_BLESS=1 cargo test --test abi_proofs adds\n{}",
        everything(&changes)
    );
}
