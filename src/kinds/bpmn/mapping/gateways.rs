//! Exclusive, parallel and event-based gateways.

use super::super::diagram::{MessageEnd, NodeId};
use super::super::problem::Problem;
use super::builder::Mapping;
use super::places::is_choice;
use super::switches::{Choice, DeadEnd};

/// As many ways from a flow to a flow may a gateway have.
const MOST_CHOICES: usize = 1 << 16;

impl Mapping<'_> {
    /// Each way in, each way out; a token ends where there is none.
    pub(super) fn exclusive(&mut self, node: NodeId) -> Result<(), Problem> {
        self.choose(node)?;
        if self.diagram.nodes[node].outgoing.is_empty() && self.switches.dead_end == DeadEnd::Ends {
            for input in self.inputs(node) {
                self.emit(self.draft(node).taking([input]));
            }
        }
        Ok(())
    }

    /// A token on one way in goes on by one way out.
    fn choose(&mut self, node: NodeId) -> Result<(), Problem> {
        let known = &self.diagram.nodes[node];
        if known.incoming.len().saturating_mul(known.outgoing.len()) > MOST_CHOICES {
            let message =
                format!("gateway `{}` has more than {MOST_CHOICES} combinations of flows; split it", known.id);
            return Err(Problem::new(known.line, message));
        }
        for input in self.inputs(node) {
            for (flow, output) in self.ways(node) {
                self.emit(self.draft(node).taking([input]).putting([output]).deciding([flow]));
            }
        }
        Ok(())
    }

    /// All ways in, all ways out. Without a way in it never fires.
    pub(super) fn parallel(&mut self, node: NodeId) {
        let inputs = self.inputs(node);
        if !inputs.is_empty() {
            self.emit(self.passing(node).taking(inputs));
        }
    }

    /// A message to any node behind the gateway goes on behind that node.
    fn choose_by_messages(&mut self, node: NodeId) {
        for input in self.inputs(node) {
            for &flow in &self.diagram.nodes[node].outgoing {
                let behind = self.diagram.flows[flow].target;
                for (message, channel) in self.diagram.messages.iter().zip(self.places.channels.clone()) {
                    if message.target != MessageEnd::Node(behind) {
                        continue;
                    }
                    let draft = self.draft(behind).taking([input]).taking(channel).putting(self.outputs(behind));
                    self.emit(match self.diagram.nodes[behind].sort.is_activity() {
                        true => draft.beginning(behind),
                        false => draft,
                    });
                }
            }
        }
    }

    /// The gateway and the event that comes are one step. What is no event may be chosen at any time. Where there is
    /// nothing to wait for, a token waits for ever.
    pub(super) fn event_based(&mut self, node: NodeId) -> Result<(), Problem> {
        if self.switches.choice == Choice::Messages {
            self.choose_by_messages(node);
            return Ok(());
        }
        self.choose(node)?;
        let outgoing = self.diagram.nodes[node].outgoing.clone();
        for flow in outgoing.into_iter().filter(|&flow| is_choice(self.diagram, flow)) {
            let event = self.diagram.flows[flow].target;
            for input in self.inputs(node) {
                let draft = self.passing(event).taking([input]).deciding([flow]);
                let draft = match self.diagram.nodes[event].sort.is_activity() {
                    true => draft.beginning(event),
                    false => draft,
                };
                self.emit_waiting(event, &draft);
            }
        }
        Ok(())
    }
}
