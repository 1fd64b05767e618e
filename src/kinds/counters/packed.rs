//! The packed space of a counter machine: a field of just enough bits for the control state, and one for each counter,
//! which grows when a value does not fit.
//!
//! Rules are the transitions, in their order. It shows how little a space needs; those of nets and networks find the
//! enabled rules by an index, and fire without decoding.

use super::{CounterMachine, OnCounter, Transition};
use crate::explicit::{Action, Builder, Fired, Layout, NoReduction, PackedModel, Rule, Slot, bits};
use crate::model::{ActionId, Step, TransitionSystem, VariableId};
use crate::stop_reason::StopReason;

/// A counter machine compiled for packed states.
#[derive(Debug)]
pub(super) struct PackedMachine<'m> {
    machine: &'m CounterMachine,
    layout: Layout,
}

impl<'m> PackedMachine<'m> {
    /// Compile the machine with room for its initial state.
    pub(super) fn new(machine: &'m CounterMachine) -> Self {
        Self::with_room(machine, machine.initial().as_slice())
    }

    /// With fields that these values fit.
    fn with_room(machine: &'m CounterMachine, most: &[u64]) -> Self {
        let mut builder = Builder::new(most.len());
        for (variable, &most) in machine.variable_ids().zip(most) {
            let named = machine.control().filter(|_| variable.index() == 0);
            let most = named.map_or(most, |control| control.states.len() as u64 - 1);
            builder.counter(variable, bits(most).max(1));
        }
        PackedMachine { machine, layout: builder.build() }
    }

    fn transition(&self, rule: Rule) -> Option<&'m Transition> {
        self.machine.transitions().get(rule as usize)
    }

    fn value(&self, words: &[u64], on: &OnCounter) -> u64 {
        self.slot(on).value(words)
    }

    fn slot(&self, on: &OnCounter) -> Slot {
        self.layout.slot(self.machine.variable_of(on.counter))
    }

    fn enables(&self, words: &[u64], transition: &Transition) -> bool {
        let at = |state: u32| self.layout.slot(VariableId(0)).value(words) == u64::from(state);
        transition.control.is_none_or(|(from, _)| at(from))
            && transition.counters.iter().all(|on| on.accepts(self.value(words, on)))
    }
}

impl PackedModel for PackedMachine<'_> {
    /// The next rule to look at.
    type Cursor = Rule;
    type Scratch = ();
    type Reducer = NoReduction;

    fn system(&self) -> &dyn TransitionSystem {
        self.machine
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn grown(&self, (): &(), words: &[u64], rule: Rule, most: &[u64]) -> Result<Self, StopReason> {
        let mut room = Vec::new();
        self.layout.decode(words, &mut room);
        for on in self.transition(rule).iter().flat_map(|transition| &transition.counters) {
            let variable = self.machine.variable_of(on.counter);
            let value = &mut room[variable.index()];
            let too_large =
                || StopReason::OutOfRange { variable: self.machine.variable(variable).to_owned(), bits: 64 };
            *value = value.checked_add_signed(on.change).ok_or_else(too_large)?;
        }
        self.layout.room(&mut room, most);
        Ok(Self::with_room(self.machine, &room))
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
        self.transition(id.0).map(|_| id.0)
    }

    fn cursor(&self, (): &(), _: &[u64], from: Rule) -> Rule {
        from
    }

    fn next(&self, (): &(), words: &[u64], cursor: &mut Rule) -> Option<Rule> {
        while let Some(transition) = self.transition(*cursor) {
            *cursor += 1;
            if self.enables(words, transition) {
                return Some(*cursor - 1);
            }
        }
        None
    }

    fn fire(&self, (): &(), words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        next.clear();
        next.extend_from_slice(words);
        let Some(transition) = self.transition(rule) else { return Fired::Misfit };
        if let Some((_, to)) = transition.control {
            self.layout.slot(VariableId(0)).set(next, to.into());
        }
        for on in &transition.counters {
            let value = self.value(words, on).checked_add_signed(on.change);
            let fits = value.is_some_and(|value| self.slot(on).set(next, value));
            if !fits {
                return Fired::Misfit;
            }
        }
        Fired::Done
    }

    fn is_enabled(&self, words: &[u64], action: Action) -> Result<bool, StopReason> {
        Ok(self.transition(action).is_some_and(|transition| self.enables(words, transition)))
    }

    fn is_deadlock(&self, words: &[u64]) -> Result<bool, StopReason> {
        Ok(!self.machine.transitions().iter().any(|transition| self.enables(words, transition)))
    }

    fn reducer(&self, _: &dyn Fn(Action) -> bool) -> Option<NoReduction> {
        None
    }
}
