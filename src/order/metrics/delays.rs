//! Sum of delays: how long the lower part of the diagram waits for tokens from above.
//!
//! **Problem.** An order and its reverse have diagrams of nearly the same final size, and the metrics of
//! spans hardly tell them apart; yet saturation may create 3 366 nodes under one and 304 662 under the other
//! (Kanban with 50 cards). Saturation closes the lower levels under their own events before it fires the
//! events above. Where tokens enter from *below*, the closed lower part is complete at once and later firings
//! add nothing to it. Where they enter from *above*, one token after the other, the lower part is rebuilt
//! for every number of tokens that has arrived.
//!
//! **Idea.** For each level let in the events with their top at or below it and see which of them can occur
//! at all, tokens never being taken away (the relaxation of planners that ignores what firing deletes). An
//! event that becomes possible only after higher levels have joined is delayed by their number. The sum over
//! the events that ever become possible is the metric. Inhibitor arcs are ignored.
//!
//! **Complexity.** Linear: levels join from the bottom up and possibilities only grow.
//!
//! This metric is our own; it was found by comparing orders with their reverses on the nets of the Model
//! Checking Contest (see `choice` for what it is worth).

use crate::order::{Context, Order};

/// Sum over the transitions of the number of levels above their top that must join before they can fire.
pub fn sum_of_delays(context: &Context, order: &Order) -> u64 {
    let net = context.net();
    let height = order.heights();
    // Transitions by their top level; places by level.
    let mut by_top: Vec<Vec<u32>> = vec![Vec::new(); net.place_count() + 1];
    let mut top = vec![0u32; net.transition_count()];
    for (t, places) in context.places_of().iter().enumerate() {
        top[t] = places.iter().map(|&p| height[p as usize]).max().unwrap_or(0);
        by_top[top[t] as usize].push(t as u32);
    }
    let mut marked: Vec<bool> = net.places().iter().map(|p| p.initial > 0).collect();
    // Input places still empty, per transition; transitions waiting for each place.
    let mut missing = vec![0u32; net.transition_count()];
    let mut sum = 0;
    let mut fire = Vec::new();
    for (level, starting) in by_top.iter().enumerate().skip(1) {
        // Whoever measures looks at the budget, too: what is found then is of no use.
        if level % 256 == 0 && context.check().is_err() {
            break;
        }
        for &t in starting {
            let pre = &net.transitions()[t as usize].pre;
            missing[t as usize] = pre.iter().filter(|a| !marked[a.place.index()]).count() as u32;
            if missing[t as usize] == 0 {
                fire.push(t);
            }
        }
        while let Some(t) = fire.pop() {
            sum += (level as u64).saturating_sub(u64::from(top[t as usize]));
            for a in &net.transitions()[t as usize].post {
                if std::mem::replace(&mut marked[a.place.index()], true) {
                    continue;
                }
                for &u in context.consumers_of().get(a.place.index()) {
                    if top[u as usize] as usize <= level {
                        missing[u as usize] = missing[u as usize].saturating_sub(1);
                        if missing[u as usize] == 0 {
                            fire.push(u);
                        }
                    }
                }
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::net::PetriNet;
    use crate::structure::random_nets::nets;
    use proptest::prelude::*;

    /// By the definition: a fresh fixpoint for every level.
    fn naive(net: &PetriNet, order: &Order) -> u64 {
        let height = order.heights();
        let top = |t: &crate::net::Transition| {
            t.pre.iter().chain(&t.post).chain(&t.inhibitors).map(|a| height[a.place.index()]).max().unwrap_or(0)
        };
        let mut first = vec![None; net.transition_count()];
        for level in 0..=net.place_count() as u32 {
            let mut marked: Vec<bool> = net.places().iter().map(|p| p.initial > 0).collect();
            for _ in 0..=net.transition_count() {
                for (i, t) in net.transitions().iter().enumerate() {
                    if top(t) <= level && t.pre.iter().all(|a| marked[a.place.index()]) {
                        t.post.iter().for_each(|a| marked[a.place.index()] = true);
                        first[i].get_or_insert(level);
                    }
                }
            }
        }
        net.transitions().iter().zip(first).filter_map(|(t, l)| Some(u64::from(l? - top(t)))).sum()
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(net in nets(7, 7)) {
            let budget = Budget::unlimited();
            let context = Context::new(&net, &budget, 0);
            for order in [Order::as_given(&net), Order::as_given(&net).reversed()] {
                prop_assert_eq!(sum_of_delays(&context, &order), naive(&net, &order));
            }
        }
    }
}
