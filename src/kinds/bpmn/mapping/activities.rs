//! Tasks, sub-processes, event sub-processes, and events on their borders.

use super::super::diagram::{Container, NodeId, Sort};
use super::super::process_net::PlaceId;
use super::builder::Mapping;
use super::consumers::Wait;
use super::draft::{Catcher, Draft};

impl Mapping<'_> {
    /// A task takes one step; two if an event on its border can come between them.
    pub(super) fn task(&mut self, node: NodeId) {
        let inputs = self.inputs(node);
        let waits = self.diagram.nodes[node].sort == Sort::ReceiveTask;
        let Some(busy) = self.places.busy[node] else {
            for input in inputs {
                let draft = self.passing(node).taking([input]).beginning(node);
                if waits { self.emit_waiting(node, &draft) } else { self.emit(draft) }
            }
            return;
        };
        for input in inputs {
            let draft = self.draft(node).taking([input]).putting([busy]).beginning(node);
            let draft = self.activated(node, draft);
            self.emit(draft);
        }
        let draft = self.passing(node).taking([busy]).emptying(self.left(node));
        let draft = draft.ending(&self.diagram.nodes[node].id, self.diagram.nodes[node].shown());
        if waits { self.emit_waiting(node, &draft) } else { self.emit(draft) }
    }

    /// The events on the border of an activity that begins can come.
    fn activated(&self, host: NodeId, draft: Draft) -> Draft {
        let once = self.diagram.boundaries(host).filter_map(|event| self.places.once[event]);
        once.fold(draft, |draft, (place, times)| draft.putting_times(place, times))
    }

    /// A sub-process begins, ends when nothing is left in it, and may begin again before that.
    pub(super) fn sub_process(&mut self, node: NodeId) {
        let Some(busy) = self.places.busy[node] else { return };
        let inside = self.inside(Container::Sub(node));
        let (id, name) = (self.diagram.nodes[node].id.clone(), self.diagram.nodes[node].shown().to_owned());
        for input in self.inputs(node) {
            for begun in self.beginnings(node) {
                let draft = self.draft(node).taking([input]).without([busy]).putting([busy]).putting(begun);
                let draft = self.activated(node, draft.beginning(node));
                self.emit(draft);
            }
        }
        let draft = self.passing(node).taking([busy]).without(inside.iter().copied()).emptying(self.left(node));
        self.emit(draft.ending(&id, &name));
        if self.diagram.nodes[node].repeats {
            for begun in self.beginnings(node) {
                let mut draft = self.draft(node).reading([busy]).without(inside.iter().copied()).putting(begun);
                draft.transition.id = format!("{id}.again");
                draft.transition.name = format!("{name} again");
                self.emit(draft);
            }
        }
        for start in self.diagram.starts(Container::Sub(node)) {
            if let Some(waiting) = self.places.waiting[start] {
                let draft = self.passing(start).taking([waiting]);
                self.emit_waiting(start, &draft);
            }
        }
    }

    /// The tokens with which a sub-process begins: by one of its start events, or with all nodes that nothing leads to.
    fn beginnings(&self, node: NodeId) -> Vec<Vec<PlaceId>> {
        let container = Container::Sub(node);
        let starts = self.diagram.starts(container);
        if starts.is_empty() {
            let beginners = self.diagram.beginners(container);
            return vec![beginners.iter().filter_map(|&node| self.places.begun[node]).collect()];
        }
        let begun = |start: NodeId| match self.places.waiting[start] {
            Some(waiting) => vec![waiting],
            None => self.outputs(start).into_iter().chain(self.sends(start).iter().copied()).collect(),
        };
        let never = |start: NodeId| self.diagram.nodes[start].left_out;
        starts.into_iter().filter(|&start| !never(start)).map(begun).collect()
    }

    /// A sub-process that an event starts, as long as what is around it runs.
    pub(super) fn event_sub_process(&mut self, node: NodeId) {
        let Some(running) = self.places.running[node] else { return };
        let around = self.diagram.nodes[node].container;
        let Some(marker) = self.marker(around) else { return };
        for start in self.diagram.starts(Container::Sub(node)) {
            if self.diagram.nodes[start].left_out {
                continue;
            }
            let draft = self.passing(start).reading([marker]).without([running]).putting([running]);
            let draft = match self.diagram.nodes[start].interrupts {
                true => draft.emptying(self.inside(around).into_iter().filter(|&place| place != marker)),
                false => draft,
            };
            self.emit_waiting(start, &draft);
        }
        let inside = self.inside(Container::Sub(node));
        let draft = self.draft(node).taking([running]).without(inside);
        self.emit(draft.ending(&self.diagram.nodes[node].id, self.diagram.nodes[node].shown()));
    }

    /// An event on the border of an activity.
    pub(super) fn boundary(&mut self, node: NodeId) {
        let Some(host) = self.diagram.nodes[node].host else { return };
        let Some(busy) = self.places.busy[host] else { return };
        if self.diagram.nodes[node].interrupts {
            let draft = self.interrupting(node, self.draft(node));
            self.emit_waiting(node, &draft);
            return;
        }
        let draft = self.passing(node).reading([busy]);
        let once = self.places.once[node].map(|(place, _)| place);
        for wait in self.waits(node) {
            match wait {
                // Each message counts; anything else comes once during an activation.
                Wait::Message(channel) => self.emit(draft.clone().taking([channel])),
                Wait::Nothing => self.emit(draft.clone().taking(once)),
                Wait::Signal(signal) => {
                    let draft = draft.clone().taking(once);
                    self.catchers.push(Catcher { signal, draft });
                }
            }
        }
    }
}
