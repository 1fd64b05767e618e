//! P-semiflow chaining: places in the order of a chain of overlapping semiflows.
//!
//! The places of a semiflow constrain one another: once all but one are known, the last is too. Keeping them
//! together keeps the number of partial sums to remember small. Start with the semiflow that shares the
//! fewest places with others; then always take the semiflow that shares the most places with those chained
//! already, recently placed ones counting first, and append its new places: those shared with waiting
//! semiflows last, so that links lie next to each other. Uncovered places follow their neighbours at the end.
//!
//! Complexity O(S log S) in the total size S of the semiflows, times the number of semiflows a place is in;
//! a limit of work ends the refreshing of overlaps. Source: the idea is that of P-chaining in Amparore,
//! Beccuti and Donatelli 2014, "(Stochastic) model checking in GreatSPN"; the linking rule here is our own.

use super::lists::Lists;
use super::{Context, Order};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) fn order(context: &Context) -> Option<Order> {
    let semiflows = context.semiflows();
    if semiflows.is_empty() {
        return None;
    }
    let mut members = Lists::default();
    let mut buffer = Vec::new();
    for flow in semiflows {
        buffer.clear();
        buffer.extend(flow.weights.iter().map(|w| w.0.0));
        members.push(&buffer);
    }
    let flows_of = members.transposed(context.net().place_count());
    let shared = |f: usize| members.get(f).iter().filter(|&&p| flows_of.get(p as usize).len() > 1).count();
    let (mut done, mut placed) = (vec![false; members.len()], vec![false; context.net().place_count()]);
    // Waiting semiflows by overlap with what is placed, then by the last step that added to it.
    let mut overlap = vec![(0usize, 0usize); members.len()];
    let mut heap: BinaryHeap<((usize, usize), Reverse<usize>)> = BinaryHeap::new();
    let mut starts: Vec<usize> = (0..members.len()).collect();
    starts.sort_by_key(|&f| (shared(f), f));
    let mut starts = starts.into_iter();
    let mut order = Vec::with_capacity(context.net().place_count());
    let mut work = 100_000 + 100 * members.item_count();
    loop {
        let next = match heap.pop() {
            Some((at, Reverse(f))) if !done[f] && at == overlap[f] => f,
            Some(_) => continue,
            None => match starts.find(|&f| !done[f]) {
                Some(f) => f,
                None => break,
            },
        };
        done[next] = true;
        // New places: first those of no other waiting semiflow, links to others last.
        let waiting = |p: u32| flows_of.get(p as usize).iter().filter(|&&f| !done[f as usize]).count();
        let mut fresh: Vec<(usize, u32)> = Vec::new();
        for &p in members.get(next).iter().filter(|&&p| !placed[p as usize]) {
            work = work.saturating_sub(flows_of.get(p as usize).len());
            fresh.push((if work > 0 { waiting(p) } else { 0 }, p));
        }
        fresh.sort_unstable();
        for &(_, p) in &fresh {
            placed[p as usize] = true;
            order.push(p);
            if work == 0 {
                continue;
            }
            for &f in flows_of.get(p as usize).iter().filter(|&&f| !done[f as usize]) {
                let at = &mut overlap[f as usize];
                *at = (at.0 + 1, order.len());
                heap.push((*at, Reverse(f as usize)));
            }
        }
    }
    Some(Order::from_indices(append_uncovered(context, order, &mut placed)))
}

/// Insert each place that is not placed yet after the last of its placed neighbours, or at the end.
pub(super) fn append_uncovered(context: &Context, order: Vec<u32>, placed: &mut [bool]) -> Vec<u32> {
    if order.len() == placed.len() {
        return order;
    }
    let mut position = vec![usize::MAX; placed.len()];
    order.iter().enumerate().for_each(|(i, &p)| position[p as usize] = i);
    let graph = context.graph();
    let mut keyed: Vec<(usize, bool, u32)> = order.iter().map(|&p| (position[p as usize], false, p)).collect();
    for p in (0..placed.len() as u32).filter(|&p| !placed[p as usize]) {
        let near = graph.neighbours(p).iter().map(|&q| position[q as usize]).filter(|&i| i != usize::MAX);
        keyed.push((near.max().unwrap_or(usize::MAX), true, p));
    }
    placed.fill(true);
    keyed.sort_unstable();
    keyed.into_iter().map(|k| k.2).collect()
}
