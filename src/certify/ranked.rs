//! Sets with ranks, in the checker's own diagrams.

use super::Uncertified;
use crate::mdd::{Layers, Mdd};
use crate::relation::Relation;
use rustc_hash::FxHashMap;
use starset_checker::{DiagramNode, EMPTY, Store};

/// Sets that have no state in common, with the rank of their states.
pub(super) type Layered = Vec<(u32, Mdd)>;

/// The diagrams of a certificate.
pub(super) struct Ranked {
    pub(super) store: Store,
    offsets: Vec<u64>,
}

impl Ranked {
    pub(super) fn new(relation: &Relation) -> Ranked {
        Ranked { store: Store::new(relation.levels()), offsets: relation.offsets().to_vec() }
    }

    /// The diagram that gives each state the rank of its set; none if there is no state.
    pub(super) fn add(&mut self, layers: &Layered) -> Result<Option<DiagramNode>, Uncertified> {
        let mut roots = Vec::new();
        for (rank, set) in layers.iter().filter(|(_, set)| !set.is_empty()) {
            roots.push(self.copy(set, *rank)?);
        }
        // In pairs, so that no diagram is walked through more often than there are rounds.
        while roots.len() > 1 {
            let mut halves = Vec::new();
            for pair in roots.chunks(2) {
                halves.push(match *pair {
                    [a, b] => self.union(0, a, b, &mut FxHashMap::default())?,
                    _ => pair[0],
                });
            }
            roots = halves;
        }
        Ok(roots.pop())
    }

    /// A set as a diagram in which all states have one rank.
    fn copy(&mut self, set: &Mdd, rank: u32) -> Result<DiagramNode, Uncertified> {
        let layers = set.read(Layers::of);
        let mut below = vec![rank + 1];
        for (level, layer) in layers.rows.iter().enumerate().rev() {
            let mut nodes = Vec::with_capacity(layer.width());
            let mut pairs = Vec::new();
            for node in layer.nodes() {
                pairs.clear();
                let offset = self.offsets[level];
                pairs.extend(node.iter().map(|&(value, child)| (offset + u64::from(value), below[child as usize])));
                nodes.push(self.store.node(level as u32, &pairs)?);
            }
            below = nodes;
        }
        Ok(below[0])
    }

    /// The union of two maps that have no state in common.
    fn union(
        &mut self,
        level: u32,
        a: DiagramNode,
        b: DiagramNode,
        memo: &mut FxHashMap<(DiagramNode, DiagramNode), DiagramNode>,
    ) -> Result<DiagramNode, Uncertified> {
        if a == EMPTY || b == EMPTY || level == self.store.levels() {
            return Ok(a.max(b));
        }
        if let Some(&known) = memo.get(&(a, b)) {
            return Ok(known);
        }
        let (left, right) = (self.store.pairs(a).to_vec(), self.store.pairs(b).to_vec());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        let mut pairs = Vec::new();
        while let Some(value) = [left.peek(), right.peek()].into_iter().flatten().map(|pair| pair.0).min() {
            let a = left.next_if(|pair| pair.0 == value).map_or(EMPTY, |pair| pair.1);
            let b = right.next_if(|pair| pair.0 == value).map_or(EMPTY, |pair| pair.1);
            pairs.push((value, self.union(level + 1, a, b, memo)?));
        }
        let node = self.store.node(level, &pairs)?;
        memo.insert((a, b), node);
        Ok(node)
    }
}
