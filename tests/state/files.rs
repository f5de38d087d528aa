//! Checkpoints and model files are complete, with several writers, on any path, and if a writer is
//! killed.

use crate::common::*;
use pintle::{Error, Frame, Phase, Simulation};
use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A directory of a test's own, gone with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("state-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Names of all that is in it.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Many bodies: files of some 100 kB, which take more than one write.
fn model() -> Simulation {
    let mut sim = Simulation::new();
    for k in 0..60 {
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        sim.build().set_body_velocity(body, &[f64::from(k), 0.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
    }
    sim.initialize(0.0).unwrap();
    sim
}

#[test]
fn a_pending_trial_is_in_the_checkpoint() {
    let folder = Folder::new();
    let mut sim = model();
    sim.step(0.1).unwrap();
    sim.inputs().set_body_load(0, Frame::Inertial, &[1.0, 2.0, 3.0, 0.0, 0.0, 0.0]).unwrap();
    sim.advance(0.1).unwrap();
    sim.inputs().set_body_load(0, Frame::Inertial, &[9.0, 2.0, 3.0, 0.0, 0.0, 0.0]).unwrap();
    sim.write_checkpoint(&folder.file("trial")).unwrap();
    let mut other = model();
    other.read_checkpoint(&folder.file("trial")).unwrap();
    assert_eq!(other.phase(), Phase::Trial);
    for sim in [&mut sim, &mut other] {
        sim.accept().unwrap();
        sim.step(0.1).unwrap();
    }
    assert_eq!(sim.save().unwrap(), other.save().unwrap());
}

#[test]
fn many_threads_write_and_read_one_path() {
    let folder = Folder::new();
    let path = folder.file("shared");
    model().write_checkpoint(&path).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let mut sim = model();
                for n in 0..40 {
                    sim.step(0.01 * f64::from(thread + 1)).unwrap();
                    sim.write_checkpoint(path).unwrap_or_else(|e| panic!("thread {thread}, write {n}: {e}"));
                    let mut other = sim.clone();
                    other.read_checkpoint(path).unwrap_or_else(|e| panic!("thread {thread}, read {n}: {e}"));
                }
            });
        }
    });
    assert_eq!(folder.names(), ["shared"], "nothing is left beside it");
}

const CHILD: &str = "PINTLE_WRITER";

/// The writers that the test below kills; by itself it does nothing.
#[test]
fn writer_in_a_loop() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let mut sim = model();
    loop {
        sim.step(0.01).unwrap();
        sim.write_checkpoint(Path::new(&path)).unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_the_file_whole_and_the_next_one_tidies_up() {
    let folder = Folder::new();
    let path = folder.file("killed");
    let mut sim = model();
    sim.write_checkpoint(&path).unwrap();
    let mut left = 0;
    for round in 0..30 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "files::writer_in_a_loop", "--test-threads=1"])
            .env(CHILD, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(30_000 + 1_370 * round));
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        left = left.max(folder.names().len() - 1);
        sim.read_checkpoint(&path).unwrap_or_else(|e| panic!("round {round}: {e}"));
    }
    // No round leaves more than its own file: the writer of the next removed that of the one
    // before.
    assert!(left <= 2, "{left} files were left beside the checkpoint");
    sim.write_checkpoint(&path).unwrap();
    assert_eq!(folder.names(), ["killed"]);
}

