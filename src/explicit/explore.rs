//! Reachability: count the reachable states and firings, find deadlocks, search for a state.
//!
//! Breadth-first, the store is its own queue: states are expanded in the order of their numbers. Depth-first, the stack
//! holds a state number and the next rule per frame. Shortest traces come from the breadth-first search; they are
//! recovered from one parent number per state, kept only when a trace is wanted. A search for a deadlock fires a
//! stubborn set in each state, which keeps all deadlocks.
//!
//! States are expanded some at a time ([`super::expand`]). One expansion is atomic: when a firing does not fit the
//! encoding, the encoding grows and the state is expanded again from its first rule.

use super::expand::Group;
use super::layout::Layout;
use super::packed_model::{PackedModel, Rule};
use super::parallel::{self, Aim};
use super::results::{Exploration, Report, Searched, trace};
use super::states::States;
use super::store::{Inserted, StateId};
use super::tally::{self, Extremes, Tally};
use super::{Options, Stats};
use crate::budget::{Budget, Exhausted};
use crate::model::{Then, VariableId};
use crate::stop_reason::StopReason;
use std::sync::Mutex;

/// A packed state, read in place.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) layout: &'a Layout,
    pub(super) words: &'a [u64],
}

impl View<'_> {
    /// The value of a variable: the tokens in a place of a net, the local state of a component of a network.
    pub fn value(&self, variable: VariableId) -> u64 {
        self.layout.slot(variable).value(self.words)
    }
}

/// Firings, and states counted once they are known, between two looks at the budget. A state of a large net may enable
/// thousands, of which each takes microseconds.
const CHECK_EVERY: u32 = 512;

