//! Expressions as text, with the brackets that they need.

use crate::ast::{Expr, ExprKind};
use crate::lexer::Word;

/// The text of an expression.
pub(crate) fn expression(expr: &Expr) -> String {
    let mut text = String::new();
    write(expr, 0, &mut text);
    text
}

/// How tight an operator binds; tighter is more.
fn level(mark: &str) -> u8 {
    match mark {
        "->" => 1,
        "<->" => 2,
        "?" => 3,
        "|" | "xor" | "xnor" => 4,
        "&" => 5,
        "=" | "!=" | "<" | ">" | "<=" | ">=" => 8,
        "in" => 9,
        "union" => 10,
        ".." => 11,
        "<<" | ">>" => 12,
        "+" | "-" => 13,
        "*" | "/" | "mod" => 14,
        "::" => 15,
        _ => 16,
    }
}

/// The levels of `U` and its like, and of temporal prefixes.
const UNTIL: u8 = 6;
const PREFIX: u8 = 7;

fn write(expr: &Expr, around: u8, text: &mut String) {
    let own = match &expr.kind {
        ExprKind::Apply(mark, operands) if operands.len() == 2 || *mark == "?" => match is_function(mark) {
            true => 20,
            false => level(mark),
        },
        ExprKind::Apply("!" | "-", _) => 16,
        ExprKind::Temporal(mark, ..) => match *mark {
            "U" | "S" | "V" | "T" | "W" => UNTIL,
            "EU" | "AU" | "EBU" | "ABU" => 20,
            _ => PREFIX,
        },
        ExprKind::Number(number) if *number < 0 => 16,
        _ => 20,
    };
    let brackets = own < around;
    if brackets {
        text.push('(');
    }
    match &expr.kind {
        ExprKind::Bool(value) => text.push_str(if *value { "TRUE" } else { "FALSE" }),
        ExprKind::Number(number) => text.push_str(&number.to_string()),
        ExprKind::Word(Word { bits, width, signed }) => {
            text.push_str(&format!("0{}d{width}_{bits}", if *signed { 's' } else { 'u' }));
        }
        ExprKind::Name(name) => {
            let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_$#-".contains(c));
            text.push_str(&if is_plain { name.clone() } else { format!("\"{name}\"") });
        }
        ExprKind::Myself => text.push_str("self"),
        ExprKind::Dot(inner, name) => {
            write(inner, 20, text);
            text.push('.');
            text.push_str(name);
        }
        ExprKind::Index(inner, index) => {
            write(inner, 20, text);
            text.push('[');
            write(index, 0, text);
            text.push(']');
        }
        ExprKind::Bits(inner, high, low) => {
            write(inner, 20, text);
            text.push('[');
            write(high, 0, text);
            text.push(':');
            write(low, 0, text);
            text.push(']');
        }
        ExprKind::Next(inner) => {
            text.push_str("next(");
            write(inner, 0, text);
            text.push(')');
        }
        ExprKind::Apply("?", operands) => {
            write(&operands[0], own + 1, text);
            text.push_str(" ? ");
            write(&operands[1], 0, text);
            text.push_str(" : ");
            write(&operands[2], own, text);
        }
        ExprKind::Apply(mark, operands) if is_function(mark) => {
            text.push_str(mark);
            text.push('(');
            list(operands, text);
            text.push(')');
        }
        ExprKind::Apply(mark, operands) => match &operands[..] {
            [operand] => {
                text.push_str(mark);
                write(operand, own, text);
            }
            [left, right] => {
                let (before, after) = if *mark == "->" { (own + 1, own) } else { (own, own + 1) };
                write(left, before, text);
                if *mark == ".." {
                    text.push_str("..");
                } else {
                    text.push_str(&format!(" {mark} "));
                }
                write(right, after, text);
            }
            _ => list(operands, text),
        },
        ExprKind::Case(cases) => {
            text.push_str("case ");
            for (guard, value) in cases {
                write(guard, 0, text);
                text.push_str(" : ");
                write(value, 0, text);
                text.push_str("; ");
            }
            text.push_str("esac");
        }
        ExprKind::Set(members) => {
            text.push('{');
            list(members, text);
            text.push('}');
        }
        ExprKind::List(members) => {
            text.push('[');
            list(members, text);
            text.push(']');
        }
        ExprKind::Temporal(mark, operands, bounds) => temporal(mark, operands, *bounds, own, text),
    }
    if brackets {
        text.push(')');
    }
}

fn temporal(mark: &str, operands: &[Expr], bounds: Option<(i64, Option<i64>)>, own: u8, text: &mut String) {
    let range = bounds.map(|(from, to)| (from, to.unwrap_or(from)));
    match operands {
        [operand] => {
            text.push_str(mark);
            match range {
                Some((from, to)) if mark.len() == 1 => text.push_str(&format!(" [{from}, {to}]")),
                Some((from, to)) => text.push_str(&format!(" {from}..{to}")),
                None => {}
            }
            text.push(' ');
            write(operand, own, text);
        }
        [left, right] if mark.len() > 1 => {
            text.push_str(&mark[..1]);
            text.push_str(" [");
            write(left, 0, text);
            match range {
                Some((from, to)) => text.push_str(&format!(" BU {from}..{to} ")),
                None => text.push_str(" U "),
            }
            write(right, 0, text);
            text.push(']');
        }
        [left, right] => {
            write(left, own, text);
            text.push_str(&format!(" {mark} "));
            write(right, own + 1, text);
        }
        _ => {}
    }
}

fn list(members: &[Expr], text: &mut String) {
    for (number, member) in members.iter().enumerate() {
        if number > 0 {
            text.push_str(", ");
        }
        write(member, 0, text);
    }
}

fn is_function(mark: &str) -> bool {
    mark.len() > 2 && !matches!(mark, "mod" | "xor" | "xnor" | "union" | "<->")
}
