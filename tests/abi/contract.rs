//! The declarations of `pintle.h`, read from the output of the C preprocessor.

use crate::common::programs::{output, root, tool};

/// The statements of the header, comments and macros gone, one line each.
fn statements() -> Vec<String> {
    let mut gcc = tool("gcc");
    let text = output(gcc.args(["-E", "-P", "-x", "c"]).arg(root().join("include/pintle.h")));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // The struct has semicolons of its own.
    let (before, rest) = text.split_once("typedef struct { int64_t size;").expect("pintle_api");
    let (members, after) = rest.split_once("} pintle_api;").expect("its end");
    let table = format!("typedef struct {{ int64_t size;{members}}} pintle_api");
    let split = |text: &str| text.split(';').map(|one| one.trim().to_owned()).collect::<Vec<_>>();
    [split(before), vec![table], split(after)].concat()
}

/// The function declarations.
pub fn functions() -> Vec<String> {
    let is_function = |one: &String| one.starts_with("int32_t pintle_") || one.starts_with("const char *pintle_");
    let functions: Vec<_> = statements().into_iter().filter(is_function).collect();
    assert!(functions.len() > 70, "only {} functions: did the header change its style?", functions.len());
    functions
}

/// The name of a declared function.
pub fn name_of(declaration: &str) -> &str {
    let (before, _) = declaration.split_once('(').expect("a function");
    before.rsplit([' ', '*']).next().expect("a name")
}

/// The members of `pintle_api`: name and declaration.
pub fn members() -> Vec<(String, String)> {
    let statements = statements();
    let table = statements.iter().find(|one| one.ends_with("} pintle_api")).expect("pintle_api");
    let inside = &table[table.find('{').expect("{") + 1..table.rfind('}').expect("}")];
    let declarations = inside.split(';').map(str::trim).filter(|one| !one.is_empty());
    let name = |one: &str| match one.split_once("(*") {
        Some((_, rest)) => rest.split(')').next().expect("a name").to_owned(),
        None => one.rsplit(' ').next().expect("a name").to_owned(),
    };
    declarations.map(|one| (name(one), one.to_owned())).collect()
}

/// `PINTLE_ABI` of the header.
pub fn abi() -> i32 {
    let header = std::fs::read_to_string(root().join("include/pintle.h")).expect("include/pintle.h");
    let line = header.lines().find_map(|line| line.strip_prefix("#define PINTLE_ABI ")).expect("PINTLE_ABI");
    line.trim().parse().expect("a number")
}
