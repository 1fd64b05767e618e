//! Pre-agglomeration: a step that only prepares another waits until it is needed.
//!
//! **Rule.** Let *p* be an empty place whose producers H give one token to *p* and nothing else, are not inhibited,
//! and take tokens only from places that are not observed and inhibit nothing; its consumers F take one token
//! each, and none of them is in H. Each h ∈ H waits until some f ∈ F takes its token: h and f become one
//! transition h·f, for each pair, and *p* is removed.
//!
//! **Why.** Moving an h back to right before the f that takes its token keeps every run possible: what h takes is
//! only there longer. An h whose token is never taken is left out. What is observed is not changed by h. So
//! reachability is preserved.
//!
//! **Conflicts.** Where another transition competes for what h takes, firing h may make a deadlock, or keep
//! something from happening, without f; that is lost. So for deadlocks and LTL without next it is demanded that h
//! is the only consumer of each place it takes from, and takes from at least one. Then a run that ends, ends just
//! as well without its useless h: nothing else is disabled by them, and each f that lacks something else lacks it
//! still. A run that does not end has infinitely many other steps, as h needs tokens from somewhere.
//!
//! Berthelot 1986; Haddad and Pradat-Peyre 2006; Thierry-Mieg 2020 (without the demand: "free agglomeration").

use super::draft::{Draft, Neighbours, Replacing, Step, add, weight, without};
use super::{Preserved, Rule};

pub(super) const RULE: Rule = Rule {
    name: "pre-agglomeration",
    preserves: |kind| kind <= Preserved::StutterLtl,
    apply: |draft, kind, _| apply(draft, kind),
};

fn apply(draft: &mut Draft, kind: Preserved) -> bool {
    let mut replacing = Replacing::new(draft);
    for p in draft.places() {
        if let Some(steps) = agglomerate(draft, &replacing.neighbours, p, kind) {
            replacing.replace(draft, p, steps);
        }
    }
    replacing.finish(draft)
}

fn agglomerate(draft: &Draft, neighbours: &[Neighbours], p: usize, kind: Preserved) -> Option<Vec<Step>> {
    let Neighbours { consumers, producers, inhibited } = &neighbours[p];
    let few = consumers.len() * producers.len() <= consumers.len() + producers.len();
    let possible = !draft.observed[p] && draft.initial[p] == 0 && inhibited.is_empty();
    if !possible || !few || consumers.is_empty() || producers.is_empty() {
        return None;
    }
    for &h in producers {
        let step = &draft.steps[h];
        let prepares = step.post == [(p, 1)] && step.inhibitors.is_empty() && !step.pre.is_empty();
        let takes = |&(q, _): &(usize, u64)| {
            let undisputed = kind == Preserved::Reachability || neighbours[q].consumers == [h];
            q != p && undisputed && !draft.observed[q] && neighbours[q].inhibited.is_empty()
        };
        if !prepares || !step.pre.iter().all(takes) {
            return None;
        }
    }
    let mut steps = Vec::new();
    for &f in consumers {
        let step = &draft.steps[f];
        if weight(&step.pre, p) != 1 || weight(&step.post, p) > 0 {
            return None;
        }
        for &h in producers {
            let pre = add(&without(&step.pre, p), &draft.steps[h].pre, 1)?;
            steps.push(Step { pre, ..step.clone() });
        }
    }
    Some(steps)
}
