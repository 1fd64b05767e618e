//! A network in the forms of files that suit it.

use super::graph::graph;
use super::{Component, Network, describe, graph_of_network, to_net, write_aut, write_dot};
use crate::budget::Budget;
use crate::kinds::{Kind as _, Size, WriteError, Writing};
use crate::model::TransitionSystem;
use std::io::Write;

/// As DOT, as the net of the network, as its only component or the graph of its states.
pub(super) fn write(
    network: &Network,
    form: &str,
    writing: &Writing,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<Vec<Size>, WriteError> {
    match (form, network.components()) {
        ("dot", _) => {
            write_dot(network, out)?;
            Ok(describe::sizes(network))
        }
        ("pnml", _) => to_net(network)?.write(form, writing, budget, out),
        ("aut", [only]) => write_component(only, out),
        ("aut", _) => write_component(&graph_of_network(network, writing.most, budget)?, out),
        _ => {
            let forms = &["dot", "pnml", "aut"];
            Err(WriteError::Form { model: network.terms().model, form: form.to_owned(), forms })
        }
    }
}

/// Write the graph of a model as one transition system in the form of Aldebaran, labelled by its actions: its sizes.
///
/// # Errors
/// [`WriteError`] when the graph is too large, at the end of the budget, or when the file cannot be written.
pub(in crate::kinds) fn write_graph(
    model: &dyn TransitionSystem,
    writing: &Writing,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<Vec<Size>, WriteError> {
    write_component(&graph(model, &|action| model.action(action), writing.most, budget)?, out)
}

/// Write a component as one transition system in the form of Aldebaran: its sizes.
///
/// # Errors
/// [`WriteError::Io`].
pub(in crate::kinds) fn write_component(component: &Component, out: &mut dyn Write) -> Result<Vec<Size>, WriteError> {
    write_aut(component, out)?;
    Ok(vec![Size::new("states", "state", component.states.len()), Size::new("edges", "edge", component.edges.len())])
}
