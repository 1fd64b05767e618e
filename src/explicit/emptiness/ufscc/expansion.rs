//! The successors of a state of the product, as one thread finds them.

use super::sets::Sets;
use super::shared::{BROKEN, Shared};
use crate::explicit::atoms::Atoms;
use crate::explicit::buchi::{Buchi, Move};
use crate::explicit::emptiness::read;
use crate::explicit::emptiness::reader::Accepted;
use crate::explicit::packed_model::{Fired, PackedModel, Reducer, Rule};
use crate::explicit::states::States;
use crate::explicit::steady::Need;
use crate::explicit::store::{Batch, Inserted, StateId, Writer};
use crate::stop_reason::StopReason;

/// The outcome of an expansion.
#[derive(Debug)]
pub(super) enum Expanded {
    /// The successors are there.
    Whole,
    /// A run is accepted.
    Accepted(Accepted),
    /// Something has to be done first, and then all of it again.
    Need(Need),
}

/// A thread's view of the product, and the state that it has expanded last.
#[derive(Debug)]
pub(super) struct Expansion<'a, S: PackedModel> {
    pub(super) atoms: Atoms,
    pub(super) buchi: Buchi<'a>,
    /// The locations that accept everything, if a run need not be shown.
    pub(super) terminal: Vec<bool>,
    pub(super) deadlocks_repeat: bool,
    pub(super) reducer: Option<S::Reducer>,
    /// The encoding that the atoms are compiled for is the one after so many growths.
    pub(super) growths: u32,
    /// States that this thread was the first to find, and firings.
    pub(super) found: u64,
    pub(super) firings: u64,
    scratch: S::Scratch,
    words: Vec<u64>,
    next: Vec<u64>,
    batch: Batch,
    /// The moves of the automaton to the successors.
    moves: Vec<u32>,
}

impl<'a, S: PackedModel> Expansion<'a, S> {
    pub(super) fn new(
        atoms: Atoms,
        buchi: Buchi<'a>,
        terminal: Vec<bool>,
        deadlocks_repeat: bool,
        reducer: Option<S::Reducer>,
    ) -> Self {
        Expansion {
            atoms,
            buchi,
            terminal,
            deadlocks_repeat,
            reducer,
            growths: 0,
            found: 0,
            firings: 0,
            scratch: S::Scratch::default(),
            words: Vec::new(),
            next: Vec::new(),
            batch: Batch::default(),
            moves: Vec::new(),
        }
    }

    /// The successors of the state that was expanded last, and the moves that lead to them.
    pub(super) fn successors(&self) -> impl Iterator<Item = (Inserted, u32)> {
        self.batch.inserted().iter().copied().zip(self.moves.iter().copied())
    }

    pub(super) fn step(&self, step: u32) -> Move {
        self.buchi.step(step)
    }

    /// Adapt to the encoding.
    pub(super) fn attune(&mut self, states: &States<S>) {
        if self.growths != states.growths() {
            self.growths = states.growths();
            self.atoms.compile(states.space().layout());
        }
    }

    /// Find the successors of a state.
    pub(super) fn expand(
        &mut self,
        state: StateId,
        shared: &Shared<S>,
        writer: &mut Writer,
    ) -> Result<Expanded, StopReason> {
        let (states, sets) = (&shared.steady.states, &shared.sets);
        let mut full = if self.reducer.is_some() { sets.is_full(state) } else { Some(true) };
        loop {
            self.batch.clear(states.layout().key_words());
            self.moves.clear();
            self.words.resize(states.layout().words(), 0);
            states.begin(state, &mut self.words, &mut self.batch);
            let reduced = match (&mut self.reducer, full) {
                (Some(reducer), None) => reducer.reduce(states.space(), &self.words).map(<[Rule]>::to_vec),
                (Some(reducer), Some(false)) => reducer.reduce_again(states.space(), &self.words).map(<[Rule]>::to_vec),
                _ => None,
            };
            match full {
                None if reduced.is_none() => {
                    full = Some(sets.settle(state, true));
                    continue;
                }
                Some(false) if reduced.is_none() => return Err(BROKEN),
                _ => (),
            }
            if let Some(expanded) = self.fire(state, states, reduced.as_deref())? {
                return Ok(expanded);
            }
            if let Some(need) = self.insert(shared, writer)? {
                return Ok(Expanded::Need(need));
            }
            if full.is_none() {
                full = Some(sets.settle(state, !self.is_onward(state, sets)));
                if full == Some(true) {
                    continue;
                }
            }
            return Ok(Expanded::Whole);
        }
    }

    /// Does each successor have a greater number than the state, or lie in a component that is explored?
    fn is_onward(&self, state: StateId, sets: &Sets) -> bool {
        self.batch.inserted().iter().all(|next| next.id() > state || sets.is_dead(next.id()))
    }

    /// Fire these rules in the state that was read, or all, and take all moves. Something is returned if that was not all.
    fn fire(
        &mut self,
        state: StateId,
        states: &States<S>,
        reduced: Option<&[Rule]>,
    ) -> Result<Option<Expanded>, StopReason> {
        let Expansion { atoms, buchi, scratch, words, next, batch, moves, .. } = self;
        let (space, layout) = (states.space(), states.layout());
        space.enter(scratch, words)?;
        let location = layout.extra(words) as u32;
        let letter = atoms.letter(space, words)?;
        let from = buchi.intern(letter);
        let mut cursor = space.cursor(scratch, words, 0);
        let mut given = reduced.map(|rules| rules.iter().copied());
        let mut is_dead_end = true;
        loop {
            let rule = match &mut given {
                Some(rules) => rules.next(),
                None => space.next(scratch, words, &mut cursor),
            };
            let Some(rule) = rule else { break };
            if space.fire(scratch, words, rule, next) == Fired::Misfit {
                return Ok(Some(Expanded::Need(Need::Layout(state, rule))));
            }
            is_dead_end = false;
            self.firings += 1;
            let after = match atoms.update(space, next, letter, space.action(rule))? {
                same if same == letter => from,
                other => buchi.intern(other),
            };
            let read = read(space, atoms, buchi, from, rule);
            let (start, end) = buchi.moves(location, read, after);
            for step in start..end {
                let target = buchi.step(step).target;
                // As for one thread.
                if !atoms.has_actions() && !buchi.is_viable(target, after) {
                    continue;
                }
                if self.terminal.get(target as usize) == Some(&true) {
                    return Ok(Some(Expanded::Accepted(Accepted::Terminal)));
                }
                layout.set_extra(next, u64::from(target));
                batch.push(next);
                moves.push(step);
            }
        }
        let repeats = is_dead_end && self.deadlocks_repeat && self.buchi.accepts_forever(location, from);
        Ok(repeats.then_some(Expanded::Accepted(Accepted::Deadlock)))
    }

    /// Insert the successors, and have nodes for them.
    fn insert(&mut self, shared: &Shared<S>, writer: &mut Writer) -> Result<Option<Need>, StopReason> {
        let ended = shared.steady.states.store().insert_all_shared(&mut self.batch, writer);
        let is_new = |inserted: &&Inserted| matches!(inserted, Inserted::New(_));
        self.found += self.batch.inserted().iter().filter(is_new).count() as u64;
        if let Err(refusal) = ended {
            return Ok(Some(Need::Room(refusal)));
        }
        let beside = shared.steady.beside();
        for inserted in self.batch.inserted() {
            shared.sets.open(inserted.id(), |bytes| beside.take(bytes))?;
        }
        Ok(None)
    }
}
