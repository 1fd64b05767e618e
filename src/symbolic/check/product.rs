//! The product of the reachable set with a Büchi automaton, component by component.
//!
//! The product is never built as one relation. A set of product states is one set of states per location
//! of the automaton; an edge q –g→ q' of the automaton leads backwards from a set Z at q' to
//! pre(Z) ∩ g at q (the guard is read in the state that the step leaves), where deadlocks step to themselves
//! unless only infinite paths count.
//!
//! For each location the set of states from which some path is accepted starting there is computed,
//! component of the automaton by component, successors first. Every component gets the cheapest fixpoint
//! that is right for it (Bloem, Ravi, Somenzi 1999, there for whole automata):
//!
//! | component | accepting from it |
//! |---|---|
//! | transient | one step to the components below |
//! | rejecting | reach the components below: a least fixpoint |
//! | terminal | everything that has a path |
//! | weak accepting | stay for ever, or reach the components below: a greatest fixpoint |
//! | strong | reach the components below or a fair state: Emerson–Lei over the marks |
//!
//! Emerson and Lei ("Efficient model checking in fragments of the propositional mu-calculus", LICS 1986):
//! the fair states are the greatest Z such that from all of Z, for every mark, an edge with that mark can be
//! reached and taken inside Z and ends in Z.
//!
//! **Fairness conditions.** Conjuncts of the path formula that are fairness conditions are no part of the automaton, whose size
//! could be exponential in their number; they come beside it ([`Constraints`]). A run that stays in an accepting component
//! for ever then has to satisfy them, too: every accepting component is strong. Beside the marks, the greatest fixpoint
//! demands that (Kesten, Pnueli and Raviv, "Algorithmic verification of linear temporal logic specifications", ICALP 1998)
//!
//! - each state of Z has a successor in Z,
//! - for each justice condition, a state and step of it, with its end in Z, is reached inside Z from all of Z,
//! - for each compassion of P and Q, a state and step of Q is reached inside Z from each state of Z that is in P, or is
//!   reached from; others are kept for as long as they are not in P: `(Z − P) ∪ reach(Z ∩ Q)`.
//!
//! *Sound*: from each state of the fixpoint Z a strongly connected component of Z is reached that has no way out of Z but into
//! itself. All of its states have successors in it, so that a run can pass all of its states and steps again and again. It has
//! a state and step of each justice condition, of each mark, and of Q if it has a state of P. *Complete*: what a fair run
//! passes infinitely often is strongly connected, and no step of the iteration takes a state from it: if it has a state of
//! P it has a step of Q, which all of it reaches. P is a set of states; with steps in P a state that can do otherwise
//! would fall out.
//!
//! Where guards read actions, an edge is taken together with some of the steps only, in one or several ways
//! ([`super::steps`]); each way has a pre-image, and a least and a greatest fixpoint, of its own.
//!
//! A least fixpoint at a location with a self-loop of guard g is `E[g U target]`, one backward saturation;
//! so components of one location, the most frequent ones, need no step-by-step iteration at all for it.

use super::Checker;
use super::way::{Constraints, Way};
use crate::automaton::{Component, Edge, Guard, Location, Marks, Strength, Tgba, TgbaBuilder};
use crate::budget::Budget;
use crate::formula::PathSemantics;
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;

/// One product computation.
pub(super) struct Product<'c, 'a> {
    checker: &'c Checker<'a>,
    automaton: &'c Tgba,
    budget: &'c Budget,
    /// The ways to take each edge, by edge index.
    ways: &'c [Vec<Way>],
    /// Conditions on accepted runs beside the marks.
    constraints: &'c Constraints,
    /// Deadlocks that repeat themselves; empty if only infinite paths count.
    stuttering: Mdd,
    empty: Mdd,
    /// Per location: the states from which a path is accepted.
    accepted: Vec<Option<Mdd>>,
}

