//! How many bits each place of a net gets in a packed marking.
//!
//! These encodings are combined freely in one [`Layout`]:
//!
//! * *constant*: a place that no transition changes takes no bits;
//! * *one bit*: a place that held at most one token so far;
//! * *unit code*: places of which at most one is marked share a field that holds the number of the marked
//!   one. Candidates are the units of a NUPN (Garavel 2019) and the P-semiflows with one token;
//! * *counter*: a field of just enough bits for the largest count seen so far;
//! * *implied*: a place that a P-semiflow Σ wᵢ·m(pᵢ) = k determines is not stored at all.
//!
//! **Invariant.** None of this is believed: every firing checks that its result can be represented. If it
//! cannot, the plan grows and the store is encoded anew, so that an encoding chosen from a wrong hint (a net
//! that is not one-safe, units that are not unit-safe) costs time and never an answer.
//!
//! Fields lie in a *sequence* of places that never changes while a search runs: the order of the fields (by
//! which transitions are enumerated) is the same in every layout of the search. Counters that are full grow together, so
//! that a search of large counts encodes its store O(log n) times rather than once per counter and bit.
//!
//! Reference: H. Garavel, "Nested-unit Petri nets", JLAMP 104 (2019).

use super::survey::Survey;
use crate::explicit::{Builder, Encoding, Implied, Layout, bits};
use crate::net::{PetriNet, PlaceId};
use crate::structure::PSemiflow;
use rustc_hash::FxHashMap;

/// How many bits each place gets, and which places share a unit code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// All places that are stored, in the order of their fields; members of a unit are adjacent.
    sequence: Vec<PlaceId>,
    /// Bits per place; 0 for constant places. Meaningless for members of a unit code.
    width: Vec<u32>,
    /// Unit per place (`u32::MAX` for none), while the unit code is in use.
    unit: Vec<u32>,
    /// Places that are not stored.
    implied: Vec<Implied>,
    /// Upper bounds of places, where known.
    bounds: Vec<Option<u64>>,
}

/// Facts about a net before a search.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) survey: Survey,
    /// P-semiflows: not necessarily all.
    pub(super) semiflows: Vec<PSemiflow>,
    /// Bounds of places that follow from them.
    pub(super) bounds: Vec<Option<u64>>,
}

/// Sets of places that may exclude each other, from the best saving of bits to the least.
fn exclusive_sets(net: &PetriNet, facts: &Facts, use_units: bool) -> Vec<Vec<PlaceId>> {
    let mut sets: Vec<Vec<PlaceId>> = Vec::new();
    if use_units {
        sets.extend(net.nupn().iter().flat_map(|n| &n.units).map(|u| u.places.clone()));
    }
    // Of places that share one token at most one is marked.
    let single = facts.semiflows.iter().filter(|f| f.tokens == 1);
    sets.extend(single.map(|f| f.weights.iter().map(|&(p, _)| p).collect()));
    sets.sort_by_key(|s| std::cmp::Reverse(s.len()));
    sets
}

impl Plan {
    /// A plan that fits the initial marking and everything the survey saw.
    pub(super) fn new(net: &PetriNet, facts: &Facts, encoding: &Encoding) -> Plan {
        let survey = &facts.survey;
        let constant = constant_places(net);
        let width = |p: usize| if constant[p] { 0 } else { bits(survey.max_tokens[p]).max(1) };
        let width: Vec<u32> = (0..net.place_count()).map(width).collect();
        let mut sequence = Vec::with_capacity(net.place_count());
        let mut unit = vec![u32::MAX; net.place_count()];
        let mut inhibits = vec![false; net.place_count()];
        for a in net.transitions().iter().flat_map(|t| &t.inhibitors) {
            inhibits[a.place.index()] = true;
        }
        for (u, mut members) in (0..).zip(exclusive_sets(net, facts, encoding.nupn)) {
            members.retain(|p| {
                let p = p.index();
                p < width.len() && unit[p] == u32::MAX && width[p] == 1 && !inhibits[p]
            });
            members.sort();
            members.dedup();
            // Two places take two bits either way.
            if members.len() > 2 && survey.exclusive(&members) {
                members.iter().for_each(|p| unit[p.index()] = u);
            }
        }
        // Units lie where their first place does.
        let mut members: FxHashMap<u32, Vec<PlaceId>> = FxHashMap::default();
        for p in net.place_ids().filter(|p| unit[p.index()] != u32::MAX) {
            members.entry(unit[p.index()]).or_default().push(p);
        }
        for p in net.place_ids() {
            match unit[p.index()] {
                u32::MAX => sequence.push(p),
                u => sequence.extend(members.remove(&u).unwrap_or_default()),
            }
        }
        let bounds = facts.bounds.clone();
        let plain = Plan { sequence, width, unit, implied: Vec::new(), bounds };
        let reduced = plain.without_implied(&facts.semiflows);
        // Dropping places only pays if the states become shorter, now or when counters have grown to their bounds.
        let shorter = |a: &Plan, b: &Plan| a.layout(net).key_halves() < b.layout(net).key_halves();
        if shorter(&reduced, &plain) || shorter(&reduced.filled(), &plain.filled()) { reduced } else { plain }
    }

