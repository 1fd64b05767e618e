//! The packed space of a model behind a next-state function.
//!
//! A variable is a field that grows. Nobody knows the successors of a state before asking, so they are asked for when a
//! search enters it: for each group those of the values that it reads, which the model keeps ([`PinsModel`]). A state
//! differs from the one before in few variables; so a group whose values are still the same is not even looked up. A
//! model that is faster asked than looked up ([`Direct`]) is asked for all steps of the whole state, and nothing is
//! kept.
//!
//! **Rules.** The high bits are the group, the low ones the number of the successor.

use super::PinsModel;
use super::model::Successor;
use super::next_state::{COPY, Direct, ModelError, Moves};
use crate::budget::Budget;
use crate::explicit::{Action, Builder, Fired, Layout, NoReduction, PackedModel, Rule, bits};
use crate::model::{ActionId, LabelId, Step, TransitionSystem, VariableId};
use crate::stop_reason::StopReason;
use std::sync::Arc;

/// A model compiled for packed states.
#[derive(Debug)]
pub(super) struct PackedPins<'m> {
    model: &'m PinsModel,
    layout: Layout,
    /// Low bits of a rule.
    shift: u32,
    /// How long the model may take for an answer: as long as all searches together.
    budget: Budget,
}

const TOO_MANY: StopReason =
    StopReason::Unsupported("the explicit engine does not explore models with so many successors of a group");

/// The effect of a group in the current state.
#[derive(Debug)]
struct Held {
    short: Vec<u32>,
    successors: Arc<[Successor]>,
}

/// The steps of the current state.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// In their order.
    rules: Vec<Rule>,
    /// The effects of the groups, of a model whose answers are kept.
    held: Vec<Held>,
    /// The values, and what the steps write, of a model that is asked directly.
    state: Vec<u32>,
    moves: Moves,
}

impl From<ModelError> for StopReason {
    fn from(error: ModelError) -> Self {
        StopReason::Model(error.0)
    }
}

impl ModelError {
    /// Why there was no answer within a budget: the error is the reason unless the budget is used up.
    pub(super) fn stopped(self, budget: &Budget) -> StopReason {
        budget.check().map_or_else(StopReason::from, |()| self.into())
    }
}

impl<'m> PackedPins<'m> {
    /// Compile the model with room for its initial states.
    ///
    /// # Errors
    /// [`StopReason::Unsupported`] with too many groups.
    pub(super) fn new(model: &'m PinsModel, budget: &Budget) -> Result<Self, StopReason> {
        // The largest rule is below the largest number: no group has all its bits set.
        let shift = Rule::BITS - bits(model.actions().max(1) as u64);
        if shift < 8 {
            return Err(StopReason::Unsupported("the explicit engine does not explore models with so many groups"));
        }
        let mut room = model.start().as_slice().to_vec();
        for state in model.initial_states() {
            room.iter_mut().zip(state.as_slice()).for_each(|(room, &value)| *room = value.max(*room));
        }
        Ok(Self::with_room(model, shift, &room, budget.clone()))
    }

    /// With fields that these values fit.
    fn with_room(model: &'m PinsModel, shift: u32, most: &[u64], budget: Budget) -> Self {
        let mut builder = Builder::new(most.len());
        for (variable, &most) in (0..).map(VariableId).zip(most) {
            builder.counter(variable, bits(most).max(1));
        }
        PackedPins { model, layout: builder.build(), shift, budget }
    }

    /// The group and the successor that a rule is.
    #[inline]
    fn parts(&self, rule: Rule) -> (usize, usize) {
        ((rule >> self.shift) as usize, (rule & ((1 << self.shift) - 1)) as usize)
    }

    /// The values that a group reads.
    fn short(&self, words: &[u64], group: usize, short: &mut Vec<u32>) {
        short.clear();
        let reads = &self.model.footprints[group].reads;
        // No value is larger: see `PinsModel`.
        short.extend(reads.iter().map(|&variable| self.layout.slot(variable).value(words) as u32));
    }

    /// The effect of a group; `short` is room for the values that it reads.
    fn successors(&self, words: &[u64], group: usize, short: &mut Vec<u32>) -> Result<Arc<[Successor]>, StopReason> {
        self.short(words, group, short);
        let successors =
            self.model.successors(group, short, &self.budget).map_err(|error| error.stopped(&self.budget))?;
        match successors.len() >> self.shift {
            0 => Ok(successors),
            _ => Err(TOO_MANY),
        }
    }

    /// Pass each change of a step to `write`; false if it ends that.
    fn each_write(&self, scratch: &Scratch, rule: Rule, mut write: impl FnMut(usize, u64) -> bool) -> bool {
        if self.model.direct().is_some() {
            let Ok(step) = scratch.rules.binary_search(&rule) else { return false };
            return scratch.moves.writes(step).iter().all(|&(variable, value)| write(variable, value.into()));
        }
        let (group, choice) = self.parts(rule);
        let successor = scratch.held.get(group).and_then(|held| held.successors.get(choice));
        let (Some(successor), Some(footprint)) = (successor, self.model.footprints.get(group)) else { return false };
        let mut writes = footprint.writes.iter().zip(&successor.values).filter(|(_, value)| **value != COPY);
        writes.all(|(variable, &value)| write(variable.index(), value.into()))
    }