/// For the search for runs, by location.
pub(super) struct Accepted {
    /// The states from which some path is accepted.
    pub(super) accepted: Vec<Mdd>,
    /// Those from which one is that stays in the component of the location and these states.
    pub(super) staying: Vec<Mdd>,
    /// Of each constraint, in their order: those that can do, and stay, what it demands to be done infinitely often.
    pub(super) demanded: Vec<Vec<Mdd>>,
}

/// A set of states per location of a component.
type Sets = FxHashMap<Location, Mdd>;

impl<'c, 'a> Product<'c, 'a> {
    /// Prepare the product; `ways` are those to take each edge, and accepted runs satisfy the constraints, too.
    pub(super) fn new(
        checker: &'c Checker<'a>,
        automaton: &'c Tgba,
        ways: &'c [Vec<Way>],
        constraints: &'c Constraints,
        budget: &'c Budget,
    ) -> Result<Self, StopReason> {
        let empty = checker.states.space().empty();
        let stuttering = match checker.paths {
            PathSemantics::Maximal | PathSemantics::Stutter => checker.deadlocks(budget)?,
            PathSemantics::Infinite => empty.clone(),
        };
        let accepted = vec![None; automaton.location_count()];
        Ok(Product { checker, automaton, budget, ways, constraints, stuttering, empty, accepted })
    }

    /// The states from which some path is accepted, starting in the initial location.
    pub(super) fn satisfying(mut self) -> Result<Mdd, StopReason> {
        self.solve()?;
        Ok(self.accepted_from(self.automaton.initial()))
    }

    /// What the search for runs has to know.
    pub(super) fn accepted_and_staying(mut self) -> Result<Accepted, StopReason> {
        self.solve()?;
        let accepted = self.automaton.locations().map(|location| self.accepted_from(location)).collect();
        let none = vec![self.empty.clone(); self.automaton.location_count()];
        let mut staying = none.clone();
        let mut demanded = vec![none; self.constraints.all().count()];
        for component in self.automaton.components() {
            let sets = match component.strength {
                Strength::Transient | Strength::Rejecting => continue,
                Strength::Terminal if self.constraints.is_empty() => self.component(component)?,
                Strength::WeakAccepting if self.constraints.is_empty() => {
                    self.stay_or_exit(component, &Sets::default(), &|_| false)?
                }
                Strength::Terminal | Strength::WeakAccepting | Strength::Strong => self.fair(component, &|_| false)?,
            };
            for ((ways, _), demanded) in self.constraints.all().zip(&mut demanded) {
                for (location, set) in self.demanded(component, ways, &sets)? {
                    demanded[location.index()] = set;
                }
            }
            for (location, set) in sets {
                staying[location.index()] = set;
            }
        }
        Ok(Accepted { accepted, staying, demanded })
    }

    /// Compute the accepted states of all locations.
    fn solve(&mut self) -> Result<(), StopReason> {
        for component in self.automaton.components() {
            let sets = self.component(component)?;
            for (location, set) in sets {
                self.accepted[location.index()] = Some(set);
            }
        }
        Ok(())
    }

