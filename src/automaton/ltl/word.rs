//! Ultimately periodic words, and the truth of a formula on one: the semantics of LTL, by its definition.
//!
//! A lasso `u·vω` has `|u| + |v|` distinct suffixes. The truth of each subformula at each of them is computed
//! bottom-up. Until is a least and release a greatest fixpoint of its expansion law over the positions; as the only
//! back edge leads from the end to the start of the cycle, two backward sweeps reach it. Time is the product of the
//! sizes of formula and word. Operators of the past that are nested `h` deep know the first `h` rounds of the cycle
//! apart and no more (Laroussinie, Markey & Schnoebelen 2002), so these become part of the prefix. This is the
//! yardstick by which the translator is tested; it shares nothing with it.

use super::{Formula, Formulas, Node};
use crate::automaton::{Cube, Prop};

/// The infinite word `prefix · cycle · cycle · …`. Each letter is a cube; propositions it does not mention are
/// false.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lasso {
    /// Letters read once, first.
    pub prefix: Vec<Cube>,
    /// Letters repeated for ever. Not empty.
    pub cycle: Vec<Cube>,
}

impl Lasso {
    /// Number of distinct suffixes.
    pub fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// Whether there is no letter at all: such a lasso denotes no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The letter at a position below [`Lasso::len`].
    pub fn letter(&self, position: usize) -> Option<&Cube> {
        self.prefix.iter().chain(&self.cycle).nth(position)
    }

    /// Whether a proposition holds at a position.
    pub fn holds(&self, position: usize, prop: Prop) -> bool {
        self.letter(position).is_some_and(|c| c.literals().iter().any(|l| l.prop == prop && l.positive))
    }

    /// The position after this one.
    pub fn successor(&self, position: usize) -> usize {
        if position + 1 < self.len() { position + 1 } else { self.prefix.len() }
    }
}

impl Formulas {
    /// Whether the word satisfies the formula; `false` for a lasso without a cycle.
    pub fn satisfied(&self, f: Formula, word: &Lasso) -> bool {
        if word.cycle.is_empty() {
            return false;
        }
        let mut rounds = word.clone();
        for _ in 0..self.past(f) {
            rounds.prefix.extend_from_slice(&word.cycle);
        }
        let word = &rounds;
        let n = word.len();
        let mut truth: Vec<Vec<bool>> = vec![Vec::new(); f.index() + 1];
        for g in self.subformulas(f) {
            let of = |h: &Formula, i: usize| truth[h.index()][i];
            // The fixpoint of x[i] = now[i] ∨ (keep[i] ∧ x[i + 1]), from `start`.
            let fixpoint = |start: bool, now: &dyn Fn(usize) -> bool, keep: &dyn Fn(usize) -> bool| {
                let mut x = vec![start; n];
                for _ in 0..2 {
                    for i in (0..n).rev() {
                        x[i] = now(i) || keep(i) && x[word.successor(i)];
                    }
                }
                x
            };
            // The only x with x[i] = now[i] ∨ (keep[i] ∧ x[i - 1]) and `start` before the first position.
            let so_far = |start: bool, now: &dyn Fn(usize) -> bool, keep: &dyn Fn(usize) -> bool| {
                let mut before = start;
                let mut next = |i: usize| {
                    before = now(i) || keep(i) && before;
                    before
                };
                (0..n).map(&mut next).collect::<Vec<bool>>()
            };
            let values: Vec<bool> = match self.node(g) {
                Node::True => vec![true; n],
                Node::False => vec![false; n],
                Node::Literal(p, positive) => (0..n).map(|i| word.holds(i, *p) == *positive).collect(),
                Node::And(fs) => (0..n).map(|i| fs.iter().all(|h| of(h, i))).collect(),
                Node::Or(fs) => (0..n).map(|i| fs.iter().any(|h| of(h, i))).collect(),
                Node::Next(a) => (0..n).map(|i| of(a, word.successor(i))).collect(),
                Node::Finally(a) => fixpoint(false, &|i| of(a, i), &|_| true),
                Node::Globally(a) => fixpoint(true, &|_| false, &|i| of(a, i)),
                Node::Until(a, b) => fixpoint(false, &|i| of(b, i), &|i| of(a, i)),
                Node::WeakUntil(a, b) => fixpoint(true, &|i| of(b, i), &|i| of(a, i)),
                Node::Release(a, b) => fixpoint(true, &|i| of(a, i) && of(b, i), &|i| of(b, i)),
                Node::StrongRelease(a, b) => fixpoint(false, &|i| of(a, i) && of(b, i), &|i| of(b, i)),
                Node::Yesterday(a) => (0..n).map(|i| i > 0 && of(a, i - 1)).collect(),
                Node::WeakYesterday(a) => (0..n).map(|i| i == 0 || of(a, i - 1)).collect(),
                Node::Since(a, b) => so_far(false, &|i| of(b, i), &|i| of(a, i)),
                Node::Trigger(a, b) => so_far(true, &|i| of(a, i) && of(b, i), &|i| of(b, i)),
            };
            truth[g.index()] = values;
        }
        truth[f.index()].first().copied().unwrap_or(false)
    }
}

