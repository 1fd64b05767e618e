//! The path quantifiers of CTL by fixpoints (Clarke, Emerson, Sistla, TOPLAS 8, 1986), under the three path
//! semantics.
//!
//! | | `maximal` | `stutter` | `infinite` |
//! |---|---|---|---|
//! | `EX f` | pre(f) | pre(f) ∪ (dead ∩ f) | pre(f ∩ inf) |
//! | `E[a U b]` | reach b inside a | the same | reach b ∩ inf inside a |
//! | `EG a` | νZ. a ∩ (pre(Z) ∪ dead) | the same | νZ. a ∩ pre(Z) |
//!
//! *dead* are the deadlocks and *inf* the states from which an infinite path starts, `EG true` under
//! `infinite`. All other operators follow: `E[a R b]` is `EG b ∨ E[b U (a ∧ b)]`, `E[a W b]` is
//! `E[a U b] ∨ EG a`, `E[a M b]` is `E[b U (a ∧ b)]`, and `A φ` is `¬E ¬φ`.
//!
//! `E U` is one backward saturation ([`crate::symbolic::backward`]). `EG` is a greatest fixpoint of one-step
//! pre-images.

use super::steps::Steps;
use super::{Checker, Route};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;
use crate::symbolic::backward::Backward;
use crate::symbolic::image::Image;
use crate::symbolic::preimage::Preimage;
use crate::symbolic::staying::Staying;

