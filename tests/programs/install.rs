//! An installation by CMake that was moved: programs in C, C++ and Fortran find it by find_package,
//! pkg-config and dlopen, and add_subdirectory defines the same targets; archives of the crates. It
//! uses the release build of the running tests, so that nothing is built twice.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::common::programs::release::target_directory;
use crate::common::programs::{everything, fresh_directory, output, release_directory, root, tool};

/// The output of every consumer: half of 10 m/s^2 (1 s)^2.
fn expected() -> String {
    format!("pintle {} z -5.000\n", env!("CARGO_PKG_VERSION"))
}

/// The command by which CMake configures `source` in `build`, with this cargo and its target
/// directory.
fn configure(source: &Path, build: &Path) -> Command {
    tool("cc");
    let mut cmake = tool("cmake");
    cmake.arg("-S").arg(source).arg("-B").arg(build).arg("-DCMAKE_BUILD_TYPE=Release");
    cmake.arg(format!("-DPINTLE_CARGO={}", env!("CARGO")));
    cmake.arg(format!("-DPINTLE_CARGO_TARGET_DIR={}", target_directory().display()));
    cmake
}

fn build(directory: &Path) {
    output(tool("cmake").arg("--build").arg(directory));
}

/// An installation that was moved after it was made; and the paths that its files must not name: of
/// the build, of the first prefix, of the sources.
fn installation() -> &'static (PathBuf, [PathBuf; 3]) {
    static INSTALLATION: OnceLock<(PathBuf, [PathBuf; 3])> = OnceLock::new();
    INSTALLATION.get_or_init(|| {
        release_directory();
        let work = fresh_directory("install");
        let (made, first, moved) = (work.join("build"), work.join("first"), work.join("moved to"));
        output(configure(root(), &made).arg(format!("-DCMAKE_INSTALL_PREFIX={}", first.display())));
        build(&made);
        output(tool("cmake").arg("--install").arg(&made));
        std::fs::rename(&first, &moved).expect("the prefix can be moved");
        (moved, [made, first, root().to_owned()])
    })
}

fn prefix() -> &'static Path {
    &installation().0
}

/// The folder of the libraries: lib, or the one that GNUInstallDirs chooses on this system.
pub fn library_directory() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let found = files(prefix()).into_iter().find(|file| file.ends_with("libpintle.a")).expect("libpintle.a");
        found.parent().expect("a directory").to_owned()
    })
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn build_and_run_consumers(name: &str, option: &str) {
    let directory = fresh_directory(name);
    tool("gfortran");
    tool("g++");
    output(configure(&root().join("tests/programs/install"), &directory).arg(option));
    build(&directory);
    for consumer in ["consumer_c", "consumer_static", "consumer_cpp", "consumer_fortran"] {
        assert_eq!(output(&mut Command::new(directory.join(consumer))), expected(), "{consumer}");
    }
    let needs =
        |consumer: &str| output(tool("readelf").arg("-d").arg(directory.join(consumer))).contains("[libpintle.so.1]");
    assert!(needs("consumer_c") && !needs("consumer_static"), "the shared one by soname, the static one not at all");
}

#[test]
fn a_moved_installation_serves_find_package() {
    build_and_run_consumers("install-find-package", &format!("-DCMAKE_PREFIX_PATH={}", prefix().display()));
}

/// share/pintle has the models, and the examples with a project that builds them.
#[test]
fn a_moved_installation_builds_its_examples() {
    tool("gfortran");
    tool("g++");
    let (share, directory) = (prefix().join("share/pintle"), fresh_directory("install-examples"));
    let mut cmake = tool("cmake");
    cmake.arg("-S").arg(&share).arg("-B").arg(&directory);
    output(cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().display())));
    build(&directory);
    let printed = output(Command::new(directory.join("model_file")).arg(share.join("models/heavy_top.toml")));
    // At 2 s the top is where tests/programs/c_programs.rs has it from another code.
    let last = printed.lines().rfind(|line| line.split_whitespace().count() == 5).expect("a row");
    let z: f64 = last.split_whitespace().nth(3).and_then(|word| word.parse().ok()).expect("z");
    assert!((z - -0.673).abs() < 2.5e-3, "{last}");
    for program in ["spar", "cpp_host", "fortran_heavy_top", "fortran_coupled_glue"] {
        output(Command::new(directory.join(program)).current_dir(&share));
    }
    assert!(share.join("python_examples/heavy_top.py").exists());
}

