//! The part of a claim `E φ` that a verdict needs.
//!
//! **Problem.** All states that satisfy `E φ`, with their ranks, make a claim that is large, and slow to check. But that
//! a formula of LTL is false in some first state rests on one path.
//!
//! **Idea.** From the states in question a path is followed by the ranks that the whole claim would have: to a state of a
//! lower rank until the mark that is waited for is taken, then to any state of the claim, to one that has been visited
//! if there is one. It ends where it meets itself, or where everything is accepted. What has been visited is closed
//! under the conditions of the checker, and is the claim. Letters of the edges that are taken are needed in the states
//! where they are taken, no more.
//!
//! Where a path is long ([`LONG`]), or asks for steps with labels, the whole claim is made.

use super::Uncertified;
use super::product::Accepting;
use super::ranked::{Layered, Ranked};
use crate::budget::Budget;
use crate::mdd::Mdd;
use crate::symbolic::Checker;
use rustc_hash::FxHashMap;
use starset_checker::{Edge, Evidence};
use std::collections::BTreeMap;

/// The most states of a claim that are visited one by one.
const LONG: usize = 2_000;

/// A state, by level.
pub(super) type State = Vec<u32>;

/// What is needed of the claim about a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Need {
    All,
    /// That it holds in these states.
    States(Vec<State>),
}

/// A state at a location that waits for a mark.
type Node = (State, usize, usize);

/// The number of an edge, and where it leads, unless everything is accepted there.
type Step = (usize, Option<Node>);

/// Paths through the states of a claim.
pub(super) struct Paths<'a, 'c> {
    checker: &'a Checker<'c>,
    of: &'a Accepting,
    budget: &'a Budget,
    /// What has been visited: ranks, and by location and mark the states.
    ranks: FxHashMap<Node, u32>,
    visited: BTreeMap<(usize, usize), Mdd>,
    /// The states in which edges are taken, by location and number.
    pub(super) taken: Vec<(State, usize, usize)>,
}

impl<'a, 'c> Paths<'a, 'c> {
    pub(super) fn new(checker: &'a Checker<'c>, of: &'a Accepting, budget: &'a Budget) -> Self {
        Paths { checker, of, budget, ranks: FxHashMap::default(), visited: BTreeMap::new(), taken: Vec::new() }
    }

    /// Follow a path from a state at the first location; false where the whole claim is to be made.
    pub(super) fn follow(&mut self, start: State) -> Result<bool, Uncertified> {
        let automaton = &self.of.automaton;
        if automaton.top == Some(0) {
            return Ok(false);
        }
        let mut next = Some((start, 0, 0));
        while let Some(node) = next.take().filter(|node| !self.ranks.contains_key(node)) {
            self.budget.check()?;
            let (state, location, mark) = node.clone();
            let Some(rank) = self.of.rank(&state, location, mark).filter(|_| self.ranks.len() < LONG) else {
                return Ok(false);
            };
            self.ranks.insert(node, rank as u32);
            let space = self.checker.states().space();
            let here = space.tuple(&state, self.budget)?;
            let visited = self.visited.entry((location, mark)).or_insert_with(|| space.empty());
            *visited = visited.union(&here, self.budget)?;
            let after = match self.of.dead.contains(&state) {
                true => here,
                false => self.checker.post(&here, self.budget)?,
            };
            let Some((edge, then)) = self.step(&state, (location, mark, rank), &after)? else { return Ok(false) };
            self.taken.push((state, location, edge));
            next = then;
        }
        Ok(true)
    }

    /// The edge that is taken from a state with this rank, which these states follow.
    fn step(
        &self,
        state: &State,
        (location, mark, rank): (usize, usize, usize),
        after: &Mdd,
    ) -> Result<Option<Step>, Uncertified> {
        let Accepting { automaton, guards, zone, layers, .. } = self.of;
        let edges = automaton.edges[location].iter().zip(&guards[location]).enumerate();
        let open = edges.filter(|(_, (_, guard))| guard.steps.is_none() && guard.states.contains(state));
        let open: Vec<(usize, &Edge)> = open.map(|(number, (edge, _))| (number, edge)).collect();
        if let Some(&(number, _)) = open.iter().find(|(_, edge)| automaton.top == Some(edge.target)) {
            return Ok(Some((number, None)));
        }
        let turns = automaton.marks.max(1);
        let node = |found: &Mdd, edge: &Edge, mark: usize| found.pick().map(|state| (state, edge.target, mark));
        // Edges with the mark lead anywhere: where the path has been, or else where the next mark is near.
        let marked = open.iter().filter(|(_, edge)| self.of.is_marked(edge, mark));
        let marked: Vec<(usize, &Edge, Mdd)> = marked
            .map(|&(number, edge)| Ok((number, edge, after.intersection(&zone[edge.target], self.budget)?)))
            .collect::<Result<_, Uncertified>>()?;
        let then = (mark + 1) % turns;
        for (number, edge, found) in &marked {
            if let Some(visited) = self.visited.get(&(edge.target, then)) {
                let again = found.intersection(visited, self.budget)?;
                if let Some(node) = node(&again, edge, then) {
                    return Ok(Some((*number, Some(node))));
                }
            }
        }
        if marked.iter().any(|(_, _, found)| !found.is_empty()) {
            for sets in &layers[then] {
                for (number, edge, found) in &marked {
                    let near = found.intersection(&sets[edge.target], self.budget)?;
                    if let Some(node) = node(&near, edge, then) {
                        return Ok(Some((*number, Some(node))));
                    }
                }
            }
        }
        for sets in layers[mark][..rank].iter().rev() {
            for &(number, edge) in open.iter().filter(|(_, edge)| !self.of.is_marked(edge, mark)) {
                let near = after.intersection(&sets[edge.target], self.budget)?;
                if let Some(node) = node(&near, edge, mark) {
                    return Ok(Some((number, Some(node))));
                }
            }
        }
        Ok(None)
    }

    /// The claim of what has been visited.
    pub(super) fn evidence(&self, ranked: &mut Ranked) -> Result<Evidence, Uncertified> {
        let space = self.checker.states().space();
        let mut layers: BTreeMap<(usize, usize), BTreeMap<u32, Mdd>> = BTreeMap::new();
        for ((state, location, mark), &rank) in &self.ranks {
            let of_rank = layers.entry((*location, *mark)).or_default().entry(rank).or_insert_with(|| space.empty());
            *of_rank = of_rank.union(&space.tuple(state, self.budget)?, self.budget)?;
        }
        let mut sets = Vec::new();
        for ((location, mark), layers) in layers {
            let root = ranked.add(&layers.into_iter().collect::<Layered>(), self.budget)?;
            sets.extend(root.map(|root| (location, mark, root)));
        }
        Ok(Evidence::Some(sets))
    }
}
