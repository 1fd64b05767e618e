//! Transitions that another one can stand for.
//!
//! If two transitions have the same effect, and one of them is enabled wherever the other is, then the other is
//! redundant: each of its firings is one of the first. Identical transitions are the special case where either
//! may go. Markings and successors stay the same: everything is preserved.
//!
//! Transitions of the same effect are compared pairwise; there are few of them.
//!
//! Berthelot 1986; Haddad and Pradat-Peyre, "New efficient Petri nets reductions for parallel programs
//! verification", Parallel Processing Letters 16, 2006.

use super::draft::{Draft, Step, weight};
use super::rule::Rule;
use std::collections::BTreeMap;

pub(super) const RULE: Rule =
    Rule { name: "identical transitions", late: false, preserves: |_| true, apply: |draft, _, _| apply(draft) };

/// Is `one` enabled wherever `other` is?
pub(super) fn needs_less(one: &Step, other: &Step) -> bool {
    let inhibited = |&(p, limit): &(usize, u64)| {
        let stricter = weight(&other.inhibitors, p);
        stricter > 0 && stricter <= limit
    };
    one.pre.iter().all(|&(p, needed)| needed <= weight(&other.pre, p)) && one.inhibitors.iter().all(inhibited)
}

fn apply(draft: &mut Draft) -> bool {
    let mut by_effect: BTreeMap<Vec<(usize, i128)>, Vec<usize>> = BTreeMap::new();
    for (t, step) in draft.steps.iter().enumerate() {
        by_effect.entry(step.effect()).or_default().push(t);
    }
    let mut redundant = vec![false; draft.steps.len()];
    for group in by_effect.values() {
        for &other in group {
            redundant[other] = group
                .iter()
                .any(|&one| one != other && !redundant[one] && needs_less(&draft.steps[one], &draft.steps[other]));
        }
    }
    draft.retain_steps(|t, _| !redundant[t])
}
