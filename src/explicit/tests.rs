//! Every encoding and switch against the brute-force explorer.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::{Budget, Exhausted};
use crate::kinds::Kind;
use crate::model::{Step, Then};
use crate::net::{NetBuilder, Nupn, PetriNet, PlaceId, Unit};
use crate::reference::{self, random};
use crate::stop_reason::StopReason;
use proptest::prelude::*;

/// Every combination of the switches that matter to reachability.
fn all_options() -> impl Iterator<Item = (Encoding, Options)> {
    (0..32).map(|k| {
        let encoding = Encoding { drw: k & 1 == 0, nupn: k & 2 == 0, invariants: k & 8 == 0, ..Encoding::default() };
        let threads = if k % 5 == 2 { 3 } else { 1 };
        (encoding, Options { depth_first: k & 4 != 0, stubborn: k & 16 == 0, threads, ..Options::default() })
    })
}

fn compiled<'n>(net: &'n PetriNet, encoding: &Encoding) -> Box<dyn Explicit<'n> + 'n> {
    net.compile(encoding, &Budget::unlimited()).unwrap()
}

fn explore(
    net: &PetriNet,
    (encoding, options): &(Encoding, Options),
    budget: &Budget,
) -> Result<Exploration, StopReason> {
    compiled(net, encoding).explore(options, budget)
}

fn default_options() -> (Encoding, Options) {
    Default::default()
}

fn check_counts(net: &PetriNet, graph: &reference::Graph) {
    for options in all_options() {
        let found = explore(net, &options, &Budget::unlimited()).unwrap();
        assert_eq!(found.states, graph.states() as u128, "{options:?}");
        assert_eq!(found.transitions, graph.transitions() as u128, "{options:?}");
        assert_eq!(found.deadlocks, graph.deadlocks().len() as u128);
        assert_eq!(found.bounds, net.place_ids().map(|p| graph.bound(p)).collect::<Vec<_>>());
        assert_eq!(found.max_tokens_per_marking, u128::from(graph.max_tokens_per_marking()));
        let fires = |t| graph.edges.iter().flatten().any(|e| e.0 == t);
        assert_eq!(found.fireable, net.transition_ids().map(fires).collect::<Vec<_>>());
        assert_eq!(u128::from(found.stats.firings), found.transitions);
    }
}

fn check_searches(net: &PetriNet, graph: &reference::Graph) {
    let replay = |trace: &Trace| {
        let step = |m: crate::net::Marking, step: &Step| m.fire(net, step.action).unwrap();
        assert_eq!(trace.path.prefix.iter().fold(net.initial_marking(), step), trace.last);
    };
    for options in all_options() {
        // All searches share what is compiled, and what they have learned.
        let (engine, budget) = (compiled(net, &options.0), Budget::unlimited());
        let found = engine.find_deadlock(&options.1, &budget).unwrap();
        assert_eq!(found.trace.is_some(), !graph.deadlocks().is_empty());
        if let Some(trace) = found.trace {
            replay(&trace);
            assert_eq!(trace.path.then, Then::Deadlock);
            assert_eq!(trace.last.enabled(net).next(), None);
        }
        // The last marking of the graph, and one that is not reachable.
        let goal = graph.markings.last().unwrap().clone();
        let mut equal = |v: View| net.place_ids().all(|p| v.value(p) == goal.value(p));
        let trace = engine.find(&options.1, &budget, &mut equal).unwrap().trace.unwrap();
        replay(&trace);
        assert_eq!(trace.last, goal);
        let beyond = graph.max_tokens_in_place() + 1;
        let found = engine.find(&options.1, &budget, &mut |v| v.value(PlaceId(0)) == beyond).unwrap();
        assert_eq!(found.trace, None);
    }
}

/// A net together with units that partition its places, rightly or not.
fn with_units(net: &PetriNet, units: &[Vec<u32>]) -> PetriNet {
    let mut b = random::copied(net);
    let unit = |(k, places): (usize, &Vec<u32>)| Unit {
        id: format!("u{k}"),
        places: places.iter().map(|&p| PlaceId(p)).collect(),
        subunits: vec![],
    };
    b.set_nupn(Nupn { units: units.iter().enumerate().map(unit).collect(), root: 0, safe: true });
    b.build().unwrap()
}

