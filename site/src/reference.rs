//! The reference: an entry for each function of `pintle.h`, a page for each section.
//!
//! An entry has the comment of the header, and the forms that the function has in C, Fortran, C++
//! and Python. Those of the other languages are read from `include/pintle.f90`,
//! `include/pintle.hpp` and the Python package, so that they are what hosts call.

use std::fmt::Write;

use pintle_generator::header::{Function, Header};
use pintle_generator::read;
use pintle_generator::sources::entries;

use crate::pages::escaped;

/// Modules of `capi`, in the order in which a host needs them, with the titles of their pages.
const SECTIONS: [(&str, &str); 37] = [
    ("library", "The library: versions, messages"),
    ("life_cycle", "Systems: create, initialize, clone, destroy"),
    ("model", "Bodies, joints, markers"),
    ("points", "Points"),
    ("names", "Names and counts"),
    ("elements", "Springs, bushings, cylinders in water"),
    ("gears", "Gears and couplings"),
    ("tendons", "Tendons and their winches"),
    ("machines", "Friction, brakes, stops"),
    ("joint_tables", "Springs and dampers with tables"),
    ("events", "Events of a step"),
    ("clutches", "Clutches and freewheels"),
    ("contacts", "Contacts of spheres with planes and spheres"),
    ("breaking", "Joints that break"),
    ("beams", "Beams"),
    ("beam_loads", "Loads of the host along beams"),
    ("lines", "Mooring lines"),
    ("viscoelastic", "Lines of synthetic rope"),
    ("line_clamps", "Clamped and joined ends of lines"),
    ("line_changes", "Lines that change during a run"),
    ("water", "Water and seabed"),
    ("waves", "Waves"),
    ("fluid", "The fluid's matrices"),
    ("shapes", "Shapes: how bodies look"),
    ("model_file", "Model files"),
    ("settings", "The scheme and its options"),
    ("inputs", "Loads, imposed motions, callbacks"),
    ("stepping", "Step; advance, accept, reject"),
    ("outputs", "Outputs"),
    ("channels", "Channels: outputs by name"),
    ("state", "States: save, restore, checkpoints"),
    ("given", "Inputs read back"),
    ("introspection", "The model read back"),
    ("analysis", "Analyses: equilibrium, modes, linear models"),
    ("interface", "Analyses of what a host can load"),
    ("rotation", "Rotations and frames"),
    ("table", "The whole table, for hosts that load the library"),
];

/// A page of the reference: the functions of one section.
pub struct Page {
    /// `stepping`: the file is `reference/stepping.md`.
    pub name: String,
    /// The subject of the section.
    pub title: String,
    /// Names of its functions, in the order of the header.
    pub functions: Vec<String>,
    /// What each of them does, in a sentence.
    pub lines: Vec<String>,
    /// Markdown.
    pub text: String,
}

/// All pages, in the order of `SECTIONS`.
pub fn pages() -> Vec<Page> {
    let header = Header::read();
    let others = Others { fortran: read("include/pintle.f90"), cpp: read("include/pintle.hpp"), python: python() };
    let entries = entries();
    let mut pages: Vec<Page> = Vec::new();
    for function in &header.functions {
        // pintle_get_api is in no section.
        let entry_of = entries.iter().find(|one| one.name == function.name);
        let name = entry_of.map_or("table", |entry| &*entry.module);
        if pages.last().is_none_or(|page| page.name != name) {
            let title = SECTIONS[place(name)].1.to_owned();
            let text = format!("# {title}\n");
            pages.push(Page { name: name.to_owned(), title, functions: vec![], lines: vec![], text });
        }
        let page = pages.last_mut().expect("just pushed");
        page.functions.push(function.name.clone());
        page.lines.push(first_sentence(&function.doc));
        page.text.push_str(&entry(function, &others));
    }
    pages.sort_by_key(|page| place(&page.name));
    pages
}

/// The place of a module among the sections.
fn place(module: &str) -> usize {
    let found = SECTIONS.iter().position(|(name, _)| *name == module);
    found.unwrap_or_else(|| panic!("say in SECTIONS of site/src/reference.rs where the functions of {module} belong"))
}

/// Texts of the modules in other languages.
struct Others {
    fortran: String,
    cpp: String,
    python: String,
}

/// All modules of the Python package, concatenated.
fn python() -> String {
    let folder = pintle_generator::root().join("python/src/libpintle");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten();
    // _abi.py is written by cffi.
    let mut paths: Vec<_> = files.map(|file| file.path()).filter(|path| !path.ends_with("_abi.py")).collect();
    paths.retain(|path| path.extension().is_some_and(|own| own == "py"));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a module")).collect()
}

