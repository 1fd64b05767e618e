//! Each rule alone, and all of them together, against brute force on random nets.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::formula::{Expr, Formula, FormulaId, Logic, PathSemantics, Pool};
use crate::net::Marking;
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, Rng, formula, net};
use crate::reference::{Graph, explore};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Each rule alone, then all.
fn choices() -> Vec<(&'static str, Vec<&'static Rule>)> {
    const { assert!(!RULES.is_empty()) };
    let rules: &'static [Rule] = &RULES;
    let mut choices: Vec<_> = rules.iter().map(|rule| (rule.name, vec![rule])).collect();
    choices.push(("all", rules.iter().collect()));
    choices
}

fn shape(seed: u64, max_states: usize) -> NetShape {
    let plain = NetShape { max_states, places: 7, transitions: 7, ..NetShape::default() };
    // Without tests for absence and weights, more rules apply.
    if seed.is_multiple_of(2) {
        NetShape { inhibitors: false, reads: seed.is_multiple_of(4), weight: 1, ..plain }
    } else {
        plain
    }
}

fn observed(rng: &mut Rng, net: &PetriNet) -> Vec<PlaceId> {
    let odds = 2 + rng.below(3);
    net.place_ids().filter(|_| rng.one_in(odds)).collect()
}

fn seen(graph: &Graph, places: &[PlaceId]) -> BTreeSet<Vec<u64>> {
    graph.markings.iter().map(|m| places.iter().map(|&p| m.tokens(p)).collect()).collect()
}

/// How often each choice of rules changed something.
type Used = std::collections::BTreeMap<&'static str, usize>;

#[test]
fn reachable_counts_and_deadlocks_are_preserved() {
    let mut used = Used::new();
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape(seed, 200));
        let graph = explore(&net, 300).unwrap();
        let places = observed(&mut rng, &net);
        for (name, rules) in choices() {
            for kind in [Preserved::Reachability, Preserved::StutterLtl, Preserved::StutterCtl, Preserved::Ctl] {
                let Some(reduced) = reduce_by(&rules, &net, &places, kind, &Budget::unlimited()) else { continue };
                *used.entry(name).or_default() += 1;
                let there: Vec<PlaceId> = places.iter().map(|&p| reduced.place(p).unwrap()).collect();
                let smaller = explore(&reduced.net, 2000).unwrap();
                assert_eq!(
                    seen(&smaller, &there),
                    seen(&graph, &places),
                    "{name} {kind:?} seed {seed}\n{net:?}\n{reduced:?}"
                );
            }
            if let Some(reduced) = reduce_by(&rules, &net, &[], Preserved::Deadlock, &Budget::unlimited()) {
                let smaller = explore(&reduced.net, 2000).unwrap();
                let dead = |graph: &Graph| !graph.deadlocks().is_empty();
                assert_eq!(dead(&smaller), dead(&graph), "{name} deadlock seed {seed}\n{net:?}\n{reduced:?}");
            }
        }
    }
    for rule in &RULES {
        assert!(used.get(rule.name).is_some_and(|&times| times > 20) || rule.name == "sources", "{used:?}");
    }
}

/// The formula over the places of the reduced net; `None` if it speaks of something that is not preserved.
fn translate(
    pool: &mut Pool,
    formula: FormulaId,
    with_next: bool,
    place: &dyn Fn(PlaceId) -> Option<PlaceId>,
) -> Option<FormulaId> {
    let mut translated: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    for id in pool.subformulas(&[formula]) {
        let node = match pool[id].clone() {
            Formula::Deadlock | Formula::Still(_) | Formula::Enabled(_) => return None,
            Formula::Next(a) if !with_next => {
                translated.insert(id, translated[&a]);
                continue;
            }
            Formula::Compare(a, comparison, b) => {
                let mut side = |e: crate::formula::ExprId| match pool[e].clone() {
                    Expr::Tokens(places) => {
                        let places = places.into_iter().map(place).collect::<Option<_>>()?;
                        Some(pool.add_expr(Expr::Tokens(places)))
                    }
                    Expr::Const(_) => Some(e),
                    _ => None,
                };
                Formula::Compare(side(a)?, comparison, side(b)?)
            }
            node => node.map(|a| translated[&a]),
        };
        translated.insert(id, pool.add(node));
    }
    translated.get(&formula).copied()
}

