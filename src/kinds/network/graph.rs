//! One transition system for a whole model: its reachable states and their steps.
//!
//! Breadth-first, with every state in memory, so for small models only; the limit is the caller's. Written on
//! [`TransitionSystem`] alone: the choices of an action in a state are numbered from 0 on without a gap.

use super::composition::INTERNAL;
use super::{Component, Network};
use crate::budget::{Budget, Exhausted};
use crate::formula::Naming;
use crate::model::{ActionId, State, Step, TransitionSystem, VariableId};
use crate::net::{PetriNet, Transition};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// States between two looks at the budget.
const CHECK_EVERY: usize = 256;

/// Why there is no graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoGraph {
    /// Too many states.
    #[error("the model has more than {0} reachable states; raise --most or write it in another form")]
    TooLarge(usize),
    /// One transition system has one initial state.
    #[error("the model has {0} initial states, and a transition system that is written has one")]
    Initial(usize),
    /// Nor of those that are not all listed.
    #[error("the model has more than {0} initial states, and a transition system that is written has one")]
    ManyInitial(usize),
    /// The budget was used up.
    #[error(transparent)]
    Budget(#[from] Exhausted),
}

/// The reachable states of a network with all its steps, as one component. States are named by those of the
/// components. What is internal to a component is internal to the whole, `i`, as other tools read it.
///
/// # Errors
/// [`NoGraph`] with more than `most` states, or at the end of the budget.
pub fn graph_of_network(network: &Network, most: usize, budget: &Budget) -> Result<Component, NoGraph> {
    let label = |label| if network.is_internal(label) { INTERNAL } else { network.label(label) };
    let mut whole = graph(network, &label, most, budget)?;
    // Steps of several components may be one now.
    let mut seen: FxHashSet<(u32, String, u32)> = FxHashSet::default();
    whole.edges.retain(|edge| edge.1 != INTERNAL || seen.insert(edge.clone()));
    Ok(whole)
}

/// The reachable markings of a net with all firings, as one component. `labels` says what labels are.
///
/// # Errors
/// As [`graph_of_network`].
pub fn graph_of_net(net: &PetriNet, labels: Naming, most: usize, budget: &Budget) -> Result<Component, NoGraph> {
    graph(net, &|transition| label(net.transition(transition), labels), most, budget)
}

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
    let initial = model.initial_states().len();
    if initial > 1 {
        return Err(NoGraph::Initial(initial));
    }
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

/// The label of a transition.
fn label(transition: &Transition, labels: Naming) -> &str {
    let name = transition.name.as_ref().filter(|_| labels != Naming::Id);
    name.unwrap_or(&transition.id)
}

/// A state in words: the names of values, and `variable=value` of those that have none and are not 0.
fn name(model: &dyn TransitionSystem, state: &State) -> String {
    let part = |(variable, &value): (VariableId, &u64)| match model.value(variable, value) {
        Some(name) => Some(name.into_owned()),
        None => (value > 0).then(|| format!("{}={value}", model.variable(variable))),
    };
    model.variable_ids().zip(state.as_slice()).filter_map(part).collect::<Vec<_>>().join(" ")
}
