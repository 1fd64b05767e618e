//! The data of one net that heuristics and metrics share: who touches whom, semiflows, the place graph.
//!
//! Everything beyond the two touch lists is computed on first use and kept. All limits are counts of work,
//! never the clock, so that the same net and seed give the same orders everywhere.

use super::effects::Effects;
use super::graph::Graph;
use super::lists::Lists;
use crate::budget::{Budget, Exhausted};
use crate::net::{PetriNet, PlaceId};
use crate::structure::{Effort, Flows, PFlow, PSemiflow, PlaceBounds, p_flows, p_semiflows};
use std::sync::OnceLock;

/// A net with the data that heuristics and metrics ask about it.
#[derive(Debug)]
pub struct Context<'a> {
    net: &'a PetriNet,
    budget: &'a Budget,
    seed: u64,
    places_of: Lists,
    effects: OnceLock<Effects>,
    consumers_of: OnceLock<Lists>,
    graph: OnceLock<Graph>,
    semiflows: OnceLock<Flows<PSemiflow>>,
    flows: OnceLock<Vec<PFlow>>,
    bounds: OnceLock<PlaceBounds>,
}

impl<'a> Context<'a> {
    /// The context of `net`. The seed drives the heuristics that draw random numbers.
    pub fn new(net: &'a PetriNet, budget: &'a Budget, seed: u64) -> Self {
        let mut places_of = Lists::with_capacity(net.transition_count(), net.arc_count());
        let mut touched = Vec::new();
        for t in net.transitions() {
            touched.clear();
            touched.extend(t.pre.iter().chain(&t.post).chain(&t.inhibitors).map(|a| a.place.0));
            touched.sort_unstable();
            touched.dedup();
            places_of.push(&touched);
        }
        Context {
            net,
            budget,
            seed,
            places_of,
            effects: OnceLock::new(),
            consumers_of: OnceLock::new(),
            graph: OnceLock::new(),
            semiflows: OnceLock::new(),
            flows: OnceLock::new(),
            bounds: OnceLock::new(),
        }
    }

    /// The net.
    pub(crate) fn net(&self) -> &'a PetriNet {
        self.net
    }

    /// The seed of random choices.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Places, plus places touched by transitions: the unit of all limits on size.
    pub(crate) fn size(&self) -> usize {
        self.net.place_count() + self.places_of.item_count()
    }

    /// Stop where the caller's budget has run out.
    pub(super) fn check(&self) -> Result<(), Exhausted> {
        self.budget.check()
    }

    /// For each transition, the places it has any arc with, sorted.
    pub(super) fn places_of(&self) -> &Lists {
        &self.places_of
    }

    /// For each place, the transitions that take tokens from it.
    pub(super) fn consumers_of(&self) -> &Lists {
        self.consumers_of.get_or_init(|| {
            let mut inputs = Lists::with_capacity(self.net.transition_count(), self.net.arc_count());
            let mut places = Vec::new();
            for t in self.net.transitions() {
                places.clear();
                places.extend(t.pre.iter().map(|a| a.place.0));
                inputs.push(&places);
            }
            inputs.transposed(self.net.place_count())
        })
    }

    /// The effect of each transition on each of its places.
    pub(super) fn effects(&self) -> &Effects {
        self.effects.get_or_init(|| Effects::new(self.net, &self.places_of))
    }

    /// Places are adjacent where a transition touches both.
    pub(super) fn graph(&self) -> &Graph {
        self.graph.get_or_init(|| Graph::new(self.net.place_count(), &self.places_of))
    }

    /// The work that may go into semiflows: enough for large local nets, milliseconds on small hard ones.
    fn effort(&self) -> Effort {
        let size = self.size() as u64;
        Effort { rows: 4 * self.net.place_count() + 100, work: 200_000 + 60 * size }
    }

    /// Minimal P-semiflows: all of them, or those found before the limit of work.
    pub(crate) fn semiflows(&self) -> &[PSemiflow] {
        &self.all_semiflows().flows
    }

    /// Are these all the minimal P-semiflows?
    pub(crate) fn semiflows_complete(&self) -> bool {
        self.all_semiflows().complete
    }

    fn all_semiflows(&self) -> &Flows<PSemiflow> {
        let none = |_| Flows { flows: Vec::new(), complete: false };
        self.semiflows.get_or_init(|| p_semiflows(self.net, self.effort(), self.budget).unwrap_or_else(none))
    }

    /// Vectors that span the P-flows, or a part of them.
    ///
    /// Where the semiflows are complete and cover every place they span the flows: a flow plus enough of
    /// every semiflow is natural. A basis is computed only otherwise.
    pub(crate) fn flows(&self) -> &[PFlow] {
        self.flows.get_or_init(|| {
            if self.semiflows_complete() && self.bounds().all_bounded() {
                let flow = |f: &PSemiflow| {
                    let weight = |&(p, w): &(PlaceId, u64)| i64::try_from(w).ok().map(|w| (p, w));
                    let weights = f.weights.iter().map(weight).collect::<Option<_>>()?;
                    Some(PFlow { weights, constant: i128::try_from(f.tokens).ok()? })
                };
                if let Some(flows) = self.semiflows().iter().map(flow).collect() {
                    return flows;
                }
            }
            p_flows(self.net, self.effort(), self.budget).map_or_else(|_| Vec::new(), |f| f.flows)
        })
    }

    /// The bounds that the semiflows give.
    pub(crate) fn bounds(&self) -> &PlaceBounds {
        self.bounds.get_or_init(|| PlaceBounds::new(self.net, self.semiflows()))
    }

    /// The bound of a place, or a guess (its initial tokens, at least 1) where none is known.
    pub(super) fn bound_or_guess(&self, place: PlaceId) -> u64 {
        self.bounds().of(place).unwrap_or_else(|| self.net.place(place).initial.max(1))
    }
}
