//! `include/pintle_raw.f90` follows from the header, and the generator refuses what it has no rule
//! for.

use pintle_generator::header::Header;
use pintle_generator::raw_fortran::module_text;

use super::toolchain::{c_program, fortran_program, fresh_directory, read, run};

/// The table of functions in the header is independent of its declarations: text that the parser
/// loses from one of them shows here.
#[test]
fn the_header_is_read_to_the_last_function() {
    let header = Header::read();
    let mut members: Vec<_> = header.table.iter().filter(|one| one.base.is_none()).map(|one| &one.name).collect();
    let mut functions: Vec<_> = header.functions.iter().map(|one| &one.name["pintle_".len()..]).collect();
    functions.retain(|name| *name != "get_api");
    members.sort_unstable();
    functions.sort_unstable();
    assert_eq!(members, functions);
    let defined = read("include/pintle.h").lines().filter(|line| line.starts_with("#define PINTLE_")).count();
    assert_eq!(header.constants.len(), defined - 1, "all but the include guard");
}

#[test]
#[should_panic(expected = "stands twice if case is ignored")]
fn names_that_differ_in_case_only_are_refused() {
    let clash = "#define PINTLE_STEP 1\nint32_t pintle_step(void);\n";
    module_text(&Header::parse(clash));
}

#[test]
#[should_panic(expected = "pintle_odd, parameter x: unknown type float")]
fn types_without_a_rule_are_refused() {
    module_text(&Header::parse("int32_t pintle_odd(float x);\n"));
}

#[test]
#[should_panic(expected = "the comment must give its shape")]
fn arrays_of_unknown_shape_are_refused() {
    module_text(&Header::parse("int32_t pintle_odd(const double *x);\n"));
}

#[test]
fn constants_have_the_values_that_a_c_compiler_sees() {
    let header = Header::read();
    let directory = fresh_directory("constants");
    let names: Vec<_> = header.constants.iter().map(|one| one.name.as_str()).collect();

    let lines: String = names.iter().map(|name| format!("printf(\"{name} %d\\n\", {name});\n")).collect();
    let in_c = directory.join("constants.c");
    let program = format!("#include <stdio.h>\n#include \"pintle.h\"\nint main(void) {{\n{lines}return 0;\n}}\n");
    std::fs::write(&in_c, program).expect("a file can be written");

    let lines: String = names.iter().map(|name| format!("print '(a, 1x, i0)', '{name}', {name}\n")).collect();
    let in_fortran = directory.join("constants.f90");
    std::fs::write(&in_fortran, format!("program constants\nuse pintle\nimplicit none\n{lines}end program\n"))
        .expect("a file can be written");

    let printed = run(&mut c_program("constants_check", &in_c));
    assert_eq!(printed.lines().count(), names.len());
    assert_eq!(run(&mut fortran_program("constants_check", &[in_fortran])), printed);
}
