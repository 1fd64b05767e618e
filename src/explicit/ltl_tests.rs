//! Verdicts of random LTL formulas on random nets against the brute-force checker.
#![allow(clippy::unwrap_used)]

use super::path_automaton::PathAutomaton;
use super::*;
use crate::budget::Budget;
use crate::formula::{Formula, Logic, PathSemantics, Pool, Symbols, parse};
use crate::kinds::Kind;
use crate::model::Then;
use crate::net::{NetBuilder, PetriNet, TransitionId};
use crate::oracle::{Fair, Setting, check};
use crate::random::{FormulaShape, NetShape, formula, net, with_past};
use crate::reference::explore as reachable;
use crate::rng::Rng;
use crate::stop_reason::StopReason;

fn compiled<'n>(net: &'n PetriNet, encoding: &Encoding) -> Box<dyn Explicit<'n> + 'n> {
    net.compile(encoding, &Budget::unlimited()).unwrap()
}

#[test]
fn random_formulas_on_random_nets() {
    let shape = NetShape { max_states: 40, ..NetShape::default() };
    let (mut yes, mut no) = (0, 0);
    for seed in 0..250u64 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = reachable(&net, shape.max_states).unwrap();
        let engines = [true, false].map(|drw| compiled(&net, &Encoding { drw, ..Encoding::default() }));
        let mut pool = Pool::new();
        let size = 1 + seed as usize % 6;
        let path = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ltl, size }, &mut pool);
        let path = if seed % 2 == 1 { with_past(&mut rng, path, &mut pool) } else { path };
        let f = match (seed % 3, pool[path].clone()) {
            // A path formula becomes E of it, or its negation.
            (0, Formula::Forall(inner)) => pool.add(Formula::Exists(inner)),
            (0, _) if !pool.is_state(path) => pool.add(Formula::Exists(path)),
            (1, _) => pool.not(path),
            _ => path,
        };
        for paths in PathSemantics::ALL {
            let closed = pool.close(f);
            let Ok(sets) = check(Setting::new(&graph, &pool, paths), closed) else { continue };
            let expected = sets[&closed][0];
            yes += u32::from(expected);
            no += u32::from(!expected);
            for k in 0..22usize {
                let options = Options {
                    dynamic_fireset: k & 2 == 0,
                    heuristic_buchi: k & 4 == 0,
                    stubborn: if k < 16 { k & 8 == 0 } else { k & 1 == 0 },
                    threads: if k < 16 { 1 } else { 2 + seed as usize % 3 },
                    guided: (k >= 18).then_some(k as u64 / 20),
                    ..Options::default()
                };
                let found = check_ltl(&*engines[k & 1], &mut pool, f, paths, &options, &Budget::unlimited()).unwrap();
                let text = pool.display(f, &Symbols::new(&net)).to_string();
                assert_eq!(found.holds, expected, "seed {seed}, {paths} paths, {options:?}, {text}");
            }
        }
    }
    assert!(yes > 80 && no > 80, "{yes} true, {no} false");
}

/// Random path formulas beside four to six conditions of justice, under which their automata are taken, and one of
/// compassion.
#[test]
fn many_fairness_conditions() {
    let shape = NetShape { max_states: 40, ..NetShape::default() };
    let (mut values, mut by_steps) = ([0; 2], 0);
    for seed in 0..200u64 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = reachable(&net, shape.max_states).unwrap();
        let mut pool = Pool::new();
        let path =
            match formula(&mut rng, &net, &FormulaShape { logic: Logic::Ltl, size: seed as usize % 5 }, &mut pool) {
                quantified if pool.is_state(quantified) => match pool[quantified] {
                    Formula::Forall(path) | Formula::Exists(path) => path,
                    _ => quantified,
                },
                path => path,
            };
        let (mut conjuncts, mut by_definition) = (vec![path], Vec::new());
        for number in 0..5 + rng.below(3) {
            let mut draw = || {
                let shape = FormulaShape { logic: Logic::Boolean, size: rng.below(2) };
                formula(&mut rng, &net, &shape, &mut pool)
            };
            let (p, q) = (draw(), draw());
            let t = TransitionId(rng.below(net.transition_count()) as u32);
            let steps = rng.one_in(3);
            let mut often = |condition| {
                let finally = pool.add(Formula::Finally(condition));
                pool.add(Formula::Globally(finally))
            };
            conjuncts.push(if number == 0 {
                by_definition.push(Fair::Compassion(p, q));
                let (p, q) = (often(p), often(q));
                pool.add(Formula::Implies(p, q))
            } else if steps {
                by_steps += 1;
                by_definition.push(Fair::Weak(vec![t]));
                let (enabled, taken) = (pool.add(Formula::Enabled(vec![t])), pool.add(Formula::Action(vec![t])));
                let condition = pool.add(Formula::Implies(enabled, taken));
                let finally = pool.add(Formula::Finally(condition));
                pool.add(Formula::Globally(finally))
            } else {
                by_definition.push(Fair::Justice(q));
                often(q)
            });
        }
        let conjunction = pool.add(Formula::And(conjuncts));
        let negated = seed % 2 == 1;
        let f = match negated {
            true => {
                let refuted = pool.not(conjunction);
                pool.add(Formula::Forall(refuted))
            }
            false => pool.add(Formula::Exists(conjunction)),
        };
        let some = pool.add(Formula::Exists(path));
        let engine = compiled(&net, &Encoding::default());
        for paths in PathSemantics::ALL {
            let Ok(sets) = check(Setting::new(&graph, &pool, paths).under(&by_definition), some) else { continue };
            let exists = sets[&some][0];
            let expected = exists != negated;
            values[usize::from(exists)] += 1;
            for k in 0..10usize {
                let options = Options {
                    heuristic_buchi: k & 1 == 0,
                    stubborn: k & 2 == 0,
                    witness: k & 4 == 0,
                    threads: if k < 8 { 1 } else { 3 },
                    guided: (k == 3).then_some(1),
                    ..Options::default()
                };
                let found = check_ltl(&*engine, &mut pool, f, paths, &options, &Budget::unlimited()).unwrap();
                let text = pool.display(f, &Symbols::new(&net)).to_string();
                assert_eq!(found.holds, expected, "seed {seed}, {paths} paths, {options:?}, {text}");
            }
        }
    }
    assert!(values[0] > 80 && values[1] > 40 && by_steps > 100, "{values:?}, {by_steps}");
}

