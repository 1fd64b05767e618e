//! The reachable set, by saturation or, for cross-checks and comparison, by breadth-first search or
//! chaining.

use super::image::{self, Image};
use super::learning::Learning;
use super::saturation::Saturation;
use super::search::{Search, initial_states};
use crate::budget::Budget;
use crate::mdd::{EdgeRef, Held, Mdd, MddManager, Rows, Session};
use crate::relation::Relation;
use crate::stop_reason::StopReason;

/// The set of states reachable from the initial states of `relation`, in a space of its levels.
///
/// `progress` is called now and then: by saturation with the level being closed (from the last to 0), by
/// the others with the number of the round.
///
/// # Errors
/// [`StopReason`] when the budget is used up, a variable leaves the range of diagram values, or the space has another number of
/// levels.
pub fn reachable_set(
    relation: &Relation,
    space: &MddManager,
    search: Search,
    budget: &Budget,
    progress: &mut dyn FnMut(u32),
) -> Result<Mdd, StopReason> {
    discover(relation, space, search, budget, progress, &mut None).map(|(set, _)| set)
}

/// The reachable states as [`reachable_set`] gives them, and the relation with all that had to be learned for them.
/// Fixpoints in the set need that one. A relation that is not learned stays as it is.
///
/// # Errors
/// As [`reachable_set`], and [`StopReason::Model`] when a model that is asked fails. Then `known` is a set of reachable states,
/// if any were found.
pub fn discover(
    relation: &Relation,
    space: &MddManager,
    search: Search,
    budget: &Budget,
    progress: &mut dyn FnMut(u32),
    known: &mut Option<Mdd>,
) -> Result<(Mdd, Relation), StopReason> {
    space.expect(relation.levels() as usize)?;
    let mut complete = relation.clone();
    let set = space.run(budget, |session| {
        let mut found = None;
        let reached = match (relation.learned(), search) {
            _ if relation.is_closed() => initial_states(relation, session),
            (Some(learned), _) => Learning::new(relation, learned, session, search).and_then(|learning| {
                let (set, with_events) = learning.reachable(search, progress, &mut found)?;
                complete = with_events;
                Ok(set)
            }),
            (None, _) if relation.is_conjunctive() => breadth_first(relation, session, progress, &mut found),
            (None, Search::Saturation) => saturation(relation, session, budget, progress, &mut found),
            (None, Search::BreadthFirst) => breadth_first(relation, session, progress, &mut found),
            (None, Search::Chaining) => chaining(relation, session, progress, &mut found),
        };
        *known = found.filter(|_| reached.is_err()).map(Mdd::from_held);
        reached
    })?;
    Ok((set, complete))
}

/// Saturation with the events of each level as one.
fn saturation<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
    budget: &Budget,
    progress: &mut dyn FnMut(u32),
    known: &mut Option<Held<'m, 'id>>,
) -> Result<Held<'m, 'id>, StopReason> {
    let united = relation.level_union(budget)?;
    let saturation = Saturation::new(&united, session)?;
    match relation.has_several_starts() {
        false => saturation.reachable(progress, known),
        true => saturation.reachable_from(initial_states(relation, session)?.edge(), known),
    }
}

fn breadth_first<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
    progress: &mut dyn FnMut(u32),
    known: &mut Option<Held<'m, 'id>>,
) -> Result<Held<'m, 'id>, StopReason> {
    let image = Image::new(relation, session, session.reserve_operators(image::operators(relation))?);
    let mut reached = initial_states(relation, session)?;
    let mut frontier = reached.clone();
    for round in 0.. {
        progress(round);
        *known = Some(reached.clone());
        // The successors of all reached states are those of the last ones, and states that are reached.
        let all_are_less = nodes(session, reached.edge()) < nodes(session, frontier.edge());
        let next = image.post(if all_are_less { reached.edge() } else { frontier.edge() })?;
        frontier = session.difference(0, next.edge(), reached.edge())?;
        if frontier.is_empty() {
            break;
        }
        reached = session.union(0, reached.edge(), frontier.edge())?;
    }
    Ok(reached)
}

/// How many nodes a set has.
fn nodes<'id>(session: &Session<'_, 'id>, set: EdgeRef<'_, 'id>) -> usize {
    let mut rows = Rows::from(set);
    let mut all = rows.width();
    for _ in 1..session.levels() {
        rows.next(session);
        all += rows.width();
    }
    all
}

fn chaining<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
    progress: &mut dyn FnMut(u32),
    known: &mut Option<Held<'m, 'id>>,
) -> Result<Held<'m, 'id>, StopReason> {
    let image = Image::new(relation, session, session.reserve_operators(image::operators(relation))?);
    let mut reached = initial_states(relation, session)?;
    for round in 0.. {
        progress(round);
        let before = reached.clone();
        *known = Some(reached.clone());
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
