//! Staying inside a set for ever, or until it can be left: the greatest fixpoint νZ. W ∩ (X ∪ pre(Z)), which
//! is `EG` and its relatives, level by level.
//!
//! Iterated over the whole set, the fixpoint needs as many rounds as the longest path that fails to stay has
//! steps, and the sets on the way can be far larger than the first and the last. Here it is nested instead,
//! in the manner of saturation. The states with the same values on the levels above l, as a set over the
//! levels from l down, lose and keep members by the events that start below l alone, once it is known which
//! of them are kept *by the events above*: these join the exits X. So a node W on level l, with children W(i),
//! and its exits X are closed by
//!
//! > Z(i) := stay(Z(i), X(i) ∪ ⋃ { Z(i) ∩ pre of e's rest (Z(j)) : e starts on level l and leads from i to j })
//!
//! from Z(i) = W(i), until no child changes; `stay` on the level below is the same operation. A child is
//! looked at again only when one of the Z(j) that its events lead to has lost something, in the order of
//! [`Sweep`]: where a level has many values, losses run along them.
//!
//! *Correct* since it is a chaotic iteration (Cousot and Cousot 1977; nested fixpoints of one sign merge by
//! Bekić's principle): all Z(i) contain the greatest fixpoint at any time, and when nothing changes they are a
//! fixpoint. Results are cached by (W, X).

use super::preimage::Preimage;
use super::sweep::Sweep;
use crate::mdd::{EdgeRef, Held, Session, is_empty};
use crate::relation::{Link, Relation};
use crate::stop_reason::StopReason;

/// Operator numbers that this needs, beside those of pre-images.
pub(crate) const OPERATORS: u32 = 1;

/// The fixpoint for one relation.
pub(crate) struct Staying<'r, 's, 'm, 'id> {
    relation: &'r Relation,
    session: &'s Session<'m, 'id>,
    preimage: Preimage<'r, 's, 'm, 'id>,
    operator: u32,
}

impl<'r, 's, 'm, 'id> Staying<'r, 's, 'm, 'id> {
    /// With an operator number and those of pre-images, reserved for this purpose and relation.
    pub(crate) fn new(relation: &'r Relation, session: &'s Session<'m, 'id>, operator: u32, preimage: u32) -> Self {
        Staying { relation, session, preimage: Preimage::new(relation, session, preimage), operator }
    }

    /// The states of `within` from which some path stays in `within` for ever or until it is in `exits`, which
    /// is a subset of `within`.
    pub(crate) fn staying(
        &self,
        within: EdgeRef<'_, 'id>,
        exits: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        // An event that is enabled everywhere and changes nothing is a way to stay.
        if self.preimage.always() {
            return Ok(self.session.hold(within));
        }
        if !self.relation.is_conjunctive() {
            return self.stay(0, within, exits);
        }
        // Step by step: what has neither an exit nor a successor left is dropped.
        let mut stays = self.session.hold(within);
        loop {
            let before = self.preimage.all(stays.edge(), stays.edge())?;
            let leaving = self.session.intersection(0, exits, stays.edge())?;
            let next = self.session.union(0, before.edge(), leaving.edge())?;
            if next.edge() == stays.edge() {
                return Ok(stays);
            }
            stays = next;
        }
    }

    fn stay(&self, level: u32, within: EdgeRef<'_, 'id>, exits: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        if level == self.relation.levels() || within == exits || is_empty(within) {
            return Ok(self.session.hold(exits));
        }
        if let Some(result) = self.session.cached(self.operator, [within, exits, within]) {
            return Ok(result);
        }
        let mut parts: Vec<Part<'_, 'm, 'id>> = Vec::new();
        for (value, child) in self.session.pairs(within) {
            let exits = self.session.child(exits, value);
            parts.push(Part { value, stays: self.session.hold(child), exits });
        }
        let mut sweep = Sweep::new(parts.len());
        while let Some(at) = sweep.next() {
            self.session.tick()?;
            if self.settle(level, &mut parts, at)? {
                self.unsettle(level, &parts, &mut sweep, parts[at].value);
            }
        }
        let mut list = self.session.list();
        for part in parts {
            list.push(part.value, part.stays);
        }
        let result = self.session.node(level, list)?;
        self.session.remember(self.operator, [within, exits, within], &result);
        Ok(result)
    }

    /// Compute one child anew from the others; has it lost anything?
    fn settle(&self, level: u32, parts: &mut [Part<'_, 'm, 'id>], at: usize) -> Result<bool, StopReason> {
        let part = &parts[at];
        let stays = part.stays.edge();
        if is_empty(stays) {
            return Ok(false);
        }
        let mut exits = match part.exits {
            Some(exits) => self.session.intersection(level + 1, exits, stays)?,
            None => self.session.empty(),
        };
        for &event in self.relation.tops(level) {
            if exits.edge() == stays {
                return Ok(false);
            }
            let mut lead_to = |after: u32, next| {
                let Ok(target) = parts.binary_search_by_key(&after, |part| part.value) else { return Ok(()) };
                let through = self.preimage.through(next, level + 1, parts[target].stays.edge(), stays)?;
                exits = self.session.union(level + 1, exits.edge(), through.edge())?;
                Ok::<(), StopReason>(())
            };
            match self.relation.link(self.relation.events()[event as usize].first) {
                // A successor out of range is not reachable, so not in the set.
                Link::Step { step, next } => {
                    step.image(part.value).in_range().try_for_each(|after| lead_to(after, *next))?;
                }
                Link::Branch { branches, .. } => {
                    let arms = branches.arms(part.value).iter();
                    let mut leading = arms.filter_map(|arm| Some((arm.after(part.value).ok()?, arm.tail.next)));
                    leading.try_for_each(|(after, next)| lead_to(after, next))?;
                }
            }
        }
        let result = self.stay(level + 1, stays, exits.edge())?;
        let shrunk = result.edge() != stays;
        parts[at].stays = result;
        Ok(shrunk)
    }

    /// A child has lost something: those with events that lead to it are to be looked at again.
    fn unsettle(&self, level: u32, parts: &[Part<'_, 'm, 'id>], sweep: &mut Sweep, value: u32) {
        for &event in self.relation.tops(level) {
            let mut unsettle = |before: u32| {
                if let Ok(source) = parts.binary_search_by_key(&before, |part| part.value) {
                    sweep.again(source);
                }
            };
            match self.relation.link(self.relation.events()[event as usize].first) {
                Link::Step { step, .. } => {
                    step.preimage(value).in_range().for_each(unsettle);
                }
                Link::Branch { branches, .. } => {
                    let before = branches.before(value, parts.iter().map(|part| part.value));
                    before.into_iter().for_each(|(before, _)| unsettle(before));
                }
            }
        }
    }
}

/// A child of a node under construction.
struct Part<'a, 'm, 'id> {
    value: u32,
    /// The states that are left of it.
    stays: Held<'m, 'id>,
    exits: Option<EdgeRef<'a, 'id>>,
}
