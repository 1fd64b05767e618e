//! The option `--report`: a page with the net, the answers and the witnesses.

use super::Failure;
use super::output_file::OutputFile;
use clap::Args;
use serde_json::{Value, json};
use starset::kinds::Loaded;
use starset::model::{ActionId, VariableId};
use starset::order::Order;
use starset::report::fields::Fields;
use starset::report::page::{Beside, Page};
use starset::witness::Witness;
use std::io::{Error, Write as _};
use std::path::PathBuf;

/// Bytes of JSON in a page: browsers get slow long before. What is beyond has its witnesses left out.
const MOST_BYTES: usize = 32 << 20;

/// Whether and where to write a page.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// Write a page with a picture and witnesses to play
    ///
    /// Write a page for a browser: a picture, the answers, witnesses to play step by step, nodes per level
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    report: Option<PathBuf>,
}

impl ReportArgs {
    /// Is a page asked for?
    pub(super) fn is_asked(&self) -> bool {
        self.report.is_some()
    }

    /// Create its file, before anything is computed.
    pub(super) fn create(&self) -> Result<Option<OutputFile>, Failure> {
        self.report.as_deref().map(OutputFile::create).transpose()
    }
}

/// Answers for a page.
#[derive(Default)]
pub(super) struct Collected {
    /// Each with its place on the page.
    answers: Vec<(usize, Value, Beside)>,
    fired: Vec<ActionId>,
    bytes: usize,
}

impl Collected {
    /// Add the answer with this place on the page, its witness, and what else belongs to it.
    pub(super) fn add(&mut self, place: usize, mut answer: Fields, witness: Option<&Witness>, beside: Beside) {
        let bytes = json!(answer).to_string().len();
        if self.bytes + bytes > MOST_BYTES {
            answer.set("witness", Value::Null);
            answer = answer.with("witness_message", "the witness is too long for a page: see --witness");
        } else {
            self.bytes += bytes;
            let steps = witness.iter().flat_map(|witness| &witness.runs).flat_map(|run| &run.fired);
            self.fired.extend(steps.map(|step| step.action));
        }
        self.answers.push((place, json!(answer), beside));
    }

    /// Write the page about a model, or about forms of it in which moments are other numbers; `levels` are the variable order and the nodes of each level.
    pub(super) fn write(
        mut self,
        file: OutputFile,
        loaded: &Loaded,
        levels: Option<(&Order, &[usize])>,
    ) -> Result<(), Failure> {
        let (model, origin) = (&*loaded.model, loaded.origin);
        let levels: Option<Vec<(VariableId, usize)>> =
            levels.map(|(order, nodes)| order.as_slice().iter().copied().zip(nodes.iter().copied()).collect());
        let levels = levels.as_deref();
        let symbols = Some(&loaded.symbols);
        self.answers.sort_by_key(|(place, ..)| *place);
        let (results, beside): (Vec<Value>, Vec<Beside>) = self.answers.into_iter().map(|(_, a, b)| (a, b)).unzip();
        let (results, focus, beside) = (&results[..], &self.fired[..], &beside[..]);
        let page = Page { model, origin, results, levels, focus, beside, symbols };
        file.write(|out| out.write_all(page.html().map_err(Error::from)?.as_bytes()))
    }
}
