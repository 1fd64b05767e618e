//! The automaton of a rule while it reads steps of a model, and what is known of the rule.

use super::deadline::{Edge, Guard, Observer};
use super::labelled::Labelled;
use super::rules::Rule;
use crate::automaton::TranslationError;
use crate::automaton::finite::{Finite, deterministic};
use crate::budget::Budget;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// What is known of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Do all complete runs keep it?
    pub all: Option<bool>,
    /// Does one keep it?
    pub some: Option<bool>,
    /// A shortest complete run that breaks it, as transitions.
    pub run: Option<Vec<usize>>,
}

/// Before the first activity.
const BEGIN: u32 = u32::MAX;
/// Where no word is accepted any more.
const SINK: u32 = u32::MAX - 1;

/// The automaton of a rule while it reads steps of a model.
pub(super) struct Reader {
    automaton: Finite,
    /// Does the rule hold of a trace without activities?
    accepts_nothing: bool,
    /// By transition, its letter; nothing for what is no activity.
    letters: Vec<Option<u32>>,
    /// Where each state is led by each letter.
    next: FxHashMap<(u32, u32), u32>,
}

impl Reader {
    pub(super) fn new(model: &Labelled<'_>, rule: &Rule, budget: &Budget) -> Result<Self, TranslationError> {
        let automaton = deterministic(&mut rule.store.clone(), rule.on_words, rule.alive, budget)?;
        let positions = model.positions(rule);
        let meant: Vec<Vec<usize>> = automaton.propositions.iter().map(|name| model.meant(name)).collect();
        // What holds is all that matters of a letter.
        let mut kinds: IndexSet<Vec<bool>, FxBuildHasher> = IndexSet::default();
        let mut letter = |transition: usize| {
            let holds = meant.iter().map(|meant| meant.contains(&transition)).collect();
            positions[transition].then(|| kinds.insert_full(holds).0 as u32)
        };
        let letters = model.transitions().map(&mut letter).collect();
        let mut next = FxHashMap::default();
        for (state, edges) in (0..).zip(&automaton.edges) {
            for (letter, holds) in (0..).zip(&kinds) {
                let taken = edges.iter().find(|(guard, _)| guard.holds(|prop| holds[prop.index()]));
                next.insert((state, letter), taken.map_or(SINK, |&(_, target)| target as u32));
            }
        }
        Ok(Reader { automaton, accepts_nothing: rule.holds(&[] as &[()], |(), _| false), letters, next })
    }

    /// The same as an observer without a clock, with the letters of transitions.
    pub(super) fn observer(&self) -> (Observer, Vec<Option<usize>>) {
        let count = self.automaton.edges.len() as u32;
        let states: Vec<u32> = std::iter::once(BEGIN).chain(0..count).chain([SINK]).collect();
        let number = |state: u32| if state == SINK { count as usize + 1 } else { state as usize + 1 };
        let letters = self.letters.iter().flatten().max().map_or(0, |&most| most + 1);
        let edge = |state: u32, letter| {
            let target = number(self.after(state, letter));
            vec![Edge { guard: Guard::Any, resets: false, target }]
        };
        let edges = states.iter().map(|&state| (0..letters).map(|letter| edge(state, letter)).collect()).collect();
        let broken = states.iter().map(|&state| !self.accepts(state)).collect();
        let letters = self.letters.iter().map(|letter| letter.map(|letter| letter as usize)).collect();
        (Observer { edges, broken }, letters)
    }

    /// Where it begins.
    pub(super) fn begin(&self) -> u32 {
        BEGIN
    }

    pub(super) fn next(&self, state: u32, transition: usize) -> u32 {
        self.letters[transition].map_or(state, |letter| self.after(state, letter))
    }

    fn after(&self, state: u32, letter: u32) -> u32 {
        let from = if state == BEGIN { 0 } else { state };
        self.next.get(&(from, letter)).copied().unwrap_or(SINK)
    }

    pub(super) fn accepts(&self, state: u32) -> bool {
        match state {
            BEGIN => self.accepts_nothing,
            SINK => false,
            state => self.automaton.accepting[state as usize],
        }
    }
}
