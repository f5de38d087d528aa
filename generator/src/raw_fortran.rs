//! Writes `include/pintle_raw.f90` from the header: every constant, every function, nothing by
//! hand.
//!
//! Facts that C types do not express are read from the header's comments: the shape of a batch
//! (`[n][6]`), whether a handle is an output, whether an input may be NULL.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::header::{Function, Header, Member, Parameter};

const HEAD: &str = "\
! The C functions and constants of pintle, as Fortran sees them: interfaces without code.
!
! Generated from src/capi by scripts/generate: do not edit.
!
! Programs use module pintle (pintle.f90), which stands on this one: it takes and gives Fortran strings, has optional
! arguments, and a type for a system. This module is for those who want C's view. pintle.h documents every function;
! here stands only how it maps:
!
!   pintle_step                             c_pintle_step, so that a program may use both modules
!   int32_t, int64_t, double by value       integer(c_int32_t), integer(c_int64_t), real(c_double), VALUE
!   const double pose[7]                    real(c_double), intent(in) :: pose(7)
!   double a[36], double dcm[9]             a(6,6), dcm(3,3): column-major in C too, so that a(i,j) is the entry in row
!                                           i, column j; an actual argument of shape (36) or (9) fits as well
!   double x[n][7]                          x(7,n)
!   what a function writes                  intent(out): undefined when the function fails
!   pintle_system *, pintle_state *         type(c_ptr), VALUE; pintle_system ** is type(c_ptr) by reference
!   const char *                            character(kind=c_char) :: name(*), which ends with c_null_char
!   input that may be NULL                  type(c_ptr), VALUE: c_null_ptr, or c_loc of an array with TARGET
!   function pointer                        type(c_funptr), VALUE: c_null_funptr, or c_funloc of a function that has
!                                           the abstract interface of that name
!   uint8_t                                 integer(c_int8_t): the same bits
!
! MIT OR Apache-2.0.
";

/// The longest line that is written; Fortran allows 132 characters.
const WIDTH: usize = 120;

/// The text of both modules.
pub fn module_text(header: &Header) -> String {
    check_names(header);
    let mut text = HEAD.to_owned();
    constants(&mut text, header);
    text.push_str("\nmodule pintle_raw\n  use pintle_constants\n");
    let all: Vec<_> = header.functions.iter().chain(&header.callbacks).collect();
    let mut kinds: BTreeSet<&str> = all.iter().flat_map(|one| Procedure::new(header, one).kinds).collect();
    kinds.extend(["c_funptr", "c_int32_t", "c_int64_t"]); // of the table
    let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
    push_wrapped(&mut text, "  ", &format!("use, intrinsic :: iso_c_binding, only: {kinds}"));
    text.push_str("  implicit none\n");
    push_wrapped(&mut text, "  ", &format!("private :: {kinds}"));
    table(&mut text, header);
    for callback in &header.callbacks {
        text.push_str("\n  abstract interface\n");
        Procedure::new(header, callback).write(&mut text, callback, false);
        text.push_str("  end interface\n");
    }
    text.push_str("\n  interface\n");
    for (i, function) in header.functions.iter().enumerate() {
        text.push_str(if i == 0 { "" } else { "\n" });
        Procedure::new(header, function).write(&mut text, function, true);
    }
    text.push_str("  end interface\nend module pintle_raw\n");
    text
}

/// Panics at names that Fortran cannot distinguish: it ignores case and allows 63 characters.
fn check_names(header: &Header) {
    let mut seen = BTreeSet::from(["pintle_raw".to_owned(), "pintle_constants".to_owned(), "pintle".to_owned()]);
    let functions = header.functions.iter().chain(&header.callbacks).map(|one| &one.name);
    for name in header.constants.iter().map(|one| &one.name).chain(functions).chain([&"pintle_api".to_owned()]) {
        assert!(name.to_lowercase().starts_with("pintle_"), "{name} is not a name of pintle");
        assert!(name.len() + "c_".len() <= 63, "{name} is too long for Fortran");
        assert!(seen.insert(name.to_lowercase()), "{name} stands twice if case is ignored");
    }
}

