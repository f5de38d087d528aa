//! Hand-written files with placeholders for generated text: comment lines `generated: name`.

/// Replaces the one line that ends with `generated: name`, apart from comment signs, by `text`.
pub fn fill(template: &str, name: &str, text: &str) -> String {
    let is_place = |line: &&str| {
        let words = line.trim().trim_start_matches(['/', '*', '!']).trim_end_matches(['/', '*']).trim();
        words == format!("generated: {name}")
    };
    let mut places = template.lines().filter(is_place);
    let place = places.next().unwrap_or_else(|| panic!("no place for the generated {name}"));
    assert!(places.next().is_none(), "two places for the generated {name}");
    template.replacen(&format!("{place}\n"), text, 1)
}

/// True if hand-written text contains a word: functions that it names need no generated wrapper.
pub fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|one| one == word)
}
