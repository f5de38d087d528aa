//! The headers and the built library: every function is exported and refuses NULL; a C host runs.

use crate::system::{Folder, INVALID_VALUE, one_line};
use std::ffi::{CString, c_double, c_int, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::null_mut;

/// The library that cargo built for this test.
fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let path = program.parent().unwrap().join("libmoordyn_pintle.so");
    assert!(path.exists(), "{} is not there", path.display());
    path
}

fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// The prototypes of a header: return type, name, arguments.
fn prototypes(header: &str) -> Vec<[String; 3]> {
    let text = std::fs::read_to_string(include().join(header)).unwrap();
    let uncommented: String =
        text.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code)).collect();
    let lines: Vec<&str> = uncommented.lines().filter(|line| !line.starts_with('#')).collect();
    let mut found = Vec::new();
    for statement in lines.join(" ").split(';') {
        let statement = statement.replace("extern \"C\" {", "");
        if let Some((head, arguments)) = statement.split_once('(')
            && let Some((kind, name)) = head.trim().rsplit_once(' ')
        {
            let words = [kind, name, arguments.trim_end_matches(')')];
            found.push(words.map(|word| word.trim().to_owned()));
        }
    }
    found
}

#[test]
fn every_function_of_the_headers_is_exported_and_refuses_null_handles() {
    let path = CString::new(library().to_str().unwrap()).unwrap();
    let opened = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(!opened.is_null());
    let symbol = |name: &str| {
        let name = CString::new(name).unwrap();
        let found = unsafe { libc::dlsym(opened, name.as_ptr()) };
        assert!(!found.is_null(), "{name:?} is not exported");
        found
    };
    let all = [prototypes("MoorDyn.h"), prototypes("MoorDyn2.h")].concat();
    for [_, name, _] in &all {
        symbol(name);
    }
    // MoorDyn's 111, two of its names that have no symbols there, 7 older names, 3 of pintle.
    assert_eq!(all.len(), 123);
    let handles =
        ["MoorDyn", "MoorDynBody", "MoorDynRod", "MoorDynPoint", "MoorDynLine", "MoorDynWaves", "MoorDynSeafloor"];
    let takes_handle = |arguments: &str| handles.iter().any(|handle| arguments.starts_with(&format!("{handle} ")));
    let mut called = 0;
    for [kind, name, arguments] in all.iter().filter(|prototype| takes_handle(&prototype[2])) {
        called += 1;
        type Call = unsafe extern "C" fn(
            *mut c_void,
            *mut c_void,
            *mut c_void,
            *mut c_void,
            *mut c_void,
            *mut c_void,
            c_double,
            c_double,
            c_double,
        ) -> *mut c_void;
        // Arguments in registers that a function does not have are ignored by it.
        let call: Call = unsafe { std::mem::transmute(symbol(name)) };
        let null = null_mut();
        let result = unsafe { call(null, null, null, null, null, null, 0.0, 0.0, 0.0) };
        if kind == "int" {
            assert_eq!(result as usize as c_int, INVALID_VALUE, "{name}({arguments})");
        } else {
            assert!(handles.contains(&&kind[..]) && result.is_null(), "{kind} {name}({arguments})");
        }
    }
    assert_eq!(called, 101);
}

/// Symbols of pintle's own ABI would be taken for those of a libpintle of the host.
#[test]
fn nothing_else_is_exported() {
    let listed = Command::new("readelf").args(["--dyn-syms", "--wide"]).arg(library()).output().unwrap();
    let text = String::from_utf8(listed.stdout).unwrap();
    let of_headers = [prototypes("MoorDyn.h"), prototypes("MoorDyn2.h")].concat();
    let mut found = 0;
    for line in text.lines().filter(|line| line.contains(" GLOBAL ") && !line.contains(" UND ")) {
        let name = line.split_whitespace().last().unwrap();
        found += 1;
        assert!(of_headers.iter().any(|[_, own, _]| own == name), "{name} is exported");
    }
    assert_eq!(found, of_headers.len());
}

/// What the build script chose.
const SONAME: &str = env!("PINTLE_MOORDYN_SONAME");

#[test]
fn the_soname_is_that_of_the_build() {
    let listed = Command::new("readelf").args(["--dynamic", "--wide"]).arg(library()).output().unwrap();
    let text = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<&str> = text.lines().filter(|line| line.contains("(SONAME)")).collect();
    assert!(names.len() == 1 && names[0].ends_with(&format!("[{SONAME}]")), "{names:?}");
}

#[test]
fn a_host_in_c_runs_on_the_library() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("lines.txt"), one_line("", "-")).unwrap();
    // As the linker finds it, and the loader.
    for name in ["libmoordyn.so", SONAME] {
        std::os::unix::fs::symlink(library(), folder.0.join(name)).unwrap();
    }
    for compiler in [["gcc", "-std=c99"], ["g++", "-std=c++17"]] {
        let built = Command::new(compiler[0])
            .args([compiler[1], "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
            .arg(include())
            .args(if compiler[0] == "g++" { ["-x", "c++"] } else { ["-x", "c"] })
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/host.c"))
            .arg("-o")
            .arg(folder.0.join("host"))
            .arg(format!("-L{}", folder.0.display()))
            .args(["-lmoordyn", "-lm"])
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let run = |motion: &str| {
            let mut host = Command::new(folder.0.join("host"));
            let host = host.current_dir(&folder.0).env("LD_LIBRARY_PATH", &folder.0);
            let ran = host.env("PINTLE_MOORDYN_MOTION", motion).output().unwrap();
            (ran.status.success(), String::from_utf8_lossy(&ran.stdout).into_owned())
        };
        assert_eq!(run("start"), (true, "as it should be\n".into()));
        let (passed, said) = run("sideways");
        assert!(!passed && said.contains("PINTLE_MOORDYN_MOTION = \"sideways\": expected start or end"), "{said}");
    }
}
