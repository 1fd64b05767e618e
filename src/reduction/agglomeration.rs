//! The common part of agglomerations: a place is removed, and its producers and consumers become pairs. Or the place
//! stays, and some of them do.
//!
//! Where that is right is for each rule to say (`post_agglomeration`, `pre_agglomeration`, `partial_pre_agglomeration`). There may be as many pairs as there were
//! transitions, and no more. Up to 16 or 100 pairs, once nothing else applies, were tried on nets of the Model Checking Contest:
//! one place in 500 went, and places and transitions together became more (TAPAAL and ITS-tools have such limits, which pay where
//! fewer other rules take part).

use super::draft::{Draft, Neighbours, Replacing, Step};
use super::rule::Preserved;
use crate::budget::Budget;

/// The replacement of a place.
pub(super) struct Agglomeration {
    /// Places that hold other numbers of tokens at first.
    pub(super) initial: Vec<(usize, u64)>,
    /// Instead of all producers and consumers.
    pub(super) steps: Vec<Step>,
}

/// A rule: the replacement of a place, if the rule applies there.
pub(super) type Agglomerate = fn(&Draft, &[Neighbours], usize, Preserved) -> Option<Agglomeration>;

/// Agglomerate where there are not more transitions then, as far as the budget allows; was there such a place?
pub(super) fn agglomerate_all(draft: &mut Draft, kind: Preserved, agglomerate: Agglomerate, budget: &Budget) -> bool {
    let mut replacing = Replacing::new(draft);
    for p in draft.places().take_while(|_| budget.check().is_ok()) {
        let Neighbours { consumers, producers, .. } = &replacing.neighbours[p];
        if consumers.len() * producers.len() > consumers.len() + producers.len() {
            continue;
        }
        if let Some(Agglomeration { initial, steps }) = agglomerate(draft, &replacing.neighbours, p, kind) {
            initial.into_iter().for_each(|(q, tokens)| draft.initial[q] = tokens);
            replacing.replace(draft, p, steps);
        }
    }
    replacing.finish(draft)
}

/// A rule for a place that stays: the transitions next to it that it removes, and their replacements, if it applies
/// there.
pub(super) type Divide = fn(&Draft, &[Neighbours], usize, Preserved) -> Option<(Vec<usize>, Vec<Step>)>;

/// Agglomerate in part, once at each place: around a cycle it could go on for ever. As far as the budget allows. Was there such a place?
pub(super) fn divide_all(draft: &mut Draft, kind: Preserved, divide: Divide, budget: &Budget) -> bool {
    let mut replacing = Replacing::new(draft);
    let mut changed = false;
    for p in draft.places().take_while(|_| budget.check().is_ok()) {
        if draft.divided[p] || draft.observed[p] || !replacing.neighbours[p].inhibited.is_empty() {
            continue;
        }
        if let Some((old, new)) = divide(draft, &replacing.neighbours, p, kind) {
            draft.divided[p] = true;
            replacing.exchange(draft, old, new);
            changed = true;
        }
    }
    replacing.finish(draft);
    changed
}
