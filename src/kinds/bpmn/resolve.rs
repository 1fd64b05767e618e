//! From the elements of a file to a diagram: references find what they mean, what has no meaning is refused, and what
//! is odd is read and warned of.

use super::diagram::{
    Container, Diagram, FlowId, MessageEnd, MessageFlow, Node, NodeId, Pool, PoolId, SequenceFlow, Sort, Trigger,
};
use super::problem::Problem;
use super::read::{Elements, Home, RawFlow, RawNode};
use rustc_hash::{FxHashMap, FxHashSet};

/// A name in a reference without its prefix: references are qualified names.
fn bare(reference: &str) -> &str {
    reference.rsplit(':').next().unwrap_or(reference)
}

/// What a reference finds: by the whole of it, or without its prefix.
fn find<T: Copy>(map: &FxHashMap<&str, T>, reference: &str) -> Option<T> {
    map.get(reference).or_else(|| map.get(bare(reference))).copied()
}

/// The diagram of a file.
pub(super) fn diagram(elements: &Elements) -> Result<Diagram, Problem> {
    if let (true, Some((line, what))) = (elements.nodes.is_empty(), &elements.other_diagram) {
        return Err(Problem::new(*line, format!("there is a {what} and no process; give a diagram with a process")));
    }
    let mut diagram = Diagram::default();
    let (pool_of, ends) = pools(elements, &mut diagram);
    let ids = ids(&elements.nodes);
    nodes(elements, &pool_of, &ids, &mut diagram)?;
    flows(elements, &ids, &mut diagram)?;
    messages(elements, &ids, &ends, &mut diagram);
    links(&diagram)?;
    warn(&mut diagram);
    Ok(diagram)
}

/// The first node with each identifier.
fn ids(nodes: &[RawNode]) -> FxHashMap<&str, NodeId> {
    let mut ids = FxHashMap::default();
    for (number, node) in nodes.iter().enumerate() {
        ids.entry(node.id.as_str()).or_insert(number);
    }
    ids
}

/// Pools: processes with nodes. By process, its pool; by identifier of a participant or a process, the end of a message
/// that flows to it.
fn pools<'e>(elements: &'e Elements, diagram: &mut Diagram) -> (Vec<Option<PoolId>>, FxHashMap<&'e str, MessageEnd>) {
    let with_nodes: FxHashSet<usize> = elements
        .nodes
        .iter()
        .filter_map(|node| match node.home {
            Home::Process(process) => Some(process),
            Home::Node(_) => None,
        })
        .collect();
    let mut pool_of = vec![None; elements.processes.len()];
    let (mut ends, mut processes) = (FxHashMap::default(), FxHashMap::default());
    for (number, process) in elements.processes.iter().enumerate() {
        let end = match with_nodes.contains(&number) {
            true => {
                let (id, name) = (process.id.clone(), process.name.clone());
                diagram.pools.push(Pool { id, name, children: Vec::new() });
                pool_of[number] = Some(diagram.pools.len() - 1);
                MessageEnd::Border(diagram.pools.len() - 1)
            }
            false => MessageEnd::BlackBox,
        };
        ends.entry(process.id.as_str()).or_insert(end);
        processes.entry(process.id.as_str()).or_insert(number);
    }
    let mut taken = FxHashSet::default();
    for participant in &elements.participants {
        let process = participant.process.as_deref().and_then(|process| find(&processes, process));
        let pool = process.and_then(|process: usize| pool_of[process]);
        let end = pool.map_or(MessageEnd::BlackBox, MessageEnd::Border);
        ends.insert(participant.id.as_str(), end);
        let Some(pool) = pool else { continue };
        if !taken.insert(pool) {
            let (id, pool) = (&participant.id, &diagram.pools[pool]);
            let message = format!("pool `{id}` has the process of another one, `{}`; it runs once", pool.id);
            diagram.warnings.push(Problem::new(participant.line, message));
        } else if !participant.name.is_empty() {
            diagram.pools[pool].name.clone_from(&participant.name);
        }
    }
    (pool_of, ends)
}

