//! A rule of reduction, and what it preserves.

use super::draft::Draft;
use crate::budget::Budget;

/// The properties that a reduction preserves, as far as the observed places show them. Each kind but the first two
/// includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Preserved {
    /// The combinations of token counts of the observed places.
    Reachability,
    /// Whether a deadlock can be reached.
    Deadlock,
    /// LTL without next, where the last marking of a finite path repeats for ever; reachability too.
    StutterLtl,
    /// LTL without next, by runs that repeat what is observed as often as those of the net, or less often: each run of the one is in this
    /// way a shorter or equal one, or a longer or equal one, of the other.
    ShorterLtl,
    /// CTL\* without next, where finite paths count and their last marking may repeat; and LTL without next.
    StutterCtl,
    /// CTL\*, next included.
    Ctl,
}

/// One rule.
pub(super) struct Rule {
    /// Its name in reports.
    pub(super) name: &'static str,
    /// Whether it takes long, and waits until none of the others applies.
    pub(super) late: bool,
    /// Whether a kind of question may be asked after it.
    pub(super) preserves: fn(Preserved) -> bool,
    /// Apply it where it applies; was there such a place?
    pub(super) apply: fn(&mut Draft, Preserved, &Budget) -> bool,
}
