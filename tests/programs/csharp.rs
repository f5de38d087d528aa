//! The example in C#, compiled and run by Mono with the release build of the library, as docs/csharp.md
//! says.

use std::process::Command;

use crate::common::programs::{fresh_directory, output, release_directory, root};

#[test]
fn csharp_example_prints_the_numbers_of_its_page() {
    if ["mcs", "mono"].iter().any(|name| Command::new(name).arg("--version").output().is_err()) {
        eprintln!("skipped: Mono is missing; `scripts/setup --install mcs mono` installs it");
        return;
    }
    let program = fresh_directory("csharp").join("pendulum.exe");
    let source = root().join("csharp_examples/pendulum.cs");
    output(Command::new("mcs").arg(format!("-out:{}", program.display())).arg(source));
    let printed = output(Command::new("mono").arg(program).env("LD_LIBRARY_PATH", release_directory()));
    // The same pendulum in C, README.md.
    assert_eq!(printed, "after 10 s: x 0.9998 m, z -0.0182 m\n");
    let page = std::fs::read_to_string(root().join("docs/csharp.md")).expect("the page");
    assert!(page.contains(&printed), "docs/csharp.md has other numbers");
}
