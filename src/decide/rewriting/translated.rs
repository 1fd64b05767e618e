//! Formulas and what they see, taken from one net to another.

use crate::budget::Budget;
use crate::formula::{Expr, Formula, FormulaId, Pool};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::reduction::fusion::Tokens;
use crate::reduction::quotient::Quotient;

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
                Formula::Still(_) | Formula::Label(_) | Formula::Set(_) => return None,
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
    pool.rebuild(formula, |pool, node| match node {
        Formula::Compare(a, comparison, b) => {
            let mut moved = |expr| {
                pool.rebuild_expr(expr, |_, node| match node {
                    Expr::Tokens(list) => Some(Expr::Tokens(places(&list)?)),
                    Expr::Bounds(list) => Some(Expr::Bounds(places(&list)?)),
                    node => Some(node),
                })
            };
            Some(Formula::Compare(moved(a)?, comparison, moved(b)?))
        }
        node => node.with_transitions(&transitions),
    })
}
