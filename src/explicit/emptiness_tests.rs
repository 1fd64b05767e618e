//! The product search against a brute-force product of the reference graph and the automaton, and every lasso
//! replayed.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::automaton::{Cube, Guard, Literal, Location, Marks, Prop, Tgba, TgbaBuilder};
use crate::budget::Budget;
use crate::formula::{Comparison, Expr, Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::kinds::net::packed::{PackedNet, Stubborn};
use crate::model::{Path, Step, Then};
use crate::net::{Marking, NetBuilder, PetriNet, PlaceId, TransitionId};
use crate::reference::{self, random};
use proptest::prelude::*;
use std::collections::HashMap;

/// Does the graph have an accepted run from vertex 0? Vertices carry letters; a vertex without successors ends
/// its runs. Emerson–Lei on the full product.
pub(super) fn accepts(letters: &[u64], successors: &[Vec<usize>], automaton: &Tgba) -> bool {
    let width = automaton.location_count();
    let mut edges = Vec::new();
    for (v, next) in successors.iter().enumerate() {
        for e in automaton.edges().iter().filter(|e| e.guard.holds(|p| letters[v] >> p.0 & 1 == 1)) {
            edges.extend(next.iter().map(|w| (v * width + e.source.index(), w * width + e.target.index(), e.marks)));
        }
    }
    let count = letters.len() * width;
    let mut reachable = vec![false; count];
    reachable[0] = true;
    while let Some(&(_, to, _)) = edges.iter().find(|&&(a, b, _)| reachable[a] && !reachable[b]) {
        reachable[to] = true;
    }
    edges.retain(|&(a, _, _)| reachable[a]);
    let mut kept = reachable;
    loop {
        let before = kept.clone();
        for set in 0..automaton.acceptance_sets().max(1) {
            let mut good = vec![false; count];
            loop {
                let mut changed = false;
                for &(a, b, marks) in edges.iter().filter(|e| kept[e.0] && kept[e.1]) {
                    let marked = automaton.acceptance_sets() == 0 || marks.contains(set);
                    if !good[a] && (marked || good[b]) {
                        good[a] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            kept.iter_mut().zip(&good).for_each(|(k, g)| *k &= g);
        }
        if kept == before {
            return kept.contains(&true);
        }
    }
}

/// Propositions: a place marked, two places compared, fireability, deadlock, a product of counts.
pub(super) fn propositions(net: &PetriNet, pool: &mut Pool, choice: [usize; 2]) -> Vec<FormulaId> {
    let place = |k: usize| PlaceId((k % net.place_count()) as u32);
    let tokens = |pool: &mut Pool, k: usize| pool.add_expr(Expr::Tokens(vec![place(k)]));
    let one = |pool: &mut Pool| pool.add_expr(Expr::Const(1));
    choice
        .iter()
        .map(|&c| match c % 7 {
            0 | 1 => {
                let (a, b) = (tokens(pool, c), one(pool));
                pool.add(Formula::Compare(a, Comparison::Ge, b))
            }
            2 => {
                let (a, b) = (tokens(pool, c / 7), tokens(pool, c / 11));
                pool.add(Formula::Compare(a, Comparison::Lt, b))
            }
            3 | 4 => {
                let t: Vec<_> = net.transition_ids().skip(c % 3).take(2).collect();
                pool.add(Formula::Enabled(t))
            }
            5 => {
                let d = pool.add(Formula::Deadlock);
                pool.not(d)
            }
            _ => {
                let (a, b, k) = (tokens(pool, c / 7), tokens(pool, c / 11), one(pool));
                let product = pool.add_expr(Expr::Mul(a, b));
                let equal = pool.add(Formula::Compare(product, Comparison::Eq, k));
                let (t, one) = (tokens(pool, c), pool.add_expr(Expr::Const(1)));
                let other = pool.add(Formula::Compare(one, Comparison::Ge, t));
                pool.add(Formula::Iff(equal, other))
            }
        })
        .collect()
}

/// The truth of a proposition, straight from its definition.
fn truth(net: &PetriNet, pool: &Pool, f: FormulaId, m: &Marking) -> bool {
    let value = |e| {
        fn eval(pool: &Pool, e: crate::formula::ExprId, m: &Marking) -> i128 {
            match &pool[e] {
                Expr::Const(k) => *k,
                Expr::Tokens(ps) => ps.iter().map(|&p| i128::from(m.tokens(p))).sum(),
                Expr::Mul(a, b) => eval(pool, *a, m) * eval(pool, *b, m),
                _ => unreachable!(),
            }
        }
        eval(pool, e, m)
    };
    match &pool[f] {
        Formula::Compare(a, c, b) => c.holds(&value(*a), &value(*b)),
        Formula::Enabled(ts) => ts.iter().any(|&t| m.enables(net, t)),
        Formula::Deadlock => m.enabled(net).next().is_none(),
        Formula::Not(a) => !truth(net, pool, *a, m),
        Formula::Iff(a, b) => truth(net, pool, *a, m) == truth(net, pool, *b, m),
        _ => unreachable!(),
    }
}

pub(super) fn letter(net: &PetriNet, pool: &Pool, atoms: &[FormulaId], m: &Marking) -> u64 {
    atoms.iter().zip(0..).map(|(&f, k)| u64::from(truth(net, pool, f, m)) << k).sum()
}

fn all_encodings() -> [Encoding; 4] {
    [(true, true), (true, false), (false, true), (false, false)].map(|(drw, codes)| Encoding {
        drw,
        nupn: codes,
        invariants: codes,
        ..Encoding::default()
    })
}

/// All switches with one thread; those that several threads have with two, three and four; and those of guided searches.
fn all_options() -> impl Iterator<Item = Options> {
    (0..32).map(|k| Options {
        dynamic_fireset: k & 1 == 0 || k >= 16,
        heuristic_buchi: k & 2 == 0 || k >= 16,
        stubborn: if k < 16 { k & 4 == 0 } else { k & 1 == 0 },
        witness: if k < 16 { k & 8 == 0 } else { k & 2 == 0 },
        threads: if !(16..28).contains(&k) { 1 } else { 2 + (k - 16) / 4 },
        guided: (k >= 28).then_some(k as u64 % 2),
        ..Options::default()
    })
}

fn check(net: &PetriNet, automaton: &Tgba, choice: [usize; 2]) {
    let graph = reference::explore(net, 81).unwrap();
    let mut pool = Pool::new();
    let atoms = propositions(net, &mut pool, choice);
    let letters: Vec<u64> = graph.markings.iter().map(|m| letter(net, &pool, &atoms, m)).collect();
    // Compiled once, for all searches.
    let engines = all_encodings().map(|encoding| net.compile(&encoding, &Budget::unlimited()).unwrap());
    for paths in [PathSemantics::Stutter, PathSemantics::Infinite] {
        let mut successors: Vec<Vec<usize>> =
            graph.edges.iter().map(|edges| edges.iter().map(|e| e.1).collect()).collect();
        if paths == PathSemantics::Stutter {
            graph.deadlocks().iter().for_each(|&d| successors[d].push(d));
        }
        let expected = accepts(&letters, &successors, automaton);
        let product = Product { automaton, atoms: &atoms, pool: &pool, paths };
        // The states of the product, if all were found.
        let mut whole = None;
        for (engine, options) in engines.iter().flat_map(|engine| all_options().map(move |options| (engine, options))) {
            let found = engine.find_accepting_run(product, &options, &Budget::unlimited()).unwrap();
            assert_eq!(!found.empty, expected, "{options:?} {paths}");
            assert_eq!(found.path.is_some(), expected && options.witness);
            if found.empty && !options.stubborn {
                assert_eq!(*whole.get_or_insert(found.stats.states), found.stats.states);
            }
            if let Some(path) = found.path {
                replay(net, &product, &path);
            }
        }
    }
}

/// The path is a run of the net, and its word is accepted.
pub(super) fn replay(net: &PetriNet, product: &Product, path: &Path) {
    let Product { automaton, atoms, pool, paths, .. } = *product;
    let mut run = vec![net.initial_marking()];
    let extend = |run: &mut Vec<Marking>, steps: &[Step]| {
        for step in steps {
            run.push(run.last().unwrap().fire(net, step.action).unwrap());
        }
    };
    extend(&mut run, &path.prefix);
    let start = run.len() - 1;
    match &path.then {
        Then::Open => unreachable!("no run is open"),
        Then::Deadlock => {
            assert_eq!(run[start].enabled(net).next(), None);
            assert_eq!(paths, PathSemantics::Stutter);
        }
        Then::Cycle(cycle) => {
            assert!(!cycle.is_empty());
            extend(&mut run, cycle);
            assert_eq!(run.pop().unwrap(), run[start]);
        }
    }
    let letters: Vec<u64> = run.iter().map(|m| letter(net, pool, atoms, m)).collect();
    let successors: Vec<Vec<usize>> =
        (0..run.len()).map(|k| vec![if k + 1 < run.len() { k + 1 } else { start }]).collect();
    assert!(accepts(&letters, &successors, automaton), "{path:?}");
}

/// Edges as numbers: source, target, guard, marks.
pub(super) type RawEdges = Vec<(u32, u32, u32, u64)>;

fn cube(code: u32) -> Option<Cube> {
    // Two propositions, each absent, positive or negative.
    let literal = |k: u32| match code / 3u32.pow(k) % 3 {
        0 => None,
        sign => Some(Literal { prop: Prop(k), positive: sign == 1 }),
    };
    Cube::new([literal(0), literal(1)].into_iter().flatten())
}

pub(super) fn any_automaton(sets: u32, edges: &RawEdges) -> Tgba {
    let mut b = TgbaBuilder::new(["a", "b"], sets);
    (0..4).for_each(|_| _ = b.location(""));
    for &(from, to, guard, marks) in edges {
        let cubes = [cube(guard % 9), cube(guard / 9 % 9)];
        let guard = Guard::from_cubes(cubes.into_iter().take(1 + (guard as usize / 81) % 2).flatten());
        b.edge(Location(from), guard, Marks(marks) & Marks::all(sets), Location(to));
    }
    b.build(Location(0)).unwrap()
}

/// An automaton that reads the word without its repetitions: it stays in (q, x) while the letter is x and
/// follows a random edge on a change. Of some pairs (q, x) the word may end in x for ever.
pub(super) fn stutter_invariant_automaton(sets: u32, edges: &RawEdges, ends: u64) -> Tgba {
    let mut b = TgbaBuilder::new(["a", "b"], sets);
    let start = b.location("");
    let mut pairs = HashMap::new();
    for q in 0..4u32 {
        for x in 0..4u32 {
            pairs.insert((q, x), b.location(""));
        }
    }
    let exactly = |x: u32| {
        let literal = |k: u32| Literal { prop: Prop(k), positive: x >> k & 1 == 1 };
        Guard::from_cubes(Cube::new([literal(0), literal(1)]))
    };
    let enters = |from: u32, x: u32| {
        let fits = move |e: &&(u32, u32, u32, u64)| e.0 == from && cube(e.2 % 9).unwrap().holds(|p| x >> p.0 & 1 == 1);
        edges.iter().filter(fits).map(|e| (e.1, Marks(e.3) & Marks::all(sets)))
    };
    for x in 0..4 {
        let forever = b.location("");
        b.edge(forever, exactly(x), Marks::all(sets), forever);
        for (q, marks) in enters(0, x) {
            b.edge(start, exactly(x), marks, pairs[&(q, x)]);
        }
        for q in 0..4 {
            let here = pairs[&(q, x)];
            b.edge(here, exactly(x), Marks::NONE, here);
            if ends >> (4 * q + x) & 1 == 1 {
                b.edge(here, exactly(x), Marks::NONE, forever);
            }
            for y in (0..4).filter(|&y| y != x) {
                for (r, marks) in enters(q, y) {
                    b.edge(here, exactly(y), marks, pairs[&(r, y)]);
                }
            }
        }
    }
    b.build(start).unwrap().with_stutter_invariance(Some(true))
}

pub(super) fn raw_edges() -> impl Strategy<Value = RawEdges> {
    prop::collection::vec((0..4u32, 0..4u32, 0..162u32, 0..4u64), 1..12)
}

pub(super) fn nets() -> impl Strategy<Value = PetriNet> {
    random::bounded_net(random::Size { places: 4, transitions: 6, ..Default::default() }, 2)
}

/// A few state machines of three places that mostly move on their own: many independent firings.
pub(super) fn concurrent_nets() -> impl Strategy<Value = PetriNet> {
    let step = || (0..4usize, 0..3usize, 0..3usize);
    let transition = (
        step(),
        prop::option::weighted(0.3, step()),
        prop::option::weighted(0.3, (0..4usize, 0..3usize, any::<bool>())),
    );
    prop::collection::vec(transition, 3..9).prop_map(|transitions| {
        let mut b = NetBuilder::new("machines");
        let places: Vec<_> = (0..12).map(|k| b.place(format!("p{k}"), u64::from(k % 3 == 0)).unwrap()).collect();
        let at = |(machine, state): (usize, usize)| places[3 * machine + state];
        for (k, ((m, from, to), other, tested)) in transitions.into_iter().enumerate() {
            let t = b.transition(format!("t{k}")).unwrap();
            b.input(at((m, from)), t, 1).unwrap();
            b.output(t, at((m, to)), 1).unwrap();
            if let Some((n, from, to)) = other.filter(|o| o.0 != m) {
                b.input(at((n, from)), t, 1).unwrap();
                b.output(t, at((n, to)), 1).unwrap();
            }
            match tested {
                Some((n, state, true)) => b.read_arc(at((n, state)), t, 1).unwrap(),
                Some((n, state, false)) => b.inhibitor(at((n, state)), t, 1).unwrap(),
                None => {}
            }
        }
        b.build().unwrap()
    })
}

/// In every reachable marking: whatever fires outside of the reduced set, its members stay enabled and disable
/// nothing (the set is persistent), and none of them is visible.
fn check_persistence(net: &PetriNet, visible: u64) {
    let graph = reference::explore(net, 81).unwrap();
    let space = PackedNet::new(net, &Encoding::default(), &Budget::unlimited());
    let sees = |t: TransitionId| visible >> (t.0 % 64) & 1 == 1;
    let mut stubborn = Stubborn::new(&space, |r| sees(space.transition(r)));
    for (number, marking) in graph.markings.iter().enumerate() {
        let mut words = vec![0; space.layout().words()];
        if !space.layout().encode(marking.as_slice(), &mut words) {
            continue;
        }
        let Some(reduced) = stubborn.reduce(&space, &words) else { continue };
        let reduced: Vec<TransitionId> = reduced.iter().map(|&r| space.transition(r)).collect();
        assert!(!reduced.is_empty() && reduced.len() < graph.edges[number].len());
        assert!(reduced.iter().all(|&t| marking.enables(net, t) && !sees(t)));
        let mut seen = vec![false; graph.states()];
        let mut stack = vec![number];
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            for &t in &reduced {
                let after = graph.markings[at].fire(net, t).expect("a member was disabled from outside");
                for &(u, next) in graph.edges[at].iter().filter(|e| !reduced.contains(&e.0)) {
                    assert!(after.enables(net, u), "a member disables {u:?}");
                    stack.push(next);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn reduced_sets_are_persistent(
        net in prop_oneof![1 => nets(), 4 => concurrent_nets()], visible in any::<u64>(), less in any::<u64>(),
    ) {
        check_persistence(&net, visible & less);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_automata(net in nets(), sets in 0..3u32, edges in raw_edges(), a in 0..100usize, b in 0..100usize) {
        check(&net, &any_automaton(sets, &edges), [a, b]);
    }

    #[test]
    fn stutter_invariant_automata(
        net in prop_oneof![1 => nets(), 4 => concurrent_nets()], sets in 1..3u32, edges in raw_edges(),
        ends in any::<u64>(), a in 0..100usize, b in 0..100usize,
    ) {
        check(&net, &stutter_invariant_automaton(sets, &edges, ends & 0xFFFF), [a, b]);
    }
}
