//! Tokens to syntax trees: what all parts of the parser share.
//!
//! Recursive descent, one token of look-ahead (more where a set begins: `{x | P}` or `{x, y}`). Formulas are parsed by
//! operator precedence in [`super::parse_formula`], substitutions in [`super::parse_substitution`], machines in
//! [`super::parse_machine`]. Nesting is limited, so that no text overflows the stack of the parser or of anything that
//! walks its trees.

use super::ast::{Bound, Expr, Kind, Name};
use super::definitions::{Body, Definitions, Tokens};
use super::error::{Error, Pos, Res};
use super::lexer::Token;
use super::types::Type;

/// How deep formulas and substitutions may be nested.
const DEPTH: usize = 100;

/// How deep their trees may be, with macros in them.
const HEIGHT: usize = 300;

/// A parser of some tokens.
pub(super) struct Parser<'a> {
    /// The tokens, the last one [`Token::End`].
    pub tokens: Tokens,
    /// The next one.
    pub at: usize,
    /// Macros.
    pub definitions: &'a Definitions,
    /// How deep the parser is.
    pub depth: usize,
    /// Is a comma an operator here (a pair), or does it separate?
    pub comma: bool,
}

impl<'a> Parser<'a> {
    /// A parser of some tokens.
    pub(super) fn new(tokens: Tokens, definitions: &'a Definitions, depth: usize) -> Self {
        Parser { tokens, at: 0, definitions, depth, comma: true }
    }

