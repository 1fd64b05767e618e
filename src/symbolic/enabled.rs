//! The states of a set in which some event is enabled, by one recursion over the whole relation.

use super::conjunctive::ConjunctiveImage;
use crate::mdd::{EdgeRef, Held, Session, is_empty};
use crate::relation::{END, Link, LinkId, Relation};
use crate::stop_reason::StopReason;

/// Operator numbers that this needs for a relation.
pub(crate) fn operators(relation: &Relation) -> u32 {
    relation.link_count() + 1 + relation.conjunctive_operators()
}

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
    pub(crate) fn new(relation: &'r Relation, session: &'s Session<'m, 'id>) -> Result<Self, StopReason> {
        Ok(Enabled::with_operators(relation, session, session.reserve_operators(operators(relation))?))
    }

    /// With operator numbers from `base`, [`operators`] of them, reserved for this purpose and relation.
    pub(crate) fn with_operators(relation: &'r Relation, session: &'s Session<'m, 'id>, base: u32) -> Self {
        let always = relation.events().iter().any(|event| event.first == END);
        Enabled { relation, session, base, always }
    }

    /// The states in which some event is enabled.
    pub(crate) fn some(&self, states: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        if self.always {
            return Ok(self.session.hold(states));
        }
        let by_events = self.some_from(0, states)?;
        if !self.relation.is_conjunctive() {
            return Ok(by_events);
        }
        let together = self.together(&|_| true, states)?;
        Ok(self.session.union(0, by_events.edge(), together.edge())?)
    }

    /// The states in which a step of all variables at once with such a label is possible.
    pub(crate) fn together(
        &self,
        labels: &dyn Fn(u32) -> bool,
        states: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let base = self.base + 1 + self.relation.link_count();
        ConjunctiveImage::new(self.relation, self.session, base).enabled(labels, states)
    }

    /// The states in which this event is enabled.
    pub(crate) fn event(&self, event: u32, states: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        self.accepted(self.relation.events()[event as usize].first, 0, states)
    }

    fn some_from(&self, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
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
                let accepted = self.accepted_from(link, level, value, child)?;
                enabled = self.session.union(level + 1, enabled.edge(), accepted.edge())?;
            }
            list.push(value, enabled);
        }
        let result = self.session.node(level, list)?;
        self.session.remember(self.base, [node; 3], &result);
        Ok(result)
    }

    /// The part of a node that the steps from `link` down accept.
    fn accepted(&self, link: LinkId, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
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
        let here = shared.level() == level;
        for (value, child) in self.session.pairs(node) {
            let accepted = match here {
                true => self.accepted_from(shared, level, value, child)?,
                false => self.accepted(link, level + 1, child)?,
            };
            list.push(value, accepted);
        }
        let result = self.session.node(level, list)?;
        self.session.remember(operator, [node; 3], &result);
        Ok(result)
    }

    /// The part of the child of a value that the steps below a link of this level accept.
    #[inline(always)]
    fn accepted_from(
        &self,
        link: &Link,
        level: u32,
        value: u32,
        child: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        match link {
            Link::Step { step, next } if step.accepts(value) => self.accepted(*next, level + 1, child),
            Link::Step { .. } => Ok(self.session.empty()),
            Link::Branch { branches, .. } => {
                let mut accepted = self.session.empty();
                let mut last = None;
                for arm in branches.arms(value) {
                    // Of targets that go on in the same way one is enough.
                    if last.replace(arm.tail.next) != Some(arm.tail.next) {
                        let by_arm = self.accepted(arm.tail.next, level + 1, child)?;
                        accepted = self.session.union(level + 1, accepted.edge(), by_arm.edge())?;
                    }
                }
                Ok(accepted)
            }
        }
    }
}
