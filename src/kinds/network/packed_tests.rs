//! The packed networks against the firing rule of networks.
#![allow(clippy::unwrap_used)]

use super::packed::PackedNetwork;
use super::{Component, Network};
use crate::budget::Budget;
use crate::explicit::{Encoding, Fired, Options, PackedModel, Rule};
use crate::kinds::Kind;
use crate::model::{State, Step, TransitionSystem};
use crate::random::{NetworkShape, network};
use crate::rng::Rng;

/// In a few states of a network: the enumerated rules are the enabled steps, from wherever it is resumed, each leads to
/// where the step does, and labels are enabled if one of their steps is.
fn check(network: &Network, rng: &mut Rng) {
    let space = PackedNetwork::new(network, &Budget::unlimited()).unwrap();
    let layout = space.layout().with_extra(3);
    let unpacked = |words: &[u64]| {
        let mut values = Vec::new();
        layout.decode(words, &mut values);
        State::new(values)
    };
    // The rules of each label, as many as there can be.
    let choices = |label| (0..network.choices(label).unwrap()).map(move |choice| Step { action: label, choice });
    let mut steps: Vec<Step> = network.label_ids().flat_map(choices).collect();
    steps.sort_by_key(|step| (space.action_of(step.action), step.choice));
    let rules = steps.len() as Rule;
    let mut state = network.initial();
    let mut words = vec![0; layout.words()];
    assert!(layout.encode(state.as_slice(), &mut words));
    for _ in 0..12 {
        layout.set_extra(&mut words, 5);
        assert_eq!((unpacked(&words), layout.extra(&words)), (state.clone(), 5));
        let expected: Vec<Rule> = (0..rules).filter(|&r| network.fire(&state, space.step(r)).is_some()).collect();
        for from in 0..=rules {
            let mut cursor = space.cursor(&(), &words, from);
            let found: Vec<Rule> = std::iter::from_fn(|| space.next(&(), &words, &mut cursor)).collect();
            let rest: Vec<Rule> = expected.iter().copied().filter(|&rule| rule >= from).collect();
            assert_eq!(found, rest, "from {from}");
            assert_eq!(space.next(&(), &words, &mut cursor), None);
        }
        for label in network.label_ids() {
            let action = space.action_of(label).unwrap();
            assert_eq!(space.id(action), label);
            assert_eq!(space.is_enabled(&words, action), Ok(network.enables(&state, label)));
        }
        assert_eq!(space.is_deadlock(&words), Ok(expected.is_empty()));
        assert_eq!(space.alive(&words), expected.len() as u64);
        let mut next = Vec::new();
        let successors: Vec<(Vec<u64>, State)> = expected
            .iter()
            .map(|&rule| {
                assert_eq!(space.fire(&(), &words, rule, &mut next), Fired::Done);
                let step = space.step(rule);
                assert_eq!(step, steps[rule as usize]);
                let after = network.fire(&state, step).unwrap();
                assert_eq!(unpacked(&next), after);
                assert_eq!(network.step(&state, step.action, &after), Some(step));
                (next.clone(), after)
            })
            .collect();
        let Some((next, after)) = rng.pick(&successors) else { return };
        (words, state) = (next.clone(), after.clone());
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
    assert!(super::to_net(&network).is_err());
    let budget = Budget::unlimited();
    let engine = network.compile(&Encoding::default(), &budget).unwrap();
    let found = engine.explore(&Options::default(), &budget).unwrap();
    assert_eq!((found.states, found.transitions, found.deadlocks), (1000, 1000, 0));
}
