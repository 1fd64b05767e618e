//! The nodes of the formulas of CTL*, and of the integer expressions in them.
//!
//! State and path formulas share one type; [`Pool::is_state`](super::Pool::is_state) tells them apart (a state formula has every
//! temporal operator inside a path quantifier). Every state formula is also a path formula, true of a path
//! when it holds in the path's first marking.
//!
//! Operands are indices of nodes in a [`Pool`](super::Pool). Names do not occur here: atoms carry indices of places and transitions,
//! resolved by the reader. One name may stand for many of them (a place of a coloured net, all its colours), so atoms take lists.
//!
//! CTL*: Emerson and Halpern, "Sometimes" and "not never" revisited, JACM 33(1), 1986.

use super::id::{ExprId, FormulaId};
use crate::model::{LabelId, Standstill, StateSet};
use crate::net::{PlaceId, TransitionId};
use smallvec::SmallVec;

/// Greatest nesting depth of a formula that the readers accept. A pass that recurses over formulas from the
/// readers needs no more than a small multiple of this many stack frames.
pub const MAX_DEPTH: u32 = 1000;

/// Greatest size of a formula, written as a tree, for which a pass may look at a node each time that it occurs. (A pool keeps each
/// once: an equivalence in negation normal form doubles both sides, and so on below.)
pub(crate) const MAX_SIZE: u32 = 1 << 17;

/// How the two sides of a comparison relate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    /// `=`
    Eq,
    /// `≠`
    Ne,
    /// `<`
    Lt,
    /// `≤`
    Le,
    /// `>`
    Gt,
    /// `≥`
    Ge,
}

impl Comparison {
    /// As formulas write it: `=`, `!=`, `<`, `<=`, `>`, `>=`.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "=",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
        }
    }

    /// Does `left ⋈ right` hold?
    pub fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::Eq => left == right,
            Comparison::Ne => left != right,
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
        }
    }

    /// The least by which the difference of the sides has to change for the comparison to hold; 0 where it does.
    pub(crate) fn lack(self, left: i128, right: i128) -> u128 {
        match self {
            _ if self.holds(&left, &right) => 0,
            Comparison::Ne => 1,
            Comparison::Lt | Comparison::Gt => left.abs_diff(right).saturating_add(1),
            Comparison::Eq | Comparison::Le | Comparison::Ge => left.abs_diff(right),
        }
    }

    /// The comparison that holds exactly where this one does not: `¬(a < b)` is `a ≥ b`.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Lt => Comparison::Ge,
            Comparison::Le => Comparison::Gt,
            Comparison::Gt => Comparison::Le,
            Comparison::Ge => Comparison::Lt,
        }
    }

    /// The comparison with its sides exchanged: `a < b` is `b > a`.
    #[must_use]
    pub(crate) fn swapped(self) -> Self {
        match self {
            Comparison::Eq | Comparison::Ne => self,
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Gt => Comparison::Lt,
            Comparison::Ge => Comparison::Le,
        }
    }
}

/// One node of an integer expression. Subtraction is the sum with a negated operand: `a − b` is `a + (−b)`.
///
/// Values are signed 128-bit integers; a result outside their range is an error of the evaluation, not a
/// wrapped number. Division truncates toward zero, and by zero is an error.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Const(i128),
    /// The sum of the tokens in these places. Sorted; a place occurs as often as it counts.
    Tokens(Vec<PlaceId>),
    /// The maximum over the reachable markings of the sum of the tokens in these places.
    Bounds(Vec<PlaceId>),
    /// The opposite number.
    Neg(ExprId),
    /// The sum of two or more operands.
    Add(Vec<ExprId>),
    /// The product.
    Mul(ExprId, ExprId),
    /// The quotient, truncated toward zero.
    Div(ExprId, ExprId),
}

impl Expr {
    /// The operands, left to right.
    pub fn children(&self) -> SmallVec<[ExprId; 4]> {
        match self {
            Expr::Const(_) | Expr::Tokens(_) | Expr::Bounds(_) => SmallVec::new(),
            Expr::Neg(a) => SmallVec::from_slice(&[*a]),
            Expr::Add(operands) => SmallVec::from_slice(operands),
            Expr::Mul(a, b) | Expr::Div(a, b) => SmallVec::from_slice(&[*a, *b]),
        }
    }

