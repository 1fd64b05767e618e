//! Minimal weak deterministic Büchi automata, for obligations.
//!
//! The languages that deterministic *weak* Büchi automata recognise are the obligations. They have a minimal
//! such automaton, which is found by minimising as for finite words. After Dax, Eisinger & Klaedtke (2007),
//! "Mechanizing the powerset construction for restricted classes of ω-automata":
//!
//! 1. Determinise by the plain subset construction.
//! 2. In the automaton of an obligation each component accepts all of its cycles or none: decide by one cycle,
//!    whose word is run through the original automaton.
//! 3. Colour transient states so that minimisation is not hindered (Löding 2001): components are coloured from
//!    the bottom up with the least number, not below those of the successors, that is even iff it accepts; a
//!    transient component takes the greatest colour of its successors. A state accepts iff its colour is even.
//! 4. Merge equivalent states by partition refinement (Moore 1956).
//!
//! For a language that is no obligation the result is wrong; so unless the formula is an obligation
//! syntactically, the result is compared with the original: the one must be disjoint from the negation, and
//! the complement (a weak deterministic automaton is complemented by swapping) from the other. The subset
//! construction is exponential and given up beyond a fixed size.

use super::bdd::{Bdd, Bdds};
use super::graph::{Arc, Graph};
use super::{Marks, bisimulation, cleanup, intersection};
use crate::budget::Exhausted;
use crate::scc::{self, Components};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, VecDeque};

/// A weak deterministic automaton and its complement, both cleaned.
pub(super) struct Minimal {
    pub(super) automaton: Graph,
    pub(super) complement: Graph,
}

/// Most subsets of the determinisation.
const MAX_SUBSETS: usize = 1000;
/// Most letter classes of one subset.
const MAX_LETTERS: usize = 500;

/// The minimal weak deterministic automaton, where there is one within the limits. When `negation` is given the
/// result is verified against it; without it the language must be an obligation.
pub(super) fn minimize(
    graph: &Graph,
    negation: Option<&Graph>,
    bdds: &mut Bdds,
    fuel: &mut u64,
) -> Result<Option<Minimal>, Exhausted> {
    let Some((subsets, moves)) = determinize(graph, bdds)? else { return Ok(None) };
    let accepting = colour(graph, &subsets, &moves, bdds)?;
    let arc = |&(label, target): &(Bdd, usize)| Arc { target, marks: Marks::NONE, label };
    let arcs: Vec<Vec<Arc>> = moves.iter().map(|list| list.iter().map(arc).collect()).collect();
    let (class, count) = bisimulation::refine(&arcs, accepting.iter().map(|&a| usize::from(a)).collect(), bdds)?;
    let mut merged = Graph { sets: 1, initial: 0, arcs };
    bisimulation::merge_classes(&mut merged, &class, count);
    let mut accepts = vec![false; count];
    class.iter().zip(&accepting).for_each(|(&c, &a)| accepts[c] = a);
    let mut with_acceptance = |value: bool| {
        let mut result = merged.clone();
        for (v, list) in result.arcs.iter_mut().enumerate() {
            if accepts[v] == value {
                list.iter_mut().for_each(|a| a.marks = Marks::all(1));
            }
        }
        result.merge_parallel(bdds)?;
        cleanup::clean(&mut result);
        Ok(result)
    };
    let minimal = Minimal { automaton: with_acceptance(true)?, complement: with_acceptance(false)? };
    if let Some(negation) = negation {
        let right = intersection::disjoint(&minimal.automaton, negation, bdds, fuel)? == Some(true)
            && intersection::disjoint(&minimal.complement, graph, bdds, fuel)? == Some(true);
        if !right {
            return Ok(None);
        }
    }
    Ok(Some(minimal))
}

type Subsets = IndexSet<Vec<usize>, FxBuildHasher>;
type Moves = Vec<Vec<(Bdd, usize)>>;

