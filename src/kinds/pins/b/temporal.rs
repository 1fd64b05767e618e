//! Temporal formulas among the DEFINITIONS, as ProB has them: `ASSERT_LTL1 == "G ({x = 1} => F [op])"`.
//!
//! A formula becomes one in the notation of [`crate::formula`], with all parentheses: `{P}` a state label, `e(op)` that
//! an operation is enabled, `[op]` that it is the next one. What binds how strongly is ProB's (its grammars of LTL and
//! CTL, hhu-stups/probparsers): unary operators, then `U`, `W` and `R`, whose operands need parentheses otherwise, then
//! `&` and `or`, which are of one level, from left to right, then `=>`, from left to right, then, in LTL alone and once,
//! `<=>`. Operations with arguments, and operators about the past, are refused.

use super::ast::{Condition, Question};
use super::definitions::{Definitions, Tokens};
use super::error::Pos;
use super::lexer::{self, Token};
use super::parser::Parser;

/// The temporal formulas among definitions, and the predicates in them.
pub(super) fn questions(definitions: &Definitions) -> (Vec<Question>, Vec<Condition>) {
    let (mut questions, mut conditions) = (Vec::new(), Vec::new());
    for (name, definition) in &definitions.table {
        let linear = name.starts_with("ASSERT_LTL");
        if !(linear || name.starts_with("ASSERT_CTL")) {
            continue;
        }
        let [(Token::Text(text), pos), (Token::End, _)] = &definition.tokens[..] else { continue };
        let known = conditions.len();
        let mut reader =
            Reader { rest: text, linear, pos: *pos, definitions, conditions: &mut conditions, number: questions.len() };
        let formula = reader.formula(0).and_then(|formula| match reader.peek() {
            "" => Ok(formula),
            rest => Err(format!("expected the end of the formula, found `{rest}`")),
        });
        let formula = formula.map_err(|reason| format!("line {}: {reason}", pos.line));
        if formula.is_err() {
            conditions.truncate(known);
        }
        questions.push(Question { id: name.to_string(), written: text.to_string(), linear, formula });
    }
    (questions, conditions)
}

/// How deep formulas may be nested.
const DEPTH: usize = 100;

/// A formula that is being read.
struct Reader<'a> {
    rest: &'a str,
    linear: bool,
    pos: Pos,
    definitions: &'a Definitions,
    conditions: &'a mut Vec<Condition>,
    number: usize,
}

impl<'a> Reader<'a> {
    /// The next sign: a word, or a symbol. Empty at the end.
    fn peek(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let word = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        if word > 0 {
            return &self.rest[..word];
        }
        let long = ["<=>", "=>", "->"].into_iter().find(|symbol| self.rest.starts_with(symbol));
        let length = long.map_or_else(|| self.rest.chars().next().map_or(0, char::len_utf8), str::len);
        &self.rest[..length]
    }

    /// Takes a sign, if it is next.
    fn eat(&mut self, sign: &str) -> bool {
        let is = self.peek() == sign;
        if is {
            self.rest = &self.rest[sign.len()..];
        }
        is
    }

    fn need(&mut self, sign: &str) -> Result<(), String> {
        if self.eat(sign) { Ok(()) } else { Err(format!("expected `{sign}`, found `{}`", self.peek())) }
    }

    fn formula(&mut self, depth: usize) -> Result<String, String> {
        if depth > DEPTH {
            return Err(format!("more than {DEPTH} levels of nesting"));
        }
        let left = self.implication(depth)?;
        if !(self.linear && self.eat("<=>")) {
            return Ok(left);
        }
        let right = self.implication(depth)?;
        match self.peek() {
            "<=>" => Err("`<=>` needs parentheses beside another".to_owned()),
            _ => Ok(format!("({left} <-> {right})")),
        }
    }

    fn implication(&mut self, depth: usize) -> Result<String, String> {
        let mut left = self.junction(depth)?;
        while self.eat("=>") || self.eat("->") {
            let right = self.junction(depth)?;
            left = format!("({left} -> {right})");
        }
        Ok(left)
    }