    /// The same node with `f` applied to each operand.
    #[must_use]
    pub(crate) fn map(&self, mut f: impl FnMut(ExprId) -> ExprId) -> Expr {
        match self {
            Expr::Const(_) | Expr::Tokens(_) | Expr::Bounds(_) => self.clone(),
            Expr::Neg(a) => Expr::Neg(f(*a)),
            Expr::Add(operands) => Expr::Add(operands.iter().map(|&a| f(a)).collect()),
            Expr::Mul(a, b) => Expr::Mul(f(*a), f(*b)),
            Expr::Div(a, b) => Expr::Div(f(*a), f(*b)),
        }
    }
}

/// One node of a formula; its operands are in the same [`Pool`](super::Pool).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// No transition is enabled.
    Deadlock,
    /// The model stands still, though time may pass. (Where time is nothing of its own this is `Deadlock`.)
    Still(Standstill),
    /// At least one of these transitions is enabled. Sorted, without repetition; of no transition: false.
    Enabled(Vec<TransitionId>),
    /// A state label of the model holds: a condition that the model itself can tell.
    Label(LabelId),
    /// `%name`: the state is in this set, which is one of states of the model.
    Set(StateSet),
    /// The two integer expressions compare so.
    Compare(ExprId, Comparison, ExprId),
    /// `action(t, …)`: there is a next step, and it is by one of these transitions. Sorted, without repetition. A
    /// path formula: it speaks of a step, not of a marking.
    Action(Vec<TransitionId>),
    /// `⟨a⟩ φ`: some step by one of these transitions, by any if there is no list, leads to φ.
    Diamond(Option<Vec<TransitionId>>, FormulaId),
    /// `[a] φ`: all such steps lead to φ.
    Box(Option<Vec<TransitionId>>, FormulaId),
    /// `¬φ`
    Not(FormulaId),
    /// `φ ∧ …` of two or more operands.
    And(Vec<FormulaId>),
    /// `φ ∨ …` of two or more operands.
    Or(Vec<FormulaId>),
    /// `φ → ψ`
    Implies(FormulaId, FormulaId),
    /// `φ ↔ ψ`
    Iff(FormulaId, FormulaId),
    /// `E φ`: some path from here satisfies φ.
    Exists(FormulaId),
    /// `A φ`: all paths from here satisfy φ.
    Forall(FormulaId),
    /// `X φ`: there is a next position, and φ holds there.
    Next(FormulaId),
    /// `F φ`: φ holds now or later.
    Finally(FormulaId),
    /// `G φ`: φ holds now and at every later position.
    Globally(FormulaId),
    /// `φ U ψ`: ψ holds now or later, and φ until then.
    Until(FormulaId, FormulaId),
    /// `φ R ψ`: ψ holds up to and including the first position where φ does, for ever if there is none.
    Release(FormulaId, FormulaId),
    /// `φ W ψ`: `φ U ψ` or `G φ`.
    WeakUntil(FormulaId, FormulaId),
    /// `φ M ψ`: `φ R ψ` and `F φ`.
    StrongRelease(FormulaId, FormulaId),
    /// `Y φ`: there is a position before this one, and φ holds there.
    Yesterday(FormulaId),
    /// `Z φ`: φ holds at the position before this one, if there is one.
    WeakYesterday(FormulaId),
    /// `φ S ψ`: ψ holds now or held before, and φ since then. `O ψ` is `true S ψ`.
    Since(FormulaId, FormulaId),
    /// `φ T ψ`: ψ holds from the last position on where φ does, there too, or from the first if there is none. `H ψ` is
    /// `false T ψ`.
    Trigger(FormulaId, FormulaId),
}

impl Formula {
    /// The operands that are formulas, left to right.
    pub fn children(&self) -> SmallVec<[FormulaId; 4]> {
        use Formula::*;
        match self {
            True | False | Deadlock | Still(_) | Enabled(_) | Label(_) | Set(_) | Compare(..) | Action(_) => {
                SmallVec::new()
            }
            Not(a)
            | Exists(a)
            | Forall(a)
            | Next(a)
            | Finally(a)
            | Globally(a)
            | Yesterday(a)
            | WeakYesterday(a)
            | Diamond(_, a)
            | Formula::Box(_, a) => SmallVec::from_slice(&[*a]),
            And(operands) | Or(operands) => SmallVec::from_slice(operands),
            Implies(a, b)
            | Iff(a, b)
            | Until(a, b)
            | Release(a, b)
            | WeakUntil(a, b)
            | StrongRelease(a, b)
            | Since(a, b)
            | Trigger(a, b) => SmallVec::from_slice(&[*a, *b]),
        }
    }

