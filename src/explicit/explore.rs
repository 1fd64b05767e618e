//! Reachability: count the reachable states and firings, find deadlocks, search for a state.
//!
//! Breadth-first, the store is its own queue: states are expanded in the order of their numbers. Depth-first,
//! the stack holds a state number and the next rule per frame. Shortest traces come from the breadth-first
//! search; they are recovered from one parent number per state, kept only when a trace is wanted. A search for a deadlock
//! fires a stubborn set in each state, which keeps all deadlocks.
//!
//! One expansion is atomic: when a firing does not fit the encoding, the encoding grows and the state is
//! expanded again from its first rule.

use super::layout::Layout;
use super::space::{Fired, Reducer, Rule, Space};
use super::states::States;
use super::store::{Inserted, StateId};
use super::{Options, Stats};
use crate::budget::{Budget, Exhausted};
use crate::halt::Halt;
use crate::model::{Path, Standstill, State, Then, VariableId};
use rustc_hash::FxHashSet;

/// What a complete exploration found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// Reachable states.
    pub states: u128,
    /// Pairs of a reachable state and a step enabled in it.
    pub transitions: u128,
    /// Reachable states that enable nothing; where time passes by itself, nothing else then and later.
    pub deadlocks: u128,
    /// Reachable states, what clocks show left aside; nothing where there are no clocks.
    pub markings: Option<u128>,
    /// The largest value of each variable: the most tokens that a place ever holds, the highest number of a local state.
    pub bounds: Vec<u64>,
    /// The largest sum of all values of a state: the most tokens that a marking of a net holds.
    pub max_tokens_per_marking: u128,
    /// Which actions are taken somewhere.
    pub fireable: Vec<bool>,
    /// Effort.
    pub stats: Stats,
}

impl Exploration {
    /// The largest value that any variable ever has: of a net, the most tokens in a place.
    pub fn max_tokens_in_place(&self) -> u64 {
        self.bounds.iter().copied().max().unwrap_or(0)
    }
}

/// A path from the initial state; from one of them, if there are several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Its steps, and whether it can go on.
    pub path: Path,
    /// The state at the end of these steps.
    pub last: State,
}

/// The result of a search for a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// A path to such a state, a shortest one unless stubborn sets are fired; `None` if no reachable state is one.
    pub trace: Option<Trace>,
    /// Effort.
    pub stats: Stats,
}

/// A packed state, read in place.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    layout: &'a Layout,
    words: &'a [u64],
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
pub(super) fn explore<S: Space>(
    states: States<S>,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<(States<S>, Exploration), Halt> {
    let mut search = Search::new(states, false);
    let watch = &mut Watch { budget, progress: Some(progress) };
    let mut fireable = vec![false; search.states.space().system().actions()];
    // Nothing where a number is beyond 128 bits.
    let (mut all, mut transitions, mut deadlocks) = (Some(0u128), Some(0u128), Some(0u128));
    let tick = search.states.space().system().tick();
    let visit = |states: &States<S>, words: &[u64], fired: &[Rule]| {
        let times = states.space().stands_for(words);
        let add = |sum: &mut Option<u128>, factor: u128| {
            *sum = sum.zip(times).and_then(|(sum, times)| sum.checked_add(times.checked_mul(factor)?));
        };
        add(&mut all, 1);
        add(&mut transitions, fired.len() as u128);
        // Where something else can happen, nothing stands still.
        let deed = fired.iter().any(|&rule| Some(states.space().id(states.action(rule))) != tick);
        add(&mut deadlocks, u128::from(!deed && (tick.is_none() || stands_still(states, words))));
        fired.iter().for_each(|&r| fireable[states.action(r) as usize] = true);
        false
    };
    if options.depth_first {
        search.depth_first(watch, visit)?;
    } else {
        search.breadth_first(watch, |_, _| false, visit)?;
    }
    let mut by_action = vec![false; fireable.len()];
    for (action, fireable) in (0..).zip(fireable) {
        by_action[search.states.space().id(action).index()] = fireable;
    }
    let mut result = Exploration {
        states: all.ok_or(Halt::Arithmetic)?,
        transitions: transitions.ok_or(Halt::Arithmetic)?,
        deadlocks: deadlocks.ok_or(Halt::Arithmetic)?,
        markings: None,
        bounds: vec![0; search.states.space().system().variables()],
        max_tokens_per_marking: 0,
        fireable: by_action,
        stats: search.stats(),
    };
    let (mut words, mut values) = (Vec::new(), Vec::new());
    let system = search.states.space().system();
    let lasting: Vec<usize> =
        system.variable_ids().filter(|&v| system.unit(v).is_none()).map(VariableId::index).collect();
    let mut markings: Option<FxHashSet<Box<[u64]>>> = (lasting.len() < system.variables()).then(FxHashSet::default);
    for id in 0..search.states.store().len() {
        if id.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
        }
        search.states.read(id, &mut words);
        search.states.layout().decode(&words, &mut values);
        result.bounds.iter_mut().zip(&values).for_each(|(b, &n)| *b = n.max(*b));
        if let Some(markings) = &mut markings {
            markings.insert(lasting.iter().map(|&variable| values[variable]).collect());
        }
        let sum = values.iter().map(|&n| u128::from(n)).sum();
        result.max_tokens_per_marking = result.max_tokens_per_marking.max(sum);
    }
    result.markings = markings.map(|markings| markings.len() as u128);
    Ok((search.states, result))
}

