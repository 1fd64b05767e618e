//! The reachable set, by saturation or, for cross-checks and comparison, by breadth-first search or
//! chaining.

use super::image::{self, Image};
use super::saturation::Saturation;
use crate::budget::Budget;
use crate::halt::Halt;
use crate::mdd::{Held, Mdd, MddSpace, Session};
use crate::relation::Relation;

/// How the reachable set is searched.
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

/// The set of states reachable from the initial state of `relation`, in a space of its levels.
///
/// `progress` is called now and then: by saturation with the level being closed (from the last to 0), by
/// the others with the number of the round.
///
/// # Errors
/// [`Halt`] when the budget is used up or a variable leaves the range of diagram values.
pub fn reachable_set(
    relation: &Relation,
    space: &MddSpace,
    search: Search,
    budget: &Budget,
    progress: &mut dyn FnMut(u32),
) -> Result<Mdd, Halt> {
    space.run(budget, |session| match search {
        Search::Saturation => Saturation::new(relation, session)?.reachable(progress),
        Search::BreadthFirst => breadth_first(relation, session, progress),
        Search::Chaining => chaining(relation, session, progress),
    })
}

fn initial_state<'m, 'id>(relation: &Relation, session: &Session<'m, 'id>) -> Result<Held<'m, 'id>, Halt> {
    let mut below = session.unit();
    for level in (0..relation.levels()).rev() {
        let mut list = session.list();
        list.push(relation.initial()[level as usize], below);
        below = session.node(level, list)?;
    }
    Ok(below)
}

fn breadth_first<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
    progress: &mut dyn FnMut(u32),
) -> Result<Held<'m, 'id>, Halt> {
    let image = Image::new(relation, session, session.reserve_operators(image::operators(relation))?);
    let mut reached = initial_state(relation, session)?;
    let mut frontier = reached.clone();
    for round in 0.. {
        progress(round);
        let next = image.post(frontier.edge())?;
        frontier = session.difference(0, next.edge(), reached.edge())?;
        if frontier.is_empty() {
            break;
        }
        reached = session.union(0, reached.edge(), frontier.edge())?;
    }
    Ok(reached)
}

fn chaining<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
    progress: &mut dyn FnMut(u32),
) -> Result<Held<'m, 'id>, Halt> {
    let image = Image::new(relation, session, session.reserve_operators(image::operators(relation))?);
    let mut reached = initial_state(relation, session)?;
    for round in 0.. {
        progress(round);
        let before = reached.clone();
        for event in 0..relation.events().len() as u32 {
            let next = image.post_event(event, reached.edge())?;
            reached = session.union(0, reached.edge(), next.edge())?;
        }
        if before.edge() == reached.edge() {
            break;
        }
    }
    Ok(reached)
}
