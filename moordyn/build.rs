//! Gives `libmoordyn_pintle.so` its soname: the variable `PINTLE_MOORDYN_SONAME`, so that a build
//! can stand in for `libmoordyn.so.2`, else its own file name.
//!
//! Where the C ABI of `pintle` is built as well (`cargo test --workspace`), the linker keeps its
//! symbols inside, as for the FMU's library; the soname is then that of libpintle, whose build
//! script has the last word.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PINTLE_MOORDYN_SONAME");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    let soname = std::env::var("PINTLE_MOORDYN_SONAME").unwrap_or_else(|_| "libmoordyn_pintle.so".into());
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{soname}");
    println!("cargo::rustc-env=PINTLE_MOORDYN_SONAME={soname}");
    if std::env::var_os("DEP_PINTLE_CAPI").is_some() {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--exclude-libs,ALL");
        println!("cargo::rustc-env=PINTLE_MOORDYN_SONAME=libpintle.so.1");
    }
}
