//! The trap space around an attractor: the least closed set that has all combinations of some values for each level.
//!
//! It is grown from the attractor: all combinations of the values that the set has, then those of what they lead to, and so
//! on. There are only so many values, and each round adds one. Where some combinations are no states, they are left out.
//!
//! Of a Boolean network it is a subspace: what is not fixed is free. A minimal trap space has an attractor, and is the
//! trap space around it.
//!
//! Source: Klarner, Bockmayr, Siebert, *Computing maximal and minimal trap spaces of Boolean networks*, Natural
//! Computing 14, 2015.

use super::Attractors;
use crate::budget::Budget;
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;
use std::collections::BTreeSet;

impl Attractors {
    /// The values on each level of the least closed set of all combinations of values in which a set of states lies.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn trap_space(&self, set: &Mdd, budget: &Budget) -> Result<Vec<BTreeSet<u32>>, StopReason> {
        let mut values = values_of(set);
        loop {
            let all = combinations(set, &values, budget)?.intersection(&self.states, budget)?;
            let next = values_of(&self.steps.post(&all, budget)?);
            let known: usize = values.iter().map(BTreeSet::len).sum();
            values.iter_mut().zip(next).for_each(|(values, next)| values.extend(next));
            if values.iter().map(BTreeSet::len).sum::<usize>() == known {
                return Ok(values);
            }
        }
    }
}

/// The values that a set has on each level.
pub fn values_of(set: &Mdd) -> Vec<BTreeSet<u32>> {
    set.values().into_iter().map(BTreeSet::from_iter).collect()
}

/// All combinations of some values, beside a set.
fn combinations(beside: &Mdd, values: &[BTreeSet<u32>], budget: &Budget) -> Result<Mdd, StopReason> {
    let all = beside.run(budget, |session, _| {
        let mut below = session.unit();
        for (level, values) in (0..session.levels()).zip(values).rev() {
            let mut list = session.list();
            values.iter().for_each(|&value| list.push(value, below.clone()));
            below = session.node(level, list)?;
        }
        Ok::<_, StopReason>(below)
    })?;
    Ok(all)
}
