//! Questions that come with a model: an invariant, a property process.
//!
//! Some languages of models say in the model what is to be asked of it. A reader puts such questions beside the model,
//! as formulas of a pool of their own, so that commands and programs can ask them without knowing what kind of model it
//! is.

use crate::formula::{Assumption, Extreme, FormulaId, PathSemantics, Pool};

/// A question that comes with a model.
#[derive(Clone, Debug)]
pub struct ModelQuestion {
    /// Its name in the model.
    pub id: String,
    /// The formula that should hold in the initial state.
    pub formula: FormulaId,
    /// The semantics of its paths, if it makes no sense with others.
    pub paths: Option<PathSemantics>,
    /// Is it part of an invariant, or an assertion: that something holds in every reachable state?
    pub invariant: bool,
    /// The question as the model writes it, if its language has a notation of its own.
    pub written: Option<String>,
    /// What the model takes for granted of paths.
    pub fairness: Vec<Assumption>,
    /// The number of steps that it asks for, if it asks for one: then the formula says nothing.
    pub steps: Option<Extreme>,
    /// Why it is not asked, if it is not: then the formula says nothing.
    pub refused: Option<String>,
}

impl ModelQuestion {
    /// A question whether a formula holds, and nothing else.
    pub fn new(id: String, formula: FormulaId, paths: Option<PathSemantics>) -> Self {
        ModelQuestion {
            id,
            formula,
            paths,
            invariant: false,
            written: None,
            fairness: Vec::new(),
            steps: None,
            refused: None,
        }
    }
}

/// The questions that come with a model.
#[derive(Clone, Debug, Default)]
pub struct ModelQuestions {
    /// Holds their formulas.
    pub pool: Pool,
    /// The questions, in the order of the model.
    pub list: Vec<ModelQuestion>,
    /// What was asked in the language of the model when it was read ([`Reading::asked`](super::Reading::asked)), in
    /// that order.
    pub asked: Vec<ModelQuestion>,
    /// Assumptions about the paths that formulas are about, each as a line of a file of formulas has it.
    pub assumptions: Vec<String>,
}
