//! Passes against the brute-force explorer, and everything they find replayed.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::automaton::Tgba;
use crate::explicit::emptiness_tests as products;
use crate::explicit::{Encoding, Explicit, Options, Product, Trace, View, pursue_ltl};
use crate::formula::{PathSemantics, Pool, Symbols, parse};
use crate::kinds::Kind;
use crate::kinds::net::families;
use crate::model::Then;
use crate::net::{Marking, NetBuilder, PetriNet, PlaceId};
use crate::reference::{self, random};
use crate::stop_reason::StopReason;
use proptest::prelude::*;
use std::time::Duration;

/// So little that most states are forgotten, and so much that hardly one is.
const MEMORIES: [u64; 3] = [0, 600, 1 << 20];
const ENOUGH: u64 = MEMORIES[2];

/// Passes of all orders, of which none is too shallow for a small net.
fn passes() -> impl Iterator<Item = Pass> {
    (0..4).map(|number| Pass { number, seed: 5, longest: None })
}

fn compiled<'n>(net: &'n PetriNet, encoding: &Encoding) -> Box<dyn Explicit<'n> + 'n> {
    net.compile(encoding, &Budget::unlimited()).unwrap()
}

fn replay(net: &PetriNet, trace: &Trace) -> Marking {
    let last = trace.path.prefix.iter().fold(net.initial_marking(), |m, step| m.fire(net, step.action).unwrap());
    assert_eq!(last, trace.last);
    last
}

/// Found states exist; with enough memory, existing states are found.
fn check_states(net: &PetriNet, graph: &reference::Graph) {
    for (drw, invariants) in [(true, true), (false, false)] {
        let engine = compiled(net, &Encoding { drw, nupn: true, invariants, ..Encoding::default() });
        for (pass, memory) in passes().flat_map(|pass| MEMORIES.map(|memory| (pass, memory))) {
            let budget = Budget::unlimited().with_memory(memory);
            let whole = memory == ENOUGH;
            for stubborn in [true, false] {
                let options = Options { stubborn, ..Options::default() };
                let result = engine.pursue_deadlock(pass, &options, &budget);
                assert_eq!(result.stopped, None);
                assert!(result.stats.states <= graph.states() as u64 || result.stats.growths > 0);
                assert!(!whole || result.found.is_some() || graph.deadlocks().is_empty());
                if let Some(trace) = result.found {
                    assert_eq!(replay(net, &trace).enabled(net).next(), None);
                    assert_eq!(trace.path.then, Then::Deadlock);
                }
            }
            let goal = graph.markings.last().unwrap();
            let mut equal = |view: View<'_>| net.place_ids().all(|p| view.value(p) == goal.tokens(p));
            let found = engine.pursue(pass, &budget, &mut equal).found;
            assert!(!whole || found.is_some());
            if let Some(trace) = found {
                assert_eq!(replay(net, &trace), *goal);
            }
            let beyond = graph.max_tokens_in_place() + 1;
            let none = engine.pursue(pass, &budget, &mut |view| view.value(PlaceId(0)) == beyond);
            assert_eq!(none.found, None);
            assert!(!whole || none.stats.growths > 0 || none.stats.states == graph.states() as u64);
        }
    }
}