#[test]
fn the_sources_serve_add_subdirectory() {
    release_directory();
    build_and_run_consumers("install-add-subdirectory", &format!("-DPINTLE_SOURCE={}", root().display()));
}

#[test]
fn a_moved_installation_serves_pkg_config() {
    let directory = fresh_directory("install-pkg-config");
    let pkg_config = |question: &str| {
        let mut command = tool("pkg-config");
        let answer =
            output(command.arg(question).arg("pintle").env("PKG_CONFIG_PATH", library_directory().join("pkgconfig")));
        answer.trim().to_owned()
    };
    assert_eq!(pkg_config("--modversion"), env!("CARGO_PKG_VERSION"));
    // As in a makefile: the shell splits the words, and pkg-config has quoted blanks.
    let flags = pkg_config("--cflags") + " " + &pkg_config("--libs");
    let include = pkg_config("--variable=includedir");
    let modules = format!("{include}/pintle_raw.f90 {include}/pintle.f90");
    for (compiler, sources) in [
        ("gcc", "consumer.c".to_owned()),
        ("g++", "consumer.cpp".to_owned()),
        ("gfortran", format!("-J '{}' {modules} consumer.f90", directory.display())),
    ] {
        tool(compiler);
        let program = directory.join(compiler);
        let line = format!("{compiler} {sources} -o '{}' {flags}", program.display());
        output(Command::new("sh").arg("-c").arg(line).current_dir(root().join("tests/programs/install")));
        assert_eq!(output(Command::new(program).env("LD_LIBRARY_PATH", library_directory())), expected(), "{compiler}");
    }
}

/// `gcc -static` with what `pkg-config --static` says.
#[test]
fn a_moved_installation_serves_programs_without_shared_libraries() {
    let program = fresh_directory("install-static").join("alone");
    let line =
        format!("gcc -static consumer.c -o '{}' $(pkg-config --static --cflags --libs pintle)", program.display());
    // The quotes that pkg-config gives to blanks in paths are the shell's only after `eval`.
    let line = format!("eval \"{line}\"");
    tool("gcc");
    tool("pkg-config");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).env("PKG_CONFIG_PATH", library_directory().join("pkgconfig"));
    output(shell.current_dir(root().join("tests/programs/install")));
    assert_eq!(output(&mut Command::new(&program)), expected());
    assert!(!output(tool("readelf").arg("-d").arg(&program)).contains("NEEDED"));
}

#[test]
fn the_lines_of_the_readme_compile_hosts() {
    let home = fresh_directory("install-readme");
    std::os::unix::fs::symlink(prefix(), home.join("pintle")).expect("a link");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let lines: Vec<_> = readme.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    for (compiler, source) in [("gcc", "consumer.c"), ("gfortran", "consumer.f90")] {
        tool(compiler);
        let host = format!("host.{}", source.split_once('.').expect("an extension").1);
        std::fs::copy(root().join("tests/programs/install").join(source), home.join(&host)).expect("a copy");
        let at = lines.iter().position(|line| line.contains(compiler) && line.contains(&host)).expect("a line");
        // Variables for the compiler are set in the same line or in the one before.
        let script = lines[at - 1..=at].iter().filter(|line| line.starts_with("p=") || line.contains(&host));
        let script = script.copied().collect::<Vec<_>>().join("\n");
        output(Command::new("sh").args(["-e", "-c", &script]).env("HOME", &home).current_dir(&home));
        assert_eq!(output(&mut Command::new(home.join("host"))), expected(), "{compiler}");
    }
}

