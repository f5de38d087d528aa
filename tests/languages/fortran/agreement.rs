//! Two compilers check that `pintle_raw` and `pintle.h` declare the same functions: the prototypes
//! that gfortran derives from the interfaces, and the types that the linker sees on both sides
//! under `-flto`.
//!
//! Both see values and references, integers and reals, counts and order of arguments. Neither sees
//! whether a `type(c_ptr)` is a handle or the place of one: that is left to the program that calls
//! every function.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use pintle_generator::header::{Function, Header, Parameter};
use pintle_generator::raw_fortran::fortran_name;

use super::toolchain::{attempt, everything, fresh_directory, gfortran, read, root, run};

// ---- Prototypes ------------------------------------------------------------------------------------------------------

#[test]
fn prototypes_that_gfortran_derives_are_those_of_the_header() {
    assert_eq!(prototypes("prototypes", &read("include/pintle_raw.f90")), header_prototypes());
}

#[test]
fn a_forgotten_value_shows_in_the_prototypes() {
    let module = read("include/pintle_raw.f90");
    let wrong = module.replacen("real(c_double), value :: dt", "real(c_double), intent(in) :: dt", 1);
    assert_ne!(wrong, module);
    assert_ne!(prototypes("prototypes_wrong", &wrong), header_prototypes());
}

fn prototypes(name: &str, module: &str) -> Vec<String> {
    let directory = fresh_directory(name);
    fs::write(directory.join("raw.f90"), module).expect("a file can be written");
    let printed = run(gfortran(&directory).args(["-fc-prototypes", "-fsyntax-only", "raw.f90"]));
    let functions =
        printed.lines().filter(|line| line.contains(" (") && line.ends_with(");") && !line.starts_with(' '));
    let mut lines: Vec<_> = functions.map(normalised).collect();
    lines.sort_unstable();
    lines
}

