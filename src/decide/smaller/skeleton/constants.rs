//! Conditions that have the same value in every reachable marking, as the skeleton tells.
//!
//! Its state equation has a row for each place of the coloured net, whatever the unfolding: what it refutes costs next
//! to nothing there, and much on the unfolding, whose equation says little more of numbers of tokens whatever their
//! colours.

use super::{Approximation, Side, Skeletal};
use crate::decide::conditions::{Condition, Refuter};
use crate::decide::rewriting::constants::replace;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use rustc_hash::FxHashMap;

/// The part of its time that the skeleton has for this.
const PART: u32 = 2;

impl Skeletal {
    /// Formulas equivalent to these in the initial state, each with its path semantics, simplified. When the time is
    /// used up, the rest stays as it is.
    pub(in crate::decide) fn simplify(
        &self,
        model: &dyn Kind,
        pool: &mut Pool,
        formulas: &mut [(FormulaId, PathSemantics)],
    ) {
        let budget = self.budget.part(1, PART);
        let (Some(mut refuter), Some(&(_, any))) = (Refuter::new(self.skeleton.net()), formulas.first()) else {
            return;
        };
        let initial = model.initial();
        // What is put into the pool for the skeleton is of no use afterwards.
        let mut there = pool.clone();
        let mut approximation = Approximation::new(&self.skeleton, &mut there, any, model.actions());
        let roots: Vec<FormulaId> = formulas.iter().map(|&(formula, _)| formula).collect();
        let image = |id: FormulaId| {
            if matches!(pool[id], Formula::True | Formula::False) {
                return None;
            }
            // What it is now it may be for ever. Conditions mean the same whatever the paths.
            let now = Condition::new(model, pool, id)?.holds(&initial)?;
            Some((id, (now, approximation.of(id, if now { Side::Lower } else { Side::Upper })?)))
        };
        let images: FxHashMap<FormulaId, (bool, FormulaId)> =
            pool.subformulas(&roots).into_iter().filter_map(image).collect();
        let mut known: FxHashMap<FormulaId, Option<bool>> = FxHashMap::default();
        for (formula, paths) in formulas {
            let replaced = replace(pool, *formula, |_, id| {
                let &(now, image) = images.get(&id).filter(|_| budget.check().is_ok())?;
                let constant = || refuter.never(&there, image, !now, &budget).then_some(now);
                *known.entry(id).or_insert_with(constant)
            });
            *formula = pool.simplify(replaced, *paths);
        }
    }
}
