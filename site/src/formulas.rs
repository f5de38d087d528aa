//! Renders formulas, blocks of LaTeX opened by a line ```` ```math ````, as MathML.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

/// A page with its formulas rendered. Panics with the formula if one is not LaTeX.
pub fn rendered(page: &str) -> String {
    let mut text = String::new();
    let mut formula: Option<String> = None;
    for line in page.lines() {
        match &mut formula {
            None if line == "```math" => formula = Some(String::new()),
            Some(latex) if line == "```" => {
                text.push_str(&format!("<div class=\"formula\">{}</div>\n", mathml(latex)));
                formula = None;
            }
            Some(latex) => *latex += &format!("{line}\n"),
            None => text += &format!("{line}\n"),
        }
    }
    assert!(formula.is_none(), "a formula has no end");
    text
}

/// LaTeX as MathML, without blank lines, which would end the HTML block in Markdown.
fn mathml(latex: &str) -> String {
    let storage = Storage::new();
    for event in Parser::new(latex, &storage) {
        event.unwrap_or_else(|error| panic!("{error}\nin the formula\n{latex}"));
    }
    let config = RenderConfig { display_mode: DisplayMode::Block, annotation: Some(latex), ..RenderConfig::default() };
    let mut text = String::new();
    push_mathml(&mut text, Parser::new(latex, &storage), config).expect("text can be written");
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}
