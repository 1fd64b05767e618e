//! Nets in which equivalent places are one, against brute force.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::net::{NetBuilder, TransitionId};
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, Rng, formula as draw, net as plain};
use crate::reference::explore;
use std::collections::BTreeMap;

/// Whether a formula speaks of all runs alone or of branches does not depend on whether its outermost quantifier is written.
#[test]
fn path_formulas_with_branches() {
    let mut pool = Pool::new();
    let p = pool.add(Formula::Enabled(vec![TransitionId(0)]));
    let finally = pool.add(Formula::Finally(p));
    let exists = pool.add(Formula::Exists(finally));
    let always = pool.add(Formula::Globally(exists));
    let linear = pool.add(Formula::Globally(finally));
    for (path, expected) in [(always, Preserved::StutterCtl), (linear, Preserved::StutterLtl)] {
        let closed = pool.close(path);
        assert_eq!([path, closed].map(|formula| kind(&pool, formula)), [expected; 2]);
    }
}

/// All ways to take so many tokens from so many colours.
fn multisets(colours: usize, tokens: u64) -> Vec<Vec<u64>> {
    if colours == 1 {
        return vec![vec![tokens]];
    }
    let with =
        |first: u64| multisets(colours - 1, tokens - first).into_iter().map(move |rest| [vec![first], rest].concat());
    (0..=tokens).flat_map(with).collect()
}

