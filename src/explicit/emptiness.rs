//! LTL on the fly: is there an accepting run in the product of a model and an automaton?
//!
//! **Problem.** A path formula is violated iff some run of the model is accepted by the automaton of its
//! negation. The product is larger than the state space, and an accepting run often shows in a small part.
//!
//! **Idea.** Depth-first search of the product, built as it is searched, that keeps the strongly connected
//! components of the explored part: a stack of component roots with the acceptance marks seen inside, merged
//! whenever an edge closes a cycle (Couvreur 1999; the bookkeeping of Geldenhuys & Valmari 2004 and Renault et
//! al. 2013 for *generalized* acceptance on edges). The first component that has all marks is the answer: this
//! finds a lasso as soon as all its edges have been seen, for any number of acceptance sets.
//!
//! **Invariant.** `live` holds the states of components not yet closed, in the order of discovery; a state's
//! position in it is its depth-first number. The roots' positions are increasing, and all live states from one
//! root up to the next are one component of the explored graph. A closed component is never entered again.
//!
//! A product state is a packed state with the automaton's location in a spare field, so the store needs one
//! entry per product state. Successors are enumerated one at a time (DYN): a stack frame is a state number, the
//! rule fired last and the automaton's move taken last. A move into a location that cannot read the
//! state it leads to is not taken at all.
//!
//! **Deadlocks.** Under the stutter semantics the last state repeats for ever; whether the location accepts
//! that is a question to the automaton alone. Under the infinite semantics the run does not count.
//!
//! **Reduction.** A stutter-invariant automaton is read collapsed (module `buchi`) and stubborn sets apply
//! (the space's [`Reducer`]). A reduced frame one of whose successors is live is expanded fully: every cycle has an
//! edge to a live state, hence a fully expanded state.
//!
//! **Actions.** A guard may read the action that is taken. The letter of a step is then that of the state with the
//! action atoms that hold of the firing; neither collapsed reading nor stubborn sets apply.
//!
//! Complexity: linear in the edges of the product explored, each refired once per further automaton move.

use super::atoms::Atoms;
use super::buchi::{Buchi, LetterId, Move};
use super::layout::bits;
use super::space::{Fired, Reducer, Rule, Space};
use super::states::States;
use super::store::{Inserted, StateId};
use super::{Options, Stats};
use crate::automaton::{Prop, Tgba};
use crate::budget::{Budget, Exhausted};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::halt::Halt;
use crate::model::{Path, Step, Then};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// What a model is multiplied with, and how.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a> {
    /// The automaton; it should accept the runs that are looked for.
    pub automaton: &'a Tgba,
    /// What each of the automaton's propositions stands for: a formula of `pool` on single states, or an action
    /// atom.
    pub atoms: &'a [FormulaId],
    /// The pool of the atoms.
    pub pool: &'a Pool,
    /// `Infinite` disregards runs that end in a deadlock; otherwise their last state repeats for ever. For
    /// `Maximal` the automaton must have been made with that in mind: a next step exists only where
    /// `deadlock` does not hold.
    pub paths: PathSemantics,
}

/// The result of the search for an accepting run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Emptiness {
    /// Whether no run is accepted.
    pub empty: bool,
    /// An accepted run, if there is one and [`Options::witness`] asked for it.
    pub path: Option<Path>,
    /// Effort; the states are those of the product.
    pub stats: Stats,
}

/// Iterations between two looks at the budget: few, as each may compute a stubborn set of a large model.
const CHECK_EVERY: u32 = 64;

/// No rule has been fired from this frame.
const NO_RULE: Rule = Rule::MAX;

/// Search the product for an accepting run.
pub(super) fn find_accepting_run<S: Space>(
    space: Arc<S>,
    product: Product<'_>,
    options: &Options,
    budget: &Budget,
) -> Result<(States<S>, Emptiness), Halt> {
    let reader = Reader::new(&product, options)?;
    let extra = bits(u64::from(reader.buchi.location_count() - 1));
    let mut search = Search::new(States::new(space, extra, budget), product, reader, options, budget)?;
    let accepted = search.run()?;
    let path = match accepted {
        Some(end) if options.witness => Some(search.accepted_run(end)?),
        _ => None,
    };
    let found = Emptiness { empty: accepted.is_none(), path, stats: search.stats() };
    Ok((search.states, found))
}