    /// Is a path accepted that starts in the initial state and the initial location? Only components that a run
    /// can enter are computed, and that of the initial location as far as needed.
    pub(super) fn accepts_initially(mut self) -> Result<bool, StopReason> {
        let (state, initial) = (self.checker.relation.initial(), self.automaton.initial());
        // A run that can wait in the initial location, whatever it does, may go on from any reachable state.
        let mut loops = self.empty.clone();
        let waits = |(edge, way): &(&Edge, &Way)| edge.target == initial && way.steps.is_none();
        for (_, way) in self.edges(initial).filter(waits) {
            loops = loops.union(&way.states, self.budget)?;
        }
        let anywhere = loops == self.checker.states;
        let holds = |sets: &Sets| {
            sets.get(&initial).is_some_and(|set| if anywhere { !set.is_empty() } else { set.contains(state) })
        };
        let entered = self.entered()?;
        for (component, _) in self.automaton.components().iter().zip(entered).filter(|(_, entered)| *entered) {
            if !component.locations.contains(&initial) {
                for (location, set) in self.component(component)? {
                    self.accepted[location.index()] = Some(set);
                }
                continue;
            }
            if component.strength == Strength::Terminal {
                return Ok(holds(&self.component(component)?));
            }
            // A run leaves the component, or it stays for ever.
            let exits = self.exits(component)?;
            if holds(&exits) || component.strength != Strength::Transient && holds(&self.reach(component, exits, None)?)
            {
                return Ok(true);
            }
            // What stays is a greatest fixpoint: once the state has fallen out, it is out.
            let hopeless = |sets: &Sets| !holds(sets);
            return match component.strength {
                // What compassion forbids for ever may be passed on the way.
                Strength::Strong | Strength::WeakAccepting if !self.constraints.compassion.is_empty() => {
                    let fair = self.fair(component, &|_| false)?;
                    Ok(holds(&self.reach(component, fair, None)?))
                }
                Strength::WeakAccepting if !self.constraints.is_empty() => Ok(holds(&self.fair(component, &hopeless)?)),
                Strength::Strong => Ok(holds(&self.fair(component, &hopeless)?)),
                Strength::WeakAccepting => Ok(holds(&self.stay_or_exit(component, &Sets::default(), &hopeless)?)),
                Strength::Transient | Strength::Rejecting | Strength::Terminal => Ok(false),
            };
        }
        Ok(false)
    }

    /// Which components can a run from the initial state enter, by index? The states at each location are followed
    /// as long as the run cannot stay in a component; where it can, they count as all. Of a way with some of the steps
    /// alone, the targets of all steps are taken.
    fn entered(&self) -> Result<Vec<bool>, StopReason> {
        let states = &self.checker.states;
        let start = states.space().tuple(self.checker.relation.initial(), self.budget)?;
        let mut front = Sets::from_iter([(self.automaton.initial(), start)]);
        let mut entered = vec![false; self.automaton.components().len()];
        for (entered, component) in entered.iter_mut().zip(self.automaton.components()).rev() {
            let mut stays = false;
            for location in &component.locations {
                let Some(set) = front.get(location) else { continue };
                *entered = true;
                for (_, way) in self.internal_edges(*location) {
                    stays = stays || !way.states.intersection(set, self.budget)?.is_empty();
                }
            }
            if stays {
                front.extend(component.locations.iter().map(|&location| (location, states.clone())));
            }
            for &location in &component.locations {
                let Some(set) = front.get(&location).cloned() else { continue };
                for (edge, way) in self.edges(location).filter(|(edge, _)| !self.automaton.is_internal(edge)) {
                    let source = set.intersection(&way.states, self.budget)?;
                    if source.is_empty() {
                        continue;
                    }
                    let mut next = states.clone();
                    if set != next {
                        let stay = self.stuttering.intersection(&source, self.budget)?;
                        next = self.checker.post(&source, self.budget)?.union(&stay, self.budget)?;
                    }
                    let known = front.entry(edge.target).or_insert_with(|| self.empty.clone());
                    *known = known.union(&next, self.budget)?;
                }
            }
        }
        Ok(entered)
    }

    fn accepted_from(&self, location: Location) -> Mdd {
        self.accepted[location.index()].as_ref().unwrap_or(&self.empty).clone()
    }

