//! A short random walk that tells how full places get, before the first marking is packed.
//!
//! Field widths can grow at any time, but each growth encodes the whole store anew; a few thousand random
//! firings find most widths while there is no store yet. The walk also counts how often each place is
//! marked: transitions are indexed by their least often marked input place (module `program`). Everything
//! found here is a hint: a wrong one costs time only.

use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::rng::Rng;

/// Observations of the walk.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// Largest count of each place.
    pub(super) max_tokens: Vec<u64>,
    /// In how many of the visited markings the place was marked.
    pub(super) marked: Vec<u32>,
    /// The visited markings' marked places, for [`Survey::exclusive`].
    samples: Vec<Vec<PlaceId>>,
}

/// Markings kept to test whether places exclude each other.
const SAMPLES: usize = 256;
/// Firings at most.
const STEPS: usize = 4096;
/// Arc inspections at most, so that huge nets are not walked for long.
const WORK: usize = 20_000_000;
/// The survey ends after this many firings without a new maximum.
const PATIENCE: usize = 512;
/// A walk starts over after this many firings.
const LENGTH: usize = 256;

impl Survey {
    /// Walk `net`. The walk is deterministic.
    pub(super) fn new(net: &PetriNet) -> Survey {
        let mut survey = Survey {
            max_tokens: net.places().iter().map(|p| p.initial).collect(),
            marked: vec![0; net.place_count()],
            samples: Vec::new(),
        };
        let steps = STEPS.min(WORK / (net.arc_count() + net.place_count() + 1));
        let mut rng = Rng::new(0);
        let mut marking = net.initial_marking();
        let mut enabled: Vec<TransitionId> = Vec::new();
        survey.visit(marking.as_slice());
        let mut last_new = 0;
        for step in 1..=steps {
            enabled.clear();
            enabled.extend(marking.enabled(net));
            let next = rng.pick(&enabled).copied().filter(|_| step % LENGTH != 0).and_then(|t| marking.fire(net, t));
            marking = next.unwrap_or_else(|| net.initial_marking());
            if survey.visit(marking.as_slice()) {
                last_new = step;
            } else if step - last_new >= PATIENCE {
                break;
            }
        }
        survey
    }

    /// Note a marking; does some place hold more than ever before?
    fn visit(&mut self, tokens: &[u64]) -> bool {
        let mut new = false;
        for ((max, marked), &n) in self.max_tokens.iter_mut().zip(&mut self.marked).zip(tokens) {
            new |= n > *max;
            *max = n.max(*max);
            *marked += u32::from(n > 0);
        }
        if self.samples.len() < SAMPLES {
            let marked = tokens.iter().enumerate().filter(|&(_, &n)| n > 0);
            self.samples.push(marked.map(|(p, _)| PlaceId(p as u32)).collect());
        }
        new
    }

    /// Was at most one of the `places` (sorted) marked at any time, as far as was seen?
    pub(super) fn exclusive(&self, places: &[PlaceId]) -> bool {
        self.samples.iter().all(|s| s.iter().filter(|p| places.binary_search(p).is_ok()).count() <= 1)
    }
}
