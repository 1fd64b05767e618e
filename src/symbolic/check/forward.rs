//! Formulas in some of few states, by what comes after these.
//!
//! That `EX a` holds in one of some states is that a holds in one of their successors, and that `EF a` does is that a state
//! which satisfies a can be reached from one of them. So quantifiers of one kind, one inside the other, need images and a
//! saturation forwards, which take little from few states; fixpoints backwards, from many, take long where sets are large.
//! (Iwashita, Nakata and Hirose, "CTL model checking based on forward state traversal", ICCAD 1996.)

use super::Checker;
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;
use crate::symbolic::saturation::Saturation;

impl Checker<'_> {
    /// Has the formula this value in one of the states that come next after one of these? Not where paths are infinite by
    /// definition.
    pub(super) fn is_in_some_next(
        &mut self,
        states: &Mdd,
        pool: &Pool,
        asked: (FormulaId, bool),
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let next = self.next_to(states, budget)?;
        self.is_in_some(&next, pool, asked, budget)
    }

    /// Has the formula this value in one of these states? Likewise.
    fn is_in_some(
        &mut self,
        states: &Mdd,
        pool: &Pool,
        (formula, value): (FormulaId, bool),
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let path = match (&pool[formula], value) {
            _ if states.is_empty() => return Ok(false),
            _ if self.known.contains_key(&formula) => return self.is_met(states, pool, (formula, value), budget),
            (&Formula::Not(a), _) => return self.is_in_some(states, pool, (a, !value), budget),
            (Formula::Or(operands), true) | (Formula::And(operands), false) => {
                for &operand in operands {
                    if self.is_in_some(states, pool, (operand, value), budget)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            (&Formula::Exists(path), true) | (&Formula::Forall(path), false) => path,
            _ => return self.is_met(states, pool, (formula, value), budget),
        };
        match (&pool[path], value) {
            (&Formula::Next(a), _) if pool.is_state(a) => self.is_in_some_next(states, pool, (a, value), budget),
            (&Formula::Finally(a), true) | (&Formula::Globally(a), false)
                if self.goes_forward() && pool.is_state(a) =>
            {
                let set = self.sat(pool, a, budget)?;
                let sought = if value { set } else { self.states.difference(&set, budget)? };
                if sought.is_empty() || !states.intersection(&sought, budget)?.is_empty() {
                    return Ok(!sought.is_empty());
                }
                Ok(!self.reached_from(states, budget)?.intersection(&sought, budget)?.is_empty())
            }
            _ => self.is_met(states, pool, (formula, value), budget),
        }
    }

    /// The same by the states that satisfy the formula.
    fn is_met(
        &mut self,
        states: &Mdd,
        pool: &Pool,
        (formula, value): (FormulaId, bool),
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let set = self.sat(pool, formula, budget)?;
        let met = if value { states.intersection(&set, budget)? } else { states.difference(&set, budget)? };
        Ok(!met.is_empty())
    }

    /// The states that come next on a path; a deadlock comes after itself where paths stutter.
    fn next_to(&mut self, states: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let next = self.post(states, budget)?;
        match self.paths {
            PathSemantics::Maximal | PathSemantics::Infinite => Ok(next),
            PathSemantics::Stutter => Ok(next.union(&self.deadlocks(budget)?.intersection(states, budget)?, budget)?),
        }
    }

    /// Are there events for a saturation?
    fn goes_forward(&self) -> bool {
        !self.relation.is_conjunctive() && !self.relation.is_closed()
    }

    /// The states that can be reached from some.
    fn reached_from(&self, states: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        states.run(budget, |session, states| {
            Saturation::new(&self.all.relation, session)?.reachable_from(states, &mut None)
        })
    }
}
