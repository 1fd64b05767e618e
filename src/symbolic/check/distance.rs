//! How far it is from some states to others: the shortest way, and the longest that can be gone.
//!
//! NuSMV's `COMPUTE MIN [f, g]` and `MAX [f, g]` (Campos, Clarke, Marrero, Minea and Hiraishi, "Computing quantitative
//! characteristics of finite-state real-time systems", RTSS 1994). Let F be the reachable states from which a path begins that counts
//! (a fair one, under assumptions).
//!
//! - The shortest way has as many steps as predecessors have to be taken of F ∩ g until they meet F ∩ f. It passes states of F
//!   alone, since whatever leads to one is one.
//! - The longest way goes through states of F without g. `Y₀` are these states, and `Yᵢ₊₁` those of them from which a step leads to
//!   `Yᵢ`: the states where g can be put off for i + 1 steps. The longest way is over with the first i where `Yᵢ` meets F ∩ f no more.
//!   Where nothing is possible, g is put off for ever, unless paths that end do not count.
//!
//! There is no longest way without a state of F ∩ f or of F ∩ g; where F is empty, without one of f or of g, and else it
//! has no step.
//!
//! Each `Yᵢ₊₁` is a part of `Yᵢ`: once they are the same, and meet F ∩ f, there is no longest way. The number of predecessors is the
//! distance.

use super::Checker;
use crate::budget::Budget;
use crate::formula::{FormulaId, Pool};
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;

/// How far some states are from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// So many steps.
    Steps(u64),
    /// There is no way, or no longest.
    Infinite,
    /// There are no states of one of the two sorts, so that there is no longest way between them.
    Undefined,
}

impl Checker<'_> {
    /// The least number of steps from a reachable state of `from` to one of `to`, or the greatest before one of `to` is met;
    /// `counted` says from which states paths begin that count.
    ///
    /// # Errors
    /// As [`Checker::sat`].
    pub fn distance(
        &mut self,
        pool: &Pool,
        (from, to): (FormulaId, FormulaId),
        counted: FormulaId,
        longest: bool,
        budget: &Budget,
    ) -> Result<Distance, StopReason> {
        let (from, to) = (self.sat(pool, from, budget)?, self.sat(pool, to, budget)?);
        let counted = self.sat(pool, counted, budget)?;
        let without = |set: &Mdd| match counted.is_empty() {
            true => Ok(set.is_empty()),
            false => set.intersection(&counted, budget).map(|set| set.is_empty()),
        };
        if longest && (without(&from)? || without(&to)?) {
            return Ok(Distance::Undefined);
        }
        let from = from.intersection(&counted, budget)?;
        let mut set = if longest { counted.difference(&to, budget)? } else { to.intersection(&counted, budget)? };
        let within = set.clone();
        for steps in 0.. {
            let meets = !set.intersection(&from, budget)?.is_empty();
            if meets != longest {
                return Ok(Distance::Steps(steps));
            }
            let before = self.pre(&set, self.states(), budget)?;
            let next = if longest {
                let ends = self.stuttering(budget)?.intersection(&set, budget)?;
                before.intersection(&within, budget)?.union(&ends, budget)?
            } else {
                before.union(&set, budget)?
            };
            if next == set {
                break;
            }
            set = next;
        }
        Ok(Distance::Infinite)
    }
}
