//! Counts of an exploration: added up state by state, by each thread for itself, and put together in the end.

use super::Stats;
use super::layout::Layout;
use super::packed_model::{PackedModel, Rule};
use super::results::Exploration;
use super::store::{StateId, Store};
use crate::budget::Budget;
use crate::model::{Standstill, VariableId};
use crate::stop_reason::StopReason;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// States between two looks at the budget.
const CHECK_EVERY: u32 = 128;

/// Sums over the states that have been expanded.
#[derive(Debug)]
pub(super) struct Tally {
    /// Nothing where a number is beyond 128 bits.
    states: Option<u128>,
    transitions: Option<u128>,
    deadlocks: Option<u128>,
    /// By the space's action.
    fireable: Vec<bool>,
}

impl Tally {
    pub(super) fn new<S: PackedModel>(space: &S) -> Tally {
        let fireable = vec![false; space.system().actions()];
        Tally { states: Some(0), transitions: Some(0), deadlocks: Some(0), fireable }
    }

    /// Count a state with the rules that are enabled in it.
    #[inline]
    pub(super) fn visit<S: PackedModel>(&mut self, space: &S, words: &[u64], fired: &[Rule]) {
        let times = space.stands_for(words);
        let add = |sum: &mut Option<u128>, factor: u128| {
            *sum = sum.zip(times).and_then(|(sum, times)| sum.checked_add(times.checked_mul(factor)?));
        };
        add(&mut self.states, 1);
        add(&mut self.transitions, fired.len() as u128);
        add(&mut self.deadlocks, u128::from(is_dead(space, words, fired)));
        fired.iter().for_each(|&rule| self.fireable[space.action(rule) as usize] = true);
    }

    /// Add what another thread has counted.
    pub(super) fn add(&mut self, other: &Tally) {
        let add = |one: &mut Option<u128>, two: Option<u128>| {
            *one = one.zip(two).and_then(|(one, two)| one.checked_add(two));
        };
        add(&mut self.states, other.states);
        add(&mut self.transitions, other.transitions);
        add(&mut self.deadlocks, other.deadlocks);
        self.fireable.iter_mut().zip(&other.fireable).for_each(|(one, &two)| *one |= two);
    }

    /// All together, with the extremes of the states.
    pub(super) fn exploration<S: PackedModel>(
        self,
        space: &S,
        extremes: Extremes,
        stats: Stats,
    ) -> Result<Exploration, StopReason> {
        let mut fireable = vec![false; self.fireable.len()];
        for (action, is_fireable) in (0..).zip(self.fireable) {
            fireable[space.id(action).index()] = is_fireable;
        }
        Ok(Exploration {
            states: self.states.ok_or(StopReason::Arithmetic)?,
            transitions: self.transitions.ok_or(StopReason::Arithmetic)?,
            deadlocks: self.deadlocks.ok_or(StopReason::Arithmetic)?,
            markings: extremes.markings.map(|markings| markings.len() as u128),
            bounds: extremes.bounds,
            max_tokens_per_marking: extremes.sum,
            fireable,
            stats,
        })
    }
}

/// Is a state a deadlock in which these rules are enabled, or these of them are enough?
#[inline]
pub(super) fn is_dead<S: PackedModel>(space: &S, words: &[u64], fired: &[Rule]) -> bool {
    // Where something else can happen, nothing stands still.
    let tick = space.system().tick();
    let deed = fired.iter().any(|&rule| Some(space.id(space.action(rule))) != tick);
    !deed && (tick.is_none() || stands_still(space, words))
}

/// Is a state a deadlock, though time may pass? The model has told its successors: it cannot fail.
pub(super) fn stands_still<S: PackedModel>(space: &S, words: &[u64]) -> bool {
    space.stands_still(words, Standstill::Deadlock) == Ok(true)
}

/// The greatest values in some states.
#[derive(Debug)]
pub(super) struct Extremes {
    bounds: Vec<u64>,
    sum: u128,
    /// The states, what clocks show left aside, where there are clocks.
    markings: Option<FxHashSet<Box<[u64]>>>,
}

impl Extremes {
    /// Of the states with these numbers.
    pub(super) fn of<S: PackedModel>(
        (space, layout, store): (&S, &Layout, &Store),
        numbers: Range<StateId>,
        budget: &Budget,
    ) -> Result<Extremes, StopReason> {
        let system = space.system();
        let lasting = system.variable_ids().filter(|&v| system.unit(v).is_none()).map(VariableId::index);
        let lasting: Vec<usize> = lasting.collect();
        let markings = (lasting.len() < system.variables()).then(FxHashSet::default);
        let mut all = Extremes { bounds: vec![0; system.variables()], sum: 0, markings };
        let (mut words, mut values) = (vec![0; layout.words()], Vec::new());
        for number in numbers {
            if number.is_multiple_of(CHECK_EVERY) {
                budget.check()?;
            }
            store.get(number, &mut words[..layout.key_words()]);
            layout.complete(&mut words);
            layout.decode(&words, &mut values);
            all.bounds.iter_mut().zip(&values).for_each(|(bound, &n)| *bound = n.max(*bound));
            if let Some(markings) = &mut all.markings {
                markings.insert(lasting.iter().map(|&variable| values[variable]).collect());
            }
            all.sum = all.sum.max(values.iter().map(|&n| u128::from(n)).sum());
        }
        Ok(all)
    }

    /// Those of other states, too.
    pub(super) fn add(&mut self, other: Extremes) {
        self.bounds.iter_mut().zip(other.bounds).for_each(|(one, two)| *one = two.max(*one));
        self.sum = self.sum.max(other.sum);
        if let (Some(markings), Some(others)) = (&mut self.markings, other.markings) {
            markings.extend(others);
        }
    }
}
