//! The table that pintle_get_api returns: members keep their offsets, new ones are appended.

use super::contract::members;
use super::promises;
use crate::common::programs::{fresh_directory, output, root, tool};

/// The layout of the struct by a C compiler: `offset declaration`, and the size at the end.
fn layout() -> Vec<String> {
    let mut source = String::from("#include <stddef.h>\n#include <stdio.h>\n#include \"pintle.h\"\nint main(void) {\n");
    for (name, declaration) in members() {
        source += &format!("printf(\"%d %s\\n\", (int)offsetof(pintle_api, {name}), \"{declaration}\");\n");
    }
    source += "printf(\"%d\", (int)sizeof(pintle_api));\nreturn 0;\n}\n";
    let directory = fresh_directory("abi-table");
    let (file, program) = (directory.join("layout.c"), directory.join("layout"));
    std::fs::write(&file, source).expect("writable");
    output(tool("gcc").args(["-Wall", "-Werror", "-I"]).arg(root().join("include")).arg(&file).arg("-o").arg(&program));
    output(&mut std::process::Command::new(program)).lines().map(str::to_owned).collect()
}

#[test]
fn members_of_pintle_api_keep_their_places() {
    let mut layout = layout();
    let size: usize = layout.pop().expect("a size").parse().expect("a number");
    assert_eq!(size, 16 + 8 * (members().len() - 3), "three numbers, then pointers without gaps");
    promises::compare("pintle_api.txt", &layout, |promised, found| found.starts_with(promised));
}
