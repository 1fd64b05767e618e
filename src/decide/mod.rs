//! Questions in, answers out: which way decides what, and how they share time, memory and cores.
//!
//! Nobody can tell beforehand which engine will answer a question. [`decide`] takes a model and questions about it
//! and gives each answer to a [`Listener`] as soon as some *way* has found it, with the technique that did. What is
//! answered depends on the questions and the budget, never on who asks: every command of the program is a thin user of
//! this module.
//!
//! **The ways**, from cheap to dear ([`Ways`] leaves some out):
//!
//! | way | file | needs a net |
//! |---|---|---|
//! | the initial state | `rewriting/initially`, `conditions/valuation` | no |
//! | structure: semiflows, effects of transitions, siphons | `conditions/structure` | yes |
//! | the skeleton: tokens without their colours | `smaller/skeleton` | with families |
//! | linear programs over the state equation | `conditions/refutation`, `rewriting/constants`, `conditions/knowledge` | yes |
//! | a coverability graph, where the net may be unbounded | `rounds` | yes |
//! | random walks | `conditions/walk` | yes |
//! | growing limits on the tokens of unbounded places | `smaller/capped` | yes |
//! | nets reduced for each question, with all ways again | `smaller/reduced` | yes |
//! | a net reduced for all that is open, likewise | `smaller/together` | yes |
//! | search state by state: on the fly, breadth-first, on the labelled graph | `questions/formulas/search` | no |
//! | passes that keep a few bits of each state, where memory is not enough and nothing else is left | `questions/passes` | no |
//! | parts of a network, refined by counterexamples | `smaller/localisation` | a network |
//! | decision diagrams: the reachable set and fixpoints in it | `space`, `questions/formulas/diagrams` | no |
//!
//! **How they share.** There are two lanes, each with a thread: on one the reachable set is computed as a diagram and
//! then fixpoints in it; on the other all other ways take turns in slices of time that grow from round to round
//! (`rounds`). Easy questions are answered in the first milliseconds by whatever finds them easy, and a hard one costs a
//! constant factor more than its best way alone. Both lanes post answers on one `board`, which knows what
//! is still open; who has nothing open any more ends. Time and memory are divided by
//! [`Budget::share`] and [`Budget::part`] alone.
//!
//! **Boolean combinations** are asked operand by operand (`rewriting/operands`).
//!
//! **Several initial states.** A formula holds initially if it does in each of them, which the ways that begin in one do not
//! decide at once: then it is asked of each in turn (`starts`).
//!
//! **Witnesses** come after verdicts: whoever finds a run gives it, whichever way gave the verdict (`board`); runs are
//! replayed before they are given.
//!
//! An answer is given only when it is proved; what no way could prove is unknown, with the reason.

mod board;
mod both;
mod case;
mod conditions;
mod diagrams;
mod kept;
mod questions;
mod renumbered;
#[cfg(test)]
mod replay_tests;
mod rewriting;
mod rounds;
mod smaller;
mod space;
mod starts;

pub use board::Explained;
pub use both::{Agreement, Comparison, decide_twice};
pub use kept::{Heard, Kept};
pub use questions::formulas::sat_in;
pub use smaller::localisation::{Localised, decide_by_parts};
pub use space::{Progress, StateSpace, TokenMaxima, explore};

use crate::automaton::{Builtin, Tgba, Translator};
use crate::budget::Budget;
use crate::explicit;
use crate::formula::{Foreign, FormulaId, PathSemantics, Pool};
use crate::halt::Halt;
use crate::kinds::Kind;
use crate::mdd::{Mdd, with_deep_stack};
use crate::model::{Groups, VariableId};
use crate::order::Scored;
use crate::symbolic::{ProductKind, Route, Search};
use crate::witness::Broken;
use num_bigint::BigUint;
use rewriting::{operands, reversible, terminating};
use smaller::{folded, fused};

/// What is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a dyn Kind,
    /// Which of its variables and actions belong together, for questions about all of them.
    pub groups: &'a Groups,
    /// Holds the formulas of the questions.
    pub pool: &'a Pool,
}

/// A question.
#[derive(Clone, Debug)]
pub enum Question {
    /// Does a formula hold in the initial state? If there are several: in all of them?
    Formula {
        /// The formula, closed and simplified, with quantifiers moved to where they cost least.
        formula: FormulaId,
        /// The formula as it was closed, with one quantifier if it is of LTL: witnesses are about this.
        linear: FormulaId,
        /// What its paths are.
        paths: PathSemantics,
    },
    /// Is there a path from an initial state that an automaton accepts?
    Automaton {
        /// The automaton.
        automaton: Tgba,
        /// The state formulas that its propositions are.
        propositions: Vec<FormulaId>,
        /// What paths are: stutter or infinite.
        paths: PathSemantics,
    },
    /// What is the greatest sum of these variables in a reachable state?
    Bound(Vec<VariableId>),
    /// A property of the whole model.
    Global(Global),
    /// A number about the state space.
    Figure(Figure),
    /// What could not be read, and why: it stays unknown. It stands among the others so that they keep their numbers.
    Unreadable(String),
}

