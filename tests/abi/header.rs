//! `include/pintle.h` equals the checked-in contract, compiles with every C and C++ compiler, and
//! matches the library. `tests/docs/generated.rs` compares it with the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn header() -> String {
    read("include/pintle.h")
}

// ---- The header ------------------------------------------------------------------------------------------------------

#[test]
fn header_compiles_alone_and_twice_in_every_dialect() {
    let twice = "#include \"pintle.h\"\n#include \"pintle.h\"\nint unused_but_present(void);\n";
    for (compiler, language, standards) in [
        ("gcc", "c", ["c99", "c11", "c17"].as_slice()),
        ("g++", "c++", ["c++11", "c++17"].as_slice()),
        ("clang", "c", ["c99", "c11", "c17"].as_slice()),
        ("clang++", "c++", ["c++11", "c++17"].as_slice()),
    ] {
        for standard in standards {
            check(compiler, language, standard, twice);
        }
    }
}

#[test]
fn constants_and_functions_are_those_of_the_contract() {
    check("gcc", "c", "c11", &read("tests/c/api_consts.c"));

    let contract = declarations(&read("tests/c/api_consts.c"));
    let header = declarations(&header());
    let by_name =
        |all: &[String]| -> BTreeMap<String, String> { all.iter().map(|one| (name_of(one), one.clone())).collect() };
    assert_eq!(by_name(&header), by_name(&contract), "functions of the header (left), of the contract (right)");
}

#[test]
fn the_types_of_callbacks_are_spelt_as_in_the_contract() {
    let typedefs = |text: &str| -> BTreeSet<String> {
        let starts = text.match_indices("typedef int32_t (*");
        starts.map(|(at, _)| squeeze(&text[at..at + text[at..].find(';').expect("its end")])).collect()
    };
    assert_eq!(typedefs(&header()), typedefs(&read("tests/c/api_consts.c")));
    assert!(!typedefs(&header()).is_empty());
}

#[test]
fn constants_that_stand_twice_agree() {
    let abi = pintle::capi::library::PINTLE_ABI;
    assert!(header().contains(&format!("#define PINTLE_ABI {abi}\n")));
    assert!(read("build.rs").contains(&format!("const ABI: u32 = {abi};")), "the soname's number in build.rs");
    assert!(header().contains(&format!("#define PINTLE_GROUND ({})\n", pintle::GROUND)));
}

#[test]
fn the_table_has_every_function_once() {
    let text = without_comments(&header());
    let body = &text[text.find("typedef struct {").expect("pintle_api")..text.find("} pintle_api;").expect("its end")];
    let members: Vec<_> =
        body.split("(*").skip(1).map(|rest| format!("pintle_{}", &rest[..rest.find(')').expect("a name")])).collect();
    let functions: Vec<_> = declarations(&header()).iter().map(|one| name_of(one)).collect();
    let expected: Vec<_> = functions.into_iter().filter(|name| name != "pintle_get_api").collect();
    assert_eq!(members.iter().collect::<BTreeSet<_>>(), expected.iter().collect::<BTreeSet<_>>());
    assert_eq!(members.len(), expected.len(), "a member stands twice");
}

#[test]
fn every_function_is_documented_with_each_of_its_parameters() {
    let text = header();
    for declaration in declarations(&text) {
        let name = name_of(&declaration);
        // The comment is the block of /// lines right above.
        let lines: Vec<_> = text.lines().collect();
        let declared = |line: &&str| line.starts_with(char::is_alphabetic) && line.contains(&format!("{name}("));
        let at = lines.iter().position(declared).expect("the declaration");
        let doc: Vec<_> = lines[..at].iter().rev().take_while(|line| line.starts_with("///")).collect();
        assert!(!doc.is_empty(), "{name} has no comment");
        for parameter in parameters(&declaration) {
            let mentioned = doc
                .iter()
                .any(|line| line.contains(&format!("`{parameter}`")) || line.contains(&format!("`{parameter}[")));
            assert!(mentioned, "the comment of {name} does not mention `{parameter}`");
        }
    }
}

