//! `pintle.hpp`: complete, compiled by every compiler in every dialect, and behaving as its
//! comments say.

use std::process::Command;

use super::contract::{functions, name_of};
use super::host::compile;
use crate::common::programs::{fresh_directory, output, root, tool};

#[test]
fn the_cpp_header_has_every_function() {
    let text = std::fs::read_to_string(root().join("include/pintle.hpp")).expect("include/pintle.hpp");
    let words: Vec<_> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let all = functions();
    let missing: Vec<_> = all.iter().map(|one| name_of(one)).filter(|name| !words.contains(name)).collect();
    assert!(missing.is_empty(), "include/pintle.hpp has not: {missing:?}");
}

#[test]
fn the_cpp_header_compiles_alone_and_twice_in_every_dialect() {
    let directory = fresh_directory("abi-wrapper");
    let source = directory.join("twice.cpp");
    std::fs::write(&source, "#include \"pintle.hpp\"\n#include \"pintle.hpp\"\n").expect("writable");
    for compiler in ["g++", "clang++"] {
        for standard in ["c++11", "c++14", "c++17", "c++20"] {
            for source in [source.clone(), root().join("tests/abi_proofs/wrapper.cpp")] {
                let mut command = tool(compiler);
                command.arg(format!("-std={standard}")).args([
                    "-Wall",
                    "-Wextra",
                    "-Wpedantic",
                    "-Wshadow",
                    "-Wconversion",
                ]);
                output(command.args(["-Werror", "-fsyntax-only", "-I"]).arg(root().join("include")).arg(source));
            }
        }
    }
}

#[test]
fn the_cpp_header_owns_throws_and_calls_as_it_says() {
    let program = compile("wrapper", &["tests/abi_proofs/wrapper.cpp"]);
    assert_eq!(output(&mut Command::new(&program)), "ok\n");
    // Ownership once more, under valgrind.
    let mut valgrind = tool("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=all"]);
    assert_eq!(output(valgrind.args(["--show-leak-kinds=all"]).arg(program)), "ok\n");
}
