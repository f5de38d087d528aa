//! docs/schemes.md agrees with the library: its table has every scheme and no other; options,
//! statistics, functions, statuses and pictures that it names exist.

use pintle::{Error, Simulation};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Words in backquotes.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// First cells of the table whose head begins with a word.
fn first_cells<'a>(page: &'a str, head: &str) -> Vec<&'a str> {
    let rows = page.lines().skip_while(|line| !line.starts_with(&format!("| {head} |"))).skip(2);
    rows.take_while(|line| line.starts_with('|')).map(|line| line.split('|').nth(1).unwrap_or("").trim()).collect()
}

/// The names that the library knows, as its refusal of an unknown one lists them.
fn known() -> BTreeSet<String> {
    let Err(error @ Error::BadValue { .. }) = Simulation::new().settings().set_scheme("?") else {
        panic!("not refused")
    };
    let text = error.to_string();
    let (_, list) = text.split_once("known: ").expect("the refusal lists the known names");
    let names = list.split(", ").map(|name| name.rsplit(' ').next().unwrap_or(name).to_owned());
    names.collect()
}

/// A name that may be set: beulerN as beuler5.
fn example(name: &str) -> String {
    name.strip_suffix('N').map_or(name.to_owned(), |family| format!("{family}5"))
}

#[test]
fn the_table_has_every_scheme_of_the_library_and_no_other() {
    let page = read("docs/schemes.md");
    let rows = first_cells(&page, "name");
    let table: BTreeSet<String> = rows.iter().map(|cell| cell.trim_matches('`').to_owned()).collect();
    assert_eq!(table.len(), rows.len(), "a name stands twice: {rows:?}");
    assert_eq!(table, known());
    assert_eq!(table.len(), 23, "README.md counts them");
    for name in &table {
        Simulation::new().settings().set_scheme(&example(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn options_and_statistics_of_the_page_exist() {
    let page = read("docs/schemes.md");
    let mut sim = Simulation::new();
    let listed = first_cells(&page, "option").join(" ");
    assert!(!listed.is_empty());
    for option in quoted(&listed) {
        assert!(sim.given().option(option).is_ok(), "{option} is no option");
    }
    sim.build()
        .add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        .unwrap();
    sim.initialize(0.0).unwrap();
    // every other lower-case word in backquotes is a scheme, an option or a statistic; functions
    // stand in the header
    let header = read("include/pintle.h");
    let is_key =
        |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == '-' || c.is_ascii_digit());
    let names = known();
    for word in quoted(&page).into_iter().filter(is_key) {
        let exists = names.contains(word)
            || Simulation::new().settings().set_scheme(word).is_ok()
            || sim.given().option(word).is_ok()
            || sim.outputs().statistic(word).is_ok()
            || header.contains(&format!("{word}("));
        assert!(exists, "{word} is no scheme, option, statistic or function");
    }
    for status in quoted(&page).into_iter().filter(|word| word.starts_with("PINTLE_")) {
        assert!(header.contains(status), "{status} is not in the header");
    }
}

#[test]
fn defaults_of_the_page_are_those_of_the_library() {
    let page = read("docs/schemes.md");
    let sim = Simulation::new();
    let rows = page.lines().skip_while(|line| !line.starts_with("| option |")).skip(2);
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for (key, default) in cells[1].split(", ").zip(cells[2].split(", ")) {
            let key = key.trim_matches('`');
            assert_eq!(sim.given().option(key), Ok(default.parse().unwrap()), "{key}");
        }
    }
}

#[test]
fn pictures_of_the_page_are_there_and_small() {
    let page = read("docs/schemes.md");
    let pictures: Vec<&str> = page.split("](pictures/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert_eq!(pictures, ["work_precision.svg", "second_order.svg", "relaxation_speedup.svg"]);
    for picture in pictures {
        let path = root().join("docs/pictures").join(picture);
        let size = std::fs::metadata(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).len();
        assert!((1000..200_000).contains(&size), "{picture} has {size} bytes");
        assert!(read("scripts/figures").contains(picture), "scripts/figures does not name {picture}");
    }
}
