//! Paths of the reachability graph that an automaton accepts and that satisfy fairness conditions: which states do they
//! begin in?
//!
//! **Problem.** An automaton for k fairness conditions has up to 2^k edges or more ([`crate::formula`] splits them off), and
//! conditions on steps are no letters of states.
//!
//! **Idea.** What a path passes infinitely often is a strongly connected part of the product with the automaton of the
//! rest. A component of the product has a part that satisfies all conditions, and has all marks, if it does so itself; if a
//! mark is missing, or nothing does what a justice condition demands, no part of it can; and if P is in it and Q is not,
//! parts that can are without P, so that its components without these states are looked at, likewise (Emerson and Lei
//! 1987; Lichtenstein and Pnueli, "Checking that finite state concurrent programs satisfy their linear specification",
//! POPL 1985). In the end all is found that reaches such a part: components are numbered so that this is one pass.
//!
//! Each round takes states away, so that the time is that of one search for components times the number of compassion
//! conditions and one, at most for each state. A state of the product has 20 bytes.

use super::fair_states::{Edge, FairStates, Node};
use super::fixpoints::Route;
use super::store::StateId;
use crate::budget::Exhausted;
use crate::scc::components;
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;

/// Bytes of a state of the product.
const BYTES: u64 = 20;

/// What is to be done infinitely often.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    /// The states of which every step does it.
    pub(super) always: FixedBitSet,
    /// Those of which the step does it that repeats a deadlock.
    pub(super) idle: FixedBitSet,
    /// The edges that do it, where that depends on actions.
    pub(super) taken: Option<FixedBitSet>,
}

impl Demand {
    fn is_met(&self, state: StateId, step: Option<usize>) -> bool {
        let (state, by_step) = (state as usize, |taken: &FixedBitSet| step.is_some_and(|step| taken.contains(step)));
        self.always.contains(state)
            || step.is_none() && self.idle.contains(state)
            || self.taken.as_ref().is_some_and(by_step)
    }
}

/// Fairness conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Demands {
    /// With the states that make it one, if not all do.
    pub(super) all: Vec<(Option<FixedBitSet>, Demand)>,
}

/// The product, and conditions on its paths.
pub(super) struct FairComponents<'a> {
    pub(super) product: FairStates<'a>,
    pub(super) demands: Demands,
}

/// The parts that are found.
struct Parts {
    /// Of each place: the fair part that it is in, counted from 1, or 0.
    part: Vec<u32>,
    /// The components of the whole product.
    of: Vec<u32>,
    count: usize,
}

