//! Formulas of CTL*: reading them, and the form that is checked.
//!
//! The notation is the part of that of starset that leaves nothing to guess: operators of two sides stand in
//! parentheses, expressions are sums of tokens with coefficients. A pool keeps each formula once, operands first. `F`, `G`, `W`, `M`
//! and `->` are read as what they stand for.
//!
//! The form that is checked ([`Pool::canonical`]): negations stand before `deadlock`, `enabled` and `action` only, the operators are
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
use crate::text::Scanner;
use crate::{Checked, refuse};
use std::collections::{BTreeMap, HashMap};

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

impl Paths {
    /// All.
    pub const ALL: [Paths; 3] = [Paths::Maximal, Paths::Stutter, Paths::Infinite];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Paths::Maximal => "maximal",
            Paths::Stutter => "stutter",
            Paths::Infinite => "infinite",
        }
    }
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
    /// The next step has one of these labels: of paths, false where none is taken.
    Action(Vec<usize>),
    /// A sum of places with coefficients, ascending, compares with a number.
    Compare(Vec<(usize, i64)>, Op, i128),
    Not(Id),
    And(Vec<Id>),
    Or(Vec<Id>),
    /// Both or none; left out of the form that is checked.
    Iff(Id, Id),
    Exists(Id),
    Forall(Id),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

