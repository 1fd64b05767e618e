//! Paths, as all engines find them and as witnesses show them.

use super::Step;

/// A path from a state that is known from elsewhere: its first steps, and how it goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path<S = Step> {
    /// The first steps.
    pub prefix: Vec<S>,
    /// The continuation after them.
    pub then: Then<S>,
}

/// How a path goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Then<S = Step> {
    /// In any way: every path that begins so will do.
    Open,
    /// Not at all: no step is possible. (Under the stutter semantics the last state repeats for ever.)
    Deadlock,
    /// By these steps, for ever; at least one.
    Cycle(Vec<S>),
}
