//! The attractors of most permissive updates: the minimal trap spaces, found as such.
//!
//! **Trap spaces.** A tuple with 0, 1 or *on its way up* (2) for each level is a subspace: what is on its way is free. It
//! is a trap space where nothing at 0 or 1 sets out, whatever the free levels are: where no event is enabled but those of
//! free levels. Levels that no event changes are 0 or 1, and not free.
//!
//! **Minimal ones.** Those that have no other in them. What has a smaller one in it is found by one walk through the
//! diagram: at a free level it has what is below at 0, at 1, or free.
//!
//! Everything is done for all values of the parameters at once, and no state on its way is ever explored: hence all
//! tuples may be given as the states.
//!
//! Source: Paulevé, Kolčák, Chatain, Haar, Nature Communications 11, 2020 (attractors are minimal trap spaces); Trinh,
//! Benhamou, Hiraishi, Soliman, *Minimal trap spaces of logical models are maximal siphons*, CMSB 2022.

use super::steps::Events;
use crate::budget::{Budget, Exhausted};
use crate::mdd::{EdgeRef, Held, Mdd, Sections, Session, is_empty};
use crate::stop_reason::StopReason;

/// What stands for a free level.
const FREE: u32 = 2;

/// Operators of the walks, above the first that is reserved for them.
const LARGER: u32 = 0;
const AROUND: u32 = 1;
const MEMBERS: u32 = 2;
const OPERATORS: u32 = 3;

/// The states of attractors: those of fixed points, and others, one at most in each section.
pub(super) fn attractors(
    events: &Events<'_>,
    sections: &Sections,
    states: &Mdd,
    meant: &Mdd,
    budget: &Budget,
) -> Result<(Vec<Mdd>, Mdd), StopReason> {
    let free: Vec<bool> = events.relation.constant_levels().into_iter().map(|constant| !constant).collect();
    let base = states.with_session(budget, |session, _| session.reserve_operators(OPERATORS))?;
    let walks = Walks { free: &free, base };
    let spaces = trap_spaces(events, sections, &free, states, budget)?;
    let larger = spaces.run(budget, |session, root| walks.larger(session, 0, root))?;
    let minimal = spaces.difference(&larger, budget)?;
    let fixed = minimal.intersection(meant, budget)?;
    let (mut open, mut found) = (minimal.difference(&fixed, budget)?, Vec::new());
    while !open.is_empty() {
        let some = sections.one_each(&open, budget)?;
        found.push(some.run(budget, |session, root| walks.members(session, 0, root))?);
        open = open.difference(&some, budget)?;
    }
    Ok((found, fixed))
}

/// All trap spaces.
fn trap_spaces(
    events: &Events<'_>,
    sections: &Sections,
    free: &[bool],
    states: &Mdd,
    budget: &Budget,
) -> Result<Mdd, StopReason> {
    let mut left = states.clone();
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (event, footprint) in (0..).zip(&events.footprints) {
        all.extend(footprint.changes.iter().map(|&level| (level, event)));
    }
    for level in (0..).zip(free).filter(|(_, free)| **free).map(|(level, _)| level) {
        left = left.difference(&sections.slice(states, level, FREE + 1, budget)?, budget)?;
    }
    all.sort_unstable();
    for &(level, event) in all.iter().rev() {
        let moving = events.enabled(event, &left, budget)?;
        let setting_out = moving.difference(&sections.slice(states, level, FREE, budget)?, budget)?;
        left = left.difference(&setting_out, budget)?;
    }
    Ok(left)
}

/// Walks through sets of subspaces, with operator numbers of their own.
struct Walks<'f> {
    free: &'f [bool],
    base: u32,
}

impl Walks<'_> {
    /// Subspaces that have another one of a set in them (`larger`), or one at all (`around`).
    fn larger<'m, 'id>(
        &self,
        session: &Session<'m, 'id>,
        level: u32,
        node: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, Exhausted> {
        self.walk(session, LARGER, level, node, |value, child| {
            let mut own = vec![(value, self.larger(session, level + 1, child)?)];
            if self.free[level as usize] && value < FREE {
                own.push((FREE, self.around(session, level + 1, child)?));
            }
            Ok(own)
        })
    }

    fn around<'m, 'id>(
        &self,
        session: &Session<'m, 'id>,
        level: u32,
        node: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, Exhausted> {
        self.walk(session, AROUND, level, node, |value, child| {
            let below = self.around(session, level + 1, child)?;
            let wider = (self.free[level as usize] && value < FREE).then(|| (FREE, below.clone()));
            Ok([(value, below)].into_iter().chain(wider).collect())
        })
    }

    /// The states in subspaces.
    fn members<'m, 'id>(
        &self,
        session: &Session<'m, 'id>,
        level: u32,
        node: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, Exhausted> {
        self.walk(session, MEMBERS, level, node, |value, child| {
            let below = self.members(session, level + 1, child)?;
            Ok(if value == FREE { vec![(0, below.clone()), (1, below)] } else { vec![(value, below)] })
        })
    }

    /// A node of what its children become: each of them some values with what is below. No subspace is larger than itself.
    fn walk<'m, 'id>(
        &self,
        session: &Session<'m, 'id>,
        operator: u32,
        level: u32,
        node: EdgeRef<'_, 'id>,
        mut become_of: impl FnMut(u32, EdgeRef<'_, 'id>) -> Result<Vec<(u32, Held<'m, 'id>)>, Exhausted>,
    ) -> Result<Held<'m, 'id>, Exhausted> {
        if level == session.levels() || is_empty(node) {
            return Ok(if operator == LARGER { session.empty() } else { session.hold(node) });
        }
        if let Some(known) = session.cached(self.base + operator, [node; 3]) {
            return Ok(known);
        }
        session.tick()?;
        let mut by_value = [session.empty(), session.empty(), session.empty()];
        for (value, child) in session.pairs(node) {
            for (value, below) in become_of(value, child)? {
                let Some(known) = by_value.get_mut(value as usize) else { continue };
                *known = session.union(level + 1, known.edge(), below.edge())?;
            }
        }
        let mut list = session.list();
        for (value, below) in (0..).zip(by_value) {
            if !below.is_empty() {
                list.push(value, below);
            }
        }
        let result = session.node(level, list)?;
        session.remember(self.base + operator, [node; 3], &result);
        Ok(result)
    }
}
