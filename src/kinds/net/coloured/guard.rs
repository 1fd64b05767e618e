//! Guards: conditions on the variables of a transition.
//!
//! A guard is evaluated under partial bindings with a third value, unknown (Kleene's strong logic): a
//! conjunction with one false operand is false whatever the others will be. So a binding is abandoned as soon
//! as the variables bound so far decide against it.

use super::term::Term;
use crate::formula::Comparison;

/// A condition on the variables of a transition. Evaluation recurses over it: its depth must be bounded by
/// whoever builds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    /// Always, or never.
    Constant(bool),
    /// Two colours of one sort compare so, in the order of the sort.
    Compare(Term, Comparison, Term),
    /// Not.
    Not(Box<Guard>),
    /// All of these.
    And(Vec<Guard>),
    /// At least one of these.
    Or(Vec<Guard>),
}

impl Guard {
    /// Does it hold? `None` if that depends on unbound variables.
    pub(crate) fn holds(&self, binding: &[u64]) -> Option<bool> {
        match self {
            Guard::Constant(truth) => Some(*truth),
            Guard::Compare(left, comparison, right) => {
                Some(comparison.holds(&left.value(binding)?, &right.value(binding)?))
            }
            Guard::Not(guard) => Some(!guard.holds(binding)?),
            Guard::And(guards) => decided(guards, binding, false),
            Guard::Or(guards) => decided(guards, binding, true),
        }
    }

    /// The operands of an outermost conjunction, at any depth; the guard itself if it is none.
    pub(crate) fn conjuncts(&self) -> Vec<&Guard> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(guard) = open.pop() {
            match guard {
                Guard::And(guards) => open.extend(guards.iter().rev()),
                Guard::Constant(true) => {}
                guard => found.push(guard),
            }
        }
        found
    }

    /// Call `visit` for each occurrence of a variable.
    pub(crate) fn variables(&self, visit: &mut dyn FnMut(usize)) {
        match self {
            Guard::Constant(_) => {}
            Guard::Compare(left, _, right) => {
                left.variables(visit);
                right.variables(visit);
            }
            Guard::Not(guard) => guard.variables(visit),
            Guard::And(guards) | Guard::Or(guards) => guards.iter().for_each(|guard| guard.variables(visit)),
        }
    }
}

/// The conjunction (`decisive` false) or disjunction (`decisive` true).
fn decided(guards: &[Guard], binding: &[u64], decisive: bool) -> Option<bool> {
    let mut known = true;
    for guard in guards {
        match guard.holds(binding) {
            Some(truth) if truth == decisive => return Some(decisive),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(!decisive)
}

#[cfg(test)]
mod tests {
    use super::super::term::UNBOUND;
    use super::*;

    #[test]
    fn partial_bindings_decide_what_they_can() {
        let is = |variable, colour| Guard::Compare(Term::Variable(variable), Comparison::Eq, Term::Constant(colour));
        let both = Guard::And(vec![is(0, 1), is(1, 2)]);
        assert_eq!(both.holds(&[0, UNBOUND]), Some(false));
        assert_eq!(both.holds(&[1, UNBOUND]), None);
        assert_eq!(both.holds(&[1, 2]), Some(true));
        let either = Guard::Or(vec![is(0, 1), is(1, 2)]);
        assert_eq!(either.holds(&[UNBOUND, 2]), Some(true));
        assert_eq!(either.holds(&[UNBOUND, 1]), None);
        assert_eq!(Guard::Not(Box::new(either)).holds(&[0, 0]), Some(true));
        assert_eq!(Guard::And(vec![both.clone(), Guard::Constant(true)]).conjuncts().len(), 2);
    }
}
