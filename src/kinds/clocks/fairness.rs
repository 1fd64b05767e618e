//! Does every fair run complete? Strong fairness of transitions, over explicit states.
//!
//! A run is *fair* if each transition that can fire at infinitely many of its states fires infinitely often. A run
//! refutes completion if it never meets the goal and either cannot go on, or is infinite and fair. Such an infinite run
//! ends in a strongly connected set of states whose every transition that can fire somewhere in it also fires within
//! it. Search: split the states without the goal into strongly connected components; where a component has
//! transitions that can fire but only out of it, drop the states at which they can, and split again (Emerson and Lei,
//! "Modalities for model checking", 1987, for Streett conditions `inf enabled => inf taken`).
//!
//! States are those of integer time, where the passing of a unit is a step without demands of fairness; without
//! clocks they are the markings. A refuting run is one of dense time too. That there is none is exact without
//! clocks; with clocks it is a statement about integer time, and about a finer unit with [`Scaled::with_factor`].

use super::integer::Packing;
use super::markings::{ExploreError, Limits, MarkingId, MarkingTable};
use super::model::TransitionId;
use super::rational::fraction;
use super::replay::Run;
use super::scaled::Scaled;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How a run fails to complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// After the run nothing can happen, not even the passing of time.
    Stops(Run),
    /// After the first run the second repeats for ever; it is not a run from the start.
    Repeats(Run, Run),
}

/// A fair run that never meets the goal, if there is one.
pub fn incomplete(
    scaled: &Scaled<'_>,
    limits: &Limits,
    goal: &dyn Fn(&[u32]) -> bool,
) -> Result<Option<Incomplete>, ExploreError> {
    let graph = Explicit::explore(scaled, limits, goal)?;
    let all: Vec<u32> = (0..graph.edges.len() as u32).filter(|&s| !graph.is_goal[s as usize]).collect();
    if let Some(&stop) = all.iter().find(|&&s| graph.edges[s as usize].is_empty()) {
        return Ok(Some(Incomplete::Stops(graph.run(scaled, &graph.path(&[0], &|_| true, stop)))));
    }
    Ok(graph.fair_component(all).map(|component| {
        let (stem, cycle) = graph.lasso(&component);
        Incomplete::Repeats(graph.run(scaled, &stem), graph.run(scaled, &cycle))
    }))
}

/// Labels, each with the state it leads to.
type Path = Vec<(u32, u32)>;

/// States between two looks at the budget.
const CHECK: usize = 1024;

/// Bytes of a state: in the hash table, in the list, and the head of its list of edges.
const STATE: usize = 2 * size_of::<(MarkingId, u128)>() + 32;

/// The label of the passing of a unit.
const TICK: u32 = u32::MAX;

/// States without clocks that tell them apart, labelled edges, and which states are goals (without edges).
struct Explicit {
    edges: Vec<Vec<(u32, u32)>>,
    is_goal: Vec<bool>,
}

impl Explicit {
    fn explore(scaled: &Scaled<'_>, limits: &Limits, goal: &dyn Fn(&[u32]) -> bool) -> Result<Explicit, ExploreError> {
        let mut markings = MarkingTable::new(scaled, limits)?;
        let packing = Packing::new(scaled)?;
        let timed = scaled.clocks() > 0;
        let mut ids: FxHashMap<(MarkingId, u128), u32> = FxHashMap::default();
        let mut states = Vec::new();
        let mut graph = Explicit { edges: Vec::new(), is_goal: Vec::new() };
        if packing.holds(0, 0, markings.invariant(0)) {
            ids.insert((0, 0), 0);
            states.push((0, 0));
        }
        let mut arcs = 0;
        while graph.edges.len() < states.len() {
            let (m, word) = states[graph.edges.len()];
            let is_goal = goal(&markings.tokens(m));
            let mut edges = Vec::new();
            let mut add = |label: u32, state: (MarkingId, u128)| {
                let id = *ids.entry(state).or_insert_with(|| {
                    states.push(state);
                    states.len() as u32 - 1
                });
                edges.push((label, id));
            };
            if !is_goal {
                let invariant = Arc::clone(markings.invariant(m));
                for &(t, target) in markings.successors(m)?.iter() {
                    if packing.holds(word, 0, scaled.condition(t)) {
                        let next = scaled.resets(t).iter().fold(word, |w, c| packing.zeroed(w, c.index()));
                        if packing.holds(next, 0, markings.invariant(target)) {
                            add(t.0, (target, next));
                        }
                    }
                }
                if let Some(later) = timed.then(|| packing.tick(word, &invariant)).flatten() {
                    add(TICK, (m, later));
                }
            }
            graph.edges.push(edges);
            graph.is_goal.push(is_goal);
            if states.len() > limits.states.min(TICK as usize) {
                return Err(ExploreError::States(limits.states));
            }
            arcs += graph.edges.last().map_or(0, Vec::len);
            if graph.edges.len().is_multiple_of(CHECK) {
                limits.check(markings.bytes() + states.len() * STATE + arcs * size_of::<(u32, u32)>())?;
            }
        }
        Ok(graph)
    }

