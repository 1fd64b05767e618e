//! The places of a net.

use super::super::diagram::{Container, Diagram, FlowId, MessageEnd, NodeId, PoolId, Repeats, Sort, Trigger};
use super::super::process_net::{Beyond, Meaning, Place, PlaceId, ProcessNet};
use super::environment::Environment;
use super::switches::{Ends, Kept, Starts, Switches};

/// Which place is what.
#[derive(Debug)]
pub(super) struct Places {
    /// By flow, but those from event-based gateways to something that waits.
    pub flows: Vec<Option<PlaceId>>,
    /// By message flow, where something sends and something receives.
    pub channels: Vec<Option<PlaceId>>,
    /// By pool: it has not started.
    pub start: Vec<Option<PlaceId>>,
    /// By pool: it is running, where event sub-processes want to know.
    pub pool_running: Vec<Option<PlaceId>>,
    /// By node: it is running.
    pub busy: Vec<Option<PlaceId>>,
    /// By node: it begins with its container.
    pub begun: Vec<Option<PlaceId>>,
    /// By node: an end event has been reached.
    pub end: Vec<Option<PlaceId>>,
    /// By node: a boundary event can still come, so often.
    pub once: Vec<Option<(PlaceId, u32)>>,
    /// By node: an event sub-process is running.
    pub running: Vec<Option<PlaceId>>,
    /// By node: a start event waits.
    pub waiting: Vec<Option<PlaceId>>,
    /// By node: the channels that it sends to.
    pub sends: Vec<Vec<PlaceId>>,
}

/// Does a node wait for something behind an event-based gateway?
pub(super) fn waits(diagram: &Diagram, node: NodeId) -> bool {
    match diagram.nodes[node].sort {
        Sort::Catch => true,
        // With events on its border it takes two steps.
        Sort::ReceiveTask => diagram.boundaries(node).next().is_none(),
        _ => false,
    }
}

/// Is a flow no place, as its event-based gateway and the event behind are one step?
pub(super) fn is_choice(diagram: &Diagram, flow: FlowId) -> bool {
    let flow = &diagram.flows[flow];
    diagram.nodes[flow.source].sort == Sort::EventBased && waits(diagram, flow.target)
}

/// Can a node send messages?
pub(super) fn can_send(diagram: &Diagram, node: NodeId) -> bool {
    let node = &diagram.nodes[node];
    !node.left_out && (node.sort.is_activity() || matches!(node.sort, Sort::Throw | Sort::End))
}

/// Can a node receive messages?
pub(super) fn can_receive(diagram: &Diagram, node: NodeId) -> bool {
    let node = &diagram.nodes[node];
    !node.left_out
        && match node.sort {
            Sort::ReceiveTask => true,
            Sort::Start | Sort::Catch | Sort::Boundary => node.triggers.contains(&Trigger::Message),
            _ => false,
        }
}

/// Where plain start events have happened at first: is it one?
fn has_happened(diagram: &Diagram, node: NodeId) -> bool {
    let node = &diagram.nodes[node];
    node.sort == Sort::Start && node.triggers.is_empty()
}

/// The same: does a pool run at first?
pub(super) fn runs_at_first(diagram: &Diagram, pool: PoolId) -> bool {
    let starts = diagram.starts(Container::Pool(pool));
    starts.into_iter().any(|start| has_happened(diagram, start) && !diagram.nodes[start].outgoing.is_empty())
}

/// Places while they are added.
struct Adding<'n> {
    net: &'n mut ProcessNet,
    switches: Switches,
}

impl Adding<'_> {
    fn add(&mut self, id: String, name: String, meaning: Meaning) -> PlaceId {
        let initial = u32::from(matches!(meaning, Meaning::Start(_)));
        let is_bounded = matches!(meaning, Meaning::End(_)) && self.switches.ends == Ends::UpToTwo;
        let most = is_bounded.then_some((2, Beyond::Lost));
        self.net.places.push(Place { id, name, meaning, initial, most });
        self.net.places.len() - 1
    }
}

