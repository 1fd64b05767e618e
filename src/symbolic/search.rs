//! How the reachable set is searched, and the states that searches begin with.

use crate::mdd::{Held, Session};
use crate::relation::Relation;
use crate::stop_reason::StopReason;

/// The method for the reachable set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// Saturation: nodes are closed bottom-up, each under the events that start on its level.
    #[default]
    Saturation,
    /// Breadth-first: one image of the whole relation per round.
    BreadthFirst,
    /// Chaining (Roig, Cortadella, Pastor 1995): in each round, event after event on the growing set.
    Chaining,
}

/// A set of states below a level, with the values of the initial state above it.
pub(super) fn under_initial<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
    level: u32,
    mut below: Held<'m, 'id>,
) -> Result<Held<'m, 'id>, StopReason> {
    for level in (0..level).rev() {
        let mut list = session.list();
        list.push(relation.initial()[level as usize], below);
        below = session.node(level, list)?;
    }
    Ok(below)
}

/// The set of the initial states.
pub(super) fn initial_states<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
) -> Result<Held<'m, 'id>, StopReason> {
    let mut all = session.empty();
    for state in relation.initial_states() {
        let mut below = session.unit();
        for level in (0..relation.levels()).rev() {
            let mut list = session.list();
            list.push(state[level as usize], below);
            below = session.node(level, list)?;
        }
        all = session.union(0, all.edge(), below.edge())?;
    }
    Ok(all)
}
