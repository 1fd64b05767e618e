//! A network in the forms of files that suit it.

use super::{Network, describe, graph_of_network, to_net, write_component, write_dot};
use crate::budget::Budget;
use crate::kinds::{Kind as _, Size, WriteError, Writing};
use crate::model::TransitionSystem as _;
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
