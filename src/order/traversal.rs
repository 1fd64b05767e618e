//! Breadth-first and depth-first traversals of the place graph: baselines, and starts for FORCE.
//!
//! Breadth-first order is Cuthill–McKee without the sorting by degree; depth-first order keeps chains of
//! places together. Roots are the marked places first, since token flow starts there.

use super::{Context, Order};

/// Marked places first, then the others.
fn roots(context: &Context) -> Vec<u32> {
    let places = context.net().places();
    let (mut marked, unmarked): (Vec<u32>, Vec<u32>) =
        (0..places.len() as u32).partition(|&p| places[p as usize].initial > 0);
    marked.extend(unmarked);
    marked
}

pub(super) fn breadth_first(context: &Context) -> Option<Order> {
    let graph = context.graph();
    let (mut seen, mut order) = (vec![0; graph.len()], Vec::with_capacity(graph.len()));
    for root in roots(context) {
        if seen[root as usize] == 0 {
            order.extend(graph.levels(root, &mut seen, 1).order);
        }
    }
    Some(Order::from_indices(order))
}

pub(super) fn depth_first(context: &Context) -> Option<Order> {
    let graph = context.graph();
    let (mut seen, mut order) = (vec![false; graph.len()], Vec::with_capacity(graph.len()));
    let mut stack = Vec::new();
    for root in roots(context) {
        stack.push(root);
        while let Some(v) = stack.pop() {
            if std::mem::replace(&mut seen[v as usize], true) {
                continue;
            }
            order.push(v);
            stack.extend(graph.neighbours(v).iter().rev().filter(|&&w| !seen[w as usize]));
        }
    }
    Some(Order::from_indices(order))
}
