//! Of the words that an automaton accepts, those that satisfy fairness conditions.
//!
//! **Justice** of q is a set of marks of its own. Beside each edge is one that also asks for q and has the mark: a run that accepts
//! takes such edges again and again, now for one condition and now for another, so that one mark for an edge is enough.
//!
//! **Compassion**, "if p again and again, then q": either q is taken again and again, or p never from some moment on. So there are
//! two copies of the automaton. In the first the mark is that of justice of q; from there a run may go over to the second for good,
//! where each edge asks for ¬p and has the mark. With k such conditions there are 2^k copies.
//!
//! Conditions do not depend on where a word begins, so that this is right wherever the automaton begins. What its edges ask for
//! becomes no other, and the result is no larger than the number of conditions and copies says.

use super::{AutomatonError, Guard, Location, Tgba, TgbaBuilder};
use std::collections::BTreeMap;

/// The most conditions of compassion: each doubles the automaton.
pub const MOST_COMPASSION: usize = 6;

/// What a word satisfies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FairWord {
    /// Again and again.
    Justice(Guard),
    /// Again and again, or else never the other from some moment on: that it does not hold is the first guard.
    Compassion(Guard, Guard),
}

/// The automaton of the words that `automaton` accepts and that satisfy all conditions. These may read `more` propositions, which
/// come after its own.
///
/// # Errors
/// [`AutomatonError`] where there are too many sets of marks, as there are of more than [`MOST_COMPASSION`] conditions of compassion.
pub fn under(automaton: &Tgba, more: &[String], conditions: &[FairWord]) -> Result<Tgba, AutomatonError> {
    let own = automaton.acceptance_sets();
    let sets = own.saturating_add(conditions.len() as u32);
    let names = automaton.propositions().iter().chain(more).cloned();
    let mut builder = TgbaBuilder::new(names, sets);
    let pairs: Vec<(u32, &Guard)> = (own..)
        .zip(conditions)
        .filter_map(|(set, condition)| match condition {
            FairWord::Compassion(never, _) => Some((set, never)),
            FairWord::Justice(_) => None,
        })
        .collect();
    let often: Vec<(u32, &Guard)> = (own..)
        .zip(conditions)
        .map(|(set, condition)| match condition {
            FairWord::Justice(often) | FairWord::Compassion(_, often) => (set, often),
        })
        .collect();
    let mut copies: BTreeMap<(Location, usize), Location> = BTreeMap::new();
    if pairs.len() > MOST_COMPASSION {
        return Err(AutomatonError::TooManySets(sets));
    }
    let modes = 1usize << pairs.len();
    for location in automaton.locations() {
        for mode in 0..modes {
            copies.insert((location, mode), builder.location(automaton.name(location)));
        }
    }
    for edge in automaton.edges() {
        for mode in 0..modes {
            let given_up: Vec<(u32, &Guard)> =
                pairs.iter().enumerate().filter(|(at, _)| mode >> at & 1 == 1).map(|(_, pair)| *pair).collect();
            let guard = given_up.iter().fold(edge.guard.clone(), |guard, (_, never)| guard.and(never));
            let marks = given_up.iter().fold(edge.marks, |marks, (set, _)| marks.with(*set));
            let source = copies[&(edge.source, mode)];
            let here = copies[&(edge.target, mode)];
            builder.edge(source, guard.clone(), marks, here);
            for (at, _) in pairs.iter().enumerate().filter(|(at, _)| mode >> at & 1 == 0) {
                builder.edge(source, guard.clone(), marks, copies[&(edge.target, mode | 1 << at)]);
            }
            for (set, often) in often.iter().filter(|(set, _)| !marks.contains(*set)) {
                builder.edge(source, guard.and(often), marks.with(*set), here);
            }
        }
    }
    builder.build(copies[&(automaton.initial(), 0)])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::automaton::ltl::{Formulas, Lasso};
    use crate::automaton::{Cube, Literal, Passes, Prop, translate};
    use crate::budget::Budget;
    use crate::rng::Rng;

    /// Words of two letters over p and q: the automaton of a formula under conditions accepts those of the formula that satisfy
    /// them.
    #[test]
    fn words_are_those_of_the_conjunction() {
        let (p, q) = (Prop(0), Prop(1));
        let is = |prop, positive| Guard::literal(prop, positive);
        let either = Guard::from_cubes([
            Cube::new([Literal { prop: p, positive: false }]).unwrap(),
            Cube::new([Literal { prop: q, positive: true }]).unwrap(),
        ]);
        let conditions = [
            (FairWord::Justice(is(q, true)), "G F q"),
            (FairWord::Justice(either), "G F (!p | q)"),
            (FairWord::Compassion(is(p, false), is(q, true)), "G F p -> G F q"),
            (FairWord::Compassion(is(q, false), is(p, true)), "G F q -> G F p"),
        ];
        let mut rng = Rng::new(3);
        let mut seen = [0; 2];
        for formula in ["p | !p", "F (p & X q)", "G (p -> F q)", "F G p", "p U q", "G F p & G F !p"] {
            for mask in 0..16usize {
                let mut store = Formulas::new();
                for name in ["p", "q"] {
                    store.proposition(name);
                }
                let chosen: Vec<&(FairWord, &str)> =
                    conditions.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1).map(|(_, one)| one).collect();
                let whole = chosen
                    .iter()
                    .fold(format!("({formula}) & (p | !p | q)"), |text, (_, more)| format!("{text} & ({more})"));
                let budget = Budget::unlimited();
                let read = |store: &mut Formulas, text: &str| store.parse(text).unwrap();
                let (plain, all) = (read(&mut store, formula), read(&mut store, &whole));
                let given = translate(&mut store, plain, &Passes::default(), &budget).unwrap();
                // The propositions that are left are numbered in the store.
                assert!(given.propositions().starts_with(&["p".to_owned(), "q".to_owned()]));
                let words: Vec<FairWord> = chosen.iter().map(|one| one.0.clone()).collect();
                let found = under(&given, &[], &words).unwrap();
                for _ in 0..40 {
                    let letter = |rng: &mut Rng| {
                        let both = [(p, rng.below(2) == 0), (q, rng.below(2) == 0)];
                        Cube::new(both.map(|(prop, positive)| Literal { prop, positive })).unwrap()
                    };
                    let mut some = |least: usize| {
                        let length = least + rng.below(3);
                        (0..length).map(|_| letter(&mut rng)).collect::<Vec<_>>()
                    };
                    let word = Lasso { prefix: some(0), cycle: some(1) };
                    let holds = store.satisfied(all, &word);
                    seen[usize::from(holds)] += 1;
                    assert_eq!(found.accepts(&word), holds, "{whole} on {word:?}");
                }
            }
        }
        assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
    }
}
