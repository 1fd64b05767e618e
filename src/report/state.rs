//! States for people and for machines: `p=2 q`, or `sender=idle receiver=busy` where values have names. Machines get
//! identifiers, people the names that they gave.

use crate::formula::{Symbols, quoted};
use crate::model::{State, TransitionSystem, VariableId};
use std::borrow::Cow;

/// The variables of a state with their values: names of values, and counts that are not 0.
pub fn values<'s>(model: &'s dyn TransitionSystem, state: &'s State) -> Vec<(&'s str, Cow<'s, str>)> {
    let values = shown(model, state);
    let value = |(variable, &value): (VariableId, &u64)| {
        let text = match model.value(variable, value) {
            Some(name) => name,
            None => Some(value.to_string()).filter(|_| value > 0)?.into(),
        };
        Some((model.variable(variable), text))
    };
    values.filter_map(value).collect()
}

/// A value of a variable: its name, or itself.
pub fn value(model: &dyn TransitionSystem, variable: VariableId, value: u64) -> Cow<'_, str> {
    model.value(variable, value).unwrap_or_else(|| value.to_string().into())
}

/// The variables that people are shown, with their values.
pub(super) fn shown<'s>(
    model: &'s dyn TransitionSystem,
    state: &'s State,
) -> impl Iterator<Item = (VariableId, &'s u64)> {
    model.variable_ids().zip(state.as_slice()).filter(|&(variable, _)| model.remembered(variable).is_none())
}

/// How many values of a clock are a unit of time, in a model that has clocks: states show clocks by their values.
pub fn scale(model: &dyn TransitionSystem) -> Option<u64> {
    model.variable_ids().find_map(|variable| model.unit(variable)).map(|unit| unit.parts)
}

/// The display name of a variable, in quotes if it would not be read as one word.
pub fn variable<'s>(model: &'s dyn TransitionSystem, symbols: &'s Symbols, variable: VariableId) -> Cow<'s, str> {
    let name = symbols.place_name(variable).unwrap_or_else(|| model.variable(variable));
    if name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '"') { quoted(name) } else { name.into() }
}

/// The variables of a program with their values, one by one: `x = 1`, `b = [0, 0]` of an array, `P at q` of a process.
/// Each with the number of its variables.
pub(super) fn assignments(model: &dyn TransitionSystem, symbols: &Symbols, state: &State) -> Vec<(String, usize)> {
    let mut told: Vec<(String, usize)> = Vec::new();
    // The array that the last variables are of, and its values.
    let mut array: Option<(String, Vec<String>)> = None;
    let close = |array: &mut Option<(String, Vec<String>)>, told: &mut Vec<(String, usize)>| {
        if let Some((name, values)) = array.take() {
            told.push((format!("{name} = [{}]", values.join(", ")), values.len()));
        }
    };
    for (id, &value) in shown(model, state) {
        let name = variable(model, symbols, id);
        let text = model.value(id, value).unwrap_or_else(|| value.to_string().into());
        let cell = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
        let cell = cell.and_then(|(name, index)| Some((name, index.parse::<usize>().ok()?)));
        match (cell, &mut array) {
            (Some((name, index)), Some((of, values))) if *of == name && index == values.len() => {
                values.push(text.into_owned());
                continue;
            }
            (Some((name, 0)), _) => {
                close(&mut array, &mut told);
                array = Some((name.to_owned(), vec![text.into_owned()]));
                continue;
            }
            _ => close(&mut array, &mut told),
        }
        let sign = if model.is_control(id) { "at" } else { "=" };
        told.push((format!("{name} {sign} {text}"), 1));
    }
    close(&mut array, &mut told);
    told
}

/// The same as text, with an end to it.
pub fn text(model: &dyn TransitionSystem, symbols: &Symbols, state: &State, most: usize) -> String {
    if model.terms().assigned {
        let told = assignments(model, symbols, state);
        let texts: Vec<&str> = told.iter().take(most).map(|(text, _)| text.as_str()).collect();
        let more: usize = told.iter().skip(most).map(|(_, variables)| variables).sum();
        let rest = if more == 0 { String::new() } else { format!(" … and {more} more variables (all with --json)") };
        return texts.join(", ") + &rest;
    }
    let values = shown(model, state);
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
