//! The run of a search that has found one: the path of the search, and a cycle in its last component.

use super::Search;
use super::component::{Component, steps};
use super::reader::Accepted;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::store::StateId;
use crate::model::{Path, Then};
use crate::stop_reason::StopReason;

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
