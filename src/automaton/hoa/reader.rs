//! Reading automata in HOA v1.
//!
//! Read are Büchi and generalized Büchi automata with acceptance on states or edges, with explicit, state or
//! implicit labels and aliases. Several initial states are joined in a fresh one. Acceptance is any conjunction
//! of `Inf(i)` and `Inf(!i)`, `t` or `f`; anything with `Fin` or a disjunction is refused, as are alternating
//! automata. A mark on a state counts as one on each edge that leaves it. What a file claims about its
//! automaton (`properties:`) is not believed: strength, determinism and completeness are computed anew, and
//! stutter invariance stays unknown.
//!
//! Labels become disjunctions of cubes by distribution; the number of cubes of one label is bounded.

use super::HoaError;
use super::lexer::{Placed, Token, tokenize};
use crate::automaton::{Cube, Guard, Literal, Location, Marks, Prop, Tgba, TgbaBuilder};
use indexmap::IndexMap;
use std::collections::HashMap;
use std::sync::Arc;

/// Nesting of parentheses and negations in an expression.
const MAX_NESTING: usize = 200;
/// Cubes of one label.
const MAX_CUBES: usize = 1 << 14;
/// Subexpressions of one label, aliases expanded.
const LABEL_FUEL: u32 = 1 << 18;
/// Propositions of an automaton with implicit labels.
const MAX_IMPLICIT: usize = 16;

/// Reads the one automaton of a document.
///
/// ```
/// use starset::automaton::hoa;
/// let text = "HOA: v1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0)\n\
///             --BODY-- State: 0 {0} [0] 0 State: 1 [t] 0 --END--";
/// assert_eq!(hoa::read(text).unwrap().location_count(), 1);
/// let error = hoa::read(&text.replace("Inf", "Fin")).unwrap_err();
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
enum Label {
    Constant(bool),
    Prop(u32),
    Shared(Arc<Label>),
    Not(Box<Label>),
    And(Vec<Label>),
    Or(Vec<Label>),
}

/// An acceptance condition as a conjunction: `None` for *false*, else the sets, each with whether it is
/// complemented.
type Acceptance = Option<Vec<(u32, bool)>>;

#[derive(Default)]
struct Header {
    states: Option<u32>,
    starts: Vec<u32>,
    propositions: Vec<String>,
    declared: bool,
    /// Each alias with the nesting of its label.
    aliases: HashMap<String, (Arc<Label>, usize)>,
    sets: u32,
    acceptance: Option<Acceptance>,
    name: Option<String>,
}

struct State {
    label: Option<Label>,
    marks: Vec<u32>,
    edges: Vec<Transition>,
}

struct Transition {
    label: Option<Label>,
    target: u32,
    marks: Vec<u32>,
    /// Index of its first token, for messages.
    token: usize,
}

struct Parser {
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

