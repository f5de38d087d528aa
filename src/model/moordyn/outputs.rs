//! Outputs of a file: names of channels, which `model::output` parses.

use super::lexer::Row;

/// An output.
#[derive(Debug)]
pub(crate) struct Output {
    /// Its row.
    pub row: Row,
    /// The index of its word in the row.
    pub column: usize,
    /// Its name as the file has it.
    pub name: String,
}

/// Reads all outputs, up to the word END. A dash before a remark ends a row. Names may stand in one
/// pair of quotes together, as OpenFAST's files have them: `"FairTen1, AnchTen1"`.
pub(super) fn read(rows: &[Row]) -> Vec<Output> {
    let rows = rows.iter().take_while(|row| !row.words()[0].eq_ignore_ascii_case("END"));
    let of_row = |row: &Row| {
        let is_remark = |(column, word): &(usize, &String)| *column > 0 && word.starts_with('-');
        let words = row.words().iter().enumerate().take_while(|word| !is_remark(word));
        let of_word = |(column, word): (usize, &String)| {
            // An empty word is refused as a name.
            let is_list = word.contains(|c: char| c == ',' || c.is_whitespace());
            let names = word.split(|c: char| c == ',' || c.is_whitespace());
            let names: Vec<&str> = names.filter(|name| !(is_list && name.is_empty())).collect();
            let output = |name: &str| Output { row: row.clone(), column, name: name.to_owned() };
            names.into_iter().map(output).collect::<Vec<_>>()
        };
        words.flat_map(of_word).collect::<Vec<_>>()
    };
    rows.flat_map(of_row).collect()
}
