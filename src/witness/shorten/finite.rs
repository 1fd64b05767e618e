//! Finite runs made short.
//!
//! A run that is over shows a formula as a whole, and what its beginning leaves to be shown the automaton knows that has found
//! it ([`FiniteRuns::automaton`]): where two beginnings lead to one marking and to the same locations, what may follow is
//! the same. So the pairs of a marking and a set of locations are searched breadth-first, by the firing rule; the first run
//! that is over and shows the formula, by the definition of its operators, is a shortest one. That none is shorter rests on
//! the automaton, too.

use super::super::accepted::{Letters, after, is_over};
use super::super::finite::explain_finite;
use super::super::{FiniteRuns, Witness};
use super::graph::Work;
use super::{Effort, MEMORY, SOME};
use crate::automaton::Location;
use crate::budget::Budget;
use crate::model::{Path, State, Step, Then};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

/// A marking, and where the automaton can be before it is read.
type Pair = (State, BTreeSet<Location>);

/// The witness with a shorter run, if there is one.
pub fn shorten_finite(about: FiniteRuns<'_>, mut witness: Witness, effort: Effort, budget: &Budget) -> Witness {
    let limit = budget.memory().unwrap_or(u64::MAX);
    let (amount, bytes) = match effort {
        Effort::Some => (SOME, limit.min(MEMORY)),
        Effort::Proof => (u64::MAX, limit),
    };
    let [run] = &witness.runs[..] else { return witness };
    let starts_there = run.positions.first().is_some_and(|first| first.marking == about.model.initial());
    if !starts_there {
        return witness;
    }
    let steps = run.fired.len();
    let (least, path) = sought(about, steps, &mut Work::new(amount, bytes, budget)).unwrap_or((0, None));
    let shorter = path.and_then(|path| explain_finite(about, &path).ok().flatten());
    if let Some(shorter) = shorter.filter(|shorter| shorter.runs.iter().all(|run| run.fired.len() < steps)) {
        witness = shorter;
    }
    if let [run] = &mut witness.runs[..] {
        run.least = least;
    }
    witness
}

/// A run with less than so many steps, and how many steps each has at least.
fn sought(about: FiniteRuns<'_>, most: usize, work: &mut Work<'_>) -> Option<(usize, Option<Path>)> {
    let FiniteRuns { model, pool, automaton, .. } = about;
    let letters = Letters::new(model, pool, automaton)?;
    let (automaton, _) = automaton;
    let bytes = 64 + 8 * (model.variables() + automaton.location_count()) as u64;
    let mut pairs: IndexMap<Pair, Option<(usize, Step)>, FxBuildHasher> = IndexMap::default();
    pairs.insert((model.initial(), BTreeSet::from([automaton.initial()])), None);
    // The first pair of each number of steps, and the pairs that are looked at.
    let (mut steps, mut end_of_level, mut at) = (0, 1, 0);
    while let Some(((state, here), _)) = pairs.get_index(at) {
        if at == end_of_level {
            (steps, end_of_level) = (steps + 1, pairs.len());
        }
        if steps >= most {
            break;
        }
        if pairs.len() as u64 * bytes > work.bytes || !work.spend(1 + model.actions() as u64) {
            return Some((steps, None));
        }
        let (state, here) = (state.clone(), here.clone());
        let values = letters.values(&state);
        let after = |step: Option<&Step>| Some(after(automaton, &here, &letters.read(&values, step)?));
        if is_over(automaton, &after(None)?) {
            let (mut prefix, mut number) = (Vec::new(), at);
            while let Some((_, Some((before, step)))) = pairs.get_index(number) {
                prefix.push(*step);
                number = *before;
            }
            prefix.reverse();
            return Some((steps, Some(Path { prefix, then: Then::Open })));
        }
        for action in model.action_ids() {
            for step in (0..u32::MAX).map(|choice| Step { action, choice }) {
                let Some(next) = model.fire(&state, step) else { break };
                let locations = after(Some(&step))?;
                if !locations.is_empty() {
                    pairs.entry((next, locations)).or_insert(Some((at, step)));
                }
            }
        }
        at += 1;
    }
    Some((most, None))
}
