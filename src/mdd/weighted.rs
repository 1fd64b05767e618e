//! Sums over the tuples of a set, each tuple weighted by a product of weights of its components.
//!
//! For each node are known the weighted sum over the paths that lead to it, and that over the paths from it. Another sum in
//! which only some levels have other weights takes a walk over the levels from the first to the last of these.

use super::count::Layers;
use super::set::Mdd;
use crate::budget::{Budget, Exhausted};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The weights of the values of one level.
pub(crate) type Weight<'w> = dyn Fn(u32) -> BigUint + 'w;

/// The sums of a set under some weights.
pub(crate) struct Weighted {
    layers: Layers,
    /// For each level the weight of each value that occurs there; nothing where all are 1.
    weights: Vec<Option<BTreeMap<u32, BigUint>>>,
    /// For each level, and after the last, the sum over the paths that lead to each node.
    above: Vec<Vec<BigUint>>,
    /// The same over the paths from it.
    below: Vec<Vec<BigUint>>,
}

/// Add `times · from` to a sum.
fn add(sum: &mut BigUint, from: &BigUint, times: Option<&BigUint>) {
    match times {
        None => *sum += from,
        Some(times) => *sum += from * times,
    }
}

impl Weighted {
    /// The sums of a set; `weight` gives the weights of a level, or nothing if all are 1.
    pub(crate) fn new<'w>(
        set: &Mdd,
        weight: impl Fn(usize) -> Option<Box<Weight<'w>>>,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let layers = set.read(Layers::of);
        let levels = layers.rows.len();
        let mut weights = Vec::with_capacity(levels);
        for (level, row) in layers.rows.iter().enumerate() {
            budget.check()?;
            weights.push(weight(level).map(|weight| {
                let mut of_value = BTreeMap::new();
                for &(value, _) in row.nodes().flatten() {
                    of_value.entry(value).or_insert_with(|| weight(value));
                }
                of_value
            }));
        }
        let zero = || BigUint::from(0u32);
        let one = || BigUint::from(1u32);
        let width = |level: usize| layers.rows.get(level).map_or(usize::from(!layers.empty), |row| row.width());
        let mut above = vec![vec![one(); width(0)]];
        for (level, row) in layers.rows.iter().enumerate() {
            budget.check()?;
            let mut next = vec![zero(); width(level + 1)];
            for (from, pairs) in above[level].iter().zip(row.nodes()) {
                for (value, child) in pairs {
                    add(&mut next[*child as usize], from, weights[level].as_ref().and_then(|of| of.get(value)));
                }
            }
            above.push(next);
        }
        let mut below = vec![vec![one(); width(levels)]];
        for (level, row) in layers.rows.iter().enumerate().rev() {
            budget.check()?;
            let mut next = vec![zero(); width(level)];
            let last = &below[below.len() - 1];
            for (sum, pairs) in next.iter_mut().zip(row.nodes()) {
                for (value, child) in pairs {
                    add(sum, &last[*child as usize], weights[level].as_ref().and_then(|of| of.get(value)));
                }
            }
            below.push(next);
        }
        below.reverse();
        Ok(Weighted { layers, weights, above, below })
    }

    /// The sum over all tuples.
    pub(crate) fn total(&self) -> BigUint {
        self.below[0].iter().sum()
    }

    /// The sum over all tuples where these levels have other weights.
    pub(crate) fn with(
        &self,
        others: &BTreeMap<usize, Box<Weight<'_>>>,
        budget: &Budget,
    ) -> Result<BigUint, Exhausted> {
        let (Some((&first, _)), Some((&last, _))) = (others.first_key_value(), others.last_key_value()) else {
            return Ok(self.total());
        };
        let mut carried = self.above[first].clone();
        for level in first..=last {
            budget.check()?;
            let row = &self.layers.rows[level];
            let mut next = vec![BigUint::from(0u32); self.above[level + 1].len()];
            let mut changed: BTreeMap<u32, BigUint> = BTreeMap::new();
            let other = others.get(&level);
            let plain = self.weights[level].as_ref();
            let none = BigUint::from(0u32);
            for (from, pairs) in carried.iter().zip(row.nodes()).filter(|(from, _)| **from != none) {
                for &(value, child) in pairs {
                    let times = match other {
                        Some(weight) => Some(&*changed.entry(value).or_insert_with(|| weight(value))),
                        None => plain.and_then(|of| of.get(&value)),
                    };
                    add(&mut next[child as usize], from, times);
                }
            }
            carried = next;
        }
        Ok(carried.iter().zip(&self.below[last + 1]).map(|(above, below)| above * below).sum())
    }
}
