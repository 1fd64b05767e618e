//! Explicit breadth-first search over a next-state function, for tests.

use std::collections::hash_map::Entry;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use super::next_state::{Batch, COPY, LabelRole, NextState, Successors};

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// States.
    pub(super) states: usize,
    /// Transitions, without initialisations.
    pub(super) transitions: usize,
    /// States without successors.
    pub(super) deadlocks: usize,
    /// Calls: distinct short states of groups.
    pub(super) calls: usize,
    /// Does a state violate the invariant? `None`: it has no value somewhere.
    pub(super) violated: Option<bool>,
    /// The error of the invariant.
    pub(super) invariant_error: String,
}

/// The successors of each short state that was asked for: actions and written values.
type Answers = FxHashMap<Box<[u32]>, Box<[(u32, Box<[u32]>)]>>;

/// Searches all states.
pub(super) fn explore(model: &dyn NextState, limit: Duration, invariant: bool) -> Result<Found, String> {
    let signature = model.signature();
    let start = Instant::now();
    let mut states: indexmap::IndexSet<Box<[u32]>, rustc_hash::FxBuildHasher> = Default::default();
    for state in &signature.initial {
        states.insert(state.clone().into());
    }
    let mut known: Vec<Answers> = vec![Default::default(); signature.groups.len()];
    let writes: Vec<Vec<usize>> = signature.groups.iter().map(|group| group.writes().collect()).collect();
    let mut labels: Vec<FxHashSet<Box<[u32]>>> = vec![Default::default(); signature.labels.len()];
    let mut found = Found { violated: Some(false), ..Found::default() };
    let mut successors = Successors::default();
    let mut at = 0;
    while at < states.len() {
        if at % 64 == 0 && start.elapsed() > limit {
            return Err(format!("timeout after {} states", states.len()));
        }
        let state: Box<[u32]> = states[at].clone();
        at += 1;
        let mut enabled = false;
        for (number, group) in signature.groups.iter().enumerate() {
            let short: Box<[u32]> = group.reads.iter().map(|slot| state[*slot]).collect();
            let answers = match known[number].entry(short) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    successors.clear();
                    let batch = Batch::new(entry.key(), group.reads.len(), 1);
                    model.next(number, &batch, &mut successors).map_err(|error| error.to_string())?;
                    found.calls += 1;
                    let list =
                        successors.iter().next().into_iter().flatten().map(|(action, values)| (action, values.into()));
                    entry.insert(list.collect())
                }
            };
            for (_, values) in answers.iter() {
                let mut next = state.clone();
                for (slot, value) in writes[number].iter().zip(values.iter()) {
                    if *value != COPY {
                        next[*slot] = *value;
                    }
                }
                found.transitions += 1;
                enabled = true;
                states.insert(next);
            }
        }
        found.deadlocks += usize::from(!enabled);
        if invariant {
            for (number, label) in signature.labels.iter().enumerate() {
                if label.role != LabelRole::Invariant {
                    continue;
                }
                let short: Box<[u32]> = label.reads.iter().map(|slot| state[*slot]).collect();
                if labels[number].contains(&short) {
                    continue;
                }
                match model.label(number, &short) {
                    Ok(true) => {}
                    Ok(false) => found.violated = found.violated.map(|_| true),
                    Err(error) => {
                        found.violated = None;
                        found.invariant_error = error.to_string();
                    }
                }
                labels[number].insert(short);
            }
        }
    }
    found.states = states.len();
    Ok(found)
}