impl Places {
    pub(super) fn new(
        diagram: &Diagram,
        environment: Environment,
        thrown_to: &[bool],
        signals: &[Option<String>],
        net: &mut ProcessNet,
    ) -> Self {
        let nodes = diagram.nodes.len();
        let mut places = Places {
            flows: vec![None; diagram.flows.len()],
            channels: vec![None; diagram.messages.len()],
            start: vec![None; diagram.pools.len()],
            pool_running: vec![None; diagram.pools.len()],
            busy: vec![None; nodes],
            begun: vec![None; nodes],
            end: vec![None; nodes],
            once: vec![None; nodes],
            running: vec![None; nodes],
            waiting: vec![None; nodes],
            sends: vec![Vec::new(); nodes],
        };
        let switches = environment.like.switches();
        let mut adding = Adding { net, switches };
        for (number, message) in diagram.messages.iter().enumerate() {
            let MessageEnd::Node(from) = message.source else { continue };
            let is_received = || {
                can_send(diagram, from) && matches!(message.target, MessageEnd::Node(to) if can_receive(diagram, to))
            };
            if switches.kept == Kept::Received && !is_received() {
                continue;
            }
            let to = match message.target {
                MessageEnd::Node(to) => diagram.nodes[to].shown(),
                MessageEnd::Border(pool) => diagram.pools[pool].shown(),
                MessageEnd::BlackBox => "a black box",
            };
            let name = match message.name.is_empty() {
                true => format!("message from {} to {}", diagram.nodes[from].shown(), to),
                false => format!("message {}", message.name),
            };
            let place = adding.add(message.id.clone(), name, Meaning::Message);
            adding.net.places[place].most = environment.channel;
            if let MessageEnd::Node(to) = message.target {
                let pools = [from, to].map(|node| diagram.pool_of(diagram.nodes[node].container));
                let name = if message.name.is_empty() { &message.id } else { &message.name };
                adding.net.add_kind(place, name, pools);
            }
            places.channels[number] = Some(place);
            places.sends[from].push(place);
        }
        for (number, pool) in diagram.pools.iter().enumerate() {
            let container = Container::Pool(number);
            let starts = match switches.starts {
                Starts::One => !diagram.starts(container).is_empty() || !diagram.beginners(container).is_empty(),
                Starts::All => !runs_at_first(diagram, number),
            };
            if starts {
                let (id, name) = (format!("{}.start", pool.id), format!("{} not started", pool.shown()));
                places.start[number] = Some(adding.add(id, name, Meaning::Start(number)));
            }
            if pool.children.iter().any(|&node| diagram.nodes[node].sort == Sort::EventSub) {
                let (id, name) = (format!("{}.running", pool.id), format!("{} running", pool.shown()));
                places.pool_running[number] = Some(adding.add(id, name, Meaning::PoolRunning(number)));
            }
            places.of_container(diagram, container, &mut adding);
        }
        for number in 0..nodes {
            if diagram.is_expanded(number) || diagram.nodes[number].sort == Sort::EventSub {
                places.of_container(diagram, Container::Sub(number), &mut adding);
            }
        }
        for (number, node) in diagram.nodes.iter().enumerate().filter(|(_, node)| !node.left_out) {
            let (id, name) = (&node.id, node.shown());
            if node.sort == Sort::Boundary && !node.interrupts && !thrown_to[number] {
                let Some(times) = times(&node.triggers) else { continue };
                let place = adding.add(format!("{id}.left"), format!("{name} can come"), Meaning::Once(number));
                places.once[number] = Some((place, times));
            }
            let is_embedded = matches!(node.container, Container::Sub(sub) if diagram.nodes[sub].sort == Sort::Sub);
            if node.sort == Sort::Start && is_embedded && places.is_waiting(diagram, number, signals) {
                let place = adding.add(format!("{id}.waiting"), format!("{name} waiting"), Meaning::Waiting(number));
                places.waiting[number] = Some(place);
            }
        }
        for (number, flow) in diagram.flows.iter().enumerate() {
            if is_choice(diagram, number) {
                continue;
            }
            let ends = [flow.source, flow.target].map(|node| diagram.nodes[node].shown());
            let name = match flow.name.is_empty() {
                true => format!("{} → {}", ends[0], ends[1]),
                false => format!("{} → {} ({})", ends[0], ends[1], flow.name),
            };
            let place = adding.add(flow.id.clone(), name, Meaning::Flow);
            if switches.starts == Starts::All && has_happened(diagram, flow.source) {
                adding.net.places[place].initial = 1;
            }
            places.flows[number] = Some(place);
        }
        places
    }

