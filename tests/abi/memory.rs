//! The examples under valgrind's memcheck: no invalid access, no use of uninitialised memory, no
//! leaks, and no blocks that are still reachable at exit: the library has no allocations of its
//! own.

use super::host::{compile, examples};
use crate::common::programs::{everything, tool};

#[test]
fn examples_run_clean_under_memcheck() {
    let checks = examples().into_iter().map(|(example, argument)| {
        std::thread::spawn(move || {
            let program = compile(&format!("memcheck_{example}.out"), &[&format!("c_examples/{example}")]);
            let mut valgrind = tool("valgrind");
            valgrind.args(["--quiet", "--error-exitcode=99", "--leak-check=full"]);
            // The dynamic linker keeps the thread's block of a library that was unloaded; it is
            // reachable.
            let leaks = if example.starts_with("dlopen_") { "definite,indirect,possible" } else { "all" };
            valgrind.arg(format!("--show-leak-kinds={leaks}")).arg(format!("--errors-for-leak-kinds={leaks}"));
            let result = valgrind.arg(program).args(argument).output().expect("valgrind starts");
            assert!(result.status.success(), "{example}: {}\n{}", result.status, everything(&result));
            // An example may succeed and still have complaints of valgrind on stderr that are not
            // errors.
            assert!(result.stderr.is_empty(), "{example}: {}", everything(&result));
        })
    });
    // All at once: the longest one decides.
    for check in checks.collect::<Vec<_>>() {
        check.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}
