//! The packed space of integer time: a field for each place, which grows when a count does not fit, and one of just
//! enough bits for each clock, which does not, since a clock stops.
//!
//! Rules are the transitions, in their order, and the tick behind them. A state that was reached satisfies the
//! invariants of its marked places, so a transition looks only at those that it may violate: of the places that it
//! marks, and those that compare a clock that it sets to zero.

use super::system::{IntegerNet, tests};
use super::zone::ClockBox;
use crate::explicit::{Action, Builder, Fired, Layout, NoReduction, PackedModel, Rule, bits};
use crate::model::{ActionId, Standstill, Step, TransitionSystem, VariableId};
use crate::stop_reason::StopReason;
use std::sync::Arc;

/// A net with clocks compiled for packed states of integer time.
#[derive(Debug)]
pub(super) struct PackedClockNet<'m> {
    model: &'m IntegerNet,
    layout: Layout,
    transitions: Arc<[Compiled]>,
    /// The places with an invariant.
    timed: Arc<[usize]>,
}

/// A transition on variables.
#[derive(Debug)]
struct Compiled {
    needs: Vec<(VariableId, u64)>,
    changes: Vec<(VariableId, i64)>,
    /// By clock: is it set to zero?
    resets: Vec<bool>,
    /// Invariants to look at, with what is added to the tokens of their places.
    checks: Vec<(usize, i64)>,
}

impl<'m> PackedClockNet<'m> {
    /// Compile the net with room for its initial state.
    pub(super) fn new(model: &'m IntegerNet) -> Self {
        let net = model.net();
        let compiled = |(t, transition): (usize, &super::model::Transition)| {
            let weights = |arcs: &[super::model::Arc], p: usize| {
                arcs.iter().find(|arc| arc.place.index() == p).map_or(0, |arc| i64::from(arc.weight))
            };
            let change = |p: usize| weights(&transition.outputs, p) - weights(&transition.inputs, p);
            let mut touched: Vec<usize> =
                transition.inputs.iter().chain(&transition.outputs).map(|arc| arc.place.index()).collect();
            touched.sort_unstable();
            touched.dedup();
            let mut resets = vec![false; net.clocks.len()];
            transition.resets.iter().for_each(|clock| resets[clock.index()] = true);
            Compiled {
                needs: transition.inputs.iter().map(|arc| (VariableId(arc.place.0), arc.weight.into())).collect(),
                changes: touched
                    .into_iter()
                    .map(|p| (VariableId(p as u32), change(p)))
                    .filter(|&(_, change)| change != 0)
                    .collect(),
                resets,
                checks: model.checks[t].iter().map(|&p| (p, change(p))).collect(),
            }
        };
        let timed = |&p: &usize| (0..net.clocks.len()).any(|x| tests(&model.invariants[p], x));
        let never = |&p: &usize| model.invariants[p].is_empty();
        let transitions = net.transitions.iter().enumerate().map(compiled).collect();
        let timed = (0..net.places.len()).filter(|p| timed(p) || never(p)).collect();
        PackedClockNet { model, layout: room(model, model.initial().as_slice()), transitions, timed }
    }

    fn value(&self, words: &[u64], variable: VariableId) -> u64 {
        self.layout.slot(variable).value(words)
    }

    fn clock(&self, words: &[u64], clock: usize) -> u64 {
        self.value(words, self.model.clock_variable(clock))
    }

    /// Are the values in one of the boxes, so many halves later, with some clocks at zero?
    fn within(&self, words: &[u64], boxes: &[ClockBox], halves: i64, zero: &[bool]) -> bool {
        let twice =
            |x: usize| if zero.get(x) == Some(&true) { halves } else { 2 * self.clock(words, x) as i64 + halves };
        boxes.iter().any(|b| b.holds_half(twice))
    }

    fn enables(&self, words: &[u64], rule: Rule) -> bool {
        let Some(t) = self.transitions.get(rule as usize) else {
            return self.model.is_tick(ActionId(rule)) && self.ticks(words);
        };
        t.needs.iter().all(|&(place, weight)| self.value(words, place) >= weight)
            && self.within(words, &self.model.conditions[rule as usize], 0, &[])
            && t.checks.iter().all(|&(p, change)| {
                self.value(words, VariableId(p as u32)).checked_add_signed(change) == Some(0)
                    || self.within(words, &self.model.invariants[p], 0, &t.resets)
            })
    }

    /// May a unit pass?
    fn ticks(&self, words: &[u64]) -> bool {
        self.timed.iter().all(|&p| {
            let boxes = &self.model.invariants[p];
            self.value(words, VariableId(p as u32)) == 0
                || self.within(words, boxes, 1, &[]) && self.within(words, boxes, 2, &[])
        })
    }

