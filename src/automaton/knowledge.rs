//! Facts about all words of a model, folded into an automaton.
//!
//! **Problem.** An automaton is made for all words over its propositions. The words of a model are few of them: some letters occur in
//! no state (two conditions that exclude each other, one that follows from the other), and the first letter is known. Edges that
//! only such letters can take make the automaton larger than what it is needed for.
//!
//! **Idea.** Let K be the words that agree with what is known. Any automaton B with L(A) ∩ K ⊆ L(B) ⊆ L(A) ∪ ¬K may stand for A. First
//! the guards are made as small as they can be: what is known is a conjunct of each. Edges without a letter vanish, and with them what
//! nothing accepts from; states that differ on other letters alone become equal, since labels are equal if they are so on the letters
//! that are left. Then the guards are made as *short* as they can be: an irredundant sum of products between
//! the letters of the edge and these together with all that never occur (Minato 1993). A run over a word of K takes the same edges
//! after that as before. The first letter prunes a copy of the initial location; the copy is kept where the automaton
//! becomes smaller by it.
//!
//! **Repetitions.** K is closed under repeating letters and leaving out repetitions, and its words are in L(B) iff they are in L(A): what is
//! known of A in this respect ([`Tgba::stuttering`]) holds of B on K. It does so even where B reads fewer propositions than A: let v be what
//! it reads of a word of K. Whether B accepts is a matter of v alone, so let the word have the same letter wherever v has, one after
//! the other; then its repetitions are those of v.
//!
//! Duret-Lutz, Poitrenaud and Thierry-Mieg, "Simplifying LTL model checking given prior knowledge" (arXiv 2503.16891, 2025), where what is known is any
//! formula of LTL and the bounds are also products and sums with its automaton. What is known here are an invariant and the first
//! letter, which need none.

use super::bdd::{Bdd, Bdds, Variable};
use super::graph::{Arc, Graph};
use super::{Cube, Guard, Prop, Tgba, cleanup, simulation};
use crate::budget::{Budget, Exhausted};

/// Facts about all words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Knowledge {
    /// Each letter satisfies none of these.
    pub never: Vec<Cube>,
    /// The first letter satisfies this.
    pub first: Cube,
}

/// Automata with more edges are left as they are.
const MOST_EDGES: usize = 10_000;

impl Tgba {
    /// An automaton that accepts the same ones of the words that agree with what is known, perhaps a smaller one.
    ///
    /// ```
    /// use starset::automaton::{Cube, Knowledge, Literal, Passes, Prop, Strength, ltl::Formulas, translate};
    /// use starset::budget::Budget;
    /// let (mut store, budget) = (Formulas::with_propositions(["a", "b"]), Budget::unlimited());
    /// let formula = store.parse("G F (a & b)").unwrap();
    /// let automaton = translate(&mut store, formula, &Passes::default(), &budget).unwrap();
    /// let both = Cube::new([0, 1].map(|p| Literal { prop: Prop(p), positive: true })).unwrap();
    /// let knowledge = Knowledge { never: vec![both], first: Cube::default() };
    /// assert_eq!(automaton.knowing(&knowledge, &budget).unwrap().strength(), Strength::Rejecting);
    /// ```
    ///
    /// Without memory for that it is left as it is.
    ///
    /// # Errors
    /// [`Exhausted`] when the time is used up.
    pub fn knowing(&self, knowledge: &Knowledge, budget: &Budget) -> Result<Tgba, Exhausted> {
        match self.folded(knowledge, budget) {
            Err(Exhausted::Memory) => Ok(self.clone()),
            folded => folded,
        }
    }

    fn folded(&self, knowledge: &Knowledge, budget: &Budget) -> Result<Tgba, Exhausted> {
        let props = self.read();
        let is_read = |prop: &Prop| props.binary_search(prop).is_ok();
        let never = knowledge.never.iter().filter(|cube| cube.literals().iter().all(|literal| is_read(&literal.prop)));
        let never: Vec<&Cube> = never.collect();
        let first = knowledge.first.literals().iter().filter(|literal| is_read(&literal.prop));
        let first = Cube::new(first.copied()).unwrap_or_default();
        if (never.is_empty() && first.literals().is_empty()) || self.edges().len() > MOST_EDGES {
            return Ok(self.clone());
        }
        let mut bdds = Bdds::new(props.len() as u32, budget)?;
        let mut folding = Folding { bdds: &mut bdds, props: &props, letters: Bdd::TRUE, first: Bdd::TRUE };
        for cube in never {
            let cube = folding.cube(cube)?;
            folding.letters = folding.bdds.minus(folding.letters, cube)?;
        }
        let first = folding.cube(&first)?;
        folding.first = folding.bdds.and(first, folding.letters)?;
        folding.fold(self)
    }
}

struct Folding<'a> {
    bdds: &'a mut Bdds,
    /// The proposition of each variable.
    props: &'a [Prop],
    /// The letters that may occur, and those that may come first.
    letters: Bdd,
    first: Bdd,
}

