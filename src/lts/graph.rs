//! One transition system for a whole model: its reachable states and their steps.
//!
//! Breadth-first, with every state in memory, so for small models only; the limit is the caller's.

use super::{Component, LabelId, Network};
use crate::budget::{Budget, Exhausted};
use crate::formula::Naming;
use crate::net::{Marking, PetriNet};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;

/// Why there is no graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoGraph {
    /// Too many states.
    #[error("the model has more than {0} reachable states; raise --most or write it in another form")]
    TooLarge(usize),
    /// The budget was used up.
    #[error(transparent)]
    Budget(#[from] Exhausted),
}

/// States between two looks at the budget.
const CHECK_EVERY: usize = 256;

/// The reachable states of a network with all its steps, as one component. States are named by those of the
/// components.
///
/// # Errors
/// [`NoGraph`] with more than `most` states, or at the end of the budget.
pub fn graph_of_network(network: &Network, most: usize, budget: &Budget) -> Result<Component, NoGraph> {
    let initial: Vec<u32> = network.components().iter().map(|component| component.initial).collect();
    let (states, edges) = graph(initial, most, budget, |state, edges| {
        for label in network.label_ids() {
            let text = network.label(label);
            steps(network, label, state).for_each(|next| edges.push((text.to_owned(), next)));
        }
    })?;
    let name = |state: &Vec<u32>| {
        let locals = state.iter().zip(network.components());
        locals.map(|(&local, component)| component.states[local as usize].as_str()).collect::<Vec<_>>().join(" ")
    };
    let states = states.iter().map(name).collect();
    Ok(Component { name: network.name().to_owned(), states, initial: 0, edges })
}

/// The states one step with this label later.
fn steps<'a>(network: &'a Network, label: LabelId, state: &'a [u32]) -> impl Iterator<Item = Vec<u32>> + use<'a> {
    let mut next = vec![state.to_vec()];
    for participant in network.participants(label) {
        let component = participant.component;
        let targets = || participant.edges.iter().filter(|edge| edge.0 == state[component]).map(|edge| edge.1);
        let with = |before: &Vec<u32>, target: u32| {
            let mut after = before.clone();
            after[component] = target;
            after
        };
        next = next.iter().flat_map(|before| targets().map(|target| with(before, target))).collect();
    }
    next.into_iter()
}

/// The reachable markings of a net with all firings, as one component. `labels` says what labels are.
///
/// # Errors
/// As [`graph_of_network`].
pub fn graph_of_net(net: &PetriNet, labels: Naming, most: usize, budget: &Budget) -> Result<Component, NoGraph> {
    let (states, edges) = graph(net.initial_marking(), most, budget, |marking, edges| {
        for transition in net.transition_ids() {
            if let Some(next) = marking.fire(net, transition) {
                let transition = net.transition(transition);
                let name = transition.name.as_ref().filter(|_| labels != Naming::Id);
                edges.push((name.unwrap_or(&transition.id).clone(), next));
            }
        }
    })?;
    let name = |marking: &Marking| {
        let marked = net.places().iter().zip(marking.as_slice()).filter(|(_, tokens)| **tokens > 0);
        marked.map(|(place, tokens)| format!("{}={tokens}", place.id)).collect::<Vec<_>>().join(" ")
    };
    let states = states.iter().map(name).collect();
    Ok(Component { name: net.name().to_owned(), states, initial: 0, edges })
}

/// Edges between numbers of states.
type Edges = Vec<(u32, String, u32)>;

/// The states that can be reached, in the order of discovery, and their edges.
fn graph<S: Hash + Eq + Clone>(
    initial: S,
    most: usize,
    budget: &Budget,
    mut successors: impl FnMut(&S, &mut Vec<(String, S)>),
) -> Result<(IndexSet<S, FxBuildHasher>, Edges), NoGraph> {
    let mut states: IndexSet<S, FxBuildHasher> = IndexSet::default();
    states.insert(initial);
    let (mut edges, mut found) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(state) = states.get_index(at).cloned() {
        if at.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
        }
        successors(&state, &mut found);
        for (label, next) in found.drain(..) {
            let target = states.insert_full(next).0;
            edges.push((at as u32, label, target as u32));
        }
        if states.len() > most.min(u32::MAX as usize) {
            return Err(NoGraph::TooLarge(most));
        }
        at += 1;
    }
    Ok((states, edges))
}
