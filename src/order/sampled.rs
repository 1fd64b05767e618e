//! Nets with very many transitions, without most of them.
//!
//! What is done to a place by few transitions is what should keep it near others. So orders are chosen for a sample that changes each
//! place in each way ([`crate::model::sample`]), as saturation begins with one ([`crate::relation::Relation::sample`]).

use crate::model::sample;
use crate::net::{NetBuilder, PetriNet};
use std::borrow::Cow;

/// The net that orders are chosen for: the net itself, or one with the same places and a sample of its transitions.
pub fn sampled(net: Cow<'_, PetriNet>) -> Cow<'_, PetriNet> {
    let transition = |number: usize| &net.transitions()[number];
    let needs = |number| Some(transition(number).pre.iter().map(|arc| arc.weight).max().unwrap_or(0));
    let changes = |number| {
        let (taken, given) = (&transition(number).pre, &transition(number).post);
        let taken = taken.iter().map(|arc| (arc.place, arc.weight, true));
        taken.chain(given.iter().map(|arc| (arc.place, arc.weight, false)))
    };
    let drawn = sample(net.transition_count(), net.place_count(), needs, changes);
    match drawn.and_then(|drawn| with_transitions(&net, &drawn)) {
        Some(sample) => Cow::Owned(sample),
        None => net,
    }
}

/// The net with these of its transitions alone.
fn with_transitions(net: &PetriNet, numbers: &[usize]) -> Option<PetriNet> {
    let mut b = NetBuilder::new(net.name());
    let places: Vec<_> =
        net.places().iter().map(|place| b.place(place.id.clone(), place.initial)).collect::<Result<_, _>>().ok()?;
    for &number in numbers {
        let transition = &net.transitions()[number];
        let t = b.transition(transition.id.clone()).ok()?;
        transition.pre.iter().try_for_each(|arc| b.input(places[arc.place.index()], t, arc.weight)).ok()?;
        transition.post.iter().try_for_each(|arc| b.output(t, places[arc.place.index()], arc.weight)).ok()?;
        transition.inhibitors.iter().try_for_each(|arc| b.inhibitor(places[arc.place.index()], t, arc.weight)).ok()?;
    }
    net.nupn().cloned().into_iter().for_each(|units| b.set_nupn(units));
    b.build().ok()
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
