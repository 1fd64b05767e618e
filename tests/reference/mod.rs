//! The reference every engine is held against: the reachability graph, built marking by marking with the
//! firing rule of [`starset::net::Marking`], breadth first, with nothing clever in it.
//!
//! Shared by the integration tests (`mod reference` of `tests/main.rs`) and the unit tests of the library
//! (`crate::reference`). It is slow on purpose: keep the nets small, or let `limit` stop it.
#![allow(dead_code, unreachable_pub)] // each of the two uses only a part, and neither exports it
#![allow(clippy::unwrap_used)]

pub mod random;

use starset::net::{Marking, PetriNet, PlaceId, TransitionId};
use std::collections::HashMap;

/// All reachable markings of a net and the firings between them.
#[derive(Debug)]
pub struct Graph {
    /// Reachable markings in breadth-first order; the initial marking is number 0.
    pub markings: Vec<Marking>,
    /// For each marking, one edge per enabled transition, in transition order.
    pub edges: Vec<Vec<(TransitionId, usize)>>,
    numbers: HashMap<Marking, usize>,
}

/// The reachability graph of `net`, or `None` if it has more than `limit` markings.
pub fn explore(net: &PetriNet, limit: usize) -> Option<Graph> {
    let initial = net.initial_marking();
    let mut graph =
        Graph { markings: vec![initial.clone()], edges: Vec::new(), numbers: HashMap::from([(initial, 0)]) };
    while graph.edges.len() < graph.markings.len() {
        let marking = graph.markings[graph.edges.len()].clone();
        let mut edges = Vec::new();
        for t in net.transition_ids() {
            if !marking.enables(net, t) {
                continue;
            }
            let next = marking.fire(net, t).expect("no place holds 2^64 tokens in a test");
            let number = *graph.numbers.entry(next.clone()).or_insert(graph.markings.len());
            if number == graph.markings.len() {
                graph.markings.push(next);
            }
            edges.push((t, number));
        }
        graph.edges.push(edges);
        if graph.markings.len() > limit {
            return None;
        }
    }
    Some(graph)
}

impl Graph {
    /// The graph with these markings and edges, the first marking being the initial one.
    pub fn new(markings: Vec<Marking>, edges: Vec<Vec<(TransitionId, usize)>>) -> Graph {
        let numbers = markings.iter().cloned().zip(0..).collect();
        Graph { markings, edges, numbers }
    }

    /// Number of reachable markings.
    pub fn states(&self) -> usize {
        self.markings.len()
    }

    /// Number of pairs of a reachable marking and a transition enabled in it.
    pub fn transitions(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Numbers of the markings that enable nothing, in order.
    pub fn deadlocks(&self) -> Vec<usize> {
        (0..self.states()).filter(|&m| self.edges[m].is_empty()).collect()
    }

    /// The most tokens that `place` ever holds.
    pub fn bound(&self, place: PlaceId) -> u64 {
        self.markings.iter().map(|m| m.tokens(place)).max().unwrap()
    }

    /// The most tokens that any place ever holds.
    pub fn max_tokens_in_place(&self) -> u64 {
        self.markings.iter().flat_map(|m| m.as_slice()).copied().max().unwrap_or(0)
    }

    /// The most tokens that any reachable marking holds in all.
    pub fn max_tokens_per_marking(&self) -> u64 {
        self.markings.iter().map(|m| m.as_slice().iter().sum()).max().unwrap()
    }

    /// The number of a marking, if it is reachable.
    pub fn number(&self, marking: &Marking) -> Option<usize> {
        self.numbers.get(marking).copied()
    }

    /// For each marking, the markings that lead to it, with the transition; the edges turned round.
    pub fn predecessors(&self) -> Vec<Vec<(TransitionId, usize)>> {
        let mut before = vec![Vec::new(); self.states()];
        for (from, edges) in self.edges.iter().enumerate() {
            for &(t, to) in edges {
                before[to].push((t, from));
            }
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use starset::net::NetBuilder;

    #[test]
    fn a_buffer_of_three_with_a_stop() {
        let mut b = NetBuilder::new("buffer");
        let (free, full) = (b.place("free", 3).unwrap(), b.place("full", 0).unwrap());
        let (put, stop) = (b.transition("put").unwrap(), b.transition("stop").unwrap());
        b.input(free, put, 1).unwrap();
        b.output(put, full, 1).unwrap();
        b.input(full, stop, 3).unwrap();
        let graph = explore(&b.build().unwrap(), 100).unwrap();
        // (3,0) → (2,1) → (1,2) → (0,3) → (0,0)
        assert_eq!((graph.states(), graph.transitions()), (5, 4));
        assert_eq!(graph.deadlocks(), [4]);
        assert_eq!(graph.edges[3], [(stop, 4)]);
        assert_eq!(graph.predecessors()[4], [(stop, 3)]);
        assert_eq!((graph.max_tokens_in_place(), graph.max_tokens_per_marking()), (3, 3));
        assert_eq!(graph.number(&Marking::new(vec![1, 2])), Some(2));
    }

    #[test]
    fn an_unbounded_net_is_given_up() {
        let mut b = NetBuilder::new("source");
        let (p, t) = (b.place("p", 0).unwrap(), b.transition("t").unwrap());
        b.output(t, p, 1).unwrap();
        assert!(explore(&b.build().unwrap(), 100).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn bounded_nets_are_bounded(net in random::bounded_net(random::Size::default(), 3)) {
            if let Some(graph) = explore(&net, 3_000) {
                prop_assert!(graph.max_tokens_in_place() <= 3);
            }
        }
    }
}
