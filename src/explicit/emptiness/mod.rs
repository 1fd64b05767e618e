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
//! **Invariant.** States have numbers in the order of discovery, which are depth-first numbers at the same time. `live` are the
//! states of components not yet closed. The roots are increasing, and all live states from one root up to the next are one
//! component of the explored graph: all states from the last root on are closed or in its component. A closed
//! component is never entered again. So a state needs a bit beside its entry in the store, and a path two bytes for each of
//! its states ([`stack`]).
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
//! Several threads search in another way ([`ufscc`]).
//!
//! Complexity: linear in the edges of the product explored, each refired once per further automaton move.

mod component;
mod guidance;
#[cfg(test)]
mod guided_tests;
mod live;
pub(super) mod reader;
mod run;
mod stack;
mod ufscc;

use super::atoms::Atoms;
use super::buchi::{Buchi, LetterId, Move};
use super::layout::bits;
use super::packed_model::{Fired, PackedModel, Reducer, Rule};
use super::states::States;
use super::store::{Inserted, StateId};
use super::{Options, Stats};
use crate::budget::{Budget, Exhausted};
use crate::formula::PathSemantics;
use crate::stop_reason::StopReason;
pub(super) use component::read;
use guidance::Guidance;
use live::Live;
use reader::{Accepted, Reader};
pub use reader::{Emptiness, Product};
use stack::{Frame, Frames, Root, Roots, Source};
use std::sync::Arc;

/// Iterations between two looks at the budget: few, as each may compute a stubborn set of a large model.
const CHECK_EVERY: u32 = 64;

/// No rule has been fired from this frame.
const NO_RULE: Rule = Rule::MAX;

/// Search the product for an accepting run.
pub(super) fn find_accepting_run<S: PackedModel>(
    space: Arc<S>,
    product: Product<'_>,
    options: &Options,
    budget: &Budget,
) -> Result<(States<S>, Emptiness), StopReason> {
    let reader = Reader::new(&product, options)?;
    let extra = bits(u64::from(reader.buchi.location_count() - 1));
    let states = States::new(space, extra, budget);
    let threads = if options.guided.is_some() { 1 } else { ufscc::threads(options, product.automaton) };
    if threads > 1 {
        return ufscc::find_accepting_run(states, product, reader, options, threads, budget);
    }
    let mut search = Search::new(states, product, reader, options, budget)?;
    let accepted = search.run()?;
    let path = match accepted {
        Some(end) if options.wants_run() => Some(search.accepted_run(end)?),
        _ => None,
    };
    let found = Emptiness { empty: accepted.is_none(), path, stats: search.stats() };
    Ok((search.states, found))
}

struct Search<'a, S: PackedModel> {
    states: States<S>,
    atoms: Atoms,
    buchi: Buchi<'a>,
    reducer: Option<S::Reducer>,
    /// Which of the rules to fire first, if it matters.
    guidance: Option<Guidance<'a>>,
    budget: &'a Budget,
    stored_firesets: bool,
    deadlocks_repeat: bool,
    /// Stop at a location that accepts everything, without a lasso.
    stop_at_terminal: bool,
    live: Live,
    roots: Roots,
    stack: Frames,
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

