//! The search of one thread.

use super::expansion::{Expanded, Expansion};
use super::sets::{Claim, Rest, Torn, unsettle};
use super::shared::{BROKEN, Shared};
use crate::explicit::emptiness::reader::Accepted;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::steady::Need;
use crate::explicit::store::{Inserted, StateId, Writer};
use crate::rng::Rng;
use crate::stop_reason::StopReason;

/// Steps in which a thread does not look up.
const MANY: u32 = 64;

/// A state on the path of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The state that the path has led to.
    pub(super) entry: StateId,
    /// The state of the same set that is being expanded.
    pub(super) state: StateId,
    /// Where its successors begin that are still to be claimed.
    list: usize,
}

/// The state by which a thread has entered a set.
#[derive(Clone, Copy, Debug)]
struct Root {
    state: StateId,
    /// The number of its frame.
    frame: u32,
    /// The marks of the edge that led to it.
    entry: u64,
}

/// How a thread goes on after some steps.
#[derive(Debug)]
pub(super) enum Next {
    Again,
    /// Something has to be done alone, unless the encoding has grown since it had grown so often.
    Alone(u32, Need),
    /// All states have been explored.
    Complete,
    Accepted(Accepted),
}

/// A thread's search.
#[derive(Debug)]
pub(super) struct Worker<'a, S: PackedModel> {
    number: u32,
    pub(super) writer: Writer,
    pub(super) expansion: Expansion<'a, S>,
    /// Initial states that are left.
    initial: Vec<StateId>,
    pub(super) frames: Vec<Frame>,
    roots: Vec<Root>,
    /// Successors of the states of the path, each with the automaton's move to it.
    pending: Vec<(StateId, u32)>,
    /// The state on top has not been expanded.
    is_fresh: bool,
    rng: Rng,
}

impl From<Torn> for StopReason {
    fn from(_: Torn) -> StopReason {
        BROKEN
    }
}

impl<'a, S: PackedModel> Worker<'a, S> {
    pub(super) fn new(number: u32, writer: Writer, expansion: Expansion<'a, S>, mut initial: Vec<StateId>) -> Self {
        initial.reverse();
        Worker {
            number,
            writer,
            expansion,
            initial,
            frames: Vec::new(),
            roots: Vec::new(),
            pending: Vec::new(),
            is_fresh: false,
            rng: Rng::new(u64::from(number)),
        }
    }

    /// Some steps of the search.
    pub(super) fn go(&mut self, shared: &Shared<S>) -> Result<Next, StopReason> {
        self.expansion.attune(&shared.steady.states);
        let sets = &shared.sets;
        for _ in 0..MANY {
            unsettle();
            let Some(&frame) = self.frames.last() else {
                let Some(&initial) = self.initial.last() else { return Ok(Next::Complete) };
                self.initial.pop();
                if sets.claim(initial, self.number) == Claim::New {
                    self.enter(initial, 0, shared)?;
                }
                continue;
            };
            // Another thread may have explored it meanwhile.
            if !sets.is_done(frame.state) {
                if self.is_fresh {
                    if let Some(next) = self.expand(frame.state, shared)? {
                        return Ok(next);
                    }
                    continue;
                }
                if self.pending.len() > frame.list {
                    let Some((state, step)) = self.pending.pop() else { continue };
                    let marks = self.expansion.step(step).marks;
                    match sets.claim(state, self.number) {
                        Claim::Dead => (),
                        Claim::New => self.enter(state, marks, shared)?,
                        Claim::Found => {
                            if self.close(state, marks, shared)? {
                                return Ok(Next::Accepted(Accepted::Component));
                            }
                        }
                    }
                    continue;
                }
                sets.finish(frame.state);
            }
            if self.leave(frame, shared) {
                return Ok(Next::Accepted(Accepted::Component));
            }
        }
        Ok(Next::Again)
    }

    /// Go on from a state that this thread has claimed, by an edge with these marks.
    fn enter(&mut self, state: StateId, entry: u64, shared: &Shared<S>) -> Result<(), StopReason> {
        let beside = shared.steady.beside();
        beside.room(&mut self.frames, 1)?;
        beside.room(&mut self.roots, 1)?;
        self.roots.push(Root { state, frame: self.frames.len() as u32, entry });
        self.frames.push(Frame { entry: state, state, list: self.pending.len() });
        self.is_fresh = true;
        Ok(())
    }

    /// Expand the state on top of the path.
    fn expand(&mut self, state: StateId, shared: &Shared<S>) -> Result<Option<Next>, StopReason> {
        match self.expansion.expand(state, shared, &mut self.writer)? {
            Expanded::Whole => (),
            Expanded::Accepted(how) => return Ok(Some(Next::Accepted(how))),
            Expanded::Need(need) => return Ok(Some(Next::Alone(shared.steady.states.growths(), need))),
        }
        self.is_fresh = false;
        let start = self.pending.len();
        shared.steady.beside().room(&mut self.pending, self.expansion.successors().count())?;
        let mut found = Vec::new();
        for (inserted, step) in self.expansion.successors() {
            let look = match inserted {
                Inserted::New(_) => Claim::New,
                Inserted::Old(next) => shared.sets.look(next, self.number),
            };
            match look {
                Claim::Dead => (),
                Claim::New => self.pending.push((inserted.id(), step)),
                Claim::Found => found.push((inserted.id(), step)),
            }
        }
        // The first thread goes the automaton's way, the others go elsewhere.
        let pending = &mut self.pending[start..];
        pending.reverse();
        if self.number > 0 {
            self.rng.shuffle(pending);
        }
        for (next, step) in found {
            if self.close(next, self.expansion.step(step).marks, shared)? {
                return Ok(Some(Next::Accepted(Accepted::Component)));
            }
        }
        Ok(None)
    }

    /// An edge leads from the top of the path to a state of a set where this thread has been: everything from there on is
    /// one set. Does it have all marks?
    fn close(&mut self, state: StateId, marks: u64, shared: &Shared<S>) -> Result<bool, StopReason> {
        let sets = &shared.sets;
        let mut marks = marks;
        loop {
            let top = self.roots.pop().ok_or(BROKEN)?;
            if sets.same(top.state, state) {
                self.roots.push(top);
                return Ok(sets.mark(state, marks));
            }
            let below = self.roots.last().ok_or(BROKEN)?;
            sets.unite(top.state, below.state)?;
            marks |= top.entry;
        }
    }

    /// The state on top of the path has been explored. Go on with another one of its set, if the set was entered here. True if
    /// there is none, but the set accepts.
    fn leave(&mut self, frame: Frame, shared: &Shared<S>) -> bool {
        self.pending.truncate(frame.list);
        self.is_fresh = false;
        if let Some(root) = self.roots.last()
            && root.frame as usize + 1 == self.frames.len()
        {
            match shared.sets.pick(root.state) {
                Rest::Busy(state) => {
                    if let Some(top) = self.frames.last_mut() {
                        top.state = state;
                    }
                    self.is_fresh = true;
                    return false;
                }
                Rest::Accepting => return true,
                Rest::Dead => (),
            }
            self.roots.pop();
        }
        self.frames.pop();
        false
    }
}
