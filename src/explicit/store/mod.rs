//! A compact set of packed states, which threads may share: trees of numbered words.
//!
//! **Problem.** An explicit search is as large as its memory. A state is a few dozen to some thousand bits, and its
//! neighbours differ from it in a few of them.
//!
//! **Idea.** *Trees* (Blom, Lisser, van de Pol, Weber, "A database approach to distributed state space generation",
//! 2011; Laarman, van de Pol, Weber, "Parallel recursive state compression for free", SPIN 2011). The bits of a state
//! are cut into leaves of at most a word each, halves of halves. Each leaf has a [`Numbering`] of the words that were
//! ever seen in it. Two neighbours make a pair of numbers, and pairs are numbered likewise, up to the root; the number
//! of the root is the state's. Where the halves of states vary independently of each other, n states have some √n
//! different halves: all that grows with n is the root. A state that is not cut has a root and nothing else.
//!
//! The new part: **numbers are handed out in order** (of insertion; with several threads, in blocks), not places in a
//! table. So they are dense, they stay what they are when a table grows, a number is as short as there are entries, and
//! what a search knows of states lies in arrays or bit sets beside them; and a depth-first search has its states
//! ordered by when it found them. Entries are as short as numbers are (`arena`): a root of two numbers below 2¹⁷ takes
//! 34 bits, a state of 38 bits takes 38. The `index` by which an entry is found takes 4.6 to 6.9 bytes more, or up to
//! 9.1 ([`Packing`]).
//!
//! **Incremental.** Successors of one state come one after the other. A store remembers the words and numbers of the
//! state that was taken up or inserted last, and looks up no node below which nothing is different. Where all
//! successors are wanted, those of some states are inserted together (`batch`).
//!
//! **Proof** that it is a set with stable numbers: each numbering is an injection from values to numbers that is only
//! ever extended. By induction over the tree, the number of a node is a function of the bits below it, and an injective
//! one: different bits are different in the left half or in the right one, hence have different pairs. So two states
//! have the same number at the root iff they are the same, and reading the pairs downwards gives its bits back.
//!
//! Memory is counted before it is taken, against the limit that the caller gave. When there is no more, insertion fails
//! and the set is what it was; with a higher limit it goes on.

mod arena;
mod batch;
mod index;
mod numbering;
mod sync;

use crate::budget::Exhausted;
use arena::Account;
pub(super) use arena::{BLOCK, Packing};
pub(super) use batch::Batch;
pub(super) use numbering::Inserted;
use numbering::{Numbering, Refused, Spare};
use std::ops::Range;

/// Number of a state in its [`Store`].
pub(super) type StateId = u32;

/// Words of more bits are cut to be dense: two numbers of halves would be hardly shorter than these.
const WHOLE: u32 = 40;

/// The source of a node's keys in the tree.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Some bits of the key: from which word and bit on.
    Bits { word: u32, shift: u32, mask: u64 },
    /// The pairs of numbers of two nodes.
    Pair(u32, u32),
}

#[derive(Debug)]
struct Node {
    source: Source,
    numbers: Numbering,
}

/// The set of states.
#[derive(Debug)]
pub(super) struct Store {
    /// 64-bit words of a key.
    words: usize,
    /// Each node after those that it is a pair of, the root last.
    nodes: Vec<Node>,
    account: Account,
    /// Of each node, a value that was asked for lately, and its number.
    last: Vec<(u64, u32)>,
}

/// One of several threads that insert into a [`Store`].
#[derive(Debug)]
pub(super) struct Writer {
    /// Of each node, numbers that the thread may give.
    spares: Vec<Spare>,
}

impl Writer {
    /// Numbers that the thread may give to states, and has not.
    pub(super) fn spare(&self) -> Range<StateId> {
        self.spares.last().map_or(0..0, |spare| spare.next..spare.end)
    }
}

/// Work that a thread could not do beside others ([`Store::make_room`]).
#[derive(Clone, Copy, Debug)]
pub(super) struct Refusal {
    node: usize,
    why: Refused,
    value: u64,
}

/// A value of no node: [`Store::last`] before the first insertion.
const NOTHING: (u64, u32) = (u64::MAX, u32::MAX);

