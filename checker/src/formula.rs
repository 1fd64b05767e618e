//! Formulas of CTL*: reading, writing, and the form that is checked.
//!
//! The notation is the part of that of starset that leaves nothing to guess: operators of two sides stand in
//! parentheses, expressions are sums of tokens with coefficients. A pool keeps each formula once, operands first.
//!
//! The form that is checked ([`Pool::canonical`]): negations stand before `deadlock` and `enabled` only, the operators are
//! ∧, ∨, E, A, X, U and R, and paths are those of the *stutter* semantics, to which the other two are brought by these
//! rewritings (docs/semantics.md):
//!
//! | | `E φ` | `A φ` |
//! |---|---|---|
//! | maximal | `E φ` with `¬dead ∧ X a` for each `X a` | `A φ` with `dead ∨ X a` for each `X a` |
//! | infinite | `E(φ ∧ G ¬dead)` | `A(φ ∨ F dead)` |
//!
//! Its formulas are numbered in the order in which a walk from left to right leaves them, each once.

use crate::net::Net;
use crate::{Checked, refuse};
use std::collections::HashMap;

/// The number of a formula in its pool.
pub type Id = usize;

/// What a finite path means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paths {
    /// Paths are infinite, or end in a deadlock.
    Maximal,
    /// A deadlock repeats for ever.
    Stutter,
    /// Only infinite paths count.
    Infinite,
}

/// How a sum compares with a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Op {
    /// All, as they are written; what begins like another before it.
    pub const ALL: [(&'static str, Op); 6] =
        [("<=", Op::Le), (">=", Op::Ge), ("!=", Op::Ne), ("=", Op::Eq), ("<", Op::Lt), (">", Op::Gt)];

    /// Does a sum compare so with a number?
    pub fn holds(self, sum: i128, bound: i128) -> bool {
        match self {
            Op::Eq => sum == bound,
            Op::Ne => sum != bound,
            Op::Lt => sum < bound,
            Op::Le => sum <= bound,
            Op::Gt => sum > bound,
            Op::Ge => sum >= bound,
        }
    }

    fn negated(self) -> Op {
        match self {
            Op::Eq => Op::Ne,
            Op::Ne => Op::Eq,
            Op::Lt => Op::Ge,
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            Op::Ge => Op::Lt,
        }
    }
}

/// A formula; its operands are in the same pool.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Node {
    True,
    False,
    Deadlock,
    /// Some step with one of these labels is possible.
    Enabled(Vec<usize>),
    /// A sum of places with coefficients, ascending, compares with a number.
    Compare(Vec<(usize, i64)>, Op, i128),
    Not(Id),
    And(Vec<Id>),
    Or(Vec<Id>),
    Exists(Id),
    Forall(Id),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
    /// The others are left out of the form that is checked.
    Implies(Id, Id),
    Iff(Id, Id),
    Finally(Id),
    Globally(Id),
    WeakUntil(Id, Id),
    StrongRelease(Id, Id),
}

impl Node {
    /// The operands, left to right.
    pub fn operands(&self) -> Vec<Id> {
        use Node::*;
        match self {
            True | False | Deadlock | Enabled(_) | Compare(..) => Vec::new(),
            Not(a) | Exists(a) | Forall(a) | Next(a) | Finally(a) | Globally(a) => vec![*a],
            And(list) | Or(list) => list.clone(),
            Until(a, b) | Release(a, b) | Implies(a, b) | Iff(a, b) | WeakUntil(a, b) | StrongRelease(a, b) => {
                vec![*a, *b]
            }
        }
    }
}

/// Formulas, each once.
#[derive(Clone, Default, Debug)]
pub struct Pool {
    nodes: Vec<Node>,
    state: Vec<bool>,
    ids: HashMap<Node, Id>,
}

impl std::ops::Index<Id> for Pool {
    type Output = Node;
    fn index(&self, id: Id) -> &Node {
        &self.nodes[id]
    }
}

