//! What an answer of the engine of bits rests on, for those who prove it to somebody else.
//!
//! The engine is asked anew, and tells what it found: clauses that are an invariant, or the states of a run.

use super::sat::Asked;
use crate::budget::{Budget, Exhausted};
use crate::circuit::Circuit;
use crate::decide::task::{Question, Subject};
use crate::model::{State, VariableId};
use crate::sat::{Outcome, decide, is_faultless};

/// That a bit of the number of a variable's value, the lowest being 0, is such.
pub type BitOfValue = (VariableId, u32, bool);

/// Why a condition holds in all reachable states, or does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BitEvidence {
    /// It does where one of each of these lists is so, which is the case in first states, and after a step from where it is. The numbers
    /// of the values of each variable have so many bits.
    Invariant(Vec<Vec<BitOfValue>>, Vec<u32>),
    /// It does not in the last state of this run.
    Run(Vec<State>),
}

/// A model for the engine of bits.
#[derive(Debug)]
pub struct Bits<'a> {
    subject: Subject<'a>,
    circuit: Circuit,
    /// By latch: the variable, and the bit of its value.
    places: Vec<(VariableId, u32)>,
}

impl<'a> Bits<'a> {
    /// The model, if it is one.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn new(subject: Subject<'a>, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        let Some(circuit) = subject.model.circuit(budget) else { return Ok(None) };
        if !is_faultless(&circuit, budget)? {
            return Ok(None);
        }
        let mut places = vec![(VariableId(0), 0); circuit.latches.len()];
        for (variable, latches) in circuit.variables.iter().enumerate() {
            latches.iter().zip(0..).for_each(|(&latch, bit)| places[latch] = (VariableId(variable as u32), bit));
        }
        Ok(Some(Bits { subject, circuit, places }))
    }

    /// Whether a question is one of all reachable states and no more, with this verdict, and why.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn evidence(
        &mut self,
        question: &Question,
        verdict: bool,
        budget: &Budget,
    ) -> Result<Option<BitEvidence>, Exhausted> {
        let asked = Asked::new(self.subject, &question.clone().into()).filter(|asked| asked.exact);
        let signal = asked.as_ref().and_then(|asked| asked.signal(self.subject, &mut self.circuit));
        let (Some(asked), Some(signal)) = (asked, signal) else { return Ok(None) };
        Ok(match decide(&self.circuit, signal, budget)? {
            Outcome::Holds(clauses) if verdict == asked.holds => {
                let of_value = |&(latch, value): &(usize, bool)| (self.places[latch].0, self.places[latch].1, value);
                let clauses = clauses.iter().map(|clause| clause.iter().map(of_value).collect());
                let widths = self.circuit.variables.iter().map(|latches| latches.len() as u32).collect();
                Some(BitEvidence::Invariant(clauses.collect(), widths))
            }
            Outcome::Fails(run) if verdict != asked.holds => {
                let state = |latches: &Vec<bool>| State::new(self.circuit.values(latches));
                Some(BitEvidence::Run(run.states.iter().map(state).collect()))
            }
            _ => None,
        })
    }
}
