//! Sets of states that may believe to have more than they have: a few bits for each (Bloom 1970; Holzmann 1988).
//!
//! The bits of a state lie in one line of a processor's cache (Putze, Sanders, Singler, "Cache-, hash- and space-efficient Bloom
//! filters", 2007), so that a look-up waits for memory once.

/// Bits that are set for each state.
const HASHES: u32 = 3;
/// A line has 2⁹ bits.
const LINE: u32 = 9;
type Line = [u64; 1 << (LINE - u64::BITS.ilog2())];

/// Two words by which a state is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hash {
    pub(super) line: u64,
    bits: u64,
}

impl Hash {
    /// Of a key; another salt is another hash function.
    #[inline]
    pub(super) fn of(key: &[u64], salt: u64) -> Hash {
        let (mut line, mut bits) = (salt, salt.rotate_left(32) ^ 0xA076_1D64_78BD_642F);
        for &word in key {
            line = fold(line ^ word, 0xE703_7ED1_A0B4_28DB);
            bits = fold(bits ^ word, 0x8EBC_6AF0_9C88_C6E3);
        }
        Hash { line: fold(line ^ bits, 0x5899_65CC_7537_4CC3), bits: fold(bits, 0x1D8E_4E27_C47D_124F) }
    }
}

/// Both halves of a product, on top of each other.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

/// The set.
#[derive(Debug)]
pub(super) struct Field {
    lines: Vec<Line>,
}

impl Field {
    /// An empty one of about so many bytes.
    pub(super) fn new(bytes: u64) -> Field {
        let lines = (bytes / size_of::<Line>() as u64).max(1) as usize;
        Field { lines: vec![Line::default(); lines] }
    }

    /// Add a state. False if it seems to be there already.
    #[inline]
    pub(super) fn insert(&mut self, hash: Hash) -> bool {
        let at = (u128::from(hash.line) * self.lines.len() as u128) >> 64;
        let line = &mut self.lines[at as usize];
        let (mut bits, mut new) = (hash.bits, false);
        for _ in 0..HASHES {
            let bit = bits as usize & ((1 << LINE) - 1);
            let (word, mask) = (&mut line[bit / 64], 1 << (bit % 64));
            new |= *word & mask == 0;
            *word |= mask;
            bits >>= LINE;
        }
        new
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.lines.capacity() * size_of::<Line>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Members are never new, and few others are taken for members while there is room.
    #[test]
    fn few_states_are_taken_for_others() {
        let mut field = Field::new(1 << 16);
        // Sixteen bits for each.
        let states: Vec<[u64; 2]> = (0..1 << 15).map(|n| [n, n * n]).collect();
        let new = states.iter().filter(|state| field.insert(Hash::of(&state[..], 7))).count();
        assert!(new > states.len() * 98 / 100, "{new}");
        assert!(states.iter().all(|state| !field.insert(Hash::of(&state[..], 7))));
        // A full one takes everything for old.
        let mut tiny = Field::new(0);
        let new = states.iter().filter(|state| tiny.insert(Hash::of(&state[..], 7))).count();
        assert!(new <= 512);
    }

    #[test]
    fn another_salt_is_another_function() {
        let same = |a: u64, b: u64| Hash::of(&[5, 6], a) == Hash::of(&[5, 6], b);
        assert!(same(1, 1) && !same(1, 2));
    }
}
