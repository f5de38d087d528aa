//! The C examples, as a user builds and runs them: compiled by gcc with all warnings as errors,
//! linked to the release build of `libpintle.so` or loading it, each in its own process. The
//! programs check their own numbers and return a status; the tests read the key numbers again from
//! their output.

use crate::common::code_blocks::{assert_same_text, code_blocks};
use crate::common::programs::{everything, fresh_directory, output, release_directory, root, tool};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const WARNINGS: [&str; 6] = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"];

// --------------------------------------------------------------------------------------------------------------
// the tests

#[test]
fn heavy_top_prints_the_published_errors_and_writes_them() {
    let directory = fresh_directory("c_programs/heavy_top_output");
    let printed = run(compile("heavy_top", true).arg(&directory));

    // dt, error, and the order between rows.
    let table = fs::read_to_string(directory.join("heavy_top.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    assert_eq!(rows.len(), 6, "{table}");
    for (row, dt, error, half_unit) in
        [(0, 2e-3, 9.6e-3, 0.05e-3), (4, 1e-4, 2.4e-5, 0.05e-5), (5, 1e-5, 2.4e-7, 0.05e-7)]
    {
        assert_eq!(number(row, 0), dt, "{table}");
        assert!((number(row, 1) - error).abs() <= half_unit, "{table}");
    }
    for row in 0..6 {
        assert!(row == 0 || (number(row, 2) - 2.0).abs() <= 0.1, "{table}");
        assert_eq!(number(row, 4), 0.0, "failed steps: {table}");
    }

    // u(2 s) at the smallest step; its error is 2.4e-7.
    let end = numbers_after(&printed, "  u       (");
    let exact = [-0.150416822747, -1.724165591637, -0.673022269560];
    assert_close(&end, &exact, 2.45e-7);
    let accelerations = numbers_after(&printed, "initial acceleration: linear (");
    assert_close(&accelerations[..3], &[0.0, -21.3017325444, -30.9608307692], 1e-10);
    assert_close(&accelerations[3..], &[661.346169231, 0.0, 0.0], 1e-9);
}

#[test]
fn floating_platform_meets_the_independent_solution_and_writes_60_s() {
    let directory = fresh_directory("c_programs/floating_platform_output");
    let printed = run(compile("floating_platform", true).arg(&directory));
    let u = numbers_after(&printed, "u(10.01 s)   (");
    assert_close(&u, &[-0.000301454149, 2.1671437349, 2.0676041751], 5e-6);

    let motions = fs::read_to_string(directory.join("floating_platform.csv")).unwrap();
    let last: Vec<f64> = motions.lines().last().unwrap().split(',').map(|field| field.parse().unwrap()).collect();
    assert_eq!(motions.lines().count(), 602, "a header, the start, and 600 tenths of a second");
    assert_eq!((last.len(), last[0]), (10, 60.0));
}

#[test]
fn examples_run_without_a_directory_too() {
    let printed = run(&mut compile("floating_platform", true));
    assert!(!printed.contains("written"), "{printed}");
}

#[test]
fn dlopen_host_runs_a_pendulum_without_linking() {
    let mut host = compile("dlopen_host", false);
    let needed = output(Command::new("ldd").arg(host.get_program()));
    assert!(!needed.contains("pintle"), "{needed}");

    let printed = run(host.arg(library_directory().join("libpintle.so")));
    assert!(printed.contains("PINTLE_ERR_ABI_MISMATCH"), "{printed}");
    let rows: Vec<Vec<f64>> = printed.lines().filter_map(numbers_of_line).filter(|row| row.len() == 6).collect();
    assert_eq!(rows.len(), 11, "start and ten seconds: {printed}");
    for row in rows {
        assert!((row[1].hypot(row[2]) - 1.0).abs() < 2e-5, "1 m from the joint, printed to 5 decimals: {row:?}");
    }
}

#[test]
fn dlopen_host_says_what_it_misses() {
    let output = compile("dlopen_host", false).arg("/nowhere/libpintle.so").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot load pintle"));
}

#[test]
fn coupled_host_gives_the_same_motion_both_ways() {
    let printed = run(&mut compile("coupled_host", true));
    assert!(printed.contains("the two ways give bit-identical motions"), "{printed}");

    // 2 pi sqrt((m + a)/(rho g A)) with m = rho A d and a = 1.5 m, and the trapezoidal rule's
    // period at 0.05 s.
    let omega = (9.81_f64 / (2.5 * 12.0)).sqrt();
    let periods = numbers_after(&printed, "heave period: ");
    let expected = std::f64::consts::PI * 0.05 / (0.5 * omega * 0.05).atan();
    assert!((periods[0] - expected).abs() < 1e-5, "{printed}");

    // With added mass of twice the body's the gap doubles each time; the compliance closes it.
    let plain = numbers_after(&printed, "plain iteration");
    assert!(plain.windows(2).all(|gaps| (gaps[1] / gaps[0] + 2.0).abs() < 1e-3), "{printed}");
    let corrected = numbers_after(&printed, "with compliance");
    assert!(corrected.len() <= 3 && corrected.last().unwrap().abs() < 5e-8, "{printed}");
}

#[test]
fn coupled_bodies_heave_as_the_closed_form_and_a_stopped_step_changes_nothing() {
    let printed = run(&mut compile("coupled_bodies", true));
    // (m + a +- a') z'' + (b +- b') z' + k z = 0 with a = 0.8 m, a' = -0.3 a, b = 0.05 a, b' = 0.4
    // b; printed to 9 digits.
    let (m, k) = (410e3_f64, 1025.0 * 9.81 * 200.0);
    let root = |sign: f64| {
        let (mass, damping) = (m + 0.8 * m * (1.0 - 0.3 * sign), 0.05 * 0.8 * m * (1.0 + 0.4 * sign));
        ((k / mass).sqrt(), 0.5 * damping / (k * mass).sqrt())
    };
    for (sign, start) in [(1.0, "heave in phase:"), (-1.0, "heave out of phase:")] {
        let (omega, ratio) = root(sign);
        assert_close(&numbers_after(&printed, start)[..2], &[omega / std::f64::consts::TAU, ratio], 1e-9);
    }

    // Body 0 is lifted by 0.5 m. The trapezoidal rule's frequency is 1 - (w h)^2 / 12 of the true
    // one: at 0.05 s and after 30 s that is w t (w h)^2 / 12 of 0.25 m for each mode, at most 0.014
    // m together; five decimals are printed.
    let rows: Vec<Vec<f64>> = printed.lines().filter_map(numbers_of_line).filter(|row| row.len() == 5).collect();
    assert_eq!(rows.len(), 10, "{printed}");
    for row in &rows {
        let t = row[0];
        let modes = [1.0, -1.0].map(|sign| {
            let (omega, ratio) = root(sign);
            let (decay, swing) = (ratio * omega, omega * (1.0 - ratio * ratio).sqrt());
            let motion = (-decay * t).exp() * ((swing * t).cos() + decay / swing * (swing * t).sin());
            (0.25 * motion, 0.25 * omega * t * (omega * 0.05).powi(2) / 12.0)
        });
        let limit = modes[0].1 + modes[1].1 + 1e-5;
        assert_close(&row[1..3], &[modes[0].0 + modes[1].0, modes[0].0 - modes[1].0], limit);
    }
    assert!(printed.contains("PINTLE_ERR_STOPPED") && printed.contains("then on to 61 s"), "{printed}");
}

#[test]
fn channels_writes_a_table_whose_header_and_columns_fit() {
    let directory = fresh_directory("c_programs/channels_output");
    let printed = run(compile("channels", true).arg(&directory));
    assert!(printed.contains("channels.csv written"), "{printed}");
    let table = fs::read_to_string(directory.join("channels.csv")).unwrap();
    assert_eq!(table, run(&mut compile("channels", true)), "the same to the standard output");
    let mut lines = table.lines();
    // Every field of the header is quoted, and quotes inside are doubled.
    let header: Vec<&str> = lines.next().unwrap().trim_matches('"').split("\",\"").collect();
    // The system, two bodies, a joint with an angle, a bushing, the platform.
    assert_eq!(header.len(), 3 + 2 * 22 + 10 + 12 + 18, "{header:?}");
    for name in
        ["time [s]", "hull.pos.x [m]", "nacelle, \"\"upper\"\".omega.z [rad/s]", "yaw.load [N m]", "PtfmYaw [deg]"]
    {
        assert!(header.contains(&name), "{name}: {header:?}");
    }
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert!(rows.len() == 61 && rows.iter().all(|row| row.len() == header.len()), "start and a minute");
    let column = |name: &str| header.iter().position(|own| *own == name).unwrap();
    // Both are the reference point of the hull, 5 m off at the start.
    assert_eq!((rows[0][column("PtfmSurge [m]")], rows[0][column("time [s]")]), (5.0, 0.0));
    assert!(rows.iter().all(|row| row[column("PtfmSurge [m]")] == row[column("hull.pos.x [m]")]));
    assert!(rows.iter().all(|row| row[column("yaw.load [N m]")] == 4e6));
    // The bushing holds the hull's reference point at the origin; both lengths have the rounding of
    // 5 m.
    let [deflection, surge] = ["bushing0.deflection.x [m]", "hull.pos.x [m]"].map(column);
    assert!(rows.iter().all(|row| (row[deflection] - row[surge]).abs() < 1e-14 * 5.0));
}

#[test]
fn fairlead_meets_the_catenary_and_another_codes_tensions() {
    let directory = fresh_directory("c_programs/fairlead_output");
    let printed = run(compile("fairlead", true).arg(&directory));
    // Largest of the known tensions: 1332.188 kN; 0.5 % of it are steps of 0.1 s and the smooth
    // bed.
    let rows: Vec<Vec<f64>> = printed.lines().filter_map(numbers_of_line).filter(|row| row.len() == 5).collect();
    assert_eq!(rows.len(), 6, "{printed}");
    assert!(rows.iter().all(|row| (row[3] - row[4]).abs() < 6.7), "{printed}");
    let table = fs::read_to_string(directory.join("fairlead.csv")).unwrap();
    assert_eq!(table.lines().count(), 401);
}

#[test]
fn spar_has_the_periods_of_the_closed_form() {
    let printed = run(&mut compile("spar", true));
    for (name, period) in [("pitch", 10.397411), ("heave", 7.666479)] {
        let row = numbers_after(&printed, &format!("{name:<10}"));
        assert_close(&row[..1], &[period], 1e-5);
    }
}

/// Published: 0.0088, 0.0578, 0.0373, 0.0125 Hz, of sway in place of surge, which are the same
/// here. A rigid tower makes pitch 5 % faster.
#[test]
fn a_semisubmersible_of_cylinders_has_the_published_volume_and_periods() {
    let printed = run(&mut compile("semisubmersible", true));
    for (name, published, tolerance) in
        [("surge", 113.6, 0.02), ("heave", 17.3, 0.01), ("pitch", 26.8, 0.06), ("yaw", 80.0, 0.03)]
    {
        let row = numbers_after(&printed, &format!("{name:<10}"));
        assert!((row[0] / published - 1.0).abs() < tolerance, "{printed}");
    }
    let rest = numbers_after(&printed, "at rest:");
    assert!((rest[0] / 13917.0 - 1.0).abs() < 1e-3, "{printed}");
    // Long waves carry the platform with them: 20 s is above the natural period of heave.
    let rows: Vec<_> = ["8", "10", "14", "20"].map(|period| numbers_after(&printed, &format!("{period:>24} "))).into();
    assert!(rows.windows(2).all(|pair| pair[1][0] > pair[0][0]) && rows[3][1] > 1.0, "{printed}");
}

#[test]
fn oc4_mooring_decays_with_the_published_periods_and_moves_in_waves_as_linear_theory() {
    let directory = fresh_directory("c_programs/oc4_mooring_output");
    let printed = run(compile("oc4_mooring", true).arg(&directory));
    // Published: 0.0088, 0.0578, 0.0373, 0.0125 Hz, of sway in place of surge, which are the same
    // here. The last digit stands for 0.6 % of surge; a rigid tower makes pitch 5 % faster.
    for (name, published, error) in
        [("surge", 113.6, 0.01), ("heave", 17.3, 0.005), ("pitch", 26.8, 0.06), ("yaw", 80.0, 0.005)]
    {
        let row = numbers_after(&printed, &format!("{name:<10}"));
        assert!((row[0] / published - 1.0).abs() < error, "{printed}");
        assert!(row[4] < 2.5, "iterations: {printed}");
    }
    let decay = fs::read_to_string(directory.join("oc4_decay.csv")).unwrap();
    assert_eq!(decay.lines().count(), 802);
    // The lines, which linear theory leaves out, are 2 % of the stiffness against which waves work
    // and 1 % of the mass.
    let in_waves = numbers_after(&printed, "waves of");
    let (surge, heave) = (in_waves[2] / in_waves[4], in_waves[3] / in_waves[5]);
    assert!((surge - 1.0).abs() < 0.03 && (heave - 1.0).abs() < 0.03, "{printed}");
    let waves = fs::read_to_string(directory.join("oc4_waves.csv")).unwrap();
    assert_eq!(waves.lines().count(), 642);
    // No node of a chain is more than its diameter below the bed, at 200 m.
    let shapes = fs::read_to_string(directory.join("oc4_lines.csv")).unwrap();
    let deepest = shapes.lines().skip(1).map(|row| row.split(',').nth(4).unwrap().parse::<f64>().unwrap());
    assert!(deepest.clone().count() == 63 && deepest.fold(0.0, f64::min) > -200.0766, "{shapes}");
}

#[test]
fn modes_prints_the_frequencies_of_the_closed_forms() {
    let printed = run(&mut compile("modes", true));
    let rows: Vec<Vec<&str>> = printed.lines().map(|line| line.split_whitespace().collect()).collect();
    let frequencies: Vec<f64> = rows
        .iter()
        .filter(|row| row.len() >= 3)
        .filter_map(|row| Some((row[0].parse::<f64>().ok()?, row[1].parse::<f64>().ok()?).0))
        .collect();
    // yaw sqrt(1e7/5e5), heave sqrt(2e6/20500), pitch sqrt(4e7/4e5) over 2 pi, printed to six
    // decimals
    let tau = std::f64::consts::TAU;
    assert_eq!(frequencies.len(), 7, "{printed}");
    for exact in [20.0_f64.sqrt() / tau, (2e6_f64 / 20500.0).sqrt() / tau, 10.0 / tau] {
        assert!(frequencies.iter().any(|f| (f - exact).abs() < 1e-6), "{exact}: {printed}");
    }
}

#[test]
fn schemes_run_by_name_at_their_orders() {
    let printed = run(&mut compile("schemes", true));
    let rows: Vec<Vec<&str>> = printed.lines().map(|line| line.split_whitespace().collect()).collect();
    let orders: Vec<f64> = rows.iter().filter(|row| row.len() == 5).filter_map(|row| row[3].parse().ok()).collect();
    assert_eq!(orders.len(), 22, "{printed}");
    assert!(orders.iter().all(|order| (order - order.round()).abs() <= 0.1), "{printed}");
    assert!(printed.contains("\"midpoint\" is not a scheme"), "{printed}");
}

#[test]
fn four_bar_meets_the_closed_form_and_keeps_its_energy() {
    let printed = run(&mut compile("four_bar", true));
    let rows: Vec<Vec<f64>> = printed.lines().filter_map(numbers_of_line).filter(|row| row.len() == 6).collect();
    assert_eq!(rows.len(), 9, "start and two turns: {printed}");
    // The last column is the power balance. The scheme is of second order: parts of (omega dt)^2 of
    // the torque of 1.7 N m.
    let second_order = 1.7 * (std::f64::consts::TAU / 200.0).powi(2);
    assert!(rows.iter().all(|row| (row[4] - row[5]).abs() < second_order), "{printed}");
    let ratios: Vec<f64> = printed.split([' ', ',', '\n']).rev().filter_map(|word| word.parse().ok()).take(2).collect();
    assert_close(&ratios, &[4.0, 4.0], 0.2);
}

#[test]
fn yaw_drive_follows_the_independent_equations_over_more_than_a_turn() {
    let printed = run(&mut compile("yaw_drive", true));
    let rows: Vec<Vec<f64>> = printed.lines().filter_map(numbers_of_line).filter(|row| row.len() >= 5).collect();
    let (controlled, driven): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.len() == 5);
    assert_eq!((controlled.len(), driven.len()), (8, 8), "{printed}");
    // Degrees to 4 decimals, the largest error is 3.4e-5 rad; kN m of torque and tilt.
    assert!(controlled.iter().all(|row| (row[2] - row[3]).abs() < 3e-3), "{printed}");
    assert!(controlled.iter().any(|row| row[2] > 360.0), "{printed}");
    assert!(driven.iter().all(|row| (row[2] - row[3]).abs() < 0.3 && (row[4] - row[5]).abs() < 3.1), "{printed}");
}

#[test]
fn model_file_runs_the_heavy_top_of_the_file() {
    let printed = run(compile("model_file", true).arg(root().join("models/heavy_top.toml")));
    let rows: Vec<Vec<f64>> = printed.lines().filter_map(numbers_of_line).filter(|row| row.len() == 5).collect();
    assert_eq!(rows.len(), 10, "{printed}");
    for row in &rows {
        // On the sphere of 1 m; printed to 6 decimals.
        assert!((row[1].hypot(row[2]).hypot(row[3]) - 1.0).abs() < 2e-6, "{row:?}");
    }
    let end = [-0.150416822747, 1.0 - 1.724165591637, -0.673022269560];
    assert_close(&rows[9][1..4], &end, 2.5e-3);
}

#[test]
fn model_file_says_what_is_wrong_with_a_file() {
    let path = fresh_directory("c_programs/model_file").join("wrong.toml");
    fs::write(&path, "pintle_model = 1\n[[body]]\nmas = 1\n").unwrap();
    for (path, says) in
        [(path.as_path(), "line 3, body 0, key \"mas\": is unknown"), (Path::new("/nowhere"), "cannot read")]
    {
        let output = compile("model_file", true).arg(path).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(says) && said.contains(&path.display().to_string()), "{said}");
    }
}

