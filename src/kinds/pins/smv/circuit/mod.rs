//! A program as a circuit.
//!
//! The value of a variable is its code in bits. Next values are what is assigned; a choice of a set, and the next value of
//! a variable that nothing is assigned, are inputs. `TRANS`, and `INVAR` of next values, are the condition on steps. A term
//! that may be a fault has a signal that says where it is one, as far as guards let it through; whoever uses the circuit
//! sees to it that this is nowhere the case. What has no form here (numbers among names) makes no circuit.
//!
//! | file | what it makes |
//! |---|---|
//! | `steps` | what conditions on steps say of next values |
//! | `codes` | codes of variables |
//! | `sets` | choices and membership |
//! | `values`, `operators` | values of terms |
//! | `made` | what a value is |

mod codes;
mod made;
mod operators;
mod sets;
mod steps;
mod values;

use super::values::Coding;
use crate::budget::Budget;
use crate::circuit::{Circuit, Signal};
use made::{Found, Made};
use starset_smv::{Model, Role, Term, When};
use std::collections::HashMap;

/// Parts of conditions on steps that are looked at for what they say of single values.
const READ: usize = 200_000;

/// The circuit of a program, whose states have these variables, with these conditions as labels.
pub(super) fn circuit(model: &Model, state: &[usize], labels: &[Term], budget: &Budget) -> Option<Circuit> {
    let mut all = Making::new(model, state, budget);
    all.complete(labels).ok().map(|()| all.circuit)
}

/// The inputs of a program, in their order.
pub(super) fn inputs(model: &Model) -> impl Iterator<Item = usize> {
    (0..model.variables.len()).filter(|&variable| model.variables[variable].role == Role::Input)
}

struct Making<'m> {
    model: &'m Model,
    budget: &'m Budget,
    circuit: Circuit,
    /// By variable: its code, now and next; of an input now only.
    codes: Vec<[Option<Vec<Signal>>; 2]>,
    /// Terms of current values, and the same of next ones.
    known: HashMap<(Term, bool), Made>,
    faults: Vec<Signal>,
    /// By variable: what is assigned to its next values, and whether it speaks of next values alone.
    assigned: Vec<Option<(Term, bool)>>,
    /// Variables whose next value is being made.
    open: Vec<bool>,
    /// By variable: what conditions say of its next value, where, and what it is then.
    told: Vec<Vec<(Term, Signal, Made)>>,
    /// Where the next value is what a condition says.
    chosen: HashMap<Term, Signal>,
    /// Which of the alternatives of a disjunction is taken, by inputs.
    taken: HashMap<Term, Vec<Signal>>,
    /// Do terms speak of next values?
    speaks: HashMap<Term, bool>,
    /// Whether conditions hold by the alternatives that are taken.
    held: HashMap<Term, Option<Signal>>,
    /// Parts of conditions that may still be read.
    left: usize,
}

impl<'m> Making<'m> {
    fn new(model: &'m Model, state: &[usize], budget: &'m Budget) -> Self {
        let mut circuit = Circuit::default();
        let mut codes = vec![[None, None]; model.variables.len()];
        for &variable in state {
            let width = width(&Coding::of(&model.variables[variable]));
            let latches: Vec<usize> = (0..width).map(|_| circuit.latch()).collect();
            codes[variable][0] = Some(latches.iter().map(|&latch| circuit.latches[latch].now).collect());
            circuit.variables.push(latches);
        }
        let mut assigned = vec![None; model.variables.len()];
        for assignment in &model.assignments {
            if assignment.when != When::Init {
                assigned[assignment.variable] = Some((assignment.value, assignment.when == When::Current));
            }
        }
        let (open, told) = (vec![false; model.variables.len()], vec![Vec::new(); model.variables.len()]);
        let (known, faults, taken) = (HashMap::new(), Vec::new(), HashMap::new());
        let (speaks, held, chosen) = (HashMap::new(), HashMap::new(), HashMap::new());
        Making {
            model,
            budget,
            circuit,
            codes,
            known,
            faults,
            assigned,
            open,
            told,
            chosen,
            taken,
            speaks,
            held,
            left: READ,
        }
    }

    /// Make all that there is.
    fn complete(&mut self, labels: &[Term]) -> Found<()> {
        let model = self.model;
        // First states.
        let mut first = Vec::new();
        for variable in 0..model.variables.len() {
            if model.variables[variable].role != Role::Input {
                let code = self.code(variable, false)?;
                first.push(self.is_code(&Coding::of(&model.variables[variable]), &code));
            }
        }
        self.circuit.legal = self.circuit.gates.all(first.iter().copied());
        first.clear();
        // Those without faults.
        let mut certain = Vec::new();
        let mut note = |making: &Self, condition: Signal, before: usize| {
            if making.faults[before..].iter().all(|&fault| fault == Signal::FALSE) {
                certain.push(condition);
            }
        };
        for assignment in model.assignments.iter().filter(|assignment| assignment.when != When::Next) {
            let before = self.faults.len();
            self.inside(assignment.variable, assignment.value, false)?;
            let own = self.variable(assignment.variable, false)?;
            let (within, fault) = self.member(&own, assignment.value, false)?;
            self.faults.push(fault);
            note(self, within, before);
            first.push(within);
        }
        for &condition in model.init.iter().chain(&model.invar) {
            let before = self.faults.len();
            let condition = self.condition(condition, false)?;
            note(self, condition, before);
            first.push(condition);
        }
        certain.push(self.circuit.gates.any(self.faults.iter().copied()));
        self.circuit.first_fault = self.circuit.gates.all(certain);
        first.push(self.circuit.legal);
        self.circuit.initial = self.circuit.gates.all(first);
        // Steps.
        for &condition in &model.trans {
            self.read(condition, Signal::TRUE)?;
        }
        let mut number = 0;
        for variable in 0..model.variables.len() {
            if model.variables[variable].role != Role::Input {
                for next in self.code(variable, true)? {
                    self.circuit.latches[number].next = next;
                    number += 1;
                }
            }
        }
        let mut steps = Vec::new();
        for &condition in &model.trans {
            let whole = self.condition(condition, false)?;
            steps.push(self.holds(condition)?.unwrap_or(whole));
        }
        for &condition in &model.invar {
            steps.push(self.condition(condition, true)?);
        }
        self.circuit.step = self.circuit.gates.all(steps);
        for &label in labels {
            let label = self.condition(label, false)?;
            self.circuit.labels.push(label);
        }
        for input in inputs(model) {
            let aside = self.code(input, false)?;
            self.circuit.asides.push(aside);
        }
        self.circuit.fault = self.circuit.gates.any(std::mem::take(&mut self.faults));
        Ok(())
    }
}

/// The bits of a code.
pub(super) fn width(coding: &Coding) -> usize {
    (32 - (coding.codes().max(2) - 1).leading_zeros()) as usize
}
