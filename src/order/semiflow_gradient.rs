//! Gradient on P-semiflows: follow a gradient between two far ends of the net, semiflow by semiflow.
//!
//! A pseudo-diameter of the place graph gives each place a height: its distance from one end minus its
//! distance from the other. Semiflows (or, where a net comes with them, other groups of places) are taken by
//! the mean height of their places not placed yet, and each contributes those in order of height. The result
//! is Sloan's global direction with the places of an invariant kept together.
//!
//! Complexity O(S log S) in the total size of the semiflows. Source: the heuristic GradP of Amparore,
//! Beccuti and Donatelli 2017, "Gradient-based variable ordering of decision diagrams for systems with
//! structural units".

use super::semiflow_chain::append_uncovered;
use super::{Context, Order};

pub(super) fn order(context: &Context) -> Option<Order> {
    let semiflows = context.semiflows();
    if semiflows.is_empty() {
        return None;
    }
    let groups: Vec<Vec<u32>> = semiflows.iter().map(|f| f.weights.iter().map(|w| w.0.0).collect()).collect();
    along_gradient(context, &groups)
}

/// The places of `groups` in order of their groups' mean height, then the others near their neighbours.
pub(super) fn along_gradient(context: &Context, groups: &[Vec<u32>]) -> Option<Order> {
    let height = heights(context);
    let mean = |group: &[u32]| -> i64 {
        let sum: i64 = group.iter().map(|&p| height[p as usize]).sum();
        // In 2^16ths, so that means sort as integers.
        (sum << 16) / (group.len().max(1) as i64)
    };
    let mut sorted: Vec<(i64, usize, &Vec<u32>)> = groups.iter().map(|g| (mean(g), g.len(), g)).collect();
    sorted.sort();
    let mut placed = vec![false; context.net().place_count()];
    let mut order = Vec::with_capacity(placed.len());
    for (_, _, group) in sorted {
        let mut fresh: Vec<u32> = group.iter().copied().filter(|&p| !placed[p as usize]).collect();
        fresh.sort_by_key(|&p| (height[p as usize], p));
        for p in fresh {
            if !std::mem::replace(&mut placed[p as usize], true) {
                order.push(p);
            }
        }
    }
    Some(Order::from_indices(append_uncovered(context, order, &mut placed)))
}

/// The height of each place; components lie one above the other.
fn heights(context: &Context) -> Vec<i64> {
    let graph = context.graph();
    let (mut seen, mut stamp) = (vec![0; graph.len()], 0);
    let mut height = vec![0i64; graph.len()];
    let mut base = 0;
    graph.by_component(|v| {
        let (_, end, from_start) = graph.pseudo_diameter(v, &mut seen, &mut stamp);
        stamp += 1;
        let from_end = graph.levels(end, &mut seen, stamp);
        let depth = from_start.depth().max(from_end.depth()) as i64;
        for (levels, sign) in [(&from_start, 1), (&from_end, -1)] {
            let mut distance = 0;
            for (i, &w) in levels.order.iter().enumerate() {
                if i == levels.ends[distance] {
                    distance += 1;
                }
                height[w as usize] += sign * distance as i64;
            }
        }
        from_start.order.iter().for_each(|&w| height[w as usize] += base);
        base += 2 * depth + 1;
        from_start.order
    });
    height
}