impl Source {
    #[inline]
    fn value(self, key: &[u64], last: &[(u64, u32)]) -> u64 {
        match self {
            Source::Bits { .. } => self.bits(key),
            Source::Pair(left, right) => pair(last[left as usize].1, last[right as usize].1),
        }
    }

    /// The bits of a leaf.
    #[inline]
    fn bits(self, key: &[u64]) -> u64 {
        let Source::Bits { word, shift, mask } = self else { return 0 };
        let word = word as usize;
        let next = key.get(word + 1).copied().unwrap_or_default();
        ((key[word] >> shift) | ((next << 1) << (63 - shift))) & mask
    }
}

#[inline]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// Add the nodes of some of so many leaves, which share the bits of a key evenly. The number of the last one is
/// returned.
fn plant(bits: u32, leaves: u32, these: Range<u32>, nodes: &mut Vec<Source>) -> u32 {
    let source = if these.len() > 1 {
        let middle = these.start + these.len() as u32 / 2;
        let left = plant(bits, leaves, these.start..middle, nodes);
        Source::Pair(left, plant(bits, leaves, middle..these.end, nodes))
    } else {
        let [start, end] =
            [these.start, these.end].map(|n| (u64::from(bits) * u64::from(n) / u64::from(leaves)) as u32);
        let mask = if end == start { 0 } else { u64::MAX >> (u64::BITS - (end - start)) };
        Source::Bits { word: start / u64::BITS, shift: start % u64::BITS, mask }
    };
    nodes.push(source);
    nodes.len() as u32 - 1
}

impl Store {
    /// An empty set of keys of so many bits. At most `limit` bytes are used.
    pub(super) fn new(bits: u32, packing: Packing, limit: u64) -> Store {
        let words = bits.div_ceil(u64::BITS).max(1);
        let mut nodes = Vec::new();
        let leaves = if packing == Packing::Dense && bits > WHOLE { words.max(2) } else { words };
        plant(bits, leaves, 0..leaves, &mut nodes);
        let last = vec![NOTHING; nodes.len()];
        let nodes = nodes.into_iter().map(|source| Node { source, numbers: Numbering::default() }).collect();
        Store { words: words as usize, nodes, account: Account::new(limit, packing), last }
    }

    #[inline]
    fn root(&self) -> &Numbering {
        &self.nodes[self.nodes.len() - 1].numbers
    }

    /// Number of states.
    pub(super) fn len(&self) -> u32 {
        self.root().len()
    }

    /// The numbers that states have, if none has one of these, which are sorted.
    pub(super) fn used(&self, holes: &[Range<StateId>]) -> Vec<Range<StateId>> {
        let starts = std::iter::once(0).chain(holes.iter().map(|hole| hole.end));
        let ends = holes.iter().map(|hole| hole.start).chain([self.len()]);
        starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        self.account.used()
    }

    /// Bytes in use, without those of places that are free.
    pub(super) fn filled(&self) -> u64 {
        self.nodes.iter().map(|node| node.numbers.filled()).sum()
    }

    /// Count bytes that somebody else takes.
    pub(super) fn take(&self, bytes: u64) -> Result<(), Exhausted> {
        self.account.take(bytes)
    }

    /// The limit on the bytes in use may shrink when other structures grow.
    pub(super) fn set_limit(&mut self, limit: u64) {
        self.account.set_limit(limit);
    }

    /// Copy the key of a state into the first words of `key`.
    #[inline]
    pub(super) fn get(&self, id: StateId, key: &mut [u64]) {
        if self.nodes.len() == 1 {
            key[0] = self.nodes[0].numbers.value(id);
        } else {
            self.unfold(id, key, &mut |_, _, _| ());
        }
    }

    /// The same, for a state whose successors are inserted next, one by one.
    #[inline]
    pub(super) fn take_up(&mut self, id: StateId, key: &mut [u64]) {
        let mut last = std::mem::take(&mut self.last);
        self.unfold(id, key, &mut |node, value, number| last[node] = (value, number));
        self.last = last;
    }

