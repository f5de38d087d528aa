//! Outputs of a file: names of channels, which `model::output` parses.

use super::lexer::Row;

/// An output.
#[derive(Debug)]
pub(crate) struct Output {
    /// Its row.
    pub row: Row,
    /// The index of its word in the row.
    pub column: usize,
}

impl Output {
    /// Its name as the file has it.
    pub fn name(&self) -> &str {
        &self.row.words()[self.column]
    }
}

/// Reads all outputs, up to the word END. A dash before a remark ends a row.
pub(super) fn read(rows: &[Row]) -> Vec<Output> {
    let rows = rows.iter().take_while(|row| !row.words()[0].eq_ignore_ascii_case("END"));
    let of_row = |row: &Row| {
        let is_remark = |(column, word): &(usize, &String)| *column > 0 && word.starts_with('-');
        let words = row.words().iter().enumerate().take_while(|word| !is_remark(word));
        words.map(|(column, _)| Output { row: row.clone(), column }).collect::<Vec<_>>()
    };
    rows.flat_map(of_row).collect()
}
