//! Runs: the numbers of the library, bit for bit, and those of the C example.

use super::release::release_directory;
use super::{folder, model, outcome, pintle, printed, root, table};
use pintle::Simulation;
use std::f64::consts::PI;
use std::fmt::Write;
use std::process::Command;

/// The loads of c_examples/floating_platform.c at the end of each step, for `--load-table`.
fn platform_loads(step: f64, steps: u32) -> String {
    let (mass, gravity, pull) = (1.419625e7, 9.8124, 1907514.4912628897);
    let titles = ["fy", "fz", "mx", "my", "mz"].map(|part| format!("body.platform.load.{part}"));
    let mut text = format!("time [s],{}\n", titles.join(","));
    for n in 0..=steps {
        let t = f64::from(n) * step;
        let wave = |period: f64| (2.0 * PI * t / period).sin();
        let buoyancy = pull + mass * gravity;
        let fz = buoyancy + 0.5 * pull * wave(20.0);
        writeln!(
            text,
            "{t:?},{:?},{fz:?},{:?},{:?},{:?}",
            1e6 * wave(20.0),
            5e5 * wave(15.0),
            1e6 * wave(30.0),
            2e7 * wave(60.0)
        )
        .unwrap();
    }
    text
}

/// What a program prints that must succeed.
fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// 60 s of the floating platform: the C program computes its loads, the tool reads them; then all
/// digits that the program writes are those of the tool. The library that the program is linked
/// with is the one that is released.
#[test]
fn the_floating_platform_is_that_of_the_c_program_digit_by_digit() {
    let folder = folder("platform");
    let library = release_directory(root()).join("libpintle.so");
    // The program asks for it by its soname.
    for name in ["libpintle.so", "libpintle.so.1"] {
        std::os::unix::fs::symlink(&library, folder.join(name)).unwrap();
    }
    let mut compiler = Command::new("gcc");
    compiler.arg("-I").arg(root().join("include")).arg(root().join("c_examples/floating_platform.c"));
    compiler.args(["-o", "floating_platform", "-lpintle", "-lm", "-L"]).arg(&folder);
    succeed(compiler.arg(format!("-Wl,-rpath,{}", folder.display())).current_dir(&folder));
    succeed(Command::new(folder.join("floating_platform")).arg(&folder));
    let in_c = std::fs::read_to_string(folder.join("floating_platform.csv")).unwrap();

    std::fs::write(folder.join("loads.csv"), platform_loads(0.01, 6000)).unwrap();
    let file = model("floating_platform");
    let arguments = ["--step", "0.01", "--end", "60", "--every", "10", "--load-table", "loads.csv", "--out", "run.csv"];
    printed(pintle(&folder, &["run"]).arg(file).args(arguments));
    let (titles, rows) = table(&std::fs::read_to_string(folder.join("run.csv")).unwrap());
    assert_eq!((rows.len(), in_c.lines().count()), (601, 602));
    let column = |title: &str| titles.iter().position(|own| own == title).unwrap_or_else(|| panic!("{title}"));
    let position = ["x", "y", "z"].map(|axis| column(&format!("platform.pos.{axis} [m]")));
    let angles = ["roll", "pitch", "yaw"].map(|angle| column(&format!("platform.{angle} [rad]")));
    let tensions = [1, 2, 3].map(|line| column(&format!("line {line}.tension [N]")));
    for (row, line) in rows.iter().zip(in_c.lines().skip(1)) {
        let mut text = format!("{:.3}", row[column("time [s]")]);
        // Displacements from (0, 0, -7.53).
        for (value, start) in position.map(|k| row[k]).into_iter().zip([0.0, 0.0, -7.53]) {
            write!(text, ",{:.9}", value - start).unwrap();
        }
        angles.iter().for_each(|k| write!(text, ",{:.9}", row[*k] * 180.0 / PI).unwrap());
        tensions.iter().for_each(|k| write!(text, ",{:.3}", row[*k]).unwrap());
        assert_eq!(text, line);
    }
}

/// A table read back has the bits of the library's channels, whatever the scheme; the last step is
/// shorter.
#[test]
fn tables_are_the_channels_bit_for_bit() {
    let folder = folder("bits");
    for (name, scheme) in [
        ("heavy_top", "generalized-alpha"),
        ("pendulum", "rk4"),
        ("yaw_drive", "hht"),
        ("modes", "ab3"),
        ("turbine", "hht"),
    ] {
        let file = model(name);
        let arguments = ["--step", "0.002", "--end", "0.0315", "--start", "0.001", "--scheme", scheme, "--quiet"];
        let (titles, rows) = table(&printed(pintle(&folder, &["run"]).arg(&file).args(arguments)));
        let mut sim = Simulation::load_model(&file).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        sim.initialize(0.001).unwrap();
        let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
        for (k, title) in titles.iter().enumerate() {
            let (name, unit) = (sim.channels().name(k as i32).unwrap(), sim.channels().unit(k as i32).unwrap());
            assert_eq!(*title, format!("{name} [{unit}]"));
        }
        // 15 whole steps from 0.001 reach 0.031; half a millisecond is left.
        assert_eq!(rows.len(), 17);
        for (n, row) in rows.iter().enumerate() {
            if n > 0 {
                let rest = 0.0315 - (0.001 + 15.0 * 0.002);
                sim.step(if n == 16 { rest } else { 0.002 }).unwrap();
            }
            sim.channels().values(&mut values).unwrap();
            assert!(row.iter().zip(&values).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}, row {n}");
        }
    }
}

