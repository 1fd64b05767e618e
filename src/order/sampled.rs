//! Nets with very many transitions, without most of them.
//!
//! **Problem.** A coloured transition may unfold to a million transitions on two hundred places. To look at each of them takes longer
//! than the rest of a search, and those that are most drown the others.
//!
//! **Idea.** Most of them do to some places what others do to these. What is done to a place by few transitions is what should
//! keep it near others: orders are chosen for a sample that has each change of each place once, which is about as large as
//! there are places. Transitions that need few tokens are drawn first: others may never be enabled.

use crate::net::{Arc, NetBuilder, PetriNet, Transition};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Ratio of transitions to places from which a sample of transitions is taken.
const MANY: usize = 32;

/// The net that orders are chosen for: the net itself, or one with the same places and a sample of its transitions.
pub fn sampled(net: Cow<'_, PetriNet>) -> Cow<'_, PetriNet> {
    if net.transition_count() < MANY * net.place_count() {
        return net;
    }
    let drawn = drawn(net.transitions());
    // A sample that is no smaller by half is not worth it.
    let sample = (drawn.len() * 2 < net.transition_count()).then(|| with_transitions(&net, &drawn)).flatten();
    sample.map_or(net, Cow::Owned)
}

/// The numbers of transitions that have each change of each place once, as far as others before have not.
fn drawn(transitions: &[Transition]) -> Vec<usize> {
    let needs = |t: &Transition| t.pre.iter().map(|arc| arc.weight).max().unwrap_or(0);
    let mut numbers: Vec<(u64, usize)> = transitions.iter().map(needs).zip(0..).collect();
    numbers.sort_unstable();
    let mut seen = FxHashSet::default();
    let mut drawn = Vec::new();
    for (_, number) in numbers {
        let Transition { pre, post, .. } = &transitions[number];
        let mut new = false;
        let mut see = |arcs: &[Arc], taken| {
            for arc in arcs {
                new |= seen.insert((arc.place, arc.weight, taken));
            }
        };
        see(pre, true);
        see(post, false);
        if new {
            drawn.push(number);
        }
    }
    drawn
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
