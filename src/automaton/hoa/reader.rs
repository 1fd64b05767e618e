//! Reading automata in HOA v1.
//!
//! Read are automata with any Emerson–Lei acceptance condition on states or edges, with explicit, state or implicit
//! labels and aliases; what becomes of the condition is in the module [`super::acceptance`]. Several initial states are
//! joined in a fresh one. Alternating automata are refused. A mark on a state counts as one on each edge that leaves
//! it. What a file claims about its automaton (`properties:`, `acc-name:`) is not believed: strength, determinism and
//! completeness are computed anew, and stutter invariance stays unknown.

use super::HoaError;
use super::acceptance::{Acceptance, Mark};
use super::lexer::{Placed, Token, tokenize};
use crate::automaton::Tgba;
use indexmap::IndexMap;
use std::collections::HashMap;
use std::sync::Arc;

/// Nesting of parentheses and negations in an expression.
const MAX_NESTING: usize = 200;

/// Reads the one automaton of a document.
///
/// ```
/// use starset::automaton::hoa;
/// let text = "HOA: v1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0)\n\
///             --BODY-- State: 0 {0} [0] 0 State: 1 [t] 0 --END--";
/// assert_eq!(hoa::read(text).unwrap().location_count(), 1);
/// let error = hoa::read(&text.replace("Inf", "Often")).unwrap_err();
/// assert_eq!((error.line, error.column), (1, 42));
/// ```
pub fn read(text: &str) -> Result<Tgba, HoaError> {
    let mut all = read_all(text)?;
    match (all.pop(), all.len()) {
        (Some(automaton), 0) => Ok(automaton),
        (None, _) => Err(HoaError { line: 1, column: 1, message: "there is no automaton".to_owned() }),
        (Some(_), n) => {
            let message = format!("there are {} automata where one was expected", n + 1);
            Err(HoaError { line: 1, column: 1, message })
        }
    }
}

/// Reads all automata of a document.
pub fn read_all(text: &str) -> Result<Vec<Tgba>, HoaError> {
    let mut parser = Parser { tokens: tokenize(text)?, position: 0, nesting: 0 };
    let mut automata = Vec::new();
    while parser.position < parser.tokens.len() {
        automata.push(parser.automaton()?);
    }
    Ok(automata)
}

/// A Boolean expression over proposition numbers.
#[derive(Clone, Debug)]
pub(super) enum Label {
    Constant(bool),
    Prop(u32),
    Shared(Arc<Label>),
    Not(Box<Label>),
    And(Vec<Label>),
    Or(Vec<Label>),
}

#[derive(Default)]
pub(super) struct Header {
    states: Option<u32>,
    pub(super) starts: Vec<u32>,
    pub(super) propositions: Vec<String>,
    declared: bool,
    /// Each alias with the nesting of its label.
    aliases: HashMap<String, (Arc<Label>, usize)>,
    sets: u32,
    pub(super) acceptance: Option<Acceptance>,
    pub(super) name: Option<String>,
}

pub(super) struct State {
    pub(super) label: Option<Label>,
    pub(super) marks: Vec<u32>,
    pub(super) edges: Vec<Transition>,
}

pub(super) struct Transition {
    pub(super) label: Option<Label>,
    pub(super) target: u32,
    pub(super) marks: Vec<u32>,
    /// Index of its first token, for messages.
    pub(super) token: usize,
}

