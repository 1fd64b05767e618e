//! Rewriting operators of the past.
//!
//! Where an operator of the past has one of the future inside, a state of the tableau guesses its value. The laws here take
//! operators of the future out of those of the past as far as that needs no copies of large formulas: the cheap part of
//! *separation* (Gabbay 1987; Gabbay, Hodkinson & Reynolds 1994). An operator φ of the future is `n ∨ (k ∧ X φ)`, with `n`
//! for now and `k` to keep: `b` and `a` of `a U b`, `b` and `1` of `F b`, `a ∧ b` and `b` of `a M b`, `0` and `a` of `G a`.
//!
//! - `Y φ = Y n ∨ (Y k ∧ φ)`, `O φ = O n ∨ φ`, `X Y a = a`, `Y X a = a ∧ Y 1`, `O X a = O(a ∧ Y 1) ∨ X a`;
//! - `x S (y ∧ φ) = (x S (c ∧ n)) ∨ (c ∧ φ)`, where `c = (x ∧ Y k) S y` says that `y` was true, `x` since then, and that
//!   `k` has been kept;
//! - `Y` moves into `∧` and `∨` of operands that speak of the future, and `x S` into such a `∨`;
//! - eventual and universal operands: `a S u = u`, `(e ∧ a) S b = b ∨ (e ∧ (a S b))`.
//!
//! `Z`, `H` and `T` follow by duality.
//!
//! At the *first position* nothing is before: `Y a` is false there, `a S b` is `b`, `F(a ∨ Y b)` is `F(a ∨ b)`, and
//! `F(c ∨ (a S b))` is `F(c ∨ b)`.

use super::{Formula, Formulas, MAX_DEPTH, Node};
use rustc_hash::FxHashMap;

impl Formulas {
    /// A formula that is equivalent at the first position, simpler for the translator.
    pub fn simplify_at_first(&mut self, f: Formula) -> Formula {
        if self.past(f) == 0 {
            return self.simplify(f);
        }
        // Before the laws, which do not know where they are, and with what they lay open.
        let mut first = f;
        for _ in 0..2 {
            first = self.at_first(first, &mut FxHashMap::default());
            first = self.simplify(first);
        }
        // Laws of the past nest operators; what is read is not so deep that recursion along it would be a danger.
        if self.depth(first) > MAX_DEPTH { f } else { first }
    }

    /// What the formula says at the first position. Recursion is as deep as the formula.
    fn at_first(&mut self, f: Formula, known: &mut FxHashMap<Formula, Formula>) -> Formula {
        if self.past(f) == 0 {
            return f;
        }
        if let Some(&first) = known.get(&f) {
            return first;
        }
        let first = match self.node(f).clone() {
            Node::And(all) => {
                let all: Vec<Formula> = all.iter().map(|&g| self.at_first(g, known)).collect();
                self.and(all)
            }
            Node::Or(any) => {
                let any: Vec<Formula> = any.iter().map(|&g| self.at_first(g, known)).collect();
                self.or(any)
            }
            Node::Yesterday(_) => Formula::FALSE,
            Node::WeakYesterday(_) => Formula::TRUE,
            Node::Since(_, b) | Node::Trigger(_, b) => self.at_first(b, known),
            Node::Globally(_) => self.at_first(f.negated(), known).negated(),
            Node::Finally(a) => match self.at_first(a, known) {
                Formula::TRUE => Formula::TRUE,
                _ => self.finally_at_first(a, known),
            },
            _ => match self.unfolded(f) {
                Some((now, keep)) => {
                    let (now, keep) = (self.at_first(now, known), self.at_first(keep, known));
                    if now == Formula::TRUE || keep == Formula::FALSE { now } else { f }
                }
                None => f,
            },
        };
        known.insert(f, first);
        first
    }

