//! Which logic a formula belongs to.
//!
//! The classes are syntactic: a formula that merely has an equivalent in CTL is not in CTL (the rewriting of
//! `quantifiers` finds some). One pass over the subformulas, operands first, marks which of them have a
//! quantifier, a temporal operator, and which are CTL or reachability formulas.
//!
//! The classes overlap: `AX p` is both CTL and LTL. The first of Boolean, reachability, CTL, LTL is taken, so
//! that a formula with its quantifiers written out is CTL if it can be.

use super::ast::Formula;
use super::pool::{FormulaId, Pool};
use super::semantics::Logic;
use rustc_hash::FxHashMap;

/// The class of one subformula.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Class {
    /// Has no path quantifier.
    linear: bool,
    /// Has neither path quantifier nor temporal operator.
    boolean: bool,
    reachability: bool,
    ctl: bool,
}

impl Pool {
    /// Is it a Boolean combination of conditions and of quantified formulas without quantifiers inside?
    pub(crate) fn is_about_runs(&self, formula: FormulaId) -> bool {
        let is_quantifier = |id: FormulaId| matches!(self[id], Formula::Exists(_) | Formula::Forall(_));
        self.subformulas(&[formula]).into_iter().all(|id| match self[id] {
            Formula::Exists(path) | Formula::Forall(path) => !self.subformulas(&[path]).into_iter().any(is_quantifier),
            Formula::Diamond(..) | Formula::Box(..) => false,
            _ => true,
        })
    }

    /// Is it a quantified formula whose value, if it is this, one run shows: `E φ` that holds, or `A φ` that does not?
    pub(crate) fn shown_by_run(&self, formula: FormulaId, holds: bool) -> bool {
        match self[formula] {
            Formula::Exists(_) => holds,
            Formula::Forall(_) => !holds,
            _ => false,
        }
    }

    /// The first of [`Logic`]'s classes that the formula is in.
    ///
    /// ```
    /// use starset::formula::{parse, Logic, Pool, Symbols};
    /// let symbols = Symbols::new(&starset::net::NetBuilder::new("empty").build()?);
    /// let mut pool = Pool::new();
    /// let mut logic = |text| {
    ///     let f = parse(text, &symbols, &mut pool).unwrap();
    ///     pool.logic(f)
    /// };
    /// assert_eq!(logic("EF deadlock"), Logic::Reachability);
    /// assert_eq!(logic("AG EF deadlock"), Logic::Ctl);
    /// assert_eq!(logic("G F deadlock"), Logic::Ltl);
    /// assert_eq!(logic("E (G F deadlock)"), Logic::CtlStar);
    /// # Ok::<(), starset::net::BuildError>(())
    /// ```
    pub fn logic(&self, formula: FormulaId) -> Logic {
        let mut classes: FxHashMap<FormulaId, Class> = FxHashMap::default();
        let mut last = Class { linear: true, boolean: true, reachability: true, ctl: true };
        for id in self.subformulas(&[formula]) {
            last = self.class(id, &classes);
            classes.insert(id, last);
        }
        if last.boolean {
            Logic::Boolean
        } else if last.reachability {
            Logic::Reachability
        } else if last.ctl {
            Logic::Ctl
        } else if last.linear || matches!(self[formula], Formula::Forall(a) if classes[&a].linear) {
            Logic::Ltl
        } else {
            Logic::CtlStar
        }
    }

    fn class(&self, id: FormulaId, classes: &FxHashMap<FormulaId, Class>) -> Class {
        let node = &self[id];
        let operands = node.children();
        let all = |property: fn(&Class) -> bool| operands.iter().all(|a| property(&classes[a]));
        match node {
            Formula::Exists(path) | Formula::Forall(path) => {
                let under = self[*path].children();
                let target = match (node, &self[*path]) {
                    (Formula::Exists(_), Formula::Finally(a)) | (Formula::Forall(_), Formula::Globally(a)) => Some(*a),
                    _ => None,
                };
                Class {
                    linear: false,
                    boolean: false,
                    reachability: target.is_some_and(|a| classes[&a].boolean),
                    ctl: self[*path].is_temporal() && under.iter().all(|a| classes[a].ctl),
                }
            }
            Formula::Diamond(..) | Formula::Box(..) => {
                Class { linear: false, boolean: false, reachability: false, ctl: all(|c| c.ctl) }
            }
            Formula::Action(_) => Class { linear: true, boolean: false, reachability: false, ctl: false },
            node if node.is_temporal() || node.is_past() => {
                Class { linear: all(|c| c.linear), boolean: false, reachability: false, ctl: false }
            }
            _ => Class {
                linear: all(|c| c.linear),
                boolean: all(|c| c.boolean),
                reachability: all(|c| c.reachability),
                ctl: all(|c| c.ctl),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Symbols, parse};
    use crate::net::NetBuilder;

    #[test]
    fn classes() {
        let symbols = Symbols::new(&NetBuilder::new("n").build().unwrap());
        for (logic, texts) in [
            (Logic::Boolean, vec!["true", "deadlock & 1 < 2 -> false"]),
            (Logic::Reachability, vec!["EF deadlock", "AG !deadlock", "true & !EF deadlock"]),
            (
                Logic::Ctl,
                vec![
                    "AF deadlock",
                    "EX deadlock",
                    "A[true U EF deadlock]",
                    "EG deadlock",
                    "E(true W AG true)",
                    "EF AG true",
                    "AX true & EF true",
                    "AG(true -> AF deadlock)",
                ],
            ),
            (
                Logic::Ltl,
                vec!["X true", "A(GF true)", "A true", "true U deadlock", "F true & G true", "G deadlock", "A !X true"],
            ),
            (
                Logic::CtlStar,
                vec![
                    "E GF true",
                    "E true",
                    "A(F E G F true)",
                    "EF true & A(GF true)",
                    "AG EF true & X true",
                    "!A(GF true)",
                    "E !F true",
                    "F EF true",
                ],
            ),
        ] {
            for text in texts {
                let mut pool = Pool::new();
                let f = parse(text, &symbols, &mut pool).unwrap();
                assert_eq!(pool.logic(f), logic, "{text}");
            }
        }
    }
}
