//! The symbols that the released library exports, and the libraries that it needs.

use super::contract::{abi, functions, name_of};
use super::promises;
use crate::common::programs::{output, release_directory, tool};

#[test]
fn exported_symbols_are_those_of_the_header_and_of_the_list() {
    let library = release_directory().join("libpintle.so");
    let symbols = output(tool("nm").args(["-D", "--defined-only"]).arg(&library));
    let mut exported: Vec<_> = symbols.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
    let mut declared: Vec<_> = functions().iter().map(|one| name_of(one).to_owned()).collect();
    exported.sort();
    declared.sort();
    assert_eq!(exported, declared, "exported by the library (left), declared in the header (right)");

    promises::compare("symbols.txt", &exported, |promised, found| promised.iter().all(|one| found.contains(one)));
}

#[test]
fn the_release_needs_only_the_c_runtime_and_has_its_soname() {
    let dynamic = output(tool("readelf").arg("-d").arg(release_directory().join("libpintle.so")));
    let entries = |tag: &str| -> Vec<String> {
        let lines = dynamic.lines().filter(|line| line.contains(tag));
        lines.map(|line| line[line.find('[').expect("[") + 1..line.rfind(']').expect("]")].to_owned()).collect()
    };
    let needed = entries("(NEEDED)");
    let known = |name: &String| ["libc.so", "libm.so", "libgcc_s.so", "ld-linux"].iter().any(|k| name.starts_with(k));
    assert!(needed.iter().all(known), "{needed:?}");
    assert_eq!(entries("(SONAME)"), [format!("libpintle.so.{}", abi())]);
    assert!(entries("(RPATH)").is_empty() && entries("(RUNPATH)").is_empty(), "{dynamic}");
}
