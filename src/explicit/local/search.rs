//! The searches of local model checking.

use super::program::{Node, PathKind, Program, State};
use super::{Attempt, Stats};
use crate::automaton::Prop;
use crate::budget::{Budget, Exhausted};
use crate::explicit::atoms::{Atoms, Letter};
use crate::explicit::space::{Event, Fired, Reducer, Rule, Space};
use crate::explicit::states::States;
use crate::explicit::store::{Inserted, StateId};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::halt::Halt;
use crate::model::{Path, State as ModelState, Then};
use crate::rng::Rng;

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

const FOREIGN: Halt = Halt::Unsupported("the explicit engine does not search from a state with values this large");

/// Firings between two looks at the budget. A state of a large net may enable thousands, of which each takes microseconds.
const CHECK_EVERY: u64 = 512;
/// Levels of a formula that the distance to it is guessed from.
const DEPTH: u32 = 8;

/// What a search knows about a state: nothing yet, its value, or its position among the open states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Nothing,
    Value(bool),
    Open(usize),
}

/// What all searches know about the states, four bytes for each.
#[derive(Clone, Debug, Default)]
struct Table(Vec<u32>);

impl Table {
    #[inline]
    fn get(&self, state: StateId) -> Known {
        match self.0.get(state as usize) {
            None | Some(0) => Known::Nothing,
            Some(&value @ (1 | 2)) => Known::Value(value == 1),
            Some(&open) => Known::Open(open as usize - 3),
        }
    }

    #[inline]
    fn set(&mut self, state: StateId, known: Known) {
        if self.0.len() <= state as usize {
            self.0.resize(state as usize + 1, 0);
        }
        self.0[state as usize] = match known {
            Known::Nothing => 0,
            Known::Value(value) => 2 - u32::from(value),
            Known::Open(position) => position as u32 + 3,
        };
    }
}

impl Table {
    /// Forget what is open.
    fn close(&mut self) {
        self.0.iter_mut().filter(|known| **known > 2).for_each(|known| *known = 0);
    }
}

/// What a search says of a state when it comes there.
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
enum Order {
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

/// A formula to be decided in the initial state.
pub(super) struct Local<'a, S: Space> {
    program: Program,
    run: Run<'a, S>,
}

/// The states seen so far, and what is known about them.
struct Run<'a, S: Space> {
    states: States<S>,
    atoms: Atoms,
    paths: PathSemantics,
    budget: &'a Budget,
    attempt: u32,
    order: Order,
    rng: Rng,
    /// Expansions after which this attempt is given up.
    limit: u64,
    /// Reduces what is fired on the way to a goal.
    reducer: Option<S::Reducer>,
    /// The values of the propositions, by state.
    letters: Vec<Letter>,
    /// What is known, by search.
    tables: Vec<Table>,
    /// The successors of the states on the paths of all searches in progress.
    edges: Vec<StateId>,
    /// The same of the state being expanded, with their distances.
    fresh: Vec<(u64, StateId)>,
    /// Events on the way to a goal, and the rules of a set that is enough.
    events: Vec<Event>,
    members: Vec<Rule>,
    words: Vec<u64>,
    next: Vec<u64>,
    expansions: u64,
    firings: u64,
    /// After so many firings it looks at the budget.
    look_at: u64,
    /// How a search that goes on from a state has just ended there.
    ended: Ended,
    /// The path of the outermost search.
    passed: Option<Passed>,
}

impl<'a, S: Space> Local<'a, S> {
    pub(super) fn new(
        states: States<S>,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        (attempt, stubborn): (Attempt, bool),
        budget: &'a Budget,
    ) -> Result<Self, Halt> {
        let program = Program::new(pool, formula, paths)?;
        let used: Vec<Prop> = (0..program.conditions.len() as u32).map(Prop).collect();
        let atoms = Atoms::new(states.space(), pool, &program.conditions, &used)?;
        let reducer = if stubborn { states.space().reducer(&|_| false) } else { None };
        let run = Run {
            states,
            atoms,
            reducer,
            paths,
            budget,
            attempt: attempt.0,
            order: Order::Nearest,
            rng: Rng::new(attempt.0.into()),
            limit: 0,
            letters: Vec::new(),
            tables: vec![Table::default(); program.paths.len()],
            edges: Vec::new(),
            fresh: Vec::new(),
            events: Vec::new(),
            members: Vec::new(),
            words: Vec::new(),
            next: Vec::new(),
            expansions: 0,
            firings: 0,
            look_at: 0,
            ended: Ended::Known,
            passed: None,
        };
        Ok(Local { program, run })
    }

    /// Does the formula hold in a state, or in the initial one?
    pub(super) fn decide(&mut self, state: Option<&ModelState>) -> Result<bool, Halt> {
        let initial = match state {
            None => self.run.states.initial(),
            Some(state) => self.run.states.packed(state).ok_or(FOREIGN)?,
        };
        let letter = self.run.atoms.letter(self.run.states.space(), &initial)?;
        self.run.states.insert(&initial)?;
        self.run.letters.push(letter);
        let mut share = FIRST;
        loop {
            for _ in ORDERS {
                self.run.begin(share);
                match self.run.value(&self.program, self.program.root, 0) {
                    Err(_) if self.run.is_over() => self.run.attempt = self.run.attempt.wrapping_add(1),
                    decided => return decided,
                }
            }
            share = share.saturating_mul(GROWTH);
        }
    }

