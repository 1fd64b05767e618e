//! A relation as the search for attractors uses it: closures forwards and backwards, and single events.

use crate::budget::Budget;
use crate::mdd::Mdd;
use crate::relation::{Footprint, Relation};
use crate::stop_reason::StopReason;
use crate::symbolic::backward::{self, Backward};
use crate::symbolic::conjunctive::standing;
use crate::symbolic::enabled::Enabled;
use crate::symbolic::image::{self, Image};
use crate::symbolic::saturation::{self, Saturation};

/// The steps of a relation, with operator numbers of their own. It leads out of none of the sets that are asked about.
pub(super) struct Steps {
    /// With the events of each level as one.
    united: Relation,
    forward: u32,
    backward: u32,
    image: u32,
}

impl Steps {
    pub(super) fn new(relation: &Relation, beside: &Mdd, budget: &Budget) -> Result<Steps, StopReason> {
        let united = relation.level_union(budget)?;
        let (forwards, backwards) = (saturation::operators(&united), backward::operators(&united));
        let all = forwards + backwards + image::operators(&united);
        let forward = beside.with_session(budget, |session, _| session.reserve_operators(all))?;
        Ok(Steps { united, forward, backward: forward + forwards, image: forward + forwards + backwards })
    }

    /// The states of a closed set that are reached from a part of it.
    pub(super) fn forward(&self, from: &Mdd, within: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        if !self.united.is_conjunctive() {
            return from.run(budget, |session, from| {
                Saturation::with_operators(&self.united, session, self.forward).reachable_from(from, &mut None)
            });
        }
        let (mut reached, mut new) = (from.clone(), from.clone());
        while !new.is_empty() && reached != *within {
            new = self.post(&new, budget)?.difference(&reached, budget)?;
            reached = reached.union(&new, budget)?;
        }
        Ok(reached)
    }

    /// The states of a set that reach a part of it inside.
    pub(super) fn backward(&self, to: &Mdd, within: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        to.run(budget, |session, to| {
            Backward::new(&self.united, session, self.backward).reaching(to, within.edge(session)?)
        })
    }

    /// The successors of a set.
    pub(super) fn post(&self, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        set.run(budget, |session, set| Image::new(&self.united, session, self.image).post(set))
    }
}

/// The events of a relation one by one.
pub(super) struct Events<'r> {
    pub(super) relation: &'r Relation,
    pub(super) footprints: Vec<Footprint>,
    image: u32,
}

impl<'r> Events<'r> {
    pub(super) fn new(relation: &'r Relation, beside: &Mdd, budget: &Budget) -> Result<Self, StopReason> {
        let footprints = (0..relation.events().len() as u32).map(|event| relation.footprint(event)).collect();
        let operators = image::operators(relation);
        let image = beside.with_session(budget, |session, _| session.reserve_operators(operators))?;
        Ok(Events { relation, footprints, image })
    }

    /// The states of a set in which an event is enabled.
    pub(super) fn enabled(&self, event: u32, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        set.run(budget, |session, set| Enabled::new(self.relation, session)?.event(event, set))
    }

    /// The states of a set in which one of these events is enabled.
    pub(super) fn some_enabled(&self, events: &[u32], set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        set.run(budget, |session, set| {
            let enabled = Enabled::new(self.relation, session)?;
            let mut some = session.empty();
            for &event in events {
                // What is known already is not asked again.
                let rest = session.difference(0, set, some.edge())?;
                let more = enabled.event(event, rest.edge())?;
                some = session.union(0, some.edge(), more.edge())?;
            }
            Ok(some)
        })
    }

    /// The states of a set in which two of these events are enabled.
    pub(super) fn two_enabled(&self, events: &[u32], set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        set.run(budget, |session, set| {
            let enabled = Enabled::new(self.relation, session)?;
            let (mut one, mut two) = (session.empty(), session.empty());
            for &event in events {
                let here = enabled.event(event, set)?;
                let again = session.intersection(0, one.edge(), here.edge())?;
                two = session.union(0, two.edge(), again.edge())?;
                one = session.union(0, one.edge(), here.edge())?;
            }
            Ok(two)
        })
    }

    /// The successors of a set by an event.
    pub(super) fn post(&self, event: u32, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        set.run(budget, |session, set| Image::new(self.relation, session, self.image).post_event(event, set))
    }
}

/// The states of a set with a step to themselves, of a relation whose steps move all variables at once.
pub(super) fn fixed(relation: &Relation, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    set.run(budget, |session, set| standing(relation, session, set))
}
