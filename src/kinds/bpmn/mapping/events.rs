//! Start, end, throw and catch events, and links.

use super::super::diagram::{Container, MessageEnd, NodeId, PoolId, Sort, Trigger};
use super::super::process_net::PlaceId;
use super::super::resolve::link_target;
use super::builder::Mapping;
use super::draft::Draft;
use super::switches::{Choice, Ends, Starts};

impl Mapping<'_> {
    /// A pool starts: by one of its start events, or with all nodes that nothing leads to.
    pub(super) fn pool(&mut self, pool: PoolId) {
        let container = Container::Pool(pool);
        if self.switches.starts == Starts::All {
            // Plain start events have happened. What starts a pool that runs is no part of the net.
            let start = self.places.start[pool];
            for event in self.diagram.starts(container) {
                if start.is_some() && self.diagram.nodes[event].triggers == [Trigger::Message] {
                    let draft = self.passing(event).taking(start);
                    self.emit_waiting(event, &draft);
                }
            }
            return;
        }
        let running = self.places.pool_running[pool];
        let start = self.places.start[pool];
        for event in self.diagram.starts(container) {
            if !self.diagram.nodes[event].left_out {
                let draft = self.passing(event).taking(start).putting(running);
                self.emit_waiting(event, &draft);
            }
        }
        let beginners = self.diagram.beginners(container);
        let pool = &self.diagram.pools[pool];
        if !beginners.is_empty() {
            let begun: Vec<PlaceId> = beginners.iter().filter_map(|&node| self.places.begun[node]).collect();
            let name = format!("{} starts", pool.shown());
            self.emit(
                Draft::called(None, &format!("{}.starts", pool.id), &name)
                    .taking(start)
                    .putting(begun)
                    .putting(running),
            );
        }
        if let Some(running) = running {
            let others = self.inside(container).into_iter().filter(|&place| place != running);
            let name = format!("{} ends", pool.shown());
            self.emit(Draft::called(None, &format!("{}.ends", pool.id), &name).taking([running]).without(others));
        }
    }

    /// The messages that start a pool which may be running, each with the place that is marked before it runs.
    pub(super) fn restarts(&self) -> Vec<(PlaceId, Option<PlaceId>)> {
        let mut restarts = Vec::new();
        for (message, channel) in self.diagram.messages.iter().zip(&self.places.channels) {
            let (Some(channel), MessageEnd::Node(to)) = (*channel, message.target) else { continue };
            let node = &self.diagram.nodes[to];
            if self.switches.starts == Starts::All && node.sort == Sort::Start && node.triggers == [Trigger::Message] {
                restarts.push((channel, self.places.start[self.diagram.pool_of(node.container)]));
            }
        }
        restarts
    }

    /// A catch event: from each flow into it. What lies behind event-based gateways is theirs.
    pub(super) fn catch(&mut self, node: NodeId) {
        let only_messages = self.switches.choice == Choice::Messages;
        if only_messages && !matches!(self.diagram.nodes[node].triggers[..], [] | [Trigger::Message]) {
            return;
        }
        for input in self.inputs(node) {
            let draft = self.passing(node).taking([input]);
            self.emit_waiting(node, &draft);
        }
    }

    /// An event that throws goes on; a link goes on behind its target.
    pub(super) fn throw(&mut self, node: NodeId) {
        let behind = link_target(self.diagram, node).map_or(Vec::new(), |target| self.outputs(target));
        let signals = self.signals_of(node);
        for input in self.inputs(node) {
            let draft = self.passing(node).taking([input]).putting(behind.iter().copied());
            match self.caught(node) {
                Some(event) if self.diagram.nodes[event].interrupts => {
                    let draft = self.draft(node).taking([input]).putting(self.sends(node).iter().copied());
                    let draft = self.interrupting(event, draft);
                    self.emit_throwing(draft, signals.clone());
                }
                Some(event) => {
                    let draft = draft.putting(self.outputs(event));
                    self.emit_throwing(draft, signals.clone());
                }
                None => self.emit_throwing(draft, signals.clone()),
            }
        }
    }

    /// An end event. Those that end a part of the process empty it.
    pub(super) fn end(&mut self, node: NodeId) {
        let known = &self.diagram.nodes[node];
        let signals = self.signals_of(node);
        let caught = self.caught(node);
        let behind = link_target(self.diagram, node).map_or(Vec::new(), |target| self.outputs(target));
        let ends = |trigger: &Trigger| match trigger {
            Trigger::Terminate => Some(known.container),
            Trigger::Error(_) if caught.is_none() => Some(Container::Pool(self.diagram.pool_of(known.container))),
            _ => None,
        };
        let emptied = known.triggers.iter().find_map(ends).map_or(Vec::new(), |container| self.emptied(container));
        if self.switches.ends == Ends::Counted && !emptied.is_empty() {
            // One step, whichever flows have tokens.
            let inputs = self.inputs(node);
            for (number, &input) in inputs.iter().enumerate() {
                let before = inputs[..number].iter().copied();
                let draft = self.draft(node).taking([input]).without(before).putting(self.places.end[node]);
                self.emit(draft.emptying(emptied.iter().copied()));
            }
            return;
        }
        for input in self.inputs(node) {
            let draft = self.draft(node).taking([input]).putting(self.sends(node).iter().copied());
            let draft = draft.putting(self.places.end[node]).putting(behind.iter().copied());
            let draft = match caught {
                Some(event) if self.diagram.nodes[event].interrupts => self.interrupting(event, draft),
                Some(event) => draft.putting(self.outputs(event)),
                None => draft.emptying(emptied.iter().copied()),
            };
            self.emit_throwing(draft, signals.clone());
        }
    }

    /// An event on a border interrupts its activity, and goes on.
    pub(super) fn interrupting(&self, event: NodeId, draft: Draft) -> Draft {
        let Some(host) = self.diagram.nodes[event].host else { return draft };
        let inside = match self.diagram.nodes[host].sort {
            Sort::Sub => self.inside(Container::Sub(host)),
            _ => Vec::new(),
        };
        let draft = draft.taking(self.places.busy[host]).emptying(inside).emptying(self.left(host));
        draft.putting(self.outputs(event)).putting(self.sends(event).iter().copied())
    }

    /// The places of events on the border of an activity that can still come.
    pub(super) fn left(&self, host: NodeId) -> Vec<PlaceId> {
        self.diagram.boundaries(host).filter_map(|event| self.places.once[event]).map(|(place, _)| place).collect()
    }
}
