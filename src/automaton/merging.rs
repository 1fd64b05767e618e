//! Merging states by trial: the quotient is kept iff it is disjoint from the automaton of the negation.
//!
//! Ehlers & Finkbeiner (2010), "On the virtue of patience: minimizing Büchi automata". Merging two states (the
//! merged one has the edges of both, in and out) can only add words. So if the merged automaton still has no
//! word in common with an automaton for the negated formula, its language is unchanged. This finds merges that
//! no simulation justifies.
//!
//! Most pairs are refused at once by a necessary condition: where the product with the negation can be in
//! state `q` together with `n`, the other state `q'` must have no word in common with `n`, and conversely. One
//! product from all pairs of states answers this for all of them. The work is bounded by a number of product
//! edges, not by time, so that the outcome does not depend on the clock.

use super::bdd::Bdds;
use super::graph::{Arc, Graph};
use super::intersection::{Product, disjoint};
use super::{cleanup, simulation};
use crate::budget::Exhausted;

/// Merges states of `graph` while it stays disjoint from `negation`.
pub(super) fn merge_states(
    graph: &mut Graph,
    negation: &Graph,
    bdds: &mut Bdds,
    fuel: &mut u64,
) -> Result<(), Exhausted> {
    while let Some(merged) = merge_one(graph, negation, bdds, fuel)? {
        *graph = merged;
        cleanup::clean(graph);
        graph.merge_parallel(bdds)?;
        simulation::reduce(graph, bdds)?;
    }
    Ok(())
}

/// The first merge that keeps the language.
fn merge_one(graph: &Graph, negation: &Graph, bdds: &mut Bdds, fuel: &mut u64) -> Result<Option<Graph>, Exhausted> {
    let (count, others) = (graph.len(), negation.len());
    if count < 2 {
        return Ok(None);
    }
    let all = (0..count).flat_map(|q| (0..others).map(move |n| (q, n)));
    let Some(product) = Product::new(graph, negation, all, bdds, fuel)? else { return Ok(None) };
    let reached = product.reachable(graph.initial * others + negation.initial);
    // All pairs are roots, so pair (q, n) has the number q · others + n.
    let fits =
        |q: usize, other: usize| (0..others).all(|n| !reached[q * others + n] || !product.common[other * others + n]);
    for keep in 0..count {
        for gone in keep + 1..count {
            if !fits(keep, gone) || !fits(gone, keep) {
                continue;
            }
            let merged = merged(graph, keep, gone);
            match disjoint(&merged, negation, bdds, fuel)? {
                None => return Ok(None),
                Some(false) => {}
                Some(true) => return Ok(Some(merged)),
            }
        }
    }
    Ok(None)
}

/// The automaton with the edges of `gone`, in and out, moved to `keep`.
fn merged(graph: &Graph, keep: usize, gone: usize) -> Graph {
    let to = |v: usize| if v == gone { keep } else { v };
    let mut arcs: Vec<Vec<Arc>> = vec![Vec::new(); graph.len()];
    for (v, list) in graph.arcs.iter().enumerate() {
        arcs[to(v)].extend(list.iter().map(|a| Arc { target: to(a.target), ..*a }));
    }
    Graph { sets: graph.sets, initial: to(graph.initial), arcs }
}
