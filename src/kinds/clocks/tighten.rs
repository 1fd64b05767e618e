//! Tightening: the interval of each clock that a constraint really meets, where it allows more.
//!
//! For a place, the smallest interval around the reachable values while it is marked; for a transition, around those at
//! which it fires. Writing these intervals into the constraints changes no behaviour: it only removes values that do
//! not arise. Values above the largest constant of a clock are not told apart, so an upper end beyond it is no end.

use super::constraint::Constraint;
use super::markings::ExploreError;
use super::model::{ClockNet, PlaceId, TransitionId};
use super::predicate::{ClockId, Predicate, Relation};
use super::scaled::Scaled;
use super::zone::{Bound, ClockBox, Federation, Interval};
use super::zone_graph::{NodeId, ZoneGraph};

/// An interval that is smaller than the one a constraint allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tightening {
    /// The constraint.
    pub constraint: Constraint,
    /// The clock.
    pub clock: ClockId,
    /// The values that the constraint allows.
    pub allowed: Interval,
    /// The values that arise.
    pub arises: Interval,
}

/// The smallest box around the values at which each transition fires, if it does.
pub fn firing_hulls(graph: &mut ZoneGraph<'_, '_>) -> Result<Vec<Option<ClockBox>>, ExploreError> {
    let scaled = graph.scaled();
    let mut hulls: Vec<Option<ClockBox>> = vec![None; scaled.net.transitions.len()];
    for node in 0..graph.nodes.len() as NodeId {
        let marking = graph.nodes[node as usize].marking;
        let successors = graph.markings.successors(marking)?;
        let Some(zone) = &graph.nodes[node as usize].zone else { continue };
        for &(t, target) in successors.iter() {
            for guard in scaled.condition(t) {
                let Some(fires) = zone.and_box(guard) else { continue };
                let entered = Federation::of_boxes(graph.markings.invariant(target)).before_reset(scaled.resets(t));
                if let Some(hull) = entered.and(&Federation::from(fires)).hull() {
                    widen(&mut hulls[t.index()], hull);
                }
            }
        }
    }
    Ok(hulls)
}

fn widen(slot: &mut Option<ClockBox>, hull: ClockBox) {
    match slot {
        None => *slot = Some(hull),
        Some(old) => old.intervals.iter_mut().zip(&hull.intervals).for_each(|(a, b)| *a = a.hull(*b)),
    }
}

/// The tightenings of all constraints; `graph` is explored under ExtraM.
pub fn tightenings(graph: &mut ZoneGraph<'_, '_>) -> Result<Vec<Tightening>, ExploreError> {
    let scaled = graph.scaled();
    let firing = firing_hulls(graph)?;
    let mut marked: Vec<Option<ClockBox>> = vec![None; scaled.net.places.len()];
    for m in graph.reached() {
        for &(p, _) in graph.markings.marked(m) {
            graph.nodes_of(m).for_each(|(_, z)| widen(&mut marked[p as usize], z.hull()));
        }
    }
    let mut found = Vec::new();
    let places =
        (0u32..).zip(marked).map(|(p, hull)| (Constraint::Invariant(PlaceId(p)), hull, &scaled.invariants[p as usize]));
    let transitions = (0u32..)
        .zip(firing)
        .map(|(t, hull)| (Constraint::Condition(TransitionId(t)), hull, &scaled.conditions[t as usize]));
    for (constraint, hull, boxes) in places.chain(transitions) {
        let (Some(hull), Some(allowed)) = (hull, Federation::of_boxes(boxes).hull()) else { continue };
        for (x, (&arises, &allowed)) in hull.intervals.iter().zip(&allowed.intervals).enumerate() {
            if arises.and(allowed) != allowed {
                let arises = arises.and(allowed);
                found.push(Tightening { constraint, clock: ClockId(x as u32), allowed, arises });
            }
        }
    }
    Ok(found)
}

/// The net with tightenings written into its constraints.
pub fn tightened(scaled: &Scaled<'_>, tightenings: &[Tightening]) -> ClockNet {
    let mut net = scaled.net.clone();
    for t in tightenings {
        let predicate = within(scaled, t.clock, t.arises);
        let old = t.constraint.predicate(&net).clone();
        net = t.constraint.replaced(&net, predicate.and(old));
    }
    net
}

/// An interval as a predicate.
fn within(scaled: &Scaled<'_>, clock: ClockId, i: Interval) -> Predicate {
    let mut all = Predicate::True;
    if i.lower < Bound::ZERO {
        let relation = if i.lower.is_strict() { Relation::Greater } else { Relation::AtLeast };
        all = all.and(Predicate::atom(clock, relation, scaled.units().constant(-i.lower.constant())));
    }
    if !i.upper.is_none() {
        let relation = if i.upper.is_strict() { Relation::Less } else { Relation::AtMost };
        all = all.and(Predicate::atom(clock, relation, scaled.units().constant(i.upper.constant())));
    }
    all
}
