//! Sets with ranks, in the checker's own diagrams.
//!
//! **Problem.** A fixpoint of a thousand rounds has a thousand layers, each a diagram, and the certificate wants one
//! diagram, a map from states to the numbers of their layers. Where layers have little in common, to copy each of them
//! and unite the copies costs as many nodes as they have together, several times.
//!
//! **Idea.** Walk down all layers at once. What values of the upper levels leave is a list of nodes, one of each layer
//! that is still possible; equal lists are one node of the map. As layers have no state in common, lists become short
//! soon. Levels are done one after the other, down to find the lists and up to make the nodes, so that nothing
//! recurses. The work is that of the lists, which are as many as the map has nodes, but for those that are equal
//! further down.

use super::Uncertified;
use crate::budget::Budget;
use crate::mdd::{Layers, Mdd};
use rustc_hash::FxHashMap;
use starset_checker::{DiagramNode, Store};

/// Sets that have no state in common, with the rank of their states.
pub(super) type Layered = Vec<(u32, Mdd)>;

/// Of some layers, a node on this level.
type Nodes = Box<[(u32, u32)]>;

/// The lists of a level.
struct Row {
    /// A value of the level and the number of the list that it leads to, of one list after the other.
    pairs: Vec<(u64, u32)>,
    /// Where those of each list end.
    ends: Vec<usize>,
}

/// Lists between two looks at the budget.
const CHECK_EVERY: usize = 1 << 12;

/// The diagrams of a certificate.
pub(super) struct Ranked {
    pub(super) store: Store,
    offsets: Vec<u64>,
}

impl Ranked {
    /// For sets over levels with these numbers for the value 0.
    pub(super) fn new(offsets: Vec<u64>) -> Ranked {
        Ranked { store: Store::new(offsets.len() as u32), offsets }
    }

    /// The diagram that gives each state the rank of its set; none if there is no state.
    pub(super) fn add(&mut self, layers: &Layered, budget: &Budget) -> Result<Option<DiagramNode>, Uncertified> {
        let layers = layers.iter().filter(|(_, set)| !set.is_empty());
        let (ranks, tables): (Vec<u32>, Vec<Layers>) = layers.map(|(rank, set)| (*rank, set.read(Layers::of))).unzip();
        if tables.is_empty() {
            return Ok(None);
        }
        let mut lists: Vec<Nodes> = vec![(0..tables.len() as u32).map(|layer| (layer, 0)).collect()];
        let mut rows: Vec<Row> = Vec::new();
        let mut entries: Vec<(u32, u32, u32)> = Vec::new();
        for (level, &offset) in self.offsets.iter().enumerate() {
            let mut known: FxHashMap<Nodes, u32> = FxHashMap::default();
            let (mut pairs, mut ends) = (Vec::new(), Vec::new());
            let mut below = Vec::new();
            for (at, list) in lists.iter().enumerate() {
                if at.is_multiple_of(CHECK_EVERY) {
                    budget.check()?;
                }
                entries.clear();
                for &(layer, node) in list {
                    let of_node = tables[layer as usize].rows[level].pairs_of(node as usize);
                    entries.extend(of_node.iter().map(|&(value, child)| (value, layer, child)));
                }
                entries.sort_unstable();
                for of_value in entries.chunk_by(|a, b| a.0 == b.0) {
                    let nodes: Nodes = of_value.iter().map(|&(_, layer, child)| (layer, child)).collect();
                    let number = *known.entry(nodes).or_insert_with_key(|nodes| {
                        below.push(nodes.clone());
                        below.len() as u32 - 1
                    });
                    pairs.push((offset + u64::from(of_value[0].0), number));
                }
                ends.push(pairs.len());
            }
            rows.push(Row { pairs, ends });
            lists = below;
        }
        // Ranks are written plus one.
        let mut nodes: Vec<DiagramNode> = lists.iter().map(|list| ranks[list[0].0 as usize] + 1).collect();
        for (level, Row { mut pairs, ends }) in rows.into_iter().enumerate().rev() {
            pairs.iter_mut().for_each(|pair| pair.1 = nodes[pair.1 as usize]);
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let of_lists = starts.zip(&ends).map(|(start, &end)| self.store.node(level as u32, &pairs[start..end]));
            nodes = of_lists.collect::<Result<_, _>>()?;
        }
        Ok(nodes.first().copied())
    }
}