    /// `F a` at the first position, where an operator of the past that is true at some position has become so at one.
    fn finally_at_first(&mut self, a: Formula, known: &mut FxHashMap<Formula, Formula>) -> Formula {
        let disjuncts = match self.node(a) {
            Node::Or(any) => any.to_vec(),
            _ => vec![a],
        };
        let (mut sooner, mut now) = (Vec::new(), Vec::new());
        for g in disjuncts {
            sooner.push(match *self.node(g) {
                Node::Yesterday(b) | Node::Since(_, b) => b,
                Node::Trigger(a, b) => {
                    // Or from the first position on.
                    now.push(self.at_first(b, known));
                    self.and([a, b])
                }
                _ => g,
            });
        }
        let sooner = self.or(sooner);
        now.push(self.finally(sooner));
        self.or(now)
    }

    /// The conjunction with `c` in the place of each `Y c` and `Z c`, where it has one.
    pub(super) fn without_yesterday(&mut self, f: Formula) -> Option<Formula> {
        if let Node::Yesterday(c) | Node::WeakYesterday(c) = *self.node(f) {
            return Some(c);
        }
        let ends = |s: &Self, g| matches!(s.node(g), Node::Yesterday(_) | Node::WeakYesterday(_));
        let (ended, rest) = self.split_and(f, ends);
        if ended.is_empty() {
            return None;
        }
        let operands: Vec<Formula> = ended.into_iter().filter_map(|g| self.without_yesterday(g)).chain(rest).collect();
        Some(self.and(operands))
    }

    /// The operands `n` and `k` of an operator of the future that is `n ∨ (k ∧ X φ)`; not of `X`.
    fn unfolded(&mut self, f: Formula) -> Option<(Formula, Formula)> {
        Some(match *self.node(f) {
            Node::Finally(b) => (b, Formula::TRUE),
            Node::Globally(a) => (Formula::FALSE, a),
            Node::Until(a, b) | Node::WeakUntil(a, b) => (b, a),
            Node::Release(a, b) | Node::StrongRelease(a, b) => (self.and([a, b]), b),
            _ => return None,
        })
    }

    /// `X a` where operators of the past end it.
    pub(super) fn next_of_past(&mut self, a: Formula, depth: u32) -> Option<Formula> {
        let depth = depth.checked_sub(1)?;
        let ends = |s: &Self, g| matches!(s.node(g), Node::Yesterday(_) | Node::WeakYesterday(_));
        let operand = |s: &Self, g| match *s.node(g) {
            Node::Yesterday(b) | Node::WeakYesterday(b) => b,
            _ => g,
        };
        match self.node(a) {
            Node::Yesterday(b) | Node::WeakYesterday(b) => Some(*b),
            Node::And(_) | Node::Or(_) => {
                let conjunction = matches!(self.node(a), Node::And(_));
                let (ended, rest) = if conjunction { self.split_and(a, ends) } else { self.split_or(a, ends) };
                if ended.is_empty() {
                    return None;
                }
                let mut operands: Vec<Formula> = ended.into_iter().map(|g| operand(self, g)).collect();
                if conjunction {
                    let rest = self.and(rest);
                    operands.push(self.simple_next(rest, depth));
                    Some(self.simple_and(operands, depth))
                } else {
                    let rest = self.or(rest);
                    operands.push(self.simple_next(rest, depth));
                    Some(self.simple_or(operands, depth))
                }
            }
            _ => None,
        }
    }