impl Node {
    /// The operands, left to right.
    pub fn operands(&self) -> Vec<Id> {
        use Node::*;
        match self {
            True | False | Deadlock | Enabled(_) | Action(_) | Compare(..) => Vec::new(),
            Not(a) | Exists(a) | Forall(a) | Next(a) => vec![*a],
            Iff(a, b) | Until(a, b) | Release(a, b) => vec![*a, *b],
            And(list) | Or(list) => list.clone(),
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
    fn add(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let state = match node {
            Node::Exists(_) | Node::Forall(_) => true,
            Node::Action(_) | Node::Next(_) | Node::Until(..) | Node::Release(..) => false,
            _ => node.operands().iter().all(|&operand| self.state[operand]),
        };
        self.nodes.push(node.clone());
        self.state.push(state);
        self.ids.insert(node, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Of a letter about steps: is it true of a step with this label, or where no step is taken? None of other formulas.
    pub fn of_step(&self, id: Id, label: Option<usize>) -> Option<bool> {
        match &self.nodes[id] {
            Node::Action(labels) => Some(label.is_some_and(|label| labels.binary_search(&label).is_ok())),
            Node::Not(a) => self.of_step(*a, label).map(|holds| !holds),
            _ => None,
        }
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
    /// path formula stands for `A φ`. `checked_right` of `proofs/Forms.v`.
    pub fn canonical(&self, formula: Id, negated: bool, paths: Paths) -> Pool {
        let mut rewriter = Rewriter { from: self, into: Pool::default(), paths, known: HashMap::new() };
        if self.is_state(formula) {
            rewriter.rewrite(formula, negated, true);
        } else {
            rewriter.quantified(formula, negated, negated);
        }
        rewriter.into
    }
}

/// Brings formulas into the form that is checked. What it adds to the new pool, operands from left to right before what they are
/// operands of, is numbered as it should be.
struct Rewriter<'a> {
    from: &'a Pool,
    into: Pool,
    paths: Paths,
    known: HashMap<(Id, bool, bool), Id>,
}

impl Rewriter<'_> {
    /// Of a formula, negated or not, under a quantifier that is E or A in the end.
    fn rewrite(&mut self, id: Id, negated: bool, exists: bool) -> Id {
        if let Some(&known) = self.known.get(&(id, negated, exists)) {
            return known;
        }
        use Node::*;
        let node = &self.from[id];
        let new = match node {
            True | False => self.into.add(if (*node == True) != negated { True } else { False }),
            Deadlock | Enabled(_) | Action(_) => {
                let atom = self.into.add(node.clone());
                if negated { self.into.add(Not(atom)) } else { atom }
            }
            Compare(sum, op, bound) => {
                let op = if negated { op.negated() } else { *op };
                self.into.add(Compare(sum.clone(), op, *bound))
            }
            Not(a) => self.rewrite(*a, !negated, exists),
            And(list) | Or(list) => {
                let list = list.iter().map(|&a| self.rewrite(a, negated, exists)).collect();
                self.into.add(if matches!(node, And(_)) != negated { And(list) } else { Or(list) })
            }
            Iff(a, b) => {
                // Both or none; negated: one and not the other.
                let mut both = |no_a, no_b| {
                    let both = vec![self.rewrite(*a, no_a, exists), self.rewrite(*b, no_b, exists)];
                    self.into.add(And(both))
                };
                let either = vec![both(false, negated), both(true, !negated)];
                self.into.add(Or(either))
            }
            Exists(a) => self.quantified(*a, negated, !negated),
            Forall(a) => self.quantified(*a, negated, negated),
            Next(a) => {
                let maximal = self.paths == Paths::Maximal;
                let end = maximal.then(|| self.dead(exists));
                let a = self.rewrite(*a, negated, exists);
                let next = self.into.add(Next(a));
                match end {
                    Some(end) => self.into.add(if exists { And(vec![end, next]) } else { Or(vec![end, next]) }),
                    None => next,
                }
            }
            Until(a, b) | Release(a, b) => {
                let (a, b) = (self.rewrite(*a, negated, exists), self.rewrite(*b, negated, exists));
                self.into.add(if matches!(node, Until(..)) != negated { Until(a, b) } else { Release(a, b) })
            }
        };
        self.known.insert((id, negated, exists), new);
        new
    }

    /// Of a path formula, negated or not, with its quantifier.
    fn quantified(&mut self, path: Id, negated: bool, exists: bool) -> Id {
        use Node::*;
        let mut path = self.rewrite(path, negated, exists);
        if self.paths == Paths::Infinite {
            let left = self.into.add(if exists { False } else { True });
            let dead = self.dead(exists);
            let ends = self.into.add(if exists { Release(left, dead) } else { Until(left, dead) });
            path = self.into.add(if exists { And(vec![path, ends]) } else { Or(vec![path, ends]) });
        }
        self.into.add(if exists { Exists(path) } else { Forall(path) })
    }

    /// `deadlock`, negated or not.
    fn dead(&mut self, negated: bool) -> Id {
        let dead = self.into.add(Node::Deadlock);
        if negated { self.into.add(Node::Not(dead)) } else { dead }
    }
}

/// What the names in formulas stand for.
#[derive(Debug)]
pub struct Names<'a> {
    pub(crate) net: &'a Net,
    places: HashMap<&'a str, usize>,
    labels: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    /// Those of a model.
    pub fn new(net: &'a Net) -> Names<'a> {
        let places = net.places.iter().map(|place| place.name.as_str()).zip(0..).collect();
        let labels = net.labels.iter().map(String::as_str).zip(0..).collect();
        Names { net, places, labels }
    }
}

impl Pool {
    /// Read a formula about a model.
    ///
    /// # Errors
    /// Where it is not of the notation, or names what the model does not have.
    pub fn parse(&mut self, text: &str, names: &Names<'_>) -> Checked<Id> {
        let text = Scanner { rest: text, what: "formula", skip: str::trim_start };
        let mut parser = Parser { pool: self, names, text };
        let formula = parser.chain(0)?;
        if parser.text.at_end() { Ok(formula) } else { parser.text.refuse("the end is expected") }
    }
}

/// Deeper formulas are refused.
const MAX_DEPTH: usize = 5000;
/// Larger factors of places are refused.
const MAX_FACTOR: i128 = 1 << 32;

struct Parser<'a> {
    pool: &'a mut Pool,
    names: &'a Names<'a>,
    text: Scanner<'a>,
}

impl Parser<'_> {
    /// A name, in quotation marks or not.
    fn name(&mut self) -> Checked<String> {
        if !self.text.sign("\"") {
            return Ok(self.text.word().to_owned());
        }
        let mut name = String::new();
        let mut chars = self.text.rest.chars();
        loop {
            match chars.next() {
                Some('"') => break,
                Some('\\') => name.extend(chars.next()),
                Some(c) => name.push(c),
                None => return refuse("formula: a name without end"),
            }
        }
        self.text.rest = chars.as_str();
        Ok(name)
    }

    /// Operands joined by one operator.
    fn chain(&mut self, depth: usize) -> Checked<Id> {
        const OPERATORS: [&str; 9] = ["<->", "->", "&", "|", "U ", "R ", "W ", "M ", "U("];
        let a = self.operand(depth)?;
        let Some(operator) = OPERATORS.into_iter().find(|operator| self.text.comes(operator)) else { return Ok(a) };
        let operator = operator.trim_end_matches(['(', ' ']);
        let mut list = vec![a];
        while self.text.sign(operator) {
            list.push(self.operand(depth)?);
            if !["&", "|"].contains(&operator) {
                break;
            }
        }
        let b = list[1];
        let node = match operator {
            "&" => Node::And(list),
            "|" => Node::Or(list),
            "->" => Node::Or(vec![self.pool.add(Node::Not(a)), b]),
            "<->" => Node::Iff(a, b),
            "U" => Node::Until(a, b),
            "R" => Node::Release(a, b),
            "W" => Node::Release(b, self.pool.add(Node::Or(list))),
            _ => Node::Until(b, self.pool.add(Node::And(list))),
        };
        Ok(self.pool.add(node))
    }

    fn operand(&mut self, depth: usize) -> Checked<Id> {
        if depth > MAX_DEPTH {
            return refuse("formula: nested too deeply");
        }
        if self.text.sign("!") {
            let a = self.operand(depth + 1)?;
            return Ok(self.pool.add(Node::Not(a)));
        }
        if self.text.sign("(") {
            let a = self.chain(depth + 1)?;
            self.text.expect(")")?;
            return Ok(a);
        }
        if self.text.comes("#") || self.text.comes("-") || self.text.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.comparison();
        }
        let before = self.text.clone();
        let word = self.text.word();
        if !word.is_empty() && word.len() <= 2 && word.chars().all(|c| "AEXFG".contains(c)) {
            let mut formula = self.operand(depth + 1)?;
            for operator in word.chars().rev() {
                let node = match operator {
                    'A' => Node::Forall(formula),
                    'E' => Node::Exists(formula),
                    'X' => Node::Next(formula),
                    'F' => Node::Until(self.pool.add(Node::True), formula),
                    _ => Node::Release(self.pool.add(Node::False), formula),
                };
                formula = self.pool.add(node);
            }
            return Ok(formula);
        }
        let node = match word {
            "true" => Node::True,
            "false" => Node::False,
            "deadlock" => Node::Deadlock,
            "enabled" | "action" => {
                let mut labels = Vec::new();
                self.text.expect("(")?;
                while !self.text.sign(")") {
                    let name = self.name()?;
                    match self.names.labels.get(name.as_str()) {
                        Some(&label) => labels.push(label),
                        None => return refuse(format!("formula: the model has no transition `{name}`")),
                    }
                    self.text.sign(",");
                }
                labels.sort_unstable();
                labels.dedup();
                if word == "enabled" { Node::Enabled(labels) } else { Node::Action(labels) }
            }
            _ => return before.refuse("a formula is expected"),
        };
        Ok(self.pool.add(node))
    }

