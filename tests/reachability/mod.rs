//! Reachable sets and their figures against the explicit reference, marking by marking.

mod contest;
mod depth;
mod limits;

use crate::reference::{Graph, explore, random};
use num_bigint::BigUint;
use proptest::prelude::*;
use starset::StopReason;
use starset::budget::Budget;
use starset::decide::{self, Settings, StateSpace};
use starset::formula::{Formula, PathSemantics, Pool};
use starset::mdd::{Mdd, MddManager};
use starset::net::{Marking, NetBuilder, PetriNet, PlaceId};
use starset::order::{Context, Order, Scored, measure};
use starset::relation::Relation;
use starset::symbolic::{Checker, Search, count_transitions, reachable_set};
use std::collections::BTreeSet;

const SEARCHES: [Search; 3] = [Search::Saturation, Search::Chaining, Search::BreadthFirst];

/// A space that reserves little memory, since the tests make many.
fn small_space(relation: &Relation) -> MddManager {
    MddManager::new(relation.levels(), &Budget::unlimited().with_memory(1 << 22)).unwrap()
}

fn reach(relation: &Relation, space: &MddManager, search: Search, budget: &Budget) -> Result<Mdd, StopReason> {
    reachable_set(relation, space, search, budget, &mut |_| ())
}

/// The markings in a set, places in the order of the net.
fn markings(relation: &Relation, set: &Mdd) -> BTreeSet<Marking> {
    let places = relation.variables_by_level();
    let marking = |tuple: Vec<u32>| {
        let mut tokens = vec![0; places.len()];
        for (level, value) in tuple.into_iter().enumerate() {
            tokens[places[level]] = relation.offsets()[level] + u64::from(value);
        }
        Marking::new(tokens)
    };
    set.members().map(marking).collect()
}

