//! The tuples of a set by increasing weight, where a tuple weighs the sum of a weight per level and value.
//!
//! A choice among the tuples of a set by their order as tuples depends on which variable is on which level.
//! A choice by weight does not, when the weights are those of variables: the same markings are shown under
//! every variable order.
//!
//! One pass from the bottom finds for every node the least weight of a path below it. A best-first search
//! from the root with that exact estimate then needs no backtracking: the cheapest open path is followed to
//! the bottom at once, and every other value on its way is opened at its exact cost (Hart, Nilsson and
//! Raphael 1968). The first tuple costs the pass over the diagram; each further one a path.

use super::count::Layers;
use super::set::Mdd;
use crate::budget::{Budget, Exhausted};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Iterator over the tuples of a set by increasing weight; see [`Mdd::lightest`].
pub struct Lightest<W> {
    layers: Layers,
    weight: W,
    /// By level and node, the least weight of a path from there to the bottom.
    least: Vec<Vec<u128>>,
    /// Paths that end above the bottom, by the weight of their best completion; ties by age.
    open: BinaryHeap<Reverse<(u128, usize)>>,
    /// All paths ever opened: the path they prolong by one value, and the node they lead to.
    paths: Vec<Path>,
}

#[derive(Clone, Copy)]
struct Path {
    /// Index of the path that this one prolongs; none for the empty path.
    parent: Option<usize>,
    value: u32,
    level: usize,
    node: u32,
    weight: u128,
}

impl Mdd {
    /// The tuples of the set by increasing weight, the weight of a tuple being the sum of
    /// `weight(level, value)` over its components. Sums that do not fit 128 bits count as the greatest that does.
    ///
    /// # Errors
    /// When the budget is used up before the first tuple is found.
    pub fn lightest<W: Fn(u32, u32) -> u128>(&self, weight: W, budget: &Budget) -> Result<Lightest<W>, Exhausted> {
        budget.check()?;
        let layers = self.with_session(budget, |session, root| Ok::<_, Exhausted>(Layers::of(session, root)))?;
        let mut least = vec![if layers.empty { vec![] } else { vec![0u128] }];
        for (level, layer) in layers.rows.iter().enumerate().rev() {
            budget.check()?;
            let below = least.last().map_or(&[] as &[u128], Vec::as_slice);
            let node = |pairs: &[(u32, u32)]| {
                let costs = pairs
                    .iter()
                    .map(|&(value, child)| weight(level as u32, value).saturating_add(below[child as usize]));
                costs.min().unwrap_or(0)
            };
            let here = layer.nodes().map(node).collect();
            least.push(here);
        }
        least.reverse();
        let (mut open, mut paths) = (BinaryHeap::new(), Vec::new());
        if let Some(&total) = least.first().and_then(|root| root.first()) {
            open.push(Reverse((total, 0)));
            paths.push(Path { parent: None, value: 0, level: 0, node: 0, weight: 0 });
        }
        Ok(Lightest { layers, weight, least, open, paths })
    }
}

impl<W: Fn(u32, u32) -> u128> Iterator for Lightest<W> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let Reverse((total, mut current)) = self.open.pop()?;
        let levels = self.layers.rows.len();
        while self.paths[current].level < levels {
            let Path { level, node, weight, .. } = self.paths[current];
            // The first child on a lightest path is followed, all others are opened.
            let mut followed = None;
            for &(value, child) in self.layers.rows[level].pairs_of(node as usize) {
                let weight = weight.saturating_add((self.weight)(level as u32, value));
                let completed = weight.saturating_add(self.least[level + 1][child as usize]);
                let index = self.paths.len();
                self.paths.push(Path { parent: Some(current), value, level: level + 1, node: child, weight });
                if completed == total && followed.is_none() {
                    followed = Some(index);
                } else {
                    self.open.push(Reverse((completed, index)));
                }
            }
            current = followed?;
        }
        let mut tuple = Vec::with_capacity(levels);
        let mut path = self.paths[current];
        while let Some(parent) = path.parent {
            tuple.push(path.value);
            path = self.paths[parent];
        }
        tuple.reverse();
        Some(tuple)
    }
}

impl<W> std::fmt::Debug for Lightest<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lightest").field("open", &self.open.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::MddManager;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn of_the_empty_set_there_is_none() {
        let budget = Budget::unlimited();
        let set = MddManager::new(3, &budget).unwrap().empty();
        assert_eq!(set.lightest(|_, _| 1, &budget).unwrap().next(), None);
    }

    proptest! {
        #[test]
        fn every_tuple_once_by_increasing_weight(
            tuples in prop::collection::btree_set(prop::collection::vec(0u32..4, 3), 0..25),
            weights in prop::collection::vec(prop::collection::vec(0u128..50, 4), 3),
        ) {
            let budget = Budget::unlimited();
            let space = MddManager::new(3, &budget).unwrap();
            let mut set = space.empty();
            for tuple in &tuples {
                set = set.union(&space.tuple(tuple, &budget).unwrap(), &budget).unwrap();
            }
            let weight = |level: u32, value: u32| weights[level as usize][value as usize];
            let found: Vec<Vec<u32>> = set.lightest(weight, &budget).unwrap().collect();
            let total = |tuple: &Vec<u32>| (0..3).map(|l| weight(l as u32, tuple[l])).sum::<u128>();
            prop_assert!(found.is_sorted_by_key(total));
            prop_assert_eq!(found.len(), tuples.len());
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), tuples);
        }
    }
}
