//! Zones as difference bound matrices.
//!
//! Entry `(i, j)` bounds `x_i - x_j`, where `x_0` is the constant 0 and `x_1, x_2, ...` are the clocks. A
//! [`Zone`] is always canonical (every entry is the tightest that the others imply, by shortest paths) and not
//! empty: operations that could leave nothing say so by a `bool` or an `Option`. In canonical form equality and
//! inclusion of sets are equality and pointwise order of entries, delay drops the upper bounds, and a reset
//! copies a row and a column (Dill 1989; Bengtsson and Yi 2004, section 4, whose algorithms these are). One
//! constraint more costs O(n²) instead of the O(n³) of a full closure.
//!
//! The entries lie in one allocation, row by row.

use super::{Bound, ClockBox, Interval};
use crate::kinds::clocks::predicate::ClockId;

/// A non-empty convex set of valuations, closed under implied bounds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Zone {
    /// Row by row; the length is the square of the dimension.
    entries: Box<[Bound]>,
    dimension: u32,
}

impl Zone {
    /// All clocks are zero.
    pub fn zero(clocks: usize) -> Zone {
        let n = clocks + 1;
        Zone { entries: vec![Bound::ZERO; n * n].into(), dimension: n as u32 }
    }

    /// All valuations.
    pub fn all(clocks: usize) -> Zone {
        let n = clocks + 1;
        let mut entries = vec![Bound::NONE; n * n];
        for i in 0..n {
            entries[i * n + i] = Bound::ZERO;
            entries[i] = Bound::ZERO;
        }
        Zone { entries: entries.into(), dimension: n as u32 }
    }

    /// The valuations of a box; nothing if there is none.
    pub fn of_box(b: &ClockBox) -> Option<Zone> {
        let mut zone = Zone::all(b.intervals.len());
        zone.meet_box(b).then_some(zone)
    }

    /// Number of clocks and the constant 0.
    #[inline]
    pub fn dimension(&self) -> usize {
        self.dimension as usize
    }

    /// Number of clocks.
    #[inline]
    pub fn clocks(&self) -> usize {
        self.dimension() - 1
    }

    /// The bound on `x_i - x_j`.
    #[inline]
    pub fn bound(&self, i: usize, j: usize) -> Bound {
        self.entries[i * self.dimension() + j]
    }

    #[inline]
    pub(super) fn set(&mut self, i: usize, j: usize, bound: Bound) {
        let n = self.dimension();
        self.entries[i * n + j] = bound;
    }

    /// The values of a clock.
    pub fn interval(&self, clock: ClockId) -> Interval {
        let x = clock.index() + 1;
        Interval { lower: self.bound(0, x), upper: self.bound(x, 0) }
    }

    /// The values of every clock: the smallest box around the zone.
    pub fn hull(&self) -> ClockBox {
        ClockBox { intervals: (0..self.clocks()).map(|c| self.interval(ClockId(c as u32))).collect() }
    }

    /// Keeps the valuations with `x_i - x_j` within a bound. False if none is left; the zone is then spent.
    #[must_use]
    pub fn constrain(&mut self, i: usize, j: usize, bound: Bound) -> bool {
        if bound >= self.bound(i, j) {
            return true;
        }
        if bound.plus(self.bound(j, i)) < Bound::ZERO {
            return false;
        }
        let n = self.dimension();
        self.set(i, j, bound);
        for p in 0..n {
            let to_i = self.entries[p * n + i];
            if to_i.is_none() {
                continue;
            }
            let through = to_i.plus(bound);
            if p != i && through >= self.entries[p * n + j] {
                continue;
            }
            for q in 0..n {
                let sum = through.plus(self.entries[j * n + q]);
                if sum < self.entries[p * n + q] {
                    self.entries[p * n + q] = sum;
                }
            }
        }
        true
    }

    /// Keeps the valuations in a box. False if none is left; the zone is then spent.
    #[must_use]
    pub fn meet_box(&mut self, b: &ClockBox) -> bool {
        b.intervals.iter().enumerate().all(|(x, i)| {
            (i.upper.is_none() || self.constrain(x + 1, 0, i.upper))
                && (i.lower == Bound::ZERO || self.constrain(0, x + 1, i.lower))
        })
    }

    /// The valuations in a box too.
    pub fn and_box(&self, b: &ClockBox) -> Option<Zone> {
        let mut zone = self.clone();
        zone.meet_box(b).then_some(zone)
    }

    /// Does the zone meet the box? Cheaper than the intersection where the intervals alone say no.
    pub fn touches_box(&self, b: &ClockBox) -> bool {
        b.intervals.iter().enumerate().all(|(x, i)| {
            self.bound(0, x + 1).plus(i.upper) >= Bound::ZERO && i.lower.plus(self.bound(x + 1, 0)) >= Bound::ZERO
        })
    }

