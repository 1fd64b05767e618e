//! A set of 64-bit values, numbered in the order of insertion.
//!
//! With several threads numbers are handed out in blocks, in which each thread goes on in order. What a thread has left of its
//! block are numbers without a value; nobody sees them.

use super::arena::{Account, Arena, BLOCK};
use super::index::{Index, hash};
use super::sync::AtomicU32;
use crate::budget::Exhausted;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Where an insertion ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::explicit) enum Inserted {
    /// The value was there.
    Old(u32),
    /// The value is new.
    New(u32),
}

impl Inserted {
    /// The number of the value.
    #[inline]
    pub(in crate::explicit) fn id(self) -> u32 {
        let (Inserted::Old(id) | Inserted::New(id)) = self;
        id
    }
}

/// Why a thread that shares a set with others cannot insert, and what has to be done while it is alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    /// Grow the index.
    Full,
    /// Make room for a value of this number.
    Unfit(u32),
    /// There is no more memory.
    Memory,
}

/// A value that is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sought {
    /// Of which of several keys.
    pub(super) key: u32,
    /// Its number, if it was found so far.
    pub(super) found: Option<u32>,
    pub(super) value: u64,
    pub(super) hash: u64,
    /// The entry at its home in the index.
    pub(super) slot: u32,
}

/// Numbers that a thread may give: `next..end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Spare {
    pub(super) next: u32,
    pub(super) end: u32,
}

/// The set.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    arena: Arena,
    index: Index,
    /// Numbers handed out.
    len: AtomicU32,
}

