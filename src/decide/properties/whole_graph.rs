//! The graph of all states, explored in slices.

use crate::budget::Budget;
use crate::decide::context::Context;
use crate::explicit::{Growing, Labelling};
use crate::stop_reason::StopReason;

/// The reachability graph, as far as it is known.
#[derive(Default)]
pub(super) struct WholeGraph<'a> {
    /// A search for it that ran out of time.
    growing: Option<Box<dyn Growing<'a> + 'a>>,
    whole: Option<Labelling<'a>>,
}

impl<'a> WholeGraph<'a> {
    /// The graph of all states.
    ///
    /// # Errors
    /// When it is not there within the budget; if that is for lack of time, the search goes on the next time.
    pub(super) fn get(&mut self, context: &Context<'a>, budget: &Budget) -> Result<&mut Labelling<'a>, StopReason> {
        let whole = match self.whole.take() {
            Some(whole) => whole,
            None => self.explore(context, budget)?,
        };
        Ok(self.whole.insert(whole))
    }

    fn explore(&mut self, context: &Context<'a>, budget: &Budget) -> Result<Labelling<'a>, StopReason> {
        let mut growing = match self.growing.take() {
            Some(growing) => growing,
            None => context.compiled()?.graph(&context.options(false), budget)?,
        };
        if let Err(stop) = growing.go_on(budget) {
            self.growing = stop.is_time().then_some(growing);
            return Err(stop);
        }
        Ok(growing.finish(budget)?.with_fairness(context.settings.techniques.fairness))
    }
}
