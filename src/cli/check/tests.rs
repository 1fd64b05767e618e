//! `starset check` with engines that are wrong or do not come back.
#![allow(clippy::unwrap_used)]
use super::*;
use crate::cli::console::Loudness;
use crate::cli::engine::Found;
use clap::Parser;
use starset::budget::Budget;
use starset::explicit::{self, Stopped};
use starset::pnml;
use std::fs::File;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    check: CheckArgs,
}

/// An engine that is wrong about every formula, and by one about every bound.
fn wrong<'n>(
    model: Model<'n>,
    graph: &mut Option<explicit::Labelling<'n>>,
    pool: &mut Pool,
    subject: &Subject,
    options: &explicit::Options,
    budget: &Budget,
) -> Result<Found, Stopped> {
    let found = engine::decide(model, graph, pool, subject, options, budget)?;
    let value = match found.value {
        Value::Verdict(verdict) => Value::Verdict(!verdict),
        Value::Bound(bound) => Value::Bound(bound + 1),
    };
    Ok(Found { value, ..found })
}

/// An engine that does not come back.
fn panics<'n>(
    _: Model<'n>,
    _: &mut Option<explicit::Labelling<'n>>,
    _: &mut Pool,
    _: &Subject,
    _: &explicit::Options,
    _: &Budget,
) -> Result<Found, Stopped> {
    panic!("on purpose")
}

fn run(engine: &str, decide: Decide, folder: &Path) -> Result<Status, Failure> {
    let folder = folder.to_str().unwrap();
    let formula = "G F #Fork_0 = 1";
    let words = ["check", "models/philo-5.pnml", "-f", formula, "--reproducers", folder, "--engine", engine];
    let line = Line::parse_from(words);
    run_with(&line.check, decide, &mut Console::new(std::io::stdout(), Loudness::Quiet))
}

#[test]
fn engines_that_disagree_end_with_status_4_and_a_reproducer() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run("both", engine::decide, folder.path()).unwrap(), Status::Answered);
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    assert_eq!(run("both", wrong, folder.path()).unwrap(), Status::SelfCheck);
    let note = std::fs::read_to_string(folder.path().join("disagreement-1.txt")).unwrap();
    let lines: Vec<&str> = note.lines().collect();
    assert_eq!(lines[2..4], ["symbolic: false", "explicit: true"], "{note}");
    // The command of the note, with the files of the note, and an engine that is not wrong.
    let model = folder.path().join("disagreement-1.pnml");
    let net = pnml::read(std::io::BufReader::new(File::open(&model).unwrap()), "model").unwrap();
    assert_eq!(net.place_count(), 25);
    assert!(lines[4].starts_with("command: starset check disagreement-1.pnml --engine both --paths stutter -f '"));
}

#[test]
fn a_search_that_panics_leaves_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = std::panic::catch_unwind(|| run("explicit", panics, folder.path()));
    assert!(outcome.is_err());
}
