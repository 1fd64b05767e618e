//! Automata put together from the automata of operands.
//!
//! The tableau of a conjunction has, in each state, one edge for each way of keeping all operands at once, and a
//! state for each set of what is left to keep: eight strong fairness conditions are 6561 edges out of the first
//! state. Operands that are translated and reduced one by one stay small, and of their product the pairs that are
//! reached are made and no others. A disjunction starts anew: its first state does what either first state does.
//!
//! Sets of a conjunction are those of both sides. In a disjunction a run stays on one side for ever, so that both
//! share their numbers, and the side with fewer sets has the missing ones on all edges.

use super::bdd::{Bdd, Bdds};
use super::graph::{Arc, Graph};
use super::{Marks, TranslationError};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The automaton of what both accept, with at most `limit` edges: their product from the first states on.
pub(super) fn conjunction(a: &Graph, b: &Graph, bdds: &mut Bdds, limit: usize) -> Result<Graph, TranslationError> {
    product(a, b, |_, _| false, bdds, limit)
}

/// The product of two automata from the first states on, with at most `limit` edges. Beside edges of `a` that let `b`
/// wait, given with the state that they leave, `b` is in its first state, and nothing is accepted.
pub(super) fn product(
    a: &Graph,
    b: &Graph,
    waits: impl Fn(usize, &Arc) -> bool,
    bdds: &mut Bdds,
    limit: usize,
) -> Result<Graph, TranslationError> {
    let sets = a.sets + b.sets;
    if sets > Marks::MAX {
        return Err(TranslationError::TooManySets(sets));
    }
    let shift = |marks: Marks| Marks(marks.0.checked_shl(a.sets).unwrap_or(0));
    let mut pairs: IndexSet<(usize, usize), FxBuildHasher> = IndexSet::default();
    pairs.insert((a.initial, b.initial));
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    let mut count = 0;
    while let Some(&(p, q)) = pairs.get_index(arcs.len()) {
        bdds.budget().check()?;
        let mut list = Vec::new();
        for x in &a.arcs[p] {
            if waits(p, x) {
                let target = pairs.insert_full((x.target, b.initial)).0;
                list.push(Arc { target, marks: Marks::NONE, label: x.label });
                continue;
            }
            for y in &b.arcs[q] {
                let label = bdds.and(x.label, y.label)?;
                if label != Bdd::FALSE {
                    let target = pairs.insert_full((x.target, y.target)).0;
                    list.push(Arc { target, marks: x.marks | shift(y.marks), label });
                }
            }
        }
        count += list.len();
        if count > limit {
            return Err(TranslationError::TooLarge { edges: limit });
        }
        arcs.push(list);
    }
    Ok(Graph { sets, initial: 0, arcs })
}

/// The automaton of what either accepts.
pub(super) fn disjunction(a: &Graph, b: &Graph) -> Graph {
    let sets = a.sets.max(b.sets);
    let mut arcs: Vec<Vec<Arc>> = vec![Vec::new()];
    for graph in [a, b] {
        let first = arcs.len();
        let missing = Marks(Marks::all(sets).0 & !graph.all().0);
        let moved = |arc: &Arc| Arc { target: arc.target + first, marks: arc.marks | missing, label: arc.label };
        arcs[0].extend(graph.arcs[graph.initial].iter().map(moved));
        arcs.extend(graph.arcs.iter().map(|list| list.iter().map(moved).collect()));
    }
    Graph { sets, initial: 0, arcs }
}

/// The automaton of what is accepted after any first letter.
pub(super) fn next(graph: &Graph) -> Graph {
    let mut arcs = graph.arcs.clone();
    arcs.push(vec![Arc { target: graph.initial, marks: Marks::NONE, label: Bdd::TRUE }]);
    Graph { sets: graph.sets, initial: graph.len(), arcs }
}
