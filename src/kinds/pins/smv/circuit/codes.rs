//! Codes of variables, now and next, and values as codes.

use super::super::values::Coding;
use super::made::{Beyond, Bits, Found, Made};
use super::{Making, width};
use crate::circuit::{Gates, Signal};
use starset_smv::{Role, Type, Value};

impl Making<'_> {
    /// Is a code that of a value?
    pub(super) fn is_code(&mut self, coding: &Coding, code: &[Signal]) -> Signal {
        let codes = coding.codes();
        if coding.has_gaps() {
            let of = |number| self.circuit.gates.equal(code, &Gates::word(number, code.len()));
            let each: Vec<Signal> = coding.all().map(|(code, _)| u64::from(code)).map(of).collect();
            return self.circuit.gates.any(each);
        }
        if code.len() < 32 && 1_u64 << code.len() == u64::from(codes) {
            return Signal::TRUE;
        }
        !{
            let most = Gates::word(u64::from(codes) - 1, code.len());
            self.circuit.gates.is_less(&most, code)
        }
    }

    /// The code of a variable.
    pub(super) fn code(&mut self, variable: usize, next: bool) -> Found<Vec<Signal>> {
        if let Some(code) = &self.codes[variable][usize::from(next)] {
            return Ok(code.clone());
        }
        let model = self.model;
        let described = &model.variables[variable];
        let coding = Coding::of(described);
        let code = if !next {
            // An input.
            self.any_code(&coding)
        } else if described.role == Role::Frozen {
            self.code(variable, false)?
        } else if described.role == Role::Input || std::mem::replace(&mut self.open[variable], true) {
            return Err(Beyond);
        } else {
            match self.assigned[variable] {
                None => {
                    let mut code = self.any_code(&coding);
                    let (mut before, mut parts) = (Signal::FALSE, Vec::new());
                    for (term, condition, made) in std::mem::take(&mut self.told[variable]) {
                        let told = self.coded(&coding, &made)?;
                        // What is no value of the variable has a code all the same, of another one.
                        let outside = self.is_outside(&coding, &made.bits)?;
                        let here = self.circuit.gates.and(condition, !outside);
                        let chosen = self.circuit.gates.and(here, !before);
                        self.chosen.insert(term, chosen);
                        before = self.circuit.gates.or(before, here);
                        parts.push((here, told));
                    }
                    for (here, told) in parts.into_iter().rev() {
                        code = self.circuit.gates.either(here, &told, &code);
                    }
                    code
                }
                Some((value, primed)) => {
                    self.inside(variable, value, primed)?;
                    let made = self.one_of(value, primed)?;
                    self.faults.push(made.fault);
                    self.coded(&coding, &made)?
                }
            }
        };
        self.codes[variable][usize::from(next)] = Some(code.clone());
        Ok(code)
    }

    /// Any code of a value, as inputs say.
    pub(super) fn any_code(&mut self, coding: &Coding) -> Vec<Signal> {
        let code: Vec<Signal> = (0..width(coding)).map(|_| self.circuit.input()).collect();
        let is_code = self.is_code(coding, &code);
        let least = coding.all().map(|(code, _)| code).next().unwrap_or(0);
        self.circuit.gates.either(is_code, &code, &Gates::word(u64::from(least), code.len()))
    }

    /// The value with a code.
    pub(super) fn decoded(&mut self, coding: &Coding, code: &[Signal]) -> Bits {
        match (coding.kind, coding.least()) {
            (Type::Bool, _) => Bits::Truth(code[0]),
            (Type::Word { .. }, _) => Bits::Word(code.to_vec()),
            (_, Some(least)) => {
                let number = Gates::natural(code);
                Bits::Number(self.circuit.gates.add(&number, &Gates::number(least.into())))
            }
            _ => {
                let mut names = Vec::new();
                for (number, value) in coding.all() {
                    names.push((value, self.circuit.gates.equal(code, &Gates::word(u64::from(number), code.len()))));
                }
                Bits::Names(names)
            }
        }
    }

    /// The code of a value; of one that the domain has not, anything.
    pub(super) fn coded(&mut self, coding: &Coding, made: &Made) -> Found<Vec<Signal>> {
        let width = width(coding);
        Ok(match (&*made.bits, coding.least()) {
            (Bits::Truth(truth), None) => vec![*truth],
            (Bits::Word(word), None) => word.clone(),
            (Bits::Number(number), Some(least)) => {
                Gates::resized(&self.circuit.gates.add(number, &Gates::number(-i128::from(least))), width)
            }
            _ => {
                let candidates: Vec<Value> = coding.all().map(|(_, value)| value).collect();
                let names = self.names(&made.bits, &candidates)?;
                let mut code = vec![Signal::FALSE; width];
                for (value, here) in names {
                    let Some(number) = coding.code(value) else { continue };
                    for (bit, signal) in code.iter_mut().enumerate() {
                        if number >> bit & 1 == 1 {
                            *signal = self.circuit.gates.or(*signal, here);
                        }
                    }
                }
                code
            }
        })
    }

    /// A value as one of names; numbers as far as they are among the candidates.
    pub(super) fn names(&mut self, bits: &Bits, candidates: &[Value]) -> Found<Vec<(Value, Signal)>> {
        match bits {
            Bits::Names(names) => Ok(names.clone()),
            Bits::Number(number) => {
                let mut names = Vec::new();
                for &value in candidates {
                    if let Value::Int(other) = value {
                        names.push((value, self.circuit.gates.equals(number, &Gates::number(other.into()))));
                    }
                }
                Ok(names)
            }
            _ => Err(Beyond),
        }
    }

    pub(super) fn variable(&mut self, variable: usize, next: bool) -> Found<Made> {
        let coding = Coding::of(&self.model.variables[variable]);
        let code = self.code(variable, next)?;
        Ok(Made::new(self.decoded(&coding, &code)))
    }
}
