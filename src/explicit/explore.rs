//! Reachability: count the reachable markings and firings, find deadlocks, search for a marking.
//!
//! Breadth-first, the store is its own queue: states are expanded in the order of their numbers. Depth-first,
//! the stack holds a state number and the next rule per frame. Shortest traces come from the breadth-first
//! search; they are recovered from one parent number per state, kept only when a trace is wanted. A search for a deadlock
//! fires a stubborn set in each state, which keeps all deadlocks.
//!
//! One expansion is atomic: when a firing does not fit the encoding, the encoding grows and the state is
//! expanded again from its first rule.

use super::layout::Layout;
use super::program::Rule;
use super::space::{Fired, Space};
use super::store::{Inserted, StateId};
use super::stubborn::Stubborn;
use super::synchronised::Synchronised;
use super::system::System;
use super::{Options, Stats, Stopped};
use crate::budget::{Budget, Exhausted};
use crate::lts::Model;
use crate::net::{Marking, PlaceId, TransitionId};

/// What a complete exploration found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// Reachable markings.
    pub states: u64,
    /// Pairs of a reachable marking and a step enabled in it.
    pub transitions: u64,
    /// Reachable markings that enable nothing.
    pub deadlocks: u64,
    /// The most tokens each place ever holds; of a network, the highest number of a local state of each component.
    pub bounds: Vec<u64>,
    /// The most tokens a marking holds in all.
    pub max_tokens_per_marking: u128,
    /// Which transitions, or labels, fire somewhere.
    pub fireable: Vec<bool>,
    /// Effort.
    pub stats: Stats,
}

impl Exploration {
    /// The most tokens that any place ever holds.
    pub fn max_tokens_in_place(&self) -> u64 {
        self.bounds.iter().copied().max().unwrap_or(0)
    }
}

/// A path from the initial marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The steps taken, in order: transitions, or numbers of steps of a network ([`Model::fire`]).
    pub transitions: Vec<TransitionId>,
    /// The marking at its end.
    pub last: Marking,
}

/// The result of a search for a marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// A path to such a marking, a shortest one unless stubborn sets are fired; `None` if no reachable marking is one.
    pub trace: Option<Trace>,
    /// Effort.
    pub stats: Stats,
}

/// A packed marking, read in place.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    layout: &'a Layout,
    words: &'a [u64],
}

impl View<'_> {
    /// Tokens in `place`; of a network, the local state of the component.
    pub fn tokens(&self, place: PlaceId) -> u64 {
        self.layout.slot(place).tokens(self.words)
    }
}

/// Expansions between two looks at the budget.
const CHECK_EVERY: u32 = 128;

/// Build the reachability graph of a net or network and count.
///
/// ```
/// use starset::budget::Budget;
/// use starset::explicit::{Options, explore};
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("buffer");
/// let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
/// let put = b.transition("put")?;
/// b.input(free, put, 1)?;
/// b.output(put, full, 1)?;
/// let result = explore(&b.build()?, &Options::default(), &Budget::unlimited()).unwrap();
/// assert_eq!((result.states, result.transitions, result.deadlocks), (4, 3, 1));
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn explore<'n>(model: impl Into<Model<'n>>, options: &Options, budget: &Budget) -> Result<Exploration, Stopped> {
    match model.into() {
        Model::Net(net) => explored(System::new(net, options, 0, budget), options, budget),
        Model::Network(network) => explored(Synchronised::new(network, 0, budget)?, options, budget),
    }
}

fn explored<S: Space>(space: S, options: &Options, budget: &Budget) -> Result<Exploration, Stopped> {
    let mut search = Search::new(space, budget, false);
    let mut fireable = vec![false; search.space.actions() as usize];
    let (mut transitions, mut deadlocks) = (0, 0);
    let visit = |space: &S, _: &[u64], fired: &[Rule]| {
        transitions += fired.len() as u64;
        deadlocks += u64::from(fired.is_empty());
        fired.iter().for_each(|&r| fireable[space.action(r) as usize] = true);
        false
    };
    if options.depth_first {
        search.depth_first(visit)?;
    } else {
        search.breadth_first(|_, _| false, visit)?;
    }
    let mut by_label = vec![false; fireable.len()];
    for (action, fireable) in (0..).zip(fireable) {
        by_label[search.space.label(action).index()] = fireable;
    }
    let mut result = Exploration {
        states: u64::from(search.space.store().len()),
        transitions,
        deadlocks,
        bounds: vec![0; search.space.model().variables()],
        max_tokens_per_marking: 0,
        fireable: by_label,
        stats: search.stats(),
    };
    let (mut words, mut tokens) = (Vec::new(), Vec::new());
    for id in 0..search.space.store().len() {
        if id.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
        }
        search.space.load(id, &mut words);
        search.space.layout().decode(&words, &mut tokens);
        result.bounds.iter_mut().zip(&tokens).for_each(|(b, &n)| *b = n.max(*b));
        let sum = tokens.iter().map(|&n| u128::from(n)).sum();
        result.max_tokens_per_marking = result.max_tokens_per_marking.max(sum);
    }
    Ok(result)
}

