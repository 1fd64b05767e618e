//! The options `--witness` and `--witness-dot`: why a verdict is as it is.

use super::check::with_suffix;
use super::engine::Shown;
use super::outcome::reason;
use super::output_file::OutputFile;
use super::page::ReportArgs;
use super::{Console, Failure};
use clap::Args;
use starset::budget::Budget;
use starset::formula::{FormulaId, PathSemantics, Pool, Symbols};
use starset::lts::Model;
use starset::report::witness::{JsonWitness, Names, dot, text};
use starset::symbolic::Checker;
use starset::witness::{Broken, Unexplained, Witness, explain_by_sets, explain_search};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Whether and where to show witnesses.
#[derive(Args, Debug)]
pub(super) struct WitnessArgs {
    /// Show runs of the net that explain each verdict: traces, lassos, or trees of them
    #[arg(long)]
    witness: bool,
    /// Write the witness as a picture for Graphviz (of several formulas: with the identifier appended)
    #[arg(long, value_name = "FILE")]
    witness_dot: Option<PathBuf>,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

/// What is needed to find witnesses and to show them.
pub(super) struct Witnesses<'a> {
    args: &'a WitnessArgs,
    names: Names<'a>,
}

/// What came of the search for a witness.
pub(super) enum Explained {
    /// It was found and replayed.
    Witness(Witness),
    /// It was not found; the verdict stands.
    Missing(String),
    /// What was found does not replay: an error of the program, which casts doubt on the verdict.
    Broken(Broken),
}

impl WitnessArgs {
    /// Is a witness asked for?
    pub(super) fn is_asked(&self) -> bool {
        self.witness || self.witness_dot.is_some() || self.report.is_asked()
    }

    /// The picture that is asked for.
    pub(super) fn drawn(&self) -> Option<&Path> {
        self.witness_dot.as_deref()
    }
}

impl<'a> Witnesses<'a> {
    /// Ready to explain, if witnesses are asked for.
    pub(super) fn new(
        args: &'a WitnessArgs,
        model: Model<'a>,
        pool: &'a Pool,
        symbols: &'a Symbols,
    ) -> Option<Witnesses<'a>> {
        args.is_asked().then_some(Witnesses { args, names: Names { model, pool, symbols } })
    }

    /// Explain the verdict on a formula, leaving to the `others` that are still to be checked their share of the
    /// time. It is explained as a `whole`, if there is one and half of the time is enough.
    pub(super) fn explain(
        &self,
        checker: &mut Checker<'_>,
        whole: Option<FormulaId>,
        formula: FormulaId,
        others: usize,
        budget: &Budget,
    ) -> Explained {
        if let Some(whole) = whole.filter(|&whole| whole != formula) {
            match self.explain(checker, None, whole, others.saturating_mul(2).saturating_add(1), budget) {
                Explained::Missing(_) => {}
                explained => return explained,
            }
        }
        let shares = u32::try_from(others).unwrap_or(u32::MAX).saturating_add(1);
        let budget = match budget.remaining() {
            Some(left) => budget.clone().with_time(left / shares),
            None => budget.clone(),
        };
        match explain_by_sets(self.names.model, self.names.pool, checker, formula, &budget) {
            Ok(witness) => Explained::Witness(witness),
            Err(Unexplained::Stopped(halt)) => Explained::Missing(match reason(&halt) {
                "time" => "witness not found in time".to_owned(),
                _ => format!("witness not found: {halt}"),
            }),
            Err(Unexplained::Broken(broken)) => Explained::Broken(broken),
        }
    }

    /// Explain the verdict that explicit search has come to, by what it has found.
    pub(super) fn explain_search(
        &self,
        formula: FormulaId,
        paths: PathSemantics,
        holds: bool,
        shown: Shown,
    ) -> Explained {
        let run = match shown {
            Shown::Run(run) => run,
            Shown::Witness(Ok(witness)) => return Explained::Witness(witness),
            Shown::Witness(Err(Unexplained::Broken(broken))) => return Explained::Broken(broken),
            Shown::Witness(Err(Unexplained::Stopped(stopped))) => {
                return Explained::Missing(format!("witness not found: {stopped}"));
            }
        };
        match explain_search(self.names.model, self.names.pool, paths, formula, holds, run.as_ref()) {
            Ok(Some(witness)) => Explained::Witness(witness),
            Ok(None) => Explained::Missing("no witness: it was decided by explicit search".to_owned()),
            Err(broken) => Explained::Broken(broken),
        }
    }

    /// The witness for JSON output.
    pub(super) fn json<'w>(&'w self, witness: &'w Witness) -> JsonWitness<'w> {
        JsonWitness { witness, names: self.names }
    }

    /// Write the picture, if one is asked for.
    pub(super) fn draw(&self, id: &str, witness: &Witness) -> Result<(), Failure> {
        let Some(path) = &self.args.witness_dot else { return Ok(()) };
        let path = if id == "1" { path.clone() } else { with_suffix(path, id) };
        OutputFile::create(&path)?.write(|out| out.write_all(dot(witness, self.names, id).as_bytes()))
    }

    /// Say why there is no witness, to those who have asked for one in so many words.
    pub(super) fn miss(&self, id: &str, message: &str, console: &Console) {
        if self.args.witness || self.args.witness_dot.is_some() {
            console.error(format_args!("{id}: {message}"));
        }
    }

    /// Print the witness as text.
    pub(super) fn print(&self, witness: &Witness, console: &mut Console) -> Result<(), Failure> {
        if self.args.witness {
            console.line(text(witness, self.names))?;
        }
        Ok(())
    }
}