pub(super) struct Parser {
    tokens: Vec<Placed>,
    position: usize,
    /// The deepest nesting in the label being read, aliases expanded.
    nesting: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position).map(|p| &p.token)
    }

    fn is_symbol(&self, symbol: char) -> bool {
        self.peek() == Some(&Token::Symbol(symbol))
    }

    fn accept(&mut self, symbol: char) -> bool {
        let found = self.is_symbol(symbol);
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: char) -> Result<(), HoaError> {
        if self.accept(symbol) { Ok(()) } else { self.error(format!("expected `{symbol}`")) }
    }

    pub(super) fn error_at<T>(&self, token: usize, message: impl Into<String>) -> Result<T, HoaError> {
        let place = self.tokens.get(token).or(self.tokens.last());
        let (line, column) = place.map_or((1, 1), |p| (p.line, p.column));
        Err(HoaError { line, column, message: message.into() })
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, HoaError> {
        self.error_at(self.position, message)
    }

    fn number(&mut self, what: &str) -> Result<u32, HoaError> {
        match self.peek() {
            Some(&Token::Number(n)) => {
                self.position += 1;
                Ok(n)
            }
            _ => self.error(format!("expected {what}")),
        }
    }

    fn automaton(&mut self) -> Result<Tgba, HoaError> {
        let header = self.header()?;
        let mut states: IndexMap<u32, State> = IndexMap::new();
        loop {
            match self.peek() {
                Some(Token::Header(name)) if name == "State" => {
                    let token = self.position;
                    let (number, state) = self.state(&header)?;
                    if header.states.is_some_and(|n| number >= n) {
                        return self.error_at(token + 1, format!("state {number} is out of range"));
                    }
                    if states.insert(number, state).is_some() {
                        return self.error_at(token, format!("state {number} is defined twice"));
                    }
                }
                Some(Token::End) => {
                    let end = self.position;
                    self.position += 1;
                    return self.assemble(&header, &states, end);
                }
                Some(Token::Abort) => return self.error("the automaton was aborted by its producer"),
                _ => return self.error("expected `State:` or `--END--`"),
            }
        }
    }

    fn header(&mut self) -> Result<Header, HoaError> {
        match (self.peek(), self.tokens.get(self.position + 1).map(|p| &p.token)) {
            (Some(Token::Header(h)), Some(Token::Identifier(v)))
                if h == "HOA" && (v == "v1" || v.starts_with("v1.")) =>
            {
                self.position += 2;
            }
            _ => return self.error("expected `HOA: v1`"),
        }
        let mut header = Header::default();
        loop {
            let token = self.position;
            let name = match self.peek() {
                Some(Token::Header(name)) => name.clone(),
                Some(Token::Body) => break,
                _ => return self.error("expected a header or `--BODY--`"),
            };
            self.position += 1;
            match name.as_str() {
                "States" => header.states = Some(self.number("the number of states")?),
                "Start" => {
                    header.starts.push(self.number("a state")?);
                    if self.is_symbol('&') {
                        return self.error("alternating automata are not supported");
                    }
                }
                "AP" => self.propositions(&mut header, token)?,
                "Alias" => {
                    let Some(Token::Alias(alias)) = self.peek().cloned() else {
                        return self.error("expected an alias, such as `@a`");
                    };
                    self.position += 1;
                    self.nesting = 0;
                    let label = self.label(&header, 0)?;
                    header.aliases.insert(alias, (Arc::new(label), self.nesting));
                }
                "Acceptance" => {
                    header.sets = self.number("the number of acceptance sets")?;
                    header.acceptance = Some(self.acceptance(header.sets, 0)?);
                }
                "name" => {
                    let Some(Token::Text(name)) = self.peek().cloned() else {
                        return self.error("expected a quoted name");
                    };
                    header.name = Some(name);
                    self.position += 1;
                }
                "acc-name" | "tool" | "properties" => self.skip_header(),
                other if other.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    return self.error_at(token, format!("header `{other}:` changes the meaning and is not known"));
                }
                _ => self.skip_header(),
            }
        }
        if header.acceptance.is_none() {
            return self.error("there is no `Acceptance:` header");
        }
        self.position += 1;
        Ok(header)
    }

    fn skip_header(&mut self) {
        while !matches!(self.peek(), None | Some(Token::Header(_) | Token::Body | Token::End | Token::Abort)) {
            self.position += 1;
        }
    }

    fn propositions(&mut self, header: &mut Header, token: usize) -> Result<(), HoaError> {
        if std::mem::replace(&mut header.declared, true) {
            return self.error_at(token, "`AP:` occurs twice");
        }
        let count = self.number("the number of propositions")?;
        while let Some(Token::Text(name)) = self.peek() {
            if header.propositions.contains(name) {
                return self.error("this proposition occurs twice");
            }
            header.propositions.push(name.clone());
            self.position += 1;
        }
        if header.propositions.len() != count as usize {
            return self.error(format!("expected {count} quoted propositions, not {}", header.propositions.len()));
        }
        Ok(())
    }

    /// A disjunction of conjunctions of `Inf`, `Fin`, `t`, `f` and acceptance conditions in parentheses.
    fn acceptance(&mut self, sets: u32, depth: usize) -> Result<Acceptance, HoaError> {
        let mut terms = Vec::new();
        loop {
            let mut factors = vec![self.acceptance_factor(sets, depth)?];
            while self.accept('&') {
                factors.push(self.acceptance_factor(sets, depth)?);
            }
            terms.push(Acceptance::And(factors));
            if !self.accept('|') {
                return Ok(Acceptance::Or(terms));
            }
        }
    }

    fn acceptance_factor(&mut self, sets: u32, depth: usize) -> Result<Acceptance, HoaError> {
        if depth > MAX_NESTING {
            return self.error("expression nested too deeply");
        }
        if self.accept('(') {
            let inner = self.acceptance(sets, depth + 1)?;
            self.expect(')')?;
            return Ok(inner);
        }
        let infinitely = match self.peek() {
            Some(Token::Identifier(word)) => match word.as_str() {
                "t" => {
                    self.position += 1;
                    return Ok(Acceptance::And(Vec::new()));
                }
                "f" => {
                    self.position += 1;
                    return Ok(Acceptance::Or(Vec::new()));
                }
                "Inf" => true,
                "Fin" => false,
                _ => return self.error("expected `Inf`, `Fin`, `t`, `f` or `(`"),
            },
            _ => return self.error("expected `Inf`, `Fin`, `t`, `f` or `(`"),
        };
        self.position += 1;
        self.expect('(')?;
        let complement = self.accept('!');
        let set = self.number("an acceptance set")?;
        if set >= sets {
            return self.error_at(self.position - 1, format!("acceptance set {set} is out of range"));
        }
        self.expect(')')?;
        let mark = Mark { set, complement };
        Ok(if infinitely { Acceptance::Inf(mark) } else { Acceptance::Fin(mark) })
    }

    /// A disjunction of conjunctions of literals, aliases and parenthesised labels.
    fn label(&mut self, header: &Header, depth: usize) -> Result<Label, HoaError> {
        let mut terms = Vec::new();
        loop {
            let mut factors = vec![self.factor(header, depth)?];
            while self.accept('&') {
                factors.push(self.factor(header, depth)?);
            }
            terms.push(Label::And(factors));
            if !self.accept('|') {
                return Ok(Label::Or(terms));
            }
        }
    }

    fn factor(&mut self, header: &Header, depth: usize) -> Result<Label, HoaError> {
        let inside = match self.peek() {
            Some(Token::Alias(name)) => header.aliases.get(name).map_or(0, |(_, nesting)| nesting + 1),
            _ => 0,
        };
        self.nesting = self.nesting.max(depth + inside);
        if self.nesting > MAX_NESTING {
            return self.error("expression nested too deeply");
        }
        let label = match self.peek() {
            Some(Token::Symbol('!')) => {
                self.position += 1;
                return Ok(Label::Not(Box::new(self.factor(header, depth + 1)?)));
            }
            Some(Token::Symbol('(')) => {
                self.position += 1;
                let inner = self.label(header, depth + 1)?;
                self.expect(')')?;
                return Ok(inner);
            }
            Some(Token::Identifier(word)) if word == "t" => Label::Constant(true),
            Some(Token::Identifier(word)) if word == "f" => Label::Constant(false),
            Some(&Token::Number(n)) if (n as usize) < header.propositions.len() => Label::Prop(n),
            Some(&Token::Number(n)) => return self.error(format!("proposition {n} is out of range")),
            Some(Token::Alias(name)) => match header.aliases.get(name) {
                Some((label, _)) => Label::Shared(label.clone()),
                None => return self.error(format!("alias @{name} is not defined")),
            },
            _ => return self.error("expected a label expression"),
        };
        self.position += 1;
        Ok(label)
    }

    fn bracketed(&mut self, header: &Header) -> Result<Option<Label>, HoaError> {
        if !self.accept('[') {
            return Ok(None);
        }
        let label = self.label(header, 0)?;
        self.expect(']')?;
        Ok(Some(label))
    }

    fn marks(&mut self, header: &Header) -> Result<Vec<u32>, HoaError> {
        let mut marks = Vec::new();
        if self.accept('{') {
            while !self.accept('}') {
                let set = self.number("an acceptance set or `}`")?;
                if set >= header.sets {
                    return self.error_at(self.position - 1, format!("acceptance set {set} is out of range"));
                }
                marks.push(set);
            }
        }
        Ok(marks)
    }

    fn state(&mut self, header: &Header) -> Result<(u32, State), HoaError> {
        self.position += 1;
        let label = self.bracketed(header)?;
        let number = self.number("the number of the state")?;
        if matches!(self.peek(), Some(Token::Text(_))) {
            self.position += 1;
        }
        let marks = self.marks(header)?;
        let mut edges = Vec::new();
        while self.is_symbol('[') || matches!(self.peek(), Some(Token::Number(_))) {
            let token = self.position;
            let label = self.bracketed(header)?;
            let target = self.number("the target of an edge")?;
            if self.is_symbol('&') {
                return self.error("alternating automata are not supported");
            }
            edges.push(Transition { label, target, marks: self.marks(header)?, token });
        }
        Ok((number, State { label, marks, edges }))
    }
}
