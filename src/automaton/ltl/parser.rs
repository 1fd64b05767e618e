//! Reading LTL in the usual ASCII syntax (that of Spot, LTL2BA and their kin).
//!
//! | | |
//! |---|---|
//! | constants | `1` `0` `true` `false` |
//! | propositions | `name` (letters, digits, `_`, `.`; not starting with `F`, `G` or `X`), `"any text"` |
//! | negation | `!` `~` |
//! | unary | `X` `F` `G` `<>` `[]`, `X[!]` (the same as `X` on infinite words) |
//! | binary, tightest first | `U` `R` `V` `W` `M` (to the right); `&` `&&` `/\` `*`; `\|` `\|\|` `\/` `+`; `xor` `^`; `->` `=>` `<->` `<=>` (to the right) |
//!
//! Unary operators need no space (`GFp0`). A recursive descent whose recursion is bounded by [`MAX_DEPTH`].

use super::{Formula, Formulas};

/// The greatest depth of a formula that is read, and that the translator takes.
pub const MAX_DEPTH: u32 = 500;

/// A syntax error, with the column (from 1, in characters) where it was noticed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct ParseError {
    /// Where, counted in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    Constant(bool),
    Name(String),
    Not,
    Next,
    Finally,
    Globally,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    And,
    Or,
    Xor,
    Implies,
    Iff,
}

impl Formulas {
    /// Reads a formula; propositions not seen before are added to the table.
    pub fn parse(&mut self, text: &str) -> Result<Formula, ParseError> {
        let (tokens, end) = tokenize(text)?;
        let mut parser = Parser { store: self, tokens, position: 0, end, depth: 0 };
        let formula = parser.implication()?;
        match parser.tokens.get(parser.position) {
            None if parser.store.depth(formula) > MAX_DEPTH => Err(parser.error("formula nested too deeply")),
            None => Ok(formula),
            Some(_) => Err(parser.error("expected an operator or the end")),
        }
    }
}

/// The tokens with their columns, and the column after the last character.
fn tokenize(text: &str) -> Result<(Vec<(usize, Token)>, usize), ParseError> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    const SYMBOLS: [(&str, Token); 33] = [
        ("<->", Token::Iff),
        ("<=>", Token::Iff),
        ("->", Token::Implies),
        ("=>", Token::Implies),
        ("&&", Token::And),
        ("||", Token::Or),
        ("/\\", Token::And),
        ("\\/", Token::Or),
        ("<>", Token::Finally),
        ("[]", Token::Globally),
        ("(", Token::Open),
        (")", Token::Close),
        ("!", Token::Not),
        ("~", Token::Not),
        ("&", Token::And),
        ("*", Token::And),
        ("|", Token::Or),
        ("+", Token::Or),
        ("^", Token::Xor),
        ("¬", Token::Not),
        ("∧", Token::And),
        ("∨", Token::Or),
        ("⊕", Token::Xor),
        ("→", Token::Implies),
        ("⇒", Token::Implies),
        ("↔", Token::Iff),
        ("⇔", Token::Iff),
        ("◯", Token::Next),
        ("◇", Token::Finally),
        ("♢", Token::Finally),
        ("□", Token::Globally),
        ("⊤", Token::Constant(true)),
        ("⊥", Token::Constant(false)),
    ];
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = at(i);
        let column = i + 1;
        if c.is_whitespace() {
            i += 1;
            continue;
        }
        if let Some((symbol, token)) = SYMBOLS.iter().find(|(s, _)| s.chars().zip(i..).all(|(c, j)| at(j) == c)) {
            tokens.push((column, token.clone()));
            i += symbol.chars().count();
            continue;
        }
        if c == '"' {
            let mut name = String::new();
            i += 1;
            loop {
                match at(i) {
                    '"' => break,
                    '\\' if i + 1 < chars.len() => {
                        name.push(at(i + 1));
                        i += 2;
                    }
                    _ if i >= chars.len() => {
                        return Err(ParseError { column, message: "this quotation is not closed".to_owned() });
                    }
                    c => {
                        name.push(c);
                        i += 1;
                    }
                }
            }
            i += 1;
            tokens.push((column, Token::Name(name)));
            continue;
        }
        let unary = match c {
            'X' => Some(Token::Next),
            'F' => Some(Token::Finally),
            'G' => Some(Token::Globally),
            _ => None,
        };
        if let Some(token) = unary {
            tokens.push((column, token));
            i += if c == 'X' && at(i + 1) == '[' && at(i + 2) == '!' && at(i + 3) == ']' { 4 } else { 1 };
            continue;
        }
        if !in_name(c) {
            return Err(ParseError { column, message: format!("unexpected character {c:?}") });
        }
        let start = i;
        while i < chars.len() && in_name(at(i)) {
            i += 1;
        }
        let word: String = chars[start..i].iter().collect();
        let token = match word.as_str() {
            "U" => Token::Until,
            "R" | "V" => Token::Release,
            "W" => Token::WeakUntil,
            "M" => Token::StrongRelease,
            "xor" => Token::Xor,
            "1" => Token::Constant(true),
            "0" => Token::Constant(false),
            w if w.eq_ignore_ascii_case("true") => Token::Constant(true),
            w if w.eq_ignore_ascii_case("false") => Token::Constant(false),
            w if w.starts_with(|c: char| c.is_numeric() || c == '.') => {
                return Err(ParseError { column, message: format!("{w:?} is neither a constant nor a name") });
            }
            _ => Token::Name(word),
        };
        tokens.push((column, token));
    }
    Ok((tokens, chars.len() + 1))
}

