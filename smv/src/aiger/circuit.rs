//! Circuits: latches, and-gates, properties.

use std::collections::BTreeMap;

/// A signal: twice the number of a variable, and one more for its negation; 0 and 1 are false and true.
pub(super) type Literal = u32;

/// A circuit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Circuit {
    /// The inputs.
    pub(super) inputs: Vec<Literal>,
    pub(super) latches: Vec<Latch>,
    pub(super) outputs: Vec<Literal>,
    pub(super) bad: Vec<Literal>,
    pub(super) constraints: Vec<Literal>,
    pub(super) justice: Vec<Vec<Literal>>,
    pub(super) fairness: Vec<Literal>,
    /// Gates: each with its operands, which are inputs, latches or gates before it.
    pub(super) gates: Vec<(Literal, [Literal; 2])>,
    /// Names, by the letter of their sort and their number.
    pub(super) names: BTreeMap<(char, usize), String>,
}

/// A latch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Latch {
    pub(super) literal: Literal,
    pub(super) next: Literal,
    /// Its first value; none if it may be either.
    pub(super) reset: Option<bool>,
}
