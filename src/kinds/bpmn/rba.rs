//! Diagrams as rust_bpmn_analyzer reads them: what it refuses, and what it takes elements for.
//!
//! It reads by the names of tags, and tells an empty one (`<a/>`) from two tags with nothing between them. A
//! sub-process is a task; its nodes are nodes of the process as well, which nothing but their own start events starts. An
//! event is about what the last of its definitions says that is an empty tag; a definition with something in it is not
//! seen. Refused is what it does not read, and what the net of such a diagram does not represent.

use super::diagram::{Container, Diagram, MessageEnd, NodeId, Sort, Trigger};
use super::problem::Problem;
use super::read::{Elements, RawNode};

/// Tags of nodes that are seen if they are empty.
const EMPTY: [&str; 9] = [
    "task",
    "sendTask",
    "serviceTask",
    "userTask",
    "manualTask",
    "businessRuleTask",
    "scriptTask",
    "receiveTask",
    "eventBasedGateway",
];

/// The diagram as it is read there.
pub(super) fn diagram(elements: &Elements, mut diagram: Diagram) -> Result<Diagram, Problem> {
    let refuse = |line: u64, what: String| Err(Problem::new(line, format!("like rba: {what}")));
    if diagram.dropped > 0 {
        return refuse(1, "there is a sequence flow without an end, which it does not read".to_owned());
    }
    if diagram.messages.len() < elements.messages.len() {
        return refuse(1, "there is a message flow without an end, which it does not read".to_owned());
    }
    if !elements.definitions.is_empty() {
        return refuse(
            1,
            "there is an event definition outside of events, which it takes for that of an event".to_owned(),
        );
    }
    for number in 0..diagram.nodes.len() {
        let raw = &elements.nodes[number];
        if let Some(what) = refused(raw, &diagram, number) {
            return refuse(raw.line, format!("`{}` {what}", raw.id));
        }
        let triggers = match about(raw) {
            Ok(trigger) => trigger.into_iter().collect(),
            Err(()) => return refuse(raw.line, format!("`{}` is an event of a sort that is not supported", raw.id)),
        };
        let node = &mut diagram.nodes[number];
        node.triggers = triggers;
        let is_link = matches!(node.triggers[..], [Trigger::Link(_)]);
        match node.sort {
            Sort::Throw if is_link && !node.outgoing.is_empty() => {
                return refuse(raw.line, format!("link `{}` has an outgoing flow", raw.id));
            }
            // What a throw event is about is not looked at but for links, nor that of an end event but for this one.
            Sort::Throw if !is_link => node.triggers.clear(),
            Sort::End if node.triggers != [Trigger::Terminate] => node.triggers.clear(),
            _ => {}
        }
    }
    let is_gateway =
        |end: &MessageEnd| matches!(end, MessageEnd::Node(node) if diagram.nodes[*node].sort == Sort::EventBased);
    if let Some(message) = diagram.messages.iter().find(|message| is_gateway(&message.target)) {
        return refuse(1, format!("message flow `{}` leads into an event-based gateway", message.id));
    }
    flatten(&mut diagram);
    let sends = |node: NodeId| {
        let node = &diagram.nodes[node];
        match node.sort {
            Sort::Task | Sort::ReceiveTask => true,
            Sort::Throw | Sort::End | Sort::Catch => node.triggers.is_empty(),
            _ => false,
        }
    };
    let sent: Vec<_> = diagram
        .messages
        .iter()
        .filter(|message| matches!(message.source, MessageEnd::Node(from) if sends(from)))
        .cloned()
        .collect();
    diagram.messages = sent;
    Ok(diagram)
}

/// What is wrong with a node.
fn refused(raw: &RawNode, diagram: &Diagram, number: NodeId) -> Option<&'static str> {
    let node = &diagram.nodes[number];
    let has_flows = !node.incoming.is_empty() || !node.outgoing.is_empty();
    match raw.element.as_str() {
        "callActivity" => Some("is a call activity, which is not supported"),
        "inclusiveGateway" => Some("is an inclusive gateway, which is not supported"),
        "transaction" | "implicitThrowEvent" => Some("is an element that it does not know"),
        "boundaryEvent" => Some("is a boundary event, which it does not read"),
        _ if raw.sort == Sort::EventSub => Some("is an event sub-process, which is not supported"),
        _ if node.left_out || raw.compensates => Some("is about compensation, which it does not know"),
        _ if !raw.defined.is_empty() => Some("has an event definition elsewhere, which it does not look for"),
        element if raw.is_empty && !EMPTY.contains(&element) && (has_flows || raw.sort == Sort::Sub) => {
            Some("is an empty tag, which it does not see")
        }
        _ => None,
    }
}

/// What an event is about; an error if that is not supported.
fn about(raw: &RawNode) -> Result<Option<Trigger>, ()> {
    let mut about = Ok(None);
    for (trigger, is_empty) in raw.triggers.iter().zip(&raw.empty_triggers) {
        if !is_empty {
            continue;
        }
        match trigger {
            Trigger::Message | Trigger::Terminate | Trigger::Link(_) => about = Ok(Some(trigger.clone())),
            Trigger::Conditional | Trigger::Cancel => {}
            Trigger::Timer(_)
            | Trigger::Signal(_)
            | Trigger::Error(_)
            | Trigger::Escalation(_)
            | Trigger::Compensation => about = Err(()),
        }
    }
    about
}

/// Sub-processes become tasks, and what is in them lies in the pool around them.
fn flatten(diagram: &mut Diagram) {
    for number in 0..diagram.nodes.len() {
        let pool = diagram.pool_of(diagram.nodes[number].container);
        if let Container::Sub(_) = diagram.nodes[number].container {
            diagram.pools[pool].children.push(number);
        }
    }
    for number in 0..diagram.nodes.len() {
        let pool = diagram.pool_of(diagram.nodes[number].container);
        let node = &mut diagram.nodes[number];
        if node.sort == Sort::Sub {
            node.sort = Sort::Task;
        }
        node.children.clear();
        node.container = Container::Pool(pool);
    }
}
