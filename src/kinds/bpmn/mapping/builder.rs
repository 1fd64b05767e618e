//! The net while it is made: its places, and the transitions that are done.

use super::super::diagram::{Container, Diagram, FlowId, NodeId, Sort, Trigger};
use super::super::problem::Problem;
use super::super::process_net::{Activity, PlaceId, ProcessNet, Transition};
use super::catching::caught_by;
use super::draft::{Catcher, Draft, Reached, Thrown};
use super::environment::Environment;
use super::places::Places;
use super::switches::{Ends, Switches};

/// As many transitions may a gateway, or a signal, have.
pub(super) const MOST: usize = 1 << 12;

/// The net while it is made.
pub(super) struct Mapping<'d> {
    pub(super) diagram: &'d Diagram,
    pub(super) environment: Environment,
    pub(super) switches: Switches,
    pub(super) net: ProcessNet,
    pub(super) places: Places,
    /// Events on the border of a sub-process that something inside throws to.
    pub(super) thrown_to: Vec<bool>,
    /// References of signals that something throws.
    pub(super) signals: Vec<Option<String>>,
    /// Who waits for signals.
    pub(super) catchers: Vec<Catcher>,
    /// Transitions that throw signals.
    pub(super) throws: Vec<Thrown>,
}

impl<'d> Mapping<'d> {
    pub(super) fn new(name: &str, diagram: &'d Diagram, environment: Environment) -> Self {
        let mut net = ProcessNet { name: name.to_owned(), ..ProcessNet::default() };
        let mut signals = Vec::new();
        let mut thrown_to = vec![false; diagram.nodes.len()];
        for (number, node) in diagram.nodes.iter().enumerate() {
            if node.left_out {
                continue;
            }
            if node.sort.is_activity() {
                let (id, name) = (node.id.clone(), node.shown().to_owned());
                net.activities.push(Activity { node: number, id, name, line: node.line });
            }
            if !matches!(node.sort, Sort::Throw | Sort::End) {
                continue;
            }
            for trigger in &node.triggers {
                if let Trigger::Signal(signal) = trigger {
                    signals.push(signal.clone());
                } else if let Some(boundary) = caught_by(diagram, number, trigger) {
                    thrown_to[boundary] = true;
                }
            }
        }
        let places = Places::new(diagram, environment, &thrown_to, &signals, &mut net);
        let switches = environment.like.switches();
        let (catchers, throws) = (Vec::new(), Vec::new());
        Mapping { diagram, environment, switches, net, places, thrown_to, signals, catchers, throws }
    }

    /// The places from which a node takes a token: its flows, and the one with which it begins. Flows from event-based
    /// gateways are none where a node waits for something.
    pub(super) fn inputs(&self, node: NodeId) -> Vec<PlaceId> {
        let flows = self.diagram.nodes[node].incoming.iter().filter_map(|&flow| self.places.flows[flow]);
        flows.chain(self.places.begun[node]).collect()
    }

    /// The places of all flows out of a node.
    pub(super) fn outputs(&self, node: NodeId) -> Vec<PlaceId> {
        self.ways(node).into_iter().map(|(_, place)| place).collect()
    }

    /// The flows out of a node that have places.
    pub(super) fn ways(&self, node: NodeId) -> Vec<(FlowId, PlaceId)> {
        let place = |&flow: &FlowId| self.places.flows[flow].map(|place| (flow, place));
        self.diagram.nodes[node].outgoing.iter().filter_map(place).collect()
    }

    /// The channels that a node sends to.
    pub(super) fn sends(&self, node: NodeId) -> &[PlaceId] {
        &self.places.sends[node]
    }

    /// A draft of a transition of a node.
    pub(super) fn draft(&self, node: NodeId) -> Draft {
        Draft::new(node, &self.diagram.nodes[node])
    }

    /// A draft that goes on from a node: to all its flows, with all its messages.
    pub(super) fn passing(&self, node: NodeId) -> Draft {
        self.draft(node).putting(self.outputs(node)).putting(self.sends(node).iter().copied())
    }

    /// All places inside a container.
    pub(super) fn inside(&self, container: Container) -> Vec<PlaceId> {
        self.places.inside(self.diagram, container)
    }

    /// What is emptied where a container ends at once: all inside, and of a pool how often its end events were reached,
    /// which is no matter any more.
    pub(super) fn emptied(&self, container: Container) -> Vec<PlaceId> {
        let mut emptied = self.inside(container);
        if let (Container::Pool(_), Ends::UpToTwo) = (container, self.switches.ends) {
            emptied.extend(self.diagram.children(container).iter().filter_map(|&node| self.places.end[node]));
        }
        emptied
    }

    /// The place that is marked while a container runs.
    pub(super) fn marker(&self, container: Container) -> Option<PlaceId> {
        match container {
            Container::Pool(pool) => self.places.pool_running[pool],
            Container::Sub(node) => self.places.busy[node].or(self.places.running[node]),
        }
    }

    /// A transition is done.
    pub(super) fn emit(&mut self, draft: Draft) {
        self.net.transitions.push(finished(draft));
    }

    /// A transition that throws signals is done, as soon as all who wait are known.
    pub(super) fn emit_throwing(&mut self, draft: Draft, signals: Vec<Option<String>>) {
        match signals.is_empty() {
            true => self.emit(draft),
            false => self.throws.push(Thrown { signals, draft }),
        }
    }

    /// The transitions that throw signals.
    pub(super) fn throw_all(&mut self) -> Result<(), Problem> {
        let catchers = std::mem::take(&mut self.catchers);
        for thrown in std::mem::take(&mut self.throws) {
            let mut catchers = catchers.iter().filter(|catcher| thrown.signals.contains(&catcher.signal));
            let mut reached = vec![Reached::new(&thrown.draft)];
            while let Some(catcher) = catchers.next() {
                let has_rival = catchers.clone().any(|later| later.draft.takes_with(&catcher.draft));
                reached = reached.into_iter().flat_map(|one| one.ways(&catcher.draft, has_rival)).collect();
                if reached.len() > MOST {
                    let node = thrown.draft.transition.node.map_or(1, |node| self.diagram.nodes[node].line);
                    let message = format!(
                        "too many wait for the signal of `{}`: there are more than {MOST} combinations",
                        thrown.draft.transition.id
                    );
                    return Err(Problem::new(node, message));
                }
            }
            reached.into_iter().filter_map(Reached::whole).for_each(|draft| self.emit(draft));
        }
        Ok(())
    }
}

/// A transition as it stays, in order.
pub(super) fn finished(draft: Draft) -> Transition {
    let mut transition = draft.transition;
    let Transition { reads, inhibitors, resets, begins, ways, .. } = &mut transition;
    for list in [reads, inhibitors, resets, begins, ways] {
        list.sort_unstable();
        list.dedup();
    }
    // What is emptied anyway need not be taken back one by one, but a token must be there.
    transition.inputs.sort_unstable();
    transition.outputs.sort_unstable();
    transition.reads.retain(|read| !transition.inputs.iter().any(|(place, _)| place == read));
    transition
}
