//! Gives `libpintle.so` its soname: `libpintle.so.N`, N the ABI number of `src/capi/library.rs` (a test compares them).
//!
//! cargo hands such an argument to the shared libraries of all crates that depend on this one too. The FMU's, which has no C ABI inside,
//! must not get it: to the dynamic linker it would be the libpintle that a host asks for later. Where the ABI is on, the build
//! scripts of dependents are told so (`DEP_PINTLE_CAPI`, by `links` in Cargo.toml). They also learn where this crate is.

/// Raised together with `PINTLE_ABI` when the ABI breaks.
const ABI: u32 = 1;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=crate={}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("CARGO_FEATURE_CAPI").is_none() {
        return;
    }
    println!("cargo::metadata=capi=on");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpintle.so.{ABI}");
    }
}