#[test]
fn the_header_defines_nothing_but_pintle_names() {
    for line in header().lines().filter(|line| line.starts_with("#define")) {
        assert!(line.starts_with("#define PINTLE_"), "{line}");
    }
    let includes: Vec<_> = header().lines().filter(|line| line.starts_with("#include")).map(str::to_owned).collect();
    assert_eq!(includes, ["#include <stdint.h>"]);
}

#[test]
fn unsafe_blocks_live_in_the_boundary_only() {
    let mut found = BTreeSet::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of src") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source file");
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let has = |line: &str| line.contains("unsafe {") || line.contains("unsafe impl");
                if code.into_iter().any(has) {
                    found.insert(path.strip_prefix(root()).expect("in src").to_owned());
                }
            }
        }
    }
    // The tests of the boundary call the entries as a host does.
    found.remove(Path::new("src/capi/boundary_tests.rs"));
    // The caller's arrays, the host's functions, one register of the processor and the heap have
    // files of their own.
    let expected = ["capi/arguments", "capi/boundary", "capi/host", "floating_point", "reserve"];
    assert_eq!(found, expected.map(|file| PathBuf::from(format!("src/{file}.rs"))).into());
}

// ---- The library -----------------------------------------------------------------------------------------------------

/// `libpintle.so`, built along with this test: cargo puts it beside the test's own program.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("the test's own path");
    let library = program.with_file_name("libpintle.so");
    assert!(library.exists(), "{} is missing: is cdylib still a crate-type?", library.display());
    library
}

#[test]
fn the_library_exports_the_functions_of_the_header_and_nothing_else() {
    let symbols = run("nm", &["-D", "--defined-only", &library().display().to_string()]);
    let exported: BTreeSet<_> = symbols.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
    let mut expected: BTreeSet<_> = declarations(&header()).iter().map(|one| name_of(one)).collect();
    if exported.contains("pintle_test_panic") {
        // The last build had feature test-panic: cargo keeps one libpintle.so for all features.
        expected.insert("pintle_test_panic".to_owned());
    }
    assert_eq!(exported, expected);
}

#[test]
fn the_library_needs_only_the_c_runtime_and_has_its_soname() {
    let dynamic = run("readelf", &["-d", &library().display().to_string()]);
    let entries = |tag: &str| -> Vec<String> {
        let lines = dynamic.lines().filter(|line| line.contains(tag));
        lines.map(|line| line[line.find('[').expect("[") + 1..line.rfind(']').expect("]")].to_owned()).collect()
    };
    for needed in entries("(NEEDED)") {
        let known = ["libc.so", "libm.so", "libgcc_s.so", "ld-linux"];
        assert!(known.iter().any(|start| needed.starts_with(start)), "needs {needed}");
    }
    assert_eq!(entries("(SONAME)"), [format!("libpintle.so.{}", pintle::capi::library::PINTLE_ABI)]);
}

// ---- Tools -----------------------------------------------------------------------------------------------------------

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Compiles `source` without output, with every warning an error.
fn check(compiler: &str, language: &str, standard: &str, source: &str) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("header-{compiler}-{standard}.txt"));
    std::fs::write(&file, source).expect("the target directory is writable");
    let output = Command::new(compiler)
        .args(["-x", language, &format!("-std={standard}"), "-fsyntax-only"])
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .arg(root().join("include"))
        .arg(&file)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}; `scripts/setup --install {compiler}` installs it"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} -std={standard}:\n{complaint}");
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut code = String::new();
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        code.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("/*") { "*/" } else { "\n" };
        rest = rest[at..].find(end).map_or("", |length| &rest[at + length + end.len()..]);
        code.push('\n');
    }
    code + rest
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The function declarations of a header, one line each.
pub(super) fn declarations(text: &str) -> Vec<String> {
    let code = without_comments(text);
    let code = code.split_once("} pintle_api;").map_or(code.as_str(), |(_, after)| after);
    let lines = code.lines().filter(|line| !line.starts_with('#') && !line.starts_with("extern") && *line != "}");
    let code = lines.collect::<Vec<_>>().join("\n");
    let statements = code.split(';').map(squeeze);
    statements
        .filter(|one| one.contains(" pintle_") || one.contains("*pintle_"))
        .filter(|one| is_function(one))
        .collect()
}

