//! Candidates for attractors from the network without its mediators ([`Relation::mediated`]).
//!
//! **What is kept.** A state of the smaller network stands for the one with the same values in which each mediator has
//! what its function says; there is one, as none depends on itself after those before it have been left out. A step of
//! the smaller network is a way of the larger one between such states: first the step itself, then each mediator moves to
//! its new target, which does not move meanwhile. From each state of an attractor the mediators can move to their
//! targets, and so the states of the smaller network that stand for states in it are some, and no step leads out of them.
//! Hence *each attractor has in it what stands for an attractor of the smaller network*. The converse is not true: what
//! reaches another attractor by steps with mediators on their way has one of its own in the smaller network, where
//! there are no such steps. (Fixed points are the same in both.) So what is found there are candidates: those that lead to
//! another one are given up in the network itself, and all that one of the others reaches is an attractor, with its
//! states in the network itself. Of these, what the smaller network reaches is found first: a part from which the rest is
//! quicker.
//!
//! Sources: Naldi, Remy, Thieffry, Chaouiya, *Dynamically consistent reduction of logical regulatory graphs*, Theoretical
//! Computer Science 412, 2011 (ways are kept); Veliz-Cuba, *Reduction of Boolean network models*, Journal of Theoretical
//! Biology 289, 2011 (fixed points).
//!
//! [`Relation::mediated`]: crate::relation::Relation

use super::representatives::Network;
use super::steps::{Events, Steps, closure};
use crate::budget::Budget;
use crate::mdd::{Mdd, Sections};
use crate::relation::Mediated;
use crate::stop_reason::StopReason;

/// A network without its mediators, which have the value 0 in its states.
pub(super) struct Smaller<'r> {
    events: Events<'r>,
    steps: Steps,
    without: &'r [u32],
    states: Mdd,
    /// Parts of states that differ in mediators alone.
    alike: Sections,
}

impl<'r> Smaller<'r> {
    /// Over the levels of these states.
    pub(super) fn new(mediated: &'r Mediated, states: &Mdd, budget: &Budget) -> Result<Self, StopReason> {
        let (sizes, without) = (states.sizes(), &mediated.without[..]);
        let kept = (0..sizes.len() as u32).map(|level| !without.contains(&level)).collect();
        let alike = Sections::new(kept, sizes, states, budget)?;
        let mut own = states.clone();
        for &level in without {
            own = own.intersection(&alike.slice(states, level, 0, budget)?, budget)?;
        }
        let relation = &mediated.relation;
        let (events, steps) = (Events::new(relation, states, budget)?, Steps::new(relation, states, budget)?);
        Ok(Smaller { events, steps, without, states: own, alike })
    }

    /// The search for representatives in it.
    pub(super) fn network(&self, sizes: &[u32]) -> Option<Network<'_, 'r>> {
        Network::new(&self.events, sizes, &self.states)
    }

    /// Of what some states reach in the larger network, in which mediators have what their functions say, a part: what they
    /// reach in this one.
    pub(super) fn reached(
        &self,
        from: &Mdd,
        events: &Events<'_>,
        states: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let all: Vec<u32> = (0..self.events.footprints.len() as u32).collect();
        let from = self.alike.shadow(from, budget)?.intersection(&self.states, budget)?;
        let reached = closure(&self.steps, &self.events, &all, &from, &self.states, budget)?;
        self.lifted(&reached, events, states, budget)
    }

    /// The states for which some of its states stand, in the network with these events.
    pub(super) fn lifted(
        &self,
        chosen: &Mdd,
        events: &Events<'_>,
        states: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let mut lifted = self.alike.shadow(chosen, budget)?.intersection(states, budget)?;
        for (event, footprint) in (0..).zip(&events.footprints) {
            if footprint.changes.iter().any(|level| self.without.contains(level)) {
                lifted = lifted.difference(&events.enabled(event, &lifted, budget)?, budget)?;
            }
        }
        Ok(lifted)
    }
}
