//! Implicit places, by the state equation.
//!
//! **Problem.** A place may be redundant because of several others together, as the complement of a set of places
//! is, or a place that counts what a semiflow counts already.
//!
//! **Idea.** Look for weights y ≥ 0 of other places such that each transition changes *p* by at least as much as
//! the weighted sum of the others, `C(p,t) ≥ y·C(·,t)`. Then `m(p) ≥ y·m + m₀(p) − y·m₀` in every reachable
//! marking. If in addition each consumer t of *p* satisfies `y·Pre(·,t) + m₀(p) − y·m₀ ≥ Pre(p,t)`, then what t
//! needs of the other places implies that it finds enough in *p*: *p* is implicit and is removed. Markings without
//! *p* and their successors stay the same, so everything is preserved.
//!
//! **Proof.** The weights are found by a linear program in floating point, multiplied by small numbers until they
//! are nearly integers, and checked in exact arithmetic.
//!
//! One program for each place that has consumers; the budget bounds them.
//!
//! Silva, Teruel and Colom, "Linear algebraic and linear programming techniques for the analysis of
//! place/transition net systems", LNCS 1491, 1998, section 5.2.

use super::draft::{Draft, Step, weight};
use super::rule::Rule;
use crate::budget::Budget;
use crate::structure::linear_program::LinearProgram;

pub(super) const RULE: Rule =
    Rule { name: "implicit places", late: true, preserves: |_| true, apply: |draft, _, budget| apply(draft, budget) };

/// Larger nets take too long.
const NODES: usize = 600;
/// Multipliers that are tried to make weights integers.
const DENOMINATORS: u32 = 12;

fn apply(draft: &mut Draft, budget: &Budget) -> bool {
    let neighbours = draft.neighbours();
    let places: Vec<usize> = draft.places().collect();
    if places.len() + draft.steps.len() > NODES {
        return false;
    }
    let mut remove = vec![false; draft.initial.len()];
    for &p in &places {
        if budget.check().is_err() {
            break;
        }
        let needed = draft.observed[p] || !neighbours[p].inhibited.is_empty();
        if !needed {
            // Places removed before are no reason to remove another.
            let others: Vec<usize> = places.iter().copied().filter(|&q| q != p && !remove[q]).collect();
            let consumers: Vec<&Step> = neighbours[p].consumers.iter().map(|&t| &draft.steps[t]).collect();
            remove[p] = weights(draft, &others, &consumers, p, Bound::Below, budget).is_some();
        }
    }
    let changed = remove.contains(&true);
    draft.remove_places(&remove);
    changed
}

/// Relation of the weighted sum of other places to the tokens of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// A lower bound.
    Below,
    /// The same, up to a constant.
    Exact,
}

/// A divisor, and weights of these other places that, divided by it, prove the place with these consumers implicit.
pub(super) fn weights(
    draft: &Draft,
    others: &[usize],
    consumers: &[&Step],
    p: usize,
    bound: Bound,
    budget: &Budget,
) -> Option<(i128, Vec<(usize, i128)>)> {
    let mut variable = vec![usize::MAX; draft.initial.len()];
    others.iter().enumerate().for_each(|(i, &q)| variable[q] = i);
    let mut program = LinearProgram::minimize(others.iter().map(|_| 1.0));
    for step in &draft.steps {
        let effect = step.effect();
        let terms: Vec<(usize, f64)> =
            effect.iter().filter(|&&(q, _)| variable[q] != usize::MAX).map(|&(q, c)| (variable[q], c as f64)).collect();
        let change = step.change(p) as f64;
        match (terms.is_empty(), bound) {
            (true, Bound::Below) if change < 0.0 => return None,
            (true, Bound::Exact) if change != 0.0 => return None,
            (true, _) => {}
            (false, Bound::Below) => program.at_most(&terms, change),
            (false, Bound::Exact) => program.equal(&terms, change),
        }
    }
    for step in consumers {
        let share = |q: usize| weight(&step.pre, q) as f64 - draft.initial[q] as f64;
        let terms: Vec<(usize, f64)> =
            others.iter().map(|&q| (variable[q], share(q))).filter(|&(_, share)| share != 0.0).collect();
        let lacking = weight(&step.pre, p) as f64 - draft.initial[p] as f64;
        match terms.is_empty() {
            true if lacking > 0.0 => return None,
            true => {}
            false => program.at_least(&terms, lacking),
        }
    }
    let solution = program.solve(budget).ok()?;
    (1..=DENOMINATORS).find_map(|k| {
        let scaled = solution.iter().map(|y| (y * f64::from(k)).max(0.0));
        let near = scaled.clone().all(|y| y < 1e6 && (y - y.round()).abs() < 1e-4);
        let weights: Vec<(usize, i128)> =
            others.iter().copied().zip(scaled.map(|y| y.round() as i128)).filter(|&(_, y)| y > 0).collect();
        let k = i128::from(k);
        (near && proves(draft, consumers, p, k, &weights, bound).is_some()).then_some((k, weights))
    })
}

/// Some if the weights, divided by `k`, prove the place implicit.
fn proves(
    draft: &Draft,
    consumers: &[&Step],
    p: usize,
    k: i128,
    weights: &[(usize, i128)],
    bound: Bound,
) -> Option<()> {
    let sum = |value: &dyn Fn(usize) -> i128| -> Option<i128> {
        weights.iter().try_fold(0i128, |sum, &(q, y)| sum.checked_add(y.checked_mul(value(q))?))
    };
    for step in &draft.steps {
        let (change, of_sum) = (step.change(p).checked_mul(k)?, sum(&|q| step.change(q))?);
        (change == of_sum || bound == Bound::Below && change > of_sum).then_some(())?;
    }
    for step in consumers {
        let lacking = i128::from(weight(&step.pre, p)) - i128::from(draft.initial[p]);
        let implied = sum(&|q| i128::from(weight(&step.pre, q)) - i128::from(draft.initial[q]))?;
        (implied >= lacking.checked_mul(k)?).then_some(())?;
    }
    Some(())
}
