//! The adapters of `hosts/`: compiled as their pages say, run with a substitute for the host or the
//! other participant, and compared with the same model in pintle alone.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::common::programs::{everything, fresh_directory, output, release_directory, root, tool};
use pintle::{Frame, GROUND, Simulation};

// --------------------------------------------------------------------------------------------------------------- OpenFAST

/// The DLL moves with a platform that its host integrates: the motion is that of one model of
/// platform and lines, integrated by the same rule. What differs: rotations of at most 0.3 degrees,
/// which the host takes for small, 1e-5 of the motion of 3 m; single precision of loads, 8 N of the
/// 140 MN of buoyancy, 0.6e-6 m/s2, which after 20 s may have come to 1e-4 m; and the acceleration
/// of the fairleads inside a step, which counts least.
#[test]
fn openfast_gets_the_loads_of_lines_and_water() {
    let directory = fresh_directory("hosts/openfast");
    let (surge, end) = (3.0, 20.0);
    let mut differences = Vec::new();
    for dt in [0.2, 0.1] {
        let printed = output(openfast(&directory).args([root_name().as_str(), &dt.to_string(), "20", "3"]));
        let coupled: Vec<Vec<f64>> =
            printed.lines().map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect();
        let alone = platform_alone(&directory, surge, dt, end);
        assert_eq!((coupled.len(), alone.len()), (21, 21), "{printed}");
        assert_eq!(coupled[0][1], surge);
        let difference = coupled.iter().zip(&alone).map(|(a, b)| (a[1] - b[0]).abs().max((a[2] - b[1]).abs()));
        differences.push(difference.fold(0.0, f64::max));
    }
    println!("largest difference of surge and heave at steps of 0.2 and 0.1 s: {differences:?} m");
    assert!(differences.iter().all(|difference| *difference < 1.5e-4), "{differences:?}");
}

#[test]
fn openfast_stops_on_loads_that_are_no_numbers_and_the_cause_is_told() {
    let directory = fresh_directory("hosts/openfast_errors");
    let run = |model: &Path| {
        let output =
            openfast(&directory).args(["nowhere", "0.1", "1", "0"]).env("PINTLE_MODEL", model).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        everything(&output)
    };
    let told = run(Path::new("/nowhere/model.toml"));
    assert!(told.contains("/nowhere/model.toml: PINTLE_ERR_IO") && told.contains("not numbers"), "{told}");
    let text = std::fs::read_to_string(root().join("hosts/openfast/oc4.pintle.toml")).unwrap();
    let heavy = directory.join("heavy.toml");
    std::fs::write(&heavy, text.replace("mass = 1\n", "mass = 1.4e7\n")).unwrap();
    assert!(run(&heavy).contains("which OpenFAST carries"));
}

/// The driver with the DLL, both compiled in `directory`; the root name of the simulation and other
/// arguments are still to be added.
fn openfast(directory: &Path) -> Command {
    let sources = root().join("hosts/openfast");
    let (dll, driver) = (directory.join("FASTlinkDLL.so"), directory.join("driver"));
    if !driver.exists() {
        let mut gcc = c_compiler("gcc", "-std=c11");
        output(
            gcc.args(["-shared", "-fPIC"])
                .arg(sources.join("platform_dll.c"))
                .args(link())
                .arg("-lm")
                .arg("-o")
                .arg(&dll),
        );
        let mut gcc = tool("gcc");
        output(
            gcc.args(["-O2", "-Wall", "-Wextra", "-Werror"])
                .arg(sources.join("driver.c"))
                .args(["-ldl", "-lm", "-o"])
                .arg(&driver),
        );
    }
    let mut command = Command::new(&driver);
    command.arg(&dll);
    command
}

/// What OpenFAST calls the simulation: the model lies beside its input file.
fn root_name() -> String {
    root().join("hosts/openfast/oc4").display().to_string()
}

