//! Runs without end in which each of some signals is true in infinitely many steps.
//!
//! As a circuit has finitely many states, there is such a run just if there is one that comes back to a state in which it has
//! been, with all signals true on the way. Two questions about reachable states tell, and take turns:
//!
//! | question | says |
//! |---|---|
//! | is a saved state met again? | yes: a run; no: there is none |
//! | do the signals hold so and so often? | no: there is none |
//!
//! The number of the second one grows until they do not. The first decides by itself, with twice the latches; the second
//! proves with few.
//!
//! Sources: Biere, Artho, Schuppan, *Liveness checking as safety checking*, FMICS 2002; Claessen, Sörensson, *A liveness
//! checking algorithm that counts*, FMCAD 2012.

use super::ic3::Step;
use super::merged::Merged;
use super::observed::Observed;
use super::run::{Clause, Run};
use super::{FIRST, Search, certificate, equivalence};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use std::time::Duration;

/// What was found out about runs without end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Endless {
    /// There is none of those that are meant.
    None,
    /// This run ends in the state with this number, and so goes on as it did from there.
    Loop(Run, usize),
    /// Nothing, as an invariant did not stand the check.
    Unsuitable,
}

/// A loop is gone round until all latches are as they were: for so many states, and so many values of gates.
const STATES: usize = 10_000;
const VALUES: usize = 1 << 26;

/// A run without end of a circuit without faults in which each of some signals, over latches and inputs, is true in infinitely
/// many steps.
///
/// # Errors
/// When the budget is used up.
pub fn fair_run(circuit: &Circuit, justice: &[Signal], budget: &Budget) -> Result<Endless, Exhausted> {
    let roots: Vec<Signal> = justice.iter().copied().chain([circuit.step]).collect();
    let pairs = equivalence::pairs(circuit, &roots, budget)?;
    // What is made one here is so in all reachable states, and is checked before anything rests on it.
    if !certificate::is_invariant(circuit, Signal::TRUE, (&pairs, &[]), budget)? {
        return Ok(Endless::Unsuitable);
    }
    let merged = Merged::new(circuit, &pairs, justice);
    let justice: Vec<Signal> = justice.iter().map(|&signal| merged.signal(signal)).collect();
    let none = |observed: &Observed, clauses: &[Clause]| {
        let holds = certificate::is_invariant(&observed.circuit, observed.good, (&[], clauses), budget)?;
        Ok(if holds { Endless::None } else { Endless::Unsuitable })
    };
    let saved = Observed::with_saved_state(&merged.circuit, &justice);
    // There are two at a time.
    let half = &budget.share_of_memory(2);
    let mut loops = Search::new(&saved.circuit, saved.good, half);
    let mut met_again = |time: Duration| match loops.run(&budget.clone().with_time(time)) {
        Ok(Step::Holds(clauses)) => none(&saved, &clauses).map(Some),
        Ok(Step::Fails(run)) => looped(circuit, &merged, &run, budget).map(Some),
        Err(Exhausted::Time) => budget.check().map(|()| None),
        Err(other) => Err(other),
    };
    let (mut turn, growth) = (FIRST.0 / 4, FIRST.1);
    if let Some(found) = met_again(turn)? {
        return Ok(found);
    }
    let mut slice = budget.clone().with_time(turn);
    let mut most = 1;
    loop {
        let rounds = Observed::with_rounds(&merged.circuit, &justice, most);
        let mut often = Search::new(&rounds.circuit, rounds.good, half);
        loop {
            match often.run(&slice) {
                Ok(Step::Holds(clauses)) => return none(&rounds, &clauses),
                Ok(Step::Fails(_)) => break,
                Err(Exhausted::Time) => budget.check()?,
                Err(other) => return Err(other),
            }
            if let Some(found) = met_again(turn)? {
                return Ok(found);
            }
            turn = turn.saturating_mul(growth);
            slice = budget.clone().with_time(turn);
        }
        most += most.div_ceil(2);
    }
}

/// The run of a circuit that belongs to one at whose end a saved state is met again.
fn looped(circuit: &Circuit, merged: &Merged, run: &Run, budget: &Budget) -> Result<Endless, Exhausted> {
    let saved = merged.circuit.latches.len();
    let Some(start) = run.states.iter().rposition(|state| !state[saved]) else { return Ok(Endless::Unsuitable) };
    let mut inputs: Vec<Vec<bool>> = run.inputs.iter().map(|inputs| inputs[..circuit.inputs.len()].to_vec()).collect();
    let rest = inputs[start..].to_vec();
    // Latches that nothing rests on may need more rounds until they are as they were.
    loop {
        budget.check()?;
        let found = merged.run(circuit, &Run { states: run.states.clone(), inputs: inputs.clone() });
        let last = found.states.len() - 1;
        let earlier = (start..last).step_by(rest.len().max(1)).find(|&at| found.states[at] == found.states[last]);
        if let Some(at) = earlier {
            return Ok(Endless::Loop(found, at));
        }
        if rest.is_empty() || last > STATES || last * circuit.gates.len() > VALUES {
            return Ok(Endless::Unsuitable);
        }
        // Twice as far.
        for _ in 0..(inputs.len() - start) / rest.len() {
            inputs.extend(rest.iter().cloned());
        }
    }
}
