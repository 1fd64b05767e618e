//! Bounds of places from P-semiflows.
//!
//! If `Σ w(q)·m(q) = K` in every reachable marking with all weights natural, then `m(p) ≤ K / w(p)` for every
//! place *p* of its support. The least of these over all known semiflows bounds the place. A net all of
//! whose places are bounded so is bounded; the converse does not hold, so a place without such a bound may
//! still be bounded.

use super::PSemiflow;
use crate::net::{PetriNet, PlaceId};

/// Upper bounds of places that follow from P-semiflows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceBounds(Vec<Option<u64>>);

impl PlaceBounds {
    /// The bounds that `semiflows` give the places of `net`.
    pub fn new(net: &PetriNet, semiflows: &[PSemiflow]) -> Self {
        let mut bounds = vec![None; net.place_count()];
        for flow in semiflows {
            for &(p, weight) in &flow.weights {
                let most = u64::try_from(flow.tokens / u128::from(weight.max(1))).ok();
                let bound: &mut Option<u64> = &mut bounds[p.index()];
                *bound = match (*bound, most) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
            }
        }
        PlaceBounds(bounds)
    }

    /// No reachable marking has more tokens in `place` than this; `None` where no semiflow covers it.
    pub fn of(&self, place: PlaceId) -> Option<u64> {
        self.0[place.index()]
    }

    /// The bounds of all places, in place order.
    pub fn as_slice(&self) -> &[Option<u64>] {
        &self.0
    }

    /// Is every place covered, so that the net is certainly bounded?
    pub fn all_bounded(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::structure::random_nets::{nets, walk};
    use crate::structure::{Effort, p_semiflows};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_walk_exceeds_a_bound(net in nets(6, 6), picks in prop::collection::vec(0usize..100, 40)) {
            let flows = p_semiflows(&net, Effort::default(), &Budget::unlimited()).unwrap().flows;
            let bounds = PlaceBounds::new(&net, &flows);
            for marking in walk(&net, &picks) {
                for p in net.place_ids() {
                    prop_assert!(bounds.of(p).is_none_or(|b| marking.tokens(p) <= b));
                }
            }
            prop_assert_eq!(bounds.all_bounded(), bounds.as_slice().iter().all(Option::is_some));
        }
    }

    #[test]
    fn weights_divide_the_bound() {
        // p -> 2 q with three tokens: 2p + q = 6.
        let mut b = crate::net::NetBuilder::new("weights");
        let p = b.place("p", 3).unwrap();
        let q = b.place("q", 0).unwrap();
        let free = b.place("free", 0).unwrap();
        let t = b.transition("t").unwrap();
        b.input(p, t, 1).unwrap();
        b.output(t, q, 2).unwrap();
        let make = b.transition("make").unwrap();
        b.output(make, free, 1).unwrap();
        let net = b.build().unwrap();
        let flows = p_semiflows(&net, Effort::default(), &Budget::unlimited()).unwrap().flows;
        let bounds = PlaceBounds::new(&net, &flows);
        assert_eq!(bounds.as_slice(), [Some(3), Some(6), None]);
        assert_eq!(bounds.as_slice()[free.index()], None);
    }
}