/// Is a state a deadlock, though time may pass? The model has told its successors: it cannot fail.
fn stands_still<S: Space>(states: &States<S>, words: &[u64]) -> bool {
    states.space().stands_still(words, Standstill::Deadlock) == Ok(true)
}

/// Search for a reachable state without successors, or, where time passes by itself, in which nothing else ever happens.
pub(super) fn find_deadlock<S: Space>(
    states: States<S>,
    options: &Options,
    budget: &Budget,
) -> Result<(States<S>, Searched), Halt> {
    let mut search = Search::new(states, true);
    search.reducer = search.states.space().reducer(&|_| false).filter(|_| options.stubborn);
    if search.states.space().system().tick().is_some() {
        return search.find(budget, stands_still, |_, _, _| false, Then::Open);
    }
    search.find(budget, |_, _| false, |_, _, fired| fired.is_empty(), Then::Deadlock)
}

/// Search for a reachable state that satisfies `goal`.
pub(super) fn find<S: Space>(
    states: States<S>,
    budget: &Budget,
    goal: &mut dyn FnMut(View<'_>) -> bool,
) -> Result<(States<S>, Searched), Halt> {
    let goal = |states: &States<S>, words: &[u64]| goal(View { layout: states.layout(), words });
    Search::new(states, true).find(budget, goal, |_, _, _| false, Then::Open)
}

/// Limits of a search, and who is told how many states there are.
pub(super) struct Watch<'a> {
    pub(super) budget: &'a Budget,
    pub(super) progress: Option<&'a mut dyn FnMut(u64)>,
}

/// A search, begun or not: where it ends for lack of time, it can go on.
#[derive(Debug)]
pub(super) struct Search<S: Space> {
    pub(super) states: States<S>,
    /// Reduces what is fired, if only deadlocks are wanted.
    reducer: Option<S::Reducer>,
    /// The state each state was first reached from, if traces are wanted.
    parents: Option<Vec<StateId>>,
    /// The successors of all expanded states in turn, if they are wanted.
    pub(super) edges: Option<Vec<StateId>>,
    /// The states before this one have been expanded, breadth first.
    expanded: StateId,
    firings: u64,
    /// After so many firings it looks at the budget.
    look_at: u64,
    /// The enabled rules of the state just expanded.
    fired: Vec<Rule>,
    /// Its new successors.
    fresh: Vec<StateId>,
    words: Vec<u64>,
    next: Vec<u64>,
}

