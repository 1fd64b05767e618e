//! The options `--witness` and `--witness-dot`: why a verdict is as it is.

use super::Failure;
use super::model::with_suffix;
use super::options::{Choices, choice};
use super::output_file::OutputFile;
use super::page::ReportArgs;
use clap::Args;
use starset::report::witness::{Names, TraceForm, dot};
use starset::witness::{Effort, Witness};
use std::io::Write as _;
use std::path::PathBuf;

/// The forms of runs.
const FORMS: Choices<TraceForm> = &[
    ("nusmv", TraceForm::Text, "As NuSMV prints traces: the first state whole, later ones by what changes"),
    ("xml", TraceForm::Xml, "As NuSMV's trace plugin 4 prints them: XML with all values of each state"),
];

/// In which form of another tool runs are shown.
#[derive(Args, Debug)]
pub(super) struct TraceArgs {
    /// Show runs in a form of NuSMV: nusmv, xml
    ///
    /// Show runs as traces of NuSMV
    #[arg(long, value_name = "FORM", value_parser = choice(FORMS), help_heading = "Results", hide_short_help = true)]
    trace: Option<TraceForm>,
}

impl TraceArgs {
    /// The form, if one is asked for.
    pub(super) fn form(&self) -> Option<TraceForm> {
        self.trace
    }
}

/// Whether and where to show witnesses.
#[derive(Args, Debug)]
pub(super) struct WitnessArgs {
    /// Show runs that explain verdicts
    ///
    /// Show runs that explain each verdict: traces, lassos, or trees of them
    #[arg(long, help_heading = "Results")]
    witness: bool,
    /// Show witnesses, the shortest within the limits
    ///
    /// Show witnesses, and go on until it is proved that no run is shorter, or a limit is reached
    #[arg(long, help_heading = "Results")]
    shortest: bool,
    /// Write witnesses as pictures for Graphviz
    ///
    /// Write the witness as a picture for Graphviz (of several formulas: with the identifier appended)
    #[arg(long, value_name = "FILE", help_heading = "Results", hide_short_help = true)]
    pub(super) witness_dot: Option<PathBuf>,
    #[command(flatten)]
    pub(super) trace: TraceArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

impl WitnessArgs {
    /// Is a witness asked for?
    pub(super) fn is_asked(&self) -> bool {
        self.is_asked_in_words() || self.report.is_asked()
    }

    /// Is a witness asked for, and not only a page that would show it?
    pub(super) fn is_asked_in_words(&self) -> bool {
        self.is_shown() || self.witness_dot.is_some()
    }

    /// Are witnesses shown with the answers?
    pub(super) fn is_shown(&self) -> bool {
        self.witness || self.shortest || self.trace.form().is_some()
    }

    /// How short runs are made.
    pub(super) fn effort(&self) -> Effort {
        if self.shortest { Effort::Proof } else { Effort::Some }
    }

    /// Write the picture, if one is asked for.
    pub(super) fn draw(&self, id: &str, witness: &Witness, names: Names<'_>) -> Result<(), Failure> {
        let Some(path) = &self.witness_dot else { return Ok(()) };
        let path = if id == "1" { path.clone() } else { with_suffix(path, id) };
        OutputFile::create(&path)?.write(|out| out.write_all(dot(witness, names, id).as_bytes()))
    }
}
