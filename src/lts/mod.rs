//! Networks of labelled transition systems that synchronise on equal labels.
//!
//! A [`Network`] is a list of components, each a finite transition system with labelled edges. A label is
//! taken by *all* components that have it on some edge, each along one of its edges, while the others stay
//! where they are; a component in whose state no such edge starts blocks the label. Interleaving otherwise: one
//! label per step. (The parallel composition of CSP, Hoare 1985, over the alphabets of the components; the
//! parallel problems of the RERS challenge.)
//!
//! The symbolic engine has one variable per component and one event per label
//! ([`crate::relation::Relation::of_network`]); no Petri net is made of a network for it.

mod aut;
mod dot;
mod error;
mod graph;
mod model;
mod network;
mod of_net;
mod part;
mod pml;
mod steps;
mod to_net;
mod write_dot;

pub use aut::{read_aut, write_aut};
pub use dot::read_dot;
pub use error::ReadError;
pub use graph::{NoGraph, graph_of_net, graph_of_network};
pub use model::Model;
pub use network::{Component, LabelId, Network, NetworkError, Participant};
pub use of_net::{NotANetwork, of_net};
pub use pml::read_pml;
pub use to_net::{NoNet, components_as_net, to_net, to_readable_net};
pub use write_dot::write_dot;
