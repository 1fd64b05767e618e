//! The net that fbpmn's semantics is (Houhou, Baarir, Poizat, Quéinnec, Kahloul, "A First-Order Logic verification
//! framework for communication-parametric and time-aware BPMN collaborations", Information Systems 2022).
//!
//! Nodes have tokens as flows do: start events of pools before they happen, activities while they run, end events once
//! they are reached. A receiver takes a message of one flow, a sender sends on one of its flows. An event-based gateway
//! chooses by what is on its way. Fair is a run in which each node that can always do something does something at last
//! (`Transition::node`), and each way out of a gateway that is possible again and again is taken (`branches`).

use super::super::diagram::{Container, Diagram, FlowId, MessageEnd, NodeId, Sort, Trigger};
use super::super::problem::Problem;
use super::super::process_net::{Activity, Completion, Meaning, Place, PlaceId, ProcessNet};
use super::builder::{MOST, finished};
use super::draft::Draft;
use super::environment::Environment;
use fixedbitset::FixedBitSet;

/// The net while it is made.
struct Peer<'d> {
    diagram: &'d Diagram,
    net: ProcessNet,
    flows: Vec<Option<PlaceId>>,
    /// By node, the messages that it sends and those that it receives.
    sends: Vec<Vec<PlaceId>>,
    receives: Vec<Vec<PlaceId>>,
    /// By node, its token.
    marks: Vec<Option<PlaceId>>,
    /// By pool: it has not started.
    starts: Vec<PlaceId>,
}

/// The net of a diagram.
pub(super) fn net(name: &str, diagram: &Diagram, environment: Environment) -> Result<ProcessNet, Problem> {
    let mut peer = Peer::with_places(name, diagram, environment);
    for node in (0..diagram.nodes.len()).filter(|&node| !diagram.nodes[node].left_out) {
        match diagram.nodes[node].sort {
            Sort::Start => peer.start(node),
            Sort::Task | Sort::ReceiveTask => peer.task(node),
            Sort::Sub | Sort::EventSub => peer.sub_process(node),
            Sort::Exclusive => peer.exclusive(node),
            Sort::Parallel => peer.parallel(node),
            Sort::Inclusive => peer.inclusive(node)?,
            Sort::EventBased => peer.event_based(node),
            Sort::Boundary => peer.boundary(node),
            Sort::Catch | Sort::Throw => peer.event(node),
            Sort::End => peer.end(node),
        }
    }
    peer.net.completion = Completion::Fair;
    peer.net.name_apart();
    Ok(peer.net)
}

