//! The part of the reachability graph that is known: states, some of them expanded.

use crate::budget::{Budget, Exhausted};
use crate::explicit::atoms::{Atoms, Letter};
use crate::explicit::local::distance::distance;
use crate::explicit::local::program::{Node, Program};
use crate::explicit::packed_model::{Fired, PackedModel};
use crate::explicit::states::States;
use crate::explicit::store::{Inserted, StateId};
use crate::model::State;
use crate::stop_reason::StopReason;

/// Firings between two looks at the budget.
const CHECK_EVERY: u64 = 512;
/// Where the successors of an open state begin.
const OPEN: u32 = u32::MAX;

/// States by number, with the conditions that hold in each, and the successors of those that are expanded.
#[derive(Debug)]
pub(super) struct Part<S: PackedModel> {
    states: States<S>,
    atoms: Atoms,
    letters: Vec<Letter>,
    /// Where the successors of each state are among the targets: the first, and how many.
    rows: Vec<(u32, u32)>,
    targets: Vec<StateId>,
    words: Vec<u64>,
    next: Vec<u64>,
    firings: u64,
    look_at: u64,
    /// State formulas that are labelled.
    formulas: usize,
}

impl<S: PackedModel> Part<S> {
    /// The states that there are so far, all of them open.
    pub(super) fn new(states: States<S>, atoms: Atoms, formulas: usize) -> Result<Self, StopReason> {
        let mut part = Part {
            states,
            atoms,
            letters: Vec::new(),
            rows: Vec::new(),
            targets: Vec::new(),
            words: Vec::new(),
            next: Vec::new(),
            firings: 0,
            look_at: 0,
            formulas,
        };
        for state in 0..part.states.store().len() {
            part.states.read(state, &mut part.words);
            part.letters.push(part.atoms.letter(part.states.space(), &part.words)?);
            part.rows.push((OPEN, 0));
        }
        Ok(part)
    }

    /// The states, and how many firings there were.
    pub(super) fn end(self) -> (States<S>, u64) {
        (self.states, self.firings)
    }

    /// How many states there are.
    pub(super) fn states(&self) -> usize {
        self.rows.len()
    }

    /// How many edges there are.
    pub(super) fn edges(&self) -> usize {
        self.targets.len()
    }

    /// The values of the propositions in a state.
    #[inline]
    pub(super) fn letter(&self, state: StateId) -> Letter {
        self.letters[state as usize]
    }

    /// The successors of a state; `None` if it is open.
    #[inline]
    pub(super) fn successors(&self, state: StateId) -> Option<&[StateId]> {
        let (first, count) = self.rows[state as usize];
        (first != OPEN).then(|| &self.targets[first as usize..(first + count) as usize])
    }

    /// The values of a state.
    pub(super) fn unpacked(&mut self, state: StateId) -> State {
        self.states.read(state, &mut self.words);
        self.states.unpacked(&self.words)
    }

    /// How far a state is from a formula, or from its negation: a guess.
    pub(super) fn distance(&mut self, program: &Program, wanted: (Node, bool), state: StateId) -> u64 {
        self.states.read(state, &mut self.words);
        distance(&self.atoms, (self.states.space(), &self.words), program, wanted)
    }

    /// Find all successors of a state.
    pub(super) fn expand(&mut self, state: StateId, budget: &Budget) -> Result<(), StopReason> {
        if self.rows[state as usize].0 != OPEN {
            return Ok(());
        }
        let first = self.targets.len();
        self.states.load(state, &mut self.words)?;
        let mut cursor = self.states.cursor(&self.words, 0);
        while let Some(rule) = self.states.next(&self.words, &mut cursor) {
            if self.firings >= self.look_at {
                self.look_at = self.firings + CHECK_EVERY;
                self.check(budget)?;
            }
            self.firings += 1;
            if self.states.fire(&self.words, rule, &mut self.next) == Fired::Misfit {
                self.states.grow(state, rule, budget)?;
                self.atoms.compile(self.states.layout());
                self.targets.truncate(first);
                self.states.load(state, &mut self.words)?;
                cursor = self.states.cursor(&self.words, 0);
                continue;
            }
            let inserted = self.states.insert(&self.next)?;
            if let Inserted::New(_) = inserted {
                let (space, action) = (self.states.space(), self.states.action(rule));
                self.letters.push(self.atoms.update(space, &self.next, self.letters[state as usize], action)?);
                self.rows.push((OPEN, 0));
            }
            self.targets.push(inserted.id());
        }
        if self.targets.len() >= OPEN as usize {
            return Err(Exhausted::Memory.into());
        }
        self.rows[state as usize] = (first as u32, (self.targets.len() - first) as u32);
        Ok(())
    }

    fn check(&self, budget: &Budget) -> Result<(), StopReason> {
        budget.check()?;
        // Vectors are there twice while they grow, and edges are turned round; a search remembers what it visits; labels are
        // two bits for each formula, beside older ones.
        let state = 32 + 64 + self.formulas.div_ceil(2);
        let own = (state * self.rows.len() + 16 * self.targets.len()) as u64;
        match budget.memory() {
            Some(limit) if self.states.store().bytes() + own > limit => Err(Exhausted::Memory.into()),
            _ => Ok(()),
        }
    }
}
