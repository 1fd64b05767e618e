//! Partial pre-agglomeration: those producers of a place wait that only prepare, and the place stays for the others.
//!
//! **Rule.** Let *p* be a place with a single consumer f, which takes w tokens of it. *p* is not observed, and inhibits nothing.
//! Let W be producers of *p* as pre-agglomeration demands them: each h ∈ W gives w tokens to *p* and nothing else, is not inhibited, and takes
//! some tokens, only from places other than *p* that are not observed and inhibit nothing. Each h ∈ W becomes h·f. All else stays:
//! *p* with the tokens that it has at first, its other producers, and f for what they give.
//!
//! **Why.** Relate a marking m of the net to r of the smaller one if m comes from r by some firings σ of W: then *p* holds w·|σ| tokens
//! more in m than in r, and all other places hold no more in m. What m can do, r can: another h is no step at all; for an f, r has w
//! tokens in *p* and f is possible, or σ is not empty, and h·f is possible for any of its h; whatever else there is takes
//! nothing from *p*, finds at least as much elsewhere, and the same in observed places and those that inhibit. What r can do, the net can
//! do, with h before f. The markings after it are related again, and seen to be the same: so reachability is preserved.
//! The initial markings are the same, so that nothing need be put back.
//!
//! **Conflicts, branching.** As in `pre_agglomeration`, and for the same reasons. For deadlocks and LTL without next nothing but W takes from
//! the places from which W does. (So W is the largest set for which that holds.) Firings of W alone end, as
//! they take tokens and give some to *p* only. If m is dead, r is: f and each h·f lack something besides *p* that none of W takes if
//! σ is not empty, and r is m if it is. If r is dead, the net gets to a dead marking by what is left of W, with f lacking the same.
//! For CTL\* without next each h is the only consumer of each place that it takes from: an h·f of r is an h and f of m if h is not
//! in σ, or else f alone.
//!
//! **Preserves** reachability, deadlocks, LTL without next (by runs that are no longer), CTL\* without next; each with its demands. Where
//! only reachability matters, W has no demands on its rivals ("partial free agglomeration").
//!
//! A single consumer, since there are as many transitions afterwards as before. Once at each place: around a cycle of
//! places it could go on for ever. It waits until no other rule applies.
//!
//! Used for 84 of 1,059 questions about 121 nets of the Model Checking Contest, it made 12 nets smaller by some nodes (other rules apply after it),
//! and 6 of 8 whose markings could be counted had a fifth fewer; none had more. Nearly all of these asked for reachability.
//!
//! Thierry-Mieg 2020 and ITS-tools (partial free agglomeration, for a place that is empty at first, with weights 1, and for reachability
//! alone).

use super::agglomeration::divide_all;
use super::draft::{Draft, Neighbours, Step, add, weight, without};
use super::pre_agglomeration::waits;
use super::rule::{Preserved, Rule};

pub(super) const RULE: Rule = Rule {
    name: "partial pre-agglomeration",
    late: true,
    preserves: |kind| kind != Preserved::Ctl,
    apply: |draft, kind, budget| divide_all(draft, kind, divide, budget),
};

fn divide(draft: &Draft, neighbours: &[Neighbours], p: usize, kind: Preserved) -> Option<(Vec<usize>, Vec<Step>)> {
    let &[f] = &neighbours[p].consumers[..] else { return None };
    let consumer = &draft.steps[f];
    let taken = weight(&consumer.pre, p);
    let mut waiting = neighbours[p].producers.clone();
    loop {
        let before = waiting.clone();
        waiting.retain(|&h| waits(draft, neighbours, (p, taken), kind, h, &before));
        if waiting.len() == before.len() {
            break;
        }
    }
    if waiting.is_empty() {
        return None;
    }
    let pair = |&h: &usize| {
        let pre = add(&without(&consumer.pre, p), &draft.steps[h].pre, 1)?;
        Some(Step { pre, ..consumer.clone() })
    };
    let steps = waiting.iter().map(pair).collect::<Option<_>>()?;
    Some((waiting, steps))
}
