//! The layers of `docs/architecture.md`: imports follow the arrows, no two files import each other,
//! every file has a head that says what it contains, and none is too long. Imports are read from
//! the text of the sources: paths that start with `crate` or `super`, outside of tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The directories and files that each room may import, besides itself. A room without an entry may
/// import no other.
const ARROWS: &[(&str, &[&str])] = &[
    ("number", &[]),
    ("phase", &[]),
    ("error", &["number", "phase"]),
    ("reserve", &["error"]),
    ("floating_point", &[]),
    ("linear", &[]),
    ("spatial", &["error", "number"]),
    // The statics of one line solve for its nodes.
    ("elements", &["linear", "spatial", "error", "number"]),
    ("model", &["elements", "spatial", "error", "number"]),
    ("system", &["elements", "model", "linear", "spatial", "error", "number"]),
    ("analysis", &["system", "model", "linear", "spatial", "error", "number"]),
    // Matrices that need more memory in the middle of a step ask for it.
    ("scheme", &["system", "model", "linear", "spatial", "reserve", "error", "number"]),
    // So do steps in which joints break.
    (
        "simulation",
        &["scheme", "analysis", "system", "elements", "model", "spatial", "reserve", "error", "number", "phase"],
    ),
    // Conversions of rotations need no system, so the C ABI calls `spatial` directly.
    ("capi", &["simulation", "elements", "model", "spatial", "floating_point", "reserve", "error", "phase"]),
];

/// Elements know their own physics only: not the system that they are part of.
const ELEMENTS: &[&str] = &["elements", "system/joints", "system/forces"];

/// About 500, with a margin.
const LONGEST_FILE: usize = 525;
/// Public methods of a type that a reader can survey.
const MOST_METHODS: usize = 30;

