//! The packed networks against the firing rule of networks.
#![allow(clippy::unwrap_used)]

use super::program::Rule;
use super::space::{Fired, Space};
use super::synchronised::Synchronised;
use crate::budget::Budget;
use crate::lts::{Component, Model, Network};
use crate::net::{Marking, TransitionId};
use crate::random::{NetworkShape, Rng, network};

/// In a few states of a network: the enumerated rules are the enabled steps, from wherever it is resumed, each leads to
/// where the step does, and labels are enabled if one of their steps is.
fn check(network: &Network, rng: &mut Rng) {
    let mut space = Synchronised::new(network, 3, &Budget::unlimited()).unwrap();
    let model = Model::Network(network);
    let mut state = model.initial();
    let mut words = space.initial();
    for _ in 0..12 {
        space.layout().set_extra(&mut words, 5);
        assert_eq!(space.marking(&words), state);
        let expected: Vec<Rule> = (0..space.rules()).filter(|&r| model.fire(&state, space.step(r)).is_some()).collect();
        for from in 0..=space.rules() {
            let mut cursor = space.cursor(&words, from);
            let found: Vec<Rule> = std::iter::from_fn(|| space.next(&words, &mut cursor)).collect();
            let rest: Vec<Rule> = expected.iter().copied().filter(|&rule| rule >= from).collect();
            assert_eq!(found, rest, "from {from}");
            assert_eq!(space.next(&words, &mut cursor), None);
        }
        for label in (0..network.label_count() as u32).map(TransitionId) {
            let action = space.action_of(label).unwrap();
            assert_eq!(space.label(action), label);
            assert_eq!(space.is_enabled(&words, action), model.enables(&state, label));
        }
        assert_eq!(space.is_deadlock(&words), expected.is_empty());
        let mut next = Vec::new();
        let successors: Vec<(Vec<u64>, Marking)> = expected
            .iter()
            .map(|&rule| {
                assert_eq!(space.fire(&words, rule, &mut next), Fired::Done);
                let (after, step) = (model.fire(&state, space.step(rule)).unwrap(), space.step(rule));
                assert_eq!((space.marking(&next), space.layout().extra(&next)), (after.clone(), 5));
                assert_eq!(model.step(&state, model.label(step).unwrap(), &after), Some(step));
                (next.clone(), after)
            })
            .collect();
        let Some((next, after)) = rng.pick(&successors) else { return };
        (words, state) = (next.clone(), after.clone());
        space.insert(&words).unwrap();
    }
}

#[test]
fn random_networks_in_random_states() {
    let shapes = [
        NetworkShape::default(),
        NetworkShape { components: 3, states: 6, labels: 2, edges: 30, max_states: 300 },
        // More than one word.
        NetworkShape { components: 40, states: 5, labels: 30, edges: 6, max_states: 300 },
    ];
    for shape in shapes {
        for seed in 0..150 {
            let mut rng = Rng::new(seed);
            let network = network(&mut rng, &shape);
            check(&network, &mut rng);
        }
    }
}

/// Synchronisation of nondeterministic components whose net would have 1000^3 transitions for one label.
#[test]
fn many_combinations() {
    let component = |name: &str| Component {
        name: name.to_owned(),
        states: (0..1000).map(|state| state.to_string()).collect(),
        initial: 0,
        edges: (0..1000).map(|state| (state, "next".to_owned(), (state + 1) % 1000)).collect(),
    };
    let network = Network::new("rings", ["one", "two", "three"].map(component).into()).unwrap();
    assert!(crate::lts::to_net(&network).is_err());
    let found = super::explore(&network, &super::Options::default(), &Budget::unlimited()).unwrap();
    assert_eq!((found.states, found.transitions, found.deadlocks), (1000, 1000, 0));
}
