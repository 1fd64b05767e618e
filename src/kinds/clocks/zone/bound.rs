//! Bounds of difference constraints, packed: `x - y < c`, `x - y <= c` or none, as one `i32`.
//!
//! The packing is `2c` for `< c` and `2c + 1` for `<= c`, so that the order of integers is the order of bounds
//! by strength and the tighter of two bounds is their minimum (Bengtsson and Yi, "Timed automata: semantics,
//! algorithms and tools", 2004, section 4). Constants stay below [`Bound::LIMIT`] in magnitude, which
//! [`crate::kinds::clocks::scaled`] checks; sums of two are then below the value that stands for "no bound".

use std::fmt;

/// An upper bound on a difference of two clocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound(i32);

impl Bound {
    /// No bound.
    pub const NONE: Bound = Bound(i32::MAX);
    /// `<= 0`.
    pub const ZERO: Bound = Bound(1);
    /// Constants are smaller than this.
    pub const LIMIT: i32 = 1 << 27;

    /// `<= c`.
    #[inline]
    pub const fn at_most(c: i32) -> Bound {
        Bound(2 * c + 1)
    }

    /// `< c`.
    #[inline]
    pub const fn below(c: i32) -> Bound {
        Bound(2 * c)
    }

    /// Is there no bound?
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == i32::MAX
    }

    /// The constant; meaningless without a bound.
    #[inline]
    pub const fn constant(self) -> i32 {
        self.0 >> 1
    }

    /// The constant, if there is a bound.
    #[inline]
    pub const fn finite(self) -> Option<i32> {
        if self.is_none() { None } else { Some(self.constant()) }
    }

    /// Is the constant itself excluded?
    #[inline]
    pub const fn is_strict(self) -> bool {
        self.0 & 1 == 0
    }

    /// The bound on a sum of differences.
    #[inline]
    pub fn plus(self, other: Bound) -> Bound {
        if self.is_none() || other.is_none() { Bound::NONE } else { Bound(self.0 + other.0 - ((self.0 | other.0) & 1)) }
    }

    /// The bound on the opposite difference that holds exactly where this one does not: not `x - y <= c` is
    /// `y - x < -c`. Of a bound that is there.
    #[inline]
    pub const fn negated(self) -> Bound {
        Bound(1 - self.0)
    }

    /// The same constant, included.
    #[inline]
    pub const fn relaxed(self) -> Bound {
        if self.is_none() { self } else { Bound(self.0 | 1) }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            write!(f, "none")
        } else {
            write!(f, "{}{}", if self.is_strict() { "<" } else { "<=" }, self.constant())
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn order_sum_and_negation() {
        assert!(Bound::below(3) < Bound::at_most(3) && Bound::at_most(3) < Bound::below(4));
        assert!(Bound::at_most(Bound::LIMIT) < Bound::NONE);
        for (a, b, sum) in [
            (Bound::at_most(3), Bound::at_most(-5), Bound::at_most(-2)),
            (Bound::below(3), Bound::at_most(-5), Bound::below(-2)),
            (Bound::below(3), Bound::below(5), Bound::below(8)),
            (Bound::below(3), Bound::NONE, Bound::NONE),
        ] {
            assert_eq!(a.plus(b), sum);
            assert_eq!(b.plus(a), sum);
        }
        assert_eq!(Bound::at_most(3).negated(), Bound::below(-3));
        assert_eq!(Bound::below(3).negated(), Bound::at_most(-3));
        assert_eq!(Bound::below(-3).relaxed(), Bound::at_most(-3));
    }
}
