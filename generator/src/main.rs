//! `scripts/generate`: writes all files that are generated from the Rust sources of the C ABI, and
//! lists those that were stale.

use std::process::Command;

use pintle_generator::{baseline, generated};

fn main() {
    let mut stale = Vec::new();
    for file in generated().iter().filter(|file| file.is_stale()) {
        file.write();
        stale.push(file.path);
    }
    if ["gcc", "abidw", "abidiff"].iter().all(|tool| Command::new(tool).arg("--version").output().is_ok()) {
        let directory = std::env::temp_dir().join(format!("pintle-baseline-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("the temporary directory is writable");
        if baseline::update(&directory) {
            stale.push(baseline::BASELINE);
        }
        std::fs::remove_dir_all(&directory).ok();
    } else {
        println!("left as it is, for gcc or abigail-tools are missing: {}", baseline::BASELINE);
    }
    match stale.as_slice() {
        [] => println!("everything is up to date"),
        written => println!("{}", written.join("\n")),
    }
}
