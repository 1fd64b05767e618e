//! A constraint of a net with clocks: an invariant or a condition.

use super::model::{ClockNet, PlaceId, TransitionId};
use super::predicate::Predicate;

/// A constraint of a net.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constraint {
    /// The invariant of a place.
    Invariant(PlaceId),
    /// The condition of a transition.
    Condition(TransitionId),
}

impl Constraint {
    /// As people read it.
    pub fn text(self, net: &ClockNet) -> String {
        match self {
            Constraint::Invariant(p) => format!("the invariant of `{}`", net.places[p.index()].id),
            Constraint::Condition(t) => format!("the condition of `{}`", net.transitions[t.index()].id),
        }
    }

    /// The predicate.
    pub fn predicate(self, net: &ClockNet) -> &Predicate {
        match self {
            Constraint::Invariant(p) => &net.places[p.index()].invariant,
            Constraint::Condition(t) => &net.transitions[t.index()].condition,
        }
    }

    /// The net with another predicate in its place.
    pub fn replaced(self, net: &ClockNet, predicate: Predicate) -> ClockNet {
        let mut net = net.clone();
        match self {
            Constraint::Invariant(p) => net.places[p.index()].invariant = predicate,
            Constraint::Condition(t) => net.transitions[t.index()].condition = predicate,
        }
        net
    }
}
