//! Which states are in components that are not closed: a bit for each state.
//!
//! States are numbered as they are found, and a component is closed when everything found after its root is closed or belongs to
//! it: what is closed are all states from the root on. So they need no list. The greatest live state is found from above: a bit
//! of each higher level says whether some bit in a word of the level below is set.
//!
//! Complexity: a state costs one insertion, amortised O(1); closing costs O(1) for each word in which states become closed.
//!
//! **A fault that was here.** Clearing a word clears its bit on the level above, and so on upwards while words become empty. Closing
//! kept the index of that climb in the variable that it then compared with the first word to be closed. Where the climb ended at
//! an index equal to it (closing from state 64·w on, with live states from 64·64·w on), the rest of the states stayed live,
//! and an edge to one of them passed for a cycle: an accepting run where there was none. Any order of search could meet it; that of
//! a guided search did. Unit tests have narrow words, so that small models reach the upper levels.

use crate::explicit::store::StateId;

/// Bits of a word in use: few in unit tests, whose models have few states.
const WIDTH: usize = if cfg!(test) { 4 } else { u64::BITS as usize };

/// Enough for 2³² states.
const LEVELS: usize = (u32::BITS as usize).div_ceil(WIDTH.ilog2() as usize);

/// The live states.
#[derive(Debug, Default)]
pub(super) struct Live {
    levels: [Vec<u64>; LEVELS],
}

impl Live {
    #[inline]
    pub(super) fn contains(&self, state: StateId) -> bool {
        self.levels[0].get(state as usize / WIDTH).is_some_and(|word| word >> (state as usize % WIDTH) & 1 != 0)
    }

    #[inline]
    pub(super) fn insert(&mut self, state: StateId) {
        let mut bit = state as usize;
        for level in &mut self.levels {
            let at = bit / WIDTH;
            if level.len() <= at {
                level.resize(at + 1, 0);
            }
            let before = level[at];
            level[at] |= 1 << (bit % WIDTH);
            if before != 0 {
                break;
            }
            bit = at;
        }
    }

    /// Index of the word with the greatest state.
    fn last_word(&self) -> Option<usize> {
        let mut word = 0;
        for level in self.levels[1..].iter().rev() {
            let bits = level.get(word).copied().filter(|&bits| bits != 0)?;
            word = WIDTH * word + bits.ilog2() as usize;
        }
        Some(word)
    }

    /// Remove all states from this one on.
    pub(super) fn close_from(&mut self, state: StateId) {
        let first = state as usize / WIDTH;
        while let Some(word) = self.last_word().filter(|&word| word > first) {
            self.clear(word, 0);
        }
        if first < self.levels[0].len() {
            self.clear(first, !(u64::MAX << (state as usize % WIDTH)));
        }
    }

    /// Keep these bits of a word alone, and its bit on each level above if nothing is left below it.
    fn clear(&mut self, word: usize, kept: u64) {
        self.levels[0][word] &= kept;
        let (mut below, mut at) = (self.levels[0][word], word);
        for level in &mut self.levels[1..] {
            if below != 0 {
                break;
            }
            let bit = at;
            at /= WIDTH;
            level[at] &= !(1 << (bit % WIDTH));
            below = level[at];
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

    /// Everything live, then nothing from a state on: for all states and sizes that pass through three levels.
    #[test]
    fn closing_leaves_nothing_live_from_there_on() {
        let all = (WIDTH * WIDTH * WIDTH + 1) as StateId;
        for size in (1..=all).chain([4 * all]) {
            for from in 0..size + 1 {
                let mut live = Live::default();
                (0..size).for_each(|state| live.insert(state));
                live.close_from(from);
                let left: Vec<StateId> = (0..size).filter(|&state| live.contains(state)).collect();
                assert_eq!(left, (0..size.min(from)).collect::<Vec<_>>(), "{size} states closed from {from} on");
            }
        }
    }

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
