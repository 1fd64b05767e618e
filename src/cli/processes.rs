//! What the commands about workflows and processes share: `soundness`, `replay` and `rules`.

use super::model::ModelArg;
use super::options::{Format, FormatArgs, Limits};
use super::{Console, Failure, Status};
use clap::Args;
use starset::budget::Budget;
use starset::kinds::FORMATS;
use starset::kinds::bpmn::{Environment, NoTime, ReadProcess, TimedProcess, read_bpmn, timed};
use starset::report::fields::Fields;
use std::path::{Path, PathBuf};

/// Refuse a model where rules or a log stand, and what is no model behind it: the two are in the wrong order.
pub(super) fn in_order(first: &Path, models: &[PathBuf], usage: &str) -> Result<(), Failure> {
    let is_model = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        FORMATS.iter().any(|format| format.extensions.contains(&extension))
    };
    if is_model(first) && !models.is_empty() && !models.iter().any(|model| is_model(model)) {
        return Err(Failure::Input(format!("{}: a model stands where it does not belong: {usage}", first.display())));
    }
    Ok(())
}

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
        if many { console.detail(warning) } else { console.warning(warning) }
    }
}

/// The time of a process. What is odd in the process is told, and which timers may go off at any time.
pub(super) fn in_time(
    process: &ReadProcess,
    budget: &Budget,
    many: bool,
    console: &Console,
) -> Result<TimedProcess, Failure> {
    let timed = timed(process, budget).map_err(|error| no_time(process, &error))?;
    warn_in_time(process, &timed.free, many, console);
    Ok(timed)
}

/// Why a process has no time.
pub(super) fn no_time(process: &ReadProcess, error: &NoTime) -> Failure {
    match error {
        NoTime::Diagram(problem) => Failure::Input(format!("{}:{problem}", process.file)),
        error => Failure::Unknown(format!("{}: {error}", process.file)),
    }
}

/// Tell what is odd in a process with time, of which these timers may go off at any time.
pub(super) fn warn_in_time(process: &ReadProcess, free: &[usize], many: bool, console: &Console) {
    let tell = |message: std::fmt::Arguments<'_>| {
        if many { console.detail(message) } else { console.warning(message) }
    };
    let (file, nodes) = (&process.file, &process.diagram.nodes);
    // Those with a duration are not at any time.
    let is_told = |line: u64, message: &str| {
        let timers = nodes.iter().filter(|node| node.line == line && node.duration.is_some());
        let mut told = timers.filter(|node| message.starts_with(&format!("timer `{}` ", node.id)));
        told.next().is_none()
    };
    let warnings = process.diagram.warnings.iter().filter(|warning| is_told(warning.line, &warning.message));
    warnings.for_each(|warning| tell(format_args!("{file}:{warning}")));
    for node in free.iter().map(|&node| &nodes[node]).filter(|node| node.duration.is_some()) {
        tell(format_args!("{file}:{}: timer `{}` may go off at any time", node.line, node.id));
    }
}

/// What the answers are together.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Outcome {
    is_false: bool,
    is_unknown: bool,
    is_broken: bool,
}

impl Outcome {
    /// One more answer.
    pub(super) fn add(&mut self, verdict: Option<bool>) {
        self.is_false |= verdict == Some(false);
        self.is_unknown |= verdict.is_none();
    }

    /// An error of the program.
    pub(super) fn broken(&mut self) {
        self.is_broken = true;
    }

    /// The exit status: what is false is certain, whatever else is unknown.
    pub(super) fn status(self, fail_if_false: bool) -> Status {
        match (self.is_false && fail_if_false, self.is_unknown) {
            _ if self.is_broken => Status::SelfCheck,
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
