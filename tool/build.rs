//! Builds the library that FMUs consist of, for the program to carry, so that `cargo install` alone
//! makes FMUs. It costs as much time as the program itself; therefore only profile release has it,
//! and not profiles whose builds are tested or packed beside the library. Feature `carry-library`
//! is on by default. `fmu_library` in OUT_DIR is the library, or an empty file.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(variable("OUT_DIR"));
    let library = if is_carried(&out) { built(&out) } else { Vec::new() };
    std::fs::write(out.join("fmu_library"), library).expect("OUT_DIR can be written");
}

/// Whether the profile is release: cargo names the folder of a profile after it, and OUT_DIR is
/// release/build/pintle-tool-HASH/out there. PROFILE is "release" for all profiles that inherit it.
fn is_carried(out: &Path) -> bool {
    let is_release = out.ancestors().nth(3).is_some_and(|folder| folder.ends_with("release"));
    std::env::var_os("CARGO_FEATURE_CARRY_LIBRARY").is_some() && is_release
}

/// The bytes of the library. If it cannot be built, a warning and nothing: the program then needs
/// its argument --library.
fn built(out: &Path) -> Vec<u8> {
    let (source, core) = (variable("DEP_PINTLE_FMI_CRATE"), variable("DEP_PINTLE_CRATE"));
    for folder in [&source, &core] {
        println!("cargo::rerun-if-changed={folder}/src");
        println!("cargo::rerun-if-changed={folder}/Cargo.toml");
    }
    let (triple, folder) = (variable("TARGET"), out.join("library"));
    // As profile fmu in the Cargo.toml of the repository, which a published crate does not have.
    let built = Command::new(variable("CARGO"))
        .args(["rustc", "--locked", "--release", "--lib", "--crate-type", "cdylib", "--target", &triple])
        .args(["--config", "profile.release.lto=\"fat\"", "--config", "profile.release.opt-level=\"s\""])
        .args(["--config", "profile.release.package.pintle.opt-level=2"])
        .arg("--manifest-path")
        .arg(Path::new(&source).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&folder)
        .status();
    let name = match variable("CARGO_CFG_TARGET_OS").as_str() {
        "windows" => "pintle_fmi.dll",
        "macos" => "libpintle_fmi.dylib",
        _ => "libpintle_fmi.so",
    };
    let library = built.and_then(|_| std::fs::read(folder.join(triple).join("release").join(name)));
    // The objects are of no further use, and larger than all else.
    let _ = std::fs::remove_dir_all(&folder);
    library.unwrap_or_else(|error| {
        println!("cargo::warning=the library of FMUs cannot be built ({error}): `pintle fmu` will need --library");
        Vec::new()
    })
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
