//! `--set body.hull.mass=1200`: values of a model file that the command line replaces before the
//! library reads the text.

use crate::failure::{Failure, Outcome};
use pintle::error::did_you_mean;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text with one value replaced. `name` is a key of the file (`gravity`), of a table
/// (`environment.depth`) or of an entity (`body.hull.mass`, `body.0.load.wrench`, `hull.mass` if one
/// entity alone has this name); lines keep their numbers. Errors: no such entity or key; the value
/// is no TOML.
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

/// The line, from 1, of a value with a name as in [`replace`].
pub fn line(text: &str, name: &str) -> Option<usize> {
    let root = DeTable::parse(text).ok()?;
    let span = find(root.get_ref(), name).ok()?;
    Some(1 + text[..span.start].matches('\n').count())
}

/// The place of a value in the text. Errors: in words.
fn find(root: &DeTable, name: &str) -> Result<std::ops::Range<usize>, String> {
    let (first, rest) = name.split_once('.').unwrap_or((name, ""));
    let Some(value) = root.get(first) else { return by_name_alone(root, name, first) };
    match value.get_ref() {
        DeValue::Array(tables) if !rest.is_empty() => {
            let (entity, key) = entity(tables, first, rest)?;
            inside(entity, &format!("this {first}"), key)
        }
        _ if rest.is_empty() => Ok(value.span()),
        _ => inside(value, first, rest),
    }
}

/// The place of a value of the entity with a name, of whatever kind.
fn by_name_alone(root: &DeTable, name: &str, first: &str) -> Result<std::ops::Range<usize>, String> {
    let kinds = || root.iter().filter_map(|(kind, list)| Some((&**kind.get_ref(), list.get_ref().as_array()?)));
    let found: Vec<_> = kinds().filter_map(|(kind, list)| Some((kind, named(list, name)?))).collect();
    match found[..] {
        [(kind, (entity, key))] => inside(entity, &format!("this {kind}"), key),
        [] => {
            let names: Vec<&str> = kinds().flat_map(|(_, list)| list.iter().filter_map(name_of)).collect();
            Err(missing("the file", first, root, &names))
        }
        _ => {
            let names: Vec<String> = found.iter().map(|(kind, _)| format!("{kind}.{name}")).collect();
            Err(format!("the file has several: {}", names.join(", ")))
        }
    }
}

fn name_of<'d>(entity: &'d Spanned<DeValue>) -> Option<&'d str> {
    entity.get_ref().as_table()?.get("name")?.get_ref().as_str()
}

/// The table of the entity with which the rest of a name begins, and the key after it. A name may
/// contain dots.
fn named<'d, 'n>(tables: &'d [Spanned<DeValue<'d>>], rest: &'n str) -> Option<(&'d Spanned<DeValue<'d>>, &'n str)> {
    let key_of = |name: &str| rest.strip_prefix(name)?.strip_prefix('.');
    tables.iter().filter_map(|one| Some((one, key_of(name_of(one)?)?))).min_by_key(|(_, key)| key.len())
}

/// The table of an entity, by its name (which may contain dots) or its id, and the rest of the
/// name.
fn entity<'d, 'n>(
    tables: &'d [Spanned<DeValue<'d>>],
    kind: &str,
    rest: &'n str,
) -> Result<(&'d Spanned<DeValue<'d>>, &'n str), String> {
    if let Some(found) = named(tables, rest) {
        return Ok(found);
    }
    let (called, key) = rest.split_once('.').unwrap_or((rest, ""));
    let by_id = called.parse::<usize>().ok().and_then(|id| tables.get(id));
    by_id.map(|one| (one, key)).ok_or_else(|| {
        let near = did_you_mean(called, &mut tables.iter().filter_map(name_of));
        format!("no {kind} of the file has the name or id \"{called}\"{near}")
    })
}

/// The place of a value in a table, with dots between the keys of tables in it.
fn inside(table: &Spanned<DeValue>, whose: &str, name: &str) -> Result<std::ops::Range<usize>, String> {
    let (key, rest) = name.split_once('.').unwrap_or((name, ""));
    let Some(entries) = table.get_ref().as_table() else { return Err(format!("{whose} is no table")) };
    let value = entries.get(key).ok_or_else(|| missing(whose, key, entries, &[]))?;
    if rest.is_empty() { Ok(value.span()) } else { inside(value, key, rest) }
}

/// `names` are meant by slips, too.
fn missing(whose: &str, key: &str, entries: &DeTable, names: &[&str]) -> String {
    let keys: Vec<&str> = entries.keys().map(|key| &**key.get_ref()).collect();
    let near = did_you_mean(key, &mut keys.iter().chain(names).copied());
    format!("{whose} has no \"{key}\" to replace; it has {}{near}", keys.join(", "))
}
