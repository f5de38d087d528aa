//! The kind of a parameter, from its C type, its name and its comment; all wrappers and calls are
//! generated from it.
//!
//! The comments of `src/capi` use fixed phrases, which are parsed here: an id is "id", "id of ..."
//! or "ids"; a flag starts with "1 or 0" or "1 if"; a frame names PINTLE_FRAME_, a kind of joint
//! PINTLE_JOINT_; a batch says `[n][6]`; the length of one is "the number of bodies"; an optional
//! pointer "may be NULL".

use crate::header::{Function, Header, Parameter};

/// The kind of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A system that is read; one that is changed.
    System {
        /// True if the function does not change it.
        is_const: bool,
    },
    /// A parameter that needs hand-written code: a handle that is created or freed, a state.
    Special,
    /// A function of the host, of this type; NULL is none.
    Callback(String),
    /// The host's pointer for its function.
    User,
    /// A number of PINTLE_FRAME_, of PINTLE_JOINT_, 1 or 0.
    Frame,
    /// A kind of joint.
    JointKind,
    /// 1 or 0.
    Flag,
    /// The id of an entity of this kind, "body"; with `or_ground`, PINTLE_GROUND as well.
    Id {
        /// "body".
        kind: String,
        /// Whether PINTLE_GROUND is allowed.
        or_ground: bool,
    },
    /// Any other integer.
    Integer,
    /// The length of a batch, and of which kind of entity it is the number, if the comment says so.
    Length(Option<String>),
    /// A finite number; one that may not be negative.
    Real,
    /// An input array of fixed size; NULL is allowed if `optional`.
    Array {
        /// Their number.
        size: usize,
        /// Whether NULL is allowed.
        optional: bool,
    },
    /// An input array of rows of this many numbers; a parameter has the number of rows.
    Batch(usize),
    /// An input array of integers; a parameter has its length.
    Ids,
    /// Input text.
    Text,
    /// Size of a buffer, the buffer, and the length of the text.
    Cap,
    /// The buffer.
    Buffer,
    /// The length of the whole text.
    TextLength,
    /// An output integer; NULL is allowed if `optional`.
    OutInteger {
        /// Whether NULL is allowed.
        optional: bool,
        /// Whether it is the id of an entity.
        is_id: bool,
    },
    /// An output real number.
    OutReal {
        /// Whether NULL is allowed.
        optional: bool,
    },
    /// An output array of fixed size.
    OutArray {
        /// Their number.
        size: usize,
        /// Whether NULL is allowed.
        optional: bool,
    },
    /// An output array of rows of this many numbers.
    OutBatch(usize),
    /// Anything else; needs hand-written code.
    Unknown,
}

use Shape::*;

impl Shape {
    /// True if the function writes it.
    pub fn is_output(&self) -> bool {
        matches!(self, OutInteger { .. } | OutReal { .. } | OutArray { .. } | OutBatch(_))
    }

    /// True if it has rows whose number is another parameter.
    pub fn is_batch(&self) -> bool {
        matches!(self, Batch(_) | OutBatch(_) | Ids)
    }

    /// Whether NULL is allowed.
    pub fn is_optional(&self) -> bool {
        match self {
            Array { optional, .. } | OutInteger { optional, .. } | OutReal { optional } | OutArray { optional, .. } => {
                *optional
            }
            Callback(_) | User => true,
            _ => false,
        }
    }
}

/// The shapes of all parameters of a function.
pub fn shapes(header: &Header, function: &Function) -> Vec<Shape> {
    function.parameters.iter().map(|one| shape(header, function, one)).collect()
}

fn shape(header: &Header, function: &Function, parameter: &Parameter) -> Shape {
    let doc = parameter.doc.as_str();
    let optional = doc.contains("may be NULL");
    let size = match parameter.dimensions.as_slice() {
        [one] => one.parse().ok(),
        _ => None,
    };
    let row = match parameter.dimensions.as_slice() {
        [length, row] if function.parameters.iter().any(|one| one.name == *length) => row.parse().ok(),
        _ => None,
    };
    match (parameter.base.as_str(), parameter.stars, parameter.is_const) {
        ("pintle_system", 1, is_const) => System { is_const },
        (base, _, _) if header.handles.iter().any(|one| one == base) => Special,
        ("pintle_api", ..) => Special,
        ("void", 1, _) => User,
        (base, 0, _) if header.callbacks.iter().any(|one| one.name == base) => Callback(base.to_owned()),
        ("int32_t", 0, _) => integer(function, parameter),
        ("double", 0, _) => Real,
        ("int32_t", 1, true) if parameter.dimensions.len() == 1 && size.is_none() => Ids,
        ("char", 1, true) => Text,
        ("char", 1, false) => Buffer,
        ("int32_t", 1, false) if parameter.name == "len" => TextLength,
        ("int32_t", 1, false) if parameter.dimensions.is_empty() => {
            OutInteger { optional, is_id: doc.contains("the id") }
        }
        ("double", 1, false) if parameter.dimensions.is_empty() => OutReal { optional },
        ("double", 1, is_const) => match (size, row, is_const) {
            (Some(size), _, true) => Array { size, optional },
            (Some(size), _, false) => OutArray { size, optional },
            (_, Some(row), true) => Batch(row),
            (_, Some(row), false) => OutBatch(row),
            _ => Unknown,
        },
        _ => Unknown,
    }
}

fn integer(function: &Function, parameter: &Parameter) -> Shape {
    let doc = parameter.doc.as_str();
    let at = function.parameters.iter().position(|one| one.name == parameter.name).expect("its own parameter");
    if function.parameters.get(at + 1).is_some_and(|next| next.base == "char" && !next.is_const) {
        return Cap;
    }
    let is_size = |one: &Parameter| one.dimensions.first().is_some_and(|size| *size == parameter.name);
    if function.parameters.iter().any(is_size) {
        let words = ["the number of ", "number of "].iter().find_map(|start| doc.strip_prefix(start));
        return Length(words.and_then(|rest| rest.split([' ', '.', ',', ';', '(']).next()).map(singular));
    }
    if doc.contains("PINTLE_FRAME_") {
        Frame
    } else if doc.contains("PINTLE_JOINT_") {
        JointKind
    } else if ["1 or 0", "0 or 1", "1 if", "0 if"].iter().any(|start| doc.starts_with(start)) {
        Flag
    } else if doc == "id" || ["id ", "id;", "id,", "id.", "ids;", "ids,"].iter().any(|start| doc.starts_with(start)) {
        // "body_a" is a body.
        let kind = parameter.name.split('_').next().expect("a word").to_owned();
        Id { kind, or_ground: doc.contains("PINTLE_GROUND") }
    } else {
        Integer
    }
}

/// "bodies" is "body".
fn singular(plural: &str) -> String {
    match plural.strip_suffix("ies") {
        Some(start) => format!("{start}y"),
        None => plural.trim_end_matches('s').to_owned(),
    }
}
