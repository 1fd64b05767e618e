//! Claims from what the engine of bits found: an invariant of clauses, or a run.
//!
//! An invariant is a set that no step leaves, and all that `A G φ` needs; of a run each state is nearer to where `φ` fails.
//! Neither needs the reachable set. Of an invariant the levels are the variables that its clauses speak of and those with few
//! values, so that the checker has them in their order. The diagram is made from above: a node for each list of clauses
//! that are still open.

use super::Uncertified;
use super::local::diagram;
use super::translate::Names;
use crate::budget::{Budget, Exhausted};
use crate::decide::{BitEvidence, BitOfValue};
use crate::model::State;
use rustc_hash::FxHashMap;
use starset_checker::{Claim, DiagramNode, EMPTY, Evidence, Id, Node, Pool, Store};
use std::collections::BTreeSet;

/// Nodes of a diagram that is made of clauses; bits of a level that clauses speak of, and of another one.
const NODES: usize = 200_000;
/// The most numbers of clauses that are kept while they are made.
const KEPT: usize = 20_000_000;
const BITS: (u32, u32) = (12, 4);

/// Claims with the variables of their levels.
pub(super) type Found = (Vec<Claim>, Vec<usize>, Store);

/// A claim of the last formula of a pool, which is quantified.
pub(super) fn prove(
    pool: &Pool,
    evidence: &BitEvidence,
    names: &Names,
    budget: &Budget,
) -> Result<Option<Found>, Uncertified> {
    let formula = pool.len() - 1;
    match (&pool[formula], evidence) {
        (Node::Forall(_), BitEvidence::Invariant(clauses, widths)) => {
            of_invariant(formula, (clauses, widths), names, budget)
        }
        (Node::Exists(_), BitEvidence::Run(states)) => of_run(formula, states, names),
        _ => Ok(None),
    }
}

fn of_run(formula: Id, states: &[State], names: &Names) -> Result<Option<Found>, Uncertified> {
    let Some(first) = states.first() else { return Ok(None) };
    let levels: Vec<usize> = (0..first.as_slice().len()).collect();
    let offsets: Option<Vec<u64>> = levels.iter().map(|&variable| names.number(variable, 0)).collect();
    let Some(offsets) = offsets else { return Ok(None) };
    // Each state once, with the least distance to the end.
    let mut ranks: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    for (state, rank) in states.iter().rev().zip(0..) {
        ranks
            .entry(state.as_slice().iter().zip(&offsets).map(|(value, offset)| value + offset).collect())
            .or_insert(rank);
    }
    let mut rows: Vec<(&[u64], u32)> = ranks.iter().map(|(values, &rank)| (&values[..], rank)).collect();
    rows.sort_unstable();
    let mut store = Store::new(levels.len() as u32);
    let set = diagram(&mut store, 0, &rows)?;
    Ok(Some((vec![Claim { formula, evidence: Evidence::Some(vec![(0, 0, set)]) }], levels, store)))
}

fn of_invariant(
    formula: Id,
    (clauses, widths): (&[Vec<BitOfValue>], &[u32]),
    names: &Names,
    budget: &Budget,
) -> Result<Option<Found>, Uncertified> {
    let spoken: BTreeSet<usize> = clauses.iter().flatten().map(|literal| literal.0.index()).collect();
    let mut levels = Vec::new();
    for (variable, &width) in widths.iter().enumerate() {
        let most = if spoken.contains(&variable) { BITS.0 } else { BITS.1 };
        match names.number(variable, 0).filter(|_| width <= most) {
            Some(offset) => levels.push(Level { variable, values: 1 << width, offset }),
            None if spoken.contains(&variable) => return Ok(None),
            None => {}
        }
    }
    let level_of: FxHashMap<usize, usize> = levels.iter().map(|level| level.variable).zip(0..).collect();
    let by_level = |clause: &Vec<BitOfValue>| {
        let mut literals: Vec<(usize, u32, bool)> =
            clause.iter().map(|&(variable, bit, value)| (level_of[&variable.index()], bit, value)).collect();
        literals.sort_unstable();
        literals
    };
    let clauses: Vec<Vec<(usize, u32, bool)>> = clauses.iter().map(by_level).collect();
    let store = Store::new(levels.len() as u32);
    let known = vec![FxHashMap::default(); levels.len()];
    let mut making = Making { clauses, levels, known, kept: 0, store, budget };
    let set = making.node(0, (0..making.clauses.len() as u32).collect())?;
    let levels = making.levels.iter().map(|level| level.variable).collect();
    Ok(Some((vec![Claim { formula, evidence: Evidence::All(vec![(0, 0, set)]) }], levels, making.store)))
}

/// A variable, how many values it has, and the checker's number for the first.
struct Level {
    variable: usize,
    values: u64,
    offset: u64,
}

/// A diagram of clauses.
struct Making<'a> {
    /// Literals by level.
    clauses: Vec<Vec<(usize, u32, bool)>>,
    levels: Vec<Level>,
    /// By level and open clauses: the node.
    known: Vec<FxHashMap<Vec<u32>, DiagramNode>>,
    /// Numbers of clauses in these.
    kept: usize,
    store: Store,
    budget: &'a Budget,
}

impl Making<'_> {
    /// Where, from a level on, each of these clauses has a literal that is true.
    fn node(&mut self, level: usize, open: Vec<u32>) -> Result<DiagramNode, Uncertified> {
        let Some(&Level { values, offset, .. }) = self.levels.get(level) else { return Ok(1) };
        if let Some(&known) = self.known[level].get(&open) {
            return Ok(known);
        }
        self.budget.check()?;
        self.kept += open.len() + 1;
        if self.store.nodes() > NODES || self.kept > KEPT {
            return Err(Exhausted::Work.into());
        }
        let mut pairs = Vec::new();
        for value in 0..values {
            if let Some(left) = self.left(level, value, &open) {
                let child = self.node(level + 1, left)?;
                if child != EMPTY {
                    pairs.push((offset + value, child));
                }
            }
        }
        let node = self.store.node(level as u32, &pairs)?;
        self.known[level].insert(open, node);
        Ok(node)
    }

    /// The clauses that are open below a level with this value; none if one cannot be true any more.
    fn left(&self, level: usize, value: u64, open: &[u32]) -> Option<Vec<u32>> {
        let mut left = Vec::new();
        for &number in open {
            let clause = &self.clauses[number as usize];
            let of_level = clause.iter().filter(|literal| literal.0 == level);
            if of_level.into_iter().any(|&(_, bit, is_set)| (value >> bit & 1 == 1) == is_set) {
                continue;
            }
            if clause.last().is_none_or(|last| last.0 <= level) {
                return None;
            }
            left.push(number);
        }
        Some(left)
    }
}
