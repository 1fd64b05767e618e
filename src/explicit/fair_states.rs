//! CTL\* on the reachability graph: the states from which some path is accepted by an automaton, and such a path.
//!
//! **Problem.** `E φ` for a path formula φ holds where the product of the graph with the automaton of φ has an
//! accepting run (Emerson and Lei 1987). With the graph at hand no state is computed again, and what is asked is a
//! label for every state.
//!
//! **Idea.** One depth-first search of the product from all states, which keeps the strongly connected components of
//! its path on a stack, each with the marks of the edges inside (Couvreur, "On-the-fly verification of linear temporal
//! logic", FM 1999; Gabow, IPL 74, 2000). A component that is left without all marks is *barren*: nothing is accepted
//! from it. Once an edge closes a cycle with all marks, or leads to what is known to be *fair*, every state of the
//! product that is open is fair, as from each of them the search has come to where it is: they are all closed at once,
//! and the search goes on with the next state.
//!
//! **Proof.** From an open state there is a way to the root of its component, which lies on the path, and along the
//! path to its top. So what is called fair can reach an accepting cycle. A component that is closed as barren has no
//! such cycle inside, and leads to barren ones only, else it would have been closed as fair.
//!
//! **Letters.** What holds in a state is known beforehand (the labels of the state subformulas), so that states with
//! the same letter share the moves of the automaton. Deadlocks are their own successors, unless only infinite paths
//! count.
//!
//! Each state of the product is entered once and has four bytes: locations times edges of time, locations times states
//! of memory.

use super::buchi::{Buchi, Move};
use super::fixpoints::Route;
use super::graph::Graph;
use super::path_automaton::PathAutomaton;
use super::rows::TOO_MANY;
use super::store::StateId;
use crate::budget::{Budget, Exhausted};
use crate::formula::PathSemantics;
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// States of the product between two looks at the budget.
const CHECK_EVERY: usize = 1 << 14;

/// Not entered yet.
const NEW: u32 = 0;
/// Closed: something is accepted from here.
const FAIR: u32 = u32::MAX;
/// Closed: nothing is.
const BARREN: u32 = u32::MAX - 1;

/// A graph and an automaton that reads the letters of its states.
pub(super) struct FairStates<'a> {
    graph: &'a Graph,
    locations: usize,
    /// All marks.
    all: u64,
    /// The letter of each state.
    letters: Vec<u32>,
    /// By letter and location: a range of `moves`.
    choices: Vec<(u32, u32)>,
    moves: Vec<Move>,
    /// A deadlock is its own successor.
    repeats: bool,
    budget: &'a Budget,
    /// Bytes that others have taken of the budget's.
    beside: u64,
}

/// A state of the product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Node {
    pub(super) state: StateId,
    pub(super) location: u32,
}

/// An edge of the product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) target: Node,
    pub(super) marks: u64,
    /// The edge of the graph; none where a deadlock repeats.
    pub(super) step: Option<usize>,
}

/// A state on the path, and what is left of its edges.
#[derive(Clone, Copy, Debug)]
struct Frame<'g> {
    node: Node,
    /// The state is its own successor.
    repeats: bool,
    /// The next move to the first of these successors.
    step: u32,
    successors: &'g [StateId],
    /// The moves of the automaton: a range.
    moves: (u32, u32),
}

/// The bottom of a component on the path.
#[derive(Clone, Copy, Debug)]
struct Root {
    /// Its place among the open states.
    at: u32,
    /// The marks of the edge that led to it, and of those inside of the component.
    entry: u64,
    inside: u64,
}

/// The search.
#[derive(Default)]
struct Search<'g> {
    /// Of each state of the product: closed, or one more than its place among the open ones.
    places: Vec<u32>,
    open: Vec<Node>,
    path: Vec<Frame<'g>>,
    roots: Vec<Root>,
}

impl<'a> FairStates<'a> {
    /// The sets hold the states that satisfy the atoms of the automaton, in their order. Others have taken so many
    /// bytes of the budget's.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub(super) fn new(
        graph: &'a Graph,
        automaton: &PathAutomaton,
        atoms: &[FixedBitSet],
        paths: PathSemantics,
        (budget, beside): (&'a Budget, u64),
    ) -> Result<Self, StopReason> {
        let locations = automaton.automaton.location_count();
        // Places of open states are numbers below those that mark the closed ones.
        if graph.states().saturating_mul(locations) >= BARREN as usize {
            return Err(TOO_MANY);
        }
        let mut buchi = Buchi::new(&automaton.automaton, false, false);
        let mut letters = Vec::with_capacity(graph.states());
        for state in 0..graph.states() {
            let letter = atoms.iter().enumerate().fold(0, |letter, (k, set)| letter | u64::from(set[state]) << k);
            letters.push(buchi.intern(letter));
        }
        let (mut choices, mut moves) = (Vec::new(), Vec::new());
        for letter in 0..letters.iter().max().map_or(0, |last| last + 1) {
            for location in 0..locations as u32 {
                let (start, end) = buchi.moves(location, letter, letter);
                choices.push((moves.len() as u32, moves.len() as u32 + (end - start)));
                moves.extend((start..end).map(|at| buchi.step(at)));
            }
        }
        let repeats = paths != PathSemantics::Infinite;
        let fair =
            FairStates { graph, locations, all: buchi.all_marks(), letters, choices, moves, repeats, budget, beside };
        fair.check(&Search::default())?;
        Ok(fair)
    }

