//! Verdicts that few states prove, state by state.
//!
//! **Problem.** The reachable set may be too large for any diagram, and the verdict may need a corner of it only.
//!
//! **Idea.** So many states are explored from the initial one, breadth first; of the last of them the successors are
//! not known. Truth is monotone in the form that is checked, so lower bounds of sat-sets are enough: what is true of a
//! state however the unknown goes on. `A φ` is true where the automaton of `¬φ` comes to no unknown state and accepts
//! nothing, `E φ` where that of `φ` accepts something inside of what is known. If the initial state satisfies the
//! formula, the states that this rests on are collected, a few of those that were explored as a rule, and make the sets
//! of the claims.
//!
//! The layers are those of [`super::product`], on a graph. Bruns and Godefroid, "Model checking partial state spaces
//! with 3-valued temporal logics", CAV 1999.

use super::Uncertified;
use super::atoms::Atoms;
use super::listed::Listed;
use crate::budget::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use starset_checker::{Claim, DiagramNode, Edge, Evidence, Id, Net, Node, Store, Tableau, bounded};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values of a place that are counted.
const MOST_VALUES: usize = 64;
/// Places of a program that are all levels.
const MANY_PLACES: usize = 40;
/// More edges of all products are not looked at.
const EDGES: usize = 20_000_000;

/// From so many states on an order is chosen by what steps do.
const MANY_STATES: usize = 500;

/// A certificate's claims, the places of the levels of its diagrams, and these.
pub(super) type Found = (Vec<Claim>, Vec<usize>, Store);

/// Orders of all places that are worth a try.
pub(super) type Orders<'a> = &'a dyn Fn() -> Vec<Vec<usize>>;

/// States in the order of a search, breadth first.
#[derive(Debug)]
pub(super) struct Graph {
    states: Vec<Arc<[u64]>>,
    numbers: FxHashMap<Arc<[u64]>, u32>,
    /// The successors of each, as far as they are known, with the labels of the steps. A deadlock is its own, by no label.
    next: Vec<Vec<Successor>>,
    /// Places that tell all states apart, once they are known.
    telling: Option<Vec<usize>>,
}

type Successor = (u32, Option<usize>);

impl Graph {
    pub(super) fn new(net: &Net) -> Graph {
        let states: Vec<Arc<[u64]>> = net.initials().into_iter().map(Into::into).collect();
        Graph { numbers: states.iter().cloned().zip(0..).collect(), states, next: Vec::new(), telling: None }
    }

    /// The states of a run of a program that has no end, as the last one is an earlier one; what else they lead to is left out.
    pub(super) fn of_run(states: Vec<Vec<u64>>) -> Graph {
        let mut graph = Graph { states: Vec::new(), numbers: FxHashMap::default(), next: Vec::new(), telling: None };
        let mut last = None;
        for state in states {
            let state: Arc<[u64]> = state.into();
            let number = *graph.numbers.entry(Arc::clone(&state)).or_insert_with(|| {
                graph.states.push(state);
                graph.next.push(Vec::new());
                graph.states.len() as u32 - 1
            });
            if let Some(last) = last.replace(number) {
                let next: &mut Vec<Successor> = &mut graph.next[last as usize];
                // Formulas that it is for say nothing of labels.
                if !next.contains(&(number, Some(0))) {
                    next.push((number, Some(0)));
                }
            }
        }
        graph
    }

    /// Go on until there are so many states, or all.
    pub(super) fn explore(&mut self, net: &Net, most: usize, budget: &Budget) -> Result<(), Uncertified> {
        while self.next.len() < self.states.len() && self.states.len() < most {
            if self.next.len().is_multiple_of(256) {
                budget.check()?;
            }
            let state = Arc::clone(&self.states[self.next.len()]);
            let mut next = Vec::new();
            for step in net.steps_at(&state).iter().filter(|step| net.enabled(step, &state)) {
                let Some(after) = net.fire(step, &state) else { return Err(Uncertified::NotProved) };
                let after: Arc<[u64]> = after.into();
                let number = *self.numbers.entry(Arc::clone(&after)).or_insert_with(|| {
                    self.states.push(after);
                    self.states.len() as u32 - 1
                });
                next.push((number, Some(step.label)));
            }
            if next.is_empty() {
                next.push((self.next.len() as u32, None));
            }
            next.sort_unstable();
            next.dedup();
            self.next.push(next);
        }
        Ok(())
    }

