//! Writing formulas so that they read back as the same formula.
//!
//! Parentheses go around every binary operator that is not outermost; unary operators bind tightest. Names
//! that the parser would not read bare are quoted.

use super::{Formula, Formulas, Node};
use crate::automaton::Prop;
use crate::formula::RESERVED;

/// A piece to print: a formula (bare, or in parentheses if need be) or text.
enum Piece {
    Outer(Formula),
    Inner(Formula),
    Text(&'static str),
}

impl Formulas {
    /// The formula as text.
    pub fn text(&self, f: Formula) -> String {
        let mut out = String::new();
        let mut stack = vec![Piece::Outer(f)];
        while let Some(piece) = stack.pop() {
            let f = match piece {
                Piece::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Piece::Outer(f) => f,
                Piece::Inner(f) => {
                    if self.is_binary(f) {
                        out.push('(');
                        stack.push(Piece::Text(")"));
                    }
                    f
                }
            };
            self.push_pieces(f, &mut out, &mut stack);
        }
        out
    }

    fn is_binary(&self, f: Formula) -> bool {
        !matches!(
            self.node(f),
            Node::True | Node::False | Node::Literal(..) | Node::Next(_) | Node::Finally(_) | Node::Globally(_)
        )
    }

    /// Writes what comes first and leaves the rest, last piece first, on the stack.
    fn push_pieces(&self, f: Formula, out: &mut String, stack: &mut Vec<Piece>) {
        let mut infix = |operands: &[Formula], operator: &'static str| {
            for (i, &g) in operands.iter().enumerate().rev() {
                stack.push(Piece::Inner(g));
                if i > 0 {
                    stack.push(Piece::Text(operator));
                }
            }
        };
        match self.node(f) {
            Node::True => out.push('1'),
            Node::False => out.push('0'),
            Node::Literal(prop, positive) => {
                if !positive {
                    out.push('!');
                }
                self.push_name(*prop, out);
            }
            Node::And(fs) => infix(fs, " & "),
            Node::Or(fs) => infix(fs, " | "),
            Node::Until(a, b) => infix(&[*a, *b], " U "),
            Node::Release(a, b) => infix(&[*a, *b], " R "),
            Node::WeakUntil(a, b) => infix(&[*a, *b], " W "),
            Node::StrongRelease(a, b) => infix(&[*a, *b], " M "),
            Node::Next(a) => {
                out.push('X');
                stack.push(Piece::Inner(*a));
            }
            Node::Finally(a) => {
                out.push('F');
                stack.push(Piece::Inner(*a));
            }
            Node::Globally(a) => {
                out.push('G');
                stack.push(Piece::Inner(*a));
            }
        }
    }

    fn push_name(&self, prop: Prop, out: &mut String) {
        let name = self.propositions.get_index(prop.index()).map_or("", String::as_str);
        let reserved =
            RESERVED.contains(&name) || name.eq_ignore_ascii_case("true") || name.eq_ignore_ascii_case("false");
        // Before a digit `F`, `G` and `X` are no operators.
        let operator = name.starts_with(['F', 'G', 'X']) && !name[1..].starts_with(|c: char| c.is_ascii_digit());
        let starts_well = name.starts_with(|c: char| c == '_' || c.is_alphabetic()) && !operator;
        let ends_well = name.chars().all(|c| c == '_' || c == '.' || c.is_alphanumeric());
        if starts_well && ends_well && !reserved {
            out.push_str(name);
            return;
        }
        out.push('"');
        for c in name.chars() {
            if c == '"' || c == '\\' {
                out.push('\\');
            }
            out.push(c);
        }
        out.push('"');
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn text_reads_back() {
        let mut s = Formulas::new();
        for text in [
            "G(Fp0 & F!p0)",
            "(p0 U (p1 U p2)) | X(p1 M !p2) & 1",
            "\"U\" & \"Fx\" & \"x y\" & \"q\\\\\\\"\" & \"TRUE\" & \"1x\"",
            "(a <-> Xb) W (c R 0)",
        ] {
            let f = s.parse(text).unwrap();
            let printed = s.text(f);
            assert_eq!(s.parse(&printed).unwrap(), f, "{text} printed as {printed}");
        }
        let f = s.parse("G(Fp0 & F!p0)").unwrap();
        assert_eq!(s.text(f), "G(Fp0 & F!p0)");
    }
}
