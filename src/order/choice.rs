//! The automatic choice: orders by many heuristics, sorted by a score of metrics.
//!
//! Each heuristic gives an order, its reverse, and both again refined by FORCE and by FORCE with semiflows.
//! The score `2·SWIR + delays` foretells the number of nodes that saturation will create.
//!
//! **Measured** on 54 nets (the place/transition nets of our sample of the Model Checking Contest that some
//! order finishes within 400 000 nodes, and nets of four scalable families), with 30 to 98 orders each: nodes
//! created under the order that each metric picks, over nodes created under the best order of all, as the
//! binary logarithm; an order that did not finish counts as twice the worst.
//!
//! | picked by | mean | worse than 2× | worse than 8× | worst |
//! |---|---|---|---|---|
//! | the order of the file | 3.67 | 44 | 30 | 9.3 |
//! | sum of tops | 1.80 | 27 | 15 | 8.9 |
//! | semiflow spans | 1.84 | 31 | 12 | 9.3 |
//! | iRank | 1.61 | 25 | 12 | 7.7 |
//! | point-transition spans | 1.50 | 21 | 10 | 8.9 |
//! | estimated nodes | 1.46 | 24 | 11 | 7.7 |
//! | sum of spans | 1.45 | 22 | 10 | 8.9 |
//! | weighted event span | 1.22 | 21 | 6 | 5.4 |
//! | SWIR | 1.12 | 18 | 8 | 8.9 |
//! | SOUPS | 1.07 | 17 | 7 | 8.9 |
//! | 2·SWIR + delays | 0.71 | 12 | 4 | 4.2 |
//! | best of the first 3 by that | 0.45 | 7 | 3 | 4.2 |
//! | best of first by that, by SWIR, by SOUPS | 0.22 | 4 | 1 | 4.0 |
//! | and by weighted event span | 0.18 | 3 | 1 | 4.0 |
//!
//! The weight of SWIR hardly matters between 2 and 8. Metrics err in different ways, so that the first of each
//! make a better race than the first few of one: the candidates are listed so, the first by the score, then
//! by SWIR, by SOUPS, by weighted event span, and so round.
//!
//! **Work.** Finding an order must not cost more than an easy net takes altogether, and is worth much more on
//! a hard one. Work is counted in units of the size of the net (never by the clock, so that the same input
//! gives the same orders), and ends after milliseconds on small nets and a fraction of a second on 50 000
//! places. Heuristics are tried in the order of their table until the work is spent; what is left of it goes
//! into refining, the best scores first.

use super::{Context, HEURISTICS, Order, force, metrics};
use crate::budget::{Budget, Exhausted};
use crate::net::PetriNet;
use rustc_hash::FxHashSet;

/// The metrics of an order. Smaller is better throughout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// The criterion for the first candidate.
    pub score: f64,
    /// Sum of unique and productive spans (SOUPS).
    pub soups: u64,
    /// The same, each level weighted by the number of invariants that cross it (SWIR). Equal to `soups`
    /// where no invariants are known.
    pub weighted_soups: f64,
    /// iRank: the sum of the spans of the invariants, where known.
    pub rank: Option<u64>,
    /// Sum of delays.
    pub delays: u64,
    /// Weighted event span.
    pub event_span: f64,
}

impl Metrics {
    /// Of an order that there was no time to measure: the worst.
    const UNKNOWN: Metrics = Metrics {
        score: f64::INFINITY,
        soups: u64::MAX,
        weighted_soups: f64::INFINITY,
        rank: None,
        delays: u64::MAX,
        event_span: f64::INFINITY,
    };
}

/// An order with its origin and metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The heuristic and what was done to its order, e.g. `sloan + FORCE, reversed`.
    pub name: String,
    /// The order.
    pub order: Order,
    /// Its metrics.
    pub metrics: Metrics,
}

/// An order, and which of its places are one level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelOrder {
    /// The order of the places.
    pub scored: Scored,
    /// How many places each are one level, from the top, where several are: those of a unit.
    pub units: Option<Vec<u32>>,
}

impl From<Scored> for LevelOrder {
    /// Each place is a level.
    fn from(scored: Scored) -> Self {
        LevelOrder { scored, units: None }
    }
}