    /// The accepted states of the locations of a component; those of lower components are known.
    fn component(&self, component: &Component) -> Result<Sets, StopReason> {
        if component.strength == Strength::Terminal {
            let all = match self.checker.paths {
                _ if !self.constraints.is_empty() => self.anywhere()?,
                PathSemantics::Infinite => self.checker.infinite(self.budget)?,
                PathSemantics::Maximal | PathSemantics::Stutter => self.checker.states.clone(),
            };
            return Ok(component.locations.iter().map(|&location| (location, all.clone())).collect());
        }
        let exits = self.exits(component)?;
        match component.strength {
            Strength::Transient => Ok(exits),
            Strength::Rejecting => self.reach(component, exits, None),
            Strength::WeakAccepting if self.constraints.is_empty() => self.stay_or_exit(component, &exits, &|_| false),
            Strength::WeakAccepting | Strength::Strong | Strength::Terminal => {
                let mut targets = self.fair(component, &|_| false)?;
                for (location, exit) in exits {
                    let target = targets.entry(location).or_insert_with(|| self.empty.clone());
                    *target = target.union(&exit, self.budget)?;
                }
                self.reach(component, targets, None)
            }
        }
    }

    /// Per location of a component: the states with an edge out of it into accepted states.
    fn exits(&self, component: &Component) -> Result<Sets, StopReason> {
        let mut exits = Sets::default();
        for &location in &component.locations {
            let mut exit = self.empty.clone();
            for (edge, way) in self.edges(location).filter(|(edge, _)| !self.automaton.is_internal(edge)) {
                let target = self.accepted_from(edge.target);
                exit = exit.union(&self.step(way, &target, &way.states)?, self.budget)?;
            }
            exits.insert(location, exit);
        }
        Ok(exits)
    }

    /// The edges that leave a location, once for each way to take them.
    fn edges(&self, location: Location) -> impl Iterator<Item = (&'c Edge, &'c Way)> + use<'c, 'a> {
        let edges = self.automaton.edges().iter().zip(self.ways);
        let from_here = edges.filter(move |(edge, _)| edge.source == location);
        from_here.flat_map(|(edge, ways)| ways.iter().map(move |way| (edge, way)))
    }

    fn internal_edges(&self, location: Location) -> impl Iterator<Item = (&'c Edge, &'c Way)> {
        self.edges(location).filter(|(edge, _)| self.automaton.is_internal(edge))
    }

    /// The states from which some path starts, if they are known: just they have a successor among them.
    fn everything(&self) -> Option<&Mdd> {
        match self.checker.paths {
            PathSemantics::Infinite => self.checker.infinite.get(),
            PathSemantics::Maximal | PathSemantics::Stutter => Some(&self.checker.states),
        }
    }

    /// The states of `within` with a step (or a stutter) that goes with the way into `target`.
    fn step(&self, way: &Way, target: &Mdd, within: &Mdd) -> Result<Mdd, StopReason> {
        if way.steps.is_none() && self.everything() == Some(target) {
            return Ok(within.intersection(target, self.budget)?);
        }
        let before = self.checker.pre_by(way.steps.as_deref(), target, within, self.budget)?;
        if self.stuttering.is_empty() || !way.idle {
            return Ok(before);
        }
        let stay = self.stuttering.intersection(target, self.budget)?.intersection(within, self.budget)?;
        Ok(before.union(&stay, self.budget)?)
    }

