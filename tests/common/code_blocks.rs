//! Code on pages, between ```: language and text of each piece, in order.

/// Language and text of every block of code of a page.
pub fn code_blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if let Some(language) = line.strip_prefix("```") {
            inside = !inside;
            if inside {
                blocks.push((language, String::new()));
            }
        } else if inside {
            let text = &mut blocks.last_mut().expect("a block has begun").1;
            text.push_str(line);
            text.push('\n');
        }
    }
    blocks
}

/// Fails unless two texts have the same words and numbers. Numbers may differ by one unit of the
/// last decimal that the page has, or by 1e-9 of them, because compilers round differently.
pub fn assert_same_text(page: &str, printed: &str) {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (expected, found) = (words(page), words(printed));
    let is_same = |a: &String, b: &String| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => {
            let unit = a.split_once('.').map_or(0.0, |(_, decimals)| 10f64.powi(-(decimals.len().min(15) as i32)));
            (x - y).abs() <= (1.01 * unit).max(1e-9 * x.abs().max(1.0))
        }
        _ => a == b,
    };
    let same = expected.len() == found.len() && expected.iter().zip(&found).all(|(a, b)| is_same(a, b));
    assert!(same, "the page has\n{page}\nbut this was printed:\n{printed}");
}
