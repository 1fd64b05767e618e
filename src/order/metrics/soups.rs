//! Sum of unique spans, and of unique and productive spans (SOUPS).
//!
//! **Problem.** The sum of spans counts a level once per transition even where transitions do the same there.
//!
//! **Idea.** Lay out each transition as the list of its effects (weights in, out, inhibitor) by level, from
//! the bottom up. Two transitions that agree on all levels up to some height share that lower part, as two
//! decision diagrams would; it is counted once (*unique*). A lower part that only tests changes nothing when
//! fired: it is not *productive* and not counted either. What is left of a transition is its part from the
//! top down to the highest shared or unproductive level. The empty levels above an effect belong to it; a
//! shared effect counts them at most once, as the tallest gap of those that share it, as part of the first.
//!
//! The levels counted can be weighted, e.g. by the number of invariants that cross them (SWIR).
//!
//! **Complexity.** O(size · log arity) with hashing. Source: Smith and Ciardo 2018, "SOUPS: a variable
//! ordering metric for the saturation algorithm"; for the weights Amparore, Ciardo, Donatelli and Miner
//! 2019, "i_Rank: a variable order metric for DEDS subject to linear invariants".

use crate::order::{Context, Order};
use rustc_hash::FxHashMap;

/// Sum over the transitions of the levels from their top down to the first that is shared.
pub fn sum_of_unique_spans(context: &Context, order: &Order) -> u64 {
    let mut sum = 0;
    unique_parts(context, order, false, |low, high| sum += u64::from(high - low));
    sum
}

/// Sum over the transitions of the levels from their top down to the first that is shared or unproductive.
pub fn sum_of_unique_productive_spans(context: &Context, order: &Order) -> u64 {
    let mut sum = 0;
    unique_parts(context, order, true, |low, high| sum += u64::from(high - low));
    sum
}

/// As [`sum_of_unique_productive_spans`], each level counted with its weight (`weights[0]` is the bottom
/// level).
pub fn unique_productive_weight(context: &Context, order: &Order, weights: &[f64]) -> f64 {
    let mut sums = Vec::with_capacity(weights.len() + 1);
    sums.push(0.0);
    for w in weights {
        sums.push(sums[sums.len() - 1] + w);
    }
    let mut sum = 0.0;
    unique_parts(context, order, true, |low, high| sum += sums[high as usize] - sums[low as usize]);
    sum
}

