//! The searches of local model checking.

use super::crew::Crew;
use super::program::{Node, PathKind, Program, State};
use crate::budget::Exhausted;
use crate::explicit::atoms::Atoms;
use crate::explicit::packed_model::{Event, PackedModel, Rule};
use crate::explicit::store::{Batch, StateId};
use crate::formula::PathSemantics;
use crate::model::{Path, Then};
use crate::rng::Rng;
use crate::stop_reason::StopReason;

/// Which order of successors, and of operands of `∧` and `∨`, is tried first; the others follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Attempt(pub u32);

/// The states of a path that ended a search with success, and how it goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Passed {
    states: Vec<StateId>,
    end: Ended,
}

/// How a search ended with success.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// In the last state, or in this successor of it.
    Open(Option<StateId>),
    /// In a state without successors.
    Deadlock,
    /// On an edge to the state at this position.
    Cycle(usize),
    /// In a state of which it was known before.
    Known,
}

/// Firings between two looks at the budget. A state of a large net may enable thousands, of which each takes microseconds.
pub(super) const CHECK_EVERY: u64 = 512;

/// The knowledge of a search about a state: none yet, its value, or its position among the open states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Nothing,
    Value(bool),
    Open(usize),
}

/// The positions of a search's open states plus one, four bytes for each state; 0 for others.
#[derive(Clone, Debug, Default)]
struct Table(Vec<u32>);

impl Table {
    #[inline]
    fn get(&self, state: StateId) -> Known {
        match self.0.get(state as usize) {
            None | Some(0) => Known::Nothing,
            Some(&open) => Known::Open(open as usize - 1),
        }
    }

    #[inline]
    fn set(&mut self, state: StateId, position: usize) {
        if self.0.len() <= state as usize {
            self.0.resize(state as usize + 1, 0);
        }
        self.0[state as usize] = position as u32 + 1;
    }
}

/// The decision of a search when it comes to a state.
enum Arrival {
    Value(bool),
    Onward,
}

/// A state on the path from where a search began.
struct Frame {
    /// Its position among the open states, and the least one known to be reachable from it.
    position: usize,
    low: usize,
    /// Its successors: the first, and the next to be visited. They end where those of the next frame begin.
    first: usize,
    next: usize,
}

/// In which order successors are visited.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Nearest,
    AsTheyCome,
    Chance,
}

/// Attempts take turns in these orders.
const ORDERS: [Order; 3] = [Order::Nearest, Order::AsTheyCome, Order::Chance];
/// Expansions of each of the first attempts, few in tests so that there are others; those of each next round have more
/// by this factor.
const FIRST: u64 = if cfg!(test) { 4 } else { 1 << 12 };
const GROWTH: u64 = 4;

/// The data of one thread, beside the common ones.
pub(super) struct Run<'c, 'a, S: PackedModel> {
    pub(super) crew: &'c Crew<'a, S>,
    pub(super) number: usize,
    pub(super) atoms: Atoms,
    /// The encoding that the atoms are compiled for is the one after so many growths.
    pub(super) growths: u32,
    attempt: u32,
    turns: u32,
    pub(super) order: Order,
    rng: Rng,
    /// Expansions after which this attempt is given up.
    limit: u64,
    /// Reduces what is fired on the way to a goal.
    pub(super) reducer: Option<S::Reducer>,
    /// The open states, by search.
    open: Vec<Table>,
    /// The successors of the states on the paths of all searches in progress.
    edges: Vec<StateId>,
    /// The same of the state being expanded, with their distances; the rules that lead to them, and their words.
    pub(super) fresh: Vec<(u64, StateId)>,
    pub(super) rules: Vec<Rule>,
    pub(super) fresh_words: Vec<u64>,
    pub(super) batch: Batch,
    pub(super) scratch: S::Scratch,
    /// Events on the way to a goal, and the rules of a set that is enough.
    pub(super) events: Vec<Event>,
    pub(super) members: Vec<Rule>,
    pub(super) words: Vec<u64>,
    pub(super) next: Vec<u64>,
    expansions: u64,
    pub(super) firings: u64,
    /// States that this thread was the first to find.
    pub(super) found: u64,
    /// After so many firings it looks at the budget.
    pub(super) look_at: u64,
    /// Bytes of its own that are counted.
    pub(super) counted: u64,
    /// How a search that goes on from a state has just ended there.
    ended: Ended,
    /// The path of the outermost search.
    passed: Option<Passed>,
}

