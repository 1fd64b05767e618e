//! Formulas of LoLA.
//!
//! ```text
//! { a comment } FORMULA AG (p1 + 2 * p2 <= 3 OR FIREABLE(t));
//! : REACHABLE DEADLOCK AND p1 = 0
//! ```
//!
//! Temporal operators and `NOT` bind tightest; `REACHABLE`, `INVARIANT` and `IMPOSSIBLE` cover all that follows. Names
//! are what LoLA's nets allow, so that `a-b` may be one name: it is, if there is such a node. `INITIAL` and `oo` are
//! refused.

use super::{Infix, Operand, Parsed, Reader, Token, comparison};
use crate::formula::ast::{Expr, Formula};
use crate::formula::mcc::PropertyQuestion;
use crate::formula::pool::ExprId;
use crate::net::PlaceId;

/// Characters that end a word.
const SPECIAL: [char; 12] = ['(', ')', ',', ';', ':', '{', '}', '<', '>', '=', '!', '|'];
/// Characters of names that are operators, too.
const OPERATORS: [char; 3] = ['+', '-', '*'];

/// The length of a comment.
pub(super) fn comment(text: &str) -> Parsed<usize> {
    if text.starts_with('{') {
        return text.find('}').map(|end| end + 1).ok_or_else(|| "a comment that is not closed".to_owned());
    }
    Ok(if text.starts_with("//") { text.find('\n').unwrap_or(text.len()) } else { 0 })
}

pub(super) fn infix(token: &Token) -> Option<Infix> {
    match token {
        Token::Word(word) => match word.as_str() {
            "AND" => Some(Infix::And),
            "OR" => Some(Infix::Or),
            "XOR" => Some(Infix::Xor),
            "IMPLIES" => Some(Infix::Implies),
            _ => None,
        },
        Token::Sign("->") => Some(Infix::Implies),
        Token::Sign("<->") => Some(Infix::Iff),
        Token::Sign("+") => Some(Infix::Plus),
        Token::Sign("-") => Some(Infix::Minus),
        Token::Sign("*") => Some(Infix::Times),
        Token::Sign(sign) => comparison(sign),
        _ => None,
    }
}

