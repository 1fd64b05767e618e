//! Terms that stand for several values: choices, membership, and what a domain has not.

use super::super::values::Coding;
use super::Making;
use super::made::{Beyond, Bits, Found, Made};
use crate::circuit::{Gates, Signal};
use starset_smv::{Node, Term, Value};
use std::rc::Rc;

impl Making<'_> {
    /// Note where what is assigned is no value of the variable.
    pub(super) fn inside(&mut self, variable: usize, of: Term, primed: bool) -> Found<()> {
        let coding = Coding::of(&self.model.variables[variable]);
        let outside = self.outside(&coding, of, primed)?;
        self.faults.push(outside);
        Ok(())
    }

    /// Where a term stands for a value that a domain has not.
    fn outside(&mut self, coding: &Coding, of: Term, primed: bool) -> Found<Signal> {
        let model = self.model;
        match model.terms.node(of) {
            Node::Set(members) => {
                let mut any = Signal::FALSE;
                for &member in members {
                    let outside = self.outside(coding, member, primed)?;
                    any = self.circuit.gates.or(any, outside);
                }
                Ok(any)
            }
            &Node::Range(from, to) => {
                let size = to.checked_sub(from).filter(|size| (0..1 << 20).contains(size)).ok_or(Beyond)?;
                let inside = (from..=from + size).all(|number| coding.code(Value::Int(number)).is_some());
                Ok(Signal::constant(!inside))
            }
            &Node::If(condition, yes, no) if model.terms.is_set(of) => {
                let condition = self.term(condition, primed)?;
                let (yes, no) = (self.outside(coding, yes, primed)?, self.outside(coding, no, primed)?);
                let outside = self.circuit.gates.choose(condition.truth()?, yes, no);
                Ok(self.circuit.gates.or(condition.fault, outside))
            }
            _ => {
                let made = self.term(of, primed)?;
                let outside = self.is_outside(coding, &made.bits)?;
                Ok(self.circuit.gates.or(made.fault, outside))
            }
        }
    }

    /// Is a value none of a domain?
    pub(super) fn is_outside(&mut self, coding: &Coding, bits: &Bits) -> Found<Signal> {
        Ok(match (bits, coding.least()) {
            (Bits::Truth(_) | Bits::Word(_), None) => Signal::FALSE,
            (Bits::Number(number), Some(_)) if !coding.has_gaps() => {
                let (least, most) = (coding.value(0), coding.value(coding.codes() - 1));
                let (Some(Value::Int(least)), Some(Value::Int(most))) = (least, most) else {
                    return Err(Beyond);
                };
                let below = self.circuit.gates.less(number, &Gates::number(least.into()));
                let above = self.circuit.gates.less(&Gates::number(most.into()), number);
                self.circuit.gates.or(below, above)
            }
            _ => {
                let candidates: Vec<Value> = coding.all().map(|(_, value)| value).collect();
                let names = self.names(bits, &candidates)?;
                let inside: Vec<Signal> =
                    names.iter().filter(|(value, _)| coding.code(*value).is_some()).map(|&(_, at)| at).collect();
                !self.circuit.gates.any(inside)
            }
        })
    }

    /// One of the values that a term stands for, as inputs say.
    pub(super) fn one_of(&mut self, of: Term, primed: bool) -> Found<Made> {
        let model = self.model;
        match model.terms.node(of) {
            Node::Set(members) => {
                let mut all = Vec::with_capacity(members.len());
                for &member in members {
                    all.push(self.one_of(member, primed)?);
                }
                let mut chosen = all.pop().ok_or(Beyond)?;
                for made in all {
                    let here = self.circuit.input();
                    let bits = self.choice(here, &made.bits, &chosen.bits)?;
                    let fault = self.circuit.gates.choose(here, made.fault, chosen.fault);
                    chosen = Made { bits: Rc::new(bits), fault };
                }
                Ok(chosen)
            }
            &Node::Range(from, to) => {
                let most = u64::try_from(to.checked_sub(from).ok_or(Beyond)?).map_err(|_| Beyond)?;
                let bits: Vec<Signal> = (0..64 - most.leading_zeros()).map(|_| self.circuit.input()).collect();
                let above = self.circuit.gates.is_less(&Gates::word(most, bits.len()), &bits);
                let bits = self.circuit.gates.either(above, &Gates::word(0, bits.len()), &bits);
                let number = Gates::natural(&bits);
                Ok(Made::new(Bits::Number(self.circuit.gates.add(&number, &Gates::number(from.into())))))
            }
            &Node::If(condition, yes, no) if model.terms.is_set(of) => {
                let condition = self.term(condition, primed)?;
                let (yes, no) = (self.one_of(yes, primed)?, self.one_of(no, primed)?);
                self.chosen(&condition, &yes, &no)
            }
            _ => self.term(of, primed),
        }
    }

    /// Is a value one of those that a term stands for, and where is that a fault?
    pub(super) fn member(&mut self, value: &Made, of: Term, primed: bool) -> Found<(Signal, Signal)> {
        let model = self.model;
        match model.terms.node(of) {
            Node::Set(members) => {
                let (mut any, mut fault) = (Signal::FALSE, Signal::FALSE);
                for &member in members {
                    let (within, wrong) = self.member(value, member, primed)?;
                    any = self.circuit.gates.or(any, within);
                    fault = self.circuit.gates.or(fault, wrong);
                }
                Ok((any, fault))
            }
            &Node::Range(from, to) => match &*value.bits {
                Bits::Number(number) => {
                    let below = self.circuit.gates.less(number, &Gates::number(from.into()));
                    let above = self.circuit.gates.less(&Gates::number(to.into()), number);
                    Ok((!self.circuit.gates.or(below, above), value.fault))
                }
                Bits::Names(names) => {
                    let is_within = |value: &Value| matches!(value, Value::Int(number) if (from..=to).contains(number));
                    let within = names.iter().filter(|(value, _)| is_within(value)).map(|&(_, at)| at);
                    Ok((self.circuit.gates.any(within), value.fault))
                }
                _ => Err(Beyond),
            },
            &Node::If(condition, yes, no) if model.terms.is_set(of) => {
                let condition = self.term(condition, primed)?;
                let (yes, no) = (self.member(value, yes, primed)?, self.member(value, no, primed)?);
                let truth = condition.truth()?;
                let (within, wrong) =
                    (self.circuit.gates.choose(truth, yes.0, no.0), self.circuit.gates.choose(truth, yes.1, no.1));
                Ok((within, self.circuit.gates.or(condition.fault, wrong)))
            }
            _ => {
                let one = self.term(of, primed)?;
                let same = self.same(&value.bits, &one.bits)?;
                Ok((same, self.circuit.gates.or(value.fault, one.fault)))
            }
        }
    }

    /// Are all values of one term among those of another?
    pub(super) fn subset(&mut self, left: Term, right: Term, primed: bool) -> Found<(Signal, Signal)> {
        let model = self.model;
        match model.terms.node(left) {
            Node::Set(members) => {
                let (mut all, mut fault) = (Signal::TRUE, Signal::FALSE);
                for &member in members {
                    let (within, wrong) = self.subset(member, right, primed)?;
                    all = self.circuit.gates.and(all, within);
                    fault = self.circuit.gates.or(fault, wrong);
                }
                Ok((all, fault))
            }
            &Node::Range(from, to) => {
                let size = to.checked_sub(from).filter(|size| (0..1 << 10).contains(size)).ok_or(Beyond)?;
                let (mut all, mut fault) = (Signal::TRUE, Signal::FALSE);
                for number in from..=from + size {
                    let number = Made::new(Bits::Number(Gates::number(number.into())));
                    let (within, wrong) = self.member(&number, right, primed)?;
                    all = self.circuit.gates.and(all, within);
                    fault = self.circuit.gates.or(fault, wrong);
                }
                Ok((all, fault))
            }
            &Node::If(condition, yes, no) if model.terms.is_set(left) => {
                let condition = self.term(condition, primed)?;
                let (yes, no) = (self.subset(yes, right, primed)?, self.subset(no, right, primed)?);
                let truth = condition.truth()?;
                let (within, wrong) =
                    (self.circuit.gates.choose(truth, yes.0, no.0), self.circuit.gates.choose(truth, yes.1, no.1));
                Ok((within, self.circuit.gates.or(condition.fault, wrong)))
            }
            _ => {
                let value = self.term(left, primed)?;
                self.member(&value, right, primed)
            }
        }
    }
}