    fn check(&self, search: &Search<'_>) -> Result<(), StopReason> {
        self.budget.check()?;
        let places = self.graph.states() * self.locations;
        let stacks = size_of::<Node>() * search.open.capacity() + size_of::<Frame<'_>>() * search.path.capacity();
        let taken = (4 * (places + self.letters.len()) + stacks) as u64;
        if self.budget.memory().is_some_and(|limit| self.beside + taken > limit) {
            return Err(Exhausted::Memory.into());
        }
        Ok(())
    }

    /// The moves of the automaton in a state of the product: a range.
    #[inline]
    fn choice(&self, node: Node) -> (u32, u32) {
        self.choices[self.letters[node.state as usize] as usize * self.locations + node.location as usize]
    }

    #[inline]
    pub(super) fn place(&self, node: Node) -> usize {
        node.state as usize * self.locations + node.location as usize
    }

    /// How many places there are.
    pub(super) fn places(&self) -> usize {
        self.graph.states() * self.locations
    }

    /// The state of the product at a place.
    pub(super) fn at(&self, place: usize) -> Node {
        Node { state: (place / self.locations) as StateId, location: (place % self.locations) as u32 }
    }

    /// All marks.
    pub(super) fn all_marks(&self) -> u64 {
        self.all
    }

    /// The budget, and the bytes that others have taken of its.
    pub(super) fn limits(&self) -> (&'a Budget, u64) {
        (self.budget, self.beside)
    }

