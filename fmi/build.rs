//! The library exports the functions of FMI and nothing else. When it is built together with the
//! crate `pintle` and its C ABI (`cargo test --workspace` chooses the features of all crates at
//! once), the linker leaves the symbols of that one inside. By itself it is built without that ABI,
//! and by linkers that do not know the argument (zig's, for `scripts/dist`).
//!
//! The tool's build script learns where this crate is (`DEP_PINTLE_FMI_CRATE`), because it builds
//! the library from there.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=crate={}", env!("CARGO_MANIFEST_DIR"));
    let capi = std::env::var_os("DEP_PINTLE_CAPI").is_some();
    if capi && std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--exclude-libs,ALL");
    }
}
