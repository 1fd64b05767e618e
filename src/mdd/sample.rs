//! Tuples of a set drawn at random, each subset of the wanted size as likely as any other.
//!
//! One pass from the bottom counts for every node the paths below it, exactly. A tuple then is a number, its rank in
//! lexicographic order, and the tuple of a rank is found from the root down: the values of a node are passed by, the count
//! of each taken off the rank, until the rank falls into one of them. So it is enough to draw different ranks, by
//! Floyd's method, which needs no more draws than there are ranks to be found (Bentley and Floyd, "Programming pearls: a
//! sample of brilliance", CACM 30(9), 1987).

use super::count::Layers;
use super::set::Mdd;
use crate::budget::{Budget, Exhausted};
use crate::rng::Rng;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::collections::BTreeSet;

impl Mdd {
    /// A sample of different tuples of the set, drawn at random with each choice as likely as any other, in
    /// lexicographic order; all of them if there are no more.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn sample(&self, tuples: usize, rng: &mut Rng, budget: &Budget) -> Result<Vec<Vec<u32>>, Exhausted> {
        let layers = self.with_session(budget, |session, root| Ok::<_, Exhausted>(Layers::of(session, root)))?;
        let counts = counts(&layers, budget)?;
        let Some(all) = counts.first().and_then(|root| root.first()) else { return Ok(Vec::new()) };
        let mut ranks = BTreeSet::new();
        let mut next = if *all > tuples.into() { all - tuples } else { BigUint::zero() };
        while next < *all {
            budget.check()?;
            let drawn = up_to(&next, rng);
            if !ranks.insert(drawn) {
                ranks.insert(next.clone());
            }
            next += 1u32;
        }
        let mut drawn = Vec::with_capacity(ranks.len());
        for rank in ranks {
            budget.check()?;
            drawn.push(tuple_of(&layers, &counts, rank));
        }
        Ok(drawn)
    }
}

/// By level and node, the number of paths to the bottom; one level more than the diagram has.
fn counts(layers: &Layers, budget: &Budget) -> Result<Vec<Vec<BigUint>>, Exhausted> {
    let mut counts = vec![if layers.empty { vec![] } else { vec![BigUint::one()] }];
    for layer in layers.rows.iter().rev() {
        budget.check()?;
        let below = counts.last().map_or(&[] as &[BigUint], Vec::as_slice);
        let paths = |pairs: &[(u32, u32)]| pairs.iter().map(|&(_, child)| &below[child as usize]).sum::<BigUint>();
        let here = layer.nodes().map(paths).collect();
        counts.push(here);
    }
    counts.reverse();
    Ok(counts)
}

/// The tuple of a rank below the number of tuples.
fn tuple_of(layers: &Layers, counts: &[Vec<BigUint>], mut rank: BigUint) -> Vec<u32> {
    let mut node = 0;
    let mut tuple = Vec::with_capacity(layers.rows.len());
    for (layer, below) in layers.rows.iter().zip(&counts[1..]) {
        for &(value, child) in layer.pairs_of(node) {
            let paths = &below[child as usize];
            if rank < *paths {
                tuple.push(value);
                node = child as usize;
                break;
            }
            rank -= paths;
        }
    }
    tuple
}

/// A number from 0 to `most`, each as likely as any other: so many random bits as it has, again if they are too many.
fn up_to(most: &BigUint, rng: &mut Rng) -> BigUint {
    let (words, rest) = (most.bits() / 32, most.bits() % 32);
    loop {
        let mut digits: Vec<u32> = (0..words).map(|_| (rng.bits() >> 32) as u32).collect();
        digits.push(((rng.bits() >> 32) & ((1 << rest) - 1)) as u32);
        let number = BigUint::new(digits);
        if number <= *most {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::MddManager;
    use super::*;
    use crate::rng::Rng;
    use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};

    fn set(levels: u32, tuples: &BTreeSet<Vec<u32>>) -> Mdd {
        let budget = Budget::unlimited();
        // A small store, since the tests make many.
        let space = MddManager::new(levels, &Budget::unlimited().with_memory(1 << 20)).unwrap();
        let add = |set: Mdd, tuple: &Vec<u32>| set.union(&space.tuple(tuple, &budget).unwrap(), &budget).unwrap();
        tuples.iter().fold(space.empty(), add)
    }

    proptest! {
        #[test]
        fn different_tuples_of_the_set(
            tuples in prop::collection::btree_set(prop::collection::vec(0u32..4, 3), 0..25),
            wanted in 0usize..30,
            seed in any::<u64>(),
        ) {
            let budget = Budget::unlimited();
            let set = set(3, &tuples);
            let found = set.sample(wanted, &mut Rng::new(seed), &budget).unwrap();
            prop_assert_eq!(found.len(), wanted.min(tuples.len()));
            prop_assert!(found.is_sorted_by(|a, b| a < b));
            prop_assert!(found.iter().all(|tuple| tuples.contains(tuple)));
            prop_assert_eq!(&found, &set.sample(wanted, &mut Rng::new(seed), &budget).unwrap());
        }
    }

    /// Of six tuples, all fifteen pairs come about as often, whatever the shape of the diagram.
    #[test]
    fn pairs_are_drawn_evenly() {
        let tuples: BTreeSet<Vec<u32>> =
            [[0, 0], [0, 1], [0, 2], [0, 7], [3, 1], [5, 0]].into_iter().map(Vec::from).collect();
        let (set, budget, mut rng) = (set(2, &tuples), Budget::unlimited(), Rng::new(1));
        let mut times = std::collections::BTreeMap::<_, usize>::new();
        for _ in 0..6000 {
            *times.entry(set.sample(2, &mut rng, &budget).unwrap()).or_default() += 1;
        }
        assert_eq!(times.len(), 15);
        // 400 each, with a standard deviation below 20.
        assert!(times.values().all(|&n| (300..500).contains(&n)), "{times:?}");
    }

    /// Of 2^200 tuples.
    #[test]
    fn sets_beyond_any_machine_word() {
        let budget = Budget::unlimited();
        let space = MddManager::new(200, &Budget::unlimited().with_memory(1 << 20)).unwrap();
        let all = space.run(&budget, |session| {
            (0..200).rev().try_fold(session.unit(), |below, level| session.binary_node(level, below.clone(), below))
        });
        let all: Mdd = all.map_err(|e: Exhausted| e).unwrap();
        assert_eq!(all.count(&budget).unwrap(), BigUint::one() << 200);
        let found = all.sample(50, &mut Rng::new(3), &budget).unwrap();
        assert_eq!(found.len(), 50);
        for level in 0..200 {
            let ones = found.iter().filter(|tuple| tuple[level] == 1).count();
            assert!((5..=45).contains(&ones), "{ones} of 50 on level {level}");
        }
    }

    #[test]
    fn no_levels() {
        let budget = Budget::unlimited();
        let space = MddManager::new(0, &Budget::unlimited().with_memory(1 << 20)).unwrap();
        assert_eq!(space.empty().sample(3, &mut Rng::new(0), &budget).unwrap(), [] as [Vec<u32>; 0]);
        let unit = space.tuple(&[], &budget).unwrap();
        assert_eq!(unit.sample(3, &mut Rng::new(0), &budget).unwrap(), [Vec::<u32>::new()]);
    }
}
