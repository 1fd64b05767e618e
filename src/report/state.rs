//! States for people and for machines: `p=2 q`, or `sender=idle receiver=busy` where values have names. Machines get
//! identifiers, people the names that they gave.

use crate::formula::{Symbols, quoted};
use crate::model::{State, TransitionSystem, VariableId};
use std::borrow::Cow;

/// The variables of a state with their values: names of values, and counts that are not 0.
pub fn values<'s>(model: &'s dyn TransitionSystem, state: &'s State) -> Vec<(&'s str, Cow<'s, str>)> {
    let values = model.variable_ids().zip(state.as_slice());
    let value = |(variable, &value): (VariableId, &u64)| {
        let text = match model.value(variable, value) {
            Some(name) => name,
            None => Some(value.to_string()).filter(|_| value > 0)?.into(),
        };
        Some((model.variable(variable), text))
    };
    values.filter_map(value).collect()
}

/// What a variable is called for people, in quotes if it would not be read as one word.
pub fn variable<'s>(model: &'s dyn TransitionSystem, symbols: &'s Symbols, variable: VariableId) -> Cow<'s, str> {
    let name = symbols.place_name(variable).unwrap_or_else(|| model.variable(variable));
    if name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '"') { quoted(name) } else { name.into() }
}

/// The same as text, with an end to it.
pub fn text(model: &dyn TransitionSystem, symbols: &Symbols, state: &State, most: usize) -> String {
    let values = model.variable_ids().zip(state.as_slice());
    let value = |(id, &value): (VariableId, &u64)| {
        // A name is looked up, so only those that are shown are.
        let name = || variable(model, symbols, id);
        match (model.value(id, value), value) {
            (Some(value), _) => Some(format!("{}={value}", name())),
            (None, 0) => None,
            (None, 1) => Some(name().into_owned()),
            (None, _) => Some(format!("{}={value}", name())),
        }
    };
    let shown: Vec<String> = values.filter_map(value).collect();
    if shown.is_empty() {
        return if model.terms().counts { "no tokens" } else { "all values are 0" }.to_owned();
    }
    let more = shown.len().saturating_sub(most);
    let mut text = shown[..shown.len() - more].join(" ");
    if more > 0 {
        text.push_str(&format!(" … and {more} more {}s (all with --json)", model.terms().variable));
    }
    text
}
