//! Witnesses and counterexamples: runs of the net or network that show why a formula has its value.
//!
//! **Problem.** A verdict of a model checker is hard to believe and of little use without a reason. For `E φ`
//! that holds and `A φ` that does not, one path is the reason; the formulas inside φ may need paths of their
//! own, from the markings on it; and a reason that is wrong is worse than none.
//!
//! **Idea.** A [`Witness`] is a list of [`Run`]s, each for one path quantifier in one marking: the transitions
//! fired, the markings passed, and how the run goes on (a cycle, a deadlock, or anyhow). Every position
//! carries the [`Part`]s of the formula that it justifies, and a [`Reason`] for those that contain path
//! quantifiers: another run of the same witness, or that it was *computed* (an `A φ` that holds, an `E φ` that
//! does not: no single path shows it). Engines supply runs and truth values (`Judge`); `explain()` puts them
//! together.
//!
//! **Invariant.** `explain()` returns only what `replay()` accepts. The replay shares nothing with the
//! engines: it fires the transitions by the firing rule of the model ([`crate::model::TransitionSystem`]), evaluates atoms on the markings,
//! and evaluates the path formula over the run from the definition of the operators. What was computed it
//! looks up in the sat-set.
//!
//! Runs are shared: a formula that needs justification twice in the same marking is shown once. Their number
//! is limited; beyond it, reasons are "computed".
//!
//! Tree-like counterexamples: Clarke, Jha, Lu and Veith, "Tree-like counterexamples in model checking",
//! LICS 2002.

mod accepted;
mod confirm;
mod explain;
mod finite;
mod labels;
mod lasso;
mod local;
mod replay;
mod rule;
mod shorten;
mod symbolic;
mod table;
#[cfg(test)]
mod tests;
mod valuation;
mod way;

pub use accepted::{confirm_accepted, explain_accepted};
pub use confirm::{Claim, Unconfirmed, confirm, confirm_loop, confirm_reached};
pub use explain::Unexplained;
pub use finite::{FiniteRuns, confirm_finite, explain_finite};
pub use labels::{explain_by_labels, explain_way_by_labels};
pub use lasso::explain_search;
pub use local::explain_locally;
pub use replay::Broken;
pub use rule::again_and_again;
pub use shorten::{Effort, shorten, shorten_finite};
pub use symbolic::{explain_by_sets, explain_way_by_sets};

#[cfg(test)]
pub(crate) use tests::Valued;

use crate::formula::{FormulaId, PathSemantics};
use crate::model::Step;
use crate::net::Marking;

/// Why a state formula has its value in the initial marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The semantics of paths.
    pub paths: PathSemantics,
    /// Why the formula holds or not.
    pub reason: Reason,
    /// The runs that reasons refer to, by number. A run refers to later ones only.
    pub runs: Vec<Run>,
}

/// Why a state formula has its value in one marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The formula.
    pub formula: FormulaId,
    /// Whether it holds.
    pub holds: bool,
    /// Why.
    pub because: Because,
}

/// The kinds of reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Because {
    /// The formula is a condition on the marking alone.
    Marking,
    /// These parts of a Boolean combination decide it.
    Parts(Vec<Reason>),
    /// The run with this number starts in the marking, and satisfies (`E φ`) or violates (`A φ`) φ.
    Run(usize),
    /// The sat-set says so: no single path could show it, or enough runs are shown already.
    Computed,
}

/// A path from some marking that satisfies φ, for `E φ`, or violates it, for `A φ`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// `E φ` or `A φ`.
    pub formula: FormulaId,
    /// The markings passed, in order; at least one.
    pub positions: Vec<Position>,
    /// The steps taken: each leads from the position with its index to the next, in a loop the last one
    /// to where the loop starts.
    pub fired: Vec<Step>,
    /// How the run goes on.
    pub end: End,
    /// No run that shows the same from there has fewer steps than this, as far as is proved ([`shorten`]).
    pub least: usize,
}

/// How a run goes on after its last position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It does not matter: every path that begins so will do.
    Open,
    /// The last marking is a deadlock: the path ends, or the marking repeats for ever (under `stutter`).
    Deadlock,
    /// It goes on at this position, for ever.
    Loop(usize),
    /// It is a finite run, which is over, whether more can happen or not.
    Final,
}

/// A marking on a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The marking.
    pub marking: Marking,
    /// The parts of the path formula that are used here.
    pub parts: Vec<Part>,
    /// Why, for those with path quantifiers.
    pub reasons: Vec<Reason>,
}

/// A subformula that is used at a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The subformula.
    pub formula: FormulaId,
    /// Whether it, or its negation, holds there.
    pub holds: bool,
}

impl Run {
    /// The position that follows a position, if the run says.
    fn next(&self, position: usize) -> Option<usize> {
        table::Shape::of(self).next(position)
    }
}
