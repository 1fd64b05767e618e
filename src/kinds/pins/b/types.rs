//! Types, and their unification.
//!
//! The types of B are built from numbers, truth values, strings and given sets by power sets, products and records.
//! Inference is unification (Robinson 1965) with one union-find of type variables for the whole model; what is
//! overloaded (`-` and `*` on numbers or sets) waits until its types are known.

use std::fmt;
use std::sync::Arc;

use super::error::{Error, Pos, Res};

/// A name.
pub(super) type Name = Arc<str>;

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Type {
    /// Not inferred yet.
    Unknown,
    /// To be found.
    Var(u32),
    /// Predicates.
    Predicate,
    /// Integers.
    Int,
    /// Truth values.
    Bool,
    /// Strings.
    Text,
    /// Elements of a given set.
    Given(u32),
    /// Sets of.
    Set(Arc<Type>),
    /// Pairs of.
    Pair(Arc<(Type, Type)>),
    /// Records: fields by name.
    Record(Arc<[(Name, Type)]>),
}

impl Type {
    /// Sets of this type.
    pub(super) fn set(self) -> Type {
        Type::Set(Arc::new(self))
    }

    /// Pairs.
    pub(super) fn pair(left: Type, right: Type) -> Type {
        Type::Pair(Arc::new((left, right)))
    }

    /// Relations.
    pub(super) fn relation(left: Type, right: Type) -> Type {
        Type::pair(left, right).set()
    }

    /// The type of the elements, of a set type.
    pub(super) fn element(&self) -> Option<&Type> {
        match self {
            Type::Set(inner) => Some(inner),
            _ => None,
        }
    }

    /// The types of domain and range, of a relation type.
    pub(super) fn sides(&self) -> Option<(&Type, &Type)> {
        match self.element()? {
            Type::Pair(pair) => Some((&pair.0, &pair.1)),
            _ => None,
        }
    }

    /// How the type is written, given the names of the given sets.
    pub(super) fn show(&self, sets: &[String]) -> String {
        match self {
            Type::Unknown => "?".into(),
            Type::Var(n) => format!("?{n}"),
            Type::Predicate => "predicate".into(),
            Type::Int => "INTEGER".into(),
            Type::Bool => "BOOL".into(),
            Type::Text => "STRING".into(),
            Type::Given(n) => sets.get(*n as usize).cloned().unwrap_or_else(|| format!("set {n}")),
            Type::Set(inner) => format!("POW({})", inner.show(sets)),
            Type::Pair(pair) => format!("({}*{})", pair.0.show(sets), pair.1.show(sets)),
            Type::Record(fields) => {
                let fields: Vec<_> = fields.iter().map(|(name, ty)| format!("{name}:{}", ty.show(sets))).collect();
                format!("struct({})", fields.join(", "))
            }
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(&[]))
    }
}

/// Type variables and what they stand for.
#[derive(Debug, Default)]
pub(super) struct Unifier {
    bound: Vec<Option<Type>>,
    /// Names of given sets, for messages.
    pub sets: Vec<String>,
}

impl Unifier {
    /// A new type variable.
    pub(super) fn fresh(&mut self) -> Type {
        self.bound.push(None);
        Type::Var(self.bound.len() as u32 - 1)
    }

    /// The meaning of a type, at its top.
    pub(super) fn top(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        while let Type::Var(n) = ty {
            match &self.bound[n as usize] {
                Some(next) => ty = next.clone(),
                None => break,
            }
        }
        ty
    }

    /// The meaning of a type, everywhere.
    pub(super) fn resolve(&self, ty: &Type) -> Type {
        match self.top(ty) {
            Type::Set(inner) => self.resolve(&inner).set(),
            Type::Pair(pair) => Type::pair(self.resolve(&pair.0), self.resolve(&pair.1)),
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(name, ty)| (name.clone(), self.resolve(ty))).collect())
            }
            other => other,
        }
    }

    /// Is there a variable left in it?
    pub(super) fn open(&self, ty: &Type) -> bool {
        match self.top(ty) {
            Type::Var(_) | Type::Unknown => true,
            Type::Set(inner) => self.open(&inner),
            Type::Pair(pair) => self.open(&pair.0) || self.open(&pair.1),
            Type::Record(fields) => fields.iter().any(|(_, ty)| self.open(ty)),
            _ => false,
        }
    }

    fn occurs(&self, var: u32, ty: &Type) -> bool {
        match self.top(ty) {
            Type::Var(n) => n == var,
            Type::Set(inner) => self.occurs(var, &inner),
            Type::Pair(pair) => self.occurs(var, &pair.0) || self.occurs(var, &pair.1),
            Type::Record(fields) => fields.iter().any(|(_, ty)| self.occurs(var, ty)),
            _ => false,
        }
    }

    /// Can the two be made equal? Then they are.
    pub(super) fn unify(&mut self, a: &Type, b: &Type) -> bool {
        match (self.top(a), self.top(b)) {
            (Type::Var(n), Type::Var(m)) if n == m => true,
            (Type::Var(n), other) | (other, Type::Var(n)) => {
                if self.occurs(n, &other) {
                    return false;
                }
                self.bound[n as usize] = Some(other);
                true
            }
            (Type::Set(a), Type::Set(b)) => self.unify(&a, &b),
            (Type::Pair(a), Type::Pair(b)) => self.unify(&a.0, &b.0) && self.unify(&a.1, &b.1),
            (Type::Record(a), Type::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.0 == b.0 && self.unify(&a.1, &b.1))
            }
            (a, b) => a == b,
        }
    }

    /// Makes two types equal.
    ///
    /// # Errors
    /// When they are not.
    pub(super) fn same(&mut self, have: &Type, want: &Type, pos: Pos) -> Res<()> {
        if self.unify(have, want) {
            return Ok(());
        }
        let (have, want) = (self.resolve(have).show(&self.sets), self.resolve(want).show(&self.sets));
        Err(Error::typing(pos, format!("this is of type {have}, but should be of type {want}")))
    }
}