/// Surge and heave at every second of the whole model in pintle: the file's, with the platform's
/// own mass, and free.
fn platform_alone(directory: &Path, surge: f64, dt: f64, end: f64) -> Vec<[f64; 2]> {
    let text = std::fs::read_to_string(format!("{}.pintle.toml", root_name())).unwrap();
    let mass = "mass_matrix = [
        [14072718.0, 0, 0, 0, -139164818.427, 0],
        [0, 14072718.0, 0, 139164818.427, 0, -94000.089],
        [0, 0, 14072718.0, 0, 94000.089, 0],
        [0, 139164818.427, 0, 12702321679.97, 0, 8756409.875],
        [-139164818.427, 0, 94000.089, 0, 12691907690.86, 0],
        [0, -94000.089, 0, 8756409.875, 0, 12290103910.89]]\n";
    let own = text
        .replace("mass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n", mass)
        .replace("pose = [0, 0, 0, 1, 0, 0, 0]\nprescribed = true", &format!("pose = [{surge}, 0, 0, 1, 0, 0, 0]"));
    assert!(own.contains("mass_matrix") && !own.contains("prescribed"), "the file has changed: {own}");
    let path = directory.join(format!("alone_{dt}.toml"));
    std::fs::write(&path, own).unwrap();
    let mut system = Simulation::load_model(&path).unwrap();
    system.settings().set_option("rho_inf", 1.0).unwrap();
    system.initialize(0.0).unwrap();
    let every = (1.0 / dt).round() as usize;
    let mut rows = Vec::new();
    for n in 0..=(end / dt).round() as usize {
        if n > 0 {
            system.step(dt).unwrap();
        }
        if n % every == 0 {
            let pose = system.outputs().body_pose(0).unwrap();
            rows.push([pose[0], pose[2]]);
        }
    }
    rows
}

// ---------------------------------------------------------------------------------------------------------------- preCICE

