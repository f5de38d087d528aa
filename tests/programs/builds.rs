//! The two builds of the library, for every x86-64 and for x86-64-v3: the dynamic linker loads the
//! second one if the processor supports it, and both compute the same bits.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::models::structures;
use crate::common::programs::{fresh_directory, output, root, tool};
use crate::install::library_directory;

/// The folder of the second build, relative to that of the first.
const SECOND: &str = "glibc-hwcaps/x86-64-v3";

/// Whether the dynamic linker of this system looks for libraries of x86-64-v3; if not, prints why
/// the test proves nothing.
fn second_build_is_taken() -> bool {
    let help = Command::new("/lib64/ld-linux-x86-64.so.2").arg("--help").output();
    let taken =
        help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains("x86-64-v3 (supported, searched)"));
    if !taken {
        eprintln!("skipped: the processor is not of x86-64-v3, or glibc is older than 2.33");
    }
    taken
}

/// A directory with only the first build.
fn first_build_alone(name: &str) -> PathBuf {
    let directory = fresh_directory(name);
    for link in ["libpintle.so", "libpintle.so.1"] {
        std::os::unix::fs::symlink(library_directory().join("libpintle.so.1"), directory.join(link)).unwrap();
    }
    directory
}

/// The host, linked to the library in a directory, which is its run path if `rpath` is true.
fn host(program: PathBuf, directory: &Path, rpath: bool) -> PathBuf {
    let mut gcc = tool("gcc");
    gcc.args(["-Wall", "-Wextra", "-Werror"]).arg("-I").arg(root().join("include"));
    gcc.arg(root().join("tests/programs/builds/host.c")).arg("-o").arg(&program).arg("-L").arg(directory);
    if rpath {
        gcc.arg(format!("-Wl,-rpath,{}", directory.display()));
    }
    output(gcc.args(["-lpintle", "-ldl"]));
    program
}

/// The file of the library that a run of the host loaded, and the bits that it printed.
fn run(host: &mut Command, model: &Path, step: &str, steps: &str) -> (PathBuf, String) {
    let printed = output(host.arg(model).args([step, steps]));
    let (file, bits) = printed.split_once('\n').expect("lines");
    (file.into(), bits.to_owned())
}

#[test]
fn both_builds_compute_the_same_bits() {
    if !second_build_is_taken() {
        return;
    }
    let work = fresh_directory("builds");
    let first = first_build_alone("builds/first");
    let machine = work.join("machine.toml");
    structures::build("four-bars", 60, true).save_model(&machine).unwrap();

    let plain = host(work.join("plain"), &first, true);
    let chosen = host(work.join("chosen"), library_directory(), true);
    let platform = root().join("tests/programs/builds/moored_platform.toml");
    for (model, step, steps, channels) in [
        (root().join("models/heavy_top.toml"), "0.001", "2000", 10),
        (platform, "0.05", "600", 100),
        (machine, "0.005", "400", 1000),
    ] {
        let (file_1, bits_1) = run(&mut Command::new(&plain), &model, step, steps);
        let (file_2, bits_2) = run(&mut Command::new(&chosen), &model, step, steps);
        assert!(!file_1.to_string_lossy().contains(SECOND), "{file_1:?}");
        assert!(file_2.to_string_lossy().contains(SECOND), "{file_2:?}");
        assert!(bits_1.lines().count() > channels, "{model:?} has {} channels", bits_1.lines().count());
        assert!(bits_1 == bits_2, "{model:?}: the builds differ");
    }
}

#[test]
fn ld_library_path_leads_to_the_second_build_too() {
    if !second_build_is_taken() {
        return;
    }
    let host = host(fresh_directory("builds-path").join("host"), library_directory(), false);
    let mut host = Command::new(host);
    let (file, _) =
        run(host.env("LD_LIBRARY_PATH", library_directory()), &root().join("models/pendulum.toml"), "0.1", "1");
    assert_eq!(file, library_directory().join(SECOND).join("libpintle.so.1"));
}
