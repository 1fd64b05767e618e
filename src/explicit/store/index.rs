//! Where the number of a value is found: open addressing with tags.
//!
//! A slot has 32 bits: the low ones are a number plus one (0 marks a free slot), and the bits that numbers leave over
//! hold a tag of the hash, so that most mismatches are seen without a look at the value. Probing is linear from a
//! *home* that is proportional to the hash, so a table may have any number of slots. At a load of 7/8 it grows by half,
//! which makes 4.6 to 6.9 bytes for each number, or is doubled, to 9.1 bytes ([`Packing`]), while that takes a small
//! part of the memory that is left; then it grows by a quarter, to 4.6 to 5.7 bytes. Where there is no memory to grow,
//! the load rises to 15/16 first.
//!
//! **Growing.** Numbers are taken from the old table in the order of its slots, which is that of their homes in the new
//! one: what is written is written in order, by several threads in parts. What is read are values, at random: a few
//! dozen at a time, which do not wait for each other.
//!
//! **Threads.** A slot changes once, from free to taken, by an atomic exchange that releases the entry of its number.
//! All who look for a value walk the same slots in the same order and stop at a free one or at the value; nobody passes
//! a free slot. Let two threads insert the same value, and let s be the first slot, in that order, that is free or the
//! value's when the first of them takes a slot. It takes s, as it stops there. The other one either comes to s later
//! and finds the value, or has seen s free and fails to take it, and looks again. So each value has one slot, and one
//! number. Some thread always succeeds: there is no lock.

use super::arena::Packing;
use super::sync::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Mutex, PoisonError};

/// Slots of an empty table.
const FIRST: usize = 16;
/// Tables smaller than this are doubled.
const LARGE: usize = 1 << 14;
/// Slots beyond a home that lie in its line of the cache, or in the next, which comes with it.
const NEAR: usize = 16;
/// Values that are read at a time.
const STRIDE: usize = 32;
/// Slots of a part of a table that threads fill.
const PART: usize = 1 << 16;
/// Slots of a page of memory.
const PAGE: usize = 1 << 10;
/// The most slots: numbers and a bit of tag fit 32 bits.
const MOST: usize = (1 << 31) - 1;

/// The table.
#[derive(Debug)]
pub(super) struct Index {
    slots: Box<[AtomicU32]>,
    /// The bits of a slot that are a tag.
    tags: u32,
    /// The most numbers.
    limit: u32,
}

impl Default for Index {
    fn default() -> Self {
        Index::new(FIRST)
    }
}

/// Folded multiplications.
#[inline]
pub(super) fn hash(value: u64) -> u64 {
    let product = u128::from(value ^ 0x243F_6A88_85A3_08D3) * u128::from(0x9E37_79B9_7F4A_7C15_u64);
    let folded = (product as u64) ^ (product >> 64) as u64;
    let product = u128::from(folded) * u128::from(0xD6E8_FEB8_6659_FD93_u64);
    (product as u64) ^ (product >> 64) as u64
}

impl Index {
    pub(super) fn new(slots: usize) -> Index {
        let tags = u32::MAX << (usize::BITS - slots.leading_zeros());
        let limit = slots as u64 * 7 / 8;
        // Memory that is zero comes so from the system, and is not written here.
        let slots = vec![0; slots].into_iter().map(AtomicU32::new).collect();
        Index { slots, tags, limit: limit as u32 }
    }

    pub(super) fn bytes(slots: usize) -> u64 {
        4 * slots as u64
    }

    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Slots of the table that follows a full one, if there is one, where so many bytes are left.
    pub(super) fn larger(&self, packing: Packing, left: u64) -> Option<usize> {
        let slots = self.slots.len();
        let wanted = match packing {
            _ if slots < LARGE => return Some(2 * slots),
            Packing::Dense => slots + slots / 2,
            Packing::Quick => 2 * slots,
        };
        let larger = if Index::bytes(wanted) <= left / 4 && wanted <= MOST { wanted } else { slots + slots / 4 };
        (larger <= MOST).then_some(larger)
    }

    /// Numbers are below this.
    #[inline]
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// Bear a higher load; false if it is as high as can be.
    pub(super) fn press(&mut self) -> bool {
        let limit = (self.slots.len() as u64 * 15 / 16) as u32;
        std::mem::replace(&mut self.limit, limit) < limit
    }

