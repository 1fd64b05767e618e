//! Normalized and weighted event spans.
//!
//! *NES* is the sum of spans divided by (levels · transitions): between 0 and 1, comparable between nets.
//! *WES* weighs each span by how high it lies, `(top / (levels / 2))^i · span`: high events cost more, since
//! all the nodes below them are rebuilt. The exponent is 1 here, as in the papers' experiments.
//!
//! Source: Siminiceanu and Ciardo 2006, "New metrics for static variable ordering in decision diagrams".

use super::sums::spans;
use crate::order::{Context, Order};

/// Sum of spans over levels times transitions.
pub fn normalized_event_span(context: &Context, order: &Order) -> f64 {
    let sum: u64 = spans(context, order).map(|(bottom, top)| top - bottom + 1).sum();
    sum as f64 / area(context)
}

/// Sum of spans, each weighted by its relative height, over levels times transitions.
pub fn weighted_event_span(context: &Context, order: &Order) -> f64 {
    let levels = context.net().place_count() as f64;
    let weighted = spans(context, order).map(|(b, t)| 2.0 * t as f64 / levels * (t - b + 1) as f64);
    weighted.sum::<f64>() / area(context)
}

fn area(context: &Context) -> f64 {
    (context.net().place_count().max(1) * context.net().transition_count().max(1)) as f64
}
