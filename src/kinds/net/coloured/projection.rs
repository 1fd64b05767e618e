//! Projections of the colours that a place can hold: the indices of the join.
//!
//! For a place, a set of leaves that are known and one more leaf, a projection answers two questions in
//! constant time: which values can that leaf have, given the known ones, and can it have this value? It is
//! kept up to date as colours are found.

use rustc_hash::{FxHashMap, FxHashSet};

/// Sizes of the leaves of a sort, and what one step of each adds to the index of the colour.
#[derive(Clone, Debug)]
pub(super) struct Radix {
    sizes: Vec<u64>,
    strides: Vec<u64>,
}

impl Radix {
    pub(super) fn new(sizes: Vec<u64>) -> Self {
        let mut strides = vec![1; sizes.len()];
        for leaf in (1..sizes.len()).rev() {
            strides[leaf - 1] = strides[leaf] * sizes[leaf];
        }
        Radix { sizes, strides }
    }

    /// The parts of a colour.
    pub(super) fn parts(&self, colour: u64) -> Vec<u64> {
        self.strides.iter().zip(&self.sizes).map(|(stride, size)| colour / stride % size).collect()
    }

    /// The contribution of this part at this leaf to the colour.
    pub(super) fn weighted(&self, leaf: usize, part: u64) -> u64 {
        part * self.strides[leaf]
    }
}

/// The values of one leaf by the values of others.
#[derive(Debug)]
pub(super) struct Projection {
    /// The leaves that are known, as a set of bits.
    pub(super) known: u64,
    /// The leaf that is asked for.
    pub(super) target: usize,
    seen: FxHashSet<u64>,
    lists: FxHashMap<u64, Vec<u64>>,
}

impl Projection {
    pub(super) fn new(known: u64, target: usize) -> Self {
        Projection { known, target, seen: FxHashSet::default(), lists: FxHashMap::default() }
    }

    /// A colour with these parts has been found. Returns how many entries were added.
    pub(super) fn insert(&mut self, radix: &Radix, parts: &[u64]) -> usize {
        let known = |leaf: &usize| self.known >> leaf & 1 == 1;
        let key = (0..parts.len()).filter(known).map(|leaf| radix.weighted(leaf, parts[leaf])).sum();
        let value = parts[self.target];
        let new = self.seen.insert(key + radix.weighted(self.target, value));
        if new {
            self.lists.entry(key).or_default().push(value);
        }
        usize::from(new)
    }

    /// The values of the target where the known leaves add up to `key`.
    pub(super) fn values(&self, key: u64) -> &[u64] {
        self.lists.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Can the target have this value there?
    pub(super) fn contains(&self, key: u64, radix: &Radix, value: u64) -> bool {
        self.seen.contains(&(key + radix.weighted(self.target, value)))
    }
}
