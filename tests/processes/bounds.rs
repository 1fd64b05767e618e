//! Rows that fbpmn recorded under bounds: its model checker goes on from no state beyond the bound, and still takes for
//! possible what leads there. So fair runs avoid the bound, and the verdicts say little of the model; they are found
//! here, from the net, to hold its steps and its fairness against them.

use crate::shared::{shared, table};
use starset::kinds::bpmn::process_net::{Meaning, ProcessNet};
use starset::kinds::bpmn::{Environment, Like, Order, read_bpmn};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most tokens on nodes, on sequence flows, and of messages on a flow, as the note of a row has them.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    nodes: u32,
    flows: u32,
    messages: u32,
}

impl Bounds {
    fn of(note: &str) -> Bounds {
        let mut bounds = Bounds { nodes: u32::MAX, flows: u32::MAX, messages: u32::MAX };
        for part in note.strip_prefix("bounded by ").unwrap().split(' ') {
            let (what, most) = part.split_once("<=").unwrap();
            let most = most.parse().unwrap();
            match what {
                "Node" => bounds.nodes = most,
                // Message flows are edges, too.
                "Edge" => (bounds.flows, bounds.messages) = (most, most),
                "Msg" => bounds.messages = most,
                other => panic!("{other}"),
            }
        }
        bounds
    }

    fn hold(&self, net: &ProcessNet, tokens: &[u32]) -> bool {
        net.places.iter().zip(tokens).all(|(place, &held)| {
            let most = match place.meaning {
                Meaning::Flow => self.flows,
                Meaning::Message => self.messages,
                _ => self.nodes,
            };
            held <= most
        })
    }
}

/// The states within bounds.
struct Graph {
    states: Vec<Vec<u32>>,
    /// Steps that change something: transition and target, none beyond the bounds.
    edges: Vec<Vec<(usize, Option<usize>)>>,
    /// Was a flow ever seen with two tokens, within the bounds or one step beyond?
    is_safe: bool,
}

fn explored(net: &ProcessNet, bounds: Bounds) -> Graph {
    let places = net.places.len();
    let initial = [net.initial(), net.delivery.initial()].concat();
    let mut numbers = HashMap::from([(initial.clone(), 0)]);
    let (mut states, mut edges, mut is_safe) = (vec![initial], Vec::new(), true);
    while let Some(state) = states.get(edges.len()).cloned() {
        let mut list = Vec::new();
        for (number, transition) in net.transitions.iter().enumerate() {
            if !transition.is_enabled(&net.places, &state) {
                continue;
            }
            let mut next = state.clone();
            transition.fire(&net.places, &mut next).unwrap();
            let arcs = [transition.inputs.as_slice(), transition.outputs.as_slice()];
            if net.delivery.order != Order::Bag && !net.delivery.deliver(arcs, places, &state, &mut next) {
                continue;
            }
            is_safe &= !net.places.iter().zip(&next).any(|(place, &held)| place.meaning == Meaning::Flow && held > 1);
            let target = bounds.hold(net, &next).then(|| {
                let fresh = states.len();
                *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    fresh
                })
            });
            if target != Some(edges.len()) {
                list.push((number, target));
            }
        }
        edges.push(list);
    }
    Graph { states, edges, is_safe }
}

impl Graph {
    fn inner(&self, state: usize, set: &BTreeSet<usize>) -> impl Iterator<Item = (usize, usize)> {
        let edges = self.edges[state].iter().filter_map(|&(transition, target)| Some((transition, target?)));
        edges.filter(move |(_, target)| set.contains(target))
    }

    /// Strongly connected components of a set of states, those of one state without a step among them.
    fn components(&self, set: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &state in set {
            self.inner(state, set).for_each(|(_, target)| before.entry(target).or_default().push(state));
        }
        // Depth first, and then against the steps from what was left last (Kosaraju).
        let (mut left, mut seen) = (Vec::new(), BTreeSet::new());
        for &root in set {
            let mut stack = vec![(root, false)];
            while let Some((state, done)) = stack.pop() {
                if done {
                    left.push(state);
                } else if seen.insert(state) {
                    stack.push((state, true));
                    stack.extend(self.inner(state, set).map(|(_, target)| (target, false)));
                }
            }
        }
        let (mut components, mut taken) = (Vec::new(), BTreeSet::new());
        for root in left.into_iter().rev() {
            let (mut component, mut stack) = (BTreeSet::new(), vec![root]);
            while let Some(state) = stack.pop() {
                if taken.insert(state) {
                    component.insert(state);
                    stack.extend(before.get(&state).into_iter().flatten());
                }
            }
            if !component.is_empty() {
                components.push(component);
            }
        }
        components
    }