impl<S: Space> Search<S> {
    pub(super) fn new(states: States<S>, traces: bool) -> Self {
        Search {
            states,
            reducer: None,
            parents: traces.then(Vec::new),
            edges: None,
            expanded: 0,
            firings: 0,
            look_at: 0,
            fired: Vec::new(),
            fresh: Vec::new(),
            words: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Begin in all initial states, which get the first numbers; each is its own parent. What has begun goes on.
    fn start(&mut self) -> Result<(), Halt> {
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
    ) -> Result<Option<StateId>, Halt> {
        self.start()?;
        while self.expanded < self.states.store().len() {
            let id = self.expanded;
            self.states.read(id, &mut self.words);
            if goal(&self.states, &self.words) {
                return Ok(Some(id));
            }
            self.states.enter(&self.words)?;
            self.expand(id, watch)?;
            self.expanded += 1;
            if visit(&self.states, &self.words, &self.fired) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Expand every state, last discovered first.
    fn depth_first(
        &mut self,
        watch: &mut Watch<'_>,
        mut visit: impl FnMut(&States<S>, &[u64], &[Rule]) -> bool,
    ) -> Result<(), Halt> {
        self.start()?;
        let mut stack: Vec<StateId> = (0..self.states.store().len()).rev().collect();
        while let Some(id) = stack.pop() {
            self.states.load(id, &mut self.words)?;
            self.expand(id, watch)?;
            visit(&self.states, &self.words, &self.fired);
            stack.extend(self.fresh.iter().rev());
        }
        Ok(())
    }

    /// Fire everything enabled in a state that has just been loaded.
    fn expand(&mut self, id: StateId, watch: &mut Watch<'_>) -> Result<(), Halt> {
        if self.firings >= self.look_at {
            self.look_at = self.firings + u64::from(CHECK_EVERY);
            if let Some(progress) = &mut watch.progress {
                progress(self.states.store().len().into());
            }
            watch.budget.check()?;
            self.check_memory(watch.budget)?;
        }
        self.fresh.clear();
        let row = self.edges.as_ref().map_or(0, Vec::len);
        let fired = self.fire(id, row, watch.budget);
        if fired.is_err()
            && let Some(edges) = &mut self.edges
        {
            edges.truncate(row);
        }
        fired
    }

    /// The same, where the edges of the state go to `row`.
    fn fire(&mut self, id: StateId, row: usize, budget: &Budget) -> Result<(), Halt> {
        let reduced = self.reducer.as_mut().and_then(|reducer| reducer.reduce(self.states.space(), &self.words));
        'again: loop {
            self.fired.clear();
            if let Some(edges) = &mut self.edges {
                edges.truncate(row);
            }
            let mut cursor = self.states.cursor(&self.words, 0);
            let mut members = reduced.into_iter().flatten().copied();
            while let Some(rule) = match reduced {
                Some(_) => members.next(),
                None => self.states.next(&self.words, &mut cursor),
            } {
                if self.states.fire(&self.words, rule, &mut self.next) == Fired::Misfit {
                    self.states.grow(id, rule, budget)?;
                    self.states.load(id, &mut self.words)?;
                    continue 'again;
                }
                self.fired.push(rule);
                let inserted = self.states.insert(&self.next)?;
                if let Inserted::New(new) = inserted {
                    self.fresh.push(new);
                    if let Some(parents) = &mut self.parents {
                        parents.push(id);
                    }
                }
                if let Some(edges) = &mut self.edges {
                    let (Inserted::New(next) | Inserted::Old(next)) = inserted;
                    edges.push(next);
                }
            }
            self.firings += self.fired.len() as u64;
            return Ok(());
        }
    }

    /// Leave to the store what parents and edges do not take. Edges are there twice in the end, and twice while
    /// their array grows.
    fn check_memory(&mut self, budget: &Budget) -> Result<(), Halt> {
        let taken = |list: &Option<Vec<StateId>>| list.as_ref().map_or(0, |list| 4 * list.capacity() as u64);
        if let Some(limit) = budget.memory()
            && (self.parents.is_some() || self.edges.is_some())
        {
            let rest = limit.checked_sub(taken(&self.parents) + 2 * taken(&self.edges)).ok_or(Exhausted::Memory)?;
            self.states.store_mut().set_limit(rest);
        }
        Ok(())
    }

    pub(super) fn stats(&self) -> Stats {
        Stats {
            states: u64::from(self.states.store().len()),
            firings: self.firings,
            bytes: self.states.store().bytes() + self.parents.as_ref().map_or(0, |p| 4 * p.capacity() as u64),
            bits_per_state: self.states.layout().bits(),
            growths: self.states.growths(),
        }
    }

    /// Search until a state is a goal or `visit` says stop, and say how it was reached.
    fn find(
        mut self,
        budget: &Budget,
        goal: impl FnMut(&States<S>, &[u64]) -> bool,
        visit: impl FnMut(&States<S>, &[u64], &[Rule]) -> bool,
        then: Then,
    ) -> Result<(States<S>, Searched), Halt> {
        let Some(goal) = self.breadth_first(&mut Watch { budget, progress: None }, goal, visit)? else {
            let stats = self.stats();
            return Ok((self.states, Searched { trace: None, stats }));
        };
        let mut path = vec![goal];
        let parents = self.parents.take().unwrap_or_default();
        let mut at = goal;
        while parents[at as usize] != at {
            at = parents[at as usize];
            path.push(at);
        }
        path.reverse();
        self.parents = Some(parents);
        let mut prefix = Vec::with_capacity(path.len() - 1);
        for step in path.windows(2) {
            prefix.extend(self.states.step(step[0], step[1])?);
        }
        self.states.read(goal, &mut self.words);
        let last = self.states.unpacked(&self.words);
        let (trace, stats) = (Trace { path: Path { prefix, then }, last }, self.stats());
        Ok((self.states, Searched { trace: Some(trace), stats }))
    }
}
