//! The meaning of a marking of the reduced net for the net: which places share its tokens, and which are sums.

use super::{Counting, Tokens};
use crate::net::PlaceId;
use std::collections::BTreeMap;

/// The places of the net behind those of the reduced net, for someone who sees some of them.
///
/// Each way to divide the tokens of each place of the reduced net among its parts, with the sums that belong to it, is that
/// of a reachable marking of the net, and there are no others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// For each place of the reduced net its parts.
    pub parts: Vec<Vec<Part>>,
    /// The places that are seen and are sums.
    pub sums: Vec<PartSum>,
}

/// A place of the net, or some whose tokens together are all that is seen of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The places.
    pub places: Vec<PlaceId>,
    /// The sums that they are counted in, by their index, ascending; and with which weight, not 0.
    pub terms: Vec<(u32, i128)>,
}

/// A place whose tokens are `(constant + Σ weight · part) / divisor`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartSum {
    /// The place.
    pub place: PlaceId,
    /// Constant added to the sum.
    pub constant: i128,
    /// Divisor of the sum, above 0.
    pub divisor: i128,
}

impl Counting {
    /// The parts and sums that the places of the reduced net stand for, as far as these places of the net are observed.
    pub fn parts(&self, is_seen: impl Fn(PlaceId) -> bool) -> Parts {
        let mut sums = Vec::new();
        let mut terms: Vec<Vec<(u32, i128)>> = vec![Vec::new(); self.places.len()];
        let places = || (0..).map(PlaceId).zip(&self.places);
        for (place, tokens) in places() {
            let Tokens::Sum(sum) = tokens else { continue };
            if is_seen(place) {
                let counted = sum.terms.iter().filter(|(_, weight)| **weight != 0);
                counted.for_each(|(&leaf, &weight)| terms[leaf].push((sums.len() as u32, weight)));
                sums.push(PartSum { place, constant: sum.constant, divisor: sum.divisor });
            }
        }
        // Those that are counted in the same way and are not seen need not be told apart.
        let mut together: BTreeMap<(PlaceId, Vec<(u32, i128)>), usize> = BTreeMap::new();
        let mut parts: Vec<Vec<Part>> = vec![Vec::new(); self.leaves.len()];
        for ((place, tokens), terms) in places().zip(terms) {
            let Tokens::In(at) = *tokens else { continue };
            let parts = &mut parts[at.index()];
            if !is_seen(place) {
                let number = *together.entry((at, terms.clone())).or_insert(parts.len());
                if let Some(part) = parts.get_mut(number) {
                    part.places.push(place);
                    continue;
                }
            }
            parts.push(Part { places: vec![place], terms });
        }
        Parts { parts, sums }
    }
}