/// The subset construction, complete: the empty subset is a state.
fn determinize(graph: &Graph, bdds: &mut Bdds) -> Result<Option<(Subsets, Moves)>, Exhausted> {
    let mut subsets = Subsets::default();
    subsets.insert(vec![graph.initial]);
    let mut moves: Moves = Vec::new();
    while let Some(subset) = subsets.get_index(moves.len()) {
        // Letters are split by which edges they enable.
        let mut parts: Vec<(Bdd, Vec<usize>)> = vec![(Bdd::TRUE, Vec::new())];
        for arc in subset.clone().iter().flat_map(|&v| &graph.arcs[v]) {
            let mut split = Vec::with_capacity(parts.len() + 1);
            for (label, mut targets) in parts {
                let inside = bdds.and(label, arc.label)?;
                let outside = bdds.minus(label, arc.label)?;
                if outside != Bdd::FALSE {
                    split.push((outside, targets.clone()));
                }
                if inside != Bdd::FALSE {
                    targets.push(arc.target);
                    split.push((inside, targets));
                }
            }
            parts = split;
            if parts.len() > MAX_LETTERS {
                return Ok(None);
            }
        }
        let list = parts.into_iter().map(|(label, mut targets)| {
            targets.sort_unstable();
            targets.dedup();
            (label, subsets.insert_full(targets).0)
        });
        moves.push(list.collect());
        if subsets.len() > MAX_SUBSETS {
            return Ok(None);
        }
    }
    Ok(Some((subsets, moves)))
}

/// Whether each subset accepts: the parity of its colour.
fn colour(graph: &Graph, subsets: &Subsets, moves: &Moves, bdds: &mut Bdds) -> Result<Vec<bool>, Exhausted> {
    let found = scc::components(moves.len(), [0], |v| moves[v].iter().map(|m| m.1));
    let mut states: Vec<Vec<usize>> = vec![Vec::new(); found.count];
    (0..moves.len()).for_each(|v| states[found.of[v] as usize].push(v));
    let mut colours = vec![0u32; found.count];
    for (c, members) in states.iter().enumerate() {
        // Components are numbered from the bottom up.
        let below = members
            .iter()
            .flat_map(|&v| &moves[v])
            .map(|m| found.of[m.1] as usize)
            .filter(|&d| d != c)
            .map(|d| colours[d])
            .max();
        colours[c] = match cycle(moves, &found, members[0]) {
            None => below.unwrap_or(1),
            Some(word) => {
                let accepts = accepts_cycle(graph, &subsets[members[0]], &word, bdds)?;
                let least = below.unwrap_or(0);
                least + u32::from((least % 2 == 0) != accepts)
            }
        };
    }
    Ok((0..moves.len()).map(|v| colours[found.of[v] as usize] % 2 == 0).collect())
}

/// The labels of a shortest cycle through `start`, when there is one.
fn cycle(moves: &Moves, found: &Components, start: usize) -> Option<Vec<Bdd>> {
    let mut came: BTreeMap<usize, (usize, Bdd)> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(v) = queue.pop_front() {
        for &(label, target) in moves[v].iter().filter(|m| found.of[m.1] == found.of[start]) {
            if target == start {
                let mut word = vec![label];
                let mut at = v;
                while at != start {
                    let (previous, label) = came[&at];
                    word.push(label);
                    at = previous;
                }
                word.reverse();
                return Some(word);
            }
            came.entry(target).or_insert_with(|| {
                queue.push_back(target);
                (v, label)
            });
        }
    }
    None
}

/// Whether `graph`, started in any state of `subset`, accepts the word repeated for ever.
fn accepts_cycle(graph: &Graph, subset: &[usize], word: &[Bdd], bdds: &mut Bdds) -> Result<bool, Exhausted> {
    let mut vertices: IndexSet<(usize, usize), FxBuildHasher> = subset.iter().map(|&v| (v, 0)).collect();
    let mut edges: Vec<Vec<(usize, Marks)>> = Vec::new();
    while let Some(&(v, i)) = vertices.get_index(edges.len()) {
        let mut list = Vec::new();
        for arc in &graph.arcs[v] {
            if bdds.meets(arc.label, word[i])? {
                list.push((vertices.insert_full((arc.target, (i + 1) % word.len())).0, arc.marks));
            }
        }
        edges.push(list);
    }
    let found = scc::components(edges.len(), 0..subset.len(), |v| edges[v].iter().map(|e| e.0));
    let mut seen: Vec<Option<Marks>> = vec![None; found.count];
    for (v, list) in edges.iter().enumerate() {
        for &(_, marks) in list.iter().filter(|e| found.of[e.0] == found.of[v]) {
            *seen[found.of[v] as usize].get_or_insert(Marks::NONE) |= marks;
        }
    }
    Ok(seen.contains(&Some(graph.all())))
}
