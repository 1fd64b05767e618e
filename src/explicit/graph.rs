//! The reachability graph with its edges, forwards and backwards.
//!
//! Edges are kept as in a compressed sparse matrix: the numbers of all successors in one array, and for each state
//! where its own end. A state that two transitions lead to counts twice, in both directions. That is 8 bytes for each
//! edge and 8 for each state, beside the store. The edges are turned round when they are first needed so: automata read
//! forwards only.
//!
//! Edges are turned round by a counting sort, which writes at random. Threads share the targets: each reads all edges
//! and writes those that lead to its part, so that nobody waits, and what is written lies in a smaller part of memory.

use super::explore::{Search, Watch};
use super::packed_model::PackedModel;
use super::parallel::Crew;
use super::pieces::{pieces, share};
use super::results::Growth;
use super::rows::{Rows, TOO_MANY};
use super::states::States;
use super::store::StateId;
use super::{Options, Stats};
use crate::budget::{Budget, Exhausted};
use crate::stop_reason::StopReason;
use std::ops::Range;
use std::sync::OnceLock;

/// Rows in parts, each of so many states that the rest of the number is that within the part.
#[derive(Debug)]
pub(super) struct Parts {
    /// log₂ of the states of a part.
    shift: u32,
    parts: Vec<Rows>,
}

impl Parts {
    #[inline]
    pub(super) fn of(&self, state: usize) -> &[StateId] {
        self.parts[state >> self.shift].of(state & ((1 << self.shift) - 1))
    }
}

/// The reachability graph. State 0 is the initial one.
#[derive(Debug)]
pub(super) struct Graph {
    forward: Rows,
    /// The edges turned round, once somebody has asked for them.
    backward: OnceLock<Parts>,
    /// Number of threads that have explored it.
    threads: usize,
}

/// A graph that is being explored.
#[derive(Debug)]
pub(super) enum Unfinished<'m, S: PackedModel> {
    /// By one thread.
    Alone(Alone<S>),
    /// By several.
    Together(Crew<'m, S>),
}

/// A search that keeps edges.
#[derive(Debug)]
pub(super) struct Alone<S: PackedModel> {
    search: Search<S>,
    /// Where the row of each expanded state ends.
    ends: Vec<u32>,
    /// The most states that were known and not expanded at a time.
    widest: u64,
}

impl<'m, S: PackedModel> Unfinished<'m, S> {
    /// Nothing is explored yet.
    pub(super) fn new(states: States<S>, options: &Options) -> Result<Self, StopReason> {
        if options.threads > 1 {
            return Crew::for_graph(states, options).map(Unfinished::Together);
        }
        let mut search = Search::new(states, false);
        search.edges = Some(Vec::new());
        Ok(Unfinished::Alone(Alone { search, ends: Vec::new(), widest: 0 }))
    }

    /// Explore what is left.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up: it can go on with another; for other reasons, it cannot.
    pub(super) fn go_on(&mut self, budget: &Budget) -> Result<(), StopReason> {
        match self {
            Unfinished::Alone(alone) => alone.go_on(budget),
            Unfinished::Together(crew) => crew.go_on(budget),
        }
    }

    /// How far it is.
    pub(super) fn growth(&self) -> Growth {
        match self {
            Unfinished::Alone(alone) => alone.growth(),
            Unfinished::Together(crew) => crew.growth(),
        }
    }

    /// The graph, all of which has been explored; the states themselves are in the store.
    pub(super) fn finish(self, budget: &Budget) -> Result<(States<S>, Graph, Stats), StopReason> {
        let (threads, (states, forward, stats)) = match self {
            Unfinished::Alone(alone) => (1, alone.finish()),
            Unfinished::Together(crew) => (crew.threads(), crew.finish(budget)?),
        };
        if budget.memory().is_some_and(|limit| stats.bytes > limit) {
            return Err(Exhausted::Memory.into());
        }
        Ok((states, Graph { forward, backward: OnceLock::new(), threads }, stats))
    }
}

impl<S: PackedModel> Alone<S> {
    fn go_on(&mut self, budget: &Budget) -> Result<(), StopReason> {
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
        stopped.map_or(Ok(()), |_| Err(TOO_MANY))
    }

    fn growth(&self) -> Growth {
        // Edges are there twice in the end.
        let edges = self.search.edges.as_ref().map_or(0, Vec::len);
        let bytes = self.search.states.store().bytes() + 8 * (self.ends.len() + edges) as u64;
        let waiting = u64::from(self.search.states.store().len()) - self.ends.len() as u64;
        Growth { waiting, widest: self.widest, bytes }
    }

    fn finish(mut self) -> (States<S>, Rows, Stats) {
        let stats = Stats { bytes: self.growth().bytes, ..self.search.stats() };
        let states = self.search.edges.take().unwrap_or_default();
        (self.search.states, Rows { ends: self.ends, states }, stats)
    }
}

impl Graph {
    /// Number of states.
    pub(super) fn states(&self) -> usize {
        self.forward.ends.len()
    }

    /// Some threads may look at it.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// The states one firing later, in the order of the rules that lead to them.
    #[inline]
    pub(super) fn successors(&self, state: usize) -> &[StateId] {
        self.forward.of(state)
    }

    /// The number of the first edge from a state; the others follow in the order of the successors.
    #[inline]
    pub(super) fn first_edge(&self, state: usize) -> usize {
        if state == 0 { 0 } else { self.forward.ends[state - 1] as usize }
    }

    /// Number of edges.
    pub(super) fn edges(&self) -> usize {
        self.forward.states.len()
    }

    /// Of each state the states one firing earlier.
    ///
    /// # Errors
    /// When the budget is used up before the edges are turned round.
    pub(super) fn backward(&self, budget: &Budget) -> Result<&Parts, StopReason> {
        if let Some(known) = self.backward.get() {
            return Ok(known);
        }
        let turned = transposed(&self.forward, self.threads, budget)?;
        Ok(self.backward.get_or_init(|| turned))
    }
}

/// The edges turned round: a counting sort by target, in parts.
fn transposed(rows: &Rows, threads: usize, budget: &Budget) -> Result<Parts, StopReason> {
    let count = rows.ends.len();
    let shift = (count / threads).next_power_of_two().ilog2();
    let ranges: Vec<Range<StateId>> = pieces(0..count as StateId, 1 << shift).collect();
    let parts = share(threads, &ranges, |ranges| {
        ranges.map(|range| Ok((range.start, part(rows, range, budget)?))).collect::<Result<Vec<_>, StopReason>>()
    })?;
    let mut parts: Vec<(StateId, Rows)> = parts.into_iter().flatten().collect();
    parts.sort_by_key(|part| part.0);
    Ok(Parts { shift, parts: parts.into_iter().map(|part| part.1).collect() })
}

/// The edges to some states.
fn part(rows: &Rows, targets: Range<StateId>, budget: &Budget) -> Result<Rows, StopReason> {
    let len = targets.len();
    let offset = |target: StateId| Some(target.wrapping_sub(targets.start) as usize).filter(|&offset| offset < len);
    let all = (0..rows.ends.len()).map(|source| (source as StateId, rows.of(source)));
    Rows::turned(rows.states.iter().copied(), all, len, offset, budget)
}