/// All permutations of a few items; beyond four items, six of them.
fn orders(places: usize) -> Vec<Vec<PlaceId>> {
    let ids: Vec<PlaceId> = (0..places as u32).map(PlaceId).collect();
    if places > 4 {
        let mut some = Vec::new();
        for turn in 0..3 {
            let mut order = ids.clone();
            order.rotate_left(turn * 2);
            order.swap(0, places / 2);
            some.push(order.clone());
            order.reverse();
            some.push(order);
        }
        return some;
    }
    let mut all = vec![vec![]];
    for &id in &ids {
        let extend = |order: Vec<PlaceId>| {
            (0..=order.len()).map(move |at| [&order[..at], &[id], &order[at..]].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// An order as it is given to an exploration.
fn given(net: &PetriNet, order: &[PlaceId]) -> Scored {
    let order = Order::new(net, order.to_vec()).unwrap();
    let metrics = measure(&Context::new(net, &Budget::unlimited(), 0), &order);
    Scored { name: "given".to_owned(), order, metrics }
}

/// The state space of a net as its users get it, under this order by this search.
fn space(net: &PetriNet, order: &Scored, search: Search) -> StateSpace {
    let (orders, budget) = (vec![order.clone()], Budget::unlimited());
    decide::explore(net, &Settings { orders, search, ..Settings::default() }, false, &budget, &|_| ()).unwrap()
}

/// Everything that a state space says of the net under this order is as in the graph.
fn compare(net: &PetriNet, graph: &Graph, order: &[PlaceId]) {
    let budget = Budget::unlimited();
    let expected: BTreeSet<Marking> = graph.markings.iter().cloned().collect();
    let scored = given(net, order);
    let [space, ..] = SEARCHES.map(|search| {
        let space = space(net, &scored, search);
        assert_eq!(markings(&space.relation, &space.set), expected, "{search:?}, {order:?}");
        space
    });
    assert_eq!(space.states(&budget).unwrap(), BigUint::from(graph.states()));
    assert_eq!(space.transitions(&budget).unwrap(), BigUint::from(graph.transitions()), "{order:?}");

    let select = |numbers: &[usize]| numbers.iter().map(|&m| graph.markings[m].clone()).collect::<BTreeSet<_>>();
    let of_space = |set: &Mdd| markings(&space.relation, set);
    let dead = space.deadlocks(&budget).unwrap();
    assert_eq!(of_space(&dead), select(&graph.deadlocks()), "deadlocks, {order:?}");
    assert_eq!(count_transitions(&space.relation, &dead, &budget).unwrap(), BigUint::ZERO);
    let (mut pool, paths) = (Pool::new(), PathSemantics::Maximal);
    let mut checker = Checker::new(&space.relation, space.set.clone(), paths).unwrap();
    for t in net.transition_ids() {
        let enabling = |&m: &usize| graph.edges[m].iter().any(|&(u, _)| t == u);
        let numbers: Vec<_> = (0..graph.states()).filter(enabling).collect();
        let enabled = pool.add(Formula::Enabled(vec![t]));
        let enabled = checker.sat(&pool, enabled, &budget).unwrap();
        assert_eq!(of_space(&enabled), select(&numbers), "{t:?}, {order:?}");
    }

    let maxima = space.maxima(&budget).unwrap();
    let bounds: Vec<u128> = net.place_ids().map(|place| u128::from(graph.bound(place))).collect();
    assert_eq!(maxima.per_place, bounds, "{order:?}");
    assert_eq!(Some(maxima.in_place), bounds.into_iter().max());
    let sum = |m: &Marking| m.as_slice().iter().map(|&n| u128::from(n)).sum::<u128>();
    assert_eq!(Some(maxima.per_marking), graph.markings.iter().map(sum).max());
    let listed: Vec<Marking> = space.lightest(&space.set, &budget).unwrap().collect();
    // A sum above the shifted start of a place counts from there.
    if space.relation.offsets().iter().all(|&offset| offset == 0) {
        assert!(listed.is_sorted_by_key(sum), "{order:?}");
    }
    assert_eq!(listed.len(), graph.states());
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected, "{order:?}");
}

/// A self-loop or a read arc to be added.
struct Test {
    place: PlaceId,
    weight: u64,
    read: bool,
}

/// The net with more of what is rare: duplicates of transitions, transitions without arcs, self-loops and
/// read arcs; and with inhibitor arcs that keep each place at `cap` tokens at most. (A place that starts
/// with more may keep them.)
fn enriched(net: &PetriNet, extras: &[(usize, usize, u64, u8)], cap: u64, base: &[u64]) -> PetriNet {
    let mut b = NetBuilder::new("enriched");
    let base = |place: PlaceId| base.get(place.index()).copied().unwrap_or(0);
    let places: Vec<PlaceId> =
        net.place_ids().map(|p| b.place(&net.place(p).id, net.place(p).initial + base(p)).unwrap()).collect();
    let mut sources: Vec<(usize, Option<Test>)> = (0..net.transition_count()).map(|t| (t, None)).collect();
    for &(t, place, weight, kind) in extras {
        let place = places[place % places.len()];
        match (kind, net.transition_count()) {
            (0, _) | (_, 0) => sources.push((usize::MAX, None)),
            (1, n) => sources.push((t % n, None)),
            (2, n) => sources.push((t % n, Some(Test { place, weight, read: false }))),
            (_, n) => sources.push((t % n, Some(Test { place, weight, read: true }))),
        }
    }
    for (number, (source, extra)) in sources.into_iter().enumerate() {
        let id = b.transition(format!("u{number}")).unwrap();
        let Some(t) = net.transitions().get(source) else { continue };
        let weight =
            |arcs: &[starset::net::Arc], p: PlaceId| arcs.iter().find(|a| a.place == p).map_or(0, |a| a.weight);
        let mut never = false;
        for p in net.place_ids() {
            let (pre, post) = (weight(&t.pre, p), weight(&t.post, p));
            if pre > 0 {
                b.input(p, id, pre).unwrap();
                // With a base, the guard is on what lies above it.
                b.read_arc(p, id, pre + base(p)).unwrap();
            }
            if post > 0 {
                b.output(id, p, post).unwrap();
            }
            if post > pre {
                match (base(p) + cap + 1 + pre).checked_sub(post) {
                    Some(below) if below > 0 => b.inhibitor(p, id, below).unwrap(),
                    _ => never = true,
                }
            }
            if weight(&t.inhibitors, p) > 0 {
                b.inhibitor(p, id, base(p) + weight(&t.inhibitors, p)).unwrap();
            }
        }
        if let Some(Test { place: p, weight, read }) = extra {
            if read {
                b.read_arc(p, id, base(p) + weight).unwrap();
            } else {
                b.input(p, id, weight).unwrap();
                b.output(id, p, weight).unwrap();
                b.read_arc(p, id, base(p) + weight + 2).unwrap();
            }
        }
        if never {
            // An output that always exceeds the cap: the transition asks for more than can be there.
            b.read_arc(places[0], id, base(places[0]) + 1000).unwrap();
        }
    }
    b.build().unwrap()
}

fn extras() -> impl Strategy<Value = Vec<(usize, usize, u64, u8)>> {
    prop::collection::vec((0..6usize, 0..5usize, 1..=2u64, 0..4u8), 0..3)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn nets_of_all_kinds(net in random::net(random::Size::default()), extras in extras(), cap in 1..=3u64) {
        let net = enriched(&net, &extras, cap, &[]);
        let graph = explore(&net, 5_000).unwrap();
        for order in orders(net.place_count()) {
            compare(&net, &graph, &order);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// Heavier arcs and more tokens: nodes with many values.
    #[test]
    fn heavy_nets(
        net in random::net(random::Size { places: 3, transitions: 6, tokens: 9, weight: 5, inhibitors: true }),
        extras in extras(),
        cap in 6..=12u64,
    ) {
        let net = enriched(&net, &extras, cap, &[]);
        let graph = explore(&net, 5_000).unwrap();
        for order in orders(net.place_count()) {
            compare(&net, &graph, &order);
        }
    }

    /// Places that hold a large constant and something on top of it.
    #[test]
    fn large_constants(
        net in random::net(random::Size { places: 4, ..random::Size::default() }),
        extras in extras(),
        base in prop::collection::vec(prop::sample::select(vec![0, (1 << 31) - 2, 1 << 31, (1 << 32) + 1, 1 << 40, 1 << 63]), 4),
    ) {
        let plain = explore(&enriched(&net, &extras, 2, &[]), 5_000).unwrap();
        let net = enriched(&net, &extras, 2, &base);
        let graph = explore(&net, 5_000).unwrap();
        prop_assert_eq!((graph.states(), graph.transitions()), (plain.states(), plain.transitions()));
        compare(&net, &graph, &orders(net.place_count())[0]);
    }
}