/// How an accepting run was found.
#[derive(Clone, Copy, Debug)]
enum Accepted {
    /// The component of the last root has all marks.
    Component,
    /// The state on top of the stack is a deadlock and accepts.
    Deadlock,
    /// The automaton accepts whatever follows.
    Terminal,
}

/// Where a frame's rules come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// Enumerated; `at` is the next rule to look at.
    Dynamic,
    /// A stored list of all enabled rules; `at` is an index into it.
    Stored,
    /// A stored stubborn set; `at` is an index into it.
    Reduced,
    /// As `Reduced`, and a successor was live.
    Cycle,
    /// Enumerated, without the stored stubborn set.
    Rest,
}

/// A product state on the search path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: StateId,
    letter: LetterId,
    /// The rule fired last.
    rule: Rule,
    /// The automaton's moves for it that are still to be taken.
    step: u32,
    step_end: u32,
    /// Start of the frame's list in the pool.
    list: u32,
    at: u32,
    source: Source,
}

/// The root of a component that is not closed.
#[derive(Clone, Copy, Debug)]
struct Root {
    position: u32,
    /// Marks on edges inside the component.
    marks: u64,
    /// Marks on the edge by which the search entered it.
    entry: u64,
}

/// The automaton, ready to be read, and what it reads.
struct Reader<'a> {
    buchi: Buchi<'a>,
    /// The propositions of its guards.
    used: Vec<Prop>,
    collapsed: bool,
}

impl<'a> Reader<'a> {
    fn new(product: &Product<'a>, options: &Options) -> Result<Reader<'a>, Halt> {
        if product.atoms.len() < product.automaton.propositions().len() {
            return Err(Halt::Unsupported("the automaton has a proposition that stands for nothing"));
        }
        let used: Vec<Prop> = product.automaton.edges().iter().flat_map(|e| e.guard.support()).collect();
        let is_action = |p: &Prop| matches!(product.pool[product.atoms[p.index()]], Formula::Action(_));
        // A firing that a guard reads is no repetition of a letter.
        let actions = used.iter().any(is_action);
        let collapsed = options.stubborn && !actions && product.automaton.stutter_invariant() == Some(true);
        let buchi = Buchi::new(product.automaton, options.heuristic_buchi, collapsed);
        Ok(Reader { buchi, used, collapsed })
    }
}

struct Search<'a, S: Space> {
    states: States<S>,
    atoms: Atoms,
    buchi: Buchi<'a>,
    reducer: Option<S::Reducer>,
    budget: &'a Budget,
    stored_firesets: bool,
    deadlocks_repeat: bool,
    /// Stop at a location that accepts everything, without a lasso.
    stop_at_terminal: bool,
    /// Per product state: one more than its index in `live`, 0 when its component is closed.
    position: Vec<u32>,
    live: Vec<StateId>,
    roots: Vec<Root>,
    stack: Vec<Frame>,
    pool: Vec<Rule>,
    /// The state on top of the stack.
    words: Vec<u64>,
    /// Whether `words` and the cursor belong to it.
    loaded: bool,
    cursor: S::Cursor,
    /// The last rule's successor and its letter, while valid.
    next: Vec<u64>,
    next_letter: LetterId,
    next_valid: bool,
    firings: u64,
    iterations: u32,
}

impl<'a, S: Space> Search<'a, S> {
    fn new(
        mut states: States<S>,
        product: Product<'a>,
        reader: Reader<'a>,
        options: &Options,
        budget: &'a Budget,
    ) -> Result<Self, Halt> {
        let Reader { buchi, used, collapsed } = reader;
        let propositions = product.automaton.propositions().len();
        let space = states.space();
        let atoms = Atoms::new(space, product.pool, &product.atoms[..propositions], &used)?;
        let reducer = if collapsed { space.reducer(&|action| atoms.touched(action) != 0) } else { None };
        let deadlocks_repeat = product.paths != PathSemantics::Infinite;
        let initial = states.initial();
        states.enter(&initial)?;
        let cursor = states.cursor(&initial, 0);
        Ok(Search {
            states,
            atoms,
            buchi,
            reducer,
            budget,
            stored_firesets: !options.dynamic_fireset,
            deadlocks_repeat,
            stop_at_terminal: deadlocks_repeat && !options.witness,
            position: Vec::new(),
            live: Vec::new(),
            roots: Vec::new(),
            stack: Vec::new(),
            pool: Vec::new(),
            words: Vec::new(),
            loaded: false,
            cursor,
            next: Vec::new(),
            next_letter: 0,
            next_valid: false,
            firings: 0,
            iterations: 0,
        })
    }

