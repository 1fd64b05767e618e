//! Refutations that were found before, applied to other inequalities.
//!
//! **Problem.** The questions about one net contradict the same few invariants again and again: that two transitions are enabled
//! together, in a hundred combinations, each of which takes two linear programs.
//!
//! **Idea.** A refutation has weights *w* of the places whose weighted sum of tokens never grows: `w·m ≤ w·m₀` in each reachable marking. That
//! holds whatever is asked. Inequalities of single places, `m(p) ≥ l` and `m(p) ≤ u`, bound the sum from below:
//! where that bound exceeds `w·m₀`, they cannot hold together, and no linear program is needed.
//!
//! Inequalities of several places (and traps) stay what they were: their factors are taken off the weights, `r = w − Σ λ·a`, and
//! `r·m ≤ w·m₀ − Σ λ·b` wherever they hold, so that the refutation applies where they are demanded again.
//!
//! Everything is in whole numbers, and exact.

use crate::net::{PetriNet, PlaceId};
use rustc_hash::FxHashMap;

/// The demand that a weighted sum of tokens be at least some number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Inequality {
    /// Places with their weights, each place once.
    pub terms: Vec<(PlaceId, i64)>,
    /// The least sum that satisfies it.
    pub least: i128,
}

impl Inequality {
    /// Does it hold in this (not necessarily integral) marking, up to rounding?
    pub(crate) fn nearly_holds(&self, marking: &[f64]) -> bool {
        let sum: f64 = self.terms.iter().map(|&(p, weight)| weight as f64 * marking[p.index()]).sum();
        sum >= self.least as f64 - 1e-6 * (1.0 + self.least.unsigned_abs() as f64)
    }
}

/// A proof that inequalities cannot hold together: see [`super::state_equation`].
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Refutation {
    /// By place: the weighted sum of tokens never grows.
    pub weights: Vec<i128>,
    /// The factors of the inequalities.
    pub factors: Vec<i128>,
    /// Inequalities of traps, with their factors.
    pub traps: Vec<(Inequality, i128)>,
}

/// Refutations that are kept: those that were of use last.
const MOST: usize = 1_000;
/// Of how many places and inequalities they may speak altogether (some 50 megabytes).
const MOST_TERMS: usize = 1_000_000;

/// Known refutations of inequalities.
#[derive(Clone, Default, Debug)]
pub(super) struct Refutations {
    /// Those that were of use last come first.
    known: Vec<Known>,
}

/// Wherever the rows hold, `rest·m ≤ bound`.
#[derive(Clone, Debug)]
struct Known {
    /// By place, without those of weight 0.
    rest: Vec<(PlaceId, i128)>,
    bound: i128,
    /// Inequalities that are not of single places, with their factors.
    rows: Vec<(Inequality, i128)>,
    traps: Vec<(Inequality, i128)>,
}

/// An inequality of a single place with weight 1 or -1.
fn single(row: &Inequality) -> Option<(PlaceId, bool)> {
    match row.terms[..] {
        [(place, 1)] => Some((place, true)),
        [(place, -1)] => Some((place, false)),
        _ => None,
    }
}

impl Known {
    fn new(net: &PetriNet, inequalities: &[Inequality], refutation: &Refutation) -> Option<Self> {
        let mut rest = refutation.weights.clone();
        let mut bound = 0i128;
        for (place, &weight) in net.places().iter().zip(&rest) {
            bound = bound.checked_add(weight.checked_mul(place.initial.into())?)?;
        }
        let used =
            inequalities.iter().zip(&refutation.factors).filter(|&(row, &factor)| factor > 0 && single(row).is_none());
        let rows: Vec<(Inequality, i128)> = used.map(|(row, &factor)| (row.clone(), factor)).collect();
        for (row, factor) in rows.iter().chain(&refutation.traps) {
            for &(place, weight) in &row.terms {
                let left = &mut rest[place.index()];
                *left = left.checked_sub(factor.checked_mul(weight.into())?)?;
            }
            bound = bound.checked_sub(factor.checked_mul(row.least)?)?;
        }
        let rest = net.place_ids().zip(rest).filter(|&(_, weight)| weight != 0).collect();
        Some(Known { rest, bound, rows, traps: refutation.traps.clone() })
    }

    /// Its memory, in terms of sums.
    fn terms(&self) -> usize {
        let rows = self.rows.iter().chain(&self.traps).map(|(row, _)| 1 + row.terms.len());
        1 + self.rest.len() + rows.sum::<usize>()
    }

    /// The weights of all places: the rest and what was taken off.
    fn weights(&self, net: &PetriNet) -> Vec<i128> {
        let mut weights = vec![0; net.place_count()];
        self.rest.iter().for_each(|&(place, weight)| weights[place.index()] = weight);
        for (row, factor) in self.rows.iter().chain(&self.traps) {
            row.terms.iter().for_each(|&(place, weight)| weights[place.index()] += factor * i128::from(weight));
        }
        weights
    }

    /// The factors of these inequalities with which they contradict each other.
    fn refutes(&self, inequalities: &[Inequality], limits: &Limits<'_>) -> Option<Vec<i128>> {
        let mut sum = 0i128;
        for &(place, weight) in &self.rest {
            let least = match limits.of.get(&(place, weight > 0)) {
                Some(&row) => inequalities[row].least,
                None if weight > 0 => 0,
                None => return None,
            };
            sum = sum.checked_add(weight.checked_abs()?.checked_mul(least)?)?;
        }
        if sum <= self.bound {
            return None;
        }
        let mut factors = vec![0; inequalities.len()];
        for (row, factor) in &self.rows {
            factors[*limits.others.get(row)?] += *factor;
        }
        for (place, weight) in &self.rest {
            if let Some(&row) = limits.of.get(&(*place, *weight > 0)) {
                factors[row] = weight.checked_abs()?;
            }
        }
        Some(factors)
    }
}

