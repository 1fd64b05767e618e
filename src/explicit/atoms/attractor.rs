//! Events that must happen before a condition changes its value.
//!
//! A conjunction that does not hold needs one of its false operands to change, a disjunction any of all: so events can
//! be listed of which each way to a state with the other value contains one (attractor sets, Schmidt 1999).

use super::{Atoms, Condition, Node, PackedModel, Value, holds};
use crate::explicit::packed_model::{Event, Reducer};
use crate::explicit::states::States;
use crate::formula::Comparison;
use crate::model::VariableId;
use crate::stop_reason::StopReason;

impl Atoms {
    /// Add events of which one happens before the condition of a proposition changes its value, which it has in the
    /// current state.
    pub(in crate::explicit) fn attract<S: PackedModel>(
        &self,
        states: &States<S>,
        words: &[u64],
        proposition: usize,
        events: &mut Vec<Event>,
    ) -> Result<(), StopReason> {
        let mut values = Vec::with_capacity(self.conditions[proposition].len());
        for node in &self.compiled[proposition] {
            let value = holds(node, states.space(), words, &values)?;
            values.push(value);
        }
        let attractor = Attractor { condition: &self.conditions[proposition], values: &values, states, words };
        attractor.change(values.len().saturating_sub(1), events);
        Ok(())
    }
}

struct Attractor<'a, S: PackedModel> {
    condition: &'a Condition<VariableId>,
    values: &'a [bool],
    states: &'a States<S>,
    words: &'a [u64],
}

impl<S: PackedModel> Attractor<'_, S> {
    /// Events of which one happens before a node changes its value.
    fn change(&self, at: usize, events: &mut Vec<Event>) {
        let value = self.values[at];
        match &self.condition[at] {
            // Only models whose rules are all fired have labels.
            Node::Constant(_) | Node::Label(_) => {}
            Node::Count(place, comparison, k) => self.compare(&[(*place, 1)], *comparison, (*k).into(), value, events),
            Node::Linear(terms, comparison, k) => self.compare(terms, *comparison, *k, value, events),
            Node::General(values, ..) => {
                let places = values.iter().flat_map(|value| match value {
                    Value::Tokens(places) => &places[..],
                    _ => &[],
                });
                events.extend(places.flat_map(|&place| [Event::Up(place), Event::Down(place)]));
            }
            Node::Enabled(actions) if value => {
                let space = self.states.space();
                let enabled = actions.iter().find(|&&action| space.is_enabled(self.words, action) == Ok(true));
                enabled.iter().for_each(|&&action| S::Reducer::disabling(space, action, events));
            }
            Node::Enabled(actions) => events.extend(actions.iter().map(|&action| Event::Action(action))),
            // Nothing happens after a deadlock.
            Node::Deadlock if value => {}
            Node::Deadlock => {
                if let Some(rule) = self.states.next(self.words, &mut self.states.cursor(self.words, 0)) {
                    S::Reducer::disabling(self.states.space(), self.states.action(rule), events);
                }
            }
            // Spaces with a reducer have no time that passes by itself: this is a deadlock, of which there is nothing
            // to say without looking at all events.
            // To be in a set, or not, rests on all of them as well.
            Node::Still(_) | Node::Set(..) => {
                let variables = self.states.space().system().variable_ids();
                events.extend(variables.flat_map(|variable| [Event::Up(variable), Event::Down(variable)]));
            }
            Node::Not(a) => self.change(*a, events),
            // All operands have the value; one of them must change.
            Node::And(operands) if value => operands.iter().for_each(|&a| self.change(a, events)),
            Node::Or(operands) if !value => operands.iter().for_each(|&a| self.change(a, events)),
            // Those that have the value must change, each of them: the one with the fewest events will do.
            Node::And(operands) | Node::Or(operands) => {
                self.cheapest(operands.iter().filter(|&&a| self.values[a] == value), events)
            }
            Node::Implies(a, b) if value => {
                // To make it false, a must become true and b false.
                let wrong = [(!self.values[*a]).then_some(a), self.values[*b].then_some(b)];
                self.cheapest(wrong.into_iter().flatten(), events);
            }
            Node::Implies(a, b) | Node::Iff(a, b) => {
                self.change(*a, events);
                self.change(*b, events);
            }
        }
    }

    fn cheapest<'o>(&self, operands: impl Iterator<Item = &'o usize>, events: &mut Vec<Event>) {
        let changes = operands.map(|&a| {
            let mut events = Vec::new();
            self.change(a, &mut events);
            events
        });
        events.extend(changes.min_by_key(Vec::len).unwrap_or_default());
    }

    /// Events that change the value of `Σ weight·place ⋈ k`.
    fn compare(
        &self,
        terms: &[(VariableId, i128)],
        comparison: Comparison,
        k: i128,
        value: bool,
        events: &mut Vec<Event>,
    ) {
        let value_of = |place: VariableId| i128::from(self.states.layout().slot(place).value(self.words));
        let sum: i128 = terms.iter().map(|&(place, weight)| weight * value_of(place)).sum();
        let wanted = if value { comparison.negated() } else { comparison };
        let (up, down) = match wanted {
            Comparison::Eq => (sum < k, sum > k),
            Comparison::Ne => (true, true),
            Comparison::Lt | Comparison::Le => (false, true),
            Comparison::Gt | Comparison::Ge => (true, false),
        };
        for &(place, weight) in terms {
            if up && weight > 0 || down && weight < 0 {
                events.push(Event::Up(place));
            }
            if down && weight > 0 || up && weight < 0 {
                events.push(Event::Down(place));
            }
        }
    }
}
