//! Searches with units as levels, against brute force.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::net::{PetriNet, PlaceId};
use crate::order::KnownOrders;
use crate::random::{NetShape, Rng, net};
use crate::reference::explore as brute_force;
use num_bigint::BigUint;
use rustc_hash::FxHashSet;

fn attempts(net: &PetriNet, check: &mut dyn FnMut(&LevelOrder, Found)) {
    let (settings, watch) = (Settings::default(), |_: Progress<'_>| ());
    let budget = Budget::unlimited().with_memory(64 << 20);
    let plain = crate::order::candidates(net, &budget, 0);
    let race = Race::new(net, (None, &plain), &settings, false, &watch);
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

/// An order that is known wins, whatever it is, and what wins is kept for each use.
#[test]
fn known_orders_run_first_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let known_orders = KnownOrders::open(folder.path()).unwrap();
    let settings = Settings { known_orders: Some(known_orders.clone()), ..Settings::default() };
    let (budget, mut with_units) = (Budget::unlimited().with_memory(64 << 20), 0);
    for seed in 0..100 {
        let net = net(&mut Rng::new(seed), &NetShape { max_states: 40, ..NetShape::default() });
        let Some(graph) = brute_force(&net, 2000) else { continue };
        assert!(Favourite::known(&net, &settings, true).is_none(), "seed {seed}");
        let plain = crate::order::candidates(&net, &budget, 0);
        let race = Race::new(&net, (None, &plain), &settings, seed % 2 == 0, &|_: Progress<'_>| ());
        let all = race.all(&budget);
        let of_units = all.iter().find(|candidate| candidate.units.is_some()).filter(|_| seed % 3 > 0);
        let last = of_units.unwrap_or(&all[(seed as usize * 7) % all.len()]).clone();
        race.keep(&last);
        with_units += usize::from(last.units.is_some());
        for fixpoints in [true, false] {
            let favourite = Favourite::known(&net, &settings, fixpoints).unwrap();
            assert!(favourite.order == last && favourite.is_compared == (fixpoints == (seed % 2 == 0)));
            let space = crate::decide::space::explore(&net, &settings, fixpoints, &budget, &|_| {}).unwrap();
            assert_eq!(space.states(&budget).unwrap(), BigUint::from(graph.markings.len()), "seed {seed}");
            assert_eq!((&space.order, space.tried), (&last.scored, 1), "seed {seed}");
        }
        // An order that is asked for is taken, and not kept.
        let asked = Settings { orders: plain[..1].to_vec(), ..settings.clone() };
        let space = crate::decide::space::explore(&net, &asked, true, &budget, &|_| {}).unwrap();
        assert_eq!(space.order, plain[0], "seed {seed}");
        assert!(known_orders.get(&net, use_of(seed % 2 == 0)).is_some_and(|known| known.scored == last.scored));
        assert!(known_orders.get(&net, use_of(seed % 2 == 1)).is_none());
    }
    assert!(with_units > 3, "{with_units}");
}
