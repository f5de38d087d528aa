//! `include/pintle.hpp`: the hand-written part, `generator/hand_written/pintle.hpp`, into which a
//! wrapper of each function is inserted that it does not call itself.
//!
//! A wrapper passes arguments on and turns statuses into exceptions. Outputs are returned: one
//! number, one array, a text, or a struct with a member for each (`get_spring_force` returns a
//! `SpringForce`). A batch is written to the caller's vector. Where numerics, files or callbacks of
//! the host may fail, a second wrapper, `try_...`, returns the status.

use std::fmt::Write;

use crate::header::{Function, Header};
use crate::read;
use crate::shape::{Shape, shapes};
use crate::sources::Entry;
use crate::template::{fill, has_word};

/// Statuses that a correct program may meet.
const EXPECTED: [&str; 6] = ["NO_CONVERGENCE", "SINGULAR", "CALLBACK", "UNSTABLE", "STOPPED", "IO"];

/// The text of the header.
pub fn text(header: &Header, entries: &[Entry]) -> String {
    let template = read("generator/hand_written/pintle.hpp");
    let by_hand = without_comments(&template);
    let (mut members, mut free, mut structs) = (String::new(), String::new(), String::new());
    let mut section = "";
    for function in header.functions.iter().filter(|one| !has_word(&by_hand, &one.name)) {
        let wrapper = Wrapper::new(header, function).unwrap_or_else(|why| {
            panic!(
                "{}: no rule for its C++ wrapper ({why}): write it in generator/hand_written/pintle.hpp",
                function.name
            )
        });
        structs.push_str(&wrapper.structure());
        if !wrapper.is_member() {
            free.push_str(&wrapper.text(""));
            continue;
        }
        let own = &entries.iter().find(|one| one.name == function.name).expect("an entry").section;
        if own != section {
            write!(members, "{}    /* {own}. */\n\n", if section.is_empty() { "" } else { "\n" }).expect("text");
            section = own;
        }
        members.push_str(&wrapper.text("    "));
    }
    let text = fill(&template, "structures", &structs);
    let text = fill(&text, "members", &members);
    fill(&text, "functions", &free)
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| code + part.split_once("*/").map_or("", |(_, after)| after))
}

struct Wrapper<'a> {
    function: &'a Function,
    shapes: Vec<Shape>,
}

impl<'a> Wrapper<'a> {
    fn new(header: &Header, function: &'a Function) -> Result<Self, String> {
        let shapes = shapes(header, function);
        if let Some(at) = shapes.iter().position(is_left_to_hands) {
            return Err(format!("parameter {}", function.parameters[at].name));
        }
        let batches = shapes.iter().filter(|one| one.is_batch()).count();
        let lengths: Vec<_> = shapes.iter().filter(|one| matches!(one, Shape::Length(_))).collect();
        if batches != lengths.len() || batches > 1 {
            return Err("more than one batch, or none for a length".to_owned());
        }
        let is_written = shapes.iter().any(|one| matches!(one, Shape::OutBatch(_)));
        if is_written && matches!(lengths.as_slice(), [Shape::Length(None)]) {
            return Err("the comment must say of what the length is the number".to_owned());
        }
        if function.result != "int32_t" {
            return Err("no status".to_owned());
        }
        Ok(Wrapper { function, shapes })
    }

    fn parts(&self) -> impl Iterator<Item = (&str, &Shape)> {
        self.function.parameters.iter().map(|one| one.name.as_str()).zip(&self.shapes)
    }

    fn is_member(&self) -> bool {
        self.shapes.iter().any(|one| matches!(one, Shape::System { .. }))
    }

    /// Outputs that the wrapper returns.
    fn outputs(&self) -> Vec<(&str, &Shape)> {
        self.parts().filter(|(_, shape)| shape.is_output() && !matches!(shape, Shape::OutBatch(_))).collect()
    }

    fn name(&self) -> &str {
        &self.function.name["pintle_".len()..]
    }

    /// The name of the struct of outputs: "SpringForce" for "get_spring_force".
    fn structure_name(&self) -> String {
        let words = self.name().trim_start_matches("get_").split('_');
        words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
    }

    fn structure(&self) -> String {
        let outputs = self.outputs();
        if outputs.len() < 2 {
            return String::new();
        }
        let members: String =
            outputs.iter().map(|(name, shape)| format!("    {} {name};\n", value_type(shape))).collect();
        format!("struct {} {{\n{members}}};\n", self.structure_name())
    }