#[test]
fn a_moved_installation_serves_dlopen() {
    let program = fresh_directory("install-dlopen").join("host");
    let mut gcc = tool("gcc");
    gcc.arg("-I").arg(prefix().join("include")).arg(root().join("c_examples/dlopen_host.c"));
    output(gcc.arg("-o").arg(&program).args(["-ldl", "-lm"]));
    // The dynamic linker finds the library by its soname, as in the host of a plug-in.
    output(Command::new(program).arg("libpintle.so.1").env("LD_LIBRARY_PATH", library_directory()));
}

#[test]
fn the_library_has_its_version_its_soname_and_links() {
    let file = format!("libpintle.so.{}", env!("CARGO_PKG_VERSION"));
    let mut directories = vec![library_directory().to_owned()];
    if cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        directories.push(library_directory().join("glibc-hwcaps/x86-64-v3"));
    }
    for directory in directories {
        let target = |name: &str| std::fs::read_link(directory.join(name)).expect(name);
        assert_eq!(target("libpintle.so"), Path::new("libpintle.so.1"));
        assert_eq!(target("libpintle.so.1"), Path::new(&file));
        assert!(directory.join(&file).is_file());
    }
}

#[test]
fn the_second_build_can_be_left_out() {
    release_directory();
    let work = fresh_directory("install-one-build");
    let (made, prefix) = (work.join("build"), work.join("prefix"));
    output(
        configure(root(), &made).arg("-DPINTLE_HWCAPS=OFF").arg(format!("-DCMAKE_INSTALL_PREFIX={}", prefix.display())),
    );
    build(&made);
    output(tool("cmake").arg("--install").arg(&made));
    let libraries = files(&prefix).iter().filter(|file| file.ends_with("libpintle.so.1")).count();
    assert_eq!(libraries, 1, "{:?}", files(&prefix));
}

#[test]
fn no_installed_file_knows_where_it_was_made() {
    let (prefix, origins) = installation();
    let files = files(prefix);
    assert!(files.len() >= 12, "{files:?}");
    for file in files {
        let content = std::fs::read(&file).expect("readable");
        for origin in origins {
            let name = origin.to_str().expect("UTF-8").as_bytes();
            let found = content.windows(name.len()).any(|window| window == name);
            assert!(!found, "{} has {}", file.display(), origin.display());
        }
    }
}

#[test]
fn the_licences_of_all_that_is_linked_are_installed() {
    let documents = prefix().join("share/doc/pintle");
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"] {
        let installed = std::fs::read(documents.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(installed, std::fs::read(root().join(file)).expect(file), "{file}");
    }
    // Whole, and of the versions in Cargo.lock: what the script says, and cargo's own list for the
    // machine of this test.
    tool("python3");
    output(Command::new(root().join("scripts/licences")).arg("--check"));
    let mut tree = Command::new(env!("CARGO"));
    tree.args([
        "tree",
        "--locked",
        "-p",
        "pintle",
        "-e",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let listed = std::fs::read_to_string(root().join("THIRD-PARTY.txt")).expect("THIRD-PARTY.txt");
    let crates = output(tree.current_dir(root()));
    assert!(crates.lines().count() > 20, "{crates}");
    for name in crates.lines().filter(|line| !line.starts_with("pintle ")) {
        let name = name.split_whitespace().take(2).collect::<Vec<_>>().join(" ").replacen(" v", " ", 1);
        assert!(listed.lines().any(|line| line.starts_with(&format!("{name} (in "))), "{name} has no licence there");
    }
}

#[test]
fn other_manifests_and_the_pages_name_this_version() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).expect(file);
    let value = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_else(|| panic!("no {key}"));
        line.trim_matches([' ', '=', '"']).to_owned()
    };
    let (fpm, cargo, version) = (read("fpm.toml"), read("Cargo.toml"), env!("CARGO_PKG_VERSION"));
    assert_eq!(value(&fpm, "version"), version);
    assert_eq!(value(&read("CITATION.cff"), "version:"), version);
    let minor = version.rsplit_once('.').expect("a version").0;
    for (page, words) in [
        ("CHANGELOG.md", format!("\n## {version} - ")),
        ("CMakeLists.txt", format!("find_package(pintle {minor})")),
        ("docs/packages.md", format!(" pintle-{version}-x86_64-linux.tar.gz")),
        ("docs/python.md", format!("libpintle-{version}-py3")),
    ] {
        assert!(read(page).contains(&words), "{page} does not have {words:?}");
    }
    assert_eq!(value(&fpm, "license"), value(&cargo, "license"));
    // fpm compiles all Fortran sources of this folder, which must be the modules only.
    let sources = files(&root().join(value(&fpm, "source-dir")));
    let mut sources: Vec<_> = sources.iter().filter(|file| file.extension().is_some_and(|own| own == "f90")).collect();
    sources.sort();
    assert_eq!(sources, [&root().join("include/pintle.f90"), &root().join("include/pintle_raw.f90")]);

    let oldest = value(&cargo, "rust-version");
    for page in ["README.md", "docs/packages.md"] {
        assert!(read(page).contains(&format!("Rust ({oldest} or later)")), "{page} names another Rust than {oldest}");
    }
}

