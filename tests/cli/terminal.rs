//! What people see at a terminal: colours, examples, topics of the help, completion, manual pages.
#![cfg(unix)]

use super::readme::{prepared, sh};
use super::{model, run, starset};
use std::process::Command;

/// Commands whose help is a list and needs no example.
const TOPICS: [&str; 5] = ["formulas", "models", "orders", "techniques", "examinations"];

/// The commands, as the help lists them.
pub(super) fn commands() -> Vec<String> {
    let (help, ..) = run(starset().arg("--help"));
    let list = help.split_once("Commands:\n").unwrap().1.split("\n\n").next().unwrap();
    let first = |line: &str| line.strip_prefix("  ")?.split_whitespace().next().map(str::to_owned);
    let starts = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<String> = starts.filter_map(first).filter(|name| name != "help").collect();
    assert!(commands.len() > 15, "{help}");
    commands
}

/// The examples in the help of a command.
fn examples(command: &str) -> Vec<String> {
    let (help, ..) = run(starset().args([command, "--help"]));
    let Some((_, examples)) = help.split_once("\nExamples:\n") else { return Vec::new() };
    examples.lines().map_while(|line| line.strip_prefix("  ")).map(str::to_owned).collect()
}

#[test]
fn examples_run() {
    for command in commands() {
        let examples = examples(&command);
        assert_eq!(examples.is_empty(), TOPICS.contains(&command.as_str()), "{command}: {examples:?}");
        let folder = prepared();
        for line in examples {
            assert!(line.contains(&format!("starset {command}")) && line.len() <= 100, "{line}");
            let output = sh(&line, folder.path());
            assert_eq!(output.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn manual_pages_have_the_examples() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(starset().arg("man").arg(folder.path())).2, 0);
    for command in commands() {
        let page = std::fs::read_to_string(folder.path().join(format!("starset-{command}.1"))).unwrap();
        // Hyphens and backslashes are escaped in the source of a page.
        let page = page.replace("\\-", "-").replace("\\\\", "\\").replace("\\*(Aq", "'");
        for line in examples(&command) {
            assert!(page.contains(&line), "{command}: {line}\n{page}");
        }
        assert_eq!(page.contains(".SH EXAMPLES"), !examples(&command).is_empty(), "{command}");
    }
}

#[test]
fn topics_say_what_options_take() {
    for (topic, words) in [
        ("orders", ["sloan-distant", "tovchigrechko", "the top level"]),
        ("techniques", ["--without", "stubborn", "Reductions"]),
        ("examinations", ["StateSpace", "LTLFireability.xml", "StableMarking"]),
        ("models", [".pnwc", ".mch", ".tgz"]),
        ("formulas", ["Quantifiers", "EF deadlock", "--paths"]),
    ] {
        let (alone, _, status) = run(starset().arg(topic));
        let (help, ..) = run(starset().args(["help", topic]));
        assert_eq!(status, 0);
        for word in words {
            assert!(alone.contains(word) && help.contains(word), "{topic}: {word}");
        }
    }
    // Once, and not with each command.
    for command in ["states", "check", "mcc", "batch"] {
        let (help, ..) = run(starset().args([command, "--help"]));
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!help.contains("tovchigrechko") && !help.contains("LTLFireability"), "{command}");
        assert!(help.contains("starset help "), "{command}");
    }
}

/// Completion scripts know the values, and other values are taken.
#[test]
fn values_are_completed() {
    for shell in ["bash", "zsh", "fish"] {
        let (script, ..) = run(starset().args(["completions", shell]));
        for word in ["sloan-distant", "LTLFireability", "never"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let (_, err, status) = run(starset().arg("states").arg(model("philo-5.pnml")).args(["--order", "nothing"]));
    assert!(status == 2 && err.contains("neither the name of an order") && err.contains("sloan"), "{err}");
    let (_, err, status) = run(starset().args(["batch", ".", "--examinations", "OneSafe,Nothing"]));
    assert!(status == 2 && err.contains("Nothing") && err.contains("OneSafe"), "{err}");
}

#[test]
fn verdicts_in_colour() {
    let formulas = ["-f", "EF deadlock", "-f", "AG !deadlock", "-f", "EF 1 / #Eat_0 = 1"];
    let check = |options: &[&str]| {
        let mut command = starset();
        run(command.arg("check").arg(model("philo-5.pnml")).args(formulas).args(options)).0
    };
    let (green, red, yellow) = ("\x1b[32mtrue\x1b[0m", "\x1b[31mfalse\x1b[0m", "\x1b[33munknown\x1b[0m");
    assert_eq!(check(&["--color", "always"]), format!("1: {green}\n2: {red}\n3: {yellow}\n"));
    // A pipe is no terminal; and neither JSON nor the lines of the contest ever have colours.
    for options in [&[][..], &["--color", "auto"], &["--color", "never"]] {
        assert_eq!(check(options), "1: true\n2: false\n3: unknown\n");
    }
    for form in ["json", "mcc"] {
        assert!(!check(&["--color", "always", "--format", form]).contains('\x1b'), "{form}");
    }
    let always = |arguments: &[&str]| {
        let mut command = starset();
        run(command.args(arguments).args(["--color", "always"]).current_dir(model(""))).0
    };
    let sound = always(&["soundness", "claim.pnwc"]);
    assert!(sound.contains("  classical              \x1b[3"), "{sound}");
    assert!(always(&["time", "claim.pnwc"]).contains("\n  \x1b[31mtimelock\x1b[0m "));
    assert!(
        always(&["states", "claim.pnwc", "--time-model", "dense", "--time", "0.000001"]).contains("\x1b[33munknown")
    );
}

/// On a terminal there are colours, unless NO_COLOR says otherwise or the terminal has none.
#[test]
fn colours_are_for_terminals() {
    // `script` runs a command on a terminal of its own.
    if !Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success()) {
        crate::shared::passed_over("there is no `script`");
        return;
    }
    let binary = assert_cmd::cargo::cargo_bin("starset");
    let line = format!("'{}' check '{}' -f 'EF deadlock'", binary.display(), model("philo-5.pnml").display());
    let shown = |environment: &[(&str, &str)]| {
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).env_remove("NO_COLOR").env("TERM", "xterm");
        let output = command.envs(environment.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap().contains("\x1b[32mtrue")
    };
    assert!(shown(&[]) && shown(&[("NO_COLOR", "")]));
    assert!(!shown(&[("NO_COLOR", "1")]) && !shown(&[("TERM", "dumb")]));
}