    /// The path that shows the value of a formula that is a quantifier or the negation of one, if it was searched for and
    /// found.
    pub(super) fn path(&mut self) -> Result<Option<Path>, Halt> {
        let mut root = self.program.root;
        while let State::Not(a) = self.program.states[root] {
            root = a;
        }
        let outermost = matches!(self.program.states[root], State::Some(_));
        let Some(Passed { mut states, end }) = self.run.passed.take().filter(|_| outermost) else { return Ok(None) };
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
        for pair in states.windows(2) {
            let Some(step) = self.run.states.step(pair[0], pair[1])? else { return Ok(None) };
            prefix.push(step);
        }
        let then = match (cycle, end) {
            (Some(position), _) => Then::Cycle(prefix.split_off(position)),
            (None, Ended::Deadlock) => Then::Deadlock,
            // It might end in a deadlock, which is no path then.
            (None, _) if self.run.paths == PathSemantics::Infinite => return Ok(None),
            (None, _) => Then::Open,
        };
        Ok(Some(Path { prefix, then }))
    }

    pub(super) fn into_states(self) -> States<S> {
        self.run.states
    }

    pub(super) fn stats(&self) -> Stats {
        let run = &self.run;
        Stats {
            states: u64::from(run.states.store().len()),
            firings: run.firings,
            bytes: run.states.store().bytes() + run.taken(),
            bits_per_state: run.states.layout().bits(),
            growths: run.states.growths(),
        }
    }
}

