//! The events that are enabled somewhere in a set of states.
//!
//! For each event a depth-first search for one path that its steps accept. Below the last step of an event
//! every path is accepted, so the search stays between the first and the last level of the event, and ends
//! with the first hit. Failures are remembered by (link, node), across events that share lower steps.

use super::enabled::Enabled;
use crate::budget::{Budget, Exhausted};
use crate::mdd::{EdgeRef, Mdd, Session, is_empty};
use crate::relation::{END, Link, LinkId, Relation};
use crate::stop_reason::StopReason;
use rustc_hash::FxHashSet;

/// For each label (transition index) below `labels`: is an event with it enabled in some state of `states`?
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the set is one of other tuples than the relation's.
pub fn fireable(relation: &Relation, states: &Mdd, labels: usize, budget: &Budget) -> Result<Vec<bool>, StopReason> {
    states.space().expect(relation.levels() as usize)?;
    let mut fireable = states.with_session(budget, |session, root| {
        let mut search = Search { relation, session, failed: FxHashSet::default() };
        let mut fireable = vec![false; labels];
        for event in relation.events() {
            if !is_empty(root) && search.accepts(event.first, 0, root)? {
                for &label in &event.labels {
                    if let Some(slot) = fireable.get_mut(label as usize) {
                        *slot = true;
                    }
                }
            }
        }
        Ok::<_, StopReason>(fireable)
    })?;
    for steps in &relation.conjunctive().steps {
        if let Some(slot @ false) = fireable.get_mut(steps.label as usize) {
            let here = |label: u32| label == steps.label;
            let enabled = states.run(budget, |session, root| Enabled::new(relation, session)?.together(&here, root))?;
            *slot = !enabled.is_empty();
        }
    }
    Ok(fireable)
}

struct Search<'r, 's, 'm, 'id> {
    relation: &'r Relation,
    session: &'s Session<'m, 'id>,
    failed: FxHashSet<(LinkId, EdgeRef<'s, 'id>)>,
}

impl<'s, 'm: 's, 'id> Search<'_, 's, 'm, 'id> {
    fn accepts(&mut self, link: LinkId, level: u32, node: EdgeRef<'s, 'id>) -> Result<bool, Exhausted> {
        if link == END {
            return Ok(true);
        }
        if self.failed.contains(&(link, node)) {
            return Ok(false);
        }
        self.session.tick()?;
        let shared = self.relation.link(link);
        for (value, child) in self.session.pairs(node) {
            let accepts = match shared {
                _ if shared.level() != level => self.accepts(link, level + 1, child)?,
                Link::Step { step, next } => step.accepts(value) && self.accepts(*next, level + 1, child)?,
                Link::Branch { branches, .. } => {
                    let mut accepts = false;
                    for arm in branches.arms(value) {
                        accepts = accepts || self.accepts(arm.tail.next, level + 1, child)?;
                    }
                    accepts
                }
            };
            if accepts {
                return Ok(true);
            }
        }
        self.failed.insert((link, node));
        Ok(false)
    }
}