impl<'d> Peer<'d> {
    fn with_places(name: &str, diagram: &'d Diagram, environment: Environment) -> Self {
        let nodes = diagram.nodes.len();
        let net = ProcessNet { name: name.to_owned(), ..ProcessNet::default() };
        let mut peer = Peer {
            diagram,
            net,
            flows: vec![None; diagram.flows.len()],
            sends: vec![Vec::new(); nodes],
            receives: vec![Vec::new(); nodes],
            marks: vec![None; nodes],
            starts: Vec::new(),
        };
        for message in &diagram.messages {
            let (MessageEnd::Node(from), MessageEnd::Node(to)) = (message.source, message.target) else { continue };
            if diagram.nodes[from].left_out || diagram.nodes[to].left_out {
                continue;
            }
            let name = if message.name.is_empty() { &message.id } else { &message.name };
            let place = peer.place(message.id.clone(), format!("message {name}"), Meaning::Message, 0);
            peer.net.places[place].most = environment.channel;
            peer.sends[from].push(place);
            peer.receives[to].push(place);
            peer.net.add_kind(place, name, [from, to].map(|node| diagram.pool_of(diagram.nodes[node].container)));
        }
        for (number, pool) in diagram.pools.iter().enumerate() {
            let (id, name) = (format!("{}.start", pool.id), format!("{} not started", pool.shown()));
            let place = peer.place(id, name, Meaning::Start(number), 1);
            peer.starts.push(place);
        }
        for (number, node) in diagram.nodes.iter().enumerate().filter(|(_, node)| !node.left_out) {
            let (id, name) = (&node.id, node.shown());
            let in_pool = match node.container {
                Container::Pool(pool) => Some(pool),
                Container::Sub(_) => None,
            };
            let (after, says, meaning, initial) = match (node.sort, in_pool) {
                (Sort::Task | Sort::ReceiveTask | Sort::Sub | Sort::EventSub, _) => {
                    ("busy", "running", Meaning::Busy(number), 0)
                }
                (Sort::Start, Some(pool)) => ("waiting", "waiting", Meaning::Start(pool), 1),
                (Sort::Start, None) => ("waiting", "waiting", Meaning::Waiting(number), 0),
                (Sort::End, Some(_)) => ("reached", "reached", Meaning::End(number), 0),
                // Its sub-process is running as long as it has a token.
                (Sort::End, None) => ("reached", "reached", Meaning::Begun(number), 0),
                _ => continue,
            };
            let place = peer.place(format!("{id}.{after}"), format!("{name} {says}"), meaning, initial);
            peer.marks[number] = Some(place);
            if node.sort.is_activity() {
                let (id, name) = (node.id.clone(), node.shown().to_owned());
                peer.net.activities.push(Activity { node: number, id, name, line: node.line });
            }
        }
        for (number, flow) in diagram.flows.iter().enumerate() {
            if diagram.nodes[flow.source].left_out {
                continue;
            }
            let ends = [flow.source, flow.target].map(|node| diagram.nodes[node].shown());
            let name = match flow.name.is_empty() {
                true => format!("{} → {}", ends[0], ends[1]),
                false => format!("{} → {} ({})", ends[0], ends[1], flow.name),
            };
            let place = peer.place(flow.id.clone(), name, Meaning::Flow, 0);
            peer.flows[number] = Some(place);
        }
        peer.net.delivery.order = environment.order;
        peer.net.delivery.pools = diagram.pools.len() as u32;
        peer.net.delivery.remembers = true;
        peer
    }

    fn place(&mut self, id: String, name: String, meaning: Meaning, initial: u32) -> PlaceId {
        self.net.places.push(Place { id, name, meaning, initial, most: None });
        self.net.places.len() - 1
    }

    fn of(&self, flows: &[FlowId]) -> Vec<PlaceId> {
        flows.iter().filter_map(|&flow| self.flows[flow]).collect()
    }

    fn inputs(&self, node: NodeId) -> Vec<PlaceId> {
        self.of(&self.diagram.nodes[node].incoming)
    }

    fn outputs(&self, node: NodeId) -> Vec<PlaceId> {
        self.of(&self.diagram.nodes[node].outgoing)
    }

    fn draft(&self, node: NodeId) -> Draft {
        Draft::new(node, &self.diagram.nodes[node])
    }

    fn is_about(&self, node: NodeId, trigger: &Trigger) -> bool {
        self.diagram.nodes[node].triggers.contains(trigger)
    }

    fn emit(&mut self, draft: Draft) {
        self.net.transitions.push(finished(draft));
    }

    /// One for each message that a node takes, if it is about messages, or sends.
    fn emit_with_messages(&mut self, node: NodeId, draft: &Draft) {
        let is_message = self.is_about(node, &Trigger::Message);
        let sort = self.diagram.nodes[node].sort;
        if sort == Sort::ReceiveTask || is_message && matches!(sort, Sort::Start | Sort::Catch | Sort::Boundary) {
            for message in self.receives[node].clone() {
                self.emit(draft.clone().taking([message]));
            }
        } else if self.sends[node].is_empty() {
            self.emit(draft.clone());
        } else {
            for message in self.sends[node].clone() {
                self.emit(draft.clone().putting([message]));
            }
        }
    }

    /// A start event happens once; a pool starts by one of them.
    fn start(&mut self, node: NodeId) {
        let draft = self.draft(node).taking(self.marks[node]).putting(self.outputs(node));
        match self.diagram.nodes[node].container {
            Container::Pool(pool) => {
                let draft = draft.taking([self.starts[pool]]);
                self.emit_with_messages(node, &draft);
            }
            // A message starts pools alone.
            Container::Sub(_) if self.is_about(node, &Trigger::Message) => {}
            Container::Sub(_) => self.emit(draft),
        }
    }

