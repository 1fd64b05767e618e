//! Which states are in components that are not closed: a bit for each state.
//!
//! States are numbered as they are found, and a component is closed when everything found after its root is closed or belongs to
//! it: what is closed are all states from the root on. So they need no list. The greatest live state is found from above: a bit
//! of each higher level says whether some bit in a word of the level below is set.
//!
//! Complexity: a state costs one insertion, amortised O(1); closing costs O(1) for each word in which states become closed.

use crate::explicit::store::StateId;

/// Enough for 2³² states.
const LEVELS: usize = 6;

/// The live states.
#[derive(Debug, Default)]
pub(super) struct Live {
    levels: [Vec<u64>; LEVELS],
}

impl Live {
    #[inline]
    pub(super) fn contains(&self, state: StateId) -> bool {
        self.levels[0].get(state as usize / 64).is_some_and(|word| word >> (state % 64) & 1 != 0)
    }

    #[inline]
    pub(super) fn insert(&mut self, state: StateId) {
        let mut bit = state as usize;
        for level in &mut self.levels {
            if level.len() <= bit / 64 {
                level.resize(bit / 64 + 1, 0);
            }
            let word = &mut level[bit / 64];
            let before = *word;
            *word |= 1 << (bit % 64);
            if before != 0 {
                break;
            }
            bit /= 64;
        }
    }

    /// The word of the greatest state.
    fn last_word(&self) -> Option<usize> {
        let mut word = 0;
        for level in self.levels[1..].iter().rev() {
            let bits = level.get(word).copied().filter(|&bits| bits != 0)?;
            word = 64 * word + bits.ilog2() as usize;
        }
        Some(word)
    }

    /// Remove all states from this one on.
    pub(super) fn close_from(&mut self, state: StateId) {
        let first = state as usize / 64;
        while let Some(mut word) = self.last_word().filter(|&word| word >= first) {
            let kept = if word == first { !(u64::MAX << (state % 64)) } else { 0 };
            self.levels[0][word] &= kept;
            if self.levels[0][word] == 0 {
                for level in &mut self.levels[1..] {
                    level[word / 64] &= !(1 << (word % 64));
                    if level[word / 64] != 0 {
                        break;
                    }
                    word /= 64;
                }
            }
            if word == first || kept != 0 {
                return;
            }
        }
    }

    /// Bytes that it has taken.
    pub(super) fn taken(&self) -> u64 {
        8 * self.levels.iter().map(|level| level.capacity() as u64).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn behaves_like_a_set() {
        let (mut live, mut set, mut rng, mut next) = (Live::default(), BTreeSet::new(), Rng::new(4), 0);
        for round in 0..20_000 {
            if rng.bits() % 8 != 0 {
                next += if rng.bits() % 50 == 0 { 5000 } else { 1 + (rng.bits() % 3) as u32 };
                live.insert(next);
                set.insert(next);
            } else {
                let back = 1 << (rng.bits() % if round % 100 == 0 { 20 } else { 10 });
                let from = next.saturating_sub(rng.bits() as u32 % back);
                live.close_from(from);
                set.split_off(&from);
            }
            for _ in 0..5 {
                let state = next.saturating_sub(rng.bits() as u32 % 300);
                assert_eq!(live.contains(state), set.contains(&state));
            }
        }
    }
}
