//! The translator: from a formula to a small automaton.
//!
//! The formula is simplified; its tableau is cleaned and reduced by bisimulation and simulation. So is that of
//! its negation, which is what lets the later passes *verify* what they guess. Then candidates are made:
//!
//! 1. the reduced tableau;
//! 2. the minimal weak deterministic automaton, when the language is an obligation;
//! 3. for `G F` of a guarantee, the automaton that starts over, or that remembers the last letters;
//! 4. for a conjunction with suspendable operands, the product that suspends them;
//! 5. each of these with states merged by trial.
//!
//! Where the tableau of a conjunction, a disjunction or `X` is large, the operands are translated one by one and put
//! together. Where that of another formula is beyond [`LARGEST`] there is no automaton.
//!
//! The one with the fewest states is taken, among equals the one with the least nondeterminism, edges and
//! acceptance sets. Work beyond the tableau is bounded by counts, not by the clock, so the same formula gives
//! the same automaton; running out of [`Budget`] ends in [`Exhausted`].

use super::bdd::{Bdds, Variable};
use super::error::TranslationError;
use super::graph::Graph;
use super::ltl::{Formula, Formulas, MAX_DEPTH, Node};
use super::tableau::{Limits, Tableau};
use super::{
    Prop, Stuttering, Tgba, bisimulation, cleanup, composition, merging, simulation, stutter, suspension, wdba, window,
};
use crate::budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;

/// Which passes to run. All are on by default; each can be switched off, so that its worth can be measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    /// Rewrite the formula first.
    pub simplify: bool,
    /// Quotient by bisimulation, and by direct and reverse simulation.
    pub simulation: bool,
    /// Minimal weak deterministic automata for obligations.
    pub wdba: bool,
    /// The constructions for `G F` of a guarantee and for suspendable conjuncts.
    pub suspension: bool,
    /// Merge states by trial.
    pub merging: bool,
}

impl Default for Passes {
    fn default() -> Self {
        Passes { simplify: true, simulation: true, wdba: true, suspension: true, merging: true }
    }
}

/// Pairs of edges that verification may visit in products, for one formula.
const VERIFICATION_FUEL: u64 = 400_000;
/// The same for the check of stutter invariance.
const STUTTER_FUEL: u64 = 100_000;
/// The largest tableau, and the most edges of any automaton.
const LARGEST: Limits = Limits { states: 1 << 20, edges: 1 << 21 };
/// The largest tableau that is made before operands are translated one by one, and to which the passes beyond
/// simulation are applied.
const SMALL: Limits = Limits { states: 1_000, edges: 20_000 };

/// Translates `formula`; the propositions of the result are those of the store.
///
/// ```
/// use starset::automaton::{Passes, Strength, ltl::Formulas, translate};
/// use starset::budget::Budget;
/// let mut store = Formulas::new();
/// let formula = store.parse("G(request -> F grant)").unwrap();
/// let automaton = translate(&mut store, formula, &Passes::default(), &Budget::unlimited()).unwrap();
/// assert_eq!(automaton.location_count(), 2);
/// assert_eq!(automaton.strength(), Strength::Strong);
/// assert_eq!(automaton.stutter_invariant(), Some(true));
/// ```
pub fn translate(
    store: &mut Formulas,
    formula: Formula,
    passes: &Passes,
    budget: &Budget,
) -> Result<Tgba, TranslationError> {
    if !store.has(formula) {
        return Err(TranslationError::Foreign);
    }
    if store.depth(formula) > MAX_DEPTH {
        return Err(TranslationError::TooDeep);
    }
    translate_within(store, formula, passes, SMALL, budget)
}

/// Translates, with the limits of a small tableau.
fn translate_within(
    store: &mut Formulas,
    formula: Formula,
    passes: &Passes,
    small: Limits,
    budget: &Budget,
) -> Result<Tgba, TranslationError> {
    let used = used(store, formula);
    let simple = if passes.simplify { store.simplify_at_first(formula) } else { formula };
    let variables = used.iter().zip(0..).map(|(&p, v)| (p, v)).collect();
    let mut bdds = Bdds::new(used.len() as u32, budget)?;
    let fuel = VERIFICATION_FUEL;
    let mut translator = Translator { store, passes, small, bdds: &mut bdds, variables: &variables, fuel };
    let (graph, negation) = translator.best(simple)?;
    // Laws of the past bring `Y` in.
    let next_free = [formula, simple].into_iter().any(|f| translator.store.is_next_free(f));
    let stuttering = translator.stuttering(next_free, &graph, negation.as_ref())?;
    let props: Vec<Prop> = used.into_iter().map(Prop).collect();
    let names: Vec<String> = store.propositions().map(str::to_owned).collect();
    let automaton = graph.to_tgba(&mut bdds, &props, &names)??;
    Ok(automaton.with_stuttering(stuttering).with_title(store.title(formula)))
}