/// Properties of whole models, as the Model Checking Contest asks for them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Global {
    /// Some reachable state allows no step.
    Deadlock,
    /// No group of variables ever has a sum above 1.
    OneSafe,
    /// Some group of variables has the same sum in every reachable state.
    StableMarking,
    /// Some action of every group is possible in some reachable state.
    QuasiLiveness,
    /// From every reachable state some action of every group can become possible again.
    Liveness,
}

/// Numbers about the state space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Figure {
    /// How many reachable states.
    States,
    /// How many pairs of a reachable state and a step that is possible there; and the initialisations of models of
    /// which they are counted ([`Kind::initialisations`]).
    Transitions,
    /// The greatest value of a variable.
    MaxInVariable,
    /// The greatest sum of the values of a state.
    MaxInState,
    /// How many reachable states allow no step; where time passes by itself, none but that, then and later. The first is
    /// the witness.
    Deadlocks,
    /// How many reachable states, what clocks show left aside.
    Markings,
    /// The greatest value of each variable ([`Value::Numbers`]).
    Bounds,
}

/// A question, and what is wanted beside the answer.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The set of all reachable states that satisfy the formula (of an automaton: from which it accepts a path).
    pub set: bool,
    /// Why the answer is as it is.
    pub witness: bool,
}

impl From<Question> for Asked {
    /// Nothing but the answer.
    fn from(question: Question) -> Self {
        Asked { question, set: false, witness: false }
    }
}

impl Question {
    /// The question whether a formula of `pool` holds in the initial state; a path formula stands for all paths.
    pub fn formula(pool: &mut Pool, formula: FormulaId, paths: PathSemantics, route: Route) -> Self {
        let linear = pool.close(formula);
        let formula = match route {
            Route::Fixpoints => pool.push_quantifiers(linear, paths),
            Route::Automata => pool.simplify(linear, paths),
        };
        Question::Formula { formula, linear, paths }
    }
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The number of the question.
    pub question: usize,
    /// The answer itself.
    pub value: Value,
    /// How it was found.
    pub technique: Technique,
    /// What explicit search did, if it was that.
    pub explored: Option<explicit::Stats>,
}

/// The answer itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Yes or no.
    Verdict(bool),
    /// A count or a bound.
    Number(BigUint),
    /// One for each variable.
    Numbers(Vec<u128>),
    /// There are infinitely many, or more than any number.
    Infinite,
    /// Not known, and why.
    Unknown(Halt),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Verdict(verdict) => verdict.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Numbers(numbers) => write!(f, "{numbers:?}"),
            Value::Infinite => f.write_str("infinite"),
            Value::Unknown(_) => f.write_str("unknown"),
        }
    }
}

/// How an answer was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Technique {
    /// From the reachable set as a decision diagram.
    DecisionDiagrams,
    /// By visiting states one by one.
    Explicit,
    /// By visiting states one by one and keeping a few bits of each.
    BitState,
    /// On a random walk.
    RandomWalk,
    /// From the structure of the net: semiflows, effects of transitions; or from the initial state.
    Structure,
    /// From the state equation: linear programs, and their solutions verified exactly.
    StateEquation,
    /// By any of these on a net reduced for the question.
    Reduction,
    /// From a coverability graph.
    Coverability,
    /// From the markings of a net that a limit on its tokens leaves.
    TokenLimit,
    /// On the skeleton of a coloured net.
    Skeleton,
    /// On some of the components of a network.
    Parts,
    /// Not at all.
    None,
}

impl Technique {
    /// As a word, for machines: docs/json.md.
    pub fn name(self) -> &'static str {
        match self {
            Technique::DecisionDiagrams => "symbolic",
            Technique::Explicit => "explicit",
            Technique::BitState => "bit-state",
            Technique::RandomWalk => "walk",
            Technique::Structure => "structure",
            Technique::StateEquation => "state equation",
            Technique::Reduction => "reduction",
            Technique::Coverability => "coverability",
            Technique::TokenLimit => "token limit",
            Technique::Skeleton => "skeleton",
            Technique::Parts => "parts",
            Technique::None => "none",
        }
    }
}