/// Visit all reachable states and count. `progress` is told now and then how many there are so far.
pub(super) fn explore<S: PackedModel>(
    states: States<S>,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<(States<S>, Exploration), StopReason> {
    if options.threads > 1 && !options.depth_first {
        return parallel::explore(states, options, budget, progress);
    }
    let mut search = Search::new(states, false);
    let watch = &mut Watch { budget, progress: Some(progress) };
    let mut tally = Tally::new(search.states.space());
    let visit = |states: &States<S>, words: &[u64], fired: &[Rule]| {
        tally.visit(states.space(), words, fired);
        false
    };
    if options.depth_first {
        search.depth_first(watch, visit)?;
    } else {
        search.breadth_first(watch, |_, _| false, visit)?;
    }
    let states = &search.states;
    let packed = (states.space(), states.layout(), states.store());
    let extremes = Extremes::of(packed, 0..states.store().len(), budget)?;
    let found = tally.exploration(states.space(), extremes, search.stats())?;
    Ok((search.states, found))
}

/// Search for a reachable state without successors, or, where time passes by itself, in which nothing else ever
/// happens.
pub(super) fn find_deadlock<S: PackedModel>(
    states: States<S>,
    options: &Options,
    budget: &Budget,
) -> Result<(States<S>, Searched), StopReason> {
    if options.threads > 1 {
        return parallel::find(states, Aim::Deadlock, options, budget, &mut |_, _| false);
    }
    let mut search = Search::new(states, true);
    search.reducer = search.states.space().reducer(&|_| false).filter(|_| options.stubborn);
    if search.states.space().system().tick().is_some() {
        let stands_still = |states: &States<S>, words: &[u64]| tally::stands_still(states.space(), words);
        return search.find(budget, stands_still, |_, _, _| false, Then::Open, &mut |_, _| false);
    }
    search.find(budget, |_, _| false, |_, _, fired| fired.is_empty(), Then::Deadlock, &mut |_, _| false)
}

/// Search for reachable states that satisfy `goal`, until the report of one says that it is enough.
pub(super) fn find<S: PackedModel>(
    states: States<S>,
    options: &Options,
    budget: &Budget,
    goal: &mut (dyn FnMut(View<'_>) -> bool + Send),
    report: Report<'_>,
) -> Result<(States<S>, Searched), StopReason> {
    let mut goal = |states: &States<S>, words: &[u64]| goal(View { layout: states.layout(), words });
    if options.threads > 1 {
        return parallel::find(states, Aim::State(Mutex::new(&mut goal)), options, budget, report);
    }
    Search::new(states, true).find(budget, goal, |_, _, _| false, Then::Open, report)
}

/// Limits of a search, and who is told how many states there are.
pub(super) struct Watch<'a> {
    pub(super) budget: &'a Budget,
    pub(super) progress: Option<&'a mut dyn FnMut(u64)>,
}

/// A search, begun or not: where it ends for lack of time, it can go on.
#[derive(Debug)]
pub(super) struct Search<S: PackedModel> {
    pub(super) states: States<S>,
    /// Reduces what is fired, if only deadlocks are wanted.
    reducer: Option<S::Reducer>,
    /// The state each state was first reached from, if traces are wanted.
    parents: Option<Vec<StateId>>,
    /// The successors of all expanded states in turn, if they are wanted.
    pub(super) edges: Option<Vec<StateId>>,
    /// The states before this one have been expanded, breadth first, and those before that one asked about.
    expanded: StateId,
    asked: StateId,
    firings: u64,
    /// After so many firings it looks at the budget.
    look_at: u64,
    group: Group<S>,
}

impl<S: PackedModel> Search<S> {
    pub(super) fn new(states: States<S>, traces: bool) -> Self {
        Search {
            states,
            reducer: None,
            parents: traces.then(Vec::new),
            edges: None,
            expanded: 0,
            asked: 0,
            firings: 0,
            look_at: 0,
            group: Group::default(),
        }
    }

    /// Begin in all initial states, which get the first numbers; each is its own parent. What has begun goes on.
    fn start(&mut self) -> Result<(), StopReason> {
        for initial in self.states.initial_states() {
            if let (Inserted::New(new), Some(parents)) = (self.states.insert(&initial)?, &mut self.parents) {
                parents.push(new);
            }
        }
        Ok(())
    }

    /// Expand every state in the order of discovery, from where the search was, until one is a goal or, expanded, makes
    /// `visit` say stop.
    pub(super) fn breadth_first(
        &mut self,
        watch: &mut Watch<'_>,
        mut goal: impl FnMut(&States<S>, &[u64]) -> bool,
        mut visit: impl FnMut(&States<S>, &[u64], &[Rule]) -> bool,
    ) -> Result<Option<StateId>, StopReason> {
        // It may go on with more than it had.
        self.check_memory(watch.budget)?;
        self.start()?;
        while self.expanded < self.states.store().len() {
            self.look(watch)?;
            self.group.clear(self.states.layout());
            let (mut id, end) = (self.expanded, self.states.store().len());
            let (mut found, mut misfit) = (None, None);
            while id < end && !self.group.is_full() {
                let words = self.group.read(id, &self.states);
                if id >= self.asked {
                    self.asked = id + 1;
                    if goal(&self.states, words) {
                        found = Some(id);
                        break;
                    }
                }
                misfit = self.group.fire(id, self.states.space(), &mut self.reducer)?;
                if misfit.is_some() {
                    break;
                }
                id += 1;
            }
            let inserted = self.insert();
            for (id, words, firings) in self.group.expanded() {
                self.expanded = id + 1;
                if visit(&self.states, words, self.group.rules(firings)) {
                    return Ok(Some(id));
                }
            }
            inserted?;
            if found.is_some() {
                return Ok(found);
            }
            if let Some(rule) = misfit {
                self.states.grow(id, rule, watch.budget)?;
            }
        }
        Ok(None)
    }

    /// Expand every state, last discovered first.
    fn depth_first(
        &mut self,
        watch: &mut Watch<'_>,
        mut visit: impl FnMut(&States<S>, &[u64], &[Rule]) -> bool,
    ) -> Result<(), StopReason> {
        self.start()?;
        let mut stack: Vec<StateId> = (0..self.states.store().len()).rev().collect();
        while let Some(id) = stack.pop() {
            self.look(watch)?;
            self.group.clear(self.states.layout());
            self.group.read(id, &self.states);
            if let Some(rule) = self.group.fire(id, self.states.space(), &mut self.reducer)? {
                self.states.grow(id, rule, watch.budget)?;
                stack.push(id);
                continue;
            }
            self.insert()?;
            for (_, words, firings) in self.group.expanded() {
                visit(&self.states, words, self.group.rules(firings));
            }
            let new = |inserted: &Inserted| if let Inserted::New(new) = *inserted { Some(new) } else { None };
            stack.extend(self.group.batch.inserted().iter().rev().filter_map(new));
        }
        Ok(())
    }

    /// Look at the budget, and tell how far it is.
    fn look(&mut self, watch: &mut Watch<'_>) -> Result<(), StopReason> {
        if self.firings >= self.look_at {
            self.look_at = self.firings + u64::from(CHECK_EVERY);
            if let Some(progress) = &mut watch.progress {
                progress(self.states.store().len().into());
            }
            watch.budget.check()?;
            self.check_memory(watch.budget)?;
        }
        Ok(())
    }

    /// Insert the successors that have been gathered. If that fails, some states have been expanded all the same.
    fn insert(&mut self) -> Result<(), StopReason> {
        let ended = self.states.store_mut().insert_all(&mut self.group.batch);
        let firings = self.group.firings();
        self.firings += firings as u64;
        let inserted = self.group.batch.inserted();
        if let Some(parents) = &mut self.parents {
            parents.extend(self.group.parents().map(|(_, parent)| parent));
        }
        if let Some(edges) = &mut self.edges {
            edges.extend(inserted[..firings].iter().map(|inserted| inserted.id()));
        }
        Ok(ended?)
    }

    /// Leave to the store what parents and edges do not take. Edges are there twice in the end, and twice while
    /// their array grows.
    fn check_memory(&mut self, budget: &Budget) -> Result<(), StopReason> {
        let taken = |list: &Option<Vec<StateId>>| list.as_ref().map_or(0, |list| 4 * list.capacity() as u64);
        let limit = budget.memory().unwrap_or(u64::MAX);
        let rest = limit.checked_sub(taken(&self.parents) + 2 * taken(&self.edges)).ok_or(Exhausted::Memory)?;
        self.states.store_mut().set_limit(rest);
        Ok(())
    }

    pub(super) fn stats(&self) -> Stats {
        Stats {
            states: u64::from(self.states.store().len()),
            firings: self.firings,
            bytes: self.states.store().bytes() + self.parents.as_ref().map_or(0, |p| 4 * p.capacity() as u64),
            filled: self.states.store().filled() + self.parents.as_ref().map_or(0, |p| 4 * p.len() as u64),
            bits_per_state: self.states.layout().bits(),
            growths: self.states.growths(),
        }
    }

    /// Search for states that are a goal or that `visit` stops at, until the report of one, with how it was reached,
    /// says that it is enough.
    fn find(
        mut self,
        budget: &Budget,
        mut goal: impl FnMut(&States<S>, &[u64]) -> bool,
        mut visit: impl FnMut(&States<S>, &[u64], &[Rule]) -> bool,
        then: Then,
        report: Report<'_>,
    ) -> Result<(States<S>, Searched), StopReason> {
        while let Some(found) = self.breadth_first(&mut Watch { budget, progress: None }, &mut goal, &mut visit)? {
            let (trace, stats) = (trace(&self.states, &self.way_to(found), then.clone())?, self.stats());
            if !report(&trace, &stats) {
                return Ok((self.states, Searched { trace: Some(trace), stats }));
            }
        }
        let stats = self.stats();
        Ok((self.states, Searched { trace: None, stats }))
    }

    /// The states by which one was first reached, where traces are wanted.
    fn way_to(&self, state: StateId) -> Vec<StateId> {
        let parent = |&at: &StateId| {
            let parent = *self.parents.as_ref()?.get(at as usize)?;
            (parent != at).then_some(parent)
        };
        let mut path: Vec<StateId> = std::iter::successors(Some(state), parent).collect();
        path.reverse();
        path
    }
}