    fn text(&self, indent: &str) -> String {
        let mut text = String::new();
        let optional = matches!(self.inputs().last(), Some((_, Shape::Array { optional: true, .. })));
        self.write(&mut text, indent, false, false);
        if optional {
            self.write(&mut text, indent, false, true);
        }
        if self.has_twin() {
            self.write(&mut text, indent, true, false);
        }
        text
    }

    /// Parameters of the wrapper.
    fn inputs(&self) -> Vec<(&str, &Shape)> {
        let is_input = |shape: &Shape| {
            let is_hidden = matches!(
                shape,
                Shape::System { .. } | Shape::Length(_) | Shape::Cap | Shape::Buffer | Shape::TextLength
            );
            !is_hidden && (!shape.is_output() || matches!(shape, Shape::OutBatch(_)))
        };
        self.parts().filter(|(_, shape)| is_input(shape)).collect()
    }

    fn has_twin(&self) -> bool {
        let gives_nothing = self.outputs().is_empty() && self.shapes.iter().all(|one| *one != Shape::Buffer);
        let has_batch = self.shapes.iter().any(|one| matches!(one, Shape::OutBatch(_)));
        let mut words = self.function.errors.split(|c: char| !c.is_ascii_uppercase() && c != '_');
        self.is_member() && gives_nothing && !has_batch && words.any(|word| EXPECTED.contains(&word))
    }

    fn write(&self, text: &mut String, indent: &str, is_twin: bool, without_last: bool) {
        let mut inputs = self.inputs();
        let left_out = if without_last { inputs.pop() } else { None };
        let parameters: Vec<_> =
            inputs.iter().map(|(name, shape)| format!("{}{name}", parameter_type(shape))).collect();
        let outputs = self.outputs();
        let has_text = self.shapes.contains(&Shape::Buffer);
        let result = match outputs.as_slice() {
            _ if is_twin => "std::int32_t".to_owned(),
            _ if has_text => "std::string".to_owned(),
            [] => "void".to_owned(),
            [(_, one)] => value_type(one).to_owned(),
            _ => self.structure_name(),
        };
        let is_const = self.shapes.contains(&Shape::System { is_const: true });
        let (inline, constant) = (if self.is_member() { "" } else { "inline " }, if is_const { " const" } else { "" });
        let twin = if is_twin { "try_" } else { "" };
        let name = self.name();
        let head = format!("{indent}{inline}{result} {twin}{name}({}){constant}", parameters.join(", "));

        let call = |cap: &str, buffer: &str, length: &str| {
            let argument = |(name, shape): (&str, &Shape)| match shape {
                Shape::Cap => cap.to_owned(),
                Shape::Buffer => buffer.to_owned(),
                Shape::TextLength => length.to_owned(),
                _ if left_out.is_some_and(|(left, _)| left == name) => "nullptr".to_owned(),
                _ if shape.is_output() && !matches!(shape, Shape::OutBatch(_)) => match outputs.len() {
                    1 => output_argument("result", shape),
                    _ => output_argument(&format!("result.{name}"), shape),
                },
                _ => self.argument(name, shape),
            };
            format!("{}({})", self.function.name, self.parts().map(argument).collect::<Vec<_>>().join(", "))
        };
        let check = if self.is_member() { "check" } else { "detail::check" };
        let plain = call("", "", "");
        let mut body = Vec::new();
        if let Some((batch, kind)) = self.written_batch() {
            body.push(format!("{batch}.resize(static_cast<std::size_t>(count(\"{kind}\")));"));
        }
        match outputs.as_slice() {
            _ if is_twin => body.push(format!("return attempt({plain});")),
            _ if has_text => {
                body.push("std::int32_t needed = 0;".to_owned());
                body.push(format!("{};", call("0", "nullptr", "&needed")));
                body.push("std::vector<char> result(static_cast<std::size_t>(needed) + 1);".to_owned());
                body.push(format!("{check}({});", call("needed + 1", "result.data()", "nullptr")));
                body.push("return result.data();".to_owned());
            }
            [] => body.push(format!("{check}({plain});")),
            [(_, one)] => {
                body.push(format!("{} result = {};", value_type(one), initial(one)));
                body.push(format!("{check}({plain});"));
                body.push("return result;".to_owned());
            }
            _ => {
                body.push(format!("{result} result = {result}();"));
                body.push(format!("{check}({plain});"));
                body.push("return result;".to_owned());
            }
        }
        let one_line = format!("{head} {{ {} }}", body[0]);
        if body.len() == 1 && one_line.len() <= 120 {
            writeln!(text, "{one_line}").expect("text");
            return;
        }
        push_wrapped(text, &head);
        writeln!(text, "{indent}{{").expect("text");
        for statement in body {
            push_wrapped(text, &format!("{indent}    {statement}"));
        }
        writeln!(text, "{indent}}}").expect("text");
    }