impl<'c, 'a, S: PackedModel> Run<'c, 'a, S> {
    pub(super) fn new(
        crew: &'c Crew<'a, S>,
        number: usize,
        atoms: &Atoms,
        Attempt(first): Attempt,
        stubborn: bool,
    ) -> Self {
        let attempt = first.wrapping_add(number as u32);
        let steady = crew.shared.read();
        let reducer = if stubborn { steady.states.space().reducer(&|_| false) } else { None };
        Run {
            crew,
            number,
            atoms: atoms.clone(),
            growths: steady.states.growths(),
            attempt,
            turns: 0,
            order: Order::Nearest,
            rng: Rng::new(attempt.into()),
            limit: 0,
            reducer,
            open: vec![Table::default(); crew.program.paths.len()],
            edges: Vec::new(),
            fresh: Vec::new(),
            rules: Vec::new(),
            fresh_words: Vec::new(),
            batch: Batch::default(),
            scratch: S::Scratch::default(),
            events: Vec::new(),
            members: Vec::new(),
            words: Vec::new(),
            next: Vec::new(),
            expansions: 0,
            firings: 0,
            found: 0,
            look_at: 0,
            counted: 0,
            ended: Ended::Known,
            passed: None,
        }
    }

    /// Which thread it is.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// How many states it was the first to find.
    pub(super) fn found(&self) -> u64 {
        self.found
    }

    /// How many firings it has done.
    pub(super) fn firings(&self) -> u64 {
        self.firings
    }

    /// Search in the next order for a while; `None` if that was not enough.
    pub(super) fn turn(&mut self) -> Result<Option<bool>, StopReason> {
        let program = &self.crew.program;
        let rounds = self.turns / ORDERS.len() as u32;
        self.turns += 1;
        self.begin(FIRST.saturating_mul(GROWTH.saturating_pow(rounds)));
        match self.value(program, program.root, 0) {
            Err(_) if self.is_over() || self.crew.is_over() => {
                self.attempt = self.attempt.wrapping_add(1);
                Ok(None)
            }
            decided => decided.map(Some),
        }
    }

    /// The path that shows the value of a formula that is a quantifier or the negation of one, if it was searched for and
    /// found.
    pub(super) fn path(&mut self) -> Result<Option<Path>, StopReason> {
        let crew = self.crew;
        let mut root = crew.program.root;
        while let State::Not(a) = crew.program.states[root] {
            root = a;
        }
        let outermost = matches!(crew.program.states[root], State::Some(_));
        let Some(Passed { mut states, end }) = self.passed.take().filter(|_| outermost) else { return Ok(None) };
        let cycle = match end {
            Ended::Known => return Ok(None),
            Ended::Cycle(position) => {
                states.extend(states.get(position).copied());
                Some(position)
            }
            Ended::Open(next) => {
                states.extend(next);
                None
            }
            Ended::Deadlock => None,
        };
        let mut prefix = Vec::with_capacity(states.len());
        let steady = crew.shared.read();
        for pair in states.windows(2) {
            let Some(step) = steady.states.step(pair[0], pair[1])? else { return Ok(None) };
            prefix.push(step);
        }
        let then = match (cycle, end) {
            (Some(position), _) => Then::Cycle(prefix.split_off(position)),
            (None, Ended::Deadlock) => Then::Deadlock,
            // It might end in a deadlock, which is no path then.
            (None, _) if crew.paths == PathSemantics::Infinite => return Ok(None),
            (None, _) => Then::Open,
        };
        Ok(Some(Path { prefix, then }))
    }

    /// Begin an attempt with so many expansions. Values that were found are kept.
    fn begin(&mut self, share: u64) {
        self.order = ORDERS[self.attempt as usize % ORDERS.len()];
        self.limit = self.expansions.saturating_add(share);
        self.edges.clear();
        self.open.iter_mut().for_each(|open| open.0.fill(0));
    }

    /// Has this attempt used up its expansions?
    fn is_over(&self) -> bool {
        self.expansions > self.limit
    }

    /// The knowledge of a search about a state.
    #[inline]
    fn known(&self, search: usize, state: StateId) -> Known {
        match self.crew.facts.value(search, state) {
            Some(value) => Known::Value(value),
            None => self.open[search].get(state),
        }
    }

