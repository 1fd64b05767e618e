//! `starset check` with engines that are wrong or do not come back.
#![allow(clippy::unwrap_used)]
use super::*;
use crate::cli::console::Loudness;
use clap::Parser;
use starset::decide::Value;
use starset::kinds::net::pnml;
use std::fs::File;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    check: CheckArgs,
}

/// An explicit engine that is wrong about every formula.
fn wrong(
    subject: Subject<'_>,
    asked: &[Request],
    settings: &Settings<'_>,
    budget: &Budget,
    listener: &dyn Listener,
) -> Vec<Comparison> {
    let mut comparisons = decide_twice(subject, asked, settings, budget, listener);
    for comparison in &mut comparisons {
        if let Value::Verdict(verdict) = &mut comparison.explicit {
            *verdict = !*verdict;
        }
    }
    comparisons
}

/// Engines that do not come back.
fn panics(_: Subject<'_>, _: &[Request], _: &Settings<'_>, _: &Budget, _: &dyn Listener) -> Vec<Comparison> {
    panic!("on purpose")
}

fn run(twice: Twice, folder: &Path) -> Result<Status, Failure> {
    run_about(twice, folder, &["-f", "G F #Fork_0 = 1"])
}

fn run_about(twice: Twice, folder: &Path, about: &[&str]) -> Result<Status, Failure> {
    let folder = folder.to_str().unwrap();
    let words = ["check", "models/philo-5.pnml", "--reproducers", folder, "--engine", "both"];
    let line = Line::parse_from(words.iter().chain(about));
    run_with(&line.check, twice, &mut Console::new(std::io::stdout(), Loudness::Quiet))
}

#[test]
fn engines_that_disagree_end_with_status_4_and_a_reproducer() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(decide_twice, folder.path()).unwrap(), Status::Answered);
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    assert_eq!(run(wrong, folder.path()).unwrap(), Status::SelfCheck);
    let note = std::fs::read_to_string(folder.path().join("disagreement-1.txt")).unwrap();
    let lines: Vec<&str> = note.lines().collect();
    assert_eq!(lines[2..4], ["symbolic: false", "explicit: true"], "{note}");
    // The command of the note, with the files of the note, and an engine that is not wrong.
    let model = folder.path().join("disagreement-1.pnml");
    let net = pnml::read(std::io::BufReader::new(File::open(&model).unwrap()), "model").unwrap();
    assert_eq!(net.place_count(), 25);
    assert!(lines[4].starts_with("command: starset check disagreement-1.pnml --engine both --paths stutter -f '"));
}

/// A disagreement about whether there is a fair path, or a finite run, is told, too, and the files say what paths are.
#[test]
fn disagreements_about_the_paths_themselves_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let note = |id: &str| std::fs::read_to_string(folder.path().join(format!("disagreement-{id}.txt"))).unwrap();
    let about = ["-f", "F #Eat_0 = 1", "--justice", "!deadlock"];
    assert_eq!(run_about(decide_twice, folder.path(), &about).unwrap(), Status::Answered);
    assert_eq!(run_about(wrong, folder.path(), &about).unwrap(), Status::SelfCheck);
    assert!(note("1-paths").starts_with("formula: E G F !deadlock\n"), "{}", note("1-paths"));
    let about = ["-f", "F #Eat_0 = 1", "--paths", "finite", "--final", "#Eat_1 = 1"];
    assert_eq!(run_about(wrong, folder.path(), &about).unwrap(), Status::SelfCheck);
    assert!(
        note("1").contains(" --engine both --paths finite --final '#Eat_1 = 1' -f 'F (#Eat_0 = 1)'"),
        "{}",
        note("1")
    );
    assert!(note("1-paths").starts_with("formula: E F (#Eat_1 = 1)\n"), "{}", note("1-paths"));
}

#[test]
fn an_engine_that_panics_leaves_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = std::panic::catch_unwind(|| run(panics, folder.path()));
    assert!(outcome.is_err());
}