/// The minimal deterministic automaton of an obligation, every word of which is decided by a prefix or is not in the language
/// of the formula; `None` if it is too large.
///
/// # Errors
/// As [`translate`].
pub(super) fn minimal(
    store: &mut Formulas,
    formula: Formula,
    budget: &Budget,
) -> Result<Option<Tgba>, TranslationError> {
    if store.depth(formula) > MAX_DEPTH {
        return Err(TranslationError::TooDeep);
    }
    let used = used(store, formula);
    let simple = store.simplify_at_first(formula);
    let variables = used.iter().zip(0..).map(|(&p, v)| (p, v)).collect();
    let mut bdds = Bdds::new(used.len() as u32, budget)?;
    let passes = Passes::default();
    let fuel = VERIFICATION_FUEL;
    let mut translator =
        Translator { store, passes: &passes, small: SMALL, bdds: &mut bdds, variables: &variables, fuel };
    let Some(graph) = translator.tableau(simple, LARGEST)? else { return Ok(None) };
    let Some(minimal) = wdba::minimize(&graph, None, &mut bdds, &mut VERIFICATION_FUEL.clone())? else {
        return Ok(None);
    };
    let props: Vec<Prop> = used.into_iter().map(Prop).collect();
    let names: Vec<String> = store.propositions().map(str::to_owned).collect();
    Ok(Some(minimal.automaton.to_tgba(&mut bdds, &props, &names)??))
}

