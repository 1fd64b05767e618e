//! The run that a thread has found: its path, and a cycle in its last set.
//!
//! A frame of the path has been entered by one state and left from another one of the same set. Sets are strongly connected by
//! themselves, so there is a way between the two inside the set, and a cycle through all marks inside the last one. Numbers of
//! states and sets are as they were: a thread that has found a run leaves its path alone, and sets only grow.

use super::expansion::Expansion;
use super::shared::{BROKEN, Shared};
use super::worker::Frame;
use crate::budget::Budget;
use crate::explicit::emptiness::component::{Component, steps};
use crate::explicit::emptiness::reader::Accepted;
use crate::explicit::packed_model::{PackedModel, Rule};
use crate::explicit::steady::Steady;
use crate::explicit::store::StateId;
use crate::model::{Path, Then};
use crate::stop_reason::StopReason;

/// The run along these frames.
pub(super) fn accepted_run<S: PackedModel>(
    shared: &mut Shared<S>,
    expansion: &mut Expansion<'_, S>,
    frames: &[Frame],
    end: Accepted,
    budget: &Budget,
) -> Result<Path, StopReason> {
    expansion.attune(&shared.steady.states);
    let Some(last) = frames.last() else { return Err(BROKEN) };
    let Shared { steady: Steady { states, .. }, sets } = shared;
    let sets = &*sets;
    let mut way = |from: StateId, to: StateId, inside: &dyn Fn(StateId) -> bool| -> Result<Vec<Rule>, StopReason> {
        let (atoms, buchi) = (&mut expansion.atoms, &mut expansion.buchi);
        let way = Component { states, atoms, buchi, budget, inside }.way(from, |state, _| state == to)?;
        Ok(way.into_iter().map(|(rule, ..)| rule).collect())
    };
    let is_last = |frame: &Frame| matches!(end, Accepted::Component) && sets.same(frame.entry, last.state);
    let mut prefix = Vec::new();
    let mut passed = 0;
    loop {
        let frame = &frames[passed];
        if is_last(frame) {
            break;
        }
        if frame.entry != frame.state {
            prefix.extend(way(frame.entry, frame.state, &|state| sets.same(state, frame.entry))?);
        }
        let Some(next) = frames.get(passed + 1) else { break };
        prefix.extend(way(frame.state, next.entry, &|state| state == next.entry)?);
        passed += 1;
    }
    let then = match end {
        Accepted::Deadlock => Then::Deadlock,
        Accepted::Terminal => Then::Open,
        Accepted::Component => {
            let start = frames[passed].entry;
            let (atoms, buchi) = (&mut expansion.atoms, &mut expansion.buchi);
            let inside = &|state| sets.same(state, start);
            let cycle = Component { states, atoms, buchi, budget, inside }.cycle(start)?;
            Then::Cycle(steps(states.space(), cycle))
        }
    };
    Ok(Path { prefix: steps(states.space(), prefix), then })
}
