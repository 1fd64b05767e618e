//! Sorting more states than memory holds: a buffer, and sorted runs of what was in it.

use super::folder::Folder;
use super::merge::{Merge, write};
use super::outcome::DiskError;
use super::run::{Run, Shape, Writer};
use super::tiers::Tiers;
use crate::budget::Budget;
use rayon::ThreadPool;
use rayon::slice::ParallelSliceMut;
use std::sync::Arc;

/// States of more words than this are sorted by way of references to them.
pub(super) const MOST_WORDS: usize = 8;

/// States in any order, which come back sorted and without duplicates.
#[derive(Debug)]
pub(super) struct Sorter<'f> {
    folder: &'f Folder,
    shape: Shape,
    /// Words that the buffer holds, at most.
    most: usize,
    buffer: Vec<u64>,
    runs: Tiers,
}

impl<'f> Sorter<'f> {
    /// None yet; with a buffer of so many words.
    pub(super) fn new(folder: &'f Folder, shape: Shape, most: usize) -> Self {
        Sorter { folder, shape, most: most.max(shape.words), buffer: Vec::new(), runs: Tiers::default() }
    }

    /// Add states.
    pub(super) fn add(
        &mut self,
        mut states: &[u64],
        pool: Option<&ThreadPool>,
        budget: &Budget,
    ) -> Result<(), DiskError> {
        let full = self.most / self.shape.words * self.shape.words;
        while !states.is_empty() {
            let (some, others) = states.split_at(states.len().min(full - self.buffer.len()));
            let length = self.buffer.len() + some.len();
            if length > self.buffer.capacity() {
                // Not twice as much as it may have.
                let capacity = (2 * length).min(full);
                self.buffer.reserve_exact(capacity - self.buffer.len());
            }
            self.buffer.extend_from_slice(some);
            states = others;
            if self.buffer.len() == full {
                self.spill(pool, budget)?;
            }
        }
        Ok(())
    }

    /// Write what is in the buffer, if it is still full without its duplicates.
    fn spill(&mut self, pool: Option<&ThreadPool>, budget: &Budget) -> Result<(), DiskError> {
        sort(&mut self.buffer, self.shape.words, pool);
        if self.buffer.len() <= self.most / 2 {
            return Ok(());
        }
        let mut writer = Writer::new(self.folder, self.shape)?;
        writer.add(&self.buffer)?;
        self.buffer.clear();
        let run = writer.finish(false)?;
        let gone = self.runs.add(run, (self.folder, self.shape), false, budget)?;
        gone.iter().for_each(|run| self.folder.remove(run.number, run.bytes));
        Ok(())
    }

    /// All states in order, each once.
    pub(super) fn sorted(&mut self, pool: Option<&ThreadPool>) -> Result<Merge<'_>, DiskError> {
        sort(&mut self.buffer, self.shape.words, pool);
        Merge::new(self.folder, self.runs.runs(), &self.buffer, self.shape)
    }

    /// The same as a run that stays.
    pub(super) fn run(&mut self, pool: Option<&ThreadPool>, budget: &Budget) -> Result<Arc<Run>, DiskError> {
        let mut writer = Writer::new(self.folder, self.shape)?;
        write(self.sorted(pool)?, &mut writer, budget)?;
        self.clear();
        writer.finish(true)
    }

    /// Forget all states. The buffer keeps its memory.
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        self.runs.take().iter().for_each(|run| self.folder.remove(run.number, run.bytes));
    }
}

/// Sort states of so many words, and leave out duplicates.
fn sort(states: &mut Vec<u64>, words: usize, pool: Option<&ThreadPool>) {
    match words {
        1 => sort_of::<1>(states, pool),
        2 => sort_of::<2>(states, pool),
        3 => sort_of::<3>(states, pool),
        4 => sort_of::<4>(states, pool),
        5 => sort_of::<5>(states, pool),
        6 => sort_of::<6>(states, pool),
        7 => sort_of::<7>(states, pool),
        MOST_WORDS => sort_of::<MOST_WORDS>(states, pool),
        _ => {
            let mut all: Vec<&[u64]> = states.chunks_exact(words).collect();
            match pool {
                Some(pool) => pool.install(|| all.par_sort_unstable()),
                None => all.sort_unstable(),
            }
            *states = all.concat();
        }
    }
    let mut end = words.min(states.len());
    for at in (end..states.len()).step_by(words) {
        if states[at..at + words] != states[end - words..end] {
            states.copy_within(at..at + words, end);
            end += words;
        }
    }
    states.truncate(end);
}

fn sort_of<const WORDS: usize>(states: &mut [u64], pool: Option<&ThreadPool>) {
    let (all, _) = states.as_chunks_mut::<WORDS>();
    match pool {
        Some(pool) => pool.install(|| all.par_sort_unstable()),
        None => all.sort_unstable(),
    }
}