    /// `Y a`.
    pub(super) fn simple_yesterday(&mut self, a: Formula, depth: u32) -> Formula {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.has_future(a)) else { return self.yesterday(a) };
        if let Some(&known) = self.memo.yesterday.get(&a) {
            return known;
        }
        let simple = self.yesterday_of_future(a, depth);
        self.memo.yesterday.insert(a, simple);
        simple
    }

    fn yesterday_of_future(&mut self, a: Formula, depth: u32) -> Formula {
        let later = self.yesterday(Formula::TRUE);
        if self.is_suspendable(a) {
            return self.simple_and(vec![a, later], depth);
        }
        let future = |s: &Self, g| s.has_future(g);
        match self.node(a).clone() {
            Node::Next(b) => return self.simple_and(vec![b, later], depth),
            Node::And(_) => {
                let (mixed, rest) = self.split_and(a, future);
                let rest = self.and(rest);
                let mut operands: Vec<Formula> = mixed.into_iter().map(|g| self.simple_yesterday(g, depth)).collect();
                operands.push(self.yesterday(rest));
                return self.simple_and(operands, depth);
            }
            Node::Or(_) => {
                let (mixed, rest) = self.split_or(a, future);
                let rest = self.or(rest);
                let mut operands: Vec<Formula> = mixed.into_iter().map(|g| self.simple_yesterday(g, depth)).collect();
                operands.push(self.yesterday(rest));
                return self.simple_or(operands, depth);
            }
            _ => {}
        }
        let Some((now, keep)) = self.unfolded(a) else { return self.yesterday(a) };
        let (now, keep) = (self.simple_yesterday(now, depth), self.simple_yesterday(keep, depth));
        let kept = self.simple_and(vec![keep, a], depth);
        self.simple_or(vec![now, kept], depth)
    }

    /// `a S b`.
    pub(super) fn simple_since(&mut self, a: Formula, b: Formula, depth: u32) -> Formula {
        let Some(depth) = depth.checked_sub(1) else { return self.since(a, b) };
        if let Some(&known) = self.memo.since.get(&(a, b)) {
            return known;
        }
        let simple = self.simple_since_directly(a, b, depth);
        self.memo.since.insert((a, b), simple);
        simple
    }

    fn simple_since_directly(&mut self, a: Formula, b: Formula, depth: u32) -> Formula {
        if self.is_universal(b) || self.entails(a, b) {
            return b;
        }
        // The left operand matters behind the first position only.
        let later = self.yesterday(Formula::TRUE);
        let a = match self.node(a).clone() {
            Node::And(all) => self.and(all.iter().copied().filter(|&g| g != later)),
            _ if a == later => Formula::TRUE,
            _ => a,
        };
        let a = if self.entails(b.negated(), a) { Formula::TRUE } else { a };
        // (e ∧ a) S b = b ∨ (e ∧ (a S b)).
        let (mut eventual, rest) = match self.node(a) {
            Node::And(_) => self.split_and(a, Self::is_eventual),
            _ if a != Formula::TRUE && self.is_eventual(a) => (vec![a], Vec::new()),
            _ => (Vec::new(), Vec::new()),
        };
        if !eventual.is_empty() {
            let rest = self.and(rest);
            eventual.push(self.simple_since(rest, b, depth));
            let kept = self.simple_and(eventual, depth);
            return self.simple_or(vec![b, kept], depth);
        }
        if !self.has_future(b) {
            return self.since(a, b);
        }
        // Disjuncts of b that speak of the future.
        let (mut mixed, rest) = self.split_or(b, |s, g| s.has_future(g));
        if !mixed.is_empty() && mixed.len() + rest.len() > 1 {
            mixed.extend((!rest.is_empty()).then(|| self.or(rest)));
            let operands = mixed.into_iter().map(|g| self.simple_since(a, g, depth)).collect();
            return self.simple_or(operands, depth);
        }
        // Conjuncts of b whose truth is that of the word.
        let (mut suspended, rest) = self.split_and(b, Self::is_suspendable);
        if !suspended.is_empty() {
            let rest = self.and(rest);
            suspended.push(self.simple_since(a, rest, depth));
            return self.simple_and(suspended, depth);
        }
        let (mixed, rest) = match self.node(b) {
            Node::And(_) => self.split_and(b, |s, g| s.has_future(g)),
            _ => (vec![b], Vec::new()),
        };
        let [future] = mixed[..] else { return self.since(a, b) };
        let rest = self.and(rest);
        self.since_of_future(a, rest, future, depth).unwrap_or_else(|| self.since(a, b))
    }

    /// `x S (y ∧ φ)` for an operator φ of the future, where it is worth it.
    fn since_of_future(&mut self, x: Formula, y: Formula, future: Formula, depth: u32) -> Option<Formula> {
        if self.has_future(x) {
            return None;
        }
        if let Node::Next(a) = *self.node(future) {
            // The letter behind that of y is the last one to come, or has been read.
            let before = self.simple_yesterday(y, depth);
            let read = self.simple_and(vec![x, a, before], depth);
            let read = self.simple_since(x, read, depth);
            let now = self.simple_and(vec![y, future], depth);
            return Some(self.simple_or(vec![now, read], depth));
        }
        let (now, keep) = self.unfolded(future)?;
        let kept = self.simple_yesterday(keep, depth);
        let since = self.simple_and(vec![x, kept], depth);
        let pending = self.simple_since(since, y, depth);
        let ended = self.simple_and(vec![pending, now], depth);
        let ended = self.simple_since(x, ended, depth);
        let open = self.simple_and(vec![pending, future], depth);
        Some(self.simple_or(vec![ended, open], depth))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::word::tests::words;
    use super::*;
    use proptest::prelude::*;

    /// Random formulas over `a`, `b`, `c`, as text: half of the operators are of the past.
    fn texts() -> impl Strategy<Value = String> {
        "!?[abc]".prop_recursive(5, 24, 2, |inner| {
            prop_oneof![
                ("[XFGYZOH]", inner.clone()).prop_map(|(o, a)| format!("{o} ({a})")),
                (inner.clone(), "[URWMST&|]", inner.clone()).prop_map(|(a, o, b)| format!("({a}) {o} ({b})")),
                (inner.clone(), "[ST&|]", inner).prop_map(|(a, o, b)| format!("({a}) {o} ({b})")),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn meaning_is_preserved(text in texts(), words in proptest::collection::vec(words(3), 6)) {
            let mut s = Formulas::with_propositions(["a", "b", "c"]);
            let f = s.parse(&text).unwrap();
            let (everywhere, first) = (s.simplify(f), s.simplify_at_first(f));
            for word in &words {
                prop_assert_eq!(s.satisfied(f, word), s.satisfied(first, word), "{} became {}", text, s.text(first));
                // The same at later positions.
                for _ in 0..4 {
                    let (mut g, mut h) = (f, everywhere);
                    for _ in 0..3 {
                        (g, h) = (s.next(g), s.next(h));
                        let holds = s.satisfied(g, word);
                        prop_assert_eq!(holds, s.satisfied(h, word), "{} became {}", text, s.text(everywhere));
                    }
                }
            }
        }
    }

    #[test]
    fn simplified_forms() {
        let mut s = Formulas::new();
        for (text, simple) in [
            ("X Y a & X(Z b | c)", "a & (b | X c)"),
            ("Y X a", "a & Y 1"),
            ("Y(a U b)", "Y b | (Y a & (a U b))"),
            ("Z(a R b)", "Z b & (Z a | (a R b))"),
            ("O F a & H F b", "(O a | F a) & F b"),
            ("O G a | H G b", "G a | (H b & G b)"),
            ("O X a", "O(a & Y 1) | X a"),
            ("F O G a", "F G a"),
            ("G O a & F H b", "O a & H b"),
            ("F G (a & Y b)", "F G (a & b)"),
            ("a S G b", "G b"),
            ("F a S b", "b | (F a & O b)"),
            ("O(a & F b)", "O(b & O a) | (O a & F b)"),
            ("a S (b & X c)", "(b & X c) | (a S (a & c & Y b))"),
            ("(a S (b | F c)) & (a S GF c)", "((a S b) | (a S c) | ((a S 1) & F c)) & GF c"),
        ] {
            let f = s.parse(text).unwrap();
            let g = s.parse(simple).unwrap();
            let (sf, sg) = (s.simplify(f), s.simplify(g));
            assert_eq!(sf, sg, "{text}: {} instead of {}", s.text(sf), s.text(sg));
        }
        for (text, simple) in [
            ("Y a | b & Z c", "b"),
            ("(a S b) & (O c T b)", "b"),
            ("G Y a | F Z a", "1"),
            ("G(a & Z b)", "G(a & b)"),
            ("F(a | Y b)", "F(a | b)"),
            ("G(a | Y b)", "G(a | Y b)"),
            ("F(a S b | c)", "F(b | c)"),
            ("G(c & (a S b))", "b & G(c & (a | b))"),
            ("F(a T b)", "b | F(a & b)"),
        ] {
            let f = s.parse(text).unwrap();
            let g = s.parse(simple).unwrap();
            let (sf, sg) = (s.simplify_at_first(f), s.simplify_at_first(g));
            assert_eq!(sf, sg, "{text}: {} instead of {}", s.text(sf), s.text(sg));
        }
    }
}
