//! The reachable states with the automaton of a claim: which product states accept, and the ranks that show it.
//!
//! Z starts as all product states and shrinks: for each mark in turn, what cannot reach an edge with the mark inside Z
//! is removed; where there are no marks, what has no step inside Z. What is removed at a time is a layer of a claim
//! that nothing is accepted: its steps lead to itself or to layers removed before, and within it the mark is never
//! seen. What is left accepts, and the distance to each mark inside of it makes a claim that something is.
//!
//! Components of the automaton come one after the other, those first that edges lead to: what is accepted there is
//! known when those before ask for it, and a component in which a mark is never seen is done with at once.
//!
//! A location from which everything is accepted is never left, and needs no sets. Deadlocks are their own successors.

use super::Uncertified;
use super::ranked::{Layered, Ranked};
use crate::budget::Budget;
use crate::mdd::Mdd;
use crate::scc::components;
use crate::symbolic::Checker;
use starset_checker::{Edge, Evidence, Tableau};

/// A set of states for each location.
type Sets = Vec<Mdd>;

/// Where an edge can be taken, and by which steps.
pub(super) struct Guard {
    pub(super) states: Mdd,
    /// The labels of the steps, sorted, and whether the repetition of a deadlock is one of them; none if any step is.
    pub(super) steps: Option<(Vec<u32>, bool)>,
}

/// The product states from which something is accepted.
pub(super) struct Accepting {
    pub(super) automaton: Tableau,
    /// Where each edge can be taken, and how.
    pub(super) guards: Vec<Vec<Guard>>,
    pub(super) dead: Mdd,
    /// By location.
    pub(super) zone: Sets,
    /// By mark, the layers of the zone by the distance to it.
    pub(super) layers: Vec<Vec<Sets>>,
}

impl Accepting {
    pub(super) fn is_marked(&self, edge: &Edge, mark: usize) -> bool {
        is_marked(&self.automaton, edge, mark)
    }

    /// The rank of a state that waits for a mark.
    pub(super) fn rank(&self, state: &[u32], location: usize, mark: usize) -> Option<usize> {
        self.layers[mark].iter().position(|sets| sets[location].contains(state))
    }

    /// The claim that something is accepted from all of them.
    pub(super) fn evidence(&self, ranked: &mut Ranked, budget: &Budget) -> Result<Evidence, Uncertified> {
        let mut sets = Vec::new();
        for (mark, layers) in self.layers.iter().enumerate() {
            for location in (0..self.zone.len()).filter(|&location| Some(location) != self.automaton.top) {
                let of_location = layers.iter().zip(0..).map(|(sets, rank)| (rank, sets[location].clone()));
                let root = ranked.add(&of_location.collect::<Layered>(), budget)?;
                sets.extend(root.map(|root| (location, mark, root)));
            }
        }
        // With the whole formula satisfied at once there is nothing to go on with.
        let set = &self.zone[0];
        if self.automaton.top == Some(0) && !set.is_empty() {
            let root = ranked.add(&vec![(0, set.clone())], budget)?;
            sets.extend(root.map(|root| (0, 0, root)));
        }
        Ok(Evidence::Some(sets))
    }
}

fn is_marked(automaton: &Tableau, edge: &Edge, mark: usize) -> bool {
    automaton.marks == 0 || edge.marks >> mark & 1 == 1
}

pub(super) struct Product<'a, 'c> {
    checker: &'a Checker<'c>,
    automaton: &'a Tableau,
    /// Where each edge can be taken, and how.
    guards: Vec<Vec<Guard>>,
    dead: Mdd,
    empty: Mdd,
    budget: &'a Budget,
}

impl<'a, 'c> Product<'a, 'c> {
    pub(super) fn new(
        checker: &'a Checker<'c>,
        automaton: &'a Tableau,
        guards: Vec<Vec<Guard>>,
        budget: &'a Budget,
    ) -> Result<Self, Uncertified> {
        let (dead, empty) = (checker.deadlocks(budget)?, checker.states().space().empty());
        Ok(Product { checker, automaton, guards, dead, empty, budget })
    }

    /// Nothing is accepted from these states at the first location.
    pub(super) fn all(&self, ranked: &mut Ranked) -> Result<(Mdd, Evidence), Uncertified> {
        let (left, layers) = self.accepting()?;
        let mut sets = Vec::new();
        for location in 0..self.automaton.edges.len() {
            let of_location = layers.iter().map(|(rank, sets)| (*rank, sets[location].clone()));
            let root = ranked.add(&of_location.collect::<Layered>(), self.budget)?;
            sets.extend(root.map(|root| (location, 0, root)));
        }
        let set = self.checker.states().difference(&left[0], self.budget)?;
        Ok((set, Evidence::All(sets)))
    }

