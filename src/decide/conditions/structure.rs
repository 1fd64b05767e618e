//! The structure of a net: semiflows, and bounds of sums of places that follow from them.

use crate::budget::{Budget, Exhausted};
use crate::net::{PetriNet, PlaceId};
use crate::structure::{Effort, Flows, PSemiflow, PlaceBounds, p_semiflows};

/// The search for semiflows: a fraction of a second.
const SEMIFLOWS: Effort = Effort { rows: 50_000, work: 10_000_000 };
/// The part of the time that semiflows may take.
const PART: u32 = 20;

/// Facts from the structure of a net.
pub(in crate::decide) struct Structure {
    semiflows: Flows<PSemiflow>,
    /// Bounds of places.
    pub(in crate::decide) bounds: PlaceBounds,
}

impl Structure {
    /// Find semiflows, or some of them.
    ///
    /// # Errors
    /// When the whole budget is used up.
    pub(in crate::decide) fn new(net: &PetriNet, budget: &Budget) -> Result<Self, Exhausted> {
        let semiflows = match p_semiflows(net, SEMIFLOWS, &budget.part(1, PART)) {
            Ok(semiflows) => semiflows,
            Err(_) => {
                budget.check()?;
                Flows { flows: Vec::new(), complete: false }
            }
        };
        let bounds = PlaceBounds::new(net, &semiflows.flows);
        Ok(Structure { semiflows, bounds })
    }

    /// An upper bound of the sum of the tokens in `places`, if there is one.
    pub(in crate::decide) fn bound(&self, places: &[PlaceId]) -> Option<u128> {
        let sum = places.iter().try_fold(0u128, |sum, &place| Some(sum + u128::from(self.bounds.of(place)?)));
        // A semiflow that has each of the places at least as often as listed bounds their sum as a whole.
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        let covers = |flow: &&PSemiflow| {
            let weight = |place| flow.weights.binary_search_by_key(&place, |&(p, _)| p).map(|i| flow.weights[i].1);
            let mut listed = sorted.chunk_by(|a, b| a == b);
            listed.all(|same| weight(same[0]).is_ok_and(|weight| weight >= same.len() as u64))
        };
        let whole = self.semiflows.flows.iter().filter(covers).map(|flow| flow.tokens).min();
        sum.into_iter().chain(whole).min()
    }
}
