//! Constructions for suspendable formulas: those whose truth no finite prefix changes.
//!
//! *G F of a guarantee.* Let `D` be a weak deterministic automaton for `F g`, `g` a guarantee: it accepts by
//! reaching one accepting state that it never leaves. For `G F g`, start over each time: edges into that state
//! lead to the initial state instead, and only they are marked. Occurrences of `g` that began before are
//! forgotten; infinitely many begin after. The result is deterministic and complete. (Esparza, Křetínský &
//! Sickert 2018; as used by Spot.)
//!
//! *Suspension* (Babiak, Badie, Duret-Lutz, Křetínský & Strejček 2013). In `φ ∧ ψ` with `ψ` suspendable the
//! automaton of `ψ` need not run before that of `φ` has reached a component in which it may accept: outside
//! accepting components it waits in its initial state, and it starts anew on entering one. The product has a
//! copy of it for each accepting component only.

use super::bdd::{Bdd, Bdds};
use super::composition::product;
use super::graph::{Arc, Graph};
use super::{Marks, TranslationError};

/// The automaton of `G F g` from a deterministic automaton of the guarantee `F g`, cleaned; `None` when that
/// is not of the expected form.
pub(super) fn infinitely_often(eventually: &Graph) -> Option<Graph> {
    let mut graph = eventually.clone();
    let full: Vec<usize> = (0..graph.len())
        .filter(
            |&v| matches!(graph.arcs[v][..], [a] if a.target == v && a.label == Bdd::TRUE && a.marks == graph.all()),
        )
        .collect();
    let &[goal] = &full[..] else { return None };
    if goal == graph.initial {
        return None;
    }
    graph.sets = 1;
    for arc in graph.arcs.iter_mut().flatten() {
        arc.marks = Marks::NONE;
        if arc.target == goal {
            *arc = Arc { target: graph.initial, marks: Marks::all(1), label: arc.label };
        }
    }
    Some(graph)
}

/// The conjunction of `graph` and of the suspendable `suspended`, with at most `limit` edges.
pub(super) fn conjunction(
    graph: &Graph,
    suspended: &Graph,
    bdds: &mut Bdds,
    limit: usize,
) -> Result<Graph, TranslationError> {
    let found = graph.components();
    let mut seen: Vec<Option<Marks>> = vec![None; found.count];
    for (v, list) in graph.arcs.iter().enumerate() {
        for arc in list.iter().filter(|a| found.of[a.target] == found.of[v]) {
            *seen[found.of[v] as usize].get_or_insert(Marks::NONE) |= arc.marks;
        }
    }
    let accepts = |v: usize| seen[found.of[v] as usize] == Some(graph.all());
    let waits = |v: usize, arc: &Arc| !accepts(v) || found.of[arc.target] != found.of[v];
    product(graph, suspended, waits, bdds, limit)
}
