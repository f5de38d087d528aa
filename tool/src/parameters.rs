//! `--set body.hull.mass=1200`: values of a model file that the command line replaces before the
//! library reads the text.

use crate::failure::{Failure, Outcome};
use pintle::error::did_you_mean;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text with one value replaced. `name` is a key of the file (`gravity`), of a table
/// (`environment.depth`) or of an entity (`body.hull.mass`, `body.0.load.wrench`); lines keep their
/// numbers. Errors: no such entity or key; the value is no TOML.
pub fn replace(text: &str, name: &str, value: &str) -> Outcome<String> {
    let refused = |what: String| Failure::Input(format!("--set {name}={value}: {what}"));
    if let Err(error) = DeValue::parse(value) {
        let why = error.message().trim_end().replace('\n', "; ");
        return Err(refused(format!("the value is no TOML (text stands in \"quotes\"): {why}")));
    }
    // The library tells errors of the file with their lines.
    let Ok(root) = DeTable::parse(text) else { return Ok(text.to_owned()) };
    let span = find(root.get_ref(), name).map_err(refused)?;
    // As many lines as before: only arrays have several.
    let lines = text[span.clone()].matches('\n').count().saturating_sub(value.matches('\n').count());
    let (start, end) = value.split_at(value.rfind(']').unwrap_or(value.len()));
    let padding = if end.is_empty() { String::new() } else { "\n".repeat(lines) };
    Ok([&text[..span.start], start, &padding, end, &text[span.end..]].concat())
}

/// The place of a value in the text. Errors: in words.
fn find(root: &DeTable, name: &str) -> Result<std::ops::Range<usize>, String> {
    let (first, rest) = name.split_once('.').unwrap_or((name, ""));
    let value = root.get(first).ok_or_else(|| missing("the file", first, root))?;
    match value.get_ref() {
        DeValue::Array(tables) if !rest.is_empty() => {
            let (entity, key) = entity(tables, first, rest)?;
            inside(entity, &format!("this {first}"), key)
        }
        _ if rest.is_empty() => Ok(value.span()),
        _ => inside(value, first, rest),
    }
}

/// The table of an entity, by its name (which may contain dots) or its id, and the rest of the
/// name.
fn entity<'d, 'n>(
    tables: &'d [Spanned<DeValue<'d>>],
    kind: &str,
    rest: &'n str,
) -> Result<(&'d Spanned<DeValue<'d>>, &'n str), String> {
    let named = |one: &'d Spanned<DeValue<'d>>| one.get_ref().as_table()?.get("name")?.get_ref().as_str();
    let key_of = |name: &str| rest.strip_prefix(name)?.strip_prefix('.');
    let by_name = tables.iter().filter_map(|one| Some((one, key_of(named(one)?)?)));
    if let Some(found) = by_name.min_by_key(|(_, key)| key.len()) {
        return Ok(found);
    }
    let (called, key) = rest.split_once('.').unwrap_or((rest, ""));
    let by_id = called.parse::<usize>().ok().and_then(|id| tables.get(id));
    by_id.map(|one| (one, key)).ok_or_else(|| {
        let near = did_you_mean(called, &mut tables.iter().filter_map(named));
        format!("no {kind} of the file has the name or id \"{called}\"{near}")
    })
}

/// The place of a value in a table, with dots between the keys of tables in it.
fn inside(table: &Spanned<DeValue>, whose: &str, name: &str) -> Result<std::ops::Range<usize>, String> {
    let (key, rest) = name.split_once('.').unwrap_or((name, ""));
    let Some(entries) = table.get_ref().as_table() else { return Err(format!("{whose} is no table")) };
    let value = entries.get(key).ok_or_else(|| missing(whose, key, entries))?;
    if rest.is_empty() { Ok(value.span()) } else { inside(value, key, rest) }
}

fn missing(whose: &str, key: &str, entries: &DeTable) -> String {
    let keys: Vec<&str> = entries.keys().map(|key| &**key.get_ref()).collect();
    let near = did_you_mean(key, &mut keys.iter().copied());
    format!("{whose} has no \"{key}\" to replace; it has {}{near}", keys.join(", "))
}
