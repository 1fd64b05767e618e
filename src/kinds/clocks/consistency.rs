//! Constraints that can never be met, however the net runs.
//!
//! Four checks, from the constraint alone to its surroundings: an invariant or condition without any solution; a
//! marking, reachable without time, whose invariants contradict each other; a condition that contradicts the invariant
//! of every marking, reachable in time, in which its transition has its tokens; and a transition whose target
//! invariants are violated by every firing (its clocks are zero by then). The last two look at constraints, not at
//! reachable values: values are the business of [`super::diagnostics`].
//!
//! Also here: the demand of the paper's definition 4 that a condition bounds every clock it names from above
//! (`--strict-paper`). Nets such as Fischer's protocol do not meet it, so it is off by default.

use super::markings::{ExploreError, Limits, MarkingTable};
use super::model::{PlaceId, TransitionId};
use super::predicate::{ClockId, Predicate};
use super::scaled::Scaled;
use super::zone::{self, Federation};
use super::zone_graph::{ZoneGraph, ZoneOptions};

/// A constraint that can never be met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inconsistency {
    /// The invariant of a place has no solution.
    Invariant(PlaceId),
    /// The condition of a transition has no solution.
    Condition(TransitionId),
    /// The initial marking's invariant excludes zero.
    Start,
    /// The invariants of a marking that is reachable without time contradict each other.
    Marking(Box<[u32]>),
    /// The condition contradicts every invariant under which its transition has its tokens.
    ConditionInPlace(TransitionId),
    /// Whenever the transition may fire, the invariants after it are violated.
    Target(TransitionId),
}

impl Inconsistency {
    /// As people read it.
    pub fn text(&self, scaled: &Scaled<'_>) -> String {
        let net = scaled.net;
        let place = |p: &PlaceId| &net.places[p.index()].id;
        let transition = |t: &TransitionId| &net.transitions[t.index()].id;
        match self {
            Inconsistency::Invariant(p) => format!("the invariant of `{}` has no solution", place(p)),
            Inconsistency::Condition(t) => format!("the condition of `{}` has no solution", transition(t)),
            Inconsistency::Start => "the invariants of the initial marking exclude zero: there is no state".to_owned(),
            Inconsistency::Marking(m) => format!("the invariants of {} contradict each other", net.marking_text(m)),
            Inconsistency::ConditionInPlace(t) => {
                format!("the condition of `{}` contradicts the invariants wherever it has its tokens", transition(t))
            }
            Inconsistency::Target(t) => {
                format!("wherever `{}` may fire, the invariants after it are violated", transition(t))
            }
        }
    }
}

/// Every constraint that can never be met.
pub fn inconsistencies(scaled: &Scaled<'_>, limits: &Limits) -> Result<Vec<Inconsistency>, ExploreError> {
    let mut found = Vec::new();
    let empty = |boxes: &&Vec<zone::ClockBox>| boxes.is_empty();
    found.extend(
        (0u32..).zip(&scaled.invariants).filter(|(_, b)| empty(b)).map(|(p, _)| Inconsistency::Invariant(PlaceId(p))),
    );
    found.extend(
        (0u32..)
            .zip(&scaled.conditions)
            .filter(|(_, b)| empty(b))
            .map(|(t, _)| Inconsistency::Condition(TransitionId(t))),
    );
    let mut untimed = MarkingTable::new(scaled, &limits.half())?;
    untimed.explore()?;
    found.extend(
        (0..untimed.len() as u32)
            .filter(|&m| untimed.invariant(m).is_empty())
            .map(|m| Inconsistency::Marking(untimed.tokens(m))),
    );
    let mut graph = ZoneGraph::explore(scaled, ZoneOptions { limits: limits.half(), ..ZoneOptions::reachability() })?;
    if graph.nodes.is_empty() {
        found.push(Inconsistency::Start);
    }
    // Per transition: has it its tokens in time, is its condition met under an invariant, is its target allowed?
    let mut seen = vec![(false, false, false); scaled.net.transitions.len()];
    for m in graph.reached().collect::<Vec<_>>() {
        for &(t, target) in graph.markings.successors(m)?.iter() {
            let slot = &mut seen[t.index()];
            slot.0 = true;
            let may = zone::conjunction(graph.markings.invariant(m), scaled.condition(t));
            slot.1 |= !may.is_empty();
            let entered = Federation::of_boxes(graph.markings.invariant(target)).before_reset(scaled.resets(t));
            slot.2 |= !entered.and_boxes(&may).is_empty();
        }
    }
    for (t, (tokens, condition, target)) in (0u32..).zip(seen) {
        if tokens && !condition && !scaled.conditions[t as usize].is_empty() {
            found.push(Inconsistency::ConditionInPlace(TransitionId(t)));
        } else if condition && !target {
            found.push(Inconsistency::Target(TransitionId(t)));
        }
    }
    Ok(found)
}

/// A clock that a condition names without bounding it from above in every alternative (definition 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unbounded {
    /// The transition.
    pub transition: TransitionId,
    /// The clock.
    pub clock: ClockId,
}

/// Where the net leaves the letter of definition 4.
pub fn strict_paper(scaled: &Scaled<'_>) -> Vec<Unbounded> {
    let mut found = Vec::new();
    for (i, t) in (0u32..).zip(&scaled.net.transitions) {
        if t.condition == Predicate::True {
            continue;
        }
        let named: std::collections::BTreeSet<ClockId> = t.condition.atoms().iter().map(|(a, _)| a.clock).collect();
        for clock in named {
            if scaled.conditions[i as usize].iter().any(|b| b.intervals[clock.index()].upper.is_none()) {
                found.push(Unbounded { transition: TransitionId(i), clock });
            }
        }
    }
    found
}

/// Why a net is not one by the letter of definition 4, if it is not.
pub(super) fn not_by_the_paper(scaled: &Scaled<'_>) -> Option<String> {
    let Unbounded { transition, clock } = *strict_paper(scaled).first()?;
    let net = scaled.net;
    let (id, clock) = (&net.transitions[transition.index()].id, &net.clocks[clock.index()]);
    Some(format!(
        "the condition of `{id}` does not bound the clock `{clock}` from above (definition 4); bound it, or leave \
         --strict-paper out"
    ))
}
