//! The engine of bits: does a condition hold in all reachable states of a circuit?
//!
//! A question is asked of a solver for propositional formulas again and again. Two searches take turns, with time that
//! grows:
//!
//! | file | search |
//! |---|---|
//! | `bounded` | runs of more and more steps that end where the condition fails |
//! | `ic3` | an invariant, clause by clause, each inductive relative to those before it |
//! | `equivalence` | before them: bits that are always the same, or never change |
//! | `lasso` | a run that was found goes on to a state that it has been in |
//! | `solver` | the solver behind them, and gates as clauses |
//! | `run` | runs, clauses and cubes |
//! | `certificate` | invariants checked anew, by a solver of their own |
//!
//! It knows circuits and conditions on their states, and no model, formula or path: who asks sees to it that the question is
//! one about reachable states. A run is shown by its states.
//!
//! Sources: Biere, Cimatti, Clarke, Zhu, *Symbolic model checking without BDDs*, TACAS 1999; Bradley, *SAT-based model
//! checking without unrolling*, VMCAI 2011; Eén, Mishchenko, Brayton, *Efficient implementation of property directed
//! reachability*, FMCAD 2011; van Eijk, *Sequential equivalence checking based on structural similarities*, IEEE TCAD 19,
//! 2000.

mod bounded;
mod certificate;
mod equivalence;
mod ic3;
mod lasso;
mod run;
mod solver;

pub use lasso::looping;
pub use run::Run;

use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use bounded::Bounded;
use ic3::{Ic3, Step};
use solver::{Encoded, Solver};
use std::time::Duration;

/// What was found out about a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It holds in all reachable states.
    Holds,
    /// It fails in the last state of this run.
    Fails(Run),
    /// Nothing, as an invariant did not stand the check, or the circuit has faults.
    Unsuitable,
}

/// Time of the first turn, and by how much turns grow.
const FIRST: (Duration, u32) = (Duration::from_millis(200), 2);
/// The part of a turn that is for runs.
const BOUNDED: u32 = 3;

/// Has the circuit no faults where values are legal? Else it is not what its model is.
///
/// # Errors
/// When the budget is used up.
pub fn is_faultless(circuit: &Circuit, budget: &Budget) -> Result<bool, Exhausted> {
    if circuit.fault == Signal::FALSE {
        return Ok(true);
    }
    let (mut solver, mut encoded) = (Solver::new(budget), Encoded::new(&circuit.gates));
    let [fault, legal] =
        [circuit.fault, circuit.legal].map(|signal| encoded.literal(&mut solver, &circuit.gates, signal));
    Ok(!solver.solve(&[fault, legal])?)
}

/// Does a condition on latches hold in all reachable states of a circuit without faults?
///
/// # Errors
/// When the budget is used up.
pub fn decide(circuit: &Circuit, good: Signal, budget: &Budget) -> Result<Outcome, Exhausted> {
    let known = equivalence::invariant(circuit, good, budget)?;
    let mut bounded = Bounded::new(circuit, good, budget);
    let mut ic3 = Ic3::new(circuit, good, known, budget);
    let (mut turn, growth) = FIRST;
    let mut is_deep = false;
    loop {
        if !is_deep {
            match bounded.run(&budget.clone().with_time(turn / BOUNDED)) {
                Ok(Some(run)) => return Ok(Outcome::Fails(run)),
                Err(Exhausted::Time) => budget.check()?,
                // There are no longer runs, or none that fit.
                Ok(None) | Err(Exhausted::Memory) => is_deep = true,
                Err(other) => return Err(other),
            }
        }
        let time = if is_deep { budget.clone() } else { budget.clone().with_time(turn) };
        match ic3.run(&time) {
            Ok(Step::Holds(invariant)) => {
                return Ok(match certificate::is_invariant(circuit, good, &invariant, budget)? {
                    true => Outcome::Holds,
                    false => Outcome::Unsuitable,
                });
            }
            Ok(Step::Fails(run)) => return Ok(Outcome::Fails(run)),
            Err(Exhausted::Time) => budget.check()?,
            Err(other) => return Err(other),
        }
        turn = turn.saturating_mul(growth);
    }
}
