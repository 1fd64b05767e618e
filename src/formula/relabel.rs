//! The same formula about the labels of another model.

use super::ast::Formula;
use super::pool::{FormulaId, Pool};
use crate::net::TransitionId;
use rustc_hash::FxHashMap;

impl Pool {
    /// A formula with other lists of transitions (or labels) in its atoms and modalities. `None` if `change` knows no list
    /// for one, or if there are token counts or state labels in the formula.
    pub(crate) fn relabelled(
        &mut self,
        formula: FormulaId,
        change: impl Fn(&[TransitionId]) -> Option<Vec<TransitionId>>,
    ) -> Option<FormulaId> {
        let change = |labels: &[TransitionId]| {
            let mut labels = change(labels)?;
            labels.sort_unstable();
            labels.dedup();
            Some(labels)
        };
        let mut new: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        for id in self.subformulas(&[formula]) {
            let node = match self[id].map(|a| new[&a]) {
                Formula::Compare(..) | Formula::Label(_) => return None,
                Formula::Enabled(labels) => Formula::Enabled(change(&labels)?),
                Formula::Action(labels) => Formula::Action(change(&labels)?),
                Formula::Diamond(Some(labels), a) => Formula::Diamond(Some(change(&labels)?), a),
                Formula::Box(Some(labels), a) => Formula::Box(Some(change(&labels)?), a),
                node => node,
            };
            let copy = self.add(node);
            new.insert(id, copy);
        }
        new.get(&formula).copied()
    }
}
