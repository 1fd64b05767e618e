//! Numbered entries, each in as many bits as the entries around it take.
//!
//! An entry is a value of 64 bits, kept as two fields: its upper 32 bits and its lower ones. Entries lie in *chunks* of
//! some thousand; all of a chunk have fields of the same widths, which are just wide enough for what is in it, so that
//! an entry is found by a multiplication. When a value does not fit, its chunk is written anew with wider fields. That
//! happens at most 64 times per open chunk, and seldom, since a chunk begins with the widths of the one before. Other
//! chunks never move.
//!
//! **Threads.** A block of [`BLOCK`] entries is a whole number of words, whatever the widths: a thread that has a block
//! to itself writes its entries without a look at the others. Words are atomic and accessed without order: whoever
//! reads an entry has its number from a slot of the index (or from a queue) that was written, in order, after the
//! entry.

use super::sync::AtomicU64;
use crate::budget::Exhausted;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;

/// Entries that take whole words.
pub(in crate::explicit) const BLOCK: u32 = 64;
/// log₂ of the entries of a chunk.
const CHUNK_BITS: u32 = if cfg!(any(loom, miri)) { 7 } else { 13 };
/// Entries of a chunk.
const CHUNK: u32 = 1 << CHUNK_BITS;

/// The preference between memory and time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::explicit) enum Packing {
    /// Memory: words are cut where numbers of their halves may be shorter, and tables grow in smaller steps.
    Dense,
    /// Time, while there is memory.
    Quick,
}

/// Bytes in use, and how many there may be.
#[derive(Debug)]
pub(super) struct Account {
    used: AtomicU64,
    limit: u64,
    pub(super) packing: Packing,
}

impl Account {
    pub(super) fn new(limit: u64, packing: Packing) -> Account {
        Account { used: AtomicU64::new(0), limit, packing }
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Bytes that may still be taken.
    pub(super) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used())
    }

    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Count bytes that are about to be taken.
    pub(super) fn take(&self, bytes: u64) -> Result<(), Exhausted> {
        if self.used.fetch_add(bytes, Relaxed).saturating_add(bytes) > self.limit {
            self.give_back(bytes);
            return Err(Exhausted::Memory);
        }
        Ok(())
    }

    pub(super) fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
    }
}

/// Some entries with fields of the same widths.
#[derive(Debug)]
struct Chunk {
    /// How many it has room for.
    entries: u32,
    /// Bits of an entry, and those of them that are its lower field.
    bits: u32,
    low: u32,
    words: Box<[AtomicU64]>,
}

impl Chunk {
    fn new(entries: u32, low: u32, high: u32) -> Chunk {
        let bits = (low + high).max(1);
        let words = (0..Chunk::words(entries, bits)).map(|_| AtomicU64::new(0)).collect();
        Chunk { entries, bits, low, words }
    }

    /// The last word is there to be read together with the one before it.
    fn words(entries: u32, bits: u32) -> usize {
        entries as usize * bits as usize / 64 + 1
    }

    fn bytes(entries: u32, low: u32, high: u32) -> u64 {
        (8 * Chunk::words(entries, (low + high).max(1)) + size_of::<OnceLock<Chunk>>()) as u64
    }

    #[inline]
    fn fits(&self, value: u64) -> bool {
        ((value >> 32) >> (self.bits - self.low)) | ((value & u64::from(u32::MAX)) >> self.low) == 0
    }

    #[inline]
    fn get(&self, entry: u32) -> u64 {
        let (word, shift) = self.place(entry);
        // A closure for both is not inlined.
        let words = &self.words[word..word + 2];
        let (one, two) = (words[0].load(Relaxed), words[1].load(Relaxed));
        let raw = ((one >> shift) | ((two << 1) << (63 - shift))) & (u64::MAX >> (64 - self.bits));
        (raw >> self.low) << 32 | raw & !(u64::MAX << self.low)
    }

    /// The block of the entry must be the caller's.
    #[inline]
    fn set(&self, entry: u32, value: u64) {
        let (word, shift) = self.place(entry);
        let (raw, mask) = ((value >> 32) << self.low | value & u64::from(u32::MAX), u64::MAX >> (64 - self.bits));
        let word = &self.words[word..];
        word[0].store(word[0].load(Relaxed) & !(mask << shift) | raw << shift, Relaxed);
        if shift + self.bits > 64 {
            let over = 64 - shift;
            word[1].store(word[1].load(Relaxed) & !(mask >> over) | raw >> over, Relaxed);
        }
    }

    #[inline]
    fn place(&self, entry: u32) -> (usize, u32) {
        let bit = entry * self.bits;
        ((bit / 64) as usize, bit % 64)
    }
}

