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
//! **Limits.** Of more markings than are listed at first, what is found is certain; for the rest sets are asked
//! ([`super::by_sets`]), and where they do not end, more markings are listed. What no way finds is unknown.

use super::by_sets;
use super::labelled::{Labelled, Tokens};
use super::reader::{Checked, Reader};
use super::rules::Rule;
use crate::automaton::TranslationError;
use crate::budget::{Budget, Exhausted};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use std::cell::OnceCell;

/// As many markings are listed before sets are asked.
const FIRST: usize = 1 << 15;

/// As many are listed where sets are not enough.
const MOST: usize = 1 << 20;

/// Calls for the sets of a rule.
const CALLS: u64 = 1 << 22;

/// The markings of a model and the steps between them, as far as they are listed.
#[derive(Debug)]
struct Listed {
    /// By marking: transitions and targets.
    edges: Vec<Vec<(u32, u32)>>,
    finals: Vec<bool>,
    is_complete: bool,
}

/// What a model does.
#[derive(Debug)]
pub struct Behaviour<'m> {
    model: &'m Labelled<'m>,
    listed: Listed,
    /// More of it, once that is needed.
    more: OnceCell<Listed>,
    /// May that be?
    goes_on: bool,
}

impl<'m> Behaviour<'m> {
    /// Lists the markings, the first ones if they are many.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn explore(model: &'m Labelled<'m>, budget: &Budget) -> Result<Self, Exhausted> {
        let listed = Listed::new(model, FIRST, budget)?;
        Ok(Behaviour { model, listed, more: OnceCell::new(), goes_on: true })
    }

    /// Lists so many markings; what these do not show stays unknown.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn explore_up_to(model: &'m Labelled<'m>, most: usize, budget: &Budget) -> Result<Self, Exhausted> {
        let listed = Listed::new(model, most, budget)?;
        Ok(Behaviour { model, listed, more: OnceCell::new(), goes_on: false })
    }

    /// Is there a complete run? `None` if that is not known.
    pub fn completes(&self) -> Option<bool> {
        self.more.get().unwrap_or(&self.listed).completes()
    }

    /// Were all markings listed?
    pub fn is_complete(&self) -> bool {
        self.more.get().unwrap_or(&self.listed).is_complete
    }

    /// Asks for a rule.
    ///
    /// # Errors
    /// When the budget is used up, or the automaton of the rule is too large.
    pub fn check(&self, rule: &Rule, budget: &Budget) -> Result<Checked, TranslationError> {
        let reader = Reader::new(self.model, rule, budget)?;
        let listed = self.more.get().unwrap_or(&self.listed);
        let found = listed.check(&reader, budget)?;
        if listed.is_complete || !self.goes_on || found.all.is_some() && found.some.is_some() {
            return Ok(found);
        }
        if let Ok(by_sets) = by_sets::check(self.model, &reader, &budget.clone().with_work(CALLS)) {
            let runs = [found.run, by_sets.run].into_iter().flatten();
            return Ok(Checked { run: runs.min_by_key(Vec::len), ..by_sets });
        }
        if self.more.get().is_some() {
            return Ok(found);
        }
        let more = Listed::new(self.model, MOST, budget)?;
        Ok(self.more.get_or_init(|| more).check(&reader, budget)?)
    }

    /// The same by sets alone; `None` where they are not enough.
    ///
    /// # Errors
    /// When the automaton of the rule is too large.
    pub fn check_by_sets(
        model: &Labelled<'_>,
        rule: &Rule,
        budget: &Budget,
    ) -> Result<Option<Checked>, TranslationError> {
        let reader = Reader::new(model, rule, budget)?;
        Ok(by_sets::check(model, &reader, budget).ok())
    }
}

impl Listed {
    /// So many markings.
    fn new(model: &Labelled<'_>, most: usize, budget: &Budget) -> Result<Self, Exhausted> {
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
        Ok(Listed { edges, finals, is_complete })
    }

    fn completes(&self) -> Option<bool> {
        match self.finals.contains(&true) {
            true => Some(true),
            false if self.is_complete => Some(false),
            false => None,
        }
    }

    /// Asks for a rule.
    fn check(&self, reader: &Reader, budget: &Budget) -> Result<Checked, Exhausted> {
        // States of the product, each with the one before it and the step between them.
        let mut found: IndexMap<(u32, u32), (u32, u32), FxBuildHasher> = IndexMap::default();
        found.insert((0, reader.begin()), (0, 0));
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