/// Work that the search for orders of any net may take, in units of about 50 ns: milliseconds.
const LEAST_WORK: u64 = 500_000;
/// Work per unit of [`Context::size`], where that is more: 0.2 s on 50 000 places.
const WORK_PER_SIZE: u64 = 16;
/// How many times as much is worth looking for where no order is good at first sight.
const THOROUGH: u64 = 32;
/// Measuring an order, per unit of size: without and with invariants.
const MEASURE: u64 = 2;
const MEASURE_INVARIANTS: u64 = 4;
/// One refinement by FORCE.
const REFINE: u64 = 4;
/// Computing the semiflows.
const SEMIFLOWS: u64 = 10;

/// Orders for `net`, so listed that every prefix is a good race: the first has the best score. There is at
/// least the order of the file.
///
/// ```
/// use starset::budget::Budget;
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("cycle");
/// let p = b.place("p", 1)?;
/// let q = b.place("q", 0)?;
/// for (i, (from, to)) in [(p, q), (q, p)].into_iter().enumerate() {
///     let t = b.transition(format!("t{i}"))?;
///     b.input(from, t, 1)?;
///     b.output(t, to, 1)?;
/// }
/// let net = b.build()?;
/// let best = &starset::order::candidates(&net, &Budget::unlimited(), 0)[0];
/// assert_eq!(best.order.as_slice().len(), 2);
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn candidates(net: &PetriNet, budget: &Budget, seed: u64) -> Vec<Scored> {
    search(net, budget, seed, 1).into_iter().map(|(_, scored)| scored).collect()
}

/// The same with more work, for a net that is hard under the best of the [`candidates`]: what the metrics say of it is
/// wrong. So first comes one order of each heuristic in each direction, refined or not; the others follow.
pub fn thorough(net: &PetriNet, budget: &Budget, seed: u64) -> Vec<Scored> {
    let mut seen = FxHashSet::default();
    let found = search(net, budget, seed, THOROUGH);
    let (first, rest): (Vec<_>, Vec<_>) = found.into_iter().partition(|&(origin, _)| seen.insert(origin));
    first.into_iter().chain(rest).map(|(_, scored)| scored).collect()
}

