//! King's order: number next the vertex that adds the fewest vertices to the front.
//!
//! From a pseudo-peripheral vertex, of all unnumbered neighbours of numbered vertices (the front), the next
//! is the one with the fewest neighbours outside front and numbered set. Reversed at the end, as usual. It
//! minimises the wavefront greedily where Cuthill–McKee keeps the strict levels.
//!
//! Complexity O(E log V) with a heap whose stale entries are skipped. Source: King 1970, "An automatic
//! reordering scheme for simultaneous equations derived from network systems".

use super::graph::Graph;
use super::{Context, Order};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) fn order(context: &Context) -> Option<Order> {
    let graph = context.graph();
    let (mut seen, mut stamp) = (vec![0; graph.len()], 0);
    // How many neighbours of each vertex are neither numbered nor in the front.
    let mut outside: Vec<usize> = (0..graph.len() as u32).map(|v| graph.degree(v)).collect();
    let (mut numbered, mut in_front) = (vec![false; graph.len()], vec![false; graph.len()]);
    let mut order = graph.by_component(|v| {
        let (start, _, _) = graph.pseudo_diameter(v, &mut seen, &mut stamp);
        let mut heap = BinaryHeap::new();
        let mut order = Vec::new();
        enter(graph, start, &mut in_front, &mut outside, &mut heap, &numbered);
        let mut age = 0u32;
        while let Some(Reverse((cost, _, v))) = heap.pop() {
            if numbered[v as usize] || cost != outside[v as usize] {
                continue;
            }
            numbered[v as usize] = true;
            order.push(v);
            age += 1;
            for &w in graph.neighbours(v) {
                if !in_front[w as usize] {
                    enter(graph, w, &mut in_front, &mut outside, &mut heap, &numbered);
                }
            }
        }
        debug_assert_eq!(age as usize, order.len());
        order
    });
    order.reverse();
    Some(Order::from_indices(order))
}

/// Put `v` into the front; its neighbours have one vertex outside less.
fn enter(
    graph: &Graph,
    v: u32,
    in_front: &mut [bool],
    outside: &mut [usize],
    heap: &mut BinaryHeap<Reverse<(usize, usize, u32)>>,
    numbered: &[bool],
) {
    in_front[v as usize] = true;
    heap.push(Reverse((outside[v as usize], graph.degree(v), v)));
    for &w in graph.neighbours(v) {
        outside[w as usize] = outside[w as usize].saturating_sub(1);
        if in_front[w as usize] && !numbered[w as usize] {
            heap.push(Reverse((outside[w as usize], graph.degree(w), w)));
        }
    }
}