#[test]
fn automata_of_many_conditions_are_small() {
    let net = ring_with_exit();
    let mut pool = Pool::new();
    let conditions: Vec<String> = (1..=12).map(|tokens| format!("G F #p = {tokens}")).collect();
    let formula = parse(&conditions.join(" & "), &Symbols::new(&net), &mut pool).unwrap();
    let (facts, budget) = (Facts::default(), Budget::unlimited());
    let made = PathAutomaton::new(&mut pool, formula, false, PathSemantics::Stutter, &facts, &budget).unwrap();
    // The edge of the rest, and one for each condition.
    assert_eq!((made.automaton.edges().len(), made.automaton.acceptance_sets()), (13, 12));
}

/// One token that goes round, or stops.
fn ring_with_exit() -> PetriNet {
    let mut b = NetBuilder::new("ring");
    let (p, q, end) = (b.place("p", 1).unwrap(), b.place("q", 0).unwrap(), b.place("end", 0).unwrap());
    for (id, from, to) in [("pq", p, q), ("qp", q, p), ("stop", q, end)] {
        let t = b.transition(id).unwrap();
        b.input(from, t, 1).unwrap();
        b.output(t, to, 1).unwrap();
    }
    b.build().unwrap()
}

#[test]
fn path_semantics_matter_at_deadlocks() {
    let net = ring_with_exit();
    let engine = compiled(&net, &Encoding::default());
    let mut pool = Pool::new();
    let mut holds = |text: &str| {
        let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
        PathSemantics::ALL.map(|paths| {
            check_ltl(&*engine, &mut pool, f, paths, &Options::default(), &Budget::unlimited()).unwrap().holds
        })
    };
    // Maximal, stutter, infinite.
    assert_eq!(holds("G F #p = 1"), [false, false, true]);
    assert_eq!(holds("G (#end = 1 -> X #end = 1)"), [true, true, true]);
    assert_eq!(holds("G (#end = 1 -> X #end = 0)"), [true, false, true]);
    assert_eq!(holds("E F (#end = 1 & X true)"), [false, true, false]);
    assert_eq!(holds("(E F deadlock) & !(A F deadlock)"), [true, true, false]);
}

/// Three philosophers of forty eat at the same time again and again; few of all markings are like that. With random ties, most guided
/// searches come there and back in some hundred markings.
#[test]
fn led_searches_find_runs_soon() {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(40).unwrap();
    let engine = compiled(&net, &Encoding::default());
    let mut pool = Pool::new();
    let text = "E G F (#Eat_10 = 1 & #Eat_20 = 1 & #Eat_30 = 1)";
    let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
    let mut soon = 0;
    for tie_seed in 1..9 {
        let options = Options { guided: Some(tie_seed), witness: true, ..Options::default() };
        let budget = Budget::unlimited().with_time(std::time::Duration::from_secs(10));
        let Ok(found) = check_ltl(&*engine, &mut pool, f, PathSemantics::Maximal, &options, &budget) else { continue };
        assert!(found.holds && matches!(found.path.unwrap().then, Then::Cycle(_)), "{tie_seed}");
        soon += u32::from(found.stats.states < 2_000);
    }
    assert!(soon >= 4, "{soon} of 8");
}

#[test]
fn lassos_are_returned_on_request() {
    let net = ring_with_exit();
    let engine = compiled(&net, &Encoding::default());
    let mut pool = Pool::new();
    let options = Options { witness: true, ..Options::default() };
    let mut lasso = |text: &str| {
        let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
        let found = check_ltl(&*engine, &mut pool, f, PathSemantics::Stutter, &options, &Budget::unlimited()).unwrap();
        found.path.map(|path| match path.then {
            Then::Open => unreachable!("no run is open"),
            Then::Deadlock => (path.prefix.len(), 0),
            Then::Cycle(cycle) => (path.prefix.len(), cycle.len()),
        })
    };
    assert_eq!(lasso("G F #p = 1"), Some((2, 0)));
    assert_eq!(lasso("E G #end = 0"), Some((1, 2)));
    assert_eq!(lasso("G (#p + #q + #end = 1)"), None);
    assert_eq!(lasso("!(A G F #p = 1)"), None);
}

#[test]
fn what_is_not_supported_is_said() {
    let net = ring_with_exit();
    let engine = compiled(&net, &Encoding::default());
    let mut pool = Pool::new();
    let mut stop = |text: &str| {
        let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
        check_ltl(&*engine, &mut pool, f, PathSemantics::Stutter, &Options::default(), &Budget::unlimited())
            .unwrap_err()
    };
    assert!(matches!(stop("G F E X #p = 1"), StopReason::Unsupported(_)));
    assert_eq!(stop("G 1 / #q = 1"), StopReason::DivisionByZero);
}