struct Parser<'a> {
    store: &'a mut Formulas,
    tokens: Vec<(usize, Token)>,
    position: usize,
    end: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position).map(|t| &t.1)
    }

    fn accept(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.position += usize::from(found);
        found
    }

    fn error(&self, message: &str) -> ParseError {
        let column = self.tokens.get(self.position).map_or(self.end, |t| t.0);
        ParseError { column, message: message.to_owned() }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error("formula nested too deeply"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn implication(&mut self) -> Result<Formula, ParseError> {
        let left = self.exclusive()?;
        if self.accept(&Token::Implies) {
            let right = self.nested(Self::implication)?;
            return Ok(self.store.implies(left, right));
        }
        if self.accept(&Token::Iff) {
            let right = self.nested(Self::implication)?;
            return Ok(self.store.iff(left, right));
        }
        Ok(left)
    }

    fn exclusive(&mut self) -> Result<Formula, ParseError> {
        let mut left = self.disjunction()?;
        while self.accept(&Token::Xor) {
            let right = self.disjunction()?;
            left = self.store.iff(left, right.negated());
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Result<Formula, ParseError> {
        let mut operands = vec![self.conjunction()?];
        while self.accept(&Token::Or) {
            operands.push(self.conjunction()?);
        }
        Ok(self.store.or(operands))
    }

    fn conjunction(&mut self) -> Result<Formula, ParseError> {
        let mut operands = vec![self.binary()?];
        while self.accept(&Token::And) {
            operands.push(self.binary()?);
        }
        Ok(self.store.and(operands))
    }

    fn binary(&mut self) -> Result<Formula, ParseError> {
        let left = self.unary()?;
        let build: fn(&mut Formulas, Formula, Formula) -> Formula = match self.peek() {
            Some(Token::Until) => Formulas::until,
            Some(Token::Release) => Formulas::release,
            Some(Token::WeakUntil) => Formulas::weak_until,
            Some(Token::StrongRelease) => Formulas::strong_release,
            _ => return Ok(left),
        };
        self.position += 1;
        let right = self.nested(Self::binary)?;
        Ok(build(self.store, left, right))
    }

    fn unary(&mut self) -> Result<Formula, ParseError> {
        let Some(token) = self.peek().cloned() else {
            return Err(self.error("expected a formula"));
        };
        self.position += 1;
        match token {
            Token::Constant(value) => Ok(if value { Formula::TRUE } else { Formula::FALSE }),
            Token::Name(name) => {
                let prop = self.store.proposition(&name);
                Ok(self.store.literal(prop, true))
            }
            Token::Not => Ok(self.nested(Self::unary)?.negated()),
            Token::Next => {
                let a = self.nested(Self::unary)?;
                Ok(self.store.next(a))
            }
            Token::Finally => {
                let a = self.nested(Self::unary)?;
                Ok(self.store.finally(a))
            }
            Token::Globally => {
                let a = self.nested(Self::unary)?;
                Ok(self.store.globally(a))
            }
            Token::Open => {
                let inner = self.nested(Self::implication)?;
                if !self.accept(&Token::Close) {
                    return Err(self.error("expected an operator or `)`"));
                }
                Ok(inner)
            }
            _ => {
                self.position -= 1;
                Err(self.error("expected a formula"))
            }
        }
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
        assert_eq!(column(&"(".repeat(100_000)), MAX_DEPTH as usize + 2);
        assert_eq!(column(&"!".repeat(100_000)), MAX_DEPTH as usize + 2);
        let long = (0..2000).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" xor ");
        assert!(s.parse(&long).is_err());
    }
}
