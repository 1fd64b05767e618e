//! Random small nets for property tests, odd ones included: no transitions, isolated places, transitions
//! without input or output, duplicate structure, self-loops, weights, inhibitor arcs.

#![allow(clippy::unwrap_used)]

use crate::net::{Marking, NetBuilder, PetriNet};
use proptest::prelude::*;

/// Nets with up to `places` places and `transitions` transitions.
pub(crate) fn nets(places: usize, transitions: usize) -> impl Strategy<Value = PetriNet> {
    (0..=places, 0..=transitions).prop_flat_map(|(p, t)| {
        let initial = prop::collection::vec(0u64..3, p);
        // One arc: place, transition, kind, weight. More weight on plain arcs of weight one.
        let kind = prop_oneof![4 => Just(0u8), 4 => Just(1), 1 => Just(2), 1 => Just(3)];
        let weight = prop_oneof![5 => Just(1u64), 1 => 2u64..4];
        let arc = (0..p.max(1), 0..t.max(1), kind, weight);
        let arcs = prop::collection::vec(arc, if p == 0 || t == 0 { 0..1 } else { 0..3 * t.max(2) });
        (initial, arcs).prop_map(move |(initial, arcs)| build(&initial, t, &arcs))
    })
}

fn build(initial: &[u64], transitions: usize, arcs: &[(usize, usize, u8, u64)]) -> PetriNet {
    let mut b = NetBuilder::new("random");
    let places: Vec<_> = initial.iter().enumerate().map(|(i, &m)| b.place(format!("p{i}"), m).unwrap()).collect();
    let transitions: Vec<_> = (0..transitions).map(|i| b.transition(format!("t{i}")).unwrap()).collect();
    for &(p, t, kind, weight) in arcs {
        let (Some(&p), Some(&t)) = (places.get(p), transitions.get(t)) else { continue };
        match kind {
            0 => b.input(p, t, weight),
            1 => b.output(t, p, weight),
            2 => b.inhibitor(p, t, weight),
            _ => b.read_arc(p, t, weight),
        }
        .unwrap();
    }
    b.build().unwrap()
}

/// The markings of a walk of at most `steps` steps that takes, at step *i*, the enabled transition picked by
/// `picks[i]`.
pub(crate) fn walk(net: &PetriNet, picks: &[usize]) -> Vec<Marking> {
    let mut markings = vec![net.initial_marking()];
    for &pick in picks {
        let marking = markings.last().unwrap();
        let enabled: Vec<_> = marking.enabled(net).collect();
        let Some(&t) = enabled.get(pick % enabled.len().max(1)) else { break };
        let Some(next) = marking.fire(net, t) else { break };
        markings.push(next);
    }
    markings
}

/// The rank of a small matrix, by elimination in the integers: for comparison.
pub(crate) fn rank(mut rows: Vec<Vec<i128>>) -> usize {
    let mut rank = 0;
    for c in 0..rows.first().map_or(0, Vec::len) {
        let Some(k) = rows.iter().position(|r| r[c] != 0) else { continue };
        let pivot = rows.swap_remove(k);
        rank += 1;
        for row in &mut rows {
            let (a, b) = (pivot[c], row[c]);
            row.iter_mut().zip(&pivot).for_each(|(x, y)| *x = *x * a - y * b);
        }
    }
    rank
}
