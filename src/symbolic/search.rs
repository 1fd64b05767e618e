//! How the reachable set is searched, and the states that searches begin with.

use super::conjunctive::satisfying;
use super::projection::without;
use crate::budget::Budget;
use crate::mdd::{Held, Mdd, MddManager, Sections, Session};
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
    if let Some(conditions) = &relation.conjunctive().first {
        return satisfying(relation, conditions, session);
    }
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

/// The initial states, as a set beside others.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the sets are of other tuples than the relation's.
pub fn initial_set(relation: &Relation, beside: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    beside.run(budget, |session, _| initial_states(relation, session))
}

/// Of some states those that people mean: all, but where states that are not initial are only passed through. Variables
/// that only remember something of the last step have their least value.
///
/// # Errors
/// As [`initial_set`].
pub fn meant(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    let meant = match relation.has_passages() {
        true => initial_set(relation, states, budget)?.intersection(states, budget)?,
        false => states.clone(),
    };
    match relation.remembered() {
        Some(remembered) => without(&meant, &remembered, budget),
        None => Ok(meant),
    }
}

/// The initial states of a relation and whatever is on its way from one of them to another, reachable or not, in a space
/// of its own: all combinations of levels that some step changes.
///
/// # Errors
/// [`StopReason`] when the budget is used up.
pub fn all_passages(relation: &Relation, budget: &Budget) -> Result<Mdd, StopReason> {
    let space = MddManager::new(relation.levels(), budget)?;
    let first = space.run(budget, |session| initial_states(relation, session))?;
    let values = relation.conjunctive().sizes.iter().map(|&size| (0..size).collect()).collect();
    let sections = Sections::new(relation.constant_levels(), values, &first, budget)?;
    Ok(sections.shadow(&first, budget)?)
}

/// Are all initial states in a set?
///
/// # Errors
/// As [`initial_set`].
pub fn all_initial_in(relation: &Relation, set: &Mdd, budget: &Budget) -> Result<bool, StopReason> {
    match relation.conjunctive().first {
        None => Ok(relation.initial_states().all(|state| set.contains(state))),
        Some(_) => Ok(initial_set(relation, set, budget)?.difference(set, budget)?.is_empty()),
    }
}