    /// Two sums, or a component and the name of one of its states.
    fn comparison(&mut self) -> Checked<Id> {
        let mut sum = BTreeMap::new();
        self.sum(1, &mut sum)?;
        let Some(&(sign, op)) = Op::ALL.iter().find(|(sign, _)| self.text.comes(sign)) else {
            return self.text.refuse("a comparison is missing");
        };
        self.text.expect(sign)?;
        let names = match sum.first_key_value() {
            Some((&Some(place), 1)) if sum.len() == 1 && matches!(op, Op::Eq | Op::Ne) => {
                &self.names.net.places[place].values
            }
            _ => &Vec::new(),
        };
        if names.is_empty() {
            self.sum(-1, &mut sum)?;
        } else {
            let name = self.name()?;
            match names.iter().position(|value| *value == name) {
                Some(value) => drop(sum.insert(None, -(value as i128))),
                None => return refuse(format!("formula: the component has no state `{name}`")),
            }
        }
        let bound = -sum.remove(&None).unwrap_or(0);
        sum.retain(|_, factor| *factor != 0);
        let sum = sum.into_iter().filter_map(|(place, factor)| Some((place?, factor as i64))).collect();
        Ok(self.pool.add(Node::Compare(sum, op, bound)))
    }

    /// Add a sum, times `sign`: factors of places, and of no place a number.
    fn sum(&mut self, sign: i128, sum: &mut BTreeMap<Option<usize>, i128>) -> Checked<()> {
        let mut negative = self.text.sign("-");
        loop {
            let word = self.text.word();
            let factor = match word.parse() {
                _ if word.is_empty() => None,
                Ok(number) if number < 1 << 100 => Some(number),
                _ => return refuse(format!("formula: `{word}` is not a number in range")),
            };
            let mut place = None;
            if factor.is_none() || self.text.sign("*") {
                self.text.expect("#")?;
                let name = self.name()?;
                place = self.names.places.get(name.as_str()).copied();
                if place.is_none() {
                    return refuse(format!("formula: the model has no place `{name}`"));
                }
            }
            let total = sum.entry(place).or_default();
            *total += factor.unwrap_or(1) * if negative { -sign } else { sign };
            if place.is_some() && total.abs() > MAX_FACTOR {
                return refuse("formula: factor too large");
            }
            negative = !self.text.sign("+");
            if negative && (self.text.comes("->") || !self.text.sign("-")) {
                return Ok(());
            }
        }
    }
}
