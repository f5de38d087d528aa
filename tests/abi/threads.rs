//! Different systems on different threads at the same time, and threads with little stack.

use std::process::Command;

use super::host::compile;
use crate::common::programs::{everything, output, root, tool};

#[test]
fn threads_with_their_own_systems_do_not_race() {
    let program = compile("threads", &["tests/abi_proofs/threads.c"]);
    let printed = "4 threads, 50 steps\n";
    assert_eq!(output(&mut Command::new(&program)), printed);

    let mut valgrind = tool("valgrind");
    let result =
        valgrind.args(["--tool=helgrind", "--quiet", "--error-exitcode=99"]).arg(&program).output().expect("valgrind");
    assert!(result.status.success() && result.stderr.is_empty(), "{}\n{}", result.status, everything(&result));
    assert_eq!(String::from_utf8_lossy(&result.stdout), printed);
}

/// The stack that docs/reliability.md promises to suffice.
const STACK: &str = "64";

#[test]
fn a_small_stack_suffices_to_load_initialize_and_step() {
    let program = compile("small_stack", &["tests/abi_proofs/small_stack.c"]);
    let folder = std::fs::read_dir(root().join("models")).expect("models");
    let files = folder.map(|entry| entry.expect("an entry").path());
    let models: Vec<_> = files.filter(|file| file.extension().is_some_and(|ending| ending == "toml")).collect();
    assert!(models.len() > 3);
    assert_eq!(output(Command::new(program).arg(STACK).args(&models)), format!("{} models\n", models.len()));
}