/// The net with colours: a place for each colour, a transition for each way to take its tokens. Where they go depends on the
/// way. Some nets lack a transition, so that colours matter.
fn coloured(rng: &mut Rng, net: &PetriNet) -> PetriNet {
    let mut b = NetBuilder::new("coloured");
    let inhibits = |p: PlaceId| net.transitions().iter().any(|t| t.inhibitors.iter().any(|arc| arc.place == p));
    let mut colours: Vec<Vec<PlaceId>> = Vec::new();
    for p in net.place_ids() {
        let number = if inhibits(p) && !rng.one_in(4) { 1 } else { [1, 2, 2, 3][rng.below(4)] };
        let mut left = net.place(p).initial;
        let mut places = Vec::new();
        for colour in 0..number {
            let here = if colour + 1 == number { left } else { rng.below(left as usize + 1) as u64 };
            left -= here;
            places.push(b.place(format!("p{}_{colour}", p.index()), here).unwrap());
        }
        colours.push(places);
    }
    let spoiled = rng.one_in(3);
    for (number, t) in net.transitions().iter().enumerate() {
        let mut ways: Vec<Vec<(PlaceId, u64)>> = vec![Vec::new()];
        for arc in &t.pre {
            let places = &colours[arc.place.index()];
            let taken = multisets(places.len(), arc.weight);
            let with = |way: &Vec<(PlaceId, u64)>| {
                let more = |taken: &Vec<u64>| {
                    let arcs = places.iter().copied().zip(taken.iter().copied()).filter(|&(_, weight)| weight > 0);
                    way.iter().copied().chain(arcs).collect::<Vec<_>>()
                };
                taken.iter().map(more).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(with).collect();
        }
        for (way, pre) in ways.into_iter().enumerate() {
            if spoiled && rng.one_in(8) {
                continue;
            }
            let id = b.transition(format!("t{number}_{way}")).unwrap();
            pre.into_iter().for_each(|(place, weight)| b.input(place, id, weight).unwrap());
            for arc in &t.post {
                let places = &colours[arc.place.index()];
                b.output(id, places[rng.below(places.len())], arc.weight).unwrap();
            }
            for arc in &t.inhibitors {
                let places = &colours[arc.place.index()];
                b.inhibitor(places[rng.below(places.len())], id, arc.weight).unwrap();
            }
        }
    }
    b.build().unwrap()
}

#[test]
fn formulas_keep_their_verdicts_where_places_are_one() {
    let (mut used, mut outcomes) = (0, BTreeMap::new());
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let shape = NetShape { max_states: 12, places: 4, transitions: 4, tokens: 2, ..NetShape::default() };
        let net = coloured(&mut rng, &plain(&mut Rng::new(seed), &shape));
        let Some(graph) = explore(&net, 400) else { continue };
        let tokens = Tokens::new(&net, &Budget::unlimited()).unwrap();
        for _ in 0..4 {
            let logic = [Logic::Ctl, Logic::Ltl, Logic::CtlStar][rng.below(3)];
            let mut pool = Pool::new();
            let size = 2 + rng.below(4);
            let drawn = draw(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
            let asked = pool.close(drawn);
            let fused = fuse(&tokens, &mut pool, &[asked], &Budget::unlimited());
            let Some((smaller, there)) = fused.map(|(net, formulas)| (net, formulas[0])) else { continue };
            assert!(smaller.place_count() < net.place_count());
            let fused = explore(&smaller, 400).unwrap();
            let counts = (fused.markings.len(), graph.markings.len());
            assert!(counts.0 <= counts.1, "{counts:?} seed {seed}\n{net:?}\n{smaller:?}");
            for paths in [PathSemantics::Maximal, PathSemantics::Stutter, PathSemantics::Infinite] {
                let verdict =
                    |graph, formula| Some(check(Setting::new(graph, &pool, paths), formula).ok()?[&formula][0]);
                let Some(before) = verdict(&graph, asked) else { continue };
                assert_eq!(verdict(&fused, there), Some(before), "{paths} seed {seed}\n{net:?}\n{smaller:?}");
                *outcomes.entry((logic, before)).or_insert(0) += 1;
                used += 1;
            }
        }
    }
    assert!(used > 2000 && outcomes.len() == 6 && outcomes.values().all(|&times| times > 50), "{used} {outcomes:?}");
}

#[test]
fn bounds_and_deadlocks_stay_where_places_are_one() {
    let (mut used, mut dead) = (0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let shape = NetShape { max_states: 12, places: 4, transitions: 4, tokens: 2, ..NetShape::default() };
        let net = coloured(&mut rng, &plain(&mut Rng::new(seed), &shape));
        let Some(graph) = explore(&net, 400) else { continue };
        let tokens = Tokens::new(&net, &Budget::unlimited()).unwrap();
        let sum: Vec<PlaceId> = net.place_ids().filter(|_| rng.one_in(2)).collect();
        let Some(fused) = tokens.fuse(&[&sum], &[], &Budget::unlimited()) else { continue };
        let there = fused.sum(&sum);
        let smaller = explore(&fused.net, 400).unwrap();
        let bound = |graph: &crate::reference::Graph, places: &[PlaceId]| {
            graph.markings.iter().map(|m| places.iter().map(|&p| m.tokens(p)).sum::<u64>()).max()
        };
        assert_eq!(bound(&smaller, &there), bound(&graph, &sum), "seed {seed}");
        assert_eq!(smaller.deadlocks().is_empty(), graph.deadlocks().is_empty(), "seed {seed}");
        used += 1;
        dead += usize::from(!graph.deadlocks().is_empty());
    }
    assert!(used > 200 && dead > 20 && dead < used - 20, "{used} {dead}");
}

/// Questions asked together of one net have the answers that each has alone on the net itself.
#[test]
fn several_questions_keep_their_answers_on_a_net_for_all_of_them() {
    let (mut smaller, mut outcomes) = (0, BTreeMap::new());
    for seed in 0..1200 {
        let mut rng = Rng::new(seed);
        let shape = NetShape { max_states: 60, places: 9, transitions: 9, ..NetShape::default() };
        let net = plain(&mut Rng::new(seed), &shape);
        let Some(graph) = explore(&net, 200) else { continue };
        let tokens = Tokens::new(&net, &Budget::unlimited());
        let mut pool = Pool::new();
        let logic = [Logic::Reachability, Logic::Ctl, Logic::Ltl][rng.below(3)];
        let mut drawn = || {
            let drawn = draw(&mut rng, &net, &FormulaShape { logic, size: 2 }, &mut pool);
            (pool.close(drawn), [PathSemantics::Maximal, PathSemantics::Stutter][rng.below(2)])
        };
        let asked = [drawn(), drawn(), drawn()];
        if let Some(reduced) = formulas(&net, tokens.as_ref(), &pool, &asked, &Budget::unlimited()) {
            let there = explore(&reduced.net, 200).unwrap();
            smaller += usize::from(reduced.is_smaller);
            let verdict = |graph, pool: &Pool, formula, paths| {
                Some(check(Setting::new(graph, pool, paths), formula).ok()?[&formula][0])
            };
            for (question, (formula, paths)) in reduced.requests.iter().zip(asked) {
                let Some(before) = verdict(&graph, &pool, formula, paths) else { continue };
                let Question::Formula { linear, .. } = question.question else { unreachable!() };
                let after = verdict(&there, &reduced.pool, linear, paths);
                assert_eq!(after, Some(before), "{paths} seed {seed}\n{net:?}\n{:?}", reduced.net);
                *outcomes.entry((logic, before)).or_insert(0) += 1;
            }
        }
        let sum: Vec<_> = (0..2).map(|_| net.place_ids().filter(|_| rng.one_in(3)).collect::<Vec<_>>()).collect();
        let lists: Vec<&[PlaceId]> = sum.iter().map(|sum| &**sum).collect();
        let asked = (&lists[..], Preserved::Reachability);
        let reduced = sums(&net, tokens.as_ref(), asked, Question::Bound, &Budget::unlimited()).unwrap();
        let there = explore(&reduced.net, 200).unwrap();
        for (question, sum) in reduced.requests.iter().zip(&sum) {
            let Question::Bound(places) = &question.question else { unreachable!() };
            let bound = |graph: &crate::reference::Graph, places: &[PlaceId]| {
                graph.markings.iter().map(|m| places.iter().map(|&p| m.tokens(p)).sum::<u64>()).max()
            };
            assert_eq!(bound(&there, places), bound(&graph, sum), "seed {seed}\n{net:?}\n{:?}", reduced.net);
        }
    }
    assert!(smaller > 200 && outcomes.len() == 6 && outcomes.values().all(|&n| n > 50), "{smaller} {outcomes:?}");
}

/// Verdicts that are trusted on a net with shorter runs hold on the net itself.
#[test]
fn shorter_runs_tell_what_they_can() {
    let mut outcomes = BTreeMap::new();
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let shape = NetShape {
            max_states: 25,
            places: 6,
            transitions: 6,
            inhibitors: seed.is_multiple_of(3),
            reads: seed.is_multiple_of(4),
            weight: 1 + u64::from(seed.is_multiple_of(5)),
            ..NetShape::default()
        };
        let net = plain(&mut rng, &shape);
        let mut pool = Pool::new();
        let size = 2 + rng.below(5);
        let drawn = draw(&mut rng, &net, &FormulaShape { logic: Logic::Ltl, size }, &mut pool);
        let asked = pool.close(drawn);
        let paths = PathSemantics::Stutter;
        let Some(reduced) = shortened(&net, None, &pool, (asked, paths), &Budget::unlimited()) else { continue };
        let Question::Formula { linear, .. } = reduced.requests[0].question else { panic!("no formula") };
        let verdict = |net: &PetriNet, pool: &Pool, formula| {
            Some(check(Setting::new(&explore(net, 2000)?, pool, paths), formula).ok()?[&formula][0])
        };
        let Some(there) = verdict(&reduced.net, &reduced.pool, linear) else { continue };
        let Some(here) = verdict(&net, &pool, asked) else { continue };
        if reduced.only.is_none_or(|only| only == there) {
            assert_eq!(there, here, "seed {seed}\n{net:?}\n{reduced:?}\n{pool:?}");
            *outcomes.entry((reduced.only, there)).or_insert(0) += 1;
        }
    }
    assert!(outcomes.len() == 4 && outcomes.values().all(|&times| times > 20), "{outcomes:?}");
}

