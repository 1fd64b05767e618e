//! Witnesses as text, JSON and pictures. See docs/witness.md.

mod dot;
mod json;
mod text;

pub use dot::dot;
pub use json::JsonWitness;
pub use text::text;

use crate::formula::{Formula, FormulaId, Pool, Symbols};
use crate::lts::Model;
use crate::net::{Marking, TransitionId};
use crate::witness::{Because, Reason, Run};
use std::borrow::Cow;

/// What is needed to name what a witness is made of.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The net or network. A local state of a network is shown as a place `component=state` with a token.
    pub model: Model<'a>,
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

    /// The marked places with their tokens.
    fn marked<'n>(&'n self, marking: &'n Marking) -> Vec<(Cow<'n, str>, u64)> {
        let tokens = marking.as_slice().iter().enumerate();
        match self.model {
            Model::Net(net) => {
                let tokens = net.places().iter().zip(tokens).filter(|(_, (_, n))| **n > 0);
                tokens.map(|(place, (_, &n))| (place.id.as_str().into(), n)).collect()
            }
            Model::Network(_) => tokens.map(|(component, &state)| (self.local(component, state), 1)).collect(),
        }
    }

    /// The places whose tokens differ, with both counts.
    fn changes<'n>(&'n self, from: &'n Marking, to: &'n Marking) -> Vec<(Cow<'n, str>, u64, u64)> {
        let both = from.as_slice().iter().zip(to.as_slice()).enumerate().filter(|(_, (a, b))| a != b);
        match self.model {
            Model::Net(net) => {
                let place = |place: usize| net.places().get(place).map_or("?", |place| place.id.as_str());
                both.map(|(at, (&a, &b))| (place(at).into(), a, b)).collect()
            }
            Model::Network(_) => {
                both.flat_map(|(at, (&a, &b))| [(self.local(at, a), 1, 0), (self.local(at, b), 0, 1)]).collect()
            }
        }
    }

    /// A local state of a component of a network.
    fn local(&self, component: usize, state: u64) -> Cow<'static, str> {
        let Model::Network(network) = self.model else { return "?".into() };
        let component = network.components().get(component);
        let state = component.and_then(|component| component.states.get(usize::try_from(state).ok()?));
        format!("{}={}", component.map_or("?", |component| &component.name), state.map_or("?", |state| state)).into()
    }

    /// The name of a transition, or the label of a step of a network.
    fn step(&self, step: TransitionId) -> &str {
        self.model.label(step).map_or("?", |label| self.symbols.transition_id(label))
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
