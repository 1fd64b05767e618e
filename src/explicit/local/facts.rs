//! Settled facts about the states: the values of the propositions, and of the searches where they are settled.
//!
//! All of it depends on the state alone, so that threads may find it at once: they find the same. Words are 0 at first; in the first one
//! there is a bit that says that the propositions are known, after those.

use crate::budget::Exhausted;
use crate::explicit::atoms::Letter;
use crate::explicit::chunked::Chunked;
use crate::explicit::store::StateId;
use crate::stop_reason::StopReason;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Release},
};

/// Something that is never so, as values depend on the state alone.
const BROKEN: StopReason = StopReason::Unsupported("threads disagree about a formula");
/// The propositions are known.
const LETTER: u64 = 1;
/// The first bit of the first search: true there; the next one: false.
const FIRST: usize = 2;

/// The facts.
#[derive(Debug)]
pub(super) struct Facts {
    /// Words of a state.
    words: Vec<Chunked<AtomicU64>>,
    /// The word and the first bit of the letter.
    letter: (usize, u32),
    letters: u64,
}

impl Facts {
    /// Nothing is known. There are so many searches and propositions.
    pub(super) fn new(searches: usize, propositions: usize) -> Facts {
        let bits = FIRST + 2 * searches;
        let letter = match bits + propositions <= 64 {
            true => (0, bits as u32),
            false => (bits.div_ceil(64), 0),
        };
        let words = (0..letter.0.max(bits.div_ceil(64) - 1) + 1).map(|_| Chunked::new()).collect();
        Facts { words, letter, letters: u64::MAX.checked_shr(64 - propositions as u32).unwrap_or(0) }
    }

    /// Have room for what will be known of a state.
    #[inline]
    pub(super) fn open(&self, state: StateId, take: impl Fn(u64) -> Result<(), Exhausted>) -> Result<(), Exhausted> {
        self.words.iter().try_for_each(|words| words.open(state, &take).map(drop))
    }

    #[inline]
    fn word(&self, word: usize, state: StateId) -> &AtomicU64 {
        self.words[word].get(state).expect("a state that was found has facts")
    }

    /// Are the propositions known?
    #[inline]
    pub(super) fn has_letter(&self, state: StateId) -> bool {
        self.word(0, state).load(Acquire) & LETTER != 0
    }

    /// The values of the propositions, which are known.
    #[inline]
    pub(super) fn letter(&self, state: StateId) -> Letter {
        self.word(self.letter.0, state).load(Acquire) >> self.letter.1 & self.letters
    }

    /// Note the values of the propositions.
    #[inline]
    pub(super) fn note(&self, state: StateId, letter: Letter) {
        let (word, shift) = self.letter;
        let bits = (letter & self.letters) << shift;
        if word == 0 {
            self.word(0, state).fetch_or(bits | LETTER, Release);
        } else {
            self.word(word, state).store(bits, Release);
            self.word(0, state).fetch_or(LETTER, Release);
        }
    }

    /// The result of a search in a state.
    #[inline]
    pub(super) fn value(&self, search: usize, state: StateId) -> Option<bool> {
        let bit = FIRST + 2 * search;
        match self.word(bit / 64, state).load(Acquire) >> (bit % 64) & 3 {
            0 => None,
            value => Some(value & 1 == 1),
        }
    }

    /// Settle what comes of it.
    #[inline]
    pub(super) fn settle(&self, search: usize, state: StateId, value: bool) -> Result<(), StopReason> {
        let bit = FIRST + 2 * search;
        let (yes, no) = (1 << (bit % 64), 2 << (bit % 64));
        let (this, other) = if value { (yes, no) } else { (no, yes) };
        let before = self.word(bit / 64, state).fetch_or(this, Release);
        if before & other != 0 { Err(BROKEN) } else { Ok(()) }
    }
}
