//! The successors of some states, inserted together.
//!
//! **Problem.** An insertion waits for two places of memory, one after the other: a slot of the index, and the value
//! that it points to. In tables beyond the caches this is most of what a search does.
//!
//! **Idea.** The keys of a [`Batch`] go through the tree together, node by node. First the homes of all values of a
//! node are read, then what is found there; the reads of different keys do not depend on each other, so the processor
//! waits for many of them at once. Then the keys are inserted in their order, mostly without any more waiting. A value
//! that was found needs no second look: numbers stay.
//!
//! Successors differ in a few places from the state that they are of. When it was read ([`Store::begin`]), all its
//! nodes were: what is the same there is not looked up.
//!
//! The numbers of states are those that the keys would get one after the other, whatever becomes of the parts.

use super::numbering::{Inserted, Sought};
use super::{Refusal, Source, StateId, Store, Writer, pair};
use crate::budget::Exhausted;

/// Keys, and what became of them.
#[derive(Debug, Default)]
pub(in crate::explicit) struct Batch {
    /// 64-bit words of a key.
    words: usize,
    keys: Vec<u64>,
    /// Of each key, the number of the state that it is a successor of, among those of the batch.
    of: Vec<u32>,
    /// The values of those states' nodes and their numbers, state by state.
    origins: Vec<(u64, u32)>,
    states: u32,
    /// The numbers of the keys' parts, node by node.
    numbers: Vec<u32>,
    /// The values that a node is asked for.
    sought: Vec<Sought>,
    inserted: Vec<Inserted>,
}

impl Batch {
    /// Begin anew, with keys of so many words.
    #[inline]
    pub(in crate::explicit) fn clear(&mut self, words: usize) {
        self.words = words;
        self.states = 0;
        self.keys.clear();
        self.of.clear();
        self.origins.clear();
        self.inserted.clear();
    }

    /// Add the key in the first words of `key`, a successor of the state that was read last.
    #[inline]
    pub(in crate::explicit) fn push(&mut self, key: &[u64]) {
        self.keys.extend_from_slice(&key[..self.words]);
        self.of.push(self.states - 1);
    }

    /// Add the key in the first words of `key`, which is a successor of nothing that was read.
    #[cfg(feature = "distributed")]
    #[inline]
    pub(in crate::explicit) fn push_alone(&mut self, key: &[u64]) {
        debug_assert!(self.origins.is_empty());
        self.keys.extend_from_slice(&key[..self.words]);
        self.of.push(0);
    }

    /// Forget all keys but the first.
    pub(in crate::explicit) fn truncate(&mut self, keys: usize) {
        self.keys.truncate(keys * self.words);
        self.of.truncate(keys);
    }

    /// Where the first keys ended: all, or those before the one that could not be inserted.
    pub(in crate::explicit) fn inserted(&self) -> &[Inserted] {
        &self.inserted
    }

    /// Ask one of so many nodes for its values in all keys.
    #[inline]
    fn seek(&mut self, node: usize, nodes: usize, source: Source) {
        let Batch { words, keys, of, origins, numbers, sought, .. } = self;
        let len = of.len();
        let (before, here) = numbers.split_at_mut(node * len);
        let here = &mut here[..len];
        sought.clear();
        let mut seek = |key: usize, value: u64| match origins.get(of[key] as usize * nodes + node) {
            Some(origin) if origin.0 == value => here[key] = origin.1,
            _ => sought.push(Sought { key: key as u32, value, ..Sought::default() }),
        };
        match source {
            Source::Bits { .. } => {
                keys.chunks_exact(*words).enumerate().for_each(|(key, words)| seek(key, source.bits(words)));
            }
            Source::Pair(left, right) => {
                let side = |node: u32| &before[node as usize * len..][..len];
                let sides = side(left).iter().zip(side(right));
                sides.enumerate().for_each(|(key, (&left, &right))| seek(key, pair(left, right)));
            }
        }
    }

    /// Insert what was asked for and not found. If that fails, say how many keys are through.
    #[inline]
    fn settle<E>(
        &mut self,
        node: usize,
        is_root: bool,
        mut insert: impl FnMut(u64, u64) -> Result<Inserted, E>,
    ) -> Result<(), (E, u64)> {
        let len = self.of.len();
        let here = &mut self.numbers[node * len..][..len];
        let inserted = &mut self.inserted;
        let mut failed = None;
        for one in &self.sought {
            let end = match one.found {
                Some(number) => Inserted::Old(number),
                None => match insert(one.value, one.hash) {
                    Ok(end) => end,
                    Err(error) => {
                        failed = Some((one.key as usize, (error, one.value)));
                        break;
                    }
                },
            };
            here[one.key as usize] = end.id();
            if is_root && let Inserted::New(_) = end {
                // What lies between was there.
                inserted.extend(here[inserted.len()..one.key as usize].iter().map(|&number| Inserted::Old(number)));
                inserted.push(end);
            }
        }
        let through = failed.as_ref().map_or(len, |failed| failed.0);
        if is_root {
            inserted.extend(here[inserted.len()..through].iter().map(|&number| Inserted::Old(number)));
        }
        failed.map_or(Ok(()), |failed| Err(failed.1))
    }

    fn reserve(&mut self, nodes: usize) {
        self.numbers.clear();
        self.numbers.resize(nodes * self.of.len(), 0);
        self.inserted.clear();
    }
}

impl Store {
    /// Copy the key of a state, whose successors are added next, into the first words of `key`.
    #[inline]
    pub(in crate::explicit) fn begin(&self, id: StateId, key: &mut [u64], batch: &mut Batch) {
        batch.states += 1;
        if self.nodes.len() == 1 {
            return self.get(id, key);
        }
        let start = batch.origins.len();
        batch.origins.resize(start + self.nodes.len(), (0, 0));
        let origin = &mut batch.origins[start..];
        self.unfold(id, key, &mut |node, value, number| origin[node] = (value, number));
    }

    /// Insert keys. If that fails, those before the one that failed are in the set.
    pub(in crate::explicit) fn insert_all(&mut self, batch: &mut Batch) -> Result<(), Exhausted> {
        let Store { nodes, account, .. } = self;
        let count = nodes.len();
        batch.reserve(count);
        for (at, node) in nodes.iter_mut().enumerate() {
            batch.seek(at, count, node.source);
            node.numbers.glance(&mut batch.sought);
            let insert = |value, hash| node.numbers.insert_hashed(value, hash, account);
            batch.settle(at, at + 1 == count, insert).map_err(|(exhausted, _)| exhausted)?;
        }
        Ok(())
    }

    /// The same while other threads insert, too.
    pub(in crate::explicit) fn insert_all_shared(&self, batch: &mut Batch, writer: &mut Writer) -> Result<(), Refusal> {
        let count = self.nodes.len();
        batch.reserve(count);
        for (at, node) in self.nodes.iter().enumerate() {
            batch.seek(at, count, node.source);
            node.numbers.glance(&mut batch.sought);
            let spare = &mut writer.spares[at];
            let insert = |value, hash| node.numbers.insert_shared(value, hash, spare, &self.account);
            let settled = batch.settle(at, at + 1 == count, insert);
            settled.map_err(|(why, value)| Refusal { node: at, why, value })?;
        }
        Ok(())
    }
}
