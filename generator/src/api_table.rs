//! `src/capi/api_table.rs`: the struct of pointers to all functions, and its one instance.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::sources::{Entry, module_of_type};
use crate::{formatted, read};

/// The text, formatted. `promised` are the members of the present ABI, in their order; new ones are
/// appended.
pub fn text(entries: &[Entry], promised: &[String]) -> String {
    let find = |member: &String| {
        let entry = entries.iter().find(|one| one.name["pintle_".len()..] == **member);
        entry.unwrap_or_else(|| {
            panic!(
                "pintle_{member} is gone from src/capi, and compiled programs call it. Undo that, or raise PINTLE_ABI \
                 (docs/abi.md); if no release had it, take its line out of {}",
                crate::contract::TABLE
            )
        })
    };
    let known = promised.iter().map(find);
    let new = entries.iter().filter(|one| promised.iter().all(|member| one.name["pintle_".len()..] != **member));
    let members: Vec<_> = known.chain(new).collect();

    let (mut fields, mut values) = (String::new(), String::new());
    for entry in &members {
        let (member, module, name) = (&entry.name["pintle_".len()..], &entry.module, &entry.name);
        writeln!(fields, "pub {member}: {},", entry.pointer).expect("text");
        writeln!(values, "{member}: {module}::{name},").expect("text");
    }

    let modules: BTreeSet<_> = entries.iter().map(|one| one.module.as_str()).chain(["library"]).collect();
    let types: BTreeSet<_> = members.iter().flat_map(|one| own_types(&one.pointer)).collect();
    let mut uses = format!("use super::{{{}}};\n", modules.into_iter().collect::<Vec<_>>().join(", "));
    for one in types.iter().filter(|one| one.ends_with("_fn")) {
        writeln!(uses, "use super::{}::{one};", module_of_type(one)).expect("text");
    }
    let handles: Vec<_> = types.into_iter().filter(|one| !one.ends_with("_fn")).collect();
    let template = read("generator/hand_written/api_table.rs");
    let text = template
        .replace("HANDLES", &handles.join(", "))
        .replace("// generated: uses\n", &uses)
        .replace("// generated: members\n", &fields)
        .replace("// generated: values\n", &values);
    formatted(&text)
}

/// Types of the library that a signature uses.
fn own_types(pointer: &str) -> Vec<String> {
    let words = pointer.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("pintle_")).map(str::to_owned).collect()
}