    /// Ask for all steps of a state; into `moves`, by way of `state`.
    fn ask(
        &self,
        direct: &dyn Direct,
        words: &[u64],
        state: &mut Vec<u32>,
        moves: &mut Moves,
    ) -> Result<(), StopReason> {
        state.clear();
        // No value is larger: see `PinsModel`.
        state.extend(self.layout.slots().iter().map(|slot| slot.value(words) as u32));
        moves.clear();
        direct.moves(state, moves)?;
        self.model.note_calls(moves.asked());
        Ok(())
    }

    /// The groups that have a step in any given state.
    fn enabled(&self, direct: &dyn Direct, words: &[u64]) -> Result<Moves, StopReason> {
        let (mut state, mut moves) = (Vec::new(), Moves::default());
        self.ask(direct, words, &mut state, &mut moves)?;
        Ok(moves)
    }

    /// Look up what each group does in a state.
    fn look_up(&self, words: &[u64], all: &mut Vec<Held>) -> Result<(), StopReason> {
        let fresh = || Held { short: vec![COPY], successors: Arc::default() };
        all.resize_with(self.model.actions(), fresh);
        for (group, held) in all.iter_mut().enumerate() {
            let reads = &self.model.footprints[group].reads;
            let values = reads.iter().map(|&variable| self.layout.slot(variable).value(words) as u32);
            if held.short.len() != reads.len() || values.zip(&held.short).any(|(value, &old)| value != old) {
                let mut short = std::mem::take(&mut held.short);
                match self.successors(words, group, &mut short) {
                    Ok(successors) => *held = Held { short, successors },
                    Err(stop) => {
                        // Nothing wrong is left behind.
                        *held = fresh();
                        return Err(stop);
                    }
                }
            }
        }
        Ok(())
    }
}

impl PackedModel for PackedPins<'_> {
    /// A place among the rules of the current state.
    type Cursor = u32;
    type Scratch = Scratch;
    type Reducer = NoReduction;

    fn system(&self) -> &dyn TransitionSystem {
        self.model
    }

    #[inline]
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn grown(&self, scratch: &Scratch, words: &[u64], rule: Rule, _: &[u64]) -> Result<Self, StopReason> {
        let mut room = Vec::new();
        self.layout.decode(words, &mut room);
        self.each_write(scratch, rule, |variable, value| {
            room[variable] = value;
            true
        });
        // A field that was not enough gets one bit more than it needs.
        for (slot, room) in self.layout.slots().iter().zip(&mut room) {
            *room = if *room > slot.mask { 2 * *room } else { slot.mask };
        }
        Ok(Self::with_room(self.model, self.shift, &room, self.budget.clone()))
    }

    #[inline]
    fn step(&self, rule: Rule) -> Step {
        Step { action: ActionId(self.action(rule)), choice: rule & ((1 << self.shift) - 1) }
    }

    #[inline]
    fn action(&self, rule: Rule) -> Action {
        rule >> self.shift
    }

    fn id(&self, action: Action) -> ActionId {
        ActionId(action)
    }

    fn action_of(&self, id: ActionId) -> Option<Action> {
        Some(id.0).filter(|_| id.index() < self.model.actions())
    }

    fn enter(&self, scratch: &mut Scratch, words: &[u64]) -> Result<(), StopReason> {
        scratch.rules.clear();
        let Some(direct) = self.model.direct() else {
            self.look_up(words, &mut scratch.held)?;
            for (group, held) in scratch.held.iter().enumerate() {
                let first = (group as Rule) << self.shift;
                scratch.rules.extend(first..first + held.successors.len() as Rule);
            }
            return Ok(());
        };
        self.ask(direct, words, &mut scratch.state, &mut scratch.moves)?;
        let mut next = 0;
        for group in scratch.moves.groups() {
            next = next.max((group as Rule) << self.shift);
            if self.parts(next).0 != group {
                return Err(TOO_MANY);
            }
            scratch.rules.push(next);
            next += 1;
        }
        Ok(())
    }

    #[inline]
    fn cursor(&self, scratch: &Scratch, _: &[u64], from: Rule) -> u32 {
        scratch.rules.partition_point(|&rule| rule < from) as u32
    }

    #[inline]
    fn next(&self, scratch: &Scratch, _: &[u64], cursor: &mut u32) -> Option<Rule> {
        let rule = scratch.rules.get(*cursor as usize).copied();
        *cursor += 1;
        rule
    }

    fn fire(&self, scratch: &Scratch, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        next.clear();
        next.extend_from_slice(words);
        let slots = self.layout.slots();
        match self.each_write(scratch, rule, |variable, value| slots[variable].set(next, value)) {
            true => Fired::Done,
            false => Fired::Misfit,
        }
    }

    fn is_enabled(&self, words: &[u64], action: Action) -> Result<bool, StopReason> {
        match self.model.direct() {
            Some(direct) => Ok(self.enabled(direct, words)?.groups().any(|group| group == action as usize)),
            None => Ok(!self.successors(words, action as usize, &mut Vec::new())?.is_empty()),
        }
    }

    fn is_deadlock(&self, words: &[u64]) -> Result<bool, StopReason> {
        if let Some(direct) = self.model.direct() {
            return Ok(self.enabled(direct, words)?.is_empty());
        }
        let mut short = Vec::new();
        for group in 0..self.model.actions() {
            if !self.successors(words, group, &mut short)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn label(&self, words: &[u64], label: LabelId) -> Result<bool, StopReason> {
        let value = |_, variable| self.layout.slot(variable).value(words);
        self.model.holds(label, value, &self.budget).map_err(|error| error.stopped(&self.budget))
    }

    fn reducer(&self, _: &dyn Fn(Action) -> bool) -> Option<NoReduction> {
        None
    }
}
