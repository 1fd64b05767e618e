//! Places that never are what a transition waits for.
//!
//! A place is *implicit* if no transition is disabled by it alone. It may be removed if it is not observed and
//! inhibits nothing: the same runs stay possible, and everything is preserved. Two cases are found by looking at
//! single places:
//!
//! * **Single**: nothing decreases the place, and at first it holds what each of its consumers needs. Places
//!   without consumers are among them.
//! * **Parallel**: beside another place q, the place gains at least as much by each transition, so that
//!   `m(p) ≥ m(q) + m₀(p) − m₀(q)` in every reachable marking; and each consumer of p needs so much of q that
//!   what it needs of p is implied.
//!
//! Implicit places by a weighted sum of several others take a linear program (`implicit_places`).
//!
//! Berthelot 1986; Silva, Teruel and Colom, "Linear algebraic and linear programming techniques for the analysis
//! of place/transition net systems", LNCS 1491, 1998.

use super::draft::{Draft, Neighbours, weight};
use super::rule::Rule;

pub(super) const SINGLE: Rule = Rule {
    name: "single redundant places",
    late: false,
    preserves: |_| true,
    apply: |draft, _, _| apply(draft, alone),
};

pub(super) const PARALLEL: Rule = Rule {
    name: "parallel redundant places",
    late: false,
    preserves: |_| true,
    apply: |draft, _, _| apply(draft, beside_another),
};

fn apply(draft: &mut Draft, implicit: fn(&Draft, &[Neighbours], usize, &[bool]) -> bool) -> bool {
    let neighbours = draft.neighbours();
    let mut remove = vec![false; draft.initial.len()];
    for p in draft.places() {
        if !draft.observed[p] && neighbours[p].inhibited.is_empty() {
            remove[p] = implicit(draft, &neighbours, p, &remove);
        }
    }
    let changed = remove.contains(&true);
    draft.remove_places(&remove);
    changed
}

fn alone(draft: &Draft, neighbours: &[Neighbours], p: usize, _: &[bool]) -> bool {
    neighbours[p].consumers.iter().all(|&t| {
        let step = &draft.steps[t];
        step.change(p) >= 0 && weight(&step.pre, p) <= draft.initial[p]
    })
}

/// `gone` are the places that were removed in this pass: none of them may be the reason to remove another.
fn beside_another(draft: &Draft, neighbours: &[Neighbours], p: usize, gone: &[bool]) -> bool {
    let Some(first) = neighbours[p].consumers.iter().min_by_key(|&&t| draft.steps[t].pre.len()) else { return true };
    let difference = |q: usize| i128::from(draft.initial[p]) - i128::from(draft.initial[q]);
    draft.steps[*first].pre.iter().any(|&(q, _)| {
        q != p
            && !gone[q]
            && neighbours[p].consumers.iter().all(|&t| {
                let step = &draft.steps[t];
                let implied = i128::from(weight(&step.pre, q)) + difference(q);
                weight(&step.pre, q) > 0
                    && implied >= i128::from(weight(&step.pre, p))
                    && step.change(p) >= step.change(q)
            })
            && neighbours[q].producers.iter().chain(&neighbours[p].producers).all(|&t| {
                let step = &draft.steps[t];
                step.change(p) >= step.change(q)
            })
    })
}
