//! `include/pintle.f90`: the hand-written part, `generator/hand_written/pintle.f90`, and a wrapper
//! of each function for which it has no procedure.
//!
//! A wrapper is a subroutine with the same arguments in the same order, and the status as an
//! optional last one. Lengths are left out, because arrays have them; texts are allocated to their
//! length. Arguments that may be NULL are optional, and so are the outputs of a function that has
//! several.

use std::fmt::Write;

use crate::header::{Function, Header};
use crate::raw_fortran::push_wrapped;
use crate::read;
use crate::shape::{Shape, shapes};
use crate::sources::Entry;
use crate::template::fill;

/// The text of module pintle.
pub fn module_text(header: &Header, entries: &[Entry]) -> String {
    let template = read("generator/hand_written/pintle.f90");
    let is_by_hand = |function: &&Function| is_by_hand(&template, &function.name);
    let mut text = String::new();
    let mut section = "";
    for function in header.functions.iter().filter(|one| !is_by_hand(one)) {
        let wrapper = Wrapper::new(header, function).unwrap_or_else(|why| {
            panic!(
                "{}: no rule for its Fortran wrapper ({why}): write it in generator/hand_written/pintle.f90",
                function.name
            )
        });
        let own = &entries.iter().find(|one| one.name == function.name).expect("an entry").section;
        if own != section {
            let head = format!("  ! ---- {own} ");
            writeln!(text, "{head}{}\n", "-".repeat(120_usize.saturating_sub(head.len()))).expect("text");
            section = own;
        }
        wrapper.write(&mut text);
        text.push('\n');
    }
    let mut callbacks = String::new();
    let names: Vec<_> = header.callbacks.iter().map(|one| one.name.as_str()).collect();
    push_wrapped(&mut callbacks, "  ", &format!("use pintle_raw, only: {}", names.join(", ")));
    let template = fill(&template, "callbacks", &callbacks);
    fill(&template, "wrappers", text.strip_suffix('\n').unwrap_or(&text))
}

/// True if the hand-written part has a procedure of this name.
pub fn is_by_hand(template: &str, name: &str) -> bool {
    ["subroutine", "function"].iter().any(|word| template.contains(&format!("\n  {word} {name}(")))
}

struct Wrapper<'a> {
    function: &'a Function,
    shapes: Vec<Shape>,
}

impl<'a> Wrapper<'a> {
    fn new(header: &Header, function: &'a Function) -> Result<Self, String> {
        let shapes = shapes(header, function);
        if let Some(at) = shapes.iter().position(|one| matches!(one, Shape::Special | Shape::Unknown)) {
            return Err(format!("parameter {}", function.parameters[at].name));
        }
        let batches = shapes.iter().filter(|one| one.is_batch()).count();
        if batches > 1 || batches != shapes.iter().filter(|one| matches!(one, Shape::Length(_))).count() {
            return Err("more than one batch, or none for a length".to_owned());
        }
        if function.result != "int32_t" {
            return Err("no status".to_owned());
        }
        Ok(Wrapper { function, shapes })
    }

    fn parts(&self) -> impl Iterator<Item = (&str, &Shape)> {
        self.function.parameters.iter().map(|one| one.name.as_str()).zip(&self.shapes)
    }

    /// The name of the text argument: "name" for a function that ends with `scheme` or `name`,
    /// unless it has such a parameter
    /// already; else "text".
    fn text_name(&self) -> &str {
        let last = self.function.name.rsplit('_').next().expect("a word");
        match last {
            _ if self.function.parameters.iter().any(|one| one.name == last) => "text",
            "scheme" | "name" => "name",
            _ => "text",
        }
    }