#[test]
fn files_of_writers_at_work_are_left_alone() {
    let folder = Folder::new();
    let path = folder.file("busy");
    let sim = model();
    // Temporary files with the name that a writer of this path uses, locked by another process and
    // not.
    sim.write_checkpoint(&path).unwrap();
    let name = {
        let watched = folder.0.clone();
        let watcher = std::thread::spawn(move || {
            loop {
                for entry in fs::read_dir(&watched).unwrap().flatten() {
                    let name = entry.file_name().into_string().unwrap();
                    if name.starts_with(".pintle-") {
                        return name;
                    }
                }
            }
        });
        while !watcher.is_finished() {
            sim.write_checkpoint(&path).unwrap();
        }
        watcher.join().unwrap()
    };
    let prefix = name.rsplitn(3, '-').nth(2).unwrap();
    let [held, dead, other] =
        [format!("{prefix}-1-0.tmp"), format!("{prefix}-1-1.tmp"), ".pintle-0123456789abcdef-1-1.tmp".into()];
    for name in [&held, &dead, &other] {
        fs::write(folder.file(name), b"half").unwrap();
    }
    let lock = fs::File::open(folder.file(&held)).unwrap();
    lock.lock().unwrap();
    sim.write_checkpoint(&path).unwrap();
    let mut expected = vec![held, other, "busy".to_owned()];
    expected.sort();
    assert_eq!(folder.names(), expected);
}

#[test]
fn symbolic_links_are_followed() {
    let folder = Folder::new();
    fs::create_dir(folder.file("deep")).unwrap();
    let mut sim = model();
    for target in ["deep/there", "deep/not_yet"] {
        if target == "deep/there" {
            fs::write(folder.file(target), b"old").unwrap();
        }
        let (link, second) = (folder.file(&format!("{target}_link")), folder.file("second"));
        symlink(Path::new(target).file_name().unwrap(), &link).unwrap();
        symlink(link.strip_prefix(&folder.0).unwrap(), &second).unwrap();
        sim.write_checkpoint(&second).unwrap();
        for path in [&link, &second] {
            assert!(fs::symlink_metadata(path).unwrap().is_symlink(), "{target}: the link stays");
        }
        let target = folder.file(target);
        assert!(fs::symlink_metadata(&target).unwrap().is_file());
        sim.read_checkpoint(&target).unwrap();
        sim.read_checkpoint(&second).unwrap();
        fs::remove_file(second).unwrap();
    }
    symlink("circle", folder.file("circle")).unwrap();
    assert!(matches!(sim.write_checkpoint(&folder.file("circle")), Err(Error::Io { .. })));
}

#[test]
fn what_is_no_regular_file_is_refused_and_stays() {
    let folder = Folder::new();
    let [fifo, socket, link] = ["fifo", "socket", "link"].map(|name| folder.file(name));
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let _listener = UnixListener::bind(&socket).unwrap();
    fs::create_dir(folder.file("directory")).unwrap();
    symlink("fifo", &link).unwrap();
    let mut sim = model();
    for path in [&fifo, &socket, &link, &folder.file("directory")] {
        for refused in [sim.write_checkpoint(path), sim.save_model(path), sim.read_checkpoint(path)] {
            assert!(matches!(refused, Err(Error::Io { .. })), "{}: {refused:?}", path.display());
        }
        assert!(matches!(Simulation::load_model(path), Err(Error::Io { .. })));
    }
    // A device may never end. (Only read here: a mistake must not cost the machine its devices.)
    let endless = Path::new("/dev/null");
    assert!(matches!(sim.read_checkpoint(endless), Err(Error::Io { .. })));
    assert!(matches!(Simulation::load_model(endless), Err(Error::Io { .. })));
    assert!(fs::symlink_metadata(fifo).unwrap().file_type().is_fifo());
    assert!(fs::symlink_metadata(socket).unwrap().file_type().is_socket());
    assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    assert_eq!(folder.names(), ["directory", "fifo", "link", "socket"]);
}

#[test]
fn the_longest_names_and_permissions_are_kept() {
    let folder = Folder::new();
    let mut sim = model();
    let longest = "n".repeat(255);
    for mode in [0o600, 0o640, 0o604, 0o444] {
        let path = folder.file(&longest);
        sim.write_checkpoint(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        sim.step(0.1).unwrap();
        sim.write_checkpoint(&path).unwrap();
        sim.save_model(&folder.file("model")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        sim.read_checkpoint(&path).unwrap();
        fs::remove_file(&path).unwrap();
    }
    assert!(matches!(sim.write_checkpoint(&folder.file(&"n".repeat(256))), Err(Error::Io { .. })));
    assert_eq!(folder.names(), ["model"]);
}
