//! Conditions that no marking below a label of a coverability graph satisfies.
//!
//! **Problem.** A complete coverability graph says of every reachable marking that it is below one of finitely many
//! labels. What else is true of it the graph does not say.
//!
//! **Idea.** Evaluate the condition over all markings below a label at once: every place has a count between 0 and the
//! label's, expressions have intervals, and formulas may hold, may fail, or both. Where a condition may not hold below
//! any label, it holds in no reachable marking. The intervals forget how counts depend on each other, so the converse
//! does not follow.

use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, Pool};
use crate::net::{PetriNet, PlaceId, TransitionId};

/// Least and greatest value; `None` where there is no bound.
type Interval = (Option<i128>, Option<i128>);

/// May a condition hold, and may it fail?
type Possible = (bool, bool);

/// The markings below one label.
pub(in crate::decide) struct Below<'a, L> {
    pub(in crate::decide) net: &'a PetriNet,
    pub(in crate::decide) pool: &'a Pool,
    /// The greatest count of a place; `None` for any number.
    pub(in crate::decide) label: L,
}

impl<L: Fn(PlaceId) -> Option<u64>> Below<'_, L> {
    /// May a condition (of bounded depth, without temporal operators) hold somewhere, and may it fail?
    pub(in crate::decide) fn possible(&self, condition: FormulaId) -> Possible {
        let both = |parts: &[FormulaId], all: bool| {
            let mut result = (all, !all);
            for &part in parts {
                let (holds, fails) = self.possible(part);
                result = match all {
                    true => (result.0 && holds, result.1 || fails),
                    false => (result.0 || holds, result.1 && fails),
                };
            }
            result
        };
        match &self.pool[condition] {
            Formula::True => (true, false),
            Formula::False => (false, true),
            Formula::Deadlock => (!self.net.transition_ids().any(|t| self.always_enabled(t)), true),
            Formula::Still(_) => (true, true),
            Formula::Enabled(transitions) => {
                let never_fails = transitions.iter().any(|&t| self.always_enabled(t));
                (transitions.iter().any(|&t| self.may_be_enabled(t)), !never_fails)
            }
            &Formula::Compare(a, comparison, b) => self.compare(self.interval(a), comparison, self.interval(b)),
            Formula::Not(a) => {
                let (holds, fails) = self.possible(*a);
                (fails, holds)
            }
            Formula::And(parts) => both(parts, true),
            Formula::Or(parts) => both(parts, false),
            Formula::Implies(a, b) => {
                let ((a_holds, a_fails), (b_holds, b_fails)) = (self.possible(*a), self.possible(*b));
                (a_fails || b_holds, a_holds && b_fails)
            }
            _ => (true, true),
        }
    }

    fn may_be_enabled(&self, t: TransitionId) -> bool {
        self.net.transition(t).pre.iter().all(|arc| (self.label)(arc.place).is_none_or(|most| most >= arc.weight))
    }

    fn always_enabled(&self, t: TransitionId) -> bool {
        let transition = self.net.transition(t);
        transition.pre.is_empty() && transition.inhibitors.is_empty()
    }

    fn compare(&self, (a_least, a_most): Interval, comparison: Comparison, (b_least, b_most): Interval) -> Possible {
        let below = |x: Option<i128>, y: Option<i128>| x.zip(y).is_some_and(|(x, y)| x < y);
        // a is always less than b, a is always greater, both are always the same number.
        let (less, greater) = (below(a_most, b_least), below(b_most, a_least));
        let same = a_least.is_some() && a_least == a_most && a_least == b_least && b_least == b_most;
        let (at_most, at_least) = (!greater, !less);
        let touches = |x: Option<i128>, y: Option<i128>| x.is_some() && x == y;
        match comparison {
            Comparison::Eq => (at_most && at_least, !same),
            Comparison::Ne => (!same, at_most && at_least),
            // a ≤ b may hold unless a is always greater; it may fail unless the greatest a is at most the least b.
            Comparison::Le => (at_most, !(less || touches(a_most, b_least))),
            Comparison::Gt => (!(less || touches(a_most, b_least)), at_most),
            Comparison::Ge => (at_least, !(greater || touches(b_most, a_least))),
            Comparison::Lt => (!(greater || touches(b_most, a_least)), at_least),
        }
    }

    fn interval(&self, expr: ExprId) -> Interval {
        match &self.pool[expr] {
            Expr::Const(value) => (Some(*value), Some(*value)),
            Expr::Tokens(places) => {
                let most =
                    places.iter().try_fold(0i128, |sum, &place| sum.checked_add(i128::from((self.label)(place)?)));
                (Some(0), most)
            }
            Expr::Neg(a) => {
                let (least, most) = self.interval(*a);
                (most.and_then(i128::checked_neg), least.and_then(i128::checked_neg))
            }
            Expr::Add(parts) => parts.iter().fold((Some(0), Some(0)), |(least, most), &part| {
                let (a, b) = self.interval(part);
                let plus = |x: Option<i128>, y: Option<i128>| x.zip(y).and_then(|(x, y)| i128::checked_add(x, y));
                (plus(least, a), plus(most, b))
            }),
            Expr::Mul(a, b) => match (self.interval(*a), self.interval(*b)) {
                ((Some(least), Some(most)), factor) if least == most => scaled(factor, least),
                (factor, (Some(least), Some(most))) if least == most => scaled(factor, least),
                _ => (None, None),
            },
            Expr::Div(..) | Expr::Bounds(_) => (None, None),
        }
    }
}

