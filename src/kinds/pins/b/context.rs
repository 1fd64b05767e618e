//! The context in which formulas are evaluated: limits, and the values of slots.

use crate::budget::Budget;

use super::ast::Expr;
use super::error::{Error, Pos};
use super::values::Value;

/// The fixed context of an evaluation.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// MAXINT.
    pub maxint: i64,
    /// MININT.
    pub minint: i64,
    /// Sizes of given sets.
    pub sizes: Vec<u32>,
    /// How many times a WHILE loop may run.
    pub loops: usize,
    /// How long the set-up may take.
    pub budget: Budget,
}

/// Values of slots.
#[derive(Clone, Debug)]
pub(super) struct Env {
    /// By slot.
    pub slots: Vec<Value>,
    /// Where integers without bounds had to be enumerated from MININT to MAXINT: then nothing is known of the others.
    pub unbounded: Option<Pos>,
    /// Is this an error instead?
    pub strict: bool,
    /// Nodes of searches, for looks at the time.
    pub nodes: u32,
    /// How deep symbolic functions are applied inside one another.
    pub depth: u32,
    /// Is a solution dropped in which something has no value, instead of failing?
    pub lenient: bool,
    /// Guards that are not dropped, but fail: where their formulas are in memory.
    pub hard: Vec<usize>,
    /// The error of dropped solutions.
    pub dropped: Option<Error>,
}

impl Env {
    /// Nothing is bound.
    pub(super) fn new(slots: usize) -> Self {
        Env {
            slots: vec![Value::Undefined; slots],
            unbounded: None,
            strict: false,
            nodes: 0,
            depth: 0,
            lenient: false,
            hard: Vec::new(),
            dropped: None,
        }
    }

    /// Has a slot a value?
    pub(super) fn is_bound(&self, slot: u32) -> bool {
        !matches!(self.slots[slot as usize], Value::Undefined)
    }

    /// Have all slots that a formula reads a value?
    pub(super) fn binds(&self, expr: &Expr) -> bool {
        expr.free.iter().all(|slot| self.is_bound(*slot))
    }
}
