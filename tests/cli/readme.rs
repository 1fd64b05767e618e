//! The commands of README.md, CHANGELOG.md and the tutorial do what they say.
#![cfg(unix)]

use super::{run, starset};
use assert_cmd::cargo::cargo_bin;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The first command with its output, as it stands there (the summary apart, which tells the time).
#[test]
fn readme() {
    let text = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let (_, block) = text.split_once("$ cargo run --release -- ").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let (command, output) = block.split_once('\n').unwrap();
    let (expected, summary) = output.trim_end().rsplit_once('\n').unwrap();
    let (out, err, status) = run(starset().args(command.split_whitespace()).current_dir(ROOT));
    assert_eq!((out.trim_end(), status), (expected, 0));
    assert!(summary.starts_with("saturation in ") && err.starts_with("saturation in "), "{err}");
}

/// The other commands of README.md, one after the other in one folder.
#[test]
fn readme_commands() {
    let text = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let commands: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("$ starset ")).collect();
    assert!(commands.len() >= 10, "{commands:?}");
    shell(&commands);
}

/// Where README.md shows what a command prints, that is what it prints.
#[test]
fn readme_outputs() {
    let text = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let mut shown = 0;
    for block in text.split("```console\n").skip(1) {
        for command in block.split("```").next().unwrap().split("$ ").skip(1) {
            let (line, expected) = command.split_once('\n').unwrap();
            if line.starts_with("starset ") && !expected.is_empty() {
                let output = sh(line, Path::new(ROOT));
                assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{line}");
                shown += 1;
            }
        }
    }
    assert!(shown > 0);
}

/// The commands of the tutorial, one after the other, print what it says.
#[test]
fn tutorial() {
    let text = fs::read_to_string(Path::new(ROOT).join("docs/tutorial.md")).unwrap();
    let blocks: Vec<_> = text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let commands: Vec<_> = blocks.iter().flat_map(|block| block.split("$ ").skip(1)).collect();
    assert!(commands.len() >= 10, "{commands:?}");
    let folder = tempfile::tempdir().unwrap();
    for command in commands {
        let (line, expected) = command.split_once('\n').unwrap();
        let output = sh(line, folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{line}: {said}");
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
    }
}

/// Runs a command line as a user's shell does, with the program on the path.
fn sh(line: &str, folder: &Path) -> Output {
    let binary = cargo_bin("starset");
    let path = format!("{}:{}", binary.parent().unwrap().display(), env::var("PATH").unwrap());
    Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", path).output().unwrap()
}

/// Each example runs, in a folder of its own but for the sets that `combine` wants.
#[test]
fn changelog_commands() {
    let text = fs::read_to_string(Path::new(ROOT).join("CHANGELOG.md")).unwrap();
    let codes = text.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("starset "));
    // A synopsis is not a command.
    let synopsis = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let example = |code: &&str| code.contains(' ') && !code.split_whitespace().any(synopsis);
    let commands: Vec<_> = codes.filter(example).collect();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        shell(&[command]);
    }
}

/// Runs the commands as a user's shell does, in a folder with the shipped models and some files to work on.
#[track_caller]
fn shell(commands: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let models = Path::new(ROOT).join("models");
    std::os::unix::fs::symlink(&models, folder.path().join("models")).unwrap();
    let instance = folder.path().join("INSTANCE");
    fs::create_dir(&instance).unwrap();
    fs::copy(models.join("philo-5.pnml"), instance.join("model.pnml")).unwrap();
    let prepare = [
        "satset models/philo-5.pnml -f deadlock --save other.set",
        "satset models/philo-5.pnml -f '#Eat_0 = 1' --save a.set",
        "satset models/philo-5.pnml -f '#Eat_0 >= 1' --save b.set",
    ];
    for command in prepare.iter().chain(commands) {
        let line = format!("starset {command}");
        let output = sh(&line, folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
    }
}
