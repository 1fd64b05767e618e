//! Expanding some states at a time: fire everything that is enabled in each of them, then insert all that has come of
//! it.
//!
//! Insertion is the dear part, and keys that are inserted together do not wait for each other (`store::batch`). So
//! breadth-first searches, in which the next states to be expanded are known, gather the successors of a few. States
//! keep the numbers that they would get if each was expanded alone, as keys are inserted in the order of the firings.
//!
//! An expansion is atomic: where a firing does not fit the encoding, its state is no member of the group, nor is
//! anything of it inserted. Where an insertion fails, the states before the one that it was for are expanded, and
//! nothing is known of the others.

use super::layout::Layout;
use super::packed_model::{Fired, PackedModel, Reducer, Rule};
use super::states::States;
use super::store::{Batch, Inserted, StateId};
use crate::stop_reason::StopReason;
use std::ops::Range;

/// Firings, or states, that are gathered at least.
const MANY: usize = 64;

/// States that are expanded together.
#[derive(Debug)]
pub(super) struct Group<S: PackedModel> {
    scratch: S::Scratch,
    /// Words of each state.
    stride: usize,
    states: Vec<u64>,
    ids: Vec<StateId>,
    /// Where the firings of each state end.
    ends: Vec<usize>,
    fired: Vec<Rule>,
    next: Vec<u64>,
    pub(super) batch: Batch,
}

impl<S: PackedModel> Default for Group<S> {
    fn default() -> Self {
        Group {
            scratch: S::Scratch::default(),
            stride: 0,
            states: Vec::new(),
            ids: Vec::new(),
            ends: Vec::new(),
            fired: Vec::new(),
            next: Vec::new(),
            batch: Batch::default(),
        }
    }
}

impl<S: PackedModel> Group<S> {
    /// Begin anew, in this layout.
    pub(super) fn clear(&mut self, layout: &Layout) {
        self.stride = layout.words();
        self.states.clear();
        self.ids.clear();
        self.ends.clear();
        self.fired.clear();
        self.batch.clear(layout.key_words());
    }

    /// Is it time to insert?
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.fired.len() >= MANY || self.ids.len() >= MANY
    }

    /// Read a state that is to be expanded.
    #[inline]
    pub(super) fn read(&mut self, id: StateId, states: &States<S>) -> &[u64] {
        let start = self.ids.len() * self.stride;
        self.states.truncate(start);
        self.states.resize(start + self.stride, 0);
        let words = &mut self.states[start..];
        states.begin(id, words, &mut self.batch);
        words
    }

    /// Fire what is enabled in the state that was read, or what is enough. It is a member then, unless the result of a
    /// rule, which is returned, does not fit.
    #[inline]
    pub(super) fn fire(
        &mut self,
        id: StateId,
        space: &S,
        reducer: &mut Option<S::Reducer>,
    ) -> Result<Option<Rule>, StopReason> {
        let before = self.fired.len();
        let Group { scratch, states, ids, ends, fired, next, batch, stride } = self;
        let words = &states[ids.len() * *stride..];
        space.enter(scratch, words)?;
        let mut fire = |rule| {
            fired.push(rule);
            let done = space.fire(scratch, words, rule, next) == Fired::Done;
            if done {
                batch.push(next);
            }
            done
        };
        let misfit = match reducer.as_mut().and_then(|reducer| reducer.reduce(space, words)) {
            Some(reduced) => reduced.iter().copied().find(|&rule| !fire(rule)),
            None => {
                let mut cursor = space.cursor(scratch, words, 0);
                std::iter::from_fn(|| space.next(scratch, words, &mut cursor)).find(|&rule| !fire(rule))
            }
        };
        if misfit.is_some() {
            fired.truncate(before);
            batch.truncate(before);
            return Ok(misfit);
        }
        ids.push(id);
        ends.push(fired.len());
        Ok(None)
    }

    /// The state that was read last, unless it has become a member.
    pub(super) fn current(&self) -> &[u64] {
        &self.states[self.ids.len() * self.stride..]
    }

    /// The members all of whose successors have been inserted: their numbers, words, and firings.
    pub(super) fn expanded(&self) -> impl Iterator<Item = (StateId, &[u64], Range<usize>)> {
        let inserted = self.batch.inserted().len();
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let firings = starts.zip(&self.ends).map(|(start, &end)| start..end);
        let members = self.ids.iter().zip(self.states.chunks_exact(self.stride)).zip(firings);
        members.map(|((&id, words), firings)| (id, words, firings)).take_while(move |member| member.2.end <= inserted)
    }

    /// The rules of some firings.
    #[inline]
    pub(super) fn rules(&self, firings: Range<usize>) -> &[Rule] {
        &self.fired[firings]
    }

    /// How many firings were those of the members that have been expanded.
    pub(super) fn firings(&self) -> usize {
        self.expanded().last().map_or(0, |(_, _, firings)| firings.end)
    }

    /// Of each new state the member that it is a successor of.
    pub(super) fn parents(&self) -> impl Iterator<Item = (StateId, StateId)> {
        let mut member = 0;
        self.batch.inserted().iter().enumerate().filter_map(move |(firing, inserted)| {
            while self.ends[member] <= firing {
                member += 1;
            }
            if let Inserted::New(new) = *inserted { Some((new, self.ids[member])) } else { None }
        })
    }
}
