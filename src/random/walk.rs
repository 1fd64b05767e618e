//! Random runs of models, step by step.
//!
//! Every step that is possible is as likely as each other: all are listed, and one is kept by chance (reservoir
//! sampling, Vitter 1985), so that a state costs as much as its steps. The same seed gives the same run.

use crate::budget::{Budget, Exhausted};
use crate::model::{State, Step, TransitionSystem};
use crate::rng::Rng;

/// Possible steps between two looks at the budget.
const CHECK_INTERVAL: usize = 1 << 8;

/// A run of a model that goes on by chance.
#[derive(Debug)]
pub struct Walk<'m> {
    model: &'m dyn TransitionSystem,
    rng: Rng,
    states: Vec<State>,
    steps: Vec<Step>,
}

impl<'m> Walk<'m> {
    /// A run of no steps in one of the initial states that the model lists.
    pub fn new(model: &'m dyn TransitionSystem, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let first = rng.pick(&model.initial_states()).cloned().unwrap_or_else(|| model.initial());
        Walk { model, rng, states: vec![first], steps: Vec::new() }
    }

    /// The states passed, one more than the steps.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The steps taken.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Take a step; `false` if none is possible.
    ///
    /// # Errors
    /// [`Exhausted`] when the budget is used up.
    pub fn go(&mut self, budget: &Budget) -> Result<bool, Exhausted> {
        budget.check()?;
        let Some(from) = self.states.last() else { return Ok(false) };
        let (mut kept, mut seen) = (None, 0);
        for action in self.model.action_ids() {
            for choice in 0..u32::MAX {
                let step = Step { action, choice };
                let Some(next) = self.model.fire(from, step) else { break };
                seen += 1;
                if seen % CHECK_INTERVAL == 0 {
                    budget.check()?;
                }
                if self.rng.one_in(seen) {
                    kept = Some((step, next));
                }
            }
        }
        let Some((step, next)) = kept else { return Ok(false) };
        self.steps.push(step);
        self.states.push(next);
        Ok(true)
    }
}