impl Pool {
    /// The formula with this node, whose operands are there.
    pub fn add(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let state = match node {
            Node::Exists(_) | Node::Forall(_) => true,
            Node::Next(_) | Node::Until(..) | Node::Release(..) => false,
            Node::Finally(_) | Node::Globally(_) | Node::WeakUntil(..) | Node::StrongRelease(..) => false,
            _ => node.operands().iter().all(|&operand| self.state[operand]),
        };
        self.nodes.push(node.clone());
        self.state.push(state);
        self.ids.insert(node, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// How many formulas there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Does it speak of one state, all its temporal operators being inside of path quantifiers?
    pub fn is_state(&self, id: Id) -> bool {
        self.state[id]
    }

    /// The form that is checked of a formula (or of its negation), in a pool of its own, where it is the last; a
    /// path formula stands for `A φ`.
    pub fn canonical(&self, formula: Id, negated: bool, paths: Paths) -> Pool {
        let mut work = self.clone();
        let closed = if self.is_state(formula) { formula } else { work.add(Node::Forall(formula)) };
        let mut rewriter = Rewriter { pool: work, paths, known: HashMap::new() };
        let root = rewriter.rewrite(closed, negated, true);
        let mut pool = Pool::default();
        pool.copy(&rewriter.pool, root, &mut HashMap::new());
        pool
    }

    fn copy(&mut self, from: &Pool, id: Id, known: &mut HashMap<Id, Id>) -> Id {
        if let Some(&known) = known.get(&id) {
            return known;
        }
        use Node::*;
        let mut copy = |operand: Id| self.copy(from, operand, known);
        let node = match &from[id] {
            Not(a) => Not(copy(*a)),
            Exists(a) => Exists(copy(*a)),
            Forall(a) => Forall(copy(*a)),
            Next(a) => Next(copy(*a)),
            And(list) => And(list.iter().map(|&a| copy(a)).collect()),
            Or(list) => Or(list.iter().map(|&a| copy(a)).collect()),
            Until(a, b) => Until(copy(*a), copy(*b)),
            Release(a, b) => Release(copy(*a), copy(*b)),
            other => other.clone(),
        };
        let new = self.add(node);
        known.insert(id, new);
        new
    }
}

/// Brings formulas into the form that is checked.
struct Rewriter {
    pool: Pool,
    paths: Paths,
    known: HashMap<(Id, bool, bool), Id>,
}

impl Rewriter {
    /// Of a formula, negated or not, under a quantifier that is E or A in the end.
    fn rewrite(&mut self, id: Id, negated: bool, exists: bool) -> Id {
        if let Some(&known) = self.known.get(&(id, negated, exists)) {
            return known;
        }
        use Node::*;
        let node = self.pool[id].clone();
        let new = match node {
            True | False => self.pool.add(if (node == True) != negated { True } else { False }),
            Deadlock | Enabled(_) if negated => self.pool.add(Not(id)),
            Deadlock | Enabled(_) => id,
            Compare(sum, op, bound) => self.pool.add(Compare(sum, if negated { op.negated() } else { op }, bound)),
            Not(a) => self.rewrite(a, !negated, exists),
            And(ref list) | Or(ref list) => {
                let list = list.iter().map(|&a| self.rewrite(a, negated, exists)).collect();
                self.pool.add(if matches!(node, And(_)) != negated { And(list) } else { Or(list) })
            }
            Implies(a, b) => {
                let either = [self.rewrite(a, !negated, exists), self.rewrite(b, negated, exists)].to_vec();
                self.pool.add(if negated { And(either) } else { Or(either) })
            }
            Iff(a, b) => {
                // Both or none; negated: one and not the other.
                let one = [self.rewrite(a, false, exists), self.rewrite(b, negated, exists)].to_vec();
                let other = [self.rewrite(a, true, exists), self.rewrite(b, !negated, exists)].to_vec();
                let (one, other) = (self.pool.add(And(one)), self.pool.add(And(other)));
                self.pool.add(Or(vec![one, other]))
            }
            Exists(a) | Forall(a) => {
                let exists = matches!(node, Exists(_)) != negated;
                let mut path = self.rewrite(a, negated, exists);
                if self.paths == Paths::Infinite {
                    let dead = self.pool.add(Deadlock);
                    let alive = self.pool.add(Not(dead));
                    let (no, yes) = (self.pool.add(False), self.pool.add(True));
                    let ends = if exists { Release(no, alive) } else { Until(yes, dead) };
                    let ends = self.pool.add(ends);
                    path = self.pool.add(if exists { And(vec![path, ends]) } else { Or(vec![path, ends]) });
                }
                self.pool.add(if exists { Exists(path) } else { Forall(path) })
            }
            Next(a) => {
                let a = self.rewrite(a, negated, exists);
                let next = self.pool.add(Next(a));
                let dead = self.pool.add(Deadlock);
                match (self.paths, exists) {
                    (Paths::Maximal, true) => {
                        let alive = self.pool.add(Not(dead));
                        self.pool.add(And(vec![alive, next]))
                    }
                    (Paths::Maximal, false) => self.pool.add(Or(vec![dead, next])),
                    _ => next,
                }
            }
            Until(a, b) => self.binary(a, b, false, negated, exists),
            Release(a, b) => self.binary(a, b, true, negated, exists),
            Finally(a) => {
                let yes = self.pool.add(True);
                self.binary(yes, a, false, negated, exists)
            }
            Globally(a) => {
                let no = self.pool.add(False);
                self.binary(no, a, true, negated, exists)
            }
            WeakUntil(a, b) => {
                let either = self.pool.add(Or(vec![a, b]));
                self.binary(b, either, true, negated, exists)
            }
            StrongRelease(a, b) => {
                let both = self.pool.add(And(vec![a, b]));
                self.binary(b, both, false, negated, exists)
            }
        };
        self.known.insert((id, negated, exists), new);
        new
    }

    fn binary(&mut self, a: Id, b: Id, release: bool, negated: bool, exists: bool) -> Id {
        let (a, b) = (self.rewrite(a, negated, exists), self.rewrite(b, negated, exists));
        self.pool.add(if release != negated { Node::Release(a, b) } else { Node::Until(a, b) })
    }
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.')
}

impl Pool {
    /// Read a formula about a model.
    ///
    /// # Errors
    /// Where it is not of the notation, or names what the model does not have.
    pub fn parse(&mut self, text: &str, net: &Net) -> Checked<Id> {
        let places = net.places.iter().map(|place| place.name.as_str()).zip(0..).collect();
        let labels = net.labels.iter().map(String::as_str).zip(0..).collect();
        let mut parser = Parser { pool: self, net, places, labels, rest: text, depth: 0 };
        let formula = parser.chain()?;
        match parser.rest.trim_start() {
            "" => Ok(formula),
            rest => refuse(format!("formula: unexpected `{}`", excerpt(rest))),
        }
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(30).collect()
}

/// Deeper formulas are refused.
const MAX_DEPTH: usize = 5000;

struct Parser<'a> {
    pool: &'a mut Pool,
    net: &'a Net,
    places: HashMap<&'a str, usize>,
    labels: HashMap<&'a str, usize>,
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn sign(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, sign: &str) -> Checked<()> {
        if self.sign(sign) {
            return Ok(());
        }
        refuse(format!("formula: `{sign}` is missing before `{}`", excerpt(self.rest)))
    }

    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c| !in_word(c)).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        self.rest = &self.rest[end..];
        word
    }

