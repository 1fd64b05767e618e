//! Constraints on clocks: Boolean combinations of comparisons `x # c`.
//!
//! The text form is the one of people and files: `6<=b<=20 & a<=16`, `y<=8 | 24<=y<=32`, `!(x=3)`. A chain is
//! the conjunction of its comparisons; each compares one clock with one constant. Differences of clocks
//! (`x - y <= 3`) do not exist in Petri nets with clocks (Riesco, Montejano, Vilallonga, Uzal, definition 3),
//! and are refused with a message that says so: classical extrapolation is sound only without them
//! (Bouyer, "Forward analysis of updatable timed automata", FMSD 2004).
//!
//! Grammar, loosest first: `or := and ('|' and)*`, `and := unary ('&' unary)*`,
//! `unary := '!' unary | '(' or ')' | 'true' | 'false' | chain`, `chain := operand (relation operand)+`.
//! Doubled operators (`&&`, `||`, `==`) and `!=` are read as well. Nesting is limited, so that no input
//! exhausts the stack. What is left out: arithmetic in constants.

use super::rational::{self, Rational};
use std::fmt::Write;

/// Index of a clock in its net.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClockId(pub u32);

impl ClockId {
    /// The index as `usize`, for indexing slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a clock is compared with a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
}

impl Relation {
    /// The sign in texts.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Equal => "=",
            Relation::AtLeast => ">=",
            Relation::Greater => ">",
        }
    }

    /// The relation with its sides exchanged: `c < x` is `x > c`.
    pub fn mirrored(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::AtMost => Relation::AtLeast,
            Relation::Equal => Relation::Equal,
            Relation::AtLeast => Relation::AtMost,
            Relation::Greater => Relation::Less,
        }
    }

    /// Does the relation hold between values that compare as `order`?
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::Equal => order.is_eq(),
            Relation::AtLeast => order.is_ge(),
            Relation::Greater => order.is_gt(),
        }
    }
}

/// The comparison of a clock with a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The clock.
    pub clock: ClockId,
    /// The comparison.
    pub relation: Relation,
    /// The constant, as written.
    pub constant: Rational,
}

/// A Boolean combination of comparisons.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// A comparison.
    Atom(Atom),
    /// Negation.
    Not(Box<Predicate>),
    /// Conjunction.
    And(Vec<Predicate>),
    /// Disjunction.
    Or(Vec<Predicate>),
}

/// A text that is no predicate: what is wrong, and at which byte of the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem}")]
pub struct PredicateError {
    /// Byte of the text where the problem is.
    pub offset: usize,
    /// The problem and the remedy.
    pub problem: String,
}

impl Predicate {
    /// The comparison `clock relation constant`.
    pub fn atom(clock: ClockId, relation: Relation, constant: Rational) -> Predicate {
        Predicate::Atom(Atom { clock, relation, constant })
    }

    /// The conjunction of two predicates; `true` disappears.
    pub fn and(self, other: Predicate) -> Predicate {
        match (self, other) {
            (Predicate::True, p) | (p, Predicate::True) => p,
            (Predicate::And(mut a), Predicate::And(b)) => {
                a.extend(b);
                Predicate::And(a)
            }
            (Predicate::And(mut a), p) => {
                a.push(p);
                Predicate::And(a)
            }
            (p, q) => Predicate::And(vec![p, q]),
        }
    }

    /// The value under a valuation, by the definition: the clocks in their order.
    pub fn holds(&self, valuation: &[Rational]) -> bool {
        match self {
            Predicate::True => true,
            Predicate::False => false,
            Predicate::Atom(a) => valuation.get(a.clock.index()).is_some_and(|v| a.relation.holds(v.cmp(&a.constant))),
            Predicate::Not(p) => !p.holds(valuation),
            Predicate::And(ps) => ps.iter().all(|p| p.holds(valuation)),
            Predicate::Or(ps) => ps.iter().any(|p| p.holds(valuation)),
        }
    }

    /// Every comparison, from left to right, with whether it stands under an even number of negations.
    pub fn atoms(&self) -> Vec<(&Atom, bool)> {
        fn walk<'p>(p: &'p Predicate, positive: bool, out: &mut Vec<(&'p Atom, bool)>) {
            match p {
                Predicate::True | Predicate::False => {}
                Predicate::Atom(a) => out.push((a, positive)),
                Predicate::Not(q) => walk(q, !positive, out),
                Predicate::And(qs) | Predicate::Or(qs) => qs.iter().for_each(|q| walk(q, positive, out)),
            }
        }
        let mut out = Vec::new();
        walk(self, true, &mut out);
        out
    }

