//! Hosts that trap floating-point exceptions (gfortran -ffpe-trap, OpenFAST), flush denormals or
//! use another rounding mode.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use super::host::{compile, examples, run};
use crate::common::programs::{everything, fresh_directory, output, root, tool};

const SIGFPE: i32 = 8;

#[test]
fn examples_run_with_floating_point_traps() {
    for (example, argument) in examples() {
        let program = compile(
            &format!("traps_{example}.out"),
            &[&format!("c_examples/{example}"), "tests/abi_proofs/fp_traps.c"],
        );
        let result = run(&program, argument.as_deref()).output().expect("it starts");
        assert!(result.status.success(), "{example}: {}\n{}", result.status, everything(&result));
    }
}

/// Without this the test above might prove nothing.
#[test]
fn traps_end_a_program_that_divides_by_zero() {
    let directory = fresh_directory("abi-traps");
    let source = directory.join("divide.c");
    std::fs::write(&source, "int main(void) { volatile double zero = 0.0; return 1.0 / zero > 0.0; }\n")
        .expect("writable");
    let program = directory.join("divide");
    output(tool("gcc").arg(source).arg(root().join("tests/abi_proofs/fp_traps.c")).arg("-o").arg(&program).arg("-lm"));
    let status = Command::new(program).status().expect("it starts");
    assert_eq!(status.signal(), Some(SIGFPE), "{status}");
}

/// MXCSR is that of x86-64; elsewhere the environment is taken as it is.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_hosts_environment_stays_and_does_not_change_results() {
    let program = compile("environment", &["tests/abi_proofs/environment.c"]);
    assert_eq!(output(&mut Command::new(program)), "4 environments\n");
}
