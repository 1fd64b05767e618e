//! Negation normal form, one node at a time: when a formula, or its negation, holds.
//!
//! Evaluation and justification over a run both need, for a node and a sign, what its operands must be. Here
//! all operators are reduced to six shapes:
//!
//! | | holds | its negation holds |
//! |---|---|---|
//! | `a U b` | until(a, b) | weak(¬b, ¬a ∧ ¬b) |
//! | `a R b` | weak(b, a ∧ b) | until(¬a, ¬b) |
//! | `a W b` | weak(a, b) | until(¬b, ¬a ∧ ¬b) |
//! | `a M b` | until(b, a ∧ b) | weak(¬a, ¬b) |
//! | `F a`, `G a` | until(true, a), weak(a, false) | weak(¬a, false), until(true, ¬a) |
//!
//! | `Y a`, `Z a` | before(a), weak before(a) | weak before(¬a), before(¬a) |
//! | `a S b` | so far(a, b) | weak so far(¬b, ¬a ∧ ¬b) |
//! | `a T b` | weak so far(b, a ∧ b) | so far(¬a, ¬b) |
//!
//! where until(c, d) says that d holds at some position and c at all before it, and weak(c, d) is that or c at all
//! positions; and so far(c, d) that d holds here or did before, and c since then, weakly that or c at all positions so
//! far.

use super::Part;
use crate::formula::{Formula, FormulaId, Pool};

/// A conjunction; of nothing: true.
pub(super) type Parts = Vec<Part>;

/// When a formula or its negation holds at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// It is an atom or has a path quantifier outermost.
    Leaf,
    /// All of one of these hold.
    Choice(Vec<Parts>),
    /// There is a next position, and this holds there.
    Next(Part),
    /// The second holds at some position from here, the first before it.
    Until(Parts, Parts),
    /// As `Until`, or the first holds at all positions from here; without a second, only that.
    Weak(Parts, Option<Parts>),
    /// There is a position before and this holds there; or there is none, where that is true enough.
    Before(Part, bool),
    /// The second holds here or did before, the first since then; or the first from the beginning on, where that is
    /// true enough.
    SoFar(Parts, Parts, bool),
}

/// What holds again and again, if that is what a part says: `G F p`, or the negation of `F G ¬p`.
pub fn again_and_again(pool: &Pool, part: Part) -> Option<Part> {
    let Part { formula, holds } = part;
    let inner = match (&pool[formula], holds) {
        (&Formula::Globally(inner), true) | (&Formula::Finally(inner), false) => inner,
        _ => return None,
    };
    match (&pool[inner], holds) {
        (&Formula::Finally(body), true) | (&Formula::Globally(body), false) => Some(Part { formula: body, holds }),
        _ => None,
    }
}

/// When `formula` holds (`holds`) or its negation does.
pub(super) fn rule(pool: &Pool, formula: FormulaId, holds: bool) -> Rule {
    let is = |&formula: &FormulaId| Part { formula, holds: true };
    let not = |&formula: &FormulaId| Part { formula, holds: false };
    let signed = |&formula: &FormulaId| Part { formula, holds };
    let all = |operands: &[FormulaId]| Rule::Choice(vec![operands.iter().map(signed).collect()]);
    let any = |operands: &[FormulaId]| Rule::Choice(operands.iter().map(|a| vec![signed(a)]).collect());
    match (&pool[formula], holds) {
        (Formula::True, true) | (Formula::False, false) => Rule::Choice(vec![vec![]]),
        (Formula::True, false) | (Formula::False, true) => Rule::Choice(vec![]),
        (Formula::Not(a), _) => Rule::Choice(vec![vec![Part { formula: *a, holds: !holds }]]),
        (Formula::And(operands), true) | (Formula::Or(operands), false) => all(operands),
        (Formula::And(operands), false) | (Formula::Or(operands), true) => any(operands),
        (Formula::Implies(a, b), true) => Rule::Choice(vec![vec![not(a)], vec![is(b)]]),
        (Formula::Implies(a, b), false) => Rule::Choice(vec![vec![is(a), not(b)]]),
        (Formula::Iff(a, b), true) => Rule::Choice(vec![vec![is(a), is(b)], vec![not(a), not(b)]]),
        (Formula::Iff(a, b), false) => Rule::Choice(vec![vec![is(a), not(b)], vec![not(a), is(b)]]),
        (Formula::Next(a), _) => Rule::Next(signed(a)),
        (Formula::Finally(a), true) | (Formula::Globally(a), false) => Rule::Until(vec![], vec![signed(a)]),
        (Formula::Finally(a), false) | (Formula::Globally(a), true) => Rule::Weak(vec![signed(a)], None),
        (Formula::Until(a, b), true) => Rule::Until(vec![is(a)], vec![is(b)]),
        (Formula::Until(a, b), false) => Rule::Weak(vec![not(b)], Some(vec![not(a), not(b)])),
        (Formula::Release(a, b), true) => Rule::Weak(vec![is(b)], Some(vec![is(a), is(b)])),
        (Formula::Release(a, b), false) => Rule::Until(vec![not(a)], vec![not(b)]),
        (Formula::WeakUntil(a, b), true) => Rule::Weak(vec![is(a)], Some(vec![is(b)])),
        (Formula::WeakUntil(a, b), false) => Rule::Until(vec![not(b)], vec![not(a), not(b)]),
        (Formula::StrongRelease(a, b), true) => Rule::Until(vec![is(b)], vec![is(a), is(b)]),
        (Formula::StrongRelease(a, b), false) => Rule::Weak(vec![not(a)], Some(vec![not(b)])),
        (Formula::Yesterday(a), _) => Rule::Before(signed(a), !holds),
        (Formula::WeakYesterday(a), _) => Rule::Before(signed(a), holds),
        (Formula::Since(a, b), true) => Rule::SoFar(vec![is(a)], vec![is(b)], false),
        (Formula::Since(a, b), false) => Rule::SoFar(vec![not(b)], vec![not(a), not(b)], true),
        (Formula::Trigger(a, b), true) => Rule::SoFar(vec![is(b)], vec![is(a), is(b)], true),
        (Formula::Trigger(a, b), false) => Rule::SoFar(vec![not(a)], vec![not(b)], false),
        (
            Formula::Deadlock
            | Formula::Still(_)
            | Formula::Enabled(_)
            | Formula::Label(_)
            | Formula::Set(_)
            | Formula::Compare(..)
            | Formula::Action(_)
            | Formula::Diamond(..)
            | Formula::Box(..)
            | Formula::Exists(_)
            | Formula::Forall(_),
            _,
        ) => Rule::Leaf,
    }
}
