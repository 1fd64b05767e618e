//! Where the engine must give up instead of giving a wrong set: unbounded nets, values out of range,
//! budgets that are used up.

use super::{SEARCHES, markings, reach, small_space};
use crate::reference::{explore, random};
use num_bigint::BigUint;
use proptest::prelude::*;
use starset::StopReason;
use starset::budget::{Budget, Exhausted};
use starset::kinds::Kind;
use starset::kinds::net::families;
use starset::net::{NetBuilder, PetriNet, PlaceId};
use starset::order::candidates;
use starset::relation::Relation;
use starset::symbolic::{Search, count_transitions, deadlocks, discover};
use std::time::{Duration, Instant};

fn in_order(net: &PetriNet) -> Relation {
    net.relation(&net.place_ids().collect::<Vec<_>>()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// About half of these nets are unbounded. Those end without an answer, soon after their time; the
    /// others with the right one.
    #[test]
    fn unbounded_nets(net in random::net(random::Size::default())) {
        let relation = in_order(&net);
        let graph = explore(&net, 2_000);
        for search in SEARCHES {
            let time = if graph.is_some() { 60_000 } else { 3 };
            let budget = Budget::unlimited().with_time(Duration::from_millis(time));
            match (reach(&relation, &small_space(&relation), search, &budget), &graph) {
                (Ok(set), Some(graph)) => {
                    prop_assert_eq!(markings(&relation, &set), graph.markings.iter().cloned().collect());
                }
                (Ok(set), None) => prop_assert!(set.count(&Budget::unlimited()).unwrap() > 2_000u32.into()),
                (Err(stop), Some(_)) => prop_assert!(false, "{search:?} gave up: {stop}"),
                (Err(_), None) => {}
            }
        }
    }
}

fn source(initial: u64, change: i64) -> PetriNet {
    let mut b = NetBuilder::new("source");
    let (other, p) = (b.place("other", 1).unwrap(), b.place("p", initial).unwrap());
    let t = b.transition("t").unwrap();
    if change > 0 {
        b.output(t, p, change as u64).unwrap();
    } else {
        b.input(p, t, change.unsigned_abs()).unwrap();
    }
    let u = b.transition("u").unwrap();
    b.input(other, u, 1).unwrap();
    b.build().unwrap()
}

#[test]
fn values_out_of_range() {
    // Beyond 2^32 from below; below the shifted range of a place that starts with 2^33; and changes that
    // do not fit 32 or even 64 bits.
    let cases =
        [(0, 1 << 30), (7, i64::MAX), (1 << 33, -(1 << 30)), (u64::MAX, -(1 << 40)), (1 << 40, 1 << 31), (u64::MAX, 1)];
    for (initial, change) in cases {
        let relation = in_order(&source(initial, change));
        for search in SEARCHES {
            let stop = reach(&relation, &small_space(&relation), search, &Budget::unlimited()).unwrap_err();
            assert_eq!(
                stop,
                StopReason::OutOfRange { variable: "p".into(), bits: 32 },
                "{initial} {change} {search:?}"
            );
            assert!(stop.to_string().contains("p left the range"));
        }
    }
    // The last values that fit.
    for (initial, change, states) in [(0, -1, 1), (3, -3, 2), ((1 << 31) + 5, -(1 << 31), 2), (u64::MAX, -(1 << 31), 2)]
    {
        let mut b = NetBuilder::new("once");
        let (p, once) = (b.place("p", initial).unwrap(), b.place("once", 1).unwrap());
        let t = b.transition("t").unwrap();
        b.input(once, t, 1).unwrap();
        b.input(p, t, i64::unsigned_abs(change)).unwrap();
        let net = b.build().unwrap();
        let set = reach(&in_order(&net), &small_space(&in_order(&net)), Search::Saturation, &Budget::unlimited());
        assert_eq!(set.unwrap().count(&Budget::unlimited()).unwrap(), BigUint::from(states as u32));
    }
}

/// A place that grows for ever stops at the deadline or the memory limit wherever its level is.
#[test]
fn growth_without_end() {
    for initial in [0, 1 << 50] {
        let net = source(initial, 1);
        for order in [[PlaceId(0), PlaceId(1)], [PlaceId(1), PlaceId(0)]] {
            let relation = net.relation(&order).unwrap();
            for search in SEARCHES {
                let start = Instant::now();
                let budget = Budget::unlimited().with_time(Duration::from_millis(50));
                let result = reach(&relation, &small_space(&relation), search, &budget);
                assert_eq!(result.unwrap_err(), StopReason::Exhausted(Exhausted::Time), "{search:?} {order:?}");
                assert!(start.elapsed() < Duration::from_secs(30), "{search:?} {order:?}: {:?}", start.elapsed());
            }
            // The tests as a whole take more memory than this.
            let budget = Budget::unlimited().with_memory(1 << 20).with_time(Duration::from_secs(20));
            if cfg!(target_os = "linux") {
                let result = reach(&relation, &small_space(&relation), Search::Saturation, &budget);
                assert_eq!(result.unwrap_err(), StopReason::Exhausted(Exhausted::Memory), "{order:?}");
            }
        }
    }
}

/// Where saturation is stopped, what it knows is part of the reachable set, and mostly more than a few states.
#[test]
fn stopped_searches_know_reachable_states() {
    let (budget, mut stopped, mut far) = (Budget::unlimited(), 0, 0);
    for (family, size) in [("philo", 200), ("slot", 10), ("kanban", 20), ("phils", 100), ("fms", 10)] {
        let net = families::family(family).unwrap().generate(size).unwrap();
        for scored in candidates(&net, &budget, 0).into_iter().take(4) {
            let relation = net.relation(scored.order.as_slice()).unwrap();
            let space = small_space(&relation);
            let whole = reach(&relation, &space, Search::Saturation, &budget).unwrap();
            for work in (10..16).map(|log| 1 << log) {
                let (limited, mut known) = (Budget::unlimited().with_work(work), None);
                let search = Search::Saturation;
                let found = discover(&relation, &space, search, &limited, &mut |_| (), &mut known);
                if found.is_ok() {
                    break;
                }
                let known = known.unwrap();
                assert!(known.is_subset(&whole, &budget).unwrap(), "{family}, {}: {work}", scored.name);
                stopped += 1;
                far += u32::from(known.count(&budget).unwrap() > BigUint::from(work / 64));
            }
        }
    }
    // What is known in the nodes that are closed alone is a few states, or all of a part of the net.
    assert!(stopped > 20 && far * 2 > stopped, "{stopped} searches, of which {far} know much");
}

/// A long counter is few nodes with many values.
#[test]
fn long_counter() {
    let mut b = NetBuilder::new("counter");
    let (p, q) = (b.place("p", 20_000).unwrap(), b.place("q", 0).unwrap());
    let (t, back) = (b.transition("t").unwrap(), b.transition("back").unwrap());
    b.input(p, t, 1).unwrap();
    b.output(t, q, 1).unwrap();
    b.input(q, back, 7).unwrap();
    b.output(back, p, 7).unwrap();
    let net = b.build().unwrap();
    let relation = in_order(&net);
    let budget = Budget::unlimited();
    let space = small_space(&relation);
    let set = reach(&relation, &space, Search::Saturation, &budget).unwrap();
    assert_eq!(set.count(&budget).unwrap(), BigUint::from(20_001u32));
    assert_eq!(count_transitions(&relation, &set, &budget).unwrap(), BigUint::from(40_000u32 - 6));
}

/// Nets without places or transitions.
#[test]
fn nothing_to_do() {
    let budget = Budget::unlimited();
    for (places, transitions) in [(0, 0), (0, 2), (2, 0)] {
        let mut b = NetBuilder::new("small");
        for i in 0..places {
            b.place(format!("p{i}"), 3).unwrap();
        }
        for i in 0..transitions {
            b.transition(format!("t{i}")).unwrap();
        }
        let net = b.build().unwrap();
        let relation = in_order(&net);
        for search in SEARCHES {
            let set = reach(&relation, &small_space(&relation), search, &budget).unwrap();
            assert_eq!(set.count(&budget).unwrap(), BigUint::from(1u32));
            assert_eq!(count_transitions(&relation, &set, &budget).unwrap(), BigUint::from(transitions as u32));
            let dead = deadlocks(&relation, &set, &budget).unwrap();
            assert_eq!(dead.count(&budget).unwrap(), BigUint::from(u32::from(transitions == 0)));
            assert_eq!(count_transitions(&relation, &dead, &budget).unwrap(), BigUint::ZERO);
        }
    }
}

/// Numbers of states and transitions beyond 128 bits: independent processes of three states each.
#[test]
fn large_figures() {
    let n = 150u32;
    let mut b = NetBuilder::new("independent");
    for i in 0..n {
        let cycle: Vec<_> = (0..3).map(|k| b.place(format!("p{i}_{k}"), u64::from(k == 0)).unwrap()).collect();
        for k in 0..3 {
            let t = b.transition(format!("t{i}_{k}")).unwrap();
            b.input(cycle[k], t, 1).unwrap();
            b.output(t, cycle[(k + 1) % 3], 1).unwrap();
        }
    }
    let net = b.build().unwrap();
    let (relation, budget) = (in_order(&net), Budget::unlimited());
    let set = reach(&relation, &small_space(&relation), Search::Saturation, &budget).unwrap();
    let states = BigUint::from(3u32).pow(n);
    assert_eq!(set.count(&budget).unwrap(), states);
    // In each state one transition of each process is enabled.
    assert_eq!(count_transitions(&relation, &set, &budget).unwrap(), states * n);
    assert!(deadlocks(&relation, &set, &budget).unwrap().is_empty());
}