#[test]
fn the_host_of_the_readme_runs() {
    let readme = include_str!("../../README.md");
    let code = readme.split_once("```c\n").and_then(|(_, rest)| rest.split_once("```")).expect("a C host").0;
    assert!(code.lines().count() <= 24, "short enough to read");
    let source = fresh_directory("c_programs/readme").join("host.c");
    fs::write(&source, code).unwrap();
    let printed = run(&mut compile_file(&source, true));
    let numbers: Vec<f64> = printed.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    // time, x, z: on the circle of 1 m, printed to 4 decimals
    assert_eq!((numbers.len(), numbers[0]), (3, 10.0), "{printed}");
    assert!((numbers[1].hypot(numbers[2]) - 1.0).abs() < 2e-4 && numbers[2] < 0.0, "{printed}");
}

#[test]
fn the_programs_of_the_tutorial_print_what_it_says() {
    let page = include_str!("../../docs/tutorial.md");
    let directory = fresh_directory("c_programs/tutorial");
    let blocks = code_blocks(page);
    let programs: Vec<usize> = (0..blocks.len()).filter(|&n| blocks[n].0 == "c").collect();
    assert_eq!(programs.len(), 4);
    for n in programs {
        let source = directory.join(format!("program_{n}.c"));
        fs::write(&source, &blocks[n].1).unwrap();
        let expected = blocks[n..].iter().find(|(language, _)| *language == "text").expect("its output");
        // They read models/.
        assert_same_text(&expected.1, &run(compile_file(&source, true).current_dir(root())));
    }
}

