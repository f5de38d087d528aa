//! `include/pintle.h`, which cbindgen generates from `src/capi` by `cbindgen.toml`.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::root;

/// The header generated from the sources, with `table` as the text of `api_table.rs`, which need
/// not be on disk yet.
pub fn text(table: &str) -> String {
    let copy = Copy::new();
    for file in fs::read_dir(root().join("src/capi")).expect("src/capi").flatten() {
        fs::copy(file.path(), copy.0.join(file.file_name())).expect("a copy");
    }
    fs::write(copy.0.join("api_table.rs"), table).expect("a copy");
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("cbindgen.toml");
    let builder = cbindgen::Builder::new().with_config(config).with_src(copy.0.join("mod.rs"));
    let mut header = Vec::new();
    builder.generate().expect("cbindgen understands src/capi").write(&mut header);
    String::from_utf8(header).expect("UTF-8")
}

/// A temporary directory, removed on drop.
struct Copy(PathBuf);

impl Copy {
    fn new() -> Copy {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("pintle-capi-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let directory = std::env::temp_dir().join(name);
        fs::create_dir_all(&directory).expect("the temporary directory is writable");
        Copy(directory)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}
