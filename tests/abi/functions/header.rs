//! Reads the declaration and the comment of each function from include/pintle.h.

use pintle::capi::status::*;

/// A function of the header.
pub struct Declared {
    pub name: String,
    pub parameters: Vec<String>,
    doc: String,
}

/// Every function, in the order of the header.
pub fn declared() -> Vec<Declared> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/include/pintle.h");
    let text = std::fs::read_to_string(path).expect("include/pintle.h");
    let (_, functions) = text.split_once("} pintle_api;").expect("the functions stand after the table");
    let (mut found, mut doc, mut code) = (Vec::new(), String::new(), String::new());
    // cbindgen writes a block of /// lines, then the declaration, then an empty line.
    for line in functions.lines() {
        match line.strip_prefix("///") {
            Some(comment) => doc += comment,
            None => code += line.trim_start(),
        }
        if line.is_empty() {
            if code.ends_with(");") {
                found.push(Declared::new(&code, &doc));
            }
            (doc, code) = (String::new(), String::new());
        }
    }
    found
}

impl Declared {
    fn new(code: &str, doc: &str) -> Declared {
        let (before, after) = code.split_once('(').expect("a function");
        let last_word = |text: &str| text.rsplit([' ', '*']).next().unwrap_or_default().to_owned();
        let inside = after.trim_end_matches(");").split(',').map(|one| one.split('[').next().unwrap_or(one));
        let parameters = inside.map(last_word).filter(|name| name != "void").collect();
        Declared { name: last_word(before), parameters, doc: doc.to_owned() }
    }

    /// The phases in which the function may be called; None where it concerns no phase.
    pub fn phases(&self) -> Option<Vec<i32>> {
        let (_, after) = self.doc.split_once("Phases: ")?;
        let said = after.split('.').next().unwrap_or_default();
        let all = [
            ("BUILDING", PINTLE_PHASE_BUILDING),
            ("READY", PINTLE_PHASE_READY),
            ("TRIAL", PINTLE_PHASE_TRIAL),
            ("FAILED", PINTLE_PHASE_FAILED),
        ];
        let named = all.into_iter().filter(|(name, _)| said.starts_with("all") || said.contains(name));
        Some(named.map(|(_, phase)| phase).collect())
    }

    /// Whether the comment names the status; the head of the header names two for all functions.
    pub fn lists(&self, status_name: &str) -> bool {
        let short = status_name.trim_start_matches("PINTLE_ERR_");
        let errors = self.doc.split_once("Errors: ").map_or("", |(_, after)| after);
        let mut words = errors.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
        ["NULL_ARGUMENT", "BAD_HANDLE"].contains(&short) || words.any(|word| word == short)
    }
}
