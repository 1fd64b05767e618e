//! Expressions after names are resolved: a graph of terms with types, each kept once.
//!
//! Definitions, parameters and instances are gone: what two expressions share is one term. `next` stands at variables
//! only,
//! `case` is a chain of choices that ends in a fault, and an access to an array is a chain of choices by its index.

use crate::error::Place;
use std::collections::{HashMap, HashSet};

/// A value of a variable or a term. The type of the term says what a word is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of 32 bits.
    Int(i64),
    /// A symbolic constant, by its number.
    Symbol(u32),
    /// Bits, the lowest ones.
    Word(u64),
}

/// The type of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A truth value.
    Bool,
    /// An integer.
    Int,
    /// A symbolic constant.
    Symbol,
    /// An integer or a symbolic constant.
    Mixed,
    /// Bits.
    Word {
        /// How many.
        width: u32,
        /// In two's complement?
        signed: bool,
    },
    /// A formula with temporal operators.
    Formula,
}

impl Type {
    /// The type in words.
    pub fn name(self) -> String {
        match self {
            Type::Bool => "a boolean".to_owned(),
            Type::Int => "an integer".to_owned(),
            Type::Symbol => "a symbolic constant".to_owned(),
            Type::Mixed => "an integer or a symbolic constant".to_owned(),
            Type::Word { width, signed: false } => format!("an unsigned word[{width}]"),
            Type::Word { width, signed: true } => format!("a signed word[{width}]"),
            Type::Formula => "a temporal formula".to_owned(),
        }
    }
}

/// A term of a [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(crate) u32);

/// Operators on values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Not,
    And,
    Or,
    Xor,
    Iff,
    Eq,
    Lt,
    Le,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    ShiftLeft,
    ShiftRight,
    Concat,
    /// Bits `high` to `low`.
    Bits(u32, u32),
    /// To this width, with the sign or zeros.
    Extend,
    /// To this width; of signed words the sign stays.
    Resize,
    /// The same bits as another type.
    Cast,
    /// A truth value, or bits, as an integer.
    ToInt,
    /// Is an integer, or are bits, not zero?
    ToBool,
    /// A truth value as one bit.
    ToWord,
    /// An integer as bits.
    FromInt,
    /// How many are true.
    Count,
    Min,
    Max,
    Abs,
}

/// The fault that a term is where nothing else is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lack {
    /// No guard of a `case` holds.
    Case,
    /// An index is outside of its array.
    Index,
}

/// The temporal operators. Those of CTL have their quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Temporal {
    Ex,
    Ax,
    Ef,
    Af,
    Eg,
    Ag,
    Eu,
    Au,
    Next,
    Finally,
    Globally,
    Until,
    Release,
    Yesterday,
    WeakYesterday,
    Once,
    Historically,
    Since,
    Trigger,
}

/// What a term is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Const(Value),
    /// A variable, or its next value.
    Variable {
        /// The number of the variable.
        variable: usize,
        /// Its next value?
        next: bool,
    },
    /// An operator with its operands.
    Apply(Op, Vec<Term>),
    /// The second operand where the first is true, else the third.
    If(Term, Term, Term),
    /// A fault.
    Lack(Lack, Place),
    /// One of these values.
    Set(Vec<Term>),
    /// One of the integers from the first to the second.
    Range(i64, i64),
    /// Is the first one of the second?
    Member(Term, Term),
    /// A temporal operator, its operands, and its bounds of steps.
    Temporal(Temporal, Vec<Term>, Option<(u32, u32)>),
}

/// Terms, each once.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    types: Vec<(Type, bool)>,
    known: HashMap<(Node, Type), Term>,
}

impl Terms {
    /// The term of this node.
    pub(crate) fn add(&mut self, node: Node, kind: Type) -> Term {
        self.enter(node, kind, false)
    }

    /// The term of a node that stands for several values.
    pub(crate) fn add_set(&mut self, node: Node, kind: Type) -> Term {
        self.enter(node, kind, true)
    }

