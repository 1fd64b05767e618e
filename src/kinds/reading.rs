//! How files are read, and what comes of it: a model with its names, or an error.

use super::beginning::Foreign;
use super::bpmn::Environment;
use super::clocks;
use super::net::coloured::UnfoldError;
use super::net::pnml::PnmlError;
use super::network::{self, NotANetwork};
use super::pins::PinsError;
use super::pins::logical::Update;
use super::{Kind, ModelQuestions, TextError, TimedQuestion, Tuning};
use crate::budget::Exhausted;
use crate::files;
use crate::formula::{Naming, Pool, Symbols};
use crate::model::{Groups, indefinite};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The form of the files, as an extension of it, whatever they are called; by their names otherwise.
    pub from: Option<&'static str>,
    /// Take a net as the network of transition systems that its units (NUPN) are.
    pub as_network: bool,
    /// The labels of transitions, for formulas over actions and of the network that a net is taken as.
    pub labels: Naming,
    /// Of models behind a next-state function: hold their rows against what they do while they are explored.
    pub check_rows: bool,
    /// What the model is for.
    pub purpose: Purpose,
    /// Further questions in the language of the model (SMV: `CTLSPEC AG x = 1`).
    pub asked: Vec<String>,
    /// A program that explores B machines instead of starset.
    pub prober: Option<Prober>,
    /// How the variables of a logical network move.
    pub update: Update,
    /// Variables of a logical network that keep a level, whatever their functions say.
    pub fixed: Vec<(String, u32)>,
    /// The demands on nets with clocks.
    pub clocks: ClockReading,
    /// What lies outside of a process of BPMN.
    pub processes: Environment,
    /// Hears, while states are explored, why they may differ from what the text of the model means (B).
    pub warn: Option<fn(&str)>,
}

/// What a model is read for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// To be looked at as it is.
    #[default]
    States,
    /// Its own questions. Some need a model with further variables (SMV).
    Questions,
    /// The verdicts of questions in its own language, and nothing else: no states are shown, counted or named by others.
    /// What questions do not rest on may be left out.
    Verdicts,
    /// The same, and certificates, which are about the whole model ([`crate::kinds::Kind::flat`]).
    Proofs,
}

/// A program that explores machines for others, as ProB does for LTSmin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prober {
    /// The program.
    pub program: PathBuf,
    /// Where a folder for its socket can be made.
    pub folder: PathBuf,
}

/// Demands on nets with clocks when they are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockReading {
    /// Refuse conditions that do not bound each of their clocks from above, as the definition of such nets demands.
    pub strict_paper: bool,
    /// Refuse strict comparisons, of which integer time may miss something.
    pub exact: bool,
    /// Let a unit of the net pass at a time even where comparisons are strict; otherwise units are made finer there.
    pub whole_units: bool,
}

/// The message about a file of a net in which nothing is declared.
pub(in crate::kinds) const NOTHING: &str = "there is neither a place nor a transition in it; is the file cut off?";

/// A model that was read, with what belongs to it.
#[derive(Debug)]
pub struct Loaded {
    /// The model.
    pub model: Box<dyn Kind>,
    /// The names that formulas may use.
    pub symbols: Symbols,
    /// Which variables and actions belong together.
    pub groups: Groups,
    /// The names of the groups of variables, and of those of actions, where they are not those of their members.
    pub names: Option<[Vec<String>; 2]>,
    /// A description of the model, if there is more to say than its name: a sentence.
    pub origin: &'static str,
    /// Notes about the reading, for those who want to know.
    pub notes: Vec<String>,
    /// Remarks about parts of the file that were left out, for everybody to know.
    pub remarks: Vec<String>,
    /// The questions of the model itself.
    pub questions: ModelQuestions,
    /// Files that belong to the model, beside those that were named, or among them.
    pub files: Vec<String>,
}

impl Loaded {
    /// A model as it is: the names are those of its variables, values and actions, each of which stands for itself.
    pub fn new(model: impl Kind + 'static) -> Self {
        let (symbols, groups) = (Symbols::of(&model), Groups::single(&model));
        let questions = ModelQuestions::default();
        Loaded {
            model: Box::new(model),
            symbols,
            groups,
            names: None,
            origin: "",
            notes: Vec::new(),
            remarks: Vec::new(),
            questions,
            files: Vec::new(),
        }
    }

    /// The name of a group of variables.
    pub fn name_of_variables(&self, group: usize) -> &str {
        match &self.names {
            Some([variables, _]) => &variables[group],
            None => self.model.variable(self.groups.variables[group][0]),
        }
    }

    /// The name of a group of actions.
    pub fn name_of_actions(&self, group: usize) -> &str {
        match &self.names {
            Some([_, actions]) => &actions[group],
            None => self.model.action(self.groups.actions[group][0]),
        }
    }

    /// The model as it has to be for formulas in these texts to be parsed; `None` if it is so already.
    pub fn rescaled(&self, formulas: &[&str]) -> Option<Loaded> {
        self.model.rescaled(formulas).map(|model| self.as_model(model))
    }

    /// The model as each of these questions about it needs it, and what is to be said of them; `None` if no time passes
    /// in it.
    pub fn tuned(&self, pool: &Pool, questions: &[TimedQuestion]) -> Option<Tuning> {
        self.model.tuned(pool, questions)
    }

    /// The same with another form of the model.
    pub fn as_model(&self, model: Box<dyn Kind>) -> Loaded {
        let (symbols, groups, names) = (Symbols::of(&*model), self.groups.clone(), self.names.clone());
        let (notes, remarks, questions) = (self.notes.clone(), self.remarks.clone(), self.questions.clone());
        let files = self.files.clone();
        Loaded { model, symbols, groups, names, origin: self.origin, notes, remarks, questions, files }
    }