/// One space between words, and none before a parenthesis.
fn normalised(line: &str) -> String {
    line.replace(" (", "(").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The header's prototypes as gfortran writes them: without fixed-width integers, structs other
/// than pintle_api, and pointers to pointers.
fn header_prototypes() -> Vec<String> {
    let header = Header::read();
    let functions = header.functions.iter().chain(&header.callbacks);
    let mut lines: Vec<_> = functions
        .map(|function| {
            let parameters: Vec<_> = function.parameters.iter().map(|one| parameter(&header, one)).collect();
            let result = if function.result == "const char *" { "void *" } else { "int " };
            format!("{result}{}({});", function.name, parameters.join(", "))
        })
        .collect();
    lines.sort_unstable();
    lines
}

fn parameter(header: &Header, parameter: &Parameter) -> String {
    let name = &parameter.name;
    if header.callbacks.iter().any(|one| one.name == parameter.base) {
        return format!("int(*{name})()");
    }
    let is_handle = parameter.base == "void" || header.handles.contains(&parameter.base);
    if is_handle || parameter.doc.contains("may be NULL") && parameter.is_const {
        return format!("void *{name}");
    }
    let base = match parameter.base.as_str() {
        "int32_t" => "int",
        "int64_t" => "long",
        "uint8_t" => "signed char",
        other => other,
    };
    let constant = if parameter.is_const { "const " } else { "" };
    format!("{constant}{base} {}{name}", "*".repeat(parameter.stars))
}

// ---- Types at link time ----------------------------------------------------------------------------------------------

#[test]
fn the_linker_sees_the_same_types_on_both_sides() {
    let output = link_stubs("lto", &read("include/pintle_raw.f90"));
    assert!(output.status.success(), "{}", everything(&output));
}

#[test]
fn the_linker_sees_wrong_types() {
    let module = read("include/pintle_raw.f90");
    for (number, right, wrong) in [
        (0, "real(c_double), value :: dt", "integer(c_int64_t), value :: dt"),
        (1, "integer(c_int32_t), value :: cap\n", ""),
        (2, "integer(c_int32_t), value :: frame\n", "integer(c_int32_t), intent(in) :: frame\n"),
    ] {
        let edited = match number {
            1 => module.replacen("(sys, cap, buf, len)", "(sys, buf, cap, len)", 1),
            _ => module.replacen(right, wrong, 1).replace("import :: c_double, c_int32_t, c_ptr", "import"),
        };
        assert_ne!(edited, module, "{right} is no longer in the module");
        let output = link_stubs(&format!("lto_wrong_{number}"), &edited);
        let complaint = everything(&output);
        assert!(!output.status.success() && complaint.contains("lto-type-mismatch"), "{right}:\n{complaint}");
    }
}

/// Links Fortran callers of every interface to C functions with the header's types.
fn link_stubs(name: &str, module: &str) -> Output {
    let header = Header::read();
    let directory = fresh_directory(name);
    let write = |file: &str, text: &str| fs::write(directory.join(file), text).expect("a file can be written");
    write("raw.f90", module);
    write("stubs.c", &stubs(&header));
    write("callers.f90", &callers(&header, module));
    let gcc = |directory: &Path| {
        let mut command = Command::new("gcc");
        command.current_dir(directory);
        command
    };
    run(gcc(&directory).args(["-flto", "-O1", "-c", "stubs.c", "-I"]).arg(root().join("include")));
    run(gfortran(&directory).args(["-flto", "-O1", "-c", "raw.f90", "callers.f90"]));
    attempt(gfortran(&directory).args(["-flto", "-O1", "-Wlto-type-mismatch", "-Werror", "-o", "program"]).args([
        "callers.o",
        "raw.o",
        "stubs.o",
    ]))
}

/// Every function of the header, without content.
fn stubs(header: &Header) -> String {
    let text = read("include/pintle.h");
    let mut stubs = "#include \"pintle.h\"\n".to_owned();
    for function in &header.functions {
        // The declaration as it stands in the header, so that the types are the header's own.
        let start = text.rfind(&format!("{}(", function.name)).expect("the declaration");
        let declaration = &text[start..start + text[start..].find(';').expect("its end")];
        let result = &function.result;
        stubs.push_str(&format!("{result} {declaration} {{ return 0; }}\n"));
    }
    stubs
}

/// A program that calls every interface with variables of the types that the interface declares.
/// The callers are in one module, because gfortran takes 20 ms for each `use pintle_raw`.
fn callers(header: &Header, module: &str) -> String {
    let mut text =
        "module callers\nuse pintle_raw\nuse, intrinsic :: iso_c_binding\nimplicit none\ncontains\n".to_owned();
    let mut calls = String::new();
    for function in &header.functions {
        let name = &function.name;
        let (result, declarations, arguments) = interface(module, function);
        text.push_str(&format!("subroutine call_{name}()\n{declarations}{result} :: answer\n"));
        text.push_str(&format!("answer = {}({})\nend subroutine\n", fortran_name(function), arguments.join(", &\n")));
        calls.push_str(&format!("call call_{name}()\n"));
    }
    format!("{text}end module\nprogram main\nuse callers\nimplicit none\n{calls}end program\n")
}

/// Result type, declarations of variables, and their names, from the interface in the module's
/// text.
fn interface(module: &str, function: &Function) -> (String, String, Vec<String>) {
    let start = module.find(&format!("function {}(", fortran_name(function))).expect("the interface");
    let text = &module[start..start + module[start..].find("end function").expect("its end")];
    let list = &text[text.find('(').expect("(") + 1..text.find(')').expect(")")];
    let arguments: Vec<_> =
        list.split([',', '&']).map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect();
    let mut declarations = String::new();
    let mut result = String::new();
    for (words, name) in text.lines().filter_map(|line| line.trim().split_once(" :: ")) {
        let fortran = words.split(", ").next().expect("a type");
        let bare = name.split('(').next().expect("a name");
        if words == "import" {
            continue;
        } else if !arguments.iter().any(|one| one == bare) {
            result = fortran.to_owned();
        } else {
            // Sizes that depend on other arguments, and sizes that are not said, become constants.
            let sizes = name[bare.len()..].trim_matches(['(', ')']).split(", ");
            let sizes: Vec<_> = sizes.map(|size| if size.parse::<u32>().is_ok() { size } else { "4" }).collect();
            let shape = if name == bare { String::new() } else { format!("({})", sizes.join(", ")) };
            declarations.push_str(&format!("{fortran} :: {bare}{shape}\n"));
        }
    }
    (result, declarations, arguments)
}
