//! Formulas under fairness assumptions, as formulas without.
//!
//! **Meaning.** Quantifiers range over the paths that satisfy Φ, the conjunction of the assumptions ([`Condition`]): `E φ`
//! means `E (Φ ∧ φ)`, and `A φ` means `A (Φ → φ)`. A step of a modality counts where a fair path can follow it. The
//! quantifiers inside of the assumptions themselves range over all paths.
//!
//! **Cheap forms.** Φ does not depend on where a path begins. So `E F q` needs a way to a state of q where *some* fair path
//! begins, and with `Fair = E Φ`, which is the same everywhere in a formula and computed once:
//!
//! | | | | |
//! |---|---|---|---|
//! | `E ψ` | `ψ ∧ Fair` | `A ψ` | `Fair → ψ` |
//! | `E X a` | `E X (a ∧ Fair)` | `A X a` | `A X (Fair → a)` |
//! | `E F b` | `E F (b ∧ Fair)` | `A G a` | `A G (Fair → a)` |
//! | `E (a U b)` | `E (a U (b ∧ Fair))` | `A (a R b)` | `A (a R (Fair → b))` |
//! | `E (a M b)` | `E ((a ∧ Fair) M b)` | `A (a W b)` | `A ((Fair → a) W b)` |
//! | `⟨t⟩ a` | `⟨t⟩ (a ∧ Fair)` | `[t] a` | `[t] (Fair → a)` |
//! | `E φ` | `E (Φ ∧ φ)` | `A φ` | `A (Φ → φ)` |
//!
//! Here ψ, a and b are state formulas and φ is any other path formula. The right half is the left half for the negation.
//! A way to the state and a fair path from there make a fair path, under each path semantics: on a maximal path that ends
//! Φ speaks of its last state, which the two have in common.
//!
//! A quantifier that neither contains another nor is inside of one has the last form, whatever its path formula: then the
//! formula still is about single runs, which a search on the fly finds and a witness shows, with all that makes it fair.

use super::assumptions::{Assumption, Condition};
use super::ast::Formula;
use super::pool::{FormulaId, Pool};
use rustc_hash::FxHashMap;

impl Pool {
    /// The state formula that says the same about all paths as a formula about fair paths alone; a path formula stands
    /// for all of these. Without assumptions, the formula as it is closed.
    ///
    /// ```
    /// use starset::formula::{AssumptionKind, Pool, Symbols, parse, read_assumption};
    /// let symbols = Symbols::of_labels(["go", "stop"]);
    /// let mut pool = Pool::new();
    /// let fair = [read_assumption(AssumptionKind::StrongFair, "stop", &symbols, &mut pool).unwrap()];
    /// let f = parse("F action(stop)", &symbols, &mut pool).unwrap();
    /// let under = pool.under(f, &fair);
    /// let text = "A ((G F enabled(stop) -> G F action(stop)) -> F action(stop))";
    /// assert_eq!(pool.display(under, &symbols).to_string(), text);
    /// ```
    pub fn under(&mut self, formula: FormulaId, assumptions: &[Assumption]) -> FormulaId {
        let closed = self.close(formula);
        if !self.has(closed) || assumptions.iter().all(|assumption| assumption.conditions().is_empty()) {
            return closed;
        }
        let order = self.subformulas(&[closed]);
        let (all, fair) = self.fair_paths(assumptions);
        let mut rewriter = Rewriter { pool: self, all, fair };
        // Inside of a quantifier, and outside of all; and is there a quantifier inside?
        let mut inner: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        let mut outer: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        let mut quantified: FxHashMap<FormulaId, bool> = FxHashMap::default();
        for id in order {
            let node = rewriter.pool[id].clone();
            let below = node.children().iter().any(|a| quantified[a]);
            let rewritten = rewriter.cheap(node.map(|a| inner[&a]));
            let own = match &node {
                Formula::Exists(_) | Formula::Forall(_) if !below => rewriter.direct(&node),
                Formula::Not(_) | Formula::And(_) | Formula::Or(_) | Formula::Implies(..) | Formula::Iff(..)
                    if rewriter.pool.is_state(id) =>
                {
                    rewriter.pool.add(node.map(|a| outer[&a]))
                }
                _ => rewritten,
            };
            inner.insert(id, rewritten);
            outer.insert(id, own);
            let here =
                matches!(node, Formula::Exists(_) | Formula::Forall(_) | Formula::Diamond(..) | Formula::Box(..));
            quantified.insert(id, below || here);
        }
        outer[&closed]
    }

    /// Does a fair path begin here? Where none does, `E φ` is false and `A φ` true, whatever φ.
    pub fn some_fair_path(&mut self, assumptions: &[Assumption]) -> FormulaId {
        self.fair_paths(assumptions).1
    }

    /// Does a finite run begin here, one that ends in a deadlock or where `last` holds?
    pub fn some_finite_run(&mut self, last: Option<FormulaId>) -> FormulaId {
        let last = last.unwrap_or_else(|| self.add(Formula::Deadlock));
        self.sometimes(last)
    }

    /// What fair paths satisfy, and that there is one.
    fn fair_paths(&mut self, assumptions: &[Assumption]) -> (FormulaId, FormulaId) {
        let conditions: Vec<Condition> = assumptions.iter().flat_map(|all| all.conditions()).copied().collect();
        let paths = conditions.into_iter().map(|condition| condition.path(self)).collect();
        let all = self.and(paths);
        (all, self.add(Formula::Exists(all)))
    }
}

