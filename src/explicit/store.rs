//! A compact set of packed states: fixed-width keys in an arena, found through open addressing.
//!
//! States are numbered 0, 1, 2, … in the order of insertion; the number is all that stacks and queues hold.
//! The arena keeps ⌈bits/32⌉ half-words per state in chunks that never move, so growth copies nothing. The
//! table has one `u32` per slot: the low bits are the state's number plus one (0 marks a free slot), and the
//! bits that the number leaves over hold a tag of the hash, so that most mismatches are seen without a look
//! at the arena. With 2^c slots numbers take c bits and 32−c are left for the tag. Probing is linear and the
//! load stays below 3/4, which makes 5.3 to 10.7 bytes per state on top of the key. A table is doubled by
//! hashing the arena again, in order.
//!
//! Memory is counted before it is taken, against the limit the caller gave.

use crate::budget::Exhausted;

/// Number of a state in its [`Store`].
pub(super) type StateId = u32;

/// Slots of an empty table, as a power of two.
const INITIAL_BITS: u32 = 10;

/// The set of states.
#[derive(Debug)]
pub(super) struct Store {
    /// 64-bit words of a key, and 32-bit halves of it that are kept.
    words: usize,
    halves: usize,
    chunks: Vec<Box<[u32]>>,
    /// log₂ of the states per chunk.
    chunk_bits: u32,
    len: u32,
    slots: Vec<u32>,
    bits: u32,
    limit: u64,
}

/// Where an insertion ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inserted {
    /// The state was there.
    Old(StateId),
    /// The state is new.
    New(StateId),
}

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Folded multiplication over the words.
#[inline]
fn hash(key: &[u64]) -> u64 {
    let mut h = 0x243F_6A88_85A3_08D3_u64;
    for &word in key {
        let product = u128::from(h ^ word) * u128::from(MULTIPLIER);
        h = (product as u64) ^ (product >> 64) as u64;
    }
    let product = u128::from(h ^ 0x1319_8A2E_0370_7344) * u128::from(0xD6E8_FEB8_6659_FD93_u64);
    (product as u64) ^ (product >> 64) as u64
}

impl Store {
    /// An empty set of keys of `words` words, of which the first `halves` halves can be non-zero. At most
    /// `limit` bytes are used.
    pub(super) fn new(words: usize, halves: usize, limit: u64) -> Store {
        // About 64 KiB per chunk.
        let chunk_bits = (16 * 1024 / halves.max(1)).max(2).ilog2();
        let slots = vec![0; 1 << INITIAL_BITS];
        Store { words, halves, chunks: Vec::new(), chunk_bits, len: 0, slots, bits: INITIAL_BITS, limit }
    }