    /// The predicate with its `index`-th comparison (in the order of [`Predicate::atoms`]) replaced.
    pub fn with_atom(&self, index: usize, atom: &Atom) -> Predicate {
        fn walk(p: &Predicate, next: &mut usize, index: usize, atom: &Atom) -> Predicate {
            match p {
                Predicate::True => Predicate::True,
                Predicate::False => Predicate::False,
                Predicate::Atom(a) => {
                    *next += 1;
                    Predicate::Atom(if *next == index + 1 { atom.clone() } else { a.clone() })
                }
                Predicate::Not(q) => Predicate::Not(Box::new(walk(q, next, index, atom))),
                Predicate::And(qs) => Predicate::And(qs.iter().map(|q| walk(q, next, index, atom)).collect()),
                Predicate::Or(qs) => Predicate::Or(qs.iter().map(|q| walk(q, next, index, atom)).collect()),
            }
        }
        walk(self, &mut 0, index, atom)
    }

    /// The text form, with the given names of clocks; [`Predicate::parse`] reads it back.
    pub fn to_text(&self, clocks: &[String]) -> String {
        let mut out = String::new();
        self.write(clocks, 0, &mut out);
        out
    }

    fn write(&self, clocks: &[String], strength: u8, out: &mut String) {
        let list = |ps: &[Predicate], sign: &str, own: u8, out: &mut String| {
            if own < strength {
                out.push('(');
            }
            for (i, p) in ps.iter().enumerate() {
                if i > 0 {
                    out.push_str(sign);
                }
                p.write(clocks, own + 1, out);
            }
            if own < strength {
                out.push(')');
            }
        };
        match self {
            Predicate::True => out.push_str("true"),
            Predicate::False => out.push_str("false"),
            Predicate::Atom(a) => {
                let name = clocks.get(a.clock.index()).map_or("?", String::as_str);
                // Writing to a string cannot fail.
                let _ = write!(out, "{name}{}{}", a.relation.sign(), a.constant);
            }
            Predicate::Not(p) => {
                out.push_str("!(");
                p.write(clocks, 0, out);
                out.push(')');
            }
            Predicate::And(ps) if ps.is_empty() => out.push_str("true"),
            Predicate::Or(ps) if ps.is_empty() => out.push_str("false"),
            Predicate::And(ps) => list(ps, " & ", 2, out),
            Predicate::Or(ps) => list(ps, " | ", 1, out),
        }
    }

    /// Reads the text form; `clocks` are the declared names, in the order of their indices.
    pub fn parse(text: &str, clocks: &[String]) -> Result<Predicate, PredicateError> {
        let mut parser = Parser { text, at: 0, clocks, depth: 0 };
        let p = parser.disjunction()?;
        parser.blanks();
        if parser.at < text.len() {
            return Err(parser.error("expected `&`, `|` or the end of the constraint"));
        }
        Ok(p)
    }
}

/// Nesting of parentheses and negations beyond which a text is refused.
const DEPTH: usize = 200;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    clocks: &'t [String],
    depth: usize,
}

enum Operand {
    Clock(ClockId),
    Constant(Rational),
}

