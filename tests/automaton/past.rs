//! Operators of the past: satisfiability that other solvers know (`../shared/temporal`), random formulas by their
//! definition on words, and automata as small as those of the same properties without past.

use crate::shared::shared;
use starset::automaton::ltl::{Formula, Formulas, Lasso, Node};
use starset::automaton::{Cube, Literal, Passes, Prop, Tgba, common_word, satisfying_word, translate};
use starset::budget::Budget;
use starset::rng::Rng;
use std::collections::HashMap;

fn automaton(store: &mut Formulas, formula: Formula) -> Tgba {
    translate(store, formula, &Passes::default(), &Budget::unlimited()).unwrap()
}

/// The truth of formulas at positions of an infinite word, by the definition of each operator.
struct Word<'a> {
    store: &'a Formulas,
    word: &'a Lasso,
    known: HashMap<(Formula, usize), bool>,
}

impl Word<'_> {
    /// The position of the lasso that a position of the word is.
    fn letter(&self, at: usize) -> usize {
        let (prefix, cycle) = (self.word.prefix.len(), self.word.cycle.len());
        if at < prefix { at } else { prefix + (at - prefix) % cycle }
    }

    fn holds(&mut self, f: Formula, at: usize) -> bool {
        if let Some(&known) = self.known.get(&(f, at)) {
            return known;
        }
        let node = self.store.node(f).clone();
        // Operands are periodic once the cycle was gone round as often as operators of the past are nested, which are
        // fewer than nodes.
        let last = at.max(self.word.prefix.len()) + (nested_past(self.store, f) + 2) * self.word.cycle.len();
        let value = match node {
            Node::True => true,
            Node::False => false,
            Node::Literal(prop, positive) => self.word.holds(self.letter(at), prop) == positive,
            Node::And(all) => all.iter().all(|&a| self.holds(a, at)),
            Node::Or(any) => any.iter().any(|&a| self.holds(a, at)),
            Node::Next(a) => self.holds(a, at + 1),
            Node::Finally(a) => (at..=last).any(|j| self.holds(a, j)),
            Node::Globally(a) => (at..=last).all(|j| self.holds(a, j)),
            Node::Until(a, b) => (at..=last).any(|j| self.holds(b, j) && (at..j).all(|k| self.holds(a, k))),
            Node::Release(a, b) => (at..=last).all(|j| self.holds(b, j) || (at..j).any(|k| self.holds(a, k))),
            Node::WeakUntil(a, b) => (at..=last).all(|j| self.holds(a, j) || (at..=j).any(|k| self.holds(b, k))),
            Node::StrongRelease(a, b) => (at..=last).any(|j| self.holds(a, j) && (at..=j).all(|k| self.holds(b, k))),
            Node::Yesterday(a) => at > 0 && self.holds(a, at - 1),
            Node::WeakYesterday(a) => at == 0 || self.holds(a, at - 1),
            Node::Since(a, b) => (0..=at).any(|j| self.holds(b, j) && (j + 1..=at).all(|k| self.holds(a, k))),
            Node::Trigger(a, b) => (0..=at).all(|j| self.holds(b, j) || (j + 1..=at).any(|k| self.holds(a, k))),
        };
        self.known.insert((f, at), value);
        value
    }
}

/// How many operators of the past are nested in one another.
fn nested_past(store: &Formulas, f: Formula) -> usize {
    let (own, operands) = match store.node(f) {
        Node::True | Node::False | Node::Literal(..) => return 0,
        Node::And(all) | Node::Or(all) => (0, all.to_vec()),
        Node::Next(a) | Node::Finally(a) | Node::Globally(a) => (0, vec![*a]),
        Node::Until(a, b) | Node::Release(a, b) | Node::WeakUntil(a, b) | Node::StrongRelease(a, b) => {
            (0, vec![*a, *b])
        }
        Node::Yesterday(a) | Node::WeakYesterday(a) => (1, vec![*a]),
        Node::Since(a, b) | Node::Trigger(a, b) => (1, vec![*a, *b]),
    };
    own + operands.into_iter().map(|a| nested_past(store, a)).max().unwrap_or(0)
}

/// A formula over three propositions with about so many operators, half of them of the past.
fn random(rng: &mut Rng, store: &mut Formulas, size: usize) -> Formula {
    if size == 0 {
        return store.literal(Prop(rng.below(3) as u32), rng.one_in(2));
    }
    let left = rng.below(size);
    let a = random(rng, store, left);
    let b = random(rng, store, size - 1 - left);
    match rng.below(16) {
        0 => store.next(b),
        1 => store.finally(b),
        2 => store.globally(b),
        3 => store.until(a, b),
        4 => store.release(a, b),
        5 => store.weak_until(a, b),
        6 => store.strong_release(a, b),
        7 => store.since(Formula::TRUE, b),
        8 => store.trigger(Formula::FALSE, b),
        9 | 10 => store.since(a, b),
        11 => store.trigger(a, b),
        12 => store.yesterday(b),
        13 => store.weak_yesterday(b),
        14 => store.and([a, b]),
        _ => store.iff(a, b),
    }
}

