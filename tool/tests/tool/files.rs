//! Exit codes, and complete files after a failure, a signal, a full disk.

use super::{files_in, folder, model, outcome, pintle, printed, table};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TO_FILE: [&str; 6] = ["--step", "0.001", "--end", "0.01", "--out", "run.csv"];

#[test]
fn wrong_arguments_and_models_are_2_and_say_where() {
    let folder = folder("wrong");
    let top = model("heavy_top");
    let run = |more: &[&str]| outcome(pintle(&folder, &["run"]).arg(&top).args(more));
    for (arguments, expected) in [
        (&["--step", "0"][..], "--step 0: not above 0"),
        (&["--step", "0", "--end", "1"], "--step 0: not above 0"),
        (&["--end", "0"], "--end 0: not behind the start at 0"),
        (&["--step", "nan", "--end", "1"], "--step NaN: not finite"),
        (&["--step", "0.1", "--end", "0"], "--end 0: not behind the start at 0"),
        (&["--step", "0.1", "--end", "-1"], "--end -1: not behind the start at 0"),
        (&["--step", "-1", "--end", "1"], "--step -1: not above 0"),
        (&["--step", "1e-300", "--end", "1"], "--step 0.0000"),
        (&["--step", "0.1", "--end", "1e300"], "steps to the end"),
        (&["--step", "0.1", "--end", "1", "--every", "0"], "--every"),
        (&["--step", "0.1", "--end", "1", "--vtk-interval", "0"], "--vtk-interval 0: not above 0"),
        (&["--step", "0.1", "--end", "1", "--scheme", "rk9"], "rk9"),
        (&["--step", "0.1", "--end", "1", "--rho-inf", "2"], "--rho-inf: "),
        (&["--step", "0.1", "--end", "1", "--set", "rho=1"], "rho"),
        (&["--step", "0.1", "--end", "1", "--set", "rho_inf=much"], "--set rho_inf=much: expected KEY=NUMBER"),
    ] {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
    let wrong = fs::read_to_string(&top).unwrap().replace("mass = 15", "mass = -15");
    fs::write(folder.join("wrong.toml"), &wrong).unwrap();
    let line = 1 + wrong.lines().position(|line| line.starts_with("mass")).unwrap();
    for command in
        [&["run", "wrong.toml", "--step", "1", "--end", "2"][..], &["check", "wrong.toml"], &["modes", "wrong.toml"]]
    {
        let (code, _, stderr) = outcome(&mut pintle(&folder, command));
        assert!(code == 2 && stderr.starts_with(&format!("pintle: \"wrong.toml\" line {line}")), "{stderr}");
        assert!(stderr.contains("key \"mass\"") && stderr.contains("-15"), "{stderr}");
    }
    let (code, _, stderr) = outcome(&mut pintle(&folder, &["check", "none.toml"]));
    assert!(code == 2 && stderr.contains("none.toml"), "{stderr}");
    assert_eq!(files_in(&folder), ["wrong.toml"]);
    assert_eq!(outcome(&mut pintle(&folder, &["--help"])).0, 0);
}

/// A run that fails keeps the rows so far; if initialization fails, no file is created.
#[test]
fn a_failed_run_is_1_and_leaves_the_rows_before_it() {
    let folder = folder("failed");
    let top = model("heavy_top");
    let arguments = [&TO_FILE[..], &["--set", "max_iterations=1"]].concat();
    let (code, _, stderr) = outcome(pintle(&folder, &["run"]).arg(&top).args(arguments));
    assert!(code == 1 && stderr.contains("no convergence at time 0.001"), "{code}: {stderr}");
    let (titles, rows) = table(&fs::read_to_string(folder.join("run.csv")).unwrap());
    assert!(rows.len() == 1 && rows.iter().all(|row| row.len() == titles.len()));
    assert_eq!(files_in(&folder), ["run.csv"]);
    let apart = fs::read_to_string(&top)
        .unwrap()
        .replace("point = [0, 0, 0]", "frame_a = [0,0,0,1,0,0,0]\nframe_b = [0,-2,0,1,0,0,0]");
    fs::write(folder.join("apart.toml"), apart).unwrap();
    let strict = ["--set", "assemble=0"];
    let arguments = ["run", "apart.toml", "--step", "1", "--end", "2", "--out", "b.csv"];
    let (code, _, stderr) = outcome(pintle(&folder, &arguments).args(strict));
    assert!(code == 1 && stderr.contains("tip"), "{stderr}");
    assert!(!folder.join("b.csv").exists());
}

#[test]
fn outputs_that_cannot_be_written_are_3_and_what_was_there_stays() {
    let folder = folder("unwritable");
    let top = model("heavy_top");
    let run = |arguments: &[&str]| {
        outcome(pintle(&folder, &["run"]).arg(&top).args(["--step", "0.001", "--end", "1"]).args(arguments))
    };
    fs::write(folder.join("file"), "a file").unwrap();
    for arguments in [
        ["--out", "nowhere/run.csv"],
        ["--out", "."],
        ["--plot", "nowhere/run.svg"],
        ["--vtk", "file"],
        ["--out", "/dev/full"],
    ] {
        let (code, _, stderr) = run(&arguments);
        assert_eq!(code, 3, "{arguments:?}: {stderr}");
        assert!(stderr.contains("cannot write"), "{stderr}");
    }
    assert_eq!(files_in(&folder), ["file"]);
    // A disk that is full at 8 kB; SIGXFSZ would end the process.
    fs::write(folder.join("run.csv"), "what was there").unwrap();
    let limited = format!(
        "trap '' XFSZ; ulimit -f 16; exec '{}' run '{}' --step 0.001 --end 1 --out run.csv",
        env!("CARGO_BIN_EXE_pintle"),
        top.display()
    );
    let (code, _, stderr) = outcome(Command::new("sh").args(["-c", &limited]).current_dir(&folder));
    assert!(code == 3 && stderr.contains("cannot write run.csv"), "{code}: {stderr}");
    assert_eq!(fs::read_to_string(folder.join("run.csv")).unwrap(), "what was there");
    assert_eq!(files_in(&folder), ["file", "run.csv"]);
}

/// SIGINT and SIGTERM: the file has all complete rows so far, under its final name; the list of
/// frames has those written.
#[test]
fn signals_leave_whole_files() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let folder = folder(&format!("signal-{signal}"));
        let arguments =
            ["--step", "0.001", "--end", "1e6", "--out", "run.csv", "--vtk", "frames", "--vtk-interval", "1"];
        let child =
            pintle(&folder, &["run"]).arg(model("heavy_top")).args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        // The table is written under another name.
        let written = || {
            let names = files_in(&folder);
            let part = names.iter().find(|name| name.ends_with(".part"));
            part.map_or(0, |part| fs::metadata(folder.join(part)).map_or(0, |found| found.len()))
        };
        let begun = Instant::now();
        while written() < 100_000 {
            assert!(begun.elapsed() < Duration::from_secs(100), "no rows come");
            assert!(!folder.join("run.csv").exists());
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        let text = fs::read_to_string(folder.join("run.csv")).unwrap();
        let (titles, rows) = table(&text);
        assert!(text.ends_with('\n') && rows.iter().all(|row| row.len() == titles.len()));
        let last = rows.last().unwrap()[0];
        assert!(stderr.contains(&format!("interrupted at t = {last:.6} s; {} rows", rows.len())), "{stderr}");
        let listed = fs::read_to_string(folder.join("frames/heavy_top.pvd")).unwrap();
        let (files, entries) = (files_in(&folder.join("frames")), listed.matches("<DataSet").count());
        assert_eq!(files.len(), entries + 1, "{files:?}");
        assert_eq!(files_in(&folder), ["frames", "run.csv"]);
    }
}