fn nodes(
    elements: &Elements,
    pool_of: &[Option<PoolId>],
    ids: &FxHashMap<&str, NodeId>,
    diagram: &mut Diagram,
) -> Result<(), Problem> {
    let definitions: FxHashMap<&str, &Trigger> =
        elements.definitions.iter().map(|(id, trigger)| (id.as_str(), trigger)).collect();
    let mut seen = FxHashSet::default();
    for (number, raw) in elements.nodes.iter().enumerate() {
        let container = match raw.home {
            Home::Process(process) => match pool_of[process] {
                Some(pool) => Container::Pool(pool),
                None => continue,
            },
            Home::Node(node) => Container::Sub(node),
        };
        let mut triggers = raw.triggers.clone();
        triggers.extend(raw.defined.iter().filter_map(|id| find(&definitions, id)).cloned());
        if raw.all_at_once && triggers.len() > 1 {
            let what = format!("event `{}` waits for several things at once; split it by a parallel gateway", raw.id);
            return Err(Problem::new(raw.line, what));
        }
        let compensates = triggers.contains(&Trigger::Compensation);
        if compensates && matches!(raw.sort, Sort::Throw | Sort::End) {
            let what = format!("event `{}` throws compensation, which is not supported; leave it out", raw.id);
            return Err(Problem::new(raw.line, what));
        }
        let left_out = raw.compensates || compensates && matches!(raw.sort, Sort::Boundary | Sort::Start);
        let host = raw.attached.as_deref().and_then(|host| find(ids, host));
        if raw.sort == Sort::Boundary && !host.is_some_and(|host| elements.nodes[host].sort.is_activity()) {
            let what = format!("boundary event `{}` is attached to no activity; attach it to one", raw.id);
            return Err(Problem::new(raw.line, what));
        }
        let mut id = raw.id.clone();
        if seen.contains(&id) {
            let message = format!("`{id}` is another node's identifier, too: flows that name it belong to one of them");
            diagram.warnings.push(Problem::new(raw.line, message));
        }
        while !seen.insert(id.clone()) {
            id.push('\'');
        }
        diagram.nodes.push(Node {
            id,
            name: raw.name.clone(),
            line: raw.line,
            sort: raw.sort,
            container,
            triggers,
            duration: raw.duration.clone(),
            interrupts: raw.interrupts,
            host: host.filter(|_| raw.sort == Sort::Boundary),
            default: None,
            repeats: raw.repeats,
            left_out,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            children: Vec::new(),
            events: Vec::new(),
        });
        match container {
            Container::Pool(pool) => diagram.pools[pool].children.push(number),
            Container::Sub(node) => diagram.nodes[node].children.push(number),
        }
        note(raw, diagram);
    }
    for number in 0..diagram.nodes.len() {
        if let Some(host) = diagram.nodes[number].host.filter(|_| !diagram.nodes[number].left_out) {
            diagram.nodes[host].events.push(number);
        }
    }
    Ok(())
}

/// Warns of what a node is taken for.
fn note(raw: &RawNode, diagram: &mut Diagram) {
    let mut warn = |message: String| diagram.warnings.push(Problem::new(raw.line, message));
    let id = &raw.id;
    if raw.element == "callActivity" {
        warn(format!("call activity `{id}` is a task: what it calls is not looked at"));
    }
    if raw.multiple && matches!(raw.sort, Sort::Sub | Sort::EventSub) {
        warn(format!("sub-process `{id}` of several instances runs once"));
    }
    let odd = |trigger: &Trigger| matches!(trigger, Trigger::Terminate | Trigger::Cancel);
    if raw.sort == Sort::Catch && raw.triggers.iter().any(odd) {
        warn(format!("event `{id}` catches what is no event (terminate or cancel): it may come at any time"));
    }
    if raw.triggers.iter().any(|trigger| matches!(trigger, Trigger::Timer(_))) {
        warn(format!("timer `{id}` may go off at any time"));
    }
    let typed = !raw.triggers.is_empty();
    if raw.sort == Sort::Start
        && typed
        && let Container::Sub(around) = diagram.nodes[diagram.nodes.len() - 1].container
        && diagram.nodes[around].sort == Sort::Sub
    {
        let message = format!("start event `{id}` of an embedded sub-process waits for something");
        diagram.warnings.push(Problem::new(raw.line, message));
    }
}

fn flows(elements: &Elements, ids: &FxHashMap<&str, NodeId>, diagram: &mut Diagram) -> Result<(), Problem> {
    let mut numbers: FxHashMap<&str, FlowId> = FxHashMap::default();
    for raw in &elements.flows {
        let ends = [&raw.source, &raw.target].map(|end| end.as_deref().and_then(|end| find(ids, end)));
        let [Some(source), Some(target)] = ends else {
            drop_flow(raw, "sequence flow", ends.map(|end| end.is_some()), diagram);
            diagram.dropped += 1;
            continue;
        };
        let (from, to) = (&diagram.nodes[source], &diagram.nodes[target]);
        if from.left_out || to.left_out {
            let message = format!("sequence flow `{}` is left out, as compensation is", raw.id);
            diagram.warnings.push(Problem::new(raw.line, message));
            continue;
        }
        let refused = if from.container != to.container {
            Some("crosses the border of a pool or a sub-process; use a message flow, or end it at the border")
        } else if to.sort == Sort::Start {
            Some("leads into a start event; end it at the node behind")
        } else if from.sort == Sort::End {
            Some("leads out of an end event; use an intermediate event")
        } else if to.sort == Sort::Boundary {
            Some("leads into a boundary event; end it at the activity")
        } else if from.sort == Sort::EventSub || to.sort == Sort::EventSub {
            Some("is one of an event sub-process, which has none")
        } else {
            None
        };
        if let Some(what) = refused {
            let (source, target) = (from.shown(), to.shown());
            let message = format!("sequence flow `{}` (“{source}” to “{target}”) {what}", raw.id);
            return Err(Problem::new(raw.line, message));
        }
        let number = diagram.flows.len();
        if *numbers.entry(raw.id.as_str()).or_insert(number) != number {
            let message =
                format!("`{}` is another sequence flow's identifier, too: as a default flow it means that one", raw.id);
            diagram.warnings.push(Problem::new(raw.line, message));
        }
        diagram.flows.push(SequenceFlow { id: raw.id.clone(), name: raw.name.clone(), source, target });
        diagram.nodes[source].outgoing.push(number);
        diagram.nodes[target].incoming.push(number);
    }
    for (number, raw) in elements.nodes.iter().enumerate() {
        let default = raw.default.as_deref().and_then(|flow| find(&numbers, flow));
        diagram.nodes[number].default = default.filter(|&flow: &usize| diagram.flows[flow].source == number);
    }
    Ok(())
}