/// Which ways take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    /// The initial state, semiflows, effects of transitions, linear programs.
    pub structure: bool,
    /// A coverability graph, where the structure does not prove the net bounded.
    pub coverability: bool,
    /// The reachable set as a decision diagram.
    pub diagrams: bool,
    /// Random walks.
    pub walks: bool,
    /// Search state by state.
    pub search: bool,
    /// Passes that keep a few bits of each state, where that is out of memory and nothing else is left.
    pub bit_state: bool,
    /// All of them again on nets reduced for each question, on unbounded nets under a limit, and on parts of networks.
    pub reductions: bool,
}

impl Ways {
    /// None of them.
    pub const NONE: Ways = Ways {
        structure: false,
        coverability: false,
        diagrams: false,
        walks: false,
        search: false,
        bit_state: false,
        reductions: false,
    };
    /// Decision diagrams alone.
    pub const SYMBOLIC: Ways = Ways { diagrams: true, ..Ways::NONE };
    /// Search state by state alone.
    pub const EXPLICIT: Ways = Ways { search: true, bit_state: true, ..Ways::NONE };
}

impl Default for Ways {
    /// All of them.
    fn default() -> Self {
        Ways {
            structure: true,
            coverability: true,
            diagrams: true,
            walks: true,
            search: true,
            bit_state: true,
            reductions: true,
        }
    }
}

/// Ideas that ways make use of. Each can be left out, to see what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ideas {
    /// Places that nothing tells apart are one ([`crate::reduction::fusion`]).
    pub fusion: bool,
    /// State spaces are counted behind those of smaller nets, or carried back from them ([`crate::reduction::counting`]).
    pub counting: bool,
    /// Of markings that are alike one is kept ([`crate::reduction::symmetries`]).
    pub symmetries: bool,
    /// What is open is asked together of one net reduced for all of it.
    pub together: bool,
    /// The places of a unit are one level while diagrams search ([`crate::order::united`]).
    pub units: bool,
    /// Walks and searches for runs are led to where questions are decided.
    pub leads: bool,
    /// What the skeleton of a coloured net answers is not asked of its unfolding ([`crate::reduction::skeleton`]).
    pub skeleton: bool,
    /// Boolean combinations are asked operand by operand.
    pub operands: bool,
    /// Of `EF` and `AG` it is also asked what a marking shows at once.
    pub at_once: bool,
    /// Parts of formulas are constants where every firing can be undone.
    pub reversible: bool,
    /// What holds again and again is a matter of deadlocks where every run ends.
    pub termination: bool,
    /// What is known of conditions beforehand is folded into automata.
    pub knowledge: bool,
}

impl Default for Ideas {
    /// All of them.
    fn default() -> Self {
        Ideas {
            fusion: true,
            counting: true,
            symmetries: true,
            together: true,
            units: true,
            leads: true,
            skeleton: true,
            operands: true,
            at_once: true,
            reversible: true,
            termination: true,
            knowledge: true,
        }
    }
}

/// How to go about it.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    /// The ways that take part.
    pub ways: Ways,
    /// The ideas that they make use of.
    pub ideas: Ideas,
    /// Variable orders to try, the most promising first. If there are none, some are chosen.
    pub orders: Vec<Scored>,
    /// Seed of whatever is chosen at random.
    pub seed: u64,
    /// How the reachable set is computed.
    pub search: Search,
    /// How products with automata are computed.
    pub product: ProductKind,
    /// How path quantifiers are computed.
    pub route: Route,
    /// Where automata come from.
    pub translator: &'a dyn Translator,
    /// How states are packed for explicit search.
    pub encoding: explicit::Encoding,
    /// Switches of explicit search.
    pub explicit: explicit::Options,
    /// Questions and variable orders that may be worked on at the same time; 0 counts as 1.
    pub threads: usize,
    /// This technique claims a run wherever it looks, as if it were broken.
    #[cfg(test)]
    pub(crate) broken: Option<Technique>,
}

impl Default for Settings<'_> {
    /// All ways, chosen automatically, on one thread.
    fn default() -> Self {
        Settings {
            ways: Ways::default(),
            ideas: Ideas::default(),
            orders: Vec::new(),
            seed: 0,
            search: Search::Saturation,
            product: ProductKind::default(),
            route: Route::default(),
            translator: &Builtin,
            encoding: explicit::Encoding::default(),
            explicit: explicit::Options::default(),
            threads: 1,
            #[cfg(test)]
            broken: None,
        }
    }
}

/// What hears of answers. All methods but the first do nothing unless they are written. They may be called from
/// several threads, but one at a time for each question.
pub trait Listener: Sync {
    /// An answer: exactly one for every question that is wanted, in the end [`Value::Unknown`].
    fn answered(&self, answer: Answer);

    /// Is the answer to a question that has none still wanted? That is asked after each answer; a question that is not wanted gets
    /// none.
    fn is_wanted(&self, _question: usize) -> bool {
        true
    }

