//! Simplification: an equivalent formula that is cheaper to check.
//!
//! Works on the negation normal form, operands first, through constructors that apply local rules. The rules
//! are those below and their duals (`∧` for `∨`, `A` for `E`, `G` for `F`, `R` for `U`, `M` for `W`); ψ stands
//! for state formulas, φ and a, b for any.
//!
//! | rules | remark |
//! |---|---|
//! | nested `∨` flattened, sorted, without repetition; `a ∨ true = true`, `a ∨ false = a` | |
//! | `a ∨ (a ∧ b) = a`; `ψ ∨ ¬ψ = true` for atoms ψ | |
//! | comparisons folded, see `fold` | |
//! | `F F a = F a`, `F (a U b) = F b`, `F (a M b) = F (a ∧ b)`, also inside a disjunction | |
//! | `F G F a = G F a`; `F a ∨ F b = F (a ∨ b)` | |
//! | `a U true = true`, `a U false = false`, `false U b = b`, `true U b = F b`, `a U F b = F b`, `a U (a U b) = a U b` | |
//! | `a W true = true W b = true`, `false W b = b`, `a W false = G a` | |
//! | `X true = true` | not maximal paths |
//! | `E X true = ¬deadlock`, `E X false = false` | maximal paths |
//! | `E ψ = ψ` | not infinite paths; there `ψ ∧ E true` |
//! | `E(φ ∨ φ') = E φ ∨ E φ'`, `E(ψ ∧ φ) = ψ ∧ E φ` | |
//! | `EF EF a = EF a`, `EF E(a U b) = EF b`, `EF E(a M b) = EF (a ∧ b)`, also inside a disjunction | |
//! | `E(a U EF b) = EF b`, `EF a ∨ EF b = EF (a ∨ b)` | |
//! | `AF EF a = EF a`, `A(a U (b ∨ EF c)) = A(a U b) ∨ EF c` and others of their kind | `persistent`; not infinite paths |
//!
//! [`Pool::simplify`] stops there. [`Pool::push_quantifiers`] also moves quantifiers inward, towards CTL:
//! `E X φ = EX E φ`, `E F φ = EF E φ`, `E(ψ U φ) = E(ψ U E φ)`, `E(φ R ψ) = E(E φ R ψ)`,
//! `E(ψ W φ) = E(ψ W E φ)`, `E(φ M ψ) = E(E φ M ψ)` and duals, so that `A G F ψ` becomes `AG AF ψ`. That is
//! right for an engine that computes sat-sets, and wrong for one that wants a linear-time formula.
//!
//! Not used: the excluded middle for path formulas, which fails at the end of a maximal path (see
//! `docs/semantics.md`). Each rule holds position by position of a path, or marking by marking; the tests hold
//! every kind of rewriting against the brute-force checker under each path semantics.
//!
//! Sources: Emerson and Halpern 1985 for the quantifier laws; Somenzi and Bloem, "Efficient Büchi automata
//! from LTL formulae", CAV 2000; Bønneland et al., "Simplification of CTL formulae for efficient model
//! checking of Petri nets", Petri Nets 2018.

mod persistent;

use super::ast::{Formula, MAX_DEPTH};
use super::pool::{FormulaId, Pool};
use super::semantics::PathSemantics;
use rustc_hash::FxHashMap;

impl Pool {
    /// An equivalent formula over these paths, in negation normal form and simplified. Formulas whose normal
    /// form is deeper than [`MAX_DEPTH`], and those with operators of the past, are returned as they are.
    ///
    /// ```
    /// use starset::formula::{parse, PathSemantics, Pool, Symbols};
    /// let symbols = Symbols::new(&starset::net::NetBuilder::new("empty").build()?);
    /// let mut pool = Pool::new();
    /// let f = parse("EF (1 > 2 | EF EX deadlock)", &symbols, &mut pool).unwrap();
    /// let f = pool.simplify(f, PathSemantics::Maximal);
    /// assert_eq!(pool.display(f, &symbols).to_string(), "E F E X deadlock");
    /// # Ok::<(), starset::net::BuildError>(())
    /// ```
    pub fn simplify(&mut self, formula: FormulaId, paths: PathSemantics) -> FormulaId {
        self.rewrite(formula, paths, false)
    }

    /// As [`Pool::simplify`], and with path quantifiers moved inward: often a CTL formula where there was a
    /// CTL* or LTL formula.
    pub fn push_quantifiers(&mut self, formula: FormulaId, paths: PathSemantics) -> FormulaId {
        self.rewrite(formula, paths, true)
    }

