//! JSON inside of an HTML page.

/// A string. `<` is escaped, so that no text can end the script element around it.
pub fn string(text: &str) -> String {
    let escaped = text.chars().map(|letter| match letter {
        '"' | '\\' => format!("\\{letter}"),
        '<' | '\0'..='\u{1f}' => format!("\\u{:04x}", u32::from(letter)),
        _ => letter.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// An array of numbers, all of them finite, with the digits to read them back exactly.
pub fn numbers(values: &[f64]) -> String {
    array(values.iter().map(|value| format!("{value:?}")))
}

/// An array of values that are JSON already.
pub fn array(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}