/// Call `part` with the intervals of levels `low < h ≤ high` that are unique (and productive).
fn unique_parts(context: &Context, order: &Order, productive: bool, mut part: impl FnMut(u32, u32)) {
    let height = order.heights();
    // A lower part is named by the effect at its top, that effect's height, and the name of what is below;
    // its value is its name and the tallest gap above it among the transitions that share it.
    let mut names: FxHashMap<(u64, u32), (u32, u32)> = FxHashMap::default();
    names.reserve(context.places_of().item_count());
    let mut levels: Vec<(u32, u32)> = Vec::new();
    // What is to be counted, as (height, name): the unique and productive tops of all transitions.
    let mut counted: Vec<(u32, u32)> = Vec::new();
    let mut tallest: Vec<u32> = vec![0];
    let effects = context.effects();
    for (t, places) in context.places_of().iter().enumerate() {
        // Whoever measures looks at the budget, too: what is found then is of no use.
        if t % 4096 == 0 && context.check().is_err() {
            return;
        }
        levels.clear();
        levels.extend(places.iter().zip(effects.of(t)).map(|(&p, &e)| (height[p as usize], e)));
        levels.sort_unstable();
        let (mut below, mut active, start) = (0, !productive, counted.len());
        for (i, &(h, effect)) in levels.iter().enumerate() {
            active |= effects.changes(effect);
            let gap = levels.get(i + 1).map_or(0, |above| above.0 - h - 1);
            let fresh = tallest.len() as u32;
            let key = (u64::from(below) << 32 | u64::from(effect), h);
            let name = names.entry(key).or_insert((fresh, 0)).0;
            below = name;
            if name == fresh {
                tallest.push(gap);
            } else {
                tallest[name as usize] = tallest[name as usize].max(gap);
            }
            if name == fresh && active {
                counted.push((h, name));
            } else {
                counted.truncate(start);
            }
        }
    }
    for (h, name) in counted {
        part(h - 1, h + tallest[name as usize]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::net::{NetBuilder, PetriNet};
    use crate::order::Order;
    use crate::structure::random_nets::nets;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Effects (height, in, out, inhibitor) of each transition, from the bottom up.
    fn effects(net: &PetriNet, order: &Order) -> Vec<Vec<(u32, u64, u64, u64)>> {
        let height = order.heights();
        let weight = |arcs: &[crate::net::Arc], p| arcs.iter().find(|a| a.place == p).map_or(0, |a| a.weight);
        let of = |t: &crate::net::Transition| {
            let mut list: Vec<_> = net
                .place_ids()
                .map(|p| (height[p.index()], weight(&t.pre, p), weight(&t.post, p), weight(&t.inhibitors, p)))
                .filter(|e| (e.1, e.2, e.3) != (0, 0, 0))
                .collect();
            list.sort_unstable();
            list
        };
        net.transitions().iter().map(of).collect()
    }

    /// By the definition: cell by cell, with whole prefixes as names.
    fn naive(net: &PetriNet, order: &Order, productive: bool) -> u64 {
        let all = effects(net, order);
        let mut gaps: HashMap<Vec<(u32, u64, u64, u64)>, u32> = HashMap::new();
        for e in &all {
            for i in 0..e.len() {
                let gap = if i + 1 < e.len() { e[i + 1].0 - e[i].0 - 1 } else { 0 };
                let known = gaps.entry(e[..=i].to_vec()).or_insert(0);
                *known = (*known).max(gap);
            }
        }
        let mut sum = 0;
        for (t, e) in all.iter().enumerate() {
            for i in (0..e.len()).rev() {
                let prefix = &e[..=i];
                let shared = all[..t].iter().any(|other| other.starts_with(prefix));
                if shared || productive && prefix.iter().all(|x| x.1 == x.2) {
                    break;
                }
                sum += u64::from(1 + gaps[prefix]);
            }
        }
        sum
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(net in nets(7, 7), seed in 0u64..1000) {
            let budget = Budget::unlimited();
            let context = Context::new(&net, &budget, seed);
            let given = Order::as_given(&net);
            for order in [given.reversed(), given] {
                prop_assert_eq!(sum_of_unique_spans(&context, &order), naive(&net, &order, false));
                prop_assert_eq!(sum_of_unique_productive_spans(&context, &order), naive(&net, &order, true));
                let ones = vec![1.0; net.place_count()];
                let weighted = unique_productive_weight(&context, &order, &ones);
                prop_assert_eq!(weighted, naive(&net, &order, true) as f64);
            }
        }
    }

    #[test]
    fn shared_lower_parts_count_once() {
        let mut b = NetBuilder::new("shared");
        let p: Vec<_> = (0..4).map(|i| b.place(format!("p{i}"), 1).unwrap()).collect();
        // Both take from p3 (the bottom level); one puts into p0, the other into p1.
        for (i, to) in [0, 1].into_iter().enumerate() {
            let t = b.transition(format!("t{i}")).unwrap();
            b.input(p[3], t, 1).unwrap();
            b.output(t, p[to], 1).unwrap();
        }
        let net = b.build().unwrap();
        let budget = Budget::unlimited();
        let context = Context::new(&net, &budget, 0);
        // Spans 4 + 3; the second shares the bottom level and the gap, and keeps its top level.
        assert_eq!(sum_of_unique_spans(&context, &Order::as_given(&net)), 5);
    }
}
