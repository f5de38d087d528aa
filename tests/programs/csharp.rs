//! The example in C#, compiled by Mono, and run by Mono and by .NET with the release build of the
//! library, as docs/csharp.md says.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::programs::{fresh_directory, output, release_directory, root};

/// The same pendulum in C, README.md.
const PRINTED: &str = "after 10 s: x 0.9998 m, z -0.0182 m\n";

/// The framework that the program asks for: any 3.1. Without ICU it formats numbers all the same.
const CONFIGURATION: &str = r#"{"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"},
"configProperties": {"System.Globalization.Invariant": true}}}"#;

/// The compiled example in a directory; None without Mono.
fn compiled(directory: &Path) -> Option<PathBuf> {
    if ["mcs", "mono"].iter().any(|name| Command::new(name).arg("--version").output().is_err()) {
        eprintln!("skipped: Mono is missing; `scripts/setup --install mcs mono` installs it");
        return None;
    }
    let program = directory.join("pendulum.exe");
    let source = root().join("csharp_examples/pendulum.cs");
    output(Command::new("mcs").arg(format!("-out:{}", program.display())).arg(source));
    Some(program)
}

#[test]
fn csharp_example_prints_the_numbers_of_its_page() {
    let Some(program) = compiled(&fresh_directory("csharp")) else { return };
    let printed = output(Command::new("mono").arg(program).env("LD_LIBRARY_PATH", release_directory()));
    assert_eq!(printed, PRINTED);
    let page = std::fs::read_to_string(root().join("docs/csharp.md")).expect("the page");
    assert!(page.contains(&printed), "docs/csharp.md has other numbers");
}

#[test]
fn csharp_example_runs_on_dotnet() {
    let directory = fresh_directory("dotnet");
    let Some(program) = compiled(&directory) else { return };
    // pip has the runtime of .NET Core 3.1, for x86-64.
    let environment = directory.join("venv");
    let python = environment.join("bin/python");
    let made = Command::new("python3").args(["-m", "venv"]).arg(&environment).output();
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "dotnetcore2"];
    let installed = made.and_then(|_| Command::new(&python).args(pip).output());
    if !installed.is_ok_and(|one| one.status.success()) {
        eprintln!("skipped: no venv, or pip has no dotnetcore2");
        return;
    }
    let ask = "import dotnetcore2.runtime as r; print(r.get_runtime_path())";
    let dotnet = output(Command::new(python).args(["-c", ask]));
    std::fs::write(program.with_extension("runtimeconfig.json"), CONFIGURATION).expect("own directory");
    let printed = output(Command::new(dotnet.trim()).arg(program).env("LD_LIBRARY_PATH", release_directory()));
    assert_eq!(printed, PRINTED);
}
