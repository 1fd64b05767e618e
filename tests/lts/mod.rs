//! Networks of transition systems against exploration by brute force, and against published counts.

mod actions;
mod contest;
mod forms;
mod reference;

use crate::shared::shared;
use proptest::prelude::*;
use reference::{Graph, networks};
use starset::budget::Budget;
use starset::explicit::{Encoding, Options};
use starset::kinds::Kind;
use starset::kinds::network::{Network, read_dot};
use starset::mdd::{MddManager, with_deep_stack};
use starset::model::{Then, TransitionSystem};
use starset::net::{PetriNet, PlaceId};
use starset::relation::Relation;
use starset::symbolic::{Search, count_transitions, deadlocks, fireable, reachable_set};
use std::path::PathBuf;

/// The folder with the files of the challenge, if it is there.
fn rers() -> Option<PathBuf> {
    shared("rers")
}

/// The network in a file.
fn network(path: &std::path::Path) -> Network {
    read_dot(&std::fs::read_to_string(path).unwrap(), &path.display().to_string()).unwrap()
}

/// States, steps and deadlocks of a model, with an order made for this net.
fn size_of(build: impl Fn(&[PlaceId]) -> Relation + Sync, net: &PetriNet) -> [String; 3] {
    let budget = Budget::unlimited();
    let order = starset::order::candidates(net, &budget, 0).swap_remove(0).order;
    with_deep_stack(net.place_count(), || {
        let relation = build(order.as_slice());
        let space = MddManager::new(relation.levels(), &budget).unwrap();
        let set = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| {}).unwrap();
        let dead = deadlocks(&relation, &set, &budget).unwrap().count(&budget).unwrap();
        [set.count(&budget).unwrap(), count_transitions(&relation, &set, &budget).unwrap(), dead].map(|n| n.to_string())
    })
}

fn is_right(network: &Network, order: &[PlaceId]) -> Result<(), TestCaseError> {
    let graph = Graph::of(network);
    let budget = Budget::unlimited();
    let relation = network.relation(order).unwrap();
    for search in [Search::Saturation, Search::BreadthFirst, Search::Chaining] {
        let space = MddManager::new(relation.levels(), &budget).unwrap();
        let set = reachable_set(&relation, &space, search, &budget, &mut |_| {}).unwrap();
        prop_assert_eq!(set.count(&budget).unwrap().to_string(), graph.states.len().to_string(), "{:?}", search);
        for state in &graph.states {
            let tuple: Vec<u32> = order.iter().map(|c| state[c.index()]).collect();
            prop_assert!(set.contains(&tuple));
        }
        let steps: usize = graph.steps.iter().map(Vec::len).sum();
        prop_assert_eq!(count_transitions(&relation, &set, &budget).unwrap().to_string(), steps.to_string());
        let dead = graph.steps.iter().filter(|steps| steps.is_empty()).count();
        let found = deadlocks(&relation, &set, &budget).unwrap();
        prop_assert_eq!(found.count(&budget).unwrap().to_string(), dead.to_string());
        let used = fireable(&relation, &set, network.label_count(), &budget).unwrap();
        for label in network.label_ids() {
            let taken = graph.steps.iter().flatten().any(|step| step.0 == label.0);
            prop_assert_eq!(used[label.index()], taken);
        }
    }
    let steps: usize = graph.steps.iter().map(Vec::len).sum();
    let dead = graph.steps.iter().filter(|steps| steps.is_empty()).count();
    let engine = network.compile(&Encoding::default(), &budget).unwrap();
    for depth_first in [false, true] {
        let options = Options { depth_first, ..Options::default() };
        let found = engine.explore(&options, &budget).unwrap();
        let sizes = (found.states, found.transitions, found.deadlocks);
        prop_assert_eq!(sizes, (graph.states.len() as u128, steps as u128, dead as u128));
        for label in network.label_ids() {
            let taken = graph.steps.iter().flatten().any(|step| step.0 == label.0);
            prop_assert_eq!(found.fireable[label.index()], taken);
        }
    }
    let found = engine.find_deadlock(&Options::default(), &budget).unwrap();
    prop_assert_eq!(found.trace.is_some(), dead > 0);
    if let Some(trace) = found.trace {
        let last = trace.path.prefix.iter().fold(network.initial(), |at, &step| network.fire(&at, step).unwrap());
        prop_assert!(last == trace.last && network.is_deadlock(&last));
        prop_assert_eq!(trace.path.then, Then::Deadlock);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn random_networks(network in networks(), seed in any::<u32>()) {
        let mut order: Vec<PlaceId> = (0..network.components().len() as u32).map(PlaceId).collect();
        order.sort_by_key(|c| (seed >> (4 * c.0)) & 15);
        is_right(&network, &order)?;
    }
}

/// States, steps and deadlocks of the systems that a debug build explores soon.
#[test]
fn published_counts() {
    let Some(folder) = rers() else { return };
    let table = std::fs::read_to_string(folder.join("statespace.csv")).unwrap();
    let mut checked = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let slow = matches!((fields[0], fields[1]), ("rers2017", "113" | "114" | "115") | ("rers2020", _));
        if fields[9].is_empty() || slow {
            continue;
        }
        let network = network(&folder.join(fields[0]).join(format!("problem{}.dot", fields[1])));
        assert_eq!(network.components().len().to_string(), fields[2]);
        assert_eq!(network.label_count().to_string(), fields[5], "{line}");
        assert_eq!(network.shared_label_count().to_string(), fields[6], "{line}");
        let counts = size_of(|order| network.relation(order).unwrap(), &network.skeleton());
        assert_eq!(counts, fields[9..12], "{line}");
        checked += 1;
    }
    assert!(checked >= 20, "{checked}");
}
