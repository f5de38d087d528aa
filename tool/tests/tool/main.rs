//! The tool as its users run it: its outputs are those of the library, errors name their cause, and
//! files are complete.

mod beamdyn;
mod by_hand;
mod check;
#[path = "../../../tests/common/code_blocks.rs"]
mod code_blocks;
mod files;
mod loads;
#[path = "../../../tests/common/release.rs"]
mod release;
mod run;
mod tutorial;
mod view;
mod vtk;
mod windio;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the sources.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tool is in a folder of the repository")
}

fn model(name: &str) -> PathBuf {
    root().join(format!("models/{name}.toml"))
}

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tool").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the last run's files can go");
    }
    std::fs::create_dir_all(&folder).expect("the target directory is writable");
    folder
}

/// `pintle` with arguments, in a folder.
fn pintle(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pintle"));
    command.current_dir(folder).args(arguments);
    command
}

/// Runs it; returns exit code, standard output and standard error.
fn outcome(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("pintle runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

/// What a run that must succeed prints.
fn printed(command: &mut Command) -> String {
    let (code, stdout, stderr) = outcome(command);
    assert_eq!(code, 0, "{command:?}: {stderr}");
    stdout
}

/// The titles of a table of numbers, and its rows.
fn table(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut lines = text.lines();
    let titles = lines.next().expect("titles").split(',').map(str::to_owned).collect();
    let number = |cell: &str| cell.parse().unwrap_or_else(|_| panic!("{cell} is no number"));
    (titles, lines.map(|line| line.split(',').map(number).collect()).collect())
}

/// The names of the files in a folder, in order.
fn files_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
