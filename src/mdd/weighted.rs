//! Sums over the tuples of a set, each tuple weighted by a product of weights of its components.
//!
//! For each node are known the weighted sum over the paths that lead to it, and that over the paths from it. Another sum in
//! which only some levels have other weights takes a walk over the levels from the first to the last of these. Many such sums
//! share their walks as far as they begin with the same weights: a transition for each pair of a process and a resource takes
//! one walk for each process.

use super::count::Layers;
use super::set::Mdd;
use crate::budget::{Budget, Exhausted};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

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

    /// The sum of the sums over all tuples where the levels of a list have other weights, each as many times as said: of the
    /// value `v` on a level with the key `k` that is `weight(level, k, v)`. The levels of a list ascend.
    pub(crate) fn total_with<K: Copy + Ord>(
        &self,
        lists: &BTreeMap<Vec<(usize, K)>, u32>,
        weight: &dyn Fn(usize, K, u32) -> BigUint,
        budget: &Budget,
    ) -> Result<BigUint, Exhausted> {
        let items: Vec<_> = lists.iter().map(|(list, &times)| (&list[..], times)).collect();
        let first = items.iter().find_map(|(list, _)| list.first()).map_or(0, |&(level, _)| level);
        self.sum_from(first, self.above[first].clone(), &items, weight, budget)
    }

    /// The same from a level down, where what leads to its nodes is `carried`. The lists are sorted.
    fn sum_from<K: Copy + Ord>(
        &self,
        mut level: usize,
        mut carried: Vec<BigUint>,
        mut items: &[(&[(usize, K)], u32)],
        weight: &dyn Fn(usize, K, u32) -> BigUint,
        budget: &Budget,
    ) -> Result<BigUint, Exhausted> {
        let mut sum = BigUint::from(0u32);
        while let Some(&(list, times)) = items.first() {
            let Some(&(next, key)) = list.first() else {
                let whole: BigUint = carried.iter().zip(&self.below[level]).map(|(above, below)| above * below).sum();
                sum += whole * times;
                items = &items[1..];
                continue;
            };
            for passed in level..next {
                budget.check()?;
                let plain = self.weights[passed].as_ref();
                carried = self.step(passed, &carried, |value| plain.and_then(|of| of.get(&value)));
            }
            level = next;
            let same = items.iter().take_while(|(other, _)| other[0] == (next, key)).count();
            let rest: Vec<_> = items[..same].iter().map(|&(list, times)| (&list[1..], times)).collect();
            let values: BTreeSet<u32> = self.layers.rows[next].nodes().flatten().map(|&(value, _)| value).collect();
            let other: BTreeMap<u32, BigUint> = values.into_iter().map(|v| (v, weight(next, key, v))).collect();
            let changed = self.step(next, &carried, |value| other.get(&value));
            sum += self.sum_from(next + 1, changed, &rest, weight, budget)?;
            items = &items[same..];
        }
        Ok(sum)
    }

    /// The sums over the paths to the nodes of the next level.
    fn step<'w>(&self, level: usize, carried: &[BigUint], weight: impl Fn(u32) -> Option<&'w BigUint>) -> Vec<BigUint> {
        let none = BigUint::from(0u32);
        let mut next = vec![none.clone(); self.above[level + 1].len()];
        for (from, pairs) in carried.iter().zip(self.layers.rows[level].nodes()).filter(|(from, _)| **from != none) {
            for &(value, child) in pairs {
                add(&mut next[child as usize], from, weight(value));
            }
        }
        next
    }
}