/// Search for a reachable marking that enables nothing. With [`Options::stubborn`], only a stubborn set is fired in
/// each marking of a net, which keeps all deadlocks (Valmari 1990), and the path found is seldom a shortest one.
pub fn find_deadlock<'n>(model: impl Into<Model<'n>>, options: &Options, budget: &Budget) -> Result<Found, Stopped> {
    fn dead<S>(_: &S, _: &[u64], fired: &[Rule]) -> bool {
        fired.is_empty()
    }
    match model.into() {
        Model::Net(net) => {
            let mut search = Search::new(System::new(net, options, 0, budget), budget, true);
            search.stubborn = options.stubborn.then(|| Stubborn::new(&search.space, |_| false));
            search.find(|_, _| false, dead)
        }
        Model::Network(network) => {
            Search::new(Synchronised::new(network, 0, budget)?, budget, true).find(|_, _| false, dead)
        }
    }
}

/// Search for a reachable marking that satisfies `predicate`.
pub fn find<'n>(
    model: impl Into<Model<'n>>,
    options: &Options,
    budget: &Budget,
    predicate: impl FnMut(View) -> bool,
) -> Result<Found, Stopped> {
    match model.into() {
        Model::Net(net) => found(System::new(net, options, 0, budget), budget, predicate),
        Model::Network(network) => found(Synchronised::new(network, 0, budget)?, budget, predicate),
    }
}

fn found<S: Space>(space: S, budget: &Budget, mut predicate: impl FnMut(View) -> bool) -> Result<Found, Stopped> {
    let goal = |space: &S, words: &[u64]| predicate(View { layout: space.layout(), words });
    Search::new(space, budget, true).find(goal, |_, _, _| false)
}

/// A running search.
pub(super) struct Search<'a, S> {
    pub(super) space: S,
    budget: &'a Budget,
    /// Reduces what is fired, if only deadlocks are wanted.
    stubborn: Option<Stubborn>,
    /// The state each state was first reached from, if traces are wanted.
    parents: Option<Vec<StateId>>,
    /// The successors of all expanded states in turn, if they are wanted.
    pub(super) edges: Option<Vec<StateId>>,
    firings: u64,
    expansions: u32,
    /// The enabled rules of the state just expanded.
    fired: Vec<Rule>,
    /// Its new successors.
    fresh: Vec<StateId>,
    words: Vec<u64>,
    next: Vec<u64>,
}

impl<'a, S: Space> Search<'a, S> {
    pub(super) fn new(space: S, budget: &'a Budget, traces: bool) -> Self {
        Search {
            space,
            budget,
            stubborn: None,
            parents: traces.then(Vec::new),
            edges: None,
            firings: 0,
            expansions: 0,
            fired: Vec::new(),
            fresh: Vec::new(),
            words: Vec::new(),
            next: Vec::new(),
        }
    }

    fn start(&mut self) -> Result<(), Stopped> {
        let initial = self.space.initial();
        self.space.insert(&initial)?;
        if let Some(parents) = &mut self.parents {
            parents.push(0);
        }
        Ok(())
    }

    /// Expand every state in the order of discovery until one is a goal or, expanded, makes `visit` say stop.
    pub(super) fn breadth_first(
        &mut self,
        mut goal: impl FnMut(&S, &[u64]) -> bool,
        mut visit: impl FnMut(&S, &[u64], &[Rule]) -> bool,
    ) -> Result<Option<StateId>, Stopped> {
        self.start()?;
        let mut id = 0;
        while id < self.space.store().len() {
            self.space.load(id, &mut self.words);
            if goal(&self.space, &self.words) {
                return Ok(Some(id));
            }
            self.expand(id)?;
            if visit(&self.space, &self.words, &self.fired) {
                return Ok(Some(id));
            }
            id += 1;
        }
        Ok(None)
    }

