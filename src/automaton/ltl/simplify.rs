//! Rewriting a formula into an equivalent one that gives a smaller automaton.
//!
//! Bottom-up; each operator has its rules, applied until none fits. The rules are those of Somenzi & Bloem
//! (2000), Etessami & Holzmann (2000) and Babiak, Křetínský, Řehák & Strejček (2012), of these kinds:
//!
//! - laws of the operators (`F X a = X F a`, `F(a U b) = F b`, `X a ∧ X b = X(a ∧ b)`, `G a ∧ G b = G(a ∧ b)`,
//!   `(a U b) ∧ (c U b) = (a ∧ c) U b`, `F b ∧ (a W b) = a U b`, …);
//! - eventual and universal operands: they swallow operators (`F e = e`, `G u = u`, `a U e = e`), and
//!   suspendable ones, whose truth never changes, move out of any operator (`F(a ∧ q) = F a ∧ q`);
//! - syntactic implication: what another operand entails is dropped from `∧` and `∨`, `a U b = b` when `a ⇒ b`,
//!   and so on.
//!
//! Laws of the future are true at each position whatever their operands say of the past. Those of the past are in the
//! module `past`.
//!
//! Rules are written for `∧`, `F`, `U` and `W` and serve `∨`, `G`, `R` and `M` by duality. Rewriting is
//! bounded: below a fixed number of nested rule applications the plain constructors take over, so that a
//! pair of rules that undo each other could cost quality, never termination.

use super::{Formula, Formulas, Node};
use rustc_hash::FxHashMap;

/// Known results for a store: simplified forms and entailments.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    simplified: FxHashMap<Formula, Formula>,
    pub(super) entailments: FxHashMap<(Formula, Formula), bool>,
    /// What `Y a` and `a S b` become.
    pub(super) yesterday: FxHashMap<Formula, Formula>,
    pub(super) since: FxHashMap<(Formula, Formula), Formula>,
}

/// Nesting of rule applications after which formulas are built as they are.
const RULE_DEPTH: u32 = 40;

impl Formulas {
    /// An equivalent formula, simpler for the translator.
    pub fn simplify(&mut self, f: Formula) -> Formula {
        for g in self.subformulas(f) {
            if self.memo.simplified.contains_key(&g) {
                continue;
            }
            let simple = self.simplify_top(g);
            self.memo.simplified.insert(g, simple);
            self.memo.simplified.insert(g.negated(), simple.negated());
        }
        self.simplified(f)
    }

    fn simplified(&self, f: Formula) -> Formula {
        self.memo.simplified.get(&f).copied().unwrap_or(f)
    }

    /// Rebuilds `f` from its simplified operands with the rewriting constructors.
    fn simplify_top(&mut self, f: Formula) -> Formula {
        let depth = RULE_DEPTH;
        match self.node(f).clone() {
            Node::True | Node::False | Node::Literal(..) => f,
            Node::And(fs) => {
                let operands = fs.iter().map(|&g| self.simplified(g)).collect();
                self.simple_and(operands, depth)
            }
            Node::Next(a) => {
                let a = self.simplified(a);
                self.simple_next(a, depth)
            }
            Node::Finally(a) => {
                let a = self.simplified(a);
                self.simple_finally(a, depth)
            }
            Node::Until(a, b) => {
                let (a, b) = (self.simplified(a), self.simplified(b));
                self.simple_until(a, b, depth)
            }
            Node::WeakUntil(a, b) => {
                let (a, b) = (self.simplified(a), self.simplified(b));
                self.simple_weak(a, b, depth)
            }
            Node::Yesterday(a) => {
                let a = self.simplified(a);
                self.simple_yesterday(a, depth)
            }
            Node::Since(a, b) => {
                let (a, b) = (self.simplified(a), self.simplified(b));
                self.simple_since(a, b, depth)
            }
            Node::Or(_)
            | Node::Globally(_)
            | Node::Release(..)
            | Node::StrongRelease(..)
            | Node::WeakYesterday(_)
            | Node::Trigger(..) => {
                // The dual has the same operands, negated, and they were simplified together.
                self.simplify_top(f.negated()).negated()
            }
        }
    }

