//! The runs of a witness, with the names of what they are made of.

use super::{Model, NamedState};
use crate::report::witness::Names;
use crate::witness::{End, Witness};

/// A run of a witness: states, the steps between them, and how it goes on.
///
/// See [`crate::Verdict::runs`] and [`crate::Soundness::runs`].
#[derive(Clone, PartialEq, Debug)]
pub struct NamedRun {
    pub(super) formula: String,
    pub(super) states: Vec<NamedState>,
    pub(super) steps: Vec<String>,
    pub(super) end: End,
    pub(super) least: usize,
}

impl NamedRun {
    /// The formula that it shows (`E φ`) or violates (`A φ`); of soundness the demand that it refutes.
    pub fn formula(&self) -> &str {
        &self.formula
    }

    /// The states that it passes, at least one.
    pub fn states(&self) -> &[NamedState] {
        &self.states
    }

    /// The steps from each state to the next; of a loop the last leads to the beginning of the loop.
    pub fn steps(&self) -> &[String] {
        &self.steps
    }

    /// Is it proved that no run that shows the same has fewer steps?
    pub fn is_shortest(&self) -> bool {
        self.least >= self.steps.len()
    }

    /// Proved lower bound of the number of steps of each such run.
    pub fn least(&self) -> usize {
        self.least
    }

    /// How it goes on after its last state.
    pub fn end(&self) -> End {
        self.end
    }
}

/// The runs of a witness about a model.
pub(super) fn runs(witness: &Witness, names: Names<'_>, model: &Model) -> Vec<NamedRun> {
    let named = |run: &crate::witness::Run| {
        let states = run.positions.iter().map(|position| NamedState::new(model, position.marking.clone()));
        let from = run.positions.iter().map(|position| &position.marking);
        let steps = run.fired.iter().zip(from).map(|(&step, from)| names.model.describe(from, step).into_owned());
        NamedRun {
            formula: names.pool.display(run.formula, names.symbols).to_string(),
            states: states.collect(),
            steps: steps.collect(),
            end: run.end,
            least: run.least,
        }
    };
    witness.runs.iter().map(named).collect()
}
