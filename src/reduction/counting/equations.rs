//! Places whose tokens are a weighted sum of those of others are left out.
//!
//! If weights y ≥ 0 of other places change as p does, `C(p,t) = y·C(·,t)` for each transition t, then
//! `m(p) = y·m + m₀(p) − y·m₀` in every reachable marking: it says nothing that the others do not. If in addition p is
//! *implicit* by these weights (see `implicit_places`), the net without p has the same markings as far as the other
//! places go, and each transition is enabled in the same of them.
//!
//! Silva, Teruel and Colom 1998, section 5.2; Berthomieu, Le Botlan and Dal Zilio 2020, rule RED.

use super::{Stage, Sum};
use crate::budget::Budget;
use crate::reduction::draft::weight;
use crate::reduction::implicit_places::{self, Bound};

/// Larger programs take too long: so many entries in their matrix.
const ENTRIES: usize = 1 << 18;

/// Leave out places where that is proved; was there one?
pub(super) fn apply(stage: &mut Stage, budget: &Budget) -> bool {
    let places: Vec<usize> = stage.draft.places().collect();
    if places.len() * stage.draft.steps.len() > ENTRIES {
        return false;
    }
    let leaves = stage.leaves();
    let mut changed = false;
    for &p in &places {
        if budget.check().is_err() {
            break;
        }
        if leaves[p].len() != 1 || stage.draft.observed[p] {
            continue;
        }
        let others: Vec<usize> = stage.draft.places().filter(|&q| q != p).collect();
        // Of transitions that add no marking it is still counted where they are enabled.
        let consumers: Vec<_> =
            stage.draft.steps.iter().chain(&stage.idle.steps).filter(|step| weight(&step.pre, p) > 0).collect();
        let found = implicit_places::weights(&stage.draft, &others, &consumers, p, Bound::Exact, budget);
        let Some((divisor, weights)) = found else { continue };
        let initial = |q: usize| i128::from(stage.draft.initial[q]);
        let mut sum = Sum { divisor, constant: divisor * initial(p), terms: Default::default() };
        for (q, weight) in weights {
            sum.constant -= weight * initial(q);
            leaves[q].iter().for_each(|&leaf| _ = sum.terms.insert(leaf, weight));
        }
        stage.sums.push((leaves[p][0], sum));
        let mut remove = vec![false; stage.at.len()];
        remove[p] = true;
        stage.draft.remove_places(&remove);
        stage.idle.remove_places(&remove);
        changed = true;
    }
    changed
}
