//! `pintle-site write DIRECTORY` writes the sources of the book, `pintle-site check DIRECTORY`
//! looks for dead links in the built book. `scripts/docs` calls both.

use std::path::Path;
use std::process::ExitCode;

use pintle_site::{html, pages::Site};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wrong = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["write", directory] => {
            let site = Site::gather();
            let wrong = site.dead_links();
            site.write(Path::new(directory));
            wrong
        }
        ["check", directory] => html::dead_links(Path::new(directory)),
        _ => vec!["usage: pintle-site write|check DIRECTORY".to_owned()],
    };
    wrong.iter().for_each(|line| eprintln!("{line}"));
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
