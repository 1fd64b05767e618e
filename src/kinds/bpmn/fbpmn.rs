//! Diagrams as fbpmn reads them: what it refuses, and what takes no part.
//!
//! It reads the processes of participants of a collaboration, and of events plain ones and those about messages, timers
//! and termination. What it does not know is no node, so that a flow to it has no end. Then diagrams must be *well
//! formed*; of its eighteen rules those about conditions of flows are not looked at here.

use super::diagram::{Container, Diagram, MessageEnd, NodeId, Sort, Trigger};
use super::problem::Problem;
use super::read::{Elements, RawNode};

/// Its name for what a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Sends,
    Receives,
    Timer,
    Other,
}

/// The diagram as it is read there.
pub(super) fn diagram(elements: &Elements, mut diagram: Diagram) -> Result<Diagram, Problem> {
    let refuse = |line: u64, what: &str| Err(Problem::new(line, format!("like fbpmn: {what}")));
    if elements.participants.is_empty() {
        return refuse(1, "there is no collaboration, of which it reads the processes");
    }
    if let Some(pool) = elements.participants.iter().find(|pool| pool.process.is_none()) {
        return refuse(pool.line, "there is a pool without a process, which it does not read");
    }
    if diagram.dropped > 0 || diagram.messages.len() < elements.messages.len() {
        return refuse(1, "there is a flow without an end, which it does not read");
    }
    leave_out(elements, &mut diagram);
    let known = |number: NodeId| is_known(&elements.nodes[number]);
    for (number, raw) in elements.nodes.iter().enumerate() {
        let node = &mut diagram.nodes[number];
        if node.left_out {
            continue;
        }
        if raw.sort == Sort::Boundary && !known(number) {
            return refuse(raw.line, &format!("`{}` is a boundary event of a sort that it does not know", raw.id));
        }
        if !raw.defined.is_empty() {
            return refuse(raw.line, &format!("`{}` has an event definition elsewhere, which it does not see", raw.id));
        }
        if known(number) {
            node.triggers = about(raw);
        } else if node.incoming.is_empty() && node.outgoing.is_empty() {
            node.left_out = true;
        } else {
            return refuse(raw.line, &format!("a flow has an end in `{}`, which it does not know", raw.id));
        }
    }
    let class: Vec<Class> = elements.nodes.iter().map(class).collect();
    match fault(&diagram, &class) {
        None => Ok(diagram),
        Some((node, what)) => {
            let line = node.map_or(1, |node| diagram.nodes[node].line);
            let which = node.map_or(String::new(), |node| format!("`{}` ", diagram.nodes[node].id));
            refuse(line, &format!("{which}{what}"))
        }
    }
}

/// Processes of no participant take no part.
fn leave_out(elements: &Elements, diagram: &mut Diagram) {
    let bare = |name: &str| name.rsplit(':').next().unwrap_or(name).to_owned();
    let used = |id: &str| {
        let mut named = elements.participants.iter().filter_map(|pool| pool.process.as_deref());
        named.any(|process| process == id || bare(process) == id)
    };
    let unused: Vec<bool> = diagram.pools.iter().map(|pool| !used(&pool.id)).collect();
    for number in 0..diagram.nodes.len() {
        if unused[diagram.pool_of(diagram.nodes[number].container)] {
            diagram.nodes[number].left_out = true;
        }
    }
}

/// Does it know a node?
fn is_known(raw: &RawNode) -> bool {
    let any = |known: &[&str]| known.contains(&raw.element.as_str());
    let has = |wanted: fn(&Trigger) -> bool| raw.triggers.iter().any(wanted);
    let is_message = || has(|trigger| matches!(trigger, Trigger::Message));
    let is_timer = || has(|trigger| matches!(trigger, Trigger::Timer(_)));
    match raw.sort {
        Sort::Throw => any(&["intermediateThrowEvent"]) && is_message(),
        Sort::Catch | Sort::Boundary => is_message() || is_timer(),
        Sort::Sub | Sort::EventSub => any(&["subProcess"]),
        Sort::Task | Sort::ReceiveTask => !any(&["callActivity"]),
        _ => true,
    }
}

