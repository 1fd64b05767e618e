//! Each rule alone, and all of them together, against brute force on random nets.
#![allow(clippy::unwrap_used)]

mod equivalences;

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

/// A transition of a woven net.
#[derive(Default)]
struct Step {
    pre: Vec<PlaceId>,
    post: Vec<PlaceId>,
    hub_pre: Option<(PlaceId, u64)>,
    hub_post: Option<(PlaceId, u64)>,
}

/// A net of hubs: places with some producers and some consumers, alike on one side of them; and of moves, some of them
/// back and forth. `None` if it has many markings.
fn woven(rng: &mut Rng, most: usize) -> Option<PetriNet> {
    let mut b = crate::net::NetBuilder::new("woven");
    let outer: Vec<PlaceId> =
        (0..3 + rng.below(4)).map(|i| b.place(format!("p{i}"), rng.below(3) as u64).unwrap()).collect();
    let some = |rng: &mut Rng, least: usize, most: usize| -> Vec<PlaceId> {
        (0..least + rng.below(most - least + 1)).map(|_| outer[rng.below(outer.len())]).collect()
    };
    let mut steps: Vec<Step> = Vec::new();
    for hub in 0..1 + rng.below(2) {
        let place = b.place(format!("hub{hub}"), [0, 0, 0, 1, 2][rng.below(5)]).unwrap();
        // Is it fed by transitions that do nothing else, or emptied by such?
        let (fed, weighted) = (rng.one_in(2), rng.one_in(4));
        let (given, factor) = if weighted { (1 + rng.below(2) as u64, 1 + rng.below(2) as u64) } else { (1, 1) };
        let heavier = given * factor;
        let (in_weight, out_weight) = if fed { (given, heavier) } else { (heavier, given) };
        for _ in 0..1 + rng.below(4) {
            let mut step = Step { pre: some(rng, 1, 2), post: some(rng, 0, usize::from(!fed)), ..Step::default() };
            step.hub_post = Some((place, in_weight));
            steps.push(step);
        }
        for _ in 0..1 + rng.below(4) {
            let mut step = Step { pre: some(rng, 0, usize::from(fed)), post: some(rng, 0, 2), ..Step::default() };
            step.hub_pre = Some((place, out_weight));
            steps.push(step);
        }
    }
    for _ in 0..rng.below(4) {
        let (from, to) = (some(rng, 1, 1), some(rng, 1, 1));
        if rng.one_in(2) {
            steps.push(Step { pre: to.clone(), post: from.clone(), ..Step::default() });
        }
        steps.push(Step { pre: from, post: to, ..Step::default() });
    }
    for (i, step) in steps.into_iter().enumerate() {
        let t = b.transition(format!("t{i}")).unwrap();
        let weighted = |places: Vec<PlaceId>, hub| places.into_iter().map(|p| (p, 1)).chain(hub).collect::<Vec<_>>();
        weighted(step.pre, step.hub_pre).into_iter().for_each(|(p, weight)| b.input(p, t, weight).unwrap());
        weighted(step.post, step.hub_post).into_iter().for_each(|(p, weight)| b.output(t, p, weight).unwrap());
        if rng.one_in(12) {
            b.inhibitor(outer[rng.below(outer.len())], t, 1 + rng.below(2) as u64).unwrap();
        }
    }
    let net = b.build().unwrap();
    explore(&net, most).is_some().then_some(net)
}

/// A random net: of one of the shapes in turn.
fn drawn(rng: &mut Rng, seed: u64, most: usize) -> PetriNet {
    if seed % 3 == 2 {
        for _ in 0..200 {
            if let Some(net) = woven(rng, most) {
                return net;
            }
        }
    }
    net(rng, &shape(seed, most))
}

fn observed(rng: &mut Rng, net: &PetriNet) -> Vec<PlaceId> {
    let odds = 2 + rng.below(3);
    net.place_ids().filter(|_| rng.one_in(odds)).collect()
}

fn seen(graph: &Graph, places: &[PlaceId]) -> BTreeSet<Vec<u64>> {
    graph.markings.iter().map(|m| places.iter().map(|&p| m.tokens(p)).collect()).collect()
}