/// The heuristic that an order comes from, and whether it is turned around.
type Origin = (&'static str, bool);

/// Orders found with so many times the usual work.
fn search(net: &PetriNet, budget: &Budget, seed: u64, times: u64) -> Vec<(Origin, Scored)> {
    let context = Context::new(net, budget, seed);
    let size = context.size() as u64 + 1;
    let mut search = Candidates {
        context: &context,
        left: times * LEAST_WORK.max(WORK_PER_SIZE.saturating_mul(size)) / size,
        invariants: false,
        found: Vec::new(),
    };
    search.run();
    interleave(search.found)
}

/// The best by each metric in turn, of those not listed yet.
fn interleave(found: Vec<(Origin, Scored)>) -> Vec<(Origin, Scored)> {
    let keys: [fn(&Metrics) -> f64; 4] = [|m| m.score, |m| m.weighted_soups, |m| m.soups as f64, |m| m.event_span];
    let by_key = |key: &fn(&Metrics) -> f64| {
        let mut ranking: Vec<usize> = (0..found.len()).collect();
        ranking.sort_by(|&a, &b| key(&found[a].1.metrics).total_cmp(&key(&found[b].1.metrics)));
        ranking.into_iter()
    };
    let mut rankings: Vec<_> = keys.iter().map(by_key).collect();
    let mut rest: Vec<Option<(Origin, Scored)>> = found.iter().cloned().map(Some).collect();
    let mut listed = Vec::with_capacity(found.len());
    while listed.len() < found.len() {
        for ranking in &mut rankings {
            listed.extend(ranking.find_map(|i| rest[i].take()));
        }
    }
    listed
}

/// The metrics of one order; the worst there are where the budget of the context is used up.
pub fn measure(context: &Context, order: &Order) -> Metrics {
    let measuring = Candidates { context, left: u64::MAX, invariants: true, found: Vec::new() };
    measuring.measure(order).unwrap_or(Metrics::UNKNOWN)
}

struct Candidates<'a, 'n> {
    context: &'a Context<'n>,
    /// Work left, per unit of size.
    left: u64,
    /// Are invariants asked for?
    invariants: bool,
    found: Vec<(Origin, Scored)>,
}

impl Candidates<'_, '_> {
    fn run(&mut self) {
        // Invariants are worth their cost where enough work remains to use them.
        self.invariants = self.left > 4 * SEMIFLOWS && self.spend(SEMIFLOWS);
        let mut bases = Vec::new();
        for heuristic in HEURISTICS {
            let first = self.found.is_empty();
            if !first && (self.context.check().is_err() || !self.spend(heuristic.cost)) {
                continue;
            }
            if heuristic.semiflows && !self.invariants {
                continue;
            }
            let Some(order) = (heuristic.order)(self.context) else { continue };
            if let Some(score) = self.add_both_ways(heuristic.name, "", &order, first) {
                bases.push((score, heuristic.name, order));
            }
        }
        // Refine the promising ones first.
        bases.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, name, order) in bases {
            if self.context.check().is_err() {
                break;
            }
            if self.spend(REFINE) {
                let refined = force::refined(self.context, &order);
                self.add_both_ways(name, " + FORCE", &refined, false);
            }
            if self.invariants && !self.context.semiflows().is_empty() && self.spend(REFINE) {
                let refined = force::refined_with_semiflows(self.context, &order);
                self.add_both_ways(name, " + FORCE-P", &refined, false);
            }
        }
    }

    /// Add an order and its reverse, while work is left (or in any case, for the first). The better score of
    /// the two, unless they are known already or there is no work left.
    fn add_both_ways(&mut self, heuristic: &'static str, refined: &str, order: &Order, always: bool) -> Option<f64> {
        let mut best: Option<f64> = None;
        let price = if self.invariants { MEASURE_INVARIANTS } else { MEASURE };
        for reversed in [false, true] {
            let (name, order) = match reversed {
                false => (format!("{heuristic}{refined}"), order.clone()),
                true => (format!("{heuristic}{refined}, reversed"), order.reversed()),
            };
            if self.found.iter().any(|(_, known)| known.order == order) || !(self.spend(price) || always) {
                continue;
            }
            // What is not measured in time is not chosen.
            let metrics = match self.measure(&order) {
                Ok(metrics) => metrics,
                Err(_) if always => Metrics::UNKNOWN,
                Err(_) => continue,
            };
            best = Some(best.map_or(metrics.score, |b| b.min(metrics.score)));
            self.found.push(((heuristic, reversed), Scored { name, order, metrics }));
        }
        best
    }

    fn spend(&mut self, work: u64) -> bool {
        match self.left.checked_sub(work) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// The metrics; an error when the budget ends.
    fn measure(&self, order: &Order) -> Result<Metrics, Exhausted> {
        let soups = metrics::sum_of_unique_productive_spans(self.context, order);
        self.context.check()?;
        let spans = if self.invariants { metrics::invariant_spans(self.context, order) } else { None };
        let weighted_soups = match &spans {
            Some(spans) => {
                let weights: Vec<f64> = spans.crossing.iter().map(|&n| f64::from(n.max(1))).collect();
                metrics::unique_productive_weight(self.context, order, &weights)
            }
            None => soups as f64,
        };
        self.context.check()?;
        let delays = metrics::sum_of_delays(self.context, order);
        let score = 2.0 * weighted_soups + delays as f64;
        self.context.check()?;
        let event_span = metrics::weighted_event_span(self.context, order);
        self.context.check()?;
        Ok(Metrics { score, soups, weighted_soups, rank: spans.map(|s| s.rank), delays, event_span })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;
    use crate::structure::random_nets::nets;
    use proptest::prelude::*;

    fn is_permutation(net: &PetriNet, order: &Order) -> bool {
        Order::new(net, order.as_slice().to_vec()).is_some()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn every_heuristic_permutes_and_repeats_itself(net in nets(12, 12), seed in 0u64..100) {
            let budget = Budget::unlimited();
            let (one, two) = (Context::new(&net, &budget, seed), Context::new(&net, &budget, seed));
            for h in HEURISTICS {
                let order = (h.order)(&one);
                prop_assert!(order.iter().all(|o| is_permutation(&net, o)), "{}", h.name);
                prop_assert_eq!(&order, &(h.order)(&two), "{}", h.name);
                if let Some(order) = order {
                    prop_assert!(is_permutation(&net, &force::refined(&one, &order)));
                    prop_assert!(is_permutation(&net, &force::refined_with_semiflows(&one, &order)));
                }
            }
        }

        #[test]
        fn candidates_are_permutations_best_first(net in nets(9, 9), seed in 0u64..100) {
            let budget = Budget::unlimited();
            let found = candidates(&net, &budget, seed);
            prop_assert!(!found.is_empty());
            prop_assert!(found.iter().all(|s| is_permutation(&net, &s.order)));
            let keys: [fn(&Metrics) -> f64; 4] =
                [|m| m.score, |m| m.weighted_soups, |m| m.soups as f64, |m| m.event_span];
            for (i, s) in found.iter().enumerate() {
                let key = keys[i % 4];
                prop_assert!(found[i..].iter().all(|other| key(&s.metrics) <= key(&other.metrics)), "{}", i);
            }
            let names: std::collections::HashSet<_> = found.iter().map(|s| &s.name).collect();
            prop_assert_eq!(names.len(), found.len());
            prop_assert_eq!(found, candidates(&net, &budget, seed));
        }
    }

    /// A ring of `n` cells, each of which passes a token on.
    fn ring(n: usize) -> PetriNet {
        let mut b = NetBuilder::new("ring");
        let places: Vec<_> = (0..n).map(|i| b.place(format!("p{i}"), u64::from(i == 0)).unwrap()).collect();
        for i in 0..n {
            let t = b.transition(format!("t{i}")).unwrap();
            b.input(places[i], t, 1).unwrap();
            b.output(t, places[(i + 1) % n], 1).unwrap();
        }
        b.build().unwrap()
    }

    #[test]
    fn large_nets_get_the_essential_candidates() {
        let net = ring(30_000);
        let found = candidates(&net, &Budget::unlimited(), 0);
        assert!(found.iter().all(|s| is_permutation(&net, &s.order)));
        assert!(found.iter().any(|s| s.name == "given"));
        assert!((2..12).contains(&found.len()), "{}", found.len());
    }

    #[test]
    fn a_cancelled_search_still_gives_the_order_of_the_file() {
        let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let budget = Budget::unlimited().with_flag(flag);
        let found = candidates(&ring(5), &budget, 0);
        assert!(found.iter().any(|s| s.name == "given"));
    }

    #[test]
    fn names_are_unique_and_found() {
        for h in HEURISTICS {
            assert_eq!(crate::order::heuristic(h.name).map(|g| g.description), Some(h.description));
        }
        let names: std::collections::HashSet<_> = HEURISTICS.iter().map(|h| h.name).collect();
        assert_eq!(names.len(), HEURISTICS.len());
        assert!(crate::order::heuristic("no such").is_none());
    }

    #[test]
    fn kanban_fills_the_lower_levels_first() {
        // Two machines in a row, each with a stock of cards; tokens enter at the first.
        let mut b = NetBuilder::new("kanban");
        let mut place = |name: &str, tokens| b.place(name, tokens).unwrap();
        let (free1, busy1, out1) = (place("free1", 9), place("busy1", 0), place("out1", 0));
        let (free2, busy2) = (place("free2", 9), place("busy2", 0));
        let arcs = [
            (vec![free1], vec![busy1]),
            (vec![busy1], vec![out1]),
            (vec![out1, free2], vec![free1, busy2]),
            (vec![busy2], vec![free2]),
        ];
        for (i, (pre, post)) in arcs.into_iter().enumerate() {
            let t = b.transition(format!("t{i}")).unwrap();
            pre.into_iter().for_each(|p| b.input(p, t, 1).unwrap());
            post.into_iter().for_each(|p| b.output(t, p, 1).unwrap());
        }
        let net = b.build().unwrap();
        let best = candidates(&net, &Budget::unlimited(), 0).swap_remove(0).order;
        let height = best.heights();
        let mean = |places: &[crate::net::PlaceId]| {
            places.iter().map(|p| f64::from(height[p.index()])).sum::<f64>() / places.len() as f64
        };
        assert!(mean(&[free1, busy1, out1]) < mean(&[free2, busy2]));
    }
}