    /// The product states of a component that reach the targets inside it, and inside `within` if given:
    /// the least fixpoint that contains the targets.
    fn reach(&self, component: &Component, targets: Sets, within: Option<&Sets>) -> Result<Sets, StopReason> {
        let inside = |location: &Location, set: &Mdd| match within.and_then(|within| within.get(location)) {
            Some(within) => Ok::<Mdd, StopReason>(set.intersection(within, self.budget)?),
            None => Ok(set.clone()),
        };
        // Per location, the self-loops and the states in which they can be taken.
        let mut loops: FxHashMap<Location, Vec<Way>> = FxHashMap::default();
        for &location in &component.locations {
            let mut ways = self.together(self.edges(location).filter(|(edge, _)| edge.target == location))?;
            for way in &mut ways {
                way.states = inside(&location, &way.states)?;
            }
            ways.retain(|way| !way.states.is_empty());
            loops.insert(location, ways);
        }
        let mut reached = targets;
        let mut pending: Vec<Location> = component.locations.clone();
        while let Some(location) = pending.pop() {
            self.budget.check()?;
            let set = reached.get(&location).unwrap_or(&self.empty).clone();
            if set.is_empty() {
                continue;
            }
            let set = self.reach_through(loops.get(&location).map_or(&[][..], |ways| &ways[..]), set)?;
            reached.insert(location, set.clone());
            for &source in component.locations.iter().filter(|&&source| source != location) {
                let mut grown = reached.get(&source).unwrap_or(&self.empty).clone();
                let before = grown.clone();
                for (edge, way) in self.edges(source).filter(|(edge, _)| edge.target == location) {
                    debug_assert!(self.automaton.is_internal(edge));
                    let within = inside(&source, &way.states)?;
                    grown = grown.union(&self.step(way, &set, &within)?, self.budget)?;
                }
                if grown != before {
                    reached.insert(source, grown);
                    if !pending.contains(&source) {
                        pending.push(source);
                    }
                }
            }
        }
        Ok(reached)
    }

    /// The ways of these edges, those with the same steps as one.
    fn together(&self, edges: impl Iterator<Item = (&'c Edge, &'c Way)>) -> Result<Vec<Way>, StopReason> {
        let mut ways: Vec<Way> = Vec::new();
        for (_, way) in edges {
            match ways.iter_mut().find(|known| known.same_steps(way)) {
                Some(known) => known.states = known.states.union(&way.states, self.budget)?,
                None => ways.push(way.clone()),
            }
        }
        Ok(ways)
    }

    /// The states from which `set` can be reached through self-loops. What repeats a deadlock leads nowhere new.
    fn reach_through(&self, loops: &[Way], set: Mdd) -> Result<Mdd, StopReason> {
        let mut reached = set;
        // How many loops in a row have added nothing.
        let mut unchanged = 0;
        for way in loops.iter().cycle() {
            let grown = self.checker.reach_by(way.steps.as_deref(), &way.states, &reached, self.budget)?;
            unchanged = if grown == reached { unchanged + 1 } else { 0 };
            reached = grown;
            // What one fixpoint has reached it reaches again.
            if unchanged >= loops.len() || loops.len() == 1 {
                break;
            }
        }
        Ok(reached)
    }

    /// The product states of a weak accepting component that can stay in it for ever or exit: the greatest
    /// fixpoint of one step inside, or exit. Given up when a set that contains it is `hopeless`.
    fn stay_or_exit(
        &self,
        component: &Component,
        exits: &Sets,
        hopeless: &dyn Fn(&Sets) -> bool,
    ) -> Result<Sets, StopReason> {
        if let Some((location, way)) = self.single_loop(component)? {
            // One location: stay inside the self-loops' guards, or reach an exit through them.
            let stay = self.stay_through(&way, &way.states)?;
            let reach = match exits.get(&location) {
                Some(exit) if !exit.is_empty() => {
                    self.checker.reach_by(way.steps.as_deref(), &way.states, exit, self.budget)?
                }
                _ => return Ok(Sets::from_iter([(location, stay)])),
            };
            return Ok(Sets::from_iter([(location, stay.union(&reach, self.budget)?)]));
        }
        self.staying(component, self.start(component, exits)?, exits, hopeless)
    }

    /// The location of a component that has one, and the way to take its loops, if it is one for all of them.
    fn single_loop(&self, component: &Component) -> Result<Option<(Location, Way)>, StopReason> {
        let [location] = component.locations[..] else { return Ok(None) };
        let mut ways = self.together(self.internal_edges(location))?;
        Ok(ways.pop().filter(|_| ways.is_empty()).map(|way| (location, way)))
    }

    /// The states of `within`, which can all take the loop, from which it can be taken inside of `within` for ever.
    fn stay_through(&self, way: &Way, within: &Mdd) -> Result<Mdd, StopReason> {
        let ends = if way.idle { self.stuttering.intersection(within, self.budget)? } else { self.empty.clone() };
        self.checker.greatest_fixpoint_by(way.steps.as_deref(), within, &ends, self.budget)
    }

