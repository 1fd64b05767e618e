//! Conditions that no marking after another one satisfies.
//!
//! The state equation of the net begun there refutes them ([`super::refutation`]): tokens that are gone do not come back.
//! Linear programs take long beside firings, so that they are given a part of the time, and are not asked more often.

use super::refutation::Refuter;
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, Pool};
use crate::model::State;
use crate::net::{Marking, PetriNet};
use std::time::{Duration, Instant};

/// Linear programs take at most one part in so many of the time, and those for one condition so much.
const PART: u32 = 3;
const MOST: Duration = Duration::from_millis(300);
/// At first they may take so long.
const FIRST: Duration = Duration::from_millis(10);

/// Knows what is over in a marking.
pub(in crate::decide) struct Onward<'a> {
    net: &'a PetriNet,
    pool: Pool,
    budget: &'a Budget,
    started: Instant,
    spent: Duration,
}

impl<'a> Onward<'a> {
    /// For conditions of this pool.
    pub(in crate::decide) fn new(net: &'a PetriNet, pool: &Pool, budget: &'a Budget) -> Self {
        Onward { net, pool: pool.clone(), budget, started: Instant::now(), spent: Duration::ZERO }
    }

    /// Is it proved that in no marking that can be reached from this one all of these conditions have these values?
    pub(in crate::decide) fn never(&mut self, state: &State, demanded: &[(FormulaId, bool)]) -> bool {
        let begun = Instant::now();
        if self.spent * PART > self.started.elapsed() + FIRST {
            return false;
        }
        let literal = |pool: &mut Pool, (id, value)| if value { id } else { pool.add(Formula::Not(id)) };
        let parts = demanded.iter().map(|&demand| literal(&mut self.pool, demand)).collect();
        let all = self.pool.and(parts);
        let net = self.net.begun_in(&Marking::new(state.as_slice().to_vec()));
        let budget = self.budget.clone().with_time(MOST);
        let never = Refuter::new(&net).is_some_and(|mut refuter| refuter.never(&self.pool, all, true, &budget));
        self.spent += begun.elapsed();
        never
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::decide::conditions::Condition;
    use crate::formula::Logic;
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;

    /// What is never met again holds in no marking that can be reached from there.
    #[test]
    fn what_is_over_does_not_come_back() {
        let (mut over, mut absent, mut later) = (0, 0, 0);
        for seed in 0..250 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let mut pool = Pool::new();
            let drawn: Vec<FormulaId> = (0..3)
                .map(|size| formula(&mut rng, &net, &FormulaShape { logic: Logic::Boolean, size }, &mut pool))
                .collect();
            let budget = Budget::unlimited();
            let mut onward = Onward::new(&net, &pool, &budget);
            for marking in graph.markings.iter().take(8) {
                let after = explore(&net.begun_in(marking), 100).unwrap();
                for &id in &drawn {
                    let Some(condition) = Condition::new(&net, &pool, id) else { continue };
                    for value in [true, false] {
                        onward.spent = Duration::ZERO;
                        let never = onward.never(&State::new(marking.as_slice().to_vec()), &[(id, value)]);
                        let holds = |m: &Marking| condition.holds(m) == Some(value);
                        let found = after.markings.iter().any(holds);
                        assert!(!(never && found), "seed {seed}");
                        over += usize::from(never);
                        absent += usize::from(!found);
                        later += usize::from(never && graph.markings.iter().any(holds));
                    }
                }
            }
        }
        assert!(over * 2 > absent && later > 50, "{over} of {absent}, {later} of them held before");
    }
}
