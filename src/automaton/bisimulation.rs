//! The coarsest partition of states that have the same moves: bisimulation by partition refinement.
//!
//! Moore (1956): start from a given partition; split states whose edges, summed up by marks and class of the
//! target, carry different labels; repeat until stable. At most as many rounds as states, each linear in the
//! edges. For a complete deterministic automaton this is minimisation.

use super::Marks;
use super::bdd::{Bdd, Bdds};
use super::graph::{Arc, Graph};
use crate::budget::Exhausted;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;

/// The signature of a state: its class so far, and its labels by class of the target and marks.
type Signature = (usize, BTreeMap<(usize, Marks), Bdd>);

/// The class of each state (numbered from 0) and the number of classes, refining `class`.
pub(super) fn refine(
    arcs: &[Vec<Arc>],
    mut class: Vec<usize>,
    bdds: &mut Bdds,
) -> Result<(Vec<usize>, usize), Exhausted> {
    let mut count = 0;
    loop {
        bdds.budget().check()?;
        let mut signatures: IndexSet<Signature, FxBuildHasher> = IndexSet::default();
        let mut next = Vec::with_capacity(class.len());
        for (v, list) in arcs.iter().enumerate() {
            let mut signature: BTreeMap<(usize, Marks), Bdd> = BTreeMap::new();
            for arc in list {
                let slot = signature.entry((class[arc.target], arc.marks)).or_insert(Bdd::FALSE);
                *slot = bdds.or(*slot, arc.label)?;
            }
            next.push(signatures.insert_full((class[v], signature)).0);
        }
        class = next;
        if signatures.len() == count {
            return Ok((class, count));
        }
        count = signatures.len();
    }
}

/// Merges the states of each class; all members have the same edges up to classes, so one's are taken.
pub(super) fn merge_classes(graph: &mut Graph, class: &[usize], count: usize) {
    let mut arcs: Vec<Option<Vec<Arc>>> = vec![None; count];
    for (v, list) in std::mem::take(&mut graph.arcs).into_iter().enumerate() {
        let slot = &mut arcs[class[v]];
        if slot.is_none() {
            *slot = Some(list.into_iter().map(|a| Arc { target: class[a.target], ..a }).collect());
        }
    }
    graph.arcs = arcs.into_iter().map(Option::unwrap_or_default).collect();
    graph.initial = class[graph.initial];
}

/// Reduces by bisimulation.
pub(super) fn reduce(graph: &mut Graph, bdds: &mut Bdds) -> Result<(), Exhausted> {
    let (class, count) = refine(&graph.arcs, vec![0; graph.len()], bdds)?;
    if count < graph.len() {
        merge_classes(graph, &class, count);
        graph.merge_parallel(bdds)?;
    }
    Ok(())
}
