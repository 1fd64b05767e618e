//! The graph of markings of a process, breadth first, as far as some limit.
//!
//! States are vectors of tokens, with the order of messages behind them where it matters. Each state but the first has the
//! step by which it was found, which leads back to the start by a shortest run.

use super::growth::grown;
use crate::budget::{Budget, Exhausted};
use crate::kinds::bpmn::Order;
use crate::kinds::bpmn::process_net::{PlaceId, ProcessNet};
use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Tokens in one place from which on a run is looked at for growth.
const MANY: u32 = 4;
/// Edges that are looked at where tokens grow without end.
const GROWING: usize = 1 << 12;

/// A graph of markings.
#[derive(Debug)]
pub(super) struct Graph {
    states: IndexSet<Box<[u32]>, FxBuildHasher>,
    /// By state that has been expanded, where its edges begin; and where the last end.
    starts: Vec<usize>,
    /// Edges: transition and target.
    edges: Vec<(u32, u32)>,
    /// By state, the state before it and the transition.
    found_by: Vec<(u32, u32)>,
    /// A place that grows without end.
    pub unbounded: Option<PlaceId>,
    /// Is that all?
    pub is_complete: bool,
}

impl Graph {
    /// Explores so many edges; fewer where tokens grow without end, and `hopeless` of them where some state has so many steps
    /// apart from each other that their subsets alone lead over more edges.
    pub(super) fn explore(
        net: &ProcessNet,
        edges: usize,
        hopeless: usize,
        budget: &Budget,
    ) -> Result<Graph, Exhausted> {
        let ordered = net.delivery.order != Order::Bag;
        let initial = [net.initial(), net.delivery.initial()].concat();
        let mut graph = Graph {
            states: IndexSet::default(),
            starts: vec![0],
            edges: Vec::new(),
            found_by: vec![(0, 0)],
            unbounded: None,
            is_complete: false,
        };
        graph.states.insert(initial.into());
        let candidates = Candidates::new(net);
        let (mut next, mut state) = (Vec::new(), Vec::new());
        let (mut number, mut most) = (0, edges);
        while let Some(known) = graph.states.get_index(number) {
            if number % 256 == 0 {
                budget.check()?;
            }
            state.clear();
            state.extend_from_slice(known);
            let (mut apart, mut last) = (0, None);
            for transition in candidates.of(&state) {
                let firing = &net.transitions[transition];
                if !firing.is_enabled(&net.places, &state) {
                    continue;
                }
                // Those that take from the same place come one after the other.
                if let &[(place, _)] = firing.inputs.as_slice()
                    && last.replace(place) != Some(place)
                {
                    apart += 1;
                }
                next.clone_from(&state);
                if firing.fire(&net.places, &mut next).is_none() {
                    return Ok(graph);
                }
                let arcs = [firing.inputs.as_slice(), firing.outputs.as_slice()];
                if ordered && !net.delivery.deliver(arcs, net.places.len(), &state, &mut next) {
                    continue;
                }
                let target = match graph.states.get_index_of(next.as_slice()) {
                    Some(known) => known,
                    None => {
                        let (found, _) = graph.states.insert_full(next.as_slice().into());
                        graph.found_by.push((number as u32, transition as u32));
                        // What the order of messages allows may not go on.
                        if !ordered && graph.unbounded.is_none() && next.iter().any(|&tokens| tokens >= MANY) {
                            graph.unbounded = graph.growing(net, found);
                        }
                        found
                    }
                };
                graph.edges.push((transition as u32, target as u32));
            }
            graph.starts.push(graph.edges.len());
            number += 1;
            if subset_edges(apart) > edges {
                most = most.min(hopeless);
            }
            if graph.unbounded.is_some() {
                most = most.min(GROWING);
            }
            if graph.edges.len() > most {
                break;
            }
        }
        graph.is_complete = number == graph.states.len();
        Ok(graph)
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// How many of them have been expanded: the first ones.
    pub(super) fn expanded(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many edges there are.
    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The tokens of a state.
    pub(super) fn tokens(&self, state: usize) -> &[u32] {
        &self.states[state]
    }

    /// The edges out of a state: transition and target.
    pub(super) fn edges(&self, state: usize) -> &[(u32, u32)] {
        match self.starts.get(state..state + 2) {
            Some(&[start, end]) => &self.edges[start..end],
            _ => &[],
        }
    }

    /// A shortest run to a state.
    pub(super) fn run_to(&self, state: usize) -> Vec<usize> {
        let (mut run, mut state) = (Vec::new(), state);
        while state > 0 {
            let (before, transition) = self.found_by[state];
            run.push(transition as usize);
            state = before as usize;
        }
        run.reverse();
        run
    }

    /// A place that grows without end, as the run to a state shows.
    fn growing(&self, net: &ProcessNet, state: usize) -> Option<PlaceId> {
        let (mut steps, mut at) = (Vec::new(), state);
        while at > 0 {
            let (before, transition) = self.found_by[at];
            steps.push((before as usize, transition as usize));
            at = before as usize;
        }
        grown(net, self.tokens(state), steps.iter().map(|&(before, transition)| (self.tokens(before), transition)))
    }

    /// The states from which one of these can be reached, as far as edges are known.
    pub(super) fn reaching(&self, goal: &FixedBitSet) -> FixedBitSet {
        // Edges backwards, by target.
        let mut starts = vec![0u32; self.len() + 1];
        for &(_, target) in &self.edges {
            starts[target as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut free = starts.clone();
        let mut sources = vec![0u32; self.edges.len()];
        for state in 0..self.expanded() {
            for &(_, target) in self.edges(state) {
                let slot = &mut free[target as usize];
                sources[*slot as usize] = state as u32;
                *slot += 1;
            }
        }
        let mut reaching = goal.clone();
        let mut next: Vec<usize> = goal.ones().collect();
        while let Some(state) = next.pop() {
            for &source in &sources[starts[state] as usize..starts[state + 1] as usize] {
                if !reaching.put(source as usize) {
                    next.push(source as usize);
                }
            }
        }
        reaching
    }
}

/// Edges between the subsets of so many steps.
fn subset_edges(steps: u32) -> usize {
    (steps as usize).saturating_mul(1usize.checked_shl(steps.saturating_sub(1)).unwrap_or(usize::MAX))
}

/// Transitions by a place that they need a token in, so that few are looked at in a state.
struct Candidates {
    by_place: Vec<Vec<u32>>,
    /// Those that need none.
    always: Vec<u32>,
}

impl Candidates {
    fn new(net: &ProcessNet) -> Self {
        let mut candidates = Candidates { by_place: vec![Vec::new(); net.places.len()], always: Vec::new() };
        for (number, transition) in (0..).zip(&net.transitions) {
            let needed = transition.inputs.first().map(|&(place, _)| place).or(transition.reads.first().copied());
            match needed {
                Some(place) => candidates.by_place[place].push(number),
                None => candidates.always.push(number),
            }
        }
        candidates
    }

    /// The transitions that may be enabled, in no particular order.
    fn of<'c>(&'c self, tokens: &'c [u32]) -> impl Iterator<Item = usize> + 'c {
        let marked = tokens.iter().zip(&self.by_place).filter(|(tokens, _)| **tokens > 0);
        marked.flat_map(|(_, list)| list).chain(&self.always).map(|&transition| transition as usize)
    }
}
