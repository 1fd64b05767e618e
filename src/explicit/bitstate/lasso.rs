//! Passes for an accepting run: nested depth-first search of the product, with a counter for several acceptance sets.

use super::path::Frame;
use super::{BitstateResult, Descent, Pass};
use crate::budget::Budget;
use crate::explicit::Options;
use crate::explicit::atoms::Atoms;
use crate::explicit::buchi::{Buchi, LetterId, Move};
use crate::explicit::emptiness::reader::Reader;
use crate::explicit::emptiness::{Product, read};
use crate::explicit::layout::bits;
use crate::explicit::packed_model::{PackedModel, Rule};
use crate::formula::PathSemantics;
use crate::model::{Path, Then};
use crate::stop_reason::StopReason;
use std::sync::Arc;

/// The senses in which a product state is visited.
const OUTER: u64 = 0;
const INNER: u64 = 0x9E37_79B9_7F4A_7C15;

/// How a run ends.
enum Accepted {
    /// It goes back to the state at this position of the path.
    Cycle(usize),
    /// The last state of the path is a deadlock and accepts.
    Deadlock,
    /// The automaton accepts whatever follows.
    Terminal,
}

/// Search the product for an accepting run. Of one that is found there is the path, if [`Options::run`] or [`Options::witness`] asks for it and
/// the search has come to its end.
pub(in crate::explicit) fn find_accepting_run<S: PackedModel>(
    space: Arc<S>,
    product: Product<'_>,
    pass: Pass,
    options: &Options,
    budget: &Budget,
) -> BitstateResult<Option<Path>> {
    let nothing = |stop| BitstateResult { found: None, stats: Default::default(), stopped: Some(stop) };
    let ready = Reader::new(&product, options).and_then(|reader| Ok((reader.atoms(&*space, &product)?, reader.buchi)));
    let (atoms, buchi) = match ready {
        Ok(ready) => ready,
        Err(stop) => return nothing(stop),
    };
    let sets = product.automaton.acceptance_sets();
    let locations = buchi.location_count();
    let extra = bits(u64::from(locations) * u64::from(sets.max(1)) - 1);
    let mut search = Search {
        descent: Descent::new(space, extra, true, pass, budget),
        atoms,
        buchi,
        sets,
        locations,
        deadlocks_repeat: product.paths != PathSemantics::Infinite,
        witness: options.witness,
        wants_run: options.wants_run(),
        terminal: false,
        next_letter: 0,
        next_valid: false,
    };
    let (found, stopped) = match search.run() {
        Ok(found) => (found, None),
        Err(stop) => (None, Some(stop)),
    };
    let terminal = search.terminal.then_some(Accepted::Terminal);
    let found = found.or(terminal).map(|accepted| search.accepted_run(&accepted));
    BitstateResult { found, stats: search.descent.stats(), stopped }
}

struct Search<'a, S: PackedModel> {
    descent: Descent<'a, S>,
    atoms: Atoms,
    buchi: Buchi<'a>,
    /// Acceptance sets, and locations.
    sets: u32,
    locations: u32,
    deadlocks_repeat: bool,
    /// A run is wanted to its end, or at all.
    witness: bool,
    wants_run: bool,
    /// A location was reached that accepts everything, and there is more to be shown.
    terminal: bool,
    /// The letter of the next state, and whether that is what the last rule leads to.
    next_letter: LetterId,
    next_valid: bool,
}

