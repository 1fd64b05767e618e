//! What a worker knows for formulas of CTL\*: the steps into its states, and the operator that is being computed.

use crate::explicit::product::{Product, has};
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// The steps into the states of a worker.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// State, and the worker and the number of a predecessor: sorted once all are there.
    pub(super) into: Vec<[u32; 3]>,
    /// Where those of each state begin, and where those of the last one end.
    begins: Vec<usize>,
    /// How many steps each state has.
    pub(super) steps: Vec<u32>,
}

impl Edges {
    pub(super) fn bytes(&self) -> u64 {
        (self.into.capacity() * size_of::<[u32; 3]>() + self.steps.len() * (size_of::<u32>() + size_of::<usize>()))
            as u64
    }

    /// All are there.
    pub(super) fn sort(&mut self) {
        self.into.sort_unstable();
        let mut at = 0;
        self.begins = Vec::with_capacity(self.steps.len() + 1);
        for state in 0..=self.steps.len() as u32 {
            at += self.into[at..].iter().take_while(|edge| edge[0] < state).count();
            self.begins.push(at);
        }
    }

    /// The worker and the number of each predecessor of a state.
    pub(super) fn before(&self, state: u32) -> &[[u32; 3]] {
        &self.into[self.begins[state as usize]..self.begins[state as usize + 1]]
    }

    /// Has a state no steps?
    pub(super) fn is_dead(&self, state: usize) -> bool {
        self.steps[state] == 0
    }
}

/// An operator that is being computed, on places of a product.
#[derive(Debug)]
pub(super) struct Wave {
    pub(super) product: Arc<Product>,
    pub(super) set: FixedBitSet,
    /// Places whose predecessors are to be told.
    pub(super) open: Vec<usize>,
    pub(super) how: How,
}

/// What it is to a place that one of its steps leads to one which is told.
#[derive(Debug)]
pub(super) enum How {
    /// It comes into the set, and that is all; if the step has this mark.
    Before(Option<u64>),
    /// It comes into the set if it is one of these.
    Reaching(FixedBitSet),
    /// It leaves the set if so many of its steps have been told.
    Remaining(Vec<u32>),
}

impl Wave {
    /// A step of a state leads to one of which the place at this location is told.
    pub(super) fn mark(&mut self, state: u32, location: u32) {
        let Wave { product, set, open, how } = self;
        for &step in product.moves_to(state as usize, location) {
            let at = product.place(state as usize, step.target);
            match how {
                How::Before(mark) => set.set(at, set[at] || has(step, *mark)),
                How::Reaching(within) => {
                    if within.contains(at) && !set.put(at) {
                        open.push(at);
                    }
                }
                How::Remaining(steps) => {
                    steps[at] -= 1;
                    if steps[at] == 0 && set.contains(at) {
                        set.remove(at);
                        open.push(at);
                    }
                }
            }
        }
    }
}