impl Parser<'_> {
    fn error(&self, problem: impl Into<String>) -> PredicateError {
        PredicateError { offset: self.at, problem: problem.into() }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn disjunction(&mut self) -> Result<Predicate, PredicateError> {
        let mut parts = vec![self.conjunction()?];
        while self.eat("||") || self.eat("|") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Predicate::Or(parts) })
    }

    fn conjunction(&mut self) -> Result<Predicate, PredicateError> {
        let mut parts = Vec::new();
        loop {
            match self.unary()? {
                // A chain inside a conjunction is flat.
                Predicate::And(ps) => parts.extend(ps),
                p => parts.push(p),
            }
            if !(self.eat("&&") || self.eat("&")) {
                break;
            }
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Predicate::And(parts) })
    }

    fn unary(&mut self) -> Result<Predicate, PredicateError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error(format!("nested more than {DEPTH} deep; write the constraint flatter")));
        }
        let result = if self.eat("!") {
            Predicate::Not(Box::new(self.unary()?))
        } else if self.eat("(") {
            let p = self.disjunction()?;
            if !self.eat(")") {
                return Err(self.error("expected `)`"));
            }
            p
        } else {
            self.chain()?
        };
        self.depth -= 1;
        Ok(result)
    }

    fn word(&mut self) -> &str {
        self.blanks();
        let rest = self.rest();
        let length = rest
            .char_indices()
            .find(|&(_, c)| c.is_whitespace() || "<>=!&|()-+*".contains(c))
            .map_or(rest.len(), |(i, _)| i);
        let start = self.at;
        self.at += length;
        self.text.get(start..self.at).unwrap_or("")
    }

    fn operand(&mut self) -> Result<Operand, PredicateError> {
        self.blanks();
        let start = self.at;
        let clocks = self.clocks;
        let word = self.word().to_owned();
        if let Some(i) = clocks.iter().position(|c| *c == word) {
            return Ok(Operand::Clock(ClockId(i as u32)));
        }
        if let Some(c) = rational::parse(&word) {
            return Ok(Operand::Constant(c));
        }
        self.at = start;
        Err(self.error(if word.is_empty() {
            "expected a clock or a constant".to_owned()
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            format!("`{word}` is no constant; write `3`, `1.5` or `3/2`")
        } else {
            format!("`{word}` is no clock of the net; declare it, or correct the name")
        }))
    }

    /// The relation that follows, if one does; `!=` gives equality and true.
    fn relation(&mut self) -> Option<(Relation, bool)> {
        for (sign, relation, negated) in [
            ("<=", Relation::AtMost, false),
            (">=", Relation::AtLeast, false),
            ("==", Relation::Equal, false),
            ("!=", Relation::Equal, true),
            ("<", Relation::Less, false),
            (">", Relation::Greater, false),
            ("=", Relation::Equal, false),
        ] {
            if self.eat(sign) {
                return Some((relation, negated));
            }
        }
        None
    }

    fn chain(&mut self) -> Result<Predicate, PredicateError> {
        let start = self.at;
        match self.word() {
            "true" => return Ok(Predicate::True),
            "false" => return Ok(Predicate::False),
            _ => self.at = start,
        }
        let mut left = self.operand()?;
        let mut parts = Vec::new();
        while let Some((relation, negated)) = self.relation() {
            let right = self.operand()?;
            let atom = match (&left, &right) {
                (Operand::Clock(x), Operand::Constant(c)) => Predicate::atom(*x, relation, c.clone()),
                (Operand::Constant(c), Operand::Clock(x)) => Predicate::atom(*x, relation.mirrored(), c.clone()),
                (Operand::Clock(_), Operand::Clock(_)) => {
                    return Err(self.error("two clocks are compared; compare each with a constant"));
                }
                (Operand::Constant(_), Operand::Constant(_)) => {
                    return Err(self.error("two constants are compared; compare a clock with each"));
                }
            };
            parts.push(if negated { Predicate::Not(Box::new(atom)) } else { atom });
            left = right;
        }
        if self.rest().trim_start().starts_with(['-', '+', '*']) {
            return Err(
                self.error("sums and differences of clocks do not exist here; compare one clock with a constant")
            );
        }
        match parts.len() {
            0 => Err(self.error("expected `<`, `<=`, `=`, `>=` or `>`")),
            1 => Ok(parts.swap_remove(0)),
            _ => Ok(Predicate::And(parts)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::kinds::clocks::rational::{fraction, integer};

    fn clocks() -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    #[test]
    fn text_round_trip() {
        for text in ["a<=2", "1<=a<=2", "a<5 | a>5", "!(a=3 | b<1) & a>=0", "(a<1 | b>2) & (a>3/2 | b=1)", "true"] {
            let p = Predicate::parse(text, &clocks()).unwrap();
            assert_eq!(Predicate::parse(&p.to_text(&clocks()), &clocks()).unwrap(), p, "{text}");
        }
        assert_eq!(Predicate::parse("1<=a<=2 & b<3", &clocks()).unwrap().to_text(&clocks()), "a>=1 & a<=2 & b<3");
    }

    #[test]
    fn values() {
        let p = Predicate::parse("1<a<=2 | b!=0.5", &clocks()).unwrap();
        assert!(p.holds(&[integer(2), fraction(1, 2)]));
        assert!(!p.holds(&[integer(1), fraction(1, 2)]));
        assert!(p.holds(&[integer(1), integer(0)]));
    }

    #[test]
    fn refusals_say_where() {
        for (text, offset) in
            [("a-b<=3", 1), ("a<=", 3), ("c<3", 0), ("a<b", 3), ("(a<1", 4), ("a<1 b<2", 4), ("1<2", 3)]
        {
            let e = Predicate::parse(text, &clocks()).unwrap_err();
            assert_eq!(e.offset, offset, "{text}: {e}");
        }
        assert!(Predicate::parse(&"(".repeat(100_000), &clocks()).is_err());
    }
}