/// Bits of the two fields of a value.
fn widths(value: u64) -> (u32, u32) {
    (u32::BITS - (value as u32).leading_zeros(), u32::BITS - ((value >> 32) as u32).leading_zeros())
}

/// The entries.
#[derive(Debug, Default)]
pub(super) struct Arena {
    chunks: Vec<OnceLock<Chunk>>,
}

impl Arena {
    #[inline]
    fn chunk(&self, number: u32) -> Option<&Chunk> {
        self.chunks.get((number >> CHUNK_BITS) as usize)?.get()
    }

    /// The value of a number that has one.
    #[inline]
    pub(super) fn get(&self, number: u32) -> u64 {
        let chunk = self.chunk(number).expect("a number lies in a chunk");
        chunk.get(number % CHUNK)
    }

    /// Set the value of a number whose block is the caller's. False if there is no room for it.
    #[inline]
    pub(super) fn try_set(&self, number: u32, value: u64) -> bool {
        match self.chunk(number) {
            Some(chunk) if number % CHUNK < chunk.entries && chunk.fits(value) => {
                chunk.set(number % CHUNK, value);
                true
            }
            _ => false,
        }
    }

    /// Have the chunk of a number that some thread is the first to ask for, wide enough for a value. False if there is
    /// no place for the chunk.
    pub(super) fn open(&self, number: u32, value: u64, account: &Account) -> Result<bool, Exhausted> {
        let at = (number >> CHUNK_BITS) as usize;
        let Some(place) = self.chunks.get(at) else { return Ok(false) };
        if place.get().is_none() {
            let (low, high) = self.widths_at(at, value);
            let bytes = Chunk::bytes(CHUNK, low, high);
            account.take(bytes)?;
            let mut mine = Some(Chunk::new(CHUNK, low, high));
            place.get_or_init(|| mine.take().unwrap_or_else(|| Chunk::new(CHUNK, low, high)));
            if mine.is_some() {
                account.give_back(bytes);
            }
        }
        Ok(true)
    }

    /// Widths for a chunk: those of the one before, if it is there, or those that the value needs, if they are wider.
    fn widths_at(&self, at: usize, value: u64) -> (u32, u32) {
        let (low, high) = widths(value);
        let before = at.checked_sub(1).and_then(|at| self.chunks[at].get());
        before.map_or((low, high), |chunk| (low.max(chunk.low), high.max(chunk.bits - chunk.low)))
    }

    /// Make room for this value of a number that is alone, the last or in an open chunk. Then [`Arena::try_set`] works.
    pub(super) fn make_room(&mut self, number: u32, value: u64, account: &Account) -> Result<(), Exhausted> {
        let at = (number >> CHUNK_BITS) as usize;
        while self.chunks.len() <= at {
            self.chunks.push(OnceLock::new());
        }
        let (mut low, mut high) = self.widths_at(at, value);
        // Small sets are frequent.
        let mut entries = if at == 0 { (number + 1).next_power_of_two().clamp(BLOCK, CHUNK) } else { CHUNK };
        let old = self.chunks[at].get();
        if let Some(old) = old {
            (low, high) = (low.max(old.low), high.max(old.bits - old.low));
            entries = entries.max(old.entries);
        }
        let bytes = Chunk::bytes(entries, low, high);
        account.take(bytes)?;
        let new = Chunk::new(entries, low, high);
        if let Some(old) = old {
            (0..old.entries).for_each(|entry| new.set(entry, old.get(entry)));
            account.give_back(Chunk::bytes(old.entries, old.low, old.bits - old.low));
        }
        self.chunks[at] = OnceLock::from(new);
        Ok(())
    }

    /// Bits of so many entries.
    pub(super) fn bits(&self, entries: u32) -> u64 {
        let firsts = (0..entries).step_by(CHUNK as usize);
        let of_chunk = |first: u32| self.chunk(first).map_or(0, |chunk| chunk.bits * (entries - first).min(CHUNK));
        firsts.map(|first| u64::from(of_chunk(first))).sum()
    }

    /// Have places for the chunks of so many numbers, and room for entries in all of the last chunk.
    pub(super) fn reserve(&mut self, used: u32, numbers: u32, account: &Account) -> Result<(), Exhausted> {
        if used > 0 && used < CHUNK && self.chunks.first().and_then(OnceLock::get).is_some_and(|c| c.entries < CHUNK) {
            self.make_room(CHUNK - 1, 0, account)?;
        }
        while self.chunks.len() <= (numbers >> CHUNK_BITS) as usize {
            self.chunks.push(OnceLock::new());
        }
        Ok(())
    }
}
