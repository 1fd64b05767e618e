//! Edges of a graph as in a compressed sparse matrix: all rows in one array, and where each of them ends.

use super::store::StateId;
use crate::budget::Budget;
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 14;

/// More edges than a graph keeps.
pub(super) const TOO_MANY: StopReason =
    StopReason::Unsupported("the explicit engine does not keep graphs of more than 2^32 edges");

/// One direction of the edges.
#[derive(Debug)]
pub(super) struct Rows {
    /// Where the row of each state ends.
    pub(super) ends: Vec<u32>,
    /// All rows, one after the other.
    pub(super) states: Vec<StateId>,
}

impl Rows {
    #[inline]
    pub(super) fn of(&self, state: usize) -> &[StateId] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.states[start as usize..self.ends[state] as usize]
    }

    /// Edges turned round, a counting sort by target: those to states that have a place among so many. Given are the targets
    /// of all, and sources with their rows.
    pub(super) fn turned<'r>(
        targets: impl Iterator<Item = StateId>,
        rows: impl Iterator<Item = (StateId, &'r [StateId])>,
        places: usize,
        place: impl Fn(StateId) -> Option<usize>,
        budget: &Budget,
    ) -> Result<Rows, StopReason> {
        budget.check()?;
        // Where the next predecessor of each state goes; at the end that is where its row ends.
        let (mut ends, mut edges) = (vec![0u32; places], 0);
        for place in targets.filter_map(&place) {
            edges += 1;
            if let Some(next) = ends.get_mut(place + 1) {
                *next += 1;
            }
        }
        sums(&mut ends);
        let mut states = vec![0; edges];
        for (passed, (source, row)) in rows.enumerate() {
            check(passed, budget)?;
            for place in row.iter().filter_map(|&target| place(target)) {
                let next = &mut ends[place];
                states[*next as usize] = source;
                *next += 1;
            }
        }
        Ok(Rows { ends, states })
    }
}

/// Add to a set the states that lead into it through others, by what is before each state.
pub(super) fn add_what_leads_in<'r>(
    before: impl Fn(usize) -> &'r [StateId],
    within: &FixedBitSet,
    set: &mut FixedBitSet,
    budget: &Budget,
) -> Result<(), StopReason> {
    let mut front: Vec<StateId> = set.ones().map(|state| state as StateId).collect();
    let mut steps = 0;
    while let Some(state) = front.pop() {
        check(steps, budget)?;
        steps += 1;
        for &earlier in before(state as usize) {
            if within.contains(earlier as usize) && !set.put(earlier as usize) {
                front.push(earlier);
            }
        }
    }
    Ok(())
}

/// Take out of a set the states that leave it, and then those that have no successor left in it, by what is before each
/// state. `inside` is how many they had.
pub(super) fn take_out_what_leaves<'r>(
    before: impl Fn(usize) -> &'r [StateId],
    set: &mut FixedBitSet,
    mut leaving: Vec<StateId>,
    mut inside: Vec<u32>,
    budget: &Budget,
) -> Result<(), StopReason> {
    leaving.iter().for_each(|&state| set.set(state as usize, false));
    let mut steps = 0;
    while let Some(state) = leaving.pop() {
        check(steps, budget)?;
        steps += 1;
        for &earlier in before(state as usize) {
            if set.contains(earlier as usize) {
                inside[earlier as usize] -= 1;
                if inside[earlier as usize] == 0 {
                    set.set(earlier as usize, false);
                    leaving.push(earlier);
                }
            }
        }
    }
    Ok(())
}

/// Look at the budget now and then.
#[inline]
pub(super) fn check(step: usize, budget: &Budget) -> Result<(), StopReason> {
    if step.is_multiple_of(CHECK_EVERY) { Ok(budget.check()?) } else { Ok(()) }
}

/// Where rows of these lengths end, one after the other, and all of them.
pub(super) fn sums(lengths: &mut [u32]) -> u32 {
    let mut sum = 0;
    for length in lengths {
        sum += *length;
        *length = sum;
    }
    sum
}
