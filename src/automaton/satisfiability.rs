//! A word that satisfies a formula.
//!
//! A guarantee, which a beginning satisfies, needs [no automaton](super::guarantee); its word is a shortest one.
//!
//! Other formulas have two ways, the cheap one first. Some hundred random words are evaluated by the definition of the
//! operators: a formula that holds of many words holds of one of them, however large its automaton is. Then the automaton is
//! asked, translated without the passes that make it small. What is found is a word, so the first way proves as much as the
//! second.

use super::error::TranslationError;
use super::ltl::{Formula, Formulas, Lasso, MAX_DEPTH, Node};
use super::{Cube, Literal, Passes, Prop, guarantee, translate};
use crate::budget::Budget;
use crate::rng::Rng;

/// How many random words are tried.
const WORDS: usize = 300;

/// A word that satisfies the formula; `None` if there is none.
///
/// ```
/// use starset::automaton::{ltl::Formulas, satisfying_word};
/// use starset::budget::Budget;
/// let mut store = Formulas::new();
/// let f = store.parse("F(grant & O request) & G !request").unwrap();
/// assert_eq!(satisfying_word(&mut store, f, &Budget::unlimited()).unwrap(), None);
/// let g = store.parse("F(grant & O request) & G !(grant & request)").unwrap();
/// let word = satisfying_word(&mut store, g, &Budget::unlimited()).unwrap().unwrap();
/// assert!(store.satisfied(g, &word));
/// ```
///
/// # Errors
/// [`TranslationError`] where the formula is of another store or too deep, or the budget is used up first.
pub fn satisfying_word(
    store: &mut Formulas,
    formula: Formula,
    budget: &Budget,
) -> Result<Option<Lasso>, TranslationError> {
    if !store.has(formula) {
        return Err(TranslationError::Foreign);
    }
    if store.depth(formula) > MAX_DEPTH {
        return Err(TranslationError::TooDeep);
    }
    let simple = store.simplify_at_first(formula);
    if let Some(formula) = [simple, formula].into_iter().find(|&f| store.is_guarantee(f)) {
        let prefix = guarantee::shortest(store, formula, budget)?;
        // What comes then does not matter.
        return Ok(prefix.map(|prefix| Lasso { prefix, cycle: vec![Cube::default()] }));
    }
    if let Some(word) = by_chance(store, simple, budget)? {
        return Ok(Some(word));
    }
    let passes = Passes { simplify: false, simulation: false, wdba: false, suspension: false, merging: false };
    Ok(translate(store, simple, &passes, budget)?.accepted_word())
}

/// One of some short random words, if one satisfies the formula. The same words for the same formula.
fn by_chance(store: &Formulas, formula: Formula, budget: &Budget) -> Result<Option<Lasso>, TranslationError> {
    let literals = store.subformulas(formula).into_iter();
    let mut props: Vec<Prop> = literals
        .filter_map(|f| match *store.node(f) {
            Node::Literal(prop, _) => Some(prop),
            _ => None,
        })
        .collect();
    props.dedup();
    let mut rng = Rng::new(0);
    let letters = |rng: &mut Rng, count: usize| -> Vec<Cube> {
        let mut letter = || Cube::new(props.iter().map(|&prop| Literal { prop, positive: rng.one_in(2) }));
        (0..count).filter_map(|_| letter()).collect()
    };
    for number in 0..WORDS {
        budget.check()?;
        let word = Lasso { prefix: letters(&mut rng, number % 4), cycle: letters(&mut rng, 1 + number % 3) };
        if store.satisfied(formula, &word) {
            return Ok(Some(word));
        }
    }
    Ok(None)
}