    /// The valuations in both.
    pub fn and(&self, other: &Zone) -> Option<Zone> {
        let n = self.dimension();
        for i in 0..n {
            for j in 0..i {
                if self.bound(i, j).plus(other.bound(j, i)) < Bound::ZERO
                    || other.bound(i, j).plus(self.bound(j, i)) < Bound::ZERO
                {
                    return None;
                }
            }
        }
        let mut zone = Zone {
            entries: self.entries.iter().zip(&other.entries).map(|(&a, &b)| a.min(b)).collect(),
            dimension: self.dimension,
        };
        zone.close().then_some(zone)
    }

    /// Tightens every entry by the others (Floyd-Warshall). False if the zone is empty.
    #[must_use]
    pub(super) fn close(&mut self) -> bool {
        let n = self.dimension();
        for k in 0..n {
            for i in 0..n {
                let through = self.entries[i * n + k];
                if through.is_none() || i == k {
                    continue;
                }
                for j in 0..n {
                    let sum = through.plus(self.entries[k * n + j]);
                    if sum < self.entries[i * n + j] {
                        self.entries[i * n + j] = sum;
                    }
                }
                if self.entries[i * n + i] < Bound::ZERO {
                    return false;
                }
            }
        }
        true
    }

    /// Lets time pass: all later valuations.
    pub fn elapse(&mut self) {
        for i in 1..self.dimension() {
            self.set(i, 0, Bound::NONE);
        }
    }

    /// Lets time pass backwards: all earlier valuations.
    pub fn precede(&mut self) {
        let n = self.dimension();
        for j in 1..n {
            let mut bound = Bound::ZERO;
            for i in 1..n {
                bound = bound.min(self.bound(i, j));
            }
            self.set(0, j, bound);
        }
    }

    /// Sets clocks to zero.
    pub fn reset(&mut self, clocks: &[ClockId]) {
        let n = self.dimension();
        for c in clocks {
            let x = c.index() + 1;
            for j in 0..n {
                let (from, to) = (self.bound(0, j), self.bound(j, 0));
                self.set(x, j, from);
                self.set(j, x, to);
            }
            self.set(x, x, Bound::ZERO);
        }
    }

    /// Forgets the values of clocks.
    pub fn free(&mut self, clocks: &[ClockId]) {
        let n = self.dimension();
        for c in clocks {
            let x = c.index() + 1;
            for j in 0..n {
                if j != x {
                    let to = self.bound(j, 0);
                    self.set(x, j, Bound::NONE);
                    self.set(j, x, to);
                }
            }
            self.set(x, 0, Bound::NONE);
        }
    }

    /// The valuations that lie in the zone once `clocks` are set to zero; nothing if the zone has none with
    /// them zero.
    pub fn before_reset(&self, clocks: &[ClockId]) -> Option<Zone> {
        let mut zone = self.clone();
        if !clocks.iter().all(|c| zone.constrain(c.index() + 1, 0, Bound::ZERO)) {
            return None;
        }
        zone.free(clocks);
        Some(zone)
    }

    /// Are all valuations of `other` in this zone?
    #[inline]
    pub fn includes(&self, other: &Zone) -> bool {
        self.entries.iter().zip(&other.entries).all(|(a, b)| b <= a)
    }

    /// The smallest zone with the valuations of both.
    pub fn convex_hull(&self, other: &Zone) -> Zone {
        Zone {
            entries: self.entries.iter().zip(&other.entries).map(|(&a, &b)| a.max(b)).collect(),
            dimension: self.dimension,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn clock(i: u32) -> ClockId {
        ClockId(i)
    }

    #[test]
    fn a_day_at_the_desk() {
        let mut z = Zone::zero(2);
        z.elapse();
        // x = y from here on
        assert_eq!(z.bound(1, 2), Bound::ZERO);
        assert!(z.constrain(1, 0, Bound::at_most(8)) && z.constrain(0, 1, Bound::at_most(-6)));
        z.reset(&[clock(0)]);
        assert_eq!(z.interval(clock(1)), Interval { lower: Bound::at_most(-6), upper: Bound::at_most(8) });
        z.elapse();
        assert!(z.constrain(2, 0, Bound::at_most(8)));
        assert_eq!(z.interval(clock(0)), Interval { lower: Bound::ZERO, upper: Bound::at_most(2) });
        let mut back = z.clone();
        assert!(back.constrain(0, 1, Bound::at_most(-1)) && back != z);
        back.precede();
        assert_eq!(back.interval(clock(1)).lower, Bound::at_most(-6));
        assert_eq!(back.bound(1, 2), z.bound(1, 2));
        assert!(!z.clone().constrain(0, 1, Bound::below(-2)));
    }

    #[test]
    fn undoing_a_reset() {
        let mut z = Zone::all(2);
        assert!(z.constrain(1, 0, Bound::at_most(3)) && z.constrain(2, 1, Bound::at_most(1)));
        let before = z.before_reset(&[clock(0)]).unwrap();
        // x anything, y at most 1
        assert_eq!(before.interval(clock(0)), Interval::ALL);
        assert_eq!(before.interval(clock(1)).upper, Bound::at_most(1));
        assert!(before.bound(2, 1).constant() == 1 && before.bound(1, 2).is_none());
    }
}
