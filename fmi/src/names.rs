//! Names of variables by FMI's structured naming convention: `body.hull.load.fx`,
//! `joint.'yaw bearing'.angle`.
//!
//! A name is kind, label and suffix. The label is the name of the entity, quoted unless it is an
//! identifier; an entity without one is called `body3`. Characters that the convention does not
//! allow are written as `{u00fc}`.

use pintle::{EntityKind, Id, Simulation};
use std::fmt::Write;

/// Characters that the convention allows between quotes besides letters, digits and the underscore;
/// without the opening brace, which begins an escaped character.
const IN_QUOTES: &str = "!#$%&()*+,-./:;<>=?@[]^}|~ ";

/// A name as one part of a structured name: as it is, or quoted.
pub fn quoted(name: &str) -> String {
    let mut characters = name.chars();
    let is_letter = |c: char| c == '_' || c.is_ascii_alphabetic();
    if characters.next().is_some_and(is_letter) && characters.all(|c| is_letter(c) || c.is_ascii_digit()) {
        return name.to_owned();
    }
    let mut out = String::from("'");
    for c in name.chars() {
        match c {
            '\'' | '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_ascii_alphanumeric() || c == '_' || IN_QUOTES.contains(c) => out.push(c),
            // Writing to a string does not fail.
            c => drop(write!(out, "{{u{:04x}}}", u32::from(c))),
        }
    }
    out.push('\'');
    out
}

/// Suffixes with the numbers of segments and nodes as indices: `tension.3` becomes `tension[3]`.
fn indexed(suffix: &str) -> String {
    let mut out = String::new();
    for part in suffix.split('.') {
        if !out.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            out.extend(["[", part, "]"]);
        } else {
            let dot = if out.is_empty() { "" } else { "." };
            out.extend([dot, &quoted(part)]);
        }
    }
    out
}

/// The beginning of the names of an entity's variables: kind and label.
pub fn of_entity(system: &Simulation, kind: EntityKind, id: Id) -> pintle::Result<String> {
    let given = system.description().name(kind, id)?;
    let is_taken = |name: &str| system.description().find(kind, name);
    let label = if is_taken(&given) == Ok(id) {
        given
    } else {
        // The label of an entity without a name, which another entity may have as its name.
        let mut label = format!("{}{id}", kind.name().replace(' ', "_"));
        while is_taken(&label).is_ok() {
            label.insert(0, '#');
        }
        label
    };
    Ok(format!("{}.{}", kind.name().replace(' ', "_"), quoted(&label)))
}

/// A variable of an entity, or one of the whole system where there is no owner.
pub fn variable(owner: Option<&str>, suffix: &str) -> String {
    match owner {
        Some(owner) => format!("{owner}.{}", indexed(suffix)),
        None => indexed(suffix),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_the_convention_asks_for_it() {
        let cases = [
            ("hull", "hull"),
            ("_a1", "_a1"),
            ("1st", "'1st'"),
            ("tower top", "'tower top'"),
            ("it's", "'it\\'s'"),
            ("a\\b", "'a\\\\b'"),
            ("Z\u{fc}rich`", "'Z{u00fc}rich{u0060}'"),
            ("a.b", "'a.b'"),
            // Not that of the letter itself.
            ("{u00fc}", "'{u007b}u00fc}'"),
        ];
        for (name, expected) in cases {
            assert_eq!(quoted(name), expected);
        }
    }

    #[test]
    fn numbers_in_suffixes_are_indices() {
        assert_eq!(variable(Some("line.a"), "tension.3"), "line.a.tension[3]");
        assert_eq!(variable(Some("line.a"), "node3.x"), "line.a.node3.x");
        assert_eq!(variable(None, "energy.kinetic"), "energy.kinetic");
    }

    #[test]
    fn entities_without_names_step_aside() {
        let mut system = Simulation::new();
        let pose = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        for _ in 0..3 {
            system.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap();
        }
        system.build().set_name(EntityKind::Body, 0, "body1").unwrap();
        system.build().set_name(EntityKind::Body, 2, "#body1").unwrap();
        let names: Vec<String> = (0..3).map(|id| of_entity(&system, EntityKind::Body, id).unwrap()).collect();
        assert_eq!(names, ["body.body1", "body.'##body1'", "body.'#body1'"]);
    }
}