    fn error_at<T>(&self, token: usize, message: impl Into<String>) -> Result<T, HoaError> {
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
                    return self.assemble(&header, states, end);
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
                    header.acceptance = Some(self.acceptance(header.sets)?);
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

    /// A conjunction of `Inf`; anything else is an error.
    fn acceptance(&mut self, sets: u32) -> Result<Acceptance, HoaError> {
        let mut open = 0;
        let mut conjuncts = Some(Vec::new());
        loop {
            while self.accept('(') {
                open += 1;
            }
            match self.peek() {
                Some(Token::Identifier(word)) if word == "t" => self.position += 1,
                Some(Token::Identifier(word)) if word == "f" => {
                    self.position += 1;
                    conjuncts = None;
                }
                Some(Token::Identifier(word)) if word == "Inf" => {
                    self.position += 1;
                    self.expect('(')?;
                    let complement = self.accept('!');
                    let set = self.number("an acceptance set")?;
                    if set >= sets {
                        return self.error_at(self.position - 1, format!("acceptance set {set} is out of range"));
                    }
                    self.expect(')')?;
                    if let Some(list) = conjuncts.as_mut().filter(|list| !list.contains(&(set, complement))) {
                        list.push((set, complement));
                    }
                }
                _ => return self.error("only (generalized) Büchi acceptance is supported: a conjunction of `Inf`"),
            }
            while open > 0 && self.accept(')') {
                open -= 1;
            }
            if self.is_symbol('|') {
                return self.error("only (generalized) Büchi acceptance is supported: a conjunction of `Inf`");
            }
            if !self.accept('&') {
                break;
            }
        }
        if open > 0 {
            return self.error("expected `)`");
        }
        Ok(conjuncts)
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

    fn assemble(&self, header: &Header, states: IndexMap<u32, State>, end: usize) -> Result<Tgba, HoaError> {
        let acceptance = header.acceptance.clone().flatten();
        let empty = acceptance.is_none() || header.starts.is_empty();
        let conjuncts = acceptance.unwrap_or_default();
        if conjuncts.len() > Marks::MAX as usize {
            return self.error_at(end, format!("{} acceptance sets; at most 64 are supported", conjuncts.len()));
        }
        let mut builder = TgbaBuilder::new(header.propositions.iter().cloned(), conjuncts.len() as u32);
        for _ in &states {
            builder.location("");
        }
        let locate = |number: u32, token: usize| match states.get_index_of(&number) {
            Some(index) => Ok(Location(index as u32)),
            None => self.error_at(token, format!("state {number} is not defined")),
        };
        let mut starts = Vec::new();
        for &start in &header.starts {
            starts.push(locate(start, end)?);
        }
        let initial = match starts[..] {
            [only] => only,
            _ => builder.location(""),
        };
        for (number, state) in &states {
            let source = locate(*number, end)?;
            let implicit = state.label.is_none() && state.edges.iter().all(|e| e.label.is_none());
            let count = header.propositions.len();
            if implicit && !state.edges.is_empty() && (count > MAX_IMPLICIT || state.edges.len() != 1 << count) {
                let message = format!("state {number} has implicit labels but not one edge for each valuation");
                return self.error_at(state.edges[0].token, message);
            }
            for (i, edge) in state.edges.iter().enumerate() {
                let guard = match (&state.label, &edge.label) {
                    (Some(_), Some(_)) => return self.error_at(edge.token, "both the state and the edge are labelled"),
                    (Some(label), None) | (None, Some(label)) => cubes(label, true, &mut LABEL_FUEL.clone()),
                    (None, None) if implicit => Some(valuation(count, i)),
                    (None, None) => return self.error_at(edge.token, "this edge has no label, others have"),
                };
                let Some(guard) = guard else { return self.error_at(edge.token, "this label is too large") };
                let guard = Guard::from_cubes(guard);
                let target = locate(edge.target, edge.token)?;
                let has = |set: u32| state.marks.contains(&set) || edge.marks.contains(&set);
                let marks = (0..)
                    .zip(&conjuncts)
                    .filter(|(_, (set, complement))| has(*set) != *complement)
                    .fold(Marks::NONE, |m, (i, _)| m.with(i));
                if empty {
                    continue;
                }
                if starts.len() > 1 && starts.contains(&source) {
                    builder.edge(initial, guard.clone(), Marks::NONE, target);
                }
                builder.edge(source, guard, marks, target);
            }
        }
        match builder.build(initial) {
            Ok(automaton) => Ok(match &header.name {
                Some(name) => automaton.with_title(name),
                None => automaton,
            }),
            Err(error) => self.error_at(end, error.to_string()),
        }
    }
}

/// The cube of the `index`-th valuation: bit `j` is proposition `j`.
fn valuation(props: usize, index: usize) -> Vec<Cube> {
    let literals = (0..props).map(|j| Literal { prop: Prop(j as u32), positive: index >> j & 1 == 1 });
    Cube::new(literals).into_iter().collect()
}

/// The label (or its negation) as cubes; `None` when they are too many or `fuel` is used up. Recursion is as
/// deep as the nesting, which the parser has bounded.
fn cubes(label: &Label, positive: bool, fuel: &mut u32) -> Option<Vec<Cube>> {
    *fuel = fuel.checked_sub(1)?;
    let found = match label {
        Label::Constant(value) if *value == positive => vec![Cube::default()],
        Label::Constant(_) => Vec::new(),
        Label::Prop(p) => Cube::new([Literal { prop: Prop(*p), positive }]).into_iter().collect(),
        Label::Shared(inner) => cubes(inner, positive, fuel)?,
        Label::Not(inner) => cubes(inner, !positive, fuel)?,
        Label::And(all) | Label::Or(all) if matches!(label, Label::Or(_)) == positive => {
            let mut any = Vec::new();
            for part in all {
                any.extend(cubes(part, positive, fuel)?);
                if any.len() > MAX_CUBES {
                    return None;
                }
            }
            any
        }
        Label::And(all) | Label::Or(all) => {
            let mut product = vec![Cube::default()];
            for part in all {
                let factor = cubes(part, positive, fuel)?;
                if product.len().saturating_mul(factor.len()) > MAX_CUBES {
                    return None;
                }
                product = product.iter().flat_map(|a| factor.iter().filter_map(|b| a.and(b))).collect();
                product.sort_unstable();
                product.dedup();
            }
            product
        }
    };
    Some(found)
}
