//! A state of each attractor of a network whose influences are known, without the states that lead there.
//!
//! **Candidates.** Let some levels cut all negative cycles of the influences. Allow each of them to move in one direction
//! alone, up or down. From each state this leads to one where nothing moves any more: the levels of the cut move a
//! finite number of times, and between two of these moves a network without negative cycles is at work, of which each
//! state leads to a fixed point (Richard 2010). All these steps are steps of the network, so that each attractor has
//! such a state, a *candidate*. Most often there are few besides the fixed points. The directions are chosen one by one,
//! for few candidates.
//!
//! **Representatives.** A candidate that leads to another one is given up: if it lies in an attractor, so does the other.
//! What leads to no other lies in an attractor, as that has a candidate. All that it reaches is the attractor. Where a
//! candidate is alone, nothing has to be searched. Many lead to another one on a short way: so first those are given up
//! that lead to a fixed point, or to one that is chosen, through states that a few passes over the events reach. Before
//! that *trap spaces*: where no other candidate is in the least trap space of one, that is chosen, as there is an attractor
//! in each trap space, and a candidate in each attractor.
//!
//! **Leading.** Before that, all candidates are led along steps at once: events in an order at random move those states that
//! enable them, or those of these with one value. What is led stays in its attractor if it lies in one, so that each attractor
//! has a candidate as before; candidates meet, come to a standstill, or get into the trap space of one that is alone in it, and
//! lead to that one. No set of reached states is made for this.
//!
//! **Stages.** A component of levels that influence each other is reduced after all that influence it: the events up to
//! it are a system of their own, on which the other levels have no influence. Above a representative there is a
//! state of each attractor that lies above its attractor, and from that all moves of the component alone lead to a
//! candidate. So candidates are sought above representatives only, each of which is a *cell* of its own.
//!
//! All this is done for all values of the parameters at once, and of the levels that come later.
//!
//! Sources: Richard, *Negative circuits and sustained oscillations in asynchronous automata networks*, Advances in
//! Applied Mathematics 44, 2010; Trinh, Hiraishi, Benhamou, *Computing attractors of large-scale asynchronous Boolean
//! networks using minimal trap spaces*, BCB 2022 (candidates by sets that cut cycles, state by state).

use super::negative_cycles::cut;
use super::steps::{Events, Steps, closure, unless_exhausted};
use crate::budget::{Budget, Exhausted};
use crate::mdd::{Mdd, Sections};
use crate::relation::Influence;
use crate::rng::Rng;
use crate::scc::components;
use crate::stop_reason::StopReason;
use std::sync::Arc;

/// As often each event is taken in turn before a search is left to others.
const PASSES: u32 = 8;
/// As many candidates of each section are looked at by themselves: for a trap space of their own, or a short way.
const TRIED: usize = 16;
/// As often candidates are led on, and as often in a row though no fewer are left.
const LED: u32 = 32;
const IDLE: u32 = 2;
/// The work of each step on such a way.
const SHORT: u64 = 1 << 14;
/// The work of a look at what is reached from candidates.
const NEAR: u64 = 1 << 18;

/// The search for representatives of the attractors in a set of all combinations of levels.
pub(super) struct Network<'e, 'r> {
    events: &'e Events<'r>,
    influences: &'e [Influence],
    states: &'e Mdd,
    /// Of each level, does it belong to the cut?
    cut: Vec<bool>,
    /// The event of each level, if it has one.
    event_of: Vec<Option<u32>>,
    /// The values of each level, in ascending order.
    values: Arc<[Vec<u32>]>,
}

impl<'e, 'r> Network<'e, 'r> {
    /// The search in these states; `None` if the relation does not say what influences what.
    pub(super) fn new(events: &'e Events<'r>, values: &Arc<[Vec<u32>]>, states: &'e Mdd) -> Option<Self> {
        let influences = events.relation.influences().filter(|_| events.relation.is_closed())?;
        let mut event_of = vec![None; values.len()];
        for (event, footprint) in (0..).zip(&events.footprints) {
            footprint.changes.iter().for_each(|&level| event_of[level as usize] = Some(event));
        }
        let cut = cut(values.len(), influences);
        Some(Network { events, influences, states, cut, event_of, values: Arc::clone(values) })
    }

    /// A state of each attractor; as if there were not work enough, where a stage takes more rounds.
    pub(super) fn representatives(&self, rounds: u64, budget: &Budget) -> Result<Mdd, StopReason> {
        let mut chosen = self.states.clone();
        let mut before = Vec::new();
        for own in self.stages() {
            let moved: Vec<u32> = own.iter().filter_map(|&level| self.event_of[level as usize]).collect();
            let still: Vec<bool> = (0..self.values.len() as u32).map(|level| !own.contains(&level)).collect();
            let cells = Sections::new(still, Arc::clone(&self.values), self.states, budget)?;
            before.extend(moved);
            let stage = Stage { network: self, own, active: &before, cells };
            chosen = stage.chosen(&stage.candidates(&chosen, budget)?, rounds, budget)?;
        }
        Ok(chosen)
    }

