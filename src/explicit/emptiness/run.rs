//! The run of a search that has found one: the path of the search, and a cycle in its last component.

use super::component::Component;
use super::{Accepted, Search};
use crate::explicit::packed_model::{PackedModel, Rule};
use crate::explicit::store::StateId;
use crate::model::{Path, Step, Then};
use crate::stop_reason::StopReason;

/// The steps of some rules.
pub(super) fn steps<S: PackedModel>(space: &S, rules: impl IntoIterator<Item = Rule>) -> Vec<Step> {
    rules.into_iter().map(|rule| space.step(rule)).collect()
}

impl<S: PackedModel> Search<'_, S> {
    /// The run that was found.
    pub(super) fn accepted_run(&mut self, end: Accepted) -> Result<Path, StopReason> {
        let path = self.stack.path();
        let root = self.root();
        let passed = match end {
            Accepted::Deadlock | Accepted::Terminal => path.len() - 1,
            Accepted::Component => path.iter().position(|&(state, _)| state == root).unwrap_or(0),
        };
        let prefix = steps(self.states.space(), path[..passed].iter().map(|&(_, rule)| rule));
        let then = match end {
            Accepted::Deadlock => Then::Deadlock,
            Accepted::Terminal => Then::Open,
            Accepted::Component => {
                let live = &self.live;
                let mut component = Component {
                    states: &mut self.states,
                    atoms: &mut self.atoms,
                    buchi: &mut self.buchi,
                    budget: self.budget,
                    inside: &|state| state >= root && live.contains(state),
                };
                let cycle = component.cycle(root)?;
                Then::Cycle(steps(self.states.space(), cycle))
            }
        };
        Ok(Path { prefix, then })
    }

    /// The last root.
    fn root(&self) -> StateId {
        self.roots.last().map_or(0, |root| root.state)
    }
}
