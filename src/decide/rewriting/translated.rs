//! Formulas and what they see, taken from one net to another.

use crate::budget::Budget;
use crate::formula::{Expr, ExprId, Formula, FormulaId, Pool};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::reduction::fusion::Tokens;
use crate::reduction::quotient::Quotient;
use rustc_hash::FxHashMap;

/// A reduced net is used if it has at most so many nodes of ten.
const WORTHWHILE: usize = 9;
/// Is it worth while to go on with the reduced net?
pub(in crate::decide) fn is_smaller(reduced: &PetriNet, net: &PetriNet) -> bool {
    let nodes = |net: &PetriNet| net.place_count() + net.transition_count();
    nodes(reduced) * 10 <= nodes(net) * WORTHWHILE
}

/// The parts of a net that some questions observe.
#[derive(Default)]
pub(in crate::decide) struct Seen<'a> {
    /// Places whose tokens are added up.
    pub(in crate::decide) sums: Vec<&'a [PlaceId]>,
    /// Transitions of which one is enabled, or fires.
    pub(in crate::decide) lists: Vec<&'a [TransitionId]>,
}

impl<'a> Seen<'a> {
    /// Take in what some formulas see; `None` if one of them sees more than tokens and steps.
    pub(in crate::decide) fn formulas(&mut self, pool: &'a Pool, formulas: &[FormulaId]) -> Option<()> {
        for id in pool.subformulas(formulas) {
            match &pool[id] {
                Formula::Still(_) | Formula::Label(_) => return None,
                &Formula::Compare(a, _, b) => {
                    for expr in pool.subexpressions(vec![a, b]) {
                        if let Expr::Tokens(list) | Expr::Bounds(list) = &pool[expr] {
                            self.sums.push(list);
                        }
                    }
                }
                Formula::Enabled(list)
                | Formula::Action(list)
                | Formula::Diamond(Some(list), _)
                | Formula::Box(Some(list), _) => self.lists.push(list),
                _ => {}
            }
        }
        Some(())
    }

    /// The net for those who see no more than this.
    pub(in crate::decide) fn fuse(&self, tokens: &Tokens<'_>, budget: &Budget) -> Option<Quotient> {
        tokens.fuse(&self.sums, &self.lists, budget)
    }
}

/// The formula over the net that was fused for it.
pub(in crate::decide) fn onto_fused(fused: &Quotient, pool: &mut Pool, formula: FormulaId) -> Option<FormulaId> {
    translate(pool, formula, |list| Some(fused.sum(list)), |list| Some(fused.list(list)))
}

/// The formula over the places and transitions of another net: `places` and `transitions` translate lists of them.
pub(in crate::decide) fn translate(
    pool: &mut Pool,
    formula: FormulaId,
    places: impl Fn(&[PlaceId]) -> Option<Vec<PlaceId>>,
    transitions: impl Fn(&[TransitionId]) -> Option<Vec<TransitionId>>,
) -> Option<FormulaId> {
    rebuild(pool, formula, |pool, node| match node {
        Formula::Compare(a, comparison, b) => {
            let mut moved: FxHashMap<ExprId, ExprId> = FxHashMap::default();
            for expr in pool.subexpressions(vec![a, b]) {
                let node = match pool[expr].clone() {
                    Expr::Tokens(list) => Expr::Tokens(places(&list)?),
                    Expr::Bounds(list) => Expr::Bounds(places(&list)?),
                    node => node.map(|operand| moved[&operand]),
                };
                let result = pool.add_expr(node);
                moved.insert(expr, result);
            }
            Some(Formula::Compare(moved.get(&a).copied()?, comparison, moved.get(&b).copied()?))
        }
        Formula::Enabled(list) => Some(Formula::Enabled(transitions(&list)?)),
        Formula::Action(list) => Some(Formula::Action(transitions(&list)?)),
        Formula::Diamond(Some(list), a) => Some(Formula::Diamond(Some(transitions(&list)?), a)),
        Formula::Box(Some(list), a) => Some(Formula::Box(Some(transitions(&list)?), a)),
        node => Some(node),
    })
}

/// The formula with `change` applied to each node, operands first.
pub(in crate::decide) fn rebuild(
    pool: &mut Pool,
    formula: FormulaId,
    mut change: impl FnMut(&mut Pool, Formula) -> Option<Formula>,
) -> Option<FormulaId> {
    let mut rebuilt: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    for id in pool.subformulas(&[formula]) {
        let node = pool[id].clone().map(|a| rebuilt.get(&a).copied().unwrap_or(a));
        let node = change(pool, node)?;
        let result = pool.add(node);
        rebuilt.insert(id, result);
    }
    rebuilt.get(&formula).copied()
}
