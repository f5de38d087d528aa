//! Fortran programs against the library: every function, lifetimes, the examples against their C
//! versions, bit for bit.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pintle_generator::fortran::is_by_hand;
use pintle_generator::header::{Function, Header};
use pintle_generator::shape::{Shape, shapes};

use super::toolchain::{
    attempt, c_program, fortran_program, fresh_directory, gfortran, library, module_sources, read, root, run,
};

#[test]
fn every_kind_of_function_is_called_through_the_module() {
    let source = read("tests/languages/fortran/every_function.f90");
    let code = source.lines().filter(|line| !line.trim_start().starts_with('!'));
    let called: BTreeSet<_> = code.flat_map(calls).collect();
    let template = read("generator/hand_written/pintle.f90");
    let header = Header::read();
    let mut untried = BTreeSet::new();
    for function in header.functions.iter().filter(|one| !called.contains(&one.name)) {
        assert!(!is_by_hand(&template, &function.name), "call {} in every_function.f90", function.name);
        untried.insert(&function.name);
    }
    // A generated procedure may be left out if each kind of its arguments is passed by one that is
    // called.
    let kinds = |function: &Function| shapes(&header, function).into_iter().map(|shape| kind(&shape));
    let tried: BTreeSet<_> = header.functions.iter().filter(|one| called.contains(&one.name)).flat_map(kinds).collect();
    for function in header.functions.iter().filter(|one| untried.contains(&one.name)) {
        let new: Vec<_> = kinds(function).filter(|kind| !tried.contains(kind)).collect();
        assert!(new.is_empty(), "call {} in every_function.f90, as nothing there passes {new:?}", function.name);
    }

    // The main program has no branches that could skip a call.
    let main = &source[source.find("program every_function").expect("the program")
        ..source.find("contains\n\n  subroutine check").expect("its end")];
    let conditional =
        main.lines().map(str::trim_start).find(|line| line.starts_with("if ") || line.starts_with("return"));
    assert_eq!(conditional, None);
    let mut program = fortran_program("every_function", &[root().join("tests/languages/fortran/every_function.f90")]);
    let directory = fresh_directory("every_function_run");
    assert_eq!(run(program.current_dir(directory)), "every function was called\n");
}

/// The kind of an argument: its shape without sizes.
fn kind(shape: &Shape) -> String {
    let text = format!("{shape:?}");
    text.split([' ', '(']).next().expect("a word").to_owned()
        + if text.contains("optional: true") { ", optional" } else { "" }
}

/// Names of pintle functions that a line calls.
fn calls(line: &str) -> Vec<String> {
    let starts = line.match_indices("pintle_").map(|(at, _)| &line[at..]);
    let names = starts.filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        rest[end..].starts_with('(').then(|| rest[..end].to_owned())
    });
    names.collect()
}

/// With OpenFAST's kinds of default reals, with all that gfortran can check at run time, and with
/// its floating-point traps.
#[test]
fn every_function_works_with_wide_default_reals_checks_and_traps() {
    for (name, flags) in [("checks", ["-fcheck=all", "-O0"]), ("traps", ["-ffpe-trap=invalid,zero,overflow", "-O2"])] {
        let directory = fresh_directory(&format!("every_function_{name}"));
        let mut compiler = gfortran(&directory);
        compiler.args(["-std=f2003", "-g", "-fdefault-real-8", "-fdefault-double-8"]).args(flags);
        compiler.args(module_sources()).arg(root().join("tests/languages/fortran/every_function.f90"));
        compiler.args(["-o", "program", "-lpintle", "-L"]).arg(library());
        run(compiler.arg(format!("-Wl,-rpath,{}", library().display())));
        let printed = run(Command::new(directory.join("program")).current_dir(&directory));
        assert_eq!(printed, "every function was called\n", "with {name}");
    }
}

#[test]
fn systems_and_states_are_freed_once() {
    run(&mut fortran_program("lifetimes", &[root().join("tests/languages/fortran/lifetimes.f90")]));
}