/// A token needs two steps to where it is seen. Where it needs one, it is seen after the first.
#[test]
fn one_verdict_of_shorter_runs_says_nothing() {
    let mut b = NetBuilder::new("two steps");
    let places = [b.place("start", 1).unwrap(), b.place("middle", 0).unwrap(), b.place("seen", 0).unwrap()];
    for step in 0..2 {
        let t = b.transition(format!("t{step}")).unwrap();
        b.input(places[step], t, 1).unwrap();
        b.output(t, places[step + 1], 1).unwrap();
    }
    let (net, mut pool) = (b.build().unwrap(), Pool::new());
    let symbols = crate::formula::Symbols::new(&net);
    for (text, only, there) in
        [("A (#seen = 0 -> X #seen = 0)", true, false), ("E (#seen = 0 & X !(#seen = 0))", false, true)]
    {
        let formula = crate::formula::parse(text, &symbols, &mut pool).unwrap();
        let asked = (formula, PathSemantics::Stutter);
        let reduced = shortened(&net, None, &pool, asked, &Budget::unlimited()).unwrap();
        assert_eq!(reduced.only, Some(only), "{text}");
        let Question::Formula { linear, .. } = reduced.requests[0].question else { panic!("no formula") };
        let graph = explore(&reduced.net, 10).unwrap();
        let found = check(Setting::new(&graph, &reduced.pool, PathSemantics::Stutter), linear).unwrap()[&linear][0];
        assert_eq!(found, there, "{text}");
    }
}
