//! Emptiness of automata and of products, with a word as the witness.
//!
//! A generalized Büchi automaton accepts something iff a reachable strongly connected component has an
//! internal edge in every acceptance set. A witness is a shortest path into such a component, then a walk
//! inside it through one edge of each set and back. Two automata are compared over the names of their
//! propositions; the product of two automata has both families of acceptance sets. Linear in the product.
//!
//! `L(A) ⊆ L(B)` is the emptiness of `A` with an automaton for the complement of `B`: with the automaton of the
//! negated formula at hand, that is all it takes to prove a translation right.

use super::ltl::Lasso;
use super::{Cube, Edge, Literal, Location, Prop, Tgba};
use crate::budget::{Budget, Exhausted};
use crate::scc;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;

/// Vertices of a product that are explored between two looks at the budget.
const CHECK_INTERVAL: usize = 256;

/// An explicit graph whose edges carry acceptance sets and a letter.
struct Search {
    edges: Vec<Vec<Step>>,
    all: u128,
}

struct Step {
    target: usize,
    marks: u128,
    letter: Cube,
}

impl Search {
    /// A word accepted from vertex 0.
    fn word(&self) -> Option<Lasso> {
        let found = scc::components(self.edges.len(), [0], |v| self.edges[v].iter().map(|s| s.target));
        let inside = |v: usize, s: &Step| found.of[v] == found.of[s.target];
        let mut seen: Vec<Option<u128>> = vec![None; found.count];
        for (v, steps) in self.edges.iter().enumerate() {
            for step in steps.iter().filter(|s| inside(v, s)) {
                *seen[found.of[v] as usize].get_or_insert(0) |= step.marks;
            }
        }
        let good = |v: usize| seen[found.of[v] as usize] == Some(self.all);
        let (prefix, entry) = self.path(0, |_, _| true, good)?;
        let component = found.of[entry];
        let stays = |v: usize, s: &Step| inside(v, s) && found.of[v] == component;
        let (mut cycle, mut at, mut missing) = (Vec::new(), entry, self.all);
        while missing != 0 {
            let useful = |v: usize| self.edges[v].iter().any(|s| stays(v, s) && s.marks & missing != 0);
            let (steps, end) = self.path(at, stays, useful)?;
            cycle.extend(steps);
            let step = self.edges[end].iter().find(|s| stays(end, s) && s.marks & missing != 0)?;
            cycle.push(step.letter.clone());
            missing &= !step.marks;
            at = step.target;
        }
        if cycle.is_empty() {
            let step = self.edges[at].iter().find(|s| stays(at, s))?;
            cycle.push(step.letter.clone());
            at = step.target;
        }
        let (steps, _) = self.path(at, stays, |v| v == entry)?;
        cycle.extend(steps);
        Some(Lasso { prefix, cycle })
    }

    /// The letters of a shortest path over `allowed` steps to a vertex with `goal`, and that vertex.
    fn path(
        &self,
        from: usize,
        allowed: impl Fn(usize, &Step) -> bool,
        goal: impl Fn(usize) -> bool,
    ) -> Option<(Vec<Cube>, usize)> {
        let mut came: Vec<Option<(usize, usize)>> = vec![None; self.edges.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(v) = queue.pop_front() {
            if goal(v) {
                let mut letters = Vec::new();
                let mut at = v;
                while at != from {
                    let (previous, index) = came[at]?;
                    letters.push(self.edges[previous][index].letter.clone());
                    at = previous;
                }
                letters.reverse();
                return Some((letters, v));
            }
            for (i, step) in self.edges[v].iter().enumerate() {
                if allowed(v, step) && step.target != from && came[step.target].is_none() {
                    came[step.target] = Some((v, i));
                    queue.push_back(step.target);
                }
            }
        }
        None
    }
}

/// Explores a product from a pair of indices; `steps` lists the moves of a pair.
fn explore(
    initial: (u32, u32),
    all: u128,
    budget: &Budget,
    mut steps: impl FnMut((u32, u32)) -> Vec<((u32, u32), u128, Cube)>,
) -> Result<Search, Exhausted> {
    let mut vertices: IndexSet<(u32, u32), FxBuildHasher> = IndexSet::default();
    vertices.insert(initial);
    let mut edges: Vec<Vec<Step>> = Vec::new();
    while let Some(&pair) = vertices.get_index(edges.len()) {
        if edges.len().is_multiple_of(CHECK_INTERVAL) {
            budget.check()?;
        }
        let found = steps(pair).into_iter().map(|(target, marks, letter)| Step {
            target: vertices.insert_full(target).0,
            marks,
            letter,
        });
        edges.push(found.collect());
    }
    Ok(Search { edges, all })
}

impl Tgba {
    /// Whether the automaton accepts a word. Words and guards speak of the same propositions.
    pub fn accepts(&self, word: &Lasso) -> bool {
        if word.cycle.is_empty() {
            return false;
        }
        let steps = |(location, position): (u32, u32)| {
            let next = word.successor(position as usize) as u32;
            let holds = |p: Prop| word.holds(position as usize, p);
            self.edges_from(Location(location))
                .iter()
                .filter(|e| e.guard.holds(holds))
                .map(|e| ((e.target.0, next), u128::from(e.marks.0), Cube::default()))
                .collect()
        };
        let all = u128::from(self.all_marks().0);
        explore((self.initial().0, 0), all, &Budget::unlimited(), steps).is_ok_and(|s| s.word().is_some())
    }

