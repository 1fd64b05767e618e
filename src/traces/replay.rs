//! Replay: does a model have a trace, and where does a trace first leave it?
//!
//! **Idea.** The markings in which a model may be after some activities are computed, all of them: from the initial
//! marking by steps that need not be seen; for each activity by a step that it is a word for, and again by steps that
//! need not be seen (the subset construction). A trace leaves the model at the first activity after which no marking is
//! left. So what is said of a trace is exact, whatever steps are silent, and however many have one name.
//!
//! Sets of markings and the steps between them are kept: what many traces share is computed once.
//!
//! **Limits.** A model may do silent steps without end, and a set may be large. Beyond so many markings the answer is
//! unknown.
//!
//! **Left out.** Alignments: the run that differs least from a trace (Adriansyah, van Dongen, van der Aalst, "Conformance
//! checking using cost-based fitness analysis", EDOC 2011). What comes after the place where a trace first leaves the
//! model is not looked at.

use super::labelled::{Labelled, Sight, Tokens, TooMany};
use crate::budget::{Budget, Exhausted};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// As many markings are kept.
const MOST: usize = 1 << 18;

/// What is said of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The model has it, and a run with it may be over.
    Complete,
    /// A run begins with it, but none is over: the activities that may come next.
    Open(Vec<String>),
    /// No run begins with it.
    Leaves {
        /// The position of the first activity that does not fit, from 0.
        at: usize,
        /// The activities that may come there.
        next: Vec<String>,
        /// May a run be over there?
        may_end: bool,
    },
    /// There are more markings than are kept, or tokens than are counted.
    Unknown,
}

/// A set of markings.
#[derive(Clone, Copy, Debug)]
struct Known {
    may_end: bool,
}

/// A set that is not computed: there is too much of it.
#[derive(Clone, Copy, Debug)]
struct TooLarge;

/// A model while traces are replayed on it.
#[derive(Debug)]
pub struct Replay<'m> {
    model: &'m Labelled<'m>,
    budget: &'m Budget,
    /// Transitions that need not be seen.
    unseen: Vec<usize>,
    markings: IndexSet<Tokens, FxBuildHasher>,
    sets: IndexMap<Box<[u32]>, Known, FxBuildHasher>,
    words: IndexSet<String, FxBuildHasher>,
    /// Where words lead: the set, or nowhere.
    steps: FxHashMap<(usize, usize), Option<usize>>,
    most: usize,
}

impl<'m> Replay<'m> {
    /// Before the first trace.
    pub fn new(model: &'m Labelled<'m>, budget: &'m Budget) -> Self {
        let unseen = model.transitions().filter(|&transition| model.sight(transition) != Sight::Seen).collect();
        let (markings, sets) = (IndexSet::default(), IndexMap::default());
        let (words, steps) = (IndexSet::default(), FxHashMap::default());
        Replay { model, budget, unseen, markings, sets, words, steps, most: MOST }
    }

    /// The same, which keeps no more markings than that.
    #[must_use]
    pub fn with_markings(self, most: usize) -> Self {
        Replay { most, ..self }
    }

    /// What is said of a trace.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn trace(&mut self, trace: &[&str]) -> Result<Outcome, Exhausted> {
        let is_fresh = self.markings.is_empty();
        let mut found = self.follow(trace)?;
        if found.is_err() && !is_fresh {
            // What was kept of other traces may be what is too much.
            self.markings.clear();
            self.sets.clear();
            self.steps.clear();
            found = self.follow(trace)?;
        }
        Ok(found.unwrap_or(Outcome::Unknown))
    }

    fn follow(&mut self, trace: &[&str]) -> Result<Result<Outcome, TooLarge>, Exhausted> {
        let initial = vec![self.model.initial().clone()];
        let mut at = match self.closed(initial)? {
            Ok(set) => set,
            Err(too_large) => return Ok(Err(too_large)),
        };
        for (position, word) in trace.iter().enumerate() {
            match self.step(at, word)? {
                Ok(Some(next)) => at = next,
                Ok(None) => {
                    let (next, may_end) = (self.next(at), self.sets[at].may_end);
                    return Ok(Ok(Outcome::Leaves { at: position, next, may_end }));
                }
                Err(too_large) => return Ok(Err(too_large)),
            }
        }
        Ok(Ok(if self.sets[at].may_end { Outcome::Complete } else { Outcome::Open(self.next(at)) }))
    }

    /// Where a word leads from a set.
    fn step(&mut self, set: usize, word: &str) -> Result<Result<Option<usize>, TooLarge>, Exhausted> {
        let number = match self.words.get_index_of(word) {
            Some(number) => number,
            None => self.words.insert_full(word.to_owned()).0,
        };
        if let Some(&known) = self.steps.get(&(set, number)) {
            return Ok(Ok(known));
        }
        let mut reached = Vec::new();
        for &marking in self.members(set) {
            for &transition in self.model.called(word) {
                match self.model.fire(transition, &self.markings[marking as usize]) {
                    Ok(next) => reached.extend(next),
                    Err(TooMany) => return Ok(Err(TooLarge)),
                }
            }
        }
        let next = match reached.is_empty() {
            true => None,
            false => match self.closed(reached)? {
                Ok(next) => Some(next),
                Err(too_large) => return Ok(Err(too_large)),
            },
        };
        self.steps.insert((set, number), next);
        Ok(Ok(next))
    }

    /// The markings of a set.
    fn members(&self, set: usize) -> &[u32] {
        self.sets.get_index(set).map_or(&[], |(members, _)| members)
    }

    /// These markings, and all that are reached from them without being seen.
    fn closed(&mut self, from: Vec<Tokens>) -> Result<Result<usize, TooLarge>, Exhausted> {
        let mut members: IndexSet<u32, FxBuildHasher> =
            from.into_iter().map(|marking| self.markings.insert_full(marking).0 as u32).collect();
        let (mut at, mut may_end) = (0, false);
        while let Some(&marking) = members.get_index(at) {
            self.budget.check()?;
            at += 1;
            let tokens = self.markings[marking as usize].clone();
            may_end |= self.model.is_final(&tokens);
            for &transition in &self.unseen {
                match self.model.fire(transition, &tokens) {
                    Ok(Some(next)) => members.insert(self.markings.insert_full(next).0 as u32),
                    Ok(None) => continue,
                    Err(TooMany) => return Ok(Err(TooLarge)),
                };
            }
            if self.markings.len() > self.most {
                return Ok(Err(TooLarge));
            }
        }
        let mut members: Vec<u32> = members.into_iter().collect();
        members.sort_unstable();
        Ok(Ok(self.sets.insert_full(members.into(), Known { may_end }).0))
    }

    /// The activities that may come next, sorted.
    fn next(&self, set: usize) -> Vec<String> {
        let seen = |&transition: &usize| self.model.sight(transition) == Sight::Seen;
        let fires = |&transition: &usize| {
            let mut members = self.members(set).iter();
            members.any(|&marking| !matches!(self.model.fire(transition, &self.markings[marking as usize]), Ok(None)))
        };
        let names = self.model.transitions().filter(seen).filter(fires).map(|transition| self.model.name(transition));
        let names: std::collections::BTreeSet<&str> = names.collect();
        names.into_iter().map(str::to_owned).collect()
    }
}