impl<S: Space> Run<'_, S> {
    /// Begin an attempt with so many expansions. Values that were found are kept.
    fn begin(&mut self, share: u64) {
        self.order = ORDERS[self.attempt as usize % ORDERS.len()];
        self.limit = self.expansions.saturating_add(share);
        self.edges.clear();
        self.tables.iter_mut().for_each(Table::close);
    }

    /// Has this attempt used up its expansions?
    fn is_over(&self) -> bool {
        self.expansions > self.limit
    }

    /// The value of a state formula. The recursion is as deep as the formula is nested.
    fn value(&mut self, program: &Program, node: Node, state: StateId) -> Result<bool, Halt> {
        Ok(match &program.states[node] {
            State::Condition(proposition) => self.letters[state as usize] >> proposition & 1 == 1,
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
            &State::Some(search) => match (self.tables[search].get(state), program.paths[search]) {
                (Known::Value(value), _) => value,
                (_, PathKind::Next(a)) => {
                    let value = self.some_successor(program, a, state)?;
                    self.tables[search].set(state, Known::Value(value));
                    value
                }
                _ => self.some_path(program, search, state)?,
            },
        })
    }

    /// Does some successor satisfy this?
    fn some_successor(&mut self, program: &Program, node: Node, state: StateId) -> Result<bool, Halt> {
        let first = self.edges.len();
        self.expand(program, state, Some(node), None)?;
        let last = self.edges.len();
        let mut found = last == first && self.paths == PathSemantics::Stutter && self.value(program, node, state)?;
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
    fn some_path(&mut self, program: &Program, search: usize, from: StateId) -> Result<bool, Halt> {
        let until = matches!(program.paths[search], PathKind::Until(..));
        let bottom = self.edges.len();
        let (mut frames, mut open): (Vec<Frame>, Vec<StateId>) = (Vec::new(), Vec::new());
        let mut entering = Some(from);
        let found = 'search: loop {
            if let Some(state) = entering.take() {
                match self.arrive(program, search, state)? {
                    Arrival::Value(value) => {
                        self.tables[search].set(state, Known::Value(value));
                        if value {
                            self.pass(from, &frames, &open, Some(state), Ended::Open(None));
                            break 'search true;
                        }
                    }
                    Arrival::Onward => {
                        let (position, first) = (open.len(), self.edges.len());
                        self.tables[search].set(state, Known::Open(position));
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
                match self.tables[search].get(state) {
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
                self.tables[search].set(state, Known::Value(false));
            }
        };
        // Each of them has a path to where the search ended.
        for state in open {
            self.tables[search].set(state, Known::Value(true));
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

    /// What the values of a state, and searches nested in this one, say about it.
    fn arrive(&mut self, program: &Program, search: usize, state: StateId) -> Result<Arrival, Halt> {
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
    fn onward(&mut self, program: &Program, search: usize, state: StateId) -> Result<bool, Halt> {
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
            return Ok(forever && self.paths != PathSemantics::Infinite);
        }
        let mut kept = first;
        for at in first..self.edges.len() {
            let next = self.edges[at];
            match self.tables[search].get(next) {
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
    ) -> Result<(), Halt> {
        if self.firings >= self.look_at {
            self.look_at = self.firings + CHECK_EVERY;
            self.budget.check()?;
            self.check_memory()?;
        }
        self.expansions += 1;
        if self.is_over() {
            return Err(Exhausted::Work.into());
        }
        let target = target.filter(|_| matches!(self.order, Order::Nearest));
        self.states.load(state, &mut self.words)?;
        let reduced = self.reduce(program, state, goal)?;
        'again: loop {
            self.fresh.clear();
            let mut cursor = self.states.cursor(&self.words, 0);
            let mut members = self.members.iter();
            while let Some(rule) = match reduced {
                true => members.next().copied(),
                false => self.states.next(&self.words, &mut cursor),
            } {
                if self.states.fire(&self.words, rule, &mut self.next) == Fired::Misfit {
                    self.states.grow(state, rule, self.budget)?;
                    self.atoms.compile(self.states.space().layout());
                    self.states.load(state, &mut self.words)?;
                    continue 'again;
                }
                let next = match self.states.insert(&self.next)? {
                    Inserted::Old(next) => next,
                    Inserted::New(next) => {
                        let before = self.letters[state as usize];
                        self.letters.push(self.atoms.update(
                            self.states.space(),
                            &self.next,
                            before,
                            self.states.action(rule),
                        )?);
                        next
                    }
                };
                let distance = target.map_or(0, |target| self.distance(program, (target, true), DEPTH));
                self.fresh.push((distance, next));
            }
            break;
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

    /// Find a set of rules that is enough in the current state, in the turns of its own; false if everything has to be
    /// fired.
    fn reduce(&mut self, program: &Program, state: StateId, goal: Option<Node>) -> Result<bool, Halt> {
        let Some(goal) = goal.filter(|_| matches!(self.order, Order::AsTheyCome)) else { return Ok(false) };
        self.events.clear();
        if self.reducer.is_none() || !self.attract(program, (goal, true), state)? {
            return Ok(false);
        }
        let Some(reducer) = &mut self.reducer else { return Ok(false) };
        let Some(members) = reducer.towards(self.states.space(), &self.words, &self.events) else { return Ok(false) };
        self.members.clear();
        self.members.extend_from_slice(members);
        Ok(true)
    }

    /// Add events of which one happens before a state formula gets this value, which it has not in the current state.
    /// False if none are known.
    fn attract(&mut self, program: &Program, (node, value): (Node, bool), state: StateId) -> Result<bool, Halt> {
        match (&program.states[node], value) {
            (&State::Condition(proposition), _) => {
                self.atoms.attract(&self.states, &self.words, proposition, &mut self.events)?;
                Ok(true)
            }
            (&State::Not(a), _) => self.attract(program, (a, !value), state),
            // One operand that is in the way is enough.
            (State::And(operands), true) | (State::Or(operands), false) => {
                for &a in operands {
                    if program.is_single(a) && self.value(program, a, state)? != value {
                        return self.attract(program, (a, value), state);
                    }
                }
                Ok(false)
            }
            (State::And(operands) | State::Or(operands), _) if program.is_single(node) => {
                for &a in operands {
                    if !self.attract(program, (a, value), state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// How far the state just reached is from a state formula, or from its negation, as far as a few levels of it tell.
    fn distance(&self, program: &Program, (node, holds): (Node, bool), depth: u32) -> u64 {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        let of = |&node: &Node| self.distance(program, (node, holds), depth);
        let all = |operands: &[Node]| operands.iter().map(of).fold(0, u64::saturating_add);
        let least = |operands: &[Node]| operands.iter().map(of).min().unwrap_or(u64::MAX);
        match &program.states[node] {
            State::Condition(proposition) => {
                let (to, away) = self.atoms.distances(self.states.space(), &self.next, *proposition);
                if holds { to } else { away }
            }
            State::Not(a) => self.distance(program, (*a, !holds), depth),
            State::And(operands) if holds => all(operands),
            State::Or(operands) if !holds => all(operands),
            State::And(operands) | State::Or(operands) => least(operands),
            State::Iff(..) => 0,
            &State::Some(search) => match program.paths[search] {
                PathKind::Next(a) | PathKind::Always(a) | PathKind::Until(_, a) => of(&a),
                PathKind::WeakUntil(a, b) if holds => least(&[a, b]),
                PathKind::WeakUntil(a, b) => all(&[a, b]),
            },
        }
    }

    /// Bytes beside the store.
    fn taken(&self) -> u64 {
        let tables = self.tables.iter().map(|table| 4 * table.0.capacity()).sum::<usize>();
        // A successor on a path, with its share of a frame, and its place among the open states.
        (tables + 8 * self.letters.capacity() + 16 * self.edges.capacity()) as u64
    }

    /// Leave to the store what the rest does not take. Vectors are there twice while they grow.
    fn check_memory(&mut self) -> Result<(), Halt> {
        if let Some(limit) = self.budget.memory() {
            let rest = limit.checked_sub(2 * self.taken()).ok_or(Exhausted::Memory)?;
            self.states.store_mut().set_limit(rest);
        }
        Ok(())
    }
}