/// The same of accepting runs.
fn check_runs(net: &PetriNet, automaton: &Tgba, choice: [usize; 2]) {
    let graph = reference::explore(net, 81).unwrap();
    let mut pool = Pool::new();
    let atoms = products::propositions(net, &mut pool, choice);
    let letters: Vec<u64> = graph.markings.iter().map(|m| products::letter(net, &pool, &atoms, m)).collect();
    let engine = compiled(net, &Encoding::default());
    for paths in [PathSemantics::Stutter, PathSemantics::Infinite] {
        let mut successors: Vec<Vec<usize>> =
            graph.edges.iter().map(|edges| edges.iter().map(|e| e.1).collect()).collect();
        if paths == PathSemantics::Stutter {
            graph.deadlocks().iter().for_each(|&d| successors[d].push(d));
        }
        let expected = products::accepts(&letters, &successors, automaton);
        let product = Product { automaton, atoms: &atoms, pool: &pool, paths };
        for (pass, memory) in passes().flat_map(|pass| MEMORIES.map(|memory| (pass, memory))) {
            let budget = Budget::unlimited().with_memory(memory);
            for (stubborn, witness) in [(true, true), (true, false), (false, true)] {
                let options = Options { stubborn, witness, ..Options::default() };
                let result = engine.pursue_accepting_run(product, pass, &options, &budget);
                assert_eq!(result.stopped, None);
                assert!(expected || result.found.is_none(), "{pass:?} {memory} {options:?}");
                assert!(!expected || result.found.is_some() || memory < ENOUGH, "{pass:?} {options:?}");
                if let Some(path) = result.found {
                    assert!(path.is_some() || !witness || memory < ENOUGH);
                    assert!(path.is_none() || witness);
                    path.iter().for_each(|path| products::replay(net, &product, path));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn states_of_random_nets((net, graph) in random::with_graph(random::bounded_net(random::Size::default(), 3), 400)) {
        check_states(&net, &graph);
    }

    /// The encoding grows on the way.
    #[test]
    fn states_of_nets_with_large_counts((net, graph) in random::with_graph(
        random::bounded_net(random::Size { places: 3, tokens: 40, weight: 9, ..Default::default() }, 60), 400,
    )) {
        check_states(&net, &graph);
    }

    #[test]
    fn runs_of_any_automata(
        net in products::nets(), sets in 0..3u32, edges in products::raw_edges(), a in 0..100usize, b in 0..100usize,
    ) {
        check_runs(&net, &products::any_automaton(sets, &edges), [a, b]);
    }

    #[test]
    fn runs_of_stutter_invariant_automata(
        net in prop_oneof![products::nets(), products::concurrent_nets()], sets in 1..3u32,
        edges in products::raw_edges(), ends in any::<u64>(), a in 0..100usize, b in 0..100usize,
    ) {
        check_runs(&net, &products::stutter_invariant_automaton(sets, &edges, ends & 0xFFFF), [a, b]);
    }
}

/// A net whose encoding grows on the way, and then has words for new states that old ones of others were.
#[test]
fn old_words_are_no_new_states() {
    let mut b = NetBuilder::new("grows");
    let places: Vec<PlaceId> =
        [1, 2, 1, 2, 1, 2].iter().enumerate().map(|(n, &m)| b.place(format!("p{n}"), m).unwrap()).collect();
    // (place, weight) before and after: a complementary pair of places changes together.
    let moves = [[(1, 1), (0, 1)], [(2, 2), (3, 2)], [(1, 1), (0, 1)], [(3, 1), (2, 1)]];
    for (number, [before, after]) in moves.into_iter().enumerate() {
        let t = b.transition(format!("t{number}")).unwrap();
        b.input(places[before.0], t, before.1).unwrap();
        b.output(t, places[after.0], after.1).unwrap();
        match number {
            0 => {
                b.input(places[5], t, 2).unwrap();
                b.output(t, places[4], 2).unwrap();
                b.inhibitor(places[2], t, 1).unwrap();
            }
            3 => {
                b.input(places[4], t, 1).unwrap();
                b.output(t, places[5], 1).unwrap();
            }
            _ => {}
        }
    }
    let net = b.build().unwrap();
    check_states(&net, &reference::explore(&net, 400).unwrap());
}

/// Each of n choices is made once. After the last of the two ways in all of them a token goes to and fro for ever;
/// after all others nothing happens.
fn choices(n: usize) -> PetriNet {
    let mut b = NetBuilder::new("choices");
    let begin = b.place("begin", 1).unwrap();
    let open: Vec<_> = (0..n).map(|k| b.place(format!("open{k}"), 1).unwrap()).collect();
    let (x, y) = (b.place("x", 0).unwrap(), b.place("y", 0).unwrap());
    let right: Vec<_> = (0..n).map(|k| b.place(format!("right{k}"), 0).unwrap()).collect();
    for way in ["wrong", "right"] {
        for k in 0..n {
            let t = b.transition(format!("{way}_{k}")).unwrap();
            b.input(open[k], t, 1).unwrap();
            if way == "right" {
                b.output(t, right[k], 1).unwrap();
            }
        }
    }
    let start = b.transition("start").unwrap();
    b.input(begin, start, 1).unwrap();
    right.iter().for_each(|&place| b.input(place, start, 1).unwrap());
    b.output(start, x, 1).unwrap();
    for (t, from, to) in [("to", x, y), ("fro", y, x)] {
        let t = b.transition(t).unwrap();
        b.input(from, t, 1).unwrap();
        b.output(t, to, 1).unwrap();
    }
    b.build().unwrap()
}

/// A pass finds with the same memory what a search that stores its states does not find.
#[test]
fn finds_more_than_a_store_of_the_same_size() {
    let net = choices(14);
    let engine = compiled(&net, &Encoding::default());
    let budget = Budget::unlimited().with_memory(200_000);
    let mut pool = Pool::new();
    let formula = parse("F G #y = 0", &Symbols::new(&net), &mut pool).unwrap();
    let options = Options { witness: true, ..Options::default() };
    let full = crate::budget::Exhausted::Memory.into();
    let exact = crate::explicit::check_ltl(&*engine, &mut pool, formula, PathSemantics::Maximal, &options, &budget);
    assert_eq!(exact.unwrap_err(), full);
    let mut goal = |view: View<'_>| view.value(PlaceId(0)) == 0;
    assert_eq!(engine.find(&options, &budget, &mut goal).unwrap_err(), full);
    let mut found = [0; 2];
    for pass in passes() {
        let result = pursue_ltl(&*engine, &mut pool, formula, PathSemantics::Maximal, pass, &options, &budget);
        assert!(result.stats.bytes <= 200_000, "{}", result.stats.bytes);
        if let Some(verdict) = result.found {
            let path = verdict.path.unwrap();
            assert!(!verdict.holds && matches!(&path.then, Then::Cycle(cycle) if cycle.len() == 2));
            found[0] += 1;
        }
        let result = engine.pursue(pass, &budget, &mut goal);
        assert!(result.stats.bytes <= 200_000, "{}", result.stats.bytes);
        if let Some(trace) = result.found {
            assert_eq!(replay(&net, &trace).tokens(PlaceId(0)), 0);
            found[1] += 1;
        }
    }
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
}

/// Paths end where their room does, or where they are of no more use.
#[test]
fn paths_have_limits() {
    let mut b = NetBuilder::new("source");
    let p = b.place("p", 0).unwrap();
    let t = b.transition("t").unwrap();
    b.output(t, p, 1).unwrap();
    let net = b.build().unwrap();
    let engine = compiled(&net, &Encoding::default());
    let budget = Budget::unlimited().with_memory(1 << 16);
    let result = engine.pursue(Pass::default(), &budget, &mut |_| false);
    assert!(result.found.is_none() && result.stopped.is_none());
    assert!((200..5_000).contains(&result.stats.states) && result.stats.bytes <= 1 << 16);
    let pass = Pass { longest: Some(40), ..Pass::default() };
    assert_eq!(engine.pursue(pass, &budget, &mut |_| false).stats.states, 40);
    // The shallow ones go no deeper than they should, whatever the memory.
    let pass = Pass { number: 4, ..Pass::default() };
    assert_eq!(engine.pursue(pass, &Budget::unlimited(), &mut |_| false).stats.states, 1_000);
}

#[test]
fn limits_end_passes() {
    let net = families::family("philo").unwrap().generate(200).unwrap();
    let engine = compiled(&net, &Encoding::default());
    let budget = Budget::unlimited().with_memory(1 << 22).with_time(Duration::from_millis(30));
    let result = engine.pursue(Pass::default(), &budget, &mut |_| false);
    assert_eq!(result.stopped, Some(StopReason::from(crate::budget::Exhausted::Time)));
    assert!(result.stats.states > 10);
}

/// Nothing is said of conjunctions some part of which is not known.
#[test]
fn parts_that_are_not_known() {
    let net = families::family("philo").unwrap().generate(5).unwrap();
    let engine = compiled(&net, &Encoding::default());
    let (mut pool, budget) = (Pool::new(), Budget::unlimited().with_memory(1 << 20));
    let mut ask = |text: &str| {
        let formula = parse(text, &Symbols::new(&net), &mut pool).unwrap();
        let result = pursue_ltl(
            &*engine,
            &mut pool,
            formula,
            PathSemantics::Maximal,
            Pass::default(),
            &Options::default(),
            &budget,
        );
        assert_eq!(result.stopped, None);
        result.found.map(|verdict| verdict.holds)
    };
    // Each has a run that shows it, or the opposite.
    let (no, yes, open) = ("A G !deadlock", "E F deadlock", "A G deadlock | A G #Eat_0 <= 1");
    assert_eq!((ask(no), ask(yes)), (Some(false), Some(true)));
    assert_eq!(ask(open), None);
    assert_eq!(ask(&format!("({no}) & (A G #Eat_0 <= 1)")), Some(false));
    assert_eq!(ask(&format!("({yes}) | (A G #Eat_0 <= 1)")), Some(true));
    assert_eq!(ask(&format!("({yes}) & (A G #Eat_0 <= 1)")), None);
    assert_eq!(ask(&format!("({no}) -> (A G #Eat_0 <= 1)")), Some(true));
    assert_eq!(ask(&format!("({no}) <-> (A G #Eat_0 <= 1)")), None);
}