    /// Where something is accepted.
    pub(super) fn some(self) -> Result<Accepting, Uncertified> {
        let (zone, _) = self.accepting()?;
        let marks = 0..self.automaton.marks.max(1);
        let layers = marks.map(|mark| self.distances(&zone, mark)).collect::<Result<_, _>>()?;
        Ok(Accepting { automaton: self.automaton.clone(), guards: self.guards, dead: self.dead, zone, layers })
    }

    fn marked(&self, edge: &Edge, mark: usize) -> bool {
        is_marked(self.automaton, edge, mark)
    }

    /// The states of `within` where a guard lets a step, or a deadlock that repeats, lead into `target`.
    fn step(&self, guard: &Guard, target: &Mdd, within: &Mdd) -> Result<Mdd, Uncertified> {
        let within = &guard.states.intersection(within, self.budget)?;
        if target.is_empty() || within.is_empty() {
            return Ok(self.empty.clone());
        }
        let before = match &guard.steps {
            None if target == self.checker.states() => return Ok(within.clone()),
            None => self.checker.pre(target, within, self.budget)?,
            Some((labels, repeats)) => {
                let before = self.checker.pre_of(labels, target, within, self.budget)?;
                if !repeats {
                    return Ok(before);
                }
                before
            }
        };
        let stay = self.dead.intersection(target, self.budget)?.intersection(within, self.budget)?;
        Ok(before.union(&stay, self.budget)?)
    }

    /// By location, the states of a zone with an edge of some kind into the targets.
    fn before(&self, zone: &Sets, targets: &Sets, kind: &dyn Fn(&Edge) -> bool) -> Result<Sets, Uncertified> {
        let mut sets = Sets::new();
        for (location, (edges, guards)) in self.automaton.edges.iter().zip(&self.guards).enumerate() {
            let mut set = self.empty.clone();
            for (edge, guard) in edges.iter().zip(guards).filter(|(edge, _)| kind(edge)) {
                let before = self.step(guard, &targets[edge.target], &zone[location])?;
                set = set.union(&before, self.budget)?;
            }
            sets.push(set);
        }
        Ok(sets)
    }

    /// The states of a zone from which the targets can be reached inside of it.
    fn reach(&self, zone: &Sets, targets: Sets) -> Result<Sets, Uncertified> {
        let mut reached = targets;
        let mut pending: Vec<usize> = (0..reached.len()).filter(|&location| !reached[location].is_empty()).collect();
        while let Some(target) = pending.pop() {
            let edges = |source: usize| {
                let of_source = self.automaton.edges[source].iter().zip(&self.guards[source]);
                of_source.filter(move |(edge, _)| edge.target == target).map(|(_, guard)| guard)
            };
            let mut loops = self.empty.clone();
            for guard in edges(target).filter(|guard| guard.steps.is_none()) {
                loops = loops.union(&guard.states.intersection(&zone[target], self.budget)?, self.budget)?;
            }
            if !loops.is_empty() && reached[target] != zone[target] {
                reached[target] = self.checker.reach(&loops, &reached[target], self.budget)?;
            }
            for source in 0..reached.len() {
                let mut grown = reached[source].clone();
                // Loops of any step are done.
                for guard in edges(source).filter(|guard| source != target || guard.steps.is_some()) {
                    let within = zone[source].difference(&grown, self.budget)?;
                    grown = grown.union(&self.step(guard, &reached[target], &within)?, self.budget)?;
                }
                if grown != reached[source] {
                    reached[source] = grown;
                    if !pending.contains(&source) {
                        pending.push(source);
                    }
                }
            }
        }
        Ok(reached)
    }

    /// The locations that can be entered at all, with all states.
    fn enterable(&self) -> Sets {
        let mut zone: Sets = vec![self.empty.clone(); self.automaton.edges.len()];
        let mut pending = vec![0];
        while let Some(location) = pending.pop() {
            if zone[location].is_empty() {
                zone[location] = self.checker.states().clone();
                let taken = self.automaton.edges[location].iter().zip(&self.guards[location]);
                pending.extend(taken.filter(|(_, guard)| !guard.states.is_empty()).map(|(edge, _)| edge.target));
            }
        }
        zone
    }

    /// The remaining sources of some edges once states have gone from the zone: those that lead to none of these are
    /// looked at no more.
    fn refreshed(
        &self,
        sources: Sets,
        zone: &Sets,
        gone: &Sets,
        kind: &dyn Fn(&Edge) -> bool,
    ) -> Result<Sets, Uncertified> {
        let mut inside = Sets::new();
        for (source, zone) in sources.iter().zip(zone) {
            inside.push(source.intersection(zone, self.budget)?);
        }
        let doubtful = self.before(&inside, gone, kind)?;
        let held = self.before(&doubtful, zone, kind)?;
        for ((inside, doubtful), held) in inside.iter_mut().zip(&doubtful).zip(&held) {
            *inside = inside.difference(doubtful, self.budget)?.union(held, self.budget)?;
        }
        Ok(inside)
    }

