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
use std::hint::black_box;
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
    /// For states of so many words; it remembers some, in about as many words as are given.
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
        let known = self.found.len();
        let misfit = self.fire_all(space, layout, states)?;
        self.recent.retain_new(&mut self.found, known);
        Ok(misfit)
    }

    /// Fire what is enabled in some states, unless a firing does not fit.
    fn fire_all(&mut self, space: &S, layout: &Layout, states: &[u64]) -> Result<Option<Misfit>, StopReason> {
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
                self.found.extend_from_slice(&self.next[..key]);
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

/// Do something with equal parts of some states, each on a thread: the results, in the order of the parts.
pub(super) fn in_parts<T: Send>(
    states: &[u64],
    key: usize,
    threads: usize,
    pool: Option<&ThreadPool>,
    work: impl Fn(&[u64]) -> Result<T, StopReason> + Sync,
) -> Vec<Result<T, StopReason>> {
    let part = (states.len() / key).div_ceil(threads.max(1)) * key;
    let guarded = |states: &[u64]| catch_unwind(AssertUnwindSafe(|| work(states))).unwrap_or(Err(FAILED));
    match pool {
        Some(pool) => pool.install(|| states.par_chunks(part).map(guarded).collect()),
        None => states.chunks(part).map(guarded).collect(),
    }
}

/// What fires in states, one after the other.
#[derive(Debug)]
pub(in crate::explicit) struct Firings<'a, S: PackedModel> {
    space: &'a S,
    layout: &'a Layout,
    scratch: S::Scratch,
    words: Vec<u64>,
    next: Vec<u64>,
}

impl<'a, S: PackedModel> Firings<'a, S> {
    pub(in crate::explicit) fn new(space: &'a S, layout: &'a Layout) -> Self {
        Firings { space, layout, scratch: S::Scratch::default(), words: Vec::new(), next: Vec::new() }
    }

    /// Show each rule that fires in a state, with the words of the successor, or `None` if it does not fit; until `visit`
    /// returns false, which is returned then.
    pub(in crate::explicit) fn of(
        &mut self,
        state: &[u64],
        mut visit: impl FnMut(Rule, Option<&[u64]>) -> bool,
    ) -> Result<bool, StopReason> {
        complete(state, self.layout, &mut self.words);
        self.space.enter(&mut self.scratch, &self.words)?;
        let mut cursor = self.space.cursor(&self.scratch, &self.words, 0);
        while let Some(rule) = self.space.next(&self.scratch, &self.words, &mut cursor) {
            let fits = self.space.fire(&self.scratch, &self.words, rule, &mut self.next) == Fired::Done;
            if !visit(rule, fits.then(|| &self.next[..state.len()])) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The first of some states that leads to this one, and how.
pub(in crate::explicit) fn first_leading_to<S: PackedModel>(
    state: &[u64],
    space: &S,
    layout: &Layout,
    states: &[u64],
) -> Result<Option<(Vec<u64>, Rule)>, StopReason> {
    let mut firings = Firings::new(space, layout);
    for from in states.chunks_exact(state.len()) {
        let mut found = None;
        firings.of(from, |rule, next| {
            found = (next == Some(state)).then_some(rule);
            found.is_none()
        })?;
        if let Some(rule) = found {
            return Ok(Some((from.to_vec(), rule)));
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

/// Words in which a thread remembers states, at most: 8 MB, which fit in the last level of caches.
pub(in crate::explicit) const RECENT_WORDS: usize = 1 << 20;

/// States that are looked up together: the memory is asked for all of them before one is compared.
const TOGETHER: usize = 32;

impl Recent {
    fn new(words: usize, room: usize) -> Self {
        let count = 1 << (room / words).max(1).ilog2();
        Recent { words, states: vec![u64::MAX; count * words], mask: count - 1 }
    }

    /// Keep, of the states from a place on, those that have not been found lately, as far as is remembered.
    fn retain_new(&mut self, found: &mut Vec<u64>, from: usize) {
        let words = self.words;
        let (mut places, mut left) = ([0; TOGETHER], from);
        for begin in (from..found.len()).step_by(TOGETHER * words) {
            let end = found.len().min(begin + TOGETHER * words);
            for (place, state) in places.iter_mut().zip(found[begin..end].chunks_exact(words)) {
                *place = self.place(state);
                black_box(self.states[*place]);
            }
            for (&at, state) in places.iter().zip((begin..end).step_by(words)) {
                let place = &mut self.states[at..at + words];
                // What looks like a free place may be one.
                let is_known = found[state] != u64::MAX && place.iter().eq(&found[state..state + words]);
                if !is_known {
                    place.copy_from_slice(&found[state..state + words]);
                    found.copy_within(state..state + words, left);
                    left += words;
                }
            }
        }
        found.truncate(left);
    }

    /// Where a state is, if it is remembered.
    #[inline]
    fn place(&self, state: &[u64]) -> usize {
        let mut hasher = FxHasher::default();
        state.iter().for_each(|&word| hasher.write_u64(word));
        let hash = hasher.finish();
        ((hash >> 32 ^ hash) as usize & self.mask) * self.words
    }
}
