//! Terms as text, as the language writes them. What is long is cut.

use crate::model::Model;
use crate::term::{Lack, Node, Op, Term};

/// Characters of a text that is cut.
const MOST: usize = 120;

impl Model {
    /// The text of a term without temporal operators.
    pub fn show_term(&self, term: Term) -> String {
        let mut text = String::new();
        self.write_term(term, false, &mut text);
        if text.chars().count() > MOST {
            text = text.chars().take(MOST).collect();
            text.push('…');
        }
        text
    }

    fn write_term(&self, term: Term, inside: bool, text: &mut String) {
        if text.len() > MOST * 4 {
            return;
        }
        let terms = &self.terms;
        let infix = |mark: &str, operands: &[Term], text: &mut String| {
            if inside {
                text.push('(');
            }
            for (number, &operand) in operands.iter().enumerate() {
                if number > 0 {
                    text.push_str(mark);
                }
                self.write_term(operand, true, text);
            }
            if inside {
                text.push(')');
            }
        };
        match terms.node(term) {
            Node::Const(value) => text.push_str(&self.show(*value, terms.kind(term))),
            &Node::Variable { variable, next: false } => text.push_str(&self.variables[variable].name),
            &Node::Variable { variable, next: true } => {
                text.push_str(&format!("next({})", self.variables[variable].name))
            }
            Node::Apply(op, operands) => match mark(*op) {
                Some(mark) if operands.len() == 2 => {
                    // Both sides of an equation are in the order of their making: constants look better on the right.
                    let is_constant = |term: Term| matches!(terms.node(term), Node::Const(_));
                    let turned =
                        matches!(op, Op::Eq | Op::Iff) && is_constant(operands[0]) && !is_constant(operands[1]);
                    let turned_operands = [operands[1], operands[0]];
                    infix(&format!(" {mark} "), if turned { &turned_operands } else { operands }, text);
                }
                _ => self.write_applied(*op, operands, text),
            },
            &Node::If(condition, yes, no) => {
                text.push('(');
                self.write_term(condition, true, text);
                text.push_str(" ? ");
                self.write_term(yes, true, text);
                text.push_str(" : ");
                self.write_term(no, true, text);
                text.push(')');
            }
            Node::Lack(Lack::Case, _) => text.push_str("(no case)"),
            Node::Lack(Lack::Index, _) => text.push_str("(no element)"),
            Node::Set(members) => {
                text.push('{');
                for (number, &member) in members.iter().enumerate() {
                    text.push_str(if number > 0 { ", " } else { "" });
                    self.write_term(member, false, text);
                }
                text.push('}');
            }
            Node::Range(low, high) => text.push_str(&format!("{low}..{high}")),
            &Node::Member(left, right) => infix(" in ", &[left, right], text),
            Node::Temporal(..) => text.push_str("(a temporal formula)"),
        }
    }

    /// An operator before its operands.
    fn write_applied(&self, op: Op, operands: &[Term], text: &mut String) {
        let name = match op {
            Op::Not => "!",
            Op::Neg => "-",
            Op::Bits(high, low) => {
                operands.iter().for_each(|&operand| self.write_term(operand, true, text));
                text.push_str(&format!("[{high}:{low}]"));
                return;
            }
            Op::Extend => "extend",
            Op::Resize => "resize",
            Op::Cast => "signed",
            Op::ToInt => "toint",
            Op::ToBool => "bool",
            Op::ToWord => "word1",
            Op::FromInt => "uwconst",
            Op::Count => "count",
            Op::Min => "min",
            Op::Max => "max",
            Op::Abs => "abs",
            _ => "",
        };
        text.push_str(name);
        if matches!(op, Op::Not | Op::Neg) {
            operands.iter().for_each(|&operand| self.write_term(operand, true, text));
            return;
        }
        text.push('(');
        for (number, &operand) in operands.iter().enumerate() {
            text.push_str(if number > 0 { ", " } else { "" });
            self.write_term(operand, false, text);
        }
        text.push(')');
    }
}

/// The sign of an operator between its operands.
fn mark(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::And => "&",
        Op::Or => "|",
        Op::Xor => "xor",
        Op::Iff | Op::Eq => "=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::Mod => "mod",
        Op::ShiftLeft => "<<",
        Op::ShiftRight => ">>",
        Op::Concat => "::",
        _ => return None,
    })
}
