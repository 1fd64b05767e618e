//! Units of a net: disjoint sets of places of which at most one has a token, and no more than one.
//!
//! **Problem.** A component of a system is a set of places, one for each of its states, of which one is marked. Whoever
//! knows the components can store the state of each as one number. Nets seldom tell (NUPN), or tell too little.
//!
//! **Idea.** A P-semiflow says so: let `Σ w(p)·m(p) = K` in every reachable marking, with natural weights. Of the places
//! with `2·w(p) > K`, no two have a token at the same time, and none has two. Subsets of units are units, so that they are
//! made disjoint from the largest on: always the one that has the most places which are in no unit yet.
//!
//! Units that a file declares are not believed here.
//!
//! Sources: Pastor and Cortadella 1998, "Efficient encoding schemes for symbolic analysis of Petri nets"; Bouvier, Garavel
//! and Ponce de León 2020, "Automatic decomposition of Petri nets into automata networks".

use super::PSemiflow;
use crate::net::{PetriNet, PlaceId};
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Work that the search for better units may take, in places and arcs looked at.
const WORK: usize = 20_000_000;

/// Disjoint units of two and more places that follow from semiflows or are declared and proved.
pub(crate) fn units(net: &PetriNet, semiflows: &[PSemiflow]) -> Vec<Vec<PlaceId>> {
    let exclusive = |flow: &PSemiflow| -> Vec<PlaceId> {
        let heavy = flow.weights.iter().filter(|&&(_, weight)| 2 * u128::from(weight) > flow.tokens);
        heavy.map(|&(place, _)| place).collect()
    };
    let mut sets: Vec<Vec<PlaceId>> = semiflows.iter().map(exclusive).filter(|set| set.len() > 1).collect();
    let declared = declared(net, &sets);
    let first: Vec<usize> = (0..declared.len()).collect();
    sets.splice(0..0, declared);
    let search = Search { net, sets };
    let mut best = [&first[..], &[]]
        .map(|first| search.units(first))
        .into_iter()
        .zip([first.clone(), Vec::new()])
        .min_by_key(|(units, _)| search.cost(units));
    let mut work = WORK;
    let price = net.arc_count() + search.sets.iter().map(Vec::len).sum::<usize>() + 1;
    while let Some((units, first)) = &best {
        let mut better = None;
        let mut least = search.cost(units);
        for next in (0..search.sets.len()).filter(|next| !first.contains(next)) {
            let Some(left) = work.checked_sub(price) else { break };
            work = left;
            let first: Vec<usize> = first.iter().copied().chain([next]).collect();
            let units = search.units(&first);
            let cost = search.cost(&units);
            if cost < least {
                (least, better) = (cost, Some((units, first)));
            }
        }
        if better.is_none() {
            break;
        }
        best = better;
    }
    best.map_or(Vec::new(), |(units, _)| units)
}

/// The declared units that are units: since no transition gives their places more tokens than it takes from them and
/// they have one at most at first, or since they are a part of one of these.
fn declared(net: &PetriNet, units: &[Vec<PlaceId>]) -> Vec<Vec<PlaceId>> {
    let mut declared: Vec<Vec<PlaceId>> = Vec::new();
    let mut unit_of = vec![usize::MAX; net.place_count()];
    for unit in net.nupn().iter().flat_map(|nupn| &nupn.units) {
        let mut places = Vec::new();
        for &place in unit.places.iter().filter(|place| place.index() < net.place_count()) {
            let owner = &mut unit_of[place.index()];
            if *owner == usize::MAX {
                *owner = declared.len();
                places.push(place);
            }
        }
        places.sort_unstable();
        declared.push(places);
    }
    let mut closed: Vec<bool> = declared.iter().map(|unit| tokens(net, unit) <= 1).collect();
    let mut change: Vec<(usize, i128)> = Vec::new();
    for t in net.transitions() {
        change.clear();
        let arcs = t.pre.iter().map(|arc| (arc, -1)).chain(t.post.iter().map(|arc| (arc, 1)));
        change.extend(arcs.map(|(arc, sign)| (unit_of[arc.place.index()], sign * i128::from(arc.weight))));
        change.sort_unstable_by_key(|change| change.0);
        for of_unit in change.chunk_by(|a, b| a.0 == b.0) {
            if let Some(closed) = closed.get_mut(of_unit[0].0) {
                *closed &= of_unit.iter().map(|change| change.1).sum::<i128>() <= 0;
            }
        }
    }
    let mut units_with: Vec<Vec<usize>> = vec![Vec::new(); net.place_count()];
    for (number, unit) in units.iter().enumerate() {
        unit.iter().for_each(|place| units_with[place.index()].push(number));
    }
    let is_part = |set: &[PlaceId]| {
        let within = |&number: &usize| set.iter().all(|place| units[number].binary_search(place).is_ok());
        set.first().is_some_and(|first| units_with[first.index()].iter().any(within))
    };
    let proved = declared.into_iter().zip(closed).filter(|(unit, closed)| *closed || is_part(unit));
    proved.map(|(unit, _)| unit).filter(|unit| unit.len() > 1).collect()
}

/// The tokens of a set of places at first.
fn tokens(net: &PetriNet, places: &[PlaceId]) -> u128 {
    places.iter().map(|&place| u128::from(net.place(place).initial)).sum()
}

/// The search for disjoint units.
struct Search<'a> {
    net: &'a PetriNet,
    sets: Vec<Vec<PlaceId>>,
}

