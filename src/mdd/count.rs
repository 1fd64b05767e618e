//! Figures of a set: its cardinality, its size as a diagram, the largest values in it.
//!
//! All are sums or maxima over the paths of the diagram, computed level by level from the bottom. A diagram
//! is quasi-reduced, so the children of a node on level l are all on level l + 1, and two adjacent levels of
//! intermediate results are enough: the count of a set of 3^10000 tuples (16 000 bits) takes a few
//! megabytes. Counts are exact: `u128` while they fit, big integers beyond.

use super::diagram::{EdgeRef, is_empty};
use super::session::Session;
use super::set::Mdd;
use crate::budget::{Budget, Exhausted};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// Size of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// Number of nodes, terminals not counted.
    pub nodes: usize,
    /// Number of (node, value) pairs.
    pub edges: usize,
    /// Number of nodes on each level, from the top.
    pub nodes_per_level: Vec<usize>,
}

/// Largest values in a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Maxima {
    /// For each level, the largest value of that component in any tuple.
    pub per_level: Vec<u32>,
    /// The largest sum of all components of a tuple.
    pub sum: u64,
}

/// The nodes of one level: the (value, child) pairs of all nodes in one row, and where each node starts.
pub(crate) struct Layer {
    starts: Vec<usize>,
    pairs: Vec<(u32, u32)>,
}

impl Layer {
    /// Number of nodes.
    pub(crate) fn width(&self) -> usize {
        self.starts.len()
    }

    /// The values of one node, with the index of the child on the next level (0 for the terminal).
    pub(crate) fn pairs_of(&self, node: usize) -> &[(u32, u32)] {
        let end = self.starts.get(node + 1).copied().unwrap_or(self.pairs.len());
        &self.pairs[self.starts[node]..end]
    }

    /// The values of each node, with the index of the child on the next level (0 for the terminal).
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        (0..self.starts.len()).map(|node| self.pairs_of(node))
    }
}

/// The nodes of a diagram, level by level from the top. The root is node 0 of layer 0.
pub(crate) struct Layers {
    /// One layer for each level; all are without nodes for ∅.
    pub(crate) rows: Vec<Layer>,
    /// Is the set empty? (With no levels at all, the rows do not tell.)
    pub(crate) empty: bool,
}

impl Layers {
    /// The layers of a set.
    pub(crate) fn of<'id>(session: &Session<'_, 'id>, root: EdgeRef<'_, 'id>) -> Layers {
        let mut rows = Vec::with_capacity(session.levels() as usize);
        let empty = is_empty(root);
        let mut current = if empty { vec![] } else { vec![root] };
        for _ in 0..session.levels() {
            let mut index_of = FxHashMap::default();
            let mut next = Vec::new();
            let mut layer = Layer { starts: Vec::with_capacity(current.len()), pairs: Vec::new() };
            for &node in &current {
                layer.starts.push(layer.pairs.len());
                layer.pairs.extend(session.pairs(node).map(|(value, child)| {
                    let index = *index_of.entry(child).or_insert_with(|| {
                        next.push(child);
                        next.len() as u32 - 1
                    });
                    (value, index)
                }));
            }
            rows.push(layer);
            current = next;
        }
        Layers { rows, empty }
    }

    /// Fold from the bottom: the value of a node from its level and its (value, result of child) pairs.
    /// `None` for ∅.
    pub(crate) fn fold<T>(
        &self,
        unit: T,
        mut node: impl FnMut(usize, &mut dyn Iterator<Item = (u32, &T)>) -> T,
    ) -> Option<T> {
        let mut below = if self.empty { vec![] } else { vec![unit] };
        for (level, layer) in self.rows.iter().enumerate().rev() {
            let fold_node = |pairs: &[(u32, u32)]| {
                node(level, &mut pairs.iter().map(|&(value, index)| (value, &below[index as usize])))
            };
            below = layer.nodes().map(fold_node).collect();
        }
        below.into_iter().next()
    }
}

impl Mdd {
    /// The number of tuples, exactly.
    pub fn count(&self, budget: &Budget) -> Result<BigUint, Exhausted> {
        budget.check()?;
        Ok(self.with_session(budget, |session, root| {
            let layers = Layers::of(session, root);
            let mut small = true;
            let count = layers.fold(1u128, |_, children| {
                let mut sum = 0u128;
                for (_, &count) in children {
                    match sum.checked_add(count) {
                        Some(total) => sum = total,
                        None => small = false,
                    }
                }
                sum
            });
            match count {
                None => BigUint::ZERO,
                Some(count) if small => BigUint::from(count),
                Some(_) => {
                    let unit = BigUint::from(1u32);
                    let sum = |_, children: &mut dyn Iterator<Item = (u32, &BigUint)>| {
                        children.fold(BigUint::ZERO, |sum, (_, count)| sum + count)
                    };
                    layers.fold(unit, sum).unwrap_or_default()
                }
            }
        }))
    }

    /// The number of nodes and edges of the diagram.
    pub fn size(&self) -> Size {
        let budget = Budget::unlimited();
        self.with_session(&budget, |session, root| {
            let layers = Layers::of(session, root);
            let nodes_per_level: Vec<usize> = layers.rows.iter().map(Layer::width).collect();
            let edges = layers.rows.iter().map(|layer| layer.pairs.len()).sum();
            Size { nodes: nodes_per_level.iter().sum(), edges, nodes_per_level }
        })
    }

    /// The largest value of each component and the largest sum of a tuple; `None` for the empty set.
    pub fn maxima(&self) -> Option<Maxima> {
        let budget = Budget::unlimited();
        self.with_session(&budget, |session, root| {
            let layers = Layers::of(session, root);
            let largest = |layer: &Layer| layer.pairs.iter().map(|&(value, _)| value).max();
            let per_level = layers.rows.iter().map(largest).collect::<Option<Vec<u32>>>()?;
            let sum =
                layers.fold(0u64, |_, children| children.map(|(v, sum)| u64::from(v) + sum).max().unwrap_or(0))?;
            Some(Maxima { per_level, sum })
        })
    }

    /// The largest weighted sum Σ wₗ·xₗ over the tuples, for one weight per level; `None` for the empty set.
    pub fn maximum_of_sum(&self, weights: &[i64]) -> Option<i128> {
        let budget = Budget::unlimited();
        self.with_session(&budget, |session, root| {
            let layers = Layers::of(session, root);
            layers.fold(0i128, |level, children| {
                let weight = i128::from(weights[level]);
                children.map(|(value, sum)| weight * i128::from(value) + sum).max().unwrap_or(0)
            })
        })
    }
}
