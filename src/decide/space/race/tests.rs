//! Searches with units as levels, against brute force.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::net::{PetriNet, PlaceId};
use crate::random::{NetShape, Rng, net};
use crate::reference::explore as brute_force;
use num_bigint::BigUint;
use rustc_hash::FxHashSet;

fn attempts(net: &PetriNet, check: &mut dyn FnMut(&Candidate, Found)) {
    let (settings, watch) = (Settings::default(), |_: Progress<'_>| ());
    let budget = Budget::unlimited().with_memory(64 << 20);
    let plain = crate::order::candidates(net, &budget, 0);
    let race = Race::new(net, &plain, &settings, false, &watch);
    // Two with a level for each place, and two of units.
    for number in 0..race.all(&budget).len().min(4) {
        check(&race.candidate(number, &budget), race.attempt(number, &budget, &mut { Standing::UNKNOWN }).unwrap());
    }
}

#[test]
fn units_as_levels_change_nothing() {
    let mut with_units = 0;
    for seed in 0..300 {
        let shape =
            NetShape { max_states: 40, places: 7, transitions: 7, inhibitors: seed % 3 == 0, ..NetShape::default() };
        let net = net(&mut Rng::new(seed), &shape);
        let Some(graph) = brute_force(&net, 2000) else { continue };
        let reached: FxHashSet<Vec<u64>> = graph.markings.iter().map(|m| m.as_slice().to_vec()).collect();
        let enabled: usize = graph.markings.iter().map(|m| m.enabled(&net).count()).sum();
        attempts(&net, &mut |candidate, found| {
            with_units += usize::from(candidate.units.is_some());
            let budget = Budget::unlimited();
            assert_eq!(found.set.count(&budget).unwrap(), BigUint::from(reached.len()), "seed {seed}");
            for marking in &reached {
                let tuple = found.relation.tuple_of(marking).unwrap();
                assert!(found.set.contains(&tuple), "seed {seed}: {marking:?} {:?}", candidate.units);
            }
            let steps = symbolic::count_transitions(&found.relation, &found.set, &budget).unwrap();
            assert_eq!(steps, BigUint::from(enabled), "seed {seed}");
        });
    }
    assert!(with_units > 40, "{with_units}");
}

/// Three processes that share a lock: seven units, whatever the order.
#[test]
fn a_unit_is_one_level_while_the_set_is_searched() {
    let mut b = crate::net::NetBuilder::new("lock");
    let lock = b.place("lock", 1).unwrap();
    for i in 0..3 {
        let states =
            ["idle", "waiting", "critical"].map(|s| b.place(format!("{s}{i}"), u64::from(s == "idle")).unwrap());
        for at in 0..3 {
            let t = b.transition(format!("t{i}_{at}")).unwrap();
            b.input(states[at], t, 1).unwrap();
            b.output(t, states[(at + 1) % 3], 1).unwrap();
            match at {
                1 => b.input(lock, t, 1).unwrap(),
                2 => b.output(t, lock, 1).unwrap(),
                _ => {}
            }
        }
    }
    let net = b.build().unwrap();
    attempts(&net, &mut |candidate, found| {
        let Some(lengths) = &candidate.units else { return };
        assert!(lengths.len() < net.place_count() - 4, "{lengths:?}");
        let merged = found.relation.merged(lengths).unwrap();
        assert_eq!(merged.levels() as usize, lengths.len());
        // 2^3 without anybody in the critical section, and 3 · 2^2 with somebody.
        assert_eq!(found.set.count(&Budget::unlimited()).unwrap(), BigUint::from(20u32));
        let at = |place: PlaceId| found.relation.level_of(place.index());
        assert_eq!(found.set.maxima().unwrap().per_level[at(lock) as usize], 1);
    });
}
