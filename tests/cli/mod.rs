//! The program as its users see it: every option, every exit status.

mod automaton;
mod batch;
mod benchexec;
mod book;
mod certify;
mod coloured;
mod engine;
mod finite_runs;
mod first_use;
mod formulas;
mod hoa;
mod hosts;
mod kill;
mod kinds;
mod limits;
mod lts;

mod names;
mod on_disk;
mod options;
mod passes;
mod profile;
mod readme;
mod report;
mod same_answers;
mod schemas;
mod states;
mod terminal;
mod translator;
mod unbounded;
mod witness;

use assert_cmd::Command;
use serde_json::Value;
use std::path::PathBuf;

/// The program.
pub(crate) fn starset() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("starset"))
}

/// A net of the folder `models/`.
pub(crate) fn model(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models").join(name)
}

/// What the program prints on standard output and standard error, and its exit status.
pub(crate) fn run(command: &mut Command) -> (String, String, i32) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// The one JSON object that `starset states` prints with these arguments, and the exit status.
pub(crate) fn states_json(model: &std::path::Path, arguments: &[&str]) -> (Value, i32) {
    let (out, _, status) = run(starset().arg("states").arg(model).arg("--json").args(arguments));
    assert_eq!(out.lines().count(), 1, "{out}");
    (serde_json::from_str(&out).unwrap(), status)
}

/// A net of a family, written to a folder of its own.
fn generate(family: &str, size: u32) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.pnml");
    let size = size.to_string();
    starset().args(["generate", family, &size, "-o"]).arg(&path).assert().success();
    (folder, path)
}
