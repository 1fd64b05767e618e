//! Syntactic implication: a quick, sound, incomplete test that one formula entails another.
//!
//! Structural rules in the style of Somenzi & Bloem (2000), extended with eventual and universal formulas:
//! what a universal formula entails it entails for ever, and what entails an eventual formula may come later.
//! Every rule is tried on `f ⇒ g` and on the contrapositive `¬g ⇒ ¬f`, which supplies the dual rules. Results
//! are memoised per pair, so the cost is at most quadratic in the number of subformulas.

use super::{Formula, Formulas, MAX_DEPTH, Node};

impl Formulas {
    /// Whether `f` entails `g` by the syntactic rules; `false` means unknown.
    pub(crate) fn entails(&mut self, f: Formula, g: Formula) -> bool {
        if f == g || f == Formula::FALSE || g == Formula::TRUE {
            return true;
        }
        if f == Formula::TRUE || g == Formula::FALSE || f == g.negated() {
            return false;
        }
        if self.depth(f) + self.depth(g) > 2 * MAX_DEPTH {
            return false;
        }
        let key = if (f, g) <= (g.negated(), f.negated()) { (f, g) } else { (g.negated(), f.negated()) };
        if let Some(&known) = self.memo.entailments.get(&key) {
            return known;
        }
        let result = self.entails_directly(f, g) || self.entails_directly(g.negated(), f.negated());
        self.memo.entailments.insert(key, result);
        result
    }

    fn entails_directly(&mut self, f: Formula, g: Formula) -> bool {
        use Node::*;
        let (left, right) = (self.node(f).clone(), self.node(g).clone());
        // What the form of f alone tells.
        let by_left = match &left {
            Or(fs) => fs.iter().all(|&x| self.entails(x, g)),
            And(fs) => fs.iter().any(|&x| self.entails(x, g)),
            Globally(a) => self.entails(*a, g),
            Next(a) => self.is_eventual(g) && self.entails(*a, g),
            Finally(a) => self.is_eventual(g) && self.entails(*a, g),
            Until(a, b) => self.entails(*b, g) && (self.is_eventual(g) || self.entails(*a, g)),
            WeakUntil(a, b) | Since(a, b) => self.entails(*a, g) && self.entails(*b, g),
            Trigger(_, b) => self.entails(*b, g),
            Release(_, b) => self.entails(*b, g),
            StrongRelease(a, b) => self.entails(*b, g) || self.is_eventual(g) && self.entails(*a, g),
            _ => false,
        };
        if by_left {
            return true;
        }
        // Rules for two given operators; the rest follows by contraposition.
        match (&left, &right) {
            (Next(a), Next(b)) | (Yesterday(a), Yesterday(b) | WeakYesterday(b)) => self.entails(*a, *b),
            (Since(a, b), Since(c, d)) => self.entails_either(*a, *c, *d) && self.entails(*b, *d),
            (Finally(a), Finally(b)) => self.entails(*a, *b),
            (Until(_, b) | StrongRelease(b, _), Finally(c)) => self.entails(*b, *c),
            (Until(a, b), Until(c, d) | WeakUntil(c, d)) | (WeakUntil(a, b), WeakUntil(c, d)) => {
                self.entails_either(*a, *c, *d) && self.entails(*b, *d)
            }
            (StrongRelease(a, b), Until(c, d) | WeakUntil(c, d)) | (Release(a, b), WeakUntil(c, d)) => {
                self.entails_either(*b, *c, *d) && (self.entails(*a, *d) || self.entails(*b, *d))
            }
            (Globally(a), WeakUntil(c, d)) => self.entails_either(*a, *c, *d),
            (StrongRelease(a, b), StrongRelease(c, d) | Release(c, d)) | (Release(a, b), Release(c, d)) => {
                self.entails(*a, *c) && self.entails(*b, *d)
            }
            (Until(a, b), StrongRelease(c, d) | Release(c, d)) | (WeakUntil(a, b), Release(c, d)) => {
                self.entails(*a, *d) && self.entails(*b, *d) && self.entails(*b, *c)
            }
            _ => false,
        }
    }

    /// Whether `a` entails `c` or `d`.
    fn entails_either(&mut self, a: Formula, c: Formula, d: Formula) -> bool {
        self.entails(a, c) || self.entails(a, d)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::word::tests::{formula_texts, words};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn entailment_is_sound(f in formula_texts(3), g in formula_texts(3), word in words(3)) {
            let mut s = Formulas::with_propositions(["a", "b", "c"]);
            let (f, g) = (s.parse(&f).unwrap(), s.parse(&g).unwrap());
            if s.entails(f, g) {
                prop_assert!(!s.satisfied(f, &word) || s.satisfied(g, &word));
            }
        }
    }

    #[test]
    fn entailments_found() {
        let mut s = Formulas::new();
        for (f, g) in [
            ("a U b", "F b"),
            ("G a", "b R a"),
            ("G(a & b)", "X G a"),
            ("X(a U b)", "F b"),
            ("a M b", "a U b"),
            ("(a & c) U b", "a W (b | c)"),
            ("G a", "a W b"),
            ("F G a", "G F a"),
        ] {
            let (f, g) = (s.parse(f).unwrap(), s.parse(g).unwrap());
            assert!(s.entails(f, g), "{} should entail {}", s.text(f), s.text(g));
            assert!(s.entails(g.negated(), f.negated()));
            assert!(!s.entails(g, f));
        }
    }
}
