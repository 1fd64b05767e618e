//! Tokens of the text: operators, words, single characters.

use super::operators::{INFIX, Infix, Prefix};
use super::{Atoms, ParseErrorKind, Parsed, Parser, fail};

pub(in crate::formula) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(in crate::formula) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

impl<'a> Parser<'a> {
    pub(super) fn expected<T>(&self, expected: &str) -> Parsed<T> {
        let word = self.peek_word();
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(_) if !word.is_empty() => format!("`{word}`"),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        fail(self.at, ParseErrorKind::Expected { expected: expected.to_owned(), found })
    }

    pub(super) fn expect_char(&mut self, c: char) -> Parsed<()> {
        self.skip_space();
        if self.peek() != Some(c) {
            return self.expected(&format!("`{c}`"));
        }
        self.at += c.len_utf8();
        Ok(())
    }

    /// The infix operator that is next, and the length of its spelling.
    pub(super) fn peek_infix(&mut self) -> Option<(Infix, usize)> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let word = self.peek_word();
        let fits = |spelling: &str| {
            if spelling.starts_with(is_name_start) { word == spelling } else { rest.starts_with(spelling) }
        };
        let best = INFIX.iter().filter(|(spelling, _)| fits(spelling)).max_by_key(|(spelling, _)| spelling.len())?;
        let infix = if self.atoms == Atoms::Propositions { best.1.among_propositions()? } else { best.1 };
        Some((infix, best.0.len()))
    }

    /// The prefix operator that is next, as a sign or as the first letter of `word`, which is next. A proposition begins with
    /// `F`, `G` or `X` where a digit follows, as for Spot.
    pub(super) fn prefix_of(&self, c: char, word: &str) -> Option<Prefix> {
        let prefix = Prefix::of(c)?;
        let linear = !matches!(prefix, Prefix::Exists | Prefix::Forall);
        let operator = match self.atoms {
            Atoms::Propositions => {
                let digit = word[c.len_utf8().min(word.len())..].starts_with(|c: char| c.is_ascii_digit());
                linear && !digit && !word.eq_ignore_ascii_case("false")
            }
            _ => word.chars().all(|c| "EAXFG".contains(c)),
        };
        operator.then_some(prefix)
    }

    /// The word that is next; empty if there is none.
    pub(super) fn peek_word(&self) -> &'a str {
        self.word_at(self.at)
    }

    /// The word that begins there; empty if there is none.
    pub(super) fn word_at(&self, at: usize) -> &'a str {
        let rest = &self.text[at..];
        if !rest.starts_with(is_name_start) {
            return "";
        }
        let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    pub(super) fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }
}