    /// The same node with `f` applied to each operand.
    #[must_use]
    pub fn map(&self, mut f: impl FnMut(FormulaId) -> FormulaId) -> Formula {
        use Formula::*;
        match self {
            True | False | Deadlock | Still(_) | Enabled(_) | Label(_) | Set(_) | Compare(..) | Action(_) => {
                self.clone()
            }
            Diamond(transitions, a) => Diamond(transitions.clone(), f(*a)),
            Formula::Box(transitions, a) => Formula::Box(transitions.clone(), f(*a)),
            Not(a) => Not(f(*a)),
            And(operands) => And(operands.iter().map(|&a| f(a)).collect()),
            Or(operands) => Or(operands.iter().map(|&a| f(a)).collect()),
            Implies(a, b) => Implies(f(*a), f(*b)),
            Iff(a, b) => Iff(f(*a), f(*b)),
            Exists(a) => Exists(f(*a)),
            Forall(a) => Forall(f(*a)),
            Next(a) => Next(f(*a)),
            Finally(a) => Finally(f(*a)),
            Globally(a) => Globally(f(*a)),
            Until(a, b) => Until(f(*a), f(*b)),
            Release(a, b) => Release(f(*a), f(*b)),
            WeakUntil(a, b) => WeakUntil(f(*a), f(*b)),
            StrongRelease(a, b) => StrongRelease(f(*a), f(*b)),
            Yesterday(a) => Yesterday(f(*a)),
            WeakYesterday(a) => WeakYesterday(f(*a)),
            Since(a, b) => Since(f(*a), f(*b)),
            Trigger(a, b) => Trigger(f(*a), f(*b)),
        }
    }

    /// Is the outermost operator one of the past: `Y Z S T`, with `O` and `H`?
    pub fn is_past(&self) -> bool {
        use Formula::*;
        matches!(self, Yesterday(_) | WeakYesterday(_) | Since(..) | Trigger(..))
    }

    /// Is the outermost operator one of `X F G U R W M`?
    pub fn is_temporal(&self) -> bool {
        use Formula::*;
        matches!(self, Next(_) | Finally(_) | Globally(_) | Until(..) | Release(..) | WeakUntil(..) | StrongRelease(..))
    }

    /// Does the formula, apart from its operands, speak of steps and their transitions?
    pub(crate) fn is_about_steps(&self) -> bool {
        use Formula::*;
        matches!(self, Action(_) | Diamond(..) | Formula::Box(..))
    }

    /// Is this an atomic proposition of one marking, or a constant?
    pub fn is_atom(&self) -> bool {
        use Formula::*;
        matches!(self, True | False | Deadlock | Still(_) | Enabled(_) | Label(_) | Set(_) | Compare(..))
    }
}

#[cfg(test)]
mod tests {
    use super::Comparison;

    #[test]
    fn comparisons_negate_and_swap() {
        use Comparison::*;
        for c in [Eq, Ne, Lt, Le, Gt, Ge] {
            for (a, b) in [(0, 0), (0, 1), (1, 0)] {
                assert_eq!(c.holds(&a, &b), !c.negated().holds(&a, &b));
                assert_eq!(c.holds(&a, &b), c.swapped().holds(&b, &a));
            }
        }
    }

    /// After so much of a change it can hold, and after less it cannot.
    #[test]
    fn what_a_comparison_lacks_is_the_least_change() {
        use Comparison::*;
        for c in [Eq, Ne, Lt, Le, Gt, Ge] {
            for (a, b) in (-3i128..=3).flat_map(|a| (-3..=3).map(move |b| (a, b))) {
                let least = (0i128..).find(|&change| c.holds(&(a - change), &b) || c.holds(&(a + change), &b));
                assert_eq!(Some(c.lack(a, b)), least.map(i128::unsigned_abs), "{a} {c:?} {b}");
            }
        }
        assert_eq!(Eq.lack(i128::MIN, i128::MAX), u128::MAX);
        assert_eq!(Gt.lack(i128::MIN, i128::MAX), u128::MAX);
    }
}