    /// The vector that a batch is written to, and the kind of entity of its rows.
    fn written_batch(&self) -> Option<(&str, &str)> {
        let batch = self.parts().find(|(_, shape)| matches!(shape, Shape::OutBatch(_)))?.0;
        let length =
            self.shapes.iter().find_map(|one| if let Shape::Length(kind) = one { kind.as_deref() } else { None });
        Some((batch, length?))
    }

    fn argument(&self, name: &str, shape: &Shape) -> String {
        match shape {
            Shape::System { .. } => "handle_".to_owned(),
            Shape::Frame | Shape::JointKind => format!("number_of({name})"),
            Shape::Flag => format!("{name} ? 1 : 0"),
            Shape::Text => format!("{name}.c_str()"),
            Shape::Array { .. } | Shape::Ids => format!("{name}.data()"),
            Shape::Batch(_) | Shape::OutBatch(_) => format!("detail::rows({name})"),
            Shape::Length(_) => {
                let batch = self.parts().find(|(_, shape)| shape.is_batch()).expect("a batch for a length").0;
                format!("detail::length({batch})")
            }
            _ => name.to_owned(),
        }
    }
}

/// True for parameters that need hand-written wrappers: handles, because of ownership, and
/// callbacks, which exceptions must not leave.
fn is_left_to_hands(shape: &Shape) -> bool {
    matches!(shape, Shape::Special | Shape::Unknown | Shape::Callback(_) | Shape::User)
}

fn value_type(shape: &Shape) -> String {
    match shape {
        Shape::OutInteger { is_id: true, .. } => "Id".to_owned(),
        Shape::OutInteger { .. } => "std::int32_t".to_owned(),
        Shape::OutReal { .. } => "double".to_owned(),
        Shape::OutArray { size, .. } => array(*size),
        _ => unreachable!("outputs only"),
    }
}

fn initial(shape: &Shape) -> String {
    match shape {
        Shape::OutReal { .. } => "0.0".to_owned(),
        Shape::OutArray { size, .. } => format!("{}()", array(*size)),
        _ => "-1".to_owned(),
    }
}

fn output_argument(place: &str, shape: &Shape) -> String {
    if matches!(shape, Shape::OutArray { .. }) { format!("{place}.data()") } else { format!("&{place}") }
}

/// The C++ type of a parameter, with the space or sign before the name.
fn parameter_type(shape: &Shape) -> String {
    match shape {
        Shape::Frame => "Frame ".to_owned(),
        Shape::JointKind => "JointKind ".to_owned(),
        Shape::Flag => "bool ".to_owned(),
        Shape::Id { .. } => "Id ".to_owned(),
        Shape::Integer => "std::int32_t ".to_owned(),
        Shape::Real => "double ".to_owned(),
        Shape::Text => "const std::string &".to_owned(),
        Shape::Array { size, .. } => format!("const {} &", array(*size)),
        Shape::Batch(row) => format!("const std::vector<{}> &", array(*row)),
        Shape::Ids => "const std::vector<Id> &".to_owned(),
        Shape::OutBatch(row) => format!("std::vector<{}> &", array(*row)),
        other => unreachable!("{other:?} is no parameter"),
    }
}

fn array(size: usize) -> String {
    match size {
        3 => "Vector3".to_owned(),
        4 => "Quaternion".to_owned(),
        6 => "Vector6".to_owned(),
        7 => "Pose".to_owned(),
        9 => "Matrix3".to_owned(),
        36 => "Matrix6".to_owned(),
        other => format!("std::array<double, {other}>"),
    }
}

/// A function head or a statement; if it is too long for one line, its parameters continue below
/// the first one.
fn push_wrapped(text: &mut String, statement: &str) {
    let mut indent = statement.find('(').map_or(4, |at| at + 1);
    if statement.trim_start().starts_with("check(") || statement.trim_start().starts_with("detail::check(") {
        indent += statement[indent..].find('(').map_or(0, |at| at + 1);
    }
    let mut line = String::new();
    for word in statement.split_inclusive(", ") {
        if line.len() + word.trim_end().len() > 120 {
            writeln!(text, "{}", line.trim_end()).expect("text");
            line = " ".repeat(indent);
        }
        line.push_str(word);
    }
    writeln!(text, "{line}").expect("text");
}
