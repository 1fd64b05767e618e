//! What is given, and how large diagrams may become.

use crate::budget::Budget;
use starset_smv::{Model, Term};
use std::sync::Arc;

/// What is built as usual.
pub(in crate::kinds::pins::smv) const USUAL: Sizes =
    Sizes { rows: 4_000_000, cluster: 2_000, event: 2_000, local: 50_000 };
/// Greatest number of values of a variable whose current and next values are told apart in a set.
pub(super) const LARGEST: u32 = 1 << 10;
/// Runs of nodes that may be made for a conjunction, for each node that it may have, and at most.
const TRIED: (usize, usize) = (40, 400_000);
/// Runs of nodes that may be made to quantify an input.
pub(super) const QUANTIFIED: usize = 400_000;

/// Nodes up to which rows are conjoined.
#[derive(Clone, Copy, Debug)]
pub(in crate::kinds::pins::smv) struct Sizes {
    /// Runs of the nodes of all rows together.
    pub(in crate::kinds::pins::smv) rows: usize,
    /// Of a cluster.
    pub(in crate::kinds::pins::smv) cluster: usize,
    /// Of steps of all variables that are an event.
    pub(in crate::kinds::pins::smv) event: usize,
    /// Of steps that leave most variables as they are.
    pub(in crate::kinds::pins::smv) local: usize,
}

/// A program whose relation is made.
#[derive(Clone, Copy)]
pub(in crate::kinds::pins::smv) struct Subject<'a> {
    pub(in crate::kinds::pins::smv) model: &'a Model,
    /// The variables of the state, by slot.
    pub(in crate::kinds::pins::smv) state: &'a [usize],
    /// The conditions that labels are.
    pub(in crate::kinds::pins::smv) labels: &'a [Term],
}

/// When diagrams of rows are given up.
pub(super) fn stop(budget: &Budget) -> Arc<dyn Fn() -> bool + Send + Sync> {
    let budget = budget.clone();
    Arc::new(move || budget.check().is_err())
}

/// Runs of nodes that may be made for a conjunction that may have so many nodes.
pub(super) fn tried(most: usize) -> usize {
    (TRIED.0 * most).min(TRIED.1)
}