    /// Let time pass.
    fn pass(&self, words: &mut [u64], units: u64) {
        for (x, &top) in self.model.tops.iter().enumerate() {
            let later = (self.clock(words, x) + units).min(top);
            self.layout.slot(self.model.clock_variable(x)).set(words, later);
        }
    }

    /// Number of rules.
    fn rules(&self) -> Rule {
        self.model.actions() as Rule
    }
}

/// A layout with fields that these values fit.
fn room(model: &IntegerNet, most: &[u64]) -> Layout {
    let mut builder = Builder::new(most.len());
    let places = model.net().places.len();
    for (variable, &most) in model.variable_ids().zip(most) {
        let most = variable.index().checked_sub(places).map_or(most, |clock| model.tops[clock]);
        builder.counter(variable, bits(most).max(1));
    }
    builder.build()
}

impl PackedModel for PackedClockNet<'_> {
    /// The next rule to look at.
    type Cursor = Rule;
    type Scratch = ();
    type Reducer = NoReduction;

    fn system(&self) -> &dyn TransitionSystem {
        self.model
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn grown(&self, (): &(), words: &[u64], rule: Rule, most: &[u64]) -> Result<Self, StopReason> {
        let mut values = Vec::new();
        self.layout.decode(words, &mut values);
        for &(place, change) in self.transitions.get(rule as usize).iter().flat_map(|t| &t.changes) {
            let value = &mut values[place.index()];
            let too_large = || StopReason::OutOfRange { variable: self.model.variable(place).to_owned(), bits: 64 };
            *value = value.checked_add_signed(change).ok_or_else(too_large)?;
        }
        self.layout.room(&mut values, most);
        let (transitions, timed) = (Arc::clone(&self.transitions), Arc::clone(&self.timed));
        Ok(PackedClockNet { model: self.model, layout: room(self.model, &values), transitions, timed })
    }

    fn step(&self, rule: Rule) -> Step {
        ActionId(rule).into()
    }

    fn action(&self, rule: Rule) -> Action {
        rule
    }

    fn id(&self, action: Action) -> ActionId {
        ActionId(action)
    }

    fn action_of(&self, id: ActionId) -> Option<Action> {
        (id.0 < self.rules()).then_some(id.0)
    }

    fn cursor(&self, (): &(), _: &[u64], from: Rule) -> Rule {
        from
    }

    fn next(&self, (): &(), words: &[u64], cursor: &mut Rule) -> Option<Rule> {
        while *cursor < self.rules() {
            *cursor += 1;
            if self.enables(words, *cursor - 1) {
                return Some(*cursor - 1);
            }
        }
        None
    }

    fn fire(&self, (): &(), words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        next.clear();
        next.extend_from_slice(words);
        let Some(t) = self.transitions.get(rule as usize) else {
            self.pass(next, 1);
            return Fired::Done;
        };
        for &(place, change) in &t.changes {
            let value = self.value(words, place).checked_add_signed(change);
            if !value.is_some_and(|value| self.layout.slot(place).set(next, value)) {
                return Fired::Misfit;
            }
        }
        for (x, _) in t.resets.iter().enumerate().filter(|&(_, &zero)| zero) {
            self.layout.slot(self.model.clock_variable(x)).set(next, 0);
        }
        Fired::Done
    }

    fn is_enabled(&self, words: &[u64], action: Action) -> Result<bool, StopReason> {
        Ok(self.enables(words, action))
    }

    fn is_deadlock(&self, words: &[u64]) -> Result<bool, StopReason> {
        Ok(!(0..self.rules()).any(|rule| self.enables(words, rule)))
    }

    /// Time passes to where it stops, or to where all clocks have stopped: from moment to moment, as in between nothing
    /// changes, however large the constants are.
    fn stands_still(&self, words: &[u64], how: Standstill) -> Result<bool, StopReason> {
        let mut now = words.to_vec();
        let tick = self.transitions.len() as Rule;
        loop {
            if (0..tick).any(|rule| self.enables(&now, rule)) {
                return Ok(false);
            }
            if !self.enables(&now, tick) {
                return Ok(true);
            }
            match self.model.until_next(|clock| self.clock(&now, clock)) {
                Some(units) => self.pass(&mut now, units),
                None => return Ok(how == Standstill::Deadlock),
            }
        }
    }

    fn reducer(&self, _: &dyn Fn(Action) -> bool) -> Option<NoReduction> {
        None
    }
}
