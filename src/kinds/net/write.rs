//! A net in the forms of files that suit it.
//!
//! DOT has two meanings: of a net whose units make it a network it holds this network, which is a model again; of any
//! other it holds the graph of places and transitions, a picture and no model.

use super::formats::{lola, tina};
use super::{describe, pnml};
use crate::budget::Budget;
use crate::formula::Symbols;
use crate::kinds::network::{graph_of_net, of_net, write_component};
use crate::kinds::{Kind as _, Size, WriteError, Writing};
use crate::model::TransitionSystem as _;
use crate::net::PetriNet;
use crate::picture::View;
use std::io::{self, Write};

/// As PNML, in the form of TINA or LoLA, as the network that its units are or the graph that it is, or as the graph of
/// its markings.
pub(super) fn write(
    net: &PetriNet,
    form: &str,
    writing: &Writing,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<Vec<Size>, WriteError> {
    match form {
        "pnml" => {
            pnml::write(net, out)?;
            Ok(describe::sizes(net))
        }
        "net" => {
            out.write_all(tina::write(net).as_bytes())?;
            Ok(describe::sizes(net))
        }
        "lola" => {
            out.write_all(lola::write(net).map_err(io::Error::other)?.as_bytes())?;
            Ok(describe::sizes(net))
        }
        "dot" => match of_net(net, writing.labels) {
            Ok(network) => network.write(form, writing, budget, out),
            Err(_) => {
                let symbols = Symbols::new(net).with_labels(writing.labels);
                out.write_all(View::new(net, usize::MAX).named(&symbols).dot().as_bytes())?;
                Ok([vec![Size::new("graphs", "graph of a net", 1)], describe::sizes(net)].concat())
            }
        },
        "aut" => write_component(&graph_of_net(net, writing.labels, writing.most, budget)?, out),
        _ => {
            let forms = &["pnml", "net", "lola", "dot", "aut"];
            Err(WriteError::Form { model: net.terms().model, form: form.to_owned(), forms })
        }
    }
}
