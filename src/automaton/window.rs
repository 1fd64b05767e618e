//! `G F g` where `g` looks a fixed number of letters ahead: a deterministic automaton that remembers what is pending.
//!
//! Each letter begins a new attempt at `g` and brings those of the last letters forward. What is left of an
//! attempt is a formula, in which `X` has been taken off the operands and literals have become constants; a state is
//! the set of such formulas, an attempt that fails leaves the set, and an edge is marked when one is fulfilled. So
//! infinitely many edges are marked iff `g` holds infinitely often. As long as `g` looks ahead, no state depends on
//! letters that are further back, and all states that are reached then accept the same words: the first letters are
//! skipped by starting in one of these. Bisimulation does the rest, so that `GF(b <-> XXa)` has one state for each
//! value of the last two `b`.
//!
//! Letters are listed one by one, so this is for a few propositions.

use super::bdd::{Bdd, Bdds, Product, Variable};
use super::graph::{Arc, Graph};
use super::ltl::{Formula, Formulas, Node};
use super::{Marks, Prop};
use crate::budget::Exhausted;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Most propositions, and most letters ahead.
const MAX_PROPOSITIONS: usize = 4;
const MAX_AHEAD: usize = 6;
/// Most states before bisimulation.
const MAX_STATES: usize = 256;

/// The automaton of `G F g`; `None` where `g` has an operator beside `X`, `&` and `|`, or is beyond the limits.
pub(super) fn infinitely_often(
    store: &mut Formulas,
    g: Formula,
    variables: &FxHashMap<u32, Variable>,
    bdds: &mut Bdds,
) -> Result<Option<Graph>, Exhausted> {
    let Some(ahead) = ahead(store, g) else { return Ok(None) };
    let mut props: Vec<Prop> = Vec::new();
    for f in store.subformulas(g) {
        if let Node::Literal(prop, _) = store.node(f) {
            props.push(*prop);
        }
    }
    props.sort_unstable();
    props.dedup();
    if ahead == 0 || ahead > MAX_AHEAD || props.len() > MAX_PROPOSITIONS {
        return Ok(None);
    }
    let mut states: IndexSet<Vec<Formula>, FxBuildHasher> = IndexSet::default();
    states.insert(Vec::new());
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    while let Some(pending) = states.get_index(arcs.len()).cloned() {
        if states.len() > MAX_STATES {
            return Ok(None);
        }
        let mut list = Vec::new();
        for letter in 0..1u32 << props.len() {
            let holds = |prop: Prop| props.iter().position(|&p| p == prop).is_some_and(|i| letter >> i & 1 == 1);
            let mut left: Vec<Formula> = Vec::new();
            for &attempt in pending.iter().chain([&g]) {
                left.push(rest(store, attempt, &holds));
            }
            let marks = if left.contains(&Formula::TRUE) { Marks::all(1) } else { Marks::NONE };
            left.retain(|&f| f != Formula::TRUE && f != Formula::FALSE);
            left.sort_unstable();
            left.dedup();
            let mut product: Product = props.iter().filter_map(|p| Some((*variables.get(&p.0)?, holds(*p)))).collect();
            product.sort_unstable();
            list.push(Arc { target: states.insert_full(left).0, marks, label: bdds.product(&product)? });
        }
        arcs.push(list);
    }
    let mut initial = 0;
    for _ in 0..ahead {
        initial = arcs[initial].first().map_or(initial, |arc: &Arc| arc.target);
    }
    debug_assert!(arcs.iter().flatten().all(|arc| arc.label != Bdd::FALSE));
    Ok(Some(Graph { sets: 1, initial, arcs }))
}

/// How many letters after the first a formula looks at; `None` where that has no bound. As deep as the formula.
fn ahead(store: &Formulas, f: Formula) -> Option<usize> {
    match store.node(f) {
        Node::True | Node::False | Node::Literal(..) => Some(0),
        Node::Next(a) => Some(1 + ahead(store, *a)?),
        Node::And(fs) | Node::Or(fs) => fs.iter().try_fold(0, |most: usize, &g| Some(most.max(ahead(store, g)?))),
        _ => None,
    }
}

/// The rest of a formula after a letter.
fn rest(store: &mut Formulas, f: Formula, holds: &impl Fn(Prop) -> bool) -> Formula {
    match store.node(f).clone() {
        Node::Literal(prop, positive) => {
            if holds(prop) == positive {
                Formula::TRUE
            } else {
                Formula::FALSE
            }
        }
        Node::Next(a) => a,
        Node::And(fs) => {
            let left: Vec<Formula> = fs.iter().map(|&g| rest(store, g, holds)).collect();
            store.and(left)
        }
        Node::Or(fs) => {
            let left: Vec<Formula> = fs.iter().map(|&g| rest(store, g, holds)).collect();
            store.or(left)
        }
        _ => f,
    }
}
