//! The path of a depth-first search, and the roots of its components, in a few bytes for each state.
//!
//! **Problem.** A depth-first search of a strongly connected state space has most of it on its path, before anything is
//! closed. A frame of nine numbers takes several times as many bytes as the state itself.
//!
//! **Idea.** States are numbered as they are found, so the numbers along the path, and those of the roots, increase.
//! Only the top of each stack is kept as it is. What is below is written relative to what is above it, into bytes that
//! are read backwards: numbers of seven bits a byte, and none where a flag says enough. The usual frame leads to the
//! state found next, under the same letter, by a rule below 128 and the last move for it: two bytes. The usual root is
//! one.

use crate::explicit::buchi::LetterId;
use crate::explicit::packed_model::Rule;
use crate::explicit::store::StateId;

/// Where a frame's rules come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Enumerated; `at` is the next rule to look at.
    Dynamic,
    /// A stored list of all enabled rules; `at` is an index into it.
    Stored,
    /// A stored stubborn set; `at` is an index into it.
    Reduced,
    /// As `Reduced`, and a successor was live.
    Cycle,
    /// Enumerated, without the stored stubborn set.
    Rest,
}

/// A product state on the search path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) id: StateId,
    pub(super) letter: LetterId,
    /// The rule fired last.
    pub(super) rule: Rule,
    /// The automaton's moves for it that are still to be taken.
    pub(super) step: u32,
    pub(super) step_end: u32,
    /// Start of the frame's list in the pool.
    pub(super) list: u32,
    pub(super) at: u32,
    pub(super) source: Source,
}

/// The root of a component that is not closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) state: StateId,
    /// Marks on edges inside the component.
    pub(super) marks: u64,
    /// Marks on the edge by which the search entered it.
    pub(super) entry: u64,
}

/// Bytes of a page.
const PAGE: usize = 1 << 14;

/// A stack of bytes. What it has taken it keeps, so that it says how high it was.
#[derive(Debug, Default)]
struct Bytes {
    pages: Vec<Box<[u8]>>,
    len: usize,
}

impl Bytes {
    #[inline]
    fn push(&mut self, byte: u8) {
        let page = self.len / PAGE;
        if page == self.pages.len() {
            self.pages.push(vec![0; PAGE].into_boxed_slice());
        }
        self.pages[page][self.len % PAGE] = byte;
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> u8 {
        self.len -= 1;
        self.pages[self.len / PAGE][self.len % PAGE]
    }

    /// The low bits first; all bytes but that are marked, so that it is known where the number ends when it is read
    /// backwards.
    #[inline]
    fn push_number(&mut self, mut number: u64) {
        self.push((number & 0x7F) as u8);
        number >>= 7;
        while number > 0 {
            self.push((number & 0x7F) as u8 | 0x80);
            number >>= 7;
        }
    }

    #[inline]
    fn pop_number(&mut self) -> u64 {
        let mut number = 0;
        loop {
            let byte = self.pop();
            number = number << 7 | u64::from(byte & 0x7F);
            if byte & 0x80 == 0 {
                return number;
            }
        }
    }

    fn pop_u32(&mut self) -> u32 {
        self.pop_number() as u32
    }

    fn taken(&self) -> u64 {
        (self.pages.len() * PAGE) as u64
    }
}

const SOURCES: [Source; 5] = [Source::Dynamic, Source::Stored, Source::Reduced, Source::Cycle, Source::Rest];
const SOURCE: u8 = 7;
/// There are moves of the automaton left.
const MOVES: u8 = 8;
/// The frame above has another letter.
const LETTER: u8 = 16;
/// The frame above is not that of the next number.
const FAR: u8 = 32;

/// The frames of a search path, each with a greater state number than the one below it.
#[derive(Debug, Default)]
pub(super) struct Frames {
    top: Option<Frame>,
    below: Bytes,
    depth: usize,
}

impl Frames {
    /// How many frames there are.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The frame on top.
    #[inline]
    pub(super) fn last(&self) -> Option<Frame> {
        self.top
    }

    #[inline]
    pub(super) fn last_mut(&mut self) -> &mut Frame {
        self.top.as_mut().expect("a search has a path")
    }

    /// A list of rules ends where that of the frame above begins.
    #[inline]
    pub(super) fn push(&mut self, frame: Frame) {
        if let Some(below) = self.top.replace(frame) {
            self.bury(below, &frame);
        }
        self.depth += 1;
    }