impl Numbering {
    /// Numbers handed out.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.len.load(Relaxed)
    }

    /// Bytes of what was inserted, without those of places that are free.
    pub(super) fn filled(&self) -> u64 {
        self.arena.bits(self.len()) / 8 + Index::bytes(self.len() as usize)
    }

    /// The value of a number.
    #[inline]
    pub(super) fn value(&self, number: u32) -> u64 {
        self.arena.get(number)
    }

    /// The number of a value, if it has one.
    pub(super) fn find(&self, value: u64) -> Option<u32> {
        self.index.probe(hash(value), |number| self.arena.get(number) == value).ok()
    }

    /// Look for many values at once: where one of the first places to look at has one, its number is found. Neither looks nor values
    /// wait for each other, so this takes as long as the slowest of them.
    pub(super) fn glance(&self, sought: &mut [Sought]) {
        for one in sought.iter_mut() {
            one.hash = hash(one.value);
        }
        for one in sought.iter_mut() {
            one.slot = self.index.first(one.hash);
        }
        for one in sought.iter_mut() {
            one.found = self.index.near(one.hash, one.slot);
        }
        for one in sought.iter_mut() {
            one.found = one.found.filter(|&number| self.arena.get(number) == one.value);
        }
    }

    /// Number a value, alone.
    #[inline]
    pub(super) fn insert(&mut self, value: u64, account: &Account) -> Result<Inserted, Exhausted> {
        self.insert_hashed(value, hash(value), account)
    }

    /// The same, with its hash.
    #[inline]
    pub(super) fn insert_hashed(&mut self, value: u64, hash: u64, account: &Account) -> Result<Inserted, Exhausted> {
        match self.index.probe(hash, |number| self.arena.get(number) == value) {
            Ok(number) => Ok(Inserted::Old(number)),
            Err(at) => self.add(value, hash, at, account),
        }
    }

    fn add(&mut self, value: u64, hash: u64, mut at: usize, account: &Account) -> Result<Inserted, Exhausted> {
        let number = self.len();
        if number >= self.index.limit() {
            self.grow(1, account)?;
            at = self.index.probe(hash, |_| false).expect_err("it is in no slot");
        }
        if !self.arena.try_set(number, value) {
            self.arena.make_room(number, value, account)?;
            self.arena.try_set(number, value);
        }
        self.index.set(at, hash, number);
        self.len.store(number + 1, Relaxed);
        Ok(Inserted::New(number))
    }

    /// Give no value a number below this one any more.
    pub(super) fn skip_to(&mut self, number: u32, account: &Account) -> Result<(), Exhausted> {
        while self.index.limit() < number {
            self.grow(1, account)?;
        }
        self.len.store(number.max(self.len()), Relaxed);
        Ok(())
    }

    /// The index, with more slots, or fuller.
    #[cold]
    fn grow(&mut self, threads: u32, account: &Account) -> Result<(), Exhausted> {
        let grown = self.index.larger(account.packing, account.left()).ok_or(Exhausted::Memory);
        let grown = grown.and_then(|slots| account.take(Index::bytes(slots)).map(|()| slots));
        let slots = match grown {
            Ok(slots) => slots,
            Err(_) if self.index.press() => return Ok(()),
            Err(exhausted) => return Err(exhausted),
        };
        let index = Index::new(slots);
        index.fill(&self.index, threads, |number| self.arena.get(number));
        account.give_back(Index::bytes(self.index.slots()));
        self.index = index;
        Ok(())
    }

    /// Be ready for so many threads. What is left of the last block is for one of them.
    pub(super) fn share(&mut self, threads: u32, account: &Account) -> Result<Spare, Exhausted> {
        let next = self.len();
        let end = next.next_multiple_of(BLOCK);
        while u64::from(self.index.limit()) < u64::from(end) + u64::from(threads * BLOCK) {
            self.grow(threads, account)?;
        }
        self.arena.reserve(next, self.index.limit(), account)?;
        self.len.store(end, Relaxed);
        Ok(Spare { next, end })
    }

    /// Do for one of so many threads what it could not do beside others.
    pub(super) fn make_room(
        &mut self,
        refused: Refused,
        value: u64,
        threads: u32,
        account: &Account,
    ) -> Result<(), Exhausted> {
        match refused {
            Refused::Memory => return Err(Exhausted::Memory),
            // Another thread may have been here meanwhile.
            Refused::Full if self.len() + BLOCK > self.index.limit() => self.grow(threads, account)?,
            Refused::Full => (),
            Refused::Unfit(number) => self.arena.make_room(number, value, account)?,
        }
        self.arena.reserve(self.len(), self.index.limit(), account)
    }

    /// Give the value of a number another one, which has no value.
    fn renumber(&mut self, from: u32, to: u32, account: &Account) -> Result<(), Exhausted> {
        let value = self.arena.get(from);
        if !self.arena.try_set(to, value) {
            self.arena.make_room(to, value, account)?;
            self.arena.try_set(to, value);
        }
        self.index.renumber(hash(value), from, to);
        Ok(())
    }

    /// Have only so many numbers, where those in `free` have no value: of each number beyond, the new one is returned. Numbers
    /// beyond without a value get any.
    pub(super) fn close(&mut self, len: u32, free: &[Range<u32>], account: &Account) -> Result<Vec<u32>, Exhausted> {
        let is_free = |number| free.iter().any(|range| range.contains(&number));
        let mut places = free.iter().cloned().flatten().filter(|&number| number < len);
        let mut moved = Vec::new();
        for from in len..self.len() {
            let to = if is_free(from) { None } else { places.next() };
            if let Some(to) = to {
                self.renumber(from, to, account)?;
            }
            moved.push(to.unwrap_or(0));
        }
        self.len.store(len, Relaxed);
        Ok(moved)
    }

    /// Number a value with this hash while others do so, too.
    #[inline]
    pub(super) fn insert_shared(
        &self,
        value: u64,
        hash: u64,
        spare: &mut Spare,
        account: &Account,
    ) -> Result<Inserted, Refused> {
        loop {
            let at = match self.index.probe(hash, |number| self.arena.get(number) == value) {
                Ok(number) => return Ok(Inserted::Old(number)),
                Err(at) => at,
            };
            if spare.next == spare.end {
                *spare = self.block()?;
            }
            let number = spare.next;
            if !self.arena.try_set(number, value) {
                let opened = self.arena.open(number, value, account).map_err(|_| Refused::Memory)?;
                if !opened || !self.arena.try_set(number, value) {
                    return Err(Refused::Unfit(number));
                }
            }
            if self.index.try_set(at, hash, number) {
                spare.next += 1;
                return Ok(Inserted::New(number));
            }
        }
    }

    /// Another block of numbers.
    fn block(&self) -> Result<Spare, Refused> {
        let more = |len: u32| len.checked_add(BLOCK).filter(|&end| end <= self.index.limit());
        let next = self.len.fetch_update(Relaxed, Relaxed, more).map_err(|_| Refused::Full)?;
        Ok(Spare { next, end: next + BLOCK })
    }
}
