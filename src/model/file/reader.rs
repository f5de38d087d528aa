//! Reading: tables whose values are read by key and type; every error names file, line and key.

use crate::error::{Error, Result, did_you_mean};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A parsed file.
pub(crate) struct Document<'t> {
    path: &'t Path,
    text: &'t str,
    root: DeTable<'t>,
}

impl<'t> Document<'t> {
    /// Parses a file. Errors: `Format`: not UTF-8, not TOML.
    pub fn parse(path: &'t Path, bytes: &'t [u8]) -> Result<Document<'t>> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let at = line(bytes, error.valid_up_to());
            format_error(format!("{}: not UTF-8", place(path, at)))
        })?;
        let root = DeTable::parse(text).map_err(|error| {
            let at = line(bytes, error.span().map_or(text.len(), |span| span.start));
            format_error(format!("{}: {}", place(path, at), error.message().trim_end().replace('\n', "; ")))
        })?;
        Ok(Document { path, text, root: root.into_inner() })
    }

    /// The table of everything.
    pub fn root(&self) -> Table<'_> {
        Table { document: self, entries: &self.root, offset: 0, name: String::new(), prefix: String::new() }
    }
}

/// A table of a document.
pub(crate) struct Table<'d> {
    document: &'d Document<'d>,
    entries: &'d DeTable<'d>,
    /// Its first byte in the text.
    offset: usize,
    /// Its name in messages: `body 3`; empty for the root.
    name: String,
    /// The prefix of its keys in messages: `load.` in a table inside the table of that name.
    prefix: String,
}

/// A value as one of the types that keys have.
pub(crate) trait Value<'d>: Sized {
    /// The type, for messages.
    fn expected() -> String;
    /// None for a value of another type.
    fn read(value: &'d DeValue<'d>) -> Option<Self>;
    /// The value that was found instead, for messages.
    fn found(value: &'d DeValue<'d>) -> String {
        in_words(value)
    }
}

/// Any value, for messages.
fn in_words(value: &DeValue) -> String {
    match value {
        DeValue::Array(array) => format!("an array of {}", array.len()),
        DeValue::Integer(x) => format!("the integer {x}"),
        DeValue::Float(x) => format!("the number {x}"),
        DeValue::Boolean(x) => format!("{x}"),
        DeValue::String(_) => "a string".into(),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Table(_) => "a table".into(),
    }
}

/// The same for an array of `T`, with the first element of another type, counted from 0.
fn in_words_each<'d, T: Value<'d>>(value: &'d DeValue<'d>, each: &str) -> String {
    let elements = value.as_array().into_iter().flat_map(|array| array.iter()).map(|element| element.get_ref());
    match elements.enumerate().find(|(_, element)| T::read(element).is_none()) {
        Some((k, element)) => format!("{}, where {each} [{k}] is {}", in_words(value), T::found(element)),
        None => in_words(value),
    }
}

impl Value<'_> for f64 {
    fn expected() -> String {
        "a number".into()
    }

    fn read(value: &DeValue) -> Option<f64> {
        match value {
            DeValue::Float(x) => {
                let number: f64 = x.as_str().parse().ok()?;
                // A number that overflows is refused: it differs from that in the file.
                (number.is_finite() || x.as_str().ends_with(|c: char| c.is_ascii_alphabetic())).then_some(number)
            }
            DeValue::Integer(x) if x.radix() == 10 => x.as_str().parse().ok(),
            _ => None,
        }
    }
}

impl Value<'_> for i64 {
    fn expected() -> String {
        "an integer".into()
    }

    fn read(value: &DeValue) -> Option<i64> {
        let integer = value.as_integer()?;
        i64::from_str_radix(integer.as_str(), integer.radix()).ok()
    }
}

impl Value<'_> for bool {
    fn expected() -> String {
        "true or false".into()
    }

    fn read(value: &DeValue) -> Option<bool> {
        value.as_bool()
    }
}

impl<'d> Value<'d> for &'d str {
    fn expected() -> String {
        "a string".into()
    }

    fn read(value: &'d DeValue<'d>) -> Option<&'d str> {
        value.as_str()
    }
}

impl<const N: usize> Value<'_> for [f64; N] {
    fn expected() -> String {
        format!("an array of {N} numbers")
    }

    fn read(value: &DeValue) -> Option<[f64; N]> {
        let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(|x| f64::read(x.get_ref())).collect();
        numbers?.try_into().ok()
    }

    fn found(value: &DeValue) -> String {
        in_words_each::<f64>(value, "element")
    }
}