    /// Number of states.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        4 * (self.slots.len() as u64 + self.chunks.len() as u64 * self.chunk_len() as u64)
    }

    /// The limit on the bytes in use may shrink when other structures grow.
    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    fn chunk_len(&self) -> usize {
        self.halves << self.chunk_bits
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        // The low bits of the hash choose the slot; the tag comes from the high ones.
        ((hash >> 32) as u32) & (u32::MAX << self.bits)
    }

    #[inline]
    fn halves_of(&self, id: StateId) -> &[u32] {
        let at = (id as usize & ((1 << self.chunk_bits) - 1)) * self.halves;
        &self.chunks[(id >> self.chunk_bits) as usize][at..at + self.halves]
    }

    /// Copy the key of a state into the first words of `key`.
    #[inline]
    pub(super) fn get(&self, id: StateId, key: &mut [u64]) {
        let halves = self.halves_of(id);
        for (word, pair) in key.iter_mut().zip(halves.chunks(2)) {
            *word = pair.iter().rev().fold(0, |w, &h| w << 32 | u64::from(h));
        }
    }

    #[inline]
    fn matches(&self, id: StateId, key: &[u64]) -> bool {
        let halves = self.halves_of(id);
        let even = halves.len() & !1;
        let pairs = halves[..even].chunks_exact(2);
        pairs.zip(key).all(|(h, &w)| u64::from(h[0]) | u64::from(h[1]) << 32 == w)
            && (even == halves.len() || u64::from(halves[even]) == key[even / 2])
    }

    /// The number of the state in the first words of `key`, or the free slot where it belongs.
    #[inline]
    fn probe(&self, key: &[u64], hash: u64) -> Result<StateId, usize> {
        let mask = self.slots.len() - 1;
        let number_mask = !(u32::MAX << self.bits);
        let tag = self.tag(hash);
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if slot & !number_mask == tag {
                let id = (slot & number_mask) - 1;
                if self.matches(id, key) {
                    return Ok(id);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of the state in the first words of `key`, if it is in the set.
    pub(super) fn find(&self, key: &[u64]) -> Option<StateId> {
        let key = &key[..self.words];
        self.probe(key, hash(key)).ok()
    }

    /// Add the state in the first words of `key`.
    #[inline]
    pub(super) fn insert(&mut self, key: &[u64]) -> Result<Inserted, Exhausted> {
        let key = &key[..self.words];
        let hash = hash(key);
        let at = match self.probe(key, hash) {
            Ok(id) => return Ok(Inserted::Old(id)),
            Err(at) => at,
        };
        let id = self.len;
        self.push(key)?;
        self.slots[at] = self.tag(hash) | (id + 1);
        if u64::from(self.len) * 4 > self.slots.len() as u64 * 3 {
            self.grow()?;
        }
        Ok(Inserted::New(id))
    }

    fn push(&mut self, key: &[u64]) -> Result<(), Exhausted> {
        let chunk = (self.len >> self.chunk_bits) as usize;
        if chunk == self.chunks.len() {
            if self.bytes() + 4 * self.chunk_len() as u64 > self.limit {
                return Err(Exhausted::Memory);
            }
            self.chunks.push(vec![0; self.chunk_len()].into_boxed_slice());
        }
        let at = (self.len as usize & ((1 << self.chunk_bits) - 1)) * self.halves;
        for (half, k) in self.chunks[chunk][at..at + self.halves].iter_mut().zip(0..) {
            *half = (key[k / 2] >> (32 * (k % 2))) as u32;
        }
        self.len += 1;
        Ok(())
    }

    /// Double the table.
    fn grow(&mut self) -> Result<(), Exhausted> {
        // Both tables exist for a moment.
        if self.bits >= 31 || self.bytes() + 8 * self.slots.len() as u64 > self.limit {
            return Err(Exhausted::Memory);
        }
        self.bits += 1;
        self.slots = vec![0; 1 << self.bits];
        let mask = self.slots.len() - 1;
        let mut key = vec![0; self.words];
        for id in 0..self.len {
            self.get(id, &mut key);
            let hash = hash(&key);
            let mut at = hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = self.tag(hash) | (id + 1);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rng::Rng;
    use std::collections::HashMap;

    /// Keys of every width against a standard map, through several doublings.
    #[test]
    fn behaves_like_a_map() {
        for halves in 1..=5usize {
            let words = halves.div_ceil(2);
            let mut store = Store::new(words, halves, u64::MAX);
            let mut map: HashMap<Vec<u64>, u32> = HashMap::new();
            let mut rng = Rng::new(7);
            let mut key = vec![0; words];
            for _ in 0..20_000 {
                for k in 0..halves {
                    let random = rng.bits();
                    // Few distinct values per half, so that keys repeat.
                    let half = if halves == 1 { random >> 50 } else { (random >> 62) * 0x5555_5555 };
                    key[k / 2] &= !(0xFFFF_FFFF << (32 * (k % 2)));
                    key[k / 2] |= (half & 0xFFFF_FFFF) << (32 * (k % 2));
                }
                let expected = map.get(&key).copied();
                match store.insert(&key).unwrap() {
                    Inserted::Old(id) => assert_eq!(Some(id), expected),
                    Inserted::New(id) => {
                        assert_eq!((expected, id), (None, map.len() as u32));
                        map.insert(key.clone(), id);
                    }
                }
            }
            assert_eq!(store.len() as usize, map.len());
            for (k, &id) in &map {
                store.get(id, &mut key);
                assert_eq!(&key, k);
            }
        }
    }

    #[test]
    fn stops_at_the_memory_limit() {
        let mut store = Store::new(1, 2, 200_000);
        let end = (0..).find_map(|k| store.insert(&[k]).err()).unwrap();
        assert_eq!(end, Exhausted::Memory);
        assert!(store.bytes() <= 200_000);
    }
}
