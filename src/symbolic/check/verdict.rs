//! The verdict at the initial state, which often needs less than the sat-set.
//!
//! - Boolean operators are decided operand by operand, as far as needed.
//! - Every state is reachable: `EF a` holds initially iff Sat(a) is not empty, `AG a` iff Sat(a) is everything.
//!   So the outermost fixpoint of these is never computed.
//! - The outermost fixpoint of the others is spared where the initial state decides: `E[a U b]` holds where b
//!   does, and fails where neither a nor b does; `EG a` fails where a does; and their relatives.
//! - `EX a` and its relatives are asked of the states that come next ([`super::forward`]).
//! - Of a product with an automaton, the components below that of the initial location are computed in full, if a
//!   run from the initial state can enter them at all. In the initial component it is enough that the initial
//!   state *reaches* an exit, which is a least fixpoint (and none at all where the run can wait for any state), or
//!   else that it stays in the component: a greatest fixpoint (Emerson and Lei's, if strong), which is only begun
//!   if the first does not decide, and which is given up as soon as the initial state has fallen out.
//!
//! Under `infinite`, where not every state begins a path, only the last applies.

use super::{Checker, ProductKind, Route};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::stop_reason::StopReason;
use crate::symbolic::{all_initial_in, initial_set};

impl Checker<'_> {
    /// Are there several initial states?
    pub(crate) fn has_several_starts(&self) -> bool {
        self.relation.has_several_starts()
    }

    /// Does the initial state satisfy a state formula? Decides without the whole sat-set where it can. If there are
    /// several initial states: do all of them?
    ///
    /// # Errors
    /// As [`Checker::sat`].
    pub fn holds_initially(&mut self, pool: &Pool, formula: FormulaId, budget: &Budget) -> Result<bool, StopReason> {
        if let Some(known) = self.known.get(&formula) {
            return all_initial_in(&self.relation, known, budget);
        }
        if self.has_several_starts() {
            return self.initial_in(pool, formula, budget);
        }
        self.check(pool, formula)?;
        match &pool[formula] {
            Formula::Not(a) => Ok(!self.holds_initially(pool, *a, budget)?),
            Formula::And(operands) => self.all_hold(pool, operands, true, budget),
            Formula::Or(operands) => Ok(!self.all_hold(pool, operands, false, budget)?),
            Formula::Implies(a, b) => {
                Ok(!self.holds_initially(pool, *a, budget)? || self.holds_initially(pool, *b, budget)?)
            }
            Formula::Iff(a, b) => {
                Ok(self.holds_initially(pool, *a, budget)? == self.holds_initially(pool, *b, budget)?)
            }
            &Formula::Exists(path) => self.quantified(pool, formula, path, true, budget),
            &Formula::Forall(path) => Ok(!self.quantified(pool, formula, path, false, budget)?),
            _ => self.initial_in(pool, formula, budget),
        }
    }

    fn initial_in(&mut self, pool: &Pool, formula: FormulaId, budget: &Budget) -> Result<bool, StopReason> {
        let set = self.sat(pool, formula, budget)?;
        all_initial_in(&self.relation, &set, budget)
    }

    /// Do all of these hold initially, or (`wanted` false) do all of them fail?
    fn all_hold(
        &mut self,
        pool: &Pool,
        operands: &[FormulaId],
        wanted: bool,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        for &operand in operands {
            if self.holds_initially(pool, operand, budget)? != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does some path from the initial state satisfy the path formula, or (`positive` false) its negation? The
    /// formula is `E path`, or `A path`.
    fn quantified(
        &mut self,
        pool: &Pool,
        formula: FormulaId,
        path: FormulaId,
        positive: bool,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        if self.paths != PathSemantics::Infinite
            && let Some(decided) = self.decided_at_once(pool, path, positive, budget)?
        {
            return Ok(decided);
        }
        if self.has_fixpoint(pool, path) || self.product == ProductKind::Plain {
            return Ok(self.initial_in(pool, formula, budget)? == positive);
        }
        for id in pool.subformulas(&[path]) {
            if pool.is_state(id) {
                self.sat(pool, id, budget)?;
            }
        }
        self.exists_path_initially(pool, path, !positive, budget)
    }

    /// As [`Checker::quantified`] for the operators of CTL, where the operands decide.
    fn decided_at_once(
        &mut self,
        pool: &Pool,
        path: FormulaId,
        positive: bool,
        budget: &Budget,
    ) -> Result<Option<bool>, StopReason> {
        let operands = pool[path].children();
        if !pool.is_state(path) && !operands.iter().all(|&operand| pool.is_state(operand)) {
            return Ok(None);
        }
        // Does an operand, or its negation, hold initially?
        let holds = |checker: &mut Self, a: FormulaId| -> Result<bool, StopReason> {
            Ok(checker.holds_initially(pool, a, budget)? == positive)
        };
        Ok(match (&pool[path], positive) {
            _ if pool.is_state(path) => Some(holds(self, path)?),
            (&Formula::Finally(a), true) => Some(!self.sat(pool, a, budget)?.is_empty()),
            (&Formula::Globally(a), false) => Some(self.sat(pool, a, budget)? != self.states),
            // Whoever asks for automata compares with them.
            (&Formula::Next(a), _) if self.route == Route::Fixpoints && self.product != ProductKind::Plain => {
                let initial = initial_set(&self.relation, &self.states, budget)?;
                Some(self.is_in_some_next(&initial, pool, (a, positive), budget)?)
            }
            // E G: the operand, or its negation, must hold here.
            (&(Formula::Globally(a) | Formula::Finally(a)), _) => (!holds(self, a)?).then_some(false),
            // E (a U b), or the negation of a R b.
            (&Formula::Until(a, b), true) | (&Formula::Release(a, b), false) => {
                if holds(self, b)? {
                    Some(true)
                } else {
                    (!holds(self, a)?).then_some(false)
                }
            }
            // E (a R b), or the negation of a U b.
            (&Formula::Release(a, b), true) | (&Formula::Until(a, b), false) => {
                if holds(self, b)? {
                    holds(self, a)?.then_some(true)
                } else {
                    Some(false)
                }
            }
            // E (a W b), or the negation of a M b.
            (&Formula::WeakUntil(a, b), true) | (&Formula::StrongRelease(a, b), false) => {
                if holds(self, b)? {
                    Some(true)
                } else {
                    (!holds(self, a)?).then_some(false)
                }
            }
            // E (a M b), or the negation of a W b.
            (&Formula::StrongRelease(a, b), true) | (&Formula::WeakUntil(a, b), false) => {
                if holds(self, b)? {
                    holds(self, a)?.then_some(true)
                } else {
                    Some(false)
                }
            }
            _ => None,
        })
    }
}
