//! From where can a goal be reached? Backwards over the markings that time reaches.
//!
//! For each marking, the values from which some run leads to the goal: the least solution of
//!
//! ```text
//! G(mu) = precede( goal(mu) ∪ ∪ over t from mu to mu' of  C(t) ∧ G(mu')[A(t) := 0] )
//! ```
//!
//! Each side is a union of regions, and zones that arise backwards have constants of the net only, so the iteration
//! ends without extrapolation (Henzinger, Nicollin, Sifakis, Yovine, "Symbolic model checking for real-time systems",
//! 1994). The forward graph must be explored to its end; only its markings are used. Those from which others are reached
//! come after these, so that most are looked at once; zones whose union is one become that.

use super::delay;
use super::markings::{ExploreError, MarkingId};
use super::model::TransitionId;
use super::zone::Federation;
use super::zone_graph::ZoneGraph;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The values, for each marking by its number, from which a run leads to a marking of the goal.
pub fn can_reach(
    graph: &mut ZoneGraph<'_, '_>,
    goal: &dyn Fn(&[u32]) -> bool,
) -> Result<Vec<Federation>, ExploreError> {
    let reached: Vec<MarkingId> = graph.reached().collect();
    let count = graph.markings.len();
    let mut predecessors: Vec<Vec<(TransitionId, MarkingId)>> = vec![Vec::new(); count];
    let mut is_reached = vec![false; count];
    reached.iter().for_each(|&m| is_reached[m as usize] = true);
    for &m in &reached {
        for &(t, target) in graph.markings.successors(m)?.iter() {
            if is_reached[target as usize] {
                predecessors[target as usize].push((t, m));
            }
        }
    }
    let ranks = ranks(&*graph, &is_reached);
    let mut values = vec![Federation::new(); count];
    // By rank, so that what is behind comes first.
    let mut open = BTreeSet::new();
    for &m in &reached {
        if goal(&graph.markings.tokens(m)) {
            values[m as usize] = Federation::of_boxes(graph.markings.invariant(m));
            open.insert((ranks[m as usize], m));
        }
    }
    let scaled = graph.scaled();
    let budget = graph.options().limits.budget.clone();
    while let Some((_, m)) = open.pop_first() {
        budget.check()?;
        for &(t, before) in &predecessors[m as usize] {
            let entered = values[m as usize].and_boxes(graph.markings.invariant(m));
            let firing = entered.before_reset(scaled.resets(t)).and_boxes(scaled.condition(t));
            let invariant = Arc::clone(graph.markings.invariant(before));
            let mut grown = false;
            let known = &mut values[before as usize];
            for zone in delay::precede(&firing, &invariant).zones() {
                if !known.includes_zone(zone) {
                    known.unite(zone.clone());
                    grown = true;
                }
            }
            if grown {
                open.insert((ranks[before as usize], before));
            }
        }
    }
    Ok(values)
}

/// Numbers of markings, depth first: larger than those of what is reached from them, but for cycles.
fn ranks(graph: &ZoneGraph<'_, '_>, is_reached: &[bool]) -> Vec<u32> {
    let mut ranks = vec![u32::MAX; is_reached.len()];
    let mut seen = vec![false; is_reached.len()];
    // The first marking is number 0.
    seen[0] = true;
    let (mut stack, mut next): (Vec<(MarkingId, usize)>, u32) = (vec![(0, 0)], 0);
    while let Some((m, edge)) = stack.last_mut() {
        let here = *m;
        match graph.markings.known_successors(here).get(*edge) {
            Some(&(_, target)) => {
                *edge += 1;
                if is_reached[target as usize] && !std::mem::replace(&mut seen[target as usize], true) {
                    stack.push((target, 0));
                }
            }
            None => {
                ranks[here as usize] = next;
                next += 1;
                stack.pop();
            }
        }
    }
    ranks
}
