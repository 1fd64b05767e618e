//! Writing formulas so that they read back as the same formula.
//!
//! Parentheses go around every binary operator that is not outermost; unary operators bind tightest. Names
//! that the parser would not read bare are quoted.

use super::{Formula, Formulas, Node};
use crate::automaton::Prop;
use crate::formula::{PAST_LETTERS, RESERVED};

/// Bytes after which a title is cut.
const LONGEST_TITLE: usize = 1 << 14;

/// A piece to print: a formula (bare, or in parentheses if need be) or text.
enum Piece {
    Outer(Formula),
    Inner(Formula),
    Text(&'static str),
}

impl Formulas {
    /// The formula as text. Parts that occur several times are written as often, so that it may be far longer than the formula is
    /// large.
    pub fn text(&self, f: Formula) -> String {
        self.written(f, usize::MAX)
    }

    /// The formula as text, cut where it is very long.
    pub(crate) fn title(&self, f: Formula) -> String {
        self.written(f, LONGEST_TITLE)
    }

    fn written(&self, f: Formula, most: usize) -> String {
        let mut out = String::new();
        let (mut stack, past) = (vec![Piece::Outer(f)], self.past(f) > 0);
        while let Some(piece) = stack.pop() {
            if out.len() > most {
                out.push('…');
                break;
            }
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
            self.push_pieces(f, &mut out, &mut stack, past);
        }
        out
    }

    fn is_binary(&self, f: Formula) -> bool {
        !matches!(
            self.node(f),
            Node::True
                | Node::False
                | Node::Literal(..)
                | Node::Next(_)
                | Node::Finally(_)
                | Node::Globally(_)
                | Node::Yesterday(_)
                | Node::WeakYesterday(_)
                | Node::Since(Formula::TRUE, _)
                | Node::Trigger(Formula::FALSE, _)
        )
    }

    /// Writes what comes first and leaves the rest, last piece first, on the stack.
    fn push_pieces(&self, f: Formula, out: &mut String, stack: &mut Vec<Piece>, past: bool) {
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
                self.push_name(*prop, out, past);
            }
            Node::And(fs) => infix(fs, " & "),
            Node::Or(fs) => infix(fs, " | "),
            Node::Until(a, b) => infix(&[*a, *b], " U "),
            Node::Release(a, b) => infix(&[*a, *b], " R "),
            Node::WeakUntil(a, b) => infix(&[*a, *b], " W "),
            Node::StrongRelease(a, b) => infix(&[*a, *b], " M "),
            Node::Since(a, b) if *a != Formula::TRUE => infix(&[*a, *b], " S "),
            Node::Trigger(a, b) if *a != Formula::FALSE => infix(&[*a, *b], " T "),
            Node::Next(a)
            | Node::Finally(a)
            | Node::Globally(a)
            | Node::Yesterday(a)
            | Node::WeakYesterday(a)
            | Node::Since(_, a)
            | Node::Trigger(_, a) => {
                out.push_str(match self.node(f) {
                    Node::Next(_) => "X",
                    Node::Finally(_) => "F",
                    Node::Globally(_) => "G",
                    // A letter of the past is a word of its own.
                    Node::Yesterday(_) => "Y ",
                    Node::WeakYesterday(_) => "Z ",
                    Node::Since(..) => "O ",
                    _ => "H ",
                });
                stack.push(Piece::Inner(*a));
            }
        }
    }

    fn push_name(&self, prop: Prop, out: &mut String, past: bool) {
        let name = self.propositions.get_index(prop.index()).map_or("", String::as_str);
        let reserved =
            RESERVED.contains(&name) || name.eq_ignore_ascii_case("true") || name.eq_ignore_ascii_case("false");
        // Among operators of the past a name is not to be taken for one.
        let reserved = reserved || past && PAST_LETTERS.contains(&name);
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
            "(\"O\" S \"S\") T Y (O \"T\" & H (Z \"Y\" | \"P\"))",
        ] {
            let f = s.parse(text).unwrap();
            let printed = s.text(f);
            assert_eq!(s.parse(&printed).unwrap(), f, "{text} printed as {printed}");
        }
        let f = s.parse("G(S -> O (\"T\" & H a))").unwrap();
        assert_eq!(s.text(f), "G(!\"S\" | O (\"T\" & H a))");
        let f = s.parse("G(S -> O)").unwrap();
        assert_eq!(s.text(f), "G(O | !S)");
        let f = s.parse("G(Fp0 & F!p0)").unwrap();
        assert_eq!(s.text(f), "G(Fp0 & F!p0)");
    }
}
