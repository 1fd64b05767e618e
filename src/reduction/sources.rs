//! Places that a transition without inputs can always fill.
//!
//! A transition that needs nothing can fire as often as one likes. If it changes no observed place and no place
//! with an inhibitor arc, then firing it first does no harm: there are as many tokens as one needs in each of
//! its output places, and these are removed. Without outputs the transition has no effect left.
//!
//! Preserves reachability only. (A net with such a transition has no deadlock, which needs no reduction.)
//!
//! Berthelot 1986; Bønneland et al. 2019.

use super::draft::Draft;
use super::rule::{Preserved, Rule};

pub(super) const RULE: Rule = Rule {
    name: "sources",
    late: false,
    preserves: |kind| kind == Preserved::Reachability,
    apply: |draft, _, _| apply(draft),
};

fn apply(draft: &mut Draft) -> bool {
    let neighbours = draft.neighbours();
    let mut filled = vec![false; draft.initial.len()];
    for step in &draft.steps {
        let free = step.pre.is_empty() && step.inhibitors.is_empty();
        let harmless = |&(p, _): &(usize, u64)| !draft.observed[p] && neighbours[p].inhibited.is_empty();
        if free && step.post.iter().all(harmless) {
            step.post.iter().for_each(|&(p, _)| filled[p] = true);
        }
    }
    let changed = filled.contains(&true);
    draft.remove_places(&filled);
    changed
}
