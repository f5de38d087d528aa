//! The pages of the book: those of the repository, with links rewritten to places in the book.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pintle_generator::root;

use crate::{formulas, reference};

/// mdBook's settings, but the title: changes and benchmarks are not searched, because their many
/// words would hide the pages that explain.
const BOOK: &str = r#"description = "Rigid multibody dynamics behind a C ABI"
language = "en"

[output.html]
additional-css = ["site.css"]
no-section-label = true

[output.html.fold]
enable = true
level = 1

[output.html.search.chapter]
"changelog.md" = { enable = false }
"benchmarks.md" = { enable = false }
"#;

/// The font of formulas is that which scripts/docs puts beside the pages, or one of the system.
const STYLE: &str = r"@font-face { font-family: 'STIX Two Math'; src: local('STIX Two Math'), url('fonts/stix-two-math.woff2') format('woff2'); }
math { font-family: 'STIX Two Math', 'STIX Math', 'Latin Modern Math', 'Cambria Math', math; }
math annotation { display: none; }
.formula { overflow-x: auto; margin: 1em 0; padding: 0.5em 0; font-size: 1.15em; }
.formula mtd { math-style: normal; padding: 0.2em 0.4em; }
.formula .menv-alignlike > mtr > mtd { padding: 0.2em 0.1em; }
.formula .menv-alignlike > mtr > mtd:nth-child(odd) { text-align: -webkit-right; text-align: right; }
.formula .menv-alignlike > mtr > mtd:nth-child(even) { text-align: -webkit-left; text-align: left; }
.content img { background: white; max-width: 100%; }
.forms > input { position: absolute; opacity: 0; }
.forms > label { display: inline-block; padding: 0.2em 0.9em; cursor: pointer; border-bottom: 2px solid transparent; }
.forms > input:checked + label { border-bottom-color: currentColor; font-weight: bold; }
.forms > input:focus-visible + label { outline: 1px dotted; }
.forms > div { display: none; }
.forms > .c:checked ~ div.c, .forms > .fortran:checked ~ div.fortran,
.forms > .cpp:checked ~ div.cpp, .forms > .python:checked ~ div.python { display: block; }
@media print { .forms > div { display: block; } }
";

/// The contents of the book.
pub struct Site {
    /// Text of the pages by their paths in the book.
    pub pages: BTreeMap<PathBuf, String>,
    /// Files that pages show or link to: path in the book, path in the repository.
    pub files: BTreeMap<PathBuf, PathBuf>,
}

impl Site {
    /// Reads the repository.
    pub fn gather() -> Self {
        let reference = reference::pages();
        let mut places = BTreeMap::new();
        for page in &reference {
            let path = format!("reference/{}.md", page.name);
            places.extend(page.functions.iter().map(|function| (function.clone(), path.clone())));
        }
        let mut site = Self { pages: BTreeMap::new(), files: BTreeMap::new() };
        let mut summary = String::from("# Summary\n\n[pintle](introduction.md)\n\n");
        let own = read(Path::new("docs/SUMMARY.md"));
        let own = site.with_links(&own, Path::new("docs/SUMMARY.md"), Path::new("SUMMARY.md"));
        let (before, after) = own.split_once("# Theory").expect("a part Theory");
        summary.push_str(before.trim_start_matches("# Summary").trim_start());
        summary.push_str("# Reference\n\n- [All functions](reference/index.md)\n");
        let mut index = String::from(
            "# All functions\n\nIn the order of their use. Each entry has what the header says, and the forms of the function in \
                                      C, in Fortran (module `pintle`), in C++ (`pintle.hpp`) and in Python (`libpintle`).\n",
        );
        for page in &reference {
            summary.push_str(&format!("  - [{}](reference/{}.md)\n", page.title, page.name));
            index.push_str(&format!("\n## {}\n\n", page.title));
            for (function, line) in page.functions.iter().zip(&page.lines) {
                index.push_str(&format!("- {function}: {line}\n"));
            }
            let path = PathBuf::from(format!("reference/{}.md", page.name));
            site.pages.insert(path.clone(), with_functions(&page.text, &path, &places));
        }
        site.pages
            .insert("reference/index.md".into(), with_functions(&index, Path::new("reference/index.md"), &places));
        summary.push_str(&format!("\n# Theory{after}\n# History\n\n- [Changes](changelog.md)\n"));
        site.pages.insert("SUMMARY.md".into(), summary);

        for (source, text) in sources() {
            let path = place(&source).expect("a page");
            let text = site.with_links(&text, &source, &path);
            let linked = escaped(&with_functions(&text, &path, &places));
            site.pages.insert(path.clone(), formulas::rendered(&linked));
        }
        site
    }

