//! The parts of an input file that are addressed to the program and not to the model: options of
//! time steps and of output, kinds of bodies and rods, letters of the own output files of rods and
//! lines.
//!
//! `load_moordyn_for_hosts` has checked the file before.

use crate::rods::{BodyKind, RodKind};
use crate::status::{Failure, Outcome};
use std::path::Path;

/// What a file says to the program.
#[derive(Debug, Default)]
pub struct Input {
    /// Keys in lower case, and values.
    options: Vec<(String, String)>,
    /// The kind of each body.
    pub bodies: Vec<BodyKind>,
    /// The kind of each rod.
    pub rods: Vec<RodKind>,
    /// The type of each rod.
    types: Vec<String>,
    /// Types of rods, and their masses per length.
    masses: Vec<(String, f64)>,
    /// The names of all outputs.
    pub outputs: Vec<String>,
    /// The letters of each rod, then those of each line: quantities of their own output files.
    pub letters: [Vec<String>; 2],
}

/// The sections that matter here.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Options,
    Bodies,
    RodTypes,
    Rods,
    Lines,
    Other,
}

impl Section {
    fn from_header(name: &str) -> Section {
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        match () {
            () if has(&["OPTIONS"]) => Section::Options,
            () if has(&["BODIES", "BODY LIST", "BODY PROPERTIES"]) => Section::Bodies,
            () if has(&["ROD TYPES", "ROD DICTIONARY"]) => Section::RodTypes,
            () if has(&["RODS", "ROD LIST", "ROD PROPERTIES"]) => Section::Rods,
            () if has(&["LINES", "LINE LIST", "LINE PROPERTIES"]) => Section::Lines,
            () => Section::Other,
        }
    }
}

/// Words of a row, which blanks, tabs or commas separate.
fn by_commas(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', ',']).filter(|word| !word.is_empty())
}

/// The columns of the letters of a rod and of a line.
const LETTERS: [usize; 2] = [10, 6];

impl Input {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Input {
        let (mut input, mut section) = (Input::default(), Section::Other);
        for line in text.lines().map(str::trim) {
            if line.starts_with("---") {
                section = Section::from_header(&line.to_uppercase());
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_row = words.first().is_some_and(|word| word.parse::<usize>().is_ok());
            match section {
                Section::Options if words.len() > 1 => {
                    input.options.push((words[1].to_lowercase(), words[0].to_owned()));
                }
                Section::Bodies if is_row => {
                    input.bodies.push(BodyKind::from_word(by_commas(line).nth(1).unwrap_or_default()));
                }
                Section::RodTypes => {
                    let words: Vec<&str> = by_commas(line).collect();
                    // Rows of names and units have no number there.
                    if let Some(mass) = words.get(2).and_then(|word| word.to_lowercase().replace('d', "e").parse().ok())
                    {
                        input.masses.push((words[0].to_owned(), mass));
                    }
                }
                Section::Rods | Section::Lines if is_row => {
                    let which = usize::from(section == Section::Lines);
                    let letters = words.get(LETTERS[which]).copied().unwrap_or_default().trim_matches(['"', '\'']);
                    let is_none = matches!(&letters.to_lowercase()[..], "-" | "0" | "none") || letters.starts_with('#');
                    input.letters[which].push(if is_none { String::new() } else { letters.replace(',', "") });
                    if section == Section::Rods {
                        input.rods.push(RodKind::from_word(words.get(2).copied().unwrap_or_default()));
                        input.types.push(words.get(1).copied().unwrap_or_default().to_owned());
                    }
                }
                _ => {}
            }
        }
        input
    }

    /// The mass per length of a rod. Errors: its type is not found.
    pub fn rod_mass(&self, rod: usize) -> Outcome<f64> {
        let found = self.masses.iter().find(|(name, _)| Some(name) == self.types.get(rod));
        found.map(|(_, mass)| *mass).ok_or_else(|| Failure::value(format!("the type of rod {} is not found", rod + 1)))
    }

    /// The value of the first of some keys that the file has, as text.
    pub fn text(&self, keys: &[&str]) -> Option<&str> {
        self.options.iter().find(|(key, _)| keys.contains(&&key[..])).map(|(_, value)| &value[..])
    }

    /// The same as a number; `usual` if the file has none.
    pub fn number(&self, keys: &[&str], usual: f64) -> f64 {
        self.text(keys).and_then(|value| value.parse().ok()).unwrap_or(usual)
    }

    /// The log file that option `writeLog` asks for: `lines.log` beside `lines.txt`.
    pub fn log_beside(&self, path: &Path) -> Option<std::path::PathBuf> {
        (self.number(&["writelog"], 0.0) >= 1.0).then(|| path.with_extension("log"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_kinds_and_letters_are_found_whatever_the_layout() {
        let text = "--- BODIES ---\nID Attachment\n(#) (-)\n1 Coupled 0 0 0\n2 fixed 0 0 0\n3 , VesPin , 0\n4 FREE\n--- LINE TYPES ---\n1 x\n\
            --- ROD TYPES ---\nspar 1 2 3 4 5 6\n--- RODS ---\n1 spar VesPin 0 0 0 0 0 1 5 pv\n2 spar Body2Pin 0 0 0 0 0 1 5\n\
            --- LINES ---\nID\n(#)\n1 main 1 2 9.0 20 p,t\n2 main 1 3 9.0 20 -\n3 main 1 3 9.0 20\n\
            --- OPTIONS ---\n0.001 dtM step\n2 WriteLog\n--- OUTPUTS ---\nFairTen1\n";
        let input = Input::parse(text);
        assert_eq!(input.bodies, [BodyKind::Coupled, BodyKind::Fixed, BodyKind::CoupledPinned, BodyKind::Free]);
        assert_eq!(input.letters, [vec!["pv", ""], vec!["pt", "", ""]]);
        assert_eq!(input.rods, [RodKind::CoupledPinned, RodKind::Pinned]);
        assert_eq!(input.rod_mass(1).unwrap(), 2.0);
        assert_eq!((input.number(&["dt", "dtm"], 1.0), input.number(&["cfl"], 0.5)), (0.001, 0.5));
        assert_eq!(input.log_beside(Path::new("a/lines.txt")), Some("a/lines.log".into()));
    }
}
