//! Packs a model up as FMU without the command-line tool: `pack 3 libpintle_fmi.so model.toml
//! model.fmu`.

use pintle_fmi::description::Version;
use pintle_fmi::package::Package;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [version, library, model, out] = &arguments[..] else {
        eprintln!("usage: pack 2|3 LIBRARY MODEL.toml OUT.fmu");
        return ExitCode::from(2);
    };
    let version = if version == "2" { Version::Two } else { Version::Three };
    let (model, libraries) = (PathBuf::from(model), vec![PathBuf::from(library)]);
    match (Package { version, model, libraries, step: Some(0.01), end: Some(1.0) }).pack(Path::new(out)) {
        Ok(packed) => match std::fs::write(out, &packed.archive) {
            Ok(()) => {
                println!("{out}: {} bytes, {:?}", packed.archive.len(), packed.platforms);
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{out}: {error}");
                ExitCode::FAILURE
            }
        },
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
