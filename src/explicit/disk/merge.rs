//! Merging sorted states, and leaving out those of other runs.
//!
//! [`Merge`] is a k-way merge by a binary heap of its sources (Knuth 1998, *Sorting and Searching*, 5.4.1), which leaves
//! out duplicates. [`Known`] takes from a batch of sorted states what is in some runs: run after run, each of which is
//! passed over once for all batches of a level.

use super::folder::Folder;
use super::outcome::DiskError;
use super::run::{Reader, Run, Shape, Writer};
use crate::budget::Budget;
use std::sync::Arc;

/// Words of a batch.
pub(super) const BATCH: usize = 1 << 14;

/// Sorted states, in memory or in a file.
#[derive(Debug)]
enum Source<'b> {
    Memory(&'b [u64]),
    Run(Box<Reader>),
}

impl Source<'_> {
    #[inline]
    fn current(&self, words: usize) -> Option<&[u64]> {
        match self {
            Source::Memory(rest) => rest.get(..words),
            Source::Run(reader) => reader.current(),
        }
    }

    /// States of it that are at hand.
    fn rest(&self) -> &[u64] {
        match self {
            Source::Memory(rest) => rest,
            Source::Run(reader) => reader.rest(),
        }
    }

    #[inline]
    fn pass(&mut self, words: usize) -> Result<(), DiskError> {
        match self {
            Source::Memory(rest) => {
                *rest = &rest[words..];
                Ok(())
            }
            Source::Run(reader) => reader.pass(words),
        }
    }
}

/// A merge of sorted states, each of which comes once.
#[derive(Debug)]
pub(super) struct Merge<'b> {
    words: usize,
    /// Those that are not at their end, the one with the least state first: a heap.
    sources: Vec<Source<'b>>,
    last: Vec<u64>,
}

impl<'b> Merge<'b> {
    /// Of some runs, and of states in memory, which are sorted and have no duplicates.
    pub(super) fn new(folder: &Folder, runs: &[Arc<Run>], memory: &'b [u64], shape: Shape) -> Result<Self, DiskError> {
        let mut sources = Vec::with_capacity(runs.len() + 1);
        for run in runs {
            sources.push(Source::Run(Box::new(Reader::new(folder, run, shape)?)));
        }
        sources.push(Source::Memory(memory));
        sources.retain(|source| source.current(shape.words).is_some());
        let mut merge = Merge { words: shape.words, sources, last: Vec::new() };
        (0..merge.sources.len() / 2).rev().for_each(|at| merge.sift(at));
        Ok(merge)
    }

    /// Restore the heap below a place.
    fn sift(&mut self, mut at: usize) {
        let least = |sources: &[Source<'_>], one: usize, two: usize| {
            if sources[two].current(self.words) < sources[one].current(self.words) { two } else { one }
        };
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            if left >= self.sources.len() {
                return;
            }
            let child = if right < self.sources.len() { least(&self.sources, left, right) } else { left };
            if least(&self.sources, at, child) == at {
                return;
            }
            self.sources.swap(at, child);
            at = child;
        }
    }

    /// The next states, instead of those in `batch`: none at the end.
    pub(super) fn next(&mut self, batch: &mut Vec<u64>) -> Result<(), DiskError> {
        batch.clear();
        let words = self.words;
        while batch.len() < BATCH {
            if let [only] = &mut self.sources[..] {
                // Nothing to compare with but the state before.
                let rest = only.rest();
                let length = rest.len().min(BATCH.next_multiple_of(words));
                let is_known = self.last == rest[..words];
                batch.extend_from_slice(&rest[if is_known { words } else { 0 }..length]);
                self.last.clear();
                self.last.extend_from_slice(&rest[length - words..length]);
                only.pass(length)?;
            } else {
                let Some(state) = self.sources.first().and_then(|source| source.current(words)) else { break };
                if self.last != state {
                    batch.extend_from_slice(state);
                    self.last.clear();
                    self.last.extend_from_slice(state);
                }
                self.sources[0].pass(words)?;
            }
            if self.sources[0].current(words).is_none() {
                self.sources.swap_remove(0);
            }
            self.sift(0);
        }
        Ok(())
    }
}

/// Write all states of a merge.
pub(super) fn write(mut merge: Merge<'_>, writer: &mut Writer<'_>, budget: &Budget) -> Result<(), DiskError> {
    let mut batch = Vec::new();
    loop {
        budget.check()?;
        merge.next(&mut batch)?;
        if batch.is_empty() {
            return Ok(());
        }
        writer.add(&batch)?;
    }
}

/// Runs whose states are known.
#[derive(Debug)]
pub(super) struct Known {
    words: usize,
    readers: Vec<Reader>,
}

impl Known {
    /// Those of some runs.
    pub(super) fn new<'r>(
        folder: &Folder,
        runs: impl Iterator<Item = &'r Arc<Run>>,
        shape: Shape,
    ) -> Result<Self, DiskError> {
        let readers = runs.map(|run| Reader::new(folder, run, shape)).collect::<Result<_, _>>()?;
        Ok(Known { words: shape.words, readers })
    }

    /// Leave in a batch what is in none of the runs. Batches come in increasing order.
    pub(super) fn leave_out(&mut self, batch: &mut Vec<u64>) -> Result<(), DiskError> {
        let words = self.words;
        for reader in &mut self.readers {
            let mut end = 0;
            for at in (0..batch.len()).step_by(words) {
                reader.seek(&batch[at..at + words])?;
                let is_known = reader.current() == Some(&batch[at..at + words]);
                if !is_known {
                    batch.copy_within(at..at + words, end);
                    end += words;
                }
            }
            batch.truncate(end);
        }
        Ok(())
    }
}