    #[inline]
    fn bury(&mut self, frame: Frame, above: &Frame) {
        let bytes = &mut self.below;
        let mut flags = frame.source as u8;
        if frame.step < frame.step_end {
            flags |= MOVES;
            bytes.push_number(u64::from(frame.step));
            bytes.push_number(u64::from(frame.step_end - frame.step));
        }
        if frame.source != Source::Dynamic {
            bytes.push_number(u64::from(frame.at));
            bytes.push_number(u64::from(above.list - frame.list));
        }
        if frame.letter != above.letter {
            flags |= LETTER;
            bytes.push_number(u64::from(frame.letter));
        }
        if frame.id + 1 != above.id {
            flags |= FAR;
            bytes.push_number(u64::from(above.id - frame.id));
        }
        bytes.push_number(u64::from(frame.rule));
        bytes.push(flags);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Frame> {
        let above = self.top.take()?;
        self.depth -= 1;
        if self.depth > 0 {
            self.top = Some(self.unearth(&above));
        }
        Some(above)
    }

    #[inline]
    fn unearth(&mut self, above: &Frame) -> Frame {
        let bytes = &mut self.below;
        let flags = bytes.pop();
        let rule: Rule = bytes.pop_u32();
        let id = above.id - if flags & FAR != 0 { bytes.pop_u32() } else { 1 };
        let letter = if flags & LETTER != 0 { bytes.pop_u32() } else { above.letter };
        let source = SOURCES[usize::from(flags & SOURCE)];
        let (mut list, mut at) = (above.list, rule.wrapping_add(1));
        if source != Source::Dynamic {
            list -= bytes.pop_u32();
            at = bytes.pop_u32();
        }
        let (mut step, mut step_end) = (0, 0);
        if flags & MOVES != 0 {
            let moves = bytes.pop_u32();
            step = bytes.pop_u32();
            step_end = step + moves;
        }
        Frame { id, letter, rule, step, step_end, list, at, source }
    }

    /// The states of the path and the rules by which they were left, from the first on.
    pub(super) fn path(&mut self) -> Vec<(StateId, Rule)> {
        // Bytes that were read are still there.
        let (top, depth, len) = (self.top, self.depth, self.below.len);
        let mut path = Vec::with_capacity(depth);
        while let Some(frame) = self.pop() {
            path.push((frame.id, frame.rule));
        }
        (self.top, self.depth, self.below.len) = (top, depth, len);
        path.reverse();
        path
    }

    /// Bytes that it has taken.
    pub(super) fn taken(&self) -> u64 {
        self.below.taken()
    }
}

/// Marks a root that takes more than its byte.
const LONG: u8 = 0x80;

/// The roots of the components on a search path, each with a greater state number than the one below it.
#[derive(Debug, Default)]
pub(super) struct Roots {
    top: Option<Root>,
    below: Bytes,
    depth: usize,
}

impl Roots {
    #[inline]
    pub(super) fn last(&self) -> Option<Root> {
        self.top
    }

    #[inline]
    pub(super) fn push(&mut self, root: Root) {
        if let Some(below) = self.top.replace(root) {
            let (distance, bytes) = (u64::from(root.state - below.state), &mut self.below);
            if distance < 8 && below.marks < 4 && below.entry < 4 {
                bytes.push((distance << 4 | below.marks << 2 | below.entry) as u8);
            } else {
                [distance, below.marks, below.entry].into_iter().for_each(|number| bytes.push_number(number));
                bytes.push(LONG);
            }
        }
        self.depth += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Root> {
        let above = self.top.take()?;
        self.depth -= 1;
        if self.depth > 0 {
            let bytes = &mut self.below;
            let byte = bytes.pop();
            let (distance, marks, entry) = if byte & LONG == 0 {
                (u64::from(byte >> 4), u64::from(byte >> 2 & 3), u64::from(byte & 3))
            } else {
                let (entry, marks) = (bytes.pop_number(), bytes.pop_number());
                (bytes.pop_number(), marks, entry)
            };
            self.top = Some(Root { state: above.state - distance as StateId, marks, entry });
        }
        Some(above)
    }

    /// Bytes that they have taken.
    pub(super) fn taken(&self) -> u64 {
        self.below.taken()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::explicit::emptiness::NO_RULE;
    use crate::rng::Rng;

    /// Small numbers mostly, large ones sometimes.
    fn number(rng: &mut Rng) -> u32 {
        let bits = rng.bits();
        (bits as u32) >> (bits >> 32 & 31)
    }

    #[test]
    fn frames_behave_like_a_vector() {
        let (mut frames, mut vector, mut rng) = (Frames::default(), Vec::<Frame>::new(), Rng::new(5));
        for _ in 0..50_000 {
            if rng.bits() % 5 < 2 {
                let popped = frames.pop();
                assert_eq!(popped.map(|f| format!("{f:?}")), vector.pop().map(|f| format!("{f:?}")));
            } else {
                let below = vector.last().copied();
                let step = number(&mut rng) >> 2;
                let source = SOURCES[rng.bits() as usize % 5];
                let rule = if rng.bits() % 9 == 0 { NO_RULE } else { number(&mut rng) >> 1 };
                let moves = if rng.bits() % 3 == 0 { 1 + number(&mut rng) % 1000 } else { 0 };
                let frame = Frame {
                    id: below.map_or(0, |f| f.id + 1 + number(&mut rng) % 9 * (rng.bits() % 2) as u32),
                    letter: below.map_or(0, |f| if rng.bits() % 2 == 0 { f.letter } else { number(&mut rng) }),
                    rule,
                    step: if moves == 0 { 0 } else { step },
                    step_end: if moves == 0 { 0 } else { step + moves },
                    // Only lists are as long as that.
                    list: below
                        .map_or(0, |f| f.list + if f.source == Source::Dynamic { 0 } else { number(&mut rng) % 50 }),
                    at: if source == Source::Dynamic { rule.wrapping_add(1) } else { number(&mut rng) },
                    source,
                };
                frames.push(frame);
                vector.push(frame);
            }
            assert_eq!(frames.depth, vector.len());
        }
        assert_eq!(frames.path(), vector.iter().map(|f| (f.id, f.rule)).collect::<Vec<_>>());
        assert_eq!(frames.pop().unwrap().id, vector.pop().unwrap().id);
    }

    #[test]
    fn roots_behave_like_a_vector() {
        let (mut roots, mut vector, mut rng) = (Roots::default(), Vec::<Root>::new(), Rng::new(6));
        for _ in 0..50_000 {
            if rng.bits() % 5 < 2 {
                assert_eq!(roots.pop().map(|r| format!("{r:?}")), vector.pop().map(|r| format!("{r:?}")));
            } else {
                let state = vector.last().map_or(0, |r| r.state + 1 + number(&mut rng) % 20);
                let marks = |rng: &mut Rng| if rng.bits().is_multiple_of(2) { rng.bits() % 4 } else { rng.bits() };
                let root = Root { state, marks: marks(&mut rng), entry: marks(&mut rng) };
                roots.push(root);
                vector.push(root);
            }
        }
    }
}
