//! docs/tutorial.md: its tables and commands, run in their order, print what it says; what it shows
//! of models is in their files.

use std::path::Path;
use std::process::Command;

use super::code_blocks::{assert_same_text, code_blocks};
use super::{folder, model, printed, root};

#[test]
fn the_commands_of_the_tutorial_print_what_it_says() {
    let page = std::fs::read_to_string(root().join("docs/tutorial.md")).expect("the page");
    let folder = folder("tutorial");
    std::os::unix::fs::symlink(root().join("models"), folder.join("models")).expect("a link");
    let tool = Path::new(env!("CARGO_BIN_EXE_pintle")).parent().expect("a folder");
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").expect("PATH"));
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&folder).env("PATH", &path);
        printed(&mut command)
    };
    let (mut commands, mut tables) = (0, 0);
    for (language, text) in code_blocks(&page) {
        if let Some((command, expected)) = text.strip_prefix("$ ").and_then(|text| text.split_once('\n')) {
            commands += 1;
            assert_same_text(expected, &shell(command));
        } else if language == "text" && text.starts_with("time [s],") {
            // The name of a table is the last one in code type before it.
            let before = page.split_once(&text).expect("the block").0;
            let name = before.rsplit('`').find(|word| word.ends_with(".csv")).expect("a name");
            std::fs::write(folder.join(name), text).expect("the folder is writable");
            tables += 1;
        } else if text.contains("open(\"lift.csv\", \"w\")") {
            std::fs::write(folder.join("lift.py"), text).expect("the folder is writable");
            shell("python3 lift.py");
            tables += 1;
        } else if language == "sh" {
            // Pages and plots; the lines that build and install are for a user's machine.
            for line in text.lines().filter(|line| line.starts_with("pintle ")) {
                commands += 1;
                shell(line);
            }
        }
    }
    assert_eq!((commands, tables), (10, 3));
}

#[test]
fn the_tutorial_shows_parts_of_the_models() {
    let page = std::fs::read_to_string(root().join("docs/tutorial.md")).expect("the page");
    let parts: Vec<String> =
        code_blocks(&page).into_iter().filter(|(language, _)| *language == "toml").map(|(_, text)| text).collect();
    let names = ["pendulum", "four_bar", "crane", "oc4_moored"];
    assert_eq!(parts.len(), names.len());
    for (part, name) in parts.iter().zip(names) {
        let text = std::fs::read_to_string(model(name)).expect("a model");
        for table in part.split("\n[[") {
            assert!(text.contains(table.trim_end()), "models/{name}.toml does not have\n{table}");
        }
    }
}
