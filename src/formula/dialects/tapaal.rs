//! Queries of TAPAAL.
//!
//! ```text
//! EF (Net.p0 = 1 and !(t1? or Net.p1 + 2 * "odd name" > 3))
//! ```
//!
//! In the engine's grammar `and` and `or` bind alike, and a path operator without brackets covers what is nearest to
//! it; people and other versions read them otherwise. So a mixture of the two without brackets is refused, and so is
//! either after such an operator; and `(a) U (b)` after an operator that may cover a alone. A name may have its component before it: `C.p` is the place of this name, or else the
//! place `p` of a net that has one component only. Games (`control:`) and queries over several paths are refused.

use super::{Infix, Nested, Operand, Parsed, Reader, Token, comparison};
use crate::formula::ast::{Expr, Formula};
use crate::formula::mcc::PropertyQuestion;
use crate::formula::parse::{is_name_part, is_name_start};
use crate::formula::symbols::NameError;
use crate::net::{PlaceId, TransitionId};

pub(super) fn infix(token: &Token) -> Option<Infix> {
    match token {
        Token::Word(word) => match word.as_str() {
            "and" | "AND" => Some(Infix::And),
            "or" | "OR" => Some(Infix::Or),
            _ => None,
        },
        Token::Sign("&" | "&&") => Some(Infix::And),
        Token::Sign("|" | "||") => Some(Infix::Or),
        Token::Sign("+") => Some(Infix::Plus),
        Token::Sign("-") => Some(Infix::Minus),
        Token::Sign("*") => Some(Infix::Times),
        Token::Sign("<>") => None,
        Token::Sign(sign) => comparison(sign),
        _ => None,
    }
}

/// Is it plain what `and` and `or` after this operand take?
pub(super) fn check(infix: Infix, before: Operand) -> Parsed<()> {
    if matches!(infix, Infix::And | Infix::Or) && before.loose {
        return Err("what does the temporal operator on the left cover? Write brackets around it".to_owned());
    }
    check_last(infix, before)
}

/// Is `and` mixed with `or`?
pub(super) fn check_last(infix: Infix, operand: Operand) -> Parsed<()> {
    match (infix, operand.connective) {
        (Infix::And, Some(Infix::Or)) | (Infix::Or, Some(Infix::And)) => {
            Err("`and` and `or` are mixed, and TAPAAL gives them one priority; write brackets".to_owned())
        }
        _ => Ok(()),
    }
}

/// Is it plain what `U` after brackets takes, where an operator stands before them? A quantifier takes `(a) U (b)` whole.
pub(super) fn check_until(operand: Operand, quantified: bool) -> Parsed<()> {
    match operand.until {
        Some(nested) if !quantified || nested == Nested(true) => {
            Err("does the operator before `(...) U (...)` cover all of it? Versions of TAPAAL differ; write brackets"
                .to_owned())
        }
        _ => Ok(()),
    }
}

