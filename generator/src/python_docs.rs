//! Docstrings of the Python wrappers, from the comments of the header: C's names become Python's,
//! and the list of parameters becomes "Args" and "Returns".

use std::fmt::Write;

use crate::header::{Function, Parameter};
use crate::python::python_name;
use crate::shape::Shape;

/// The docstring of a function, a line each, indented.
pub fn docstring(function: &Function, parts: &[(&Parameter, Shape)], takes_out: bool, indent: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut in_list = false;
    for line in &function.comment {
        if line.starts_with("- `") && line.split_once(": ").is_some_and(|(names, _)| names.ends_with('`')) {
            in_list = true;
        } else if line.is_empty() {
            in_list = false;
        }
        // The list of parameters is written below as "Args", without parameters that Python does
        // not have.
        if !(in_list || line.is_empty() && lines.last().is_none_or(String::is_empty)) {
            lines.push(words(line));
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let is_hidden = |shape: &Shape| {
        matches!(shape, Shape::System { .. } | Shape::Length(_) | Shape::Cap | Shape::Buffer | Shape::TextLength)
    };
    let (outputs, inputs): (Vec<_>, Vec<_>) =
        parts.iter().filter(|(_, shape)| !is_hidden(shape)).partition(|(_, shape)| shape.is_output());
    // Phases and errors, at the end of the comment, stay last.
    let tail = lines.iter().position(|line| line.starts_with("Phases:") || line.starts_with("Errors:"));
    let tail = lines.split_off(tail.unwrap_or(lines.len()));
    if !inputs.is_empty() || takes_out {
        lines.extend([String::new(), "Args:".to_owned()]);
        inputs.iter().for_each(|(parameter, shape)| push_item(&mut lines, parameter, shape, indent.len()));
        if takes_out {
            lines.push("    out: array that receives the result, in place of a new one.".to_owned());
        }
    }
    if !outputs.is_empty() {
        lines.extend([String::new(), "Returns:".to_owned()]);
        outputs.iter().for_each(|(parameter, shape)| push_item(&mut lines, parameter, shape, indent.len()));
    }
    if !tail.is_empty() {
        lines.push(String::new());
        lines.extend(tail);
    }
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    let text = lines.iter().fold(String::new(), |mut text, line| {
        let line = if text.is_empty() || line.is_empty() { line.clone() } else { format!("{indent}{line}") };
        writeln!(text, "{line}").expect("text");
        text
    });
    assert!(!text.contains("\"\"\"") && !text.contains('\\'), "{}: quotes in its comment", function.name);
    match lines.as_slice() {
        [one] if !one.ends_with('"') => format!("{indent}\"\"\"{one}\"\"\"\n"),
        _ => format!("{indent}\"\"\"{text}{indent}\"\"\"\n"),
    }
}

/// "body: id of ...", wrapped.
fn push_item(lines: &mut Vec<String>, parameter: &Parameter, shape: &Shape, indent: usize) {
    let size = match shape {
        Shape::Array { size: 36, .. } | Shape::OutArray { size: 36, .. } => "shape (6, 6): ".to_owned(),
        Shape::Array { size: 9, .. } | Shape::OutArray { size: 9, .. } => "shape (3, 3): ".to_owned(),
        Shape::Array { size, .. } | Shape::OutArray { size, .. } => format!("shape ({size},): "),
        Shape::Batch(row) | Shape::OutBatch(row) => format!("shape (n, {row}): "),
        _ => String::new(),
    };
    let doc = without_c(&words(&parameter.doc));
    let mut line = format!("    {}: {size}", python_name(&parameter.name));
    for word in doc.split_whitespace() {
        if indent + line.len() + word.len() >= 115 {
            lines.push(line.trim_end().to_owned());
            line = "        ".to_owned();
        }
        line.push_str(word);
        line.push(' ');
    }
    lines.push(line.trim_end().to_owned());
}

/// Removes what concerns C only: "receives", memory order, NULL.
fn without_c(doc: &str) -> String {
    let mut text = doc.to_owned();
    for (from, to) in [
        ("; each may be None", ""),
        (". Each may be None", ""),
        ("column-major direction cosines", "direction cosines"),
        (", R_ij at i + 3 j", ""),
        ("column-major: d_ij stands at i + 6 j", "d_ij stands at [i, j]"),
        (", column-major", ""),
        ("column-major, ", ""),
    ] {
        text = text.replace(from, to);
    }
    let start = ["receives ", "receive "].iter().find_map(|start| text.strip_prefix(start));
    if let Some(rest) = start {
        text = rest.replace("; may be None", "");
    }
    // "`[n][6]`, each ..." is "each ...": the shape has been said.
    if let Some((_, rest)) = text.strip_prefix("`[").and_then(|rest| rest.split_once("]`")) {
        text = rest.trim_start_matches([',', ':', ' ']).to_owned();
    }
    text
}

/// C's names as Python's.
pub fn words(text: &str) -> String {
    let mut text = text.replace("NULL_ARGUMENT", "@").replace("NULL", "None").replace('@', "NULL_ARGUMENT");
    for (from, to) in [
        ("the PINTLE_JOINT_ numbers", "JointKind"),
        ("the PINTLE_PHASE_ numbers", "Phase"),
        ("PINTLE_JOINT_...", "a JointKind"),
        ("PINTLE_FRAME_", "Frame."),
        ("PINTLE_JOINT_", "JointKind."),
        ("PINTLE_PHASE_", "Phase."),
        ("PINTLE_STOP_", "StopLaw."),
        ("PINTLE_CONTACT_", "ContactSurface."),
        ("PINTLE_EVENT_", "EventKind."),
        ("PINTLE_ERR_", ""),
        ("PINTLE_OK", "OK"),
        ("PINTLE_", ""),
        ("pintle_abi_version()", "abi_version()"),
    ] {
        text = text.replace(from, to);
    }
    // "pintle_step" is "step".
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("pintle_") {
        let before = rest[..at].chars().next_back();
        out.push_str(&rest[..at]);
        if before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            out.push_str("pintle_");
        }
        rest = &rest[at + "pintle_".len()..];
    }
    out + rest
}
