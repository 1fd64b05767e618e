//! The translator: from a formula to a small automaton.

use super::bdd::{Bdds, Variable};
use super::graph::Graph;
use super::ltl::{Formula, Formulas, MAX_DEPTH, Node};
use super::tableau::Tableau;
use super::{AutomatonError, Prop, Tgba, cleanup, merging, simulation};
use crate::budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;

/// Why a formula was not translated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TranslationError {
    /// Out of time or memory, or cancelled.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// Too many eventualities at once.
    #[error("the automaton would need {0} acceptance sets; at most 64 are supported")]
    TooManySets(u32),
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("formula nested too deeply")]
    TooDeep,
    /// The result was refused: a defect of the translator.
    #[error(transparent)]
    Automaton(#[from] AutomatonError),
}

/// Product edges that merging by trial may visit.
const MERGING_FUEL: u64 = 2_000_000;
/// Most states of a tableau.
const STATE_LIMIT: usize = 100_000;

/// Which passes to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    /// Rewrite the formula first.
    pub simplify: bool,
    /// Quotient by direct and reverse simulation.
    pub simulation: bool,
    /// Merge states by trial.
    pub merging: bool,
}

impl Default for Passes {
    fn default() -> Self {
        Passes { simplify: true, simulation: true, merging: true }
    }
}

/// Translates `formula`; the propositions of the result are those of the store.
pub fn translate(
    store: &mut Formulas,
    formula: Formula,
    passes: &Passes,
    budget: &Budget,
) -> Result<Tgba, TranslationError> {
    if store.depth(formula) > MAX_DEPTH {
        return Err(TranslationError::TooDeep);
    }
    let mut used: Vec<u32> = Vec::new();
    for f in store.subformulas(formula) {
        if let Node::Literal(prop, _) = store.node(f) {
            used.push(prop.0);
        }
    }
    used.sort_unstable();
    used.dedup();
    let variables: FxHashMap<u32, Variable> = used.iter().zip(0..).map(|(&p, v)| (p, v)).collect();
    let mut bdds = Bdds::new(used.len() as u32, budget)?;
    let mut graph = small(store, formula, passes, &mut bdds, &variables)?;
    let negation = small(store, formula.negated(), passes, &mut bdds, &variables)?;
    if passes.merging {
        merging::merge_states(&mut graph, &negation, &mut bdds, &mut MERGING_FUEL.clone())?;
    }
    let props: Vec<Prop> = used.into_iter().map(Prop).collect();
    let names: Vec<String> = store.propositions().map(str::to_owned).collect();
    Ok(graph.to_tgba(&mut bdds, &props, &names)??)
}

/// The tableau, cleaned and reduced.
fn small(
    store: &mut Formulas,
    formula: Formula,
    passes: &Passes,
    bdds: &mut Bdds,
    variables: &FxHashMap<u32, Variable>,
) -> Result<Graph, TranslationError> {
    let simple = if passes.simplify { store.simplify(formula) } else { formula };
    let mut graph = Tableau::new(store, bdds, variables).build(simple, STATE_LIMIT)?;
    cleanup::clean(&mut graph);
    graph.merge_parallel(bdds)?;
    if passes.simulation {
        simulation::reduce(&mut graph, bdds)?;
    }
    Ok(graph)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::common_word;
    use super::super::ltl::tests_support::{formula_texts, words};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn words_are_accepted_iff_they_satisfy(
            text in formula_texts(4),
            words in proptest::collection::vec(words(3), 8),
        ) {
            let mut s = Formulas::with_propositions(["a", "b", "c"]);
            let f = s.parse(&text).unwrap();
            let (budget, passes) = (Budget::unlimited(), Passes::default());
            let yes = translate(&mut s, f, &passes, &budget).unwrap();
            let no = translate(&mut s, f.negated(), &passes, &budget).unwrap();
            for word in &words {
                let holds = s.satisfied(f, word);
                prop_assert_eq!(yes.accepts(word), holds, "{} on {:?}", text, word);
                prop_assert_eq!(no.accepts(word), !holds, "not {} on {:?}", text, word);
            }
            prop_assert_eq!(common_word(&yes, &no, &budget).unwrap(), None);
            if let Some(word) = yes.accepted_word() {
                prop_assert!(s.satisfied(f, &word));
            }
        }
    }
}
