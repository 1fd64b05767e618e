//! The option `--report`: a page with the net, the answers and the witnesses.

use super::Failure;
use super::output_file::OutputFile;
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use starset::net::{PetriNet, PlaceId, TransitionId};
use starset::order::Scored;
use starset::report::page::Page;
use starset::witness::Witness;
use std::io::{Error, Write as _};
use std::path::PathBuf;

/// Bytes of JSON in a page: browsers get slow long before. What is beyond has its witnesses left out.
const MOST_BYTES: usize = 32 << 20;

/// Whether and where to write a page.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// Write a page for a browser: the net, the answers, witnesses to play step by step, nodes per level
    #[arg(long, value_name = "FILE")]
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
    results: Vec<Value>,
    fired: Vec<TransitionId>,
    bytes: usize,
}

impl Collected {
    /// Add an answer with its witness.
    pub(super) fn add(&mut self, answer: &impl Serialize, witness: Option<&Witness>) {
        // An answer is made of texts and numbers, which cannot fail to be written.
        let Ok(mut result) = serde_json::to_value(answer) else { return };
        let bytes = result.to_string().len();
        if self.bytes + bytes > MOST_BYTES {
            result["witness"] = Value::Null;
            result["witness_message"] = json!("the witness is too long for a page: see --witness");
        } else {
            self.bytes += bytes;
            self.fired.extend(witness.iter().flat_map(|witness| &witness.runs).flat_map(|run| &run.fired));
        }
        self.results.push(result);
    }

    /// Write the page; `levels` are the variable order and the nodes of each level.
    pub(super) fn write(
        &self,
        file: OutputFile,
        net: &PetriNet,
        origin: &str,
        levels: Option<(&Scored, &[usize])>,
    ) -> Result<(), Failure> {
        let levels: Option<Vec<(PlaceId, usize)>> =
            levels.map(|(order, nodes)| order.order.as_slice().iter().copied().zip(nodes.iter().copied()).collect());
        let page = Page { net, origin, results: &self.results, levels: levels.as_deref(), focus: &self.fired };
        file.write(|out| out.write_all(page.html().map_err(Error::from)?.as_bytes()))
    }
}
