//! Claims from what the engine of bits found: sets of clauses, or a run.
//!
//! An invariant is a set that no step leaves, and all that `A G φ` needs; of a run each state is nearer to where `φ` fails. A run
//! without end is a graph, on which `E φ` is proved as on any other. For other formulas `A φ` the engine is asked how often the
//! checker's automaton of `¬φ` sees its marks, which makes ranks.
//!
//! None of this needs the reachable set. Of sets the levels are the variables that clauses speak of and those with few
//! values, so that the checker has them in their order. The diagram is made from above: a node for each list of clauses
//! that are still open.

use super::Uncertified;
use super::atoms::Atoms;
use super::listed::diagram;
use super::local::{Graph, prove_of_run};
use super::translate::Names;
use crate::budget::{Budget, Exhausted};
use crate::decide::{BitAutomaton, BitEdge, BitEvidence, BitOfValue, Bits, Clauses, Question};
use crate::formula::{self, Formula, FormulaId};
use crate::model::State;
use rustc_hash::FxHashMap;
use starset_checker::{Claim, DiagramNode, EMPTY, Evidence, Id, Node, Store, Tableau, bounded};
use std::collections::BTreeSet;
use std::time::Duration;

/// Nodes of a diagram that is made of clauses; bits of a level that clauses speak of, and of another one.
const NODES: usize = 200_000;
/// The most numbers of clauses that are kept while they are made.
const KEPT: usize = 20_000_000;
const BITS: (u32, u32) = (12, 4);

/// Claims with the variables of their levels.
pub(super) type Found = (Vec<Claim>, Vec<usize>, Store);