    /// A name, in quotation marks or not.
    fn name(&mut self) -> Checked<String> {
        if !self.sign("\"") {
            return Ok(self.word().to_owned());
        }
        let mut name = String::new();
        let mut chars = self.rest.char_indices();
        loop {
            match chars.next() {
                Some((at, '"')) => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(name);
                }
                Some((_, '\\')) => name.extend(chars.next().map(|(_, c)| c)),
                Some((_, c)) => name.push(c),
                None => return refuse("formula: a name without end"),
            }
        }
    }

    /// Operands joined by one operator.
    fn chain(&mut self) -> Checked<Id> {
        const OPERATORS: [&str; 9] = ["<->", "->", "&", "|", "U ", "R ", "W ", "M ", "U("];
        let first = self.operand()?;
        self.rest = self.rest.trim_start();
        let Some(&operator) = OPERATORS.iter().find(|operator| self.rest.starts_with(**operator)) else {
            return Ok(first);
        };
        let operator = operator.trim_end_matches(['(', ' ']);
        let mut list = vec![first];
        while self.sign(operator) {
            list.push(self.operand()?);
            if !["&", "|"].contains(&operator) {
                break;
            }
        }
        let (a, b) = (list[0], list[1]);
        Ok(self.pool.add(match operator {
            "&" => Node::And(list),
            "|" => Node::Or(list),
            "->" => Node::Implies(a, b),
            "<->" => Node::Iff(a, b),
            "U" => Node::Until(a, b),
            "R" => Node::Release(a, b),
            "W" => Node::WeakUntil(a, b),
            _ => Node::StrongRelease(a, b),
        }))
    }

    fn operand(&mut self) -> Checked<Id> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return refuse("formula: nested too deeply");
        }
        let operand = self.operand_inside();
        self.depth -= 1;
        operand
    }

    fn operand_inside(&mut self) -> Checked<Id> {
        if self.sign("!") {
            let a = self.operand()?;
            return Ok(self.pool.add(Node::Not(a)));
        }
        if self.sign("(") {
            let a = self.chain()?;
            self.expect(")")?;
            return Ok(a);
        }
        let before = self.rest.trim_start();
        if before.starts_with(|c: char| c == '#' || c == '-' || c.is_ascii_digit()) {
            return self.comparison();
        }
        let word = self.word();
        if !word.is_empty() && word.len() <= 2 && word.chars().all(|c| "AEXFG".contains(c)) {
            let mut formula = self.operand()?;
            for operator in word.chars().rev() {
                formula = self.pool.add(match operator {
                    'A' => Node::Forall(formula),
                    'E' => Node::Exists(formula),
                    'X' => Node::Next(formula),
                    'F' => Node::Finally(formula),
                    _ => Node::Globally(formula),
                });
            }
            return Ok(formula);
        }
        match word {
            "true" => Ok(self.pool.add(Node::True)),
            "false" => Ok(self.pool.add(Node::False)),
            "deadlock" => Ok(self.pool.add(Node::Deadlock)),
            "enabled" => {
                let mut labels = Vec::new();
                self.expect("(")?;
                while !self.sign(")") {
                    let name = self.name()?;
                    match self.labels.get(name.as_str()) {
                        Some(&label) => labels.push(label),
                        None => return refuse(format!("formula: the model has no transition `{name}`")),
                    }
                    self.sign(",");
                }
                labels.sort_unstable();
                labels.dedup();
                Ok(self.pool.add(Node::Enabled(labels)))
            }
            _ => refuse(format!("formula: unexpected `{}`", excerpt(before))),
        }
    }

    /// Two sums, or a component and the name of one of its states.
    fn comparison(&mut self) -> Checked<Id> {
        let (mut sum, mut constant) = (std::collections::BTreeMap::new(), 0);
        self.sum(1, &mut sum, &mut constant)?;
        let shifted = constant != 0;
        self.rest = self.rest.trim_start();
        let Some(&(text, op)) = Op::ALL.iter().find(|(text, _)| self.rest.starts_with(text)) else {
            return refuse(format!("formula: a comparison is missing before `{}`", excerpt(self.rest)));
        };
        self.sign(text);
        let only = sum.iter().next().map(|(&place, &factor)| (place, factor)).filter(|_| sum.len() == 1);
        match only {
            Some((place, 1))
                if !shifted && !self.net.places[place].values.is_empty() && matches!(op, Op::Eq | Op::Ne) =>
            {
                let name = self.name()?;
                match self.net.places[place].values.iter().position(|value| *value == name) {
                    Some(value) => constant -= value as i128,
                    None => return refuse(format!("formula: the component has no state `{name}`")),
                }
            }
            _ => self.sum(-1, &mut sum, &mut constant)?,
        }
        let sum: Vec<(usize, i64)> = sum.into_iter().filter(|(_, factor)| *factor != 0).collect();
        Ok(self.pool.add(Node::Compare(sum, op, -constant)))
    }

    /// Add a sum, times `sign`.
    fn sum(&mut self, sign: i64, sum: &mut std::collections::BTreeMap<usize, i64>, constant: &mut i128) -> Checked<()> {
        const MOST: i64 = 1 << 32;
        let mut sign_of_term = if self.sign("-") { -sign } else { sign };
        loop {
            self.rest = self.rest.trim_start();
            let mut factor = None;
            if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
                let word = self.word();
                match word.parse::<i128>() {
                    Ok(number) if number < 1 << 100 => factor = Some(number),
                    _ => return refuse(format!("formula: `{word}` is not a number in range")),
                }
            }
            match factor {
                Some(number) if !self.sign("*") => *constant += i128::from(sign_of_term) * number,
                _ => {
                    self.expect("#")?;
                    let name = self.name()?;
                    let Some(&place) = self.places.get(name.as_str()) else {
                        return refuse(format!("formula: the model has no place `{name}`"));
                    };
                    let Ok(factor) = i64::try_from(factor.unwrap_or(1)) else {
                        return refuse("formula: factor too large");
                    };
                    let total = sum.entry(place).or_insert(0i64);
                    match factor.checked_mul(sign_of_term).and_then(|term| total.checked_add(term)) {
                        Some(new) if new.abs() <= MOST => *total = new,
                        _ => return refuse("formula: factor too large"),
                    }
                }
            }
            sign_of_term = if self.sign("+") {
                sign
            } else if !self.rest.trim_start().starts_with("->") && self.sign("-") {
                -sign
            } else {
                return Ok(());
            };
        }
    }
}
