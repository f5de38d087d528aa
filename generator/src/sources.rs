//! Reads the entries of the C ABI from `src/capi`: the functions, their files and Rust signatures.
//!
//! It parses the style of these files, not Rust in general: `pub mod` lines in `mod.rs` give the
//! order of the files, and an entry starts at the beginning of a line with `pub extern "C" fn` or
//! `pub unsafe extern "C" fn`.

use std::fs;

use crate::{read, root};

/// A function that the library exports.
pub struct Entry {
    /// `pintle_step`.
    pub name: String,
    /// Its module in `capi`.
    pub module: String,
    /// The subject of that file, from its first line: "Stepping".
    pub section: String,
    /// The type of a pointer to it:
    /// `unsafe extern "C" fn(sys: *mut pintle_system, dt: f64) -> i32`.
    pub pointer: String,
}

/// All entries in the order of the header, except `pintle_get_api`, which is in the file of the
/// table.
pub fn entries() -> Vec<Entry> {
    let mut entries = Vec::new();
    for module in modules() {
        let text = read(&format!("src/capi/{module}.rs"));
        let section = section(&module, &text);
        for start in ["\npub extern \"C\" fn ", "\npub unsafe extern \"C\" fn "] {
            for (at, _) in text.match_indices(start) {
                let rest = &text[at + start.len()..];
                let (name, rest) = rest.split_once('(').expect("parameters");
                let signature = &rest[..rest.find(" {").expect("a body")];
                let words = start.trim_start_matches("\npub ").trim_end();
                let pointer = format!("{words}({signature}").split_whitespace().collect::<Vec<_>>().join(" ");
                let entry = Entry { name: name.to_owned(), module: module.clone(), section: section.clone(), pointer };
                entries.push((at, entry));
            }
        }
        // Both kinds of starts, in the order of the file.
        let of_module = entries.len() - entries.iter().rev().take_while(|(_, one)| one.module == module).count();
        entries[of_module..].sort_by_key(|(at, _)| *at);
    }
    assert!(entries.len() > 90, "only {} functions found in src/capi: did its style change?", entries.len());
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// The module of `capi` in which a type is defined, for example that of a callback.
pub fn module_of_type(name: &str) -> String {
    let definitions = ["type", "struct"].map(|word| format!("\npub {word} {name} "));
    let mut files: Vec<_> = fs::read_dir(root().join("src/capi")).expect("src/capi").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    for file in files {
        let text = fs::read_to_string(file.path()).expect("a source");
        if definitions.iter().any(|definition| text.contains(definition)) {
            return file.path().file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
        }
    }
    panic!("no file of src/capi defines {name}")
}

/// The public modules that cbindgen reads, except the table.
fn modules() -> Vec<String> {
    let text = read("src/capi/mod.rs");
    let mut hidden = false;
    let mut modules = Vec::new();
    for line in text.lines() {
        let module = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';'));
        modules.extend(module.filter(|name| !hidden && *name != "api_table").map(str::to_owned));
        // The annotation is above the attributes of the module that it hides.
        hidden = line.starts_with("/// cbindgen:ignore") || hidden && line.starts_with("#[");
    }
    modules
}

/// "//! The model: bodies, joints ..." is "The model".
fn section(module: &str, text: &str) -> String {
    let head = text.strip_prefix("//! ").unwrap_or_else(|| panic!("src/capi/{module}.rs has no comment at its head"));
    let end = head.find(['.', ':', ',', '\n']).unwrap_or(head.len());
    head[..end].to_owned()
}
