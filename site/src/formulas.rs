//! Renders formulas as MathML: blocks of LaTeX opened by a line ```` ```math ````, and LaTeX
//! between dollar signs within a line, as GitHub has both.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

/// A page with its formulas rendered. Panics with the formula if one is not LaTeX.
pub fn rendered(page: &str) -> String {
    let mut text = String::new();
    let mut formula: Option<String> = None;
    let mut in_code = false;
    for line in page.lines() {
        let fence = line.trim_start().starts_with("```");
        match &mut formula {
            None if line == "```math" => formula = Some(String::new()),
            Some(latex) if line == "```" => {
                text.push_str(&format!("<div class=\"formula\">{}</div>\n", mathml(latex, DisplayMode::Block)));
                formula = None;
            }
            Some(latex) => *latex += &format!("{line}\n"),
            None => {
                in_code ^= fence;
                let is_code = in_code || fence || line.starts_with("    ");
                text += &if is_code { format!("{line}\n") } else { format!("{}\n", with_inline(line)) };
            }
        }
    }
    assert!(formula.is_none(), "a formula has no end");
    text
}

/// A line of text with what stands between dollar signs rendered, except in code type. As on GitHub
/// a formula begins and ends with no blank, so that prices and shells keep their dollars.
fn with_inline(line: &str) -> String {
    let parts = line.split('`').enumerate().map(|(n, part)| {
        let mut text = String::new();
        let mut rest = part;
        while let Some((before, after)) = rest.split_once('$').filter(|_| n % 2 == 0) {
            text.push_str(before);
            let found = after.split_once('$').filter(|(latex, _)| {
                let is_blank = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
                !is_blank(latex.chars().next()) && !is_blank(latex.chars().last())
            });
            rest = match found {
                Some((latex, after)) => {
                    // What was escaped for Markdown is LaTeX here.
                    text.push_str(&mathml(&latex.replace("&lt;", "<"), DisplayMode::Inline).replace('\n', ""));
                    after
                }
                None => {
                    text.push('$');
                    after
                }
            };
        }
        text + rest
    });
    parts.collect::<Vec<_>>().join("`")
}

/// LaTeX as MathML, without blank lines, which would end the HTML block in Markdown.
fn mathml(latex: &str, display_mode: DisplayMode) -> String {
    let storage = Storage::new();
    for event in Parser::new(latex, &storage) {
        event.unwrap_or_else(|error| panic!("{error}\nin the formula\n{latex}"));
    }
    let config = RenderConfig { display_mode, annotation: Some(latex), ..RenderConfig::default() };
    let mut text = String::new();
    push_mathml(&mut text, Parser::new(latex, &storage), config).expect("text can be written");
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}
