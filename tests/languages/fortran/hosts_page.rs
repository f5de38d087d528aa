//! docs/hosts.md: its code is that of docs/hosts/coupling.c and coupling.f90, which run and agree.
//! `PINTLE_BLESS=1 cargo test --test languages the_page` puts the code into the page.

use std::process::Command;

use super::toolchain::{WARNINGS, fresh_directory, gfortran, library, modules, read, root, run};

#[test]
fn the_page_shows_the_code_that_runs() {
    let page = read("docs/hosts.md");
    let (c, fortran) = (read("docs/hosts/coupling.c"), read("docs/hosts/coupling.f90"));
    let mut expected = String::new();
    let (mut section, mut shown, mut inside) = (String::new(), 0, false);
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_lowercase();
        }
        if inside && line != "```" {
            continue;
        }
        expected += &format!("{line}\n");
        inside = ["```c", "```fortran"].contains(&line);
        match line {
            "```c" => expected += &marked(&c, &format!("/* [{section}] */"), "/* [] */"),
            "```fortran" => expected += &marked(&fortran, &format!("! [{section}]"), "! []"),
            _ => continue,
        }
        shown += 1;
    }
    for (source, start) in [(&c, "/* ["), (&fortran, "! [")] {
        let marks = source.lines().filter(|line| line.trim().starts_with(start) && !line.contains("[]")).count();
        assert_eq!(shown, 2 * marks, "the page shows every marked part in both languages");
    }
    if std::env::var_os("PINTLE_BLESS").is_some() {
        std::fs::write(root().join("docs/hosts.md"), &expected).unwrap();
        return;
    }
    assert!(page == expected, "docs/hosts.md is not current: PINTLE_BLESS=1 cargo test --test languages the_page");
}

/// The lines between a mark and its end, without their common indent.
fn marked(source: &str, start: &str, end: &str) -> String {
    let lines = source.lines().skip_while(|line| line.trim() != start).skip(1);
    let lines: Vec<_> = lines.take_while(|line| line.trim() != end).collect();
    assert!(!lines.is_empty(), "no part is marked {start}");
    let indent = lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len());
    let indent = indent.min().unwrap_or(0);
    lines.iter().map(|line| format!("{}\n", line.get(indent..).unwrap_or(""))).collect()
}

#[test]
fn c_and_fortran_couple_alike() {
    let directory = fresh_directory("hosts");
    let library = library();
    let link = |mut compiler: Command, program: &str| {
        let program = directory.join(program);
        compiler.arg("-o").arg(&program).arg("-L").arg(library).arg(format!("-Wl,-rpath,{}", library.display()));
        run(compiler.args(["-lpintle", "-lm", "-lpthread"]));
        // They write files.
        run(Command::new(program).current_dir(&directory))
    };
    let mut gcc = Command::new("gcc");
    gcc.args(WARNINGS).args(["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wpedantic"]);
    let c = link(
        {
            gcc.arg("-I").arg(root().join("include")).arg(root().join("docs/hosts/coupling.c"));
            gcc
        },
        "c",
    );
    let mut fortran = gfortran(&directory);
    fortran.args(WARNINGS).args(["-fopenmp", "-std=f2018", "-I"]).arg(modules());
    fortran.arg(root().join("docs/hosts/coupling.f90"));
    fortran.args(["pintle_raw.o", "pintle.o"].map(|object| modules().join(object)));
    assert_eq!(c, link(fortran, "fortran"));

    let heave = |what: &str| -> Vec<&str> {
        c.lines()
            .filter_map(|line| line.strip_prefix(what))
            .map(str::trim)
            .filter(|x| x.parse::<f64>().is_ok())
            .collect()
    };
    assert_eq!(heave("once"), heave("again"), "rollback repeats the steps");
    assert_eq!(heave("thread").len(), 2, "{c}");
    assert_eq!(heave("thread")[0], heave("thread")[1], "{c}");
}