    fn write(&self, text: &mut String) {
        let outputs = || self.shapes.iter().filter(|one| one.is_output());
        let several = outputs().count() > 1 || outputs().any(Shape::is_optional);
        let optional_inputs: Vec<_> = self.parts().filter(|(_, one)| one.is_optional() && !one.is_output()).collect();
        let is_hidden = |shape: &Shape| matches!(shape, Shape::Length(_) | Shape::Cap | Shape::TextLength);
        let name_of = |name: &'a str, shape: &Shape| if *shape == Shape::Buffer { self.text_name() } else { name };
        let own: Vec<(&str, &Shape)> = self
            .function
            .parameters
            .iter()
            .zip(&self.shapes)
            .filter(|(_, shape)| !is_hidden(shape))
            .map(|(one, shape)| (name_of(&one.name, shape), shape))
            .collect();

        let name = &self.function.name;
        if let [(optional, Shape::Array { .. })] = optional_inputs.as_slice() {
            writeln!(text, "  ! `{optional}` may be left out; the arguments behind it then need their names.")
                .expect("text");
        }
        let arguments: Vec<_> = own.iter().map(|(name, _)| *name).chain(["status"]).collect();
        push_wrapped(text, "  ", &format!("subroutine {name}({})", arguments.join(", ")));
        writeln!(text, "    use pintle_raw, only: raw => c_{name}").expect("text");

        // Consecutive arguments of the same type share one declaration.
        let mut declarations: Vec<(String, Vec<String>)> = Vec::new();
        let mut declare = |words: String, name: String| match declarations.last_mut() {
            Some((last, names)) if *last == words => names.push(name),
            _ => declarations.push((words, vec![name])),
        };
        for (name, shape) in &own {
            let (words, form) = declaration(shape);
            let optional = shape.is_optional() || several && shape.is_output();
            declare(format!("{words}{}", if optional { ", optional" } else { "" }), format!("{name}{form}"));
        }
        declare("integer(i4), intent(out), optional".to_owned(), "status".to_owned());
        for (name, shape) in optional_inputs.iter().filter(|(_, one)| matches!(one, Shape::Array { .. })) {
            declare("real(dp), target".to_owned(), format!("given_{name}{}", declaration(shape).1));
        }
        for (name, shape) in &optional_inputs {
            let pointer = if matches!(shape, Shape::Callback(_)) { "type(c_funptr)" } else { "type(c_ptr)" };
            declare(pointer.to_owned(), format!("{name}_or_null"));
        }
        if several {
            for (name, shape) in own.iter().filter(|(_, shape)| shape.is_output()) {
                let (words, form) = declaration(shape);
                let bare = words.split(", intent").next().expect("a type").to_owned();
                declare(bare, format!("{name}_found{form}"));
            }
            declare("integer(i4)".to_owned(), "code".to_owned());
        }
        let has_text = self.shapes.contains(&Shape::Buffer);
        // take_text handles getters whose only other argument is the system.
        let is_plain_text = has_text && self.shapes.len() == 4;
        if has_text && !is_plain_text {
            declare("character(kind=c_char), allocatable".to_owned(), "buffer(:)".to_owned());
            declare("integer(i4)".to_owned(), "code, length".to_owned());
        }
        for (words, names) in declarations {
            push_wrapped(text, "    ", &format!("{words} :: {}", names.join(", ")));
        }

        let call = |buffer: [&str; 3]| {
            let argument = |(name, shape): (&str, &Shape)| match shape {
                Shape::System { .. } => format!("{name}%handle"),
                Shape::Flag => format!("merge(1_i4, 0_i4, {name})"),
                Shape::Text => format!("trim({name}) // c_null_char"),
                _ if shape.is_optional() && !shape.is_output() => format!("{name}_or_null"),
                Shape::Length(_) => self.length(),
                Shape::Cap => buffer[0].to_owned(),
                Shape::Buffer => buffer[1].to_owned(),
                Shape::TextLength => buffer[2].to_owned(),
                _ if shape.is_output() && several => format!("{name}_found"),
                _ => name.to_owned(),
            };
            format!("raw({})", self.parts().map(argument).collect::<Vec<_>>().join(", "))
        };
        for (name, shape) in &optional_inputs {
            let (null, given) = match shape {
                Shape::Callback(_) => ("c_null_funptr", format!("c_funloc({name})")),
                Shape::User => ("c_null_ptr", (*name).to_owned()),
                _ => ("c_null_ptr", format!("c_loc(given_{name})")),
            };
            writeln!(text, "    {name}_or_null = {null}").expect("text");
            if matches!(shape, Shape::Array { .. }) {
                writeln!(text, "    if (present({name})) given_{name} = {name}").expect("text");
            }
            writeln!(text, "    if (present({name})) {name}_or_null = {given}").expect("text");
        }
        if is_plain_text {
            writeln!(text, "    call take_text(raw, sys, {}, status)", self.text_name()).expect("text");
        } else if has_text {
            writeln!(text, "    allocate (buffer(0))").expect("text");
            push_wrapped(text, "    ", &format!("code = {}", call(["0_i4", "buffer", "length"])));
            writeln!(text, "    if (code == PINTLE_ERR_BUFFER_TOO_SMALL) then\n      deallocate (buffer)")
                .expect("text");
            writeln!(text, "      allocate (buffer(length + 1))").expect("text");
            push_wrapped(text, "      ", &format!("code = {}", call(["size(buffer, kind=i4)", "buffer", "length"])));
            writeln!(text, "    end if\n    {} = joined(buffer)\n    call finish(code, status)", self.text_name())
                .expect("text");
        } else if several {
            push_wrapped(text, "    ", &format!("code = {}", call([""; 3])));
            for (name, _) in own.iter().filter(|(_, shape)| shape.is_output()) {
                writeln!(text, "    if (present({name})) {name} = {name}_found").expect("text");
            }
            writeln!(text, "    call finish(code, status)").expect("text");
        } else {
            push_wrapped(text, "    ", &format!("call finish({}, status)", call([""; 3])));
        }
        writeln!(text, "  end subroutine {name}").expect("text");
    }

