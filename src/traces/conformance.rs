//! A whole log: each of its variants on the model and by the rules.

use super::labelled::Labelled;
use super::log::{Cases, Log};
use super::replay::{Outcome, Replay};
use super::rules::Rule;
use crate::budget::{Budget, Exhausted};

/// What is found about a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant<'l> {
    /// Its activities, as numbers of the log.
    pub trace: &'l [u32],
    /// Its cases.
    pub cases: &'l Cases,
    /// What the model says.
    pub outcome: Outcome,
    /// The rules that it breaks.
    pub broken: Vec<usize>,
}

impl Variant<'_> {
    /// Is all as it should be? `None` if that is not known.
    pub fn fits(&self) -> Option<bool> {
        match &self.outcome {
            _ if !self.broken.is_empty() => Some(false),
            Outcome::Complete => Some(true),
            Outcome::Open(_) | Outcome::Leaves { .. } => Some(false),
            Outcome::Unknown => None,
        }
    }
}

/// What is found about a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conformance<'l> {
    /// By variant, those with most cases first.
    pub variants: Vec<Variant<'l>>,
    /// Why something stayed unknown, if the limits of the program were not enough.
    pub stopped: Option<Exhausted>,
}

impl Conformance<'_> {
    /// How many traces there are of such variants.
    pub fn traces(&self, of: impl Fn(&Variant<'_>) -> bool) -> usize {
        self.variants.iter().filter(|variant| of(variant)).map(|variant| variant.cases.names.len()).sum()
    }
}

/// Holds a log against a model and rules.
pub fn replay<'l>(log: &'l Log, model: &Labelled<'_>, rules: &[Rule], budget: &Budget) -> Conformance<'l> {
    let mut replay = Replay::new(model, budget);
    let (mut variants, mut stopped) = (Vec::new(), None);
    // A log may have the name of an activity, and a rule its identifier, or the other way round.
    let is = |event: &&str, said: &str| *event == said || model.shown(event) == said || *event == model.shown(said);
    for (trace, cases) in log.variants() {
        let words: Vec<&str> = trace.iter().map(|&number| log.activity(number)).collect();
        let outcome = match stopped {
            Some(_) => Outcome::Unknown,
            None => replay.trace(&words).unwrap_or_else(|exhausted| {
                stopped = Some(exhausted);
                Outcome::Unknown
            }),
        };
        let broken = (0..rules.len()).filter(|&rule| !rules[rule].holds(&words, is)).collect();
        variants.push(Variant { trace, cases, outcome, broken });
    }
    Conformance { variants, stopped }
}
