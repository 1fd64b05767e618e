//! Where automata come from: our own translator, or another one that is asked.
//!
//! Engines take automata from a [`Translator`], so that one tool's translation can be replaced by another's.
//! The automaton of another tool is not trusted: a wrong automaton would be a wrong verdict. [`verified`] compares
//! it with our own automaton of the negated formula, which proves that it accepts nothing wrong, and tries it on
//! some words, evaluated by the definition of the logic, for what it should accept. (A proof of that would need
//! its complement.) A difference is reported as a word.

use super::ltl::{Formula, Formulas, Lasso};
use super::{Cube, Guard, Literal, Passes, Prop, Tgba, TgbaBuilder, TranslationError, common_word, translate};
use crate::budget::Budget;
use crate::rng::Rng;
use std::fmt::Debug;
use std::time::Duration;

/// Makes automata of formulas.
///
/// ```
/// use starset::automaton::{Builtin, Translator, ltl::Formulas};
/// use starset::budget::Budget;
/// let mut store = Formulas::new();
/// let formula = store.parse("G F a").unwrap();
/// let automaton = Builtin.automaton(&mut store, formula, &Budget::unlimited()).unwrap();
/// assert_eq!(automaton.location_count(), 1);
/// ```
pub trait Translator: Debug + Send + Sync {
    /// An automaton of `formula`; the names of its propositions are those of the store.
    fn automaton(&self, store: &mut Formulas, formula: Formula, budget: &Budget) -> Result<Tgba, TranslationError>;

    /// May it be asked for a part of a formula, where the rest needs no automaton? A tool that somebody has named is asked for
    /// the whole.
    fn takes_parts(&self) -> bool {
        false
    }
}

/// Our own translator, all passes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Builtin;

impl Translator for Builtin {
    fn automaton(&self, store: &mut Formulas, formula: Formula, budget: &Budget) -> Result<Tgba, TranslationError> {
        translate(store, formula, &Passes::default(), budget)
    }

    fn takes_parts(&self) -> bool {
        true
    }
}

/// How long our own translator and the comparison with it may take.
const COMPARISON: Duration = Duration::from_secs(5);
/// How many words are tried.
const WORDS: u64 = 200;
/// Longest prefix and longest cycle of a word.
const MAX_LENGTH: usize = 4;

/// Other tools know no operators of the past, and some would take their letters for propositions.
pub(super) fn refuse_past(tool: &str, store: &Formulas, formula: Formula) -> Result<(), TranslationError> {
    if store.past(formula) == 0 {
        return Ok(());
    }
    let message = "formulas with operators of the past are translated by the built-in translator alone".to_owned();
    Err(TranslationError::Tool { tool: tool.to_owned(), message })
}

/// Checks the automaton that `tool` made of `formula`, and numbers its propositions as the store does.
pub(super) fn verified(
    tool: &str,
    automaton: &Tgba,
    store: &mut Formulas,
    formula: Formula,
    budget: &Budget,
) -> Result<Tgba, TranslationError> {
    let wrong = |message: String| TranslationError::Tool { tool: tool.to_owned(), message };
    let automaton = renumbered(automaton, store).map_err(wrong)?;
    // Where our translator or the comparison takes too long, the words must do.
    let short = budget.clone().with_time(COMPARISON);
    let negation = translate(store, formula.negated(), &Passes::default(), &short);
    let common = negation.and_then(|negation| Ok(common_word(&automaton, &negation, &short)?));
    let words = common.ok().flatten().into_iter().chain((0..WORDS).map(|seed| lasso(store, seed)));
    for word in words {
        budget.check()?;
        let accepts = automaton.accepts(&word);
        if accepts != store.satisfied(formula, &word) {
            let (verb, text) = (if accepts { "accepts" } else { "rejects" }, store.text(formula));
            return Err(wrong(format!("its automaton is not one of {text}: it {verb} {}", spelled(&word, store))));
        }
    }
    let next_free = store.is_next_free(formula);
    Ok(automaton.with_stutter_invariance(next_free.then_some(true)).with_title(store.title(formula)))
}