    /// The search proper, from one initial state after the other.
    fn run(&mut self) -> Result<Option<Accepted>, Halt> {
        for number in 0..self.states.initial_states().len() {
            if let Some(accepted) = self.run_from(number)? {
                return Ok(Some(accepted));
            }
        }
        Ok(None)
    }

    /// The search from the initial state with this number, where those before it led to nothing.
    fn run_from(&mut self, initial: usize) -> Result<Option<Accepted>, Halt> {
        // The layout may have grown meanwhile.
        let Some(initial) = self.states.initial_states().into_iter().nth(initial) else { return Ok(None) };
        self.next = initial;
        let letter = self.atoms.letter(self.states.space(), &self.next)?;
        self.next_letter = self.buchi.intern(letter);
        if let Some(accepted) = self.take(Move { target: 0, marks: 0 })? {
            return Ok(Some(accepted));
        }
        while let Some(&frame) = self.stack.last() {
            self.iterations = self.iterations.wrapping_add(1);
            if self.iterations.is_multiple_of(CHECK_EVERY) {
                self.budget.check()?;
                self.check_memory()?;
            }
            if !self.loaded {
                self.reload(frame)?;
            }
            if frame.step < frame.step_end {
                if !self.next_valid {
                    self.fire(frame.id, frame.rule, frame.letter)?;
                }
                self.top().step += 1;
                if let Some(accepted) = self.take(self.buchi.step(frame.step))? {
                    return Ok(Some(accepted));
                }
            } else if let Some(rule) = self.next_rule() {
                self.fire(frame.id, rule, frame.letter)?;
                let location = self.states.layout().extra(&self.words) as u32;
                let letter = self.read(frame.letter, rule);
                let (step, step_end) = self.buchi.moves(location, letter, self.next_letter);
                let frame = self.top();
                (frame.rule, frame.step, frame.step_end) = (rule, step, step_end);
            } else {
                if frame.rule == NO_RULE && self.deadlocks_repeat {
                    let location = self.states.layout().extra(&self.words) as u32;
                    if self.buchi.accepts_forever(location, frame.letter) {
                        return Ok(Some(Accepted::Deadlock));
                    }
                }
                self.pop(frame);
            }
        }
        Ok(None)
    }

    /// The letter that the automaton reads when a rule fires in a state with this letter.
    #[inline]
    fn read(&mut self, letter: LetterId, rule: Rule) -> LetterId {
        match self.atoms.of_firing(self.states.action(rule)) {
            0 => letter,
            actions => self.buchi.intern(self.buchi.letter(letter) | actions),
        }
    }

    fn top(&mut self) -> &mut Frame {
        let top = self.stack.len() - 1;
        &mut self.stack[top]
    }

    /// Read the state on top of the stack again.
    fn reload(&mut self, frame: Frame) -> Result<(), Halt> {
        self.states.load(frame.id, &mut self.words)?;
        self.loaded = true;
        self.next_valid = false;
        if matches!(frame.source, Source::Dynamic | Source::Rest) {
            self.cursor = self.states.cursor(&self.words, frame.at);
        }
        Ok(())
    }

    /// Fire a rule from the state on top of the stack, growing the encoding where needed.
    fn fire(&mut self, id: StateId, rule: Rule, before: LetterId) -> Result<(), Halt> {
        while self.states.fire(&self.words, rule, &mut self.next) == Fired::Misfit {
            self.states.grow(id, rule, self.budget)?;
            self.atoms.compile(self.states.space().layout());
            let frame = *self.top();
            self.reload(frame)?;
        }
        self.firings += 1;
        self.next_valid = true;
        let action = self.states.action(rule);
        self.next_letter = if self.atoms.touched(action) == 0 {
            before
        } else {
            let old = self.buchi.letter(before);
            let letter = self.atoms.update(self.states.space(), &self.next, old, action)?;
            if letter == old { before } else { self.buchi.intern(letter) }
        };
        Ok(())
    }

