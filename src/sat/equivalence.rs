//! Latches that always have the same value, or opposite ones, or never change, as far as one step of induction shows.
//!
//! All latches are in one class with the constant false at first, each with the polarity that it has in some first state.
//! A first state, or a step between states where all classes are uniform, splits the classes that are not uniform where it
//! leads, until there is no such.

use super::run::Clause;
use super::solver::{Encoded, Solver};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use batsat::Lit;
use std::time::Duration;

/// Latches up to which this is done, and its time.
const MOST: usize = 4_000;
const TIME: Duration = Duration::from_secs(4);

/// What holds of those that a condition rests on in all reachable states; nothing, where that takes long.
///
/// # Errors
/// When the budget is used up.
pub(super) fn invariant(circuit: &Circuit, good: Signal, budget: &Budget) -> Result<Vec<Clause>, Exhausted> {
    let latches = circuit.cone(&[good, circuit.step]);
    if latches.len() > MOST {
        return Ok(Vec::new());
    }
    match classes(circuit, &latches, &budget.part_up_to(1, 6, TIME)) {
        Ok(clauses) => Ok(clauses),
        Err(Exhausted::Time) => budget.check().map(|()| Vec::new()),
        Err(other) => Err(other),
    }
}

/// Classes of latches: the constant is the number behind the last latch.
struct Classes {
    /// Those with more than one member, each with whether it has the opposite value of the class.
    all: Vec<Vec<(usize, bool)>>,
}

impl Classes {
    /// Split them by a state.
    fn split(&mut self, value: &dyn Fn(usize) -> bool) {
        let before = std::mem::take(&mut self.all);
        for class in before {
            let (yes, no): (Vec<_>, Vec<_>) = class.into_iter().partition(|&(latch, turned)| value(latch) != turned);
            self.all.extend([yes, no].into_iter().filter(|class| class.len() > 1));
        }
    }

    /// Neighbours in classes, with whether their values differ.
    fn pairs(&self) -> Vec<(usize, usize, bool)> {
        let of_class = |class: &Vec<(usize, bool)>| -> Vec<(usize, usize, bool)> {
            class[1..].iter().map(|&(latch, turned)| (class[0].0, latch, turned != class[0].1)).collect()
        };
        self.all.iter().flat_map(of_class).collect()
    }
}

fn classes(circuit: &Circuit, latches: &[usize], budget: &Budget) -> Result<Vec<Clause>, Exhausted> {
    let gates = &circuit.gates;
    let constant = circuit.latches.len();
    let now = |latch: usize| if latch == constant { Signal::FALSE } else { circuit.latches[latch].now };
    let next = |latch: usize| if latch == constant { Signal::FALSE } else { circuit.latches[latch].next };
    let (mut first, mut encoded) = (Solver::new(budget), Encoded::new(gates));
    let initial = encoded.literal(&mut first, gates, circuit.initial);
    first.clause([initial]);
    if !first.solve(&[])? {
        return Ok(Vec::new());
    }
    let value = |solver: &Solver, encoded: &Encoded, signal: Signal| {
        encoded.known(signal).is_some_and(|literal| solver.holds(literal))
    };
    // The constant is the first of its class.
    let class = std::iter::once(constant).chain(latches.iter().copied());
    let mut classes = Classes { all: vec![class.map(|latch| (latch, value(&first, &encoded, now(latch)))).collect()] };
    loop {
        let differ = differing(&mut first, &mut encoded, circuit, &classes.pairs(), &now);
        if !first.solve(&[differ])? {
            break;
        }
        classes.split(&|latch| value(&first, &encoded, now(latch)));
        first.clause([!differ]);
    }
    let (mut steps, mut encoded) = (Solver::new(budget), Encoded::new(gates));
    let step = encoded.literal(&mut steps, gates, circuit.step);
    let mut rounds = 0_usize;
    loop {
        let pairs = classes.pairs();
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let same = steps.fresh();
        for &(a, b, turned) in &pairs {
            let [a, b] = [a, b].map(|latch| encoded.literal(&mut steps, gates, now(latch)));
            let b = if turned { !b } else { b };
            steps.clause([!same, !a, b]);
            steps.clause([!same, a, !b]);
        }
        let differ = differing(&mut steps, &mut encoded, circuit, &pairs, &next);
        if !steps.solve(&[step, same, differ])? {
            return Ok(pairs.into_iter().flat_map(|pair| clauses(constant, pair)).collect());
        }
        classes.split(&|latch| value(&steps, &encoded, next(latch)));
        steps.clause([!same]);
        steps.clause([!differ]);
        rounds += 1;
        if rounds.is_multiple_of(50) {
            steps.simplify();
        }
    }
}

/// A literal under which some pair is not as it should be.
fn differing(
    solver: &mut Solver,
    encoded: &mut Encoded,
    circuit: &Circuit,
    pairs: &[(usize, usize, bool)],
    of: &dyn Fn(usize) -> Signal,
) -> Lit {
    let differ = solver.fresh();
    let mut any = vec![!differ];
    for &(a, b, turned) in pairs {
        let [a, b] = [a, b].map(|latch| encoded.literal(solver, &circuit.gates, of(latch)));
        let b = if turned { !b } else { b };
        let here = solver.fresh();
        solver.clause([!here, a, b]);
        solver.clause([!here, !a, !b]);
        any.push(here);
    }
    solver.clause(any);
    differ
}

/// A pair as clauses.
fn clauses(constant: usize, (a, b, turned): (usize, usize, bool)) -> Vec<Clause> {
    match a == constant {
        true => vec![vec![(b, turned)]],
        false => [false, true].map(|value| sorted(vec![(a, value), (b, value == turned)])).to_vec(),
    }
}

fn sorted(mut clause: Clause) -> Clause {
    clause.sort_unstable();
    clause
}