fn is_function(statement: &str) -> bool {
    statement.contains('(') && !statement.starts_with("typedef") && !statement.starts_with("SAME")
}

pub(super) fn name_of(declaration: &str) -> String {
    let before = &declaration[..declaration.find('(').expect("a function")];
    before.rsplit([' ', '*']).next().expect("a name").to_owned()
}

/// The names of the parameters.
fn parameters(declaration: &str) -> Vec<String> {
    let inside = &declaration[declaration.find('(').expect("(") + 1..declaration.rfind(')').expect(")")];
    let named = inside.split(',').filter(|one| one.trim() != "void");
    named.map(|one| one.split('[').next().unwrap_or(one).rsplit([' ', '*']).next().unwrap_or(one).to_owned()).collect()
}

// ---- Tools that read headers --------------------------------------------------------------------------------------------

/// Whether a tool is there; if not, its test is skipped with a word.
fn is_there(tool: &str) -> bool {
    let found = Command::new(tool).arg("--help").output().is_ok();
    if !found {
        eprintln!("skipped: {tool} is missing; `scripts/setup --install {tool}` installs it");
    }
    found
}

/// Runs a tool on the header in a directory of its own, and reads what it wrote there.
fn made_by(command: &mut Command, tool: &str, file: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("header-{tool}"));
    std::fs::create_dir_all(&directory).expect("the target directory is writable");
    std::fs::copy(root().join("include/pintle.h"), directory.join("pintle.h")).expect("a copy of the header");
    let interface = "%module pintle\n%{\n#include \"pintle.h\"\n%}\n%include <stdint.i>\n%include \"pintle.h\"\n";
    std::fs::write(directory.join("pintle.i"), interface).expect("writable");
    let output = command.current_dir(&directory).output().expect("it was there");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !complaint.contains("error"), "{command:?}:\n{complaint}");
    std::fs::read_to_string(directory.join(file)).expect("what the tool wrote")
}

fn names_of_functions() -> Vec<String> {
    let names: Vec<_> = declarations(&header()).iter().map(|one| name_of(one)).collect();
    assert!(names.len() > 150, "{names:?}");
    names
}

#[test]
fn castxml_reads_every_function() {
    if is_there("castxml") {
        let mut castxml = Command::new("castxml");
        let xml = made_by(castxml.args(["--castxml-gccxml", "-x", "c", "-o", "h.xml", "pintle.h"]), "castxml", "h.xml");
        for name in names_of_functions() {
            assert!(xml.contains(&format!(" name=\"{name}\" ")), "{name}");
        }
    }
}

#[test]
fn swig_wraps_every_function_without_a_warning() {
    if is_there("swig") {
        let mut swig = Command::new("swig");
        let arguments = ["-python", "-Wall", "-Werror", "-o", "wrap.c", "pintle.i"];
        let text = made_by(swig.args(arguments), "swig", "wrap.c");
        for name in names_of_functions() {
            assert!(text.contains(&format!("PyObject *_wrap_{name}(")), "{name}");
        }
    }
}

#[test]
fn bindgen_declares_every_function_and_its_layouts_hold() {
    if is_there("bindgen") {
        let mut bindgen = Command::new("bindgen");
        let arguments =
            ["--allowlist-function", "pintle_.*", "--allowlist-type", "pintle_.*", "--allowlist-var", "PINTLE_.*"];
        let text =
            made_by(bindgen.args(["-o", "bindings.rs"]).args(arguments).arg("pintle.h"), "bindgen", "bindings.rs");
        for name in names_of_functions() {
            assert!(text.contains(&format!("pub fn {name}(")), "{name}");
        }
        assert!(text.contains("pub const PINTLE_ERR_BAD_ID: u32 = 202;"), "constants");
        let size = std::mem::size_of::<pintle::capi::api_table::pintle_api>();
        let has_size = text.contains(&format!("{size}usize"));
        assert!(has_size, "the table has {size} bytes");
    }
}