    /// The graph.
    pub(super) fn graph(&self) -> &'a Graph {
        self.graph
    }

    fn search(&self) -> Search<'a> {
        Search { places: vec![NEW; self.graph.states() * self.locations], ..Search::default() }
    }

    /// Go on from a state of the product that is new, which an edge with these marks has led to.
    #[inline]
    fn enter(&self, node: Node, entry: u64, search: &mut Search<'a>) {
        search.roots.push(Root { at: search.open.len() as u32, entry, inside: 0 });
        search.open.push(node);
        search.places[self.place(node)] = search.open.len() as u32;
        let (moves, successors) = (self.choice(node), self.graph.successors(node.state as usize));
        // Without moves there is nothing to be looked at.
        let (repeats, successors) = match moves.0 == moves.1 {
            true => (false, &[][..]),
            false => (self.repeats && successors.is_empty(), successors),
        };
        search.path.push(Frame { node, repeats, step: moves.0, successors, moves });
    }

    /// The edges of a state of the product.
    pub(super) fn edges(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        let (first, last) = self.choice(node);
        let (successors, number) =
            (self.graph.successors(node.state as usize), self.graph.first_edge(node.state as usize));
        let itself = (self.repeats && successors.is_empty()).then_some((None, node.state));
        let steps = (number..).map(Some).zip(successors.iter().copied());
        steps.chain(itself).flat_map(move |(step, state)| {
            let moves = &self.moves[first as usize..last as usize];
            moves.iter().map(move |next| Edge {
                target: Node { state, location: next.target },
                marks: next.marks,
                step,
            })
        })
    }

    /// The states where the automaton, at its first location, accepts a path.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub(super) fn all(&self) -> Result<FixedBitSet, StopReason> {
        let mut found = FixedBitSet::with_capacity(self.graph.states());
        if self.moves.iter().fold(0, |marks, step| marks | step.marks) != self.all {
            // Whatever is read, some mark is never seen.
            return Ok(found);
        }
        let mut search = self.search();
        for state in 0..self.graph.states() {
            let node = Node { state: state as StateId, location: 0 };
            if search.places[self.place(node)] == NEW && self.accepts(node, &mut search)? {
                search.close(0, FAIR, |node| self.place(node));
                search.path.clear();
                search.roots.clear();
            }
            found.set(state, search.places[self.place(node)] == FAIR);
        }
        Ok(found)
    }

    /// Search from a state that is new until there is an accepting cycle, or a fair state; then all of this search is
    /// still open. If there is none everything is closed.
    fn accepts(&self, from: Node, search: &mut Search<'a>) -> Result<bool, StopReason> {
        self.enter(from, 0, search);
        let mut entered = 0usize;
        while let Some(frame) = search.path.last_mut() {
            let state = match frame.successors.first() {
                Some(&state) => state,
                None if frame.repeats => frame.node.state,
                None => {
                    let place = search.places[self.place(frame.node)] - 1;
                    search.path.pop();
                    if let Some(root) = search.roots.pop_if(|root| root.at == place) {
                        search.close(root.at as usize, BARREN, |node| self.place(node));
                    }
                    continue;
                }
            };
            let step = self.moves[frame.step as usize];
            frame.step += 1;
            if frame.step == frame.moves.1 {
                frame.step = frame.moves.0;
                frame.repeats = false;
                frame.successors = frame.successors.get(1..).unwrap_or_default();
            }
            let next = Node { state, location: step.target };
            match search.places[self.place(next)] {
                BARREN => {}
                FAIR => return Ok(true),
                NEW => {
                    entered += 1;
                    if entered.is_multiple_of(CHECK_EVERY) {
                        self.check(search)?;
                    }
                    self.enter(next, step.marks, search);
                }
                place => {
                    if search.unite(place - 1, step.marks) == self.all {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// A path from a state that the automaton accepts; `None` if there is none.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub(super) fn route(&self, from: StateId) -> Result<Option<Route>, StopReason> {
        let mut search = self.search();
        if !self.accepts(Node { state: from, location: 0 }, &mut search)? {
            return Ok(None);
        }
        let (Some(root), Some(top)) = (search.roots.last(), search.path.last()) else { return Ok(None) };
        let inside = |node: Node| {
            let place = search.places[self.place(node)];
            place < BARREN && place > root.at
        };
        let mut states: Vec<StateId> = search.path.iter().map(|frame| frame.node.state).collect();
        let (first, mut at, mut seen) = (states.len() - 1, top.node, 0);
        // From one missing mark to the next, and back.
        while seen != self.all || at != top.node || states.len() == first + 1 {
            let wanted = |_: Node, edge: Edge| {
                if seen == self.all { edge.target == top.node } else { edge.marks & !seen != 0 }
            };
            let Some(way) = self.way(at, &inside, &wanted)? else { return Ok(None) };
            for edge in way {
                states.push(edge.target.state);
                seen |= edge.marks;
                at = edge.target;
            }
        }
        if self.graph.successors(top.node.state as usize).is_empty() {
            // A deadlock that repeats is passed once.
            let end = states.iter().position(|&state| state == top.node.state).unwrap_or(first);
            states.truncate(end + 1);
            return Ok(Some(Route { states, cycle: None, ends: true }));
        }
        // The last state is the first one of the cycle.
        states.pop();
        Ok(Some(Route { states, cycle: Some(first), ends: false }))
    }

    /// A shortest way inside a component, by one edge at least, whose last edge, from this state, is wanted.
    pub(super) fn way(
        &self,
        from: Node,
        inside: &impl Fn(Node) -> bool,
        wanted: &impl Fn(Node, Edge) -> bool,
    ) -> Result<Option<Vec<Edge>>, StopReason> {
        let mut before: FxHashMap<Node, (Node, Edge)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if before.len().is_multiple_of(CHECK_EVERY) {
                self.budget.check()?;
            }
            for edge in self.edges(node).filter(|edge| inside(edge.target)) {
                let next = edge.target;
                if wanted(node, edge) {
                    let mut way = vec![edge];
                    let mut at = node;
                    while at != from {
                        let (earlier, edge) = before[&at];
                        way.push(edge);
                        at = earlier;
                    }
                    way.reverse();
                    return Ok(Some(way));
                }
                if next != from && !before.contains_key(&next) {
                    before.insert(next, (node, edge));
                    queue.push_back(next);
                }
            }
        }
        Ok(None)
    }
}

impl Search<'_> {
    /// An edge with these marks leads to the open state of this place: all components from there on are one. Its marks
    /// are returned.
    fn unite(&mut self, place: u32, mut marks: u64) -> u64 {
        while let Some(root) = self.roots.pop_if(|root| root.at > place) {
            marks |= root.entry | root.inside;
        }
        match self.roots.last_mut() {
            Some(root) => {
                root.inside |= marks;
                root.inside
            }
            None => marks,
        }
    }

    /// Close the open states from a place on.
    fn close(&mut self, from: usize, as_what: u32, place: impl Fn(Node) -> usize) {
        for node in self.open.drain(from..) {
            self.places[place(node)] = as_what;
        }
    }
}