    /// The greatest part of the sets inside of which a run can stay for ever.
    fn stay_inside(&self, component: &Component, sets: Sets) -> Result<Sets, StopReason> {
        let Some((location, way)) = self.single_loop(component)? else {
            return self.staying(component, sets, &Sets::default(), &|_| false);
        };
        let within = way.states.intersection(sets.get(&location).unwrap_or(&self.empty), self.budget)?;
        Ok(Sets::from_iter([(location, self.stay_through(&way, &within)?)]))
    }

    /// Where a greatest fixpoint starts: at each location the states in which an internal edge can be taken,
    /// and the exits.
    fn start(&self, component: &Component, exits: &Sets) -> Result<Sets, StopReason> {
        let mut sets = Sets::default();
        for &location in &component.locations {
            let mut set = exits.get(&location).unwrap_or(&self.empty).clone();
            for (_, way) in self.internal_edges(location) {
                set = set.union(&way.states, self.budget)?;
            }
            sets.insert(location, set);
        }
        Ok(sets)
    }

    /// The states from which some path satisfies the constraints, whatever else it does: known once for all automata.
    fn anywhere(&self) -> Result<Mdd, StopReason> {
        let same = |known: &&(Constraints, Mdd)| known.0.same(self.constraints);
        if let Some((_, known)) = self.checker.fair.borrow().iter().find(same) {
            return Ok(known.clone());
        }
        let automaton = anything()?;
        let ways = vec![vec![Way::by_all(self.checker.states.clone())]; automaton.edges().len()];
        let product = Product::new(self.checker, &automaton, &ways, self.constraints, self.budget)?;
        let mut fair = self.empty.clone();
        for component in automaton.components() {
            let sets = product.fair(component, &|_| false)?;
            for set in product.reach(component, sets, None)?.into_values() {
                fair = fair.union(&set, self.budget)?;
            }
        }
        self.checker.fair.borrow_mut().push((self.constraints.clone(), fair.clone()));
        Ok(fair)
    }

    /// The fair states of an accepting component, by Emerson and Lei; all that reach them inside it are among them, unless
    /// compassion forbids. Given up when a set that contains them is `hopeless`.
    fn fair(&self, component: &Component, hopeless: &dyn Fn(&Sets) -> bool) -> Result<Sets, StopReason> {
        // Of other components every run is accepted that stays.
        let marks = if component.strength == Strength::Strong { self.automaton.acceptance_sets() } else { 0 };
        let mut fair = match marks {
            0 => self.stay_or_exit(component, &Sets::default(), hopeless)?,
            _ => self.start(component, &Sets::default())?,
        };
        let constraints: Vec<_> = self.constraints.all().collect();
        let demands = marks as usize + constraints.len();
        // How many demands in a row have changed nothing.
        let mut unchanged = 0;
        for number in (0..demands).cycle() {
            self.budget.check()?;
            let next = match number.checked_sub(marks as usize).map(|number| constraints[number]) {
                // The states that can take an edge with the mark to a fair state, and those that reach them.
                None => {
                    let mut targets = Sets::default();
                    for &location in &component.locations {
                        let current = fair.get(&location).unwrap_or(&self.empty);
                        let mut target = self.empty.clone();
                        let mark = number as u32;
                        for (edge, way) in self.internal_edges(location).filter(|(edge, _)| edge.marks.contains(mark)) {
                            let within = way.states.intersection(current, self.budget)?;
                            let next = fair.get(&edge.target).unwrap_or(&self.empty);
                            target = target.union(&self.step(way, next, &within)?, self.budget)?;
                        }
                        targets.insert(location, target);
                    }
                    self.reach(component, targets, Some(&fair))?
                }
                Some((ways, cause)) => {
                    let demanded = self.demanded(component, ways, &fair)?;
                    let mut next = self.reach(component, demanded, Some(&fair))?;
                    if let Some(cause) = cause {
                        for (&location, set) in &fair {
                            let free = set.difference(cause, self.budget)?;
                            let next = next.entry(location).or_insert_with(|| self.empty.clone());
                            *next = next.union(&free, self.budget)?;
                        }
                    }
                    if next == fair { next } else { self.stay_inside(component, next)? }
                }
            };
            unchanged = if next == fair { unchanged + 1 } else { 0 };
            fair = next;
            if unchanged >= demands || fair.values().all(Mdd::is_empty) || hopeless(&fair) {
                break;
            }
        }
        Ok(fair)
    }

