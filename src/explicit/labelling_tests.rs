//! Labels of random formulas on random nets against the brute-force checker, every subformula.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::{Budget, Exhausted};
use crate::formula::{Logic, PathSemantics, Pool, Symbols, parse};
use crate::kinds::Kind;
use crate::oracle::{Setting, check, check_ctl};
use crate::random::{FormulaShape, NetShape, formula, net};
use crate::reference::explore as reachable;
use crate::rng::Rng;
use crate::stop_reason::StopReason;

/// Compare all labels with brute force; says how many, and how many are neither empty nor full.
fn compare(seeds: std::ops::Range<u64>, logic: Logic, max_states: usize) -> (u32, u32) {
    let shape = NetShape { max_states, ..NetShape::default() };
    let (mut compared, mut partial, mut refused) = (0, 0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = reachable(&net, shape.max_states).unwrap();
        let mut pool = Pool::new();
        let f = formula(&mut rng, &net, &FormulaShape { logic, size: 1 + seed as usize % 9 }, &mut pool);
        let encoding = Encoding { nupn: seed % 2 == 0, invariants: seed % 3 == 0, ..Encoding::default() };
        let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
        let options = Options { threads: 1 + seed as usize % 4, ..Options::default() };
        let growing = engine.graph(&options, &Budget::unlimited()).unwrap();
        let mut labelling = growing.finish(&Budget::unlimited()).unwrap();
        assert_eq!(labelling.states(), graph.states() as u64);
        for paths in PathSemantics::ALL {
            let setting = Setting::new(&graph, &pool, paths);
            let Ok(sets) = (if logic == Logic::Ctl { check_ctl(setting, f) } else { check(setting, f) }) else {
                continue;
            };
            for (&id, expected) in &sets {
                let found = match labelling.satisfying(&pool, id, paths, &Budget::unlimited()) {
                    Ok(found) => found,
                    // bounds(…) inside an atom
                    Err(StopReason::Unsupported(_)) => {
                        refused += 1;
                        continue;
                    }
                    Err(stopped) => panic!("seed {seed}: {stopped}"),
                };
                let count = expected.iter().filter(|&&holds| holds).count();
                let text = pool.display(id, &Symbols::new(&net)).to_string();
                assert_eq!(found.count(), count as u64, "seed {seed}, {paths} paths, {text}");
                assert_eq!(found.holds_initially(), expected[0], "seed {seed}, {paths} paths, {text}");
                compared += 1;
                partial += u32::from(0 < count && count < expected.len());
            }
        }
    }
    assert!(refused < compared / 2, "{refused} refused");
    (compared, partial)
}

#[test]
fn random_formulas_on_random_nets() {
    let (compared, partial) = compare(0..600, Logic::Ctl, 60);
    assert!(compared > 4000 && partial > 800, "{compared} compared, {partial} neither empty nor full");
    let (compared, partial) = compare(0..900, Logic::CtlStar, 40);
    assert!(compared > 4000 && partial > 800, "{compared} compared, {partial} neither empty nor full");
}

#[test]
fn actions_on_paths_are_refused() {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(2).unwrap();
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let mut labelling = engine.labelling(&Budget::unlimited()).unwrap();
    let mut pool = Pool::new();
    let action = pool.add(crate::formula::Formula::Action(vec![crate::model::ActionId(0)]));
    let path = pool.add(crate::formula::Formula::Finally(action));
    let f = pool.add(crate::formula::Formula::Exists(path));
    let found = labelling.satisfying(&pool, f, PathSemantics::Maximal, &Budget::unlimited());
    assert!(matches!(found, Err(StopReason::Unsupported(_))));
}

#[test]
fn memory_for_edges_is_counted() {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(9).unwrap();
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let unlimited = engine.labelling(&Budget::unlimited()).unwrap();
    let needed = unlimited.stats().bytes;
    let limited = Budget::unlimited().with_memory(needed / 2);
    let stopped = engine.labelling(&limited).unwrap_err();
    assert_eq!(stopped, StopReason::Exhausted(Exhausted::Memory));
}

/// A graph whose exploration ran out of memory goes on where it was, and is the same in the end; with one thread, state
/// by state.
#[test]
fn an_unfinished_graph_goes_on() {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(9).unwrap();
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    for threads in [1, 2, 5] {
        let options = Options { threads, ..Options::default() };
        let mut whole = engine.labelling(&Budget::unlimited()).unwrap();
        let mut graph = engine.graph(&options, &Budget::unlimited()).unwrap();
        let (mut stops, mut waited) = (0, 0);
        for memory in (14..).map(|power| 1 << power) {
            match graph.go_on(&Budget::unlimited().with_memory(memory)) {
                Ok(()) => break,
                Err(stop) => assert_eq!(stop, StopReason::Exhausted(Exhausted::Memory)),
            }
            stops += 1;
            waited = waited.max(graph.growth().waiting);
        }
        assert!(stops > 2 && waited > 100 && graph.growth().widest >= waited, "{threads} threads");
        // Of the last blocks of numbers some may be left.
        assert!(graph.growth().waiting < 64 * threads as u64 && (threads > 1 || graph.growth().waiting == 0));
        let mut resumed = graph.finish(&Budget::unlimited()).unwrap();
        // Tables grow by less where there is less memory.
        let but_bytes = |stats: Stats| Stats { bytes: 0, filled: 0, ..stats };
        assert_eq!(but_bytes(resumed.stats()), but_bytes(whole.stats()), "{threads} threads");
        let mut pool = Pool::new();
        for text in ["EF deadlock", "AG EF !deadlock", "EX EX deadlock", "E (!deadlock U deadlock)"] {
            let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
            let [one, other] = [&mut whole, &mut resumed]
                .map(|labelling| labelling.satisfying(&pool, f, PathSemantics::Maximal, &Budget::unlimited()).unwrap());
            assert_eq!(one.count(), other.count(), "{threads} threads, {text}");
            assert_eq!(one.holds_initially(), other.holds_initially(), "{threads} threads, {text}");
            assert!(threads > 1 || one == other, "{text}");
        }
    }
}
