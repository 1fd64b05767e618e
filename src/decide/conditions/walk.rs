//! Random walks: cheap witnesses.
//!
//! A walk fires enabled transitions at random, starting again from the initial marking every so often, and
//! shows each marking to an observer. Whatever can be proved by one marking (a condition is reachable, a
//! place holds two tokens, a transition fires) is often proved within milliseconds; nothing is ever
//! concluded from what a walk has *not* seen.
//!
//! **Guided walks.** Blind walks seldom come to where many tokens have gathered. A *guided* walk fires, of some enabled
//! transitions, the one after which the least is missing from what is looked for: the *distance* of the marking from a
//! condition is the number of tokens that a comparison lacks, the sum over a conjunction and the least over a disjunction
//! ([`super::distance`]). Where that leads nowhere it starts over, with more patience each time.
//!
//! The set of enabled transitions is kept up to date: each transition counts the arcs that keep it disabled,
//! and a change of a place visits only the arcs whose threshold it crosses in doubt. A step costs the degree
//! of the places it changes, whatever the size of the net.

use super::valuation::Values;
use crate::budget::Budget;
use crate::kinds::Kind;
use crate::model::{Path, Step, Then};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::rng::Rng;

/// An arc that disables its transition: below `weight` tokens, or from there on (inhibitor).
struct Guard {
    transition: u32,
    weight: u64,
    inhibitor: bool,
}

/// A marking under way, with its enabled transitions.
pub(in crate::decide) struct Walk<'a> {
    net: &'a PetriNet,
    tokens: Vec<u64>,
    /// Arcs that keep each transition disabled.
    obstacles: Vec<u32>,
    /// The enabled transitions in any order, and where each of them is.
    enabled: Vec<u32>,
    position: Vec<u32>,
    guards: Vec<Vec<Guard>>,
    rng: Rng,
    /// The transitions fired since the initial marking.
    fired: Vec<u32>,
}

/// Steps from the initial marking before a walk starts over; the walks alternate between these.
const LENGTHS: [u32; 4] = [100, 1_000, 10_000, 100_000];

/// Steps of a descent for each transition of the net: one that has not come to a deadlock then goes round in circles.
const DESCENT: usize = 2;

/// How many of the enabled transitions are tried at each step of a guided walk, and out of how many steps one goes
/// anywhere.
const TRIED: usize = 12;
const ASTRAY: usize = 12;
/// Steps without progress after which a guided walk starts over, and more the second time.
const PATIENCE: usize = 100;

/// Steps between two looks at the clock.
const STEPS_PER_CHECK: u32 = 256;

impl Values for Walk<'_> {
    fn value(&self, place: PlaceId) -> u64 {
        self.tokens[place.index()]
    }
    fn enables(&self, _: &dyn Kind, t: TransitionId) -> bool {
        self.obstacles[t.index()] == 0
    }
}

impl<'a> Walk<'a> {
    /// A walk at the initial marking of `net`.
    pub(in crate::decide) fn new(net: &'a PetriNet) -> Self {
        Self::with_seed(net, 0)
    }

    /// Another seed is another walk.
    pub(in crate::decide) fn with_seed(net: &'a PetriNet, seed: u64) -> Self {
        let mut guards: Vec<Vec<Guard>> = net.places().iter().map(|_| Vec::new()).collect();
        for t in net.transition_ids() {
            let transition = net.transition(t);
            for (arcs, inhibitor) in [(&transition.pre, false), (&transition.inhibitors, true)] {
                for arc in arcs {
                    guards[arc.place.index()].push(Guard { transition: t.0, weight: arc.weight, inhibitor });
                }
            }
        }
        let transitions = net.transition_count();
        let mut walk = Walk {
            net,
            tokens: Vec::new(),
            obstacles: vec![0; transitions],
            enabled: Vec::new(),
            position: vec![u32::MAX; transitions],
            guards,
            rng: Rng::new(seed.wrapping_add(1)),
            fired: Vec::new(),
        };
        walk.restart();
        walk
    }

    /// Back to the initial marking.
    fn restart(&mut self) {
        self.tokens = self.net.places().iter().map(|p| p.initial).collect();
        self.enabled.clear();
        self.fired.clear();
        for t in self.net.transition_ids() {
            let transition = self.net.transition(t);
            let missing = transition.pre.iter().filter(|arc| self.tokens[arc.place.index()] < arc.weight).count();
            let inhibited = transition.inhibitors.iter().filter(|arc| self.tokens[arc.place.index()] >= arc.weight);
            self.obstacles[t.index()] = (missing + inhibited.count()) as u32;
            if self.obstacles[t.index()] == 0 {
                self.position[t.index()] = self.enabled.len() as u32;
                self.enabled.push(t.0);
            }
        }
    }