    /// A few places in which no two states have the same values: those first that tell many apart.
    pub(super) fn telling(&mut self) -> &[usize] {
        let states = &self.states;
        self.telling.get_or_insert_with(|| {
            let mut places: Vec<(usize, usize)> = Vec::new();
            for place in 0..states.first().map_or(0, |state| state.len()) {
                let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
                states.iter().for_each(|state| *counts.entry(state[place]).or_default() += 1);
                if counts.len() > 1 {
                    places.push((counts.values().map(|count| count * count).sum(), place));
                }
            }
            places.sort_unstable();
            let (mut classes, mut count, mut telling) = (vec![0; states.len()], 1, Vec::new());
            // What tells little more than those before comes only if it is needed.
            for part in [4, 32, usize::MAX] {
                for &(_, place) in &places {
                    if count == states.len() || telling.contains(&place) {
                        continue;
                    }
                    let mut numbers: FxHashMap<(usize, u64), usize> = FxHashMap::default();
                    let mut number = |(&class, state): (&usize, &Arc<[u64]>)| {
                        let next = numbers.len();
                        *numbers.entry((class, state[place])).or_insert(next)
                    };
                    let finer: Vec<usize> = classes.iter().zip(states).map(&mut number).collect();
                    if numbers.len() > count + count / part {
                        (classes, count) = (finer, numbers.len());
                        telling.push(place);
                    }
                }
            }
            telling
        })
    }

    /// The first states, so many at most.
    pub(super) fn first(&self, most: usize) -> &[Arc<[u64]>] {
        &self.states[..most.min(self.states.len())]
    }

    /// Are all states known, with their successors?
    pub(super) fn is_complete(&self) -> bool {
        self.next.len() == self.states.len()
    }

    /// For each condition the steps of a shortest run to a state where it is true, if it is among so many first ones.
    pub(super) fn runs_to(&self, atoms: &Atoms<'_>, conditions: &[Id], most: usize) -> Vec<Option<Vec<usize>>> {
        // Where a state was found, and by which label.
        let mut before: Vec<Option<(usize, usize)>> = vec![None; self.states.len()];
        for (state, next) in self.next.iter().enumerate() {
            for &(after, label) in next {
                if let (Some(label), Some(before @ None)) =
                    (label, before.get_mut(after as usize).filter(|_| after > 0))
                {
                    *before = Some((state, label));
                }
            }
        }
        let run = |condition: &Id| {
            let mut at = self.first(most).iter().position(|state| atoms.holds(*condition, state))?;
            let mut steps = Vec::new();
            while at > 0 {
                let (from, label) = before[at]?;
                steps.push(atoms.step(label, &self.states[from], &self.states[at])?);
                at = from;
            }
            steps.reverse();
            Some(steps)
        };
        conditions.iter().map(run).collect()
    }

    fn next(&self, state: usize) -> Option<&[Successor]> {
        self.next.get(state).map(Vec::as_slice)
    }
}

/// The explored states with the automaton of a quantified formula; a node is a state times the number of locations plus
/// a location.
struct Product {
    automaton: Tableau,
    all: bool,
    /// The edges of each node: where they lead, and their marks. Those of node n begin at `first[n]`.
    first: Vec<usize>,
    edges: Vec<(u32, u64)>,
    /// The edges backwards, by target.
    first_back: Vec<usize>,
    back: Vec<u32>,
    /// Nodes of which too little is known, or enough: everything is accepted from there, or after the next step.
    ends: Vec<bool>,
    /// Of a claim: the ranks of its nodes, by mark; `u32::MAX` elsewhere.
    ranks: Vec<Vec<u32>>,
}

impl Product {
    fn out(&self, node: usize) -> &[(u32, u64)] {
        &self.edges[self.first[node]..self.first[node + 1]]
    }

    /// Grow a set by the nodes of a zone that lead into it.
    fn reach(&self, zone: &[bool], set: &mut [bool]) {
        let mut stack: Vec<usize> = (0..set.len()).filter(|&node| set[node]).collect();
        while let Some(node) = stack.pop() {
            for &before in &self.back[self.first_back[node]..self.first_back[node + 1]] {
                let before = before as usize;
                if zone[before] && !set[before] {
                    set[before] = true;
                    stack.push(before);
                }
            }
        }
    }

