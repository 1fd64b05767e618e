//! What events depend on and what they change, by level.

use super::{END, Link, LinkId, Relation};
use std::collections::BTreeSet;

/// The levels of an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Footprint {
    /// Those whose values it may change, and which of its targets depend on them.
    pub(crate) changes: BTreeSet<u32>,
    /// Those whose values it tests and keeps.
    pub(crate) tests: BTreeSet<u32>,
}

impl Relation {
    /// The levels of an event.
    pub(crate) fn footprint(&self, event: u32) -> Footprint {
        let mut footprint = Footprint::default();
        let (mut seen, mut open): (BTreeSet<LinkId>, Vec<LinkId>) = Default::default();
        open.push(self.events()[event as usize].first);
        while let Some(id) = open.pop() {
            if id == END || !seen.insert(id) {
                continue;
            }
            let link = self.link(id);
            let is_test = match link {
                Link::Step { step, next } => {
                    open.push(*next);
                    step.is_test()
                }
                Link::Branch { branches, .. } => {
                    open.extend(branches.links());
                    branches.is_test()
                }
            };
            if is_test { &mut footprint.tests } else { &mut footprint.changes }.insert(link.level());
        }
        let Footprint { changes, tests } = &mut footprint;
        tests.retain(|level| !changes.contains(level));
        footprint
    }

    /// By level: does every step keep its value?
    pub(crate) fn constant_levels(&self) -> Vec<bool> {
        let mut constant = vec![true; self.levels() as usize];
        for event in 0..self.events().len() as u32 {
            self.footprint(event).changes.into_iter().for_each(|level| constant[level as usize] = false);
        }
        for steps in &self.conjunctive().steps {
            for level in (0..self.levels()).filter(|&level| !steps.keeps(level)) {
                constant[level as usize] = false;
            }
        }
        constant
    }
}