fn random_word(rng: &mut Rng) -> Lasso {
    let mut letters = |count: usize| -> Vec<Cube> {
        let letter =
            |rng: &mut Rng| Cube::new((0..3).map(|p| Literal { prop: Prop(p), positive: rng.one_in(2) })).unwrap();
        (0..count).map(|_| letter(rng)).collect()
    };
    let prefix = letters(3);
    let cycle = letters(3);
    let (first, period) = (rng.below(4), 1 + rng.below(3));
    Lasso { prefix: prefix[..first].to_vec(), cycle: cycle[..period].to_vec() }
}

#[test]
fn random_formulas_by_their_definition() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let mut store = Formulas::with_propositions(["a", "b", "c"]);
        let formula = random(&mut rng, &mut store, 2 + seed as usize % 9);
        let [ours, negation] = [formula, formula.negated()].map(|f| automaton(&mut store, f));
        let text = store.text(formula);
        assert_eq!(common_word(&ours, &negation, &Budget::unlimited()).unwrap(), None, "{text}");
        assert_eq!(store.parse(&text).unwrap(), formula, "{text}");
        let words: Vec<Lasso> = (0..10).map(|_| random_word(&mut rng)).chain(ours.accepted_word()).collect();
        for word in &words {
            let holds = Word { store: &store, word, known: HashMap::new() }.holds(formula, 0);
            assert_eq!(ours.accepts(word), holds, "seed {seed}: {text} on {word:?}");
            assert_eq!(negation.accepts(word), !holds, "seed {seed}: not {text} on {word:?}");
            assert_eq!(store.satisfied(formula, word), holds, "seed {seed}: {text} on {word:?}");
            if holds { yes += 1 } else { no += 1 }
        }
    }
    assert!(yes > 5000 && no > 5000, "{yes} {no}");
}

#[test]
fn satisfiability_is_that_of_other_solvers() {
    let Some(file) = shared("temporal/past.csv") else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(5, ',').collect();
        let [id, _, verdict, _, formula] = fields[..] else { panic!("{line}") };
        let mut store = Formulas::new();
        let formula = store.parse(formula.trim_matches('"')).unwrap_or_else(|error| panic!("{id}: {error}"));
        match satisfying_word(&mut store, formula, &Budget::unlimited()).unwrap() {
            Some(word) => {
                assert!(verdict == "SAT" && store.satisfied(formula, &word), "{id}");
                satisfiable += 1;
            }
            None => {
                assert_eq!(verdict, "UNSAT", "{id}");
                unsatisfiable += 1;
            }
        }
    }
    assert_eq!((satisfiable, unsatisfiable), (260, 68));
}

/// The same language with past and without, and automata of one size.
#[test]
fn automata_are_as_small_as_those_of_the_future() {
    for (past, future) in [
        ("G(a -> O b)", "!a W b"),
        ("G(a -> Y b)", "!a & G(!b -> X !a)"),
        ("G(a -> Z b)", "G(!b -> X !a)"),
        ("F(a & O b)", "F(b & F a)"),
        ("F(a & H b)", "b U (a & b)"),
        ("GF(a & Y b)", "GF(b & X a)"),
        ("G(a -> H b)", "b W G !a"),
        ("FG O a", "F a"),
        ("X X Y a", "X a"),
        ("G(b <-> Y a)", "!b & G(a <-> X b)"),
        ("GF O a & GF c", "F a & GF c"),
    ] {
        let mut store = Formulas::new();
        let [past, future] = [past, future].map(|text| store.parse(text).unwrap());
        let [ours, theirs] = [past, future].map(|f| automaton(&mut store, f));
        let negation = automaton(&mut store, past.negated());
        let text = store.text(past);
        assert_eq!(common_word(&theirs, &negation, &Budget::unlimited()).unwrap(), None, "{text}");
        let opposite = automaton(&mut store, future.negated());
        assert_eq!(common_word(&ours, &opposite, &Budget::unlimited()).unwrap(), None, "{text}");
        assert!(
            ours.location_count() <= theirs.location_count(),
            "{text}: {} {}",
            ours.location_count(),
            theirs.location_count()
        );
    }
}
