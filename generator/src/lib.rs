//! Generates files from the Rust sources of the C ABI. `scripts/generate` writes them,
//! `tests/docs/generated.rs` fails when one is stale.
//!
//! The input is `src/capi/*.rs` ([`sources`]). From it follow the table of all functions
//! ([`api_table`]) and, by cbindgen, `pintle.h` ([`c_header`]). [`header`] parses that, and all
//! other files are generated from it: the Fortran modules ([`raw_fortran`], [`fortran`]), the C++
//! wrapper ([`cpp`]), the Python functions ([`python`]), the lists of the ABI ([`contract`],
//! [`baseline`]), and calls of each function for tests ([`calls`]). Hand-written parts are in
//! `generator/hand_written`.

pub mod api_table;
pub mod baseline;
pub mod c_header;
pub mod calls;
pub mod contract;
pub mod cpp;
pub mod fortran;
pub mod header;
pub mod python;
mod python_docs;
pub mod raw_fortran;
pub mod shape;
pub mod sources;
mod template;

use std::path::{Path, PathBuf};

/// A file that is generated.
pub struct Generated {
    /// Its path in the repository.
    pub path: &'static str,
    /// Its generated text.
    pub text: String,
}

impl Generated {
    /// True if the file in the repository differs.
    pub fn is_stale(&self) -> bool {
        std::fs::read_to_string(root().join(self.path)).ok().as_deref() != Some(&self.text)
    }

    /// Writes the file to the repository.
    pub fn write(&self) {
        let path = root().join(self.path);
        std::fs::write(&path, &self.text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// All generated files. Panics with a message at sources that no rule covers.
pub fn generated() -> Vec<Generated> {
    let entries = sources::entries();
    let table = api_table::text(&entries, &contract::members());
    let c_header = c_header::text(&table);
    let header = header::Header::parse(&c_header);
    let file = |path, text| Generated { path, text };
    vec![
        file("include/pintle_raw.f90", raw_fortran::module_text(&header)),
        file("include/pintle.f90", fortran::module_text(&header, &entries)),
        file("include/pintle.hpp", cpp::text(&header, &entries)),
        file(python::CALLS, python::calls(&header, &entries)),
        file(python::CONSTANTS, python::constants(&header)),
        file(contract::TABLE, contract::table(&header)),
        file(contract::SYMBOLS, contract::symbols(&header)),
        file(contract::DECLARATIONS, contract::declarations(&header)),
        file("tests/abi/functions/calls.rs", calls::text(&header, &entries)),
        file("src/capi/api_table.rs", table),
        file("include/pintle.h", c_header),
    ]
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file of the repository.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Rust source formatted as by `cargo fmt`.
fn formatted(text: &str) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root().join("rustfmt.toml"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt, which comes with Rust (`rustup component add rustfmt`)");
    rustfmt.stdin.take().expect("piped").write_all(text.as_bytes()).expect("rustfmt reads");
    let output = rustfmt.wait_with_output().expect("rustfmt ends");
    assert!(output.status.success(), "rustfmt refuses what was generated:\n{text}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
