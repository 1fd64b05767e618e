//! Steps that are small together, as an event.

use super::parts::Making;
use crate::relation::{Arm, Branches, END, Link, LinkId, Relation, Tail, Target};
use starset_smv::{Diagram, Diagrams};
use std::collections::HashMap;
use std::sync::Arc;

impl Making {
    /// Steps that leave these levels as they are, as an event.
    pub(super) fn event(&self, relation: &mut Relation, label: u32, product: Diagram, kept: &[u32]) {
        let is_kept = (0..self.codings.len() as u32).map(|level| kept.contains(&level)).collect();
        let mut slots = vec![0; self.codings.len()];
        for (slot, &level) in (0..).zip(&self.levels) {
            if level != u32::MAX {
                slots[level as usize] = slot;
            }
        }
        let mut event = EventBuilder { making: self, relation, is_kept, slots, known: HashMap::new(), idle: true };
        if let Some(first) = event.link(0, product) {
            let idle = event.idle;
            relation.add_event_from(label, first, idle);
        }
    }
}

/// An event under construction: a branch on each level that the steps read or write.
struct EventBuilder<'k, 'r> {
    making: &'k Making,
    relation: &'r mut Relation,
    /// By level: does the variable stay as it is?
    is_kept: Vec<bool>,
    /// By level.
    slots: Vec<u32>,
    known: HashMap<(u32, Diagram), Option<LinkId>>,
    /// Does everything stay as it is so far?
    idle: bool,
}

impl EventBuilder<'_, '_> {
    /// The link for what a diagram says of a level and those below; `None` if it is never.
    fn link(&mut self, level: u32, diagram: Diagram) -> Option<LinkId> {
        let making = self.making;
        let diagrams = &making.diagrams;
        if diagram == Diagrams::FALSE {
            return None;
        }
        let Some(&slot) = self.slots.get(level as usize) else { return Some(END) };
        let kept = self.is_kept[level as usize];
        if kept && diagrams.level(diagram) > 2 * slot {
            return self.link(level + 1, diagram);
        }
        if let Some(&known) = self.known.get(&(level, diagram)) {
            return known;
        }
        let coding = &making.codings[level as usize];
        let mut rows: Vec<(u32, Vec<Arm>)> = Vec::new();
        for (code, below) in making.children(coding, 2 * slot, diagram) {
            let mut arms = Vec::new();
            let mut arm = |target: Target, next: LinkId| arms.push(Arm { target, tail: Tail { next, times: 1 } });
            if kept {
                if let Some(next) = self.link(level + 1, below) {
                    arm(Target::KEPT, next);
                }
            } else {
                for (after, below) in making.children(coding, 2 * slot + 1, below) {
                    if let Some(next) = self.link(level + 1, below) {
                        self.idle &= after == code;
                        arm(Target::Value(after), next);
                    }
                }
            }
            if !arms.is_empty() {
                rows.push((code, arms));
            }
        }
        let link = (!rows.is_empty()).then(|| {
            let branches = Branches::of_each(rows.iter().map(|(code, arms)| (*code, &arms[..])));
            self.relation.link_to(Link::Branch { level, branches: Arc::new(branches) })
        });
        self.known.insert((level, diagram), link);
        link
    }
}