    /// The number of items of the batch, from its shape.
    fn length(&self) -> String {
        let batch = self.parts().find_map(|(name, shape)| match shape {
            Shape::Batch(row) | Shape::OutBatch(row) => Some(format!("items(shape({name}), {row})")),
            Shape::Ids => Some(format!("size({name}, kind=i4)")),
            _ => None,
        });
        batch.expect("a batch for a length")
    }
}

/// Type and intent, and the array shape to write after the name.
fn declaration(shape: &Shape) -> (String, String) {
    let form = |size: &usize| match size {
        36 => "(6, 6)".to_owned(),
        9 => "(3, 3)".to_owned(),
        other => format!("({other})"),
    };
    let (words, form) = match shape {
        Shape::Callback(name) => return (format!("procedure({name})"), String::new()),
        Shape::User => ("type(c_ptr), intent(in)", String::new()),
        Shape::Ids => ("integer(i4), intent(in)", "(:)".to_owned()),
        Shape::System { .. } => ("type(pintle_system), intent(in)", String::new()),
        Shape::Frame | Shape::JointKind | Shape::Id { .. } | Shape::Integer => {
            ("integer(i4), intent(in)", String::new())
        }
        Shape::Flag => ("logical, intent(in)", String::new()),
        Shape::Real => ("real(dp), intent(in)", String::new()),
        Shape::Text => ("character(len=*), intent(in)", String::new()),
        Shape::Buffer => ("character(len=:), allocatable, intent(out)", String::new()),
        Shape::Array { size, .. } => ("real(dp), intent(in)", form(size)),
        Shape::Batch(_) => ("real(dp), intent(in)", "(:, :)".to_owned()),
        Shape::OutInteger { .. } => ("integer(i4), intent(out)", String::new()),
        Shape::OutReal { .. } => ("real(dp), intent(out)", String::new()),
        Shape::OutArray { size, .. } => ("real(dp), intent(out)", form(size)),
        Shape::OutBatch(_) => ("real(dp), intent(out)", "(:, :)".to_owned()),
        other => unreachable!("{other:?} has no declaration"),
    };
    (words.to_owned(), form)
}
