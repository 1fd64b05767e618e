//! Markings and the firing rule, written for clarity: the reference the engines are checked against.

use super::{Marking, PetriNet, PlaceId, TransitionId};

impl Marking {
    /// Tokens in `place`.
    pub fn tokens(&self, place: PlaceId) -> u64 {
        self.value(place)
    }
    /// Is `t` enabled here: every input place has enough tokens, every inhibitor place few enough?
    pub fn enables(&self, net: &PetriNet, t: TransitionId) -> bool {
        let t = net.transition(t);
        t.pre.iter().all(|a| self.tokens(a.place) >= a.weight)
            && t.inhibitors.iter().all(|a| self.tokens(a.place) < a.weight)
    }
    /// The marking after firing `t`; `None` if `t` is not enabled or a count would exceed `u64`.
    pub fn fire(&self, net: &PetriNet, t: TransitionId) -> Option<Marking> {
        if !self.enables(net, t) {
            return None;
        }
        let mut next = self.as_slice().to_vec();
        let t = net.transition(t);
        for a in &t.pre {
            next[a.place.index()] -= a.weight;
        }
        for a in &t.post {
            let tokens = &mut next[a.place.index()];
            *tokens = tokens.checked_add(a.weight)?;
        }
        Some(Marking::new(next))
    }
    /// Fire `t` in place; `false`, and nothing changes, if it is not enabled or a count would exceed `u64`.
    pub(crate) fn advance(&mut self, net: &PetriNet, t: TransitionId) -> bool {
        if !self.enables(net, t) {
            return false;
        }
        let t = net.transition(t);
        let taken = |place| t.pre.iter().find(|a| a.place == place).map_or(0, |a| a.weight);
        if !t.post.iter().all(|a| (self.tokens(a.place) - taken(a.place)).checked_add(a.weight).is_some()) {
            return false;
        }
        let tokens = self.values_mut();
        t.pre.iter().for_each(|a| tokens[a.place.index()] -= a.weight);
        t.post.iter().for_each(|a| tokens[a.place.index()] += a.weight);
        true
    }
    /// All transitions enabled here, in index order.
    pub fn enabled<'a>(&'a self, net: &'a PetriNet) -> impl Iterator<Item = TransitionId> + 'a {
        net.transition_ids().filter(|&t| self.enables(net, t))
    }
}
