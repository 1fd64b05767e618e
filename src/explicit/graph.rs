//! The reachability graph with its edges, forwards and backwards.
//!
//! Edges are kept as in a compressed sparse matrix: the numbers of all successors in one array, and for each
//! state where its own end. A state that two transitions lead to counts twice, in both directions. That is 8
//! bytes for each edge and 8 for each state, beside the store.

use super::Stats;
use super::explore::Search;
use super::space::Space;
use super::states::States;
use super::store::StateId;
use crate::budget::{Budget, Exhausted};
use crate::halt::Halt;

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 16;

/// One direction of the edges.
#[derive(Debug)]
struct Rows {
    /// Where the row of each state ends.
    ends: Vec<u32>,
    /// All rows, one after the other.
    states: Vec<StateId>,
}

impl Rows {
    #[inline]
    fn of(&self, state: usize) -> &[StateId] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.states[start as usize..self.ends[state] as usize]
    }
}

/// The reachability graph. State 0 is the initial one.
#[derive(Debug)]
pub(super) struct Graph {
    forward: Rows,
    backward: Rows,
}

impl Graph {
    /// Explore a space; the states themselves are in the store.
    pub(super) fn new<S: Space>(states: States<S>, budget: &Budget) -> Result<(States<S>, Graph, Stats), Halt> {
        let mut search = Search::new(states, budget, false);
        search.edges = Some(Vec::new());
        let (mut ends, mut edges) = (Vec::new(), 0u64);
        search.breadth_first(
            |_, _| false,
            |_, _, fired| {
                edges += fired.len() as u64;
                ends.push(edges as u32);
                edges > u64::from(u32::MAX)
            },
        )?;
        if edges > u64::from(u32::MAX) {
            return Err(Halt::Unsupported("the explicit engine does not keep graphs of more than 2^32 edges"));
        }
        let mut stats = search.stats();
        let forward = Rows { ends, states: search.edges.take().unwrap_or_default() };
        let states = search.states;
        stats.bytes = states.store().bytes() + 8 * (forward.ends.len() + forward.states.len()) as u64;
        if budget.memory().is_some_and(|limit| stats.bytes > limit) {
            return Err(Exhausted::Memory.into());
        }
        let backward = transposed(&forward, budget)?;
        Ok((states, Graph { forward, backward }, stats))
    }

    /// Number of states.
    pub(super) fn states(&self) -> usize {
        self.forward.ends.len()
    }

    /// The states one firing later, in the order of the rules that lead to them.
    #[inline]
    pub(super) fn successors(&self, state: usize) -> &[StateId] {
        self.forward.of(state)
    }

    /// The states one firing earlier.
    #[inline]
    pub(super) fn predecessors(&self, state: usize) -> &[StateId] {
        self.backward.of(state)
    }
}

/// The edges turned round: a counting sort by target.
fn transposed(rows: &Rows, budget: &Budget) -> Result<Rows, Halt> {
    budget.check()?;
    let count = rows.ends.len();
    // Where the next predecessor of each state goes; at the end that is where its row ends.
    let mut ends = vec![0u32; count];
    for &target in &rows.states {
        if let Some(next) = ends.get_mut(target as usize + 1) {
            *next += 1;
        }
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    let mut states = vec![0; rows.states.len()];
    for source in 0..count {
        if source.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
        }
        for &target in rows.of(source) {
            let next = &mut ends[target as usize];
            states[*next as usize] = source as StateId;
            *next += 1;
        }
    }
    Ok(Rows { ends, states })
}
