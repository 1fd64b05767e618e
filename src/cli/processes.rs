//! What the commands about workflows and processes share: `soundness`, `replay` and `rules`.

use super::model::ModelArg;
use super::options::{Format, FormatArgs, Limits};
use super::{Console, Failure, Status};
use clap::Args;
use starset::kinds::bpmn::{Environment, ReadProcess, read_bpmn};
use starset::report::fields::Fields;
use std::path::Path;

/// Bytes before what a line says.
const TITLE: usize = 25;

/// The arguments that they share.
#[derive(Args, Debug)]
pub(super) struct Common {
    #[command(flatten)]
    pub(super) model: ModelArg,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    pub(super) limits: Limits,
}

impl Common {
    /// Are results objects of JSON?
    pub(super) fn is_json(&self) -> bool {
        self.format.get() == Format::Json
    }

    /// Print results: with the seconds so far as an object, or line by line.
    pub(super) fn tell(
        &self,
        console: &mut Console,
        fields: impl FnOnce() -> Fields,
        lines: impl FnOnce() -> Vec<String>,
    ) -> Result<(), Failure> {
        if self.is_json() {
            let seconds = console.started().elapsed().as_secs_f64();
            console.json(&fields().with("seconds", seconds))?;
            return Ok(());
        }
        print(console, &lines())
    }
}

/// Print lines in which a verdict stands behind a title.
pub(super) fn print(console: &mut Console, lines: &[String]) -> Result<(), Failure> {
    Ok(lines.iter().try_for_each(|line| console.judged(TITLE, line))?)
}

/// A process. What is odd in it is told; of one among many only to those who want to know.
pub(super) fn read_process(
    path: &Path,
    environment: Environment,
    many: bool,
    console: &Console,
) -> Result<ReadProcess, Failure> {
    let process = read_bpmn(path, environment)?;
    warn(&process, many, console);
    Ok(process)
}

/// Tell what is odd in a process.
pub(super) fn warn(process: &ReadProcess, many: bool, console: &Console) {
    for warning in &process.diagram.warnings {
        let warning = format_args!("{}:{warning}", process.file);
        if many { console.detail(warning) } else { console.error(warning) }
    }
}

/// What the answers are together.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Outcome {
    is_false: bool,
    is_unknown: bool,
}

impl Outcome {
    /// One more answer.
    pub(super) fn add(&mut self, verdict: Option<bool>) {
        self.is_false |= verdict == Some(false);
        self.is_unknown |= verdict.is_none();
    }

    /// The exit status: what is false is certain, whatever else is unknown.
    pub(super) fn status(self, fail_if_false: bool) -> Status {
        match (self.is_false && fail_if_false, self.is_unknown) {
            (true, _) => Status::Refuted,
            (_, true) => Status::Unknown,
            _ => Status::Answered,
        }
    }
}

impl FromIterator<Option<bool>> for Outcome {
    fn from_iter<I: IntoIterator<Item = Option<bool>>>(verdicts: I) -> Self {
        let mut outcome = Outcome::default();
        verdicts.into_iter().for_each(|verdict| outcome.add(verdict));
        outcome
    }
}
