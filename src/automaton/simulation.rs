//! Quotients by direct and by reverse simulation, on edges with acceptance.
//!
//! State `q'` *simulates* `q` when each edge of `q` is matched, letter by letter, by edges of `q'` that carry
//! at least its marks and lead to states simulating its target. States that simulate each other are merged,
//! and an edge is dropped where another one from the same state, with at least its marks and a target that
//! simulates its own, covers it. *Reverse* simulation is the same on the reversed automaton, where only the
//! initial state simulates the initial state: it merges states with the same past.
//!
//! The greatest simulation is found by refining *signatures* (Babiak, Badie, Duret-Lutz, Křetínský & Strejček
//! 2013): the signature of a state is the Boolean function `⋁ label ∧ marks ∧ target` over its edges, where
//! marks are encoded as the conjunction of variables of the absent ones, and a target as the conjunction of
//! variables of the classes that simulate it. Then `q'` simulates `q` iff the signature of `q` entails that of
//! `q'`. Each round costs one entailment per pair of classes; there are at most as many rounds as pairs.

use super::bdd::{Bdd, Bdds};
use super::graph::{Arc, Graph};
use super::{Marks, cleanup};
use crate::budget::Exhausted;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Which side of a state is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// What may follow.
    Direct,
    /// What may have led here.
    Reverse,
}

/// Reduces by direct and reverse simulation in turns until neither helps.
pub(super) fn reduce(graph: &mut Graph, bdds: &mut Bdds) -> Result<(), Exhausted> {
    loop {
        let before = (graph.len(), graph.edge_count());
        for direction in [Direction::Direct, Direction::Reverse] {
            quotient(graph, bdds, direction)?;
            cleanup::clean(graph);
            graph.merge_parallel(bdds)?;
        }
        if (graph.len(), graph.edge_count()) >= before {
            return Ok(());
        }
    }
}

/// The preorder: the class of each state, and for each class those that simulate it.
struct Preorder {
    class: Vec<usize>,
    above: Vec<Vec<bool>>,
}

/// Merges equivalent states and drops dominated edges.
pub(super) fn quotient(graph: &mut Graph, bdds: &mut Bdds, direction: Direction) -> Result<(), Exhausted> {
    let mut work = match direction {
        Direction::Direct => graph.clone(),
        Direction::Reverse => reversed(graph),
    };
    let order = simulation(&work, bdds, direction)?;
    let classes = order.above.len();
    let mut arcs: Vec<Option<Vec<Arc>>> = vec![None; classes];
    for (v, list) in work.arcs.iter().enumerate() {
        // The edges of any one member represent those of all.
        let slot = &mut arcs[order.class[v]];
        if slot.is_none() {
            *slot = Some(list.iter().map(|a| Arc { target: order.class[a.target], ..*a }).collect());
        }
    }
    work.arcs = arcs.into_iter().map(Option::unwrap_or_default).collect();
    work.initial = order.class[work.initial];
    drop_dominated(&mut work, bdds, &order)?;
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

fn simulation(graph: &Graph, bdds: &mut Bdds, direction: Direction) -> Result<Preorder, Exhausted> {
    let mut order = Preorder { class: vec![0; graph.len()], above: vec![vec![true]] };
    let mut pairs = 1;
    loop {
        bdds.budget().check()?;
        let codes = class_codes(graph, bdds, &order)?;
        let mut signatures: IndexMap<Bdd, (), FxBuildHasher> = IndexMap::default();
        let mut class = Vec::with_capacity(graph.len());
        for (v, list) in graph.arcs.iter().enumerate() {
            let mut signature = Bdd::FALSE;
            if direction == Direction::Reverse && v == graph.initial {
                let start = bdds.extra(graph.sets);
                signature = bdds.variable(start)?;
            }
            for arc in list {
                let marks = marks_code(graph, bdds, arc.marks)?;
                let code = bdds.and(marks, codes[order.class[arc.target]])?;
                let term = bdds.and(arc.label, code)?;
                signature = bdds.or(signature, term)?;
            }
            class.push(signatures.insert_full(signature, ()).0);
        }
        let signatures: Vec<Bdd> = signatures.into_keys().collect();
        let mut above = Vec::with_capacity(signatures.len());
        for &s in &signatures {
            let mut row = Vec::with_capacity(signatures.len());
            for &t in &signatures {
                row.push(bdds.entails(s, t)?);
            }
            above.push(row);
        }
        let now = above.iter().flatten().filter(|&&b| b).count();
        let stable = above.len() == order.above.len() && now == pairs;
        order = Preorder { class, above };
        pairs = now;
        if stable {
            return Ok(order);
        }
    }
}

/// The encoding of each class: the variables of the classes above it.
fn class_codes(graph: &Graph, bdds: &mut Bdds, order: &Preorder) -> Result<Vec<Bdd>, Exhausted> {
    let mut codes = Vec::with_capacity(order.above.len());
    for row in &order.above {
        let above = (0..row.len()).filter(|&d| row[d]);
        let product: Vec<_> = above.map(|d| (bdds.extra(graph.sets + 1 + d as u32), true)).collect();
        codes.push(bdds.product(&product)?);
    }
    Ok(codes)
}

fn marks_code(graph: &Graph, bdds: &mut Bdds, marks: Marks) -> Result<Bdd, Exhausted> {
    let absent = (0..graph.sets).filter(|&i| !marks.contains(i));
    let product: Vec<_> = absent.map(|i| (bdds.extra(i), true)).collect();
    bdds.product(&product)
}

/// Takes from the label of each edge what better edges of the same state cover. States are classes.
fn drop_dominated(graph: &mut Graph, bdds: &mut Bdds, order: &Preorder) -> Result<(), Exhausted> {
    graph.merge_parallel(bdds)?;
    for list in &mut graph.arcs {
        let old = list.clone();
        for arc in list.iter_mut() {
            for better in &old {
                let differs = (better.target, better.marks) != (arc.target, arc.marks);
                if differs && order.above[arc.target][better.target] && better.marks.is_superset(arc.marks) {
                    arc.label = bdds.minus(arc.label, better.label)?;
                }
            }
        }
        list.retain(|a| a.label != Bdd::FALSE);
    }
    Ok(())
}