fn drop_flow(raw: &RawFlow, what: &str, known: [bool; 2], diagram: &mut Diagram) {
    let end = if known[0] { "target" } else { "source" };
    let message = format!("{what} `{}` has no {end}, and is dropped", raw.id);
    diagram.warnings.push(Problem::new(raw.line, message));
}

fn messages(
    elements: &Elements,
    ids: &FxHashMap<&str, NodeId>,
    pools: &FxHashMap<&str, MessageEnd>,
    diagram: &mut Diagram,
) {
    for raw in &elements.messages {
        let find_end = |end: &Option<String>| {
            let end = end.as_deref()?;
            find(ids, end).map(MessageEnd::Node).or_else(|| find(pools, end))
        };
        let ends = [find_end(&raw.source), find_end(&raw.target)];
        let [Some(source), Some(target)] = ends else {
            drop_flow(raw, "message flow", ends.map(|end| end.is_some()), diagram);
            continue;
        };
        diagram.messages.push(MessageFlow { id: raw.id.clone(), name: raw.name.clone(), source, target });
    }
}

/// The catch event that a link leads to.
pub(super) fn link_target(diagram: &Diagram, from: NodeId) -> Option<NodeId> {
    fn link(node: &Node) -> Option<&str> {
        let name = node.triggers.iter().find_map(|trigger| match trigger {
            Trigger::Link(name) => Some(name.as_str()),
            _ => None,
        })?;
        Some(if name.is_empty() { &node.name } else { name })
    }
    let name = link(&diagram.nodes[from])?;
    let siblings = diagram.children(diagram.nodes[from].container).iter().copied();
    siblings
        .filter(|&node| diagram.nodes[node].sort == Sort::Catch)
        .find(|&node| link(&diagram.nodes[node]) == Some(name))
}

fn links(diagram: &Diagram) -> Result<(), Problem> {
    for (number, node) in diagram.nodes.iter().enumerate() {
        let is_link = node.triggers.iter().any(|trigger| matches!(trigger, Trigger::Link(_)));
        if is_link && matches!(node.sort, Sort::Throw | Sort::End) && link_target(diagram, number).is_none() {
            let what = format!("link `{}` (“{}”) has no target; add a catch event of its name", node.id, node.shown());
            return Err(Problem::new(node.line, what));
        }
    }
    Ok(())
}

/// Warns of what can be seen once all flows are there.
fn warn(diagram: &mut Diagram) {
    let mut warnings = Vec::new();
    let subs = (0..diagram.nodes.len()).filter(|&node| !diagram.nodes[node].children.is_empty()).map(Container::Sub);
    let containers: Vec<Container> = (0..diagram.pools.len()).map(Container::Pool).chain(subs).collect();
    for &container in &containers {
        let starts = !diagram.starts(container).is_empty();
        let children = diagram.children(container);
        let ends = children.iter().any(|&node| diagram.nodes[node].sort == Sort::End);
        for &child in children {
            let node = &diagram.nodes[child];
            let mut say = |what: &str| {
                warnings.push(Problem::new(node.line, format!("`{}` (“{}”) {what}", node.id, node.shown())));
            };
            if starts && diagram.begins(child) {
                say("has no incoming flow, and its container has a start event: it never begins");
            }
            let goes_on = !node.outgoing.is_empty()
                || node.left_out
                || node.triggers.iter().any(|trigger| matches!(trigger, Trigger::Link(_)))
                || matches!(node.sort, Sort::End | Sort::EventSub);
            if ends && !goes_on {
                say("has no outgoing flow, beside end events: what comes there ends");
            }
            if node.sort == Sort::EventBased {
                for &flow in &node.outgoing {
                    let target = &diagram.nodes[diagram.flows[flow].target];
                    if !matches!(target.sort, Sort::Catch | Sort::ReceiveTask) {
                        say("chooses by events, and a flow leads to none: it may be taken at any time");
                    }
                }
            }
        }
    }
    let runs = (0..diagram.pools.len())
        .map(Container::Pool)
        .any(|pool| !diagram.starts(pool).is_empty() || !diagram.beginners(pool).is_empty());
    if !runs {
        warnings.push(Problem::new(1, "nothing runs: no process has a node that begins"));
    }
    diagram.warnings.append(&mut warnings);
}
