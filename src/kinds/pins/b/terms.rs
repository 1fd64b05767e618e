//! Numbers and conditions over variables, as trees: what constraints are made of. Nothing here knows B.

use std::rc::Rc;

/// A variable.
pub(super) type Var = u32;

/// A number.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Const(i64),
    Var(Var),
    /// Terms with coefficients, and a number.
    Sum(Vec<(i64, Term)>, i64),
    Product(Vec<Term>),
    If(Box<(Pred, Term, Term)>),
    /// The term beside the number that the first is; it is one of these.
    Element(Box<Term>, Rc<[(i64, Term)]>),
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Pred {
    Const(bool),
    /// A variable that is 0 or 1.
    Var(Var),
    Not(Box<Pred>),
    And(Vec<Pred>),
    Or(Vec<Pred>),
    Iff(Box<(Pred, Pred)>),
    Equal(Box<(Term, Term)>),
    /// Is a term zero?
    Zero(Term),
    /// Is a term at most zero?
    AtMostZero(Term),
    /// Is a term one of these numbers, which are sorted?
    In(Term, Rc<[i64]>),
    Unknown,
}

/// A conjunction; unknown if a part is.
pub(super) fn all(parts: Vec<Pred>) -> Pred {
    joined(parts, true)
}

/// A disjunction; unknown if a part is.
pub(super) fn any(parts: Vec<Pred>) -> Pred {
    joined(parts, false)
}

fn joined(parts: Vec<Pred>, and: bool) -> Pred {
    let (mut open, mut settled) = (Vec::new(), false);
    for part in parts {
        match (part, and) {
            (Pred::Unknown, _) => return Pred::Unknown,
            (Pred::Const(value), _) => settled |= value != and,
            (Pred::And(inner), true) | (Pred::Or(inner), false) => open.extend(inner),
            (part, _) => open.push(part),
        }
    }
    match open.len() {
        _ if settled => Pred::Const(!and),
        0 => Pred::Const(and),
        1 => open.remove(0),
        _ if and => Pred::And(open),
        _ => Pred::Or(open),
    }
}

/// Are two conditions the same? Unknown if one is.
pub(super) fn same(sides: (Pred, Pred)) -> Pred {
    match sides {
        (Pred::Unknown, _) | (_, Pred::Unknown) => Pred::Unknown,
        (Pred::Const(true), other) | (other, Pred::Const(true)) => other,
        (Pred::Const(false), other) | (other, Pred::Const(false)) => not(other),
        sides => Pred::Iff(Box::new(sides)),
    }
}

/// A negation.
pub(super) fn not(pred: Pred) -> Pred {
    match pred {
        Pred::Const(value) => Pred::Const(!value),
        Pred::Not(inner) => *inner,
        Pred::Unknown => Pred::Unknown,
        pred => Pred::Not(Box::new(pred)),
    }
}

/// 1 or 0; nothing if it is unknown.
pub(super) fn indicator(pred: Pred) -> Option<Term> {
    match pred {
        Pred::Unknown => None,
        Pred::Const(value) => Some(Term::Const(i64::from(value))),
        Pred::Var(var) => Some(Term::Var(var)),
        pred => Some(Term::If(Box::new((pred, Term::Const(1), Term::Const(0))))),
    }
}

/// A sum of terms with coefficients; nothing if a number leaves the words.
pub(super) fn sum(terms: Vec<(i64, Term)>) -> Option<Term> {
    let (mut open, mut constant): (Vec<(i64, Term)>, i64) = (Vec::new(), 0);
    for (factor, term) in terms {
        match term {
            Term::Const(n) => constant = constant.checked_add(factor.checked_mul(n)?)?,
            Term::Sum(inner, more) => {
                constant = constant.checked_add(factor.checked_mul(more)?)?;
                for (by, term) in inner {
                    open.push((factor.checked_mul(by)?, term));
                }
            }
            Term::Var(var) => match open.iter_mut().find(|(_, term)| matches!(term, Term::Var(other) if *other == var))
            {
                Some((by, _)) => *by = by.checked_add(factor)?,
                None => open.push((factor, Term::Var(var))),
            },
            term => open.push((factor, term)),
        }
    }
    open.retain(|(factor, _)| *factor != 0);
    Some(match (&open[..], constant) {
        ([], _) => Term::Const(constant),
        ([(1, _)], 0) => open.remove(0).1,
        _ => Term::Sum(open, constant),
    })
}

/// The variables of a condition.
pub(super) fn variables(pred: &Pred, into: &mut Vec<Var>) {
    match pred {
        Pred::Const(_) | Pred::Unknown => {}
        Pred::Var(var) => into.push(*var),
        Pred::Not(inner) => variables(inner, into),
        Pred::And(parts) | Pred::Or(parts) => parts.iter().for_each(|part| variables(part, into)),
        Pred::Iff(sides) => {
            variables(&sides.0, into);
            variables(&sides.1, into);
        }
        Pred::Equal(sides) => {
            of_term(&sides.0, into);
            of_term(&sides.1, into);
        }
        Pred::Zero(term) | Pred::AtMostZero(term) | Pred::In(term, _) => of_term(term, into),
    }
}

fn of_term(term: &Term, into: &mut Vec<Var>) {
    match term {
        Term::Const(_) => {}
        Term::Var(var) => into.push(*var),
        Term::Sum(terms, _) => terms.iter().for_each(|(_, term)| of_term(term, into)),
        Term::Product(terms) => terms.iter().for_each(|term| of_term(term, into)),
        Term::If(parts) => {
            variables(&parts.0, into);
            of_term(&parts.1, into);
            of_term(&parts.2, into);
        }
        Term::Element(index, cells) => {
            of_term(index, into);
            cells.iter().for_each(|(_, cell)| of_term(cell, into));
        }
    }
}
