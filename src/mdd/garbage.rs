//! The nodes that the next garbage collection will free, found without freeing them.
//!
//! A node is garbage when all references to it come from garbage (the reference of the unique table does
//! not count). Children are one level below their parents, so one pass over the levels from the top that
//! adds up references from garbage decides every node: linear in the number of nodes and edges.

use super::node::{Edge, EdgeRef, MddNode};
use super::terminal::is_terminal;
use oxidd_core::{InnerNode as _, LevelView as _, Manager, Node};

/// Marks a node found to be garbage; no reference count gets that high.
const IS_GARBAGE: u32 = u32::MAX;

/// The nodes that are garbage at the moment.
pub(super) struct Garbage {
    /// By node number: references from garbage, or [`IS_GARBAGE`].
    references: Vec<u32>,
}

impl Garbage {
    /// Look at all nodes, in a turn of this thread.
    pub(super) fn find<'id>(manager: &impl Manager<Edge = Edge<'id>, InnerNode = MddNode<'id>>) -> Self {
        let mut garbage = Garbage { references: Vec::new() };
        for level in manager.levels() {
            for edge in level.iter() {
                let Node::Inner(node) = manager.get_node(edge) else { continue };
                let references = garbage.slot(edge.node_id());
                if node.ref_count() == *references as usize {
                    *references = IS_GARBAGE;
                    for child in node.children().filter(|&child| !is_terminal(child)) {
                        *garbage.slot(child.node_id()) += 1;
                    }
                }
            }
        }
        garbage
    }

    fn slot(&mut self, node: usize) -> &mut u32 {
        if node >= self.references.len() {
            self.references.resize((node + 1).next_power_of_two(), 0);
        }
        &mut self.references[node]
    }

    /// Is the node of this edge garbage?
    #[inline(always)]
    pub(super) fn contains(&self, edge: EdgeRef<'_, '_>) -> bool {
        self.references.get(edge.node_id()) == Some(&IS_GARBAGE)
    }
}
