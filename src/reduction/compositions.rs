//! Transitions that are two others, one after the other.
//!
//! **Rule.** A transition t is removed if there are two others, one and second (perhaps twice the same), such that
//! whenever t is enabled so is the one, and the second after it; and together they have the effect of t.
//!
//! **Why.** Each firing of t is one of the two in turn, so that the same markings are reachable, all of them. A marking is dead
//! with t if and only if it is without, as t is never enabled alone. Where one of the two changes no observed place, a
//! run shows the same with the two instead of t, but for repetitions, and is infinite if it was.
//!
//! **Preserves** reachability, deadlocks; and LTL without next if one of the two is not seen, but with longer runs. It does *not* preserve
//! CTL: in the marking in between something may have become possible, or impossible, that a run by t does not come across.
//! (ITS-tools applies the rule for CTL without next, too, if one of the two is not seen.)
//!
//! Enabledness is decided arc by arc: t needs of each place what the one needs, and what it needs and the effect of the one make
//! up what the second needs; what inhibits the two is known to be absent as it would inhibit t. Transitions with many arcs go
//! first. One that was removed is no reason to remove another. Agglomerations make such transitions, and so does diffusion on a grid
//! in which some places are not seen.
//!
//! For each t those transitions are looked at whose first input is an input of t; the second is found by its effect. The
//! number of pairs looked at is bounded.
//!
//! Thierry-Mieg 2020 ("redundant composition"); Haddad and Pradat-Peyre 2006.

use super::draft::{Draft, Step, weight};
use super::identical_transitions::needs_less;
use super::rule::{Preserved, Rule};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

pub(super) const RULE: Rule = Rule {
    name: "compositions",
    late: true,
    preserves: |kind| kind <= Preserved::StutterLtl,
    apply: |draft, kind, _| apply(draft, kind),
};

/// Limit of pairs that are looked at in a pass.
const EFFORT: usize = 2_000_000;

type Effect = Vec<(usize, i128)>;

/// `whole - part`.
fn difference(whole: &Effect, part: &Effect) -> Effect {
    let mut result = whole.clone();
    for &(p, change) in part {
        match result.binary_search_by_key(&p, |&(q, _)| q) {
            Ok(i) => result[i].1 -= change,
            Err(i) => result.insert(i, (p, -change)),
        }
    }
    result.retain(|&(_, change)| change != 0);
    result
}

/// Is `second` enabled after `one`, wherever `t` is enabled, and `one` therefore?
fn follows(t: &Step, one: &Step, second: &Step) -> bool {
    second.pre.iter().all(|&(p, needed)| i128::from(weight(&t.pre, p)) + one.change(p) >= i128::from(needed))
        && second.inhibitors.iter().all(|&(p, limit)| {
            let known = weight(&t.inhibitors, p);
            known > 0 && i128::from(known) + one.change(p) <= i128::from(limit)
        })
}

fn apply(draft: &mut Draft, kind: Preserved) -> bool {
    let effects: Vec<Effect> = draft.steps.iter().map(Step::effect).collect();
    let silent: Vec<bool> = effects.iter().map(|effect| effect.iter().all(|&(p, _)| !draft.observed[p])).collect();
    let mut by_effect: FxHashMap<&Effect, Vec<usize>> = FxHashMap::default();
    let mut by_first_input: Vec<Vec<usize>> = vec![Vec::new(); draft.initial.len()];
    let mut without_input: Vec<usize> = Vec::new();
    for (t, step) in draft.steps.iter().enumerate() {
        by_effect.entry(&effects[t]).or_default().push(t);
        step.pre.first().map_or(&mut without_input, |&(p, _)| &mut by_first_input[p]).push(t);
    }
    let mut order: Vec<usize> = (0..draft.steps.len()).collect();
    order.sort_by_key(|&t| Reverse(draft.steps[t].arcs()));
    let mut redundant = vec![false; draft.steps.len()];
    let mut effort = 0;
    for t in order {
        let step = &draft.steps[t];
        let inputs = step.pre.iter().flat_map(|&(p, _)| &by_first_input[p]);
        redundant[t] = inputs.chain(&without_input).any(|&one| {
            effort += 1;
            if one == t || redundant[one] || effects[one].is_empty() || !needs_less(&draft.steps[one], step) {
                return false;
            }
            let Some(seconds) = by_effect.get(&difference(&effects[t], &effects[one])) else { return false };
            effort += seconds.len();
            seconds.iter().any(|&second| {
                let hidden = kind != Preserved::StutterLtl || silent[one] || silent[second];
                second != t && !redundant[second] && hidden && follows(step, &draft.steps[one], &draft.steps[second])
            })
        });
        if effort > EFFORT {
            break;
        }
    }
    draft.retain_steps(|t, _| !redundant[t])
}
