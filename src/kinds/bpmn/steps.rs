//! The net of a diagram as a next-state function: a group for each transition.
//!
//! A group reads the places that it takes from, tests, or adds to, and writes those that it changes. What it empties it
//! writes without reading.

use super::process_net::{PlaceId, ProcessNet};
use crate::kinds::pins::{Batch, Direct, Group, ModelError, Moves, NextState, Signature, Successors, Value, Variable};

/// A next-state function.
#[derive(Debug)]
pub(super) struct Steps {
    net: ProcessNet,
    signature: Signature,
}

impl Steps {
    pub(super) fn new(net: ProcessNet) -> Self {
        let variable = |name: &String| Variable { name: name.clone(), kind: 0 };
        let groups = net.transitions.iter().map(|transition| {
            let emptied = |place: &PlaceId| transition.resets.contains(place);
            let inputs = || transition.inputs.iter().map(|&(place, _)| place);
            let outputs = || transition.outputs.iter().map(|&(place, _)| place);
            let mut reads: Vec<PlaceId> = inputs().collect();
            reads.extend(transition.reads.iter().chain(&transition.inhibitors).copied());
            let is_bounded = |place: &PlaceId| net.places[*place].most.is_some();
            reads.extend(outputs().filter(|place| !emptied(place) || is_bounded(place)));
            let mut writes: Vec<PlaceId> = inputs().chain(outputs()).collect();
            writes.extend(&transition.resets);
            for list in [&mut reads, &mut writes] {
                list.sort_unstable();
                list.dedup();
            }
            let needs = transition.inhibitors.iter().map(|&place| (place, 0)).collect();
            let name = transition.name.clone();
            Group { name, reads, must_write: writes, may_write: Vec::new(), needs }
        });
        let signature = Signature {
            name: net.name.clone(),
            types: vec!["tokens".to_owned()],
            variables: net.places.iter().map(|place| variable(&place.name)).collect(),
            initial: vec![net.initial()],
            groups: groups.collect(),
            labels: Vec::new(),
        };
        Steps { net, signature }
    }

    fn fire(&self, group: usize, tokens: &mut [Value]) -> Result<bool, ModelError> {
        let (transition, places) = (&self.net.transitions[group], &self.net.places);
        if !transition.is_enabled(places, tokens) {
            return Ok(false);
        }
        let fired = transition.fire(places, tokens);
        fired.map(|()| true).ok_or_else(|| ModelError(format!("`{}` puts too many tokens", transition.name)))
    }
}

impl NextState for Steps {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let known = &self.signature.groups[group];
        let mut tokens = vec![0; self.net.places.len()];
        for short in batch.iter() {
            // What is emptied without being read has no token before, which makes no difference.
            known.must_write.iter().for_each(|&place| tokens[place] = 0);
            known.reads.iter().zip(short).for_each(|(&place, &value)| tokens[place] = value);
            if self.fire(group, &mut tokens)? {
                successors.push(group as u32, known.must_write.iter().map(|&place| tokens[place]));
            }
            successors.end();
        }
        Ok(())
    }

    fn direct(&self) -> Option<&dyn Direct> {
        Some(self)
    }
}

impl Direct for Steps {
    fn moves(&self, state: &[Value], moves: &mut Moves) -> Result<(), ModelError> {
        let mut tokens = state.to_vec();
        moves.ask(self.net.transitions.len());
        for group in 0..self.net.transitions.len() {
            if self.fire(group, &mut tokens)? {
                for &place in &self.signature.groups[group].must_write {
                    moves.write(place, tokens[place]);
                    tokens[place] = state[place];
                }
                moves.end(group);
            }
        }
        Ok(())
    }
}