#[cfg(test)]
pub(in crate::automaton) mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::automaton::Literal;
    use proptest::prelude::*;

    /// A word over `props` propositions from letters given as bit masks.
    pub(in crate::automaton) fn word(props: u32, prefix: &[u8], cycle: &[u8]) -> Lasso {
        let letter = |&mask: &u8| {
            Cube::new((0..props).map(|p| Literal { prop: Prop(p), positive: mask >> p & 1 == 1 })).unwrap()
        };
        Lasso { prefix: prefix.iter().map(letter).collect(), cycle: cycle.iter().map(letter).collect() }
    }

    /// Random words over `props` propositions.
    pub(in crate::automaton) fn words(props: u32) -> impl Strategy<Value = Lasso> {
        let letter = 0u8..(1 << props);
        (proptest::collection::vec(letter.clone(), 0..5), proptest::collection::vec(letter, 1..5))
            .prop_map(move |(p, c)| word(props, &p, &c))
    }

    /// Random formulas over the propositions `a`, `b`, `c`, as text.
    pub(in crate::automaton) fn formula_texts(depth: u32) -> impl Strategy<Value = String> {
        let leaf = prop_oneof![6 => "[abc]", 3 => "![abc]", 1 => "[01]"];
        leaf.prop_recursive(depth, 24, 2, |inner| {
            prop_oneof![
                3 => ("[XFG!]", inner.clone()).prop_map(|(o, a)| format!("{o}({a})")),
                1 => ("[YZOH]", inner.clone()).prop_map(|(o, a)| format!("{o} ({a})")),
                3 => (inner.clone(), "[URWM&|]", inner.clone()).prop_map(|(a, o, b)| format!("({a}) {o} ({b})")),
                1 => (inner.clone(), "[ST]", inner.clone()).prop_map(|(a, o, b)| format!("({a}) {o} ({b})")),
                3 => (inner.clone(), inner).prop_map(|(a, b)| format!("({a}) <-> ({b})")),
            ]
        })
    }

    #[test]
    fn operators_on_small_words() {
        let mut s = Formulas::with_propositions(["a", "b"]);
        let mut check = |text: &str, prefix: &[u8], cycle: &[u8]| {
            let f = s.parse(text).unwrap();
            s.satisfied(f, &word(2, prefix, cycle))
        };
        assert!(check("a U b", &[1, 1], &[2]));
        assert!(!check("a U b", &[1, 0], &[2]));
        assert!(!check("a U b", &[], &[1]));
        assert!(check("a W b", &[], &[1]));
        assert!(check("b R a", &[1, 3], &[0]));
        assert!(!check("b M a", &[], &[1]));
        assert!(check("GFa & GF!a", &[], &[1, 0]));
        assert!(!check("FGa", &[], &[1, 0]));
        assert!(check("XXa", &[0, 0], &[1, 0]));
        assert!(check("XXXa <-> Xa", &[], &[1, 0]));
        assert!(check("Z 0 & !Y 1 & X Y a", &[1], &[2]));
        assert!(check("GF(b & Y a)", &[], &[2, 1]) && !check("b & Y a", &[], &[2, 1]));
        assert!(check("F(b S a) & FG O a", &[0, 1, 2], &[2]));
        assert!(!check("G H a", &[0], &[1]) && check("X(a T b)", &[2, 2], &[3]));
        // The rounds of the cycle differ.
        assert!(check("F(a & Y Y O Y O a)", &[], &[1, 0, 0]) && check("a & F(a & !Y Y Y O Y O a)", &[], &[1, 0]));
    }

    proptest! {
        #[test]
        fn negation_and_classes(text in formula_texts(4), word in words(3), letter in 0u8..8) {
            let mut s = Formulas::with_propositions(["a", "b", "c"]);
            let f = s.parse(&text).unwrap();
            let holds = s.satisfied(f, &word);
            prop_assert_ne!(holds, s.satisfied(f.negated(), &word));
            let mut longer = word.clone();
            longer.prefix.insert(0, tests::word(3, &[letter], &[0]).prefix[0].clone());
            if s.is_eventual(f) && s.past(f) == 0 {
                prop_assert!(!holds || s.satisfied(f, &longer));
            }
            if s.is_universal(f) && s.past(f) == 0 {
                prop_assert!(holds || !s.satisfied(f, &longer));
            }
            let (mut later, mut before) = (f, holds);
            for _ in 0..8 {
                later = s.next(later);
                let now = s.satisfied(later, &word);
                prop_assert!(!s.is_eventual(f) || before || !now, "{} is not eventual", text);
                prop_assert!(!s.is_universal(f) || !before || now, "{} is not universal", text);
                before = now;
            }
            if s.is_next_free(f) {
                let mut doubled = word.clone();
                doubled.cycle.insert(0, doubled.cycle[0].clone());
                prop_assert_eq!(holds, s.satisfied(f, &doubled));
            }
        }
    }
}