#[test]
fn cmake_says_what_is_missing() {
    let without_cargo =
        configure(root(), &fresh_directory("install-no-cargo")).arg("-DPINTLE_CARGO=OFF").output().expect("cmake");
    let said = everything(&without_cargo).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        !without_cargo.status.success() && said.contains("needs cargo") && said.contains("https://rustup.rs"),
        "{said}"
    );

    let mut without_fortran = configure(root(), &fresh_directory("install-no-fortran"));
    let said = output(without_fortran.arg("-DCMAKE_Fortran_COMPILER=NOTFOUND"));
    assert!(said.contains("no Fortran compiler, pintle::fortran is left out"), "{said}");
}

#[test]
fn cargo_c_is_told_of_the_soname_and_of_all_headers() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let abi = pintle::capi::library::PINTLE_ABI;
    let soname = format!("version = \"{abi}.0.0\"\nversion_suffix_components = 1\n");
    assert!(manifest.contains(&soname), "package.metadata.capi.library does not make libpintle.so.{abi}");
    for header in files(&root().join("include")) {
        let name = header.file_name().expect("a name").to_string_lossy();
        let asset = format!("{{ from = \"include/{name}\", to = \"\" }}");
        assert!(manifest.contains(&asset), "package.metadata.capi.install.include does not have {name}");
    }
}

/// What cargo would publish; scripts/packages/crates also builds it.
#[test]
fn crates_carry_what_their_users_need() {
    let directory = fresh_directory("crates");
    let crates = [
        ("pintle", &["include/pintle.h", "models/oc4_moored.toml", "c_examples/heavy_top.c", "CITATION.cff"][..]),
        ("pintle-fmi", &["README.md"]),
        ("pintle-tool", &["view/page.html", "view/LICENSE-three", "THIRD-PARTY.txt"]),
    ];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["package", "--quiet", "--locked", "--offline", "--allow-dirty", "--no-verify", "--target-dir"]);
    cargo.arg(&directory).args(crates.iter().flat_map(|(name, _)| ["--package", *name]));
    output(cargo.current_dir(root()));
    for (name, files) in crates {
        let folder = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let list = output(Command::new("tar").arg("-tzf").arg(directory.join(format!("package/{folder}.crate"))));
        for file in files.iter().chain(&["LICENSE-MIT", "LICENSE-APACHE", "Cargo.lock"]) {
            assert!(list.lines().any(|line| line == format!("{folder}/{file}")), "{folder} has no {file}:\n{list}");
        }
    }
}
