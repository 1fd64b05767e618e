//! Terms with other terms in the place of variables, simplified by what becomes known.
//!
//! Operands have lower numbers than what they are part of. So terms are rebuilt by ascending numbers, and nothing
//! recurses.

use crate::term::{Node, Op, Term, Terms, Type, Value};
use std::collections::{HashMap, HashSet};

/// Gives a term for a variable, by its term, its number, and whether it is its next value.
pub(crate) type Replace<'r> = &'r dyn Fn(&mut Terms, Term, usize, bool) -> Option<Term>;

/// Terms in which other terms stand for some variables.
pub(crate) fn substitute(terms: &mut Terms, roots: &[Term], replace: Replace<'_>) -> Vec<Term> {
    let mut rebuilt: HashMap<Term, Term> = HashMap::new();
    for term in below(terms, roots) {
        let new = match *terms.node(term) {
            Node::Variable { variable, next } => replace(terms, term, variable, next).unwrap_or(term),
            _ => rebuild(terms, term, &rebuilt),
        };
        rebuilt.insert(term, new);
    }
    roots.iter().map(|root| rebuilt[root]).collect()
}

/// All terms that these are made of, operands first.
pub(crate) fn below(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let mut seen: HashSet<Term> = roots.iter().copied().collect();
    let mut open: Vec<Term> = seen.iter().copied().collect();
    while let Some(term) = open.pop() {
        open.extend(terms.operands(term).into_iter().filter(|&operand| seen.insert(operand)));
    }
    let mut all: Vec<Term> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// The same node over operands that are rebuilt.
fn rebuild(terms: &mut Terms, term: Term, rebuilt: &HashMap<Term, Term>) -> Term {
    let (kind, is_set) = (terms.kind(term), terms.is_set(term));
    let new = |operand: &Term| rebuilt[operand];
    let node = match terms.node(term).clone() {
        Node::Apply(op, operands) => return applied(terms, op, operands.iter().map(new).collect(), kind),
        Node::If(condition, yes, no) => {
            let (condition, yes, no) = (new(&condition), new(&yes), new(&no));
            match *terms.node(condition) {
                Node::Const(Value::Bool(true)) => return yes,
                Node::Const(Value::Bool(false)) => return no,
                _ if yes == no && !is_set => return yes,
                _ => Node::If(condition, yes, no),
            }
        }
        Node::Set(members) => Node::Set(members.iter().map(new).collect()),
        Node::Member(left, right) => Node::Member(new(&left), new(&right)),
        Node::Temporal(operator, operands, bounds) => {
            Node::Temporal(operator, operands.iter().map(new).collect(), bounds)
        }
        node @ (Node::Const(_) | Node::Variable { .. } | Node::Lack(..) | Node::Range(..)) => node,
    };
    if is_set { terms.add_set(node, kind) } else { terms.add(node, kind) }
}

/// An operator applied, simplified if truth values are known.
fn applied(terms: &mut Terms, op: Op, operands: Vec<Term>, kind: Type) -> Term {
    let truth = |terms: &Terms, term: Term| match *terms.node(term) {
        Node::Const(Value::Bool(value)) => Some(value),
        _ => None,
    };
    match (op, &operands[..]) {
        (Op::Not, &[a]) => terms.not(a),
        (Op::And | Op::Or, &[a, b]) if kind == Type::Bool => {
            let stop = Some(op == Op::Or);
            if truth(terms, a) == stop || truth(terms, b) == stop {
                return terms.bool(op == Op::Or);
            }
            if op == Op::And { terms.and(a, b) } else { terms.or(a, b) }
        }
        (Op::Iff | Op::Xor, &[a, b]) if kind == Type::Bool => {
            let differ = op == Op::Xor;
            match (truth(terms, a), truth(terms, b)) {
                (Some(value), _) if value != differ => b,
                (Some(_), _) => terms.not(b),
                (_, Some(value)) if value != differ => a,
                (_, Some(_)) => terms.not(a),
                _ if a == b => terms.bool(!differ),
                _ => terms.add(Node::Apply(op, operands), kind),
            }
        }
        (Op::Eq, &[a, b]) => match (terms.node(a), terms.node(b)) {
            (Node::Variable { .. }, _) if a == b => terms.bool(true),
            (Node::Const(left), Node::Const(right)) => {
                let same = left == right;
                terms.bool(same)
            }
            _ => terms.add(Node::Apply(op, operands), kind),
        },
        _ => terms.add(Node::Apply(op, operands), kind),
    }
}

/// The next value of a variable.
pub(crate) fn next_value(terms: &mut Terms, term: Term, variable: usize, _: bool) -> Option<Term> {
    let kind = terms.kind(term);
    Some(terms.add(Node::Variable { variable, next: true }, kind))
}