#[test]
fn records_are_chosen_by_step_and_by_name() {
    let folder = folder("chosen");
    let file = model("heavy_top");
    let run = |more: &[&str]| {
        let arguments = ["--step", "0.001", "--end", "0.01", "--every", "4"];
        outcome(pintle(&folder, &["run"]).arg(&file).args(arguments).args(more))
    };
    let (code, text, said) = run(&["--channels", "*.vel.?,top.pos.x,*.x"]);
    assert_eq!(code, 0, "{said}");
    let (titles, rows) = table(&text);
    let names =
        ["time [s]", "top.vel.x [m/s]", "top.vel.y [m/s]", "top.vel.z [m/s]", "top.pos.x [m]", "top.quat.x [-]"];
    assert_eq!(titles[..6], names);
    assert!(titles[6..].iter().all(|title| title.contains(".x [")), "{titles:?}");
    // Steps 0, 4, 8 and the last.
    let times: Vec<f64> = rows.iter().map(|row| (row[0] * 1e3).round()).collect();
    assert_eq!(times, [0.0, 4.0, 8.0, 10.0]);
    assert!(said.contains("10 steps to t = 0.010000 s"), "{said}");
    let (code, text, said) = run(&["--channels", "top.pos.w"]);
    assert_eq!((code, text.as_str()), (2, ""));
    assert!(said.contains("top.pos.w") && said.contains("pintle check --channels"), "{said}");
}

#[test]
fn plots_have_a_panel_for_each_quantity_and_a_curve_for_each_channel_that_moves() {
    let folder = folder("plot");
    let file = model("floating_platform");
    let run = |name: &str, more: &[&str]| {
        let arguments = ["--step", "0.1", "--end", "600", "--plot", name];
        printed(pintle(&folder, &["run"]).arg(&file).args(arguments).args(more));
        std::fs::read_to_string(folder.join(name)).unwrap()
    };
    let svg = run("chosen.svg", &["--channels", "platform.pos.z,platform.pitch,*.tension"]);
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for label in ["platform.pos.z", "line 1.tension", "line 3.tension", "tension (N)", "pos (m)", "time (s)"] {
        assert!(svg.contains(label), "{label}");
    }
    // 6001 records are thinned to what can be seen: no curve has more than two points for each of
    // 2000 stretches, and the last.
    let curves = svg.split("<polyline").skip(1).map(|line| line.split("points=\"").nth(1).unwrap());
    let longest = curves.map(|points| points.split('"').next().unwrap().split_whitespace().count()).max().unwrap();
    assert!((2000..=4001).contains(&longest), "{longest}");
    assert!(run("standard.svg", &[]).contains("platform.pos.x"));
    // The platform does not yaw: it is drawn if it is named in full, not if a pattern fits.
    assert!(!run("moving.svg", &["--channels", "platform.*"]).contains("platform.yaw"));
    assert!(run("named.svg", &["--channels", "platform.yaw,platform.pos.z"]).contains("platform.yaw"));
    let (code, _, said) = outcome(pintle(&folder, &["run"]).arg(&file).args([
        "--step",
        "0.1",
        "--end",
        "1",
        "--plot",
        "x.svg",
        "--channels",
        "no",
    ]));
    assert!(code == 2 && said.contains("no channel is called no") && !folder.join("x.svg").exists(), "{said}");
}

/// Without step, end and outputs a run leaves a page and a table, which are those of `pintle view`
/// and of `--out`, and nothing on the standard output.
#[test]
fn a_run_without_arguments_leaves_a_page_and_a_table() {
    let folder = folder("bare");
    let file = model("pendulum");
    let (code, stdout, said) = outcome(pintle(&folder, &["run"]).arg(&file));
    assert_eq!((code, stdout.as_str()), (0, ""), "{said}");
    assert!(said.contains("6000 steps to t = 60.000000 s; 6001 rows of "), "{said}");
    assert!(said.contains(" in pendulum.csv; page: 1501 frames, ") && said.contains("open pendulum.html in a browser"));
    printed(pintle(&folder, &["view"]).arg(&file).args(["-o", "view.html"]));
    printed(pintle(&folder, &["run"]).arg(&file).args(["--step", "0.01", "--end", "60", "--out", "out.csv"]));
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(read("pendulum.html") == read("view.html") && read("pendulum.csv") == read("out.csv"));

    // A step or an end alone is as before: a table on the standard output.
    let (code, stdout, _) = outcome(pintle(&folder, &["run"]).arg(&file).args(["--end", "0.1"]));
    assert_eq!((code, table(&stdout).1.len()), (0, 11));
    // A run that fails leaves both, and the page says why.
    let top = model("heavy_top");
    let (code, _, said) = outcome(pintle(&folder, &["run"]).arg(&top).args(["--set", "max_iterations=1"]));
    assert!(code == 1 && said.contains("no convergence"), "{said}");
    let page = String::from_utf8(read("heavy_top.html")).unwrap();
    assert!(page.contains("\"failure\":\"no convergence") || page.contains("no convergence at time 0.01"));
    assert_eq!(table(&String::from_utf8(read("heavy_top.csv")).unwrap()).1.len(), 1);
    // No output replaces an input.
    std::fs::copy(&file, folder.join("own.html")).unwrap();
    let (code, _, said) = outcome(&mut pintle(&folder, &["run", "own.html"]));
    assert!(code == 2 && said.contains("own.html: the same file as the model"), "{said}");
}