    /// The network that a net is, by its units.
    pub(super) fn into_network(self, labels: Naming) -> Result<Loaded, NoUnits> {
        match self.model.as_net() {
            Some(net) => {
                let network = network::of_net(net, labels)?;
                let origin = "The network that the units of a net are.";
                Ok(Loaded { origin, notes: self.notes, remarks: self.remarks, ..Loaded::new(network) })
            }
            None if self.model.as_network().is_some() => Ok(self),
            None => Err(NoUnits::Kind(self.model.terms().model)),
        }
    }
}

/// Why a model is not taken as a network.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoUnits {
    /// It is a net, but not that of a network.
    #[error(transparent)]
    Net(#[from] NotANetwork),
    /// It is of another kind.
    #[error("a {0} has no units; only a net can be taken as a network")]
    Kind(&'static str),
}

/// Why files are not read as a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A file cannot be read.
    #[error("{file}: cannot be read: {}", crate::files::why(error))]
    Open {
        /// The file.
        file: String,
        /// Why not.
        error: std::io::Error,
    },
    /// Several files, but not all of the form that is composed.
    #[error("{file}: one {model} at a time: several files are composed only if all are {composed} files")]
    Several {
        /// The first that is of another form.
        file: String,
        /// The content of such a file.
        model: &'static str,
        /// The extensions of files that are composed.
        composed: String,
    },
    /// Something is said of the model that its kind does not have.
    #[error("{file}: {} has no {what}", indefinite(model))]
    Foreign {
        /// The file.
        file: String,
        /// The term for such models.
        model: &'static str,
        /// What it has not, and which models have.
        what: &'static str,
    },
    /// No file.
    #[error("name the file of a model")]
    Nothing,
    /// The limits were not enough to read it.
    #[error("{file}: {exhausted} while it was read")]
    Exhausted {
        /// The file.
        file: String,
        /// The exhausted limit.
        exhausted: Exhausted,
    },
    /// No net.
    #[error(transparent)]
    Pnml(#[from] PnmlError),
    /// A coloured net that is not unfolded.
    #[error(transparent)]
    Unfold(#[from] UnfoldError),
    /// No network or machine.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A file of another tool.
    #[error("{file}: this is {}, and such files are not read as models; {}", .what.what, .what.way)]
    OtherFormat {
        /// Its name.
        file: String,
        /// The sort of file, and the remedy.
        what: Foreign,
    },
    /// A text in a file whose name says nothing.
    #[error("{file}: this is no XML, and its name does not say what it is: say it with --from ({known})")]
    NoForm {
        /// Its name.
        file: String,
        /// The extensions of all forms.
        known: String,
    },
    /// No net with clocks.
    #[error(transparent)]
    Clocks(#[from] clocks::error::ReadError),
    /// No model behind a next-state function.
    #[error(transparent)]
    Pins(#[from] PinsError),
    /// A model that is not the net with clocks that it should be taken as.
    #[error("{file}: {error}")]
    NoClockNet {
        /// The file.
        file: String,
        /// Why not, and what to do.
        error: String,
    },
    /// A model that is not the network that it should be taken as.
    #[error("{file}: {error}")]
    NoUnits {
        /// The file.
        file: String,
        /// Why not.
        error: NoUnits,
    },
}

impl ReadError {
    /// The place that it is about: the file, and line and column from 1, as far as they are known.
    pub fn place(&self) -> (Option<String>, Option<usize>, Option<usize>) {
        match self {
            ReadError::Open { file, .. }
            | ReadError::Several { file, .. }
            | ReadError::Foreign { file, .. }
            | ReadError::Exhausted { file, .. }
            | ReadError::OtherFormat { file, .. }
            | ReadError::NoForm { file, .. }
            | ReadError::NoClockNet { file, .. }
            | ReadError::NoUnits { file, .. } => (Some(file.clone()), None, None),
            ReadError::Pnml(error) => {
                let location = error.location;
                (
                    Some(error.source_name.clone()),
                    location.map(|at| at.line as usize),
                    location.map(|at| at.column as usize),
                )
            }
            ReadError::Text(error) => (Some(error.file.clone()), Some(error.line), None),
            ReadError::Clocks(error) => {
                let (line, column) = error.location.unzip();
                (Some(error.source.clone()), line.map(|line| line as usize), column.map(|column| column as usize))
            }
            ReadError::Pins(PinsError::Source(error)) => {
                (Some(error.file.clone()), Some(error.place.line as usize), Some(error.place.column as usize))
            }
            ReadError::Nothing | ReadError::Unfold(_) | ReadError::Pins(_) => (None, None, None),
        }
    }

    /// Is nothing wrong with the files, but the limits were not enough? Then all about the model is unknown.
    pub fn is_unknown(&self) -> bool {
        match self {
            ReadError::Unfold(error) => matches!(error, UnfoldError::Exhausted(_) | UnfoldError::TooLarge { .. }),
            ReadError::Pins(error) => error.is_unknown(),
            ReadError::Exhausted { .. } => true,
            _ => false,
        }
    }
}

/// The text of a file, or of standard input (`-`), with its name. A byte order mark is none of it.
pub(in crate::kinds) fn text(path: &Path) -> Result<(String, String), ReadError> {
    let file = files::shown(path);
    let mut text = String::new();
    match files::open(path).and_then(|mut input| input.read_to_string(&mut text)) {
        Ok(_) => Ok((without_mark(text), file)),
        Err(error) => Err(ReadError::Open { file, error }),
    }
}

/// The text without the byte order mark that editors of other systems put before it.
fn without_mark(mut text: String) -> String {
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    text
}
