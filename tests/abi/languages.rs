//! The same model from C and from C++: the same bits.

use std::process::Command;

use super::host::compile;
use crate::common::programs::output;

#[test]
fn hosts_in_c_and_cpp_get_the_same_bits() {
    let c = output(&mut Command::new(compile("twin_c", &["tests/abi_proofs/twin.c"])));
    let cpp = output(&mut Command::new(compile("twin_cpp", &["tests/abi_proofs/twin.cpp"])));
    assert_eq!(c.lines().count(), 51, "{c}");
    assert_eq!(c, cpp);
}
