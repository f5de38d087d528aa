//! The example in Julia: its calls have the types of the header, and a parser of Julia reads it.

use super::header::{declarations, name_of};
use crate::common::programs::{fresh_directory, output, root};
use std::process::Command;

/// The types of `@ccall` that fit a parameter of the header; Ref for what the library fills.
fn fitting(parameter: &str) -> &'static [&'static str] {
    let is_array = parameter.ends_with(']');
    match parameter.split_whitespace().find(|word| *word != "const").expect("a type") {
        _ if parameter.contains("**") => &["Ref{Ptr{Cvoid}}"],
        "pintle_system" => &["Ptr{Cvoid}"],
        "char" => &["Ptr{UInt8}", "Cstring"],
        "double" if is_array || parameter.contains('*') => &["Ptr{Cdouble}", "Ref{Cdouble}"],
        "double" => &["Cdouble"],
        "int32_t" if is_array || parameter.contains('*') => &["Ref{Cint}", "Ptr{Cint}"],
        "int32_t" => &["Cint"],
        other => panic!("{other} is new in Julia"),
    }
}

#[test]
fn calls_from_julia_have_the_types_of_the_header() {
    let text = std::fs::read_to_string(root().join("julia_examples/pendulum.jl")).expect("the example");
    let header = declarations(&std::fs::read_to_string(root().join("include/pintle.h")).expect("the header"));
    let mut calls = 0;
    for call in text.split("@ccall libpintle.").skip(1) {
        let (name, rest) = call.split_once('(').expect("arguments");
        let (given, _) = rest.split_once(")::Cint").expect("the status");
        let given: Vec<&str> = given.split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
        let found = header.iter().find(|one| name_of(one) == name).unwrap_or_else(|| panic!("no function {name}"));
        let inside = &found[found.find('(').expect("(") + 1..found.rfind(')').expect(")")];
        let expected: Vec<&str> = inside.split(',').map(str::trim).collect();
        assert_eq!(given.len(), expected.len(), "{name}");
        for (argument, parameter) in given.iter().zip(expected) {
            let (_, kind) = argument.rsplit_once("::").expect("a type");
            assert!(fitting(parameter).contains(&kind), "{name}: {argument} for {parameter}");
        }
        calls += 1;
    }
    assert_eq!(calls, 9);
}

#[test]
fn a_parser_of_julia_reads_the_example() {
    let environment = fresh_directory("julia").join("venv");
    let made = Command::new("python3").args(["-m", "venv"]).arg(&environment).output();
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "fatou==0.24.0"];
    let installed = made.and_then(|_| Command::new(environment.join("bin/python")).args(pip).output());
    if !installed.is_ok_and(|one| one.status.success()) {
        eprintln!("skipped: no venv, or pip has no fatou");
        return;
    }
    let fatou = environment.join("bin/fatou");
    output(Command::new(&fatou).args(["--no-config", "lint"]).arg(root().join("julia_examples/pendulum.jl")));
    let cut = environment.join("cut.jl");
    std::fs::write(&cut, "function main()\n").expect("own directory");
    assert!(!Command::new(&fatou).args(["--no-config", "lint"]).arg(&cut).output().expect("fatou").status.success());
}