impl Reader<'_> {
    /// A word; a run of characters that has `+`, `-` or `*` in it is one if there is such a node.
    pub(super) fn lola_word(&self) -> Parsed<Option<(Token, usize)>> {
        let rest = self.rest();
        if rest.starts_with("->") {
            return Ok(None);
        }
        let run = &rest[..rest.find(|c: char| c.is_whitespace() || SPECIAL.contains(&c)).unwrap_or(rest.len())];
        let cut = &run[..run.find(OPERATORS).unwrap_or(run.len())];
        let known = |name: &str| self.symbols.place(name).is_ok() || self.symbols.transition(name).is_ok();
        let word = if cut.len() < run.len() && known(run) {
            if !cut.is_empty() && (known(cut) || cut.bytes().all(|c| c.is_ascii_digit())) {
                return Err(format!("is `{run}` the node of this name, or an operator between others? Write blanks"));
            }
            run
        } else {
            cut
        };
        Ok((!word.is_empty()).then(|| (Token::Word(word.to_owned()), word.len())))
    }

    pub(super) fn lola(&mut self) -> Parsed<Vec<(usize, PropertyQuestion)>> {
        let mut found = Vec::new();
        loop {
            self.skip()?;
            let at = self.at;
            if let (Token::Word(word), length) = self.peek()?
                && word == "FORMULA"
            {
                self.at += length;
            }
            let bound = match self.peek()? {
                (Token::Word(word), length) if word == "MAX" => {
                    let before = self.at;
                    self.at += length;
                    let bound = self.take("(")?;
                    self.at = if bound { self.at } else { before };
                    bound
                }
                _ => false,
            };
            found.push((at, if bound { self.bound()? } else { PropertyQuestion::Formula(self.whole()?) }));
            self.take(";")?;
            if !self.take(":")? {
                return match self.peek()?.0 {
                    Token::End => Ok(found),
                    _ => self.unexpected("an operator or the end of the formula"),
                };
            }
        }
    }

    /// The places after `MAX(`.
    fn bound(&mut self) -> Parsed<PropertyQuestion> {
        let operand = self.enclosed()?;
        let expr = self.expr(operand)?;
        let (mut places, mut parts): (Vec<PlaceId>, Vec<ExprId>) = (Vec::new(), vec![expr]);
        while let Some(part) = parts.pop() {
            match &self.pool[part] {
                Expr::Tokens(more) => places.extend(more),
                Expr::Add(more) => parts.extend(more),
                _ => return Err("after MAX stands a sum of places, without numbers and signs".to_owned()),
            }
        }
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("a place stands twice after MAX".to_owned());
        }
        Ok(PropertyQuestion::Bound(places))
    }

    pub(super) fn lola_operand(&mut self) -> Parsed<Operand> {
        let (token, length) = self.peek()?;
        let word = match token {
            Token::Number(number) => {
                self.at += length;
                return Ok(self.constant(number));
            }
            Token::Sign("(") => {
                self.at += length;
                return self.enclosed();
            }
            Token::Sign("-") => {
                self.at += length;
                return match self.next()? {
                    Token::Number(number) => Ok(self.constant(-number)),
                    _ => Err("after `-` without a number before it stands a number".to_owned()),
                };
            }
            Token::Word(word) => word,
            _ => return self.unexpected("a formula"),
        };
        let before = self.at;
        self.at += length;
        // Letters of operators may be the name of a place: then an operator of numbers follows.
        let letters = word.chars().all(|c| "AEFGX".contains(c));
        if letters && !self.is_compared()? {
            return self.temporal(&word);
        }
        match word.as_str() {
            "NOT" => self.negated(),
            "ALLPATH" => self.temporal("A"),
            "EXPATH" => self.temporal("E"),
            "ALWAYS" => self.temporal("G"),
            "EVENTUALLY" => self.temporal("F"),
            "NEXTSTATE" | "NEXT" => self.temporal("X"),
            "REACHABLE" | "INVARIANT" | "IMPOSSIBLE" => {
                let operand = self.parse(1)?;
                let formula = self.formula(operand)?;
                Ok(match word.as_str() {
                    "REACHABLE" => {
                        let finally = self.pool.add(Formula::Finally(formula));
                        self.atom(Formula::Exists(finally))
                    }
                    kind => {
                        let what = if kind == "INVARIANT" { formula } else { self.pool.add(Formula::Not(formula)) };
                        let globally = self.pool.add(Formula::Globally(what));
                        self.atom(Formula::Forall(globally))
                    }
                })
            }
            "TRUE" => Ok(self.atom(Formula::True)),
            "FALSE" => Ok(self.atom(Formula::False)),
            "DEADLOCK" => Ok(self.atom(Formula::Deadlock)),
            "FIREABLE" => {
                self.expect("(")?;
                let (Token::Word(name), length) = self.peek()? else { return self.unexpected("a transition") };
                let transitions = self.symbols.transition(&name).map_err(|error| error.to_string())?.to_vec();
                self.at += length;
                self.expect(")")?;
                Ok(self.enabled(transitions))
            }
            name => {
                let found = self.symbols.place(name).map(<[_]>::to_vec);
                match found {
                    Ok(places) => Ok(self.tokens(places)),
                    Err(error) => {
                        self.at = before;
                        Err(match name {
                            "INITIAL" => "INITIAL is not supported; compare the places with their numbers".to_owned(),
                            "oo" => "numbers without bound (`oo`) are not supported".to_owned(),
                            _ => error.to_string(),
                        })
                    }
                }
            }
        }
    }

    /// Is an operator of numbers next, or the end of a bracket?
    fn is_compared(&mut self) -> Parsed<bool> {
        let (token, _) = self.peek()?;
        let operator = infix(&token).is_some_and(|infix| infix.level() > super::PREFIX);
        Ok(operator || token == Token::Sign(")"))
    }
}
