//! A few of very many actions.
//!
//! **Problem.** A coloured transition may unfold to a million transitions on two hundred places. To look at each of them takes longer
//! than the rest of a search, and those that are most drown the others.
//!
//! **Idea.** Most of them do to some variables what others do to these. A sample that has each change of each variable once
//! is about as large as there are variables, and reaches most of the states, often all of them. Actions that need small values
//! are drawn first: others may never be enabled.

use rustc_hash::FxHashSet;
use std::hash::Hash;

/// So many times as many actions as variables are very many.
const MANY: usize = 32;

/// The numbers of the actions of a sample; `None` if the actions are not very many, if the sample is no smaller by half, or if it is
/// not known what some action needs.
pub(crate) fn sample<C: Hash + Eq, I: IntoIterator<Item = C>>(
    actions: usize,
    variables: usize,
    needs: impl Fn(usize) -> Option<u64>,
    changes: impl Fn(usize) -> I,
) -> Option<Vec<usize>> {
    if actions < MANY * variables {
        return None;
    }
    let mut numbers: Vec<(u64, usize)> =
        (0..actions).map(|number| Some((needs(number)?, number))).collect::<Option<_>>()?;
    numbers.sort_unstable();
    let mut seen = FxHashSet::default();
    let mut drawn = Vec::new();
    for (_, number) in numbers {
        let mut new = false;
        for change in changes(number) {
            new |= seen.insert(change);
        }
        if new {
            drawn.push(number);
        }
    }
    (drawn.len() * 2 < actions).then_some(drawn)
}