struct Rewriter<'a> {
    pool: &'a mut Pool,
    /// Φ
    all: FormulaId,
    /// `E Φ`
    fair: FormulaId,
}

impl Rewriter<'_> {
    /// `a ∧ Fair`
    fn fairly(&mut self, a: FormulaId) -> FormulaId {
        if self.pool[a] == Formula::True { self.fair } else { self.pool.add(Formula::And(vec![a, self.fair])) }
    }

    /// `Fair → a`
    fn where_fair(&mut self, a: FormulaId) -> FormulaId {
        self.pool.add(Formula::Implies(self.fair, a))
    }

    /// `E (Φ ∧ φ)` or `A (Φ → φ)`; of another node, the formula.
    fn direct(&mut self, node: &Formula) -> FormulaId {
        match *node {
            Formula::Exists(path) => {
                let path = self.pool.add(Formula::And(vec![self.all, path]));
                self.pool.add(Formula::Exists(path))
            }
            Formula::Forall(path) => {
                let path = self.pool.add(Formula::Implies(self.all, path));
                self.pool.add(Formula::Forall(path))
            }
            ref other => self.pool.add(other.clone()),
        }
    }

    /// The formula of a node whose operands are rewritten.
    fn cheap(&mut self, node: Formula) -> FormulaId {
        let path = match node {
            Formula::Diamond(labels, a) => {
                let a = self.fairly(a);
                return self.pool.add(Formula::Diamond(labels, a));
            }
            Formula::Box(labels, a) => {
                let a = self.where_fair(a);
                return self.pool.add(Formula::Box(labels, a));
            }
            Formula::Exists(path) | Formula::Forall(path) => path,
            other => return self.pool.add(other),
        };
        let some = matches!(node, Formula::Exists(_));
        if self.pool.is_state(path) {
            return if some { self.fairly(path) } else { self.where_fair(path) };
        }
        let inside = self.pool[path].clone();
        if !inside.children().iter().all(|&a| self.pool.is_state(a)) {
            return self.direct(&node);
        }
        use Formula::{Finally, Globally, Next, Release, StrongRelease, Until, WeakUntil};
        let inside = match (some, inside) {
            (true, Next(a)) => Next(self.fairly(a)),
            (true, Finally(b)) => Finally(self.fairly(b)),
            (true, Until(a, b)) => Until(a, self.fairly(b)),
            (true, StrongRelease(a, b)) => StrongRelease(self.fairly(a), b),
            (false, Next(a)) => Next(self.where_fair(a)),
            (false, Globally(a)) => Globally(self.where_fair(a)),
            (false, Release(a, b)) => Release(a, self.where_fair(b)),
            (false, WeakUntil(a, b)) => WeakUntil(self.where_fair(a), b),
            _ => return self.direct(&node),
        };
        let path = self.pool.add(inside);
        self.pool.add(if some { Formula::Exists(path) } else { Formula::Forall(path) })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{AssumptionKind, Symbols, parse, read_assumption};
    use crate::net::NetBuilder;

    /// Each form of the table; what the forms mean is tested against fair components by brute force.
    #[test]
    fn forms() {
        let mut b = NetBuilder::new("n");
        for name in ["a", "b", "j"] {
            b.place(name, 1).unwrap();
        }
        b.transition("t").unwrap();
        let symbols = Symbols::new(&b.build().unwrap());
        let mut pool = Pool::new();
        let justice = read_assumption(AssumptionKind::Justice, "j = 1", &symbols, &mut pool).unwrap();
        let (fair, phi) = ("(E G F (#j = 1))", "(G F (#j = 1))");
        for (text, expected) in [
            ("a = 1 & enabled(t)", "#a = 1 & enabled(t)".to_owned()),
            ("G a = 1", format!("A ({phi} -> (G (#a = 1)))")),
            ("EF a = 1 | AG b = 1", format!("(E ({phi} & (F (#a = 1)))) | (A ({phi} -> (G (#b = 1))))")),
            ("EX AX a = 1", format!("E X ((A X ({fair} -> #a = 1)) & {fair})")),
            ("AG EF a = 1", format!("A G ({fair} -> (E F (#a = 1 & {fair})))")),
            ("AG E a = 1", format!("A G ({fair} -> (#a = 1 & {fair}))")),
            ("AF E[a = 1 U b = 1]", format!("A ({phi} -> (F (E (#a = 1 U (#b = 1 & {fair})))))")),
            ("AX E[a = 1 M b = 1]", format!("A X ({fair} -> (E ((#a = 1 & {fair}) M #b = 1)))")),
            ("AX A[a = 1 W b = 1]", format!("A X ({fair} -> (A (({fair} -> #a = 1) W #b = 1)))")),
            ("AX A[a = 1 R b = 1]", format!("A X ({fair} -> (A (#a = 1 R ({fair} -> #b = 1))))")),
            ("<t> [t] a = 1", format!("<t> (([t] ({fair} -> #a = 1)) & {fair})")),
            ("EX EG a = 1", format!("E X ((E ({phi} & (G (#a = 1)))) & {fair})")),
        ] {
            let formula = parse(text, &symbols, &mut pool).unwrap();
            let under = pool.under(formula, std::slice::from_ref(&justice));
            let expected = parse(&expected, &symbols, &mut pool).unwrap();
            assert_eq!(under, expected, "{text}: {}", pool.display(under, &symbols));
            let closed = pool.close(formula);
            assert_eq!(pool.under(formula, &[]), closed);
        }
    }
}
