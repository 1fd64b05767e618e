//! Expanding states: each thread a part of them, with a memory of the states that it found last.

use super::manifest::Figures;
use crate::explicit::fair_rw_lock::FAILED;
use crate::explicit::layout::Layout;
use crate::explicit::packed_model::{Fired, PackedModel, Rule};
use crate::explicit::tally::is_dead;
use crate::model::TransitionSystem;
use crate::stop_reason::StopReason;
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSlice;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A firing that does not fit: the values of the state, and the rule.
pub(in crate::explicit) type Misfit = (Vec<u64>, Rule);

/// A thread that expands states.
#[derive(Debug)]
pub(in crate::explicit) struct Worker<S: PackedModel> {
    scratch: S::Scratch,
    words: Vec<u64>,
    next: Vec<u64>,
    fired: Vec<Rule>,
    values: Vec<u64>,
    recent: Recent,
    /// The successors of the states expanded last, without some of those that have been found before.
    pub(in crate::explicit) found: Vec<u64>,
    /// The numbers of the states of this level.
    pub(in crate::explicit) figures: Figures,
}

impl<S: PackedModel> Worker<S> {
    /// For states of so many words, of which it remembers some.
    pub(in crate::explicit) fn new(system: &dyn TransitionSystem, words: usize, remembered: usize) -> Self {
        Worker {
            scratch: S::Scratch::default(),
            words: Vec::new(),
            next: Vec::new(),
            fired: Vec::new(),
            values: Vec::new(),
            recent: Recent::new(words, remembered),
            found: Vec::new(),
            figures: Figures::none(system),
        }
    }

    /// Expand states, unless a firing does not fit.
    pub(in crate::explicit) fn expand(
        &mut self,
        space: &S,
        layout: &Layout,
        states: &[u64],
    ) -> Result<Option<Misfit>, StopReason> {
        let key = layout.key_words();
        for state in states.chunks_exact(key) {
            complete(state, layout, &mut self.words);
            space.enter(&mut self.scratch, &self.words)?;
            self.fired.clear();
            let mut cursor = space.cursor(&self.scratch, &self.words, 0);
            while let Some(rule) = space.next(&self.scratch, &self.words, &mut cursor) {
                if space.fire(&self.scratch, &self.words, rule, &mut self.next) == Fired::Misfit {
                    layout.decode(&self.words, &mut self.values);
                    return Ok(Some((std::mem::take(&mut self.values), rule)));
                }
                self.fired.push(rule);
                if self.recent.is_new(&self.next[..key]) {
                    self.found.extend_from_slice(&self.next[..key]);
                }
            }
            self.count(space, layout);
        }
        Ok(None)
    }

    /// Count the current state.
    fn count(&mut self, space: &S, layout: &Layout) {
        layout.decode(&self.words, &mut self.values);
        let figures = &mut self.figures;
        figures.expanded += 1;
        figures.firings += self.fired.len() as u64;
        self.fired.iter().for_each(|&rule| figures.fireable[space.id(space.action(rule)).index()] = true);
        if is_dead(space, &self.words, &self.fired) {
            figures.deadlocks += 1;
            figures.deadlock.get_or_insert_with(|| self.values.clone());
        }
        figures.bounds.iter_mut().zip(&self.values).for_each(|(bound, &value)| *bound = value.max(*bound));
        figures.meet(self.values.iter().map(|&value| u128::from(value)).sum());
    }
}

/// Expand states, each thread an equal part of them.
pub(super) fn expand<S: PackedModel>(
    workers: &mut [Worker<S>],
    pool: Option<&ThreadPool>,
    (space, layout): (&S, &Layout),
    states: &[u64],
) -> Result<Option<Misfit>, StopReason> {
    let part = (states.len() / layout.key_words()).div_ceil(workers.len()) * layout.key_words();
    let guarded = |worker: &mut Worker<S>, states: &[u64]| {
        catch_unwind(AssertUnwindSafe(|| worker.expand(space, layout, states))).unwrap_or(Err(FAILED))
    };
    let ended: Vec<_> = match pool {
        Some(pool) => pool.install(|| {
            let parts = states.par_chunks(part);
            workers.par_iter_mut().zip(parts).map(|(worker, states)| guarded(worker, states)).collect()
        }),
        None => workers.iter_mut().zip(states.chunks(part)).map(|(worker, part)| guarded(worker, part)).collect(),
    };
    let mut misfit = None;
    for ended in ended {
        misfit = misfit.or(ended?);
    }
    Ok(misfit)
}

/// The first of some states that leads to this one, and how; each thread looks at an equal part of them.
pub(super) fn leading_to<S: PackedModel>(
    state: &[u64],
    threads: usize,
    pool: Option<&ThreadPool>,
    (space, layout): (&S, &Layout),
    states: &[u64],
) -> Result<Option<(Vec<u64>, Rule)>, StopReason> {
    let part = (states.len() / layout.key_words()).div_ceil(threads.max(1)) * layout.key_words();
    let guarded = |states: &[u64]| {
        catch_unwind(AssertUnwindSafe(|| first_leading_to(state, space, layout, states))).unwrap_or(Err(FAILED))
    };
    let ended: Vec<_> = match pool {
        Some(pool) => pool.install(|| states.par_chunks(part).map(guarded).collect()),
        None => states.chunks(part).map(guarded).collect(),
    };
    for found in ended {
        if let Some(found) = found? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The first of some states that leads to this one, and how.
pub(in crate::explicit) fn first_leading_to<S: PackedModel>(
    state: &[u64],
    space: &S,
    layout: &Layout,
    states: &[u64],
) -> Result<Option<(Vec<u64>, Rule)>, StopReason> {
    let (mut scratch, mut words, mut next) = (S::Scratch::default(), Vec::new(), Vec::new());
    for from in states.chunks_exact(state.len()) {
        complete(from, layout, &mut words);
        space.enter(&mut scratch, &words)?;
        let mut cursor = space.cursor(&scratch, &words, 0);
        while let Some(rule) = space.next(&scratch, &words, &mut cursor) {
            if space.fire(&scratch, &words, rule, &mut next) == Fired::Done && next[..state.len()] == *state {
                return Ok(Some((from.to_vec(), rule)));
            }
        }
    }
    Ok(None)
}

/// A state as the model reads it, from its words on the disk.
pub(in crate::explicit) fn complete(state: &[u64], layout: &Layout, words: &mut Vec<u64>) {
    words.clear();
    words.extend_from_slice(state);
    words.resize(layout.words(), 0);
    layout.complete(words);
}

/// States that were found lately, one for each hash: most firings lead to one of them.
#[derive(Debug)]
struct Recent {
    words: usize,
    /// A power of two of them.
    states: Vec<u64>,
    mask: usize,
}

impl Recent {
    fn new(words: usize, count: usize) -> Self {
        let count = count.next_power_of_two();
        Recent { words, states: vec![u64::MAX; count * words], mask: count - 1 }
    }

    /// Has a state not been found lately, as far as is remembered?
    #[inline]
    fn is_new(&mut self, state: &[u64]) -> bool {
        if state[0] == u64::MAX {
            // It may look like a place that is free.
            return true;
        }
        let mut hasher = FxHasher::default();
        state.iter().for_each(|&word| hasher.write_u64(word));
        let hash = hasher.finish();
        let at = (hash >> 32 ^ hash) as usize & self.mask;
        let place = &mut self.states[at * self.words..(at + 1) * self.words];
        let is_new = place != state;
        if is_new {
            place.copy_from_slice(state);
        }
        is_new
    }
}
