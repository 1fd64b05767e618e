//! Point-transition spans and semiflow spans.
//!
//! *PTS* is what FORCE minimises: for each transition the mean distance of its places from their centre of
//! gravity, added up. *PSF* adds up the levels that each P-semiflow spans: a semiflow's partial sum has to be
//! remembered in the nodes of every level between its first and last place. Sources: Aloul, Markov and
//! Sakallah 2003 (FORCE); Amparore, Donatelli, Beccuti, Garbi and Miner 2018, "Decision diagrams for Petri
//! nets: a comparison of variable ordering algorithms".

use crate::order::{Context, Order};

/// Sum over the transitions of the mean distance of their places from their centre.
pub fn point_transition_spans(context: &Context, order: &Order) -> f64 {
    let height = order.heights();
    let at = |p: &u32| f64::from(height[*p as usize]);
    let mut sum = 0.0;
    for places in context.places_of().iter().filter(|p| !p.is_empty()) {
        let count = places.len() as f64;
        let centre = places.iter().map(at).sum::<f64>() / count;
        sum += places.iter().map(|p| (at(p) - centre).abs()).sum::<f64>() / count;
    }
    sum
}

/// Sum over the known P-semiflows of the levels they span.
pub fn semiflow_spans(context: &Context, order: &Order) -> u64 {
    let height = order.heights();
    let mut sum = 0;
    for flow in context.semiflows() {
        let heights = flow.weights.iter().map(|w| u64::from(height[w.0.index()]));
        let (low, high) = heights.fold((u64::MAX, 0), |(l, h), x| (l.min(x), h.max(x)));
        sum += (high + 1).saturating_sub(low);
    }
    sum
}