    /// Of candidates for the whole network one for each attractor; as if there were not work enough, where it takes more
    /// rounds.
    pub(super) fn among(&self, candidates: &Mdd, rounds: u64, budget: &Budget) -> Result<Mdd, StopReason> {
        let all: Vec<u32> = self.event_of.iter().flatten().copied().collect();
        let still = self.event_of.iter().map(Option::is_none).collect();
        let cells = Sections::new(still, Arc::clone(&self.values), self.states, budget)?;
        let own = (0..self.values.len() as u32).collect();
        Stage { network: self, own, active: &all, cells }.chosen(candidates, rounds, budget)
    }

    /// The levels in stages, each after what influences it: a component that is more than one level, and before it in the
    /// stage single ones.
    fn stages(&self) -> Vec<Vec<u32>> {
        let mut from = vec![Vec::new(); self.values.len()];
        self.influences.iter().for_each(|one| from[one.to as usize].push(one.from as usize));
        let found = components(from.len(), 0..from.len(), |level| from[level].iter().copied());
        let mut members = vec![Vec::new(); found.count];
        (0..).zip(&found.of).for_each(|(level, &component)| members[component as usize].push(level));
        let (mut stages, mut open) = (Vec::new(), Vec::new());
        for mut component in members {
            let whole = component.len() > 1;
            open.append(&mut component);
            if whole {
                stages.push(std::mem::take(&mut open));
            }
        }
        stages.push(open);
        stages
    }
}

/// Events, each with sections that leave a level free which it changes.
type Moves = Vec<(u32, Vec<Sections>)>;

/// Levels that are looked at together, after all that influences them.
struct Stage<'n, 'e, 'r> {
    network: &'n Network<'e, 'r>,
    own: Vec<u32>,
    /// The events up to this stage.
    active: &'n [u32],
    /// Parts of states with the same values of all other levels.
    cells: Sections,
}

