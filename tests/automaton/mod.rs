//! The translator against automata made by another tool: `../shared/ltl/hoa` holds one for each pattern and
//! family formula and for its negation. `A(φ) ⊗ HOA(¬φ) = ∅` and `A(¬φ) ⊗ HOA(φ) = ∅` prove that both of our
//! automata are right, given that both of the others are; `A(φ) ⊗ A(¬φ) = ∅` needs no other tool.
#![allow(clippy::unwrap_used)]

mod finite;
mod grammar;
mod past;
#[cfg(feature = "spot")]
mod spot;
mod universality;

use crate::shared::shared;
use starset::automaton::ltl::Formulas;
use starset::automaton::{Passes, Tgba, common_word, hoa, translate};
use starset::budget::Budget;

fn prove_equality(set: &str) {
    let Some(folder) = shared("ltl") else { return };
    let read = |file: String| std::fs::read_to_string(folder.join(file)).unwrap();
    let formulas = read(format!("sets/{set}.ltl"));
    let positive = hoa::read_all(&read(format!("hoa/{set}.hoa"))).unwrap();
    let negative = hoa::read_all(&read(format!("hoa/{set}-neg.hoa"))).unwrap();
    let count = formulas.lines().count();
    assert!(count > 0);
    assert_eq!((positive.len(), negative.len()), (count, count));
    let budget = Budget::unlimited();
    let disjoint = |a: &Tgba, b: &Tgba, what: &str| {
        let word = common_word(a, b, &budget).unwrap();
        assert_eq!(word, None, "{set}: {what}");
    };
    for ((line, theirs), their_negation) in formulas.lines().zip(&positive).zip(&negative) {
        let mut store = Formulas::new();
        let formula = store.parse(line).unwrap();
        let ours = translate(&mut store, formula, &Passes::default(), &budget).unwrap();
        let our_negation = translate(&mut store, formula.negated(), &Passes::default(), &budget).unwrap();
        disjoint(&ours, their_negation, line);
        disjoint(&our_negation, theirs, line);
        disjoint(&ours, &our_negation, line);
    }
}

#[test]
fn pattern_formulas_have_the_right_language() {
    for set in ["dac", "eh", "hkrss", "p", "sb", "sejk"] {
        prove_equality(set);
    }
}

#[test]
fn family_formulas_have_the_right_language() {
    prove_equality("families");
}
