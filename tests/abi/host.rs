//! Hosts: programs in C and C++ with every warning an error, linked to the release build of
//! libpintle or loading it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::contract::abi;
use crate::common::programs::{fresh_directory, output, release_directory, root, tool};

/// A directory with the library under the names of an installation.
pub fn library_directory() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = fresh_directory("abi-lib");
        let soname = format!("libpintle.so.{}", abi());
        std::fs::copy(release_directory().join("libpintle.so"), directory.join(&soname)).expect("a copy");
        std::os::unix::fs::symlink(&soname, directory.join("libpintle.so")).expect("a link");
        directory
    })
}

/// Compiles `sources` (paths in the repository) to a program of this name and returns its path.
/// Every test uses names of its own, since tests run at the same time.
pub fn compile(name: &str, sources: &[&str]) -> PathBuf {
    let program = library_directory().join(name);
    let is_cpp = sources.iter().any(|source| source.ends_with(".cpp"));
    let mut compiler = tool(if is_cpp { "g++" } else { "gcc" });
    compiler.arg(if is_cpp { "-std=c++11" } else { "-std=c11" });
    compiler.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-g"]);
    compiler.arg("-I").arg(root().join("include")).args(sources.iter().map(|source| root().join(source)));
    compiler.arg("-o").arg(&program).arg("-L").arg(library_directory());
    compiler.arg(format!("-Wl,-rpath,{}", library_directory().display()));
    output(compiler.args(["-Wl,--as-needed", "-lpintle", "-ldl", "-lm", "-pthread"]));
    program
}

/// The C and C++ examples, and what each wants on its command line; the one that needs MPI is built
/// in tests/programs/ensembles.rs.
pub fn examples() -> Vec<(String, Option<PathBuf>)> {
    let folder = std::fs::read_dir(root().join("c_examples")).expect("c_examples");
    let names = folder.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let mut examples: Vec<_> = names
        .filter(|name| (name.ends_with(".c") || name.ends_with(".cpp")) && name != "ensemble_mpi.c")
        .map(|name| {
            let argument = match name.as_str() {
                "dlopen_host.c" => Some(library_directory().join("libpintle.so")),
                "ensemble_threads.c" | "heavy_top.c" | "oc4_mooring.c" | "semisubmersible.c" | "wave_energy.c" => {
                    Some(PathBuf::from("short"))
                }
                "model_file.c" => Some(root().join("models/heavy_top.toml")),
                _ => None,
            };
            (name, argument)
        })
        .collect();
    examples.sort();
    assert!(examples.len() >= 4, "{examples:?}");
    examples
}

/// The command that runs a program, with what it wants on its command line.
pub fn run(program: &Path, argument: Option<&Path>) -> Command {
    let mut command = Command::new(program);
    command.args(argument);
    command
}