impl Checker<'_> {
    /// Sat(E path); the state formulas in `path` are known.
    pub(super) fn exists(&self, pool: &Pool, path: FormulaId, budget: &Budget) -> Result<Mdd, StopReason> {
        match pool[path] {
            _ if self.route == Route::Automata => self.exists_path(pool, path, false, budget),
            _ if pool.is_state(path) => self.with_a_path(self.known(path)?, budget),
            Formula::Next(a) if pool.is_state(a) => self.ex(self.known(a)?, budget),
            Formula::Finally(a) if pool.is_state(a) => self.eu(&self.states, self.known(a)?, budget),
            Formula::Globally(a) if pool.is_state(a) => self.eg(self.known(a)?, budget),
            Formula::Until(a, b) if pool.is_state(a) && pool.is_state(b) => {
                self.eu(self.known(a)?, self.known(b)?, budget)
            }
            Formula::Release(a, b) if pool.is_state(a) && pool.is_state(b) => {
                self.er(self.known(a)?, self.known(b)?, budget)
            }
            Formula::WeakUntil(a, b) if pool.is_state(a) && pool.is_state(b) => {
                let until = self.eu(self.known(a)?, self.known(b)?, budget)?;
                Ok(until.union(&self.eg(self.known(a)?, budget)?, budget)?)
            }
            Formula::StrongRelease(a, b) if pool.is_state(a) && pool.is_state(b) => {
                let both = self.known(a)?.intersection(self.known(b)?, budget)?;
                self.eu(self.known(b)?, &both, budget)
            }
            _ => self.exists_path(pool, path, false, budget),
        }
    }

    /// Is the path formula an operator of CTL that is computed by a fixpoint of its own?
    pub(super) fn has_fixpoint(&self, pool: &Pool, path: FormulaId) -> bool {
        let operands_are_states = pool[path].children().iter().all(|&operand| pool.is_state(operand));
        self.route == Route::Fixpoints && (pool.is_state(path) || pool[path].is_temporal() && operands_are_states)
    }

    /// Sat(A path) = RS ∖ Sat(E ¬path), with the negation pushed into the outermost operator.
    pub(super) fn forall(&self, pool: &Pool, path: FormulaId, budget: &Budget) -> Result<Mdd, StopReason> {
        let not = |id: FormulaId| self.all_but(self.known(id)?, budget);
        let refuted = match pool[path] {
            _ if self.route == Route::Automata => self.exists_path(pool, path, true, budget)?,
            _ if pool.is_state(path) => self.with_a_path(&not(path)?, budget)?,
            // Refuted by a path with a next position where ¬a holds; a deadlock satisfies AX (`maximal`).
            Formula::Next(a) if pool.is_state(a) => self.ex(&not(a)?, budget)?,
            Formula::Finally(a) if pool.is_state(a) => self.eg(&not(a)?, budget)?,
            Formula::Globally(a) if pool.is_state(a) => self.eu(&self.states, &not(a)?, budget)?,
            Formula::Until(a, b) if pool.is_state(a) && pool.is_state(b) => self.er(&not(a)?, &not(b)?, budget)?,
            Formula::Release(a, b) if pool.is_state(a) && pool.is_state(b) => self.eu(&not(a)?, &not(b)?, budget)?,
            Formula::WeakUntil(a, b) if pool.is_state(a) && pool.is_state(b) => {
                // ¬(a W b) = ¬b U (¬a ∧ ¬b)
                let neither = not(a)?.intersection(&not(b)?, budget)?;
                self.eu(&not(b)?, &neither, budget)?
            }
            Formula::StrongRelease(a, b) if pool.is_state(a) && pool.is_state(b) => {
                // ¬(a M b) = ¬a W ¬b
                let until = self.eu(&not(a)?, &not(b)?, budget)?;
                until.union(&self.eg(&not(a)?, budget)?, budget)?
            }
            _ => self.exists_path(pool, path, true, budget)?,
        };
        self.all_but(&refuted, budget)
    }

    /// The states of `set` from which some path starts.
    pub(super) fn with_a_path(&self, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        match self.paths {
            PathSemantics::Maximal | PathSemantics::Stutter => Ok(set.clone()),
            PathSemantics::Infinite => Ok(set.intersection(&self.infinite(budget)?, budget)?),
        }
    }

    /// The states from which an infinite path starts.
    pub(super) fn infinite(&self, budget: &Budget) -> Result<Mdd, StopReason> {
        if let Some(known) = self.infinite.get() {
            return Ok(known.clone());
        }
        let found = self.greatest_fixpoint(&self.states, &self.states.space().empty(), budget)?;
        Ok(self.infinite.get_or_init(|| found).clone())
    }

    /// pre(set): the reachable states with a successor in `set`.
    pub(crate) fn pre(&self, set: &Mdd, within: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        self.pre_by(None, set, within, budget)
    }

    /// The same by some of the steps alone.
    pub(super) fn pre_by(
        &self,
        steps: Option<&Steps>,
        set: &Mdd,
        within: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let Steps { relation, preimage, .. } = steps.unwrap_or(&self.all);
        set.run(budget, |session, target| {
            Preimage::new(relation, session, *preimage).all(target, within.edge(session)?)
        })
    }

    /// The successors of the states of `set`.
    pub(crate) fn post(&self, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        self.post_by(None, set, budget)
    }

    /// The successors of the states of `set` by these steps, or by all.
    pub(super) fn post_by(&self, steps: Option<&Steps>, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let Steps { relation, image, .. } = steps.unwrap_or(&self.all);
        set.run(budget, |session, states| Image::new(relation, session, *image).post(states))
    }

    /// Sat(EX f).
    fn ex(&self, f: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let target = self.with_a_path(f, budget)?;
        let before = self.pre(&target, &self.states, budget)?;
        match self.paths {
            PathSemantics::Maximal | PathSemantics::Infinite => Ok(before),
            PathSemantics::Stutter => {
                let stay = self.deadlocks(budget)?.intersection(f, budget)?;
                Ok(before.union(&stay, budget)?)
            }
        }
    }

    /// Sat(E[a U b]).
    pub(super) fn eu(&self, a: &Mdd, b: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let target = self.with_a_path(b, budget)?;
        self.reach(a, &target, budget)
    }

    /// The states from which `target` can be reached inside `within` (the target itself may lie outside).
    pub(crate) fn reach(&self, within: &Mdd, target: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        self.reach_by(None, within, target, budget)
    }

    /// The same by some of the steps alone.
    pub(super) fn reach_by(
        &self,
        steps: Option<&Steps>,
        within: &Mdd,
        target: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let Steps { relation, backward, preimage, .. } = steps.unwrap_or(&self.all);
        let constraint = within.union(target, budget)?;
        target.run(budget, |session, target| {
            Backward::new(relation, session, *backward, *preimage).reaching(target, constraint.edge(session)?)
        })
    }

    /// Sat(E[a R b]) = Sat(EG b ∨ E[b U (a ∧ b)]).
    fn er(&self, a: &Mdd, b: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let both = a.intersection(b, budget)?;
        Ok(self.eu(b, &both, budget)?.union(&self.eg(b, budget)?, budget)?)
    }

    /// Sat(EG a).
    pub(super) fn eg(&self, a: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        self.greatest_fixpoint(a, &self.stuttering(budget)?.intersection(a, budget)?, budget)
    }

    /// The states where a path may end, or stays for ever without a step.
    pub(super) fn stuttering(&self, budget: &Budget) -> Result<Mdd, StopReason> {
        match self.paths {
            PathSemantics::Maximal | PathSemantics::Stutter => self.deadlocks(budget),
            PathSemantics::Infinite => Ok(self.states.space().empty()),
        }
    }

    /// νZ. `within` ∩ (pre(Z) ∪ `ends`), where `ends` is a subset of `within`.
    pub(super) fn greatest_fixpoint(&self, within: &Mdd, ends: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        self.greatest_fixpoint_by(None, within, ends, budget)
    }

    /// The same by some of the steps alone.
    pub(super) fn greatest_fixpoint_by(
        &self,
        steps: Option<&Steps>,
        within: &Mdd,
        ends: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let Steps { relation, staying, preimage, .. } = steps.unwrap_or(&self.all);
        within.run(budget, |session, within| {
            Staying::new(relation, session, *staying, *preimage).staying(within, ends.edge(session)?)
        })
    }
}