impl<S: PackedModel> Search<'_, S> {
    fn run(&mut self) -> Result<Option<Accepted>, StopReason> {
        while self.descent.begin() {
            let letter = self.atoms.letter(&*self.descent.space, &self.descent.next)?;
            self.next_letter = self.buchi.intern(letter);
            if let Some(accepted) = self.take(Move { target: 0, marks: 0 })? {
                return Ok(Some(accepted));
            }
            while let Some(&frame) = self.descent.path.frames.last() {
                self.descent.check()?;
                if frame.step < frame.step_end {
                    if !self.next_valid {
                        self.fire(frame.rule, frame.letter)?;
                    }
                    self.last().step += 1;
                    if let Some(accepted) = self.take(self.buchi.step(frame.step))? {
                        return Ok(Some(accepted));
                    }
                } else if let Some(rule) = self.descent.path.next_rule() {
                    self.fire(rule, frame.letter)?;
                    let (location, _) = self.place();
                    let letter = read(&*self.descent.space, &self.atoms, &mut self.buchi, frame.letter, rule);
                    let (step, step_end) = self.buchi.moves(location, letter, self.next_letter);
                    let last = self.last();
                    (last.rule, last.step, last.step_end) = (rule, step, step_end);
                } else {
                    self.leave(frame)?;
                }
            }
        }
        Ok(None)
    }

    /// The last frame of the path, which is not empty.
    fn last(&mut self) -> &mut Frame {
        let last = self.descent.path.frames.len() - 1;
        &mut self.descent.path.frames[last]
    }

    /// The automaton's location in the last state of the path, which has been read, and the set that is waited for.
    fn place(&self) -> (u32, u32) {
        let extra = self.descent.layout.extra(&self.descent.words) as u32;
        (extra % self.locations, extra / self.locations)
    }

    /// Fire a rule in the last state of the path, which has this letter.
    fn fire(&mut self, rule: Rule, before: LetterId) -> Result<(), StopReason> {
        if self.descent.fire(rule)? {
            self.atoms.compile(self.descent.space.layout());
        }
        self.next_valid = true;
        let action = self.descent.space.action(rule);
        self.next_letter = if self.atoms.touched(action) == 0 {
            before
        } else {
            let old = self.buchi.letter(before);
            let letter = self.atoms.update(&*self.descent.space, &self.descent.next, old, action)?;
            if letter == old { before } else { self.buchi.intern(letter) }
        };
        Ok(())
    }

    /// The set that is waited for after an edge, and whether the last one was passed.
    fn advance(&self, mut set: u32, marks: u64) -> (u32, bool) {
        while set < self.sets && marks >> set & 1 != 0 {
            set += 1;
        }
        if set == self.sets { (0, true) } else { (set, false) }
    }

    /// Follow one move of the automaton into the next state.
    fn take(&mut self, step: Move) -> Result<Option<Accepted>, StopReason> {
        if !self.atoms.has_actions() && !self.buchi.is_viable(step.target, self.next_letter) {
            return Ok(None);
        }
        let (mut set, mut accepting, mut before, mut inner) = (0, false, 0, false);
        if let Some(last) = self.descent.path.frames.last() {
            (before, inner) = (last.accepting, last.inner);
            (set, accepting) = self.advance(self.place().1, step.marks);
        }
        let extra = u64::from(set) * u64::from(self.locations) + u64::from(step.target);
        self.descent.layout.set_extra(&mut self.descent.next, extra);
        if let Some(at) = self.descent.on_path() {
            // An inner search began with an accepting edge from the end of the outer path.
            let through = inner || accepting || before > self.descent.path.frames[at].accepting;
            return Ok(through.then_some(Accepted::Cycle(at)));
        }
        if self.descent.path.is_full() {
            return Ok(None);
        }
        let after = before + u32::from(accepting);
        if inner {
            if self.descent.visit(INNER) {
                self.push(after, true)?;
            }
        } else if self.descent.visit(OUTER) {
            self.descent.states += 1;
            return self.enter(after, step.target);
        } else if accepting && self.sets > 0 && self.descent.visit(INNER) {
            self.push(after, true)?;
        }
        Ok(None)
    }

    /// Go on to the next state in the outer search. Is the path a run then, whatever follows?
    fn enter(&mut self, accepting: u32, location: u32) -> Result<Option<Accepted>, StopReason> {
        let letter = self.next_letter;
        self.push(accepting, false)?;
        if !self.deadlocks_repeat {
            return Ok(None);
        }
        if self.descent.path.is_stuck() && self.buchi.accepts_forever(location, letter) {
            return Ok(Some(Accepted::Deadlock));
        }
        if self.buchi.is_terminal(location) {
            // What is to be shown goes on until it repeats.
            self.terminal = true;
            return Ok((!self.witness).then_some(Accepted::Terminal));
        }
        Ok(None)
    }

    fn push(&mut self, accepting: u32, inner: bool) -> Result<(), StopReason> {
        self.next_valid = false;
        self.descent.push(Frame::new(self.next_letter, accepting, inner))
    }

    /// Leave the last state of the path; if an accepting edge led there, look for a cycle through that.
    fn leave(&mut self, frame: Frame) -> Result<(), StopReason> {
        self.next_valid = false;
        let frames = &self.descent.path.frames;
        let before = frames.len().checked_sub(2).map_or(frame.accepting, |before| frames[before].accepting);
        if frame.inner || frame.accepting == before || self.sets == 0 {
            self.descent.pop();
            return Ok(());
        }
        self.descent.load()?;
        std::mem::swap(&mut self.descent.words, &mut self.descent.next);
        self.descent.pop();
        if self.descent.visit(INNER) {
            self.next_letter = frame.letter;
            self.push(frame.accepting, true)?;
        }
        Ok(())
    }

    /// The run that was found, if it is wanted.
    fn accepted_run(&self, accepted: &Accepted) -> Option<Path> {
        let descent = &self.descent;
        let end = descent.path.frames.len();
        let (prefix, then) = match *accepted {
            Accepted::Cycle(at) => (descent.steps(0, at), Then::Cycle(descent.steps(at, end))),
            Accepted::Deadlock => (descent.steps(0, end - 1), Then::Deadlock),
            // The path has gone on since then, or been left.
            Accepted::Terminal if self.witness => return None,
            Accepted::Terminal => (descent.steps(0, end - 1), Then::Open),
        };
        self.wants_run.then_some(Path { prefix, then })
    }
}