    /// Expand every state, last discovered first.
    fn depth_first(&mut self, mut visit: impl FnMut(&S, &[u64], &[Rule]) -> bool) -> Result<(), Stopped> {
        self.start()?;
        let mut stack = vec![0];
        while let Some(id) = stack.pop() {
            self.space.load(id, &mut self.words);
            self.expand(id)?;
            visit(&self.space, &self.words, &self.fired);
            stack.extend(self.fresh.iter().rev());
        }
        Ok(())
    }

    /// Fire everything enabled in a state that has just been loaded.
    fn expand(&mut self, id: StateId) -> Result<(), Stopped> {
        if self.expansions.is_multiple_of(CHECK_EVERY) {
            self.budget.check()?;
            self.check_memory()?;
        }
        self.expansions = self.expansions.wrapping_add(1);
        self.fresh.clear();
        let row = self.edges.as_ref().map_or(0, Vec::len);
        let reduced = match (&mut self.stubborn, self.space.as_net()) {
            (Some(stubborn), Some(system)) => stubborn.reduce(system, &self.words),
            _ => None,
        };
        'again: loop {
            self.fired.clear();
            if let Some(edges) = &mut self.edges {
                edges.truncate(row);
            }
            let mut cursor = self.space.cursor(&self.words, 0);
            let mut members = reduced.into_iter().flatten().copied();
            while let Some(rule) = match reduced {
                Some(_) => members.next(),
                None => self.space.next(&self.words, &mut cursor),
            } {
                if self.space.fire(&self.words, rule, &mut self.next) == Fired::Misfit {
                    self.space.grow(id, rule, self.budget)?;
                    self.space.load(id, &mut self.words);
                    continue 'again;
                }
                self.fired.push(rule);
                let inserted = self.space.insert(&self.next)?;
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
    fn check_memory(&mut self) -> Result<(), Stopped> {
        let taken = |list: &Option<Vec<StateId>>| list.as_ref().map_or(0, |list| 4 * list.capacity() as u64);
        if let Some(limit) = self.budget.memory()
            && (self.parents.is_some() || self.edges.is_some())
        {
            let rest = limit.checked_sub(taken(&self.parents) + 2 * taken(&self.edges)).ok_or(Exhausted::Memory)?;
            self.space.store_mut().set_limit(rest);
        }
        Ok(())
    }

    pub(super) fn stats(&self) -> Stats {
        Stats {
            states: u64::from(self.space.store().len()),
            firings: self.firings,
            bytes: self.space.store().bytes() + self.parents.as_ref().map_or(0, |p| 4 * p.capacity() as u64),
            bits_per_state: self.space.layout().bits(),
            growths: self.space.growths(),
        }
    }

    /// Search until a state is a goal or `visit` says stop, and say how it was reached.
    fn find(
        mut self,
        goal: impl FnMut(&S, &[u64]) -> bool,
        visit: impl FnMut(&S, &[u64], &[Rule]) -> bool,
    ) -> Result<Found, Stopped> {
        let Some(goal) = self.breadth_first(goal, visit)? else {
            return Ok(Found { trace: None, stats: self.stats() });
        };
        let mut path = vec![goal];
        let parents = self.parents.take().unwrap_or_default();
        let mut at = goal;
        while at != 0 {
            at = parents[at as usize];
            path.push(at);
        }
        path.reverse();
        self.parents = Some(parents);
        let mut transitions = Vec::with_capacity(path.len() - 1);
        for step in path.windows(2) {
            transitions.extend(self.step(step[0], step[1])?);
        }
        self.space.load(goal, &mut self.words);
        let last = self.space.marking(&self.words);
        Ok(Found { trace: Some(Trace { transitions, last }), stats: self.stats() })
    }

    /// The first step that leads from one stored state to another.
    fn step(&mut self, from: StateId, to: StateId) -> Result<Option<TransitionId>, Stopped> {
        self.space.load(from, &mut self.words);
        let mut cursor = self.space.cursor(&self.words, 0);
        while let Some(rule) = self.space.next(&self.words, &mut cursor) {
            // Fits: the state has been expanded in an encoding that only grew since.
            if self.space.fire(&self.words, rule, &mut self.next) == Fired::Done
                && self.space.insert(&self.next)? == Inserted::Old(to)
            {
                return Ok(Some(self.space.step(rule)));
            }
        }
        Ok(None)
    }
}
