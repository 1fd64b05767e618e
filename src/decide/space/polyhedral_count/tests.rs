//! Numbers counted behind a collapsed net, against brute force.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::decide::task::Task;
use crate::decide::{Recorder, Request, Subject};
use crate::formula::Pool;
use crate::model::Groups;
use crate::net::NetBuilder;
use crate::random::{NetShape, Rng, net as plain};
use crate::reference::explore as brute_force;

/// The net with some places drawn out to chains and loops, or to trees of them: who takes from a place takes from one
/// of the places that its tokens move to.
pub(in crate::decide) fn drawn_out(rng: &mut Rng, net: &PetriNet) -> PetriNet {
    let mut b = NetBuilder::new("drawn out");
    let mut ends: Vec<Vec<PlaceId>> = Vec::new();
    for p in net.place_ids() {
        let mut places = vec![b.place(format!("p{}", p.index()), net.place(p).initial).unwrap()];
        let is_loop = rng.below(3) == 0;
        for more in 0..[0, 0, 1, 2, 3][rng.below(5)] {
            let from = places[rng.below(places.len())];
            let tokens = if is_loop { rng.below(2) as u64 } else { 0 };
            let to = b.place(format!("p{}_{more}", p.index()), tokens).unwrap();
            for (name, from, to) in [("m", from, to), ("back", to, from)].into_iter().take(1 + usize::from(is_loop)) {
                let t = b.transition(format!("{name}{}_{more}", p.index())).unwrap();
                b.input(from, t, 1).unwrap();
                b.output(t, to, 1).unwrap();
            }
            places.push(to);
        }
        ends.push(places);
    }
    for (number, t) in net.transitions().iter().enumerate() {
        let id = b.transition(format!("t{number}")).unwrap();
        for arc in &t.pre {
            for _ in 0..arc.weight {
                let places = &ends[arc.place.index()];
                b.input(places[rng.below(places.len())], id, 1).unwrap();
            }
        }
        t.post.iter().for_each(|arc| b.output(id, ends[arc.place.index()][0], arc.weight).unwrap());
        t.inhibitors.iter().for_each(|arc| b.inhibitor(ends[arc.place.index()][0], id, arc.weight).unwrap());
    }
    b.build().unwrap()
}

/// The net with places more, each a weighted sum of others.
fn with_sums(rng: &mut Rng, net: &PetriNet) -> PetriNet {
    let mut b = NetBuilder::new("with sums");
    for place in net.places() {
        b.place(&*place.id, place.initial).unwrap();
    }
    let tested: Vec<bool> = net
        .place_ids()
        .map(|p| net.transitions().iter().any(|t| t.inhibitors.iter().any(|arc| arc.place == p)))
        .collect();
    let mut sums = Vec::new();
    for number in 0..rng.below(3) {
        let mut weights: Vec<u64> = net.place_ids().map(|_| [0, 0, 1, 1, 2][rng.below(5)]).collect();
        weights.iter_mut().zip(&tested).filter(|(_, tested)| **tested).for_each(|(weight, _)| *weight = 0);
        let initial: u64 = net.places().iter().zip(&weights).map(|(place, weight)| place.initial * weight).sum();
        sums.push((b.place(format!("sum{number}"), initial + rng.below(2) as u64).unwrap(), weights));
    }
    for t in net.transitions() {
        let id = b.transition(&*t.id).unwrap();
        t.pre.iter().for_each(|arc| b.input(arc.place, id, arc.weight).unwrap());
        t.post.iter().for_each(|arc| b.output(id, arc.place, arc.weight).unwrap());
        t.inhibitors.iter().for_each(|arc| b.inhibitor(arc.place, id, arc.weight).unwrap());
        for (sum, weights) in &sums {
            let of = |arcs: &[crate::net::Arc]| arcs.iter().map(|arc| arc.weight * weights[arc.place.index()]).sum();
            let (taken, put): (u64, u64) = (of(&t.pre), of(&t.post));
            (taken > 0).then(|| b.input(*sum, id, taken).unwrap());
            (put > 0).then(|| b.output(id, *sum, put).unwrap());
        }
    }
    b.build().unwrap()
}