impl Value<'_> for Vec<f64> {
    fn expected() -> String {
        "an array of numbers".into()
    }

    fn read(value: &DeValue) -> Option<Vec<f64>> {
        value.as_array()?.iter().map(|x| f64::read(x.get_ref())).collect()
    }

    fn found(value: &DeValue) -> String {
        in_words_each::<f64>(value, "element")
    }
}

impl<'d> Value<'d> for Vec<&'d str> {
    fn expected() -> String {
        "an array of strings".into()
    }

    fn read(value: &'d DeValue<'d>) -> Option<Vec<&'d str>> {
        value.as_array()?.iter().map(|x| x.get_ref().as_str()).collect()
    }

    fn found(value: &'d DeValue<'d>) -> String {
        in_words_each::<&str>(value, "element")
    }
}

impl<const N: usize> Value<'_> for Vec<[f64; N]> {
    fn expected() -> String {
        format!("an array of arrays of {N} numbers")
    }

    fn read(value: &DeValue) -> Option<Vec<[f64; N]>> {
        value.as_array()?.iter().map(|row| <[f64; N]>::read(row.get_ref())).collect()
    }

    fn found(value: &DeValue) -> String {
        in_words_each::<[f64; N]>(value, "row")
    }
}

/// A 6x6 matrix, column-major as everywhere else; in files it is written row by row, or as its
/// diagonal.
pub(crate) struct Matrix(pub [f64; 36]);

impl Value<'_> for Matrix {
    fn expected() -> String {
        "6 rows of 6 numbers, or the 6 numbers of a diagonal".into()
    }

    fn read(value: &DeValue) -> Option<Matrix> {
        if let Some(diagonal) = <[f64; 6]>::read(value) {
            return Some(Matrix(std::array::from_fn(|k| if k % 7 == 0 { diagonal[k / 7] } else { 0.0 })));
        }
        let rows: Option<Vec<[f64; 6]>> = value.as_array()?.iter().map(|row| <[f64; 6]>::read(row.get_ref())).collect();
        let rows: [[f64; 6]; 6] = rows?.try_into().ok()?;
        Some(Matrix(std::array::from_fn(|k| rows[k % 6][k / 6])))
    }

    fn found(value: &DeValue) -> String {
        let has_rows = value.as_array().is_some_and(|array| array.iter().any(|row| row.get_ref().is_array()));
        if has_rows { in_words_each::<[f64; 6]>(value, "row") } else { in_words_each::<f64>(value, "element") }
    }
}

/// One number for the whole of something, or several along it.
pub(crate) struct Along(pub Vec<f64>);

impl<'d> Value<'d> for Along {
    fn expected() -> String {
        "a number or an array of numbers".into()
    }

    fn read(value: &'d DeValue<'d>) -> Option<Along> {
        Vec::read(value).or_else(|| f64::read(value).map(|number| vec![number])).map(Along)
    }
}

/// The attachment of an end.
pub(crate) enum End<'d> {
    /// By its id.
    Id(i32),
    /// By its name, or the ground.
    Name(&'d str),
}

impl<'d> Value<'d> for End<'d> {
    fn expected() -> String {
        "the name or the id of a body, or \"ground\"".into()
    }

    fn read(value: &'d DeValue<'d>) -> Option<End<'d>> {
        match value {
            DeValue::String(name) => Some(End::Name(name)),
            _ => i64::read(value).and_then(|id| i32::try_from(id).ok()).map(End::Id),
        }
    }
}

impl<'d> Value<'d> for Vec<End<'d>> {
    fn expected() -> String {
        "an array of names or ids".into()
    }

    fn read(value: &'d DeValue<'d>) -> Option<Vec<End<'d>>> {
        value.as_array()?.iter().map(|x| End::read(x.get_ref())).collect()
    }

    fn found(value: &'d DeValue<'d>) -> String {
        in_words_each::<End>(value, "element")
    }
}

