//! The automata of a random formula and of its negation are disjoint and together universal.
//!
//! Universality is decided without complement, by Ramsey's theorem as in Büchi's proof (see Fogarty & Vardi
//! 2010): a finite word is abstracted to its *box*, which sets of marks runs over it can collect from each state
//! to each other. Boxes of words are finitely many and compose. Every infinite word is `u v v v …` where the box
//! `h` of `v` is idempotent and reading `v` keeps the set `R` of states reached by `u`; it is accepted iff from
//! some state of `R` the box `h` leads back to it through all marks.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use starset::automaton::ltl::Formulas;
use starset::automaton::{Passes, Prop, Tgba, common_word, translate};
use starset::budget::Budget;
use std::collections::HashSet;

/// Most boxes; a formula with more is left undecided.
const MAX_BOXES: usize = 150;
/// Most acceptance sets of one automaton: an entry is a set of sets of marks.
const MAX_SETS: u32 = 4;

/// For each pair of states (of both automata, numbered through) the sets of marks, bit `m` for marks `m`.
type Abstraction = Vec<u16>;

fn bits(mut word: u16) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (lowest < 16).then_some(lowest)
    })
}

struct Union {
    states: usize,
    initial: u64,
    /// All marks, per state.
    all: Vec<u16>,
    letters: Vec<Abstraction>,
}

impl Union {
    fn of(automata: [&Tgba; 2], props: u32) -> Union {
        let states: usize = automata.iter().map(|a| a.location_count()).sum();
        let (mut all, mut initial, mut base) = (Vec::new(), 0, 0);
        let mut letters = vec![vec![0; states * states]; 1 << props];
        for automaton in automata {
            initial |= 1u64 << (base + automaton.initial().index());
            all.extend(automaton.locations().map(|_| automaton.all_marks().0 as u16));
            for (valuation, letter) in letters.iter_mut().enumerate() {
                for edge in automaton.edges() {
                    if edge.guard.holds(|p: Prop| valuation >> p.0 & 1 == 1) {
                        let (p, q) = (base + edge.source.index(), base + edge.target.index());
                        letter[p * states + q] |= 1 << edge.marks.0;
                    }
                }
            }
            base += automaton.location_count();
        }
        Union { states, initial, all, letters }
    }

    fn compose(&self, a: &Abstraction, b: &Abstraction) -> Abstraction {
        let n = self.states;
        let mut result = vec![0; n * n];
        for (p, q) in (0..n).flat_map(|p| (0..n).map(move |q| (p, q))).filter(|&(p, q)| a[p * n + q] != 0) {
            for r in (0..n).filter(|&r| b[q * n + r] != 0) {
                for x in bits(a[p * n + q]) {
                    bits(b[q * n + r]).for_each(|y| result[p * n + r] |= 1 << (x | y));
                }
            }
        }
        result
    }

    fn move_set(&self, set: u64, a: &Abstraction) -> u64 {
        let n = self.states;
        let targets = (0..n).filter(|&p| set >> p & 1 == 1).flat_map(|p| (0..n).filter(move |&q| a[p * n + q] != 0));
        targets.fold(0, |found, q| found | 1 << q)
    }

    /// Whether every word is accepted; `None` when there are too many boxes.
    fn is_universal(&self) -> Option<bool> {
        let mut boxes: Vec<Abstraction> = Vec::new();
        let mut seen: HashSet<Abstraction> = HashSet::new();
        let mut fresh = self.letters.clone();
        while let Some(next) = fresh.pop() {
            if !seen.insert(next.clone()) {
                continue;
            }
            fresh.extend(self.letters.iter().map(|letter| self.compose(&next, letter)));
            boxes.push(next);
            if boxes.len() > MAX_BOXES {
                return None;
            }
        }
        let mut sets: HashSet<u64> = HashSet::from([self.initial]);
        sets.extend(boxes.iter().map(|b| self.move_set(self.initial, b)));
        let full = |h: &Abstraction, p: usize| h[p * self.states + p] >> self.all[p] & 1 == 1;
        let idempotent = boxes.iter().filter(|h| self.compose(h, h) == **h);
        Some(idempotent.into_iter().all(|h| {
            let kept = sets.iter().filter(|&&set| self.move_set(set, h) == set);
            kept.into_iter().all(|&set| (0..self.states).any(|p| set >> p & 1 == 1 && full(h, p)))
        }))
    }
}

/// Disjointness, and universality where it can be decided, of the automata of two formulas over `a` and `b`.
fn disjoint_and_universal(left: &str, right: &str) -> (bool, Option<bool>) {
    let mut store = Formulas::with_propositions(["a", "b"]);
    let mut automaton = |text: &str| {
        let formula = store.parse(text).unwrap();
        translate(&mut store, formula, &Passes::default(), &Budget::unlimited()).unwrap()
    };
    let (yes, no) = (automaton(left), automaton(right));
    let disjoint = common_word(&yes, &no, &Budget::unlimited()).unwrap().is_none();
    let small = |a: &Tgba| a.acceptance_sets() <= MAX_SETS && a.location_count() <= 16;
    (disjoint, if small(&yes) && small(&no) { Union::of([&yes, &no], 2).is_universal() } else { None })
}

#[test]
fn the_test_itself() {
    assert_eq!(disjoint_and_universal("G a", "F !a"), (true, Some(true)));
    assert_eq!(disjoint_and_universal("G a", "G !a"), (true, Some(false)));
    assert_eq!(disjoint_and_universal("GF a & GF b", "FG !a"), (true, Some(false)));
    assert_eq!(disjoint_and_universal("GF a & GF b", "FG !a | FG !b"), (true, Some(true)));
    assert_eq!(disjoint_and_universal("GF a", "FG b | GF !a"), (false, Some(true)));
    assert_eq!(disjoint_and_universal("0", "0"), (true, Some(false)));
}

fn formulas() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("a".to_owned()), Just("b".to_owned()), Just("!a".to_owned())];
    leaf.prop_recursive(3, 10, 2, |inner| {
        let unary = (prop_oneof![Just("X"), Just("F"), Just("G")], inner.clone());
        let binary = prop_oneof![Just("U"), Just("R"), Just("W"), Just("M"), Just("&"), Just("|"), Just("xor")];
        prop_oneof![
            2 => unary.prop_map(|(op, f)| format!("{op}({f})")),
            3 => (inner.clone(), binary, inner).prop_map(|(f, op, g)| format!("({f}) {op} ({g})")),
        ]
    })
}

#[test]
fn random_formulas() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut decided = 0;
    for _ in 0..200 {
        let formula = formulas().new_tree(&mut runner).unwrap().current();
        let (disjoint, universal) = disjoint_and_universal(&formula, &format!("!({formula})"));
        assert!(disjoint && universal != Some(false), "{formula}");
        decided += u32::from(universal.is_some());
    }
    assert!(decided >= 100, "{decided} of 200 decided");
}
