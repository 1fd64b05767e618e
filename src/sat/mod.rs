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
//! | `merged` | the circuit in which these are one |
//! | `lasso` | a run that was found goes on to a state that it has been in |
//! | `fair` | runs without end on which conditions hold again and again, by the two searches |
//! | `counted` | how often conditions hold in turn, as an invariant |
//! | `observed` | circuits with latches that watch for such runs |
//! | `again` | ways from each reachable state to a goal, backwards from there |
//! | `solver` | the solver behind them, and gates as clauses |
//! | `run` | runs, clauses and cubes |
//! | `certificate` | invariants checked anew, by a solver of their own |
//!
//! It knows circuits and conditions on their states and steps, and no model, formula or path: who asks sees to it that the
//! question is one about reachable states, or about runs without end. A run is shown by its states.
//!
//! Sources: Biere, Cimatti, Clarke, Zhu, *Symbolic model checking without BDDs*, TACAS 1999; Bradley, *SAT-based model
//! checking without unrolling*, VMCAI 2011; Eén, Mishchenko, Brayton, *Efficient implementation of property directed
//! reachability*, FMCAD 2011; van Eijk, *Sequential equivalence checking based on structural similarities*, IEEE TCAD 19,
//! 2000; Biere, Artho, Schuppan, *Liveness checking as safety checking*, FMICS 2002; Claessen, Sörensson, *A liveness checking
//! algorithm that counts*, FMCAD 2012.

mod again;
mod bounded;
mod certificate;
mod counted;
mod equivalence;
mod fair;
mod ic3;
mod lasso;
mod merged;
mod observed;
mod run;
mod solver;

pub use again::{Again, always_again, always_steps};
pub use counted::{Counted, counted};
pub use fair::{Endless, fair_run};
pub use lasso::looping;
pub use run::{Clause, Run};

use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use bounded::Bounded;
use ic3::{Ic3, Step};
use merged::Merged;
use run::Pair;
use solver::{Encoded, Solver};
use std::time::Duration;

/// What was found out about a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It holds in all reachable states, as it does where these do, in first states and after steps.
    Holds(Vec<Clause>),
    /// It fails in the last state of this run.
    Fails(Run),
    /// Nothing, as an invariant did not stand the check, or the circuit has faults.
    Unsuitable,
}

/// Time of the first turn, and by how much turns grow.
const FIRST: (Duration, u32) = (Duration::from_millis(200), 2);
/// The part of a turn that is for runs.
const BOUNDED: u32 = 3;

/// Has the circuit no faults where values are legal, and those are what they always are that never change? Else it is not what
/// its model is. (States that steps of the circuit lead to are those of the model as long as they have no faults.)
///
/// # Errors
/// When the budget is used up.
pub fn is_faultless(circuit: &Circuit, budget: &Budget) -> Result<bool, Exhausted> {
    let has_none = |merged: &Merged, fault: Signal| {
        let (mut solver, gates) = (Solver::new(budget), &merged.circuit.gates);
        let mut encoded = Encoded::new(gates);
        let both = [fault, circuit.legal];
        let both = both.map(|signal| encoded.literal(&mut solver, gates, merged.signal(signal)));
        Ok(!solver.solve(&both)?)
    };
    let of = |pairs: &[Pair]| Merged::new(circuit, pairs, &[circuit.fault, circuit.first_fault, circuit.legal]);
    let plain = of(&[]);
    if circuit.fault == Signal::FALSE || has_none(&plain, circuit.fault)? {
        return Ok(true);
    }
    // What never changes is what it is at first: that has to be sure.
    if !has_none(&plain, circuit.first_fault)? {
        return Ok(false);
    }
    let pairs = equivalence::pairs(circuit, &[circuit.fault, circuit.step], budget)?;
    Ok(!pairs.is_empty() && has_none(&of(&pairs), circuit.fault)?)
}

/// Does a condition on latches hold in all reachable states of a circuit without faults?
///
/// # Errors
/// When the budget is used up.
pub fn decide(circuit: &Circuit, good: Signal, budget: &Budget) -> Result<Outcome, Exhausted> {
    let pairs = equivalence::pairs(circuit, &[good, circuit.step], budget)?;
    let merged = Merged::new(circuit, &pairs, &[good]);
    match Search::new(&merged.circuit, merged.signal(good), budget).run(budget)? {
        Step::Fails(run) => Ok(Outcome::Fails(merged.run(circuit, &run))),
        Step::Holds(invariant) => {
            let clauses: Vec<Clause> = invariant.iter().map(|clause| merged.clause(clause)).collect();
            Ok(match certificate::is_invariant(circuit, good, (&pairs, &clauses), budget)? {
                true => {
                    let of_pairs = pairs.iter().flat_map(|&pair| equivalence::clauses(circuit, pair));
                    Outcome::Holds(of_pairs.chain(clauses).collect())
                }
                false => Outcome::Unsuitable,
            })
        }
    }
}

/// Both searches, by turns, as far as they are.
struct Search<'c> {
    bounded: Bounded<'c>,
    ic3: Ic3<'c>,
    turn: Duration,
    /// Runs are not looked for any more.
    is_deep: bool,
}

impl<'c> Search<'c> {
    fn new(circuit: &'c Circuit, good: Signal, budget: &Budget) -> Self {
        let (bounded, ic3) = (Bounded::new(circuit, good, budget), Ic3::new(circuit, good, budget));
        Search { bounded, ic3, turn: FIRST.0, is_deep: false }
    }

    /// Search on.
    ///
    /// # Errors
    /// When the budget is used up. The search goes on when it is called again.
    fn run(&mut self, budget: &Budget) -> Result<Step, Exhausted> {
        loop {
            if !self.is_deep {
                match self.bounded.run(&budget.clone().with_time(self.turn / BOUNDED)) {
                    Ok(Some(run)) => return Ok(Step::Fails(run)),
                    Err(Exhausted::Time) => budget.check()?,
                    // There are no longer runs, or none that fit.
                    Ok(None) | Err(Exhausted::Memory) => self.is_deep = true,
                    Err(other) => return Err(other),
                }
            }
            let time = if self.is_deep { budget.clone() } else { budget.clone().with_time(self.turn) };
            match self.ic3.run(&time) {
                Err(Exhausted::Time) => budget.check()?,
                ended => return ended,
            }
            self.turn = self.turn.saturating_mul(FIRST.1);
        }
    }
}
