//! Diagram operations and saturation on the scalable families, small enough for two minutes in all:
//! `cargo bench`.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use starset::budget::Budget;
use starset::formula::{Formula, PathSemantics, Pool};
use starset::kinds::Kind;
use starset::kinds::net::families::family;
use starset::mdd::{Mdd, MddManager, SavedSet, with_deep_stack};
use starset::net::{PetriNet, TransitionId};
use starset::order::candidates;
use starset::relation::Relation;
use starset::symbolic::{Checker, Search, count_transitions, deadlocks, reachable_set};
use std::hint::black_box;
use std::time::Duration;

fn net(name: &str, size: u32) -> PetriNet {
    family(name).unwrap().generate(size).unwrap()
}

/// The net under the order that the scores prefer.
fn relation(net: &PetriNet) -> Relation {
    let orders = candidates(net, &Budget::unlimited(), 0);
    net.relation(orders[0].order.as_slice()).unwrap()
}

fn reachable(relation: &Relation) -> Mdd {
    let budget = Budget::unlimited();
    let space = MddManager::new(relation.levels(), &budget).unwrap();
    reachable_set(relation, &space, Search::Saturation, &budget, &mut |_| ()).unwrap()
}

/// From nothing to the reachable set, space and all.
fn saturation(c: &mut Criterion) {
    let mut group = c.benchmark_group("saturation");
    for (name, size) in [("kanban", 20), ("fms", 10), ("slot", 15), ("philo", 200), ("phils", 200), ("token-ring", 60)]
    {
        let relation = relation(&net(name, size));
        group.bench_function(format!("{name}-{size}"), |b| b.iter(|| black_box(reachable(&relation))));
    }
}

/// The same net by the other searches.
fn searches(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    let relation = relation(&net("slot", 6));
    for search in [Search::Saturation, Search::Chaining, Search::BreadthFirst] {
        group.bench_function(format!("slot-6 {search:?}"), |b| {
            b.iter(|| {
                let budget = Budget::unlimited();
                let space = MddManager::new(relation.levels(), &budget).unwrap();
                reachable_set(&relation, &space, search, &budget, &mut |_| ()).unwrap()
            });
        });
    }
}

/// The choice of the variable order.
fn orders(c: &mut Criterion) {
    let mut group = c.benchmark_group("orders");
    for (name, size) in [("kanban", 20), ("slot", 15), ("philo", 200)] {
        let net = net(name, size);
        group.bench_function(format!("{name}-{size}"), |b| b.iter(|| candidates(&net, &Budget::unlimited(), 0)));
    }
}

/// Operations on sets, each in a fresh space so that no result is found in the cache.
fn operations(c: &mut Criterion) {
    type Operation = fn(&Relation, &Mdd, [&Mdd; 2], &Budget);
    let operations: [(&str, Operation); 9] = [
        ("union", |_, _, [a, b], budget| drop(black_box(a.union(b, budget)))),
        ("intersection", |_, _, [a, b], budget| drop(black_box(a.intersection(b, budget)))),
        ("difference", |_, _, [a, b], budget| drop(black_box(a.difference(b, budget)))),
        ("count", |_, set, _, budget| drop(black_box(set.count(budget)))),
        ("count transitions", |r, set, _, budget| drop(black_box(count_transitions(r, set, budget)))),
        ("deadlocks", |r, set, _, budget| drop(black_box(deadlocks(r, set, budget)))),
        ("maxima", |_, set, _, _| drop(black_box(set.maxima()))),
        ("members", |_, set, _, _| drop(black_box(set.members().take(100).collect::<Vec<_>>()))),
        ("lightest", |_, set, _, budget| {
            drop(black_box(set.lightest(|_, value| value.into(), budget).unwrap().take(100).collect::<Vec<_>>()));
        }),
    ];
    let relation = relation(&net("slot", 15));
    let mut group = c.benchmark_group("slot-15");
    for (name, operation) in operations {
        let setup = || {
            let set = reachable(&relation);
            let mut checker = Checker::new(&relation, set.clone(), PathSemantics::Maximal).unwrap();
            let mut some = |transitions: [u32; 2]| {
                let mut pool = Pool::new();
                let enabled = pool.add(Formula::Enabled(transitions.map(TransitionId).to_vec()));
                checker.sat(&pool, enabled, &Budget::unlimited()).unwrap()
            };
            let (a, b) = (some([0, 9]), some([5, 30]));
            (set, a, b)
        };
        group.bench_function(name, |bench| {
            let run = |(set, a, b): &mut (Mdd, Mdd, Mdd)| operation(&relation, set, [a, b], &Budget::unlimited());
            bench.iter_batched_ref(setup, run, BatchSize::PerIteration);
        });
    }
}

/// Writing a set and reading it again.
fn files(c: &mut Criterion) {
    let relation = relation(&net("slot", 15));
    let saved = SavedSet {
        model: "slot-15".into(),
        formula: String::new(),
        names: relation.names().to_vec(),
        offsets: relation.offsets().iter().copied().map(i128::from).collect(),
        values: vec![Vec::new(); relation.names().len()],
        set: reachable(&relation),
    };
    let mut bytes = Vec::new();
    saved.save(&mut bytes).unwrap();
    let mut group = c.benchmark_group("file slot-15");
    group.bench_function("save", |b| b.iter(|| saved.save(std::io::sink()).unwrap()));
    group.bench_function("load", |b| b.iter(|| SavedSet::load(bytes.as_slice(), &Budget::unlimited()).unwrap()));
}

fn config() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

fn all(c: &mut Criterion) {
    saturation(c);
    searches(c);
    orders(c);
    operations(c);
    files(c);
}

/// Everything runs where the stack is deep enough for a level per place.
fn on_a_deep_stack(_: &mut Criterion) {
    with_deep_stack(2000, || all(&mut config()));
}

criterion_group!(benches, on_a_deep_stack);
criterion_main!(benches);
