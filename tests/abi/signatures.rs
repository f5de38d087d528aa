//! Signatures and types as a C compiler sees them, compared with the checked-in baseline by
//! libabigail.
//!
//! The proof has three links: this baseline equals the header; the header is what cbindgen
//! generates from the Rust sources (`tests/docs/generated.rs`); the exported names are those of the
//! header (`symbols`). New members of pintle_api, at its end, are changes to abidiff: `table`
//! checks that struct, its members and their types.

use pintle_generator::baseline::{BASELINE, compare, describe, is_promised};

use crate::common::programs::{everything, fresh_directory, tool};

#[test]
fn signatures_are_compatible_with_the_baseline() {
    ["gcc", "abidw", "abidiff"].iter().for_each(|name| drop(tool(name)));
    let directory = fresh_directory("abi-signatures");
    let description = describe(&directory);
    if is_promised() {
        let breaks = compare(&directory, &description, &["--no-added-syms"]);
        assert!(
            breaks.status.success(),
            "programs that were compiled before would break:\n{}\nUndo the change, or raise PINTLE_ABI (docs/abi.md).",
            everything(&breaks)
        );
    }
    let changes = compare(&directory, &description, &[]);
    assert!(
        is_promised() && changes.status.success(),
        "{BASELINE} is not up to date: scripts/generate adds\n{}",
        everything(&changes)
    );
}
