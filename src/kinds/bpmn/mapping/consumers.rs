//! What a node that catches waits for.
//!
//! A consumer of messages takes one from any of the channels that lead to it. What comes from outside the diagram (from
//! a pool without nodes, or from nowhere that is drawn) may come at any time, or never. Signals that something in the
//! diagram throws come with that; everything else may come at any time.

use super::super::diagram::{MessageEnd, NodeId, Sort, Trigger};
use super::super::process_net::PlaceId;
use super::builder::Mapping;
use super::catching::caught_by;
use super::draft::{Catcher, Draft};
use super::places::can_send;
use super::switches::Kept;

/// What a node waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// Nothing: it may go on at any time.
    Nothing,
    /// A message in a channel.
    Message(PlaceId),
    /// A signal.
    Signal(Option<String>),
}

impl Mapping<'_> {
    /// What a node waits for: one of these is enough.
    pub(super) fn waits(&self, node: NodeId) -> Vec<Wait> {
        let known = &self.diagram.nodes[node];
        let mut waits = Vec::new();
        if known.sort == Sort::ReceiveTask {
            self.messages(node, &mut waits);
        }
        if known.triggers.is_empty() && known.sort != Sort::ReceiveTask {
            waits.push(Wait::Nothing);
        }
        for trigger in &known.triggers {
            match trigger {
                Trigger::Message => self.messages(node, &mut waits),
                Trigger::Signal(signal) if self.signals.contains(signal) => {
                    waits.push(Wait::Signal(signal.clone()));
                }
                Trigger::Error(_) | Trigger::Escalation(_) | Trigger::Cancel if self.thrown_to[node] => {}
                Trigger::Compensation => {}
                _ => waits.push(Wait::Nothing),
            }
        }
        // Doing nothing twice is doing nothing.
        let free = waits.contains(&Wait::Nothing);
        waits.retain(|wait| *wait != Wait::Nothing);
        if free {
            waits.insert(0, Wait::Nothing);
        }
        waits
    }

    /// The messages that a node waits for.
    fn messages(&self, node: NodeId, waits: &mut Vec<Wait>) {
        let (mut flows, mut from_outside) = (0, false);
        for (number, message) in self.diagram.messages.iter().enumerate() {
            if message.target != MessageEnd::Node(node) {
                continue;
            }
            flows += 1;
            waits.extend(self.places.channels[number].map(Wait::Message));
            from_outside |= match message.source {
                MessageEnd::BlackBox => true,
                MessageEnd::Node(from) => !can_send(self.diagram, from),
                MessageEnd::Border(_) => true,
            };
        }
        if (flows == 0 || from_outside) && self.switches.kept == Kept::Received && !self.environment.closed {
            waits.push(Wait::Nothing);
        }
    }

    /// The transitions of a node that waits: one for each message, and for nothing; signals take it along.
    pub(super) fn emit_waiting(&mut self, node: NodeId, draft: &Draft) {
        for wait in self.waits(node) {
            match wait {
                Wait::Nothing => self.emit(draft.clone()),
                Wait::Message(channel) => self.emit(draft.clone().taking([channel])),
                Wait::Signal(signal) => self.catchers.push(Catcher { signal, draft: draft.clone() }),
            }
        }
    }

    /// The transitions that end in a node that throws.
    pub(super) fn signals_of(&self, node: NodeId) -> Vec<Option<String>> {
        let signals = self.diagram.nodes[node].triggers.iter().filter_map(|trigger| match trigger {
            Trigger::Signal(signal) => Some(signal.clone()),
            _ => None,
        });
        signals.collect()
    }

    /// The event that catches what a node throws, on the border of a sub-process around it.
    pub(super) fn caught(&self, node: NodeId) -> Option<NodeId> {
        self.diagram.nodes[node].triggers.iter().find_map(|trigger| caught_by(self.diagram, node, trigger))
    }
}