impl Stage<'_, '_, '_> {
    /// The states above representatives where nothing of the stage moves, in the directions that are allowed.
    fn candidates(&self, above: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let Network { events, cut, event_of, values, .. } = self.network;
        let mut left = above.clone();
        let mut own = self.own.clone();
        own.sort_unstable_by_key(|&level| (cut[level as usize], std::cmp::Reverse(level)));
        for level in own {
            let Some(event) = event_of[level as usize] else { continue };
            let moving = events.enabled(event, &left, budget)?;
            if !cut[level as usize] {
                left = left.difference(&moving, budget)?;
                continue;
            }
            // Between its ends, where a level may move is not looked at.
            let without = |value: u32| {
                let moving =
                    moving.intersection(&self.cells.slice(self.network.states, level, value, budget)?, budget)?;
                let left = left.difference(&moving, budget)?;
                Ok::<_, StopReason>((left.count(budget)?, left))
            };
            let own = &values[level as usize];
            let (Some(&least), Some(&most)) = (own.first(), own.last()) else { continue };
            let (up, down) = (without(least)?, without(most)?);
            left = if up.0 <= down.0 { up.1 } else { down.1 };
        }
        Ok(left)
    }

    /// Of these candidates one for each attractor.
    fn chosen(&self, candidates: &Mdd, rounds: u64, budget: &Budget) -> Result<Mdd, StopReason> {
        let moving = self.network.events.some_enabled(self.active, candidates, budget)?;
        let (mut kept, mut open) = (candidates.difference(&moving, budget)?, moving);
        let (mut search, mut passes) = (None, 0);
        for _ in 0..rounds {
            let others = open.difference(&self.cells.one_each(&open, budget)?, budget)?;
            let crowded = self.cells.shadow(&others.union(&kept, budget)?, budget)?;
            let alone = open.difference(&crowded, budget)?;
            kept = kept.union(&alone, budget)?;
            open = open.difference(&alone, budget)?;
            if open.is_empty() {
                return Ok(kept);
            }
            let Some(search) = &search else {
                let own = self.search(budget)?;
                self.lead(&mut open, &mut kept, &own.1, budget)?;
                open = self.without_near(&open, &kept, &own, budget)?;
                search = Some(own);
                continue;
            };
            passes = PASSES.min(passes + 1);
            let rest = self.without_basins(&open, &kept, search, passes, budget)?;
            if rest != open || rest.is_empty() {
                open = rest;
                continue;
            }
            let pivots = self.cells.one_each(&open, budget)?;
            open = open.difference(&pivots, budget)?;
            let leading = self.leading(&pivots, &open.union(&kept, budget)?, search, budget)?;
            kept = kept.union(&pivots.difference(&leading, budget)?, budget)?;
        }
        Err(Exhausted::Work.into())
    }

    /// How states are searched by the events up to this stage, and parts of states between which there is no way.
    fn search(&self, budget: &Budget) -> Result<(Steps, Sections), StopReason> {
        let Network { events, states, values, .. } = self.network;
        let labels = |event: u32| &events.relation.events()[event as usize].labels;
        let active: Vec<u32> = self.active.iter().flat_map(|&event| labels(event).iter().copied()).collect();
        let relation = events.relation.restricted(|label| active.contains(&label));
        let sections = Sections::new(relation.constant_levels(), Arc::clone(values), states, budget)?;
        Ok((Steps::new(&relation, states, budget)?, sections))
    }

    /// Lead candidates along steps of the stage, until they meet, stand still, or are where another one is alone in its trap
    /// space; what is alone in its own is kept.
    fn lead(&self, open: &mut Mdd, kept: &mut Mdd, sections: &Sections, budget: &Budget) -> Result<(), StopReason> {
        let (moves, mut rng) = (self.moves(budget)?, Rng::new(0));
        let mut traps = open.space().empty();
        let mut idle = 0;
        for _ in 0..LED {
            if open.is_empty() || idle == IDLE {
                break;
            }
            let before = open.count(budget)?;
            let confined = self.confined(open, kept, &mut traps, (&moves, sections), budget)?;
            *kept = kept.union(&confined, budget)?;
            *open = open.difference(&confined, budget)?.difference(&traps, budget)?;
            let limited = budget.clone().with_work(NEAR);
            let Some(led) = unless_exhausted(self.led(open, &mut rng, &limited), &limited)? else { break };
            let moving = self.network.events.some_enabled(self.active, &led, budget)?;
            *kept = kept.union(&led.difference(&moving, budget)?, budget)?;
            *open = moving.difference(kept, budget)?.difference(&traps, budget)?;
            idle = if open.count(budget)? < before { 0 } else { idle + 1 };
        }
        Ok(())
    }

    /// What candidates become where each event of the stage, in an order at random, moves those that enable it, or those of
    /// them with one value.
    fn led(&self, candidates: &Mdd, rng: &mut Rng, budget: &Budget) -> Result<Mdd, StopReason> {
        let Network { events, event_of, states, values, .. } = self.network;
        let mut led = candidates.clone();
        let mut own: Vec<(u32, u32)> =
            self.own.iter().filter_map(|&level| Some((level, event_of[level as usize]?))).collect();
        for _ in 0..PASSES {
            rng.shuffle(&mut own);
            for &(level, event) in &own {
                let mut moving = events.enabled(event, &led, budget)?;
                if rng.one_in(2) {
                    let value = rng.pick(&values[level as usize]).copied().unwrap_or_default();
                    moving = moving.intersection(&self.cells.slice(states, level, value, budget)?, budget)?;
                }
                if !moving.is_empty() {
                    led = led.difference(&moving, budget)?.union(&events.post(event, &moving, budget)?, budget)?;
                }
            }
        }
        Ok(led)
    }

    /// The events up to this stage, each with the levels that it changes, as sections without that level.
    fn moves(&self, budget: &Budget) -> Result<Moves, StopReason> {
        let Network { events, states, values, .. } = self.network;
        let of_level = |level: u32| {
            let kept = (0..values.len() as u32).map(|other| other != level).collect();
            Ok::<_, StopReason>(Sections::new(kept, Arc::clone(values), states, budget)?)
        };
        let mut moves = Vec::new();
        for &event in self.active {
            let changes = &events.footprints[event as usize].changes;
            moves.push((event, changes.iter().map(|&level| of_level(level)).collect::<Result<Vec<_>, _>>()?));
        }
        Ok(moves)
    }

    /// The candidates in whose trap space no other of their cell lies. What is in their cell and this trap space is added to
    /// `traps`.
    fn confined(
        &self,
        open: &Mdd,
        kept: &Mdd,
        traps: &mut Mdd,
        (moves, sections): (&Moves, &Sections),
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let Network { events, states, .. } = self.network;
        let all = open.union(kept, budget)?;
        let (mut untried, mut confined) = (open.clone(), states.space().empty());
        let mut pivots = sections.one_each(&untried, budget)?;
        for _ in 0..TRIED {
            if pivots.is_empty() {
                break;
            }
            // Once nothing leaves it, all combinations of some values.
            let (mut space, mut before) = (pivots.clone(), states.space().empty());
            while space != before {
                before = space.clone();
                for (event, levels) in moves {
                    let leaving = events.post(*event, &space, budget)?.difference(&space, budget)?;
                    let leaving = sections.shadow(&leaving, budget)?;
                    for level in levels {
                        let free = level.shadow(&space, budget)?.intersection(&leaving, budget)?;
                        space = space.union(&free, budget)?;
                    }
                }
            }
            let space = space.intersection(states, budget)?;
            let others = space.intersection(&all.difference(&pivots, budget)?, budget)?;
            let alone = pivots.difference(&self.cells.shadow(&others, budget)?, budget)?;
            confined = confined.union(&alone, budget)?;
            *traps = traps.union(&space.intersection(&self.cells.shadow(&alone, budget)?, budget)?, budget)?;
            untried = untried.difference(&pivots, budget)?;
            // A smaller trap space lies around one of the others, if any does.
            let inside = sections.one_each(&others.intersection(&untried, budget)?, budget)?;
            let elsewhere = untried.difference(&sections.shadow(&inside, budget)?, budget)?;
            pivots = inside.union(&sections.one_each(&elsewhere, budget)?, budget)?;
        }
        Ok(confined)
    }

    /// Candidates without those that lead to one that is kept, or to a pivot, through states that are reached from candidates
    /// in so many passes over the events.
    fn without_basins(
        &self,
        open: &Mdd,
        kept: &Mdd,
        (steps, _): &(Steps, Sections),
        passes: u32,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let mut near = open.clone();
        let limited = budget.clone().with_work(NEAR);
        for &event in (0..passes).flat_map(|_| self.active) {
            let more = self.network.events.post(event, &near, &limited).and_then(|new| Ok(near.union(&new, &limited)?));
            match unless_exhausted(more, &limited)? {
                Some(more) => near = more,
                None => break,
            }
        }
        let kept = kept.intersection(&near, budget)?;
        let left = open.difference(&steps.backward(&kept, &near, budget)?, budget)?;
        let pivots = self.cells.one_each(&left, budget)?;
        let basin = steps.backward(&pivots, &near, budget)?;
        Ok(left.difference(&basin, budget)?.union(&pivots, budget)?)
    }

    /// Candidates without those that lead to another one of their cell on a short way, as far as few are left.
    fn without_near(
        &self,
        open: &Mdd,
        kept: &Mdd,
        search: &(Steps, Sections),
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let limited = budget.clone().with_work(SHORT);
        let (mut open, mut untried) = (open.clone(), open.clone());
        for _ in 0..TRIED {
            let pivots = self.cells.one_each(&untried, budget)?;
            if pivots.is_empty() {
                break;
            }
            let others = open.difference(&pivots, budget)?.union(kept, budget)?;
            let (mut reached, mut leading) = (pivots.clone(), pivots.space().empty());
            let passes = self.passes(&pivots, &others, search, &mut reached, &mut leading, &limited);
            unless_exhausted(passes, &limited)?;
            open = open.difference(&leading, budget)?;
            untried = untried.difference(&pivots, budget)?;
        }
        Ok(open)
    }

    /// Add to what is reached from pivots by a few passes over the events, and to the pivots that lead to another candidate of
    /// their cell. Is there nothing left to be found?
    fn passes(
        &self,
        pivots: &Mdd,
        others: &Mdd,
        (_, sections): &(Steps, Sections),
        reached: &mut Mdd,
        found: &mut Mdd,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        for _ in 0..PASSES {
            let before = reached.clone();
            for &event in self.active {
                *reached = reached.union(&self.network.events.post(event, reached, budget)?, budget)?;
            }
            *found = found.union(&self.leading_to(pivots, others, reached, budget)?, budget)?;
            let open = pivots.difference(found, budget)?;
            if open.is_empty() || *reached == before {
                return Ok(true);
            }
            *reached = reached.intersection(&sections.shadow(&open, budget)?, budget)?;
        }
        Ok(false)
    }

    /// The pivots in whose cell another candidate is reached.
    fn leading_to(&self, pivots: &Mdd, others: &Mdd, reached: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let found = reached.intersection(others, budget)?;
        Ok(pivots.intersection(&self.cells.shadow(&found, budget)?, budget)?)
    }

    /// The pivots that lead to another candidate of their cell.
    fn leading(
        &self,
        pivots: &Mdd,
        others: &Mdd,
        search: &(Steps, Sections),
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let Network { events, states, .. } = self.network;
        let (mut reached, mut found) = (pivots.clone(), states.space().empty());
        if self.passes(pivots, others, search, &mut reached, &mut found, budget)? {
            return Ok(found);
        }
        let reached = closure(&search.0, events, self.active, &reached, states, budget)?;
        Ok(found.union(&self.leading_to(pivots, others, &reached, budget)?, budget)?)
    }
}