    /// A word that the automaton accepts; `None` when it accepts none.
    pub fn accepted_word(&self) -> Option<Lasso> {
        let steps = |(location, _): (u32, u32)| {
            let first = |e: &Edge| e.guard.cubes().first().cloned();
            self.edges_from(Location(location))
                .iter()
                .filter_map(|e| Some(((e.target.0, 0), u128::from(e.marks.0), first(e)?)))
                .collect()
        };
        let all = u128::from(self.all_marks().0);
        explore((self.initial().0, 0), all, &Budget::unlimited(), steps).ok()?.word()
    }
}

/// A word that both automata accept, over the propositions of `a` followed by those only `b` has.
///
/// ```
/// use starset::automaton::{Passes, common_word, ltl::Formulas, translate};
/// use starset::budget::Budget;
/// let mut store = Formulas::new();
/// let (budget, passes) = (Budget::unlimited(), Passes::default());
/// let f = store.parse("G F p").unwrap();
/// let g = store.parse("F G !p").unwrap();
/// let a = translate(&mut store, f, &passes, &budget).unwrap();
/// let b = translate(&mut store, g, &passes, &budget).unwrap();
/// assert_eq!(common_word(&a, &b, &budget).unwrap(), None);
/// assert!(common_word(&a, &a, &budget).unwrap().is_some());
/// ```
pub fn common_word(a: &Tgba, b: &Tgba, budget: &Budget) -> Result<Option<Lasso>, Exhausted> {
    let mut names: IndexSet<&str> = a.propositions().iter().map(String::as_str).collect();
    let renamed: Vec<Prop> =
        b.propositions().iter().map(|name| Prop(names.insert_full(name.as_str()).0 as u32)).collect();
    let rename = |cube: &Cube| {
        let literal = |l: &Literal| Some(Literal { prop: *renamed.get(l.prop.index())?, positive: l.positive });
        Cube::new(cube.literals().iter().filter_map(literal))
    };
    let of_b: Vec<Vec<Cube>> = b.edges().iter().map(|e| e.guard.cubes().iter().filter_map(rename).collect()).collect();
    let mut first_of_b = vec![0];
    for location in b.locations() {
        first_of_b.push(first_of_b[location.index()] + b.edges_from(location).len());
    }
    let steps = |(p, q): (u32, u32)| {
        let mut found = Vec::new();
        for e in a.edges_from(Location(p)) {
            for (i, f) in b.edges_from(Location(q)).iter().enumerate() {
                let other = &of_b[first_of_b[q as usize] + i];
                let letter = e.guard.cubes().iter().find_map(|x| other.iter().find_map(|y| x.and(y)));
                if let Some(letter) = letter {
                    let marks = u128::from(e.marks.0) | u128::from(f.marks.0) << 64;
                    found.push(((e.target.0, f.target.0), marks, letter));
                }
            }
        }
        found
    };
    let all = u128::from(a.all_marks().0) | u128::from(b.all_marks().0) << 64;
    Ok(explore((a.initial().0, b.initial().0), all, budget, steps)?.word())
}
