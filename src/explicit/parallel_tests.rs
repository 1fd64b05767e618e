//! Exploration on several threads against exploration on one.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::{Budget, Exhausted};
use crate::formula::{PathSemantics, Pool, Symbols, parse};
use crate::kinds::Kind;
use crate::kinds::net::families;
use crate::model::Then;
use crate::net::{NetBuilder, PetriNet};
use crate::stop_reason::StopReason;

/// The numbers of an exploration, without its effort.
fn explored(net: &PetriNet, encoding: &Encoding, threads: usize) -> Exploration {
    let engine = net.compile(encoding, &Budget::unlimited()).unwrap();
    let found = engine.explore(&Options { threads, ..Options::default() }, &Budget::unlimited()).unwrap();
    assert_eq!(u128::from(found.stats.states), found.states);
    assert_eq!(u128::from(found.stats.firings), found.transitions);
    Exploration { stats: Stats::default(), ..found }
}

fn check(net: &PetriNet) {
    for drw in [true, false] {
        for invariants in [true, false] {
            let encoding = Encoding { drw, invariants, ..Encoding::default() };
            let one = explored(net, &encoding, 1);
            for threads in [2, 3, 8] {
                assert_eq!(explored(net, &encoding, threads), one, "{threads} threads");
            }
        }
    }
}

#[test]
fn threads_find_what_one_finds() {
    for (family, size) in [("philo", 7), ("kanban", 2), ("slot", 3)] {
        check(&families::family(family).unwrap().generate(size).unwrap());
    }
}

/// Tokens come one by one into two places, so that the encoding grows while all threads have work.
fn two_fillings() -> PetriNet {
    let mut b = NetBuilder::new("two");
    for name in ["a", "b"] {
        let (free, full) = (b.place(format!("{name}-free"), 90).unwrap(), b.place(format!("{name}-full"), 0).unwrap());
        let (put, take) = (b.transition(format!("{name}-put")).unwrap(), b.transition(format!("{name}-take")).unwrap());
        b.input(free, put, 1).unwrap();
        b.output(put, full, 1).unwrap();
        b.input(full, take, 2).unwrap();
        b.output(take, free, 2).unwrap();
    }
    b.build().unwrap()
}

#[test]
fn the_encoding_grows_under_all_threads() {
    check(&two_fillings());
}

/// So does it beside edges, whose ends get other numbers.
#[test]
fn the_encoding_grows_beside_edges() {
    let net = two_fillings();
    let mut pool = Pool::new();
    let formulas = [
        r##"EX #"a-full" = 70"##,
        r##"E (#"b-free" > 7 U A X #"a-full" > 60)"##,
        r##"AG (#"b-full" > 80 -> EF #"a-full" = 1)"##,
        "EF deadlock",
    ];
    let formulas = formulas.map(|text| parse(text, &Symbols::new(&net), &mut pool).unwrap());
    let mut expected = None;
    for threads in [1, 2, 3, 8] {
        let (options, budget) = (Options { threads, ..Options::default() }, Budget::unlimited());
        let engine = net.compile(&Encoding { invariants: false, ..Encoding::default() }, &budget).unwrap();
        let mut labelling = engine.graph(&options, &budget).unwrap().finish(&budget).unwrap();
        assert!(labelling.stats().growths > 0, "{threads} threads");
        let counts = formulas.map(|f| labelling.satisfying(&pool, f, PathSemantics::Maximal, &budget).unwrap().count());
        assert!(counts.iter().any(|&count| 0 < count && count < labelling.states()));
        assert_eq!(*expected.get_or_insert(counts), counts, "{threads} threads");
    }
}

/// Searches by several threads find what there is, by paths that can be replayed.
#[test]
fn threads_find_states_and_deadlocks() {
    for (family, size, most) in [("philo", 7, 14), ("kanban", 2, 8), ("slot", 3, 6)] {
        let net = families::family(family).unwrap().generate(size).unwrap();
        let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
        let replay = |trace: &Trace| {
            let step = |m: crate::net::Marking, step: &crate::model::Step| m.fire(&net, step.action).unwrap();
            assert_eq!(trace.path.prefix.iter().fold(net.initial_marking(), step), trace.last);
        };
        for stubborn in [true, false] {
            let options = |threads| Options { threads, stubborn, ..Options::default() };
            let one = engine.find_deadlock(&options(1), &Budget::unlimited()).unwrap();
            for threads in [2, 3, 8] {
                let found = engine.find_deadlock(&options(threads), &Budget::unlimited()).unwrap();
                assert_eq!(found.trace.is_some(), one.trace.is_some());
                if let Some(trace) = found.trace {
                    replay(&trace);
                    assert_eq!((trace.path.then, trace.last.enabled(&net).next()), (Then::Deadlock, None));
                } else if !stubborn {
                    assert_eq!(found.stats.states, one.stats.states);
                }
                let sum = |state: View<'_>| net.place_ids().map(|place| state.value(place)).sum::<u64>();
                let mut asked = 0;
                let mut full = |state: View<'_>| {
                    asked += 1;
                    sum(state) == most + net.initial_marking().as_slice().iter().sum::<u64>()
                };
                let none = engine.find(&options(threads), &Budget::unlimited(), &mut full).unwrap();
                assert_eq!(none.trace, None);
                assert_eq!(asked, none.stats.states);
                // The last one that a search by one thread finds.
                let mut last = None;
                let mut keep = |state: View<'_>| {
                    last = Some(net.place_ids().map(|place| state.value(place)).collect::<Vec<_>>());
                    false
                };
                engine.find(&options(1), &Budget::unlimited(), &mut keep).unwrap();
                let last = last.unwrap();
                let mut is_last = |state: View<'_>| net.place_ids().all(|p| state.value(p) == last[p.index()]);
                let found = engine.find(&options(threads), &Budget::unlimited(), &mut is_last).unwrap().trace.unwrap();
                replay(&found);
                assert_eq!(found.last.as_slice(), last);
            }
        }
    }
}

/// The same while the encoding grows.
#[test]
fn paths_outlive_encodings() {
    let net = two_fillings();
    let engine = net.compile(&Encoding { invariants: false, ..Encoding::default() }, &Budget::unlimited()).unwrap();
    for threads in [2, 4] {
        let options = Options { threads, ..Options::default() };
        let mut full = |state: View<'_>| state.value(VariableId(1)) == 90 && state.value(VariableId(3)) == 90;
        let found = engine.find(&options, &Budget::unlimited(), &mut full).unwrap();
        let trace = found.trace.unwrap();
        let step = |m: crate::net::Marking, step: &crate::model::Step| m.fire(&net, step.action).unwrap();
        assert_eq!(trace.path.prefix.iter().fold(net.initial_marking(), step), trace.last);
        assert_eq!(trace.last.value(VariableId(1)), 90);
    }
}

#[test]
fn limits_end_all_threads() {
    let net = families::family("philo").unwrap().generate(12).unwrap();
    let options = Options { threads: 3, ..Options::default() };
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let found = engine.explore(&options, &Budget::unlimited().with_memory(1 << 18));
    assert_eq!(found.unwrap_err(), StopReason::from(Exhausted::Memory));
    let found = engine.explore(&options, &Budget::unlimited().with_time(std::time::Duration::ZERO));
    assert_eq!(found.unwrap_err(), StopReason::from(Exhausted::Time));
}