/// The propositions of a formula.
fn used(store: &Formulas, formula: Formula) -> Vec<u32> {
    let mut used: Vec<u32> = Vec::new();
    for f in store.subformulas(formula) {
        if let Node::Literal(prop, _) = store.node(f) {
            used.push(prop.0);
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}

struct Translator<'a> {
    store: &'a mut Formulas,
    passes: &'a Passes,
    small: Limits,
    bdds: &'a mut Bdds,
    variables: &'a FxHashMap<u32, Variable>,
    fuel: u64,
}

impl Translator<'_> {
    /// The best of what the passes yield, and an automaton of the negation unless one of the two is large.
    fn best(&mut self, formula: Formula) -> Result<(Graph, Option<Graph>), TranslationError> {
        let Some(graph) = self.tableau(formula, self.small)? else { return Ok((self.large(formula)?, None)) };
        let mut negation = self.tableau(formula.negated(), self.small)?;
        let mut candidates = Vec::new();
        if self.passes.wdba && (negation.is_some() || self.store.is_obligation(formula)) {
            let check = negation.as_ref().filter(|_| !self.store.is_obligation(formula));
            if let Some(minimal) = wdba::minimize(&graph, check, self.bdds, &mut self.fuel)? {
                candidates.push(minimal.automaton);
                negation = Some(minimal.complement);
            }
        }
        if self.passes.suspension && candidates.is_empty() {
            candidates.extend(self.restarting(formula)?);
            candidates.extend(self.suspending(formula)?);
        }
        candidates.push(graph);
        if let Some(negation) = negation.as_ref().filter(|_| self.passes.merging) {
            for i in 0..candidates.len() {
                let mut merged = candidates[i].clone();
                merging::merge_states(&mut merged, negation, self.bdds, &mut self.fuel)?;
                candidates.push(merged);
            }
        }
        let mut best: Option<((usize, usize, usize, u32), Graph)> = None;
        for graph in candidates {
            let cost = (graph.len(), graph.nondeterminism(self.bdds)?, graph.edge_count(), graph.sets);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, graph));
            }
        }
        Ok((best.map_or_else(Graph::empty, |(_, graph)| graph), negation))
    }

    /// How the language takes repetitions, where that is known.
    fn stuttering(
        &mut self,
        next_free: bool,
        graph: &Graph,
        negation: Option<&Graph>,
    ) -> Result<Stuttering, TranslationError> {
        if next_free {
            return Ok(Stuttering::INVARIANT);
        }
        let Some(negation) = negation else { return Ok(Stuttering::default()) };
        Ok(stutter::stuttering(graph, negation, self.bdds, &mut STUTTER_FUEL.clone())?)
    }

    /// The tableau, reduced; `None` if it is larger than `limits`.
    fn tableau(&mut self, formula: Formula, limits: Limits) -> Result<Option<Graph>, TranslationError> {
        let tableau = Tableau::new(self.store, self.bdds, self.variables);
        let Some(mut graph) = tableau.build(formula, limits)? else { return Ok(None) };
        self.reduce(&mut graph)?;
        Ok(Some(graph))
    }

    /// An automaton of a formula whose tableau is large: put together where the outermost operator allows it. Recursion
    /// is as deep as the formula.
    fn large(&mut self, formula: Formula) -> Result<Graph, TranslationError> {
        let mut graph = match self.store.node(formula).clone() {
            Node::And(operands) => return self.conjunction(&operands),
            Node::Or(operands) => {
                let mut whole = Graph::empty();
                for &operand in &operands {
                    let (graph, _) = self.best(operand)?;
                    whole = composition::disjunction(&whole, &graph);
                }
                whole
            }
            // An operand with past knows of the letter that `X` skips.
            Node::Next(operand) if self.store.past(operand) == 0 => composition::next(&self.best(operand)?.0),
            _ => {
                let largest = self.tableau(formula, LARGEST)?;
                return largest.ok_or(TranslationError::TooLarge { edges: LARGEST.edges });
            }
        };
        self.reduce(&mut graph)?;
        Ok(graph)
    }

    /// The product of the automata of operands, those that can be suspended last.
    fn conjunction(&mut self, operands: &[Formula]) -> Result<Graph, TranslationError> {
        let (suspendable, rest): (Vec<Formula>, Vec<Formula>) =
            operands.iter().partition(|&&g| self.passes.suspension && self.can_wait(g));
        let mut whole = self.best(Formula::TRUE)?.0;
        for operand in rest {
            let (graph, _) = self.best(operand)?;
            whole = composition::conjunction(&whole, &graph, self.bdds, LARGEST.edges)?;
            self.reduce(&mut whole)?;
        }
        for operand in suspendable {
            let (graph, _) = self.best(operand)?;
            whole = suspension::conjunction(&whole, &graph, self.bdds, LARGEST.edges)?;
            self.reduce(&mut whole)?;
        }
        Ok(whole)
    }

    /// Is the formula true of a word iff it is of each of its suffixes, read by themselves?
    fn can_wait(&self, formula: Formula) -> bool {
        self.store.is_suspendable(formula) && self.store.past(formula) == 0
    }

    fn reduce(&mut self, graph: &mut Graph) -> Result<(), Exhausted> {
        cleanup::clean(graph);
        graph.merge_parallel(self.bdds)?;
        if self.passes.simulation {
            bisimulation::reduce(graph, self.bdds)?;
            simulation::reduce(graph, self.bdds)?;
        }
        Ok(())
    }

    /// For `G F g` with `g` a guarantee: automata of `F g` that start over, a deterministic and a small one.
    fn restarting(&mut self, formula: Formula) -> Result<Vec<Graph>, TranslationError> {
        let Node::Globally(eventually) = *self.store.node(formula) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        if let Node::Finally(g) = *self.store.node(eventually) {
            found.extend(window::infinitely_often(self.store, g, self.variables, self.bdds)?);
        }
        if !self.store.is_guarantee(eventually)
            || !self.store.is_eventual(eventually)
            || self.store.past(eventually) > 0
        {
            return Ok(found);
        }
        let (small, _) = self.best(eventually)?;
        if let Some(minimal) = wdba::minimize(&small, None, self.bdds, &mut self.fuel)? {
            found.extend(suspension::infinitely_often(&minimal.automaton));
        }
        found.extend(suspension::infinitely_often(&small));
        for graph in &mut found {
            self.reduce(graph)?;
        }
        Ok(found)
    }

    /// For a conjunction with suspendable operands: the product that suspends them.
    fn suspending(&mut self, formula: Formula) -> Result<Option<Graph>, TranslationError> {
        let Node::And(operands) = self.store.node(formula).clone() else { return Ok(None) };
        let (suspendable, rest): (Vec<Formula>, Vec<Formula>) = operands.iter().partition(|&&g| self.can_wait(g));
        if suspendable.is_empty() {
            return Ok(None);
        }
        let rest = self.store.and(rest);
        let (mut graph, _) = self.best(rest)?;
        for operand in suspendable {
            let (suspended, _) = self.best(operand)?;
            match suspension::conjunction(&graph, &suspended, self.bdds, self.small.edges) {
                Ok(product) => graph = product,
                Err(TranslationError::TooManySets(_) | TranslationError::TooLarge { .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        self.reduce(&mut graph)?;
        Ok(Some(graph))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::ltl::Lasso;
    use super::super::ltl::tests_support::{formula_texts, words};
    use super::super::{Cube, Literal, common_word};
    use super::*;
    use proptest::prelude::*;

    /// A formula and its negation give automata that accept the words they should, and no common word.
    fn check(text: &str, words: &[Lasso], passes: &Passes) -> Result<(), TestCaseError> {
        let mut s = Formulas::with_propositions(["a", "b", "c"]);
        let f = s.parse(text).unwrap();
        let budget = Budget::unlimited();
        let yes = translate(&mut s, f, passes, &budget).unwrap();
        let no = translate(&mut s, f.negated(), passes, &budget).unwrap();
        for word in words {
            let holds = s.satisfied(f, word);
            prop_assert_eq!(yes.accepts(word), holds, "{} on {:?}", text, word);
            prop_assert_eq!(no.accepts(word), !holds, "not {} on {:?}", text, word);
        }
        prop_assert_eq!(common_word(&yes, &no, &budget).unwrap(), None);
        if let Some(word) = yes.accepted_word() {
            prop_assert!(s.satisfied(f, &word));
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn words_are_accepted_iff_they_satisfy(
            text in formula_texts(4),
            words in proptest::collection::vec(words(3), 8),
        ) {
            check(&text, &words, &Passes::default())?;
        }

        #[test]
        fn conjunctions_with_suspendable_operands(
            rest in formula_texts(2),
            left in formula_texts(2),
            right in formula_texts(2),
            words in proptest::collection::vec(words(3), 8),
        ) {
            let text = format!("({rest}) & (GF({left}) | FG({right})) & GF({right})");
            let passes = Passes { merging: false, ..Passes::default() };
            check(&text, &words, &passes)?;
        }

        #[test]
        fn every_combination_of_passes_is_right(
            text in formula_texts(3),
            words in proptest::collection::vec(words(3), 4),
            bits in 0u32..32,
        ) {
            let on = |i: u32| bits >> i & 1 == 1;
            let passes =
                Passes { simplify: on(0), simulation: on(1), wdba: on(2), suspension: on(3), merging: on(4) };
            check(&text, &words, &passes)?;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        /// The operands of any formula are translated one by one as if its tableau were large.
        #[test]
        fn automata_put_together_are_right(
            texts in proptest::collection::vec((formula_texts(2), "[&|X]"), 1..4),
            words in proptest::collection::vec(words(3), 8),
            edges in 0usize..6,
        ) {
            let mut s = Formulas::with_propositions(["a", "b", "c"]);
            let fold = |text: String, (operand, operator): &(String, String)| match operator.as_str() {
                "X" => format!("X(({text}) & ({operand}))"),
                operator => format!("({text}) {operator} ({operand})"),
            };
            let text = texts.iter().fold("1".to_owned(), fold);
            let f = s.parse(&text).unwrap();
            let small = Limits { states: 2, edges };
            let a = translate_within(&mut s, f, &Passes::default(), small, &Budget::unlimited()).unwrap();
            for word in &words {
                prop_assert_eq!(a.accepts(word), s.satisfied(f, word), "{} on {:?}", text, word);
            }
        }

        /// Against the definition, with the deterministic automaton that remembers the last letters.
        #[test]
        fn infinitely_often_with_a_bound_on_what_is_looked_at(
            parts in proptest::collection::vec(("!?X{0,3}[abc]", "[&|]"), 1..5),
            words in proptest::collection::vec(words(3), 8),
        ) {
            let text = parts.iter().fold("1".to_owned(), |text, (part, o)| format!("({text}) {o} ({part})"));
            let text = format!("({text}) <-> ({})", parts[0].0);
            check(&format!("GF({text})"), &words, &Passes { merging: false, ..Passes::default() })?;
        }
    }

    #[test]
    fn many_fairness_conditions_are_translated_one_by_one() {
        let mut s = Formulas::new();
        let text = (0..8).map(|i| format!("(GF a{i} -> GF b{i})")).collect::<Vec<_>>().join(" & ");
        let f = s.parse(&text).unwrap();
        let a = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
        // One location for each set of conditions that are kept since their `a` has ended.
        assert_eq!((a.location_count(), a.acceptance_sets()), (256, 8));
        let mut rng = crate::rng::Rng::new(1);
        for _ in 0..200 {
            let mut letters = |n: usize| -> Vec<Cube> {
                let mut letter = |_| Cube::new((0..16).map(|p| Literal { prop: Prop(p), positive: rng.one_in(3) }));
                (0..n).map(|i| letter(i).unwrap()).collect()
            };
            let word = Lasso { prefix: letters(2), cycle: letters(2) };
            assert_eq!(a.accepts(&word), s.satisfied(f, &word), "{word:?}");
        }
    }

    #[test]
    fn sizes_of_well_known_automata() {
        let mut s = Formulas::new();
        for (text, states, deterministic) in [
            ("1", 1, true),
            ("0", 1, true),
            ("p", 2, true),
            ("GFa", 1, true),
            ("FGa", 2, false),
            ("GFa & GFb & GFc", 1, true),
            ("a U b", 2, true),
            ("G(a -> Fb)", 2, true),
            ("GF(a & XXb)", 3, false),
            ("GF(b <-> X a)", 2, true),
            ("GF(b <-> XX a)", 4, true),
            ("(a U b) & GFc", 2, true),
        ] {
            let f = s.parse(text).unwrap();
            let a = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
            assert_eq!((a.location_count(), a.is_deterministic()), (states, deterministic), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn stuttering_is_right(text in formula_texts(4), word in words(3), at in 0usize..8) {
            let mut s = Formulas::with_propositions(["a", "b", "c"]);
            let f = s.parse(&text).unwrap();
            let a = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
            let mut repeated = word.clone();
            repeated.prefix.append(&mut repeated.cycle.clone());
            let i = at % repeated.prefix.len();
            repeated.prefix.insert(i, repeated.prefix[i].clone());
            let (shorter, longer) = (s.satisfied(f, &word), s.satisfied(f, &repeated));
            let known = a.stuttering();
            prop_assert_eq!(known.invariant(), a.stutter_invariant());
            prop_assert!(known.longer != Some(true) || longer || !shorter, "{}", text);
            prop_assert!(known.shorter != Some(true) || shorter || !longer, "{}", text);
        }
    }

    #[test]
    fn stutter_invariance_of_formulas_with_next() {
        let mut s = Formulas::new();
        for (text, invariant) in [
            ("F(a & X(!a & b))", true),
            ("F(a & X(!a & F(b & X(a | b))))", false),
            ("F(a & X !a)", true),
            ("GF(a & X !a)", true),
            ("F(!a & X a) & Gb", true),
            ("F(a & Xa)", false),
            ("XFa", false),
            ("XGFa", true),
            ("G(a | Xa)", false),
            ("X a", false),
            ("a | XFa", true),
        ] {
            let f = s.parse(text).unwrap();
            let a = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
            assert_eq!(a.stutter_invariant(), Some(invariant), "{text}");
        }
    }

    #[test]
    fn words_may_get_longer_or_shorter() {
        let mut s = Formulas::new();
        for (text, longer, shorter) in [
            ("X a", false, false),
            ("a & X a", true, false),
            ("a & X !a", false, true),
            ("F(a & X a)", true, false),
            ("G(a -> X !a)", false, true),
            ("G(a -> XX !a)", false, false),
            ("F(a & X !a)", true, true),
        ] {
            let f = s.parse(text).unwrap();
            let a = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
            let known = a.stuttering();
            assert_eq!((known.longer, known.shorter), (Some(longer), Some(shorter)), "{text}");
        }
    }

    #[test]
    fn limits_are_kept() {
        let mut s = Formulas::new();
        // 2^24 subsets of eventualities: must end, and soon.
        let text = (0..24).map(|i| format!("F(p{i} & XF(q{i} & r{i}))")).collect::<Vec<_>>().join(" & ");
        let f = s.parse(&text).unwrap();
        let start = std::time::Instant::now();
        let budget = Budget::unlimited().with_time(std::time::Duration::from_millis(100));
        let result = translate(&mut s, f, &Passes::default(), &budget);
        assert!(matches!(result, Err(TranslationError::Exhausted(_))));
        assert!(start.elapsed() < std::time::Duration::from_secs(10));
        let mut deep = Formula::TRUE;
        let p = s.proposition("p");
        for _ in 0..=MAX_DEPTH {
            deep = if deep == Formula::TRUE { s.literal(p, true) } else { s.next(deep) };
        }
        let fits = translate(&mut s, deep, &Passes::default(), &Budget::unlimited());
        assert_eq!(fits.unwrap().location_count(), MAX_DEPTH as usize + 2);
        let deeper = s.next(deep);
        assert_eq!(translate(&mut s, deeper, &Passes::default(), &Budget::unlimited()), Err(TranslationError::TooDeep));
        let found = translate(&mut Formulas::new(), deeper, &Passes::default(), &Budget::unlimited());
        assert_eq!(found, Err(TranslationError::Foreign));
    }
}