    fn enter(&mut self, node: Node, kind: Type, set: bool) -> Term {
        let key = (node, kind);
        if let Some(&term) = self.known.get(&key) {
            return term;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(key.0.clone());
        self.types.push((kind, set));
        self.known.insert(key, term);
        term
    }

    /// What it is made of.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    /// Its type; of a set, that of its members.
    pub fn kind(&self, term: Term) -> Type {
        self.types[term.0 as usize].0
    }

    /// Does it stand for one of several values?
    pub fn is_set(&self, term: Term) -> bool {
        self.types[term.0 as usize].1
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Its operands.
    pub fn operands(&self, term: Term) -> Vec<Term> {
        match self.node(term) {
            Node::Const(_) | Node::Variable { .. } | Node::Lack(..) | Node::Range(..) => Vec::new(),
            Node::Apply(_, operands) | Node::Set(operands) | Node::Temporal(_, operands, _) => operands.clone(),
            &Node::If(c, a, b) => vec![c, a, b],
            &Node::Member(a, b) => vec![a, b],
        }
    }

    /// The terms that may be a fault for some values: a division, a shift, a `case` or an index that is not complete,
    /// and what they are part of.
    pub fn fallible(&self) -> HashSet<Term> {
        let mut found = HashSet::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let term = Term(at as u32);
            let is_fallible = match node {
                Node::Lack(..) | Node::Apply(Op::Div | Op::Mod | Op::ShiftLeft | Op::ShiftRight, _) => true,
                // Operands come first.
                _ => self.operands(term).iter().any(|operand| found.contains(operand)),
            };
            if is_fallible {
                found.insert(term);
            }
        }
        found
    }

    /// How many terms a term is made of, itself among them.
    pub fn size(&self, term: Term) -> u64 {
        let (mut seen, mut open) = (HashSet::from([term]), vec![term]);
        while let Some(term) = open.pop() {
            open.extend(self.operands(term).into_iter().filter(|&operand| seen.insert(operand)));
        }
        seen.len() as u64
    }

    /// How deep terms are nested. The last branch of a choice, and the first operand of a conjunction or disjunction,
    /// are not deeper than it: whoever evaluates terms follows these without recursion.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0_usize; self.nodes.len()];
        // Operands come first.
        for (at, node) in self.nodes.iter().enumerate() {
            let of = |term: &Term| depths[term.0 as usize];
            let deeper = |terms: &[Term]| terms.iter().map(of).max().map_or(0, |most| most + 1);
            depths[at] = match node {
                Node::If(condition, yes, no) => deeper(&[*condition, *yes]).max(of(no)),
                Node::Apply(op @ (Op::And | Op::Or), operands) => {
                    let same = matches!(self.node(operands[0]), Node::Apply(inner, _) if inner == op);
                    deeper(&operands[1..]).max(if same { of(&operands[0]) } else { of(&operands[0]) + 1 })
                }
                _ => deeper(&self.operands(Term(at as u32))),
            };
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The parts of a conjunction, each once, of which none is one.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let (mut open, mut parts, mut seen) = (vec![term], Vec::new(), HashSet::new());
        while let Some(term) = open.pop() {
            match self.node(term) {
                _ if !seen.insert(term) => {}
                Node::Apply(Op::And, operands) if self.kind(term) == Type::Bool => open.extend(operands.iter().rev()),
                _ => parts.push(term),
            }
        }
        parts
    }

    /// Are there next values in a term?
    pub(crate) fn mentions_next(&self, term: Term) -> bool {
        self.variables(term).iter().any(|&(_, next)| next)
    }

    /// The variables in a term, with `true` for next values; sorted.
    pub fn variables(&self, term: Term) -> Vec<(usize, bool)> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![term];
        let mut found = Vec::new();
        while let Some(term) = open.pop() {
            if std::mem::replace(&mut seen[term.0 as usize], true) {
                continue;
            }
            match self.node(term) {
                &Node::Variable { variable, next } => found.push((variable, next)),
                _ => open.extend(self.operands(term)),
            }
        }
        found.sort_unstable();
        found
    }

    pub(crate) fn bool(&mut self, value: bool) -> Term {
        self.add(Node::Const(Value::Bool(value)), Type::Bool)
    }

    pub(crate) fn not(&mut self, term: Term) -> Term {
        let kind = self.kind(term);
        match self.node(term) {
            &Node::Const(Value::Bool(value)) => self.bool(!value),
            Node::Apply(Op::Not, inner) => inner[0],
            _ => self.add(Node::Apply(Op::Not, vec![term]), kind),
        }
    }

    pub(crate) fn and(&mut self, a: Term, b: Term) -> Term {
        self.junction(Op::And, a, b)
    }

    pub(crate) fn or(&mut self, a: Term, b: Term) -> Term {
        self.junction(Op::Or, a, b)
    }

    fn junction(&mut self, op: Op, a: Term, b: Term) -> Term {
        let neutral = Node::Const(Value::Bool(op == Op::And));
        if *self.node(a) == neutral {
            return b;
        }
        if *self.node(b) == neutral || a == b {
            return a;
        }
        let kind = match (self.kind(a), self.kind(b)) {
            (Type::Bool, Type::Bool) => Type::Bool,
            _ => Type::Formula,
        };
        self.add(Node::Apply(op, vec![a, b]), kind)
    }
}
