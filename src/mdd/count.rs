//! Figures of a set: its cardinality, its size as a diagram, the largest values in it.
//!
//! All are sums or maxima over the paths of the diagram, carried from level to level: what is known of a node
//! (say, how many paths lead to it) is added to its children. A diagram is quasi-reduced, so the children of
//! a node on level l are all on level l + 1, and nothing but two adjacent levels is in memory: neither
//! another copy of the diagram nor a number for each of its nodes. Counts are exact: `u128` while they fit,
//! big integers beyond.

use super::node::EdgeRef;
use super::session::Session;
use super::set::Mdd;
use super::terminal::is_empty;
use crate::budget::{Budget, Exhausted};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::convert::Infallible;

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
#[derive(Default)]
pub(crate) struct Layer {
    starts: Vec<usize>,
    pairs: Vec<(u32, u32)>,
}

impl Layer {
    /// One node more.
    pub(super) fn push(&mut self, pairs: impl IntoIterator<Item = (u32, u32)>) {
        self.starts.push(self.pairs.len());
        self.pairs.extend(pairs);
    }

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

/// A walk through a diagram, level by level from the top, that knows the nodes of one level at a time.
pub(crate) struct Rows<'a, 'id> {
    current: Vec<EdgeRef<'a, 'id>>,
}

impl<'a, 'id> Rows<'a, 'id> {
    /// A walk from a root on level 0. There are no nodes at all if that is ∅.
    pub(crate) fn from(root: EdgeRef<'a, 'id>) -> Self {
        Rows { current: if is_empty(root) { vec![] } else { vec![root] } }
    }

    /// Number of nodes of the level that is next; after the last level 1 for the terminal, or 0 for ∅.
    pub(crate) fn width(&self) -> usize {
        self.current.len()
    }

    /// The nodes of the next level, in the order of the indices in the pairs of the one before.
    pub(crate) fn next<'m: 'a>(&mut self, session: &Session<'m, 'id>) -> Layer {
        let mut index_of = FxHashMap::default();
        let mut next = Vec::new();
        let mut layer = Layer { starts: Vec::with_capacity(self.current.len()), pairs: Vec::new() };
        for &node in &self.current {
            layer.starts.push(layer.pairs.len());
            layer.pairs.extend(session.pairs(node).map(|(value, child)| {
                let index = *index_of.entry(child).or_insert_with(|| {
                    next.push(child);
                    next.len() as u32 - 1
                });
                (value, index)
            }));
        }
        self.current = next;
        layer
    }
}

/// Carry a value from the root to the end: `along` gets the level, the value on an edge, what the node
/// carries, and what its child carries so far (`nothing` at first). `None` for ∅. `check` is called once per
/// level.
fn carry<'id, T: Clone, E>(
    session: &Session<'_, 'id>,
    root: EdgeRef<'_, 'id>,
    (start, nothing): (T, T),
    check: impl Fn() -> Result<(), E>,
    mut along: impl FnMut(usize, u32, &T, &mut T),
) -> Result<Option<T>, E> {
    let mut rows = Rows::from(root);
    let mut carried = vec![start; rows.width()];
    for level in 0..session.levels() as usize {
        check()?;
        let row = rows.next(session);
        let mut below = vec![nothing.clone(); rows.width()];
        for (from, pairs) in carried.iter().zip(row.nodes()) {
            for &(value, child) in pairs {
                along(level, value, from, &mut below[child as usize]);
            }
        }
        carried = below;
    }
    Ok(carried.into_iter().next())
}

/// A number that counts paths.
pub(crate) trait Count: Clone {
    /// The number `n`.
    fn number(n: u32) -> Self;
    /// Add `factor · other`; false on overflow.
    fn add(&mut self, other: &Self, factor: u32) -> bool;
}

impl Count for u128 {
    fn number(n: u32) -> Self {
        n.into()
    }
    #[inline(always)]
    fn add(&mut self, other: &Self, factor: u32) -> bool {
        match other.checked_mul(factor.into()).and_then(|product| self.checked_add(product)) {
            Some(sum) => *self = sum,
            None => return false,
        }
        true
    }
}

