//! Boxes: an interval for every clock, the convex sets that constraints without differences describe.
//!
//! A predicate in disjunctive normal form is a union of boxes. Invariants and conditions are kept like this:
//! a box meets a zone in one pass over its bounds, and time that leaves one box of an invariant can enter
//! another only through their common boundary, which the relaxed forms of a box describe.

use super::Bound;
use smallvec::SmallVec;

/// The values of one clock: `-x` and `x` are bounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// Bound on `0 - x`: `<= -3` is `x >= 3`.
    pub lower: Bound,
    /// Bound on `x - 0`.
    pub upper: Bound,
}

impl Interval {
    /// Every value that a clock can have.
    pub const ALL: Interval = Interval { lower: Bound::ZERO, upper: Bound::NONE };

    /// No value?
    pub fn is_empty(self) -> bool {
        self.lower.plus(self.upper) < Bound::ZERO
    }

    /// The values in both.
    pub fn and(self, other: Interval) -> Interval {
        Interval { lower: self.lower.min(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The smallest interval with the values of both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    /// Are all values of `other` in this one?
    pub fn includes(self, other: Interval) -> bool {
        other.lower <= self.lower && other.upper <= self.upper
    }

    /// Is the value `twice / 2` in the interval? Halves are what integer time looks at between its steps.
    #[inline]
    pub fn holds_half(self, twice: i64) -> bool {
        let above =
            |b: Bound, value: i64| b.is_none() || value - i64::from(!b.is_strict()) < 2 * i64::from(b.constant());
        above(self.lower, -twice) && above(self.upper, twice)
    }
}

/// An interval for every clock.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClockBox {
    /// The intervals, in the order of the clocks.
    pub intervals: SmallVec<[Interval; 4]>,
}

impl ClockBox {
    /// All valuations of `clocks` clocks.
    pub fn all(clocks: usize) -> ClockBox {
        ClockBox { intervals: SmallVec::from_elem(Interval::ALL, clocks) }
    }

    /// Is it all valuations?
    pub fn is_all(&self) -> bool {
        self.intervals.iter().all(|&i| i == Interval::ALL)
    }

    /// The valuations in both, if any.
    pub fn and(&self, other: &ClockBox) -> Option<ClockBox> {
        let intervals: SmallVec<[Interval; 4]> =
            self.intervals.iter().zip(&other.intervals).map(|(a, b)| a.and(*b)).collect();
        (!intervals.iter().any(|i| i.is_empty())).then_some(ClockBox { intervals })
    }

    /// Are all valuations of `other` in this one?
    pub fn includes(&self, other: &ClockBox) -> bool {
        self.intervals.iter().zip(&other.intervals).all(|(a, b)| a.includes(*b))
    }

    /// The box with its excluded upper bounds included: the limits that time inside the box tends to.
    pub fn upper_relaxed(&self) -> ClockBox {
        let relax = |i: &Interval| Interval { lower: i.lower, upper: i.upper.relaxed() };
        ClockBox { intervals: self.intervals.iter().map(relax).collect() }
    }

    /// The box with its excluded lower bounds included: where time can start to be inside it.
    pub fn lower_relaxed(&self) -> ClockBox {
        let relax = |i: &Interval| Interval { lower: i.lower.relaxed(), upper: i.upper };
        ClockBox { intervals: self.intervals.iter().map(relax).collect() }
    }

    /// Is the valuation of halves in the box?
    pub fn holds_half(&self, twice: impl Fn(usize) -> i64) -> bool {
        self.intervals.iter().enumerate().all(|(x, i)| i.holds_half(twice(x)))
    }
}

/// The boxes without those inside another.
pub(crate) fn without_included(boxes: Vec<ClockBox>) -> Vec<ClockBox> {
    let mut kept: Vec<ClockBox> = Vec::with_capacity(boxes.len());
    for b in boxes {
        if !kept.iter().any(|k| k.includes(&b)) {
            kept.retain(|k| !b.includes(k));
            kept.push(b);
        }
    }
    kept
}

/// The boxes of a conjunction, as the product of the boxes of its parts.
pub(crate) fn conjunction(a: &[ClockBox], b: &[ClockBox]) -> Vec<ClockBox> {
    without_included(a.iter().flat_map(|x| b.iter().filter_map(move |y| x.and(y))).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn halves_by_both_bounds() {
        // 1 < x <= 2
        let i = Interval { lower: Bound::below(-1), upper: Bound::at_most(2) };
        let inside: Vec<i64> = (0..8).filter(|&h| i.holds_half(h)).collect();
        assert_eq!(inside, [3, 4]);
        assert!(Interval { lower: Bound::at_most(-3), upper: Bound::below(3) }.is_empty());
    }
}