    fn rewrite(&mut self, formula: FormulaId, paths: PathSemantics, push: bool) -> FormulaId {
        // A rule may make room for another above it that has been passed. Few formulas need a third round.
        const ROUNDS: usize = 8;
        // Operators of the past are for automata alone.
        if !self.has(formula) || self.past(formula) > 0 {
            return formula;
        }
        let mut current = self.nnf(formula);
        for _ in 0..ROUNDS {
            if self.depth(current) > MAX_DEPTH {
                return formula;
            }
            let next = self.rewrite_once(current, paths, push);
            if next == current {
                break;
            }
            current = next;
        }
        current
    }

    /// One pass over a formula in negation normal form.
    fn rewrite_once(&mut self, normal: FormulaId, paths: PathSemantics, push: bool) -> FormulaId {
        let order = self.subformulas(&[normal]);
        let mut simple: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        let mut rewriter = Rewriter { pool: self, paths, push, quantified: FxHashMap::default() };
        for id in order {
            let node = rewriter.pool[id].map(|a| simple[&a]);
            let result = rewriter.make(node);
            simple.insert(id, result);
        }
        simple[&normal]
    }
}

/// One of two dual sides: `∨ F U M E` or `∧ G R W A`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Some,
    All,
}

use Side::{All, Some as Any};

impl Side {
    fn other(self) -> Side {
        if self == Any { All } else { Any }
    }
}

struct Rewriter<'a> {
    pool: &'a mut Pool,
    paths: PathSemantics,
    push: bool,
    /// Results of [`Rewriter::quantified`]: a path formula may be shared, and reached many times.
    quantified: FxHashMap<(Side, FormulaId), FormulaId>,
}

