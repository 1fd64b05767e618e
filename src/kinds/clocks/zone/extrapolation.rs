//! Extrapolation: finitely many zones stand for all that can arise.
//!
//! Above the largest constant that a clock is compared with, its exact value no longer matters. *ExtraM* forgets
//! it with one constant per clock; what it adds lies in regions that the zone meets, so everything that regions
//! tell apart (blocked states included) stays exact. *ExtraLU+* has two constants, one for the lower bounds
//! `x > c` and one for the upper bounds `x < c` that a clock is tested against; it forgets more and keeps
//! reachable markings and the runs to them, by a simulation (Behrmann, Bouyer, Larsen, Pelánek, "Lower and upper
//! bounds in zone-based abstractions of timed automata", STTT 2006, definitions 5 and 11). The simulation holds
//! for disjunctive constraints as well, invariants included: `v + d` satisfies every positive combination of
//! tests that the valuation it simulates does, at every moment of a delay.
//!
//! A clock that is never tested has no constant, and is forgotten altogether.

use super::{Bound, Zone};

/// Constants that clocks are compared with, below each `clock`; a negative number stands for "never compared".
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ClockBounds {
    /// Largest constant of a lower bound `x > c` or `x >= c`.
    pub lower: Vec<i32>,
    /// Largest constant of an upper bound `x < c` or `x <= c`.
    pub upper: Vec<i32>,
}

impl ClockBounds {
    /// No clock is compared.
    pub fn none(clocks: usize) -> ClockBounds {
        ClockBounds { lower: vec![-1; clocks], upper: vec![-1; clocks] }
    }

    /// The larger of both constants.
    pub fn maximal(&self) -> Vec<i32> {
        self.lower.iter().zip(&self.upper).map(|(&l, &u)| l.max(u)).collect()
    }

    /// Raises the constants to those of `other`; did any change?
    pub fn raise(&mut self, other: &ClockBounds) -> bool {
        let mut changed = false;
        for (mine, theirs) in [(&mut self.lower, &other.lower), (&mut self.upper, &other.upper)] {
            for (a, &b) in mine.iter_mut().zip(theirs) {
                changed |= b > *a;
                *a = b.max(*a);
            }
        }
        changed
    }
}

/// Is the lower bound of clock `j`, as a value, above the constant?
#[inline]
fn starts_above(zone: &Zone, clock: usize, constant: i32) -> bool {
    constant < 0 || -zone.bound(0, clock).constant() > constant
}

impl Zone {
    /// ExtraM with one constant per clock.
    pub fn extrapolate_maximal(&mut self, constants: &[i32]) {
        let n = self.dimension();
        let constant = |x: usize| if x == 0 { 0 } else { constants[x - 1] };
        let mut changed = false;
        for i in 0..n {
            for j in 0..n {
                if i == j {
                    continue;
                }
                let old = self.bound(i, j);
                let mut new = old;
                if i != 0 && (constant(i) < 0 || (!old.is_none() && old.constant() > constant(i))) {
                    new = Bound::NONE;
                } else if j != 0 && constant(j) < 0 {
                    new = if i == 0 { Bound::ZERO } else { Bound::NONE };
                } else if !old.is_none() && j != 0 && -old.constant() > constant(j) {
                    new = Bound::below(-constant(j));
                }
                if new != old {
                    self.set(i, j, new);
                    changed = true;
                }
            }
        }
        self.reclose(changed);
    }

    /// ExtraLU+ with constants of lower and of upper bounds.
    pub fn extrapolate_lower_upper(&mut self, bounds: &ClockBounds) {
        let n = self.dimension();
        let (lower, upper) = (&bounds.lower, &bounds.upper);
        let mut changed = false;
        let first: smallvec::SmallVec<[bool; 16]> = (1..n).map(|i| starts_above(self, i, lower[i - 1])).collect();
        let second: smallvec::SmallVec<[bool; 16]> = (1..n).map(|j| starts_above(self, j, upper[j - 1])).collect();
        for i in 1..n {
            for j in 0..n {
                let old = self.bound(i, j);
                if i == j || old.is_none() {
                    continue;
                }
                if old.constant() > lower[i - 1] || first[i - 1] || (j > 0 && second[j - 1]) {
                    self.set(i, j, Bound::NONE);
                    changed = true;
                }
            }
        }
        for j in 1..n {
            if second[j - 1] {
                let new = if upper[j - 1] < 0 { Bound::ZERO } else { Bound::below(-upper[j - 1]) };
                changed |= new != self.bound(0, j);
                self.set(0, j, new);
            }
        }
        self.reclose(changed);
    }

    /// Entries have only grown, so the zone is not empty; tightens what the smaller ones imply.
    fn reclose(&mut self, changed: bool) {
        if changed {
            let kept = self.close();
            debug_assert!(kept, "extrapolation only adds valuations");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn beyond_the_constants() {
        let mut z = Zone::all(2);
        assert!(z.constrain(0, 1, Bound::at_most(-9)) && z.constrain(1, 0, Bound::at_most(12)));
        assert!(z.constrain(0, 2, Bound::at_most(-9)) && z.constrain(2, 0, Bound::at_most(30)));
        let exact = z.clone();
        z.extrapolate_maximal(&[5, 10]);
        // x > 5; y still in [9, ...)
        assert_eq!(z.bound(0, 1), Bound::below(-5));
        assert!(z.bound(1, 0).is_none());
        assert_eq!(z.bound(0, 2), Bound::at_most(-9));
        assert!(z.bound(2, 0).is_none() && z.includes(&exact));
        let mut w = exact.clone();
        w.extrapolate_lower_upper(&ClockBounds { lower: vec![5, 10], upper: vec![-1, 10] });
        assert_eq!(w.bound(0, 1), Bound::ZERO);
        assert!(w.includes(&exact));
        let mut same = exact.clone();
        same.extrapolate_maximal(&[30, 30]);
        assert_eq!(same, exact);
    }
}