/// Claims that prove the last formula of a pool, which is true just if a question has this verdict. Levels of runs are in
/// this order of all variables. Ranks may take so long.
pub(super) fn prove(
    atoms: &Atoms<'_>,
    (bits, question, verdict): (&mut Bits<'_>, &Question, bool),
    (names, order): (&Names, &[usize]),
    (budget, for_ranks): (&Budget, Duration),
) -> Result<Option<Found>, Uncertified> {
    let formula = atoms.pool.len() - 1;
    let found = bits.evidence(question, verdict, budget)?;
    match (&atoms.pool[formula], found) {
        (Node::Forall(_), Some(BitEvidence::Sets(sets, widths))) => {
            let [clauses] = &sets[..] else { return Ok(None) };
            of_sets(formula, (&[clauses], 0, &widths), names, budget)
        }
        (Node::Exists(_), Some(BitEvidence::Run(states))) => of_run(formula, &states, (names, order)),
        (_, Some(BitEvidence::Loop(states))) => {
            let model = bits.subject().model;
            let states: Option<Vec<_>> = states.iter().map(|state| names.state(model, state)).collect();
            let Some(states) = states.filter(|_| !speaks_of_steps(atoms)) else { return Ok(None) };
            let places: Vec<usize> = order.iter().map(|&variable| names.place(variable)).collect();
            let found = prove_of_run(atoms, &Graph::of_run(states), &places, budget)?;
            Ok(found.map(|(claims, places, store)| {
                (claims, places.into_iter().map(|place| names.variable(place)).collect(), store)
            }))
        }
        (&Node::Forall(path), None) => {
            of_automaton((formula, path), (atoms, bits), names, &budget.clone().with_time(for_ranks))
        }
        _ => Ok(None),
    }
}

/// Does a formula say anything of steps, or of what is possible?
fn speaks_of_steps(atoms: &Atoms<'_>) -> bool {
    (0..atoms.pool.len()).any(|id| matches!(atoms.pool[id], Node::Enabled(_) | Node::Action(_)))
}

/// A claim of all paths, where letters are about single states.
fn of_automaton(
    (formula, path): (Id, Id),
    (atoms, bits): (&Atoms<'_>, &Bits<'_>),
    names: &Names,
    budget: &Budget,
) -> Result<Option<Found>, Uncertified> {
    let tableau = bounded(0, || Tableau::new(atoms.pool, path, true))?;
    let mut pool = formula::Pool::new();
    let mut edges = Vec::new();
    for of_location in &tableau.edges {
        let mut known = Vec::new();
        for edge in of_location {
            let mut guard = Vec::new();
            for &letter in &edge.guard {
                let Some(condition) = condition(atoms, letter, names, &mut pool)? else { return Ok(None) };
                guard.push((condition, false));
            }
            let marks = (0..tableau.marks).filter(|mark| edge.marks >> mark & 1 == 1).collect();
            known.push(BitEdge { guard, target: edge.target, marks });
        }
        edges.push(known);
    }
    let automaton = BitAutomaton { pool: &pool, edges, marks: tableau.marks, top: tableau.top };
    let Some(BitEvidence::Sets(sets, widths)) = bits.nothing_accepted(&automaton, budget)? else { return Ok(None) };
    of_sets(formula, (&sets.iter().collect::<Vec<_>>(), tableau.marks, &widths), names, budget)
}

/// A state formula as a condition of this program, where some step is possible; `None` if it is about more than a state.
fn condition(
    atoms: &Atoms<'_>,
    id: Id,
    names: &Names,
    pool: &mut formula::Pool,
) -> Result<Option<FormulaId>, Uncertified> {
    let mut all = |list: &[Id]| -> Result<Option<Vec<FormulaId>>, Uncertified> {
        list.iter().map(|&operand| condition(atoms, operand, names, pool)).collect()
    };
    Ok(match &atoms.pool[id] {
        _ if !atoms.speaks_of(id) => None,
        Node::And(list) => all(list)?.map(|list| pool.and(list)),
        Node::Or(list) => all(list)?.map(|list| pool.or(list)),
        Node::Not(operand) => condition(atoms, *operand, names, pool)?.map(|operand| pool.not(operand)),
        Node::Deadlock => Some(pool.add(Formula::False)),
        Node::Enabled(_) => None,
        atom => Some(names.atom(atom, pool)?),
    })
}

fn of_run(formula: Id, states: &[State], (names, order): (&Names, &[usize])) -> Result<Option<Found>, Uncertified> {
    if states.is_empty() {
        return Ok(None);
    }
    let offsets: Option<Vec<u64>> = order.iter().map(|&variable| names.number(variable, 0)).collect();
    let Some(offsets) = offsets else { return Ok(None) };
    // Each state once, with the least distance to the end.
    let mut ranks: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    for (state, rank) in states.iter().rev().zip(0..) {
        let values = order.iter().map(|&variable| state.as_slice()[variable]);
        ranks.entry(values.zip(&offsets).map(|(value, offset)| value + offset).collect()).or_insert(rank);
    }
    let mut rows: Vec<(&[u64], u32)> = ranks.iter().map(|(values, &rank)| (&values[..], rank)).collect();
    rows.sort_unstable();
    let mut store = Store::new(order.len() as u32);
    let set = diagram(&mut store, 0, &rows, usize::MAX)?;
    Ok(Some((vec![Claim { formula, evidence: Evidence::Some(vec![(0, 0, set)]) }], order.to_vec(), store)))
}

/// Sets of states of a location, by clauses, each with how many marks may still come.
type OfLocation = Vec<(u32, Clauses)>;

/// Sets by location, with how many marks there are: those that may still come make the rank.
fn of_sets(
    formula: Id,
    (sets, marks, widths): (&[&OfLocation], usize, &[u32]),
    names: &Names,
    budget: &Budget,
) -> Result<Option<Found>, Uncertified> {
    let all = || sets.iter().flat_map(|of_location| of_location.iter()).flat_map(|(_, clauses)| clauses);
    let spoken: BTreeSet<usize> = all().flatten().map(|literal| literal.0.index()).collect();
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
    // Each clause once.
    let mut numbers: FxHashMap<Vec<(usize, u32, bool)>, u32> = FxHashMap::default();
    let mut clauses = Vec::new();
    let mut number = |clause: &Vec<BitOfValue>| {
        *numbers.entry(by_level(clause)).or_insert_with_key(|clause| {
            clauses.push(clause.clone());
            clauses.len() as u32 - 1
        })
    };
    let mut roots = Vec::new();
    for of_location in sets {
        let mut parts = Vec::new();
        for (left, clauses) in of_location.iter() {
            let mut open: Vec<u32> = clauses.iter().map(&mut number).collect();
            open.sort_unstable();
            open.dedup();
            parts.push((rank(*left, marks), open));
        }
        roots.push(parts);
    }
    let store = Store::new(levels.len() as u32);
    let known = vec![FxHashMap::default(); levels.len()];
    let mut making = Making { clauses, levels, known, kept: 0, store, budget };
    let mut found = Vec::new();
    for (location, mut parts) in roots.into_iter().enumerate() {
        // An empty clause is true nowhere.
        parts.retain(|(_, open)| open.iter().all(|&clause| !making.clauses[clause as usize].is_empty()));
        if !parts.is_empty() {
            found.push((location, 0, making.node(0, parts)?));
        }
    }
    found.retain(|set| set.2 != EMPTY);
    let levels = making.levels.iter().map(|level| level.variable).collect();
    Ok(Some((vec![Claim { formula, evidence: Evidence::All(found) }], levels, making.store)))
}

/// The rank of a state from which so many marks may still come, in turn: in its class the mark that is waited for is left out.
fn rank(left: u32, marks: usize) -> u32 {
    match marks as u32 {
        0 => left,
        marks => left / marks * (marks + 1) + left % marks,
    }
}

/// A variable, how many values it has, and the checker's number for the first.
struct Level {
    variable: usize,
    values: u64,
    offset: u64,
}

/// A set of those clauses that are still open, with the rank of its states.
type Part = (u32, Vec<u32>);

/// A diagram of clauses.
struct Making<'a> {
    /// Literals by level.
    clauses: Vec<Vec<(usize, u32, bool)>>,
    levels: Vec<Level>,
    /// By level and open clauses: the node.
    known: Vec<FxHashMap<Vec<Part>, DiagramNode>>,
    /// Numbers of clauses in these.
    kept: usize,
    store: Store,
    budget: &'a Budget,
}

impl Making<'_> {
    /// Where, from a level on, each of the clauses of some part has a literal that is true; the first part counts.
    fn node(&mut self, level: usize, parts: Vec<Part>) -> Result<DiagramNode, Uncertified> {
        let Some(&Level { values, offset, .. }) = self.levels.get(level) else {
            return Ok(parts.first().map_or(EMPTY, |part| part.0 + 1));
        };
        if let Some(&known) = self.known[level].get(&parts) {
            return Ok(known);
        }
        self.budget.check()?;
        self.kept += parts.iter().map(|part| part.1.len() + 1).sum::<usize>();
        if self.store.nodes() > NODES || self.kept > KEPT {
            return Err(Exhausted::Work.into());
        }
        let mut pairs = Vec::new();
        for value in 0..values {
            let mut left: Vec<Part> = Vec::new();
            for (rank, open) in &parts {
                if left.last().is_some_and(|last| last.1.is_empty()) {
                    break;
                }
                left.extend(self.left(level, value, open).map(|open| (*rank, open)));
            }
            if !left.is_empty() {
                let child = self.node(level + 1, left)?;
                if child != EMPTY {
                    pairs.push((offset + value, child));
                }
            }
        }
        let node = self.store.node(level as u32, &pairs)?;
        self.known[level].insert(parts, node);
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
