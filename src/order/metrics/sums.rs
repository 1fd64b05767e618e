//! Sum of tops and sum of spans: the oldest metrics of orders for saturation.
//!
//! *SOT* adds up the top level of each transition: events low in the diagram saturate first and touch few
//! nodes. *SOS* adds up the number of levels each transition spans. Both are linear to compute and know
//! nothing of sharing between transitions. Sources: Siminiceanu and Ciardo 2006, "New metrics for static
//! variable ordering in decision diagrams"; Smith and Ciardo 2018, "SOUPS: a variable ordering metric for
//! the saturation algorithm".

use crate::order::{Context, Order};

/// Sum over the transitions of their top level.
pub fn sum_of_tops(context: &Context, order: &Order) -> u64 {
    spans(context, order).map(|(_, top)| top).sum()
}

/// Sum over the transitions of the levels they span.
pub fn sum_of_spans(context: &Context, order: &Order) -> u64 {
    spans(context, order).map(|(bottom, top)| top - bottom + 1).sum()
}

/// Lowest and highest level of each transition that touches a place.
pub(super) fn spans(context: &Context, order: &Order) -> impl Iterator<Item = (u64, u64)> {
    let height = order.heights();
    context.places_of().iter().filter(|places| !places.is_empty()).map(move |places| {
        let (mut low, mut high) = (u64::MAX, 0);
        for &p in places {
            let h = u64::from(height[p as usize]);
            (low, high) = (low.min(h), high.max(h));
        }
        (low, high)
    })
}
