//! The reachability graph with its edges, forwards and backwards.
//!
//! Edges are kept as in a compressed sparse matrix: the numbers of all successors in one array, and for each
//! state where its own end. A state that two transitions lead to counts twice, in both directions. That is 8
//! bytes for each edge and 8 for each state, beside the store.

use super::Stats;
use super::explore::{Search, Watch};
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

/// A graph that is being explored.
#[derive(Debug)]
pub(super) struct Unfinished<S: Space> {
    search: Search<S>,
    /// Where the row of each expanded state ends.
    ends: Vec<u32>,
    /// The most states that were known and not expanded at a time.
    widest: u64,
}

/// How far a search is, breadth first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// States that wait for their successors to be found.
    pub waiting: u64,
    /// The most that did so at a time.
    pub widest: u64,
    /// What is kept, in bytes.
    pub bytes: u64,
}

impl<S: Space> Unfinished<S> {
    /// Nothing is explored yet.
    pub(super) fn new(states: States<S>) -> Self {
        let mut search = Search::new(states, false);
        search.edges = Some(Vec::new());
        Unfinished { search, ends: Vec::new(), widest: 0 }
    }

    /// Explore what is left.
    ///
    /// # Errors
    /// [`Halt`] when the budget is used up: it can go on with another; for other reasons, it cannot.
    pub(super) fn go_on(&mut self, budget: &Budget) -> Result<(), Halt> {
        let (ends, widest) = (&mut self.ends, &mut self.widest);
        let mut edges = ends.last().copied().map_or(0, u64::from);
        let stopped = self.search.breadth_first(
            &mut Watch { budget, progress: None },
            |_, _| false,
            |states, _, fired| {
                edges += fired.len() as u64;
                ends.push(edges as u32);
                *widest = u64::from(states.store().len()).saturating_sub(ends.len() as u64).max(*widest);
                edges > u64::from(u32::MAX)
            },
        )?;
        match stopped {
            Some(_) => Err(Halt::Unsupported("the explicit engine does not keep graphs of more than 2^32 edges")),
            None => Ok(()),
        }
    }

    /// How far it is.
    pub(super) fn growth(&self) -> Growth {
        // Edges are there twice in the end.
        let edges = self.search.edges.as_ref().map_or(0, Vec::len);
        let bytes = self.search.states.store().bytes() + 8 * (self.ends.len() + edges) as u64;
        let waiting = u64::from(self.search.states.store().len()) - self.ends.len() as u64;
        Growth { waiting, widest: self.widest, bytes }
    }

    /// The graph, all of which has been explored; the states themselves are in the store.
    pub(super) fn finish(mut self, budget: &Budget) -> Result<(States<S>, Graph, Stats), Halt> {
        let stats = Stats { bytes: self.growth().bytes, ..self.search.stats() };
        if budget.memory().is_some_and(|limit| stats.bytes > limit) {
            return Err(Exhausted::Memory.into());
        }
        let forward = Rows { ends: self.ends, states: self.search.edges.take().unwrap_or_default() };
        let backward = transposed(&forward, budget)?;
        Ok((self.search.states, Graph { forward, backward }, stats))
    }
}

impl Graph {
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