fn constants(text: &mut String, header: &Header) {
    text.push_str("\nmodule pintle_constants\n  use, intrinsic :: iso_c_binding, only: c_int32_t\n");
    text.push_str("  implicit none\n  private :: c_int32_t\n");
    for constant in &header.constants {
        text.push('\n');
        push_comment(text, "  ", &constant.doc);
        let (name, value) = (&constant.name, constant.value);
        writeln!(text, "  integer(c_int32_t), parameter :: {name} = {value}_c_int32_t").expect("text");
    }
    text.push_str("end module pintle_constants\n");
}

fn table(text: &mut String, header: &Header) {
    text.push_str("\n  ! All functions but pintle_get_api, for hosts that load the library at run time.\n");
    text.push_str("  type, bind(c) :: pintle_api\n");
    for Member { name, base, .. } in &header.table {
        let fortran = match base.as_deref() {
            None => "type(c_funptr)".to_owned(),
            Some(base) => scalar(base).unwrap_or_else(|| panic!("member {name} of pintle_api: {base}")).0,
        };
        writeln!(text, "    {fortran} :: {name}").expect("text");
    }
    text.push_str("  end type pintle_api\n");
}

/// The Fortran interface of a function.
struct Procedure {
    declarations: Vec<String>,
    result: String,
    /// The names of iso_c_binding and of the module that the declarations use.
    kinds: BTreeSet<&'static str>,
    types: BTreeSet<&'static str>,
}

impl Procedure {
    fn new(header: &Header, function: &Function) -> Self {
        let mut kinds = BTreeSet::new();
        let mut types = BTreeSet::new();
        let is_callback = header.callbacks.iter().any(|one| one.name == function.name);
        let mut declarations = Vec::new();
        for parameter in &function.parameters {
            let (words, kind) = declare(header, parameter, is_callback)
                .unwrap_or_else(|why| panic!("{}, parameter {}: {why}", function.name, parameter.name));
            if kind == "pintle_api" {
                types.insert(kind)
            } else {
                kinds.insert(kind)
            };
            declarations.push(format!("{words} :: {}{}", parameter.name, shape(parameter, &words)));
        }
        let (result, kind) = match function.result.as_str() {
            "const char *" => ("type(c_ptr)".to_owned(), "c_ptr"),
            base => scalar(base).unwrap_or_else(|| panic!("{} returns {base}", function.name)),
        };
        kinds.insert(kind);
        Self { declarations, result, kinds, types }
    }

    fn write(&self, text: &mut String, function: &Function, is_bound: bool) {
        push_comment(text, "    ", &first_sentence(&function.doc));
        let names: Vec<_> = function.parameters.iter().map(|one| one.name.as_str()).collect();
        // The result needs a name that no parameter has.
        let result = if function.result == "int32_t" { "code" } else { "text" };
        assert!(!names.contains(&result), "{} has a parameter named {result}", function.name);
        let binding = if is_bound { format!("bind(c, name=\"{}\")", function.name) } else { "bind(c)".to_owned() };
        let name = if is_bound { fortran_name(function) } else { function.name.clone() };
        push_wrapped(text, "    ", &format!("function {name}({}) {binding} result({result})", names.join(", ")));
        let imported: Vec<_> = self.kinds.iter().chain(&self.types).copied().collect();
        writeln!(text, "      import :: {}\n      implicit none", imported.join(", ")).expect("text");
        for declaration in &self.declarations {
            writeln!(text, "      {declaration}").expect("text");
        }
        writeln!(text, "      {} :: {result}\n    end function {name}", self.result).expect("text");
    }
}

/// The Fortran name. It differs from the C name, because module pintle has procedures of that name,
/// and a program may use both modules.
pub fn fortran_name(function: &Function) -> String {
    format!("c_{}", function.name)
}