    /// A task takes two steps, and does not begin again before it ends.
    fn task(&mut self, node: NodeId) {
        let Some(busy) = self.marks[node] else { return };
        for input in self.inputs(node) {
            self.emit(self.draft(node).taking([input]).without([busy]).putting([busy]).beginning(node));
        }
        let known = &self.diagram.nodes[node];
        let draft = self.draft(node).taking([busy]).putting(self.outputs(node)).ending(&known.id, known.shown());
        self.emit_with_messages(node, &draft);
    }

    /// The nodes directly in a sub-process that take part, with their tokens: end events, and others.
    fn tokens_in(&self, node: NodeId) -> [Vec<PlaceId>; 2] {
        let (mut ends, mut others) = (Vec::new(), Vec::new());
        for &child in &self.diagram.nodes[node].children {
            match self.diagram.nodes[child].sort {
                Sort::End => ends.extend(self.marks[child]),
                _ => others.extend(self.marks[child]),
            }
        }
        [ends, others]
    }

    /// The flows between nodes directly in a sub-process.
    fn flows_in(&self, node: NodeId) -> Vec<PlaceId> {
        self.diagram.nodes[node].children.iter().flat_map(|&child| self.outputs(child)).collect()
    }

    /// A sub-process begins with its start events, and ends when nothing but end events has tokens, of which one does.
    fn sub_process(&mut self, node: NodeId) {
        let Some(busy) = self.marks[node] else { return };
        let starts: Vec<PlaceId> =
            self.diagram.starts(Container::Sub(node)).iter().filter_map(|&s| self.marks[s]).collect();
        for input in self.inputs(node) {
            let draft = self.draft(node).taking([input]).without([busy]).putting([busy]);
            self.emit(draft.putting(starts.iter().copied()).beginning(node));
        }
        let [ends, others] = self.tokens_in(node);
        let known = &self.diagram.nodes[node];
        let draft = self.draft(node).taking([busy]).without(others).without(self.flows_in(node));
        let draft = draft.emptying(ends.iter().copied()).putting(self.outputs(node)).ending(&known.id, known.shown());
        for end in ends {
            self.emit(draft.clone().reading([end]));
        }
    }

    /// All places inside a container, but what says that itself runs.
    fn inside(&self, container: Container) -> Vec<PlaceId> {
        let nodes = self.diagram.inside(container);
        nodes.into_iter().flat_map(|node| self.outputs(node).into_iter().chain(self.marks[node])).collect()
    }

    /// An event on the border of an activity.
    fn boundary(&mut self, node: NodeId) {
        let Some(host) = self.diagram.nodes[node].host else { return };
        let Some(busy) = self.marks[host] else { return };
        let draft = self.draft(node).putting(self.outputs(node));
        if !self.diagram.nodes[node].interrupts {
            self.emit_with_messages(node, &draft.reading([busy]));
            return;
        }
        let draft = draft.taking([busy]);
        if !matches!(self.diagram.nodes[host].sort, Sort::Sub | Sort::EventSub) {
            self.emit_with_messages(node, &draft);
            return;
        }
        // Not where the sub-process could end: something else than an end event has a token, or none has.
        let draft = draft.emptying(self.inside(Container::Sub(host)));
        let [ends, others] = self.tokens_in(host);
        for place in others.into_iter().chain(self.flows_in(host)) {
            self.emit_with_messages(node, &draft.clone().reading([place]));
        }
        self.emit_with_messages(node, &draft.without(ends));
    }

    fn event(&mut self, node: NodeId) {
        for input in self.inputs(node) {
            let draft = self.draft(node).taking([input]).putting(self.outputs(node));
            self.emit_with_messages(node, &draft);
        }
    }

    fn end(&mut self, node: NodeId) {
        let terminates = self.is_about(node, &Trigger::Terminate);
        for input in self.inputs(node) {
            let draft = self.draft(node).taking([input]).putting(self.marks[node]);
            match terminates {
                true => self.emit(draft.emptying(self.inside(self.diagram.nodes[node].container))),
                false => self.emit_with_messages(node, &draft),
            }
        }
    }

    /// The transitions from here on are the ways out of a gateway: each with its flow, if there are several.
    fn branches(&mut self, from: usize, outputs: &[PlaceId]) {
        if outputs.len() < 2 {
            return;
        }
        for &output in outputs {
            let goes = |&step: &usize| self.net.transitions[step].outputs == [(output, 1)];
            let branch = (from..self.net.transitions.len()).filter(goes).collect();
            self.net.branches.push(branch);
        }
    }