#[test]
fn a_failure_that_nobody_asked_for_stops_the_program_with_its_message() {
    let file = fresh_directory("unasked_source").join("unasked.f90");
    let text = "program unasked\nuse pintle\nimplicit none\ntype(pintle_system) :: sys\ncall pintle_create(sys)\n\
                call pintle_step(sys, 1d-2)\nprint *, 'still here'\nend program\n";
    fs::write(&file, text).expect("a file can be written");
    let output = attempt(&mut fortran_program("unasked", &[file]));
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), b"".as_slice()));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("PINTLE_ERR_BAD_PHASE: pintle_step: "), "{message}");
}

// ---- Examples --------------------------------------------------------------------------------------------------------

/// An example; tests run at the same time, each with a `program` of its own.
fn example(name: &str, program: &str) -> Command {
    let sources = ["example", name].map(|one| root().join(format!("fortran_examples/{one}.f90")));
    fortran_program(program, &sources)
}

/// Runs both twins; gives what the Fortran one prints and what both write.
fn twins(name: &str) -> (String, String, String) {
    let directories = ["fortran", "c"].map(|language| fresh_directory(&format!("{name}_{language}_output")));
    let printed = run(example(name, name).arg(&directories[0]));
    run(c_program(name, &root().join(format!("c_examples/{name}.c"))).arg(&directories[1]));
    let [in_fortran, in_c] = directories.map(|directory| {
        fs::read_to_string(directory.join(format!("{name}.csv"))).expect("the example writes its table")
    });
    (printed, in_fortran, in_c)
}

#[test]
fn heavy_top_writes_what_its_c_twin_writes() {
    let (printed, in_fortran, in_c) = twins("heavy_top");
    // The last column is a time.
    let numbers = |table: &str| -> Vec<String> {
        table.lines().map(|line| line.rsplit_once(',').expect("columns").0.to_owned()).collect()
    };
    // Errors have seven digits, the last of which may fall to either side: both compute them from
    // the same positions by their own arithmetic.
    let agree = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) if a.contains('e') => (x - y).abs() <= 1.01e-6 * x.abs(),
        _ => a == b,
    };
    for (a, b) in numbers(&in_fortran).iter().zip(&numbers(&in_c)) {
        let fields = a.split(',').count() == b.split(',').count();
        assert!(fields && a.split(',').zip(b.split(',')).all(|(a, b)| agree(a, b)), "{a}\n{b}");
    }
    assert_eq!(numbers(&in_fortran).len(), 7);
    assert_eq!(numbers(&in_c).len(), 7);

    // The published errors, to their two digits.
    for (row, error) in [(1, "9.6e-3"), (5, "2.4e-5"), (6, "2.4e-7")] {
        let found: f64 = numbers(&in_fortran)[row].split(',').nth(1).expect("the error").parse().expect("a number");
        let published: f64 = error.parse().expect("a number");
        assert!((found / published - 1.0).abs() < 0.05 / 2.4, "{found} instead of {error}");
    }
    assert!(
        printed.contains("initial acceleration: linear     0.0000000000   -21.3017325444   -30.9608307692"),
        "{printed}"
    );
}

#[test]
fn floating_platform_writes_what_its_c_twin_writes() {
    let (printed, in_fortran, in_c) = twins("floating_platform");
    assert_eq!(in_fortran, in_c);
    assert_eq!(in_c.lines().count(), 602);
    let sway = number_after(&printed, "u(10.01 s)", 1);
    assert!((sway - 2.1671437349).abs() < 5e-6, "{printed}");
}

#[test]
fn yaw_drive_prints_what_its_c_twin_prints() {
    let in_fortran = run(&mut example("yaw_drive", "yaw_drive"));
    let in_c = run(&mut c_program("yaw_drive", &root().join("c_examples/yaw_drive.c")));
    assert_eq!(in_fortran, in_c);
    assert_eq!(in_c.lines().filter(|line| line.contains("ratio ")).count(), 3, "{in_c}");
}