    fn is_marked(&self, marks: u64, mark: usize) -> bool {
        self.automaton.marks == 0 || marks >> mark & 1 == 1
    }

    /// Shrink a zone to the nodes from which something is accepted inside of it, those that are kept anyhow counting as
    /// such. Gives the rank with which each of the others was removed.
    fn accepting(&self, zone: &mut [bool], kept: &[bool], budget: &Budget) -> Result<Vec<u32>, Uncertified> {
        let mut ranks = vec![u32::MAX; zone.len()];
        let marks = self.automaton.marks;
        if marks == 0 {
            // What has no edge inside goes, layer by layer.
            let inside = |node: usize| self.out(node).iter().filter(|edge| zone[edge.0 as usize]).count();
            let mut count: Vec<usize> = (0..zone.len()).map(inside).collect();
            let mut layer: Vec<usize> = (0..zone.len()).filter(|&n| zone[n] && !kept[n] && count[n] == 0).collect();
            for rank in 0.. {
                if layer.is_empty() {
                    break;
                }
                let mut later = Vec::new();
                for node in layer {
                    (zone[node], ranks[node]) = (false, rank);
                    for &before in &self.back[self.first_back[node]..self.first_back[node + 1]] {
                        let before = before as usize;
                        count[before] -= 1;
                        if count[before] == 0 && zone[before] && !kept[before] {
                            later.push(before);
                        }
                    }
                }
                layer = later;
            }
            return Ok(ranks);
        }
        let (mut rank, mut quiet) = (0u32, 0);
        while quiet < marks {
            budget.check()?;
            let class = rank as usize % (marks + 1);
            if class < marks {
                let leads = |node: usize| {
                    let mut out = self.out(node).iter();
                    kept[node] || out.any(|&(to, marks)| zone[to as usize] && self.is_marked(marks, class))
                };
                let mut keep: Vec<bool> = (0..zone.len()).map(|node| zone[node] && leads(node)).collect();
                self.reach(zone, &mut keep);
                quiet += 1;
                for node in 0..zone.len() {
                    if zone[node] && !keep[node] {
                        (zone[node], ranks[node], quiet) = (false, rank, 0);
                    }
                }
            }
            rank += 1;
        }
        Ok(ranks)
    }

    /// Distances inside of a zone to an edge with a mark, or to an end.
    fn distances(&self, zone: &[bool], mark: usize) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; zone.len()];
        let near = |node: usize| {
            let mut out = self.out(node).iter();
            let is_top = |to: usize| self.automaton.top == Some(to % self.automaton.edges.len());
            let done = |&(to, marks): &(u32, u64)| {
                let to = to as usize;
                is_top(to) || zone[to] && self.is_marked(marks, mark)
            };
            self.ends[node] || out.any(done)
        };
        let mut layer: Vec<usize> = (0..zone.len()).filter(|&node| zone[node] && near(node)).collect();
        layer.iter().for_each(|&node| ranks[node] = 0);
        for rank in 1.. {
            let mut later = Vec::new();
            for node in layer {
                for &before in &self.back[self.first_back[node]..self.first_back[node + 1]] {
                    let before = before as usize;
                    if zone[before] && ranks[before] == u32::MAX {
                        ranks[before] = rank;
                        later.push(before);
                    }
                }
            }
            if later.is_empty() {
                return ranks;
            }
            layer = later;
        }
        ranks
    }
}

