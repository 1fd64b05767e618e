//! Removing what cannot contribute to acceptance: states, marks and acceptance sets.
//!
//! - A state from which no accepting component can be reached is dropped.
//! - Marks matter only inside accepting components: elsewhere they are cleared.
//! - Inside an accepting component, an acceptance set is idle if all its edges are marked with it, or if
//!   another needed set implies it (each edge of that set is in this one too). In a component all of whose
//!   cycles accept, all sets are idle.
//! - The needed sets of each component are renumbered from 0 (components share numbers, since a run ends in
//!   one of them), and a component that needs fewer than the most marks its edges with the missing ones.
//!
//! Linear in the edges, times the square of the number of sets.

use super::Marks;
use super::graph::{Arc, Graph};
use crate::scc;

/// Cleans the automaton in place. Its states are renumbered.
pub(super) fn clean(graph: &mut Graph) {
    prune(graph);
    renumber_sets(graph);
}

/// For each component whether it can accept: it has an internal edge and its internal edges carry all sets.
fn accepting(graph: &Graph, of: &[u32], count: usize) -> Vec<bool> {
    let mut seen: Vec<Option<Marks>> = vec![None; count];
    for (v, arcs) in graph.arcs.iter().enumerate() {
        for arc in arcs.iter().filter(|a| of[a.target] == of[v]) {
            *seen[of[v] as usize].get_or_insert(Marks::NONE) |= arc.marks;
        }
    }
    seen.iter().map(|m| m.is_some_and(|m| m.is_superset(graph.all()))).collect()
}

/// Drops unreachable states and those that cannot reach an accepting component, and clears idle marks.
fn prune(graph: &mut Graph) {
    graph.restrict(|_| true);
    let found = graph.components();
    let accepts = accepting(graph, &found.of, found.count);
    let mut useful = accepts.clone();
    // A component's successors have lower numbers.
    let mut by_component: Vec<Vec<usize>> = vec![Vec::new(); found.count];
    (0..graph.len()).for_each(|v| by_component[found.of[v] as usize].push(v));
    for (c, states) in by_component.iter().enumerate() {
        if !useful[c] {
            useful[c] = states.iter().any(|&v| graph.arcs[v].iter().any(|a| useful[found.of[a.target] as usize]));
        }
    }
    for v in 0..graph.len() {
        for arc in &mut graph.arcs[v] {
            if found.of[arc.target] != found.of[v] || !accepts[found.of[v] as usize] {
                arc.marks = Marks::NONE;
            }
        }
    }
    if !useful[found.of[graph.initial] as usize] {
        *graph = Graph::empty();
        return;
    }
    graph.restrict(|v| useful[found.of[v] as usize]);
}

/// Renumbers the acceptance sets component by component, leaving out idle ones.
fn renumber_sets(graph: &mut Graph) {
    let found = graph.components();
    let accepts = accepting(graph, &found.of, found.count);
    let mut needed: Vec<Vec<u32>> = vec![Vec::new(); found.count];
    let mut rejecting_cycle = false;
    for c in 0..found.count {
        let internal = internal_arcs(graph, &found.of, c as u32);
        if !accepts[c] {
            rejecting_cycle |= !internal.is_empty();
            continue;
        }
        let weak = (0..graph.sets).all(|set| !has_cycle_avoiding(graph, &found.of, c as u32, set));
        if !weak {
            needed[c] = needed_sets(&internal, graph.sets);
        }
    }
    let most = needed.iter().map(Vec::len).max().unwrap_or(0).max(usize::from(rejecting_cycle)) as u32;
    for v in 0..graph.len() {
        let c = found.of[v] as usize;
        for arc in &mut graph.arcs[v] {
            arc.marks = if found.of[arc.target] as usize != c || !accepts[c] {
                Marks::NONE
            } else {
                (0..most)
                    .filter(|&i| needed[c].get(i as usize).is_none_or(|&set| arc.marks.contains(set)))
                    .fold(Marks::NONE, Marks::with)
            };
        }
    }
    graph.sets = most;
}

fn internal_arcs<'a>(graph: &'a Graph, of: &[u32], c: u32) -> Vec<&'a Arc> {
    (0..graph.len())
        .filter(|&v| of[v] == c)
        .flat_map(|v| graph.arcs[v].iter().filter(|a| of[a.target] == c).collect::<Vec<_>>())
        .collect()
}

/// The sets of a component that no other needed set implies and that are not on all edges.
fn needed_sets(internal: &[&Arc], sets: u32) -> Vec<u32> {
    let mut needed: Vec<u32> = (0..sets).filter(|&i| !internal.iter().all(|a| a.marks.contains(i))).collect();
    let implies = |j: u32, i: u32| internal.iter().all(|a| !a.marks.contains(j) || a.marks.contains(i));
    let mut k = 0;
    while k < needed.len() {
        let i = needed[k];
        if needed.iter().any(|&j| j != i && implies(j, i)) {
            needed.remove(k);
        } else {
            k += 1;
        }
    }
    needed
}

/// Whether component `c` has a cycle without an edge in `set`.
fn has_cycle_avoiding(graph: &Graph, of: &[u32], c: u32, set: u32) -> bool {
    let avoiding = |v: usize| graph.arcs[v].iter().filter(move |a| of[a.target] == c && !a.marks.contains(set));
    let states: Vec<usize> = (0..graph.len()).filter(|&v| of[v] == c).collect();
    let found = scc::components(graph.len(), states.iter().copied(), |v| avoiding(v).map(|a| a.target));
    states.iter().any(|&v| avoiding(v).any(|a| found.of[a.target] == found.of[v]))
}
