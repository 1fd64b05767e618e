//! Questions about a model, and the settings of their answers.

use super::answer::Listener;
use super::settings::Settings;
use crate::automaton::Tgba;
use crate::budget::Budget;
use crate::formula::{Foreign, FormulaId, Journey, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::model::{Groups, VariableId};
use crate::stop_reason::StopReason;
use crate::symbolic::Route;
use std::time::Duration;

/// A model with the formulas of questions about it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a dyn Kind,
    /// Groups of its variables and actions, for questions about all of them.
    pub groups: &'a Groups,
    /// Holds the formulas of the questions.
    pub pool: &'a Pool,
}

/// Questions about a subject, with all that their solvers need.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    /// The model with its groups, and the formulas.
    pub(super) subject: Subject<'a>,
    /// The questions. Their numbers are their indices.
    pub(super) requests: &'a [Request],
    /// The ways and techniques that take part.
    pub(super) settings: &'a Settings<'a>,
    /// Limits of time, memory and work.
    pub(super) budget: &'a Budget,
    /// The receiver of answers.
    pub(super) listener: &'a dyn Listener,
    /// The time that the ways share in the first round, if it is little.
    pub(super) time: Option<Duration>,
}

impl<'a> Task<'a> {
    /// A task of its own.
    pub(super) fn new(
        subject: Subject<'a>,
        requests: &'a [Request],
        settings: &'a Settings<'a>,
        budget: &'a Budget,
        listener: &'a dyn Listener,
    ) -> Self {
        Task { subject, requests, settings, budget, listener, time: None }
    }
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
        /// The semantics of its paths.
        paths: PathSemantics,
    },
    /// Is there a path from an initial state that an automaton accepts?
    Automaton {
        /// The automaton.
        automaton: Tgba,
        /// The formulas that its propositions are: on single states, or of the labels of the next step.
        propositions: Vec<FormulaId>,
        /// The formula that an accepted run is a witness of: `E true`; about finite runs, the formula that is asked.
        shown: FormulaId,
        /// The answer if there is such a path: false where it refutes what is asked.
        accepted: bool,
        /// The semantics of paths: stutter or infinite.
        paths: PathSemantics,
        /// Where it is about finite runs ([`Question::finite`]): the condition on single states in which they may end. Then it is
        /// asked of each initial state.
        last: Option<FormulaId>,
    },
    /// How many steps lead from a reachable state of one sort to one of another.
    Distance {
        /// From where to where.
        journey: Journey,
        /// The semantics of paths.
        paths: PathSemantics,
    },
    /// The greatest sum of these variables in a reachable state.
    Bound(Vec<VariableId>),
    /// A property of the whole model.
    Global(Global),
    /// A number about the state space.
    Statistic(Statistic),
    /// A question that could not be asked within the limits: it stays unknown for this reason.
    Stopped(StopReason),
    /// A question that could not be read, with the reason: it stays unknown. It stands among the others so that they
    /// keep their numbers.
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
pub enum Statistic {
    /// How many reachable states.
    States,
    /// How many pairs of a reachable state and a step that is possible there; and the initialisations of models of
    /// which they are counted ([`Kind::initialisations`]).
    Transitions,
    /// The greatest value of a variable.
    MaxInVariable,
    /// The greatest sum of the values of a state.
    MaxInState,
    /// How many reachable states allow no step; where time passes by itself, none but that, then and later. The first
    /// is the witness.
    Deadlocks,
    /// How many reachable states, what clocks show left aside.
    Markings,
    /// The greatest value of each variable ([`Numbers`](crate::decide::Value::Numbers)).
    Bounds,
}

/// A question, and what is wanted beside the answer.
#[derive(Clone, Debug)]
pub struct Request {
    /// The question.
    pub question: Question,
    /// The set of all reachable states that satisfy the formula (of an automaton: from which it accepts a path).
    pub set: bool,
    /// An explanation of the answer.
    pub witness: bool,
}

impl From<Question> for Request {
    /// Nothing but the answer.
    fn from(question: Question) -> Self {
        Request { question, set: false, witness: false }
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

    /// Whether one initial state in the set of the question is enough for *true*, as where a path is looked for that may
    /// begin anywhere. Of all others each initial state has to be in it.
    pub fn is_about_some_initial_state(&self) -> bool {
        matches!(self, Question::Automaton { accepted: true, last: None, .. })
    }
}

/// Are all questions of this pool, and is everything about this model?
pub(super) fn suits(subject: Subject<'_>, asked: &[Request]) -> Result<(), Foreign> {
    let (variables, actions) = (subject.model.variables(), subject.model.actions());
    let known = |ids: &[VariableId]| ids.iter().all(|variable| variable.index() < variables);
    let groups = subject.groups.variables.iter().all(|group| known(group))
        && subject.groups.actions.iter().flatten().all(|action| action.index() < actions);
    let check = |formula: FormulaId| subject.pool.check(formula, variables, actions);
    for asked in asked {
        match &asked.question {
            &Question::Formula { formula, linear, .. } => check(formula).and(check(linear))?,
            Question::Automaton { propositions, shown, last, .. } => {
                propositions.iter().chain([shown]).chain(last).try_for_each(|&part| check(part))?;
            }
            Question::Distance { journey, .. } => journey.formulas().try_for_each(check)?,
            Question::Bound(sum) if !known(sum) => return Err(Foreign::Model),
            Question::Bound(_)
            | Question::Global(_)
            | Question::Statistic(_)
            | Question::Stopped(_)
            | Question::Unreadable(_) => {}
        }
    }
    if groups { Ok(()) } else { Err(Foreign::Model) }
}
