//! Goals: looked for in each level, and paths to those that are found.

use super::labels::Formulas;
use super::note::same;
use super::outcome::Found;
use super::search::Search;
use crate::explicit::disk::{complete, first_leading_to};
use crate::explicit::packed_model::PackedModel;
use crate::explicit::{Trace, View};
use crate::model::{Path, State, Then};
use crate::stop_reason::StopReason;
use std::sync::{Mutex, PoisonError};

impl<S: PackedModel> Search<'_, S> {
    /// Visit states until all goals are found, and find paths to them; visit all if there are formulas, and find their
    /// verdicts. The first worker of a process tells what is known, however it ends.
    pub(super) fn find(
        &mut self,
        formulas: Formulas<'_>,
        known: &Mutex<Found>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<((), Option<State>), StopReason> {
        let ended = self.find_each(formulas, progress);
        if self.fabric.index().is_multiple_of(self.threads) {
            *known.lock().unwrap_or_else(PoisonError::into_inner) = std::mem::take(&mut self.result);
        }
        ended
    }

    fn find_each(
        &mut self,
        formulas: Formulas<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<((), Option<State>), StopReason> {
        self.result.traces = vec![None; self.goals.len()];
        self.visit(!formulas.1.is_empty(), progress)?;
        let notes = self.sum()?;
        let (exploration, deadlock) = self.total(notes);
        self.result.stats = exploration.stats;
        self.result.undefined.clone_from(&self.undefined);
        self.result.has_seen_all = true;
        self.verdicts(formulas)?;
        Ok(((), deadlock))
    }

    /// Look for goals on the level, and for paths to those that are found. Says whether all are found.
    pub(super) fn look(&mut self) -> Result<bool, StopReason> {
        if self.goals.is_empty() {
            return Ok(true);
        }
        self.levels.push(self.level.clone());
        if self.known_states.iter().all(Option::is_some) {
            return Ok(true);
        }
        self.next = self.level.start;
        let notes = self.phase(Self::look_at_some)?;
        same(&notes)?;
        self.found.clear();
        let goals =
            notes.iter().flat_map(|note| note.found.iter().map(|found| found.0).chain(note.undefined.iter().copied()));
        if goals.max().is_some_and(|most| most >= self.goals.len()) {
            return Err(StopReason::Unsupported("the processes look for different states"));
        }
        notes.iter().flat_map(|note| &note.undefined).for_each(|&goal| self.undefined[goal] = true);
        let (level, mut new) = (self.levels.len() - 1, Vec::new());
        for (goal, known) in self.known_states.iter_mut().enumerate().filter(|(_, known)| known.is_none()) {
            let found = notes.iter().flat_map(|note| &note.found).filter(|found| found.0 == goal);
            *known = found.map(|found| &found.1).min().cloned();
            new.extend(known.clone().map(|values| (goal, values)));
        }
        // At once: there may be no time later.
        for (goal, values) in new {
            let trace = self.trace(level, values)?;
            let notes = self.sum()?;
            self.result.stats = self.total(notes).0.stats;
            self.result.traces[goal] = Some(trace);
        }
        Ok(self.known_states.iter().all(Option::is_some))
    }

    /// Look for goals among some states of the level, and say whether there are more to look at.
    fn look_at_some(&mut self) -> Result<bool, StopReason> {
        let end = self.level.end.min(self.next.saturating_add(self.sizes.group));
        self.read(end);
        let (mut words, mut values) = (Vec::new(), Vec::new());
        for state in self.open.chunks_exact(self.layout.key_words()) {
            complete(state, &self.layout, &mut words);
            let view = View { layout: &self.layout, words: &words };
            for (number, goal) in self.goals.iter().enumerate() {
                let is_open = self.known_states[number].is_none() && self.found.iter().all(|found| found.0 != number);
                match is_open.then(|| goal(view)) {
                    Some(Some(true)) => {
                        self.layout.decode(&words, &mut values);
                        self.found.push((number, values.clone()));
                    }
                    Some(None) => self.undefined[number] = true,
                    _ => {}
                }
            }
        }
        Ok(end < self.level.end)
    }

    /// A shortest path to a state on a level, which all look for together.
    fn trace(&mut self, level: usize, values: Vec<u64>) -> Result<Trace, StopReason> {
        let (mut values, last) = (values.clone(), State::new(values));
        let mut prefix = Vec::with_capacity(level);
        for before in (0..level).rev() {
            let (range, key) = (self.levels[before].clone(), self.key_of(&values)?);
            let key = &key[..self.layout.key_words()];
            self.next = range.start;
            let notes = self.phase(|search| search.look_before(key, range.end))?;
            self.leading = None;
            let leading = notes.into_iter().filter_map(|note| note.leading).min();
            let Some((from, rule)) = leading else {
                return Err(StopReason::Unsupported("a state of the exploration has been lost"));
            };
            prefix.push(self.space.step(rule));
            values = from;
        }
        prefix.reverse();
        Ok(Trace { path: Path { prefix, then: Then::Open }, last })
    }

    /// Look among some states for one that leads to this one, and say whether there are more to look at.
    fn look_before(&mut self, key: &[u64], last: u32) -> Result<bool, StopReason> {
        if self.leading.is_some() {
            return Ok(false);
        }
        let end = last.min(self.next.saturating_add(self.sizes.group));
        self.read(end);
        if let Some((from, rule)) = first_leading_to(key, &*self.space, &self.layout, &self.open)? {
            let (mut words, mut values) = (Vec::new(), Vec::new());
            complete(&from, &self.layout, &mut words);
            self.layout.decode(&words, &mut values);
            self.leading = Some((values, rule));
            return Ok(false);
        }
        Ok(end < last)
    }
}
