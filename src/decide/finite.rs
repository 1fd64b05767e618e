//! Questions about finite runs.
//!
//! `A φ` says that all runs that end satisfy φ, `E φ` that some does. A run that satisfies φ, or violates it, is the beginning of an
//! infinite path that an automaton accepts ([`finite::ending`]); so the question is one about an automaton, which both engines
//! answer, and the witness is cut where the run is over ([`crate::witness::FiniteRuns`]).
//!
//! There is one quantifier, in front. One inside would be about runs from states in the middle of a run, and its sat-set is not what
//! an automaton reads. Where time passes, a run would have to say when it is over.

use super::task::Question;
use crate::automaton::{TranslationError, finite};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::TransitionSystem;

/// Why a formula is not asked of finite runs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotFinite {
    /// Time passes in the model.
    #[error("finite runs are not asked of models in which time passes; leave out --paths finite")]
    Time,
    /// Assumptions about infinite behaviour.
    #[error("finite runs know no fairness: leave out --paths finite, or the assumptions")]
    Fairness,
    /// No quantifier in front, but below `!` or `&`.
    #[error(
        "about finite runs write one path quantifier in front, `A` or `E`; ask operands of `!`, `&`, `|` one by one"
    )]
    Quantifier,
    /// Quantifiers inside.
    #[error("about finite runs path quantifiers and modalities inside of others are not asked yet")]
    Nested,
    /// The end is no condition on single states.
    #[error("where runs end is a condition on single states, without path quantifiers")]
    Last,
    /// There is no automaton.
    #[error(transparent)]
    Translation(#[from] TranslationError),
}

impl Question {
    /// The question whether all finite runs from the initial states satisfy a path formula of `pool`, or some do; a run may end
    /// where `last` holds, in deadlocks if there is none. Without a quantifier it is about all of them.
    ///
    /// ```
    /// use starset::budget::Budget;
    /// use starset::decide::Question;
    /// use starset::formula::{Pool, Symbols, parse_finite};
    /// use starset::net::NetBuilder;
    /// let mut b = NetBuilder::new("n");
    /// b.place("p", 1)?;
    /// let net = b.build()?;
    /// let mut pool = Pool::new();
    /// let (formula, _) = parse_finite("G (#p = 1 | N false)", &Symbols::new(&net), &mut pool)?;
    /// assert!(Question::finite(&mut pool, &net, formula, None, &Budget::unlimited()).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`].
    pub fn finite(
        pool: &mut Pool,
        model: &dyn TransitionSystem,
        formula: FormulaId,
        last: Option<FormulaId>,
        budget: &Budget,
    ) -> Result<Question, NotFinite> {
        if model.tick().is_some() {
            return Err(NotFinite::Time);
        }
        let (path, accepted) = match pool[formula] {
            Formula::Exists(path) => (path, true),
            Formula::Forall(path) => (path, false),
            _ if pool.is_state(formula) && has_quantifier(pool, formula) => return Err(NotFinite::Quantifier),
            _ => (formula, false),
        };
        if has_quantifier(pool, path) {
            return Err(NotFinite::Nested);
        }
        if last.is_some_and(|last| !pool.is_state(last) || has_quantifier(pool, last)) {
            return Err(NotFinite::Last);
        }
        let shown = pool.add(if accepted { Formula::Exists(path) } else { Formula::Forall(path) });
        let (automaton, propositions) = finite::ending(pool, path, !accepted, last, budget)?;
        let last = Some(last.unwrap_or_else(|| pool.add(Formula::Deadlock)));
        Ok(Question::Automaton { automaton, propositions, shown, accepted, paths: PathSemantics::Stutter, last })
    }
}

fn has_quantifier(pool: &Pool, formula: FormulaId) -> bool {
    let quantified = |part: FormulaId| {
        matches!(pool[part], Formula::Exists(_) | Formula::Forall(_) | Formula::Diamond(..) | Formula::Box(..))
    };
    pool.subformulas(&[formula]).into_iter().any(quantified)
}