    /// The states of the sets that can take a state and step of these ways to an end in the sets.
    fn demanded(&self, component: &Component, ways: &[Way], sets: &Sets) -> Result<Sets, StopReason> {
        let mut demanded = Sets::default();
        for &location in &component.locations {
            let current = sets.get(&location).unwrap_or(&self.empty);
            let mut states = self.empty.clone();
            for wanted in ways {
                let within = wanted.states.intersection(current, self.budget)?;
                if wanted.steps.is_none() {
                    // Every state of the sets has a successor there.
                    states = states.union(&within, self.budget)?;
                    continue;
                }
                for (edge, way) in self.internal_edges(location) {
                    let Some(both) = self.both(way, wanted)? else { continue };
                    let target = sets.get(&edge.target).unwrap_or(&self.empty);
                    let within = within.intersection(&way.states, self.budget)?;
                    states = states.union(&self.step(&both, target, &within)?, self.budget)?;
                }
            }
            demanded.insert(location, states);
        }
        Ok(demanded)
    }

    /// The steps that two ways have in common; `None` if there are none.
    fn both(&self, one: &Way, other: &Way) -> Result<Option<Way>, StopReason> {
        let idle = one.idle && other.idle;
        let steps = match (&one.steps, &other.steps) {
            (None, steps) | (steps, None) => steps.clone(),
            (Some(one), Some(other)) => {
                let labels = one.labels.iter().filter(|label| other.labels.binary_search(label).is_ok());
                let labels: Vec<u32> = labels.copied().collect();
                if labels.is_empty() && !idle {
                    return Ok(None);
                }
                Some(self.checker.steps(labels, self.budget)?)
            }
        };
        let states = self.empty.clone();
        Ok(Some(Way { states, steps, idle }))
    }

    /// The greatest part of the sets, and the exits, from whose other states an internal edge leads into it. Given up when a
    /// set that contains it is `hopeless`.
    fn staying(
        &self,
        component: &Component,
        mut sets: Sets,
        exits: &Sets,
        hopeless: &dyn Fn(&Sets) -> bool,
    ) -> Result<Sets, StopReason> {
        loop {
            self.budget.check()?;
            let mut stable = true;
            for &location in &component.locations {
                let current = sets.get(&location).unwrap_or(&self.empty).clone();
                let mut next = exits.get(&location).unwrap_or(&self.empty).clone();
                for (edge, way) in self.internal_edges(location) {
                    let target = sets.get(&edge.target).unwrap_or(&self.empty);
                    let within = way.states.intersection(&current, self.budget)?;
                    next = next.union(&self.step(way, target, &within)?, self.budget)?;
                }
                if next != current {
                    sets.insert(location, next);
                    stable = false;
                }
            }
            if stable || hopeless(&sets) {
                return Ok(sets);
            }
        }
    }
}

/// The automaton that accepts every word, at one location with a loop.
fn anything() -> Result<Tgba, StopReason> {
    let mut builder = TgbaBuilder::new(Vec::<String>::new(), 0);
    let location = builder.location("all");
    builder.edge(location, Guard::always(), Marks::NONE, location);
    builder.build(location).map_err(|_| StopReason::Unsupported("the automaton of all words"))
}
