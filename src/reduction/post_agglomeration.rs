//! Post-agglomeration: what follows a step for certain is done with it.
//!
//! **Rule.** Let *p* be a place whose consumers F need nothing but *p*, all with the same weight w, and are
//! neither inhibited nor producers of *p*; the producers H of *p* give multiples of w. (Fewer than w tokens that are there at
//! first stay there.) Once a token is in *p*, a transition of F is enabled and stays so. If those of F change no observed
//! place, and none with an inhibitor arc, they may be fired at once: each h ∈ H becomes one transition h·f for
//! each f ∈ F, and *p* is removed. Chains of places with one transition between each are the simplest case.
//!
//! **Why.** Moving an f forward to right behind the h that made its token possible keeps every run possible
//! (there are only more tokens in between, where nothing tests for their absence) and changes nothing that is
//! observed; adding an f for a token that stayed in *p* does not either. There are only as many of F as there are
//! tokens from H, so that no run becomes finite by it. A deadlock has no w tokens in *p*.
//!
//! **Preserves** LTL without next; and reachability and deadlocks. With a single f, firing it commutes with
//! everything else, so that a marking before and after it are divergence-sensitive branching bisimilar: then
//! CTL\* without next is preserved too. A choice between several f, in contrast, is taken earlier than before,
//! which CTL sees.
//!
//! If h gives k·w tokens, f is fired k times, which needs a single f; so do w or more tokens that are there at first. There need be
//! no producers then: a first step that happens once and prepares everything has happened already.
//!
//! Berthelot 1986; Poitrenaud and Pradat-Peyre, "Pre- and post-agglomerations for LTL model checking", Petri Nets
//! 2000; Thierry-Mieg 2020. Confluence: Groote and van de Pol, "State space reduction using partial
//! τ-confluence", MFCS 2000.

use super::agglomeration::{Agglomeration, agglomerate_all};
use super::draft::{Draft, Neighbours, Step, add, weight, without};
use super::rule::{Preserved, Rule};

pub(super) const RULE: Rule = Rule {
    name: "post-agglomeration",
    late: false,
    preserves: |kind| kind != Preserved::Ctl,
    apply: |draft, kind, budget| agglomerate_all(draft, kind, agglomerate, budget),
};

fn agglomerate(draft: &Draft, neighbours: &[Neighbours], p: usize, kind: Preserved) -> Option<Agglomeration> {
    let Neighbours { consumers, producers, inhibited } = &neighbours[p];
    let single = consumers.len() == 1;
    let first = *consumers.first()?;
    let needed = weight(&draft.steps[first].pre, p);
    if draft.observed[p] || !inhibited.is_empty() || needed == 0 {
        return None;
    }
    if kind == Preserved::StutterCtl && !single {
        return None;
    }
    for &f in consumers {
        let step = &draft.steps[f];
        let alone = step.pre == [(p, needed)] && step.inhibitors.is_empty();
        let silent = |&(q, _): &(usize, u64)| q != p && !draft.observed[q] && neighbours[q].inhibited.is_empty();
        if !alone || !step.post.iter().all(silent) {
            return None;
        }
    }
    let (mut initial, there) = (Vec::new(), draft.initial[p] / needed);
    if producers.is_empty() && there == 0 {
        return None;
    }
    if there > 0 {
        if !single {
            return None;
        }
        for &(q, weight) in &draft.steps[first].post {
            initial.push((q, draft.initial[q].checked_add(weight.checked_mul(there)?)?));
        }
    }
    let mut steps = Vec::new();
    for &h in producers {
        let step = &draft.steps[h];
        let given = weight(&step.post, p);
        let times = given / needed;
        if !given.is_multiple_of(needed) || (times != 1 && !single) || weight(&step.pre, p) > 0 {
            return None;
        }
        for &f in consumers {
            let post = add(&without(&step.post, p), &draft.steps[f].post, times)?;
            steps.push(Step { post, ..step.clone() });
        }
    }
    Some(Agglomeration { initial, steps })
}
