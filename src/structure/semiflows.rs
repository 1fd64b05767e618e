//! Linear invariants of a net: P-semiflows, T-semiflows and P-flows.
//!
//! A **P-semiflow** gives each place a natural weight such that no firing changes the weighted sum of
//! tokens: `x·C = 0`. The sum is then the same in every reachable marking. A **P-flow** allows negative
//! weights. A **T-semiflow** is a multiset of transitions whose firing, in any order that is possible,
//! reproduces the marking: `C·y = 0`. Minimal-support semiflows generate all of them (Memmi and Roucairol
//! 1980; Colom and Silva 1991). The elimination is in `farkas` and `elimination`.

use super::sparse::Sparse;
use super::{Effort, Incidence, elimination, farkas};
use crate::budget::{Budget, Exhausted};
use crate::net::{Marking, PetriNet, PlaceId, TransitionId};

/// Invariants, and whether these are all of their kind (a basis, for P-flows).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flows<T> {
    /// The invariants, sorted by their weights.
    pub flows: Vec<T>,
    /// False when a limit or an overflow ended the computation early; each flow is right all the same.
    pub complete: bool,
}

/// Natural weights of places whose weighted sum of tokens never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PSemiflow {
    /// Places with their weights (at least 1), sorted by place.
    pub weights: Vec<(PlaceId, u64)>,
    /// The weighted sum, in the initial and in every reachable marking.
    pub tokens: u128,
}

/// Integer weights of places whose weighted sum of tokens never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PFlow {
    /// Places with their weights (not 0; the first is positive), sorted by place.
    pub weights: Vec<(PlaceId, i64)>,
    /// The weighted sum, in the initial and in every reachable marking.
    pub constant: i128,
}

/// A multiset of transitions that reproduces the marking it starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TSemiflow {
    /// Transitions with the number of their firings (at least 1), sorted by transition.
    pub counts: Vec<(TransitionId, u64)>,
}

impl PSemiflow {
    /// The weighted sum of `marking`; `None` where it exceeds a `u128`.
    pub fn sum(&self, marking: &Marking) -> Option<u128> {
        let mut sum = 0u128;
        for &(p, w) in &self.weights {
            sum = sum.checked_add(u128::from(w).checked_mul(marking.tokens(p).into())?)?;
        }
        Some(sum)
    }
}

impl PFlow {
    /// The weighted sum of `marking`; `None` where it exceeds an `i128`.
    pub(crate) fn sum(&self, marking: &Marking) -> Option<i128> {
        let mut sum = 0i128;
        for &(p, w) in &self.weights {
            sum = sum.checked_add(i128::from(w).checked_mul(marking.tokens(p).into())?)?;
        }
        Some(sum)
    }
}

/// The minimal-support P-semiflows of `net`, as many as `effort` allows.
///
/// ```
/// use starset::budget::Budget;
/// use starset::net::NetBuilder;
/// use starset::structure::{Effort, p_semiflows};
/// let mut b = NetBuilder::new("buffer");
/// let free = b.place("free", 3)?;
/// let full = b.place("full", 0)?;
/// let put = b.transition("put")?;
/// b.input(free, put, 1)?;
/// b.output(put, full, 1)?;
/// let net = b.build()?;
/// let found = p_semiflows(&net, Effort::default(), &Budget::unlimited())?;
/// assert!(found.complete);
/// assert_eq!(found.flows[0].weights, [(free, 1), (full, 1)]);
/// assert_eq!(found.flows[0].tokens, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn p_semiflows(net: &PetriNet, effort: Effort, budget: &Budget) -> Result<Flows<PSemiflow>, Exhausted> {
    let Some(incidence) = Incidence::new(net) else { return Ok(Flows { flows: Vec::new(), complete: false }) };
    let found = farkas::minimal_solutions(incidence.rows(), net.transition_count(), effort, budget)?;
    let (initial, mut complete) = (net.initial_marking(), found.complete);
    let mut flows = Vec::with_capacity(found.rows.len());
    for row in found.rows {
        let mut flow = PSemiflow { weights: natural(&row, PlaceId), tokens: 0 };
        match flow.sum(&initial) {
            Some(tokens) => {
                flow.tokens = tokens;
                flows.push(flow);
            }
            None => complete = false,
        }
    }
    Ok(Flows { flows, complete })
}

/// The minimal-support T-semiflows of `net`, as many as `effort` allows.
pub fn t_semiflows(net: &PetriNet, effort: Effort, budget: &Budget) -> Result<Flows<TSemiflow>, Exhausted> {
    let Some(incidence) = Incidence::new(net) else { return Ok(Flows { flows: Vec::new(), complete: false }) };
    let found = farkas::minimal_solutions(incidence.columns(), net.place_count(), effort, budget)?;
    let flows = found.rows.iter().map(|row| TSemiflow { counts: natural(row, TransitionId) }).collect();
    Ok(Flows { flows, complete: found.complete })
}