/// The limits of single places among inequalities, and the positions of all other inequalities.
struct Limits<'i> {
    /// The tightest, by place, from below and from above. Below 0 there is nothing.
    of: FxHashMap<(PlaceId, bool), usize>,
    others: FxHashMap<&'i Inequality, usize>,
}

impl<'i> Limits<'i> {
    fn new(inequalities: &'i [Inequality]) -> Self {
        let mut limits = Limits { of: FxHashMap::default(), others: FxHashMap::default() };
        for (number, row) in inequalities.iter().enumerate() {
            let Some((place, below)) = single(row) else {
                limits.others.insert(row, number);
                continue;
            };
            if below && row.least <= 0 {
                continue;
            }
            let tightest = limits.of.entry((place, below)).or_insert(number);
            if inequalities[*tightest].least < row.least {
                *tightest = number;
            }
        }
        limits
    }
}

impl Refutations {
    /// Keep why these inequalities cannot hold together.
    pub(super) fn learn(&mut self, net: &PetriNet, inequalities: &[Inequality], refutation: &Refutation) {
        let Some(known) = Known::new(net, inequalities, refutation) else { return };
        self.known.insert(0, known);
        self.known.truncate(MOST);
        let mut terms = 0;
        let fits = |known: &&Known| {
            terms += known.terms();
            terms <= MOST_TERMS
        };
        let fitting = self.known.iter().take_while(fits).count();
        self.known.truncate(fitting);
    }

    /// A known refutation of these inequalities, if there is one.
    pub(super) fn apply(&mut self, net: &PetriNet, inequalities: &[Inequality]) -> Option<Refutation> {
        if self.known.is_empty() {
            return None;
        }
        let limits = Limits::new(inequalities);
        let found = |(at, known): (usize, &Known)| Some((at, known.refutes(inequalities, &limits)?));
        let (at, factors) = self.known.iter().enumerate().find_map(found)?;
        self.known[..=at].rotate_right(1);
        let known = &self.known[0];
        Some(Refutation { weights: known.weights(net), factors, traps: known.traps.clone() })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;

    /// The refutations that were of use last stay, as far as there is room.
    #[test]
    fn refutations_that_are_kept_are_few() {
        let mut b = NetBuilder::new("n");
        let places: Vec<PlaceId> = (0..1_000).map(|i| b.place(format!("p{i}"), 0).unwrap()).collect();
        let net = b.build().unwrap();
        let mut refutations = Refutations::default();
        let row = |place| [Inequality { terms: vec![(place, 1)], least: 1 }];
        let weights = |place: PlaceId| places.iter().map(|&p| i128::from(p == place || p.index() % 2 == 0)).collect();
        for &place in &places[..3] {
            let refutation = Refutation { weights: weights(place), factors: vec![1], traps: Vec::new() };
            refutations.learn(&net, &row(place), &refutation);
        }
        assert_eq!(refutations.known.len(), 3);
        let heavy = Refutation { weights: vec![1; 1_000], factors: vec![1], traps: Vec::new() };
        (0..1_000).for_each(|_| refutations.learn(&net, &row(places[0]), &heavy));
        let terms: usize = refutations.known.iter().map(Known::terms).sum();
        assert!(terms <= MOST_TERMS && terms > MOST_TERMS - 2_000, "{terms}");
    }

    /// That p and q have one token together contradicts whatever asks for two, or for none.
    #[test]
    fn weights_refute_other_inequalities() {
        let mut b = NetBuilder::new("n");
        let (p, q, r) = (b.place("p", 1).unwrap(), b.place("q", 0).unwrap(), b.place("r", 0).unwrap());
        let t = b.transition("t").unwrap();
        b.input(p, t, 1).unwrap();
        b.output(t, q, 1).unwrap();
        let net = b.build().unwrap();
        let row = |terms: &[(PlaceId, i64)], least| Inequality { terms: terms.to_vec(), least };
        let mut refutations = Refutations::default();
        let both = [row(&[(p, 1)], 1), row(&[(q, 1)], 1)];
        assert_eq!(refutations.apply(&net, &both), None);
        refutations.learn(&net, &both, &Refutation { weights: vec![1, 1, 0], factors: vec![1, 1], traps: Vec::new() });
        // Another number, another row before it, the tighter of two.
        let two = [row(&[(r, -1)], 0), row(&[(q, 1)], 1), row(&[(q, 1)], 2)];
        assert_eq!(refutations.apply(&net, &two).unwrap().factors, [0, 0, 1]);
        assert_eq!(refutations.apply(&net, &[row(&[(q, 1)], 1), row(&[(r, 1)], 5)]), None);
        // A row of several places counts where it is demanded again.
        let sum = [row(&[(p, 1), (r, 1)], 2), row(&[(r, -1)], 0)];
        let weights = Refutation { weights: vec![1, 1, 0], factors: vec![1, 1], traps: Vec::new() };
        refutations.learn(&net, &sum, &weights);
        let again = [row(&[(q, 1)], 0), row(&[(r, -1)], 0), row(&[(p, 1), (r, 1)], 2)];
        assert_eq!(refutations.apply(&net, &again).unwrap().factors, [0, 1, 1]);
        assert_eq!(refutations.apply(&net, &again[..2]), None);
        assert_eq!(refutations.apply(&net, &[row(&[(r, -1)], -1), again[2].clone()]), None);
    }
}
