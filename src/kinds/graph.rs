//! One transition system for a whole model: its reachable states and their steps.
//!
//! Breadth-first, with every state in memory, so for small models only; the limit is the caller's. Written on
//! [`TransitionSystem`] alone: the choices of an action in a state are numbered from 0 on without a gap.

use super::Size;
use super::network::{Component, NoGraph};
use crate::budget::Budget;
use crate::model::{ActionId, State, Step, TransitionSystem, VariableId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// States between two looks at the budget.
const CHECK_EVERY: usize = 256;

/// The reachable states of a model with all its steps, as one component; `label` names actions.
///
/// # Errors
/// [`NoGraph`] with more than `most` states, or at the end of the budget.
pub(super) fn graph<'m>(
    model: &'m dyn TransitionSystem,
    label: &dyn Fn(ActionId) -> &'m str,
    most: usize,
    budget: &Budget,
) -> Result<Component, NoGraph> {
    let mut states: IndexSet<State, FxBuildHasher> = IndexSet::default();
    states.insert(model.initial());
    let mut edges = Vec::new();
    let mut at = 0;
    while let Some(state) = states.get_index(at).cloned() {
        if at.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
        }
        for action in model.action_ids() {
            let next = |choice| model.fire(&state, Step { action, choice });
            for next in (0..u32::MAX).map_while(next) {
                let target = states.insert_full(next).0;
                edges.push((at as u32, label(action).to_owned(), target as u32));
            }
        }
        if states.len() > most.min(u32::MAX as usize) {
            return Err(NoGraph::TooLarge(most));
        }
        at += 1;
    }
    let states = states.iter().map(|state| name(model, state)).collect();
    Ok(Component { name: model.name().to_owned(), states, initial: 0, edges })
}

/// The sizes of a component that is written as one transition system.
pub(super) fn sizes(component: &Component) -> Vec<Size> {
    vec![Size::new("states", "state", component.states.len()), Size::new("edges", "edge", component.edges.len())]
}

/// A state in words: the names of values, and `variable=value` of those that have none and are not 0.
fn name(model: &dyn TransitionSystem, state: &State) -> String {
    let part = |(variable, &value): (VariableId, &u64)| match model.value(variable, value) {
        Some(name) => Some(name.into_owned()),
        None => (value > 0).then(|| format!("{}={value}", model.variable(variable))),
    };
    model.variable_ids().zip(state.as_slice()).filter_map(part).collect::<Vec<_>>().join(" ")
}
