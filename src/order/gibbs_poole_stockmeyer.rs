//! Gibbs, Poole and Stockmeyer's order: level structures from both ends, merged to be narrow.
//!
//! With a pseudo-diameter *(s, e)*, each vertex has the pair (distance from *s*, depth − distance from *e*).
//! Where the two agree the level is fixed. The other vertices fall into connected groups; group by group,
//! largest first, the whole group takes the first or the second number, whichever leaves the widest level
//! narrower. The vertices are then numbered level by level, within a level by adjacency to what is numbered
//! already (Cuthill–McKee fashion), and the result is reversed.
//!
//! Complexity O(E log V). Source: Gibbs, Poole and Stockmeyer 1976, "An algorithm for reducing the bandwidth
//! and profile of a sparse matrix".

use super::graph::{Graph, Levels};
use super::{Context, Order};

pub(super) fn order(context: &Context) -> Option<Order> {
    let graph = context.graph();
    let (mut seen, mut stamp) = (vec![0; graph.len()], 0);
    let mut level = vec![u32::MAX; graph.len()];
    let mut numbered = vec![false; graph.len()];
    let (mut first, mut second) = (vec![0; graph.len()], vec![0; graph.len()]);
    let mut order = graph.by_component(|v| {
        let (start, end, from_start) = graph.pseudo_diameter(v, &mut seen, &mut stamp);
        stamp += 1;
        let from_end = graph.levels(end, &mut seen, stamp);
        let depth = from_start.depth().max(from_end.depth());
        set_distances(&from_start, &mut first);
        set_distances(&from_end, &mut second);
        let mirrored = |w: u32| (depth as u32 - 1).saturating_sub(second[w as usize]);
        let mut width = vec![0usize; depth];
        let mut open = Vec::new();
        for &w in &from_start.order {
            if first[w as usize] == mirrored(w) {
                level[w as usize] = first[w as usize];
                width[first[w as usize] as usize] += 1;
            } else {
                open.push(w);
            }
        }
        for group in groups(graph, &open, &level) {
            let widest = |number: &dyn Fn(u32) -> u32| {
                let mut trial = rustc_hash::FxHashMap::default();
                for &w in &group {
                    *trial.entry(number(w)).or_insert(0usize) += 1;
                }
                trial.iter().map(|(&l, &n)| width[l as usize] + n).max().unwrap_or(0)
            };
            let take_first = widest(&|w| first[w as usize]) <= widest(&mirrored);
            for &w in &group {
                level[w as usize] = if take_first { first[w as usize] } else { mirrored(w) };
                width[level[w as usize] as usize] += 1;
            }
        }
        by_level(graph, start, &from_start.order, &level, depth, &mut numbered)
    });
    order.reverse();
    Some(Order::from_indices(order))
}

/// Write the distance of each vertex of a level structure.
fn set_distances(levels: &Levels, distances: &mut [u32]) {
    let mut distance = 0;
    for (i, &w) in levels.order.iter().enumerate() {
        if i == levels.ends[distance] {
            distance += 1;
        }
        distances[w as usize] = distance as u32;
    }
}

/// The connected groups of the vertices without a level, largest first.
fn groups(graph: &Graph, open: &[u32], level: &[u32]) -> Vec<Vec<u32>> {
    let mut taken = rustc_hash::FxHashSet::default();
    let mut groups = Vec::new();
    for &v in open {
        if !taken.insert(v) {
            continue;
        }
        let mut group = vec![v];
        let mut next = 0;
        while next < group.len() {
            for &w in graph.neighbours(group[next]) {
                if level[w as usize] == u32::MAX && taken.insert(w) {
                    group.push(w);
                }
            }
            next += 1;
        }
        groups.push(group);
    }
    groups.sort_by_key(|g| std::cmp::Reverse(g.len()));
    groups
}

/// Number the vertices level by level; within a level, neighbours of earlier vertices first.
fn by_level(
    graph: &Graph,
    start: u32,
    component: &[u32],
    level: &[u32],
    depth: usize,
    numbered: &mut [bool],
) -> Vec<u32> {
    let mut members = vec![Vec::new(); depth];
    for &v in component {
        members[level[v as usize] as usize].push(v);
    }
    let mut order: Vec<u32> = Vec::with_capacity(component.len());
    let mut previous = 0;
    for (l, mut members) in members.into_iter().enumerate() {
        members.sort_unstable_by_key(|&v| (v != start, graph.degree(v), v));
        let here = order.len();
        let mut next = previous;
        let mut rest = members.into_iter();
        loop {
            // Vertices of this level next to those numbered in the previous and in this one.
            while next < order.len() {
                let at = |&&w: &&u32| level[w as usize] == l as u32 && !numbered[w as usize];
                let mut fresh: Vec<u32> = graph.neighbours(order[next]).iter().filter(at).copied().collect();
                fresh.sort_unstable_by_key(|&w| (graph.degree(w), w));
                for w in fresh {
                    numbered[w as usize] = true;
                    order.push(w);
                }
                next += 1;
            }
            match rest.find(|&v| !numbered[v as usize]) {
                Some(v) => {
                    numbered[v as usize] = true;
                    order.push(v);
                }
                None => break,
            }
        }
        previous = here;
    }
    order
}