    pub(super) fn simple_next(&mut self, a: Formula, depth: u32) -> Formula {
        if self.is_suspendable(a) {
            return a;
        }
        self.next_of_past(a, depth).unwrap_or_else(|| self.next(a))
    }

    pub(super) fn simple_or(&mut self, operands: Vec<Formula>, depth: u32) -> Formula {
        let operands = operands.into_iter().map(Formula::negated).collect();
        self.simple_and(operands, depth).negated()
    }

    pub(super) fn simple_globally(&mut self, a: Formula, depth: u32) -> Formula {
        self.simple_finally(a.negated(), depth).negated()
    }

    fn simple_release(&mut self, a: Formula, b: Formula, depth: u32) -> Formula {
        self.simple_until(a.negated(), b.negated(), depth).negated()
    }

    fn simple_strong_release(&mut self, a: Formula, b: Formula, depth: u32) -> Formula {
        self.simple_weak(a.negated(), b.negated(), depth).negated()
    }

    /// Separates the operands of a conjunction (or the formula itself) by a predicate.
    pub(super) fn split_and(
        &self,
        f: Formula,
        wanted: impl Fn(&Self, Formula) -> bool,
    ) -> (Vec<Formula>, Vec<Formula>) {
        match self.node(f) {
            Node::And(fs) => fs.iter().partition(|&&g| wanted(self, g)),
            _ => (Vec::new(), vec![f]),
        }
    }

    /// The same for a disjunction.
    pub(super) fn split_or(&self, f: Formula, wanted: impl Fn(&Self, Formula) -> bool) -> (Vec<Formula>, Vec<Formula>) {
        match self.node(f) {
            Node::Or(fs) => fs.iter().partition(|&&g| wanted(self, g)),
            _ => (Vec::new(), vec![f]),
        }
    }

    pub(super) fn simple_finally(&mut self, a: Formula, depth: u32) -> Formula {
        let Some(depth) = depth.checked_sub(1) else { return self.finally(a) };
        if self.is_eventual(a) {
            return a;
        }
        match *self.node(a) {
            Node::Next(b) => {
                let inner = self.simple_finally(b, depth);
                return self.simple_next(inner, depth);
            }
            Node::Until(_, b) => return self.simple_finally(b, depth),
            Node::StrongRelease(b, c) => {
                let both = self.simple_and(vec![b, c], depth);
                return self.simple_finally(both, depth);
            }
            Node::Globally(b) => {
                // F G(b ∧ Y c) = F G(b ∧ Z c) = F G(b ∧ c).
                if let Some(shifted) = self.without_yesterday(b) {
                    let always = self.simple_globally(shifted, depth);
                    return self.simple_finally(always, depth);
                }
                // F G(b ∨ e) with e eventual or universal: the dual of G F(a ∧ e) and G F(a ∧ u).
                let special = |s: &Self, g| s.is_eventual(g) || s.is_universal(g);
                let (pulled, rest) = self.split_or(b, special);
                if !pulled.is_empty() {
                    let mut operands = Vec::new();
                    for g in pulled {
                        // F G u = F u, F G e = G e.
                        let g = if self.is_universal(g) {
                            self.simple_finally(g, depth)
                        } else {
                            self.simple_globally(g, depth)
                        };
                        operands.push(g);
                    }
                    if !rest.is_empty() {
                        let rest = self.simple_or(rest, depth);
                        let always = self.simple_globally(rest, depth);
                        operands.push(self.simple_finally(always, depth));
                    }
                    return self.simple_or(operands, depth);
                }
            }
            _ => {}
        }
        let (mut suspended, rest) = self.split_and(a, Self::is_suspendable);
        if !suspended.is_empty() {
            let rest = self.simple_and(rest, depth);
            suspended.push(self.simple_finally(rest, depth));
            return self.simple_and(suspended, depth);
        }
        // Disjuncts that are eventual or universal: F(a ∨ e) = F a ∨ e, F(a ∨ u) = F a ∨ F u.
        let (pulled, rest) = self.split_or(a, |s, g| s.is_eventual(g) || s.is_universal(g));
        if !pulled.is_empty() {
            let mut operands: Vec<Formula> = pulled.into_iter().map(|g| self.simple_finally(g, depth)).collect();
            let rest = self.simple_or(rest, depth);
            operands.push(self.simple_finally(rest, depth));
            return self.simple_or(operands, depth);
        }
        self.finally(a)
    }

