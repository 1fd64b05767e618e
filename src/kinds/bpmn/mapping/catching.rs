//! Who catches what an event throws.

use super::super::diagram::{Container, Diagram, NodeId, Trigger};

/// The event, on the border of the innermost sub-process around a node, that catches what this throws.
pub(super) fn caught_by(diagram: &Diagram, node: NodeId, thrown: &Trigger) -> Option<NodeId> {
    let fits = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
    let catches = |trigger: &Trigger| match (thrown, trigger) {
        (Trigger::Error(a), Trigger::Error(b)) | (Trigger::Escalation(a), Trigger::Escalation(b)) => fits(a, b),
        (Trigger::Cancel, Trigger::Cancel) => true,
        _ => false,
    };
    let mut container = diagram.nodes[node].container;
    while let Container::Sub(around) = container {
        let found = diagram.boundaries(around).find(|&event| diagram.nodes[event].triggers.iter().any(catches));
        if found.is_some() {
            return found;
        }
        container = diagram.nodes[around].container;
    }
    None
}
