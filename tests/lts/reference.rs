//! Brute force: the graph of a small network, state by state, and random networks.

use proptest::collection::vec;
use proptest::prelude::*;
use starset::kinds::network::{Component, Network};
use std::collections::HashMap;

/// The reachable states, the first being where the network starts, and from each its steps: label and target.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) states: Vec<Vec<u32>>,
    pub(super) steps: Vec<Vec<(u32, usize)>>,
}

impl Graph {
    /// Explore a network.
    pub(super) fn of(network: &Network) -> Graph {
        let start: Vec<u32> = network.components().iter().map(|c| c.initial).collect();
        let mut index = HashMap::from([(start.clone(), 0)]);
        let mut graph = Graph { states: vec![start], steps: Vec::new() };
        while let Some(state) = graph.states.get(graph.steps.len()).cloned() {
            let mut steps = Vec::new();
            for label in network.label_ids() {
                // From the components themselves, not from what the network made of them.
                let mut targets = vec![state.clone()];
                for (c, component) in network.components().iter().enumerate() {
                    let with_label = component.edges.iter().filter(|edge| edge.1 == network.label(label));
                    if with_label.clone().next().is_none() {
                        continue;
                    }
                    let mut locals: Vec<u32> =
                        with_label.filter(|edge| edge.0 == state[c]).map(|edge| edge.2).collect();
                    locals.sort_unstable();
                    locals.dedup();
                    targets = targets
                        .iter()
                        .flat_map(|target| {
                            locals.iter().map(|&local| {
                                let mut target = target.clone();
                                target[c] = local;
                                target
                            })
                        })
                        .collect();
                }
                for target in targets {
                    let fresh = graph.states.len();
                    let at = *index.entry(target.clone()).or_insert(fresh);
                    if at == fresh {
                        graph.states.push(target);
                    }
                    steps.push((label.0, at));
                }
            }
            graph.steps.push(steps);
        }
        graph
    }
}

/// States, the initial one, and edges, with the numbers of labels.
type Drawn = (u32, u32, Vec<(u32, usize, u32)>);

/// Random networks of up to four components of up to four states over up to five labels, nondeterministic ones
/// among them.
pub(super) fn networks() -> impl Strategy<Value = Network> {
    let component =
        (1..5u32).prop_flat_map(|states| (Just(states), 0..states, vec((0..states, 0..5usize, 0..states), 0..9)));
    vec(component, 1..5).prop_map(|components| {
        let component = |(number, (states, initial, edges)): (usize, Drawn)| Component {
            name: format!("c{number}"),
            states: (0..states).map(|s| s.to_string()).collect(),
            initial,
            edges: edges.into_iter().map(|(s, l, t)| (s, ["a", "b", "c", "d", "e"][l].to_owned(), t)).collect(),
        };
        Network::new("random", components.into_iter().enumerate().map(component).collect()).unwrap()
    })
}