    /// The product states from which something is accepted, and the layers of the others with their ranks.
    fn accepting(&self) -> Result<(Sets, Vec<(u32, Sets)>), Uncertified> {
        let edges = &self.automaton.edges;
        let parts = components(edges.len(), [0], |location| edges[location].iter().map(|edge| edge.target));
        let (mut zone, mut layers) = (self.enterable(), Vec::new());
        // Edges lead to components that come earlier.
        for part in (0..parts.count as u32).filter(|&part| self.automaton.top.is_none_or(|top| parts.of[top] != part)) {
            self.shrink(&mut zone, &|location| parts.of[location] == part, &mut layers)?;
        }
        Ok((zone, layers))
    }

    /// Shrink a zone, at the locations of a component, to the states from which something is accepted. Where edges
    /// lead to from there this has been done.
    fn shrink(
        &self,
        zone: &mut Sets,
        is_inside: &dyn Fn(usize) -> bool,
        layers: &mut Vec<(u32, Sets)>,
    ) -> Result<(), Uncertified> {
        let marks = self.automaton.marks as u32;
        let classes = marks.max(1);
        let edges = self.automaton.edges.iter().enumerate().filter(|(source, _)| is_inside(*source));
        let edges: Vec<&Edge> = edges.flat_map(|(_, edges)| edges).filter(|edge| is_inside(edge.target)).collect();
        // Where no edge has a mark, what is accepted leaves the component.
        let unseen = (0..classes).find(|&class| !edges.iter().any(|edge| self.marked(edge, class as usize)));
        // For each class, the sources of its edges in the zone, and what has gone from the zone since.
        let none: Sets = vec![self.empty.clone(); zone.len()];
        let mut known: Vec<Option<(Sets, Sets)>> = vec![None; classes as usize];
        let (mut rank, mut quiet) = (layers.last().map_or(0, |layer| layer.0 + 1), 0);
        // A class is done with when all classes in a row have removed nothing.
        while quiet < classes {
            self.budget.check()?;
            let class = rank % (marks + 1);
            if class == classes || unseen.is_some_and(|unseen| unseen != class) {
                rank += 1;
                continue;
            }
            let kind = |edge: &Edge| self.marked(edge, class as usize) || !is_inside(edge.target);
            let inside = |(location, set): (usize, &Mdd)| if is_inside(location) { set } else { &self.empty }.clone();
            let within: Sets = zone.iter().enumerate().map(inside).collect();
            let mut keep = match known[class as usize].take() {
                Some((sources, gone)) => self.refreshed(sources, zone, &gone, &kind)?,
                None => self.before(&within, zone, &kind)?,
            };
            known[class as usize] = Some((keep.clone(), none.clone()));
            if !edges.iter().all(|edge| self.marked(edge, class as usize)) {
                keep = self.reach(&within, keep)?;
            }
            let mut gone = Sets::new();
            for (within, keep) in within.iter().zip(&keep) {
                gone.push(within.difference(keep, self.budget)?);
            }
            for (location, keep) in keep.into_iter().enumerate().filter(|(location, _)| is_inside(*location)) {
                zone[location] = keep;
            }
            if gone.iter().all(Mdd::is_empty) {
                quiet += 1;
            } else {
                quiet = 0;
                for (_, pending) in known.iter_mut().flatten() {
                    for (pending, gone) in pending.iter_mut().zip(&gone) {
                        *pending = pending.union(gone, self.budget)?;
                    }
                }
                layers.push((rank, gone));
            }
            rank += 1;
            if unseen.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Layers of a zone by the distance, inside of it, to an edge with a mark.
    fn distances(&self, zone: &Sets, mark: usize) -> Result<Vec<Sets>, Uncertified> {
        let top = self.automaton.top;
        let mut rest = zone.clone();
        if let Some(top) = top {
            rest[top] = self.empty.clone();
        }
        let mut front = self.before(&rest, zone, &|edge| self.marked(edge, mark) || Some(edge.target) == top)?;
        let mut layers = Vec::new();
        while !front.iter().all(Mdd::is_empty) {
            self.budget.check()?;
            for (rest, front) in rest.iter_mut().zip(&front) {
                *rest = rest.difference(front, self.budget)?;
            }
            let next = self.before(&rest, &front, &|edge| Some(edge.target) != top)?;
            layers.push(std::mem::replace(&mut front, next));
        }
        Ok(layers)
    }
}
