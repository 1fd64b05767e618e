//! A relation as the search for attractors uses it: closures forwards and backwards, and single events.

use crate::budget::{Budget, Exhausted};
use crate::mdd::Mdd;
use crate::relation::{Footprint, Relation};
use crate::stop_reason::StopReason;
use crate::symbolic::backward::{self, Backward};
use crate::symbolic::conjunctive::standing;
use crate::symbolic::enabled::{self, Enabled};
use crate::symbolic::image::{self, Image};
use crate::symbolic::preimage;
use crate::symbolic::saturation::{self, Saturation};

/// The steps of a relation, with operator numbers of their own. It leads out of none of the sets that are asked about.
pub(super) struct Steps {
    /// With the events of each level as one.
    united: Relation,
    forward: u32,
    backward: u32,
    preimage: u32,
    image: u32,
}

impl Steps {
    pub(super) fn new(relation: &Relation, beside: &Mdd, budget: &Budget) -> Result<Steps, StopReason> {
        let united = relation.level_union(budget)?;
        let (forwards, backwards) = (saturation::operators(&united), backward::operators(&united));
        let preimages = preimage::operators(&united);
        let all = forwards + backwards + preimages + image::operators(&united);
        let forward = beside.with_session(budget, |session, _| session.reserve_operators(all))?;
        let backward = forward + forwards;
        let preimage = backward + backwards;
        Ok(Steps { united, forward, backward, preimage, image: preimage + preimages })
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
            Backward::new(&self.united, session, self.backward, self.preimage).reaching(to, within.edge(session)?)
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
    enabled: u32,
}

impl<'r> Events<'r> {
    pub(super) fn new(relation: &'r Relation, beside: &Mdd, budget: &Budget) -> Result<Self, StopReason> {
        let footprints = (0..relation.events().len() as u32).map(|event| relation.footprint(event)).collect();
        let (images, all) = (image::operators(relation), enabled::operators(relation));
        let image = beside.with_session(budget, |session, _| session.reserve_operators(images + all))?;
        Ok(Events { relation, footprints, image, enabled: image + images })
    }

    /// The states of a set in which an event is enabled.
    pub(super) fn enabled(&self, event: u32, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        set.run(budget, |session, set| Enabled::with_operators(self.relation, session, self.enabled).event(event, set))
    }

    /// The states of a set in which one of these events is enabled.
    pub(super) fn some_enabled(&self, events: &[u32], set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        set.run(budget, |session, set| {
            let enabled = Enabled::with_operators(self.relation, session, self.enabled);
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
            let enabled = Enabled::with_operators(self.relation, session, self.enabled);
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

    /// Add what events lead to, the first ones first, until nothing is added; or something, where that takes more work,
    /// in nodes. Is nothing left to be added?
    fn close(&self, events: &[u32], reached: &mut Mdd, work: u64, budget: &Budget) -> Result<bool, StopReason> {
        let (mut next, mut done) = (0, 0);
        let mut size = reached.size().nodes as u64;
        while let Some(&event) = events.get(next) {
            done += size;
            if done > work {
                return Ok(false);
            }
            let more = reached.union(&self.post(event, reached, budget)?, budget)?;
            next += 1;
            if more != *reached {
                (*reached, next) = (more, 0);
                size = reached.size().nodes as u64;
            }
        }
        Ok(true)
    }

    /// The successors of a set by an event.
    pub(super) fn post(&self, event: u32, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        set.run(budget, |session, set| Image::new(self.relation, session, self.image).post_event(event, set))
    }
}

/// The first share of work of each way to a closure, and the factor between shares.
pub(super) const SHARE: u64 = 1 << 18;
pub(super) const FACTOR: u64 = 4;
/// What one event after the other gets for each work of saturation: its sets are small, and most events add nothing.
const EVENTS: u64 = 64;

/// The states of a closed set that are reached from a part of it, by the events of `steps`, which are these ones: by
/// saturation, and by one event after the other, the lowest first again and again. They take turns, with shares of work
/// that grow: where a component is large, saturation may make much larger sets on the way.
pub(super) fn closure(
    steps: &Steps,
    events: &Events<'_>,
    active: &[u32],
    from: &Mdd,
    within: &Mdd,
    budget: &Budget,
) -> Result<Mdd, StopReason> {
    let (mut reached, mut share) = (from.clone(), SHARE);
    while !go_on((steps, events, active), &mut reached, within, share, budget)? {
        share = share.saturating_mul(FACTOR);
    }
    Ok(reached)
}

/// Add to what is reached on the way to a closure, with a share of work. Is nothing left to be added?
pub(super) fn go_on(
    (steps, events, active): (&Steps, &Events<'_>, &[u32]),
    reached: &mut Mdd,
    within: &Mdd,
    share: u64,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let limited = budget.clone().with_work(share);
    if let Some(all) = unless_exhausted(steps.forward(reached, within, &limited), &limited)? {
        *reached = all;
        return Ok(true);
    }
    let lowest = |&event: &u32| events.footprints[event as usize].changes.last().copied();
    let mut active = active.to_vec();
    active.sort_by_key(|event| std::cmp::Reverse(lowest(event)));
    events.close(&active, reached, share.saturating_mul(EVENTS), budget)
}

/// A result, if a share of work was enough for it.
pub(super) fn unless_exhausted<T>(result: Result<T, StopReason>, limited: &Budget) -> Result<Option<T>, StopReason> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(StopReason::Exhausted(Exhausted::Work)) if limited.work().is_some() => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// The states of a set with a step to themselves, of a relation whose steps move all variables at once.
pub(super) fn fixed(relation: &Relation, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    set.run(budget, |session, set| standing(relation, session, set))
}
