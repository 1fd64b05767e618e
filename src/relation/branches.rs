//! The general step: what a value becomes, and for each target a continuation of its own.
//!
//! An event that is a product of steps decides on each level by itself. What a group of a model behind a next-state
//! function does is no such product: which value a variable gets may depend on several others. As a diagram it is: from
//! a value to targets, and from each target on to a link of its own, down to the last level that the group touches.
//!
//! On a level that the group reads there is a row of arms for each value; on one that it only writes, the same arms for
//! all values, where [`KEEP`] is a target, too: the value stays. (A level on which every arm keeps the value is not
//! stored.) Between the two, some values have rows, and all others, of which nobody knows how many there are, the same
//! arms, each of which adds to the value: tokens that are there or not. Arms count how many successors they stand for,
//! which matters where they end: sets of states do not tell two ways to the same successor apart, the number of
//! transitions does.

use super::{LinkId, OutOfRange};
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// Mark of a learner for a value that stays. No value is this number.
pub(crate) const KEEP: u32 = u32::MAX;

/// The new value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Target {
    /// This one.
    Value(u32),
    /// It, and so much more or less.
    Shift(i32),
}

impl Target {
    /// The value stays as it is.
    pub(crate) const KEPT: Target = Target::Shift(0);

    /// The target for a written value, or for [`KEEP`].
    pub(crate) fn written(value: u32) -> Target {
        if value == KEEP { Target::KEPT } else { Target::Value(value) }
    }
}

/// A target, and how it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Arm {
    /// The new value.
    pub(crate) target: Target,
    /// The steps below.
    pub(crate) tail: Tail,
}

/// The steps below some level, and how many successors they stand for where they are none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tail {
    /// The next link, or [`super::END`].
    pub(crate) next: LinkId,
    /// How many successors end here; 1 where there is a next link, which knows by itself.
    pub(crate) times: u32,
}

impl Arm {
    /// The new value in place of `value`.
    #[inline]
    pub(crate) fn after(&self, value: u32) -> Result<u32, OutOfRange> {
        match self.target {
            Target::Value(target) => Ok(target),
            Target::Shift(shift) => value.checked_add_signed(shift).ok_or(OutOfRange),
        }
    }
}

/// A relation on values with a continuation for each pair; see the module documentation.
#[derive(Debug)]
pub(crate) struct Branches {
    /// The values with a row, increasing, and where each row ends; `None` if there is one row for all values.
    rows: Option<Box<[(u32, u32)]>>,
    /// The rows one after the other, each by target; then, if there are rows, the arms of the values without one, which
    /// are shifts.
    arms: Box<[Arm]>,
    /// For levels that are read: (target, value, link), sorted, of the values with rows. Made when it is asked for.
    backward: OnceLock<Box<[(u32, u32, LinkId)]>>,
}

impl PartialEq for Branches {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.arms == other.arms
    }
}

impl Eq for Branches {}

impl Hash for Branches {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rows.hash(state);
        self.arms.hash(state);
    }
}

impl Branches {
    /// The same arms for all values, sorted by target.
    pub(crate) fn of_all(arms: Vec<Arm>) -> Self {
        Branches { rows: None, arms: arms.into(), backward: OnceLock::new() }
    }

