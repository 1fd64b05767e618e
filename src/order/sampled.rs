//! Nets with very many transitions, without most of them.
//!
//! An unfolding may have a million transitions on two hundred places. To look at all of them takes longer than the rest of a search,
//! and those that are most drown the others: what is done to a place by few transitions is what should keep it near others.
//! So orders are chosen for a sample that changes each place in each way, the same that saturation begins with
//! ([`crate::relation::Relation::sample`]).

use crate::net::{NetBuilder, PetriNet, Transition, TransitionId};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// So many times as many transitions as places are very many.
const MANY: usize = 32;

/// The net that orders are chosen for: the net itself, or one with the same places and a sample of its transitions.
pub fn sampled(net: Cow<'_, PetriNet>) -> Cow<'_, PetriNet> {
    match sample(&net) {
        Some(sample) => Cow::Owned(sample),
        None => net,
    }
}

fn sample(net: &PetriNet) -> Option<PetriNet> {
    if net.transition_count() < MANY * net.place_count() {
        return None;
    }
    let needs = |transition: &Transition| transition.pre.iter().map(|arc| arc.weight).max().unwrap_or(0);
    let mut numbers: Vec<(u64, TransitionId)> =
        net.transition_ids().map(|id| (needs(net.transition(id)), id)).collect();
    numbers.sort_unstable();
    let mut seen = FxHashSet::default();
    let mut b = NetBuilder::new(net.name());
    let places: Vec<_> =
        net.places().iter().map(|place| b.place(place.id.clone(), place.initial)).collect::<Result<_, _>>().ok()?;
    let mut size = 0;
    for (_, id) in numbers {
        let transition = net.transition(id);
        let mut new = false;
        for (arcs, taken) in [(&transition.pre, true), (&transition.post, false)] {
            for arc in arcs {
                new |= seen.insert((arc.place, arc.weight, taken));
            }
        }
        if !new {
            continue;
        }
        size += 1;
        let t = b.transition(transition.id.clone()).ok()?;
        transition.pre.iter().try_for_each(|arc| b.input(places[arc.place.index()], t, arc.weight)).ok()?;
        transition.post.iter().try_for_each(|arc| b.output(t, places[arc.place.index()], arc.weight)).ok()?;
        transition.inhibitors.iter().try_for_each(|arc| b.inhibitor(places[arc.place.index()], t, arc.weight)).ok()?;
    }
    net.nupn().cloned().into_iter().for_each(|units| b.set_nupn(units));
    if size * 2 < net.transition_count() { b.build().ok() } else { None }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Tokens move from each place to each other, and each pair of places is also swapped by itself.
    #[test]
    fn a_sample_has_all_places_and_few_transitions() {
        let mut b = NetBuilder::new("complete");
        let places: Vec<_> = (0..40).map(|n| b.place(format!("p{n}"), 1).unwrap()).collect();
        for from in 0..40 {
            for to in (0..40).filter(|&to| to != from) {
                let t = b.transition(format!("t{from}_{to}")).unwrap();
                b.input(places[from], t, 1).unwrap();
                b.output(t, places[to], 1).unwrap();
            }
        }
        let net = b.build().unwrap();
        let sample = sampled(Cow::Borrowed(&net));
        assert_eq!(sample.place_count(), 40);
        assert!(sample.places().iter().zip(net.places()).all(|(a, b)| a.id == b.id));
        assert!(sample.transition_count() < 80 && sample.transition_count() >= 40);
        // A net with few transitions stays as it is.
        assert!(matches!(sampled(Cow::Borrowed(&sample)), Cow::Borrowed(_)));
    }
}
