//! Reverse Cuthill–McKee: breadth-first from a pseudo-peripheral vertex, neighbours by increasing degree,
//! then reversed. It bounds the bandwidth of the place graph, hence the span of each transition.
//!
//! The *advanced* variant breaks ties differently: a vertex' unnumbered neighbours are taken by how few new
//! neighbours they would bring (degree towards unnumbered vertices), from both ends of the pseudo-diameter,
//! and the narrower result wins.
//!
//! Complexity O(E log d). Sources: Cuthill and McKee 1969; George 1971 (reversal); the use of the advanced
//! variant for variable orders follows Amparore, Donatelli, Beccuti, Garbi and Miner 2018, "Decision
//! diagrams for Petri nets: a comparison of variable ordering algorithms".

use super::graph::Graph;
use super::{Context, Order};

pub(super) fn reverse_cuthill_mckee(context: &Context) -> Option<Order> {
    let graph = context.graph();
    let (mut seen, mut stamp) = (vec![0; graph.len()], 0);
    let mut placed = vec![false; graph.len()];
    let mut order = graph.by_component(|v| {
        let (start, _, _) = graph.pseudo_diameter(v, &mut seen, &mut stamp);
        number(graph, start, &mut placed, |g, w, _| g.degree(w))
    });
    order.reverse();
    Some(Order::from_indices(order))
}

pub(super) fn advanced_cuthill_mckee(context: &Context) -> Option<Order> {
    let graph = context.graph();
    let (mut seen, mut stamp) = (vec![0; graph.len()], 0);
    let mut placed = vec![false; graph.len()];
    let unnumbered =
        |g: &Graph, w: u32, placed: &[bool]| g.neighbours(w).iter().filter(|&&x| !placed[x as usize]).count();
    let mut order = graph.by_component(|v| {
        let (start, end, _) = graph.pseudo_diameter(v, &mut seen, &mut stamp);
        let forward = number(graph, start, &mut placed, unnumbered);
        forward.iter().for_each(|&w| placed[w as usize] = false);
        let backward = number(graph, end, &mut placed, unnumbered);
        if profile(graph, &backward) < profile(graph, &forward) { backward } else { forward }
    });
    order.reverse();
    Some(Order::from_indices(order))
}

/// Cuthill–McKee numbering from `start`; the neighbours of each vertex are taken by increasing `key`.
fn number(graph: &Graph, start: u32, placed: &mut [bool], key: impl Fn(&Graph, u32, &[bool]) -> usize) -> Vec<u32> {
    let mut order = vec![start];
    placed[start as usize] = true;
    let mut fresh = Vec::new();
    let mut next = 0;
    while next < order.len() {
        fresh.clear();
        let new = graph.neighbours(order[next]).iter().filter(|&&w| !placed[w as usize]);
        fresh.extend(new.map(|&w| (key(graph, w, placed), w)));
        fresh.sort_unstable();
        for &(_, w) in &fresh {
            placed[w as usize] = true;
            order.push(w);
        }
        next += 1;
    }
    order
}

/// Sum over the vertices of the distance to their first neighbour in `order` (the profile of the matrix).
pub(super) fn profile(graph: &Graph, order: &[u32]) -> u64 {
    let mut position = rustc_hash::FxHashMap::default();
    for (i, &v) in order.iter().enumerate() {
        position.insert(v, i);
    }
    let first = |v: u32, i: usize| graph.neighbours(v).iter().filter_map(|w| position.get(w)).min().map_or(i, |&j| j);
    order.iter().enumerate().map(|(i, &v)| i.saturating_sub(first(v, i)) as u64).sum()
}
