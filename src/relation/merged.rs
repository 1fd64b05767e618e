//! Neighbouring levels as one, where at most one of them is 1 and the others are 0.
//!
//! **Problem.** A component whose state is one of k places takes k levels, of which all but one are 0. Every event walks
//! through them one after the other, and every set that is made on the way has nodes on each.
//!
//! **Idea.** The levels of such a *unit* become one, whose value says which of them is 1: i + 1 for the i-th, 0 for none.
//! The effect of an event on the levels of a unit is one table. Values with more than one 1 have no successors there, and
//! steps there are left out: the caller knows that no reachable state has such values. So the reachable states of the
//! merged relation are those of the relation, written otherwise.
//!
//! Source: Pastor and Cortadella 1998, "Efficient encoding schemes for symbolic analysis of Petri nets".

use super::{END, Effect, Level, Link, LinkId, Relation, Step, Table};
use crate::model::VariableId;
use std::sync::Arc;

impl Relation {
    /// The relation in which so many levels each, from the top, are one. Of those that are more than one, no reachable
    /// state has two that are not 0, nor one above 1. `None` of a relation that is no product of affine steps.
    pub(crate) fn merged(&self, lengths: &[u32]) -> Option<Relation> {
        if self.learned.is_some() || !self.others.is_empty() {
            return None;
        }
        // For each level, the merged one, and its place there.
        let mut merged_into = Vec::with_capacity(self.levels() as usize);
        for (merged, &length) in (0..).zip(lengths) {
            merged_into.extend((0..length).map(|place| (merged, place)));
        }
        if merged_into.len() != self.levels() as usize {
            return None;
        }
        let starts: Vec<u32> =
            lengths.iter().scan(0, |end, length| Some(std::mem::replace(end, *end + length))).collect();
        let order: Vec<VariableId> = (0..lengths.len() as u32).map(VariableId).collect();
        let level = |merged: VariableId| {
            let (start, length) = (starts[merged.index()] as usize, lengths[merged.index()] as usize);
            let (name, offset) = (self.names()[start].clone(), self.offsets()[start]);
            let initial = match length {
                1 => self.initial[start],
                _ => value_of(&self.initial[start..start + length]),
            };
            Level { name, offset, initial }
        };
        let mut relation = Relation::new(lengths.len(), &order, level).ok()?.with_tick(self.tick);
        for event in self.events() {
            let mut steps: Vec<Step> = Vec::new();
            let mut possible = true;
            for of_level in self
                .steps(event.first)?
                .chunk_by(|a, b| merged_into[a.level as usize].0 == merged_into[b.level as usize].0)
            {
                let level = merged_into[of_level[0].level as usize].0;
                let effect = match lengths[level as usize] {
                    1 => of_level[0].effect.clone(),
                    length => {
                        let place = |step: &Step| merged_into[step.level as usize].1;
                        let pairs = pairs(of_level, place, length);
                        possible &= !pairs.is_empty();
                        Effect::Table(Arc::new(Table::new(pairs)))
                    }
                };
                steps.push(Step { level, effect });
            }
            if possible {
                event.labels.iter().for_each(|&label| relation.add_event(label, steps.clone()));
            }
        }
        Some(relation)
    }

    /// The affine steps from a link down; `None` if there are others.
    fn steps(&self, mut link: LinkId) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        while link != END {
            match self.link(link) {
                Link::Step { step: step @ Step { effect: Effect::Affine { .. }, .. }, next } => {
                    steps.push(step.clone());
                    link = *next;
                }
                Link::Step { .. } | Link::Branch { .. } => return None,
            }
        }
        Some(steps)
    }
}

/// The level of a unit that is 1, counted from 1; 0 if none is.
fn value_of(levels: &[u32]) -> u32 {
    levels.iter().position(|&value| value != 0).map_or(0, |place| place as u32 + 1)
}

/// The effect of steps on some levels of a unit of this length, as pairs of values.
fn pairs(steps: &[Step], place: impl Fn(&Step) -> u32, length: u32) -> Vec<(u32, u32)> {
    let after = |before: u32| {
        // Which level is 1 afterwards: one that no step is on stays.
        let untouched = before > 0 && steps.iter().all(|step| place(step) + 1 != before);
        let mut after = if untouched { before } else { 0 };
        for step in steps {
            match step.affine_image(u32::from(place(step) + 1 == before)) {
                Ok(Some(0)) => {}
                Ok(Some(1)) if after == 0 => after = place(step) + 1,
                _ => return None,
            }
        }
        Some((before, after))
    };
    (0..=length).filter_map(after).collect()
}
