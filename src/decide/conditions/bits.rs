//! Conditions on single states as signals of a circuit.

use super::Condition;
use crate::circuit::{Circuit, Gates, Number, Signal};
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId};

impl Condition<'_> {
    /// The signal that is true in the states where the condition holds. `None` if it speaks of what is no bit of a state.
    pub(in crate::decide) fn signal(&self, circuit: &mut Circuit) -> Option<Signal> {
        self.signal_of(self.formula, circuit)
    }

    fn signal_of(&self, id: FormulaId, circuit: &mut Circuit) -> Option<Signal> {
        let all = |circuit: &mut Circuit, parts: &[FormulaId]| -> Option<Vec<Signal>> {
            parts.iter().map(|&part| self.signal_of(part, circuit)).collect()
        };
        Some(match &self.pool[id] {
            Formula::True => Signal::TRUE,
            Formula::False => Signal::FALSE,
            Formula::Label(label) => *circuit.labels.get(label.index())?,
            Formula::Not(operand) => !self.signal_of(*operand, circuit)?,
            Formula::And(parts) => {
                let parts = all(circuit, parts)?;
                circuit.gates.all(parts)
            }
            Formula::Or(parts) => {
                let parts = all(circuit, parts)?;
                circuit.gates.any(parts)
            }
            &Formula::Implies(a, b) => {
                let (a, b) = (self.signal_of(a, circuit)?, self.signal_of(b, circuit)?);
                circuit.gates.or(!a, b)
            }
            &Formula::Iff(a, b) => {
                let (a, b) = (self.signal_of(a, circuit)?, self.signal_of(b, circuit)?);
                circuit.gates.same(a, b)
            }
            &Formula::Compare(a, comparison, b) => {
                let (a, b) = (self.number(a, circuit)?, self.number(b, circuit)?);
                let gates = &mut circuit.gates;
                match comparison {
                    Comparison::Eq => gates.equals(&a, &b),
                    Comparison::Ne => !gates.equals(&a, &b),
                    Comparison::Lt => gates.less(&a, &b),
                    Comparison::Le => !gates.less(&b, &a),
                    Comparison::Gt => gates.less(&b, &a),
                    Comparison::Ge => !gates.less(&a, &b),
                }
            }
            _ => return None,
        })
    }

    /// The value of an expression. A quotient may have none, and a bound is about all states.
    fn number(&self, id: ExprId, circuit: &mut Circuit) -> Option<Number> {
        Some(match &self.pool[id] {
            Expr::Const(value) => Gates::number(*value),
            Expr::Tokens(variables) => {
                let mut sum = Gates::number(0);
                for variable in variables {
                    let bits = circuit.bits(variable.index());
                    sum = circuit.gates.add(&sum, &Gates::natural(&bits));
                }
                sum
            }
            Expr::Neg(operand) => {
                let operand = self.number(*operand, circuit)?;
                circuit.gates.negate(&operand)
            }
            Expr::Add(operands) => {
                let mut sum = Gates::number(0);
                for &operand in operands {
                    let operand = self.number(operand, circuit)?;
                    sum = circuit.gates.add(&sum, &operand);
                }
                sum
            }
            &Expr::Mul(a, b) => {
                let (a, b) = (self.number(a, circuit)?, self.number(b, circuit)?);
                // Values of the machine have an end.
                if a.len() + b.len() > 100 {
                    return None;
                }
                circuit.gates.multiply(&a, &b)
            }
            Expr::Div(..) | Expr::Bounds(_) => return None,
        })
    }
}
