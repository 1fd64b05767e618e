//! Transitions without effect that another one stands for.
//!
//! **Rule.** A transition that changes nothing is removed if there is another one that is enabled wherever it is, whatever that
//! one does.
//!
//! **Why.** It leads nowhere, and each marking in which it is enabled has another enabled transition: so the same
//! markings are reachable, and the same are dead.
//!
//! **Preserves** deadlocks (and reachability, for which `sinks` leaves out all transitions without effect). A run may go round in it
//! for ever, which LTL and CTL see. Where no other stands for it, a transition without effect says that markings with such tokens are not
//! dead, and stays.
//!
//! Servers that wait, and moves that agglomeration has closed to loops, leave such transitions. A place with one has a consumer that
//! is also its producer, which keeps agglomerations away.
//!
//! Berthelot 1986 (neutral transitions).

use super::draft::Draft;
use super::identical_transitions::needs_less;
use super::rule::{Preserved, Rule};

pub(super) const RULE: Rule = Rule {
    name: "idle loops",
    late: false,
    preserves: |kind| kind == Preserved::Deadlock,
    apply: |draft, _, _| apply(draft),
};

fn apply(draft: &mut Draft) -> bool {
    let idle: Vec<usize> = (0..draft.steps.len()).filter(|&t| draft.steps[t].pre == draft.steps[t].post).collect();
    if idle.is_empty() {
        return false;
    }
    let neighbours = draft.neighbours();
    let without_inputs: Vec<usize> = (0..draft.steps.len()).filter(|&t| draft.steps[t].pre.is_empty()).collect();
    let mut redundant = vec![false; draft.steps.len()];
    for t in idle {
        let step = &draft.steps[t];
        let inputs = step.pre.iter().flat_map(|&(p, _)| &neighbours[p].consumers);
        redundant[t] = inputs
            .chain(&without_inputs)
            .any(|&other| other != t && !redundant[other] && needs_less(&draft.steps[other], step));
    }
    draft.retain_steps(|t, _| !redundant[t])
}