impl Search<'_> {
    /// First what is left of these sets, then always the set of which most is left.
    fn units(&self, first: &[usize]) -> Vec<Vec<PlaceId>> {
        let mut taken = FixedBitSet::with_capacity(self.net.place_count());
        let mut units = Vec::new();
        let mut left = |number: usize, least: usize| -> usize {
            let free = self.sets[number].iter().copied().filter(|place| !taken.contains(place.index()));
            let free: Vec<PlaceId> = free.collect();
            if free.len() >= least.max(2) {
                free.iter().for_each(|place| taken.insert(place.index()));
                units.push(free);
                return 0;
            }
            free.len()
        };
        for &number in first {
            left(number, 0);
        }
        // Sizes only shrink, so that one that is right is the greatest.
        let sizes = self.sets.iter().enumerate().map(|(number, set)| (set.len(), Reverse(number)));
        let mut heap: BinaryHeap<(usize, Reverse<usize>)> = sizes.collect();
        while let Some((size, number)) = heap.pop() {
            let left = left(number.0, size);
            if left > 1 {
                heap.push((left, number));
            }
        }
        units
    }

    /// How many units and places without one there are, and how many of them transitions touch.
    fn cost(&self, units: &[Vec<PlaceId>]) -> usize {
        let places = self.net.place_count();
        let mut unit_of: Vec<usize> = (units.len()..units.len() + places).collect();
        for (number, unit) in units.iter().enumerate() {
            unit.iter().for_each(|place| unit_of[place.index()] = number);
        }
        let mut seen = vec![usize::MAX; units.len() + places];
        let mut cost = units.len() + places - units.iter().map(Vec::len).sum::<usize>();
        for (number, t) in self.net.transitions().iter().enumerate() {
            for arc in t.pre.iter().chain(&t.post).chain(&t.inhibitors) {
                let unit = unit_of[arc.place.index()];
                cost += usize::from(std::mem::replace(&mut seen[unit], number) != number);
            }
        }
        cost
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::random::{NetShape, Rng, net};
    use crate::reference::explore;
    use crate::structure::{Effort, p_semiflows};

    #[test]
    fn no_reachable_marking_has_two_tokens_in_a_unit() {
        let mut found = 0;
        for seed in 0..600 {
            let shape = NetShape { max_states: 60, places: 7, transitions: 6, ..NetShape::default() };
            let net = net(&mut Rng::new(seed), &shape);
            let flows = p_semiflows(&net, Effort::default(), &Budget::unlimited()).unwrap().flows;
            let units = units(&net, &flows);
            let mut places: Vec<PlaceId> = units.concat();
            found += units.len();
            let count = places.len();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), count, "seed {seed}: not disjoint");
            for marking in explore(&net, 2000).into_iter().flat_map(|graph| graph.markings) {
                for unit in &units {
                    let tokens: u64 = unit.iter().map(|&place| marking.tokens(place)).sum();
                    assert!(tokens <= 1, "seed {seed}: {unit:?}");
                }
            }
        }
        assert!(found > 50, "{found}");
    }

    #[test]
    fn weights_above_half_exclude_each_other() {
        let flow = |weights: &[(u32, u64)], tokens| PSemiflow {
            weights: weights.iter().map(|&(place, weight)| (PlaceId(place), weight)).collect(),
            tokens,
        };
        let mut builder = crate::net::NetBuilder::new("six");
        (0..6).for_each(|number| assert!(builder.place(format!("p{number}"), 0).is_ok()));
        let net = builder.build().unwrap();
        let of = |flows: &[PSemiflow]| -> Vec<Vec<u32>> {
            units(&net, flows).iter().map(|unit| unit.iter().map(|place| place.0).collect()).collect()
        };
        assert_eq!(of(&[flow(&[(0, 1), (1, 2), (2, 2), (3, 3)], 3)]), [[1, 2, 3]]);
        // The larger one is whole, and of the other the rest.
        let two = [flow(&[(0, 1), (1, 1), (2, 1)], 1), flow(&[(2, 1), (3, 1), (4, 1), (5, 1)], 1)];
        assert_eq!(of(&two), [vec![2, 3, 4, 5], vec![0, 1]]);
        assert!(of(&[flow(&[(0, 1), (1, 1)], 2)]).is_empty());
    }

    /// A claim of the file is believed where it can be proved.
    #[test]
    fn declared_units() {
        let mut b = crate::net::NetBuilder::new("claims");
        let p: Vec<PlaceId> = (0..6).map(|i| b.place(format!("p{i}"), u64::from(i % 2 == 0)).unwrap()).collect();
        let arcs: [(&[usize], &[usize]); 4] = [(&[0], &[1]), (&[1], &[]), (&[2], &[2, 3]), (&[4], &[5])];
        for (number, (from, to)) in arcs.into_iter().enumerate() {
            let t = b.transition(format!("t{number}")).unwrap();
            from.iter().for_each(|&place| b.input(p[place], t, 1).unwrap());
            to.iter().for_each(|&place| b.output(t, p[place], 1).unwrap());
        }
        let unit = |places: &[usize]| crate::net::Unit {
            id: String::new(),
            places: places.iter().map(|&place| p[place]).collect(),
            subunits: Vec::new(),
        };
        let claims = vec![unit(&[0, 1]), unit(&[2, 3]), unit(&[4, 5, 1])];
        b.set_nupn(crate::net::Nupn { units: claims, root: 0, safe: true });
        let net = b.build().unwrap();
        // The second gets ever more tokens; of the third, one place is in the first.
        assert_eq!(units(&net, &[]), [vec![p[0], p[1]], vec![p[4], p[5]]]);
    }
}