impl Folding<'_> {
    fn cube(&mut self, cube: &Cube) -> Result<Bdd, Exhausted> {
        let guard = Guard::from_cubes([cube.clone()]);
        self.bdds.of_guard(&guard, variable(self.props))
    }

    fn fold(&mut self, automaton: &Tgba) -> Result<Tgba, Exhausted> {
        let mut graph = Graph {
            sets: automaton.acceptance_sets(),
            initial: automaton.initial().index(),
            arcs: vec![Vec::new(); automaton.location_count()],
        };
        for edge in automaton.edges() {
            let label = self.bdds.of_guard(&edge.guard, variable(self.props))?;
            let label = self.bdds.and(label, self.letters)?;
            if label != Bdd::FALSE {
                graph.arcs[edge.source.index()].push(Arc { target: edge.target.index(), marks: edge.marks, label });
            }
        }
        let mut started = self.started(&graph)?;
        self.reduce(&mut graph)?;
        self.reduce(&mut started)?;
        if self.cost(&started)? < self.cost(&graph)? {
            graph = started;
        }
        let folded = self.finished(&graph, automaton)?;
        Ok(if size(&folded) < size(automaton) { folded } else { automaton.clone() })
    }

    /// The automaton with an initial location of its own, which takes any letter that does not come first for one that does.
    fn started(&mut self, graph: &Graph) -> Result<Graph, Exhausted> {
        let mut graph = graph.clone();
        let others = self.bdds.minus(self.letters, self.first)?;
        let mut arcs = Vec::new();
        for arc in &graph.arcs[graph.initial] {
            if self.bdds.meets(arc.label, self.first)? {
                arcs.push(Arc { label: self.bdds.or(arc.label, others)?, ..*arc });
            }
        }
        graph.initial = graph.len();
        graph.arcs.push(arcs);
        Ok(graph)
    }

    fn reduce(&mut self, graph: &mut Graph) -> Result<(), Exhausted> {
        cleanup::clean(graph);
        graph.merge_parallel(self.bdds)?;
        simulation::reduce(graph, self.bdds)
    }

    fn cost(&mut self, graph: &Graph) -> Result<(usize, usize, usize, u32), Exhausted> {
        Ok((graph.len(), graph.nondeterminism(self.bdds)?, graph.edge_count(), graph.sets))
    }

    /// The finished automaton, with guards as short as what never occurs allows.
    fn finished(&mut self, graph: &Graph, of: &Tgba) -> Result<Tgba, Exhausted> {
        let starts_once = !graph.arcs.iter().flatten().any(|arc| arc.target == graph.initial);
        let mut short = graph.clone();
        for (state, arcs) in short.arcs.iter_mut().enumerate() {
            let letters = if state == graph.initial && starts_once { self.first } else { self.letters };
            for arc in arcs {
                arc.label = self.bdds.between(arc.label, letters)?;
            }
        }
        let built = short.to_tgba(self.bdds, self.props, of.propositions())?;
        // Its propositions and acceptance sets are those of the automaton.
        let built = built.map_err(|_| Exhausted::Memory)?;
        let built = built.with_stuttering(of.stuttering());
        Ok(if let Some(title) = of.title() { built.with_title(title) } else { built })
    }
}

/// Locations, edges, acceptance sets, literals.
fn size(automaton: &Tgba) -> (usize, usize, u32, usize) {
    let cubes = automaton.edges().iter().flat_map(|edge| edge.guard.cubes());
    let literals = cubes.map(|cube| cube.literals().len()).sum();
    (automaton.location_count(), automaton.edges().len(), automaton.acceptance_sets(), literals)
}

