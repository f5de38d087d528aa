//! Hosts that load the library at run time: unloading frees everything, and another ABI is refused
//! with a message.

use std::process::Command;

use super::contract::abi;
use super::host::{compile, library_directory};
use crate::common::programs::{everything, fresh_directory, output, root, tool};

#[test]
fn unloading_takes_the_library_out_of_memory_on_any_thread() {
    let program = compile("unload", &["tests/abi_proofs/unload.c"]);
    assert_eq!(output(Command::new(program).arg(library_directory().join("libpintle.so"))), "100 rounds\n");
}

#[test]
fn a_loader_of_another_abi_is_refused_with_a_clear_message() {
    // The example as a program of the next generation would be: compiled with a header that has
    // another number.
    let directory = fresh_directory("abi-loader");
    let header = std::fs::read_to_string(root().join("include/pintle.h")).expect("include/pintle.h");
    let line = |number: i32| format!("#define PINTLE_ABI {number}\n");
    assert!(header.contains(&line(abi())));
    std::fs::write(directory.join("pintle.h"), header.replace(&line(abi()), &line(abi() + 1))).expect("writable");
    let program = directory.join("host");
    let mut gcc = tool("gcc");
    gcc.arg("-I").arg(&directory).arg(root().join("c_examples/dlopen_host.c"));
    output(gcc.arg("-o").arg(&program).args(["-ldl", "-lm"]));

    let refused = Command::new(program).arg(library_directory().join("libpintle.so")).output().expect("it starts");
    let message = format!("compiled for ABI {} of pintle, and the library has another one", abi() + 1);
    assert_eq!(refused.status.code(), Some(1), "{}", everything(&refused));
    assert!(String::from_utf8_lossy(&refused.stderr).contains(&message), "{}", everything(&refused));
}
