//! `pintle fmu`: packs a model as an FMU. The library in it is the one that this program carries
//! (`build.rs`), or else one beside it.

use crate::failure::{Failure, Outcome};
use crate::whole_file::{self, WholeFile, keep_apart};
use pintle_fmi::description::Version;
use pintle_fmi::package::{Package, PackageError};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What to pack.
#[derive(clap::Args)]
pub struct Arguments {
    /// The model file
    model: PathBuf,
    /// The version of the standard: 2 for 2.0, 3 for 3.0
    #[arg(long, value_name = "2|3", value_parser = version)]
    fmi: Version,
    /// The FMU to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// The library pintle_fmi, once for each platform. Default: the library that the environment
    /// variable PINTLE_FMI_LIBRARY names, or else the one that this program carries, or else the
    /// one beside it, in ../lib or in ../lib/pintle
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// Step of the default experiment, in seconds
    #[arg(long, value_name = "DT", value_parser = positive)]
    step: Option<f64>,
    /// End of the default experiment, in seconds
    #[arg(long, value_name = "T", value_parser = positive)]
    end: Option<f64>,
}

fn version(text: &str) -> Result<Version, String> {
    match text {
        "2" | "2.0" => Ok(Version::Two),
        "3" | "3.0" => Ok(Version::Three),
        _ => Err("the standards are 2 (FMI 2.0) and 3 (FMI 3.0)".into()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("not positive and finite".into()) }
}

/// The library for this platform, or nothing (`build.rs`).
const CARRIED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fmu_library"));

/// The library, if no argument names it. A carried one is written to `copy`.
fn library(copy: &mut NamedTempFile) -> Outcome<PathBuf> {
    if let Some(path) = std::env::var_os("PINTLE_FMI_LIBRARY").filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    if !CARRIED.is_empty() {
        copy.write_all(CARRIED).map_err(|error| Failure::output("a temporary file", &error))?;
        return Ok(copy.path().to_owned());
    }
    let name = format!("{DLL_PREFIX}pintle_fmi{DLL_SUFFIX}");
    let program = std::env::current_exe().and_then(std::fs::canonicalize).unwrap_or_default();
    let beside = program.parent().unwrap_or(Path::new("."));
    let places = [beside.to_owned(), beside.join("../lib"), beside.join("../lib/pintle")];
    places.iter().map(|place| place.join(&name)).find(|path| path.is_file()).ok_or_else(|| {
        Failure::input(format!(
            "no {name} beside this program ({}), in ../lib or ../lib/pintle: name it with --library or PINTLE_FMI_LIBRARY \
             (cargo build --release -p pintle-fmi makes it)",
            beside.display()
        ))
    })
}

/// Errors: of the model; no library; the FMU cannot be written.
pub fn fmu(arguments: &Arguments) -> Outcome {
    let Arguments { model, fmi, out, library: given, step, end } = arguments;
    let mut copy = NamedTempFile::new().map_err(|error| Failure::output("a temporary file", &error))?;
    let libraries = if given.is_empty() { vec![library(&mut copy)?] } else { given.clone() };
    let package = Package { version: *fmi, model: model.clone(), libraries, step: *step, end: *end };
    let read =
        [("the model", model.as_path())].into_iter().chain(package.libraries.iter().map(|path| ("--library", &**path)));
    keep_apart(&read.collect::<Vec<_>>(), &[("--out", Some(out))])?;
    let packed = package.pack(out).map_err(|error| match error {
        PackageError::Model(error) if pintle_fmi::failure::is_numerics(&error) => Failure::of_run(error),
        error => Failure::input(error),
    })?;
    WholeFile::write_all(out, &packed.archive)?;
    let [inputs, outputs, parameters] = packed.variables;
    let text = format!(
        "{}: {inputs} inputs, {outputs} outputs, {parameters} parameters, {}, {:.2} MB\n",
        out.display(),
        packed.platforms.join(", "),
        packed.archive.len() as f64 / 1e6
    );
    // The archive itself may go to the standard output.
    if out == Path::new("-") { Ok(()) } else { whole_file::print(&text) }
}
