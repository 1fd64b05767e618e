//! FORCE: pull the places of each transition together until nothing moves.
//!
//! **Idea.** Each transition is a hyperedge over its places. One round computes the centre of gravity of
//! every edge, gives each place the mean of its edges' centres, and sorts the places by it. The order with
//! the least sum of spans seen on the way is the result; rounds end when it has not improved for a while.
//! FORCE polishes any start: the quality depends on it, so that every other heuristic is also offered
//! *refined* by FORCE, and FORCE itself starts from the given order and from seeded random ones.
//!
//! The variant *with semiflows* adds each P-semiflow as an edge, so that invariants are short as well.
//!
//! **Complexity.** O(rounds · size): the sort is by buckets, as the means are spread over `0..places`.
//! Source: Aloul, Markov and Sakallah 2003, "FORCE: a fast and easy-to-implement variable-ordering
//! heuristic".

use super::lists::Lists;
use super::{Context, Order};

/// Edge members read per refinement, beyond a few rounds that every net gets.
const WORK: usize = 4_000_000;
/// Rounds without improvement before giving up.
const PATIENCE: usize = 12;

pub(super) fn from_given(context: &Context) -> Option<Order> {
    super::as_given::order(context).map(|start| refined(context, &start))
}

/// The best of several random starts.
pub(super) fn from_random(context: &Context) -> Option<Order> {
    let edges = context.places_of();
    let mut state = context.seed() ^ 0x9e37_79b9_7f4a_7c15;
    let starts = if context.size() < 2_000 { 8 } else { 2 };
    let tries = (0..starts).map(|_| {
        let mut order: Vec<u32> = (0..context.net().place_count() as u32).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, (next_random(&mut state) % (i as u64 + 1)) as usize);
        }
        relax(edges, order)
    });
    tries.min_by_key(|t| t.0).map(|t| Order::from_indices(t.1))
}

/// FORCE over transitions and P-semiflows, from the given order.
pub(super) fn with_semiflows(context: &Context) -> Option<Order> {
    if context.semiflows().is_empty() {
        return None;
    }
    super::as_given::order(context).map(|start| refined_with_semiflows(context, &start))
}

/// `start` improved by FORCE over the transitions.
pub(super) fn refined(context: &Context, start: &Order) -> Order {
    Order::from_indices(relax(context.places_of(), start.indices()).1)
}

/// `start` improved by FORCE over transitions and P-semiflows.
pub(super) fn refined_with_semiflows(context: &Context, start: &Order) -> Order {
    let mut edges = context.places_of().clone();
    let mut buffer = Vec::new();
    for flow in context.semiflows() {
        buffer.clear();
        buffer.extend(flow.weights.iter().map(|w| w.0.0));
        edges.push(&buffer);
    }
    Order::from_indices(relax(&edges, start.indices()).1)
}

/// The splitmix64 generator: small, and the same everywhere. Not [`crate::rng`]: with other starts there would be other
/// orders, and those that were measured (docs) are of these.
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Rounds of FORCE; the best sum of spans and its order.
fn relax(edges: &Lists, mut order: Vec<u32>) -> (u64, Vec<u32>) {
    let places = order.len();
    let mut position = vec![0u32; places];
    let (mut pull, mut arity) = (vec![0f64; places], vec![0u32; places]);
    for edge in edges.iter() {
        edge.iter().for_each(|&p| arity[p as usize] += 1);
    }
    let rounds = (WORK / edges.item_count().max(1)).clamp(5, 200);
    let mut best = (u64::MAX, Vec::new());
    let mut stale = 0;
    for _ in 0..=rounds {
        order.iter().enumerate().for_each(|(i, &p)| position[p as usize] = i as u32);
        pull.fill(0.0);
        let mut spans = 0u64;
        for edge in edges.iter() {
            let (mut sum, mut low, mut high) = (0u64, u32::MAX, 0);
            for &p in edge {
                let at = position[p as usize];
                sum += u64::from(at);
                (low, high) = (low.min(at), high.max(at));
            }
            if edge.is_empty() {
                continue;
            }
            spans += u64::from(high - low);
            let centre = sum as f64 / edge.len() as f64;
            edge.iter().for_each(|&p| pull[p as usize] += centre);
        }
        if spans < best.0 {
            best = (spans, order.clone());
            stale = 0;
        } else {
            stale += 1;
            if stale > PATIENCE {
                break;
            }
        }
        for p in 0..places {
            pull[p] = if arity[p] == 0 { f64::from(position[p]) } else { pull[p] / f64::from(arity[p]) };
        }
        order = sorted_by_pull(&order, &pull);
    }
    if best.1.is_empty() { (0, order) } else { best }
}

/// Stable sort of `order` by `pull`, whose values lie in `0..order.len()`: buckets of one unit, each sorted.
fn sorted_by_pull(order: &[u32], pull: &[f64]) -> Vec<u32> {
    let bucket = |p: u32| (pull[p as usize].max(0.0) as usize).min(order.len() - 1);
    let mut starts = vec![0u32; order.len() + 1];
    for &p in order {
        starts[bucket(p) + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut next = starts.clone();
    let mut sorted = vec![0u32; order.len()];
    for &p in order {
        let at = &mut next[bucket(p)];
        sorted[*at as usize] = p;
        *at += 1;
    }
    for w in starts.windows(2) {
        let members = &mut sorted[w[0] as usize..w[1] as usize];
        if members.len() > 1 {
            members.sort_by(|&a, &b| pull[a as usize].total_cmp(&pull[b as usize]));
        }
    }
    sorted
}
