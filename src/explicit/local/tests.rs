//! Verdicts of random CTL formulas on random nets against the brute-force checker, in every order of search.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::Exhausted;
use crate::explicit::{Encoding, Explicit};
use crate::formula::{Logic, Symbols, parse};
use crate::kinds::Kind;
use crate::net::PetriNet;
use crate::oracle::{Setting, check_ctl as expected_sets};
use crate::random::{FormulaShape, NetShape, formula, net};
use crate::reference::explore as reachable;
use crate::rng::Rng;

fn compiled(net: &PetriNet) -> Box<dyn Explicit<'_> + '_> {
    net.compile(&Encoding::default(), &Budget::unlimited()).unwrap()
}

#[test]
fn random_formulas_on_random_nets() {
    let shape = NetShape { max_states: 60, ..NetShape::default() };
    let (mut yes, mut no, mut less) = (0, 0, 0);
    for seed in 0..1200u64 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = reachable(&net, shape.max_states).unwrap();
        let mut pool = Pool::new();
        let f = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ctl, size: 2 + seed as usize % 9 }, &mut pool);
        let encoding =
            Encoding { nupn: seed % 2 == 0, invariants: seed % 3 == 0, drw: seed % 5 != 0, ..Encoding::default() };
        let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
        let options = Options { threads: [1, 2, 3, 8][seed as usize % 4], ..Options::default() };
        for paths in PathSemantics::ALL {
            let Ok(sets) = expected_sets(Setting::new(&graph, &pool, paths), f) else { continue };
            for (&id, expected) in sets.iter().filter(|&(&id, _)| pool.is_state(id)) {
                for attempt in (0..4).map(Attempt) {
                    let found = match engine.check_ctl(&pool, id, paths, attempt, &options, &Budget::unlimited()) {
                        Ok(found) => found,
                        // bounds(…) inside an atom
                        Err(StopReason::Unsupported(_)) => continue,
                        Err(stopped) => panic!("seed {seed}: {stopped}"),
                    };
                    let text = pool.display(id, &Symbols::new(&net)).to_string();
                    assert_eq!(found.holds, expected[0], "seed {seed}, {paths} paths, {attempt:?}, {text}");
                    *(if found.holds { &mut yes } else { &mut no }) += 1;
                    less += u32::from(found.stats.states < graph.states() as u64);
                }
            }
        }
    }
    assert!(yes > 8000 && no > 8000 && less > 2000, "{yes} true, {no} false, {less} without all states");
}

#[test]
fn few_markings_decide_in_a_large_state_space() {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(200).unwrap();
    let mut pool = Pool::new();
    for (text, expected) in
        [("EF deadlock", true), ("AG !deadlock", false), ("EX EX EX !deadlock", true), ("AX deadlock", false)]
    {
        let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
        let (options, budget) = (Options::default(), Budget::unlimited());
        let found = compiled(&net).check_ctl(&pool, f, PathSemantics::Maximal, Attempt(0), &options, &budget).unwrap();
        assert!(found.holds == expected && found.stats.states < 200_000, "{text}: {found:?}");
    }
}

#[test]
fn what_is_not_ctl_is_refused() {
    let net = net(&mut Rng::new(1), &NetShape::default());
    let mut pool = Pool::new();
    let f = parse("E (F deadlock & G !deadlock)", &Symbols::new(&net), &mut pool).unwrap();
    let (options, budget) = (Options::default(), Budget::unlimited());
    let found = compiled(&net).check_ctl(&pool, f, PathSemantics::Maximal, Attempt(0), &options, &budget);
    assert!(matches!(found, Err(StopReason::Unsupported(_))));
}

#[test]
fn memory_is_limited() {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(12).unwrap();
    let mut pool = Pool::new();
    let f = parse("AG EF deadlock", &Symbols::new(&net), &mut pool).unwrap();
    let limited = Budget::unlimited().with_memory(4 << 20);
    let found = compiled(&net).check_ctl(&pool, f, PathSemantics::Maximal, Attempt(0), &Options::default(), &limited);
    assert_eq!(found.unwrap_err(), StopReason::Exhausted(Exhausted::Memory));
}
