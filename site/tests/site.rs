//! The site: every page of the repository is in it and no link is dead, every function has its
//! entry, functions that pages name exist, and code on pages compiles.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use pintle_generator::header::Header;
use pintle_site::pages::{Site, escaped, sources};
use pintle_site::reference;

/// The lines of a page with their numbers, code between ``` left out.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        (!in_code && !fence).then_some((number + 1, line))
    })
}

/// All that the site needs is made here, and no link of it is dead; formulas that are no LaTeX
/// would stop it.
#[test]
fn the_site_has_all_pages_and_no_dead_link() {
    let site = Site::gather();
    assert_eq!(site.dead_links(), Vec::<String>::new());
    for (page, text) in &site.pages {
        assert!(!text.contains("```math"), "{}: a formula is not rendered", page.display());
    }
    let theory = &site.pages[Path::new("theory.md")];
    assert!(theory.matches("<math").count() > 20, "the theory has lost its formulas");
    // Formulas within lines are set, too, and what is less than something begins no element.
    assert!(!theory.contains('$') && theory.contains("display=\"inline\""), "formulas within lines");
    assert!(theory.contains("integral over s &lt; t of"), "a sign that is not escaped");
}

#[test]
fn signs_are_escaped_except_in_code_comments_and_addresses() {
    for (text, expected) in [
        ("a < b, <T> and `a < b`", "a &lt; b, &lt;T> and `a < b`"),
        ("<!-- a --> <https://x.org>", "<!-- a --> <https://x.org>"),
        ("ends <", "ends &lt;"),
        ("    if (a < b)", "    if (a < b)"),
        ("```c\na < b\n```\n<", "```c\na < b\n```\n&lt;"),
    ] {
        assert_eq!(escaped(text), format!("{expected}\n"));
    }
}

/// The menu leads a stranger from the first steps to what is behind, and the index has a line for
/// each function.
#[test]
fn the_menu_and_the_index_are_in_order_of_use() {
    let site = Site::gather();
    let menu = &site.pages[Path::new("SUMMARY.md")];
    let parts: Vec<&str> = menu.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    let expected =
        ["Get started", "Guides", "Tool, Python, FMU", "Adapters", "Reference", "Theory", "Contributing", "History"];
    assert_eq!(parts, [&["Summary"][..], &expected].concat());
    let index = &site.pages[Path::new("reference/index.md")];
    let entries: Vec<&str> = index.lines().filter(|line| line.starts_with("- ")).collect();
    let first_host = ["create", "add_rigid_body", "add_joint_at", "step", "get_body_pose", "get_modes"];
    let places =
        first_host.map(|name| entries.iter().position(|line| line.starts_with(&format!("- [`pintle_{name}`]"))));
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
    assert_eq!(entries.len(), Header::read().functions.len());
    for line in entries {
        let sentence = line.split_once("): ").map(|(_, sentence)| sentence);
        assert!(sentence.is_some_and(|sentence| sentence.len() > 10 && sentence.ends_with('.')), "{line}");
    }
}

/// Fortran programs are linked, so that nothing is loaded by a table there; Python's objects are
/// made and freed by the language.
const WITHOUT_FORM: [(&str, &[&str]); 2] = [
    ("fortran", &["pintle_get_api"]),
    ("python", &["pintle_create", "pintle_destroy", "pintle_state_destroy", "pintle_get_api"]),
];

#[test]
fn every_function_has_its_entry_in_all_languages() {
    let pages = reference::pages();
    let header = Header::read();
    assert_eq!(pages.iter().map(|page| page.functions.len()).sum::<usize>(), header.functions.len());
    for function in &header.functions {
        let name = &function.name;
        let page =
            pages.iter().find(|page| page.functions.contains(name)).unwrap_or_else(|| panic!("no entry: {name}"));
        let start = page.text.find(&format!("\n## {name}\n")).unwrap_or_else(|| panic!("no heading: {name}"));
        let entry = page.text[start + 4..].split("\n## ").next().expect("an entry");
        let words = entry.replace("&lt;", "<").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!function.doc.is_empty() && words.contains(&function.doc), "{name}: what it does");
        for parameter in &function.parameters {
            assert!(entry.contains(&format!("`{}", parameter.name)), "{name}: its parameter {}", parameter.name);
        }
        for language in ["c", "fortran", "cpp", "python"] {
            let is_exempt = WITHOUT_FORM.iter().any(|(own, names)| *own == language && names.contains(&name.as_str()));
            assert!(
                is_exempt || entry.contains(&format!("```{language}\n")),
                "{name}: its form in {language}\n{entry}"
            );
        }
    }
}