    /// A page with its links rewritten to places in the book; files that it links to are added to
    /// the book.
    fn with_links(&mut self, text: &str, source: &Path, page: &Path) -> String {
        let mut result = String::new();
        for_each_line(text, |line, is_code| {
            let mut rest = line;
            while let Some((before, after)) = rest.split_once("](").filter(|_| !is_code) {
                let (target, after) = after.split_once(')').expect("the end of a link");
                let (file, anchor) = target.split_once('#').map_or((target, None), |(file, at)| (file, Some(at)));
                result.push_str(before);
                rest = after;
                if target.contains("://") || file.is_empty() {
                    result.push_str(&format!("]({target})"));
                    continue;
                }
                let there = normal(&source.parent().expect("a folder").join(file));
                if root().join(&there).is_dir() {
                    // A folder has no page: only the text of the link is kept.
                    let open = result.rfind('[').expect("the start of a link");
                    result.remove(open);
                    continue;
                }
                let to = place(&there).unwrap_or_else(|| {
                    let to = Path::new("files").join(&there);
                    let to = there.strip_prefix("docs").map_or(to, Path::to_owned);
                    self.files.insert(to.clone(), there);
                    to
                });
                let anchor = anchor.map_or(String::new(), |anchor| format!("#{anchor}"));
                result.push_str(&format!("]({}{anchor})", relative(page, &to)));
            }
            result.push_str(rest);
            result.push('\n');
        });
        result
    }

    /// Links that lead nowhere, and pages that the summary does not have.
    pub fn dead_links(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut listed = BTreeSet::new();
        for (page, text) in &self.pages {
            for_each_line(text, |line, is_code| {
                for target in line.split("](").skip(1).filter(|_| !is_code) {
                    let target = target.split(')').next().expect("a part");
                    if target.contains("://") {
                        continue;
                    }
                    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                    let to = if file.is_empty() {
                        page.clone()
                    } else {
                        normal(&page.parent().expect("a folder").join(file))
                    };
                    if page == Path::new("SUMMARY.md") {
                        listed.insert(to.clone());
                    }
                    let is_there = match self.pages.get(&to) {
                        Some(text) => anchor.is_empty() || has_anchor(text, anchor),
                        None => {
                            self.files.get(&to).is_some_and(|file| root().join(file).is_file()) && anchor.is_empty()
                        }
                    };
                    if !is_there {
                        wrong.push(format!("{}: {target} leads nowhere", page.display()));
                    }
                }
            });
        }
        let unlisted = self.pages.keys().filter(|page| !listed.contains(*page) && *page != Path::new("SUMMARY.md"));
        wrong.extend(unlisted.map(|page| format!("{}: not in docs/SUMMARY.md", page.display())));
        wrong
    }

    /// Writes `book.toml` and the sources for mdBook.
    pub fn write(&self, directory: &Path) {
        let sources = directory.join("src");
        if sources.exists() {
            fs::remove_dir_all(&sources).expect("old sources can be removed");
        }
        let put = |path: PathBuf, text: &[u8]| {
            fs::create_dir_all(path.parent().expect("a folder")).expect("the directory is writable");
            fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        };
        let book = format!("[book]\ntitle = \"pintle {}\"\n{BOOK}", version());
        put(directory.join("book.toml"), book.as_bytes());
        put(directory.join("site.css"), STYLE.as_bytes());
        for (path, text) in &self.pages {
            put(sources.join(path), text.as_bytes());
        }
        for (path, file) in &self.files {
            put(sources.join(path), &fs::read(root().join(file)).expect("a file of the repository"));
        }
    }
}

/// The version of the library.
fn version() -> String {
    let manifest = read(Path::new("Cargo.toml"));
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    line.expect("a version").trim_end_matches('"').to_owned()
}

/// Text with `<` written so that it begins no element of HTML, except in code, comments and
/// addresses.
pub fn escaped(text: &str) -> String {
    let mut result = String::new();
    for_each_line(text, |line, is_code| {
        if is_code || line.starts_with("    ") {
            result.push_str(line);
        } else {
            for (n, part) in line.split('`').enumerate() {
                if n > 0 {
                    result.push('`');
                }
                let mut before = "";
                for piece in part.split_inclusive('<') {
                    result.push_str(before);
                    let keeps = |start: &str| piece.starts_with(start);
                    if before == "<" && !["!--", "http"].into_iter().any(keeps) {
                        result.truncate(result.len() - 1);
                        result.push_str("&lt;");
                    }
                    before = if piece.ends_with('<') && n % 2 == 0 { "<" } else { "" };
                    result.push_str(&piece[..piece.len() - before.len()]);
                }
                result.push_str(if before.is_empty() { "" } else { "&lt;" });
            }
        }
        result.push('\n');
    });
    result
}