impl<'d> Table<'d> {
    /// The value of a key, None if the key is missing. Errors: another type.
    pub fn get<T: Value<'d>>(&self, key: &str) -> Result<Option<T>> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        match T::read(value.get_ref()) {
            Some(read) => Ok(Some(read)),
            None => Err(self.wrong(key, &T::expected(), T::found(value.get_ref()))),
        }
    }

    /// The index of a word among those that a key may have; None without the key.
    pub fn choice(&self, key: &str, words: &[&str]) -> Result<Option<usize>> {
        let Some(word) = self.get::<&str>(key)? else { return Ok(None) };
        let unknown = || self.refuse(key, format!("\"{word}\" is unknown; known: {}", words.join(", ")));
        words.iter().position(|known| *known == word).map(Some).ok_or_else(unknown)
    }

    /// The value of a required key.
    pub fn require<T: Value<'d>>(&self, key: &str) -> Result<T> {
        self.get(key)?.ok_or_else(|| self.missing(key))
    }

    /// Whether the key exists.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Whether the value of a key is a table.
    pub fn holds_table(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| value.get_ref().is_table())
    }

    /// The table inside this one under a key; only the known keys are allowed in it.
    pub fn table(&self, key: &str, known: &[&str]) -> Result<Option<Table<'d>>> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        let Some(entries) = value.get_ref().as_table() else {
            return Err(self.wrong(key, "a table", in_words(value.get_ref())));
        };
        let prefix = format!("{}{key}.", self.prefix);
        let table = self.inner(entries, value.span().start, self.name.clone(), prefix);
        table.only(known)?;
        Ok(Some(table))
    }

    /// The tables `[[key]]`; only the known keys are allowed in them.
    pub fn tables(&self, key: &str, known: &[&str]) -> Result<Vec<Table<'d>>> {
        let tables = self.list(key)?;
        tables.iter().try_for_each(|table| table.only(known))?;
        Ok(tables)
    }

    /// The tables `[[key]]` with any keys.
    pub fn list(&self, key: &str) -> Result<Vec<Table<'d>>> {
        let Some(value) = self.entries.get(key) else { return Ok(Vec::new()) };
        let wrong = || self.wrong(key, &format!("tables, each under its own [[{key}]]"), in_words(value.get_ref()));
        let list = value.get_ref().as_array().ok_or_else(wrong)?;
        let mut tables = Vec::with_capacity(list.len());
        for (k, one) in list.iter().enumerate() {
            let entries = one.get_ref().as_table().ok_or_else(wrong)?;
            tables.push(self.inner(entries, one.span().start, format!("{key} {k}"), String::new()));
        }
        Ok(tables)
    }

    fn inner(&self, entries: &'d DeTable<'d>, offset: usize, name: String, prefix: String) -> Table<'d> {
        Table { document: self.document, entries, offset, name, prefix }
    }

    /// Errors: a key that is not known; the message lists the known ones.
    pub fn only(&self, known: &[&str]) -> Result<()> {
        // The first in the file, independent of the order of the map.
        let unknown = self.entries.keys().filter(|key| !known.contains(&&**key.get_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            Some(key) => {
                let near = did_you_mean(key.get_ref(), &mut known.iter().copied());
                Err(self.refuse(key.get_ref(), format!("is unknown; known: {}{near}", known.join(", "))))
            }
            None => Ok(()),
        }
    }

    /// Errors if both keys exist, because they are alternatives.
    pub fn either(&self, one: &str, other: &str) -> Result<()> {
        if self.has(one) && self.has(other) {
            return Err(self.refuse(other, format!("\"{one}\" says the same in another way")));
        }
        Ok(())
    }

    /// Adds the location to the error of a checked function: the key of the same name as the
    /// argument, else `key`.
    pub fn check<T>(&self, key: &str, outcome: Result<T>) -> Result<T> {
        outcome.map_err(|cause| self.refused(key, cause))
    }

    /// The error of a checked function, with its location as in [`Table::check`].
    pub fn refused(&self, key: &str, cause: Error) -> Error {
        if let Error::NullArgument { argument } = cause {
            return self.missing(argument);
        }
        let key = cause.argument().filter(|argument| self.has(argument)).unwrap_or(key);
        Error::InFile { place: self.place(key), cause: Box::new(cause) }
    }

    /// [`Error::Format`] at a key.
    pub fn refuse(&self, key: &str, detail: impl std::fmt::Display) -> Error {
        format_error(format!("{}: {detail}", self.place(key)))
    }

    fn missing(&self, key: &str) -> Error {
        self.refuse(key, "is missing")
    }

    fn wrong(&self, key: &str, expected: &str, found: String) -> Error {
        self.refuse(key, format!("expected {expected}, found {found}"))
    }

    /// File, line, table and key; for a missing key the line of the table.
    fn place(&self, key: &str) -> String {
        let Document { path, text, .. } = self.document;
        let entry: Option<&Spanned<_>> = self.entries.get_key_value(key).map(|(key, _)| key);
        let at = line(text.as_bytes(), entry.map_or(self.offset, |key| key.span().start));
        let (name, prefix) = (&self.name, &self.prefix);
        let table = if name.is_empty() { String::new() } else { format!(", {name}") };
        format!("{}{table}, key \"{prefix}{key}\"", place(path, at))
    }
}

fn place(path: &Path, line: usize) -> String {
    format!("\"{}\" line {line}", path.display())
}

/// The line, from 1, of a byte.
fn line(text: &[u8], offset: usize) -> usize {
    1 + text.iter().take(offset).filter(|byte| **byte == b'\n').count()
}

fn format_error(detail: String) -> Error {
    Error::Format { argument: "path", detail }
}