    /// The places of the nodes directly in a container.
    fn of_container(&mut self, diagram: &Diagram, container: Container, adding: &mut Adding<'_>) {
        let begins = adding.switches.starts == Starts::One;
        for node in diagram.beginners(container).into_iter().filter(|_| begins) {
            let (id, name) = (&diagram.nodes[node].id, diagram.nodes[node].shown());
            self.begun[node] = Some(adding.add(format!("{id}.begun"), format!("{name} begun"), Meaning::Begun(node)));
        }
        for &number in diagram.children(container) {
            let node = &diagram.nodes[number];
            if node.left_out {
                continue;
            }
            let (id, name) = (&node.id, node.shown());
            match node.sort {
                Sort::Task | Sort::ReceiveTask | Sort::Sub
                    if diagram.is_expanded(number) || diagram.boundaries(number).next().is_some() =>
                {
                    let place = adding.add(format!("{id}.busy"), format!("{name} running"), Meaning::Busy(number));
                    self.busy[number] = Some(place);
                }
                Sort::EventSub => {
                    let place =
                        adding.add(format!("{id}.running"), format!("{name} running"), Meaning::Running(number));
                    self.running[number] = Some(place);
                }
                Sort::End if matches!(container, Container::Pool(_)) => {
                    let place = adding.add(format!("{id}.reached"), format!("{name} reached"), Meaning::End(number));
                    self.end[number] = Some(place);
                }
                _ => {}
            }
        }
    }

    /// Does a start event wait for a message or a signal from inside the diagram?
    fn is_waiting(&self, diagram: &Diagram, node: NodeId, signals: &[Option<String>]) -> bool {
        let channels = || diagram.messages.iter().zip(&self.channels);
        diagram.nodes[node].triggers.iter().any(|trigger| match trigger {
            Trigger::Message => {
                channels().any(|(message, channel)| channel.is_some() && message.target == MessageEnd::Node(node))
            }
            Trigger::Signal(signal) => signals.contains(signal),
            _ => false,
        })
    }

    /// All places inside a container, but the marker of a sub-process itself.
    pub(super) fn inside(&self, diagram: &Diagram, container: Container) -> Vec<PlaceId> {
        let mut inside = Vec::new();
        if let Container::Pool(pool) = container {
            inside.extend(self.pool_running[pool]);
        }
        for node in diagram.inside(container) {
            inside.extend(diagram.nodes[node].outgoing.iter().filter_map(|&flow| self.flows[flow]));
            for places in [&self.busy, &self.begun, &self.running, &self.waiting] {
                inside.extend(places[node]);
            }
            inside.extend(self.once[node].map(|(place, _)| place));
        }
        inside
    }
}

/// How often an event that does not interrupt comes during an activation, if that is limited: messages come as they
/// come.
fn times(triggers: &[Trigger]) -> Option<u32> {
    let limit = |trigger: &Trigger| match trigger {
        Trigger::Message | Trigger::Timer(Some(Repeats::Always)) => None,
        Trigger::Timer(Some(Repeats::Times(times))) => Some(*times),
        _ => Some(1),
    };
    match triggers {
        [] => Some(1),
        _ => triggers.iter().filter_map(limit).max(),
    }
}
