//! Formulas of SMV as formulas of CTL\* and LTL.
//!
//! Boolean structure stays structure, so that a condition is split into parts that read few variables each; but what
//! may be a fault for some values (a division, an index) stays whole, as its other parts may be guards. Bounds of steps
//! are nested `X`.

use super::conditions::Conditions;
use crate::formula::{Formula, FormulaId, MAX_DEPTH};
use starset_smv::{Node, Op, Temporal, Term, Type, Value};
use std::collections::HashSet;

/// Greatest number of steps in a bound.
const MOST_STEPS: u32 = 200;

type Made = Result<FormulaId, String>;

impl Conditions<'_> {
    /// The formula of a term: of a formula of CTL with all its quantifiers, of one of LTL a path formula.
    pub(super) fn whole(&mut self, term: Term) -> Made {
        let formula = self.formula(term)?;
        match self.pool.depth(formula) {
            0..=MAX_DEPTH => Ok(formula),
            _ => Err("it is nested too deeply".to_owned()),
        }
    }

    fn formula(&mut self, term: Term) -> Made {
        if let Some(&known) = self.known.get(&term) {
            return Ok(known);
        }
        let made = self.made(term)?;
        self.known.insert(term, made);
        Ok(made)
    }

    fn made(&mut self, term: Term) -> Made {
        let is_plain = self.model.terms.kind(term) == Type::Bool;
        if is_plain && self.fallible.contains(&term) {
            return self.atom(term);
        }
        match self.model.terms.node(term).clone() {
            Node::Const(Value::Bool(true)) => Ok(self.pool.add(Formula::True)),
            Node::Const(Value::Bool(false)) => Ok(self.pool.add(Formula::False)),
            Node::Apply(Op::Not, operands) => {
                let operand = self.formula(operands[0])?;
                Ok(self.pool.not(operand))
            }
            Node::Apply(op @ (Op::And | Op::Or), _) => {
                let parts =
                    self.parts(op, term).into_iter().map(|part| self.formula(part)).collect::<Result<_, _>>()?;
                Ok(if op == Op::And { self.pool.and(parts) } else { self.pool.or(parts) })
            }
            Node::Apply(op @ (Op::Iff | Op::Xor), operands) => {
                let (left, right) = (self.formula(operands[0])?, self.formula(operands[1])?);
                let same = match (&self.pool[left], &self.pool[right]) {
                    (Formula::True, _) => right,
                    (_, Formula::True) => left,
                    (Formula::False, _) => self.pool.not(right),
                    (_, Formula::False) => self.pool.not(left),
                    _ => self.pool.add(Formula::Iff(left, right)),
                };
                Ok(if op == Op::Iff { same } else { self.pool.not(same) })
            }
            Node::If(condition, yes, no) => {
                let (condition, yes, no) = (self.formula(condition)?, self.formula(yes)?, self.formula(no)?);
                let otherwise = self.pool.not(condition);
                let (yes, no) = (self.pool.and(vec![condition, yes]), self.pool.and(vec![otherwise, no]));
                Ok(self.pool.or(vec![yes, no]))
            }
            Node::Variable { variable, next: false }
                if self.model.variables[variable].role != starset_smv::Role::Input =>
            {
                Ok(self.is_true(variable))
            }
            Node::Temporal(operator, operands, bounds) => self.temporal(operator, &operands, bounds),
            _ if is_plain => self.atom(term),
            _ => Err("it is not read as a formula".to_owned()),
        }
    }

    /// The parts of a conjunction or disjunction.
    fn parts(&self, op: Op, term: Term) -> Vec<Term> {
        let (mut parts, mut open, mut seen) = (Vec::new(), vec![term], HashSet::new());
        while let Some(term) = open.pop() {
            let is_whole = self.model.terms.kind(term) == Type::Bool && self.fallible.contains(&term);
            match self.model.terms.node(term) {
                _ if !seen.insert(term) => {}
                Node::Apply(inner, operands) if *inner == op && !is_whole => open.extend(operands.iter().rev()),
                _ => parts.push(term),
            }
        }
        parts
    }

    fn temporal(&mut self, operator: Temporal, operands: &[Term], bounds: Option<(u32, u32)>) -> Made {
        let made: Vec<FormulaId> = operands.iter().map(|&operand| self.formula(operand)).collect::<Result<_, _>>()?;
        if let Some((low, high)) = bounds {
            if high > MOST_STEPS {
                return Err(format!("it counts up to {high} steps: {MOST_STEPS} are the most"));
            }
            return self.bounded(operator, &made, low, high);
        }
        let a = made[0];
        let b = made.get(1).copied().unwrap_or(a);
        use Temporal as T;
        let node = match operator {
            T::Ex | T::Ax | T::Next => Formula::Next(a),
            T::Ef | T::Af | T::Finally => Formula::Finally(a),
            T::Eg | T::Ag | T::Globally => Formula::Globally(a),
            T::Eu | T::Au | T::Until => Formula::Until(a, b),
            T::Release => Formula::Release(a, b),
            T::Yesterday => Formula::Yesterday(a),
            T::WeakYesterday => Formula::WeakYesterday(a),
            T::Once => Formula::Since(self.pool.add(Formula::True), a),
            T::Historically => Formula::Trigger(self.pool.add(Formula::False), a),
            T::Since => Formula::Since(a, b),
            T::Trigger => Formula::Trigger(a, b),
        };
        let formula = self.pool.add(node);
        Ok(self.quantified(operator, formula))
    }

    /// A path formula with the quantifier of an operator, if it has one.
    fn quantified(&mut self, operator: Temporal, path: FormulaId) -> FormulaId {
        use Temporal::{Af, Ag, Au, Ax, Ef, Eg, Eu, Ex};
        match operator {
            Ex | Ef | Eg | Eu => self.pool.add(Formula::Exists(path)),
            Ax | Af | Ag | Au => self.pool.add(Formula::Forall(path)),
            _ => path,
        }
    }

    /// An operator with bounds: from the last step back to the first.
    fn bounded(&mut self, operator: Temporal, operands: &[FormulaId], low: u32, high: u32) -> Made {
        use Temporal as T;
        let step: fn(FormulaId) -> Formula = match operator {
            T::Ef | T::Eg | T::Eu | T::Af | T::Ag | T::Au | T::Finally | T::Globally => Formula::Next,
            // NuSMV 2.6 has `H [a,b] p` false where `b` steps back there was nothing yet.
            T::Once | T::Historically => Formula::Yesterday,
            _ => return Err("this operator has no bounds".to_owned()),
        };
        let target = operands[operands.len() - 1];
        let mut formula = target;
        for at in (0..high).rev() {
            let stepped = self.pool.add(step(formula));
            let later = self.quantified(operator, stepped);
            let (is_until, is_now) = (operands.len() > 1, at >= low);
            formula = match operator {
                T::Eu | T::Au if is_until => {
                    let going = self.pool.and(vec![operands[0], later]);
                    if is_now { self.pool.or(vec![target, going]) } else { going }
                }
                _ if !is_now => later,
                T::Eg | T::Ag | T::Globally | T::Historically => self.pool.and(vec![target, later]),
                _ => self.pool.or(vec![target, later]),
            };
        }
        Ok(formula)
    }
}
