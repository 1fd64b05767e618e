//! Sloan's order: a compromise between global distance and local wavefront.
//!
//! Start at one end *s* of a pseudo-diameter, *e* the other. Each vertex has the priority
//! `W1·distance(v, e) − W2·(current degree)`, where the current degree counts the vertices it would add to
//! the front. Next is always the active or preactive vertex of highest priority. Sloan proposes W1 = 1 and
//! W2 = 2 for profile; a large W1 follows the levels, a large W2 the wavefront. Two weightings are offered,
//! 2:1 in favour of the local term and 1:16, which often suits wide nets.
//!
//! Complexity O(E log V). Source: Sloan 1986, "An algorithm for profile and wavefront reduction of sparse
//! matrices".

use super::graph::Graph;
use super::{Context, Order};
use std::collections::BinaryHeap;

pub(super) fn order(context: &Context) -> Option<Order> {
    Some(Order::from_indices(weighted(context.graph(), 1, 2)))
}

pub(super) fn distant(context: &Context) -> Option<Order> {
    Some(Order::from_indices(weighted(context.graph(), 16, 1)))
}

pub(super) fn local(context: &Context) -> Option<Order> {
    Some(Order::from_indices(weighted(context.graph(), 1, 16)))
}

#[derive(Clone, Copy, PartialEq)]
enum Status {
    Inactive,
    /// Adjacent to an active vertex.
    Preactive,
    /// Adjacent to a numbered vertex.
    Active,
    Numbered,
}

/// Sloan's numbering with weights for the distance and for the degree.
fn weighted(graph: &Graph, distance_weight: i64, degree_weight: i64) -> Vec<u32> {
    let (mut seen, mut stamp) = (vec![0; graph.len()], 0);
    let mut status = vec![Status::Inactive; graph.len()];
    let mut priority = vec![0i64; graph.len()];
    graph.by_component(|v| {
        let (start, end, _) = graph.pseudo_diameter(v, &mut seen, &mut stamp);
        stamp += 1;
        let from_end = graph.levels(end, &mut seen, stamp);
        let mut distance = 0;
        for (i, &w) in from_end.order.iter().enumerate() {
            if i == from_end.ends[distance] {
                distance += 1;
            }
            priority[w as usize] = distance_weight * distance as i64 - degree_weight * (graph.degree(w) as i64 + 1);
        }
        let mut heap = BinaryHeap::new();
        let mut order = Vec::with_capacity(from_end.order.len());
        status[start as usize] = Status::Preactive;
        heap.push((priority[start as usize], std::cmp::Reverse(start)));
        while let Some((at, std::cmp::Reverse(v))) = heap.pop() {
            if status[v as usize] == Status::Numbered || at != priority[v as usize] {
                continue;
            }
            let mut raise = |w: u32, status: &mut [Status]| {
                priority[w as usize] += degree_weight;
                if status[w as usize] == Status::Inactive {
                    status[w as usize] = Status::Preactive;
                }
                heap.push((priority[w as usize], std::cmp::Reverse(w)));
            };
            let was = std::mem::replace(&mut status[v as usize], Status::Numbered);
            order.push(v);
            if was == Status::Preactive {
                for &w in graph.neighbours(v) {
                    if status[w as usize] != Status::Numbered {
                        raise(w, &mut status);
                    }
                }
            }
            for &w in graph.neighbours(v) {
                if status[w as usize] == Status::Preactive {
                    status[w as usize] = Status::Active;
                    raise(w, &mut status);
                    for &x in graph.neighbours(w) {
                        if status[x as usize] != Status::Numbered {
                            raise(x, &mut status);
                        }
                    }
                }
            }
        }
        order
    })
}
