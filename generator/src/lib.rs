//! What follows from the Rust sources of the C ABI, made from them: `scripts/generate` writes it, `tests/docs/generated.rs`
//! says when a file is stale.
//!
//! The way goes from `src/capi/*.rs` ([`sources`]) to the table of all functions ([`api_table`]) and, by cbindgen, to
//! `pintle.h` ([`c_header`]); all else is made from the header, which is read by [`header`]: the Fortran modules
//! ([`raw_fortran`], [`fortran`]), the C++ wrapper ([`cpp`]), the Python functions ([`python`]), the lists of what was promised ([`contract`],
//! [`baseline`]), and how tests call each function ([`calls`]). What cannot be derived stands in `generator/hand_written`.

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
    /// What it should be.
    pub text: String,
}

impl Generated {
    /// Whether the file in the repository is another one.
    pub fn is_stale(&self) -> bool {
        std::fs::read_to_string(root().join(self.path)).ok().as_deref() != Some(&self.text)
    }

    /// Puts the file into the repository.
    pub fn write(&self) {
        let path = root().join(self.path);
        std::fs::write(&path, &self.text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// All files that are generated, as they should be. Panics, with words, where the sources say something that has no rule.
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

/// Rust source as `cargo fmt` leaves it.
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
