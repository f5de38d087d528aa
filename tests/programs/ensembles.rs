//! The examples of ensembles, as users build and run them: their tables are equal bit for bit for
//! any number of threads, and of MPI ranks if MPI is installed.

use crate::common::programs::{everything, fresh_directory, output, release_directory, root, tool};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const WARNINGS: [&str; 6] = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"];

/// Compiles an example against the release build.
fn compile(mut compiler: Command, name: &str, more: &[&str]) -> PathBuf {
    let directory = fresh_directory(&format!("ensembles/{name}"));
    for link in ["libpintle.so.1", "libpintle.so"] {
        std::os::unix::fs::symlink(release_directory().join("libpintle.so"), directory.join(link)).unwrap();
    }
    let program = directory.join(name);
    compiler.args(WARNINGS).arg("-I").arg(root().join("include")).arg(root().join(format!("c_examples/{name}.c")));
    compiler.arg("-o").arg(&program).arg("-L").arg(&directory).arg(format!("-Wl,-rpath,{}", directory.display()));
    output(compiler.arg("-lpintle").args(more).arg("-lm"));
    program
}

/// The output of a program, which must succeed.
fn run(program: &mut Command) -> String {
    let output = program.output().unwrap();
    assert!(output.status.success(), "{program:?}: {}\n{}", output.status, everything(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn threads_program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| compile(tool("gcc"), "ensemble_threads", &["-pthread"]))
}

fn on_threads(threads: u32) -> String {
    run(Command::new(threads_program()).arg(threads.to_string()))
}

#[test]
fn platforms_heave_as_the_closed_form_and_a_failing_case_stops_nobody() {
    let printed = on_threads(3);
    let rows: Vec<Vec<&str>> = printed.lines().skip(1).take(24).map(|line| line.split_whitespace().collect()).collect();
    for (case, row) in rows.iter().enumerate() {
        assert_eq!((row.len(), row[0]), (7, case.to_string().as_str()), "{printed}");
        if case == 7 {
            assert_eq!(row[3..6], ["-", "-", "PINTLE_ERR_NOT_FINITE"], "{printed}");
            continue;
        }
        // (m + a) z'' + b z' + k z = F cos wt. The trapezoidal rule sees w as w (1 + (w h)^2/12 +
        // ...), h = 0.05 s: at most 5.2e-4 of w, with |d ln A/d ln w| <= 2 w^2 M/|k - w^2 M + i b
        // w| + 1, and six decimals are printed.
        let number = |k: usize| row[k].parse::<f64>().unwrap();
        let (omega, mass) = (std::f64::consts::TAU / number(1), 2.0e6 + number(2));
        let impedance = (1.2e6 - omega * omega * mass).hypot(1.2e6 * omega);
        let amplitude = 1.0e6 / impedance;
        let steepness = 1.0 + 2.0 * omega * omega * mass / impedance;
        let limit = 1.1 * (omega * 0.05).powi(2) / 12.0 * steepness * amplitude + 1e-6;
        assert!((number(3) - amplitude).abs() < limit, "case {case}: {amplitude} of {printed}");
        assert_eq!(row[5], "PINTLE_OK", "{printed}");
    }
    assert!(printed.contains("case 7 stopped at 0 s: pintle_set_body_load: wrench[2] = "), "{printed}");
    assert!(printed.ends_with("24 cases, 1 failed\n"), "{printed}");
}

#[test]
fn results_are_bit_identical_for_any_number_of_threads() {
    let one = on_threads(1);
    for threads in [2, 3, 8, 24] {
        assert_eq!(on_threads(threads), one, "{threads} threads");
    }
}

#[test]
fn results_are_bit_identical_for_any_number_of_ranks() {
    for program in ["mpicc", "mpirun"] {
        if Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            eprintln!("skipped: {program} is missing; `scripts/setup --install mpicc mpirun` installs Open MPI");
            return;
        }
    }
    let program = compile(Command::new("mpicc"), "ensemble_mpi", &[]);
    let expected = on_threads(1);
    for ranks in [1, 2, 3, 5] {
        let mut mpirun = Command::new("mpirun");
        // Open MPI: tests run as root in containers, on fewer processors than ranks, without a
        // network.
        mpirun.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        mpirun.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("OMPI_MCA_btl", "self,vader");
        mpirun.env("OMPI_MCA_btl_vader_single_copy_mechanism", "none").env("OMPI_MCA_plm", "isolated");
        let printed = run(mpirun.args(["-n", &ranks.to_string()]).arg(&program));
        assert_eq!(printed, expected, "{ranks} ranks");
    }
}
