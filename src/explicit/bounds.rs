//! `bounds(p, …)` in formulas: the maximum over the reachable states, replaced by its value.
//!
//! The value needs all reachable states, whatever the formula: one exploration finds the
//! maxima of all such sums of a formula, and the formula is built again with constants in their places.

use super::{Explicit, Options, Stats};
use crate::budget::Budget;
use crate::formula::{FormulaId, Greatest, Pool};
use crate::net::PlaceId;
use crate::stop_reason::StopReason;

/// The formula with the value of each `bounds` in its place, and the effort of finding them.
pub(crate) fn substitute(
    engine: &dyn Explicit<'_>,
    pool: &mut Pool,
    root: FormulaId,
    options: &Options,
    budget: &Budget,
) -> Result<(FormulaId, Stats), StopReason> {
    let sums = pool.bounds_in(&[root]);
    if sums.is_empty() {
        return Ok((root, Stats::default()));
    }
    let mut maxima = vec![0i128; sums.len()];
    let explored = engine.find(options, budget, &mut |state| {
        for (max, places) in maxima.iter_mut().zip(&sums) {
            *max = places.iter().map(|&p| i128::from(state.value(p))).sum::<i128>().max(*max);
        }
        false
    })?;
    let known = |places: &[PlaceId]| {
        let (_, &greatest) = sums.iter().zip(&maxima).find(|(sum, _)| sum[..] == *places)?;
        Some(Greatest::Number(greatest))
    };
    Ok((pool.with_bounds(root, known), explored.stats))
}
