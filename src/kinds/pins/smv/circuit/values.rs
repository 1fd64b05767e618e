//! Values of terms.

use super::Making;
use super::made::{Beyond, Bits, Found, Made};
use crate::circuit::{Gates, Signal};
use starset_smv::{Node, Term, Type, Value};
use std::rc::Rc;

/// Gates that a program may have.
const MOST: usize = 3_000_000;

impl Making<'_> {
    /// A condition; where it has no value is noted.
    pub(super) fn condition(&mut self, term: Term, primed: bool) -> Found<Signal> {
        let made = self.term(term, primed)?;
        self.faults.push(made.fault);
        made.truth()
    }

    /// The value of a term.
    pub(super) fn term(&mut self, root: Term, primed: bool) -> Found<Made> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known.contains_key(&(term, primed)) {
                open.pop();
                continue;
            }
            let before = open.len();
            if !matches!(self.model.terms.node(term), Node::Member(..)) && !self.model.terms.is_set(term) {
                let operands = self.model.terms.operands(term);
                open.extend(operands.into_iter().filter(|&operand| !self.known.contains_key(&(operand, primed))));
            }
            if open.len() == before {
                if self.circuit.gates.len() > MOST || self.budget.check().is_err() {
                    return Err(Beyond);
                }
                let made = self.node(term, primed)?;
                self.known.insert((term, primed), made);
                open.pop();
            }
        }
        self.known.get(&(root, primed)).cloned().ok_or(Beyond)
    }

    /// The value of a term whose operands have theirs.
    fn node(&mut self, term: Term, primed: bool) -> Found<Made> {
        let model = self.model;
        let terms = &model.terms;
        match terms.node(term) {
            Node::Const(value) => Ok(Made::new(match *value {
                Value::Bool(value) => Bits::Truth(Signal::constant(value)),
                Value::Int(value) => {
                    let value = i32::try_from(value).map_err(|_| Beyond)?;
                    Bits::Number(Gates::number(value.into()))
                }
                Value::Symbol(_) => Bits::Names(vec![(*value, Signal::TRUE)]),
                Value::Word(bits) => match terms.kind(term) {
                    Type::Word { width, .. } => Bits::Word(Gates::word(bits, width as usize)),
                    _ => return Err(Beyond),
                },
            })),
            &Node::Variable { variable, next } => {
                if primed && next {
                    return Err(Beyond);
                }
                self.variable(variable, next || primed)
            }
            Node::Lack(..) => Ok(Made { bits: Rc::new(Bits::Several), fault: Signal::TRUE }),
            &Node::Member(left, right) => {
                let (within, fault) = self.subset(left, right, primed)?;
                Ok(Made { bits: Rc::new(Bits::Truth(within)), fault })
            }
            _ if terms.is_set(term) => Ok(Made::new(Bits::Several)),
            &Node::If(condition, yes, no) => {
                let [condition, yes, no] = [condition, yes, no].map(|operand| self.known[&(operand, primed)].clone());
                self.chosen(&condition, &yes, &no)
            }
            Node::Apply(op, operands) => {
                let made: Vec<Made> = operands.iter().map(|operand| self.known[&(*operand, primed)].clone()).collect();
                let kinds: Vec<Type> = operands.iter().map(|&operand| terms.kind(operand)).collect();
                self.applied(*op, &made, &kinds, terms.kind(term))
            }
            Node::Set(_) | Node::Range(..) | Node::Temporal(..) => Err(Beyond),
        }
    }

    /// Are two values the same?
    pub(super) fn same(&mut self, a: &Bits, b: &Bits) -> Found<Signal> {
        Ok(match (a, b) {
            (Bits::Truth(a), Bits::Truth(b)) => self.circuit.gates.same(*a, *b),
            (Bits::Number(a), Bits::Number(b)) => self.circuit.gates.equals(a, b),
            (Bits::Word(a), Bits::Word(b)) if a.len() == b.len() => self.circuit.gates.equal(a, b),
            (Bits::Names(a), Bits::Names(b)) => {
                let mut any = Signal::FALSE;
                for (value, here) in a {
                    if let Some((_, there)) = b.iter().find(|(other, _)| other == value) {
                        let both = self.circuit.gates.and(*here, *there);
                        any = self.circuit.gates.or(any, both);
                    }
                }
                any
            }
            (Bits::Names(names), number @ Bits::Number(_)) | (number @ Bits::Number(_), Bits::Names(names)) => {
                let values: Vec<Value> = names.iter().map(|&(value, _)| value).collect();
                let number = Bits::Names(self.names(number, &values)?);
                self.same(&Bits::Names(names.clone()), &number)?
            }
            _ => return Err(Beyond),
        })
    }

    /// The first value where a condition holds, else the second.
    pub(super) fn choice(&mut self, condition: Signal, yes: &Bits, no: &Bits) -> Found<Bits> {
        let gates = &mut self.circuit.gates;
        Ok(match (yes, no) {
            (Bits::Truth(yes), Bits::Truth(no)) => Bits::Truth(gates.choose(condition, *yes, *no)),
            (Bits::Number(yes), Bits::Number(no)) => Bits::Number(gates.choose_number(condition, yes, no)),
            (Bits::Word(yes), Bits::Word(no)) if yes.len() == no.len() => Bits::Word(gates.either(condition, yes, no)),
            (Bits::Names(yes), Bits::Names(no)) => {
                let mut names = Vec::with_capacity(yes.len().max(no.len()));
                for &(value, here) in yes {
                    let there = no.iter().find(|(other, _)| *other == value).map_or(Signal::FALSE, |&(_, at)| at);
                    names.push((value, gates.choose(condition, here, there)));
                }
                for &(value, there) in no {
                    if !yes.iter().any(|(other, _)| *other == value) {
                        names.push((value, gates.and(!condition, there)));
                    }
                }
                Bits::Names(names)
            }
            (Bits::Names(_), Bits::Number(number)) => {
                let number = constant_name(number)?;
                self.choice(condition, yes, &number)?
            }
            (Bits::Number(number), Bits::Names(_)) => {
                let number = constant_name(number)?;
                self.choice(condition, &number, no)?
            }
            _ => return Err(Beyond),
        })
    }

    pub(super) fn chosen(&mut self, condition: &Made, yes: &Made, no: &Made) -> Found<Made> {
        let truth = condition.truth()?;
        // A branch that is a fault has no value of any type.
        let bits = match (yes.fault, no.fault) {
            (Signal::TRUE, _) => no.bits.clone(),
            (_, Signal::TRUE) => yes.bits.clone(),
            _ => Rc::new(self.choice(truth, &yes.bits, &no.bits)?),
        };
        let gates = &mut self.circuit.gates;
        let fault = gates.choose(truth, yes.fault, no.fault);
        Ok(Made { bits, fault: gates.or(condition.fault, fault) })
    }
}

/// A constant number among names.
fn constant_name(number: &[Signal]) -> Found<Bits> {
    let value = Gates::as_number(number).and_then(|value| i64::try_from(value).ok()).ok_or(Beyond)?;
    Ok(Bits::Names(vec![(Value::Int(value), Signal::TRUE)]))
}
