//! Inclusive gateways: one joins the tokens that are there as soon as no other can come.
//!
//! For an incoming flow f of a gateway let `before(f)` be the places from which a token can get onto f without passing
//! the gateway. The gateway takes one token from each flow of a set S if there is none on the other flows, and none in
//! `before(f)` for a flow f outside of S, but where it may as well get onto a flow of S (the semantics of the standard
//! after Völzer, "A New Semantics for the Inclusive Converging Gateway in Safe Processes", BPM 2010). Messages and events
//! on borders bring no token. Then it marks any set of outgoing flows, at least one; the default flow only alone.

use super::super::diagram::{FlowId, NodeId};
use super::super::problem::Problem;
use super::super::process_net::PlaceId;
use super::super::resolve::link_target;
use super::builder::{MOST, Mapping};
use fixedbitset::FixedBitSet;

impl Mapping<'_> {
    pub(super) fn inclusive(&mut self, node: NodeId) -> Result<(), Problem> {
        let known = &self.diagram.nodes[node];
        // With each place, what may still come there.
        let mut inputs: Vec<(PlaceId, FixedBitSet)> = Vec::new();
        for &flow in &known.incoming {
            if let Some(place) = self.places.flows[flow] {
                inputs.push((place, self.before(node, flow)));
            }
        }
        inputs.extend(self.places.begun[node].map(|place| (place, FixedBitSet::with_capacity(self.net.places.len()))));
        let outputs = self.splits(node);
        let many = 1usize.checked_shl(inputs.len() as u32).and_then(|sets| sets.checked_mul(outputs.len()));
        if many.is_none_or(|many| many > MOST) || outputs.is_empty() {
            let message =
                format!("inclusive gateway `{}` has more than {MOST} combinations of flows; split it", known.id);
            return Err(Problem::new(known.line, message));
        }
        for set in 1..1usize << inputs.len() {
            let is_in = |number: usize| set >> number & 1 == 1;
            let mut own = FixedBitSet::with_capacity(self.net.places.len());
            let mut others = own.clone();
            for (number, (place, before)) in inputs.iter().enumerate() {
                if is_in(number) {
                    own.union_with(before);
                } else {
                    others.union_with(before);
                    others.insert(*place);
                }
            }
            // What is on a flow itself is not on its way to another.
            let mut without: Vec<PlaceId> = others.difference(&own).collect();
            let taken: Vec<PlaceId> =
                (0..inputs.len()).filter(|&number| is_in(number)).map(|number| inputs[number].0).collect();
            without.retain(|place| !taken.contains(place));
            for output in &outputs {
                let draft = self.draft(node).taking(taken.iter().copied()).without(without.iter().copied());
                let (flows, places): (Vec<FlowId>, Vec<PlaceId>) = output.iter().copied().unzip();
                self.emit(draft.putting(places).deciding(flows));
            }
        }
        Ok(())
    }

    /// The sets of flows that it marks, with their places; none at all where it has no flow.
    fn splits(&self, node: NodeId) -> Vec<Vec<(FlowId, PlaceId)>> {
        let is_default = |way: &(FlowId, PlaceId)| Some(way.0) == self.diagram.nodes[node].default;
        let (default, others): (Vec<_>, Vec<_>) = self.ways(node).into_iter().partition(is_default);
        let default = default.first().copied();
        if others.is_empty() && default.is_none() {
            return vec![Vec::new()];
        }
        if others.len() > MOST.ilog2() as usize {
            return Vec::new();
        }
        let chosen =
            |set: usize| (0..others.len()).filter(|number| set >> number & 1 == 1).map(|n| others[n]).collect();
        let mut splits: Vec<Vec<(FlowId, PlaceId)>> = (1..1usize << others.len()).map(chosen).collect();
        splits.extend(default.map(|way| vec![way]));
        splits
    }

    /// The places from which a token can get onto a flow without passing the gateway that it leads to.
    fn before(&self, gateway: NodeId, flow: FlowId) -> FixedBitSet {
        let diagram = self.diagram;
        let mut before = FixedBitSet::with_capacity(self.net.places.len());
        let mut seen = FixedBitSet::with_capacity(diagram.nodes.len());
        let mut next = vec![diagram.flows[flow].source];
        while let Some(node) = next.pop() {
            if node == gateway || seen.put(node) {
                continue;
            }
            before.extend(self.places.busy[node]);
            before.extend(self.places.begun[node]);
            for &flow in &diagram.nodes[node].incoming {
                before.extend(self.places.flows[flow]);
                next.push(diagram.flows[flow].source);
            }
            // A link comes from where its name is thrown.
            let siblings = diagram.children(diagram.nodes[node].container).iter().copied();
            next.extend(siblings.filter(|&other| link_target(diagram, other) == Some(node)));
        }
        before
    }
}