/// A random net, perhaps with inhibitor arcs, with some places drawn out, and sums.
pub(in crate::decide) fn with_parts_and_sums(rng: &mut Rng, inhibitors: bool) -> PetriNet {
    let shape = NetShape { max_states: 25, places: 5, transitions: 5, inhibitors, ..NetShape::default() };
    let small = plain(rng, &shape);
    let net = drawn_out(rng, &small);
    with_sums(rng, &net)
}

#[test]
fn numbers_are_those_of_the_net() {
    let (mut merged, mut left_out) = (0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let net = with_parts_and_sums(&mut rng, seed % 3 == 0);
        let Some(graph) = brute_force(&net, 3000) else { continue };
        let most = |p: PlaceId| graph.markings.iter().map(|m| u128::from(m.tokens(p))).max().unwrap();
        let bounds: Vec<u128> = net.place_ids().map(most).collect();
        let sum = graph.markings.iter().map(|m| m.as_slice().iter().sum::<u64>()).max().unwrap();
        let enabled: usize = graph.markings.iter().map(|m| m.enabled(&net).count()).sum();
        let listed: Vec<PlaceId> = (0..4).map(|_| PlaceId(rng.below(net.place_count()) as u32)).collect();
        let sum_of = |m: &crate::net::Marking| listed.iter().map(|&p| m.tokens(p)).sum::<u64>();
        let of_listed = graph.markings.iter().map(sum_of).max().unwrap();
        let expected = [
            Value::Number(graph.markings.len().into()),
            Value::Number(enabled.into()),
            Value::Number(bounds.iter().copied().max().unwrap_or(0).into()),
            Value::Number(sum.into()),
            Value::Numbers(bounds),
            Value::Number(of_listed.into()),
        ];
        let statistics = [
            Statistic::States,
            Statistic::Transitions,
            Statistic::MaxInVariable,
            Statistic::MaxInState,
            Statistic::Bounds,
        ];
        let questions = statistics.into_iter().map(Question::Statistic).chain([Question::Bound(listed)]);
        let asked: Vec<_> = questions.map(Request::from).collect();
        let (groups, pool, budget) = (Groups::single(&net), Pool::new(), Budget::unlimited());
        let subject = Subject { model: &net, groups: &groups, pool: &pool };
        let by_moves = Counting::by_moves(&net, &budget).unwrap();
        let refined = by_moves.refined(&net, &budget);
        merged += net.place_count() - by_moves.net().place_count();
        left_out += refined.as_ref().map_or(0, |refined| by_moves.net().place_count() - refined.net().place_count());
        for counting in [Some(by_moves), refined].into_iter().flatten() {
            let kept = Recorder::new(asked.len());
            let space = explore(counting.net(), &Settings::default(), false, &budget, &|_| {}).unwrap();
            let settings = Settings::default();
            let task = Task::new(subject, &asked, &settings, &budget, &kept);
            answer(&Board::new(&task), &net, &counting, &space, &budget).unwrap();
            let answers = kept.into_recorded().into_iter().flat_map(|recorded| recorded.answer);
            let answers: Vec<_> = answers.map(|answer| answer.value).collect();
            assert_eq!(answers, expected, "seed {seed}\n{net:?}\n{counting:?}");
        }
    }
    assert!(merged > 250 && left_out > 250, "{merged} {left_out}");
}

#[test]
fn divisions_by_hand() {
    let divided = |tokens, leaves| u64::try_from(divisions(tokens, leaves)).unwrap();
    assert_eq!((divided(0, 4), divided(5, 1), divided(5, 2), divided(3, 3)), (1, 1, 6, 10));
    // Few among very many take as long as many among few.
    assert_eq!((divided(2, 1 << 31), divided((1 << 31) - 1, 3)), ((1 << 61) + (1 << 30), (1 << 61) + (1 << 30)));
}