    /// Rules that `a U b` and `a W b` share; `weak` tells which.
    fn simple_until_common(&mut self, a: Formula, b: Formula, weak: bool, depth: u32) -> Option<Formula> {
        let again = if weak { Self::simple_weak } else { Self::simple_until };
        if self.entails(a, b) {
            return Some(b);
        }
        if self.entails(b.negated(), a) {
            return Some(if weak { Formula::TRUE } else { self.simple_finally(b, depth) });
        }
        if let (&Node::Next(c), &Node::Next(d)) = (self.node(a), self.node(b)) {
            let inner = again(self, c, d, depth);
            return Some(self.simple_next(inner, depth));
        }
        // a U (a ∧ b) = b M a, a W (a ∧ b) = b R a.
        if let Node::And(fs) = self.node(b) {
            let left: Vec<Formula> = match self.node(a) {
                Node::And(gs) => gs.to_vec(),
                _ => vec![a],
            };
            if left.iter().all(|g| fs.contains(g)) {
                let rest = fs.iter().copied().filter(|g| !left.contains(g)).collect();
                let rest = self.simple_and(rest, depth);
                return Some(if weak {
                    self.simple_release(rest, a, depth)
                } else {
                    self.simple_strong_release(rest, a, depth)
                });
            }
        }
        // a U (c U d): one of a and c may swallow the other; (x U b) U b = x U b.
        match self.node(b).clone() {
            Node::Until(c, _) if !weak && self.entails(a, c) => return Some(b),
            Node::WeakUntil(c, _) if self.entails(a, c) => return Some(b),
            Node::Until(c, d) if !weak && self.entails(c, a) => return Some(again(self, a, d, depth)),
            Node::WeakUntil(c, d) if weak && self.entails(c, a) => return Some(again(self, a, d, depth)),
            _ => {}
        }
        match *self.node(a) {
            Node::WeakUntil(x, d) if d == b && !weak => return Some(again(self, x, b, depth)),
            Node::Until(_, d) | Node::WeakUntil(_, d) if d == b => return Some(a),
            _ => {}
        }
        // Disjuncts of b that are eventual.
        let (mut eventual, rest) = self.split_or(b, Self::is_eventual);
        if !eventual.is_empty() {
            let rest = self.simple_or(rest, depth);
            eventual.push(again(self, a, rest, depth));
            return Some(self.simple_or(eventual, depth));
        }
        // Suspendable conjuncts of a: (a ∧ q) U b = (q ∧ (a U b)) ∨ b.
        let (mut suspended, rest) = self.split_and(a, Self::is_suspendable);
        if !suspended.is_empty() {
            let rest = self.simple_and(rest, depth);
            suspended.push(again(self, rest, b, depth));
            let both = self.simple_and(suspended, depth);
            return Some(self.simple_or(vec![both, b], depth));
        }
        // Suspendable disjuncts of a: (a ∨ q) U b = (a U b) ∨ (q ∧ F b), (a ∨ q) W b = (a W b) ∨ q.
        let (suspended, rest) = self.split_or(a, Self::is_suspendable);
        if !suspended.is_empty() {
            let mut any = self.simple_or(suspended, depth);
            let rest = self.simple_or(rest, depth);
            let kept = again(self, rest, b, depth);
            if !weak {
                let later = self.simple_finally(b, depth);
                any = self.simple_and(vec![any, later], depth);
            }
            return Some(self.simple_or(vec![kept, any], depth));
        }
        // The left operand matters only where b does not hold (disjuncts that entail b and conjuncts that
        // ¬b entails are idle).
        let idle = self.split_or_entailing(a, b);
        if let Some(rest) = idle {
            let rest = self.simple_or(rest, depth);
            return Some(again(self, rest, b, depth));
        }
        let idle = self.split_or_entailing(a.negated(), b);
        if let Some(rest) = idle {
            let rest = self.simple_or(rest, depth).negated();
            return Some(again(self, rest, b, depth));
        }
        None
    }

