//! Checks the built site: targets of all links and all files that a page loads must exist, and
//! nothing may be loaded from another site.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Faults of the links of all pages below a folder.
pub fn dead_links(folder: &Path) -> Vec<String> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == "html") {
                pages.insert(path.clone(), fs::read_to_string(&path).expect("a page in UTF-8"));
            }
        }
    }
    let mut wrong = Vec::new();
    for (page, text) in &pages {
        for (attribute, target) in targets(text) {
            if let Some(why) = why_dead(page, text, attribute, &target, &pages, folder) {
                wrong.push(format!("{}: {target}: {why}", page.display()));
            }
        }
    }
    if pages.len() < 20 {
        wrong.push(format!("{}: only {} pages", folder.display(), pages.len()));
    }
    wrong
}

/// The values of `href="..."` and `src="..."`.
fn targets(text: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for attribute in ["href", "src"] {
        let start = format!(" {attribute}=\"");
        let ends = text.match_indices(&start).filter_map(|(at, _)| text[at + start.len()..].split('"').next());
        found.extend(ends.map(|target| (attribute, target.replace("&amp;", "&"))));
    }
    found
}

fn why_dead(
    page: &Path,
    text: &str,
    attribute: &str,
    target: &str,
    pages: &BTreeMap<PathBuf, String>,
    folder: &Path,
) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        let is_link = attribute == "href" && text.contains(&format!("<a href=\"{target}\""));
        return (!is_link).then(|| "it is fetched from elsewhere".to_owned());
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match file.strip_prefix('/') {
        Some(file) => folder.join(file),
        None if file.is_empty() => page.to_owned(),
        None => page.parent().expect("a folder").join(file),
    };
    let Ok(path) = path.canonicalize() else { return Some("it is not there".to_owned()) };
    let path = if path.is_dir() { path.join("index.html") } else { path };
    let Some((_, text)) = pages.iter().find(|(page, _)| page.canonicalize().is_ok_and(|page| page == path)) else {
        return (!path.exists()).then(|| "it is not there".to_owned());
    };
    let is_there = anchor.is_empty() || text.contains(&format!("id=\"{anchor}\""));
    (!is_there).then(|| "no such place on that page".to_owned())
}
