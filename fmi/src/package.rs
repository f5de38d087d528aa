//! The archive: description, model, libraries for one or more platforms.

use crate::description::{Facts, Version, model_description, terminals};
use crate::model::Model;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Why an FMU cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// The model: missing, not understood, or without a consistent start.
    #[error("{0}")]
    Model(#[from] pintle::Error),
    /// The model had callbacks of its host, which a file cannot contain.
    #[error(
        "{0}: the model had callbacks (line {1}): they are code of its host, and an FMU without them would be another model"
    )]
    Callbacks(PathBuf, usize),
    /// The library is not one of these FMUs.
    #[error("{0}: {1}")]
    Library(PathBuf, String),
    /// The operating system refused to read.
    #[error("cannot read {0}: {1}")]
    Input(PathBuf, io::Error),
    /// The archive cannot be made.
    #[error("the archive cannot be made: {0}")]
    Archive(#[from] io::Error),
}

/// The inputs of an FMU.
#[derive(Debug, Clone)]
pub struct Package {
    /// The standard.
    pub version: Version,
    /// The model file.
    pub model: PathBuf,
    /// Copies of the library `pintle_fmi`, one for each platform.
    pub libraries: Vec<PathBuf>,
    /// Step of the default experiment.
    pub step: Option<f64>,
    /// End of the default experiment.
    pub end: Option<f64>,
}

/// A packed FMU.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    /// The FMU.
    pub archive: Vec<u8>,
    /// Variables of the description that are inputs, outputs and parameters.
    pub variables: [usize; 3],
    /// Names of the platforms.
    pub platforms: Vec<&'static str>,
}

/// The comment in a saved model file in place of a callback.
const LEFT_OUT: &str = "is not part of a model file: set it again.";

const LICENCES: [(&str, &str); 2] = [
    ("documentation/licenses/pintle-LICENSE-APACHE.txt", include_str!("../LICENSE-APACHE")),
    ("documentation/licenses/pintle-LICENSE-MIT.txt", include_str!("../LICENSE-MIT")),
];

impl Package {
    /// Makes the FMU for a file name, and describes its contents.
    pub fn pack(&self, out: &Path) -> Result<Packed, PackageError> {
        let text = fs::read(&self.model).map_err(|error| PackageError::Input(self.model.clone(), error))?;
        let lines = String::from_utf8_lossy(&text);
        let callback = lines.lines().position(|line| line.starts_with('#') && line.ends_with(LEFT_OUT));
        if let Some(line) = callback {
            return Err(PackageError::Callbacks(self.model.clone(), line + 1));
        }
        let mut model = Model::load(&self.model)?;
        let mut text = text;
        // Tables of inputs in files of their own are not beside the model in the FMU: a saved model
        // has their numbers.
        if pintle::simulation::read_model(&out.join("resources/model.toml"), &text).is_err() {
            text = model.base.description().model_text()?.into_bytes();
            model = Model::new(model.base, &text)?;
        }
        let mut libraries = Vec::new();
        for path in &self.libraries {
            let bytes = fs::read(path).map_err(|error| PackageError::Input(path.clone(), error))?;
            let platform = Platform::of(&bytes).map_err(|why| PackageError::Library(path.clone(), why))?;
            if libraries.iter().any(|(other, _)| *other == platform) {
                let why = format!("a second library for {}", platform.tuple());
                return Err(PackageError::Library(path.clone(), why));
            }
            libraries.push((platform, bytes));
        }
        let stem = out.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let facts = Facts { identifier: identifier(&stem), name: stem, step: self.step, end: self.end };
        let archive = self.archive(&model, &facts, &text, &libraries)?;
        let arrays = if self.version == Version::Three { model.carriers.len() } else { 0 };
        Ok(Packed {
            archive,
            variables: [
                model.inputs.len() + arrays,
                model.told_outputs().count() + 3 * arrays,
                model.parameters.len() + 1,
            ],
            platforms: libraries.iter().map(|(platform, _)| platform.folder(self.version)).collect(),
        })
    }