    /// The way from the initial marking to this one.
    pub(in crate::decide) fn path(&self) -> Path {
        let prefix = self.fired.iter().map(|&t| Step::from(TransitionId(t))).collect();
        let then = if self.enabled.is_empty() { Then::Deadlock } else { Then::Open };
        Path { prefix, then }
    }

    /// The enabled transitions.
    pub(in crate::decide) fn enabled(&self) -> impl Iterator<Item = TransitionId> + '_ {
        self.enabled.iter().map(|&t| TransitionId(t))
    }

    /// Walk until `observe` returns true (for done), or the budget is used up. Every marking visited is shown.
    pub(in crate::decide) fn run(&mut self, budget: &Budget, mut observe: impl FnMut(&Self) -> bool) {
        if observe(self) {
            return;
        }
        for round in 0usize.. {
            if self.enabled.is_empty() {
                return;
            }
            for step in 0..LENGTHS[round % LENGTHS.len()] {
                if step % STEPS_PER_CHECK == 0 && budget.check().is_err() {
                    return;
                }
                if self.enabled.is_empty() || !self.step() {
                    break;
                }
                if observe(self) {
                    return;
                }
            }
            if budget.check().is_err() {
                return;
            }
            self.restart();
        }
    }

    /// Walk on, without starting over: does that come to a deadlock within so many steps and the budget?
    pub(in crate::decide) fn ends(&mut self, steps: u32, budget: &Budget) -> bool {
        for step in 0..steps {
            if self.enabled.is_empty() {
                return true;
            }
            if step % STEPS_PER_CHECK == 0 && budget.check().is_err() || !self.step() {
                return false;
            }
        }
        false
    }

    /// Fire one of the enabled transitions; false if a count would leave 64 bits.
    fn step(&mut self) -> bool {
        let Some(&chosen) = self.rng.pick(&self.enabled) else { return false };
        if !self.fire(chosen) {
            return false;
        }
        self.fired.push(chosen);
        true
    }

    /// Fire an enabled transition; false if a count would leave 64 bits.
    fn fire(&mut self, t: u32) -> bool {
        let transition = self.net.transition(TransitionId(t));
        let room = |arc: &crate::net::Arc| self.tokens[arc.place.index()].checked_add(arc.weight).is_some();
        if !transition.post.iter().all(room) {
            return false;
        }
        for arc in &transition.pre {
            self.change(arc.place, |tokens| tokens - arc.weight);
        }
        for arc in &transition.post {
            self.change(arc.place, |tokens| tokens + arc.weight);
        }
        true
    }

    /// Take back the firing of a transition.
    fn take_back(&mut self, t: u32) {
        let transition = self.net.transition(TransitionId(t));
        for arc in &transition.post {
            self.change(arc.place, |tokens| tokens - arc.weight);
        }
        for arc in &transition.pre {
            self.change(arc.place, |tokens| tokens + arc.weight);
        }
    }

    /// Walk towards a deadlock from the initial marking: fire the transition that leaves the fewest enabled, the first of
    /// several, until none is enabled, `observe` returns true, or the budget is used up. Each firing that is tried costs
    /// the degree of its places.
    pub(in crate::decide) fn descend(&mut self, budget: &Budget, mut observe: impl FnMut(&Self) -> bool) {
        self.restart();
        let mut tried = 0u32;
        for _ in 0..DESCENT * self.position.len() {
            if observe(self) {
                return;
            }
            let mut best = None;
            for t in self.enabled.clone() {
                tried = tried.wrapping_add(1);
                if tried.is_multiple_of(STEPS_PER_CHECK) && budget.check().is_err() {
                    return;
                }
                if self.fire(t) {
                    let left = (self.enabled.len(), t);
                    self.take_back(t);
                    best = Some(best.map_or(left, |best: (usize, u32)| best.min(left)));
                }
            }
            let Some((_, t)) = best else { break };
            self.fire(t);
            self.fired.push(t);
        }
        observe(self);
    }

    /// Walk from the initial marking towards where `distance` is 0: of some of the enabled transitions fire the one that
    /// leads nearest, the first of several in a random order, and now and then any. Until `distance` or `observe` says that
    /// it is enough, or the budget is used up.
    pub(in crate::decide) fn guide(
        &mut self,
        budget: &Budget,
        distance: impl Fn(&Self) -> u64,
        mut observe: impl FnMut(&Self) -> bool,
    ) {
        let mut ticks = 0u32;
        for round in 1.. {
            self.restart();
            if self.enabled.is_empty() {
                return;
            }
            let (mut nearest, mut since) = (distance(self), 0);
            while since < PATIENCE * round && !self.enabled.is_empty() {
                let stray = self.rng.one_in(ASTRAY);
                let tries = if stray { 1 } else { TRIED.min(self.enabled.len()) };
                // The first so many of a random order.
                let mut chosen: Vec<u32> = Vec::with_capacity(tries);
                for _ in 0..tries {
                    let Some(&t) = self.rng.pick(&self.enabled) else { break };
                    if !chosen.contains(&t) {
                        chosen.push(t);
                    }
                }
                let mut best = None;
                for t in chosen {
                    ticks = ticks.wrapping_add(1);
                    if ticks.is_multiple_of(STEPS_PER_CHECK) && budget.check().is_err() {
                        return;
                    }
                    if self.fire(t) {
                        let left = distance(self);
                        self.take_back(t);
                        if best.is_none_or(|(least, _)| left < least) {
                            best = Some((left, t));
                        }
                    }
                }
                let Some((left, t)) = best else { break };
                self.fire(t);
                self.fired.push(t);
                if observe(self) || left == 0 {
                    return;
                }
                since += 1;
                if left < nearest {
                    (nearest, since) = (left, 0);
                }
            }
            if budget.check().is_err() {
                return;
            }
        }
    }

    fn change(&mut self, place: PlaceId, change: impl Fn(u64) -> u64) {
        let before = self.tokens[place.index()];
        let after = change(before);
        self.tokens[place.index()] = after;
        for guard in &self.guards[place.index()] {
            let obstructed = |tokens: u64| (tokens >= guard.weight) == guard.inhibitor;
            let t = guard.transition as usize;
            match (obstructed(before), obstructed(after)) {
                (false, true) => {
                    self.obstacles[t] += 1;
                    if self.obstacles[t] == 1 {
                        let position = self.position[t] as usize;
                        self.enabled.swap_remove(position);
                        if let Some(&moved) = self.enabled.get(position) {
                            self.position[moved as usize] = position as u32;
                        }
                    }
                }
                (true, false) => {
                    self.obstacles[t] -= 1;
                    if self.obstacles[t] == 0 {
                        self.position[t] = self.enabled.len() as u32;
                        self.enabled.push(guard.transition);
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::Marking;
    use crate::reference::random::with_graph;
    use crate::structure::random_nets::nets;
    use proptest::prelude::*;
    use std::collections::HashSet;
    use std::time::Duration;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        /// Every marking shown is reachable, and what it enables is what the firing rule says.
        #[test]
        fn walks_stay_within_the_reachable_markings((net, graph) in with_graph(nets(6, 6), 3000)) {
            let reachable: HashSet<&Marking> = graph.markings.iter().collect();
            let mut steps = 0;
            let mut wrong = None;
            let budget = Budget::unlimited();
            let mut walk = Walk::new(&net);
            walk.run(&budget, |walk| {
                let marking = Marking::new(net.place_ids().map(|p| walk.value(p)).collect());
                let mut enabled: Vec<_> = walk.enabled().collect();
                enabled.sort_unstable();
                if !reachable.contains(&marking) || !enabled.iter().copied().eq(marking.enabled(&net)) {
                    wrong = Some(marking);
                }
                steps += 1;
                steps > 300
            });
            prop_assert_eq!(&wrong, &None);
            let place = net.place_ids().next();
            let tokens = |walk: &Walk<'_>| 1 + place.map_or(0, |p| walk.value(p));
            let mut looks = 0;
            walk.guide(&budget.with_time(Duration::from_millis(20)), tokens, |walk| {
                let marking = Marking::new(net.place_ids().map(|p| walk.value(p)).collect());
                let path = walk.path();
                let mut steps = path.prefix.iter();
                let replayed = steps.try_fold(net.initial_marking(), |marking, step| marking.fire(&net, step.action));
                if !reachable.contains(&marking) || replayed.as_ref() != Some(&marking) {
                    wrong = Some(marking);
                }
                looks += 1;
                looks > 300
            });
            prop_assert_eq!(wrong, None);
        }
    }
}
