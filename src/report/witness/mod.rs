//! Witnesses as text, JSON and pictures. See docs/witness.md.

mod dot;
mod json;
mod nusmv;
mod text;

pub use dot::dot;
pub use json::{JsonWitness, run_fields};
pub use nusmv::{Purpose, Trace, TraceForm, nusmv};
pub use text::{steps, text};

use crate::formula::{Formula, FormulaId, Pool, Symbols};
use crate::model::{Input, State, Step, TransitionSystem, VariableId};
use crate::report::state;
use crate::witness::{Because, Reason, Run};
use std::borrow::Cow;

/// The names of the parts of a witness.
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

/// A text, cut if it is very long.
fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

impl Names<'_> {
    /// A formula, negated if it does not hold.
    fn part(&self, formula: FormulaId, holds: bool) -> String {
        match &self.pool[formula] {
            _ if holds => self.short(formula),
            Formula::Not(operand) => self.short(*operand),
            Formula::Deadlock | Formula::Still(_) | Formula::Enabled(_) | Formula::Label(_) | Formula::Set(_) => {
                format!("!{}", self.short(formula))
            }
            _ => format!("!({})", self.short(formula)),
        }
    }

    /// A formula, cut if it is very long.
    fn short(&self, formula: FormulaId) -> String {
        cut(self.pool.display(formula, self.symbols).to_string())
    }

    /// The variables with their values: counts that are not 0, numbers that may be negative, and each value that has a
    /// name.
    fn marked<'n>(&'n self, state: &'n State) -> Vec<Marked<'n>> {
        let values = state::shown(self.model, state);
        let marked = |(variable, &number): (VariableId, &u64)| {
            let named = self.has_name(variable, number);
            let counted = self.model.terms().counts || self.model.least(variable) == 0;
            let value = self.value(variable, number);
            // A name is looked up, so only those that are shown are.
            (named || !counted || value != "0").then(|| Marked {
                id: self.model.variable(variable),
                name: state::variable(self.model, self.symbols, variable),
                value,
                named,
                counted,
            })
        };
        values.filter_map(marked).collect()
    }

    /// The differences of two states, before and after.
    fn changes<'n>(&'n self, from: &'n State, to: &'n State) -> Vec<[Cow<'n, str>; 3]> {
        let change = |(variable, a, b)| {
            [state::variable(self.model, self.symbols, variable), self.value(variable, a), self.value(variable, b)]
        };
        self.differing(from, to).map(change).collect()
    }

    /// The variables in which two states differ, with their values.
    fn differing<'n>(
        &'n self,
        from: &'n State,
        to: &'n State,
    ) -> impl Iterator<Item = (VariableId, u64, u64)> + use<'n> {
        let both = state::shown(self.model, from).zip(state::shown(self.model, to));
        both.filter(|((_, a), (_, b))| a != b).map(|((variable, &a), (_, &b))| (variable, a, b))
    }

    /// The value of a variable in words.
    fn value(&self, variable: VariableId, value: u64) -> Cow<'_, str> {
        self.model.value(variable, value).unwrap_or_else(|| value.to_string().into())
    }

    /// Has a value a name, which is no number?
    fn has_name(&self, variable: VariableId, value: u64) -> bool {
        self.model.least(variable) == 0 && self.model.value(variable, value).is_some()
    }

    /// A step from a state, in words for people: an action by its name, where its identifier is all that there is to
    /// say, with the inputs that the step rests on.
    fn named_step<'n>(&'n self, from: &'n State, step: Step) -> Cow<'n, str> {
        let words = self.model.describe(from, step);
        let id = Some(step.action).filter(|&action| words == self.model.action(action));
        let words = id.and_then(|action| self.symbols.transition_name(action)).map_or(words, Cow::from);
        let inputs = inputs_in_words(self.model, from, step);
        if inputs.is_empty() { words } else { format!("{words} ({inputs})").into() }
    }

    /// The variables in which two states differ, each with where the model says what it gets, if it does.
    fn sources<'n>(&'n self, from: &'n State, to: &'n State) -> Vec<(&'n str, Cow<'n, str>)> {
        let source = |(variable, ..): (VariableId, u64, u64)| {
            Some((self.model.variable(variable), self.model.assignment(variable)?))
        };
        self.differing(from, to).filter_map(source).collect()
    }
}

/// The inputs that a step from a state rests on.
fn inputs(model: &dyn TransitionSystem, from: &State, step: Step) -> Vec<Input> {
    model.aside(from, Some(step)).inputs.into_iter().filter(|input| input.matters).collect()
}

/// The same as text: `up = TRUE, key = 3`.
pub(in crate::report) fn inputs_in_words(model: &dyn TransitionSystem, from: &State, step: Step) -> String {
    let inputs = inputs(model, from, step).into_iter().map(|input| format!("{} = {}", input.name, input.value));
    inputs.collect::<Vec<_>>().join(", ")
}

/// The steps between states, each with the state before it and the state behind it.
fn between<'r>(states: &'r [State], steps: &'r [Step]) -> impl Iterator<Item = (&'r State, Step, &'r State)> + Clone {
    steps.iter().zip(states.windows(2)).map(|(&step, pair)| (&pair[0], step, &pair[1]))
}

/// A variable and its value.
struct Marked<'n> {
    /// Its identifier.
    id: &'n str,
    /// Its display name.
    name: Cow<'n, str>,
    value: Cow<'n, str>,
    /// Has the value a name?
    named: bool,
    /// Is the value a count, of which 1 is not written?
    counted: bool,
}

impl Marked<'_> {
    /// `place=2`, `place`, or `variable=name`.
    fn text(&self) -> String {
        let one = self.counted && !self.named && self.value == "1";
        if one { self.name.to_string() } else { format!("{}={}", self.name, self.value) }
    }
}

/// The position after a step.
fn after(run: &Run, step: usize) -> usize {
    match run.end {
        crate::witness::End::Loop(start) if step + 1 == run.positions.len() => start,
        _ => step + 1,
    }
}

/// The steps of a run, each with the states before and after it.
pub(super) fn moves(run: &Run) -> impl Iterator<Item = (&State, Step, &State)> + Clone {
    let state = |at: usize| run.positions.get(at).map(|position| &position.marking);
    run.fired.iter().enumerate().filter_map(move |(at, &step)| Some((state(at)?, step, state(after(run, at))?)))
}

/// The runs that a reason names.
fn referred(reason: &Reason) -> Vec<usize> {
    match &reason.because {
        Because::Run(number) => vec![*number],
        Because::Parts(parts) => parts.iter().flat_map(referred).collect(),
        Because::Marking | Because::Computed => Vec::new(),
    }
}

/// The explanation of a quantified part of a Boolean combination, in a few words.
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
