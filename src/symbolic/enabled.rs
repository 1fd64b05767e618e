//! The states of a set in which some event is enabled, by one recursion over the whole relation.

use crate::halt::Halt;
use crate::mdd::{EdgeRef, Held, Session, is_empty};
use crate::relation::{END, LinkId, Relation};

/// Computation of enabled states for one relation.
pub(crate) struct Enabled<'r, 's, 'm, 'id> {
    relation: &'r Relation,
    session: &'s Session<'m, 'id>,
    /// Operator numbers: `base` for the whole relation, `base + 1 + i` for link i.
    base: u32,
    /// Is there an event that is enabled everywhere?
    always: bool,
}

impl<'r, 's, 'm, 'id> Enabled<'r, 's, 'm, 'id> {
    pub(crate) fn new(relation: &'r Relation, session: &'s Session<'m, 'id>) -> Result<Self, Halt> {
        let base = session.reserve_operators(relation.link_count() + 1)?;
        let always = relation.events().iter().any(|event| event.first == END);
        Ok(Enabled { relation, session, base, always })
    }

    /// The states in which some event is enabled.
    pub(crate) fn some(&self, states: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, Halt> {
        if self.always { Ok(self.session.hold(states)) } else { self.some_from(0, states) }
    }

    /// The states in which this event is enabled.
    pub(crate) fn event(&self, event: u32, states: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, Halt> {
        self.accepted(self.relation.events()[event as usize].first, 0, states)
    }

    fn some_from(&self, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, Halt> {
        if level == self.relation.levels() || is_empty(node) {
            return Ok(self.session.empty());
        }
        if let Some(result) = self.session.cached(self.base, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            let mut enabled = self.some_from(level + 1, child)?;
            for &event in self.relation.tops(level) {
                if enabled.edge() == child {
                    break;
                }
                let link = self.relation.link(self.relation.events()[event as usize].first);
                if link.step.accepts(value) {
                    let accepted = self.accepted(link.next, level + 1, child)?;
                    enabled = self.session.union(level + 1, enabled.edge(), accepted.edge())?;
                }
            }
            list.push(value, enabled);
        }
        let result = self.session.node(level, list)?;
        self.session.remember(self.base, [node; 3], &result);
        Ok(result)
    }

    /// The part of a node that the steps from `link` down accept.
    fn accepted(&self, link: LinkId, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, Halt> {
        if link == END || is_empty(node) {
            return Ok(self.session.hold(node));
        }
        let operator = self.base + 1 + link;
        if let Some(result) = self.session.cached(operator, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        let shared = self.relation.link(link);
        let here = shared.step.level == level;
        for (value, child) in self.session.pairs(node) {
            if !here {
                list.push(value, self.accepted(link, level + 1, child)?);
            } else if shared.step.accepts(value) {
                list.push(value, self.accepted(shared.next, level + 1, child)?);
            }
        }
        let result = self.session.node(level, list)?;
        self.session.remember(operator, [node; 3], &result);
        Ok(result)
    }
}
