//! Gives `libpintle.so` its soname: `libpintle.so.N`, N the ABI number of `src/capi/library.rs` (a test compares them).

/// Raised together with `PINTLE_ABI` when the ABI breaks.
const ABI: u32 = 1;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpintle.so.{ABI}");
    }
}