/// Paths and texts of all pages: those in `docs`, those elsewhere that its summary names, README
/// and changelog.
pub fn sources() -> Vec<(PathBuf, String)> {
    let summary = read(Path::new("docs/SUMMARY.md"));
    let named = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut paths: BTreeSet<PathBuf> = named.map(|target| normal(&Path::new("docs").join(target))).collect();
    paths.extend(markdown("docs").into_iter().filter(|path| path != Path::new("docs/SUMMARY.md")));
    paths.extend(["README.md", "CHANGELOG.md"].map(PathBuf::from));
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

/// The page that a file of the repository becomes.
fn place(source: &Path) -> Option<PathBuf> {
    match source.to_str()? {
        "README.md" => Some("introduction.md".into()),
        "CHANGELOG.md" => Some("changelog.md".into()),
        _ if source.extension()? != "md" => None,
        _ if source.ends_with("README.md") => Some(source.with_file_name("index.md")),
        _ => Some(source.strip_prefix("docs").unwrap_or(source).to_owned()),
    }
}

/// A page with names of functions linked to their entries, in code type or not.
fn with_functions(text: &str, page: &Path, places: &BTreeMap<String, String>) -> String {
    let link = |name: &str| {
        let entry = places.get(name)?;
        Some(format!("[`{name}`]({}#{name})", relative(page, Path::new(entry))))
    };
    let mut result = String::new();
    for_each_line(text, |line, is_code| {
        // Text in a link is linked already; headings are targets of links.
        if is_code || line.starts_with('#') || line.starts_with("    ") {
            result.push_str(line);
        } else {
            for (n, part) in line.split('`').enumerate() {
                let inside_link =
                    result.rsplit('\n').next().is_some_and(|own| own.matches('[').count() > own.matches("](").count());
                if n % 2 == 1 {
                    match link(part).filter(|_| !inside_link) {
                        Some(linked) => result.push_str(&linked),
                        None => result.push_str(&format!("`{part}`")),
                    }
                    continue;
                }
                let mut rest = part;
                while let Some(at) = rest.find("pintle_") {
                    let length =
                        rest[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len() - at);
                    let name = &rest[at..at + length];
                    let free = !rest[..at].ends_with(|c: char| c.is_alphanumeric() || "/#([_".contains(c));
                    result.push_str(&rest[..at]);
                    match link(name).filter(|_| free && !inside_link) {
                        Some(linked) => result.push_str(&linked),
                        None => result.push_str(name),
                    }
                    rest = &rest[at + length..];
                }
                result.push_str(rest);
            }
        }
        result.push('\n');
    });
    result
}

/// Calls `visit` with each line, and whether it is code between ```.
fn for_each_line(text: &str, mut visit: impl FnMut(&str, bool)) {
    let mut in_code = false;
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        visit(line, in_code || fence);
        in_code ^= fence;
    }
}

/// Whether a page has a heading with this anchor: small letters, hyphens for blanks, no
/// punctuation.
fn has_anchor(text: &str, anchor: &str) -> bool {
    let of = |heading: &str| {
        let kept: String =
            heading.trim().to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect();
        kept.replace(' ', "-")
    };
    let mut found = false;
    for_each_line(text, |line, is_code| {
        found |= !is_code && line.starts_with('#') && of(line.trim_start_matches('#')) == anchor
    });
    found
}

/// The relative path from a page of the book to a file of it.
fn relative(from: &Path, to: &Path) -> String {
    let up = from.components().count() - 1;
    let common =
        from.parent().into_iter().flat_map(Path::components).zip(to.components()).take_while(|(a, b)| a == b).count();
    let down: PathBuf = to.components().skip(common).collect();
    format!("{}{}", "../".repeat(up - common), down.display())
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                result.pop();
            }
            Component::CurDir => {}
            other => result.push(other),
        }
    }
    result
}

/// All pages below a folder.
fn markdown(folder: &str) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![PathBuf::from(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder").flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == "md") {
                found.push(path);
            }
        }
    }
    found
}

fn read(path: &Path) -> String {
    pintle_generator::read(path.to_str().expect("UTF-8"))
}
