//! Attractors by the network without its mediators, against graphs of all states.

use super::graph::{Function, Graph, Network};
use super::network;
use starset::budget::Budget;
use starset::decide::{Settings, Switch, explore};
use starset::kinds::Kind;
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::logical::Update;
use starset::mdd::with_deep_stack;
use starset::rng::Rng;

/// The states of each attractor, and has the network mediators? With this technique, or without.
fn attractors(network: &Network, technique: bool) -> (Vec<Vec<usize>>, bool) {
    let model = PinsModel::new("random", self::network("random.bnet", &network.to_string())).unwrap();
    let budget = Budget::unlimited();
    let mut settings = Settings::default();
    if !technique {
        Switch::named("mediators").unwrap().leave_out(&mut settings);
    }
    with_deep_stack(64, || {
        let space = explore(&model, &settings, true, &budget, &|_| {}).unwrap();
        let found = space.attractors(&model, &settings, &budget).unwrap();
        let number = |tuple: Vec<u32>| network.number(&space.relation.values_of(&tuple));
        let listed = found.list(usize::MAX, &budget).unwrap();
        assert_eq!(found.count(), listed.len().into());
        let mut all: Vec<Vec<usize>> = listed.iter().map(|one| one.states.members().map(number).collect()).collect();
        all.iter_mut().for_each(|one| one.sort_unstable());
        all.sort();
        (all, !model.mediated(&space.relation, &budget).is_empty())
    })
}

/// Most functions are of one or two variables, as in networks that people make.
fn random(rng: &mut Rng) -> Network {
    let variables = 3 + rng.below(6);
    let function = |rng: &mut Rng| {
        let arguments: Vec<usize> = (0..[0, 1, 1, 1, 2, 2, 2, 3][rng.below(8)]).map(|_| rng.below(variables)).collect();
        let table = rng.below(256);
        (!rng.one_in(12)).then(|| Function::of_table(&arguments, |row| table >> row & 1 == 1))
    };
    Network::of((0..variables).map(|_| function(rng)).collect())
}

#[test]
fn attractors_stay_where_mediators_are_left_out() {
    let (mut smaller, mut several, mut cyclic) = (0, 0, 0);
    for seed in 0..1_500 {
        let network = random(&mut Rng::new(seed));
        let expected = Graph::new(&network, Update::Asynchronous).attractors();
        let (found, is_smaller) = attractors(&network, true);
        assert_eq!(found, expected, "seed {seed}:\n{network}");
        if seed < 200 {
            assert_eq!(attractors(&network, false).0, expected, "seed {seed}:\n{network}");
        }
        smaller += usize::from(is_smaller);
        several += usize::from(expected.len() > 1);
        cyclic += usize::from(expected.iter().any(|one| one.len() > 1));
    }
    assert!(smaller > 1_000 && several > 500 && cyclic > 100, "{smaller} {several} {cyclic}");
}

/// Where `c` is what `b` is, the states with `a` or `b` keep among themselves; while it is on its way, they do not.
#[test]
fn attractors_of_the_smaller_network_alone_are_none() {
    let xor = || Function::of_table(&[0, 2], |row| row == 1 || row == 2);
    let equal = Function::of_table(&[1], |row| row == 1);
    let network = Network::of(vec![Some(xor()), Some(xor()), Some(equal)]);
    assert_eq!(attractors(&network, true), (vec![vec![0]], true));
    let without = Network::of(vec![
        Some(Function::of_table(&[0, 1], |row| row == 1 || row == 2)),
        Some(Function::of_table(&[0, 1], |row| row == 1 || row == 2)),
    ]);
    assert_eq!(Graph::new(&without, Update::Asynchronous).attractors().len(), 2);
}