    fn exclusive(&mut self, node: NodeId) {
        let (from, outputs) = (self.net.transitions.len(), self.outputs(node));
        for input in self.inputs(node) {
            for &output in &outputs {
                self.emit(self.draft(node).taking([input]).putting([output]));
            }
        }
        self.branches(from, &outputs);
    }

    fn parallel(&mut self, node: NodeId) {
        self.emit(self.draft(node).taking(self.inputs(node)).putting(self.outputs(node)));
    }

    /// An event-based gateway chooses a flow by a message that is on its way to the node behind, or to a timer.
    fn event_based(&mut self, node: NodeId) {
        let (from, outputs) = (self.net.transitions.len(), self.outputs(node));
        for input in self.inputs(node) {
            for flow in self.diagram.nodes[node].outgoing.clone() {
                let (output, target) = (self.flows[flow], self.diagram.flows[flow].target);
                let draft = self.draft(node).taking([input]).putting(output);
                let receives = self.diagram.nodes[target].sort == Sort::ReceiveTask;
                if receives || self.is_about(target, &Trigger::Message) {
                    for message in self.receives[target].clone() {
                        self.emit(draft.clone().reading([message]));
                    }
                } else {
                    self.emit(draft);
                }
            }
        }
        self.branches(from, &outputs);
    }

    /// An inclusive gateway: as in `inclusive`, but that what may still come is looked for at nodes behind flows.
    fn inclusive(&mut self, node: NodeId) -> Result<(), Problem> {
        let (from, outputs) = (self.net.transitions.len(), self.outputs(node));
        let known = &self.diagram.nodes[node];
        let inputs: Vec<(PlaceId, FixedBitSet)> =
            known.incoming.iter().filter_map(|&flow| Some((self.flows[flow]?, self.before(node, flow)))).collect();
        let default = known.default.and_then(|flow| self.flows[flow]);
        let others: Vec<PlaceId> = outputs.iter().copied().filter(|&place| Some(place) != default).collect();
        let many = 1usize.checked_shl((inputs.len() + others.len()) as u32);
        if many.is_none_or(|many| many > MOST) {
            let message =
                format!("inclusive gateway `{}` has more than {MOST} combinations of flows; split it", known.id);
            return Err(Problem::new(known.line, message));
        }
        let chosen = |set: usize| (0..others.len()).filter(move |n| set >> n & 1 == 1);
        for set in 1..1usize << inputs.len() {
            let is_in = |number: usize| set >> number & 1 == 1;
            let (mut ignored, mut without) = (FixedBitSet::default(), FixedBitSet::default());
            for (number, (place, before)) in inputs.iter().enumerate() {
                if is_in(number) {
                    ignored.union_with(before);
                } else {
                    without.union_with(before);
                    without.grow_and_insert(*place);
                }
            }
            let without: Vec<PlaceId> = without.difference(&ignored).collect();
            let taken = (0..inputs.len()).filter(|&number| is_in(number)).map(|number| inputs[number].0);
            let draft = self.draft(node).taking(taken).without(without);
            for split in 1..1usize << others.len() {
                self.emit(draft.clone().putting(chosen(split).map(|number| others[number])));
            }
            if let Some(default) = default {
                self.emit(draft.putting([default]));
            }
        }
        self.branches(from, &outputs);
        Ok(())
    }

    /// The flows from which a token can get onto a flow without passing the gateway, and the nodes behind them.
    fn before(&self, gateway: NodeId, flow: FlowId) -> FixedBitSet {
        let mut before = FixedBitSet::with_capacity(self.net.places.len());
        let mut next = vec![flow];
        while let Some(flow) = next.pop() {
            let source = self.diagram.flows[flow].source;
            if source == gateway {
                continue;
            }
            for &flow in &self.diagram.nodes[source].incoming {
                if let Some(place) = self.flows[flow].filter(|&place| !before.put(place)) {
                    debug_assert!(before.contains(place));
                    before.extend(self.marks[source]);
                    next.push(flow);
                }
            }
        }
        before
    }
}