    /// Why an answer is as it is, where a witness is wanted: at most one for each question, after its answer.
    fn explained(&self, _question: usize, _explained: Explained) {}

    /// The set that satisfies a formula, where it is wanted.
    fn set(&self, _question: usize, _space: &StateSpace, _set: &Mdd) {}

    /// Two ways contradict each other, with what each says: an error of the program.
    fn contradicted(&self, _question: usize, _one: (Value, Technique), _other: (Value, Technique)) {}

    /// A run on which a verdict rests does not replay on the model: an error of the program. The verdict has not been given.
    fn unconfirmed(&self, _question: usize, _verdict: bool, _technique: Technique, _problem: &Broken) {}

    /// The reachable set has been found. Or it is that of a smaller net, *behind* which so many states of the model stand: then
    /// its variables are not those of the model.
    fn explored(&self, _space: &StateSpace, _behind: Option<&BigUint>) {}

    /// What a search for the reachable set is doing.
    fn progress(&self, _progress: Progress<'_>) {}
}

impl<F: Fn(Answer) + Sync> Listener for F {
    fn answered(&self, answer: Answer) {
        self(answer);
    }
}

/// Are all questions of this pool, and is everything about this model?
fn suits(subject: Subject<'_>, asked: &[Asked]) -> Result<(), Foreign> {
    let (variables, actions) = (subject.model.variables(), subject.model.actions());
    let known = |ids: &[VariableId]| ids.iter().all(|variable| variable.index() < variables);
    let groups = subject.groups.variables.iter().all(|group| known(group))
        && subject.groups.actions.iter().flatten().all(|action| action.index() < actions);
    let check = |formula: FormulaId| subject.pool.check(formula, variables, actions);
    for asked in asked {
        match &asked.question {
            &Question::Formula { formula, linear, .. } => check(formula).and(check(linear))?,
            Question::Automaton { propositions, .. } => propositions.iter().try_for_each(|&part| check(part))?,
            Question::Bound(sum) if !known(sum) => return Err(Foreign::Model),
            Question::Bound(_) | Question::Global(_) | Question::Figure(_) | Question::Unreadable(_) => {}
        }
    }
    if groups { Ok(()) } else { Err(Foreign::Model) }
}

/// Answer the questions. The listener hears each answer as soon as it is known. If a formula is of another pool, or a
/// question about another model, all are unknown for that reason ([`Halt::Foreign`]).
///
/// ```
/// use starset::budget::Budget;
/// use starset::decide::{Answer, Figure, Question, Settings, Subject, Value, decide};
/// use starset::formula::Pool;
/// use starset::model::Groups;
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("buffer");
/// let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
/// let put = b.transition("put")?;
/// b.input(free, put, 1)?;
/// b.output(put, full, 1)?;
/// let net = b.build()?;
/// let (groups, pool) = (Groups::single(&net), Pool::new());
/// let subject = Subject { model: &net, groups: &groups, pool: &pool };
/// let answers = std::sync::Mutex::new(Vec::new());
/// let keep = |answer: Answer| answers.lock().unwrap().push(answer.value);
/// let questions = [Question::Figure(Figure::States).into(), Question::Bound(vec![full]).into()];
/// decide(subject, &questions, &Settings::default(), &Budget::unlimited(), &keep);
/// assert!(answers.into_inner().unwrap().contains(&Value::Number(4u32.into())));
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn decide(
    subject: Subject<'_>,
    asked: &[Asked],
    settings: &Settings<'_>,
    budget: &Budget,
    listener: &dyn Listener,
) {
    if let Err(foreign) = suits(subject, asked) {
        let refuse = |question| {
            let value = Value::Unknown(foreign.into());
            listener.answered(Answer { question, value, technique: Technique::None, explored: None });
        };
        return (0..asked.len()).for_each(refuse);
    }
    // The engines recurse over the levels of diagrams, and over formulas of bounded depth.
    with_deep_stack(subject.model.variables(), || {
        terminating::ask(subject, asked, settings, budget, |subject, asked| {
            reversible::ask(subject, asked, settings, budget, listener, |subject, asked, budget, listener| {
                operands::ask(subject, asked, settings, listener, |subject, asked, listener| {
                    if let Some(folded) = subject.model.as_folded() {
                        return folded::run(subject, folded, asked, settings, budget, listener);
                    }
                    match subject.model.initial_states().len() {
                        0 | 1 => match fused::smaller(subject, asked, settings, budget) {
                            Some(smaller) => fused::run(&smaller, settings, budget, listener),
                            None => rounds::run(subject, asked, settings, budget, listener, None),
                        },
                        several => starts::run(subject, asked, settings, budget, listener, several),
                    }
                });
            });
        });
    });
}