    /// The next rule to fire from the state on top of the stack.
    fn next_rule(&mut self) -> Option<Rule> {
        let top = self.stack.len() - 1;
        let frame = &mut self.stack[top];
        match frame.source {
            Source::Dynamic => {
                let rule = self.states.next(&self.words, &mut self.cursor)?;
                frame.at = rule + 1;
                Some(rule)
            }
            Source::Stored | Source::Reduced | Source::Cycle => {
                if let Some(&rule) = self.pool.get((frame.list + frame.at) as usize) {
                    frame.at += 1;
                    return Some(rule);
                }
                if frame.source != Source::Cycle {
                    return None;
                }
                frame.source = Source::Rest;
                frame.at = 0;
                self.cursor = self.states.cursor(&self.words, 0);
                self.next_rule()
            }
            Source::Rest => loop {
                let rule = self.states.next(&self.words, &mut self.cursor)?;
                frame.at = rule + 1;
                if !self.pool[frame.list as usize..].contains(&rule) {
                    return Some(rule);
                }
            },
        }
    }

    /// Follow one move of the automaton into the state in `next`.
    #[inline]
    fn take(&mut self, step: Move) -> Result<Option<Accepted>, Halt> {
        // What the automaton can read next depends on the next firing, too, where guards are about actions.
        if !self.atoms.has_actions() && !self.buchi.is_viable(step.target, self.next_letter) {
            return Ok(None);
        }
        self.states.layout().set_extra(&mut self.next, u64::from(step.target));
        match self.states.insert(&self.next)? {
            Inserted::New(id) => {
                self.position.push(0);
                self.push(id, step.marks)?;
                if self.stop_at_terminal && self.buchi.is_terminal(step.target) {
                    return Ok(Some(Accepted::Terminal));
                }
            }
            Inserted::Old(id) => {
                let position = self.position[id as usize];
                if position != 0 {
                    let frame = self.top();
                    if frame.source == Source::Reduced {
                        frame.source = Source::Cycle;
                    }
                    if self.merge(position, step.marks) {
                        return Ok(Some(Accepted::Component));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Enter the new state in `next`.
    fn push(&mut self, id: StateId, entry: u64) -> Result<(), Halt> {
        self.live.push(id);
        let position = self.live.len() as u32;
        self.position[id as usize] = position;
        self.roots.push(Root { position, marks: 0, entry });
        std::mem::swap(&mut self.words, &mut self.next);
        self.next_valid = false;
        self.states.enter(&self.words)?;
        self.loaded = true;
        let list = self.pool.len() as u32;
        let mut source = Source::Dynamic;
        if let Some(reduced) =
            self.reducer.as_mut().and_then(|reducer| reducer.reduce(self.states.space(), &self.words))
        {
            self.pool.extend_from_slice(reduced);
            source = Source::Reduced;
        } else if self.stored_firesets {
            let mut cursor = self.states.cursor(&self.words, 0);
            while let Some(rule) = self.states.next(&self.words, &mut cursor) {
                self.pool.push(rule);
            }
            source = Source::Stored;
        } else {
            self.cursor = self.states.cursor(&self.words, 0);
        }
        let letter = self.next_letter;
        self.stack.push(Frame { id, letter, rule: NO_RULE, step: 0, step_end: 0, list, at: 0, source });
        Ok(())
    }

    /// An edge leads back to the live state at `position`: everything from there on is one component. Does
    /// it have all marks?
    fn merge(&mut self, position: u32, marks: u64) -> bool {
        let mut marks = marks;
        while let Some(root) = self.roots.pop() {
            marks |= root.marks;
            if root.position <= position {
                self.roots.push(Root { marks, ..root });
                break;
            }
            marks |= root.entry;
        }
        marks == self.buchi.all_marks()
    }

    /// Leave the state on top of the stack, and close its component if it is the root.
    fn pop(&mut self, frame: Frame) {
        let position = self.position[frame.id as usize];
        if self.roots.last().is_some_and(|r| r.position == position) {
            self.roots.pop();
            for id in self.live.drain(position as usize - 1..) {
                self.position[id as usize] = 0;
            }
        }
        self.pool.truncate(frame.list as usize);
        self.stack.pop();
        self.loaded = false;
    }

    /// Leave to the store what the search's own tables do not take.
    fn check_memory(&mut self) -> Result<(), Halt> {
        if let Some(limit) = self.budget.memory() {
            let rest = limit.checked_sub(self.table_bytes()).ok_or(Exhausted::Memory)?;
            self.states.store_mut().set_limit(rest);
        }
        Ok(())
    }

    fn table_bytes(&self) -> u64 {
        let words = 4 * (self.position.capacity() + self.live.capacity() + self.pool.capacity());
        let frames = self.stack.capacity() * size_of::<Frame>() + self.roots.capacity() * size_of::<Root>();
        (words + frames) as u64
    }

    fn stats(&self) -> Stats {
        Stats {
            states: u64::from(self.states.store().len()),
            firings: self.firings,
            bytes: self.states.store().bytes() + self.table_bytes(),
            bits_per_state: self.states.layout().bits(),
            growths: self.states.growths(),
        }
    }

    /// The run that was found.
    fn accepted_run(&mut self, end: Accepted) -> Result<Path, Halt> {
        let steps = |states: &States<S>, rules: &mut dyn Iterator<Item = Rule>| -> Vec<Step> {
            rules.map(|rule| states.space().step(rule)).collect()
        };
        let passed = match end {
            Accepted::Deadlock | Accepted::Terminal => self.stack.len() - 1,
            Accepted::Component => {
                let start = self.live[self.root() as usize - 1];
                self.stack.iter().position(|frame| frame.id == start).unwrap_or(0)
            }
        };
        let prefix = steps(&self.states, &mut self.stack[..passed].iter().map(|frame| frame.rule));
        let then = match end {
            Accepted::Deadlock => Then::Deadlock,
            Accepted::Terminal => Then::Open,
            Accepted::Component => {
                let root = self.root();
                let cycle = self.cycle(self.live[root as usize - 1], root)?;
                Then::Cycle(steps(&self.states, &mut cycle.into_iter()))
            }
        };
        Ok(Path { prefix, then })
    }

    /// The position of the last root.
    fn root(&self) -> u32 {
        self.roots.last().map_or(1, |root| root.position)
    }

    /// A cycle from `start` through all marks inside the component whose root is at position `root`: shortest
    /// ways from one missing mark to the next, and back.
    fn cycle(&mut self, start: StateId, root: u32) -> Result<Vec<Rule>, Halt> {
        let all = self.buchi.all_marks();
        let (mut cycle, mut seen, mut at) = (Vec::new(), 0, start);
        while seen != all || at != start || cycle.is_empty() {
            // Breadth-first from `at`: parents and how they were left.
            let mut parent: FxHashMap<StateId, (StateId, Rule, u64)> = FxHashMap::default();
            let mut queue = VecDeque::from([at]);
            let mut found = None;
            while let (Some(from), None) = (queue.pop_front(), found) {
                self.budget.check()?;
                for (rule, to, marks) in self.successors(from, root)? {
                    let arrived = if seen == all { to == start } else { marks & !seen != 0 };
                    if arrived {
                        found = Some((from, rule, to, marks));
                        break;
                    }
                    if to != at && !parent.contains_key(&to) {
                        parent.insert(to, (from, rule, marks));
                        queue.push_back(to);
                    }
                }
            }
            let Some((mut from, rule, to, marks)) = found else {
                return Err(Halt::Unsupported("the cycle of an accepting run was not found again"));
            };
            let mut way = vec![rule];
            seen |= marks;
            while from != at {
                let (before, rule, marks) = parent[&from];
                way.push(rule);
                seen |= marks;
                from = before;
            }
            cycle.extend(way.into_iter().rev());
            at = to;
        }
        Ok(cycle)
    }

    /// All edges of the product from a state into the component.
    fn successors(&mut self, id: StateId, root: u32) -> Result<Vec<(Rule, StateId, u64)>, Halt> {
        let mut edges = Vec::new();
        let mut words = Vec::new();
        self.states.load(id, &mut words)?;
        let location = self.states.layout().extra(&words) as u32;
        let letter = self.atoms.letter(self.states.space(), &words)?;
        let from = self.buchi.intern(letter);
        let mut next = Vec::new();
        let mut cursor = self.states.cursor(&words, 0);
        while let Some(rule) = self.states.next(&words, &mut cursor) {
            if self.states.fire(&words, rule, &mut next) == Fired::Misfit {
                // Leads to a state that has not been stored.
                continue;
            }
            let after = self.atoms.update(self.states.space(), &next, letter, self.states.action(rule))?;
            let to = self.buchi.intern(after);
            let read = self.read(from, rule);
            let (start, end) = self.buchi.moves(location, read, to);
            for k in start..end {
                let step = self.buchi.step(k);
                self.states.layout().set_extra(&mut next, u64::from(step.target));
                if let Some(target) = self.states.store().find(&next)
                    && self.position[target as usize] >= root
                {
                    edges.push((rule, target, step.marks));
                }
            }
        }
        Ok(edges)
    }
}
