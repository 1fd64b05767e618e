//! Passes for a deadlock, or for a state.

use super::path::{Frame, NO_RULE};
use super::{BitstateResult, Descent, Pass, read};
use crate::budget::Budget;
use crate::explicit::explore::View;
use crate::explicit::layout::Layout;
use crate::explicit::lift::lifted;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::results::Trace;
use crate::explicit::{Options, tally};
use crate::model::{Path, Then};
use crate::stop_reason::StopReason;
use std::sync::Arc;

/// The goal of the search, beside states that enable nothing.
type Goal<'g, S> = &'g mut dyn FnMut(&S, &Layout, &[u64]) -> bool;

/// Search for a reachable state without successors, or, where time passes by itself, in which nothing else ever happens.
pub(in crate::explicit) fn find_deadlock<S: PackedModel>(
    space: Arc<S>,
    pass: Pass,
    options: &Options,
    budget: &Budget,
) -> BitstateResult<Trace> {
    let mut descent = Descent::new(space, 0, false, pass, budget);
    descent.reducer = descent.space.reducer(&|_| false).filter(|_| options.stubborn);
    if descent.space.system().tick().is_some() {
        return pursue(descent, false, &mut |space, _, words| tally::stands_still(space, words));
    }
    pursue(descent, true, &mut |_, _, _| false)
}

/// Search for a reachable state that satisfies `goal`.
pub(in crate::explicit) fn find<S: PackedModel>(
    space: Arc<S>,
    pass: Pass,
    budget: &Budget,
    goal: &mut (dyn FnMut(View<'_>) -> bool + Send),
) -> BitstateResult<Trace> {
    let descent = Descent::new(space, 0, false, pass, budget);
    pursue(descent, false, &mut |_, layout, words| goal(View { layout, words }))
}

fn pursue<S: PackedModel>(mut descent: Descent<'_, S>, dead: bool, goal: Goal<'_, S>) -> BitstateResult<Trace> {
    let (found, stopped) = match descent.run(dead, goal) {
        Ok(found) => (found, None),
        Err(stop) => (None, Some(stop)),
    };
    let (found, stopped) = match found.map(|then| trace(&descent, then)).transpose() {
        Ok(found) => (found, stopped),
        Err(stop) => (None, Some(stop)),
    };
    BitstateResult { found, stats: descent.stats(), stopped }
}

/// The path, to be gone on like this.
fn trace<S: PackedModel>(descent: &Descent<'_, S>, then: Then) -> Result<Trace, StopReason> {
    // The last state has no successor on the path.
    let steps = descent.path.frames.iter().take_while(|frame| frame.rule != NO_RULE).count();
    let prefix = descent.steps(0, steps);
    let mut first = Vec::new();
    read(&descent.path, &descent.layout, 0, &mut first);
    let (prefix, last) = lifted(&*descent.space, &descent.unpacked(&first), prefix, descent.unpacked(&descent.words))?;
    Ok(Trace { path: Path { prefix, then }, last })
}

impl<S: PackedModel> Descent<'_, S> {
    /// Search until the last state of the path is a goal or, where these are sought, dead.
    fn run(&mut self, dead: bool, goal: Goal<'_, S>) -> Result<Option<Then>, StopReason> {
        while self.begin() {
            if let Some(then) = self.enter(dead, goal)? {
                return Ok(Some(then));
            }
            while !self.path.frames.is_empty() {
                self.check()?;
                let rule = if self.path.is_full() { None } else { self.path.next_rule() };
                let Some(rule) = rule else {
                    self.pop();
                    continue;
                };
                self.fire(rule)?;
                if let Some(last) = self.path.frames.last_mut() {
                    last.rule = rule;
                }
                if let Some(then) = self.enter(dead, goal)? {
                    return Ok(Some(then));
                }
            }
        }
        Ok(None)
    }

    /// Go on to the next state, unless it seems to have been visited. Is it what is sought?
    fn enter(&mut self, dead: bool, goal: Goal<'_, S>) -> Result<Option<Then>, StopReason> {
        if !self.visit(0) {
            return Ok(None);
        }
        self.states += 1;
        let found = goal(&self.space, &self.layout, &self.next);
        self.push(Frame::new(0, 0, false))?;
        Ok(if found {
            Some(Then::Open)
        } else if dead && self.path.is_stuck() {
            Some(Then::Deadlock)
        } else {
            None
        })
    }
}
