//! The complete runs of a model by rules: do all keep a rule, does one?
//!
//! The *trace* of a run is the sequence of its activities as they begin, those of all pools in the order of the run; other
//! steps are left out. A rule is asked of complete runs alone, those that end where the model is over.
//!
//! **Idea.** The markings are listed once. The deterministic automaton of a rule reads the activities beside them: a
//! complete run breaks the rule if it ends where the automaton does not accept, and a search breadth first finds a
//! shortest one. A trace without activities is no word of the automaton, so that runs before their first activity are a
//! state of their own.
//!
//! **Limits.** Of more markings than are listed, what is found is certain, and the rest unknown.

use super::deadline::{Edge, Guard, Observer};
use super::labelled::{Labelled, Tokens};
use super::rules::Rule;
use crate::automaton::TranslationError;
use crate::automaton::finite::{ALIVE, Finite, deterministic, parse};
use crate::automaton::ltl::Formulas;
use crate::budget::{Budget, Exhausted};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// As many markings are listed.
const MOST: usize = 1 << 20;

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

/// The markings of a model and the steps between them.
#[derive(Debug)]
pub struct Behaviour<'m> {
    model: &'m Labelled<'m>,
    /// By marking: transitions and targets.
    edges: Vec<Vec<(u32, u32)>>,
    finals: Vec<bool>,
    is_complete: bool,
}

impl<'m> Behaviour<'m> {
    /// Lists the markings.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn explore(model: &'m Labelled<'m>, budget: &Budget) -> Result<Self, Exhausted> {
        Self::explore_up_to(model, MOST, budget)
    }

    /// The same, of so many markings.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn explore_up_to(model: &'m Labelled<'m>, most: usize, budget: &Budget) -> Result<Self, Exhausted> {
        let mut markings: IndexSet<Tokens, FxBuildHasher> = IndexSet::from_iter([model.initial().clone()]);
        let (mut edges, mut finals, mut is_complete) = (Vec::new(), Vec::new(), true);
        while let Some(tokens) = markings.get_index(edges.len()).cloned() {
            budget.check()?;
            if markings.len() > most {
                is_complete = false;
                break;
            }
            let mut list = Vec::new();
            for transition in model.transitions() {
                match model.fire(transition, &tokens) {
                    Ok(Some(next)) => list.push((transition as u32, markings.insert_full(next).0 as u32)),
                    Ok(None) => {}
                    Err(_) => is_complete = false,
                }
            }
            finals.push(model.is_final(&tokens));
            edges.push(list);
        }
        Ok(Behaviour { model, edges, finals, is_complete })
    }

    /// Is there a complete run? `None` if that is not known.
    pub fn completes(&self) -> Option<bool> {
        match self.finals.contains(&true) {
            true => Some(true),
            false if self.is_complete => Some(false),
            false => None,
        }
    }

    /// Were all markings listed?
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Asks for a rule.
    ///
    /// # Errors
    /// When the budget is used up, or the automaton of the rule is too large.
    pub fn check(&self, rule: &Rule, budget: &Budget) -> Result<Checked, TranslationError> {
        let reader = Reader::new(self.model, rule, budget)?;
        // States of the product, each with the one before it and the step between them.
        let mut found: IndexMap<(u32, u32), (u32, u32), FxBuildHasher> = IndexMap::default();
        found.insert((0, BEGIN), (0, 0));
        let (mut broken, mut kept, mut at) = (None, false, 0);
        while let Some((&(marking, state), _)) = found.get_index(at) {
            budget.check()?;
            // What was not expanded is not known to be final.
            if self.finals.get(marking as usize) == Some(&true) {
                match reader.accepts(state) {
                    true => kept = true,
                    false if broken.is_none() => broken = Some(at),
                    false => {}
                }
                if kept && broken.is_some() {
                    break;
                }
            }
            for &(transition, target) in self.edges.get(marking as usize).into_iter().flatten() {
                let next = (target, reader.next(state, transition as usize));
                found.entry(next).or_insert((at as u32, transition));
            }
            at += 1;
        }
        let run = broken.map(|end| {
            let (mut run, mut state) = (Vec::new(), end);
            while state > 0 {
                let (before, transition) = found[state];
                run.push(transition as usize);
                state = before as usize;
            }
            run.reverse();
            run
        });
        let certain = |seen: bool, then: bool| match seen {
            true => Some(then),
            false => self.is_complete.then_some(!then),
        };
        Ok(Checked { all: certain(run.is_some(), false), some: certain(kept, true), run })
    }
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
        let mut store = Formulas::new();
        let alive = store.proposition(ALIVE);
        // It was read before.
        let (formula, _) = parse(&mut store, &rule.formula, alive).map_err(|_| TranslationError::TooDeep)?;
        let automaton = deterministic(&mut store, formula, alive, budget)?;
        let called: Vec<&[usize]> = automaton.propositions.iter().map(|name| model.called(name)).collect();
        // What holds is all that matters of a letter.
        let mut kinds: IndexSet<Vec<bool>, FxBuildHasher> = IndexSet::default();
        let mut letter = |transition: usize| {
            let holds = called.iter().map(|called| called.contains(&transition)).collect();
            model.is_activity(transition).then(|| kinds.insert_full(holds).0 as u32)
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

    fn next(&self, state: u32, transition: usize) -> u32 {
        self.letters[transition].map_or(state, |letter| self.after(state, letter))
    }

    fn after(&self, state: u32, letter: u32) -> u32 {
        let from = if state == BEGIN { 0 } else { state };
        self.next.get(&(from, letter)).copied().unwrap_or(SINK)
    }

    fn accepts(&self, state: u32) -> bool {
        match state {
            BEGIN => self.accepts_nothing,
            SINK => false,
            state => self.automaton.accepting[state as usize],
        }
    }
}
