//! The library exports the functions of FMI and nothing else. When it is built together with the crate `pintle` and its C ABI
//! (`cargo test --workspace` chooses the features of all crates at once), the linker leaves the symbols of that one inside.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,--exclude-libs,ALL");
    }
}