/// Claims that prove the last formula of the pool in the initial state, if these states are enough. The orders are asked
/// for where states are many, and have each place of the net once.
pub(super) fn prove(
    atoms: &Atoms<'_>,
    (graph, orders): (&Graph, Orders<'_>),
    budget: &Budget,
) -> Result<Option<Found>, Uncertified> {
    let mut local = Local {
        atoms,
        graph,
        places: (0..atoms.net.places.len()).collect(),
        orders,
        truth: FxHashMap::default(),
        products: FxHashMap::default(),
        initially: FxHashSet::default(),
    };
    let root = atoms.pool.len() - 1;
    if !local.holds_initially(root, budget)? {
        return Ok(None);
    }
    let mut needs = Needs::default();
    local.need(root, 0, &mut needs);
    local.claims(needs).map(Some)
}

/// The same of a program whose first states are the first of the graph, all of which is known: of the last formula in all
/// of them, or in some if the verdict is false.
pub(super) fn prove_of_program(
    atoms: &Atoms<'_>,
    graph: &mut Graph,
    first: usize,
    verdict: bool,
    budget: &Budget,
) -> Result<Option<Found>, Uncertified> {
    // Where there are many, those that tell its states apart, and those that the formula speaks of.
    let count = atoms.net.places.len();
    let compared = (0..atoms.pool.len()).flat_map(|id| match &atoms.pool[id] {
        Node::Compare(sum, ..) => &sum[..],
        _ => &[],
    });
    let mut places: Vec<usize> = match count <= MANY_PLACES {
        true => (0..count).collect(),
        false => compared.map(|&(place, _)| place).chain(graph.telling().iter().copied()).collect(),
    };
    places.sort_unstable();
    places.dedup();
    if places.is_empty() {
        // A set has one level at least; `file::write` refuses those of programs without variables.
        places.extend(0..count.min(1));
    }
    of_first(atoms, (graph, places), (first, verdict), budget)
}

/// The same of a program of which some states and steps are known, in the first of these states; with these places as levels, in
/// their order.
pub(super) fn prove_of_run(
    atoms: &Atoms<'_>,
    graph: &Graph,
    places: &[usize],
    budget: &Budget,
) -> Result<Option<Found>, Uncertified> {
    of_first(atoms, (graph, places.to_vec()), (1, false), budget)
}

fn of_first(
    atoms: &Atoms<'_>,
    (graph, places): (&Graph, Vec<usize>),
    (first, verdict): (usize, bool),
    budget: &Budget,
) -> Result<Option<Found>, Uncertified> {
    let (truth, products, initially) = (FxHashMap::default(), FxHashMap::default(), FxHashSet::default());
    let mut local = Local { atoms, graph, places, orders: &Vec::new, truth, products, initially };
    let root = atoms.pool.len() - 1;
    local.label(root, budget)?;
    let holds: Vec<usize> = (0..first).filter(|&state| local.is_true(root, state)).collect();
    let enough = if verdict { holds.len() == first } else { !holds.is_empty() };
    if !enough {
        return Ok(None);
    }
    let mut needs = Needs::default();
    holds.iter().take(if verdict { first } else { 1 }).for_each(|&state| local.need(root, state, &mut needs));
    local.claims(needs).map(Some)
}

struct Local<'a> {
    atoms: &'a Atoms<'a>,
    graph: &'a Graph,
    /// The places of the levels of its diagrams.
    places: Vec<usize>,
    orders: Orders<'a>,
    /// Where a state formula is true for sure.
    truth: FxHashMap<Id, Vec<bool>>,
    products: FxHashMap<Id, Product>,
    /// Of which more is not known than that they are true in the initial state.
    initially: FxHashSet<Id>,
}

/// A node of the product of a formula, and the mark that is waited for.
type Need = (Id, usize, usize);

/// By formula, location and mark, states with their ranks.
type Sets = BTreeMap<(Id, usize, usize), Vec<(usize, u32)>>;

/// The needs of a proof.
#[derive(Default)]
struct Needs {
    seen: FxHashSet<Need>,
    open: Vec<Need>,
}

