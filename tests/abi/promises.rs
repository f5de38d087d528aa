//! The checked-in lists of the ABI. Entries are only added: `scripts/generate` adds new ones, and
//! removes or changes none unless `PINTLE_ABI` was raised. The first line of a list is the ABI
//! number that it belongs to.

use super::contract::abi;
use crate::common::programs::root;

/// Compares a list with the checked-in one of this name in `tests/abi_proofs`. `keeps` says whether
/// the new list keeps what the old one promised.
pub fn compare(name: &str, found: &[String], keeps: impl Fn(&[String], &[String]) -> bool) {
    let path = root().join("tests/abi_proofs").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let mut lines = text.lines().map(str::to_owned);
    let heading = format!("abi {}", abi());
    let same_abi = lines.next().is_some_and(|first| first == heading);
    let promised: Vec<String> = lines.collect();

    assert!(
        !same_abi || keeps(&promised, found),
        "tests/abi_proofs/{name}: programs that were compiled before would break. Promised:\n{promised:#?}\nfound:\n{found:#?}\n\
         Undo the change, or raise PINTLE_ABI (docs/abi.md)."
    );
    let current = same_abi && promised == found;
    assert!(current, "tests/abi_proofs/{name} is not up to date: scripts/generate adds what is new of\n{found:#?}");
}