fn entry(function: &Function, others: &Others) -> String {
    let name = &function.name;
    let mut text = format!("\n## {name}\n\n");
    text.push_str(&escaped(&function.comment.join("\n")));
    let mut forms = vec![("c", "C", format!("{};", wrapped(&function.declaration)))];
    if let Some(form) = fortran_form(name, &others.fortran) {
        forms.push(("fortran", "Fortran", form.trim_end().to_owned()));
    }
    let cpp = cpp_forms(name, &others.cpp);
    if !cpp.is_empty() {
        forms.push(("cpp", "C++", cpp.join("\n")));
    }
    if let Some(form) = python_form(name, &others.python) {
        forms.push(("python", "Python", form));
    }
    // A tab for each language, without a script: the checked button shows its form.
    text.push_str("\n<div class=\"forms\">\n");
    for (language, title, _) in &forms {
        let checked = if *language == "c" { " checked" } else { "" };
        let id = format!("{name}-{language}");
        write!(text, "<input type=\"radio\" name=\"{name}-form\" id=\"{id}\" class=\"{language}\"{checked}>")
            .expect("text");
        writeln!(text, "<label for=\"{id}\">{title}</label>").expect("text");
    }
    for (language, _, form) in &forms {
        write!(text, "<div class=\"{language}\">\n\n```{language}\n{form}\n```\n\n</div>\n").expect("text");
    }
    text.push_str("</div>\n");
    text
}

/// The first sentence of a comment, up to a full stop or a colon that ends it.
fn first_sentence(doc: &str) -> String {
    let end = doc.find(". ").or_else(|| doc.find(": - ")).unwrap_or(doc.len());
    let sentence = doc[..end].trim_end_matches(['.', ':']);
    format!("{}.", escaped(sentence).trim_end())
}

/// A C declaration, with one parameter per line if it is long.
fn wrapped(declaration: &str) -> String {
    let open = declaration.find('(').expect("a function") + 1;
    if declaration.len() < 100 {
        return declaration.to_owned();
    }
    declaration.replace(", ", &format!(",\n{}", " ".repeat(open)))
}

/// The procedure of module pintle with its arguments, without its body.
pub fn fortran_form(name: &str, module: &str) -> Option<String> {
    let start = ["subroutine", "function"].iter().find_map(|word| module.find(&format!("\n  {word} {name}(")))?;
    let mut statement = String::new();
    let mut kept = Vec::new();
    for line in module[start + 1..].lines() {
        statement = format!("{}{}", statement.trim_end_matches('&'), line.trim());
        if statement.ends_with('&') {
            continue;
        }
        let line = std::mem::take(&mut statement);
        if kept.is_empty() {
            kept.push(line);
        } else if let Some((words, names)) = line.split_once(" :: ") {
            let is_result = kept[0].ends_with(&format!("result({names})"));
            if words.contains("intent(") || words.starts_with("procedure(") || is_result {
                kept.push(format!("  {line}"));
            }
        } else if !line.starts_with("use ") && !line.starts_with('!') {
            break;
        }
    }
    Some(kept.iter().map(|line| format!("{line}\n")).collect())
}

/// Methods and functions of the C++ header that call the function, without their bodies.
pub fn cpp_forms(name: &str, header: &str) -> Vec<String> {
    let lines: Vec<&str> = header.lines().collect();
    let mut forms = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let is_call = line.match_indices(&format!("{name}(")).any(|(place, _)| {
            !line[..place].ends_with(|c: char| c.is_alphanumeric() || c == '_') && !line.trim_start().starts_with('*')
        });
        if !is_call {
            continue;
        }
        // The definition starts at the nearest line above that is not indented deeper than a member
        // and opens a body.
        let definition =
            |start: usize| lines[start..].iter().map(|line| line.trim()).take(8).collect::<Vec<_>>().join(" ");
        let opens = |text: &str| text.find('{').is_some_and(|open| !text[..open].contains(';'));
        let indent = |line: &str| line.len() - line.trim_start().len();
        let is_start = |line: &str| indent(line) <= 4 && line.contains('(') && !line.trim_start().starts_with('~');
        let start = (0..=at).rev().find(|&at| is_start(lines[at]) && opens(&definition(at)));
        let Some(definition) = start.map(definition) else { continue };
        let form = definition.split(" {").next().unwrap_or_default().split(") : ").next().unwrap_or_default();
        let form = if form.ends_with(')') || form.ends_with("const") || form.ends_with("noexcept") {
            format!("{form};")
        } else {
            format!("{form});")
        };
        if !forms.contains(&form) && !form.contains("detail::") {
            forms.push(form);
        }
    }
    forms
}

/// The method or function of the Python package, which has the name without `pintle_`; of a state
/// also without `state_`.
fn python_form(name: &str, package: &str) -> Option<String> {
    let of_state = name.strip_prefix("pintle_state_");
    definition(name.strip_prefix("pintle_")?, package).or_else(|| definition(of_state?, package))
}

fn definition(name: &str, package: &str) -> Option<String> {
    let start = format!("def {name}(");
    let at = package
        .match_indices(&start)
        .find(|(at, _)| package[..*at].lines().next_back().is_some_and(|line| line.trim().is_empty()))?
        .0;
    let mut form = String::new();
    for line in package[at..].lines() {
        form = format!("{form} {}", line.trim()).replace("( ", "(").trim().to_owned();
        if let Some(complete) = form.strip_suffix(':') {
            return Some(complete.replace(",)", ")"));
        }
    }
    None
}
