//! The examinations of the Model Checking Contest.
//!
//! Each examination is a list of questions about one net; [`run`] answers them one by one, each as soon as its
//! answer is known, under a budget. Several engines take part (`portfolio`): structure, the state equation, nets
//! reduced for the question, a coverability graph
//! where the net may be unbounded, the reachable set as a decision diagram, random walks, and explicit
//! search. An answer is given only when it is proved; what no engine could prove is unknown.
//!
//! Of networks of transition systems, [`decide_by_parts`] decides formulas of LTL on some of the components.
//!
//! [`Subject`] says which net is examined and which of its nodes belong together: for the unfolding of a
//! coloured net the global properties speak of coloured places and transitions.
//!
//! ```
//! use starset::budget::Budget;
//! use starset::examination::{Examination, Questions, Settings, Subject, Value, run};
//! use starset::net::NetBuilder;
//! let mut b = NetBuilder::new("buffer");
//! let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
//! let put = b.transition("put")?;
//! b.input(free, put, 1)?;
//! b.output(put, full, 1)?;
//! let net = b.build()?;
//! let mut answers = Vec::new();
//! let (questions, settings, budget) = (Questions::default(), Settings::default(), Budget::unlimited());
//! let mut keep = |answer| answers.push(answer);
//! run(&Subject::new(&net), Examination::StateSpace, &questions, &settings, &budget, &mut keep);
//! assert_eq!((answers[0].id.as_str(), &answers[0].value), ("STATES", &Value::Number(4u32.into())));
//! # Ok::<(), starset::net::BuildError>(())
//! ```

mod answer;
mod constants;
mod deadlock;
mod formulas;
mod initially;
mod liveness;
mod localisation;
mod one_safe;
mod portfolio;
mod quasi_liveness;
mod reached;
mod reduced;
mod refutation;
mod stable_marking;
mod state_space;
#[cfg(test)]
mod tests;
mod token_counts;
mod upper_bounds;
mod valuation;
mod walk;

use crate::order::Scored;
pub use answer::{Answer, Examination, Technique, UnknownExamination, Value};
pub use localisation::{Localised, decide_by_parts};
pub use state_space::{Event, Options, StateSpace, TokenMaxima, explore, explore_relation};

use crate::budget::Budget;
use crate::explicit;
use crate::formula::{Pool, Property, PropertyError, Symbols, read_properties};
use crate::mdd::with_deep_stack;
use crate::net::{PetriNet, PlaceId, TransitionId};
use std::cell::OnceCell;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

/// What is examined.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The net.
    pub net: &'a PetriNet,
    /// Sets of places whose tokens are counted together: the unfoldings of each place of a coloured net.
    pub places: Vec<Vec<PlaceId>>,
    /// Sets of transitions of which one enabled is enough: the unfoldings of each coloured transition.
    pub transitions: Vec<Vec<TransitionId>>,
}

impl<'a> Subject<'a> {
    /// A place/transition net: every place and transition for itself.
    pub fn new(net: &'a PetriNet) -> Self {
        let places = net.place_ids().map(|place| vec![place]).collect();
        Subject { net, places, transitions: net.transition_ids().map(|transition| vec![transition]).collect() }
    }
}

/// The questions of an examination with properties.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Holds the formulas of the properties.
    pub pool: Pool,
    /// The properties; none for an examination without a property file.
    pub properties: Vec<Property>,
}

impl Questions {
    /// Read the property file of an examination from the folder of an instance; no questions for an
    /// examination that has no such file.
    ///
    /// # Errors
    /// What is wrong with the file, as a message that names it.
    pub fn read(folder: &Path, examination: Examination, symbols: &Symbols) -> Result<Self, QuestionsError> {
        let mut questions = Questions::default();
        if examination.has_properties() {
            let path = folder.join(examination.name()).with_extension("xml");
            let name = path.display().to_string();
            let file = File::open(&path).map_err(|error| QuestionsError::Open { name: name.clone(), error })?;
            questions.properties = read_properties(BufReader::new(file), &name, symbols, &mut questions.pool)?;
        }
        Ok(questions)
    }
}