    /// The value of a state formula. The recursion is as deep as the formula is nested.
    pub(super) fn value(&mut self, program: &Program, node: Node, state: StateId) -> Result<bool, StopReason> {
        Ok(match &program.states[node] {
            State::Condition(proposition) => self.crew.facts.letter(state) >> proposition & 1 == 1,
            State::Not(a) => !self.value(program, *a, state)?,
            State::And(operands) => {
                for a in program.in_turn(operands, self.attempt) {
                    if !self.value(program, a, state)? {
                        return Ok(false);
                    }
                }
                true
            }
            State::Or(operands) => {
                for a in program.in_turn(operands, self.attempt) {
                    if self.value(program, a, state)? {
                        return Ok(true);
                    }
                }
                false
            }
            State::Iff(a, b) => self.value(program, *a, state)? == self.value(program, *b, state)?,
            &State::Some(search) => match (self.known(search, state), program.paths[search]) {
                (Known::Value(value), _) => value,
                (_, PathKind::Next(a)) => {
                    let value = self.some_successor(program, a, state)?;
                    self.crew.facts.settle(search, state, value)?;
                    value
                }
                _ => self.some_path(program, search, state)?,
            },
        })
    }

    /// Does some successor satisfy this?
    fn some_successor(&mut self, program: &Program, node: Node, state: StateId) -> Result<bool, StopReason> {
        let first = self.edges.len();
        self.expand(program, state, Some(node), None)?;
        let last = self.edges.len();
        let mut found =
            last == first && self.crew.paths == PathSemantics::Stutter && self.value(program, node, state)?;
        let mut next = None;
        for at in first..last {
            if !found && self.value(program, node, self.edges[at])? {
                (found, next) = (true, Some(self.edges[at]));
            }
        }
        self.edges.truncate(first);
        if found {
            let end = if next.is_some() { Ended::Open(next) } else { Ended::Deadlock };
            self.pass(state, &[], &[], Some(state), end);
        }
        Ok(found)
    }

    /// Does a path that is searched for begin in this state? Decides the states that it passes, too.
    fn some_path(&mut self, program: &Program, search: usize, from: StateId) -> Result<bool, StopReason> {
        let until = matches!(program.paths[search], PathKind::Until(..));
        let bottom = self.edges.len();
        let (mut frames, mut open): (Vec<Frame>, Vec<StateId>) = (Vec::new(), Vec::new());
        let mut entering = Some(from);
        let found = 'search: loop {
            if let Some(state) = entering.take() {
                match self.arrive(program, search, state)? {
                    Arrival::Value(value) => {
                        self.crew.facts.settle(search, state, value)?;
                        if value {
                            self.pass(from, &frames, &open, Some(state), Ended::Open(None));
                            break 'search true;
                        }
                    }
                    Arrival::Onward => {
                        let (position, first) = (open.len(), self.edges.len());
                        self.open[search].set(state, position);
                        open.push(state);
                        if self.onward(program, search, state)? {
                            self.pass(from, &frames, &open, Some(state), self.ended);
                            break 'search true;
                        }
                        frames.push(Frame { position, low: position, first, next: first });
                    }
                }
            }
            let Some(frame) = frames.last_mut() else { break 'search false };
            if let Some(&state) = self.edges.get(frame.next) {
                frame.next += 1;
                match self.known(search, state) {
                    Known::Nothing => entering = Some(state),
                    Known::Open(position) if until => frame.low = frame.low.min(position),
                    known @ (Known::Open(_) | Known::Value(true)) => {
                        let cycle = if let Known::Open(position) = known { Some(position) } else { None };
                        self.pass(from, &frames, &open, None, cycle.map_or(Ended::Known, Ended::Cycle));
                        break 'search true;
                    }
                    Known::Value(false) => {}
                }
                continue;
            }
            let &mut Frame { position, low, first, .. } = frame;
            frames.pop();
            self.edges.truncate(first);
            if low < position {
                if let Some(before) = frames.last_mut() {
                    before.low = before.low.min(low);
                }
                continue;
            }
            for state in open.drain(position..) {
                self.crew.facts.settle(search, state, false)?;
            }
        };
        // Each of them has a path to where the search ended.
        for state in open {
            self.crew.facts.settle(search, state, true)?;
        }
        self.edges.truncate(bottom);
        Ok(found)
    }

