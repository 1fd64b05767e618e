//! Places that never gain or never lose a token, and what follows.
//!
//! * A place that no transition increases never holds more than at first. A transition that needs more than that
//!   is dead and is removed; an inhibitor arc above it never inhibits and is removed.
//! * A place that no transition decreases never holds less than at first. A transition that it inhibits from the
//!   beginning is dead and is removed.
//! * A place that is both is *constant*. What is left of its arcs never disables anything, and is removed; so is
//!   the place, unless it is observed.
//!
//! The reachability graph stays the same but for the constant places: everything is preserved. Removing dead
//! transitions may make more places constant, which the next round finds.
//!
//! Berthelot 1986; Bønneland et al. 2019 (rules for initially disabled transitions and constant places).

use super::draft::{Draft, weight};
use super::rule::Rule;

pub(super) const RULE: Rule =
    Rule { name: "constant places", late: false, preserves: |_| true, apply: |draft, _, _| apply(draft) };

fn apply(draft: &mut Draft) -> bool {
    let (mut grows, mut shrinks) = (vec![false; draft.initial.len()], vec![false; draft.initial.len()]);
    for step in &draft.steps {
        for (p, change) in step.effect() {
            grows[p] |= change > 0;
            shrinks[p] |= change < 0;
        }
    }
    let initial = draft.initial.clone();
    let mut changed = draft.retain_steps(|_, step| {
        step.pre.iter().all(|&(p, weight)| grows[p] || weight <= initial[p])
            && step.inhibitors.iter().all(|&(p, weight)| shrinks[p] || weight > initial[p])
    });
    for step in &mut draft.steps {
        let before = step.inhibitors.len();
        step.inhibitors.retain(|&(p, weight)| grows[p] || weight <= initial[p]);
        changed |= step.inhibitors.len() < before;
    }
    // The steps that were dropped may have been those that changed a place: its turn comes in the next round.
    let constant: Vec<bool> = (0..initial.len()).map(|p| !draft.removed[p] && !grows[p] && !shrinks[p]).collect();
    let has_arcs =
        |p: usize| draft.steps.iter().any(|step| weight(&step.pre, p) > 0 || weight(&step.inhibitors, p) > 0);
    changed |= (0..initial.len()).any(|p| constant[p] && (!draft.observed[p] || has_arcs(p)));
    draft.remove_places(&constant);
    for ((removed, constant), observed) in draft.removed.iter_mut().zip(constant).zip(&draft.observed) {
        *removed &= !(constant && *observed);
    }
    changed
}