    /// The plan in which all counters have reached their bounds, as far as these are near.
    fn filled(&self) -> Plan {
        let mut plan = self.clone();
        for (width, bound) in plan.width.iter_mut().zip(&self.bounds) {
            if let Some(bound) = bound
                && *width > 1
            {
                *width = bits(*bound).clamp(*width, *width + 1);
            }
        }
        plan
    }

    /// The same plan without the places that a semiflow determines: of each semiflow the widest, unless another
    /// dropped place occurs in it.
    fn without_implied(&self, semiflows: &[PSemiflow]) -> Plan {
        let mut plan = self.clone();
        // Places on which dropped ones depend, and dropped ones.
        let mut kept = vec![false; self.width.len()];
        let mut dropped = vec![false; self.width.len()];
        for flow in semiflows {
            if flow.weights.iter().any(|&(p, _)| dropped[p.index()]) {
                continue;
            }
            let free = |p: PlaceId| {
                let p = p.index();
                !kept[p] && self.unit[p] == u32::MAX && self.width[p] > 0
            };
            let candidates = flow.weights.iter().filter(|&&(p, _)| free(p));
            let Some(&(place, weight)) = candidates.max_by_key(|&&(p, _)| self.width[p.index()]) else { continue };
            let Ok(total) = i128::try_from(flow.tokens) else { continue };
            let others = flow.weights.iter().filter(|&&(p, _)| p != place);
            let others: Vec<_> = others.map(|&(p, w)| (p, i128::from(w))).collect();
            others.iter().for_each(|(p, _)| kept[p.index()] = true);
            dropped[place.index()] = true;
            plan.implied.push(Implied { variable: place, total, weight: i128::from(weight), others });
        }
        plan.sequence.retain(|p| !dropped[p.index()]);
        plan
    }

    /// The layout that the plan amounts to.
    pub(super) fn layout(&self, net: &PetriNet) -> Layout {
        let mut builder = Builder::new(net.place_count());
        let unit = |p: &PlaceId| self.unit[p.index()];
        for places in self.sequence.chunk_by(|p, q| unit(p) == unit(q) && unit(p) != u32::MAX) {
            match *places {
                [p] if unit(&p) == u32::MAX => match self.width[p.index()] {
                    0 => builder.constant(p, net.place(p).initial),
                    width => builder.counter(p, width),
                },
                ref members => builder.unit(members),
            }
        }
        for implied in &self.implied {
            builder.implied(implied.clone(), self.width[implied.variable.index()].max(1));
        }
        builder.build()
    }

    /// The stored places in the order of their fields.
    pub(super) fn sequence(&self) -> &[PlaceId] {
        &self.sequence
    }

    /// Bits of a place (of a bit of its own, for a member of a unit code); 0 for constant places.
    pub(super) fn width(&self, place: PlaceId) -> u32 {
        self.width[place.index()]
    }

    /// A plan that can also represent `tokens`; `most` is the largest count of each place so far. Counters that
    /// are as full as they can be grow along, as they are likely to be next. The order of the fields stays.
    pub(super) fn grown(&self, tokens: &[u64], most: &[u64]) -> Plan {
        let mut plan = self.clone();
        let mut marked = FxHashMap::default();
        for (p, &u) in self.unit.iter().enumerate() {
            if u != u32::MAX && tokens[p] > 0 {
                *marked.entry(u).or_insert(0u64) += tokens[p];
            }
        }
        for (p, &u) in self.unit.iter().enumerate() {
            if marked.get(&u).is_some_and(|&n| n > 1) {
                plan.unit[p] = u32::MAX;
            }
        }
        for (p, width) in plan.width.iter_mut().enumerate() {
            let (needed, full) = (bits(tokens[p]), bits(most[p]) == *width && *width > 1);
            let limit = self.bounds[p].map_or(u64::BITS, bits);
            if needed > *width {
                // A known bound that is near will do for ever.
                *width = if limit <= needed + 1 { limit.max(needed) } else { needed };
            } else if full {
                *width = (*width + 1).min(limit.max(*width));
            }
        }
        plan
    }
}

/// Places whose count no transition changes.
fn constant_places(net: &PetriNet) -> Vec<bool> {
    let mut constant = vec![true; net.place_count()];
    for t in net.transitions() {
        for (arcs, others) in [(&t.pre, &t.post), (&t.post, &t.pre)] {
            for a in arcs {
                if !others.contains(a) {
                    constant[a.place.index()] = false;
                }
            }
        }
    }
    constant
}
