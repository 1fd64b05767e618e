//! Networks of labelled transition systems that synchronise on equal labels.
//!
//! A [`Network`] is a list of components, each a finite transition system with labelled edges. A label is
//! taken by *all* components that have it on some edge, each along one of its edges, while the others stay
//! where they are; a component in whose state no such edge starts blocks the label. Interleaving otherwise: one
//! label per step. (The parallel composition of CSP, Hoare 1985, over the alphabets of the components; the
//! parallel problems of the RERS challenge.)
//!
//! The symbolic engine has one variable per component and one event per label
//! (`relation`), the explicit one a field per component (`packed`); no Petri net is made of a network for them.

mod aut;
mod composition;
mod describe;
mod dot;
mod graph;
mod of_net;
mod packed;
#[cfg(test)]
mod packed_tests;
mod part;
mod pml;
pub(in crate::kinds) mod read;
mod relation;
mod steps;
mod system;
mod to_net;
mod write;
mod write_dot;

pub use crate::kinds::TextError as ReadError;
pub use aut::{read_aut, write_aut};
pub use composition::{Component, Network, NetworkError, Participant};
pub use dot::read_dot;
pub use graph::{NoGraph, graph_of_net, graph_of_network};

/// Index of a label in its network.
pub use crate::model::ActionId as LabelId;
pub use of_net::{NotANetwork, of_net};
pub use pml::read_pml;
pub use to_net::{NoNet, components_as_net, to_net, to_readable_net};
pub(in crate::kinds) use write::{write_component, write_graph};
pub use write_dot::write_dot;

use super::{Fact, Kind, Size, WriteError, Writing};
use crate::budget::Budget;
use crate::explicit::{Compiled, Encoding, Explicit};
use crate::formula::{Logic, PathSemantics};
use crate::model::VariableId;
use crate::net::PetriNet;
use crate::relation::{Relation, RelationError};
use crate::stop_reason::StopReason;
use packed::PackedNetwork;
use std::borrow::Cow;
use std::io::Write;

impl Kind for Network {
    fn relation_within(&self, order: &[VariableId], budget: &Budget) -> Result<Relation, RelationError> {
        relation::relation(self, order, budget)
    }

    fn compile<'m>(&'m self, _: &Encoding, budget: &Budget) -> Result<Box<dyn Explicit<'m> + 'm>, StopReason> {
        Ok(Box::new(Compiled::new(PackedNetwork::new(self, budget)?)))
    }

    fn interactions(&self) -> Cow<'_, PetriNet> {
        Cow::Owned(self.skeleton())
    }

    fn as_network(&self) -> Option<&Network> {
        Some(self)
    }

    fn sizes(&self) -> Vec<Size> {
        describe::sizes(self)
    }

    fn facts(&self, _: &Budget) -> Vec<Fact> {
        describe::facts(self)
    }

    /// The components side by side.
    fn picture(&self) -> Cow<'_, PetriNet> {
        components_as_net(self).map_or_else(|_| self.interactions(), Cow::Owned)
    }

    fn default_paths(&self, logic: Logic) -> PathSemantics {
        logic.default_paths_of_network()
    }

    fn form(&self) -> &'static str {
        "dot"
    }

    fn write(
        &self,
        form: &str,
        writing: &Writing,
        budget: &Budget,
        out: &mut dyn Write,
    ) -> Result<Vec<Size>, WriteError> {
        write::write(self, form, writing, budget, out)
    }
}
