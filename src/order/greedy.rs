//! Greedy orders that place next the place of greatest weight given what is placed already: the frame that
//! Noack's and Tovchigrechko's heuristics share.
//!
//! The weight of a place is a sum over its transitions of terms in the number of input and output places
//! they have and have placed, divided by the number of its arcs. Placing a place changes the weights of the
//! places it shares transitions with; these go into a heap again, stale entries are skipped. A limit of
//! work ends the refreshing of weights on nets with large hubs: a place then keeps the weight it has.
//!
//! Complexity: O(Σ_t |t|² · log) for nets without hubs.

use super::{Context, Order};
use crate::net::PlaceId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Input and output places of a transition, all and already placed.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) inputs: f64,
    pub(super) outputs: f64,
    pub(super) placed_inputs: f64,
    pub(super) placed_outputs: f64,
}

/// The contribution of transitions with these counts to the weight of an input place and of an output place.
pub(super) struct Weights {
    pub(super) of_input: fn(&Counts) -> f64,
    pub(super) of_output: fn(&Counts) -> f64,
}

/// Work beyond this, in units of the size of the net, stops the refreshing of weights.
const WORK: usize = 60;

/// Place greedily from the bottom level up.
pub(super) fn order(context: &Context, weights: &Weights) -> Option<Order> {
    let net = context.net();
    if net.transition_count() == 0 {
        return None;
    }
    let mut counts = vec![Counts::default(); net.transition_count()];
    // For each place its transitions, split by the side it is on.
    let (mut takes, mut gives) = (vec![Vec::new(); net.place_count()], vec![Vec::new(); net.place_count()]);
    for (i, t) in net.transitions().iter().enumerate() {
        for a in t.pre.iter().chain(&t.inhibitors) {
            takes[a.place.index()].push(i as u32);
            counts[i].inputs += 1.0;
        }
        for a in &t.post {
            gives[a.place.index()].push(i as u32);
            counts[i].outputs += 1.0;
        }
    }
    let weight = |p: usize, counts: &[Counts]| {
        let inputs: f64 = takes[p].iter().map(|&t| (weights.of_input)(&counts[t as usize])).sum();
        let outputs: f64 = gives[p].iter().map(|&t| (weights.of_output)(&counts[t as usize])).sum();
        // Fixed point: sums in another order must not break ties in another way.
        ((inputs + outputs) / ((takes[p].len() + gives[p].len()).max(1) as f64) * (1u64 << 32) as f64) as u64
    };
    let mut current: Vec<u64> = (0..net.place_count()).map(|p| weight(p, &counts)).collect();
    let mut heap: BinaryHeap<_> = current.iter().enumerate().map(|(p, &w)| (w, Reverse(p))).collect();
    let mut placed = vec![false; net.place_count()];
    let mut order = Vec::with_capacity(net.place_count());
    let mut work = WORK.saturating_mul(context.size()).saturating_add(100_000);
    let mut affected = Vec::new();
    while let Some((w, Reverse(p))) = heap.pop() {
        if placed[p] || w != current[p] {
            continue;
        }
        placed[p] = true;
        order.push(PlaceId(p as u32));
        takes[p].iter().for_each(|&t| counts[t as usize].placed_inputs += 1.0);
        gives[p].iter().for_each(|&t| counts[t as usize].placed_outputs += 1.0);
        affected.clear();
        for &t in takes[p].iter().chain(&gives[p]) {
            let places = context.places_of().get(t as usize);
            work = work.saturating_sub(places.len());
            if work == 0 {
                break;
            }
            affected.extend(places.iter().map(|&q| q as usize).filter(|&q| !placed[q]));
        }
        affected.sort_unstable();
        affected.dedup();
        for &q in &affected {
            work = work.saturating_sub(takes[q].len() + gives[q].len());
            if work == 0 {
                break;
            }
            let fresh = weight(q, &counts);
            if fresh != current[q] {
                current[q] = fresh;
                heap.push((fresh, Reverse(q)));
            }
        }
    }
    order.reverse();
    Some(Order(order))
}
