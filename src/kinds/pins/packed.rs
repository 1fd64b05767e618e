//! The packed space of a model behind a next-state function.
//!
//! A variable is a field that grows. Nobody knows the successors of a state before asking, so they are asked for when a
//! search enters it: for each group those of the values that it reads, which the model keeps ([`PinsModel`]). A state differs
//! from the one before in few variables; so a group whose values are still the same is not even looked up.
//!
//! **Rules.** The high bits are the group, the low ones the number of the successor.

use super::PinsModel;
use super::model::Successor;
use super::next_state::{COPY, ModelError};
use crate::explicit::{Action, Builder, Fired, Layout, NoReduction, Rule, Space, bits};
use crate::halt::Halt;
use crate::model::{ActionId, LabelId, Step, TransitionSystem, VariableId};
use std::sync::Arc;

/// A model compiled for packed states.
#[derive(Debug)]
pub(super) struct PinsSpace<'m> {
    model: &'m PinsModel,
    layout: Layout,
    /// Low bits of a rule.
    shift: u32,
}

/// What a group does in the current state.
#[derive(Debug)]
struct Held {
    short: Vec<u32>,
    successors: Arc<[Successor]>,
}

/// What the groups do in the current state.
#[derive(Debug, Default)]
pub(super) struct Scratch(Vec<Held>);

impl From<ModelError> for Halt {
    fn from(error: ModelError) -> Self {
        Halt::Model(error.0)
    }
}

impl<'m> PinsSpace<'m> {
    /// Compile the model with room for its initial states.
    ///
    /// # Errors
    /// [`Halt::Unsupported`] with too many groups.
    pub(super) fn new(model: &'m PinsModel) -> Result<Self, Halt> {
        // The largest rule is below the largest number: no group has all its bits set.
        let shift = Rule::BITS - bits(model.actions().max(1) as u64);
        if shift < 8 {
            return Err(Halt::Unsupported("the explicit engine does not explore models with so many groups"));
        }
        let mut room = model.start().as_slice().to_vec();
        for state in model.initial_states() {
            room.iter_mut().zip(state.as_slice()).for_each(|(room, &value)| *room = value.max(*room));
        }
        Ok(Self::with_room(model, shift, &room))
    }

    /// With fields that these values fit.
    fn with_room(model: &'m PinsModel, shift: u32, most: &[u64]) -> Self {
        let mut builder = Builder::new(most.len());
        for (variable, &most) in (0..).map(VariableId).zip(most) {
            builder.counter(variable, bits(most).max(1));
        }
        PinsSpace { model, layout: builder.build(), shift }
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

    /// What a group does; `short` is room for what it reads.
    fn successors(&self, words: &[u64], group: usize, short: &mut Vec<u32>) -> Result<Arc<[Successor]>, Halt> {
        self.short(words, group, short);
        let successors = self.model.successors(group, short)?;
        match successors.len() >> self.shift {
            0 => Ok(successors),
            _ => {
                Err(Halt::Unsupported("the explicit engine does not explore models with so many successors of a group"))
            }
        }
    }

    /// A successor, with the variables that its group writes.
    fn successor<'s>(&self, scratch: &'s Scratch, rule: Rule) -> Option<(&'m [VariableId], &'s Successor)> {
        let (group, choice) = self.parts(rule);
        let successor = scratch.0.get(group)?.successors.get(choice)?;
        Some((&self.model.footprints.get(group)?.writes, successor))
    }
}

impl Space for PinsSpace<'_> {
    /// The next rule to look at, which need not be one.
    type Cursor = Rule;
    type Scratch = Scratch;
    type Reducer = NoReduction;

    fn system(&self) -> &dyn TransitionSystem {
        self.model
    }

    #[inline]
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn grown(&self, scratch: &Scratch, words: &[u64], rule: Rule, _: &[u64]) -> Result<Self, Halt> {
        let mut room = Vec::new();
        self.layout.decode(words, &mut room);
        for (variable, &value) in
            self.successor(scratch, rule).iter().flat_map(|(writes, to)| writes.iter().zip(&to.values))
        {
            if value != COPY {
                room[variable.index()] = value.into();
            }
        }
        // A field that was not enough gets one bit more than it needs.
        for (slot, room) in self.layout.slots().iter().zip(&mut room) {
            *room = if *room > slot.mask { 2 * *room } else { slot.mask };
        }
        Ok(Self::with_room(self.model, self.shift, &room))
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

    fn enter(&self, scratch: &mut Scratch, words: &[u64]) -> Result<(), Halt> {
        let fresh = || Held { short: vec![COPY], successors: Arc::default() };
        scratch.0.resize_with(self.model.actions(), fresh);
        for (group, held) in scratch.0.iter_mut().enumerate() {
            let reads = &self.model.footprints[group].reads;
            let values = reads.iter().map(|&variable| self.layout.slot(variable).value(words) as u32);
            if held.short.len() != reads.len() || values.zip(&held.short).any(|(value, &old)| value != old) {
                let mut short = std::mem::take(&mut held.short);
                match self.successors(words, group, &mut short) {
                    Ok(successors) => *held = Held { short, successors },
                    Err(halt) => {
                        // Nothing wrong is left behind.
                        *held = fresh();
                        return Err(halt);
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn cursor(&self, _: &Scratch, _: &[u64], from: Rule) -> Rule {
        from
    }

    #[inline]
    fn next(&self, scratch: &Scratch, _: &[u64], cursor: &mut Rule) -> Option<Rule> {
        loop {
            let (group, choice) = self.parts(*cursor);
            if choice < scratch.0.get(group)?.successors.len() {
                *cursor += 1;
                return Some(*cursor - 1);
            }
            *cursor = (group as Rule + 1) << self.shift;
        }
    }

    fn fire(&self, scratch: &Scratch, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        next.clear();
        next.extend_from_slice(words);
        let Some((writes, successor)) = self.successor(scratch, rule) else { return Fired::Misfit };
        for (&variable, &value) in writes.iter().zip(&successor.values) {
            if value == COPY {
                continue;
            }
            if !self.layout.slot(variable).set(next, value.into()) {
                return Fired::Misfit;
            }
        }
        Fired::Done
    }

    fn is_enabled(&self, words: &[u64], action: Action) -> Result<bool, Halt> {
        Ok(!self.successors(words, action as usize, &mut Vec::new())?.is_empty())
    }

    fn is_deadlock(&self, words: &[u64]) -> Result<bool, Halt> {
        let mut short = Vec::new();
        for group in 0..self.model.actions() {
            if !self.successors(words, group, &mut short)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn label(&self, words: &[u64], label: LabelId) -> Result<bool, Halt> {
        Ok(self.model.holds(label, |_, variable| self.layout.slot(variable).value(words))?)
    }

    fn reducer(&self, _: &dyn Fn(Action) -> bool) -> Option<NoReduction> {
        None
    }
}
