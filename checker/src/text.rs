//! Reading texts from left to right.

use crate::{Checked, refuse};

/// What is left of a text.
#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    pub(crate) rest: &'a str,
    /// What the text is, for messages.
    pub(crate) what: &'static str,
    /// Leaves out what stands before the next word or sign and means nothing.
    pub(crate) skip: fn(&str) -> &str,
}

impl<'a> Scanner<'a> {
    pub(crate) fn refuse<T>(&self, why: &str) -> Checked<T> {
        let next: String = self.rest.chars().take(30).collect();
        refuse(format!("{}: {why} before `{next}`", self.what))
    }

    /// Is this sign the next?
    pub(crate) fn comes(&mut self, sign: &str) -> bool {
        self.rest = (self.skip)(self.rest);
        self.rest.starts_with(sign)
    }

    /// Take a sign, if it is the next.
    pub(crate) fn sign(&mut self, sign: &str) -> bool {
        let comes = self.comes(sign);
        self.rest = if comes { &self.rest[sign.len()..] } else { self.rest };
        comes
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Checked<()> {
        if self.sign(sign) { Ok(()) } else { self.refuse(&format!("`{sign}` is missing")) }
    }

    pub(crate) fn at_end(&mut self) -> bool {
        self.comes("") && self.rest.is_empty()
    }

    /// Take letters, digits, `_` and `.`, as many as there are.
    pub(crate) fn word(&mut self) -> &'a str {
        self.rest = (self.skip)(self.rest);
        self.take(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    }

    /// Take what consists of some characters.
    pub(crate) fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Take what stands before a sign, and the sign.
    pub(crate) fn until(&mut self, sign: &str) -> Checked<&'a str> {
        let Some((taken, rest)) = self.rest.split_once(sign) else {
            return self.refuse(&format!("`{sign}` is missing"));
        };
        self.rest = rest;
        Ok(taken)
    }
}
