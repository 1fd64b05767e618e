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
//! states in the network itself. These are searched directly, and by turns with that by what the smaller network reaches, then
//! with some of the mediators, and with more and more: each time a part, from which the rest is quicker.
//!
//! Sources: Naldi, Remy, Thieffry, Chaouiya, *Dynamically consistent reduction of logical regulatory graphs*, Theoretical
//! Computer Science 412, 2011 (ways are kept); Veliz-Cuba, *Reduction of Boolean network models*, Journal of Theoretical
//! Biology 289, 2011 (fixed points).
//!
//! [`Relation::mediated`]: crate::relation::Relation

use super::representatives::Network;
use super::steps::{Events, FACTOR, SHARE, Steps, go_on};
use crate::budget::Budget;
use crate::mdd::{Mdd, Sections};
use crate::relation::Mediated;
use crate::stop_reason::StopReason;
use std::sync::Arc;

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
    /// Over the levels of these states, which have these values.
    pub(super) fn new(
        mediated: &'r Mediated,
        values: &Arc<[Vec<u32>]>,
        states: &Mdd,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let without = &mediated.without[..];
        let kept = (0..values.len() as u32).map(|level| !without.contains(&level)).collect();
        let alike = Sections::new(kept, Arc::clone(values), states, budget)?;
        let mut own = states.clone();
        for &level in without {
            own = own.intersection(&alike.slice(states, level, 0, budget)?, budget)?;
        }
        let relation = &mediated.relation;
        let (events, steps) = (Events::new(relation, states, budget)?, Steps::new(relation, states, budget)?);
        Ok(Smaller { events, steps, without, states: own, alike })
    }

    /// The search for representatives in it.
    pub(super) fn network(&self, values: &Arc<[Vec<u32>]>) -> Option<Network<'_, 'r>> {
        Network::new(&self.events, values, &self.states)
    }

    /// What some states reach by these steps: directly; and by what they reach in networks without mediators, of which each has
    /// more of them than the one before. They take turns, with shares of work that grow.
    pub(super) fn reached(
        networks: &[&Self],
        from: &Mdd,
        (steps, events): (&Steps, &Events<'_>),
        states: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let all = |events: &Events<'_>| (0..events.footprints.len() as u32).collect::<Vec<u32>>();
        let (mut reached, mut share, mut open) = (from.clone(), SHARE, networks);
        let mut known = match networks.first() {
            Some(first) => first.alike.shadow(from, budget)?.intersection(&first.states, budget)?,
            None => from.clone(),
        };
        while !go_on((steps, events, &all(events)), &mut reached, states, share, budget)? {
            while let Some((first, rest)) = open.split_first() {
                let own = (&first.steps, &first.events, &all(&first.events)[..]);
                if !go_on(own, &mut known, &first.states, share, budget)? {
                    break;
                }
                let (events, states) = rest.first().map_or((events, states), |next| (&next.events, &next.states));
                known = first.lifted(&known, events, states, budget)?;
                if rest.is_empty() {
                    reached = reached.union(&known, budget)?;
                }
                open = rest;
            }
            share = share.saturating_mul(FACTOR);
        }
        Ok(reached)
    }

    /// The states for which some of its states stand, in a network with these events and states and more of the mediators.
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