    /// Arms by value, sorted by target: of each value with a row, the values increasing.
    pub(crate) fn of_each<'a>(rows: impl IntoIterator<Item = (u32, &'a [Arm])>) -> Self {
        let (mut ends, mut arms) = (Vec::new(), Vec::new());
        for (value, row) in rows {
            arms.extend_from_slice(row);
            ends.push((value, arms.len() as u32));
        }
        Branches { rows: Some(ends.into()), arms: arms.into(), backward: OnceLock::new() }
    }

    /// The same, where all values without a row have these arms, whose targets are shifts.
    pub(crate) fn with_others<'a>(rows: impl IntoIterator<Item = (u32, &'a [Arm])>, others: &[Arm]) -> Self {
        let mut branches = Branches::of_each(rows);
        branches.arms = branches.arms.iter().chain(others).copied().collect();
        branches
    }

    /// The same with other links for what is below.
    pub(crate) fn going_on(&self, mut next: impl FnMut(LinkId) -> LinkId) -> Self {
        let arm = |arm: &Arm| Arm { tail: Tail { next: next(arm.tail.next), ..arm.tail }, ..*arm };
        let arms = self.arms.iter().map(arm).collect();
        Branches { rows: self.rows.clone(), arms, backward: OnceLock::new() }
    }

    /// The arms of the values without a row, if some values have one.
    fn others<'b>(&'b self, ends: &[(u32, u32)]) -> &'b [Arm] {
        &self.arms[ends.last().map_or(0, |&(_, end)| end as usize)..]
    }

    /// The values with a row and the rows; `None` if all values have the same.
    pub(crate) fn rows(&self) -> Option<impl Iterator<Item = (u32, &[Arm])>> {
        let ends = self.rows.as_deref()?;
        let starts = std::iter::once(0).chain(ends.iter().map(|&(_, end)| end));
        Some(ends.iter().zip(starts).map(|(&(value, end), start)| (value, &self.arms[start as usize..end as usize])))
    }

    /// The targets of a value.
    #[inline]
    pub(crate) fn arms(&self, value: u32) -> &[Arm] {
        let Some(ends) = self.rows.as_deref() else { return &self.arms };
        let Ok(row) = ends.binary_search_by_key(&value, |&(value, _)| value) else { return self.others(ends) };
        let start = if row == 0 { 0 } else { ends[row - 1].1 };
        &self.arms[start as usize..ends[row].1 as usize]
    }

    /// The values among `present` that become `target`, each with the steps that go with it.
    pub(crate) fn before(&self, target: u32, present: impl Iterator<Item = u32>) -> Vec<(u32, LinkId)> {
        let Some(ends) = self.rows.as_deref() else {
            let becomes = |value: u32| self.arms.iter().filter(move |arm| arm.after(value) == Ok(target));
            return present.flat_map(|value| becomes(value).map(move |arm| (value, arm.tail.next))).collect();
        };
        let backward = self.backward.get_or_init(|| {
            let arms = self.rows().into_iter().flatten();
            let all = arms.flat_map(|(value, row)| {
                row.iter().filter_map(move |arm| Some((arm.after(value).ok()?, value, arm.tail.next)))
            });
            let mut all: Vec<(u32, u32, LinkId)> = all.collect();
            all.sort_unstable();
            all.into()
        });
        let start = backward.partition_point(|&(after, ..)| after < target);
        let these = backward[start..].iter().take_while(|&&(after, ..)| after == target);
        let these = these.map(|&(_, value, link)| (value, link));
        let has_row = |value: u32| ends.binary_search_by_key(&value, |&(value, _)| value).is_ok();
        let others = self.others(ends).iter().filter_map(|arm| {
            let Target::Shift(shift) = arm.target else { return None };
            let value = u32::try_from(i64::from(target) - i64::from(shift)).ok().filter(|&value| !has_row(value))?;
            Some((value, arm.tail.next))
        });
        these.chain(others).collect()
    }

    /// Where the arms go on.
    pub(crate) fn links(&self) -> impl Iterator<Item = LinkId> {
        self.arms.iter().map(|arm| arm.tail.next)
    }

    /// Do all arms leave their value as it is?
    pub(crate) fn is_test(&self) -> bool {
        let kept = |arms: &[Arm]| arms.iter().all(|arm| arm.target == Target::KEPT);
        match (self.rows(), self.rows.as_deref()) {
            (Some(mut rows), Some(ends)) => {
                rows.all(|(value, row)| row.iter().all(|arm| arm.after(value) == Ok(value))) && kept(self.others(ends))
            }
            _ => kept(&self.arms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::END;

    fn arm(target: u32, next: LinkId) -> Arm {
        Arm { target: Target::written(target), tail: Tail { next, times: 1 } }
    }

    fn shift(shift: i32, next: LinkId) -> Arm {
        Arm { target: Target::Shift(shift), tail: Tail { next, times: 1 } }
    }

    #[test]
    fn both_directions_agree() {
        let rows = [(2, vec![arm(0, 7), arm(2, END), arm(5, 7)]), (5, vec![arm(2, 3)]), (6, vec![arm(2, 3)])];
        let each = Branches::of_each(rows.iter().map(|(value, row)| (*value, &row[..])));
        let all = Branches::of_all(vec![arm(2, 4), arm(KEEP, 3)]);
        let some = Branches::with_others(rows.iter().map(|(value, row)| (*value, &row[..])), &[shift(0, 9)]);
        let others = [shift(-1, 4), shift(0, 9), shift(2, END)];
        let moved = Branches::with_others(rows.iter().map(|(value, row)| (*value, &row[..])), &others);
        for branches in [&each, &all, &some, &moved] {
            let mut pairs = 0;
            for target in 0..8 {
                let mut expected: Vec<(u32, LinkId)> = (0..8)
                    .flat_map(|value| branches.arms(value).iter().map(move |arm| (value, arm)))
                    .filter(|(value, arm)| arm.after(*value) == Ok(target))
                    .map(|(value, arm)| (value, arm.tail.next))
                    .collect();
                let mut found = branches.before(target, 0..8);
                found.retain(|&(value, _)| value < 8);
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{target}");
                pairs += found.len();
            }
            assert!(pairs >= 5);
        }
        assert_eq!(each.arms(5), [arm(2, 3)]);
        assert_eq!(each.arms(3), []);
        assert_eq!(some.arms(3), [arm(KEEP, 9)]);
        assert_eq!(some.before(3, 0..8), [(3, 9)]);
        assert_eq!(moved.before(3, 0..8), [(4, 4), (3, 9), (1, END)]);
        assert_eq!(shift(2, END).after(u32::MAX - 1), Err(OutOfRange));
        assert!(!moved.is_test());
        assert!(!each.is_test() && !all.is_test());
        assert!(Branches::of_each([(4, &[arm(4, END)][..])]).is_test());
    }
}
