//! Operators of the language on bits.

use super::Making;
use super::made::{Beyond, Bits, Found, Made};
use crate::circuit::{Gates, Signal};
use starset_smv::{Op, Type};
use std::rc::Rc;

/// Bits of an integer of the language.
const INTEGER: usize = 32;

impl Making<'_> {
    pub(super) fn applied(&mut self, op: Op, operands: &[Made], kinds: &[Type], to: Type) -> Found<Made> {
        let gates = &mut self.circuit.gates;
        if matches!(op, Op::And | Op::Or) && to == Type::Bool {
            // What one operand decides is no fault.
            let (mut value, mut fault, mut decided) = (Signal::constant(op == Op::And), Signal::FALSE, Signal::FALSE);
            for made in operands {
                let truth = made.truth()?;
                value = if op == Op::And { gates.and(value, truth) } else { gates.or(value, truth) };
                fault = gates.or(fault, made.fault);
                if operands.iter().any(|made| made.fault != Signal::FALSE) {
                    let decides = if op == Op::And { !truth } else { truth };
                    let decides = gates.and(decides, !made.fault);
                    decided = gates.or(decided, decides);
                }
            }
            if fault == Signal::FALSE {
                return Ok(Made::new(Bits::Truth(value)));
            }
            // Where one operand is a fault and another decides, the value is that of the other.
            let value = gates.choose(decided, Signal::constant(op == Op::Or), value);
            return Ok(Made { bits: Rc::new(Bits::Truth(value)), fault: gates.and(fault, !decided) });
        }
        let mut fault = gates.any(operands.iter().map(|made| made.fault));
        if operands.iter().any(|made| matches!(*made.bits, Bits::Several)) {
            // A fault always: no value is needed.
            return match fault {
                Signal::TRUE => Ok(Made { bits: Rc::new(Bits::Several), fault }),
                _ => Err(Beyond),
            };
        }
        if op == Op::Count {
            let mut sum = Gates::number(0);
            for made in operands {
                let one = Gates::natural(&[made.truth()?]);
                sum = self.circuit.gates.add(&sum, &one);
            }
            return Ok(Made { bits: Rc::new(Bits::Number(sum)), fault });
        }
        let (first, rest) = operands.split_first().ok_or(Beyond)?;
        let second = kinds.get(1).copied().unwrap_or(Type::Bool);
        let mut all = Bits::clone(&first.bits);
        if rest.is_empty() {
            all = self.unary(op, &all, kinds[0], to)?;
        }
        if rest.len() > 1 && !matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Min | Op::Max) {
            return Err(Beyond);
        }
        for made in rest {
            let (value, wrong) = self.binary(op, &all, &made.bits, (kinds[0], second))?;
            all = value;
            fault = self.circuit.gates.or(fault, wrong);
        }
        Ok(Made { bits: Rc::new(all), fault })
    }

    fn unary(&mut self, op: Op, a: &Bits, from: Type, to: Type) -> Found<Bits> {
        let gates = &mut self.circuit.gates;
        let is_signed = matches!(from, Type::Word { signed: true, .. });
        let target = if let Type::Word { width, .. } = to { width as usize } else { 0 };
        Ok(match (op, a) {
            (Op::Not, Bits::Truth(a)) => Bits::Truth(!*a),
            (Op::Not, Bits::Word(a)) => Bits::Word(a.iter().map(|&bit| !bit).collect()),
            (Op::Neg, Bits::Number(a)) => wrapped(gates.negate(a)),
            (Op::Neg, Bits::Word(a)) => Bits::Word(gates.opposite(a)),
            (Op::Abs, Bits::Number(a)) => wrapped(gates.absolute(a)),
            (Op::Abs, Bits::Word(a)) if is_signed => {
                let opposite = gates.opposite(a);
                Bits::Word(gates.either(a[a.len() - 1], &opposite, a))
            }
            (Op::Abs | Op::Cast, Bits::Word(a)) => Bits::Word(a.clone()),
            (Op::ToInt, Bits::Truth(a)) => Bits::Number(Gates::natural(&[*a])),
            (Op::ToInt, Bits::Word(a)) if is_signed => wrapped(a.clone()),
            (Op::ToInt, Bits::Word(a)) => wrapped(Gates::natural(a)),
            (Op::ToBool, Bits::Number(a) | Bits::Word(a)) => Bits::Truth(gates.any(a.iter().copied())),
            (Op::ToWord, Bits::Truth(a)) => Bits::Word(vec![*a]),
            (Op::FromInt, Bits::Number(a)) => Bits::Word(Gates::resized(a, target)),
            (Op::Bits(high, low), Bits::Word(a)) => Bits::Word(a[low as usize..=high as usize].to_vec()),
            (Op::Resize, Bits::Word(a)) if is_signed && target < a.len() => {
                let low = a[..target - 1].iter().copied();
                Bits::Word(low.chain([a[a.len() - 1]]).collect())
            }
            (Op::Extend | Op::Resize, Bits::Word(a)) if is_signed => Bits::Word(Gates::resized(a, target)),
            (Op::Extend | Op::Resize, Bits::Word(a)) => {
                Bits::Word((0..target).map(|bit| a.get(bit).copied().unwrap_or(Signal::FALSE)).collect())
            }
            _ => return Err(Beyond),
        })
    }

    /// A value of two, and where there is none.
    fn binary(&mut self, op: Op, a: &Bits, b: &Bits, (from, second): (Type, Type)) -> Found<(Bits, Signal)> {
        let is_signed = matches!(from, Type::Word { signed: true, .. });
        if matches!(op, Op::Iff | Op::Eq) {
            return Ok((Bits::Truth(self.same(a, b)?), Signal::FALSE));
        }
        let gates = &mut self.circuit.gates;
        let mut fault = Signal::FALSE;
        let value = match (a, b) {
            (Bits::Truth(a), Bits::Truth(b)) if op == Op::Xor => Bits::Truth(gates.xor(*a, *b)),
            (Bits::Number(a), Bits::Number(b)) => match op {
                Op::Lt => Bits::Truth(gates.less(a, b)),
                Op::Le => Bits::Truth(!gates.less(b, a)),
                Op::Add => wrapped(gates.add(a, b)),
                Op::Sub => {
                    let b = gates.negate(b);
                    wrapped(gates.add(a, &b))
                }
                Op::Mul => wrapped(gates.multiply(a, b)),
                Op::Div | Op::Mod => {
                    fault = !gates.any(b.iter().copied());
                    let (quotient, rest) = gates.divide(a, b);
                    wrapped(if op == Op::Div { quotient } else { rest })
                }
                Op::Min | Op::Max => {
                    let less = gates.less(a, b);
                    Bits::Number(gates.choose_number(if op == Op::Min { less } else { !less }, a, b))
                }
                _ => return Err(Beyond),
            },
            (Bits::Word(a), Bits::Number(by)) if matches!(op, Op::ShiftLeft | Op::ShiftRight) => {
                let above = gates.less(&Gates::number(a.len() as i128), by);
                fault = gates.or(by[by.len() - 1], above);
                let fill = if is_signed && op == Op::ShiftRight { a[a.len() - 1] } else { Signal::FALSE };
                Bits::Word(gates.shifted(a, &by[..by.len() - 1], op == Op::ShiftLeft, fill))
            }
            (Bits::Word(a), Bits::Word(b)) if op == Op::Concat && matches!(second, Type::Word { .. }) => {
                Bits::Word(b.iter().chain(a).copied().collect())
            }
            (Bits::Word(a), Bits::Word(b)) if a.len() == b.len() => {
                let each = |gates: &mut Gates, of: fn(&mut Gates, Signal, Signal) -> Signal| -> Vec<Signal> {
                    a.iter().zip(b).map(|(&a, &b)| of(gates, a, b)).collect()
                };
                let less = |gates: &mut Gates, a: &[Signal], b: &[Signal]| match is_signed {
                    true => gates.is_less_signed(a, b),
                    false => gates.is_less(a, b),
                };
                match op {
                    Op::And => Bits::Word(each(gates, Gates::and)),
                    Op::Or => Bits::Word(each(gates, Gates::or)),
                    Op::Xor => Bits::Word(each(gates, Gates::xor)),
                    Op::Lt => Bits::Truth(less(gates, a, b)),
                    Op::Le => Bits::Truth(!less(gates, b, a)),
                    Op::Add => Bits::Word(gates.sum(a, b, Signal::FALSE)),
                    Op::Sub => Bits::Word(gates.difference(a, b)),
                    Op::Mul => Bits::Word(gates.product(a, b)),
                    Op::Div | Op::Mod => {
                        fault = !gates.any(b.iter().copied());
                        let wide = |word: &[Signal]| if is_signed { word.to_vec() } else { Gates::natural(word) };
                        let (quotient, rest) = gates.divide(&wide(a), &wide(b));
                        Bits::Word(Gates::resized(if op == Op::Div { &quotient } else { &rest }, a.len()))
                    }
                    Op::Min | Op::Max => {
                        let less = less(gates, a, b);
                        Bits::Word(gates.either(if op == Op::Min { less } else { !less }, a, b))
                    }
                    _ => return Err(Beyond),
                }
            }
            _ => return Err(Beyond),
        };
        Ok((value, fault))
    }
}

/// An integer of the language: what does not fit is lost.
fn wrapped(number: Vec<Signal>) -> Bits {
    Bits::Number(if number.len() > INTEGER { Gates::resized(&number, INTEGER) } else { number })
}