/// Why the questions of an examination could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionsError {
    /// The file cannot be opened.
    #[error("{name}: {error}")]
    Open {
        /// The file.
        name: String,
        /// Why not.
        error: std::io::Error,
    },
    /// The file is not a property file for this net.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

/// Which engines take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Engines {
    /// Semiflows, effects of transitions, the initial marking.
    pub structure: bool,
    /// A coverability graph, where the structure does not prove the net bounded.
    pub coverability: bool,
    /// The reachable set as a decision diagram.
    pub diagrams: bool,
    /// Random walks.
    pub walks: bool,
    /// Search marking by marking.
    pub search: bool,
    /// All of them again on nets reduced for each question.
    pub reductions: bool,
}

impl Engines {
    /// None of them.
    pub const NONE: Engines = Engines {
        structure: false,
        coverability: false,
        diagrams: false,
        walks: false,
        search: false,
        reductions: false,
    };
}

impl Default for Engines {
    /// All of them.
    fn default() -> Self {
        Engines { structure: true, coverability: true, diagrams: true, walks: true, search: true, reductions: true }
    }
}

/// How to go about it.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The engines that take part.
    pub engines: Engines,
    /// Variable orders to try, the most promising first. If there are none, some are chosen.
    pub orders: Vec<Scored>,
    /// Switches of the explicit engine.
    pub explicit: explicit::Options,
    /// Questions and variable orders that may be worked on at the same time; 0 counts as 1.
    pub threads: usize,
}

impl Settings {
    /// For a net that is reduced already.
    fn without_reductions(&self) -> Settings {
        let engines = Engines { reductions: false, ..self.engines };
        Settings { engines, orders: Vec::new(), explicit: self.explicit.clone(), threads: 1 }
    }
}

/// Run an examination. `answer` is called once for every question: with its answer as soon as that is known,
/// or in the end with [`Value::Unknown`].
pub fn run(
    subject: &Subject<'_>,
    examination: Examination,
    questions: &Questions,
    settings: &Settings,
    budget: &Budget,
    answer: &mut (dyn FnMut(Answer) + Send),
) {
    // The engines recurse over the levels of diagrams, and over formulas of bounded depth.
    let levels = subject.net.place_count();
    with_deep_stack(levels, || run_within(subject, examination, questions, settings, budget, None, answer));
}

/// [`run`] on a stack that is deep enough already; `time` is what the engines share, if it is little.
fn run_within(
    subject: &Subject<'_>,
    examination: Examination,
    questions: &Questions,
    settings: &Settings,
    budget: &Budget,
    time: Option<Duration>,
    answer: &mut (dyn FnMut(Answer) + Send),
) {
    let reached = OnceCell::new();
    let mut case = portfolio::Case::new(subject, settings, budget, answer, &reached);
    if let Some(time) = time {
        case.share(time);
    }
    match examination {
        Examination::StateSpace => case.examine(&mut token_counts::StateSpace::default()),
        Examination::OneSafe => case.examine(&mut one_safe::OneSafe::default()),
        Examination::StableMarking => case.examine(&mut stable_marking::StableMarking::default()),
        Examination::QuasiLiveness => case.examine(&mut quasi_liveness::QuasiLiveness::default()),
        Examination::Liveness => case.examine(&mut liveness::Liveness::default()),
        Examination::ReachabilityDeadlock => case.examine(&mut deadlock::Deadlock::default()),
        Examination::UpperBounds => case.examine(&mut upper_bounds::UpperBounds::new(&questions.properties)),
        Examination::ReachabilityCardinality
        | Examination::ReachabilityFireability
        | Examination::CTLCardinality
        | Examination::CTLFireability
        | Examination::LTLCardinality
        | Examination::LTLFireability => {
            case.examine(&mut formulas::Formulas::new(subject.net, questions, examination.paths()))
        }
    }
}
