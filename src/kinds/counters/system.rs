//! A counter machine under its firing rule.

use super::{CounterMachine, OnCounter, Transition};
use crate::model::{ActionId, Row, State, Step, Terms, TransitionSystem, VariableId};
use std::borrow::Cow;

impl OnCounter {
    /// Is a value accepted?
    pub(super) fn accepts(&self, value: u64) -> bool {
        value >= self.least.max(self.change.min(0).unsigned_abs()) && self.below.is_none_or(|below| value < below)
    }
}

impl CounterMachine {
    fn transition(&self, action: ActionId) -> Option<&Transition> {
        self.transitions().get(action.index())
    }

    /// The state after a transition.
    fn after(&self, state: &[u64], transition: &Transition) -> Option<Vec<u64>> {
        let mut next = state.to_vec();
        if let Some((from, to)) = transition.control {
            let control = next.first_mut().filter(|control| **control == u64::from(from))?;
            *control = to.into();
        }
        for on in &transition.counters {
            let value = next.get_mut(self.variable_of(on.counter).index())?;
            *value = value.checked_add_signed(on.change).filter(|_| on.accepts(*value))?;
        }
        Some(next)
    }
}

impl TransitionSystem for CounterMachine {
    fn name(&self) -> &str {
        self.name()
    }

    /// The control state is no count, and is not to be added to those that are.
    fn terms(&self) -> Terms {
        Terms {
            model: "machine",
            variable: "variable",
            action: "transition",
            state: "state",
            counts: false,
            assigned: false,
        }
    }

    fn variables(&self) -> usize {
        self.counters().len() + usize::from(self.control().is_some())
    }

    fn variable(&self, variable: VariableId) -> &str {
        match (self.control(), variable.index()) {
            (Some(control), 0) => &control.name,
            (control, index) => {
                let counter = self.counters().get(index - usize::from(control.is_some()));
                counter.map_or("?", |counter| &counter.name)
            }
        }
    }

    fn value(&self, variable: VariableId, value: u64) -> Option<Cow<'_, str>> {
        let control = self.control().filter(|_| variable.index() == 0)?;
        Some(control.states.get(usize::try_from(value).ok()?)?.into())
    }

    fn actions(&self) -> usize {
        self.transitions().len()
    }

    fn action(&self, action: ActionId) -> &str {
        self.transition(action).map_or("?", |transition| &transition.name)
    }

    fn row(&self, action: ActionId) -> Row {
        let Some(transition) = self.transition(action) else { return Row::default() };
        let control = transition.control.map(|(from, to)| (VariableId(0), from != to));
        let counters = transition.counters.iter().map(|on| (self.variable_of(on.counter), on.change != 0));
        let mut touched: Vec<(VariableId, bool)> = control.into_iter().chain(counters).collect();
        touched.sort_unstable();
        Row {
            reads: touched.iter().map(|&(variable, _)| variable).collect(),
            writes: touched.iter().filter(|(_, changes)| *changes).map(|&(variable, _)| variable).collect(),
            must_write: Vec::new(),
        }
    }

    fn initial(&self) -> State {
        let control = self.control().map(|_| 0);
        State::new(control.into_iter().chain(self.counters().iter().map(|counter| counter.initial)).collect())
    }

    fn fire(&self, state: &State, step: Step) -> Option<State> {
        let transition = self.transition(step.action).filter(|_| step.choice == 0)?;
        self.after(state.as_slice(), transition).map(State::new)
    }

    fn enables(&self, state: &State, action: ActionId) -> bool {
        self.transition(action).is_some_and(|transition| self.after(state.as_slice(), transition).is_some())
    }

    fn step(&self, from: &State, action: ActionId, to: &State) -> Option<Step> {
        let step = Step::from(action);
        (self.fire(from, step).as_ref() == Some(to)).then_some(step)
    }
}
