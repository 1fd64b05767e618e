//! Witnesses as text, JSON and pictures. See docs/witness.md.

mod dot;
mod json;
mod text;

pub use dot::dot;
pub use json::JsonWitness;
pub use text::text;

use crate::formula::{Formula, FormulaId, Pool, Symbols};
use crate::net::{Marking, PetriNet};
use crate::witness::{Because, Reason, Run};

/// What is needed to name what a witness is made of.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The net.
    pub net: &'a PetriNet,
    /// The pool of the formulas.
    pub pool: &'a Pool,
    /// The names of the net.
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
    fn marked<'n>(&'n self, marking: &'n Marking) -> impl Iterator<Item = (&'n str, u64)> {
        let tokens = self.net.places().iter().zip(marking.as_slice());
        tokens.filter(|&(_, &n)| n > 0).map(|(place, &n)| (place.id.as_str(), n))
    }

    /// The places whose tokens differ, with both counts.
    fn changes<'n>(&'n self, from: &'n Marking, to: &'n Marking) -> impl Iterator<Item = (&'n str, u64, u64)> {
        let both = self.net.places().iter().zip(from.as_slice().iter().zip(to.as_slice()));
        both.filter(|(_, (a, b))| a != b).map(|(place, (&a, &b))| (place.id.as_str(), a, b))
    }
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
