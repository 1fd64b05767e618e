//! How much work a check may be: bounded by the sizes of the two files.
//!
//! A formula of forty nested `<->` has 2⁴⁰ cases, and a network may have a million ways to take a label: what a text of a
//! kilobyte asks for need not fit any machine. So work is counted where it may grow beyond the texts, and what is kept
//! apart from what is only done. A check that would need more than its share is refused. docs/certificates.md has the
//! two bounds and what the units are.

use crate::{Checked, refuse};
use std::cell::{Cell, RefCell};

/// The end of what is said where a bound is met.
pub(crate) const LIMIT: &str = "than files of this size may ask for (docs/certificates.md)";

/// Units for any check, and for each byte of the two files: of work, and of what is kept.
const WORK: (u64, u64) = (200_000_000, 2_000);
const KEPT: (u64, u64) = (4_000_000, 100);

thread_local! {
    /// What is left for this thread. What nobody bounded, as in programs that make certificates, is free.
    static LEFT: Cell<(u64, u64)> = const { Cell::new((u64::MAX, u64::MAX)) };
    /// Says whether a check of this thread is to go on. One of the program `starset-checker` always is.
    static WANTED: RefCell<Option<Box<dyn Fn() -> bool>>> = const { RefCell::new(None) };
}

/// Units of work between two questions whether a check is to go on.
const LOOK: u64 = 1 << 18;

/// Runs a check as long as somebody wants it: of certificates that are made within a time, with those who make them.
///
/// # Errors
/// Those of the check, and that it is not wanted any more.
pub fn while_wanted<T>(wanted: impl Fn() -> bool + 'static, check: impl FnOnce() -> Checked<T>) -> Checked<T> {
    let before = WANTED.replace(Some(Box::new(wanted)));
    let result = check();
    WANTED.replace(before);
    result
}

/// Runs a check of texts of so many bytes within its bounds; or a part of one, for those who make certificates.
///
/// # Errors
/// Those of the check, and that it takes more than its share.
pub fn bounded<T>(bytes: usize, check: impl FnOnce() -> Checked<T>) -> Checked<T> {
    let share = |(any, each): (u64, u64)| each.saturating_mul(bytes as u64).saturating_add(any);
    let before = LEFT.replace((share(WORK), share(KEPT)));
    let result = check();
    LEFT.set(before);
    result
}

/// Runs a part of a check with so much work at most, of that which is left. What it keeps does not count afterwards: it is
/// little, or thrown away.
pub(crate) fn within<T>(work: u64, part: impl FnOnce() -> Checked<T>) -> Checked<T> {
    let before = LEFT.get();
    let share = work.min(before.0);
    LEFT.set((share, before.1));
    let result = part();
    LEFT.set((before.0 - (share - LEFT.get().0), before.1));
    result
}

/// The work that is left.
pub(crate) fn left() -> u64 {
    LEFT.get().0
}

/// What a part of a check takes: work, and what is kept.
pub(crate) type Taken = (u64, u64);

/// Runs a part of a check, and says what it took.
pub(crate) fn measured<T>(part: impl FnOnce() -> T) -> (T, Taken) {
    let before = LEFT.get();
    let result = part();
    let after = LEFT.get();
    (result, (before.0 - after.0, before.1.saturating_sub(after.1)))
}

/// Counts what a part of another check took that is used here again.
pub(crate) fn again((work, kept): Taken) -> Checked<()> {
    let left = LEFT.get();
    LEFT.set((left.0.saturating_sub(work), left.1.saturating_sub(kept)));
    if left.0 < work || left.1 < kept { refuse(format!("the check takes more {LIMIT}")) } else { Ok(()) }
}

/// Counts steps of work: nothing that is kept.
pub(crate) fn work(units: usize) -> Checked<()> {
    spend(units, 0)
}

/// Counts what is kept, a few words each.
pub(crate) fn keep(units: usize) -> Checked<()> {
    spend(units, units)
}

/// What was kept is not kept any more.
pub(crate) fn release(units: usize) {
    let (work, kept) = LEFT.get();
    LEFT.set((work, kept.saturating_add(units as u64)));
}

fn spend(work: usize, kept: usize) -> Checked<()> {
    let left = LEFT.get();
    match (left.0.checked_sub(work as u64), left.1.checked_sub(kept as u64)) {
        (Some(work), Some(kept)) => {
            LEFT.set((work, kept));
            let is_unwanted = || WANTED.with_borrow(|wanted| wanted.as_ref().is_some_and(|wanted| !wanted()));
            if work / LOOK != left.0 / LOOK && is_unwanted() {
                return refuse("the check is not wanted any more");
            }
            Ok(())
        }
        (None, _) => refuse(format!("the check takes more work {LIMIT}")),
        (_, None) => refuse(format!("the check takes more memory {LIMIT}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_nobody_wants_ends() {
        let long = || (0..2 * LOOK).try_for_each(|_| work(1));
        assert!(long().is_ok());
        assert!(while_wanted(|| true, long).is_ok());
        assert!(while_wanted(|| false, long).is_err_and(|refused| refused.to_string().contains("not wanted")));
        assert!(while_wanted(|| false, || bounded(1 << 20, long)).is_err(), "whatever its bounds are");
        assert!(while_wanted(|| false, || work(0)).is_ok(), "what is little is done");
        assert!(long().is_ok(), "nor does it end others");
    }
}