impl Reader<'_> {
    pub(super) fn tapaal_word(&self) -> Parsed<Option<(Token, usize)>> {
        let rest = self.rest();
        if let Some(special) =
            ["is-fireable", "tokens-count", "#tokens"].into_iter().find(|word| rest.starts_with(word))
        {
            return Ok(Some((Token::Word(special.to_owned()), special.len())));
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut name = String::new();
            let mut chars = quoted.char_indices();
            while let Some((at, c)) = chars.next() {
                match c {
                    '"' => return Ok(Some((Token::Quoted(name), at + 2))),
                    '\\' => name.extend(chars.next().map(|(_, c)| c)),
                    _ => name.push(c),
                }
            }
            return Err("a name in quotation marks that is not closed".to_owned());
        }
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            return Ok(Some((Token::Word(rest[..length].to_owned()), length)));
        }
        if !rest.starts_with(is_name_start) {
            return Ok(None);
        }
        // A dot belongs to a name if one follows.
        let length = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        let word = rest[..length].trim_end_matches('.');
        Ok(Some((Token::Word(word.to_owned()), word.len())))
    }

    pub(super) fn tapaal(&mut self) -> Parsed<Vec<(usize, PropertyQuestion)>> {
        self.skip()?;
        let at = self.at;
        if let (Token::Word(word), length) = self.peek()?
            && matches!(word.as_str(), "control" | "exists" | "forall")
        {
            let after = self.text[at + length..].trim_start();
            if word == "control" && after.starts_with(':') {
                return Err("games (`control:`) are not supported".to_owned());
            }
            if word != "control" && after.starts_with(is_name_start) {
                return Err("queries over several paths are not supported".to_owned());
            }
        }
        let formula = self.whole()?;
        match self.peek()?.0 {
            Token::End => Ok(vec![(at, PropertyQuestion::Formula(formula))]),
            _ => self.unexpected("an operator or the end of the query"),
        }
    }

    pub(super) fn tapaal_operand(&mut self) -> Parsed<Operand> {
        let (token, length) = self.peek()?;
        let before = self.at;
        self.at += length;
        let word = match token {
            Token::Number(number) => return Ok(self.constant(number)),
            Token::Sign("(") => {
                let operand = self.enclosed()?;
                return self.tapaal_until(operand);
            }
            Token::Sign("!") => return self.negated(),
            Token::Sign("-") => {
                let operand = self.parse(Infix::Times.level() + 1)?;
                let expr = self.expr(operand)?;
                let node = self.pool.add_expr(Expr::Neg(expr));
                return Ok(Operand::plain(super::Item::Expr(node)));
            }
            Token::Quoted(name) => return self.named(&name, before),
            Token::Word(word) => word,
            _ => {
                self.at = before;
                return self.unexpected("a query");
            }
        };
        match word.as_str() {
            "true" => Ok(self.atom(Formula::True)),
            "false" => Ok(self.atom(Formula::False)),
            "deadlock" => Ok(self.atom(Formula::Deadlock)),
            "not" | "NOT" => self.negated(),
            "A" | "E" => {
                let quantifier = word.as_str();
                if self.take("[]")? {
                    return self.temporal(&format!("{quantifier}G"));
                }
                if self.take("<>")? {
                    return self.temporal(&format!("{quantifier}F"));
                }
                self.temporal(quantifier)
            }
            "EF" | "EG" | "EX" | "AF" | "AG" | "AX" | "X" | "F" | "G" => self.temporal(&word),
            "is-fireable" => {
                let mut transitions = Vec::new();
                for (name, at) in self.names()? {
                    transitions.extend(self.transitions(&name, at)?);
                }
                Ok(self.enabled(transitions))
            }
            "tokens-count" | "#tokens" => {
                let mut places = Vec::new();
                for (name, at) in self.names()? {
                    places.extend(self.places(&name, at)?);
                }
                Ok(self.tokens(places))
            }
            name => self.named(name, before),
        }
    }

    /// `(a) U (b)`, the first operand of which has been passed.
    fn tapaal_until(&mut self, left: Operand) -> Parsed<Operand> {
        let Some((_, length)) = self.binary_temporal()? else { return Ok(left) };
        self.at += length;
        self.expect("(")?;
        let right = self.enclosed()?;
        let (a, b) = (self.formula(left)?, self.formula(right)?);
        let nested = Nested(matches!(self.pool[a], Formula::Until(..)));
        Ok(Operand { until: Some(nested), ..self.atom(Formula::Until(a, b)) })
    }

    /// A transition before `?`, or a place.
    fn named(&mut self, name: &str, at: usize) -> Parsed<Operand> {
        if self.take("?")? {
            let transitions = self.transitions(name, at)?;
            return Ok(self.enabled(transitions));
        }
        let places = self.places(name, at)?;
        Ok(self.tokens(places))
    }

    /// Names in brackets, and where they stand.
    fn names(&mut self) -> Parsed<Vec<(String, usize)>> {
        self.expect("(")?;
        let mut names = Vec::new();
        loop {
            let (token, length) = self.peek()?;
            let (Token::Word(name) | Token::Quoted(name)) = token else { return self.unexpected("a name") };
            names.push((name, self.at));
            self.at += length;
            if !self.take(",")? {
                self.expect(")")?;
                return Ok(names);
            }
        }
    }

    fn places(&mut self, name: &str, at: usize) -> Parsed<Vec<PlaceId>> {
        let symbols = self.symbols;
        let found = resolve(name, |name| symbols.place(name).map(<[_]>::to_vec));
        self.at = if found.is_err() { at } else { self.at };
        found
    }

    fn transitions(&mut self, name: &str, at: usize) -> Parsed<Vec<TransitionId>> {
        let symbols = self.symbols;
        let found = resolve(name, |name| symbols.transition(name).map(<[_]>::to_vec));
        self.at = if found.is_err() { at } else { self.at };
        found
    }
}

/// The nodes of a name, which may have its component before it.
fn resolve<T>(name: &str, find: impl Fn(&str) -> Result<Vec<T>, NameError>) -> Parsed<Vec<T>> {
    find(name).or_else(|error| {
        let alone = name.split_once('.').map(|(_, alone)| alone).or_else(|| name.strip_prefix("Shared_"));
        alone.and_then(|alone| find(alone).ok()).ok_or_else(|| error.to_string())
    })
}
