//! What questions need of a model that tells time: each its own unit.

use super::{Kind, Loaded};
use crate::formula::{FormulaId, Pool, Symbols};

/// A question as far as it says something about time.
#[derive(Clone, Debug, Default)]
pub struct TimedQuestion {
    /// The formulas that it is made of: one, or the propositions of an automaton; none for a bound.
    pub formulas: Vec<FormulaId>,
    /// Is it an automaton?
    pub is_automaton: bool,
}

/// The model as some of the questions need it.
#[derive(Debug)]
pub struct Tuned {
    /// The model; none if it is so already.
    pub model: Option<Box<dyn Kind>>,
    /// The numbers of the questions.
    pub questions: Vec<usize>,
}

/// The model as each of the questions needs it. What is said of one question does not depend on the others.
#[derive(Debug)]
pub struct Tuning {
    /// The model for some of the questions each, in the order of the first question of each.
    pub parts: Vec<Tuned>,
    /// Of which question, by its number, time may show less than there is, and why.
    pub notes: Vec<(usize, String)>,
}

impl Loaded {
    /// The model as it has to be for formulas in these texts to be parsed; `None` if it is so already.
    pub fn rescaled(&self, formulas: &[&str]) -> Option<Loaded> {
        self.model.rescaled(formulas).map(|model| self.as_model(model))
    }

    /// The model as each of these questions about it needs it, and what is to be said of them; `None` if no time passes in it.
    pub fn tuned(&self, pool: &Pool, questions: &[TimedQuestion]) -> Option<Tuning> {
        self.model.tuned(pool, questions)
    }

    /// The same with another form of the model.
    pub fn as_model(&self, model: Box<dyn Kind>) -> Loaded {
        let (symbols, groups, notes) = (Symbols::of(&*model), self.groups.clone(), self.notes.clone());
        let (remarks, questions) = (self.remarks.clone(), self.questions.clone());
        Loaded { model, symbols, groups, origin: self.origin, notes, remarks, questions }
    }
}