/// A link stays a link, permissions stay, pipes are written in place.
#[test]
fn files_are_replaced_as_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("replaced");
    fs::write(folder.join("target.csv"), "old").unwrap();
    fs::set_permissions(folder.join("target.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("target.csv", folder.join("run.csv")).unwrap();
    printed(pintle(&folder, &["run"]).arg(model("heavy_top")).args(TO_FILE));
    assert!(fs::symlink_metadata(folder.join("run.csv")).unwrap().is_symlink());
    assert_eq!(table(&fs::read_to_string(folder.join("target.csv")).unwrap()).1.len(), 11);
    assert_eq!(fs::metadata(folder.join("target.csv")).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(files_in(&folder), ["run.csv", "target.csv"]);
    // A reader that closes the pipe ends the run without a message.
    let piped = format!(
        "'{}' run '{}' --step 0.001 --end 1e6 | head -2",
        env!("CARGO_BIN_EXE_pintle"),
        model("heavy_top").display()
    );
    let (code, text, stderr) = outcome(Command::new("sh").args(["-c", &piped]));
    assert_eq!((code, table(&text).1.len(), stderr.as_str()), (0, 1, ""));
}

/// The files of a test that outputs may not replace: their bytes before and after.
fn unchanged<R>(files: &[std::path::PathBuf], act: impl FnOnce() -> R) -> R {
    let bytes = || files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>();
    let before = bytes();
    let result = act();
    assert_eq!(bytes(), before);
    result
}

#[test]
fn an_output_that_is_an_input_or_another_output_is_refused() {
    let folder = folder("inputs");
    fs::copy(model("heavy_top"), folder.join("top.toml")).unwrap();
    fs::write(folder.join("loads.csv"), "time,body.top.load.fx\n0,0\n1,0\n").unwrap();
    fs::write(folder.join("library.so"), "").unwrap();
    let run = ["run", "top.toml", "--step", "0.1", "--end", "1", "--load-table", "loads.csv"];
    let inputs = ["top.toml", "loads.csv", "library.so"].map(|name| folder.join(name));
    let commands: [(&[&str], &str); 8] = [
        (&["--out", "./top.toml"], "--out ./top.toml: the same file as the model"),
        (&["--plot", "loads.csv"], "--plot loads.csv: the same file as --load-table"),
        (&["--out", "new", "--plot", "new"], "--plot new: the same file as --out"),
        (&["modes", "top.toml", "--out", "top.toml"], "the same file as the model"),
        (&["linearize", "top.toml", "--out", "a", "--c", "../inputs/top.toml"], "the same file as the model"),
        (&["linearize", "top.toml", "--out", "a", "--b", "a"], "--b a: the same file as --out"),
        (&["fmu", "top.toml", "--fmi", "3", "-o", "top.toml", "--library", "library.so"], "the model"),
        (&["fmu", "top.toml", "--fmi", "3", "-o", "library.so", "--library", "library.so"], "--library"),
    ];
    for (arguments, expected) in commands {
        let arguments = if arguments[0].starts_with('-') { [&run[..], arguments].concat() } else { arguments.to_vec() };
        let (code, _, stderr) = unchanged(&inputs, || outcome(&mut pintle(&folder, &arguments)));
        assert!(code == 2 && stderr.contains(expected), "{arguments:?}: {code}: {stderr}");
    }
    assert_eq!(files_in(&folder), ["library.so", "loads.csv", "top.toml"]);
}

/// The standard output is a full disk, or its reader is gone.
#[test]
fn a_standard_output_that_cannot_be_written_is_3() {
    let folder = folder("stdout");
    fs::copy(model("heavy_top"), folder.join("top.toml")).unwrap();
    let run = "run top.toml --step 0.0001 --end 1";
    for command in [run, "check top.toml", "modes top.toml", "linearize top.toml --out -"] {
        let program = env!("CARGO_BIN_EXE_pintle");
        for script in [
            format!("'{program}' {command} > /dev/full"),
            // The reader has closed the pipe before the first byte.
            format!("(sleep 0.3; '{program}' {command}; echo $? >&2) | true"),
        ] {
            let (code, _, stderr) = outcome(Command::new("sh").args(["-c", &script]).current_dir(&folder));
            let is_3 = code == 3 || stderr.lines().last() == Some("3");
            assert!(is_3 && !stderr.contains("panicked"), "{script}: {code}: {stderr}");
        }
        // Nor does a closed standard error end it otherwise.
        let script = format!("'{program}' {command} > out 2> /dev/full");
        let (code, ..) = outcome(Command::new("sh").args(["-c", &script]).current_dir(&folder));
        assert_eq!(code, 0, "{script}");
    }
}

/// A file that another process has left behind, under any name, does not disturb; permissions and
/// links are kept.
#[cfg(unix)]
#[test]
fn files_keep_their_permissions_links_and_pipes() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("permissions");
    fs::copy(model("heavy_top"), folder.join("top.toml")).unwrap();
    fs::write(folder.join("secret.csv"), "").unwrap();
    fs::set_permissions(folder.join("secret.csv"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("secret.csv", folder.join("link.csv")).unwrap();
    let arguments = ["run", "top.toml", "--step", "0.001", "--end", "0.01", "--quiet", "--out"];
    printed(&mut pintle(&folder, &[&arguments[..], &["link.csv"]].concat()));
    assert!(fs::symlink_metadata(folder.join("link.csv")).unwrap().is_symlink());
    let secret = fs::metadata(folder.join("secret.csv")).unwrap();
    assert!(secret.permissions().mode() & 0o777 == 0o600 && secret.len() > 0);
    printed(&mut pintle(&folder, &[&arguments[..], &["new.csv"]].concat()));
    // As any file that a program makes here.
    fs::write(folder.join("plain"), "").unwrap();
    let mode = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode();
    assert_eq!(mode("new.csv"), mode("plain"));
    // A name as long as names may be.
    let long = "x".repeat(255);
    printed(&mut pintle(&folder, &[&arguments[..], &[long.as_str()]].concat()));
    // A named pipe is written, not replaced.
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    let reader = Command::new("cat").arg(folder.join("pipe")).stdout(Stdio::piped()).spawn().unwrap();
    printed(&mut pintle(&folder, &[&arguments[..], &["pipe"]].concat()));
    let read = reader.wait_with_output().unwrap().stdout;
    assert_eq!(read, fs::read(folder.join("new.csv")).unwrap());
}