/// The number of a proposition as a variable.
fn variable(props: &[Prop]) -> impl Fn(Prop) -> Variable {
    |prop| props.binary_search(&prop).map_or(Variable::MAX - 1, |at| at as Variable)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::ltl::tests_support::{formula_texts, words};
    use super::super::ltl::{Formulas, Lasso};
    use super::super::{Literal, Passes, Strength, translate};
    use super::*;
    use proptest::prelude::*;

    fn literal(code: u32) -> Literal {
        Literal { prop: Prop(code / 2), positive: code.is_multiple_of(2) }
    }

    fn cubes(codes: &[Vec<u32>]) -> Vec<Cube> {
        codes.iter().filter_map(|codes| Cube::new(codes.iter().map(|&code| literal(code)))).collect()
    }

    fn made(text: &str) -> Tgba {
        let mut store = Formulas::with_propositions(["a", "b", "c"]);
        let formula = store.parse(text).unwrap();
        translate(&mut store, formula, &Passes::default(), &Budget::unlimited()).unwrap()
    }

    fn folded(automaton: &Tgba, never: &[Vec<u32>], first: &[u32]) -> Tgba {
        let first = Cube::new(first.iter().map(|&code| literal(code))).unwrap();
        automaton.knowing(&Knowledge { never: cubes(never), first }, &Budget::unlimited()).unwrap()
    }

    /// The word with letters that never occur replaced by such as do; `None` if there are none.
    fn possible(word: &Lasso, never: &[Cube]) -> Option<Lasso> {
        let of =
            |bits: usize| Cube::new((0..3).map(|p| Literal { prop: Prop(p), positive: bits >> p & 1 == 1 })).unwrap();
        let occurs = |bits: &usize| never.iter().all(|cube| !cube.holds(|p| bits >> p.0 & 1 == 1));
        let letters: Vec<usize> = (0..8).filter(occurs).collect();
        let changed = |position: usize| {
            let bits = (0..3).filter(|&p| word.holds(position, Prop(p))).map(|p| 1 << p).sum::<usize>();
            Some(of(if occurs(&bits) { bits } else { *letters.get(bits % letters.len().max(1))? }))
        };
        let all = (0..word.len()).map(changed).collect::<Option<Vec<Cube>>>()?;
        let (prefix, cycle) = all.split_at(word.prefix.len());
        Some(Lasso { prefix: prefix.to_vec(), cycle: cycle.to_vec() })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn words_that_agree_with_what_is_known_are_accepted_as_before(
            text in formula_texts(4),
            never in proptest::collection::vec(proptest::collection::vec(0u32..6, 1..3), 0..4),
            known in 0usize..8,
            words in proptest::collection::vec(words(3), 8),
        ) {
            let automaton = made(&text);
            for word in words.iter().filter_map(|word| possible(word, &cubes(&never))) {
                let value = |p: u32| 2 * p + u32::from(!word.holds(0, Prop(p)));
                let first: Vec<u32> = (0..3).filter(|p| known >> p & 1 == 1).map(value).collect();
                let small = folded(&automaton, &never, &first);
                prop_assert_eq!(small.accepts(&word), automaton.accepts(&word), "{} on {:?}", text, word);
                prop_assert!(size(&small) <= size(&automaton));
            }
        }
    }

    #[test]
    fn what_never_occurs_makes_automata_smaller_and_empty() {
        let sizes = |text: &str, never: &[Vec<u32>], first: &[u32]| {
            let (before, after) = (made(text), made(text));
            let after = folded(&after, never, first);
            (before.location_count(), after.location_count(), after.strength())
        };
        // a and b exclude each other.
        let exclusive = [vec![0, 2]];
        assert_eq!(sizes("GF(a & b)", &exclusive, &[]).2, Strength::Rejecting);
        assert_eq!(sizes("F(a & X(a & b & X c))", &exclusive, &[]).2, Strength::Rejecting);
        // Then (a & b) | c is c.
        let short = folded(&made("GF((a & b) | c)"), &exclusive, &[]);
        assert!(short.edges().iter().all(|edge| edge.guard.support().iter().all(|p| *p == Prop(2))), "{short:?}");
        // b follows from a.
        let (before, after, _) = sizes("GF a & GF b & FG(a | c)", &[vec![0, 3]], &[]);
        assert!(after <= before);
        assert_eq!(made("GF a & GF b").acceptance_sets(), 2);
        assert_eq!(folded(&made("GF a & GF b"), &[vec![0, 3]], &[]).acceptance_sets(), 1);
        // Initially a does not hold: nothing, everything, or the rest.
        assert_eq!(sizes("a & X G b", &[], &[1]).2, Strength::Rejecting);
        assert_eq!(sizes("!a | X G b", &[], &[1]), (3, 1, Strength::Terminal));
        let (before, after, _) = sizes("(a & G F b) | (!a & G F c)", &[], &[1]);
        assert!(after < before, "{after} of {before}");
    }

    #[test]
    fn without_memory_an_automaton_stays_as_it_is() {
        let names: Vec<String> = "pq".chars().flat_map(|side| (0..10).map(move |i| format!("{side}{i}"))).collect();
        let mut store = Formulas::with_propositions(names.iter().map(String::as_str));
        let pairs: Vec<String> = (0..10).map(|i| format!("(p{i} & q{i})")).collect();
        let formula = store.parse(&format!("G F ({})", pairs.join(" | "))).unwrap();
        let automaton = translate(&mut store, formula, &Passes::default(), &Budget::unlimited()).unwrap();
        let knowledge = Knowledge { never: cubes(&[vec![0]]), first: Cube::default() };
        let little = Budget::unlimited().with_memory(1);
        assert_eq!(automaton.folded(&knowledge, &little), Err(Exhausted::Memory));
        assert_eq!(automaton.knowing(&knowledge, &little).unwrap(), automaton);
        assert!(automaton.knowing(&knowledge, &Budget::unlimited()).unwrap() != automaton);
    }

    #[test]
    fn what_is_known_of_repetitions_stays_known() {
        let automaton = made("F(a & F(b & F c))");
        let small = folded(&automaton, &[vec![2, 4]], &[0]);
        assert!(small != automaton && small.stutter_invariant() == Some(true));
    }
}
