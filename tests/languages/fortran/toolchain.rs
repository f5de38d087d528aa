//! Compilers, the library, and programs: all that the tests run.

use crate::common::programs::release::release_directory;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What examples and tests are compiled with, besides the standard.
pub const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-O2"];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// An empty directory of this name.
pub fn fresh_directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fortran").join(name);
    if directory.exists() {
        fs::remove_dir_all(&directory).expect("an old directory can be removed");
    }
    fs::create_dir_all(&directory).expect("the target directory is writable");
    directory
}

/// Runs a tool, whatever it says.
pub fn attempt(command: &mut Command) -> Output {
    let program = command.get_program().to_string_lossy().into_owned();
    command.output().unwrap_or_else(|error| {
        panic!("cannot run {program}: {error}. These tests need it: `scripts/setup --install gcc gfortran` installs compilers.")
    })
}

/// Runs a tool or program that must succeed; gives what it prints.
pub fn run(command: &mut Command) -> String {
    let output = attempt(command);
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, everything(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

pub fn everything(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// gfortran, working in `directory`: there it puts and finds module files.
pub fn gfortran(directory: &Path) -> Command {
    let mut command = Command::new("gfortran");
    command.current_dir(directory);
    command
}

/// Both files of the module, as they are handed to gfortran.
pub fn module_sources() -> [PathBuf; 2] {
    ["include/pintle_raw.f90", "include/pintle.f90"].map(|path| root().join(path))
}

/// A directory with the module compiled, for programs that are compiled with `-I` to it.
pub fn modules() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = fresh_directory("modules");
        run(gfortran(&directory).args(WARNINGS).args(["-std=f2018", "-c"]).args(module_sources()));
        directory
    })
}

/// A directory with `libpintle.so` and `libpintle.so.N`, like an installation; the library is built
/// once for all tests.
pub fn library() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let library = release_directory(root()).join("libpintle.so");
        let directory = fresh_directory("lib");
        let soname = format!("libpintle.so.{}", pintle::capi::library::PINTLE_ABI);
        fs::copy(library, directory.join(&soname)).expect("the library can be copied");
        std::os::unix::fs::symlink(&soname, directory.join("libpintle.so")).expect("a link can be made");
        directory
    })
}

/// Compiles a Fortran program that uses module pintle and links it to the library; the command runs
/// it.
pub fn fortran_program(name: &str, sources: &[PathBuf]) -> Command {
    let directory = fresh_directory(name);
    let objects = modules();
    let mut compiler = gfortran(&directory);
    // A callback has arguments that it does not need.
    compiler.args(WARNINGS).args(["-Wno-unused-dummy-argument", "-std=f2018", "-I"]).arg(objects).args(sources);
    compiler.args(["pintle_raw.o", "pintle.o"].map(|object| objects.join(object)));
    link(compiler, &directory.join(name))
}

/// The same for C.
pub fn c_program(name: &str, source: &Path) -> Command {
    let directory = fresh_directory(&format!("{name}_c"));
    let mut compiler = Command::new("gcc");
    compiler.args(WARNINGS).args(["-std=c11", "-Wpedantic", "-I"]).arg(root().join("include")).arg(source);
    link(compiler, &directory.join(name))
}

fn link(mut compiler: Command, program: &Path) -> Command {
    let library = library();
    compiler.arg("-o").arg(program).arg("-L").arg(library).arg(format!("-Wl,-rpath,{}", library.display()));
    run(compiler.args(["-lpintle", "-lm"]));
    Command::new(program)
}
