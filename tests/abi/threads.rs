//! Different systems on different threads at the same time.

use std::process::Command;

use super::host::compile;
use crate::common::programs::{everything, output, tool};

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
