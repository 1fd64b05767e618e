//! Forms of files that models are written in, and why a model may not have one.

use super::net::coloured::UnfoldError;
use super::network::{NoGraph, NoNet, NotANetwork};
use super::pins::etf::NoTables;
use super::to_smv::NoProgram;
use crate::budget::Exhausted;
use crate::formula::Naming;
use std::io;

/// Forms of files that models are written in, with what they hold.
pub const FORMS: [(&str, &str); 11] = [
    ("dot", "A network as DOT; the graph of a net that is none"),
    ("aut", "One transition system in the form of Aldebaran"),
    ("pnml", "A net, with units (NUPN) if it stands for a network, with clocks if it has them"),
    ("net", "A net as TINA reads it"),
    ("lola", "A net as LoLA reads it"),
    ("counters", "A counter machine"),
    ("pnwc", "A net with clocks"),
    ("bnet", "A Boolean network as BoolNet, PyBoolNet and AEON read it"),
    ("etf", "Tables of the transitions of any model, as LTSmin reads them"),
    ("smv", "A program of NuSMV"),
    ("tck", "A timed automaton of TChecker: the markings of a net with clocks"),
];

/// How a model is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writing {
    /// The meaning of labels.
    pub labels: Naming,
    /// Most states of a reachability graph.
    pub most: usize,
}

impl Default for Writing {
    /// Labels are names or identifiers; graphs have at most a million states.
    fn default() -> Self {
        Writing { labels: Naming::Either, most: 1_000_000 }
    }
}

/// Why a model was not written in a form.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The form does not suit the kind of model.
    #[error("a {model} has no form `{form}`; it can be written as {}, etf, smv", .forms.join(", "))]
    Form {
        /// The term for such a model.
        model: &'static str,
        /// The form.
        form: String,
        /// Those that it has.
        forms: &'static [&'static str],
    },
    /// A net is no network.
    #[error(transparent)]
    NotANetwork(#[from] NotANetwork),
    /// The net would be too large.
    #[error(transparent)]
    NoNet(#[from] NoNet),
    /// The graph of reachable states would be too large, or takes too long.
    #[error(transparent)]
    NoGraph(#[from] NoGraph),
    /// The model has no tables of transitions.
    #[error(transparent)]
    NoTables(#[from] NoTables),
    /// The model is no program.
    #[error(transparent)]
    NoProgram(#[from] NoProgram),
    /// The model fails in a reachable state.
    #[error("the model fails: {0}")]
    Model(String),
    /// The net is not unfolded.
    #[error(transparent)]
    Folded(UnfoldError),
    /// A name cannot be written in this form, or the file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl WriteError {
    /// Was the budget used up? Then the model may have this form.
    pub fn exhausted(&self) -> Option<Exhausted> {
        match self {
            WriteError::NoGraph(NoGraph::Budget(exhausted)) | WriteError::Folded(UnfoldError::Exhausted(exhausted)) => {
                Some(*exhausted)
            }
            WriteError::NoTables(NoTables::Budget(exhausted))
            | WriteError::NoProgram(NoProgram::Budget(exhausted) | NoProgram::Tables(NoTables::Budget(exhausted))) => {
                Some(*exhausted)
            }
            _ => None,
        }
    }
}