impl Local<'_> {
    /// Is a state formula true in the initial state for sure? Of a disjunction no more is looked at than it takes.
    fn holds_initially(&mut self, id: Id, budget: &Budget) -> Result<bool, Uncertified> {
        let pool = self.atoms.pool;
        let holds = match &pool[id] {
            Node::And(list) if !self.atoms.speaks_of(id) => {
                for &operand in list {
                    if !self.holds_initially(operand, budget)? {
                        return Ok(false);
                    }
                }
                true
            }
            Node::Or(list) if !self.atoms.speaks_of(id) => {
                let mut list = list.clone();
                list.sort_by_key(|&operand| !self.atoms.speaks_of(operand));
                let mut found = false;
                for operand in list {
                    let before: FxHashSet<Id> = self.truth.keys().copied().collect();
                    let initially = self.initially.clone();
                    found = self.holds_initially(operand, budget)?;
                    if found {
                        break;
                    }
                    self.truth.retain(|id, _| before.contains(id));
                    self.products.retain(|id, _| before.contains(id));
                    self.initially = initially;
                }
                found
            }
            _ => {
                self.label(id, budget)?;
                self.truth[&id][0]
            }
        };
        if holds {
            self.initially.insert(id);
        }
        Ok(holds)
    }

    /// Find out where a state formula is true, after those inside of it.
    fn label(&mut self, id: Id, budget: &Budget) -> Result<(), Uncertified> {
        if self.truth.contains_key(&id) {
            return Ok(());
        }
        if !self.atoms.speaks_of(id) {
            let (mut stack, mut seen) = (self.atoms.pool[id].operands(), FxHashSet::default());
            while let Some(inside) = stack.pop() {
                if self.atoms.pool.is_state(inside) {
                    self.label(inside, budget)?;
                } else if seen.insert(inside) {
                    stack.extend(self.atoms.pool[inside].operands());
                }
            }
        }
        budget.check()?;
        let truth = self.lower_bound(id, budget)?;
        self.truth.insert(id, truth);
        Ok(())
    }

    /// Is a formula known to be true in a state?
    fn is_true(&self, id: Id, state: usize) -> bool {
        self.truth.get(&id).is_some_and(|truth| truth[state]) || state == 0 && self.initially.contains(&id)
    }

    fn lower_bound(&mut self, id: Id, budget: &Budget) -> Result<Vec<bool>, Uncertified> {
        let count = self.graph.states.len();
        Ok(match &self.atoms.pool[id] {
            _ if self.atoms.speaks_of(id) => {
                self.graph.states.iter().map(|state| self.atoms.holds(id, state)).collect()
            }
            Node::And(list) => (0..count).map(|s| list.iter().all(|a| self.truth[a][s])).collect(),
            Node::Or(list) => (0..count).map(|s| list.iter().any(|a| self.truth[a][s])).collect(),
            Node::Exists(path) | Node::Forall(path) => {
                let product = self.product(*path, matches!(self.atoms.pool[id], Node::Forall(_)), budget)?;
                let locations = product.automaton.edges.len();
                let truth = (0..count).map(|s| product.ranks[0][s * locations] < u32::MAX).collect();
                self.products.insert(id, product);
                truth
            }
            _ => vec![false; count],
        })
    }

    /// The letters of an edge that are about states.
    fn letters<'e>(&self, edge: &'e Edge) -> impl Iterator<Item = &'e Id> + use<'e, '_> {
        let pool = self.atoms.pool;
        edge.guard.iter().filter(move |&&letter| pool.is_state(letter))
    }

    /// Can an edge be taken in a state? Of `¬φ`: can it, for all that is known?
    fn open(&self, edge: &Edge, state: usize, all: bool) -> bool {
        self.letters(edge).all(|letter| self.truth[letter][state] != all)
    }

    /// Does it say nothing of steps?
    fn takes_any(&self, edge: &Edge) -> bool {
        edge.guard.iter().all(|&letter| self.atoms.pool.is_state(letter))
    }

    fn product(&self, path: Id, all: bool, budget: &Budget) -> Result<Product, Uncertified> {
        let automaton = bounded(0, || Tableau::new(self.atoms.pool, path, all))?;
        let locations = automaton.edges.len();
        let nodes = self.graph.states.len() * locations;
        let most = EDGES - self.products.values().map(|product| product.edges.len()).sum::<usize>().min(EDGES);
        let (mut first, mut edges, mut ends) = (vec![0], Vec::new(), vec![false; nodes]);
        for (node, end) in ends.iter_mut().enumerate() {
            let (state, location) = (node / locations, node % locations);
            let open = automaton.edges[location].iter().filter(|edge| self.open(edge, state, all));
            if automaton.top == Some(location) {
                *end = true;
            } else if let Some(next) = self.graph.next(state) {
                for edge in open {
                    let any = self.takes_any(edge);
                    let taken = next.iter().filter(|&&(_, label)| any || edge.takes(self.atoms.pool, label, all));
                    edges.extend(taken.map(|&(s, _)| ((s as usize * locations + edge.target) as u32, edge.marks)));
                }
            } else {
                // Some edge leads to what is unknown; or to where everything is accepted, whatever comes.
                let mut open = open;
                *end = open.any(|edge| all || automaton.top == Some(edge.target) && self.takes_any(edge));
            }
            first.push(edges.len());
            if edges.len() > most || nodes > u32::MAX as usize {
                return Err(crate::budget::Exhausted::Work.into());
            }
        }
        budget.check()?;
        let mut first_back = vec![0; nodes + 1];
        edges.iter().for_each(|edge| first_back[edge.0 as usize + 1] += 1);
        (1..=nodes).for_each(|node| first_back[node] += first_back[node - 1]);
        let (mut at, mut back) = (first_back.clone(), vec![0; edges.len()]);
        for node in 0..nodes {
            for edge in &edges[first[node]..first[node + 1]] {
                back[at[edge.0 as usize]] = node as u32;
                at[edge.0 as usize] += 1;
            }
        }
        let mut product = Product { automaton, all, first, edges, first_back, back, ends, ranks: Vec::new() };
        if all {
            let mut doubtful = product.ends.clone();
            product.reach(&vec![true; nodes], &mut doubtful);
            let mut zone: Vec<bool> = doubtful.iter().map(|doubtful| !doubtful).collect();
            product.ranks = vec![product.accepting(&mut zone, &vec![false; nodes], budget)?];
        } else {
            let mut zone = vec![true; nodes];
            product.accepting(&mut zone, &product.ends, budget)?;
            product.ranks = (0..product.automaton.marks.max(1)).map(|mark| product.distances(&zone, mark)).collect();
        }
        Ok(product)
    }

    /// Note what the truth of a state formula in a state rests on.
    fn need(&self, id: Id, state: usize, needs: &mut Needs) {
        match &self.atoms.pool[id] {
            _ if self.atoms.speaks_of(id) => {}
            Node::And(list) => list.iter().for_each(|&operand| self.need(operand, state, needs)),
            Node::Or(list) => {
                let holds = list.iter().filter(|&&operand| self.is_true(operand, state));
                if let Some(&operand) = holds.min_by_key(|operand| !self.atoms.speaks_of(**operand)) {
                    self.need(operand, state, needs);
                }
            }
            _ => {
                let node = state * self.products[&id].automaton.edges.len();
                self.add((id, node, 0), needs);
            }
        }
    }

    fn add(&self, need: Need, needs: &mut Needs) {
        if needs.seen.insert(need) {
            needs.open.push(need);
        }
    }

    /// Note what a node rests on.
    fn follow(&self, (id, node, mark): Need, needs: &mut Needs) {
        let product = &self.products[&id];
        let locations = product.automaton.edges.len();
        let (state, location) = (node / locations, node % locations);
        let Some(next) = self.graph.next(state) else { return self.follow_known(id, state, location, needs) };
        if product.all {
            for edge in &product.automaton.edges[location] {
                let holds = self.letters(edge).filter(|letter| self.truth[letter][state]);
                match holds.min_by_key(|letter| !self.atoms.speaks_of(**letter)) {
                    Some(&letter) => self.need(letter, state, needs),
                    None => {
                        let taken = next.iter().filter(|&&(_, label)| edge.takes(self.atoms.pool, label, true));
                        taken.for_each(|&(s, _)| self.add((id, s as usize * locations + edge.target, 0), needs));
                    }
                }
            }
            return;
        }
        if product.ends[node] {
            return;
        }
        let turns = product.automaton.marks.max(1);
        // Edges to where everything is accepted, with the mark, nearer to the mark.
        let mut best = None;
        for edge in product.automaton.edges[location].iter().filter(|edge| self.open(edge, state, false)) {
            let marked = product.is_marked(edge.marks, mark);
            let then = if marked { (mark + 1) % turns } else { mark };
            for &(s, _) in next.iter().filter(|&&(_, label)| edge.takes(self.atoms.pool, label, false)) {
                let to = s as usize * locations + edge.target;
                let rank = product.ranks[then][to];
                let way = match (product.automaton.top == Some(edge.target), marked) {
                    (true, _) => 0,
                    (false, true) if rank < u32::MAX => 1,
                    (false, false) if rank < product.ranks[mark][node] => 2,
                    _ => continue,
                };
                if best.is_none_or(|(known, _, _)| way < known) {
                    best = Some((way, edge, (id, to, then)));
                }
            }
        }
        if let Some((way, edge, need)) = best {
            self.letters(edge).for_each(|&letter| self.need(letter, state, needs));
            if way > 0 {
                self.add(need, needs);
            }
        }
    }

    /// Of a state with unknown successors: what closes all edges of `A φ`, or is asked of one that `E φ` ends with.
    fn follow_known(&self, id: Id, state: usize, location: usize, needs: &mut Needs) {
        let product = &self.products[&id];
        let edges = &product.automaton.edges[location];
        if product.all {
            for edge in edges {
                let holds = self.letters(edge).filter(|letter| self.truth[letter][state]);
                if let Some(&letter) = holds.min_by_key(|letter| !self.atoms.speaks_of(**letter)) {
                    self.need(letter, state, needs);
                }
            }
        } else if product.automaton.top != Some(location) {
            let mut last = edges.iter().filter(|edge| product.automaton.top == Some(edge.target));
            let last = last.find(|edge| self.open(edge, state, false) && self.takes_any(edge));
            last.into_iter().flat_map(|edge| self.letters(edge)).for_each(|&letter| self.need(letter, state, needs));
        }
    }

    fn claims(&self, mut needs: Needs) -> Result<Found, Uncertified> {
        while let Some(need) = needs.open.pop() {
            self.follow(need, &mut needs);
        }
        let mut sets = Sets::new();
        for &(id, node, mark) in &needs.seen {
            let product = &self.products[&id];
            let locations = product.automaton.edges.len();
            let of_set = sets.entry((id, node % locations, mark)).or_default();
            of_set.push((node / locations, product.ranks[mark][node]));
        }
        let mut used: Vec<usize> = sets.values().flatten().map(|&(state, _)| state).collect();
        used.sort_unstable();
        used.dedup();
        let listed =
            Listed { states: &self.graph.states, used: &used, sets: sets.values().map(|set| &set[..]).collect() };
        if self.atoms.net.is_unlisted() {
            // The checker has its conditions in this order, too.
            let (order, store, roots) = listed.smallest([self.places.clone()])?;
            return Ok((self.claims_of(&sets, roots), order, store));
        }
        let mut values: Vec<Vec<(u64, usize)>> = vec![Vec::new(); self.atoms.net.places.len()];
        for &state in &used {
            for &place in &self.places {
                let (values, value) = (&mut values[place], &self.graph.states[state][place]);
                match values.iter().position(|known| known.0 == *value) {
                    Some(at) => values[at].1 += 1,
                    None if values.len() < MOST_VALUES => values.push((*value, 1)),
                    None => {}
                }
            }
        }
        // Places that change little first: the states have long beginnings in common. That is those with few values, in
        // the order of the file, which knows what goes together; or those that have one value nearly always.
        let others = |&place: &usize| used.len() - values[place].iter().map(|value| value.1).max().unwrap_or(0);
        let (mut few, mut rare) = (self.places.clone(), self.places.clone());
        few.sort_by_key(|&place| values[place].len());
        rare.sort_by_key(others);
        // Many states have more in common than beginnings.
        let mut orders = if used.len() < MANY_STATES { Vec::new() } else { (self.orders)() };
        orders.extend([few, rare]);
        let (order, store, roots) = listed.smallest(orders)?;
        Ok((self.claims_of(&sets, roots), order, store))
    }

    /// The claims of some sets.
    fn claims_of(&self, sets: &Sets, roots: Vec<DiagramNode>) -> Vec<Claim> {
        let mut claims: Vec<Claim> = Vec::new();
        for (&(id, location, mark), root) in sets.keys().zip(roots) {
            if claims.last().is_none_or(|claim| claim.formula != id) {
                let all = self.products[&id].all;
                let evidence = if all { Evidence::All(Vec::new()) } else { Evidence::Some(Vec::new()) };
                claims.push(Claim { formula: id, evidence });
            }
            let evidence = claims.last_mut().map(|claim| &mut claim.evidence);
            if let Some(Evidence::All(sets) | Evidence::Some(sets)) = evidence {
                sets.push((location, mark, root));
            }
        }
        claims
    }
}