    /// The disjuncts of `a` that do not entail `b`, when there are some that do.
    fn split_or_entailing(&mut self, a: Formula, b: Formula) -> Option<Vec<Formula>> {
        let Node::Or(fs) = self.node(a) else { return None };
        let fs = fs.clone();
        let rest: Vec<Formula> = fs.iter().copied().filter(|&g| !self.entails(g, b)).collect();
        (rest.len() < fs.len()).then_some(rest)
    }

    pub(super) fn simple_until(&mut self, a: Formula, b: Formula, depth: u32) -> Formula {
        let Some(depth) = depth.checked_sub(1) else { return self.until(a, b) };
        if self.is_eventual(b) {
            return b;
        }
        if let Some(simple) = self.simple_until_common(a, b, false, depth) {
            return simple;
        }
        let (mut suspended, rest) = self.split_and(b, Self::is_suspendable);
        if !suspended.is_empty() {
            let rest = self.simple_and(rest, depth);
            suspended.push(self.simple_until(a, rest, depth));
            return self.simple_and(suspended, depth);
        }
        self.until(a, b)
    }

    fn simple_weak(&mut self, a: Formula, b: Formula, depth: u32) -> Formula {
        let Some(depth) = depth.checked_sub(1) else { return self.weak_until(a, b) };
        if self.is_universal(a) {
            return self.simple_or(vec![a, b], depth);
        }
        if self.is_eventual(b) {
            let always = self.simple_globally(a, depth);
            return self.simple_or(vec![always, b], depth);
        }
        if let Some(simple) = self.simple_until_common(a, b, true, depth) {
            return simple;
        }
        self.weak_until(a, b)
    }

    /// The conjunction, simplified: operands are merged in pairs and entailed ones dropped, until stable.
    pub(super) fn simple_and(&mut self, operands: Vec<Formula>, depth: u32) -> Formula {
        let plain = self.and(operands);
        let Some(depth) = depth.checked_sub(1) else { return plain };
        let mut operands = match self.node(plain) {
            Node::And(fs) => fs.to_vec(),
            _ => return plain,
        };
        if let Some(merged) = self.merge_operands(&operands, depth) {
            return self.simple_and(merged, depth);
        }
        let mut i = 0;
        while i < operands.len() {
            let mut others = operands.clone();
            let g = others.remove(i);
            if others.iter().any(|&h| self.entails(h, g.negated())) {
                return Formula::FALSE;
            }
            if others.iter().any(|&h| self.entails(h, g)) {
                operands = others;
                continue;
            }
            // Disjuncts of g that another operand excludes.
            if let Node::Or(fs) = self.node(g) {
                let fs = fs.clone();
                let kept: Vec<Formula> =
                    fs.iter().copied().filter(|&d| !others.iter().any(|&h| self.entails(h, d.negated()))).collect();
                if kept.len() < fs.len() {
                    others.push(self.simple_or(kept, depth));
                    return self.simple_and(others, depth);
                }
            }
            i += 1;
        }
        for i in 0..operands.len() {
            for j in 0..operands.len() {
                if i == j {
                    continue;
                }
                if let Some(both) = self.merge_pair(operands[i], operands[j], depth) {
                    let mut rest: Vec<Formula> =
                        (0..operands.len()).filter(|&k| k != i && k != j).map(|k| operands[k]).collect();
                    rest.push(both);
                    return self.simple_and(rest, depth);
                }
            }
        }
        self.and(operands)
    }

    /// Collects all `X a`, all `G a` and all `F G a` of a conjunction under one operator each.
    fn merge_operands(&mut self, operands: &[Formula], depth: u32) -> Option<Vec<Formula>> {
        let (mut next, mut always, mut finally_always, mut rest) = (vec![], vec![], vec![], vec![]);
        for &f in operands {
            match *self.node(f) {
                Node::Next(a) => next.push(a),
                Node::Globally(a) if !self.is_eventual(a) => always.push(a),
                Node::Finally(a) => match *self.node(a) {
                    Node::Globally(b) => finally_always.push(b),
                    _ => rest.push(f),
                },
                _ => rest.push(f),
            }
        }
        if next.len() < 2 && always.len() < 2 && finally_always.len() < 2 {
            return None;
        }
        if !next.is_empty() {
            let a = self.simple_and(next, depth);
            rest.push(self.simple_next(a, depth));
        }
        if !always.is_empty() {
            let a = self.simple_and(always, depth);
            rest.push(self.simple_globally(a, depth));
        }
        if !finally_always.is_empty() {
            let a = self.simple_and(finally_always, depth);
            let a = self.simple_globally(a, depth);
            rest.push(self.simple_finally(a, depth));
        }
        Some(rest)
    }