/// A basis of the P-flows of `net` (a part of one where `effort` or 63 bits do not suffice).
pub(crate) fn p_flows(net: &PetriNet, effort: Effort, budget: &Budget) -> Result<Flows<PFlow>, Exhausted> {
    let Some(incidence) = Incidence::new(net) else { return Ok(Flows { flows: Vec::new(), complete: false }) };
    let found = elimination::basis(incidence.rows(), net.transition_count(), effort, budget)?;
    let (initial, mut complete) = (net.initial_marking(), found.complete);
    let mut flows = Vec::with_capacity(found.rows.len());
    for row in found.rows {
        let mut flow = PFlow { weights: row.iter().map(|&(p, w)| (PlaceId(p), w)).collect(), constant: 0 };
        match flow.sum(&initial) {
            Some(constant) => {
                flow.constant = constant;
                flows.push(flow);
            }
            None => complete = false,
        }
    }
    Ok(Flows { flows, complete })
}

/// A row of natural numbers with typed indices.
fn natural<Id>(row: &Sparse, id: fn(u32) -> Id) -> Vec<(Id, u64)> {
    row.iter().map(|&(i, w)| (id(i), w.unsigned_abs())).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::structure::random_nets::{nets, rank, walk};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn unlimited() -> Budget {
        Budget::unlimited()
    }

    /// The solutions of `x·A = 0` with support inside `support`, if they are the multiples of one vector:
    /// dense rational elimination, independent of the code under test.
    fn single_solution(matrix: &[Vec<i128>], support: &[usize]) -> Option<Vec<i128>> {
        let columns = matrix.first().map_or(0, Vec::len);
        let mut rows: Vec<(Vec<i128>, Vec<i128>)> = support
            .iter()
            .enumerate()
            .map(|(k, &i)| (matrix[i].clone(), (0..support.len()).map(|j| i128::from(j == k)).collect()))
            .collect();
        for c in 0..columns {
            let Some(k) = rows.iter().position(|r| r.0[c] != 0) else { continue };
            let pivot = rows.swap_remove(k);
            for row in &mut rows {
                let (a, b) = (pivot.0[c], row.0[c]);
                for (x, y) in row.0.iter_mut().zip(&pivot.0).chain(row.1.iter_mut().zip(&pivot.1)) {
                    *x = *x * a - y * b;
                }
            }
        }
        match &rows[..] {
            [(_, x)] => Some(x.clone()),
            _ => None,
        }
    }

    /// All minimal-support natural solutions: a support is minimal iff the solutions on it are the
    /// multiples of one vector that is positive everywhere.
    fn brute_force(matrix: &[Vec<i128>]) -> BTreeSet<Vec<(u32, u64)>> {
        let mut solutions = BTreeSet::new();
        for mask in 1u32..1 << matrix.len() {
            let support: Vec<usize> = (0..matrix.len()).filter(|i| mask >> i & 1 == 1).collect();
            let Some(mut x) = single_solution(matrix, &support) else { continue };
            if x.iter().all(|&v| v < 0) {
                x.iter_mut().for_each(|v| *v = -*v);
            }
            if x.iter().any(|&v| v <= 0) {
                continue;
            }
            let mut divisor = 0u128;
            for &v in &x {
                let (mut a, mut b) = (divisor, v as u128);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                divisor = a;
            }
            solutions.insert(support.iter().zip(&x).map(|(&i, &v)| (i as u32, (v as u128 / divisor) as u64)).collect());
        }
        solutions
    }

    fn dense(rows: &[Sparse], columns: usize) -> Vec<Vec<i128>> {
        rows.iter()
            .map(|row| {
                let mut full = vec![0; columns];
                row.iter().for_each(|&(c, v)| full[c as usize] = v.into());
                full
            })
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn p_semiflows_are_the_minimal_ones(net in nets(7, 6)) {
            let found = p_semiflows(&net, Effort::default(), &unlimited()).unwrap();
            prop_assert!(found.complete);
            let c = Incidence::new(&net).unwrap();
            let expected = brute_force(&dense(c.rows(), net.transition_count()));
            let got: BTreeSet<Vec<(u32, u64)>> =
                found.flows.iter().map(|f| f.weights.iter().map(|&(p, w)| (p.0, w)).collect()).collect();
            prop_assert_eq!(got.len(), found.flows.len());
            prop_assert_eq!(got, expected);
        }

        #[test]
        fn t_semiflows_are_the_minimal_ones(net in nets(5, 7)) {
            let found = t_semiflows(&net, Effort::default(), &unlimited()).unwrap();
            prop_assert!(found.complete);
            let c = Incidence::new(&net).unwrap();
            let expected = brute_force(&dense(c.columns(), net.place_count()));
            let got: BTreeSet<Vec<(u32, u64)>> =
                found.flows.iter().map(|f| f.counts.iter().map(|&(t, n)| (t.0, n)).collect()).collect();
            prop_assert_eq!(got, expected);
        }

        #[test]
        fn invariants_hold_along_walks(net in nets(6, 6), picks in prop::collection::vec(0usize..100, 30)) {
            let semiflows = p_semiflows(&net, Effort::default(), &unlimited()).unwrap().flows;
            let flows = p_flows(&net, Effort::default(), &unlimited()).unwrap().flows;
            for marking in walk(&net, &picks) {
                for f in &semiflows {
                    prop_assert_eq!(f.sum(&marking), Some(f.tokens));
                }
                for f in &flows {
                    prop_assert_eq!(f.sum(&marking), Some(f.constant));
                }
            }
        }

        #[test]
        fn p_flows_are_a_basis(net in nets(7, 6)) {
            let found = p_flows(&net, Effort::default(), &unlimited()).unwrap();
            prop_assert!(found.complete);
            let c = Incidence::new(&net).unwrap();
            let matrix = dense(c.rows(), net.transition_count());
            let rows: Vec<Sparse> =
                found.flows.iter().map(|f| f.weights.iter().map(|&(p, w)| (p.0, w)).collect()).collect();
            let vectors = dense(&rows, net.place_count());
            for x in &vectors {
                for t in 0..net.transition_count() {
                    prop_assert_eq!(x.iter().zip(&matrix).map(|(v, row)| v * row[t]).sum::<i128>(), 0);
                }
            }
            prop_assert_eq!(rank(vectors), net.place_count() - rank(matrix));
            prop_assert_eq!(found.flows.len(), net.place_count() - rank(dense(c.rows(), net.transition_count())));
        }

        #[test]
        fn limited_effort_gives_some_of_the_semiflows(net in nets(7, 6), rows in 0usize..12, work in 0u64..200) {
            let all = p_semiflows(&net, Effort::default(), &unlimited()).unwrap();
            let some = p_semiflows(&net, Effort { rows, work }, &unlimited()).unwrap();
            prop_assert!(some.flows.iter().all(|f| all.flows.contains(f)));
            prop_assert!(!some.complete || some == all);
        }
    }

    /// `n` transitions in a row, each with two output places that the next one both needs: 2^n semiflows.
    fn exponential(n: usize) -> PetriNet {
        let mut b = crate::net::NetBuilder::new("exponential");
        let mut from = vec![b.place("start", 1).unwrap()];
        for i in 0..n {
            let t = b.transition(format!("t{i}")).unwrap();
            from.iter().for_each(|&p| b.input(p, t, 1).unwrap());
            from = vec![b.place(format!("l{i}"), 0).unwrap(), b.place(format!("r{i}"), 0).unwrap()];
            from.iter().for_each(|&p| b.output(t, p, 1).unwrap());
        }
        b.build().unwrap()
    }

    #[test]
    fn exponentially_many_semiflows_end_at_the_limit() {
        let small = p_semiflows(&exponential(8), Effort::default(), &unlimited()).unwrap();
        assert_eq!((small.flows.len(), small.complete), (256, true));
        let large = exponential(60);
        let limited = p_semiflows(&large, Effort { rows: 5000, work: 2_000_000 }, &unlimited()).unwrap();
        assert!(!limited.complete);
        let basis = p_flows(&large, Effort::default(), &unlimited()).unwrap();
        assert_eq!((basis.flows.len(), basis.complete), (61, true));
    }

    #[test]
    fn huge_weights_never_overflow() {
        let mut b = crate::net::NetBuilder::new("huge");
        let places: Vec<_> = (0..4).map(|i| b.place(format!("p{i}"), u64::MAX).unwrap()).collect();
        for i in 0..3u64 {
            let t = b.transition(format!("t{i}")).unwrap();
            b.input(places[i as usize], t, (1 << 62) + 2 * i + 1).unwrap();
            b.output(t, places[i as usize + 1], (1 << 61) + 5 * i + 3).unwrap();
        }
        let net = b.build().unwrap();
        assert!(!p_semiflows(&net, Effort::default(), &unlimited()).unwrap().complete);
        assert!(!p_flows(&net, Effort::default(), &unlimited()).unwrap().complete);
    }

    #[test]
    fn cancelled_budget_ends_it() {
        let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let budget = Budget::unlimited().with_flag(flag);
        assert_eq!(p_semiflows(&exponential(4), Effort::default(), &budget), Err(Exhausted::Cancelled));
    }
}
