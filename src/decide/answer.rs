//! Answers, their explanations, and their receivers.

use super::state_space::{Progress, StateSpace};
use crate::explicit;
use crate::mdd::Mdd;
use crate::model::State;
use crate::stop_reason::StopReason;
use crate::witness::{Broken, Witness};
use num_bigint::BigUint;

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The number of the question.
    pub question: usize,
    /// The answer itself.
    pub value: Value,
    /// The way that found it.
    pub technique: Technique,
    /// Effort of explicit search, where it found the answer.
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
    /// One for each variable; `None` where there is none that is enough.
    Suprema(Vec<Option<u128>>),
    /// There are infinitely many, or more than any number.
    Infinite,
    /// There is no such number: the longest way between states of which there are none.
    Undefined,
    /// Not known, and why.
    Unknown(StopReason),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Verdict(verdict) => verdict.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Numbers(numbers) => write!(f, "{numbers:?}"),
            Value::Suprema(numbers) => write!(f, "{numbers:?}"),
            Value::Infinite => f.write_str("infinite"),
            Value::Undefined => f.write_str("undefined"),
            Value::Unknown(_) => f.write_str("unknown"),
        }
    }
}

/// The way that found an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Technique {
    /// From the reachable set as a decision diagram.
    DecisionDiagrams,
    /// By the engine of bits.
    Sat,
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
            Technique::Sat => "sat",
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

/// The explanation of an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Explained {
    /// A witness for the verdict of a formula. It has been replayed.
    Witness(Witness),
    /// A reachable state, for a question about states: a deadlock.
    State(State),
    /// None was found; the verdict stands.
    Missing(String),
    /// A run that does not replay: an error of the program, which casts doubt on the verdict.
    Broken(Broken),
}

/// An error of the program that has been found out.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// Two ways contradict each other.
    Contradiction {
        /// The answer that was given, and its way.
        one: (Value, Technique),
        /// The other value, and its way.
        other: (Value, Technique),
    },
    /// A run on which a verdict rests does not replay on the model. The verdict has not been given.
    Unconfirmed {
        /// The verdict.
        verdict: bool,
        /// The way that claims it.
        technique: Technique,
        /// Why the run is none.
        problem: Broken,
    },
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Contradiction { one: (one, by), other: (other, otherwise) } => {
                write!(f, "{} says {one}, {} says {other}", by.name(), otherwise.name())
            }
            Fault::Unconfirmed { verdict, technique, problem } => {
                write!(f, "{} says {verdict}, but {problem}", technique.name())
            }
        }
    }
}

/// The receiver of answers and of faults. All other methods do nothing by default. They may be called from several
/// threads, but one at a time for each question.
pub trait Listener: Sync {
    /// An answer: exactly one for every question that is wanted, in the end [`Value::Unknown`].
    fn answered(&self, answer: Answer);

    /// An error of the program has been found out on the way to the answer to a question. Who passes answers on passes
    /// this on, too.
    fn faulty(&self, question: usize, fault: Fault);

    /// Is the answer to a question that has none still wanted? That is asked after each answer; a question that is not
    /// wanted gets none.
    fn is_wanted(&self, _question: usize) -> bool {
        true
    }

    /// The explanation of an answer, where a witness is wanted: at most one for each question, after its answer.
    fn explained(&self, _question: usize, _explained: Explained) {}

    /// The set that satisfies a formula, where it is wanted.
    fn set(&self, _question: usize, _space: &StateSpace, _set: &Mdd) {}

    /// The model has infinitely many states, since this variable has no bound.
    fn unbounded(&self, _variable: &str) {}

    /// The reachable set has been found, of the model or of a smaller net. `model_states` is the number of states of
    /// the model that the smaller net stands for; then the variables are not those of the model.
    fn explored(&self, _space: &StateSpace, _model_states: Option<&BigUint>) {}

    /// Progress of a search for the reachable set.
    fn progress(&self, _progress: Progress<'_>) {}
}

/// The translation of answers to questions that are asked in place of others.
pub(super) trait Remapping: Sync {
    /// The receiver.
    fn listener(&self) -> &dyn Listener;

    /// The number of a question for the receiver; `None` if it is of no interest there.
    fn number(&self, question: usize) -> Option<usize> {
        Some(question)
    }

    /// An answer to one of the questions.
    fn answered(&self, answer: Answer);

    /// Is the answer to one of them still wanted?
    fn is_wanted(&self, question: usize) -> bool {
        self.number(question).is_none_or(|question| self.listener().is_wanted(question))
    }

    /// Are the questions about the receiver's model? If not, explanations, sets and state spaces are of no use there.
    fn is_same_model(&self) -> bool {
        true
    }

    /// The set of one of the questions, by its number here and for the receiver.
    fn set(&self, _here: usize, question: usize, space: &StateSpace, set: &Mdd) {
        self.listener().set(question, space, set);
    }

    /// The explanation of one of the answers, by the number of its question for the receiver.
    fn explained(&self, question: usize, explained: Explained) {
        self.listener().explained(question, explained);
    }
}

/// Questions about a smaller model that are asked for one question. What comes of them is for who asks; errors of the
/// program are told.
pub(super) struct OnBehalf<'a, F> {
    pub(super) listener: &'a dyn Listener,
    pub(super) question: usize,
    pub(super) answered: F,
}

impl<F: Fn(Answer) + Sync> Remapping for OnBehalf<'_, F> {
    fn listener(&self) -> &dyn Listener {
        self.listener
    }

    fn number(&self, _: usize) -> Option<usize> {
        Some(self.question)
    }

    fn answered(&self, answer: Answer) {
        (self.answered)(answer);
    }

    fn is_wanted(&self, _: usize) -> bool {
        true
    }

    fn is_same_model(&self) -> bool {
        false
    }
}

/// The listener of questions that are asked in place of others.
pub(super) struct Remapped<T>(pub(super) T);

impl<T: Remapping> Remapped<T> {
    fn number_there(&self, question: usize) -> Option<usize> {
        self.0.number(question).filter(|_| self.0.is_same_model())
    }
}

impl<T: Remapping> Listener for Remapped<T> {
    fn answered(&self, answer: Answer) {
        self.0.answered(answer);
    }

    fn faulty(&self, question: usize, fault: Fault) {
        // It is an error of the program, whoever hears of it.
        self.0.listener().faulty(self.0.number(question).unwrap_or(0), fault);
    }

    fn is_wanted(&self, question: usize) -> bool {
        self.0.is_wanted(question)
    }

    fn explained(&self, question: usize, explained: Explained) {
        if let Some(question) = self.number_there(question) {
            self.0.explained(question, explained);
        }
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        if let Some(there) = self.number_there(question) {
            self.0.set(question, there, space, set);
        }
    }

    fn unbounded(&self, variable: &str) {
        if self.0.is_same_model() {
            self.0.listener().unbounded(variable);
        }
    }

    fn explored(&self, space: &StateSpace, model_states: Option<&BigUint>) {
        if self.0.is_same_model() {
            self.0.listener().explored(space, model_states);
        }
    }

    fn progress(&self, progress: Progress<'_>) {
        self.0.listener().progress(progress);
    }
}