    /// Remember the path of a search from the initial state that has succeeded: the outermost one ends last.
    fn pass(&mut self, from: StateId, frames: &[Frame], open: &[StateId], last: Option<StateId>, end: Ended) {
        self.passed = None;
        if from == 0 {
            let mut states: Vec<StateId> =
                frames.iter().filter_map(|frame| open.get(frame.position).copied()).collect();
            states.extend(last);
            self.passed = Some(Passed { states, end });
        }
    }

    /// The decision from the values of a state, and from searches nested in this one.
    fn arrive(&mut self, program: &Program, search: usize, state: StateId) -> Result<Arrival, StopReason> {
        let (within, target) = match program.paths[search] {
            PathKind::Until(within, target) | PathKind::WeakUntil(within, target) => (within, Some(target)),
            PathKind::Always(within) | PathKind::Next(within) => (within, None),
        };
        // What is cheap comes first.
        if let Some(target) = target
            && !program.is_single(target)
            && program.is_single(within)
            && !self.value(program, within, state)?
        {
            return Ok(Arrival::Value(self.value(program, target, state)?));
        }
        if let Some(target) = target
            && self.value(program, target, state)?
        {
            return Ok(Arrival::Value(true));
        }
        Ok(match self.value(program, within, state)? {
            true => Arrival::Onward,
            false => Arrival::Value(false),
        })
    }

    /// Find the successors of a state where the search goes on. True if one of them, or that there are none, ends it
    /// with success.
    fn onward(&mut self, program: &Program, search: usize, state: StateId) -> Result<bool, StopReason> {
        let (target, forever) = match program.paths[search] {
            PathKind::Until(_, target) => (Some(target), false),
            PathKind::WeakUntil(_, target) => (Some(target), true),
            PathKind::Always(_) | PathKind::Next(_) => (None, true),
        };
        let first = self.edges.len();
        let goal = target.filter(|_| program.is_reachability(search));
        self.expand(program, state, target, goal)?;
        if self.edges.len() == first {
            self.ended = Ended::Deadlock;
            return Ok(forever && self.crew.paths != PathSemantics::Infinite);
        }
        let mut kept = first;
        for at in first..self.edges.len() {
            let next = self.edges[at];
            match self.known(search, next) {
                Known::Value(true) => {
                    self.ended = Ended::Known;
                    return Ok(true);
                }
                Known::Open(position) if forever => {
                    self.ended = Ended::Cycle(position);
                    return Ok(true);
                }
                Known::Value(false) => continue,
                Known::Open(_) | Known::Nothing => {}
            }
            if let Some(target) = target
                && program.is_single(target)
                && self.value(program, target, next)?
            {
                self.ended = Ended::Open(Some(next));
                return Ok(true);
            }
            self.edges[kept] = next;
            kept += 1;
        }
        self.edges.truncate(kept);
        Ok(false)
    }

    /// Put the successors of a state on top of the edges, those to be visited first before the others. With a goal,
    /// which does not hold in the state, only as many as its reachability needs.
    fn expand(
        &mut self,
        program: &Program,
        state: StateId,
        target: Option<Node>,
        goal: Option<Node>,
    ) -> Result<(), StopReason> {
        self.expansions += 1;
        if self.is_over() || self.crew.is_over() {
            return Err(Exhausted::Work.into());
        }
        let target = target.filter(|_| matches!(self.order, Order::Nearest));
        let crew = self.crew;
        loop {
            let (growths, need) = {
                let steady = crew.shared.read();
                match self.fire(&steady, program, state, target, goal)? {
                    None => break,
                    Some(need) => (steady.states.growths(), need),
                }
            };
            crew.provide(growths, need)?;
        }
        self.firings += self.fresh.len() as u64;
        match self.order {
            Order::Nearest if target.is_some() => self.fresh.sort_by_key(|&(distance, _)| distance),
            Order::Nearest | Order::AsTheyCome => {}
            Order::Chance => self.rng.shuffle(&mut self.fresh),
        }
        self.edges.extend(self.fresh.iter().map(|&(_, next)| next));
        Ok(())
    }

    /// Bytes of its own. Vectors are there twice while they grow.
    pub(super) fn taken(&self) -> u64 {
        let tables = self.open.iter().map(|table| 4 * table.0.capacity()).sum::<usize>();
        // A successor on a path, with its share of a frame, and its place among the open states.
        2 * (tables + 16 * self.edges.capacity()) as u64
    }
}
