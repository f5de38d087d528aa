//! Archives and the library in them: exported functions, models that are refused, no partly written
//! file.

use crate::unit::{Folder, example};
use pintle_fmi::description::Version;
use pintle_fmi::package::Package;
use std::path::PathBuf;
use std::process::Command;

/// The library that was built beside this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.with_file_name(format!("{}pintle_fmi{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX))
}

/// A file that looks like the library of this machine, and is small: that one is packed in
/// `importers`.
fn look_alike(folder: &Folder) -> PathBuf {
    let mut bytes = vec![0x7f, b'E', b'L', b'F', 2, 1];
    bytes.resize(0x12, 0);
    bytes.extend([0x3e, 0]);
    bytes.extend(b"fmi2Instantiate\0fmi3InstantiateCoSimulation\0logStatusDiscard\0");
    let path = folder.0.join("look_alike.so");
    std::fs::write(&path, bytes).unwrap();
    path
}

fn package(version: Version, folder: &Folder) -> Package {
    Package { version, model: folder.model(), libraries: vec![look_alike(folder)], step: Some(0.01), end: None }
}

#[test]
fn the_library_exports_the_standards_and_nothing_else() {
    let listed = Command::new("nm").args(["-D", "--defined-only"]).arg(library()).output().expect("nm");
    let listed = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    let odd: Vec<_> = names.iter().filter(|name| !name.starts_with("fmi2") && !name.starts_with("fmi3")).collect();
    assert!(odd.is_empty(), "{odd:?}");
    for name in ["fmi2Instantiate", "fmi2DoStep", "fmi2SetRealInputDerivatives", "fmi3DoStep", "fmi3GetClock"] {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn tables_of_inputs_in_other_files_are_numbers_of_the_packed_model() {
    let (folder, out) = (example("crane"), Folder::new());
    let text = std::fs::read_to_string(folder.model()).unwrap();
    let start = text.find("[[input]]\nname = \"line.rope.length\"").unwrap();
    let end = text.find("# Looks").unwrap();
    let text = format!("{}[[input]]\nfile = \"winch.csv\"\n{}", &text[..start], &text[end..]);
    std::fs::write(folder.model(), text).unwrap();
    std::fs::write(folder.0.join("winch.csv"), "time,line.rope.length\n0,20\n35,8.25\n").unwrap();
    let bytes = package(Version::Three, &folder).pack(&out.0.join("crane.fmu")).unwrap().archive;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let packed = std::io::read_to_string(archive.by_name("resources/model.toml").unwrap()).unwrap();
    assert!(packed.contains("values = [20.0, 8.25]"), "{packed}");
    let alone = pintle::simulation::read_model(&out.0.join("model.toml"), packed.as_bytes());
    assert!(alone.is_ok(), "{:?}", alone.err());
}

#[test]
fn an_archive_has_its_parts_where_the_standards_want_them() {
    let (folder, out) = (example("yaw_drive"), Folder::new());
    let parts = |version| {
        let path = out.0.join("yaw drive.fmu");
        let bytes = package(version, &folder).pack(&path).unwrap().archive;
        // The same once more is the same file.
        assert_eq!(package(version, &folder).pack(&path).unwrap().archive, bytes);
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
        let text = |archive: &mut zip::ZipArchive<_>, name: &str| {
            std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
        };
        let description = text(&mut archive, "modelDescription.xml").replace("&apos;", "'");
        assert_eq!(text(&mut archive, "resources/model.toml"), std::fs::read_to_string(folder.model()).unwrap());
        (archive.file_names().map(|name| name.unwrap().into_owned()).collect::<Vec<_>>(), description)
    };
    let (two, description) = parts(Version::Two);
    let (three, of_three) = parts(Version::Three);
    assert!(two.contains(&"binaries/linux64/yaw_drive.so".to_owned()), "{two:?}");
    assert!(three.contains(&"binaries/x86_64-linux/yaw_drive.so".to_owned()), "{three:?}");
    assert!(three.contains(&"terminalsAndIcons/terminalsAndIcons.xml".to_owned()));
    for text in ["body.'tower top'.motion.pos.x", "joint.yaw.angle", "modelIdentifier=\"yaw_drive\""] {
        assert!(description.contains(text) && of_three.contains(text), "{text}");
    }
    assert!(!description.contains("name=\"time\"") && of_three.contains("name=\"time\""));
    // A load is an input, and not an output under the same name.
    assert_eq!(description.matches("name=\"joint.yaw.load\"").count(), 1);
}

#[test]
fn what_cannot_be_an_fmu_is_refused() {
    let (folder, out) = (example("heavy_top"), Folder::new());
    let path = out.0.join("top.fmu");
    let text = std::fs::read_to_string(folder.model()).unwrap();
    // As a system with a load callback is saved.
    let left_out = "# Its load callback is not part of a model file: set it again.\n[[joint]]";
    let with_callback = Folder::with(&text.replace("[[joint]]", left_out));
    let missing = folder.0.join("missing.toml");
    let foreign = Package { libraries: vec![folder.model()], ..package(Version::Two, &folder) };
    let absent = Package { libraries: vec![missing.clone()], ..package(Version::Two, &folder) };
    let twice = Package { libraries: vec![look_alike(&folder), look_alike(&folder)], ..package(Version::Two, &folder) };
    let torn = Folder::with(&text.replace("pose = [0, 1, 0, 1, 0, 0, 0]", "pose = [0, 1, 0, 2, 0, 0, 0]"));
    for (package, said) in [
        (package(Version::Two, &with_callback), "callbacks"),
        (Package { model: missing.clone(), ..package(Version::Two, &folder) }, "missing.toml"),
        (package(Version::Two, &torn), "pose"),
        (foreign, "not a shared library"),
        (absent, "missing.toml"),
        (twice, "a second library"),
    ] {
        let error = package.pack(&path).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_model_without_anything_to_set_is_an_fmu_too() {
    let (folder, out) = (Folder::with("pintle_model = 1\n"), Folder::new());
    for version in [Version::Two, Version::Three] {
        let packed = package(version, &folder).pack(&out.0.join("empty.fmu")).unwrap();
        assert_eq!(packed.variables[0], 0);
    }
}
