//! Quotients by direct and by reverse simulation, on edges with acceptance.
//!
//! State `q'` *simulates* `q` when each edge of `q` is matched, letter by letter, by edges of `q'` that carry
//! at least its marks and lead to states simulating its target. States that simulate each other are merged,
//! and an edge is dropped where another one from the same state, with at least its marks and a target that
//! simulates its own, covers it. *Reverse* simulation is the same on the reversed automaton, where only the
//! initial state simulates the initial state: it merges states with the same past. (Somenzi & Bloem 2000;
//! Babiak, Badie, Duret-Lutz, Křetínský & Strejček 2013 for marks on edges.)
//!
//! The greatest simulation is computed by striking out pairs that fail until none does. A pair is one
//! entailment of labels for each edge. Encoding classes as variables of one signature per state, as in the
//! latter paper, was tried first: it is no faster on small automata and its BDDs grow exponentially on some
//! automata with a hundred states. Bisimulation goes first since it is nearly linear; above
//! a fixed number of states only it is used.

use super::bdd::{Bdd, Bdds};
use super::graph::{Arc, Graph};
use super::{bisimulation, cleanup};
use crate::budget::Exhausted;

/// Which side of a state is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    /// By the words that follow.
    Direct,
    /// By the words that lead here.
    Reverse,
}

/// Largest automaton for which pairs of states are compared.
const MAX_STATES: usize = 400;
/// The same in edges: each is compared with each, over and over.
const MAX_EDGES: usize = 10_000;

/// Reduces by direct and reverse simulation in turns until neither helps.
pub(super) fn reduce(graph: &mut Graph, bdds: &mut Bdds) -> Result<(), Exhausted> {
    bisimulation::reduce(graph, bdds)?;
    let mut unchanged = 0;
    for direction in [Direction::Direct, Direction::Reverse].into_iter().cycle() {
        if graph.len() > MAX_STATES || graph.edge_count() > MAX_EDGES || unchanged == 2 {
            break;
        }
        let before = graph.clone();
        quotient(graph, bdds, direction)?;
        cleanup::clean(graph);
        graph.merge_parallel(bdds)?;
        let smaller = (graph.len(), graph.edge_count()) < (before.len(), before.edge_count());
        unchanged = if smaller { 0 } else { unchanged + 1 };
    }
    Ok(())
}

/// Merges equivalent states and drops dominated edges.
fn quotient(graph: &mut Graph, bdds: &mut Bdds, direction: Direction) -> Result<(), Exhausted> {
    let mut work = match direction {
        Direction::Direct => graph.clone(),
        Direction::Reverse => reversed(graph),
    };
    let above = simulation(&work, bdds, direction)?;
    drop_dominated(&mut work, bdds, &above)?;
    let representative: Vec<usize> =
        (0..work.len()).map(|q| (0..=q).find(|&p| above[q][p] && above[p][q]).unwrap_or(q)).collect();
    if (0..work.len()).any(|q| representative[q] != q) {
        bisimulation::merge_classes(&mut work, &representative, graph.len());
    }
    *graph = match direction {
        Direction::Direct => work,
        Direction::Reverse => reversed(&work),
    };
    Ok(())
}

fn reversed(graph: &Graph) -> Graph {
    let mut arcs = vec![Vec::new(); graph.len()];
    for (v, list) in graph.arcs.iter().enumerate() {
        for arc in list {
            arcs[arc.target].push(Arc { target: v, ..*arc });
        }
    }
    Graph { arcs, ..*graph }
}

/// The greatest simulation: `above[q][p]` tells whether `p` simulates `q`.
fn simulation(graph: &Graph, bdds: &mut Bdds, direction: Direction) -> Result<Vec<Vec<bool>>, Exhausted> {
    let count = graph.len();
    let mut above = vec![vec![true; count]; count];
    if direction == Direction::Reverse {
        for p in (0..count).filter(|&p| p != graph.initial) {
            above[graph.initial][p] = false;
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for q in 0..count {
            bdds.budget().check()?;
            for p in (0..count).filter(|&p| p != q) {
                if above[q][p] && !matches_all(&graph.arcs[q], &graph.arcs[p], &above, bdds)? {
                    above[q][p] = false;
                    changed = true;
                }
            }
        }
    }
    Ok(above)
}

/// Whether each edge of `left` is matched by edges of `right`.
fn matches_all(left: &[Arc], right: &[Arc], above: &[Vec<bool>], bdds: &mut Bdds) -> Result<bool, Exhausted> {
    for arc in left {
        let mut cover = Bdd::FALSE;
        for better in right.iter().filter(|b| above[arc.target][b.target] && b.marks.is_superset(arc.marks)) {
            cover = if better.label == arc.label { Bdd::TRUE } else { bdds.or(cover, better.label)? };
            if cover == Bdd::TRUE {
                break;
            }
        }
        if !bdds.entails(arc.label, cover)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes from the label of each edge what better edges of the same state cover. Of edges that dominate each
/// other the first stays.
fn drop_dominated(graph: &mut Graph, bdds: &mut Bdds, above: &[Vec<bool>]) -> Result<(), Exhausted> {
    for list in &mut graph.arcs {
        let old = list.clone();
        for (i, arc) in list.iter_mut().enumerate() {
            for (j, better) in old.iter().enumerate() {
                let dominates = above[arc.target][better.target] && better.marks.is_superset(arc.marks);
                let mutual = above[better.target][arc.target] && better.marks == arc.marks;
                if i != j && dominates && (!mutual || j < i) {
                    arc.label = bdds.minus(arc.label, better.label)?;
                }
            }
        }
        list.retain(|a| a.label != Bdd::FALSE);
    }
    Ok(())
}