#[test]
fn imports_follow_the_arrows() {
    let house = House::read();
    let mut wrong = Vec::new();
    for (file, imports) in &house.imports {
        let room = room(file);
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else {
            if room != "lib" {
                wrong.push(format!("{file}: the room {room} has no line in ARROWS of this test"));
            }
            continue;
        };
        for import in imports {
            let other = self::room(import);
            if other != room && !allowed.contains(&other) {
                wrong.push(format!("{file} imports {import}: no arrow leads from {room} to {other}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn no_two_files_import_each_other() {
    let house = House::read();
    let mutual =
        |a: &str, b: &str| house.imports[a].contains(b) && house.imports.get(b).is_some_and(|of| of.contains(a));
    let mut wrong = Vec::new();
    for (file, imports) in &house.imports {
        for import in imports.iter().filter(|import| file < import && mutual(file, import)) {
            // A room's own `mod.rs` names its files, and they use what stands in it.
            let of_one_room = is_inside(file, import) || is_inside(import, file);
            if !of_one_room {
                wrong.push(format!("{file} and {import} import each other"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        house.imports["scheme/step/filter"].contains("scheme/point"),
        "names that a room hands on are not followed"
    );
}

#[test]
fn elements_do_not_see_the_system() {
    let mut wrong = Vec::new();
    let house = House::read();
    for (file, text) in &house.texts {
        if !ELEMENTS.iter().any(|room| is_inside(file, room) || file == room) {
            continue;
        }
        let sees = paths(text).any(|path| path.last().is_some_and(|name| name == "System"));
        if sees {
            wrong.push(format!("{file} imports System"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_file_says_at_its_head_what_lives_there() {
    for (file, text) in &House::read().whole {
        assert!(text.starts_with("//! "), "src/{file} has no comment at its head");
    }
}

#[test]
fn every_room_says_what_may_not_live_there() {
    let rooms = ARROWS.iter().map(|(room, _)| format!("{room}/mod.rs"));
    for room in rooms.filter(|file| root().join("src").join(file).exists()) {
        let text = read(format!("src/{room}"));
        let head: Vec<_> = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let says = ["may not live here", "belongs here"].iter().any(|words| head.join(" ").contains(words));
        assert!(says, "src/{room} does not say what may not live there");
    }
}

#[test]
fn no_file_is_too_long_to_be_read_in_one_go() {
    let mut whole = House::read().whole;
    // Generated files may be long.
    whole.remove("capi/api_table.rs").expect("the generated table");
    let long = whole.iter().map(|(file, text)| (file, text.lines().count())).filter(|(_, lines)| *lines > LONGEST_FILE);
    let long: Vec<_> = long.collect();
    assert!(long.is_empty(), "more than {LONGEST_FILE} lines: {long:?}");
}

#[test]
fn no_type_has_more_public_methods_than_a_reader_can_survey() {
    let mut counts = BTreeMap::<String, usize>::new();
    for text in House::read().texts.values() {
        let mut of_type = None;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("impl") {
                let rest = rest.strip_prefix('<').and_then(|rest| rest.split_once("> ")).map_or(rest, |(_, rest)| rest);
                let name = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next();
                of_type = name.filter(|_| !line.contains(" for ")).map(str::to_owned);
            } else if line.starts_with('}') {
                of_type = None;
            } else if let (Some(name), true) = (&of_type, line.starts_with("    pub ") && line.contains("fn ")) {
                *counts.entry(name.clone()).or_default() += 1;
            }
        }
    }
    // Views are types like others: `impl Build<'_>`.
    for (name, least) in [("Simulation", 25), ("Build", 20), ("Outputs", 20), ("System", 20), ("Lines", 15)] {
        assert!(
            counts.get(name).is_some_and(|count| *count >= least),
            "{name}: methods are not found any more: {counts:?}"
        );
    }
    let many: Vec<_> = counts.iter().filter(|(_, count)| **count > MOST_METHODS).collect();
    assert!(many.is_empty(), "more than {MOST_METHODS} public methods: {many:?}");
}

/// The repository does not name files outside of it.
#[test]
fn no_file_speaks_of_documents_that_are_not_here() {
    // Put together here, so that this file does not name them itself.
    let foreign = [["sha", "red/"], ["../sha", "red"], ["api", ".md"], ["desi", "gn.md"]].map(|word| word.concat());
    let mut folders = vec![root()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository").flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                let is_hidden = name.starts_with('.') && name != ".ci";
                if !is_hidden && !name.starts_with("target") {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                seen += 1;
                for word in &foreign {
                    assert!(!text.contains(word.as_str()), "{} speaks of {word}", path.display());
                }
            }
        }
    }
    assert!(seen > 200, "only {seen} files were read");
}

/// The other tests depend on the parser of imports.
#[test]
fn imports_are_read_as_the_compiler_reads_them() {
    let text = "use super::{Memory, name::{self, Implicit}};\n\
                use crate::linear::\n    {Assemble, graph::cycles};\n\
                pub(super) fn f(of: crate::Error) -> super::super::Row { crate::scheme::start::begin(of) } // crate::capi\n\
                #[cfg(test)]\nmod tests {\n use crate::capi::status; }";
    let mut found: Vec<_> = paths(&code(text)).map(|path| path.join("::")).collect();
    found.sort();
    let expected = [
        "crate::Error",
        "crate::linear::Assemble",
        "crate::linear::graph::cycles",
        "crate::scheme::start::begin",
        "super::Memory",
        "super::name::Implicit",
        "super::name::self",
        "super::super::Row",
    ];
    assert_eq!(found, expected);

    let modules =
        ["scheme", "scheme/name", "linear", "linear/graph", "system", "system/joints", "system/joints/scalar", "error"];
    let modules = modules.map(|module| (module.to_owned(), String::new())).into();
    let exports = [("Error".to_owned(), "error".to_owned())].into();
    let leads = |file: &str, path: &str| {
        let path: Vec<_> = path.split("::").map(str::to_owned).collect();
        target(&modules, &exports, file, &path).unwrap_or_default()
    };
    assert_eq!(leads("scheme/growth", "super::name::Implicit"), "scheme/name");
    assert_eq!(leads("scheme/growth", "super::Memory"), "scheme");
    assert_eq!(leads("scheme", "crate::linear::graph::cycles"), "linear/graph");
    assert_eq!(leads("scheme", "crate::Error"), "error");
    assert_eq!(leads("system/joints/jets", "super::super::Row"), "system");
    assert_eq!(leads("system/joints", "super::assembly::Row"), "system");
}

// ---- The sources -----------------------------------------------------------------------------------------------------

/// The files of `src`, named by their modules: `system/joints/mod.rs` is `system/joints`,
/// `src/lib.rs` is `lib`.
struct House {
    /// File name in `src` -> text.
    whole: BTreeMap<String, String>,
    /// Module -> text without comments and tests; files of tests are left out.
    texts: BTreeMap<String, String>,
    /// Module -> modules that it imports.
    imports: BTreeMap<String, BTreeSet<String>>,
}

impl House {
    fn read() -> House {
        let mut whole = BTreeMap::new();
        let mut folders = vec![root().join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder of src").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let name = path.strip_prefix(root().join("src")).expect("in src").display().to_string();
                    whole.insert(name, fs::read_to_string(&path).expect("a source"));
                }
            }
        }
        let module =
            |file: &str| file.strip_suffix("/mod.rs").or(file.strip_suffix(".rs")).expect("a source").to_owned();
        let of_tests = |file: &str| file.ends_with("tests.rs") || file.ends_with("test_panic.rs");
        let texts: BTreeMap<_, _> =
            whole.iter().filter(|(file, _)| !of_tests(file)).map(|(file, text)| (module(file), code(text))).collect();
        // What lib.rs exports belongs to the room that it comes from.
        let exports: BTreeMap<String, String> = (paths(&texts["lib"]).chain(exported(&texts["lib"])))
            .filter(|path| path.len() > 1)
            .map(|path| (path[path.len() - 1].clone(), path[0].clone()))
            .collect();
        let handed_on = handed_on(&texts, &exports);
        let imports = texts.iter().map(|(file, text)| {
            // The import of a name that a room re-exports counts as an import of the file that
            // defines it.
            let found = paths(text).filter_map(|path| {
                let next = |from: &String| handed_on.get(&(from.clone(), path.last()?.clone())).cloned();
                std::iter::successors(target(&texts, &exports, file, &path), next).last()
            });
            (file.clone(), found.filter(|import| import != file).collect())
        });
        let imports: BTreeMap<String, BTreeSet<String>> = imports.collect();
        let all: usize = imports.values().map(BTreeSet::len).sum();
        assert!(all > 200, "only {all} imports found: has the style of the sources changed?");
        House { whole, texts, imports }
    }
}

/// The module that a path leads to.
fn target(
    modules: &BTreeMap<String, String>,
    exports: &BTreeMap<String, String>,
    file: &str,
    path: &[String],
) -> Option<String> {
    let mut place: Vec<&str> = file.split('/').collect();
    for (at, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" => place.clear(),
            // The first `super` of a mod.rs leads out of its room, that of another file to the
            // room's mod.rs: both are one up.
            "super" => drop(place.pop()),
            name => {
                place.push(name);
                if place.len() == 1 && path[at - 1] == "crate" && exports.contains_key(name) {
                    return exports.get(name).cloned();
                }
            }
        }
    }
    while !place.is_empty() {
        if modules.contains_key(&place.join("/")) {
            return Some(place.join("/"));
        }
        place.pop();
    }
    None
}

/// The files that names come from which the `mod.rs` of a room exports from files of its own:
/// (`scheme`, `Point`) -> `scheme/point`.
fn handed_on(
    modules: &BTreeMap<String, String>,
    exports: &BTreeMap<String, String>,
) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for (module, text) in modules.iter().filter(|(module, _)| *module != "lib") {
        for mut path in exported(text).filter(|path| path[0] != "crate") {
            let name = path[path.len() - 1].clone();
            // As a file inside of the room would write it.
            path.insert(0, "super".to_owned());
            if let Some(file) = target(modules, exports, &format!("{module}/a file"), &path) {
                found.insert((module.clone(), name), file);
            }
        }
    }
    found
}

/// The text without comments, and without the tests at its end.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].lines().map(|line| line.split("//").next().expect("a part")).collect::<Vec<_>>().join("\n")
}

/// All paths that start with `crate` or `super`, with braces multiplied out: `super::{a, b::c}` is
/// two.
fn paths(text: &str) -> impl Iterator<Item = Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            // Not `$crate::`, not the second `super` of a path, not `pub(super)`.
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                expand(&text[at..], &mut Vec::new(), &mut found);
            }
        }
    }
    found.into_iter()
}

/// What lib.rs exports: `pub use model::{Frame, Id}`.
fn exported(text: &str) -> impl Iterator<Item = Vec<String>> {
    let mut found = Vec::new();
    for (at, start) in text.match_indices("pub use ") {
        expand(&text[at + start.len()..], &mut Vec::new(), &mut found);
    }
    found.into_iter()
}

/// Reads one path from the start of `text`, with `before` as its prefix; returns its length.
fn expand(text: &str, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let (depth, mut at) = (before.len(), 0);
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let name: String = text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        at += name.len();
        if text[at..].starts_with('{') {
            at += 1;
            while !text[at..].trim_start().starts_with('}') {
                at += expand(&text[at..], before, found);
                at += text[at..].find([',', '}']).expect("a closed list");
                at += usize::from(text[at..].starts_with(','));
            }
            at += text[at..].find('}').expect("a closed list") + 1;
            break;
        }
        before.push(if name.is_empty() { "*".to_owned() } else { name });
        if !text[at..].starts_with("::") {
            found.push(before.clone());
            break;
        }
        at += 2;
    }
    before.truncate(depth);
    at
}

fn room(module: &str) -> &str {
    module.split('/').next().expect("a name")
}

/// `system/joints/scalar` is inside `system/joints` and inside `system`.
fn is_inside(module: &str, room: &str) -> bool {
    module.strip_prefix(room).is_some_and(|rest| rest.starts_with('/'))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
