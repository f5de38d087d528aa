//! The ABI as checked-in lists that compiled programs and sources of hosts rely on: the members of
//! `pintle_api` with their offsets, the exported names, the declarations of functions and the
//! values of constants.
//!
//! Under one ABI number entries are only added: each list is read before it is written, and a
//! changed entry is an error. `tests/abi/header.rs` and `tests/abi_proofs` compare them with the
//! header and with the library.

use std::fmt::Write;

use crate::header::{Function, Header};
use crate::read;

/// The members of `pintle_api`: offset and declaration.
pub const TABLE: &str = "tests/abi_proofs/pintle_api.txt";
/// The exported names.
pub const SYMBOLS: &str = "tests/abi_proofs/symbols.txt";
/// Constants and declarations, for a C compiler to compare.
pub const DECLARATIONS: &str = "tests/c/api_consts.c";

/// The functions of `pintle_api` in their present order, without `pintle_`; none if the list has an
/// older ABI number.
pub fn members() -> Vec<String> {
    let name = |line: &String| Some(line.split_once("(*")?.1.split_once(')')?.0.to_owned());
    promised(TABLE, abi_of_sources()).iter().filter_map(name).collect()
}

/// The list of members of the table; panics if a member of the old list has changed.
pub fn table(header: &Header) -> String {
    let mut offset = 0;
    let mut lines = Vec::new();
    for member in &header.table {
        lines.push(format!("{offset} {}", member.declaration));
        offset += if member.base.as_deref() == Some("int32_t") { 4 } else { 8 };
    }
    let promised = promised(TABLE, abi(header));
    for (old, new) in promised.iter().zip(&lines) {
        assert!(
            old == new,
            "programs that were compiled before would break: {TABLE} promises\n  {old}\nand the sources have\n  {new}\n\
             Undo the change, or raise PINTLE_ABI (docs/abi.md); if no release had it, take the line out of the list."
        );
    }
    list(header, &lines)
}

/// The list of exported names, in alphabetic order.
pub fn symbols(header: &Header) -> String {
    let mut names: Vec<_> = header.functions.iter().map(|one| one.name.clone()).collect();
    names.sort_unstable();
    let lost: Vec<_> = promised(SYMBOLS, abi(header)).into_iter().filter(|old| !names.contains(old)).collect();
    assert!(lost.is_empty(), "compiled programs call what is gone: {lost:?}. Undo that, or raise PINTLE_ABI");
    list(header, &names)
}

/// Constants and declarations: old ones are kept, new ones appended. A C compiler compares them
/// with the header.
pub fn declarations(header: &Header) -> String {
    let mut text = read(DECLARATIONS);
    for constant in &header.constants {
        let (name, value) = (&constant.name, constant.value);
        if text.contains(&format!("SAME({name}, ")) {
            continue;
        }
        // After the last one of its family (such as PINTLE_ERR_) with a lower value.
        let family: String = name.splitn(3, '_').take(2).flat_map(|word| [word, "_"]).collect();
        let is_before = |line: &&str| {
            let rest = line.strip_prefix(&format!("SAME({family}")).and_then(|rest| rest.split_once(", "));
            rest.and_then(|(_, number)| number.strip_suffix(");")?.parse::<i64>().ok()).is_some_and(|x| x < value)
        };
        let last = text.lines().rfind(is_before).or(text.lines().rfind(|line| line.starts_with("SAME(")));
        let last = last.expect("constants").to_owned();
        text = text.replacen(&last, &format!("{last}\nSAME({name}, {value});"), 1);
    }
    for callback in &header.callbacks {
        if !text.contains(&format!("(*{})(", callback.name)) {
            let spelt = callback.declaration.replacen(&callback.name, &format!("(*{})", callback.name), 1);
            push_wrapped(&mut text, &format!("typedef {spelt};"));
        }
    }
    let is_new =
        |one: &&Function| !text.contains(&format!(" {}(", one.name)) && !text.contains(&format!("*{}(", one.name));
    let new: Vec<_> = header.functions.iter().filter(is_new).map(|one| format!("{};", one.declaration)).collect();
    for declaration in new {
        push_wrapped(&mut text, &declaration);
    }
    text
}

/// A C declaration, with one parameter per line if it is too long for one line.
fn push_wrapped(text: &mut String, declaration: &str) {
    let indent = declaration.rfind(")(").map_or_else(|| declaration.find('(').expect("a function") + 1, |at| at + 2);
    let mut line = String::new();
    for word in declaration.split_inclusive(", ") {
        if line.len() + word.trim_end().len() > 120 {
            writeln!(text, "{}", line.trim_end()).expect("text");
            line = " ".repeat(indent);
        }
        line.push_str(word);
    }
    writeln!(text, "{line}").expect("text");
}

/// The lines of a list; none if it belongs to another ABI number.
fn promised(path: &str, abi: i64) -> Vec<String> {
    let text = std::fs::read_to_string(crate::root().join(path)).unwrap_or_default();
    let mut lines = text.lines().map(str::to_owned);
    if lines.next().is_some_and(|heading| heading == format!("abi {abi}")) { lines.collect() } else { vec![] }
}

fn list(header: &Header, lines: &[String]) -> String {
    format!("abi {}\n{}\n", abi(header), lines.join("\n"))
}

/// `PINTLE_ABI` of a header.
pub fn abi(header: &Header) -> i64 {
    header.constants.iter().find(|one| one.name == "PINTLE_ABI").expect("PINTLE_ABI").value
}

fn abi_of_sources() -> i64 {
    let text = read("src/capi/library.rs");
    let (_, rest) = text.split_once("pub const PINTLE_ABI: i32 = ").expect("PINTLE_ABI");
    rest.split_once(';').expect("a number").0.parse().expect("a number")
}
