//! Facts about a network without exploration.

use super::Network;
use crate::kinds::{Fact, Size, in_words};
use serde_json::{Value, json};

/// Components, local states, edges, labels.
pub(super) fn sizes(network: &Network) -> Vec<Size> {
    let participants = network.label_ids().flat_map(|label| network.participants(label));
    let states = network.components().iter().map(|component| component.states.len()).sum();
    vec![
        Size::new("components", "component", network.components().len()),
        Size::new("states", "local state", states),
        Size::new("edges", "edge", participants.map(|participant| participant.edges.len()).sum()),
        Size::new("labels", "label", network.label_count()),
        Size::new("shared_labels", "shared label", network.shared_label_count()),
    ]
}

/// The size of each component.
pub(super) fn facts(network: &Network) -> Vec<Fact> {
    let sizes = |component: &super::Component| {
        [Size::new("states", "state", component.states.len()), Size::new("edges", "edge", component.edges.len())]
    };
    let line = |component: &super::Component| (component.name.clone(), in_words(&sizes(component)));
    let value = |component: &super::Component| {
        let (states, edges) = (component.states.len(), component.edges.len());
        json!({ "name": component.name, "states": states, "edges": edges })
    };
    let components = network.components();
    let value = Value::Array(components.iter().map(value).collect());
    vec![Fact { key: "components", value, lines: components.iter().map(line).collect() }]
}