    /// The conjunction of two formulas as one formula that is no conjunction, where a rule gives it. Called
    /// with both orders.
    fn merge_pair(&mut self, f: Formula, g: Formula, depth: u32) -> Option<Formula> {
        match (self.node(f).clone(), self.node(g).clone()) {
            (Node::Until(a, b), Node::Until(c, d) | Node::WeakUntil(c, d)) if b == d => {
                let left = self.simple_and(vec![a, c], depth);
                Some(self.simple_until(left, b, depth))
            }
            (Node::WeakUntil(a, b), Node::WeakUntil(c, d)) if b == d => {
                let left = self.simple_and(vec![a, c], depth);
                Some(self.simple_weak(left, b, depth))
            }
            (Node::Finally(b), Node::WeakUntil(a, d)) if b == d => Some(self.simple_until(a, b, depth)),
            (Node::StrongRelease(a, b), Node::StrongRelease(c, d) | Node::Release(c, d)) if a == c => {
                let right = self.simple_and(vec![b, d], depth);
                Some(self.simple_strong_release(a, right, depth))
            }
            (Node::Release(a, b), Node::Release(c, d)) if a == c => {
                let right = self.simple_and(vec![b, d], depth);
                Some(self.simple_release(a, right, depth))
            }
            (Node::Finally(a), Node::Release(c, d)) if a == c => Some(self.simple_strong_release(a, d, depth)),
            // a ∧ X G a = G a; b ∧ (a ∨ X(a R b)) = a R b.
            (_, Node::Next(x)) => match *self.node(x) {
                Node::Globally(a) if a == f => Some(x),
                _ => None,
            },
            (_, Node::Or(fs)) if fs.len() == 2 => fs.iter().enumerate().find_map(|(i, &h)| match *self.node(h) {
                Node::Next(x) => match *self.node(x) {
                    Node::Release(a, b) | Node::StrongRelease(a, b) if b == f && a == fs[1 - i] => Some(x),
                    _ => None,
                },
                _ => None,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::word::tests::{formula_texts, words};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn simplification_preserves_meaning(text in formula_texts(5), word in words(3)) {
            let mut s = Formulas::with_propositions(["a", "b", "c"]);
            let f = s.parse(&text).unwrap();
            let g = s.simplify(f);
            prop_assert_eq!(s.satisfied(f, &word), s.satisfied(g, &word), "{} became {}", s.text(f), s.text(g));
        }
    }

    #[test]
    fn simplified_forms() {
        let mut s = Formulas::new();
        for (text, simple) in [
            ("F(a U X b)", "X F b"),
            ("G F (a & F b)", "G F a & G F b"),
            ("G F (a & G b)", "G F a & F G b"),
            ("F(a & G F b)", "F a & G F b"),
            ("X a & X b", "X(a & b)"),
            ("G a & G b | c", "G(a & b) | c"),
            ("GFa | GFb", "GF(a | b)"),
            ("G(a & XF b)", "G a & GF b"),
            ("GF(a | G b)", "GF a | FG b"),
            ("(a U b) & (c W b)", "(a & c) U b"),
            ("a U (a & b)", "b M a"),
            ("a U F b", "F b"),
            ("a & (!a | F b)", "a & F b"),
            ("a | X F a", "F a"),
            ("(a & GFb) U c", "(GFb & (a U c)) | c"),
            ("(a | b) U b", "a U b"),
            ("a W G b & G F b", "(G a | (a U G b)) & G F b"),
        ] {
            let f = s.parse(text).unwrap();
            let g = s.parse(simple).unwrap();
            let (sf, sg) = (s.simplify(f), s.simplify(g));
            assert_eq!(sf, sg, "{text}: {} instead of {}", s.text(sf), s.text(sg));
        }
    }
}
