//! Transitions that only take tokens away.
//!
//! If no transition needs the absence of a token, a run stays possible with more tokens. So a transition that
//! gives back at most what it takes, of every place, may be left out of any run that does not show it: if it
//! changes no observed place, and no place with an inhibitor arc. It is removed. Among them are the transitions
//! without any effect.
//!
//! Preserves reachability only: whether a run ends, and where, may depend on them.
//!
//! Berthelot 1986; Bønneland et al. 2019 (rules for transitions without effect and for sinks).

use super::draft::Draft;
use super::rule::{Preserved, Rule};

pub(super) const RULE: Rule = Rule {
    name: "sinks",
    late: false,
    preserves: |kind| kind == Preserved::Reachability,
    apply: |draft, _, _| apply(draft),
};

fn apply(draft: &mut Draft) -> bool {
    let neighbours = draft.neighbours();
    let observed = draft.observed.clone();
    let harmless = |&(p, change): &(usize, i128)| change < 0 && !observed[p] && neighbours[p].inhibited.is_empty();
    draft.retain_steps(|_, step| !step.effect().iter().all(harmless))
}
