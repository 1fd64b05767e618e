//! What an event does on one level.

/// The part of an event on one level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The level, 0 being the top.
    pub level: u32,
    /// The values accepted and what they become.
    pub effect: Effect,
}

/// A partial function or relation on the values of one level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Accepts `least ≤ v < below` and adds `change`: the arcs between a transition and a place.
    Affine {
        /// Smallest accepted value.
        least: u32,
        /// First value not accepted any more (inhibitor arc); `None` without a bound.
        below: Option<u32>,
        /// Added to the value.
        change: i64,
    },
}

/// The value that a step leads to does not fit a diagram value (`0..2^32`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutOfRange;

impl Effect {
    #[inline(always)]
    fn accepts(&self, value: u32) -> bool {
        match *self {
            Effect::Affine { least, below, .. } => value >= least && below.is_none_or(|below| value < below),
        }
    }
}

impl Step {
    /// Does the step only test its value?
    pub fn is_test(&self) -> bool {
        match self.effect {
            Effect::Affine { change, .. } => change == 0,
        }
    }

    /// The value after the step, `None` where it is not accepted.
    #[inline(always)]
    pub(crate) fn image(&self, value: u32) -> Result<Option<u32>, OutOfRange> {
        match self.effect {
            Effect::Affine { change, .. } => {
                if !self.effect.accepts(value) {
                    return Ok(None);
                }
                u32::try_from(i64::from(value) + change).map(Some).map_err(|_| OutOfRange)
            }
        }
    }

    /// The value before the step that leads to `value`, if there is one.
    #[inline(always)]
    pub(crate) fn preimage(&self, value: u32) -> Option<u32> {
        match self.effect {
            Effect::Affine { change, .. } => {
                let before = u32::try_from(i64::from(value) - change).ok()?;
                self.effect.accepts(before).then_some(before)
            }
        }
    }

    /// Does the step accept the value?
    #[inline(always)]
    pub(crate) fn accepts(&self, value: u32) -> bool {
        self.effect.accepts(value)
    }
}