/// With added mass of 0.5 and 2 times the float's, where exchanging forces and displacements
/// plainly converges slowly or not at all: at most 4 iterations a window, and the motion of one
/// model that has the added mass itself.
#[test]
fn precice_couples_a_float_with_water_of_twice_its_mass() {
    let Some(programs) = precice() else { return };
    for added_mass in [500.0, 2000.0] {
        let directory = precice_case(&format!("precice_{added_mass}"));
        let fluid = participant(&programs, "fluid-dummy", &directory)
            .args(["precice-config.xml", &added_mass.to_string(), "39240", "2000", "1.5"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut float = participant(&programs, "pintle-precice", &directory);
        let float = float
            .args(["precice-config.xml", "float.toml", "--out", "float.csv"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let printed = wait(float);
        assert_eq!(wait(fluid).0, Some(0));
        assert_eq!(printed.0, Some(0), "{}", printed.1);
        let iterations: f64 =
            printed.1.lines().last().unwrap().split(", ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(printed.1.contains("400 windows") && iterations <= 4.0, "{}", printed.1);

        let table = std::fs::read_to_string(directory.join("float.csv")).unwrap();
        let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
        let column =
            |name: &str| head.iter().position(|own| *own == name).unwrap_or_else(|| panic!("{name}: {head:?}"));
        let (x, z) = (column("\"float.pos.x [m]\""), column("\"float.pos.z [m]\""));
        let rows: Vec<[f64; 2]> = table
            .lines()
            .skip(1)
            .map(|line| line.split(',').map(|number| number.parse().unwrap()).collect::<Vec<f64>>())
            .map(|row| [row[x], row[z]])
            .collect();
        let alone = float_alone(&directory, added_mass);
        assert_eq!(rows.len(), alone.len());
        let largest = alone.iter().flatten().fold(0.0_f64, |so_far, value| so_far.max(value.abs()));
        let difference = rows.iter().zip(&alone).map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
        let difference = difference.fold(0.0, f64::max) / largest;
        println!(
            "added mass {added_mass} kg: {iterations} iterations, largest difference {difference:.1e} of the motion"
        );
        // A window ends when displacements change by 1e-7 of themselves; what is left acts on the
        // rate by 2/h of it, and 400 windows add up 2 windows' worth of each: at most 400 x 2 x
        // 1e-7.
        assert!(difference < 8e-5, "{difference:e}");
    }
}

#[test]
fn precice_participant_says_what_is_wrong() {
    let Some(programs) = precice() else { return };
    let directory = precice_case("precice_errors");
    let told = |arguments: &[&str], code: i32| {
        let output = participant(&programs, "pintle-precice", &directory).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", everything(&output));
        everything(&output)
    };
    assert!(told(&["precice-config.xml"], 2).contains("pintle-precice config.xml model.toml"));
    assert!(told(&["precice-config.xml", "nothing.toml"], 1).contains("nothing.toml"));
    let text = std::fs::read_to_string(directory.join("float.toml")).unwrap();
    std::fs::write(directory.join("bare.toml"), text.split("\n[[marker]]").next().unwrap()).unwrap();
    assert!(told(&["precice-config.xml", "bare.toml"], 2).contains("no body has points"));
    std::fs::write(directory.join("points.csv"), "0,0,0\n1,2\n").unwrap();
    assert!(told(&["precice-config.xml", "bare.toml", "--points", "float=points.csv"], 2).contains("points.csv:2:"));
    std::fs::write(directory.join("other.toml"), text.replace("float", "barge")).unwrap();
    assert!(told(&["precice-config.xml", "other.toml"], 1).contains("barge-Mesh"));
}

/// The fluid's process dies: preCICE tells the float, which ends with a status instead of waiting.
#[test]
fn precice_participant_ends_when_the_other_one_does() {
    let Some(programs) = precice() else { return };
    let directory = precice_case("precice_left");
    let mut fluid = participant(&programs, "fluid-dummy", &directory)
        .args(["precice-config.xml", "500", "39240", "2000", "1.5"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut float = participant(&programs, "pintle-precice", &directory);
    let float =
        float.args(["precice-config.xml", "float.toml", "--out", "float.csv"]).stdout(Stdio::piped()).spawn().unwrap();
    // Once a few windows are done, the fluid dies.
    let begin = Instant::now();
    while std::fs::read_to_string(directory.join("float.csv")).map_or(0, |table| table.lines().count()) < 5 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no window was done");
        std::thread::sleep(Duration::from_millis(5));
    }
    fluid.kill().unwrap();
    fluid.wait().unwrap();
    let (code, printed) = wait(float);
    assert!(code.is_some_and(|code| code != 0), "{code:?} {printed}");
    let table = std::fs::read_to_string(directory.join("float.csv")).unwrap();
    let fields = table.lines().next().unwrap().split(',').count();
    assert!(
        table.ends_with('\n') && table.lines().all(|line| line.split(',').count() == fields),
        "whole lines are left"
    );
}

/// The same float in one model: added mass, stiffness of the water, the wave's force.
fn float_alone(directory: &Path, added_mass: f64) -> Vec<[f64; 2]> {
    let mut system = Simulation::load_model(&directory.join("float.toml")).unwrap();
    let (mut mass, mut stiffness) = ([0.0; 36], [0.0; 36]);
    for i in 0..3 {
        mass[7 * i] = added_mass;
    }
    stiffness[7 * 2] = 39240.0;
    let frame = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    system.settings().set_added_mass(0, &mass, Frame::Inertial).unwrap();
    system.elements().add_bushing(GROUND, 0, &frame, &frame, &stiffness, &[0.0; 36]).unwrap();
    // Set to zero before the start, so that the wave's force grows from zero in the first step, as
    // in the coupled run.
    system.inputs().set_body_load(0, Frame::Inertial, &[0.0; 6]).unwrap();
    system.initialize(0.0).unwrap();
    let mut rows = vec![[0.0; 2]];
    for n in 1..=400 {
        let wave = 2000.0 * (1.5 * 0.05 * f64::from(n)).sin();
        system.inputs().set_body_load(0, Frame::Inertial, &[wave, 0.0, wave, 0.0, 0.0, 0.0]).unwrap();
        system.step(0.05).unwrap();
        let pose = system.outputs().body_pose(0).unwrap();
        rows.push([pose[0], pose[2]]);
    }
    rows
}

/// The directory of both compiled participants; None, with a message, if preCICE is not installed.
fn precice() -> Option<PathBuf> {
    static PROGRAMS: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let found = Command::new("pkg-config").args(["--exists", "libprecice"]).status();
        if !found.is_ok_and(|status| status.success()) {
            println!("skipped: pkg-config knows no libprecice");
            return None;
        }
        let flags = output(Command::new("pkg-config").args(["--cflags", "--libs", "libprecice"]));
        let rpath = output(Command::new("pkg-config").args(["--variable=libdir", "libprecice"]));
        let directory = fresh_directory("hosts/precice_programs");
        for (source, program, own) in
            [("pintle_precice.cpp", "pintle-precice", true), ("fluid_dummy.cpp", "fluid-dummy", false)]
        {
            let mut compiler = c_compiler("g++", "-std=c++17");
            compiler.arg(root().join("hosts/precice").join(source)).arg("-o").arg(directory.join(program));
            if own {
                compiler.args(link());
            }
            output(compiler.args(flags.split_whitespace()).arg(format!("-Wl,-rpath,{}", rpath.trim())));
        }
        Some(directory)
    };
    PROGRAMS.get_or_init(build).clone()
}

/// A directory with the files of the case.
fn precice_case(name: &str) -> PathBuf {
    let directory = fresh_directory(&format!("hosts/{name}"));
    for file in ["precice-config.xml", "float.toml"] {
        std::fs::copy(root().join("hosts/precice").join(file), directory.join(file)).unwrap();
    }
    directory
}

fn participant(programs: &Path, name: &str, directory: &Path) -> Command {
    let mut command = Command::new(programs.join(name));
    command.current_dir(directory);
    command
}

/// Exit code and output of a program that must end by itself within a minute.
fn wait(mut child: Child) -> (Option<i32>, String) {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("a participant hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), everything(&output))
}

// --------------------------------------------------------------------------------------------------------------- OpenFOAM

/// A floating box sinks and heels as by OpenFOAM's own solver, on the same mesh with the same steps
/// and correctors. What differs: the rule of integration, of second order in both, w h = 0.03 of
/// the heave, so 1e-4 of the motion; and loads that still change by the last of four correctors,
/// each of which leaves a quarter (relaxation 0.5 at an added mass of half the box's): 4e-3 of what
/// they change in a step.
#[test]
fn openfoam_moves_a_box_as_its_own_solver_does() {
    let Some(foam) = openfoam() else { return };
    let case = foam.case("box");
    let coupled = track(&foam.run(&case, true), "    Position: (");
    let own = foam.case("box_own");
    std::fs::copy(own.join("constant/dynamicMeshDict.sixDoF"), own.join("constant/dynamicMeshDict")).unwrap();
    let own = track(&foam.run(&own, true), "    Centre of mass: (");
    assert_eq!((coupled.len(), own.len()), (40, 40));
    let heave = own[39][2] - 0.45;
    assert!((-0.03..-0.026).contains(&heave), "{heave}");
    let differences = coupled.iter().zip(&own).map(|(a, b)| (a[2] - b[2]).abs());
    let largest = differences.fold(0.0, f64::max) / heave.abs();
    println!("heave at 0.2 s: {heave} m; largest difference on the way {largest:.1e} of it");
    assert!(largest < 1e-3, "{largest:e}");
    let sway = (coupled[39][0] - own[39][0]).abs();
    assert!(sway < 1e-3 * heave.abs(), "the centre of mass drifts by {sway} m");

    // A run of two parts is the same run; OpenFOAM's own fields are written in 16 digits.
    let parts = foam.case("box_parts");
    let control = std::fs::read_to_string(parts.join("system/controlDict")).unwrap();
    std::fs::write(parts.join("system/controlDict"), control.replace("endTime 0.2", "endTime 0.1")).unwrap();
    foam.run(&parts, true);
    std::fs::write(parts.join("system/controlDict"), control).unwrap();
    let second = track(&foam.run(&parts, true), "    Position: (");
    assert_eq!(second.len(), 20);
    let difference = (second[19][2] - coupled[39][2]).abs();
    assert!(difference < 1e-5 * heave.abs(), "{difference:e}");
}

#[test]
fn openfoam_ends_with_the_cause_of_what_is_wrong() {
    let Some(foam) = openfoam() else { return };
    let case = foam.case("box_errors");
    let try_with = |file: &str, from: &str, to: &str, cause: &str| {
        let path = case.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no {from}");
        std::fs::write(&path, text.replace(from, to)).unwrap();
        let told = foam.run(&case, false);
        assert!(told.contains("FOAM FATAL IO ERROR") && told.contains(cause), "{to}: {told}");
        std::fs::write(&path, text).unwrap();
    };
    let dictionary = "constant/dynamicMeshDict";
    try_with(dictionary, "box.toml", "nothing.toml", "constant/nothing.toml");
    try_with(dictionary, "        box\n", "        barge\n", "no body is named \"barge\"");
    try_with(dictionary, "patches (box)", "patches (hull)", "body box has no patch");
    try_with(dictionary, "outerDistance 0.25", "outerDistance 0.05", "is not beyond innerDistance");
    try_with("constant/box.toml", "-9.81", "-9.8", "is not that of constant/g");
    try_with(dictionary, "(pintleMotion)", "(pintleNowhere)", "libpintleNowhere.so: cannot open shared object file");
}

/// The files built by `hosts/openfoam/build`.
struct OpenFoam {
    programs: PathBuf,
}

impl OpenFoam {
    /// A directory with the case, its mesh made.
    fn case(&self, name: &str) -> PathBuf {
        let directory = fresh_directory(&format!("hosts/openfoam_{name}"));
        output(Command::new("cp").arg("-r").arg(root().join("hosts/openfoam/case/.")).arg(&directory));
        output(&mut Command::new(directory.join("prepare")));
        directory
    }

    /// The output of interFoam, which must succeed or fail as `succeeds` says.
    fn run(&self, case: &Path, succeeds: bool) -> String {
        let mut command = Command::new("timeout");
        command.arg("300").arg(self.programs.join("interFoam")).current_dir(case);
        if std::env::var_os("WM_PROJECT_DIR").is_none() {
            command.env("WM_PROJECT_DIR", "/usr/share/openfoam");
        }
        let output = command.env("LD_LIBRARY_PATH", &self.programs).output().unwrap();
        let printed = everything(&output);
        assert_eq!(output.status.code(), Some(i32::from(!succeeds)), "{printed}");
        printed
    }
}

/// The plugin and interFoam; None, with a message, if OpenFOAM or its sources are not installed.
fn openfoam() -> Option<&'static OpenFoam> {
    static PROGRAMS: OnceLock<Option<OpenFoam>> = OnceLock::new();
    let build = || {
        let found = Command::new("interFoam").arg("-help").stdout(Stdio::null()).stderr(Stdio::null()).status();
        let source = std::env::var_os("OPENFOAM_SOURCE");
        let (Ok(_), Some(source)) = (found, source) else {
            println!("skipped: there is no interFoam, or OPENFOAM_SOURCE does not name its sources");
            return None;
        };
        let programs = fresh_directory("hosts/openfoam_programs");
        let mut build = Command::new(root().join("hosts/openfoam/build"));
        build.arg(source).arg(&programs).env("PINTLE_LIBS", link().join(" "));
        output(build.env("PINTLE_CFLAGS", format!("-I{}", root().join("include").display())));
        Some(OpenFoam { programs })
    };
    PROGRAMS.get_or_init(build).as_ref()
}

/// The three numbers behind these words at the end of each time step.
fn track(printed: &str, words: &str) -> Vec<Vec<f64>> {
    let steps = printed.split("\nTime = ").skip(1);
    let last = steps.map(|step| step.lines().rev().find_map(|line| line.strip_prefix(words)).expect("a position"));
    last.map(|line| line.split([' ', ')']).take(3).map(|number| number.parse().expect("a number")).collect()).collect()
}

// --------------------------------------------------------------------------------------------------------------- building

fn c_compiler(name: &str, standard: &str) -> Command {
    let mut compiler = tool(name);
    compiler.args([standard, "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]).arg(root().join("include"));
    compiler
}

/// What links the release of libpintle, found under its soname when the program starts.
fn link() -> Vec<String> {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    let directory = DIRECTORY.get_or_init(|| {
        let directory = fresh_directory("hosts/lib");
        std::fs::copy(release_directory().join("libpintle.so"), directory.join("libpintle.so.1")).expect("a copy");
        directory
    });
    vec![directory.join("libpintle.so.1").display().to_string(), format!("-Wl,-rpath,{}", directory.display())]
}