impl<'a, S: PackedModel> Search<'a, S> {
    fn new(
        mut states: States<S>,
        product: Product<'a>,
        reader: Reader<'a>,
        options: &Options,
        budget: &'a Budget,
    ) -> Result<Self, StopReason> {
        let space = states.space();
        let atoms = reader.atoms(space, &product)?;
        let Reader { buchi, collapsed, .. } = reader;
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
            guidance: options.guided.map(|tie_seed| Guidance::new(product.automaton, tie_seed)),
            budget,
            stored_firesets: !options.dynamic_fireset,
            deadlocks_repeat,
            stop_at_terminal: deadlocks_repeat && !options.witness,
            live: Live::default(),
            roots: Roots::default(),
            stack: Frames::default(),
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
    fn run(&mut self) -> Result<Option<Accepted>, StopReason> {
        for number in 0..self.states.initial_states().len() {
            if let Some(accepted) = self.run_from(number)? {
                return Ok(Some(accepted));
            }
        }
        Ok(None)
    }

    /// The search from the initial state with this number, where those before it led to nothing.
    fn run_from(&mut self, initial: usize) -> Result<Option<Accepted>, StopReason> {
        // The layout may have grown meanwhile.
        let Some(initial) = self.states.initial_states().into_iter().nth(initial) else { return Ok(None) };
        self.next = initial;
        let letter = self.atoms.letter(self.states.space(), &self.next)?;
        self.next_letter = self.buchi.intern(letter);
        if let Some(accepted) = self.take(Move { target: 0, marks: 0 })? {
            return Ok(Some(accepted));
        }
        while let Some(frame) = self.stack.last() {
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
                self.stack.last_mut().step += 1;
                if let Some(accepted) = self.take(self.buchi.step(frame.step))? {
                    return Ok(Some(accepted));
                }
            } else if let Some(rule) = self.next_rule() {
                self.fire(frame.id, rule, frame.letter)?;
                let location = self.states.layout().extra(&self.words) as u32;
                let letter = read(self.states.space(), &self.atoms, &mut self.buchi, frame.letter, rule);
                let (step, step_end) = self.buchi.moves(location, letter, self.next_letter);
                let frame = self.stack.last_mut();
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

    /// Read the state on top of the stack again.
    fn reload(&mut self, frame: Frame) -> Result<(), StopReason> {
        self.states.load(frame.id, &mut self.words)?;
        self.loaded = true;
        self.next_valid = false;
        if matches!(frame.source, Source::Dynamic | Source::Rest) {
            self.cursor = self.states.cursor(&self.words, frame.at);
        }
        Ok(())
    }

    /// Fire a rule from the state on top of the stack, growing the encoding where needed.
    fn fire(&mut self, id: StateId, rule: Rule, before: LetterId) -> Result<(), StopReason> {
        while self.states.fire(&self.words, rule, &mut self.next) == Fired::Misfit {
            self.states.grow(id, rule, self.budget)?;
            self.atoms.compile(self.states.space().layout());
            let frame = *self.stack.last_mut();
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
        let frame = self.stack.last_mut();
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
    fn take(&mut self, step: Move) -> Result<Option<Accepted>, StopReason> {
        // What the automaton can read next depends on the next firing, too, where guards are about actions.
        if !self.atoms.has_actions() && !self.buchi.is_viable(step.target, self.next_letter) {
            return Ok(None);
        }
        self.states.layout().set_extra(&mut self.next, u64::from(step.target));
        match self.states.insert(&self.next)? {
            Inserted::New(id) => {
                if let Some(guidance) = &mut self.guidance
                    && step.marks == self.buchi.all_marks()
                {
                    guidance.accepted(&self.next, self.stack.depth());
                }
                self.push(id, step.marks)?;
                if self.stop_at_terminal && self.buchi.is_terminal(step.target) {
                    return Ok(Some(Accepted::Terminal));
                }
            }
            Inserted::Old(id) => {
                if self.live.contains(id) {
                    let frame = self.stack.last_mut();
                    if frame.source == Source::Reduced {
                        frame.source = Source::Cycle;
                    }
                    if self.merge(id, step.marks) {
                        return Ok(Some(Accepted::Component));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Enter the new state in `next`.
    fn push(&mut self, id: StateId, entry: u64) -> Result<(), StopReason> {
        self.live.insert(id);
        self.roots.push(Root { state: id, marks: 0, entry });
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
        } else if self.stored_firesets || self.guidance.is_some() {
            let mut cursor = self.states.cursor(&self.words, 0);
            while let Some(rule) = self.states.next(&self.words, &mut cursor) {
                self.pool.push(rule);
            }
            source = Source::Stored;
        } else {
            self.cursor = self.states.cursor(&self.words, 0);
        }
        if let Some(guidance) = &mut self.guidance {
            guidance.sort(&mut self.pool[list as usize..], &self.states, &self.atoms, &self.words, &mut self.next);
        }
        let letter = self.next_letter;
        self.stack.push(Frame { id, letter, rule: NO_RULE, step: 0, step_end: 0, list, at: 0, source });
        Ok(())
    }

    /// An edge leads back to a live state: everything from there on is one component. Does it have all marks?
    fn merge(&mut self, state: StateId, marks: u64) -> bool {
        let mut marks = marks;
        while let Some(root) = self.roots.pop() {
            marks |= root.marks;
            if root.state <= state {
                self.roots.push(Root { marks, ..root });
                break;
            }
            marks |= root.entry;
        }
        marks == self.buchi.all_marks()
    }

    /// Leave the state on top of the stack, and close its component if it is the root.
    fn pop(&mut self, frame: Frame) {
        if self.roots.last().is_some_and(|root| root.state == frame.id) {
            self.roots.pop();
            self.live.close_from(frame.id);
        }
        self.pool.truncate(frame.list as usize);
        self.stack.pop();
        self.loaded = false;
        if let Some(guidance) = &mut self.guidance {
            guidance.cut(self.stack.depth());
        }
    }

    /// Leave to the store what the search's own tables do not take.
    fn check_memory(&mut self) -> Result<(), StopReason> {
        if let Some(limit) = self.budget.memory() {
            let rest = limit.checked_sub(self.table_bytes()).ok_or(Exhausted::Memory)?;
            self.states.store_mut().set_limit(rest);
        }
        Ok(())
    }

    fn table_bytes(&self) -> u64 {
        4 * self.pool.capacity() as u64 + self.live.taken() + self.roots.taken() + self.stack.taken()
    }

    fn stats(&self) -> Stats {
        Stats {
            states: u64::from(self.states.store().len()),
            firings: self.firings,
            bytes: self.states.store().bytes() + self.table_bytes(),
            filled: self.states.store().filled() + self.table_bytes(),
            bits_per_state: self.states.layout().bits(),
            growths: self.states.growths(),
        }
    }
}