#[test]
fn the_lines_at_the_heads_of_the_examples_compile_them() {
    let directory = fresh_directory("c_programs/lines");
    let mut count = 0;
    for folder in ["c_examples", "fortran_examples"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            // Headers and modules are compiled with the programs; MPI may be missing.
            if name.ends_with(".h") || ["example.f90", "coupled_module.f90", "ensemble_mpi.c"].contains(&name) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let mut lines = text.lines().map(|line| line.trim_start_matches([' ', '*', '!']));
            lines
                .find(|line| line.starts_with("Compile in the root of the repository"))
                .unwrap_or_else(|| panic!("{name}"));
            let line = lines.next().unwrap();
            assert!(line.contains(&format!("/{name}")) || folder == "fortran_examples", "{name}: {line}");
            // The modules take seconds to compile: one program stands for those in Fortran.
            if folder == "fortran_examples" && name != "callback.f90" {
                continue;
            }
            let line = line
                .replace("target/release", &format!("'{}'", release_directory().display()))
                .replace("-o target", &format!("-o '{}'", directory.display()))
                .replace("-Jtarget", &format!("-J '{}'", directory.display()));
            output(Command::new("bash").args(["-c", &line]).current_dir(root()));
            count += 1;
        }
    }
    assert!(count >= 15, "{count}");
    run(&mut Command::new(directory.join("spar")));
    run(&mut Command::new(directory.join("callback")));
}

