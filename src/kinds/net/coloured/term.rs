//! Terms: expressions whose value is one colour.
//!
//! A term is evaluated under a *binding* of the variables of its transition, which may be partial: a term
//! with an unbound variable has no value yet. Terms are well sorted by construction (their reader checks
//! them), so sizes are all that is left of sorts here.

use std::sync::Arc;

/// The value of a variable that is not bound.
pub(crate) const UNBOUND: u64 = u64::MAX;

/// An expression for one colour. Evaluation recurses over it: its depth must be bounded by whoever builds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    /// This colour.
    Constant(u64),
    /// The value of this variable of the transition.
    Variable(usize),
    /// The colour `by` places further round a cyclic sort of `size` colours; `by < size`.
    Shift {
        /// Where to start.
        of: Box<Term>,
        /// How far to go.
        by: u64,
        /// Number of colours of the sort.
        size: u64,
    },
    /// A tuple: the components, each with the number of colours of its sort.
    Tuple(Vec<(Term, u64)>),
    /// The class of a colour in a partition of its sort.
    Class {
        /// The colour.
        of: Box<Term>,
        /// For each colour of the sort, its class.
        classes: Arc<[u64]>,
    },
}

impl Term {
    /// The term moved `by` places round a cyclic sort of `size` colours.
    #[must_use]
    pub(crate) fn shifted(self, by: u64, size: u64) -> Term {
        match self {
            Term::Constant(colour) => Term::Constant((colour + by) % size),
            Term::Shift { of, by: before, .. } => of.shifted((before + by) % size, size),
            term if by == 0 => term,
            term => Term::Shift { of: Box::new(term), by, size },
        }
    }

    /// The value under a binding, unless an unbound variable is needed for it.
    pub(crate) fn value(&self, binding: &[u64]) -> Option<u64> {
        match self {
            Term::Constant(colour) => Some(*colour),
            Term::Variable(variable) => binding.get(*variable).copied().filter(|&value| value != UNBOUND),
            Term::Shift { of, by, size } => Some((of.value(binding)? + by) % size),
            Term::Tuple(components) => components
                .iter()
                .try_fold(0, |colour, (component, size)| Some(colour * size + component.value(binding)?)),
            Term::Class { of, classes } => classes.get(usize::try_from(of.value(binding)?).ok()?).copied(),
        }
    }

    /// Call `visit` for each occurrence of a variable.
    pub(crate) fn variables(&self, visit: &mut dyn FnMut(usize)) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(variable) => visit(*variable),
            Term::Shift { of, .. } | Term::Class { of, .. } => of.variables(visit),
            Term::Tuple(components) => components.iter().for_each(|(component, _)| component.variables(visit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_go_round_and_add_up() {
        let next = |term: Term| term.shifted(1, 3);
        let x = Term::Variable(0);
        assert_eq!(next(next(x.clone())).value(&[2]), Some(1));
        assert_eq!(next(next(next(x.clone()))).value(&[2]), Some(2));
        assert_eq!(next(Term::Constant(2)), Term::Constant(0));
        assert_eq!(next(x).value(&[UNBOUND]), None);
    }

    #[test]
    fn tuples_need_all_their_components() {
        let pair = Term::Tuple(vec![(Term::Variable(0), 4), (Term::Variable(1), 5)]);
        assert_eq!(pair.value(&[3, 2]), Some(17));
        assert_eq!(pair.value(&[3, UNBOUND]), None);
        let class = Term::Class { of: Box::new(Term::Variable(0)), classes: Arc::from([0, 0, 1]) };
        assert_eq!(class.value(&[2]), Some(1));
    }
}
