//! The pages of the repository can be read: the targets of pictures and links exist, tables are
//! complete, formulas are introduced by a sentence, and source files that pages name exist.
//! `site/tests` tests what the site adds: functions, code, formulas.

#[path = "../../examples/theory_pictures/pictures.rs"]
mod pictures;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Paths of all files in a folder, its subfolders included, relative to the repository.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![root().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path.strip_prefix(root()).expect("in the repository").to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Path and text of every page.
fn pages() -> Vec<(PathBuf, String)> {
    let mut paths = files("docs", "md");
    paths.extend(["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(PathBuf::from));
    assert!(paths.len() >= 7, "{paths:?}");
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(root().join(&path)).expect("a page"))).collect()
}

/// The lines of a page with their numbers, code between ``` left out.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        (!in_code && !fence).then_some((number + 1, line))
    })
}

/// The targets of links, `](...)`.
fn targets(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()).collect()
}

/// The anchor that a heading gets: small letters, hyphens for blanks, no punctuation.
fn anchor(heading: &str) -> String {
    let kept =
        heading.trim().to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

#[test]
fn links_and_pictures_lead_to_something_in_the_repository() {
    let mut count = 0;
    for (page, text) in pages() {
        for target in targets(&text).into_iter().filter(|target| !target.contains("://")) {
            count += 1;
            let (file, place) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() {
                root().join(&page)
            } else {
                root().join(&page).parent().expect("a folder").join(file)
            };
            assert!(path.exists(), "{}: {target} does not exist", page.display());
            if !place.is_empty() {
                let text = fs::read_to_string(&path).expect("a page");
                let headings: Vec<_> = lines(&text).filter(|(_, line)| line.starts_with('#')).collect();
                let found = headings.iter().any(|(_, line)| anchor(line.trim_start_matches('#')) == place);
                assert!(found, "{}: {target} is no heading there", page.display());
            }
        }
    }
    assert!(count > 30, "only {count} links found");
}

#[test]
fn every_picture_is_shown_by_a_page() {
    let shown: BTreeSet<PathBuf> = pages()
        .iter()
        .flat_map(|(page, text)| {
            let folder = page.parent().expect("a folder").to_owned();
            targets(text)
                .into_iter()
                .filter(|target| target.ends_with(".svg"))
                .map(move |target| folder.join(target))
                .collect::<Vec<_>>()
        })
        .collect();
    let there: BTreeSet<PathBuf> = files("docs", "svg").into_iter().collect();
    assert_eq!(shown, there, "shown by a page (left), in docs (right)");
}

#[test]
fn pictures_of_the_theory_are_those_that_the_program_draws() {
    for (name, text) in pictures::all() {
        let path = root().join("docs/pictures").join(name);
        let there = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(there == text, "{name} is stale: cargo run --example theory_pictures");
        assert!(text.len() < 100_000, "{name} has {} bytes", text.len());
    }
}

#[test]
fn every_joint_kind_has_its_picture() {
    let (_, picture) = pictures::all().into_iter().find(|(name, _)| *name == "joints.svg").expect("joints.svg");
    for kind in pintle::JointKind::ALL {
        assert!(picture.contains(&format!(">{}</text>", kind.name())), "joints.svg has no {}", kind.name());
    }
}

/// A table with a blank line inside, or with rows of other lengths, is shown as plain text from
/// there on.
#[test]
fn tables_are_whole() {
    let mut tables = 0;
    for (page, text) in pages() {
        let mut rows: Vec<(usize, usize)> = Vec::new();
        let mut before = 0;
        for (number, line) in lines(&text) {
            if !line.trim_start().starts_with('|') {
                continue;
            }
            // Cells: bars that are not escaped.
            let cells = line.trim().replace("\\|", "").matches('|').count() - 1;
            assert!(line.trim_end().ends_with('|'), "{}:{number}: a row without an end", page.display());
            if number != before + 1 {
                // A new table: the second line says so.
                let next = text.lines().nth(number).unwrap_or("");
                let is_rule = next.starts_with('|') && next.chars().all(|c| "|-: ".contains(c));
                assert!(
                    is_rule,
                    "{}:{number}: rows without a head: is there a blank line in the table?",
                    page.display()
                );
                rows.clear();
                tables += 1;
            }
            before = number;
            rows.push((number, cells));
            assert_eq!(cells, rows[0].1, "{}:{number}: cells here (left), in the head (right)", page.display());
        }
    }
    assert!(tables > 5, "only {tables} tables found");
}

#[test]
fn every_formula_of_the_theory_is_introduced_by_a_sentence() {
    let text = fs::read_to_string(root().join("docs/theory.md")).expect("the page");
    let all: Vec<&str> = text.lines().collect();
    let mut formulas = 0;
    for at in 2..all.len() {
        if (all[at].starts_with("    ") || all[at] == "```math") && all[at - 1].is_empty() {
            formulas += 1;
            let before = all[at - 2];
            assert!(before.ends_with(':'), "docs/theory.md:{}: no sentence leads to this formula: {before}", at + 1);
        }
    }
    assert!(formulas > 20, "only {formulas} formulas found");
}

#[test]
fn source_files_that_pages_name_exist() {
    let mut there: Vec<PathBuf> =
        ["src", "tests", "benches", "demo", "examples", "fmi", "generator", "moordyn", "site", "tool"]
            .iter()
            .flat_map(|folder| files(folder, "rs"))
            .collect();
    there.push("build.rs".into());
    let mut count = 0;
    // The changelog speaks of files of its time.
    for (page, text) in pages().into_iter().filter(|(page, _)| page != Path::new("CHANGELOG.md")) {
        for (number, line) in lines(&text) {
            for name in line
                .split('`')
                .skip(1)
                .step_by(2)
                .filter(|word| word.ends_with(".rs") && !word.contains([' ', '*', '<']))
            {
                count += 1;
                let exists = there.iter().any(|path| path.ends_with(name));
                assert!(exists, "{}:{number}: there is no {name}", page.display());
            }
        }
    }
    assert!(count > 30, "only {count} files named");
}
