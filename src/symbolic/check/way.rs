//! What a product does beside following the relation: ways to take edges of an automaton, and conditions on runs.

use super::steps::Steps;
use crate::mdd::Mdd;
use std::sync::Arc;

/// A way to take an edge of an automaton.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// The states in which it can be taken.
    pub(super) states: Mdd,
    /// The steps that go with it; `None` for all of them.
    pub(super) steps: Option<Arc<Steps>>,
    /// May it be the step that repeats a deadlock?
    pub(super) idle: bool,
}

impl Way {
    /// The way with any step.
    pub(super) fn by_all(states: Mdd) -> Way {
        Way { states, steps: None, idle: true }
    }

    /// Does it go with a step with this label, or, without a label, with the step that repeats a deadlock?
    pub(super) fn allows(&self, label: Option<u32>) -> bool {
        match (label, &self.steps) {
            (None, _) => self.idle,
            (Some(_), None) => true,
            (Some(label), Some(steps)) => steps.labels.binary_search(&label).is_ok(),
        }
    }

    /// Do two ways go with the same steps?
    pub(super) fn same_steps(&self, other: &Way) -> bool {
        let same = match (&self.steps, &other.steps) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        same && self.idle == other.idle
    }
}

/// Conditions on what a path passes infinitely often.
#[derive(Clone, Default, Debug)]
pub(super) struct Constraints {
    /// A state of one of these ways, with one of its steps.
    pub(super) justice: Vec<Vec<Way>>,
    /// If a state of the set, then a state and step of the ways.
    pub(super) compassion: Vec<(Mdd, Vec<Way>)>,
}

impl Constraints {
    /// Are there none?
    pub(super) fn is_empty(&self) -> bool {
        self.justice.is_empty() && self.compassion.is_empty()
    }

    /// All ways of which one has to be taken, with the states that make it necessary where not all do.
    pub(super) fn all(&self) -> impl Iterator<Item = (&[Way], Option<&Mdd>)> {
        let justice = self.justice.iter().map(|ways| (&ways[..], None));
        justice.chain(self.compassion.iter().map(|(cause, ways)| (&ways[..], Some(cause))))
    }

    /// Are they the same?
    pub(super) fn same(&self, other: &Constraints) -> bool {
        let ways = |a: &[Way], b: &[Way]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.states == b.states && a.same_steps(b))
        };
        self.justice.len() == other.justice.len()
            && self.compassion.len() == other.compassion.len()
            && self.all().zip(other.all()).all(|((a, cause), (b, other))| cause == other && ways(a, b))
    }
}