impl FairComponents<'_> {
    /// The states where some path begins that is accepted from the first location on.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub(super) fn all(&self) -> Result<FixedBitSet, StopReason> {
        let good = self.reaching(&self.parts()?);
        let states = self.product.graph().states();
        let mut found = FixedBitSet::with_capacity(states);
        for state in 0..states {
            found.set(state, good.contains(self.product.place(Node { state: state as StateId, location: 0 })));
        }
        Ok(found)
    }

    /// A path from a state that is accepted; `None` if there is none, or if it would have to tell steps apart that lead
    /// to the same state.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub(super) fn route(&self, from: StateId) -> Result<Option<Route>, StopReason> {
        if self.demands.all.iter().any(|(_, demand)| demand.taken.is_some()) {
            return Ok(None);
        }
        let parts = self.parts()?;
        let part_of = |node: Node| parts.part[self.product.place(node)];
        let start = Node { state: from, location: 0 };
        let (mut states, mut at) = (vec![from], start);
        if part_of(start) == 0 {
            let Some(way) = self.product.way(start, &|_| true, &|_, edge| part_of(edge.target) != 0)? else {
                return Ok(None);
            };
            states.extend(way.iter().map(|edge| edge.target.state));
            at = way.last().map_or(start, |edge| edge.target);
        }
        let (top, number, first) = (at, part_of(at), states.len() - 1);
        let inside = |node: Node| part_of(node) == number;
        let mut seen = 0;
        let mut met = vec![false; self.demands.all.len()];
        let note = |from: Node, edge: Edge, seen: &mut u64, met: &mut Vec<bool>| {
            *seen |= edge.marks;
            for (met, (_, demand)) in met.iter_mut().zip(&self.demands.all) {
                *met |= demand.is_met(from.state, edge.step);
            }
        };
        // Each mark, each demand that the part meets, and back.
        for goal in 0..=self.demands.all.len() + 64 {
            let back = goal == self.demands.all.len() + 64;
            let (done, required) = match goal.checked_sub(64) {
                None => (self.product.all_marks() & !seen & (1 << goal) == 0, true),
                Some(_) if back => (at == top && states.len() > first + 1, true),
                Some(demand) => (met[demand], self.demands.all[demand].0.is_none()),
            };
            if done {
                continue;
            }
            let wanted = |from: Node, edge: Edge| match goal.checked_sub(64) {
                None => edge.marks & (1 << goal) != 0,
                Some(_) if back => edge.target == top,
                Some(demand) => self.demands.all[demand].1.is_met(from.state, edge.step),
            };
            let Some(way) = self.product.way(at, &inside, &wanted)? else {
                if required {
                    return Ok(None);
                }
                continue;
            };
            for edge in way {
                note(at, edge, &mut seen, &mut met);
                states.push(edge.target.state);
                at = edge.target;
            }
        }
        if self.product.graph().successors(top.state as usize).is_empty() {
            // A deadlock that repeats is passed once.
            states.truncate(first + 1);
            let end = states.iter().position(|&state| state == top.state).unwrap_or(first);
            states.truncate(end + 1);
            return Ok(Some(Route { states, cycle: None, ends: true }));
        }
        // The last state is the first one of the cycle.
        states.pop();
        Ok(Some(Route { states, cycle: Some(first), ends: false }))
    }

    fn targets(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.product.edges(self.product.at(place)).map(|edge| self.product.place(edge.target))
    }

    /// The strongly connected parts that satisfy all.
    fn parts(&self) -> Result<Parts, StopReason> {
        let places = self.product.places();
        let (budget, beside) = self.product.limits();
        if budget.memory().is_some_and(|limit| beside + BYTES * places as u64 > limit) {
            return Err(Exhausted::Memory.into());
        }
        budget.check()?;
        let whole = components(places, 0..places, |place| self.targets(place));
        let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); whole.count];
        (0..places).for_each(|place| waiting[whole.of[place] as usize].push(place as u32));
        // Alone, a place is a component if it has an edge to itself.
        waiting.retain(|part| part.len() > 1 || self.targets(part[0] as usize).any(|to| to == part[0] as usize));
        let mut parts = Parts { part: vec![0; places], of: whole.of, count: whole.count };
        // The part that a place may be in, and its number there.
        let mut candidate = vec![u32::MAX; places];
        let mut local = vec![0u32; places];
        let (mut next, mut fair) = (0u32, 0u32);
        while let Some(part) = waiting.pop() {
            budget.check()?;
            let number = next;
            next += 1;
            part.iter().for_each(|&place| candidate[place as usize] = number);
            let Some(culprits) = self.fails(&part, &|place| candidate[place] == number) else {
                fair += 1;
                part.iter().for_each(|&place| parts.part[place as usize] = fair);
                continue;
            };
            let left: Vec<u32> = part.into_iter().filter(|&place| !culprits(self.product.at(place as usize))).collect();
            let number = next;
            next += 1;
            for (index, &place) in (0..).zip(&left) {
                (candidate[place as usize], local[place as usize]) = (number, index);
            }
            let inside = |place: usize| self.targets(place).filter(|&to| candidate[to] == number);
            let of_left = components(left.len(), 0..left.len(), |index| {
                inside(left[index] as usize).map(|to| local[to] as usize)
            });
            let mut smaller: Vec<Vec<u32>> = vec![Vec::new(); of_left.count];
            for (&place, &component) in left.iter().zip(&of_left.of) {
                smaller[component as usize].push(place);
            }
            smaller.retain(|part| part.len() > 1 || inside(part[0] as usize).any(|to| to == part[0] as usize));
            waiting.extend(smaller);
        }
        Ok(parts)
    }

    /// `None` if a strongly connected part satisfies all; else the states without which a part of it may.
    fn fails<'f>(&'f self, part: &[u32], inside: &dyn Fn(usize) -> bool) -> Option<Box<dyn Fn(Node) -> bool + 'f>> {
        let mut seen = 0;
        let mut met = vec![false; self.demands.all.len()];
        let mut caused = vec![false; self.demands.all.len()];
        for &place in part {
            let node = self.product.at(place as usize);
            for (caused, (cause, _)) in caused.iter_mut().zip(&self.demands.all) {
                *caused |= cause.as_ref().is_none_or(|cause| cause.contains(node.state as usize));
            }
            for edge in self.product.edges(node).filter(|edge| inside(self.product.place(edge.target))) {
                seen |= edge.marks;
                for (met, (_, demand)) in met.iter_mut().zip(&self.demands.all) {
                    *met = *met || demand.is_met(node.state, edge.step);
                }
            }
        }
        if seen != self.product.all_marks() {
            return Some(Box::new(|_| true));
        }
        let unmet = |number: &usize| caused[*number] && !met[*number];
        let number = (0..self.demands.all.len()).find(unmet)?;
        Some(Box::new(move |node| match &self.demands.all[number].0 {
            Some(cause) => cause.contains(node.state as usize),
            None => true,
        }))
    }

    /// The places from which a fair part is reached.
    fn reaching(&self, parts: &Parts) -> FixedBitSet {
        let mut of_component: Vec<Vec<u32>> = vec![Vec::new(); parts.count];
        (0..parts.of.len()).for_each(|place| of_component[parts.of[place] as usize].push(place as u32));
        // Edges lead to components with no higher numbers.
        let mut good = FixedBitSet::with_capacity(parts.count);
        for (number, places) in of_component.iter().enumerate() {
            let reaches = |&place: &u32| {
                let place = place as usize;
                parts.part[place] != 0 || self.targets(place).any(|to| good.contains(parts.of[to] as usize))
            };
            if places.iter().any(reaches) {
                good.insert(number);
            }
        }
        let mut found = FixedBitSet::with_capacity(parts.of.len());
        (0..parts.of.len()).for_each(|place| found.set(place, good.contains(parts.of[place] as usize)));
        found
    }
}