    #[inline]
    fn unfold(&self, id: StateId, key: &mut [u64], see: &mut impl FnMut(usize, u64, u32)) {
        key[..self.words].fill(0);
        self.unfold_node(self.nodes.len() - 1, id, key, see);
    }

    fn unfold_node(&self, node: usize, number: u32, key: &mut [u64], see: &mut impl FnMut(usize, u64, u32)) {
        let Node { source, numbers } = &self.nodes[node];
        let value = numbers.value(number);
        see(node, value, number);
        match *source {
            Source::Pair(left, right) => {
                self.unfold_node(left as usize, (value >> 32) as u32, key, see);
                self.unfold_node(right as usize, value as u32, key, see);
            }
            Source::Bits { word, shift, .. } => {
                let word = word as usize;
                key[word] |= value << shift;
                if let Some(next) = key.get_mut(word + 1) {
                    *next |= (value >> 1) >> (63 - shift);
                }
            }
        }
    }

    /// The number of the state in the first words of `key`, if it is in the set.
    pub(super) fn find(&self, key: &[u64]) -> Option<StateId> {
        let key = &key[..self.words];
        let mut known = vec![NOTHING; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            let value = node.source.value(key, &known);
            known[at] = (value, node.numbers.find(value)?);
        }
        known.last().map(|known| known.1)
    }

    /// Add the state in the first words of `key`.
    #[inline]
    pub(super) fn insert(&mut self, key: &[u64]) -> Result<Inserted, Exhausted> {
        match &mut self.nodes[..] {
            [root] => root.numbers.insert(key[0], &self.account),
            _ => self.insert_folded(key),
        }
    }

    /// Give no state a number below this one any more.
    pub(super) fn skip_to(&mut self, number: StateId) -> Result<(), Exhausted> {
        let Store { nodes, account, .. } = self;
        match nodes.last_mut() {
            Some(root) => root.numbers.skip_to(number, account),
            None => Ok(()),
        }
    }

    fn insert_folded(&mut self, key: &[u64]) -> Result<Inserted, Exhausted> {
        let key = &key[..self.words];
        let mut end = Inserted::Old(self.last[self.nodes.len() - 1].1);
        for (at, node) in self.nodes.iter_mut().enumerate() {
            let value = node.source.value(key, &self.last);
            let last = self.last[at];
            if (last.0 == value) & (last.1 != NOTHING.1) {
                end = Inserted::Old(last.1);
                continue;
            }
            // If this fails, what is remembered of the node belongs together all the same.
            end = node.numbers.insert(value, &self.account)?;
            self.last[at] = (value, end.id());
        }
        Ok(end)
    }
}

impl Store {
    /// Be ready for so many threads, each with a writer. Meanwhile [`Store::insert`] is not for use; afterwards it is,
    /// and some numbers are of no state.
    pub(super) fn share(&mut self, threads: u32) -> Result<Vec<Writer>, Exhausted> {
        let writer = || Writer { spares: vec![Spare::default(); self.nodes.len()] };
        let mut writers: Vec<Writer> = (0..threads).map(|_| writer()).collect();
        for (at, node) in self.nodes.iter_mut().enumerate() {
            writers[0].spares[at] = node.numbers.share(threads, &self.account)?;
        }
        Ok(writers)
    }

    /// Have no numbers without a state any more, if these are all: states with the greatest numbers get theirs. What is
    /// returned are the new numbers of those whose old ones are not below [`Store::len`] now, in the order of the old
    /// ones.
    pub(super) fn close(&mut self, holes: &[Range<StateId>]) -> Result<Vec<StateId>, Exhausted> {
        let Store { nodes, account, last, .. } = self;
        let Some(root) = nodes.last_mut() else { return Ok(Vec::new()) };
        last.fill(NOTHING);
        let missing: u32 = holes.iter().map(|hole| hole.end - hole.start).sum();
        root.numbers.close(root.numbers.len() - missing, holes, account)
    }

    /// Do for one of so many threads what it could not do beside others; then it tries again. They all may help.
    pub(super) fn make_room(&mut self, refusal: Refusal, threads: u32) -> Result<(), Exhausted> {
        let Refusal { node, why, value } = refusal;
        self.nodes[node].numbers.make_room(why, value, threads, &self.account)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
