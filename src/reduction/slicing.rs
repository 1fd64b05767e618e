//! Slicing: what cannot influence the observed places is cut off.
//!
//! A place is *relevant* if it is observed, or if a transition that changes a relevant place tests it (by an
//! input, read or inhibitor arc). Transitions that change no relevant place are removed, and so are the other
//! places. What the relevant places can do does not depend on the rest, and runs of the rest can be left out of
//! any run; so exactly the same counts of the relevant places are reachable.
//!
//! Preserves reachability only: a run may go on for ever in what is cut off, and what is cut off may keep the
//! net from being dead.
//!
//! Rakow, "Safety slicing Petri nets", Petri Nets 2012.

use super::draft::Draft;
use super::rule::{Preserved, Rule};

pub(super) const RULE: Rule = Rule {
    name: "slicing",
    late: false,
    preserves: |kind| kind == Preserved::Reachability,
    apply: |draft, _, _| apply(draft),
};

fn apply(draft: &mut Draft) -> bool {
    let mut relevant = draft.observed.clone();
    let effects: Vec<_> = draft.steps.iter().map(|step| step.effect()).collect();
    let mut kept = vec![false; draft.steps.len()];
    let neighbours = draft.neighbours();
    let mut open: Vec<usize> = draft.places().filter(|&p| relevant[p]).collect();
    while let Some(place) = open.pop() {
        for &t in neighbours[place].consumers.iter().chain(&neighbours[place].producers) {
            let changes = effects[t].binary_search_by_key(&place, |&(p, _)| p).is_ok();
            if !changes || std::mem::replace(&mut kept[t], true) {
                continue;
            }
            for &(p, _) in draft.steps[t].pre.iter().chain(&draft.steps[t].inhibitors) {
                if !std::mem::replace(&mut relevant[p], true) {
                    open.push(p);
                }
            }
        }
    }
    let irrelevant: Vec<bool> = (0..relevant.len()).map(|p| !relevant[p] && !draft.removed[p]).collect();
    let changed = draft.retain_steps(|t, _| kept[t]) | irrelevant.contains(&true);
    draft.remove_places(&irrelevant);
    changed
}