/// Nets some place of which has more than 30 tokens at times, and fewer at others; half of them bounded by complements.
fn large_counts() -> impl Strategy<Value = (PetriNet, reference::Graph)> {
    let free = random::net(random::Size { tokens: 40, weight: 9, ..Default::default() });
    let size = random::Size { places: 3, tokens: 40, weight: 9, ..Default::default() };
    let nets = prop_oneof![free, random::bounded_net(size, 60)];
    random::with_graph(nets, 400).prop_filter("counts are small or do not change", |(net, graph)| {
        let least = |p| graph.markings.iter().map(|m| m.tokens(p)).min();
        net.place_ids().any(|p| graph.bound(p) > 30 && least(p) < Some(graph.bound(p)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn bounded_nets((net, graph) in random::with_graph(random::bounded_net(random::Size::default(), 3), 400)) {
        check_counts(&net, &graph);
        check_searches(&net, &graph);
    }

    /// Counts that take several bits, and change.
    #[test]
    fn nets_with_large_counts((net, graph) in large_counts()) {
        check_counts(&net, &graph);
        check_searches(&net, &graph);
    }

    /// Complements make half of the places implied, and it pays to drop them.
    #[test]
    fn nets_with_implied_places(
        (net, graph) in random::with_graph(
            random::bounded_net(random::Size { places: 10, transitions: 7, tokens: 9, ..Default::default() }, 15),
            400,
        ),
    ) {
        check_counts(&net, &graph);
        check_searches(&net, &graph);
    }

    /// The units claim to be safe, and most of them are not.
    #[test]
    fn nets_with_units(
        (net, graph) in random::with_graph(
            random::net(random::Size { places: 12, transitions: 9, tokens: 1, weight: 1, inhibitors: false }),
            400,
        ),
        cut in 1usize..12,
    ) {
        let (a, b): (Vec<u32>, Vec<u32>) = (0..net.place_count() as u32).partition(|&p| (p as usize) < cut);
        let net = with_units(&net, &[a, b, vec![0, 99]]);
        check_counts(&net, &graph);
        check_searches(&net, &graph);
    }
}

/// Cycles of `n` places with one token each and a transition per step, coupled by nothing.
fn rings(count: u32, n: u32, safe_units: bool) -> PetriNet {
    let mut b = NetBuilder::new("rings");
    let mut units = Vec::new();
    for r in 0..count {
        let places: Vec<_> = (0..n).map(|k| b.place(format!("p{r}_{k}"), u64::from(k == 0)).unwrap()).collect();
        for k in 0..n as usize {
            let t = b.transition(format!("t{r}_{k}")).unwrap();
            b.input(places[k], t, 1).unwrap();
            b.output(t, places[(k + 1) % places.len()], 1).unwrap();
        }
        units.push(places.iter().map(|p| p.0).collect());
    }
    let net = b.build().unwrap();
    if safe_units { with_units(&net, &units) } else { net }
}

#[test]
fn unit_codes_take_logarithmic_space() {
    let states = |net: &PetriNet, encoding: Encoding| {
        explore(net, &(encoding, Options::default()), &Budget::unlimited()).unwrap()
    };
    let net = rings(3, 15, true);
    let coded = states(&net, Encoding::default());
    assert_eq!((coded.states, coded.stats.bits_per_state, coded.stats.growths), (3375, 12, 0));
    let plain = states(&net, Encoding { nupn: false, invariants: false, ..Encoding::default() });
    assert_eq!((plain.states, plain.stats.bits_per_state), (3375, 45));
    let found = states(&rings(3, 15, false), Encoding::default());
    assert_eq!((found.states, found.stats.bits_per_state), (3375, 12));
}

#[test]
fn markings_of_many_words() {
    let options = (Encoding { invariants: false, ..Encoding::default() }, Options::default());
    let found = explore(&rings(9, 3, false), &options, &Budget::unlimited()).unwrap();
    assert_eq!((found.states, found.transitions), (19_683, 9 * 19_683));
    let found = explore(&rings(2, 90, false), &options, &Budget::unlimited()).unwrap();
    assert_eq!((found.states, found.stats.bits_per_state), (8_100, 180));
}

/// `count` buffers of 15 that fill and empty.
fn buffers(count: u32) -> PetriNet {
    let mut b = NetBuilder::new("buffers");
    for k in 0..count {
        let (free, full) = (b.place(format!("free{k}"), 15).unwrap(), b.place(format!("full{k}"), 0).unwrap());
        let (put, get) = (b.transition(format!("put{k}")).unwrap(), b.transition(format!("get{k}")).unwrap());
        b.input(free, put, 1).unwrap();
        b.output(put, full, 1).unwrap();
        b.input(full, get, 1).unwrap();
        b.output(get, free, 1).unwrap();
    }
    // Never used, so that the states are wider than 32 bits.
    let stop = b.transition("stop").unwrap();
    for k in 0..20 {
        let wide = b.place(format!("wide{k}"), 0).unwrap();
        b.input(wide, stop, 1).unwrap();
    }
    b.build().unwrap()
}

#[test]
fn implied_places_are_not_stored() {
    let net = buffers(3);
    let bits = |invariants| {
        let options = (Encoding { invariants, ..Encoding::default() }, Options::default());
        let found = explore(&net, &options, &Budget::unlimited()).unwrap();
        assert_eq!((found.states, found.transitions), (4096, 3 * 2 * 15 * 256));
        assert_eq!(found.bounds[..6], [15; 6]);
        found.stats.bits_per_state
    };
    assert!(bits(false) >= 44);
    assert_eq!(bits(true), 32);
}

/// A place that fills from 0 to `n`.
fn filling(n: u64) -> PetriNet {
    let mut b = NetBuilder::new("filling");
    let (left, level) = (b.place("left", n).unwrap(), b.place("level", 0).unwrap());
    let pour = b.transition("pour").unwrap();
    b.input(left, pour, 1).unwrap();
    b.output(pour, level, 1).unwrap();
    b.build().unwrap()
}

#[test]
fn counters_grow_while_the_search_runs() {
    for options in all_options() {
        let found = explore(&filling(50_000), &options, &Budget::unlimited()).unwrap();
        assert_eq!((found.states, found.bounds, found.deadlocks), (50_001, vec![50_000, 50_000], 1));
        assert!(found.stats.growths > 2);
    }
}

#[test]
fn the_largest_counts_are_exact_or_refused() {
    let mut b = NetBuilder::new("brim");
    let (p, q) = (b.place("p", u64::MAX - 1).unwrap(), b.place("q", 2).unwrap());
    let t = b.transition("t").unwrap();
    b.input(q, t, 1).unwrap();
    b.output(t, p, 1).unwrap();
    let net = b.build().unwrap();
    for options in all_options() {
        assert_eq!(
            explore(&net, &options, &Budget::unlimited()),
            Err(StopReason::OutOfRange { variable: "p".to_owned(), bits: 64 })
        );
        let engine = compiled(&net, &options.0);
        let full = engine.find(&options.1, &Budget::unlimited(), &mut |v| v.value(PlaceId(0)) == u64::MAX).unwrap();
        assert_eq!(full.trace.unwrap().path.prefix, [crate::net::TransitionId(0).into()]);
    }
}

#[test]
fn limits_end_the_search() {
    let mut b = NetBuilder::new("source");
    let (p, q) = (b.place("p", 0).unwrap(), b.place("q", 0).unwrap());
    for place in [p, q] {
        let t = b.transition(format!("t{}", place.0)).unwrap();
        b.output(t, place, 1).unwrap();
    }
    let unbounded = b.build().unwrap();
    let stop = |budget: Budget| explore(&unbounded, &default_options(), &budget);
    assert_eq!(stop(Budget::unlimited().with_memory(1 << 20)), Err(StopReason::Exhausted(Exhausted::Memory)));
    let time = std::time::Duration::from_millis(50);
    assert_eq!(stop(Budget::unlimited().with_time(time)), Err(StopReason::Exhausted(Exhausted::Time)));
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    assert_eq!(stop(Budget::unlimited().with_flag(flag)), Err(StopReason::Exhausted(Exhausted::Cancelled)));
}

#[test]
fn the_empty_net_has_one_deadlocked_state() {
    let net = NetBuilder::new("empty").build().unwrap();
    for options in all_options() {
        let found = explore(&net, &options, &Budget::unlimited()).unwrap();
        assert_eq!((found.states, found.transitions, found.deadlocks), (1, 0, 1));
    }
}

#[test]
fn one_order_of_independent_firings_leads_to_the_deadlock() {
    let mut b = NetBuilder::new("independent");
    for k in 0..12 {
        let (p, q) = (b.place(format!("p{k}"), 1).unwrap(), b.place(format!("q{k}"), 0).unwrap());
        let t = b.transition(format!("t{k}")).unwrap();
        b.input(p, t, 1).unwrap();
        b.output(t, q, 1).unwrap();
    }
    let net = b.build().unwrap();
    for (stubborn, states) in [(true, 13), (false, 1 << 12)] {
        let options = Options { stubborn, ..Options::default() };
        let found = compiled(&net, &Encoding::default()).find_deadlock(&options, &Budget::unlimited()).unwrap();
        assert_eq!((found.trace.unwrap().path.prefix.len(), found.stats.states), (12, states));
    }
}

/// A search leaves the encoding that it came to to the next, whatever that asks.
#[test]
fn later_searches_begin_with_the_encoding_of_earlier_ones() {
    let net = filling(50_000);
    let (engine, budget) = (compiled(&net, &Encoding::default()), Budget::unlimited());
    let first = engine.explore(&Options::default(), &budget).unwrap();
    let second = engine.explore(&Options::default(), &budget).unwrap();
    assert!(first.stats.growths > 2 && second.stats.growths == 0);
    assert_eq!((first.states, first.bounds), (second.states, second.bounds));
    let labelling = engine.labelling(&budget).unwrap();
    assert_eq!((labelling.states(), labelling.stats().growths), (50_001, 0));
}
