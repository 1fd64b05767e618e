//! Numbers counted behind a collapsed net, against brute force.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::decide::{Answer, Subject};
use crate::formula::Pool;
use crate::model::Groups;
use crate::net::NetBuilder;
use crate::random::{NetShape, Rng, net as plain};
use crate::reference::explore as brute_force;

/// The net with some places drawn out to chains, or to trees of them: who takes from a place takes from one of the places
/// that its tokens move to.
fn drawn_out(rng: &mut Rng, net: &PetriNet) -> PetriNet {
    let mut b = NetBuilder::new("drawn out");
    let mut ends: Vec<Vec<PlaceId>> = Vec::new();
    for p in net.place_ids() {
        let mut places = vec![b.place(format!("p{}", p.index()), net.place(p).initial).unwrap()];
        for more in 0..[0, 0, 1, 2, 3][rng.below(5)] {
            let from = places[rng.below(places.len())];
            let to = b.place(format!("p{}_{more}", p.index()), 0).unwrap();
            let t = b.transition(format!("m{}_{more}", p.index())).unwrap();
            b.input(from, t, 1).unwrap();
            b.output(t, to, 1).unwrap();
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

#[test]
fn numbers_are_those_of_the_net() {
    let (mut used, mut spared) = (0, 0);
    for seed in 0..1200 {
        let mut rng = Rng::new(seed);
        let shape =
            NetShape { max_states: 25, places: 5, transitions: 5, inhibitors: seed % 3 == 0, ..NetShape::default() };
        let small = plain(&mut rng, &shape);
        let net = drawn_out(&mut rng, &small);
        let (Some(chains), Some(graph)) = (Chains::of(&net), brute_force(&net, 3000)) else { continue };
        let figures = [Figure::States, Figure::Transitions, Figure::MaxInVariable, Figure::MaxInState, Figure::Bounds];
        let asked: Vec<_> = figures.iter().map(|&figure| Question::Figure(figure).into()).collect();
        let answers = std::sync::Mutex::new(vec![None; asked.len()]);
        let keep = |answer: Answer| answers.lock().unwrap()[answer.question] = Some(answer.value);
        let (groups, pool, budget) = (Groups::single(&net), Pool::new(), Budget::unlimited());
        let subject = Subject { model: &net, groups: &groups, pool: &pool };
        run(&Board::new(subject, &asked, &keep), &net, &chains, &Settings::default(), &budget).unwrap();
        let most = |p: PlaceId| graph.markings.iter().map(|m| u128::from(m.tokens(p))).max().unwrap();
        let bounds: Vec<u128> = net.place_ids().map(most).collect();
        let sum = graph.markings.iter().map(|m| m.as_slice().iter().sum::<u64>()).max().unwrap();
        let enabled: usize = graph.markings.iter().map(|m| m.enabled(&net).count()).sum();
        let expected = [
            Value::Number(graph.markings.len().into()),
            Value::Number(enabled.into()),
            Value::Number(bounds.iter().copied().max().unwrap_or(0).into()),
            Value::Number(sum.into()),
            Value::Numbers(bounds),
        ];
        let answers: Vec<_> = answers.into_inner().unwrap().into_iter().flatten().collect();
        assert_eq!(answers, expected, "seed {seed}\n{net:?}\n{chains:?}");
        used += 1;
        spared += net.place_count() - chains.net().place_count();
    }
    assert!(used > 300 && spared > 2 * used, "{used} {spared}");
}

#[test]
fn divisions_by_hand() {
    let divided = |tokens, leaves| u64::try_from(divisions(tokens, leaves)).unwrap();
    assert_eq!((divided(0, 4), divided(5, 1), divided(5, 2), divided(3, 3)), (1, 1, 6, 10));
}
