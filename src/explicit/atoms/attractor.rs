//! What must happen before a condition changes its value.
//!
//! A conjunction that does not hold needs one of its false operands to change, a disjunction any of all: so events can be
//! listed of which each way to a marking with the other value contains one (attractor sets, Schmidt 1999).

use super::{Atoms, Condition, Node, Space, Value, holds};
use crate::explicit::Stopped;
use crate::explicit::program::Rule;
use crate::explicit::stubborn::Event;
use crate::explicit::system::System;
use crate::formula::Comparison;
use crate::net::PlaceId;

impl Atoms {
    /// Add events of which one happens before the condition of a proposition changes its value.
    pub(in crate::explicit) fn attract(
        &self,
        system: &System,
        words: &[u64],
        proposition: usize,
        events: &mut Vec<Event>,
    ) -> Result<(), Stopped> {
        let mut values = Vec::with_capacity(self.conditions[proposition].len());
        for node in &self.compiled[proposition] {
            let value = holds(node, system, words, &values)?;
            values.push(value);
        }
        let attractor = Attractor { condition: &self.conditions[proposition], values: &values, system, words };
        attractor.change(values.len().saturating_sub(1), events);
        Ok(())
    }
}

struct Attractor<'a, 'n> {
    condition: &'a Condition<PlaceId>,
    values: &'a [bool],
    system: &'a System<'n>,
    words: &'a [u64],
}

impl Attractor<'_, '_> {
    /// Events of which one happens before a node changes its value.
    fn change(&self, at: usize, events: &mut Vec<Event>) {
        let value = self.values[at];
        match &self.condition[at] {
            Node::Constant(_) => {}
            Node::Count(place, comparison, k) => self.compare(&[(*place, 1)], *comparison, (*k).into(), value, events),
            Node::Linear(terms, comparison, k) => self.compare(terms, *comparison, *k, value, events),
            Node::General(values, ..) => {
                let places = values.iter().flat_map(|value| match value {
                    Value::Tokens(places) => &places[..],
                    _ => &[],
                });
                events.extend(places.flat_map(|&place| [Event::Up(place), Event::Down(place)]));
            }
            Node::Enabled(rules) if value => {
                let enabled = rules.iter().find(|&&rule| self.system.is_enabled(self.words, rule));
                enabled.iter().for_each(|&&rule| self.disable(rule, events));
            }
            Node::Enabled(rules) => events.extend(rules.iter().map(|&rule| Event::Rule(rule))),
            // Nothing happens after a deadlock.
            Node::Deadlock if value => {}
            Node::Deadlock => {
                if let Some(rule) = self.system.enabled_rules(self.words).next() {
                    self.disable(rule, events);
                }
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

    /// What disables an enabled rule.
    fn disable(&self, rule: Rule, events: &mut Vec<Event>) {
        let t = self.system.net.transition(self.system.transition(rule));
        events.extend(t.pre.iter().map(|a| Event::Down(a.place)));
        events.extend(t.inhibitors.iter().map(|a| Event::Up(a.place)));
    }

    /// What changes the value of `Σ weight·place ⋈ k`.
    fn compare(
        &self,
        terms: &[(PlaceId, i128)],
        comparison: Comparison,
        k: i128,
        value: bool,
        events: &mut Vec<Event>,
    ) {
        let tokens = |place: PlaceId| i128::from(self.system.layout().slot(place).tokens(self.words));
        let sum: i128 = terms.iter().map(|&(place, weight)| weight * tokens(place)).sum();
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
