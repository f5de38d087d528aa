//! The text of MoorDyn's files as rows of words with their locations.
//!
//! Words are separated by blanks, tabs or commas; a quoted word may contain these. `#`, `!` and `%`
//! begin a comment, except in brackets. A line that starts with three dashes is a header.

use super::super::names::shortened;
use crate::error::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// A line of a file with contents.
pub(super) enum Line {
    /// `---- NAME ----`: the name in capitals, empty if there are only dashes.
    Header(String, Row),
    /// Anything else.
    Words(Row),
}

/// The words of a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    file: Arc<Path>,
    /// From 1.
    line: usize,
    /// At least one.
    words: Vec<String>,
}

/// The lines of a file that are neither empty nor comments. Text that is not UTF-8 is replaced,
/// because comments of such files often have other encodings.
pub(super) fn lines(path: &Path, bytes: &[u8]) -> Vec<Line> {
    let file: Arc<Path> = path.into();
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut lines = Vec::new();
    for (index, text) in text.split('\n').enumerate() {
        let text = text.trim();
        let row = |words| Row { file: Arc::clone(&file), line: index + 1, words };
        if text.starts_with("---") {
            let name = text.trim_matches(|c: char| c == '-' || c.is_whitespace());
            lines.push(Line::Header(name.to_uppercase(), row(vec![name.to_owned()])));
            continue;
        }
        let words = words(text);
        if !words.is_empty() {
            lines.push(Line::Words(row(words)));
        }
    }
    lines
}

/// The words of a line. Two successive commas enclose an empty word, so that columns are not
/// shifted.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut rest, mut commas) = (Vec::new(), text, 0);
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return words };
        match first {
            '#' | '!' | '%' => return words,
            ',' => {
                commas += 1;
                if commas > 1 || words.is_empty() {
                    words.push(String::new());
                }
                rest = &rest[1..];
                continue;
            }
            '"' | '\'' => {
                let inside = &rest[1..];
                let (word, after) = inside.split_once(first).unwrap_or((inside, ""));
                words.push(word.to_owned());
                rest = after;
            }
            _ => {
                // `(#)` is the unit of a count, not a comment; a comment may follow the bracket.
                let inside = if matches!(first, '(' | '[') { rest.find([')', ']']).unwrap_or(0) } else { 0 };
                let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '"');
                let is_end = |(at, c): &(usize, char)| ends(*c) || (*at > inside && matches!(c, '#' | '!' | '%'));
                let end = rest.char_indices().find(is_end).map_or(rest.len(), |(at, _)| at);
                let (word, after) = rest.split_at(end);
                words.push(word.to_owned());
                rest = after;
            }
        }
        commas = 0;
    }
}

/// A finite number as C or Fortran write it.
pub(super) fn number(word: &str) -> Option<f64> {
    // Letters other than exponents would allow words such as `inf`.
    let plain = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E' | 'd' | 'D');
    if !word.chars().all(plain) {
        return None;
    }
    word.replace(['d', 'D'], "e").parse().ok().filter(|x: &f64| x.is_finite())
}

impl Row {
    /// The number of its line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// All words.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The word of a column; the first one if the column is missing.
    fn at(&self, column: usize) -> &str {
        self.words.get(column).unwrap_or(&self.words[0])
    }

    /// File, line and word.
    pub fn place(&self, column: usize) -> String {
        format!("\"{}\" line {}, \"{}\"", self.file.display(), self.line, shortened(self.at(column)))
    }

    /// An error at a word.
    pub fn refuse(&self, column: usize, detail: impl std::fmt::Display) -> Error {
        Error::Format { argument: "path", detail: format!("{}: {detail}", self.place(column)) }
    }

    /// An error for an entry that this library does not support.
    pub fn unsupported(&self, column: usize, detail: impl std::fmt::Display) -> Error {
        Error::Unsupported { argument: "path", detail: format!("{}: {detail}", self.place(column)) }
    }

    /// The error of a checked function, at this row.
    pub fn refused(&self, column: usize, cause: Error) -> Error {
        Error::InFile { place: self.place(column), cause: Box::new(cause) }
    }

    /// The word of a required column.
    pub fn word(&self, column: usize, name: &str) -> Result<&str> {
        match self.words.get(column) {
            Some(word) => Ok(word),
            None => {
                let count = self.words.len();
                Err(self.refuse(0, format!("{name} is missing: it is column {}, the line has {count}", column + 1)))
            }
        }
    }

    /// The number of a required column.
    pub fn number(&self, column: usize, name: &str) -> Result<f64> {
        let word = self.word(column, name)?;
        number(word).ok_or_else(|| self.refuse(column, format!("{name}: expected a number")))
    }

    /// The numbers of three required columns.
    pub fn vector(&self, first: usize, names: [&str; 3]) -> Result<[f64; 3]> {
        Ok([self.number(first, names[0])?, self.number(first + 1, names[1])?, self.number(first + 2, names[2])?])
    }

    /// The integer of a required column.
    pub fn integer(&self, column: usize, name: &str) -> Result<i32> {
        let word = self.word(column, name)?;
        word.parse().map_err(|_| self.refuse(column, format!("{name}: expected an integer")))
    }

    /// Numbers with bars between them: `1.0|2.0|3.0`.
    pub fn numbers(&self, column: usize, name: &str) -> Result<Vec<f64>> {
        let numbers = self.word(column, name)?.split('|').map(number).collect::<Option<Vec<f64>>>();
        numbers.ok_or_else(|| self.refuse(column, format!("{name}: expected a number, or numbers with | between them")))
    }

    /// Checks that the row is the next one of its table, because references to entities are numbers
    /// of rows.
    pub fn check_id(&self, expected: usize) -> Result<()> {
        match self.words[0].parse::<usize>() {
            Ok(id) if id == expected => Ok(()),
            _ => Err(self.refuse(0, format!("expected the number {expected}: rows are numbered 1, 2, 3, ..."))),
        }
    }

    /// Checks the words after the last column: text is a remark, but a number is refused, because
    /// it would be ignored silently.
    pub fn check_end(&self, columns: usize) -> Result<()> {
        match self.words.get(columns) {
            Some(word) if word.is_empty() || number(word).is_some() => {
                Err(self.refuse(columns, format!("the table has {columns} columns, none for this")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_separator_ends_a_word() {
        for line in ["a b\tc", "a,b,c", " a , b\t,c ,", "a b c # d", "a b c!d", "a b c % d", "\"a\" 'b' c", "a\"b\"c"] {
            assert_eq!(words(line), ["a", "b", "c"], "{line}");
        }
        assert_eq!(words("'two words' \"2, 3\""), ["two words", "2, 3"]);
        assert_eq!(words("a,,b"), ["a", "", "b"]);
        assert_eq!(words(",a"), ["", "a"]);
        assert_eq!(words("# all of it"), [""; 0]);
        assert_eq!(words("(#) (#/key) [%] # d"), ["(#)", "(#/key)", "[%]"]);
    }

    #[test]
    fn numbers_are_those_of_c_and_fortran() {
        for (word, value) in [("1", 1.0), ("-1.", -1.0), (".5", 0.5), ("+2e3", 2e3), ("3.0D-2", 0.03), ("1d0", 1.0)] {
            assert_eq!(number(word), Some(value), "{word}");
        }
        for word in ["", "inf", "nan", "0x10", "1e999", "1.0m", "--1", "e", "1|2"] {
            assert_eq!(number(word), None, "{word}");
        }
    }
}
