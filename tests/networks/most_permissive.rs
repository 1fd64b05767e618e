//! Most permissive updates against two other definitions: the graph of all states on their way, with functions asked of
//! each choice of values, and minimal trap spaces among all subspaces.

use super::graph::Network;
use starset::Model;
use starset::budget::Budget;
use starset::decide::{Settings, states_for_attractors};
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::logical::{Form, Logical, Update};
use starset::rng::Rng;
use std::collections::BTreeSet;

/// 0, 1, rising, falling.
type Extended = Vec<u8>;

/// The Boolean states that a state may be taken for.
fn taken_for(state: &Extended) -> Vec<usize> {
    let mut all = vec![0];
    for (variable, &value) in state.iter().enumerate() {
        let values: &[usize] = match value {
            0 => &[0],
            1 => &[1],
            _ => &[0, 1],
        };
        all = all.iter().flat_map(|one| values.iter().map(move |value| one | value << variable)).collect();
    }
    all
}

fn successors(network: &Network, state: &Extended) -> Vec<Extended> {
    let seen = taken_for(state);
    let mut all = Vec::new();
    for variable in (0..state.len()).filter(|&variable| !network.is_input(variable)) {
        let may = |value: usize| seen.iter().any(|&state| network.wanted(state) >> variable & 1 == value);
        let mut go = |value: u8| {
            let mut next = state.clone();
            next[variable] = value;
            all.push(next);
        };
        let now = state[variable];
        if now != 1 && now != 2 && may(1) {
            go(2);
        }
        if now != 0 && now != 3 && may(0) {
            go(3);
        }
        match now {
            2 => go(1),
            3 => go(0),
            _ => {}
        }
    }
    all
}

/// The Boolean states that are reached from one.
fn reached(network: &Network, variables: usize, from: usize) -> BTreeSet<usize> {
    let start: Extended = (0..variables).map(|variable| (from >> variable & 1) as u8).collect();
    let (mut seen, mut open) = (BTreeSet::from([start.clone()]), vec![start]);
    while let Some(state) = open.pop() {
        for next in successors(network, &state) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    let settled = seen.iter().filter(|state| state.iter().all(|&value| value < 2));
    settled.map(|state| state.iter().rev().fold(0, |number, &value| 2 * number + usize::from(value))).collect()
}

/// The states of each minimal trap space.
fn minimal_trap_spaces(network: &Network, variables: usize) -> BTreeSet<BTreeSet<usize>> {
    let all = 1 << variables;
    let mut spaces: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    for (fixed, values) in (0..all).flat_map(|fixed| (0..all).map(move |values| (fixed, values))) {
        let states: BTreeSet<usize> = (0..all).filter(|state| state & fixed == values & fixed).collect();
        if states.iter().all(|&state| (network.wanted(state) ^ state) & fixed == 0) {
            spaces.insert(states);
        }
    }
    let is_minimal = |one: &&BTreeSet<usize>| !spaces.iter().any(|other| other != *one && other.is_subset(one));
    spaces.iter().filter(is_minimal).cloned().collect()
}

#[test]
fn attractors_are_minimal_trap_spaces_and_basins_those_of_the_graph() {
    let budget = Budget::unlimited();
    let (mut larger, mut several) = (0, 0);
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let variables = 1 + rng.below(4);
        let network = Network::random_of(variables, &mut rng);
        let logical = Logical::read("random.bnet", &network.to_string(), Form::Bnet, Update::MostPermissive).unwrap();
        let model = PinsModel::new("random", logical.network).unwrap();
        let explored = super::found(&model);
        let about = format!("seed {seed}:\n{network}");
        // Attractors are the same among all states that may be on their way.
        let space = states_for_attractors(&model, &Settings::default(), &budget).unwrap();
        let found = space.attractors(&model, &Settings::default(), &budget).unwrap();
        assert_eq!(found.sizes, explored.1.sizes, "{about}");
        let (space, found) = if seed % 2 == 0 { explored } else { (space, found) };
        assert_eq!(space.meant_states(&budget).unwrap(), (1usize << variables).into(), "{about}");
        let ways: Vec<BTreeSet<usize>> = (0..1 << variables).map(|from| reached(&network, variables, from)).collect();
        let mut all = BTreeSet::new();
        for one in found.list(usize::MAX, &budget).unwrap() {
            let number = |tuple: Vec<u32>| network.number(&space.relation.values_of(&tuple));
            let states: BTreeSet<usize> = one.states.members().map(number).collect();
            let weak: Vec<bool> = ways.iter().map(|way| !way.is_disjoint(&states)).collect();
            let strong = ways.iter().filter(|way| way.iter().all(|&state| weak[state])).count();
            let basins = found.basins(&one.states, &budget).unwrap();
            let weak = weak.into_iter().filter(|&weak| weak).count();
            assert_eq!((basins.weak, basins.strong), (weak.into(), strong.into()), "{about}");
            larger += usize::from(states.len() > 1);
            all.insert(states);
        }
        assert_eq!(found.count(), all.len().into(), "{about}");
        assert_eq!(found.states(), all.iter().map(BTreeSet::len).sum::<usize>().into(), "{about}");
        assert_eq!(all, minimal_trap_spaces(&network, variables), "{about}");
        several += usize::from(all.len() > 1);
        let model = Model::new(model);
        let one = model.satset("v0 = 1").unwrap();
        let other = (!&one).unwrap();
        let sizes = [model.reachable().unwrap(), one, other].map(|set| set.len().unwrap());
        let half = (1usize << (variables - 1)).into();
        assert_eq!(sizes, [model.states().unwrap(), half, (1usize << (variables - 1)).into()], "{about}");
    }
    assert!(larger > 20 && several > 20, "{larger} {several}");
}

#[test]
fn more_levels_are_refused() {
    let text = "<gxl><graph class='regulatory'><node id='a' maxvalue='2' input='true'/></graph></gxl>";
    let error = Logical::read("x.ginml", text, Form::Ginml, Update::MostPermissive).unwrap_err().to_string();
    assert!(error.contains("`a` has levels up to 2"), "{error}");
}