/// The interval of so many times a number.
fn scaled((least, most): Interval, factor: i128) -> Interval {
    let times = |bound: Option<i128>| bound.and_then(|bound| bound.checked_mul(factor));
    if factor < 0 { (times(most), times(least)) } else { (times(least), times(most)) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::decide::conditions::Condition;
    use crate::formula::{Logic, Symbols, parse};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;
    use crate::structure::{Coverability, Effort};

    /// A condition that is excluded below all labels holds in no reachable marking.
    #[test]
    fn what_is_excluded_holds_nowhere() {
        let (mut excluded, mut absent) = (0, 0);
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape::default());
            let graph = explore(&net, 400).unwrap();
            let effort = Effort { rows: 10_000, work: 10_000_000 };
            let cover = Coverability::new(&net, effort, &Budget::unlimited()).unwrap().unwrap();
            assert!(cover.complete());
            let mut pool = Pool::new();
            for size in 0..5 {
                let drawn = formula(&mut rng, &net, &FormulaShape { logic: Logic::Boolean, size }, &mut pool);
                let Some(condition) = Condition::new(&net, &pool, drawn) else { continue };
                for value in [true, false] {
                    let possible = cover.labels().any(|label| {
                        let (holds, fails) = Below { net: &net, pool: &pool, label }.possible(drawn);
                        if value { holds } else { fails }
                    });
                    let found = graph.markings.iter().any(|marking| condition.holds(marking) == Some(value));
                    assert!(possible || !found, "seed {seed} size {size} {value}");
                    excluded += usize::from(!possible);
                    absent += usize::from(!found);
                }
            }
        }
        assert!(excluded * 4 > absent && excluded > 100, "{excluded} of {absent}");
    }
    /// Below the label ω of p and 3 of q.
    #[test]
    fn products_with_a_constant_have_bounds() {
        let mut b = crate::net::NetBuilder::new("n");
        let p = b.place("p", 0).unwrap();
        b.place("q", 0).unwrap();
        let net = b.build().unwrap();
        for (text, holds, fails) in [
            ("2 * #q <= 6", true, false),
            ("2 * #q <= 5", true, true),
            ("#q * 2 >= 7", false, true),
            ("-2 * #q <= -7", false, true),
            ("-2 * #q + 6 >= 0", true, false),
            ("3 * #p >= 0", true, false),
            ("3 * #p <= 100", true, true),
            ("-3 * #p > 0", false, true),
            ("-3 * #p >= -100", true, true),
            ("#p * #q >= 0", true, true),
        ] {
            let mut pool = Pool::new();
            let condition = parse(text, &Symbols::of(&net), &mut pool).unwrap();
            let label = |place| (place != p).then_some(3);
            let below = Below { net: &net, pool: &pool, label };
            assert_eq!(below.possible(condition), (holds, fails), "{text}");
        }
    }
}
