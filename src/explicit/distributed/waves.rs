//! What a worker knows for formulas of CTL: the steps into its states, and the operator that is being computed.

use fixedbitset::FixedBitSet;

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

    /// The states without steps.
    pub(super) fn dead(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().enumerate().filter(|(_, steps)| **steps == 0).map(|(state, _)| state)
    }
}

/// An operator that is being computed.
#[derive(Debug)]
pub(super) struct Wave {
    pub(super) set: FixedBitSet,
    /// States whose predecessors are to be told.
    pub(super) open: Vec<u32>,
    pub(super) how: How,
}

/// What it is to a state that one of its steps leads to a state which is told.
#[derive(Debug)]
pub(super) enum How {
    /// It comes into the set, and that is all.
    Next,
    /// It comes into the set if it is one of these.
    Until(FixedBitSet),
    /// It leaves the set if so many of its steps have been told.
    Staying(Vec<u32>),
}

impl Wave {
    /// One of the steps of a state leads to one that is told.
    pub(super) fn mark(&mut self, state: u32) {
        let at = state as usize;
        match &mut self.how {
            How::Next => self.set.insert(at),
            How::Until(within) => {
                if within.contains(at) && !self.set.put(at) {
                    self.open.push(state);
                }
            }
            How::Staying(steps) => {
                steps[at] -= 1;
                if steps[at] == 0 && self.set.contains(at) {
                    self.set.remove(at);
                    self.open.push(state);
                }
            }
        }
    }
}