/// The automaton with the propositions of the store; the error names one that is not among them.
fn renumbered(automaton: &Tgba, store: &Formulas) -> Result<Tgba, String> {
    let names: Vec<&str> = store.propositions().collect();
    let number = |literal: &Literal| {
        let name = automaton.propositions().get(literal.prop.index()).map_or("", String::as_str);
        match names.iter().position(|known| *known == name) {
            Some(index) => Ok(Literal { prop: Prop(index as u32), positive: literal.positive }),
            None => Err(format!("its automaton has a proposition \"{name}\", which the formula does not have")),
        }
    };
    let mut builder = TgbaBuilder::new(names.iter().copied(), automaton.acceptance_sets());
    for location in automaton.locations() {
        builder.location(automaton.name(location));
    }
    for edge in automaton.edges() {
        let mut cubes = Vec::new();
        for cube in edge.guard.cubes() {
            let literals: Vec<Literal> = cube.literals().iter().map(number).collect::<Result<_, _>>()?;
            cubes.extend(Cube::new(literals));
        }
        builder.edge(edge.source, Guard::from_cubes(cubes), edge.marks, edge.target);
    }
    builder.build(automaton.initial()).map_err(|e| e.to_string())
}

/// A word over all propositions of the store.
fn lasso(store: &Formulas, seed: u64) -> Lasso {
    let mut rng = Rng::new(seed);
    let count = store.propositions().len() as u32;
    let (prefix, cycle) = (rng.below(MAX_LENGTH), 1 + rng.below(MAX_LENGTH));
    let mut letters = |length: usize| -> Vec<Cube> {
        let mut letter =
            || Cube::new((0..count).map(|p| Literal { prop: Prop(p), positive: rng.one_in(2) })).unwrap_or_default();
        (0..length).map(|_| letter()).collect()
    };
    Lasso { prefix: letters(prefix), cycle: letters(cycle) }
}

/// The word as text: each letter lists the propositions that hold.
fn spelled(word: &Lasso, store: &Formulas) -> String {
    let names: Vec<&str> = store.propositions().collect();
    let letters = |cubes: &[Cube]| {
        let letter = |cube: &Cube| {
            let holding = cube.literals().iter().filter(|l| l.positive);
            let listed: Vec<&str> = holding.filter_map(|l| names.get(l.prop.index()).copied()).collect();
            format!("{{{}}}", listed.join(", "))
        };
        cubes.iter().map(letter).collect::<Vec<_>>().join(" ")
    };
    let separator = if word.prefix.is_empty() { "" } else { " " };
    format!("{}{separator}and then ({}) for ever", letters(&word.prefix), letters(&word.cycle))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::hoa;
    use super::*;

    fn check(formula: &str, automaton: &str) -> Result<Tgba, String> {
        let mut store = Formulas::new();
        let formula = store.parse(formula).unwrap();
        let given = hoa::read(automaton).unwrap();
        verified("tool", &given, &mut store, formula, &Budget::unlimited()).map_err(|e| e.to_string())
    }

    #[test]
    fn right_automata_pass_and_wrong_ones_are_refuted_by_a_word() {
        let gf = |props: &str, marked: &str| {
            format!(
                "HOA: v1 Start: 0 AP: {props} Acceptance: 1 Inf(0) --BODY-- \
                 State: 0 [{marked}] 0 {{0}} [!{marked}] 0 --END--"
            )
        };
        // The numbers of propositions differ, their names count; one that no edge reads is no matter.
        let right = check("GF b & (a | !a | b)", &gf("2 \"z\" \"b\"", "1")).unwrap();
        assert_eq!(right.propositions(), ["b", "a"].map(str::to_owned));
        let error = check("GF b", &gf("2 \"z\" \"b\"", "0")).unwrap_err();
        assert_eq!(error, "translator `tool`: its automaton has a proposition \"z\", which the formula does not have");
        // Accepts too much.
        let error = check("GF(a & b)", &gf("2 \"a\" \"b\"", "0")).unwrap_err();
        assert!(error.contains("is not one of GF(a & b): it accepts "), "{error}");
        // Accepts too little, down to nothing.
        let error = check("GF(a | b)", &gf("2 \"a\" \"b\"", "0")).unwrap_err();
        assert!(error.contains("it rejects ") && error.contains("for ever"), "{error}");
        let empty = "HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 --END--";
        assert!(check("F(a & b)", empty).is_err());
        assert!(check("a & !a", empty).is_ok());
        let mut store = Formulas::new();
        let [past, future] = ["F O a", "F a"].map(|text| store.parse(text).unwrap());
        assert!(refuse_past("tool", &store, future).is_ok());
        assert!(refuse_past("tool", &store, past).unwrap_err().to_string().contains("of the past"));
    }
}
