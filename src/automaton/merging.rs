//! Merging states by trial: the quotient is kept iff it is disjoint from the automaton of the negation.
//!
//! Ehlers & Finkbeiner (2010), "On the virtue of patience: minimizing Büchi automata". Merging two states (the
//! merged one has the edges of both, in and out) can only add words. So if the merged automaton still has no
//! word in common with an automaton for the negated formula, its language is unchanged. This finds merges that
//! no simulation justifies. Pairs are tried in order until none works; the work is bounded by a number of
//! product edges, so that the outcome does not depend on the clock.

use super::bdd::Bdds;
use super::graph::{Arc, Graph};
use super::{cleanup, intersection, simulation};
use crate::budget::Exhausted;

/// Merges states of `graph` while it stays disjoint from `negation`.
pub(super) fn merge_states(
    graph: &mut Graph,
    negation: &Graph,
    bdds: &mut Bdds,
    fuel: &mut u64,
) -> Result<(), Exhausted> {
    'again: loop {
        for keep in 0..graph.len() {
            for gone in 0..graph.len() {
                if keep >= gone {
                    continue;
                }
                let mut merged = merged(graph, keep, gone);
                match intersection::disjoint(&merged, negation, bdds, fuel)? {
                    None => return Ok(()),
                    Some(false) => {}
                    Some(true) => {
                        cleanup::clean(&mut merged);
                        merged.merge_parallel(bdds)?;
                        simulation::reduce(&mut merged, bdds)?;
                        *graph = merged;
                        continue 'again;
                    }
                }
            }
        }
        return Ok(());
    }
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