    /// Conjunctions and disjunctions: `a or b & c` is `(a or b) & c`.
    fn junction(&mut self, depth: usize) -> Result<String, String> {
        let mut left = self.until(depth)?;
        loop {
            let sign = match self.peek() {
                "&" | "and" => '&',
                "or" => '|',
                _ => return Ok(left),
            };
            let word = self.peek();
            self.need(word)?;
            let right = self.until(depth)?;
            left = format!("({left} {sign} {right})");
        }
    }

    fn until(&mut self, depth: usize) -> Result<String, String> {
        let left = self.unary(depth)?;
        let sign = match self.peek() {
            sign @ ("U" | "W" | "R") => sign,
            _ => return Ok(left),
        };
        self.need(sign)?;
        let right = self.unary(depth)?;
        match self.peek() {
            "" | ")" => Ok(format!("({left} {sign} {right})")),
            _ => Err(format!("put parentheses around both sides of `{sign}`, and around all of it")),
        }
    }

    fn unary(&mut self, depth: usize) -> Result<String, String> {
        if depth > DEPTH {
            return Err(format!("more than {DEPTH} levels of nesting"));
        }
        let word = self.peek();
        match word {
            "not" | "!" => {
                self.need(word)?;
                Ok(format!("!({})", self.unary(depth + 1)?))
            }
            "true" | "false" | "deadlock" => {
                self.need(word)?;
                Ok(word.to_owned())
            }
            "(" => {
                self.need(word)?;
                let inner = self.formula(depth + 1)?;
                self.need(")")?;
                Ok(format!("({inner})"))
            }
            "{" => self.condition(),
            "e" => {
                self.need(word)?;
                self.need("(")?;
                Ok(format!("enabled({})", self.operation(")")?))
            }
            "[" if self.linear => {
                self.need(word)?;
                Ok(format!("action({})", self.operation("]")?))
            }
            "AG" | "AF" | "AX" | "EG" | "EF" | "EX" if !self.linear => {
                self.need(word)?;
                Ok(format!("{word} ({})", self.unary(depth + 1)?))
            }
            // Operators may stand together: `GF`.
            _ if self.linear && !word.is_empty() && word.chars().all(|c| "GFX".contains(c)) => {
                self.need(word)?;
                let inner = self.unary(depth + 1)?;
                Ok(word.chars().rev().fold(inner, |inner, operator| format!("{operator} ({inner})")))
            }
            "" => Err("the formula ends too early".to_owned()),
            _ => Err(format!("`{word}` is not supported in temporal formulas")),
        }
    }

    /// The name of an operation, up to a sign.
    fn operation(&mut self, close: &str) -> Result<String, String> {
        let name = self.peek();
        self.need(name)?;
        if self.peek() == "(" {
            return Err(format!("{name} with arguments is not supported in temporal formulas"));
        }
        self.need(close)?;
        Ok(quoted(name))
    }

    /// A predicate in braces.
    fn condition(&mut self) -> Result<String, String> {
        let mut open = 0usize;
        let end = self.rest.char_indices().find_map(|(at, c)| {
            match c {
                '{' => open += 1,
                '}' => open -= 1,
                _ => {}
            }
            (open == 0).then_some(at)
        });
        let Some(end) = end else { return Err("`{` has no `}`".to_owned()) };
        let text = self.rest[1..end].trim();
        self.rest = &self.rest[end + 1..];
        let tokens = lexer::tokens(text, self.pos.file).map_err(|error| error.text().to_owned())?;
        let tokens: Tokens = tokens.into_iter().map(|(token, _)| (token, self.pos)).collect();
        let mut parser = Parser::new(tokens, self.definitions, 0);
        let expr = parser.predicate().map_err(|error| error.text().to_owned())?;
        if *parser.token() != Token::End {
            return Err(format!("`{text}` is no predicate"));
        }
        self.conditions.push(Condition { name: text.to_owned(), expr, question: self.number });
        Ok(format!("label({})", quoted(text)))
    }
}

/// A name in quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
