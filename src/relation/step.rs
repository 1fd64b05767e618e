//! The effect of an event on one level.

use smallvec::SmallVec;
use std::sync::Arc;

/// The part of an event on one level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step {
    /// The level, 0 being the top.
    pub level: u32,
    /// The values accepted and what they become.
    pub effect: Effect,
}

/// A partial function or relation on the values of one level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Effect {
    /// Accepts `least ≤ v < below` and adds `change`: the arcs between a transition and a place.
    Affine {
        /// Smallest accepted value.
        least: u32,
        /// First value not accepted any more (inhibitor arc); `None` without a bound.
        below: Option<u32>,
        /// Added to the value.
        change: i64,
    },
    /// Any relation on finitely many values: the edges of a transition system that have one label.
    Table(Arc<Table>),
}

/// A relation on values, listed in both directions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Table {
    /// By value, what it becomes, increasing.
    forward: Vec<SmallVec<[u32; 2]>>,
    /// By value, what becomes it, increasing.
    backward: Vec<SmallVec<[u32; 2]>>,
}

impl Table {
    /// The relation of these (before, after) pairs; repetitions count once.
    pub(crate) fn new(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        fn row(rows: &mut Vec<SmallVec<[u32; 2]>>, value: u32) -> &mut SmallVec<[u32; 2]> {
            let index = value as usize;
            if rows.len() <= index {
                rows.resize(index + 1, SmallVec::new());
            }
            &mut rows[index]
        }
        let mut table = Table::default();
        for (before, after) in pairs {
            row(&mut table.forward, before).push(after);
            row(&mut table.backward, after).push(before);
        }
        for values in table.forward.iter_mut().chain(&mut table.backward) {
            values.sort_unstable();
            values.dedup();
        }
        table
    }

    #[inline]
    pub(crate) fn after(&self, value: u32) -> &[u32] {
        self.forward.get(value as usize).map_or(&[], |row| row)
    }

    #[inline]
    fn before(&self, value: u32) -> &[u32] {
        self.backward.get(value as usize).map_or(&[], |row| row)
    }
}

/// The value that a step leads to does not fit a diagram value (`0..2^32`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutOfRange;

/// The values on the other side of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values<'a> {
    /// None: not accepted.
    None,
    /// That of an affine step.
    One(Result<u32, OutOfRange>),
    /// Those of a table: at least one, increasing. Other values may have some of them, too.
    Many(&'a [u32]),
}

impl<'a> Values<'a> {
    #[inline(always)]
    fn many(values: &'a [u32]) -> Self {
        if values.is_empty() { Values::None } else { Values::Many(values) }
    }

    /// Is there none?
    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Values::None)
    }

    /// Those in the range of diagram values.
    #[inline(always)]
    pub(crate) fn in_range(self) -> impl Iterator<Item = u32> + use<'a> {
        let (one, many) = match self {
            Values::None => (None, &[][..]),
            Values::One(value) => (value.ok(), &[][..]),
            Values::Many(values) => (None, values),
        };
        one.into_iter().chain(many.iter().copied())
    }
}

impl Effect {
    #[inline(always)]
    fn accepts(&self, value: u32) -> bool {
        match self {
            &Effect::Affine { least, below, .. } => value >= least && below.is_none_or(|below| value < below),
            Effect::Table(table) => !table.after(value).is_empty(),
        }
    }
}

impl Step {
    /// Does the step only test its value?
    pub(crate) fn is_test(&self) -> bool {
        match &self.effect {
            Effect::Affine { change, .. } => *change == 0,
            Effect::Table(table) => {
                table.forward.iter().zip(0..).all(|(row, value)| row.iter().all(|&after| after == value))
            }
        }
    }

    /// The table, unless the step is affine. For loops that treat the two apart: nets are the most frequent models.
    #[inline(always)]
    pub(crate) fn table(&self) -> Option<&Table> {
        match &self.effect {
            Effect::Affine { .. } => None,
            Effect::Table(table) => Some(table),
        }
    }

    /// The value after an affine step, `None` where it is not accepted; of a table always `None`.
    #[inline(always)]
    pub(crate) fn affine_image(&self, value: u32) -> Result<Option<u32>, OutOfRange> {
        match self.effect {
            Effect::Affine { least, below, change } => {
                if value < least || below.is_some_and(|below| value >= below) {
                    return Ok(None);
                }
                u32::try_from(i64::from(value) + change).map(Some).map_err(|_| OutOfRange)
            }
            Effect::Table(_) => Ok(None),
        }
    }

    /// The values after the step.
    #[inline(always)]
    pub(crate) fn image(&self, value: u32) -> Values<'_> {
        match &self.effect {
            Effect::Affine { change, .. } => {
                if !self.effect.accepts(value) {
                    return Values::None;
                }
                Values::One(u32::try_from(i64::from(value) + change).map_err(|_| OutOfRange))
            }
            Effect::Table(table) => Values::many(table.after(value)),
        }
    }

    /// The values before the step that lead to `value`.
    #[inline(always)]
    pub(crate) fn preimage(&self, value: u32) -> Values<'_> {
        match &self.effect {
            Effect::Affine { change, .. } => match u32::try_from(i64::from(value) - change) {
                Ok(before) if self.effect.accepts(before) => Values::One(Ok(before)),
                _ => Values::None,
            },
            Effect::Table(table) => Values::many(table.before(value)),
        }
    }

    /// From which value on all are treated alike: all accepted with the same change, or none.
    pub(super) fn rows(&self) -> u32 {
        match &self.effect {
            &Effect::Affine { least, below, .. } => least.max(below.unwrap_or(0)),
            Effect::Table(table) => u32::try_from(table.forward.len()).unwrap_or(u32::MAX),
        }
    }

    /// Does the step accept the value?
    #[inline(always)]
    pub(crate) fn accepts(&self, value: u32) -> bool {
        self.effect.accepts(value)
    }

    /// How many values the step leads to.
    #[inline(always)]
    pub(crate) fn ways(&self, value: u32) -> usize {
        match &self.effect {
            Effect::Affine { .. } => usize::from(self.effect.accepts(value)),
            Effect::Table(table) => table.after(value).len(),
        }
    }
}
