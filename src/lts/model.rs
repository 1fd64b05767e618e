//! Nets and networks under one firing rule.
//!
//! What explores states one by one and what replays runs needs little of a model: an initial state, the steps that
//! are enabled, where they lead, and their labels. States are markings: of a network, the number of the local state
//! of each component. Steps are transitions, or of a network the numbers of its steps ([`Network::take`]); labels, as formulas
//! name them, are transitions, or of a network its labels.

use super::{LabelId, Network};
use crate::net::{Marking, PetriNet, TransitionId};
use std::borrow::Cow;

/// A Petri net or a network of transition systems.
#[derive(Clone, Copy, Debug)]
pub enum Model<'a> {
    /// A Petri net.
    Net(&'a PetriNet),
    /// A network.
    Network(&'a Network),
}

impl<'a> From<&'a PetriNet> for Model<'a> {
    fn from(net: &'a PetriNet) -> Self {
        Model::Net(net)
    }
}

impl<'a> From<&'a Network> for Model<'a> {
    fn from(network: &'a Network) -> Self {
        Model::Network(network)
    }
}

impl<'a> Model<'a> {
    /// Its name.
    pub fn name(self) -> &'a str {
        match self {
            Model::Net(net) => net.name(),
            Model::Network(network) => network.name(),
        }
    }

    /// Number of places or components.
    pub fn variables(self) -> usize {
        match self {
            Model::Net(net) => net.place_count(),
            Model::Network(network) => network.components().len(),
        }
    }

    /// Number of transitions or labels.
    pub fn labels(self) -> usize {
        match self {
            Model::Net(net) => net.transition_count(),
            Model::Network(network) => network.label_count(),
        }
    }

    /// The net that variable orders are made from: of a network, its skeleton.
    pub fn skeleton(self) -> Cow<'a, PetriNet> {
        match self {
            Model::Net(net) => Cow::Borrowed(net),
            Model::Network(network) => Cow::Owned(network.skeleton()),
        }
    }

    /// The initial state.
    pub fn initial(self) -> Marking {
        match self {
            Model::Net(net) => net.initial_marking(),
            Model::Network(network) => {
                Marking::new(network.components().iter().map(|component| u64::from(component.initial)).collect())
            }
        }
    }

    /// The state that a step leads to; `None` if there is no such step or it is not enabled.
    pub fn fire(self, state: &Marking, step: TransitionId) -> Option<Marking> {
        match self {
            Model::Net(net) => (step.index() < net.transition_count()).then(|| state.fire(net, step)).flatten(),
            Model::Network(network) => network.take(state.as_slice(), step.0).map(Marking::new),
        }
    }

    /// The label of a step.
    pub fn label(self, step: TransitionId) -> Option<TransitionId> {
        match self {
            Model::Net(net) => (step.index() < net.transition_count()).then_some(step),
            Model::Network(network) => network.label_of(step.0).map(|label| TransitionId(label.0)),
        }
    }

    /// Is a step with this label enabled?
    pub fn enables(self, state: &Marking, label: TransitionId) -> bool {
        match self {
            Model::Net(net) => label.index() < net.transition_count() && state.enables(net, label),
            Model::Network(network) => network.allows(state.as_slice(), LabelId(label.0)),
        }
    }

    /// Is no step enabled?
    pub fn is_deadlock(self, state: &Marking) -> bool {
        !(0..self.labels() as u32).any(|label| self.enables(state, TransitionId(label)))
    }

    /// The step with a label that leads from one state to another.
    pub fn step(self, from: &Marking, label: TransitionId, to: &Marking) -> Option<TransitionId> {
        match self {
            Model::Net(_) => (self.fire(from, label).as_ref() == Some(to)).then_some(label),
            Model::Network(network) => {
                network.step_between(from.as_slice(), LabelId(label.0), to.as_slice()).map(TransitionId)
            }
        }
    }

    /// Any step that leads from one state to another.
    pub fn step_between(self, from: &Marking, to: &Marking) -> Option<TransitionId> {
        (0..self.labels() as u32).find_map(|label| self.step(from, TransitionId(label), to))
    }
}
