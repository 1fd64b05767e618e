//! The graph of all states, explored in slices.

use crate::budget::{Budget, Exhausted};
use crate::decide::context::Context;
use crate::explicit::{Growing, Labelling};
use crate::stop_reason::StopReason;

/// The reachability graph, as far as it is known.
#[derive(Default)]
pub(super) enum WholeGraph<'a> {
    #[default]
    Unknown,
    Growing(Box<dyn Growing<'a> + 'a>),
    Whole(Box<Labelling<'a>>),
}

impl<'a> WholeGraph<'a> {
    /// The graph of all states.
    ///
    /// # Errors
    /// When it is not there within the budget; if that is for lack of time, the search goes on the next time.
    pub(super) fn get(&mut self, context: &Context<'a>, budget: &Budget) -> Result<&mut Labelling<'a>, StopReason> {
        let mut growing = match std::mem::take(self) {
            WholeGraph::Whole(labelling) => {
                *self = WholeGraph::Whole(labelling);
                return self.whole();
            }
            WholeGraph::Growing(growing) => growing,
            WholeGraph::Unknown => context.compiled()?.graph(&context.options(false), budget)?,
        };
        if let Err(stop) = growing.go_on(budget) {
            if stop.is_time() {
                *self = WholeGraph::Growing(growing);
            }
            return Err(stop);
        }
        let fairness = context.settings.techniques.fairness;
        *self = WholeGraph::Whole(Box::new(growing.finish(budget)?.with_fairness(fairness)));
        self.whole()
    }

    fn whole(&mut self) -> Result<&mut Labelling<'a>, StopReason> {
        match self {
            WholeGraph::Whole(labelling) => Ok(labelling),
            _ => Err(Exhausted::Time.into()),
        }
    }
}