#[test]
fn formulas_keep_their_verdicts() {
    let (mut used, mut outcomes) = (Used::new(), BTreeSet::new());
    for seed in 0..900 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape(seed, 25));
        let graph = explore(&net, 60).unwrap();
        let mut pool = Pool::new();
        for kind in [Preserved::StutterLtl, Preserved::StutterCtl, Preserved::Ctl] {
            let logic = match kind {
                Preserved::StutterLtl => Logic::Ltl,
                _ if seed.is_multiple_of(3) => Logic::CtlStar,
                _ => Logic::Ctl,
            };
            let size = 3 + rng.below(3);
            // A formula without what is not preserved; most drawn have such atoms.
            let Some(asked) = (0..40).find_map(|_| {
                let drawn = formula(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
                let closed = pool.close(drawn);
                translate(&mut pool, closed, kind == Preserved::Ctl, &Some)
            }) else {
                continue;
            };
            let places = places_of(&pool, asked);
            for (name, rules) in choices() {
                let Some(reduced) = reduce_by(&rules, &net, &places, kind, &Budget::unlimited()) else { continue };
                let smaller = explore(&reduced.net, 2000).unwrap();
                let there = translate(&mut pool, asked, true, &|p| reduced.place(p)).unwrap();
                for paths in [PathSemantics::Maximal, PathSemantics::Stutter] {
                    let before = check(Setting::new(&graph, &pool, paths), asked).unwrap()[&asked][0];
                    let after = check(Setting::new(&smaller, &pool, paths), there).unwrap()[&there][0];
                    assert_eq!(before, after, "{name} {kind:?} {paths} seed {seed}\n{net:?}\n{reduced:?}");
                    outcomes.insert((kind, before));
                }
                *used.entry(name).or_default() += 1;
            }
        }
    }
    assert_eq!(outcomes.len(), 6);
    for name in [
        "constant places",
        "identical transitions",
        "implicit places",
        "post-agglomeration",
        "pre-agglomeration",
        "all",
    ] {
        assert!(used.get(name).is_some_and(|&times| times > 10), "{used:?}");
    }
}

fn places_of(pool: &Pool, formula: FormulaId) -> Vec<PlaceId> {
    let mut places = BTreeSet::new();
    for id in pool.subformulas(&[formula]) {
        if let Formula::Compare(a, _, b) = &pool[id] {
            for e in [a, b] {
                if let Expr::Tokens(tokens) = &pool[*e] {
                    places.extend(tokens.iter().copied());
                }
            }
        }
    }
    places.into_iter().collect()
}

/// The markings reached with at most `cap` tokens in each place.
fn capped(net: &PetriNet, cap: u64, limit: usize) -> Option<BTreeSet<Marking>> {
    let mut found = BTreeSet::from([net.initial_marking()]);
    let mut open = vec![net.initial_marking()];
    while let Some(marking) = open.pop() {
        for next in marking.enabled(net).filter_map(|t| marking.fire(net, t)) {
            if next.as_slice().iter().all(|&tokens| tokens <= cap) && found.insert(next.clone()) {
                open.push(next);
            }
        }
        if found.len() > limit {
            return None;
        }
    }
    Some(found)
}

/// Unbounded nets: what is reached with few tokens on one side is reached with more on the other.
#[test]
fn reachable_counts_of_unbounded_nets_are_preserved() {
    let mut compared = 0;
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let mut b = crate::net::NetBuilder::new("free");
        let places: Vec<PlaceId> = (0..4).map(|i| b.place(format!("p{i}"), rng.below(2) as u64).unwrap()).collect();
        for i in 0..5 {
            let t = b.transition(format!("t{i}")).unwrap();
            for _ in 0..rng.below(3) {
                b.input(places[rng.below(4)], t, 1).unwrap();
            }
            for _ in 0..rng.below(3) {
                b.output(t, places[rng.below(4)], 1).unwrap();
            }
            if rng.one_in(6) {
                b.inhibitor(places[rng.below(4)], t, 1 + rng.below(2) as u64).unwrap();
            }
        }
        let net = b.build().unwrap();
        let watched = observed(&mut rng, &net);
        for (name, rules) in choices() {
            let Some(reduced) = reduce_by(&rules, &net, &watched, Preserved::Reachability, &Budget::unlimited()) else {
                continue;
            };
            let there: Vec<PlaceId> = watched.iter().map(|&p| reduced.place(p).unwrap()).collect();
            let see = |set: BTreeSet<Marking>, places: &[PlaceId]| -> BTreeSet<Vec<u64>> {
                set.iter().map(|m| places.iter().map(|&p| m.tokens(p)).collect()).collect()
            };
            for (small, few, large, many) in
                [(&net, &watched, &reduced.net, &there), (&reduced.net, &there, &net, &watched)]
            {
                let (Some(part), Some(whole)) = (capped(small, 2, 3000), capped(large, 7, 6000)) else { continue };
                let (part, whole) = (see(part, few), see(whole, many));
                assert!(part.is_subset(&whole), "{name} seed {seed} {watched:?}\n{net:?}\n{reduced:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
