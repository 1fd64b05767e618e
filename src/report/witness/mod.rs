//! Witnesses as text, JSON and pictures. See docs/witness.md.

mod dot;
mod json;
mod text;

pub use dot::dot;
pub use json::JsonWitness;
pub use text::text;

use crate::formula::{Formula, FormulaId, Pool, Symbols};
use crate::model::{State, Step, TransitionSystem, VariableId};
use crate::witness::{Because, Reason, Run};
use std::borrow::Cow;

/// What is needed to name what a witness is made of.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The model. A value with a name is shown as `variable=value`.
    pub model: &'a dyn TransitionSystem,
    /// The pool of the formulas.
    pub pool: &'a Pool,
    /// The names of the model.
    pub symbols: &'a Symbols,
}

/// Longest formula in text and pictures, in characters.
const LONGEST: usize = 160;

impl Names<'_> {
    /// A formula, negated if it does not hold.
    fn part(&self, formula: FormulaId, holds: bool) -> String {
        match &self.pool[formula] {
            _ if holds => self.short(formula),
            Formula::Not(operand) => self.short(*operand),
            Formula::Deadlock | Formula::Enabled(_) => format!("!{}", self.short(formula)),
            _ => format!("!({})", self.short(formula)),
        }
    }

    /// A formula, cut if it is very long.
    fn short(&self, formula: FormulaId) -> String {
        let text = self.pool.display(formula, self.symbols).to_string();
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        }
    }

    /// The variables with their values: counts that are not 0, and each value that has a name, as `variable=value`.
    fn marked<'n>(&'n self, state: &'n State) -> Vec<(Cow<'n, str>, u64)> {
        let values = self.model.variable_ids().zip(state.as_slice());
        values.filter_map(|(variable, &value)| self.named(variable, value)).collect()
    }

    /// What differs between two states, before and after.
    fn changes<'n>(&'n self, from: &'n State, to: &'n State) -> Vec<(Cow<'n, str>, u64, u64)> {
        let both = from.as_slice().iter().zip(to.as_slice());
        let differing = self.model.variable_ids().zip(both).filter(|(_, (a, b))| a != b);
        let change = |(variable, (&a, &b)): (VariableId, (&u64, &u64))| match self.model.value(variable, a) {
            None => vec![(Cow::Borrowed(self.model.variable(variable)), a, b)],
            Some(_) => {
                let one = |value, before, after| self.named(variable, value).map(|(name, _)| (name, before, after));
                one(a, 1, 0).into_iter().chain(one(b, 0, 1)).collect()
            }
        };
        differing.flat_map(change).collect()
    }

    /// A variable with its value, unless that is no tokens.
    fn named(&self, variable: VariableId, value: u64) -> Option<(Cow<'_, str>, u64)> {
        let name = self.model.variable(variable);
        match self.model.value(variable, value) {
            Some(value) => Some((format!("{name}={value}").into(), 1)),
            None => (value > 0).then_some((name.into(), value)),
        }
    }

    /// The name of what a step does.
    fn step(&self, step: Step) -> &str {
        self.model.action(step.action)
    }
}

/// A place with its tokens.
fn tokens((place, n): &(Cow<'_, str>, u64)) -> String {
    if *n == 1 { place.clone().into_owned() } else { format!("{place}={n}") }
}

/// The position after a step.
fn after(run: &Run, step: usize) -> usize {
    match run.end {
        crate::witness::End::Loop(start) if step + 1 == run.positions.len() => start,
        _ => step + 1,
    }
}

/// Why a quantified part of a Boolean combination has its value, in a few words.
fn why(reason: &Reason) -> String {
    match &reason.because {
        Because::Marking => "by the marking".to_owned(),
        Because::Run(number) => format!("run {}", number + 1),
        Because::Computed => "by computation".to_owned(),
        Because::Parts(parts) => {
            let mut words: Vec<String> = Vec::new();
            for word in parts.iter().map(why) {
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            words.join(", ")
        }
    }
}