    /// A strongly connected set of states in which every transition that can fire does.
    fn fair_component(&self, states: Vec<u32>) -> Option<Vec<u32>> {
        let mut open = vec![states];
        while let Some(states) = open.pop() {
            for component in self.components(&states) {
                let inside: rustc_hash::FxHashSet<u32> = component.iter().copied().collect();
                let (mut can, mut does) = (rustc_hash::FxHashSet::default(), rustc_hash::FxHashSet::default());
                let mut repeats = false;
                for &(label, target) in component.iter().flat_map(|&s| &self.edges[s as usize]) {
                    can.insert(label);
                    if inside.contains(&target) {
                        repeats = true;
                        does.insert(label);
                    }
                }
                if !repeats {
                    continue;
                }
                can.remove(&TICK);
                can.retain(|label| !does.contains(label));
                if can.is_empty() {
                    return Some(component);
                }
                let keeps = |s: &u32| !self.edges[*s as usize].iter().any(|(label, _)| can.contains(label));
                open.push(component.into_iter().filter(keeps).collect());
            }
        }
        None
    }

    /// Strongly connected components of a set of states (Tarjan, without recursion).
    fn components(&self, states: &[u32]) -> Vec<Vec<u32>> {
        const NONE: u32 = u32::MAX;
        let local: FxHashMap<u32, u32> = states.iter().zip(0u32..).map(|(&s, i)| (s, i)).collect();
        let mut number = vec![NONE; states.len()];
        let mut low = vec![0u32; states.len()];
        let mut on_stack = vec![false; states.len()];
        let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
        for root in 0..states.len() as u32 {
            if number[root as usize] != NONE {
                continue;
            }
            let mut calls = vec![(root, 0usize)];
            while let Some((s, next)) = calls.pop() {
                let i = s as usize;
                if next == 0 {
                    number[i] = count;
                    low[i] = count;
                    count += 1;
                    stack.push(s);
                    on_stack[i] = true;
                }
                let edges = &self.edges[states[i] as usize];
                let mut at = next;
                let mut called = false;
                while at < edges.len() {
                    let target = local.get(&edges[at].1).copied();
                    at += 1;
                    let Some(t) = target else { continue };
                    if number[t as usize] == NONE {
                        calls.push((s, at));
                        calls.push((t, 0));
                        called = true;
                        break;
                    }
                    if on_stack[t as usize] {
                        low[i] = low[i].min(low[t as usize]);
                    }
                }
                if called {
                    continue;
                }
                if low[i] == number[i] {
                    let mut component = Vec::new();
                    while let Some(t) = stack.pop() {
                        on_stack[t as usize] = false;
                        component.push(states[t as usize]);
                        if t == s {
                            break;
                        }
                    }
                    found.push(component);
                }
                if let Some(&(caller, _)) = calls.last() {
                    low[caller as usize] = low[caller as usize].min(low[i]);
                }
            }
        }
        found
    }

    /// A shortest path from one of some states to a state, through allowed states: labels with targets.
    fn path(&self, from: &[u32], allowed: &dyn Fn(u32) -> bool, to: u32) -> Path {
        let mut parent: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut queue: std::collections::VecDeque<u32> = from.iter().copied().collect();
        while let Some(s) = queue.pop_front() {
            if s == to {
                break;
            }
            for &(label, target) in &self.edges[s as usize] {
                if allowed(target) && !from.contains(&target) && !parent.contains_key(&target) {
                    parent.insert(target, (s, label));
                    queue.push_back(target);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while let Some(&(before, label)) = parent.get(&at) {
            path.push((label, at));
            at = before;
        }
        path.reverse();
        path
    }

    /// A path from the start into a component, and a closed path there that takes every transition of it.
    fn lasso(&self, component: &[u32]) -> (Path, Path) {
        let inside: rustc_hash::FxHashSet<u32> = component.iter().copied().collect();
        let Some(&entry) = component.iter().min() else { return (Vec::new(), Vec::new()) };
        let stem = self.path(&[0], &|s| !self.is_goal[s as usize], entry);
        let mut cycle: Path = Vec::new();
        let mut at = entry;
        let mut taken = rustc_hash::FxHashSet::default();
        for &s in component {
            for &(label, target) in &self.edges[s as usize] {
                if inside.contains(&target) && !taken.contains(&label) {
                    let way = self.path(&[at], &|s| inside.contains(&s), s);
                    taken.extend(way.iter().map(|(l, _)| *l));
                    taken.insert(label);
                    cycle.extend(way);
                    cycle.push((label, target));
                    at = target;
                }
            }
        }
        cycle.extend(self.path(&[at], &|s| inside.contains(&s), entry));
        (stem, cycle)
    }

    fn run(&self, scaled: &Scaled<'_>, path: &[(u32, u32)]) -> Run {
        let mut run = Run { steps: Vec::new(), rest: fraction(0, 1) };
        let mut ticks = 0;
        let unit = i64::from(scaled.scale);
        for &(label, _) in path {
            if label == TICK {
                ticks += 1;
            } else {
                run.steps.push((fraction(ticks, unit), TransitionId(label)));
                ticks = 0;
            }
        }
        run.rest = fraction(ticks, unit);
        run
    }
}