impl Count for BigUint {
    fn number(n: u32) -> Self {
        n.into()
    }
    fn add(&mut self, other: &Self, factor: u32) -> bool {
        if factor == 1 {
            *self += other
        } else {
            *self += other * factor
        }
        true
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
        let mut rows = Rows::from(root);
        Layers { rows: (0..session.levels()).map(|_| rows.next(session)).collect(), empty: is_empty(root) }
    }
}

/// The number of paths; `None` on overflow.
fn paths<'id, C: Count>(
    session: &Session<'_, 'id>,
    root: EdgeRef<'_, 'id>,
    budget: &Budget,
) -> Result<Option<C>, Exhausted> {
    let mut fits = true;
    let ends = (C::number(1), C::number(0));
    let count = carry(session, root, ends, || budget.check(), |_, _, from, to| fits &= to.add(from, 1))?;
    Ok(fits.then(|| count.unwrap_or(C::number(0))))
}

impl Mdd {
    /// The number of tuples, exactly.
    pub fn count(&self, budget: &Budget) -> Result<BigUint, Exhausted> {
        self.with_session(budget, |session, root| match paths::<u128>(session, root, budget)? {
            Some(count) => Ok(BigUint::from(count)),
            None => Ok(paths::<BigUint>(session, root, budget)?.unwrap_or_default()),
        })
    }

    /// About the binary logarithm of the number of tuples: the same on every machine. At most 1024; 0 for the empty
    /// set.
    pub(crate) fn magnitude(&self) -> f64 {
        let count = self.read(|session, root| {
            let Ok(count) = carry(session, root, (1.0, 0.0), unlimited, |_, _, from, to: &mut f64| *to += from);
            count.unwrap_or(1.0)
        });
        if count.is_finite() { count.log2() } else { 1024.0 }
    }

    /// The number of nodes and edges of the diagram.
    pub fn size(&self) -> Size {
        self.read(|session, root| {
            let (mut nodes_per_level, mut edges) = (Vec::new(), 0);
            let mut rows = Rows::from(root);
            for _ in 0..session.levels() {
                let row = rows.next(session);
                nodes_per_level.push(row.width());
                edges += row.pairs.len();
            }
            Size { nodes: nodes_per_level.iter().sum(), edges, nodes_per_level }
        })
    }

    /// The values that each component has in some tuple, in ascending order.
    pub(crate) fn values(&self) -> Vec<Vec<u32>> {
        self.read(|session, root| {
            let mut rows = Rows::from(root);
            let of_level = |_| {
                let row = rows.next(session);
                let mut values: Vec<u32> = row.pairs.iter().map(|&(value, _)| value).collect();
                values.sort_unstable();
                values.dedup();
                values
            };
            (0..session.levels()).map(of_level).collect()
        })
    }

    /// The largest value of each component and the largest sum of a tuple; `None` for the empty set.
    pub fn maxima(&self) -> Option<Maxima> {
        self.read(|session, root| {
            let mut per_level = vec![0; session.levels() as usize];
            let Ok(sum) = carry(session, root, (0, 0), unlimited, |level, value, from, to: &mut u64| {
                per_level[level] = value.max(per_level[level]);
                *to = (*to).max(from + u64::from(value));
            });
            sum.map(|sum| Maxima { per_level, sum })
        })
    }

    /// The largest weighted sum Σ wₗ·xₗ over the tuples, for one weight per level; `None` for the empty set.
    pub(crate) fn maximum_of_sum(&self, weights: &[i64]) -> Option<i128> {
        self.read(|session, root| {
            let Ok(sum) = carry(session, root, (0, i128::MIN), unlimited, |level, value, from, to: &mut i128| {
                *to = (*to).max(from + i128::from(weights[level]) * i128::from(value));
            });
            sum
        })
    }
}

fn unlimited() -> Result<(), Infallible> {
    Ok(())
}