    /// Where the search for a value begins.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    /// The slot at the home of a hash.
    #[inline]
    pub(super) fn first(&self, hash: u64) -> u32 {
        self.slots[self.home(hash)].load(Acquire)
    }

    /// The first number at the home of a hash or near by, whose slot is this, that may well be the value's.
    #[inline]
    pub(super) fn near(&self, hash: u64, first: u32) -> Option<u32> {
        let home = self.home(hash);
        let others = self.slots[home + 1..].iter().take(NEAR).map(|slot| slot.load(Acquire));
        let mut taken = std::iter::once(first).chain(others).take_while(|&slot| slot != 0);
        taken.find(|slot| (slot ^ hash as u32) & self.tags == 0).map(|slot| (slot & !self.tags) - 1)
    }

    /// The number that is the value's, or the free slot where it belongs.
    #[inline]
    pub(super) fn probe(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at].load(Acquire);
            if slot == 0 {
                return Err(at);
            }
            if (slot ^ hash as u32) & self.tags == 0 {
                let number = (slot & !self.tags) - 1;
                if is_it(number) {
                    return Ok(number);
                }
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
    }

    /// Take a free slot that nobody else can take.
    #[inline]
    pub(super) fn set(&mut self, at: usize, hash: u64, number: u32) {
        self.slots[at].store(hash as u32 & self.tags | (number + 1), Relaxed);
    }

    /// Take a slot that was free; false if another thread was faster.
    #[inline]
    pub(super) fn try_set(&self, at: usize, hash: u64, number: u32) -> bool {
        let slot = hash as u32 & self.tags | (number + 1);
        self.slots[at].compare_exchange(0, slot, Release, Relaxed).is_ok()
    }

    /// Replace the number of a value with this hash.
    pub(super) fn renumber(&mut self, hash: u64, from: u32, to: u32) {
        let slot = |number| hash as u32 & self.tags | (number + 1);
        let (after, before) = (self.home(hash)..self.slots.len(), 0..self.home(hash));
        let place = after.chain(before).find(|&at| self.slots[at].load(Relaxed) == slot(from));
        self.slots[place.expect("a number lies in a slot")].store(slot(to), Relaxed);
    }

    /// Take over what is in another table, on so many threads. `value` tells the values.
    pub(super) fn fill(&self, other: &Index, threads: u32, value: impl Fn(u32) -> u64 + Sync) {
        let parts = other.slots.chunks(PART);
        if threads < 2 || parts.len() < 8 {
            return parts.for_each(|part| self.fill_part(part, other.tags, &value));
        }
        let parts = Mutex::new(parts);
        let fill = || {
            loop {
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(part) = part else { return };
                self.fill_part(part, other.tags, &value);
            }
        };
        std::thread::scope(|scope| {
            // With fewer threads the others do the work.
            (1..threads).all(|_| std::thread::Builder::new().spawn_scoped(scope, fill).is_ok());
            fill();
        });
    }

    fn fill_part(&self, part: &[AtomicU32], tags: u32, value: impl Fn(u32) -> u64) {
        let mut entries = [(0, 0); STRIDE];
        let mut written = 0;
        let mut taken = part.iter().map(|slot| slot.load(Relaxed)).filter(|&slot| slot != 0);
        loop {
            let mut len = 0;
            for (entry, slot) in entries.iter_mut().zip(&mut taken) {
                *entry = ((slot & !tags) - 1, 0);
                len += 1;
            }
            if len == 0 {
                return;
            }
            entries[..len].iter_mut().for_each(|entry| entry.1 = value(entry.0));
            for &(number, value) in &entries[..len] {
                let hash = hash(value);
                self.write_page(hash, &mut written);
                // Each value is there once.
                while let Err(at) = self.probe(hash, |_| false)
                    && !self.try_set(at, hash, number)
                {}
            }
        }
    }

    /// Write to the memory around a home before it is read, as the system would give a page that is read first twice,
    /// and tell all threads the second time.
    #[inline]
    fn write_page(&self, hash: u64, written: &mut usize) {
        let page = self.home(hash) / PAGE;
        if page + 1 != *written {
            *written = page + 1;
            // Slots need not begin where a page does.
            for slot in self.slots[page * PAGE..].iter().take(PAGE).step_by(PAGE - 1) {
                let _ = slot.compare_exchange(0, 0, Relaxed, Relaxed);
            }
        }
    }
}