/// Type and attributes, and the kind that they use. The shape is written after the parameter's
/// name.
fn declare(header: &Header, parameter: &Parameter, is_callback: bool) -> Result<(String, &'static str), String> {
    let base = parameter.base.as_str();
    let is_handle = base == "void" || header.handles.iter().any(|handle| handle == base);
    let receives = parameter.doc.starts_with("receives");
    let by_value = |(fortran, kind): (String, &'static str)| (format!("{fortran}, value"), kind);
    match (parameter.stars, parameter.is_const) {
        (0, _) if header.callbacks.iter().any(|one| one.name == base) => {
            Ok(by_value(("type(c_funptr)".to_owned(), "c_funptr")))
        }
        (0, _) => scalar(base).map(by_value).ok_or_else(|| format!("unknown type {base}")),
        (1, _) if is_handle => Ok(by_value(("type(c_ptr)".to_owned(), "c_ptr"))),
        (2, _) if is_handle => {
            Ok((format!("type(c_ptr), intent({})", if receives { "out" } else { "inout" }), "c_ptr"))
        }
        (1, false) if base == "pintle_api" => Ok(("type(pintle_api), intent(out)".to_owned(), "pintle_api")),
        (1, true) if parameter.doc.contains("may be NULL") => Ok(by_value(("type(c_ptr)".to_owned(), "c_ptr"))),
        (1, is_const) => {
            let (fortran, kind) = scalar(base).ok_or_else(|| format!("unknown type {base}"))?;
            if is_const && parameter.dimensions.is_empty() && base != "char" {
                return Err("the comment must give its shape, as in `[n][6]`".to_owned());
            }
            // Outputs of a callback arrive zeroed, and what it does not set must stay zero.
            let intent = match (is_const, is_callback) {
                (true, _) => "in",
                (false, true) => "inout",
                (false, false) => "out",
            };
            Ok((format!("{fortran}, intent({intent})"), kind))
        }
        _ => Err(format!("no rule for {base} with {} stars", parameter.stars)),
    }
}

fn scalar(base: &str) -> Option<(String, &'static str)> {
    let (fortran, kind) = match base {
        "double" => ("real(c_double)", "c_double"),
        "int32_t" => ("integer(c_int32_t)", "c_int32_t"),
        "int64_t" => ("integer(c_int64_t)", "c_int64_t"),
        "uint8_t" => ("integer(c_int8_t)", "c_int8_t"),
        "char" => ("character(kind=c_char)", "c_char"),
        _ => return None,
    };
    Some((fortran.to_owned(), kind))
}

/// `[n][6]` is `(6, n)`; matrices get both their dimensions.
fn shape(parameter: &Parameter, words: &str) -> String {
    let dimensions: Vec<_> = parameter.dimensions.iter().rev().map(String::as_str).collect();
    match dimensions.as_slice() {
        _ if words.contains("c_ptr") => String::new(),
        [] if words.contains("c_char") => "(*)".to_owned(),
        [] => String::new(),
        ["36"] => "(6, 6)".to_owned(),
        ["9"] => "(3, 3)".to_owned(),
        all => format!("({})", all.join(", ")),
    }
}

fn first_sentence(doc: &str) -> String {
    let end = doc.find(". ").or(doc.find("; ")).unwrap_or(doc.len());
    format!("{}.", doc[..end].trim_end_matches('.'))
}

pub(crate) fn push_comment(text: &mut String, indent: &str, words: &str) {
    let mut line = format!("{indent}!");
    for word in words.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            writeln!(text, "{line}").expect("text");
            line = format!("{indent}!");
        }
        write!(line, " {word}").expect("text");
    }
    writeln!(text, "{line}").expect("text");
}

/// A statement, continued on further lines if it is too long.
pub(crate) fn push_wrapped(text: &mut String, indent: &str, statement: &str) {
    let mut line = indent.to_owned();
    for (i, word) in statement.split(' ').enumerate() {
        if line.len() + 1 + word.len() + 2 > WIDTH {
            writeln!(text, "{line} &").expect("text");
            line = format!("{indent}    ");
        }
        let gap = if i == 0 || line.trim().is_empty() { "" } else { " " };
        write!(line, "{gap}{word}").expect("text");
    }
    writeln!(text, "{line}").expect("text");
}