/// How often each choice of rules changed something, for each kind of question.
type Used = std::collections::BTreeMap<(&'static str, Preserved), usize>;

/// Each rule was used so often for each of these kinds of questions that it claims to preserve.
fn assert_used(used: &Used, kinds: &[Preserved], least: usize) {
    // Nets of random shape have no sources, as they would be unbounded.
    for rule in RULES.iter().filter(|rule| rule.name != "sources") {
        for &kind in kinds.iter().filter(|&&kind| (rule.preserves)(kind)) {
            let times = used.get(&(rule.name, kind)).copied().unwrap_or(0);
            assert!(times >= least, "{} was used {times} times for {kind:?}: {used:?}", rule.name);
        }
    }
}

#[test]
fn reachable_counts_and_deadlocks_are_preserved() {
    let mut used = Used::new();
    for seed in 0..1800 {
        let mut rng = Rng::new(seed);
        let net = drawn(&mut rng, seed, 200);
        let graph = explore(&net, 300).unwrap();
        let places = observed(&mut rng, &net);
        for (name, rules) in choices() {
            for kind in [Preserved::Reachability, Preserved::StutterLtl, Preserved::StutterCtl, Preserved::Ctl] {
                let Some(reduced) = reduce_by(&rules, &net, &places, kind, &Budget::unlimited()) else { continue };
                *used.entry((name, kind)).or_default() += 1;
                let there: Vec<PlaceId> = places.iter().map(|&p| reduced.place(p).unwrap()).collect();
                let smaller = explore(&reduced.net, 2000).unwrap();
                assert_eq!(
                    seen(&smaller, &there),
                    seen(&graph, &places),
                    "{name} {kind:?} seed {seed}\n{net:?}\n{reduced:?}"
                );
            }
            if let Some(reduced) = reduce_by(&rules, &net, &[], Preserved::Deadlock, &Budget::unlimited()) {
                *used.entry((name, Preserved::Deadlock)).or_default() += 1;
                let smaller = explore(&reduced.net, 2000).unwrap();
                let dead = |graph: &Graph| !graph.deadlocks().is_empty();
                assert_eq!(dead(&smaller), dead(&graph), "{name} deadlock seed {seed}\n{net:?}\n{reduced:?}");
            }
        }
    }
    let kinds =
        [Preserved::Reachability, Preserved::Deadlock, Preserved::StutterLtl, Preserved::StutterCtl, Preserved::Ctl];
    assert_used(&used, &kinds, 20);
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
    for seed in 0..1200 {
        let mut rng = Rng::new(seed);
        let net = drawn(&mut rng, seed, 25);
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
                *used.entry((name, kind)).or_default() += 1;
            }
        }
    }
    assert_eq!(outcomes.len(), 6);
    assert_used(&used, &[Preserved::StutterLtl, Preserved::StutterCtl, Preserved::Ctl], 10);
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

/// Of two tests that imply each other one stays, although both places are observed; and what needs tokens that are
/// never there together goes.
#[test]
fn arcs_and_transitions_that_invariants_decide_go() {
    let mut b = crate::net::NetBuilder::new("invariants");
    let [p, beside, other, fuel] =
        [("p", 1), ("beside", 1), ("other", 0), ("fuel", 2)].map(|(name, tokens)| b.place(name, tokens).unwrap());
    let steps: [(&[PlaceId], &[PlaceId]); 4] = [
        (&[p, beside], &[other]),
        (&[other], &[p, beside]),
        (&[p, beside, fuel], &[p, beside]),
        (&[p, other, fuel], &[p, other]),
    ];
    for (i, (pre, post)) in steps.into_iter().enumerate() {
        let t = b.transition(format!("t{i}")).unwrap();
        pre.iter().for_each(|&place| b.input(place, t, 1).unwrap());
        post.iter().for_each(|&place| b.output(t, place, 1).unwrap());
    }
    let net = b.build().unwrap();
    let rule: Vec<&Rule> = RULES.iter().filter(|rule| rule.name == "arc bounds").collect();
    let places = [p, beside, other, fuel];
    let reduced = reduce_by(&rule, &net, &places, Preserved::Ctl, &Budget::unlimited()).unwrap();
    let inputs: Vec<usize> = reduced.net.transitions().iter().map(|t| t.pre.len()).collect();
    assert_eq!(inputs, [2, 1, 2]);
}