    fn archive(
        &self,
        model: &Model,
        facts: &Facts,
        text: &[u8],
        libraries: &[(Platform, Vec<u8>)],
    ) -> io::Result<Vec<u8>> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        // The same bits for the same contents: no times or permissions of this machine.
        let plain = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(0o644);
        let mut add = |name: &str, bytes: &[u8], options| -> io::Result<()> {
            archive.start_file(name, options)?;
            archive.write_all(bytes)
        };
        add("modelDescription.xml", &model_description(self.version, model, facts)?, plain)?;
        if let (Version::Three, Some(terminals)) = (self.version, terminals(model)?) {
            add("terminalsAndIcons/terminalsAndIcons.xml", &terminals, plain)?;
        }
        add("resources/model.toml", text, plain)?;
        for (name, licence) in LICENCES {
            add(name, licence.as_bytes(), plain)?;
        }
        for (platform, bytes) in libraries {
            let name = format!("binaries/{}/{}.{}", platform.folder(self.version), facts.identifier, platform.ending());
            add(&name, bytes, plain.unix_permissions(0o755))?;
        }
        Ok(archive.finish()?.into_inner())
    }
}

/// A C identifier similar to a name.
fn identifier(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert_str(0, "fmu_");
    }
    out
}

/// The platform of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Platform {
    LinuxX86,
    LinuxArm,
    WindowsX86,
    MacX86,
    MacArm,
}

impl Platform {
    /// From the head of a library. Errors: it is not a library, of an unknown platform, or another
    /// library.
    fn of(bytes: &[u8]) -> Result<Platform, String> {
        let contains = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
        let half = |at: usize| bytes.get(at..at + 2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        let platform = match (bytes, half(0x12)) {
            ([0x7f, b'E', b'L', b'F', 2, 1, ..], Some(0x3e)) => Some(Platform::LinuxX86),
            ([0x7f, b'E', b'L', b'F', 2, 1, ..], Some(0xb7)) => Some(Platform::LinuxArm),
            ([b'M', b'Z', ..], _) => Some(Platform::WindowsX86),
            ([0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, ..], _) => Some(Platform::MacX86),
            ([0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1, ..], _) => Some(Platform::MacArm),
            _ => None,
        };
        let platform = platform.ok_or("not a shared library of a platform that is known")?;
        if contains(b"fmi2Instantiate") && contains(b"fmi3InstantiateCoSimulation") && contains(b"logStatusDiscard") {
            Ok(platform)
        } else {
            Err("a shared library, but not pintle_fmi".into())
        }
    }

    /// Architecture and system, as FMI 3.0 names them.
    fn tuple(self) -> &'static str {
        match self {
            Platform::LinuxX86 => "x86_64-linux",
            Platform::LinuxArm => "aarch64-linux",
            Platform::WindowsX86 => "x86_64-windows",
            Platform::MacX86 => "x86_64-darwin",
            Platform::MacArm => "aarch64-darwin",
        }
    }

    /// The folder in `binaries`. FMI 2.0 has names for x86 only; for others tools use those of 3.0.
    fn folder(self, version: Version) -> &'static str {
        match (version, self) {
            (Version::Two, Platform::LinuxX86) => "linux64",
            (Version::Two, Platform::WindowsX86) => "win64",
            (Version::Two, Platform::MacX86) => "darwin64",
            _ => self.tuple(),
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Platform::LinuxX86 | Platform::LinuxArm => "so",
            Platform::WindowsX86 => "dll",
            Platform::MacX86 | Platform::MacArm => "dylib",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_those_of_c() {
        for (name, expected) in [("top", "top"), ("heavy top-1", "heavy_top_1"), ("4bar", "fmu_4bar"), ("", "fmu_")] {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn libraries_are_told_by_their_heads() {
        let mut library = vec![0x7f, b'E', b'L', b'F', 2, 1];
        library.resize(0x12, 0);
        library.extend([0xb7, 0]);
        assert_eq!(Platform::of(&library), Err("a shared library, but not pintle_fmi".into()));
        library.extend(b"fmi2Instantiate\0fmi3InstantiateCoSimulation\0logStatusDiscard");
        assert_eq!(Platform::of(&library), Ok(Platform::LinuxArm));
        assert_eq!(Platform::of(b"text"), Err("not a shared library of a platform that is known".into()));
    }
}
