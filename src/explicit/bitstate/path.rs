//! The path of a depth-first search that keeps no other state: full states, with the rules still to be fired in each.
//!
//! It has room for so many bytes; a search does not go deeper when they are used up. An index finds a state on the path by what it
//! is. States leave the path in the reverse of the order in which they came, so a place of the index that is left was passed by no
//! probe for a state that is still there, and is free at once.

use super::field::Hash;
use crate::explicit::packed_model::Rule;

/// No rule has been fired from this frame.
pub(super) const NO_RULE: Rule = Rule::MAX;

/// A state of the path, beside its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The rule fired last.
    pub(super) rule: Rule,
    /// The letter that a product reads in the state, and the automaton's moves for the rule that are still to be taken.
    pub(super) letter: u32,
    pub(super) step: u32,
    pub(super) step_end: u32,
    /// How many accepting edges lead to the state along the path.
    pub(super) accepting: u32,
    /// Is it of the inner search?
    pub(super) inner: bool,
    /// Where its rules that are still to be fired begin.
    list: usize,
}

impl Frame {
    pub(super) fn new(letter: u32, accepting: u32, inner: bool) -> Frame {
        Frame { rule: NO_RULE, letter, step: 0, step_end: 0, accepting, inner, list: 0 }
    }
}

/// The path.
#[derive(Debug)]
pub(super) struct Path {
    /// Words of a state.
    stride: usize,
    words: Vec<u64>,
    pub(super) frames: Vec<Frame>,
    /// The rules that are still to be fired in each state, the next one last.
    rules: Vec<Rule>,
    /// One more than the position on the path, by hash; 0 where nothing is. Empty if nothing is looked up.
    index: Vec<u32>,
    indexed: bool,
    /// The most bytes, and the most states.
    room: u64,
    longest: usize,
}

impl Path {
    /// An empty one.
    pub(super) fn new(stride: usize, indexed: bool, room: u64, longest: usize) -> Path {
        let (words, frames, rules, index) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let longest = longest.min(u32::MAX as usize - 1);
        Path { stride, words, frames, rules, index, indexed, room, longest }
    }

    /// Is there no room for another state? The first is always let in.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        let frame = size_of::<Frame>() + 8 * self.stride;
        let taken = self.frames.len() * frame + self.rules.len() * size_of::<Rule>() + 4 * self.index.len();
        !self.frames.is_empty() && (taken as u64 >= self.room || self.frames.len() >= self.longest)
    }

    /// The words of the state at a position.
    #[inline]
    pub(super) fn state(&self, at: usize) -> &[u64] {
        &self.words[at * self.stride..(at + 1) * self.stride]
    }

    /// Add a state, with the rules to be fired in it, in the reverse order.
    #[inline]
    pub(super) fn push(&mut self, key: &[u64], frame: Frame, rules: &[Rule]) {
        self.words.extend_from_slice(&key[..self.stride]);
        self.frames.push(Frame { list: self.rules.len(), ..frame });
        self.rules.extend_from_slice(rules);
        if self.indexed && !frame.inner {
            if 2 * self.frames.len() > self.index.len() {
                self.rebuild(self.index.len().max(64) * 2);
            } else {
                self.note(self.frames.len() - 1);
            }
        }
    }

    /// Remove the last state.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.rules.truncate(frame.list);
        let at = self.frames.len();
        if self.indexed && !frame.inner {
            let mut slot = self.slot(at);
            while self.index[slot] as usize != at + 1 {
                slot = (slot + 1) & (self.index.len() - 1);
            }
            self.index[slot] = 0;
        }
        self.words.truncate(at * self.stride);
        Some(frame)
    }

    /// The next rule to be fired in the last state.
    #[inline]
    pub(super) fn next_rule(&mut self) -> Option<Rule> {
        let frame = self.frames.last()?;
        if self.rules.len() == frame.list { None } else { self.rules.pop() }
    }

    /// Has the last state no rule to be fired?
    pub(super) fn is_stuck(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.rule == NO_RULE && self.rules.len() == frame.list)
    }

    /// Where on the path a state is, if it is there and not of the inner search.
    #[inline]
    pub(super) fn find(&self, key: &[u64]) -> Option<usize> {
        let key = &key[..self.stride];
        let mask = self.index.len().checked_sub(1)?;
        let mut slot = Hash::of(key, 0).line as usize & mask;
        loop {
            match self.index[slot] as usize {
                0 => return None,
                after if self.state(after - 1) == key => return Some(after - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Where the search for the state at a position begins.
    #[inline]
    fn slot(&self, at: usize) -> usize {
        Hash::of(self.state(at), 0).line as usize & (self.index.len() - 1)
    }

    fn note(&mut self, at: usize) {
        let mut slot = self.slot(at);
        while self.index[slot] != 0 {
            slot = (slot + 1) & (self.index.len() - 1);
        }
        self.index[slot] = at as u32 + 1;
    }

    /// Index all states anew, in the order in which they came.
    fn rebuild(&mut self, slots: usize) {
        self.index.clear();
        self.index.resize(slots, 0);
        for at in 0..self.frames.len() {
            if !self.frames[at].inner {
                self.note(at);
            }
        }
    }

    /// All states get other words, of this length.
    pub(super) fn encode(&mut self, stride: usize, words: Vec<u64>) {
        (self.stride, self.words) = (stride, words);
        if self.indexed {
            self.rebuild(self.index.len());
        }
    }

    /// The rules that were fired from the states from one position up to another.
    pub(super) fn fired(&self, from: usize, to: usize) -> impl Iterator<Item = Rule> + '_ {
        self.frames[from..to].iter().map(|frame| frame.rule)
    }

    pub(super) fn bytes(&self) -> u64 {
        let frames = self.frames.capacity() * size_of::<Frame>() + self.words.capacity() * 8;
        (frames + self.rules.capacity() * size_of::<Rule>() + self.index.capacity() * 4) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn finds_what_is_on_it() {
        let (mut path, mut rng, mut model) = (Path::new(2, true, u64::MAX, usize::MAX), Rng::new(3), Vec::new());
        for _ in 0..20_000 {
            let key = [rng.below(50) as u64, rng.below(50) as u64];
            assert_eq!(path.find(&key), model.iter().position(|&(other, _)| other == key));
            if rng.below(100) < 52 && model.iter().all(|&(other, _)| other != key) {
                let rules: Vec<Rule> = (0..rng.below(4) as u32).collect();
                path.push(&key, Frame::new(0, 0, false), &rules);
                model.push((key, rules));
            } else if let Some((_, mut rules)) = model.pop() {
                while let Some(rule) = path.next_rule() {
                    assert_eq!(Some(rule), rules.pop());
                }
                assert!(rules.is_empty());
                assert!(path.pop().is_some());
            }
        }
        assert!(!model.is_empty());
    }
}
