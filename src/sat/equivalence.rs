//! Latches that always have the same value, or opposite ones, or never change, as far as one step of induction shows.
//!
//! All latches are in one class with the constant false at first, each with the polarity that it has in some first state.
//! A first state, or a step between states where all classes are uniform, splits the classes that are not uniform where it
//! leads, until there is no such. Steps are those of a circuit in which each class is one latch, made anew when no step splits
//! classes any more: what a class computes in the same way is the same gate there, and needs no proof.

use super::merged::Merged;
use super::run::{Clause, Pair};
use super::solver::{Encoded, Solver};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Gates, Signal};
use batsat::Lit;
use std::time::Duration;

/// Latches up to which this is done, and its time.
const MOST: usize = 4_000;
const TIME: Duration = Duration::from_secs(4);

/// What is so of the latches that some signals rest on in all reachable states: each with the first that is like it; none,
/// where that takes long.
///
/// # Errors
/// When the budget is used up.
pub(super) fn pairs(circuit: &Circuit, signals: &[Signal], budget: &Budget) -> Result<Vec<Pair>, Exhausted> {
    let latches = circuit.cone(signals);
    if latches.len() > MOST {
        return Ok(Vec::new());
    }
    match classes(circuit, &latches, &budget.part_up_to(1, 6, TIME)) {
        Ok(pairs) => Ok(pairs),
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
    fn pairs(&self) -> Vec<Pair> {
        let of_class = |class: &Vec<(usize, bool)>| -> Vec<Pair> {
            class[1..].iter().map(|&(latch, turned)| (class[0].0, latch, turned != class[0].1)).collect()
        };
        self.all.iter().flat_map(of_class).collect()
    }
}

fn classes(circuit: &Circuit, latches: &[usize], budget: &Budget) -> Result<Vec<Pair>, Exhausted> {
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
        let differ = differing(&mut first, (&mut encoded, gates), &classes.pairs(), &now);
        if !first.solve(&[differ])? {
            break;
        }
        classes.split(&|latch| value(&first, &encoded, now(latch)));
        first.clause([!differ]);
    }
    loop {
        let pairs = classes.pairs();
        let merged = Merged::new(circuit, &pairs, &[]);
        let (mut steps, mut encoded) = (Solver::new(budget), Encoded::new(&merged.circuit.gates));
        let step = encoded.literal(&mut steps, &merged.circuit.gates, merged.circuit.step);
        steps.clause([step]);
        let next = |latch: usize| merged.signal(next(latch));
        let mut is_split = false;
        loop {
            let differ = differing(&mut steps, (&mut encoded, &merged.circuit.gates), &classes.pairs(), &next);
            if !steps.solve(&[differ])? {
                break;
            }
            classes.split(&|latch| value(&steps, &encoded, next(latch)));
            steps.clause([!differ]);
            is_split = true;
        }
        if !is_split {
            return Ok(pairs);
        }
    }
}

/// A literal under which some pair is not as it should be.
fn differing(
    solver: &mut Solver,
    (encoded, gates): (&mut Encoded, &Gates),
    pairs: &[Pair],
    of: &dyn Fn(usize) -> Signal,
) -> Lit {
    let differ = solver.fresh();
    let mut any = vec![!differ];
    for &(a, b, turned) in pairs {
        let [a, b] = [a, b].map(|latch| encoded.literal(solver, gates, of(latch)));
        let b = if turned { !b } else { b };
        if a != b {
            let here = solver.fresh();
            solver.clause([!here, a, b]);
            solver.clause([!here, !a, !b]);
            any.push(here);
        }
    }
    solver.clause(any);
    differ
}

/// A pair as clauses.
pub(super) fn clauses(circuit: &Circuit, (a, b, turned): Pair) -> Vec<Clause> {
    match a == circuit.latches.len() {
        true => vec![vec![(b, turned)]],
        false => [false, true].map(|value| sorted(vec![(a, value), (b, value == turned)])).to_vec(),
    }
}

fn sorted(mut clause: Clause) -> Clause {
    clause.sort_unstable();
    clause
}