    /// The next token.
    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at].0
    }

    /// A later token.
    pub(super) fn ahead(&self, by: usize) -> &Token {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)].0
    }

    /// Where the next token is.
    pub(super) fn pos(&self) -> Pos {
        self.tokens[self.at].1
    }

    /// Goes on.
    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Is the next token this symbol?
    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self.token(), Token::Symbol(s) if *s == symbol)
    }

    /// Is the next token this word?
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Word(w) if &**w == word)
    }

    /// Takes this symbol, if it is next.
    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let is = self.is(symbol);
        if is {
            self.advance();
        }
        is
    }

    /// Takes this word, if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.advance();
        }
        is
    }

    /// The error of a missing token.
    pub(super) fn expected<T>(&self, what: &str) -> Res<T> {
        Err(Error::syntax(self.pos(), format!("expected {what}, found {}", self.token().show())))
    }

    /// Takes this symbol.
    pub(super) fn need(&mut self, symbol: &str) -> Res<()> {
        if self.eat(symbol) { Ok(()) } else { self.expected(symbol) }
    }

    /// Takes this word.
    pub(super) fn need_word(&mut self, word: &str) -> Res<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(word) }
    }

    /// Takes a name.
    pub(super) fn name(&mut self) -> Res<Name> {
        if let Token::Word(word) = self.token()
            && !is_keyword(word)
        {
            let word = word.clone();
            self.advance();
            return Ok(word);
        }
        self.expected("a name")
    }

    /// Names with commas between them.
    pub(super) fn names(&mut self) -> Res<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.eat(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Bound variables with commas between them; a macro without parameters that is a name or a list of names may stand for
    /// them.
    pub(super) fn bound(&mut self) -> Res<Vec<Bound>> {
        let mut bound = Vec::new();
        loop {
            let pos = self.pos();
            let name = self.name()?;
            if self.definitions.table.get(&name).is_some_and(|definition| definition.parameters.is_empty()) {
                let Body::Formula(expr) = self.expand(&name, Vec::new(), pos)? else {
                    return Err(Error::syntax(pos, format!("{name} is a macro: it cannot be bound")));
                };
                flat_names(&expr, &mut bound)?;
            } else {
                bound.push(variable(name));
            }
            if !self.eat(",") {
                return Ok(bound);
            }
        }
    }

    /// Runs a part of the parser one level deeper.
    pub(super) fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= DEPTH {
            return Err(Error::refused(self.pos(), format!("more than {DEPTH} levels of nesting: split this up")));
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    /// The body of a macro with its arguments in it.
    pub(super) fn expand(&mut self, name: &Name, arguments: Vec<Expr>, pos: Pos) -> Res<Body> {
        let Some(definition) = self.definitions.table.get(name) else {
            return Err(Error::syntax(pos, format!("there is no definition {name}")));
        };
        if definition.parameters.len() != arguments.len() {
            let (want, have) = (definition.parameters.len(), arguments.len());
            return Err(Error::syntax(pos, format!("the definition {name} takes {want} arguments, not {have}")));
        }
        let known = definition.body.borrow().clone();
        let body = match known {
            Some(body) => body?,
            None => {
                if definition.busy.replace(true) {
                    return Err(Error::refused(pos, format!("the definition {name} uses itself")));
                }
                let body = self.definition_body(&definition.tokens);
                *definition.body.borrow_mut() = Some(body.clone());
                definition.busy.replace(false);
                body?
            }
        };
        if arguments.is_empty() {
            return Ok(body);
        }
        self.check_height(arguments.iter().map(Expr::height).max().unwrap_or(0), pos)?;
        let with = |name: &Name| {
            let at = definition.parameters.iter().position(|parameter| parameter == name)?;
            Some(arguments[at].clone())
        };
        Ok(match body {
            Body::Formula(mut expr) => {
                expr.replace(&with);
                self.check_height(expr.height(), pos)?;
                Body::Formula(expr)
            }
            Body::Substitution(mut sub) => {
                sub.replace(&with);
                Body::Substitution(sub)
            }
        })
    }

    /// Is a tree not too high?
    pub(super) fn check_height(&self, height: usize, pos: Pos) -> Res<()> {
        if height > HEIGHT {
            return Err(Error::refused(pos, format!("more than {HEIGHT} operators inside one another: split this up")));
        }
        Ok(())
    }

    /// Parses the body of a macro: a formula, or else a substitution.
    fn definition_body(&self, tokens: &Tokens) -> Res<Body> {
        let mut parser = Parser::new(tokens.clone(), self.definitions, self.depth + 1);
        let formula = parser.formula(0);
        if parser.token() == &Token::End
            && let Ok(formula) = formula
        {
            self.check_height(formula.height(), formula.pos)?;
            return Ok(Body::Formula(formula));
        }
        let reached = parser.at;
        let mut again = Parser::new(tokens.clone(), self.definitions, self.depth + 1);
        match again.substitution(true) {
            Ok(sub) if again.token() == &Token::End => {
                self.check_height(sub.height(), sub.pos)?;
                Ok(Body::Substitution(sub))
            }
            Ok(_) => again.expected("the end of this definition"),
            Err(error) if again.at >= reached || formula.is_ok() => Err(error),
            Err(_) => formula.map(Body::Formula),
        }
    }
}

/// A bound variable, not resolved yet.
pub(super) fn variable(name: Name) -> Bound {
    Bound { name, slot: u32::MAX, ty: Type::Unknown }
}

/// The names of a pair of pairs.
fn flat_names(expr: &Expr, into: &mut Vec<Bound>) -> Res<()> {
    match &expr.kind {
        Kind::Name(name) => into.push(variable(name.clone())),
        Kind::Op(super::ast::Op::Couple, parts) => parts.iter().try_for_each(|part| flat_names(part, into))?,
        _ => return Err(Error::syntax(expr.pos, "a macro in the place of a variable must be a name".into())),
    }
    Ok(())
}

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "MACHINE",
    "MODEL",
    "SYSTEM",
    "REFINEMENT",
    "IMPLEMENTATION",
    "REFINES",
    "CONSTRAINTS",
    "SETS",
    "CONSTANTS",
    "ABSTRACT_CONSTANTS",
    "CONCRETE_CONSTANTS",
    "PROPERTIES",
    "VARIABLES",
    "ABSTRACT_VARIABLES",
    "CONCRETE_VARIABLES",
    "INVARIANT",
    "ASSERTIONS",
    "INITIALISATION",
    "OPERATIONS",
    "DEFINITIONS",
    "INCLUDES",
    "EXTENDS",
    "SEES",
    "USES",
    "PROMOTES",
    "BEGIN",
    "END",
    "PRE",
    "THEN",
    "ASSERT",
    "CHOICE",
    "OR",
    "IF",
    "ELSE",
    "ELSIF",
    "SELECT",
    "WHEN",
    "CASE",
    "OF",
    "EITHER",
    "ANY",
    "WHERE",
    "LET",
    "BE",
    "IN",
    "VAR",
    "WHILE",
    "DO",
    "VARIANT",
    "or",
    "mod",
    "not",
    "skip",
];

/// Is this word no name?
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}