    /// Is there a fair run that is again and again where something does not hold? It is fair to each node that can always
    /// do something, and to each way out of a gateway that is possible again and again.
    fn is_refuted(&self, net: &ProcessNet, holds: &dyn Fn(&[u32]) -> bool) -> bool {
        let all: BTreeSet<usize> = (0..self.states.len()).collect();
        // A run ends where nothing is possible, not even beyond the bounds.
        if all.iter().any(|&state| self.edges[state].is_empty() && !holds(&self.states[state])) {
            return true;
        }
        let node = |transition: usize| net.transitions[transition].node;
        let mut open = vec![all];
        while let Some(set) = open.pop() {
            for component in self.components(&set) {
                if component.iter().all(|&state| holds(&self.states[state])) {
                    continue;
                }
                let fired: BTreeSet<usize> =
                    component.iter().flat_map(|&state| self.inner(state, &component)).map(|(step, _)| step).collect();
                let able = |state: usize| self.edges[state].iter().filter_map(|&(step, _)| node(step));
                let nodes: BTreeSet<usize> = component.iter().flat_map(|&state| able(state)).collect();
                let is_ignored = |&of: &usize| {
                    component.iter().all(|&state| able(state).any(|other| other == of))
                        && !fired.iter().any(|&step| node(step) == Some(of))
                };
                // A run that stays in one state is fair only if no node can do anything.
                if nodes.iter().any(is_ignored) || fired.is_empty() {
                    continue;
                }
                let missed: BTreeSet<usize> = net
                    .branches
                    .iter()
                    .filter(|branch| !branch.iter().any(|step| fired.contains(step)))
                    .flatten()
                    .copied()
                    .collect();
                let meets = |&state: &usize| self.edges[state].iter().any(|(step, _)| missed.contains(step));
                let left: BTreeSet<usize> = component.iter().copied().filter(|state| !meets(state)).collect();
                if left.len() == component.len() {
                    return true;
                }
                open.push(left);
            }
        }
        false
    }
}

#[test]
fn bounds_of_fbpmn_are_followed() {
    let Some(folder) = shared("bpmn/models") else { return };
    let orders = BTreeMap::from([
        ("Bag", Order::Bag),
        ("FifoPair", Order::FifoPair),
        ("Causal", Order::Causal),
        ("Inbox", Order::Inbox),
        ("Outbox", Order::Outbox),
        ("Fifo", Order::Fifo),
        ("RSC", Order::Rsc),
    ]);
    let (mut wrong, mut rows, mut graphs) = (Vec::new(), 0, HashMap::new());
    for row in table(&folder.join("expected.csv")) {
        if row["tool"] != "fbpmn" || !row["note"].starts_with("bounded") {
            continue;
        }
        let (file, messages, property) = (row["file"].as_str(), row["messages"].as_str(), row["property"].as_str());
        let environment = Environment { order: orders[messages], like: Like::Fbpmn, ..Environment::default() };
        let (net, graph) = graphs.entry((file.to_owned(), messages.to_owned())).or_insert_with(|| {
            let net = read_bpmn(&folder.join(file), environment).unwrap().net;
            let graph = explored(&net, Bounds::of(&row["note"]));
            (net, graph)
        });
        let any = |tokens: &[u32], fits: &dyn Fn(Meaning) -> bool, above: u32| {
            net.places.iter().zip(tokens).any(|(place, &held)| held > above && fits(place.meaning))
        };
        let is_done = |tokens: &[u32]| {
            !any(tokens, &Meaning::is_inside, 0) && !any(tokens, &|meaning| matches!(meaning, Meaning::End(_)), 1)
        };
        let is_clean = |tokens: &[u32]| is_done(tokens) && !any(tokens, &|meaning| meaning == Meaning::Message, 0);
        let begins = |activity: usize| {
            let steps = graph.edges.iter().flatten().map(|&(step, _)| &net.transitions[step]);
            steps.into_iter().any(|step| step.begins.contains(&activity))
        };
        let found = match property {
            "safety" => graph.is_safe,
            "soundness" => !graph.is_refuted(net, &is_clean),
            "message-relaxed soundness" => !graph.is_refuted(net, &is_done),
            "no dead activities" => net.activities.iter().all(|activity| begins(activity.node)),
            "deadlock-free" => {
                // The program that these rows are of (evidence `twin`) knows no steps beyond the bounds.
                let ends = |state: usize| graph.edges[state].iter().all(|(_, target)| target.is_none());
                let stuck = |state: usize| ends(state) && !is_done(&graph.states[state]);
                !(0..graph.states.len()).any(stuck)
            }
            other => panic!("{other}"),
        };
        let states = graph.states.len().to_string();
        if found.to_string() != row["verdict"] || !row["states"].is_empty() && states != row["states"] {
            wrong.push(format!("{file}, {messages}: {property}: {found}, {states} states, expected {row:?}"));
        }
        rows += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(rows, 69);
}