impl Rewriter<'_> {
    /// The formula of a node in negation normal form whose operands are simplified.
    fn make(&mut self, node: Formula) -> FormulaId {
        match node {
            Formula::Compare(a, comparison, b) => self.pool.fold_comparison(a, comparison, b),
            Formula::Enabled(transitions) | Formula::Action(transitions) if transitions.is_empty() => {
                self.pool.add(Formula::False)
            }
            Formula::Or(operands) => self.junction(Any, operands),
            Formula::And(operands) => self.junction(All, operands),
            Formula::Not(a) => match self.pool[a] {
                Formula::True => self.pool.add(Formula::False),
                Formula::False => self.pool.add(Formula::True),
                _ => self.pool.not(a),
            },
            Formula::Next(a) => self.next(a),
            Formula::Finally(a) => self.eventually(Any, a),
            Formula::Globally(a) => self.eventually(All, a),
            Formula::Until(a, b) => self.until(Any, a, b),
            Formula::Release(a, b) => self.until(All, a, b),
            Formula::WeakUntil(a, b) => self.weak(All, a, b),
            Formula::StrongRelease(a, b) => self.weak(Any, a, b),
            Formula::Exists(a) => self.quantified(Any, a),
            Formula::Forall(a) => self.quantified(All, a),
            other => self.pool.add(other),
        }
    }

    /// The neutral element of the side's junction: `false` of `∨`, `true` of `∧`.
    fn neutral(&mut self, side: Side) -> FormulaId {
        self.pool.add(if side == Any { Formula::False } else { Formula::True })
    }

    /// The absorbing element of the side's junction.
    fn absorbing(&mut self, side: Side) -> FormulaId {
        self.pool.add(if side == Any { Formula::True } else { Formula::False })
    }

    fn is_neutral(&self, side: Side, a: FormulaId) -> bool {
        self.pool[a] == if side == Any { Formula::False } else { Formula::True }
    }

    fn is_absorbing(&self, side: Side, a: FormulaId) -> bool {
        self.pool[a] == if side == Any { Formula::True } else { Formula::False }
    }

    /// The operands of the side's junction; of another formula, itself.
    fn operands(&self, side: Side, a: FormulaId) -> Vec<FormulaId> {
        match (&self.pool[a], side) {
            (Formula::Or(operands), Any) | (Formula::And(operands), All) => operands.clone(),
            _ => vec![a],
        }
    }

    /// `F a` of side Some, `G a` of side All: the operand a, if the formula is that.
    fn eventual_operand(&self, side: Side, a: FormulaId) -> Option<FormulaId> {
        match (&self.pool[a], side) {
            (Formula::Finally(a), Any) | (Formula::Globally(a), All) => Some(*a),
            _ => None,
        }
    }

    /// The path formula under the side's quantifier, `E` of side Some.
    fn quantified_operand(&self, side: Side, a: FormulaId) -> Option<FormulaId> {
        match (&self.pool[a], side) {
            (Formula::Exists(a), Any) | (Formula::Forall(a), All) => Some(*a),
            _ => None,
        }
    }

    /// `∨` or `∧`.
    fn junction(&mut self, side: Side, operands: Vec<FormulaId>) -> FormulaId {
        let mut flat: Vec<FormulaId> = Vec::with_capacity(operands.len());
        for a in operands {
            flat.extend(self.operands(side, a));
        }
        flat = self.merge(side, flat, |r, a| r.eventual_operand(side, a), |r, a| r.eventually(side, a));
        // EF a ∨ EF b, AG a ∧ AG b.
        let operand = |r: &Self, a| r.quantified_operand(side, a).and_then(|path| r.eventual_operand(side, path));
        flat = self.merge(side, flat, operand, |r, a| {
            let path = r.eventually(side, a);
            r.quantified(side, path)
        });
        if flat.iter().any(|&a| self.is_absorbing(side, a)) {
            return self.absorbing(side);
        }
        flat.retain(|&a| !self.is_neutral(side, a));
        flat.sort_unstable();
        flat.dedup();
        let other = side.other();
        let present = |a: &FormulaId| flat.binary_search(a).is_ok();
        for &a in &flat {
            let complement = match self.pool[a] {
                Formula::Not(inner) => Some(inner),
                Formula::Compare(x, comparison, y) => self.pool.find(&Formula::Compare(x, comparison.negated(), y)),
                _ => None,
            };
            if complement.is_some_and(|c| present(&c)) {
                return self.absorbing(side);
            }
        }
        // a ∨ (a ∧ b) = a
        let absorbed = |a: &FormulaId| {
            let inner = self.operands(other, *a);
            inner.len() > 1 && inner.iter().any(present)
        };
        let kept: Vec<FormulaId> = flat.iter().filter(|a| !absorbed(a)).copied().collect();
        if side == Any { self.pool.or(kept) } else { self.pool.and(kept) }
    }

    /// Replace the formulas that `operand` takes apart, if there are several, by `rebuild` of the junction of
    /// their operands.
    fn merge(
        &mut self,
        side: Side,
        formulas: Vec<FormulaId>,
        operand: impl Fn(&Self, FormulaId) -> Option<FormulaId>,
        rebuild: impl Fn(&mut Self, FormulaId) -> FormulaId,
    ) -> Vec<FormulaId> {
        let parts: Vec<FormulaId> = formulas.iter().filter_map(|&a| operand(self, a)).collect();
        if parts.len() < 2 {
            return formulas;
        }
        let mut rest: Vec<FormulaId> = formulas.into_iter().filter(|&a| operand(self, a).is_none()).collect();
        let together = self.junction(side, parts);
        let merged = rebuild(self, together);
        rest.extend(self.operands(side, merged));
        rest
    }

    fn next(&mut self, a: FormulaId) -> FormulaId {
        let constant = matches!(self.pool[a], Formula::True | Formula::False);
        if constant && self.paths != PathSemantics::Maximal { a } else { self.pool.add(Formula::Next(a)) }
    }

    /// `F a` or `G a`.
    fn eventually(&mut self, side: Side, a: FormulaId) -> FormulaId {
        if self.is_neutral(side, a) || self.is_absorbing(side, a) {
            return a;
        }
        // F G F a = G F a
        let other = side.other();
        if self.eventual_operand(other, a).is_some_and(|b| self.eventual_operand(side, b).is_some()) {
            return a;
        }
        let a = self.strip(side, a, |_, a| Some(a));
        if self.eventual_operand(side, a).is_some() || self.is_neutral(side, a) || self.is_absorbing(side, a) {
            return a;
        }
        self.pool.add(if side == Any { Formula::Finally(a) } else { Formula::Globally(a) })
    }

    /// The operand of `F`, with each `F b`, `a U b` and `a M b` in it (itself, or in its disjunction) replaced
    /// by what is to come eventually. `path` finds the temporal formula to look at: the operand itself, or
    /// what is under its quantifier.
    fn strip(&mut self, side: Side, a: FormulaId, path: impl Fn(&Self, FormulaId) -> Option<FormulaId>) -> FormulaId {
        let mut parts = self.operands(side, a);
        let mut changed = false;
        for part in &mut parts {
            let Some(temporal) = path(self, *part) else { continue };
            let target = match (self.pool[temporal].clone(), side) {
                (Formula::Finally(b), Any) | (Formula::Globally(b), All) => b,
                (Formula::Until(_, b), Any) | (Formula::Release(_, b), All) => b,
                (Formula::StrongRelease(a, b), Any) => self.junction(All, vec![a, b]),
                (Formula::WeakUntil(a, b), All) => self.junction(Any, vec![a, b]),
                _ => continue,
            };
            *part = target;
            changed = true;
        }
        if changed { self.junction(side, parts) } else { a }
    }

    /// `a U b` or `a R b`.
    fn until(&mut self, side: Side, a: FormulaId, b: FormulaId) -> FormulaId {
        let same_again = match (&self.pool[b], side) {
            (Formula::Until(c, _), Any) | (Formula::Release(c, _), All) => *c == a,
            _ => false,
        };
        let settled = self.is_neutral(side, b) || self.is_absorbing(side, b);
        if settled || self.is_neutral(side, a) || a == b || same_again || self.eventual_operand(side, b).is_some() {
            b
        } else if self.is_absorbing(side, a) {
            self.eventually(side, b)
        } else {
            self.pool.add(if side == Any { Formula::Until(a, b) } else { Formula::Release(a, b) })
        }
    }

    /// `a M b` (side Some) or `a W b` (side All).
    fn weak(&mut self, side: Side, a: FormulaId, b: FormulaId) -> FormulaId {
        // For M: false M b = a M false = false, true M b = b, a M true = F a. For W the dual.
        if self.is_neutral(side, a) || self.is_neutral(side, b) {
            self.neutral(side)
        } else if self.is_absorbing(side, a) || a == b {
            b
        } else if self.is_absorbing(side, b) {
            self.eventually(side, a)
        } else {
            self.pool.add(if side == Any { Formula::StrongRelease(a, b) } else { Formula::WeakUntil(a, b) })
        }
    }

    /// `E a` or `A a`.
    fn quantified(&mut self, side: Side, path: FormulaId) -> FormulaId {
        if let Some(&known) = self.quantified.get(&(side, path)) {
            return known;
        }
        let result = self.quantify(side, path);
        self.quantified.insert((side, path), result);
        result
    }

    fn quantify(&mut self, side: Side, path: FormulaId) -> FormulaId {
        let other = side.other();
        let infinite = self.paths == PathSemantics::Infinite;
        if self.pool.is_state(path) {
            if !infinite || self.is_neutral(side, path) {
                return path;
            }
            // E ψ = ψ ∧ E true; A ψ = ψ ∨ A false.
            let any = self.absorbing(side);
            let begins = self.bare(side, any);
            return if path == any { begins } else { self.junction(other, vec![path, begins]) };
        }
        let parts = self.operands(side, path);
        if parts.len() > 1 {
            let parts = parts.into_iter().map(|a| self.quantified(side, a)).collect();
            return self.junction(side, parts);
        }
        let (mut state, linear): (Vec<FormulaId>, Vec<FormulaId>) =
            self.operands(other, path).into_iter().partition(|&a| self.pool.is_state(a));
        if !state.is_empty() {
            let rest = self.junction(other, linear);
            state.push(self.quantified(side, rest));
            return self.junction(other, state);
        }
        if self.push {
            let pushed = self.pushed(side, path);
            if pushed != path {
                return self.quantified(side, pushed);
            }
        }
        if let Some(apart) = self.persistent(side, path) {
            return apart;
        }
        match (self.pool[path].clone(), side) {
            (Formula::Next(a), _) if self.paths == PathSemantics::Maximal => {
                if self.is_neutral(side, a) {
                    return a;
                }
                if self.is_absorbing(side, a) {
                    let deadlock = self.pool.add(Formula::Deadlock);
                    return if side == Any { self.pool.not(deadlock) } else { deadlock };
                }
            }
            (Formula::Finally(a), Any) | (Formula::Globally(a), All) if self.pool.is_state(a) => {
                let stripped = self.strip(side, a, |r, a| r.quantified_operand(side, a));
                if stripped != a {
                    let path = self.eventually(side, stripped);
                    return self.quantified(side, path);
                }
            }
            // AF AF a = AF a, AF A(a U b) = AF b.
            (Formula::Finally(a), All) | (Formula::Globally(a), Any) if self.pool.is_state(a) => {
                // Only for a and b that are state formulas: a path formula need not hold on all paths from where
                // it holds on one.
                let state_only = |r: &Self, a| {
                    let path = r.quantified_operand(side, a)?;
                    r.pool[path].children().iter().all(|&c| r.pool.is_state(c)).then_some(path)
                };
                let stripped = self.strip(other, a, state_only);
                if stripped != a {
                    let path = self.eventually(other, stripped);
                    return self.quantified(side, path);
                }
            }
            // E(a U EF b) = EF b, A(a U AF b) = AF b, and duals.
            (Formula::Until(_, b) | Formula::Release(_, b), _) => {
                let until = matches!(self.pool[path], Formula::Until(..));
                let kind = if until { Any } else { All };
                if self.quantified_operand(side, b).is_some_and(|p| self.eventual_operand(kind, p).is_some()) {
                    return b;
                }
            }
            _ => {}
        }
        self.bare(side, path)
    }

    fn bare(&mut self, side: Side, path: FormulaId) -> FormulaId {
        self.pool.add(if side == Any { Formula::Exists(path) } else { Formula::Forall(path) })
    }

    /// The path formula with the quantifier also put before an operand of which one suffix decides.
    fn pushed(&mut self, side: Side, path: FormulaId) -> FormulaId {
        let node = self.pool[path].clone();
        let state = |r: &Self, a: FormulaId| r.pool.is_state(a);
        match (node, side) {
            (Formula::Next(a), _) if !state(self, a) => {
                let a = self.quantified(side, a);
                self.next(a)
            }
            (Formula::Finally(a), Any) | (Formula::Globally(a), All) if !state(self, a) => {
                let a = self.quantified(side, a);
                self.eventually(side, a)
            }
            // E(ψ U φ), A(ψ R φ)
            (Formula::Until(a, b), Any) | (Formula::Release(a, b), All) if state(self, a) => {
                let b = if state(self, b) { b } else { self.quantified(side, b) };
                self.until(side, a, b)
            }
            // E(φ R ψ), A(φ U ψ)
            (Formula::Release(a, b), Any) | (Formula::Until(a, b), All) if state(self, b) => {
                let other = side.other();
                let a = if state(self, a) { a } else { self.quantified(side, a) };
                self.until(other, a, b)
            }
            // E(φ M ψ), A(φ W ψ)
            (Formula::StrongRelease(a, b), Any) | (Formula::WeakUntil(a, b), All) if state(self, b) => {
                let a = if state(self, a) { a } else { self.quantified(side, a) };
                self.weak(side, a, b)
            }
            // E(ψ W φ), A(ψ M φ)
            (Formula::WeakUntil(a, b), Any) | (Formula::StrongRelease(a, b), All) if state(self, a) => {
                let other = side.other();
                let b = if state(self, b) { b } else { self.quantified(side, b) };
                self.weak(other, a, b)
            }
            _ => path,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Symbols, parse};
    use crate::net::NetBuilder;

    /// The sets are compared in the integration tests; here, that depth and sharing are harmless.
    #[test]
    fn deep_and_shared_formulas_are_rewritten() {
        let run = || {
            let symbols = Symbols::new(&NetBuilder::new("n").build().unwrap());
            let n = 300;
            for text in [
                format!("{}deadlock", "!X ".repeat(n)),
                format!("{}deadlock", "!EX ".repeat(n)),
                format!("{}deadlock", "A G ".repeat(n)),
                format!("{}deadlock", "deadlock U X ".repeat(n)),
                format!("E ({}deadlock{})", "X(true & (deadlock | ".repeat(n / 4), "))".repeat(n / 4)),
                // As a tree of 2^100 leaves: an equivalence uses both forms of both sides.
                format!("A ({}deadlock{})", "X(deadlock <-> ".repeat(100), ")".repeat(100)),
                format!("{}deadlock", "deadlock -> X ".repeat(n)),
            ] {
                let mut pool = Pool::new();
                let f = parse(&text, &symbols, &mut pool).unwrap();
                for paths in PathSemantics::ALL {
                    let state = pool.close(f);
                    pool.simplify(f, paths);
                    pool.push_quantifiers(state, paths);
                    pool.to_stutter(state, paths);
                }
                assert!(pool.len() < 100_000, "{text:.20}: {}", pool.len());
            }
            let mut pool = Pool::new();
            let mut f = pool.add(Formula::Deadlock);
            for _ in 0..100_000 {
                f = pool.add(Formula::Not(f));
                f = pool.add(Formula::Next(f));
            }
            assert_eq!(pool.simplify(f, PathSemantics::Stutter), f);
        };
        std::thread::Builder::new().stack_size(8 << 20).spawn(run).unwrap().join().unwrap();
    }
}
