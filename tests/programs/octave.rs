//! The MEX function for MATLAB, compiled and run by Octave, as docs/matlab.md says.

use std::process::Command;

use crate::common::programs::{fresh_directory, output, release_directory, root};

#[test]
fn octave_example_prints_what_its_page_says() {
    let is_there = |name: &str| Command::new(name).arg("--version").output().is_ok_and(|one| one.status.success());
    if !["mkoctfile", "octave-cli"].into_iter().all(is_there) {
        eprintln!("skipped: Octave is missing; `apt-get install octave octave-dev` installs it");
        return;
    }
    let directory = fresh_directory("octave");
    let mut compile = Command::new("mkoctfile");
    compile.args(["--mex", "-Wall", "-Wextra", "-Werror", "-Iinclude", "matlab_examples/pintle_mex.c"]);
    compile.arg(release_directory().join("libpintle.a")).arg("-o").arg(directory.join("pintle_mex.mex"));
    output(compile.current_dir(root()));
    let mut run = Command::new("octave-cli");
    run.args(["--norc", "--no-history", "--path"])
        .arg(&directory)
        .arg("matlab_examples/pendulum.m")
        .current_dir(root());
    let printed = output(&mut run);
    assert_eq!(printed.lines().count(), 3, "{printed}");
    let page = std::fs::read_to_string(root().join("docs/matlab.md")).expect("the page");
    assert!(page.contains(&printed), "docs/matlab.md has other numbers than\n{printed}");
}
