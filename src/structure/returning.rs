//! Transitions that lead back to the initial marking, or to other places.
//!
//! **Idea.** Let the *way back* of a place be 0 if it is marked initially, or if it is a goal. Elsewhere it is the least way of a
//! transition that takes a token from there, which is one firing and the ways back of all tokens that it produces. A
//! transition is *returning* if it makes the sum of the tokens, weighed by ways back, smaller: such firings alone come
//! to an end, from any marking, and each place has one that takes from it. Whether they end in the initial marking is
//! for others to prove.
//!
//! The ways are found in the order of their lengths: Knuth, "A generalization of Dijkstra's algorithm", Information
//! Processing Letters 6(1), 1977.

use crate::net::{PetriNet, PlaceId, TransitionId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The returning transitions; `None` where some place has no way back.
pub(super) fn returning(net: &PetriNet) -> Option<Vec<TransitionId>> {
    let ways = ways_to(net, |place| net.place(place).initial > 0)?;
    ways.iter().all(Option::is_some).then(|| nearer(net, &ways))
}

/// Transitions that lead nearer to goals, where all their places have ways: firings of these alone come to an end.
pub(crate) fn leading_to(net: &PetriNet, goal: impl Fn(PlaceId) -> bool) -> Vec<TransitionId> {
    ways_to(net, goal).map(|ways| nearer(net, &ways)).unwrap_or_default()
}

/// The transitions that make the sum of the tokens, weighed by ways, smaller.
fn nearer(net: &PetriNet, ways: &[Option<u128>]) -> Vec<TransitionId> {
    let weigh = |arcs: &[crate::net::Arc]| {
        let weight = |arc: &crate::net::Arc| ways[arc.place.index()]?.checked_mul(u128::from(arc.weight));
        arcs.iter().try_fold(0u128, |sum, arc| sum.checked_add(weight(arc)?))
    };
    let returns = |&t: &TransitionId| {
        let transition = net.transition(t);
        weigh(&transition.pre).zip(weigh(&transition.post)).is_some_and(|(before, after)| after < before)
    };
    net.transition_ids().filter(returns).collect()
}

/// The way of each place to a goal, if it has one. `None` where numbers are too large.
fn ways_to(net: &PetriNet, goal: impl Fn(PlaceId) -> bool) -> Option<Vec<Option<u128>>> {
    let mut ways: Vec<Option<u128>> = vec![None; net.place_count()];
    let mut producers: Vec<Vec<(usize, u64)>> = vec![Vec::new(); net.place_count()];
    // For each transition the places that it produces in whose ways are not known, and its own way but for those.
    let mut left: Vec<(usize, u128)> = Vec::with_capacity(net.transition_count());
    for (t, transition) in net.transitions().iter().enumerate() {
        transition.post.iter().for_each(|arc| producers[arc.place.index()].push((t, arc.weight)));
        left.push((transition.post.len(), 1));
    }
    let mut open: BinaryHeap<Reverse<(u128, PlaceId)>> = BinaryHeap::new();
    let offer = |open: &mut BinaryHeap<_>, t: usize, way: u128| {
        net.transitions()[t].pre.iter().for_each(|arc| open.push(Reverse((way, arc.place))));
    };
    for place in net.place_ids().filter(|&place| goal(place)) {
        open.push(Reverse((0, place)));
    }
    left.iter().enumerate().filter(|(_, left)| left.0 == 0).for_each(|(t, left)| offer(&mut open, t, left.1));
    while let Some(Reverse((way, place))) = open.pop() {
        if ways[place.index()].is_some() {
            continue;
        }
        ways[place.index()] = Some(way);
        for &(t, weight) in &producers[place.index()] {
            let (places, sum) = &mut left[t];
            *sum = sum.checked_add(way.checked_mul(u128::from(weight))?)?;
            *places -= 1;
            if *places == 0 {
                offer(&mut open, t, *sum);
            }
        }
    }
    Some(ways)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;

    /// A resource that is taken, used on one of two ways, and given back; one of the ways may be taken back, which
    /// leads farther away.
    #[test]
    fn what_leads_back_is_returning() {
        let mut b = NetBuilder::new("resource");
        let [free, taken, short, long] =
            [("free", 2), ("taken", 0), ("short", 0), ("long", 0)].map(|(name, tokens)| b.place(name, tokens).unwrap());
        let steps: [(&str, &[PlaceId], &[PlaceId]); 6] = [
            ("take", &[free], &[taken]),
            ("use", &[taken], &[short]),
            ("use twice", &[taken, taken], &[long]),
            ("not so", &[short], &[taken]),
            ("give back", &[short], &[free]),
            ("give both back", &[long], &[free, free]),
        ];
        let ids: Vec<TransitionId> = steps
            .into_iter()
            .map(|(name, pre, post)| {
                let t = b.transition(name).unwrap();
                pre.iter().for_each(|&place| b.input(place, t, 1).unwrap());
                post.iter().for_each(|&place| b.output(t, place, 1).unwrap());
                t
            })
            .collect();
        let net = b.build().unwrap();
        assert_eq!(ways_to(&net, |place| place == free), Some([0, 2, 1, 1].map(Some).to_vec()));
        assert_eq!(leading_to(&net, |place| place == long), [0, 2, 3].map(|step| ids[step]));
        assert_eq!(returning(&net), Some([1, 2, 4, 5].map(|step| ids[step]).to_vec()));
        // Without a way back.
        let mut b = NetBuilder::new("lost");
        let (here, gone) = (b.place("here", 1).unwrap(), b.place("gone", 0).unwrap());
        let t = b.transition("go").unwrap();
        b.input(here, t, 1).unwrap();
        b.output(t, gone, 1).unwrap();
        assert_eq!(returning(&b.build().unwrap()), None);
    }
}