#[test]
fn openfast_style_gives_the_motion_of_the_trapezoidal_rule() {
    let printed = run(&mut example("openfast_style", "openfast_style"));
    // A cylinder of 12 m draught in heave: omega^2 = g / draught, turned by 2 atan(omega dt / 2) in
    // each of 1000 steps.
    let omega = (9.81_f64 / 12.0).sqrt();
    let expected = 0.1 * (1000.0 * 2.0 * (0.5 * omega * 0.1).atan()).cos();
    let heave = number_after(&printed, "heave after 100 s", 0);
    assert!((heave - expected).abs() < 1e-7, "{heave} instead of {expected}");
    assert!(number_after(&printed, "no correction: largest amplitude", 0) > 1.0, "{printed}");
    let refusal = "a NaN gives ErrStat 4 and FloatBody_UpdateStates: PINTLE_ERR_NOT_FINITE: pintle_set_body_load";
    assert!(printed.contains(refusal), "{printed}");
}

#[test]
fn mooring_module_keeps_nothing_of_rejected_trials() {
    let printed = run(&mut example("mooring_module", "mooring_module"));
    assert!(printed.contains("largest difference of a force  0.00E+00 N"), "{printed}");
}

#[test]
fn blade_module_keeps_nothing_of_rejected_trials() {
    let printed = run(&mut example("blade_module", "blade_module"));
    assert!(printed.contains("largest difference of a load  0.00E+00 N"), "{printed}");
}

#[test]
fn coupled_modules_correct_to_second_order() {
    let sources = ["example", "coupled_module", "coupled_glue"];
    let sources = sources.map(|one| root().join(format!("fortran_examples/{one}.f90")));
    let printed = run(&mut fortran_program("coupled_glue", &sources));
    // Errors of 100, 200 and 400 steps with terms of third order behind: ratios of 4 to within the
    // frequency times the step.
    for (place, step) in [(0, 0.2), (1, 0.1)] {
        let order = number_after(&printed, "m; order", place);
        assert!((order.exp2() - 4.0).abs() < 4.0 * 1.3 * step, "{printed}");
    }
    for jacobian in [0, 1] {
        assert!(number_after(&printed, "dYdu, dXdu off by", jacobian) < 1e-6, "{printed}");
    }
    assert!(number_after(&printed, "multiply what is wrong by", 0) > 1.0, "{printed}");
    assert!(printed.contains("bytes, it goes on with the same bits"), "{printed}");
}

#[test]
fn callback_keeps_the_energy_to_second_order() {
    let printed = run(&mut example("callback", "callback"));
    let full = number_after(&printed, "largest change of energy: relative", 0);
    let half = number_after(&printed, "at half the step", 0);
    assert!((full / half - 4.0).abs() < 0.2 && full < 1e-2, "{printed}");
    assert!(printed.contains("pushed too hard: PINTLE_ERR_CALLBACK: pintle_step"), "{printed}");
}

#[test]
fn examples_run_without_a_directory_too() {
    let printed = run(&mut example("floating_platform", "floating_platform_alone"));
    assert!(!printed.contains("written"), "{printed}");
}

/// The number at `place` behind `start` on the line that has it.
fn number_after(printed: &str, start: &str, place: usize) -> f64 {
    let line =
        printed.lines().find_map(|line| line.split_once(start)).unwrap_or_else(|| panic!("no {start}: {printed}"));
    let numbers: Vec<f64> = line.1.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    numbers[place]
}

// ---- Bits ------------------------------------------------------------------------------------------------------------

#[test]
fn c_and_fortran_hosts_get_the_same_bits() {
    let run_in = |mut program: Command, directory: &Path| {
        let printed = run(program.current_dir(directory));
        (printed, fs::read(directory.join("bits.checkpoint")).expect("the checkpoint"))
    };
    let source = |file: &str| -> PathBuf { root().join("tests/languages/fortran").join(file) };
    let (c_bits, c_state) = run_in(c_program("bits", &source("bits.c")), &fresh_directory("bits_c_run"));
    let (bits, state) = run_in(fortran_program("bits", &[source("bits.f90")]), &fresh_directory("bits_fortran_run"));
    assert_eq!(c_bits.lines().count(), 200 * (2 * (7 + 6 + 6) + 6 + 2 + 6));
    let first = c_bits.lines().zip(bits.lines()).position(|(c, fortran)| c != fortran);
    assert_eq!(first, None, "number of the first line that differs");
    assert_eq!(c_bits.len(), bits.len());
    assert!(c_state == state, "checkpoints differ");
}
