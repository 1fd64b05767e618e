//! Reading formulas of linear time: the grammar of the whole program ([`parse`](crate::formula::parse())), with names for
//! propositions.

use super::{Formula, Formulas};
use crate::formula::{Formula as Read, ParseError, Propositional, Words, parse_propositional};
use rustc_hash::FxHashMap;

/// The greatest depth of a formula that is read, and that the translator takes.
pub const MAX_DEPTH: u32 = 500;

impl Formulas {
    /// Reads a formula; propositions not seen before are added to the table.
    ///
    /// # Errors
    /// [`ParseError`] where the text is no formula, or one that is nested too deeply.
    pub fn parse(&mut self, text: &str) -> Result<Formula, ParseError> {
        self.parse_with_remarks(text).map(|(formula, _)| formula)
    }

    /// As [`Formulas::parse`], with remarks on what may be meant otherwise: each a column of the text, in characters from 1,
    /// and a sentence.
    ///
    /// # Errors
    /// [`ParseError`].
    pub fn parse_with_remarks(&mut self, text: &str) -> Result<(Formula, Vec<(usize, String)>), ParseError> {
        let read = parse_propositional(text, Words::Infinite)?;
        let formula = self.of_pool(&read);
        if self.depth(formula) > MAX_DEPTH {
            return Err(ParseError::too_deep(text, MAX_DEPTH));
        }
        Ok((formula, read.remarks))
    }

    /// The formula in negation normal form. Operands come before what they are operands of, so there is no recursion.
    fn of_pool(&mut self, read: &Propositional) -> Formula {
        let props: Vec<_> = read.propositions.iter().map(|name| self.proposition(name)).collect();
        let mut known: FxHashMap<_, Formula> = FxHashMap::default();
        for id in read.pool.subformulas(&[read.formula]) {
            let of = |id| known.get(id).copied().unwrap_or(Formula::TRUE);
            let formula = match &read.pool[id] {
                Read::False => Formula::FALSE,
                Read::Label(label) => self.literal(props[label.index()], true),
                // As a disjunction, like the equivalence itself.
                Read::Not(a) => match &read.pool[*a] {
                    Read::Iff(a, b) => self.iff(of(a), of(b).negated()),
                    _ => of(a).negated(),
                },
                Read::And(all) => self.and(all.iter().map(of)),
                Read::Or(all) => self.or(all.iter().map(of)),
                Read::Implies(a, b) => self.implies(of(a), of(b)),
                Read::Iff(a, b) => self.iff(of(a), of(b)),
                Read::Next(a) => self.next(of(a)),
                Read::Finally(a) => self.finally(of(a)),
                Read::Globally(a) => self.globally(of(a)),
                Read::Until(a, b) => self.until(of(a), of(b)),
                Read::Release(a, b) => self.release(of(a), of(b)),
                Read::WeakUntil(a, b) => self.weak_until(of(a), of(b)),
                Read::StrongRelease(a, b) => self.strong_release(of(a), of(b)),
                Read::Yesterday(a) => self.yesterday(of(a)),
                Read::WeakYesterday(a) => self.weak_yesterday(of(a)),
                Read::Since(a, b) => self.since(of(a), of(b)),
                Read::Trigger(a, b) => self.trigger(of(a), of(b)),
                // No other atoms are read, and no quantifiers.
                _ => Formula::TRUE,
            };
            known.insert(id, formula);
        }
        known.get(&read.formula).copied().unwrap_or(Formula::TRUE)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn precedences_and_spellings() {
        let mut s = Formulas::new();
        for (text, same) in [
            ("GFp0 -> p1 U p2 U p3", "(G(F(p0))) -> (p1 U (p2 U p3))"),
            ("a & b | c & !d", "(a & b) | (c & (!d))"),
            ("a xor b", "(a & !b) | (!a & b)"),
            ("a -> b -> c", "a -> (b -> c)"),
            ("[]<>a && ~b || 1", "true"),
            ("X[!]a M b", "(X a) M b"),
            ("a V b", "a R b"),
            ("a <-> b", "a ^ !b"),
            ("\"a\" U \"x y\\\"\"", "a U \"x y\\\"\""),
            ("F F a", "F a"),
            ("a xor b | c", "(a xor b) | c"),
            ("a ^ b & c", "a ^ (b & c)"),
            ("a -> b <-> c", "a -> (b <-> c)"),
            ("a + b * c", "a | (b & c)"),
            ("a=0 U !b=1", "!a U !b"),
            ("X[2]F[1:2]a", "XXX(a | Xa)"),
            ("G0 & F12 & X1y", "\"G0\" & \"F12\" & \"X1y\""),
            ("GG0 | F_a", "G \"G0\" | F(_a)"),
            ("E & Ua & A", "\"E\" & \"Ua\" & \"A\""),
            ("TRUE & not a or False", "!a"),
            ("Y a & Y(a) & Ya", "(Y (a)) & \"Ya\""),
            ("GO a S b T c", "(G(O a)) S (b T c)"),
            ("1 S a | 0 T b", "(O a) | (H b)"),
            ("O & Y U Z | S -> !T", "((\"O\" & (\"Y\" U \"Z\")) | \"S\") -> !\"T\""),
            ("O S a & O S", "(\"O\" S a) & (O \"S\")"),
            ("O <> a & Y !a & H 0", "(O F a) & (Y !a) & (H false)"),
            ("S S S & H=0", "(\"S\" S \"S\") & !\"H\""),
            ("!Y a <-> Z !a", "1"),
            ("!(a S b) <-> !a T !b", "1"),
        ] {
            assert_eq!(s.parse(text).unwrap(), s.parse(same).unwrap(), "{text}");
        }
    }

    #[test]
    fn errors_have_columns() {
        let mut s = Formulas::new();
        let mut column = |text: &str| s.parse(text).unwrap_err().column;
        assert_eq!(column(""), 1);
        assert_eq!(column("a U"), 4);
        assert_eq!(column("(a & b"), 7);
        assert_eq!(column("a b"), 3);
        assert_eq!(column("a & \"b"), 5);
        assert_eq!(column("ä & $"), 5);
        assert_eq!(column("a & 12"), 5);
        assert_eq!(column("a = 2"), 3);
        assert_eq!(column("a & U"), 5);
        assert_eq!(column("#p = 1"), 1);
        assert_eq!(column("a & [b] c"), 5);
        assert!(s.parse(&"(".repeat(100_000)).is_err());
        assert!(s.parse(&"!".repeat(100_000)).is_err());
        assert!(s.parse(&format!("{}a", "X".repeat(MAX_DEPTH as usize - 1))).is_ok());
        assert!(s.parse(&format!("{}a", "X".repeat(MAX_DEPTH as usize + 1))).is_err());
        let long = (0..2000).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" xor ");
        assert!(s.parse(&long).is_err());
    }
}