/// What it takes an event to be about: messages before timers and termination, and nothing else.
fn about(raw: &RawNode) -> Vec<Trigger> {
    let is_end = raw.sort == Sort::End;
    let first = |wanted: &dyn Fn(&Trigger) -> bool| raw.triggers.iter().find(|trigger| wanted(trigger)).cloned();
    let other = |trigger: &Trigger| match trigger {
        Trigger::Timer(_) => !is_end,
        Trigger::Terminate => is_end,
        _ => false,
    };
    first(&|trigger| *trigger == Trigger::Message).or_else(|| first(&other)).into_iter().collect()
}

fn class(raw: &RawNode) -> Class {
    let is_message = raw.triggers.contains(&Trigger::Message);
    match raw.sort {
        Sort::Task if raw.element == "sendTask" => Class::Sends,
        Sort::ReceiveTask => Class::Receives,
        Sort::Throw | Sort::End if is_message => Class::Sends,
        Sort::Start | Sort::Catch | Sort::Boundary if is_message => Class::Receives,
        Sort::Catch => Class::Timer,
        _ => Class::Other,
    }
}

/// What is not well formed: a node, and what is wrong with it.
fn fault(diagram: &Diagram, class: &[Class]) -> Option<(Option<NodeId>, &'static str)> {
    let is_there = |sort: Sort, container: Container| {
        let nodes = diagram.children(container).iter();
        nodes.filter(|&&node| diagram.nodes[node].sort == sort && !diagram.nodes[node].left_out).count()
    };
    for (number, pool) in diagram.pools.iter().enumerate() {
        let container = Container::Pool(number);
        let takes_part = pool.children.iter().any(|&node| !diagram.nodes[node].left_out);
        if takes_part && (is_there(Sort::Start, container) == 0 || is_there(Sort::End, container) == 0) {
            return Some((None, "a pool has no start event or no end event (its rule C5)"));
        }
    }
    let pool_of = |node: NodeId| diagram.pool_of(diagram.nodes[node].container);
    let (mut sends, mut receives) = (vec![false; class.len()], vec![false; class.len()]);
    for message in &diagram.messages {
        let (MessageEnd::Node(from), MessageEnd::Node(to)) = (message.source, message.target) else {
            return Some((None, "a message flow ends at the border of a pool (its rule C16)"));
        };
        if class[from] != Class::Sends || class[to] != Class::Receives {
            return Some((Some(from), "sends a message, or its receiver takes one, and is of another sort (C16)"));
        }
        if pool_of(from) == pool_of(to) {
            return Some((Some(from), "sends a message to its own pool (its rule C11)"));
        }
        (sends[from], receives[to]) = (true, true);
    }
    for (number, node) in diagram.nodes.iter().enumerate().filter(|(_, node)| !node.left_out) {
        let flows = node.incoming.iter().chain(&node.outgoing);
        let targets = || node.outgoing.iter().map(|&flow| diagram.flows[flow].target);
        let wait = |receiver: fn(Sort) -> bool| {
            targets()
                .all(|to| class[to] == Class::Timer || class[to] == Class::Receives && receiver(diagram.nodes[to].sort))
        };
        let what = if node.sort == Sort::Sub && is_there(Sort::Start, Container::Sub(number)) != 1 {
            "is a sub-process without exactly one start event (its rule C3)"
        } else if flows.count() == 0 && !sends[number] && !receives[number] {
            "has no flow (its rule C7)"
        } else if targets().any(|to| to == number) {
            "has a flow to itself (its rule C6)"
        } else if class[number] == Class::Sends && !sends[number] {
            "sends no message (its rule C18)"
        } else if class[number] == Class::Receives && !receives[number] {
            "waits for a message that nothing sends (its rule C17)"
        } else if node.sort == Sort::EventBased && node.outgoing.len() < 2 {
            "has fewer than two ways out (its rule C12)"
        } else if node.sort == Sort::EventBased
            && !wait(|sort| sort == Sort::ReceiveTask)
            && !wait(|sort| sort == Sort::Catch)
        {
            "chooses among other things than messages to tasks, or to events, and timers (its rule C14)"
        } else {
            continue;
        };
        return Some((Some(number), what));
    }
    None
}