// -------------------------------------------------------------------------------------------------------
// building programs

/// A directory with `libpintle.so` and `libpintle.so.1`, like an installation.
fn library_directory() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = fresh_directory("c_programs/lib");
        fs::copy(release_directory().join("libpintle.so"), directory.join("libpintle.so.1")).unwrap();
        std::os::unix::fs::symlink("libpintle.so.1", directory.join("libpintle.so")).unwrap();
        directory
    })
}

/// Compiles `c_examples/{name}.c`; the command runs it. `linked` says whether it is linked to
/// libpintle or only to libdl.
fn compile(name: &str, linked: bool) -> Command {
    compile_file(&root().join(format!("c_examples/{name}.c")), linked)
}

fn compile_file(source: &Path, linked: bool) -> Command {
    let name = source.file_stem().and_then(|stem| stem.to_str()).unwrap();
    let library = library_directory();
    // Tests run at the same time, each with a program file of its own.
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let program = library.join(format!("{name}_{number}"));
    let mut compiler = tool("gcc");
    compiler.args(WARNINGS).arg("-I").arg(root().join("include")).arg(source);
    compiler.arg("-o").arg(&program);
    if linked {
        compiler.arg("-L").arg(library).arg(format!("-Wl,-rpath,{}", library.display())).arg("-lpintle");
    } else {
        compiler.arg("-ldl");
    }
    output(compiler.arg("-lm"));
    Command::new(program)
}

/// Runs a program that must succeed and print nothing to stderr.
fn run(program: &mut Command) -> String {
    let output = program.output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{program:?}: {}\n{}",
        output.status,
        everything(&output)
    );
    String::from_utf8(output.stdout).unwrap()
}

// ---------------------------------------------------------------------------------------------------------
// reading numbers

/// All numbers behind `start` on the line that has it.
fn numbers_after(printed: &str, start: &str) -> Vec<f64> {
    let line = printed
        .lines()
        .find_map(|line| line.split_once(start))
        .unwrap_or_else(|| panic!("no '{start}' in:\n{printed}"));
    line.1.split([' ', ',', '(', ')']).filter_map(|word| word.parse().ok()).collect()
}

/// The numbers of a line that has nothing else.
fn numbers_of_line(line: &str) -> Option<Vec<f64>> {
    line.split_whitespace().map(|word| word.parse().ok()).collect()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= tolerance, "{found:?} instead of {expected:?}");
    }
}
