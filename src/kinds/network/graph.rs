//! One transition system for a whole network or net; [`crate::kinds::Kind::write`] writes it.

use super::{Component, Network};
use crate::budget::{Budget, Exhausted};
use crate::formula::Naming;
use crate::kinds::graph::graph;
use crate::net::{PetriNet, Transition};

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

/// The reachable states of a network with all its steps, as one component. States are named by those of the
/// components.
///
/// # Errors
/// [`NoGraph`] with more than `most` states, or at the end of the budget.
pub fn graph_of_network(network: &Network, most: usize, budget: &Budget) -> Result<Component, NoGraph> {
    graph(network, &|label| network.label(label), most, budget)
}

/// The reachable markings of a net with all firings, as one component. `labels` says what labels are.
///
/// # Errors
/// As [`graph_of_network`].
pub fn graph_of_net(net: &PetriNet, labels: Naming, most: usize, budget: &Budget) -> Result<Component, NoGraph> {
    graph(net, &|transition| label(net.transition(transition), labels), most, budget)
}

/// The label of a transition.
fn label(transition: &Transition, labels: Naming) -> &str {
    let name = transition.name.as_ref().filter(|_| labels != Naming::Id);
    name.unwrap_or(&transition.id)
}
