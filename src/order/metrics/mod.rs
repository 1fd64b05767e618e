//! Metrics of orders: cheap numbers that foretell how large the diagrams will be. Smaller is better.
//!
//! Levels are counted from 1 at the bottom. A transition *spans* the levels from its lowest to its highest
//! place. Metrics of spans foretell the cost of firing, metrics of invariants the number of nodes.
//!
//! Which of them to trust is measured, not guessed: see `choice`.

mod delays;
mod event_spans;
mod invariants;
mod point_spans;
mod soups;
mod sums;

pub use delays::sum_of_delays;
pub use event_spans::{normalized_event_span, weighted_event_span};
pub use invariants::{InvariantSpans, invariant_spans};
pub use point_spans::{point_transition_spans, semiflow_spans};
pub use soups::{sum_of_unique_productive_spans, sum_of_unique_spans, unique_productive_weight};
pub use sums::{sum_of_spans, sum_of_tops};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::order::{Context, Order};
    use crate::structure::random_nets::nets;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn span_metrics_agree_with_their_definitions(net in nets(7, 7), down in any::<bool>()) {
            let budget = Budget::unlimited();
            let context = Context::new(&net, &budget, 0);
            let given = Order::as_given(&net);
            let order = if down { given.reversed() } else { given };
            let places = order.as_slice();
            // Cell by cell: which levels (1 is the bottom) a transition spans.
            let level = |i: usize| (places.len() - i) as u64;
            let (mut sot, mut sos, mut wes, mut pts) = (0, 0, 0.0, 0.0);
            for t in net.transitions() {
                let touches = |p| t.pre.iter().chain(&t.post).chain(&t.inhibitors).any(|a| a.place == p);
                let levels: Vec<u64> = (0..places.len()).filter(|&i| touches(places[i])).map(level).collect();
                let (Some(&top), Some(&bottom)) = (levels.first(), levels.last()) else { continue };
                let span = (bottom..=top).count() as u64;
                sot += top;
                sos += span;
                wes += top as f64 / (places.len() as f64 / 2.0) * span as f64;
                let centre = levels.iter().sum::<u64>() as f64 / levels.len() as f64;
                pts += levels.iter().map(|&l| (l as f64 - centre).abs()).sum::<f64>() / levels.len() as f64;
            }
            let area = (places.len().max(1) * net.transition_count().max(1)) as f64;
            prop_assert_eq!(sum_of_tops(&context, &order), sot);
            prop_assert_eq!(sum_of_spans(&context, &order), sos);
            prop_assert!((normalized_event_span(&context, &order) - sos as f64 / area).abs() < 1e-9);
            prop_assert!((weighted_event_span(&context, &order) - wes / area).abs() < 1e-9);
            prop_assert!((point_transition_spans(&context, &order) - pts).abs() < 1e-9);
            let psf: usize = context
                .semiflows()
                .iter()
                .map(|f| {
                    let inside = |i: &usize| f.weights.iter().any(|w| w.0 == places[*i]);
                    let first = (0..places.len()).find(inside).unwrap_or(0);
                    let last = (0..places.len()).rev().find(inside).unwrap_or(0);
                    last - first + 1
                })
                .sum();
            prop_assert_eq!(semiflow_spans(&context, &order), psf as u64);
        }
    }
}
