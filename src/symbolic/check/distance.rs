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
use super::run::Taken;
use crate::budget::Budget;
use crate::formula::{Distance, Journey, Pool};
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;

/// A distance, and what was computed for it.
struct Measured {
    distance: Distance,
    /// F ∩ f.
    from: Mdd,
    /// The sets, if they were to be kept: those of the distance last.
    sets: Vec<Mdd>,
}

impl Checker<'_> {
    /// The least number of steps from a reachable state of one sort to one of another, or the greatest before one of the other is met.
    ///
    /// # Errors
    /// As [`Checker::sat`].
    pub fn distance(&mut self, pool: &Pool, journey: &Journey, budget: &Budget) -> Result<Distance, StopReason> {
        Ok(self.measured(pool, journey, false, budget)?.distance)
    }

    /// The steps from a state to the beginning of a way of that length, and along it.
    ///
    /// # Errors
    /// As [`Checker::sat`]; where there is no such way, or it has no end.
    pub(crate) fn way(
        &mut self,
        pool: &Pool,
        journey: &Journey,
        state: &[u32],
        budget: &Budget,
    ) -> Result<Vec<Taken>, StopReason> {
        const NONE: StopReason = StopReason::Unsupported("no way has this length from the initial state");
        let Measured { distance: Distance::Steps(steps), from, mut sets } =
            self.measured(pool, journey, true, budget)?
        else {
            return Err(NONE);
        };
        if journey.extreme.longest {
            // Where it is over, no state begins a way any more; its last step leads out of the first set.
            sets.pop();
            if steps > 0 {
                sets.insert(0, self.states().clone());
            }
        }
        let Some(last) = sets.pop() else { return Err(NONE) };
        // Likewise to where it begins.
        let mut rings = vec![last.intersection(&from, budget)?];
        while let Some(ring) = rings.last().filter(|ring| !ring.contains(state)) {
            let grown = self.pre(ring, self.states(), budget)?.union(ring, budget)?;
            if grown == *ring {
                return Err(NONE);
            }
            rings.push(grown);
        }
        rings.pop();
        sets.append(&mut rings);
        let (mut taken, mut at) = (Vec::new(), state.to_vec());
        for set in sets.iter().rev() {
            budget.check()?;
            let next = self.post(&self.states().space().tuple(&at, budget)?, budget)?.intersection(set, budget)?;
            let next = next.pick().ok_or(NONE)?;
            taken.push(self.taken(&at, &next, &|_| true)?);
            at = next;
        }
        Ok(taken)
    }

    fn measured(
        &mut self,
        pool: &Pool,
        journey: &Journey,
        kept: bool,
        budget: &Budget,
    ) -> Result<Measured, StopReason> {
        let longest = journey.extreme.longest;
        let from = self.sat(pool, journey.extreme.from, budget)?;
        let to = self.sat(pool, journey.extreme.to, budget)?;
        let counted = self.sat(pool, journey.counted, budget)?;
        let without = |set: &Mdd| match counted.is_empty() {
            true => Ok(set.is_empty()),
            false => set.intersection(&counted, budget).map(|set| set.is_empty()),
        };
        let undefined = longest && (without(&from)? || without(&to)?);
        let from = from.intersection(&counted, budget)?;
        let mut found = Measured { distance: Distance::Undefined, from, sets: Vec::new() };
        if undefined {
            return Ok(found);
        }
        found.distance = Distance::Infinite;
        let mut set = if longest { counted.difference(&to, budget)? } else { to.intersection(&counted, budget)? };
        let within = set.clone();
        for steps in 0.. {
            if kept {
                found.sets.push(set.clone());
            }
            let meets = !set.intersection(&found.from, budget)?.is_empty();
            if meets != longest {
                found.distance = Distance::Steps(steps);
                break;
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
        Ok(found)
    }
}