/// Names in code type that start with `pintle_`, by themselves: functions, types, modules, keys of
/// model files.
#[test]
fn functions_that_pages_name_exist() {
    let header = Header::read();
    let mut known: BTreeSet<String> =
        header.functions.iter().chain(&header.callbacks).map(|one| one.name.clone()).collect();
    known.extend(header.handles.iter().cloned());
    known.extend(
        [
            "pintle_api",
            "pintle_raw",
            "pintle_constants",
            "pintle_explain",
            "pintle_fmi",
            "pintle_test_panic",
            "pintle_model",
        ]
        .map(str::to_owned),
    );
    let mut count = 0;
    for (page, text) in sources().into_iter().filter(|(page, _)| page != Path::new("CHANGELOG.md")) {
        for (number, line) in prose(&text) {
            for name in line.split('`').skip(1).step_by(2).filter(|word| word.starts_with("pintle_")) {
                if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && name != "pintle_" {
                    count += 1;
                    assert!(known.contains(name), "{}:{number}: there is no {name}", page.display());
                }
            }
        }
    }
    assert!(count > 200, "only {count} names found");
}

/// What code of a page may use without saying where it comes from.
const CONTEXT: &str = "#include <stddef.h>\n#include \"pintle.h\"\n\
    void page(pintle_system *sys, pintle_system *platform, int32_t body, int32_t cases, int32_t steps, double dt, double *values,\n\
    const double added_mass[][36], const double waves[][10][6]);\n\
    void page(pintle_system *sys, pintle_system *platform, int32_t body, int32_t cases, int32_t steps, double dt, double *values,\n\
    const double added_mass[][36], const double waves[][10][6])\n{\n\
    int32_t k, n; (void)k; (void)n; (void)sys; (void)platform; (void)body; (void)cases; (void)steps; (void)dt; (void)values;\n\
    (void)added_mass; (void)waves;\n\
    int32_t hub = 0; double s[9] = {0}, pose[9][7] = {{0}}, stiffness[9][36] = {{0}}, mass[9][36] = {{0}};\n\
    (void)hub; (void)s; (void)pose; (void)stiffness; (void)mass;\n\
    int32_t beam = 0; double offset[4][3] = {{0}}, wrench[6] = {0}; (void)beam; (void)offset; (void)wrench;\n{\n";

/// Code in C and Fortran of README.md, docs/hosts.md and docs/tutorial.md is run elsewhere
/// (`tests/languages/fortran`, `tests/programs/c_programs.rs`).
#[test]
fn code_of_pages_compiles() {
    let mut count = 0;
    for (page, text) in sources() {
        for (number, language, code) in code_blocks(&text) {
            let place = format!("{}:{number}", page.display());
            let is_run = ["README.md", "docs/hosts.md", "docs/tutorial.md"].iter().any(|own| page == Path::new(own));
            let checker: &[&str] = match language {
                "text" | "math" => continue,
                "c" | "fortran" if is_run => continue,
                "toml" => {
                    toml::de::DeTable::parse(&code).unwrap_or_else(|error| panic!("{place}: {error}"));
                    count += 1;
                    continue;
                }
                "rust" => &["rustfmt", "--edition", "2024", "--emit", "stdout"],
                "c" => &["gcc", "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Iinclude", "-xc"],
                "sh" => &["bash", "-n"],
                "python" => &["python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"],
                other => panic!("{place}: code in {other:?} is tried by no test"),
            };
            let code = match language {
                "c" => format!("{CONTEXT}{code}}}\n}}\n"),
                "rust" => format!("fn page() {{\n{code}}}\n"),
                _ => code,
            };
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("code_of_pages_{count}"));
            fs::write(&file, code).expect("the target directory is writable");
            let output =
                Command::new(checker[0]).args(&checker[1..]).arg(&file).current_dir(pintle_generator::root()).output();
            let output = output.unwrap_or_else(|error| panic!("{}: {error}", checker[0]));
            assert!(output.status.success(), "{place}: {}", String::from_utf8_lossy(&output.stderr));
            count += 1;
        }
    }
    assert!(count >= 3, "only {count} pieces of code found");
}

/// Number of the first line, language and text of what stands between ```.
fn code_blocks(text: &str) -> Vec<(usize, &str, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, &str, String)> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => open = Some((number + 2, language, String::new())),
            (None, Some((.., code))) => *code += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}
