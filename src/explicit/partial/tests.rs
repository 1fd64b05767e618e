//! Verdicts of random CTL formulas on random nets against the brute-force checker, with and without an oracle.
#![allow(clippy::unwrap_used)]

use crate::budget::{Budget, Exhausted};
use crate::explicit::Encoding;
use crate::formula::{Logic, PathSemantics, Pool, Symbols, parse};
use crate::kinds::Kind;
use crate::model::State;
use crate::net::{Marking, PetriNet};
use crate::oracle::{Setting, check_ctl as expected_sets};
use crate::random::{FormulaShape, NetShape, formula, net};
use crate::reference::explore as reachable;
use crate::rng::Rng;
use crate::stop_reason::StopReason;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// The markings that can be reached from one.
fn after(net: &PetriNet, from: &Marking) -> Vec<Marking> {
    let (mut seen, mut all, mut at) = (FxHashSet::from_iter([from.clone()]), vec![from.clone()], 0);
    while at < all.len() {
        let marking = all[at].clone();
        for next in marking.enabled(net).filter_map(|t| marking.fire(net, t)) {
            if seen.insert(next.clone()) {
                all.push(next);
            }
        }
        at += 1;
    }
    all
}

#[test]
fn random_formulas_on_random_nets() {
    let shape = NetShape { max_states: 60, ..NetShape::default() };
    let (mut yes, mut no, mut less, mut told) = (0, 0, 0, 0);
    for seed in 0..1500u64 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = reachable(&net, shape.max_states).unwrap();
        let mut pool = Pool::new();
        let f = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ctl, size: 2 + seed as usize % 9 }, &mut pool);
        let encoding = Encoding { nupn: seed % 2 == 0, drw: seed % 5 != 0, ..Encoding::default() };
        let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
        for paths in PathSemantics::ALL {
            let setting = Setting::new(&graph, &pool, paths);
            let Ok(sets) = expected_sets(setting, f) else { continue };
            for (&id, expected) in sets.iter().filter(|&(&id, _)| pool.is_state(id)) {
                // One that knows all, of conditions in the sets that are there.
                let mut knows = |state: &State, demanded: &[(_, bool)]| {
                    let known: Option<Vec<_>> =
                        demanded.iter().map(|&(id, value)| Some((sets.get(&id)?, value))).collect();
                    let Some(known) = known else { return false };
                    let from = Marking::new(state.as_slice().to_vec());
                    let meets = |marking: &Marking| {
                        let at = graph.markings.iter().position(|other| other == marking).unwrap();
                        known.iter().all(|(set, value)| set[at] == *value)
                    };
                    let never = !after(&net, &from).iter().any(meets);
                    told += u32::from(never);
                    never
                };
                for turn in 0..4 {
                    let mut silent = |_: &State, _: &[(_, bool)]| false;
                    let (asked, budget) = ((id, paths), Budget::unlimited());
                    let found = match turn % 2 {
                        0 => engine.check_ctl_partially(&pool, asked, seed + turn, &mut silent, &budget),
                        _ => engine.check_ctl_partially(&pool, asked, seed + turn, &mut knows, &budget),
                    };
                    let found = match found {
                        Ok(found) => found,
                        // bounds(…) inside an atom
                        Err(StopReason::Unsupported(_)) => continue,
                        Err(stopped) => panic!("seed {seed}: {stopped}"),
                    };
                    let text = pool.display(id, &Symbols::new(&net)).to_string();
                    assert_eq!(found.holds, expected[0], "seed {seed}, {paths} paths, {turn}, {text}");
                    *(if found.holds { &mut yes } else { &mut no }) += 1;
                    less += u32::from(found.stats.states < graph.states() as u64);
                }
            }
        }
    }
    assert!(
        yes > 8000 && no > 8000 && less > 2000 && told > 100,
        "{yes} true, {no} false, {less} by less, {told} told"
    );
}

/// What follows the first states is out of reach; what is asked is next to a deadlock.
#[test]
fn a_witness_beyond_states_that_tell_nothing() {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(20).unwrap();
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let mut pool = Pool::new();
    for (text, expected) in [("EF AG deadlock", true), ("AG EF !deadlock", false), ("EF EX AG deadlock", true)] {
        let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let asked = (f, PathSemantics::Maximal);
        let found = engine.check_ctl_partially(&pool, asked, 0, &mut |_, _| false, &budget).unwrap();
        assert!(found.holds == expected && found.stats.states < 500_000, "{text}: {found:?}");
    }
}

#[test]
fn memory_is_limited() {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(12).unwrap();
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let mut pool = Pool::new();
    let f = parse("AG EF deadlock", &Symbols::new(&net), &mut pool).unwrap();
    let limited = Budget::unlimited().with_memory(4 << 20);
    let found = engine.check_ctl_partially(&pool, (f, PathSemantics::Maximal), 0, &mut |_, _| false, &limited);
    assert_eq!(found.unwrap_err(), StopReason::Exhausted(Exhausted::Memory));
}
