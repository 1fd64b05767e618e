//! The successors of a state, as one thread finds them: those that are enough, with their distances to what is looked
//! for.

use super::distance::distance;
use super::program::{Node, Program, State};
use super::search::{CHECK_EVERY, Order, Run};
use crate::explicit::fair_rw_lock::lock;
use crate::explicit::packed_model::{Fired, PackedModel, Reducer};
use crate::explicit::states::States;
use crate::explicit::steady::{Need, Steady};
use crate::explicit::store::{Inserted, StateId};
use crate::stop_reason::StopReason;

impl<S: PackedModel> Run<'_, '_, S> {
    /// Fire what has to be fired in a state, and note what is new. If something is needed for that, all of it has to be
    /// done again.
    pub(super) fn fire(
        &mut self,
        steady: &Steady<S>,
        program: &Program,
        state: StateId,
        target: Option<Node>,
        goal: Option<Node>,
    ) -> Result<Option<Need>, StopReason> {
        let (crew, states) = (self.crew, &steady.states);
        let (space, layout, beside) = (states.space(), states.layout(), steady.beside());
        if self.firings >= self.look_at {
            self.look_at = self.firings + CHECK_EVERY;
            crew.budget.check()?;
            let taken = self.taken();
            beside.take(taken.saturating_sub(self.counted))?;
            self.counted = self.counted.max(taken);
        }
        if self.growths != states.growths() {
            self.growths = states.growths();
            self.atoms.compile(layout);
        }
        self.batch.clear(layout.key_words());
        self.words.resize(layout.words(), 0);
        states.begin(state, &mut self.words, &mut self.batch);
        space.enter(&mut self.scratch, &self.words)?;
        let reduced = self.reduce(states, program, state, goal)?;
        self.fresh.clear();
        self.rules.clear();
        self.fresh_words.clear();
        let mut cursor = space.cursor(&self.scratch, &self.words, 0);
        let mut members = self.members.iter();
        while let Some(rule) = match reduced {
            true => members.next().copied(),
            false => space.next(&self.scratch, &self.words, &mut cursor),
        } {
            if space.fire(&self.scratch, &self.words, rule, &mut self.next) == Fired::Misfit {
                return Ok(Some(Need::Layout(state, rule)));
            }
            // A state of a synchronous program may have tens of thousands of successors, and distances from long
            // conditions take long.
            if self.fresh.len() as u64 % CHECK_EVERY == CHECK_EVERY - 1 {
                crew.budget.check()?;
            }
            let distance = |target| distance(&self.atoms, (space, &self.next), program, (target, true));
            let distance = target.map_or(0, distance);
            self.batch.push(&self.next);
            self.rules.push(rule);
            self.fresh_words.extend_from_slice(&self.next[..layout.words()]);
            self.fresh.push((distance, 0));
        }
        let inserted = states.store().insert_all_shared(&mut self.batch, &mut lock(&crew.writers[self.number]));
        let is_new = |inserted: &&Inserted| matches!(inserted, Inserted::New(_));
        self.found += self.batch.inserted().iter().filter(is_new).count() as u64;
        if let Err(refusal) = inserted {
            return Ok(Some(Need::Room(refusal)));
        }
        let before = crew.facts.letter(state);
        let found = self.fresh.iter_mut().zip(self.fresh_words.chunks_exact(layout.words()));
        for ((fresh, words), (inserted, &rule)) in found.zip(self.batch.inserted().iter().zip(&self.rules)) {
            fresh.1 = inserted.id();
            crew.facts.open(fresh.1, |bytes| beside.take(bytes))?;
            if !crew.facts.has_letter(fresh.1) {
                crew.facts.note(fresh.1, self.atoms.update(space, words, before, space.action(rule))?);
            }
        }
        Ok(None)
    }

    /// Find a set of rules that is enough in the current state, in the turns of its own; false if everything has to be
    /// fired.
    fn reduce(
        &mut self,
        states: &States<S>,
        program: &Program,
        state: StateId,
        goal: Option<Node>,
    ) -> Result<bool, StopReason> {
        let Some(goal) = goal.filter(|_| matches!(self.order, Order::AsTheyCome)) else { return Ok(false) };
        self.events.clear();
        if self.reducer.is_none() || !self.attract(states, program, (goal, true), state)? {
            return Ok(false);
        }
        let Some(reducer) = &mut self.reducer else { return Ok(false) };
        let Some(members) = reducer.towards(states.space(), &self.words, &self.events) else { return Ok(false) };
        self.members.clear();
        self.members.extend_from_slice(members);
        Ok(true)
    }

    /// Add events of which one happens before a state formula gets this value, which it has not in the current state.
    /// False if none are known.
    fn attract(
        &mut self,
        states: &States<S>,
        program: &Program,
        (node, value): (Node, bool),
        state: StateId,
    ) -> Result<bool, StopReason> {
        match (&program.states[node], value) {
            (&State::Condition(proposition), _) => {
                self.atoms.attract(states, &self.words, proposition, &mut self.events)?;
                Ok(true)
            }
            (&State::Not(a), _) => self.attract(states, program, (a, !value), state),
            // One operand that is in the way is enough.
            (State::And(operands), true) | (State::Or(operands), false) => {
                for &a in operands {
                    if program.is_single(a) && self.value(program, a, state)? != value {
                        return self.attract(states, program, (a, value), state);
                    }
                }
                Ok(false)
            }
            (State::And(operands) | State::Or(operands), _) if program.is_single(node) => {
                for &a in operands {
                    if !self.attract(states, program, (a, value), state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
