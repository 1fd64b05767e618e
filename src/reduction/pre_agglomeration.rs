//! Pre-agglomeration: a step that only prepares another waits until it is needed.
//!
//! **Rule.** Let *p* be a place whose producers H all give the same number g of tokens to *p* and nothing else, are not
//! inhibited, and take tokens only from places that are not observed and inhibit nothing; none of its consumers F gives
//! tokens back to *p*. Each h ∈ H waits until some f ∈ F takes its tokens: h and f become one transition h·f, for each
//! pair, and *p* is removed. If f takes k·g tokens, h is fired k times, which needs a single h. At first *p* holds fewer than g tokens,
//! or they can be put back (see below).
//!
//! **Why.** Moving an h back to right before the f that takes its tokens keeps every run possible: what h takes is
//! only there longer. An h whose tokens are never taken is left out. What is observed is not changed by h. So
//! reachability is preserved.
//!
//! **Conflicts.** Where another transition competes for what h takes, firing h may make a deadlock, or keep
//! something from happening, without f; that is lost. So for deadlocks and LTL without next it is demanded that nothing but H
//! takes from the places from which H takes, and that each h takes from at least one. Then a run that ends, ends just
//! as well without its useless h: if there are any, *p* has enough tokens in the end, so that each f lacks something that
//! none of H takes, and lacks it still; nothing else is disabled by them. A run that does not end has infinitely many other
//! steps, as h needs tokens from somewhere.
//!
//! **Branching.** For CTL\* without next, h has to be the only consumer of each place that it takes from. Relate a marking m of
//! the net to r of the smaller one if m comes from r by some firings σ of H. What m can do, r can: another h is no step
//! at all; an f takes the tokens of some in σ (one, or k of the single h), which makes it h·f in r; whatever else there is takes
//! nothing from where H takes, and finds as much in r. What r can do, m can: for an h·f it fires first those h that are not
//! yet in σ, which nothing can have disabled, and nobody sees it. In all cases the markings after it are related again. Firings of H alone
//! end. If m is dead, so is r, for each h·f of r would be an f of m, or begin with an h; if r is dead, m gets to a dead marking by
//! what is left of H. So the two are divergence-sensitive branching bisimilar. Then tokens that *p* has at first may be put back,
//! too, to where an h takes its own from: the net begins as if they had been made.
//!
//! Berthelot 1986; Haddad and Pradat-Peyre 2006; Thierry-Mieg 2020 (without the demand: "free agglomeration"). That a transition
//! without rivals preserves branching bisimilarity is confluence: Groote and van de Pol, "State space reduction using partial
//! τ-confluence", MFCS 2000.

use super::agglomeration::{Agglomeration, agglomerate_all};
use super::draft::{Draft, Neighbours, Step, add, weight, without};
use super::rule::{Preserved, Rule};

pub(super) const RULE: Rule = Rule {
    name: "pre-agglomeration",
    late: false,
    preserves: |kind| kind != Preserved::Ctl,
    apply: |draft, kind, budget| agglomerate_all(draft, kind, agglomerate, budget),
};

/// The other transitions that take from the input places of a producer. The producers are ascending.
fn may_compete(kind: Preserved, h: usize, producers: &[usize], consumers: &[usize]) -> bool {
    match kind {
        Preserved::Reachability => true,
        Preserved::Deadlock | Preserved::StutterLtl | Preserved::ShorterLtl => {
            consumers.iter().all(|other| producers.binary_search(other).is_ok())
        }
        _ => consumers == [h],
    }
}

/// May this producer, which gives so many tokens to a place, wait until they are needed, as others of its producers do?
pub(super) fn waits(
    draft: &Draft,
    neighbours: &[Neighbours],
    (p, given): (usize, u64),
    kind: Preserved,
    h: usize,
    producers: &[usize],
) -> bool {
    let step = &draft.steps[h];
    let prepares = step.post == [(p, given)] && step.inhibitors.is_empty() && !step.pre.is_empty();
    let takes = |&(q, _): &(usize, u64)| {
        let allowed = may_compete(kind, h, producers, &neighbours[q].consumers);
        q != p && allowed && !draft.observed[q] && neighbours[q].inhibited.is_empty()
    };
    prepares && step.pre.iter().all(takes)
}

fn agglomerate(draft: &Draft, neighbours: &[Neighbours], p: usize, kind: Preserved) -> Option<Agglomeration> {
    let Neighbours { consumers, producers, inhibited } = &neighbours[p];
    if draft.observed[p] || !inhibited.is_empty() || consumers.is_empty() {
        return None;
    }
    let given = weight(&draft.steps[*producers.first()?].post, p);
    if !producers.iter().all(|&h| waits(draft, neighbours, (p, given), kind, h, producers)) {
        return None;
    }
    let mut steps = Vec::new();
    for &f in consumers {
        let step = &draft.steps[f];
        let taken = weight(&step.pre, p);
        let times = taken / given;
        if !taken.is_multiple_of(given) || (times != 1 && producers.len() > 1) || weight(&step.post, p) > 0 {
            return None;
        }
        for &h in producers {
            let pre = add(&without(&step.pre, p), &draft.steps[h].pre, times)?;
            steps.push(Step { pre, ..step.clone() });
        }
    }
    let made = draft.initial[p] / given;
    let mut initial = Vec::new();
    if made > 0 {
        let &h = producers.iter().find(|&&h| {
            let alone = |&(q, _): &(usize, u64)| neighbours[q].consumers == [h];
            draft.steps[h].pre.iter().all(alone)
        })?;
        for &(q, weight) in &draft.steps[h].pre {
            initial.push((q, draft.initial[q].checked_add(weight.checked_mul(made)?)?));
        }
    }
    Some(Agglomeration { initial, steps })
}
