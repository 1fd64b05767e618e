//! One-step images over the whole partitioned relation in a single recursion.
//!
//! For a node on level l, the events whose top is l are applied here; all events that start deeper are
//! taken care of by one recursive call per child. So the descent is shared by all events instead of being
//! repeated for each.

use super::conjunctive::ConjunctiveImage;
use super::in_range;
use super::join::join;
use crate::mdd::{ChildList, EdgeRef, Held, Session, is_empty};
use crate::relation::{Branches, END, Link, LinkId, Relation, Values};
use crate::stop_reason::StopReason;

/// Operator numbers that images over this relation need.
pub(crate) fn operators(relation: &Relation) -> u32 {
    relation.link_count() + 1 + relation.conjunctive_operators()
}

/// Image computation for one relation.
pub(crate) struct Image<'r, 's, 'm, 'id> {
    relation: &'r Relation,
    session: &'s Session<'m, 'id>,
    /// Operator numbers: `base` for the whole relation, `base + 1 + i` for link i.
    base: u32,
}

impl<'r, 's, 'm, 'id> Image<'r, 's, 'm, 'id> {
    /// With operator numbers from `base`, [`operators`] of them, reserved for this purpose and relation.
    pub(crate) fn new(relation: &'r Relation, session: &'s Session<'m, 'id>, base: u32) -> Self {
        Image { relation, session, base }
    }

    /// The successors of a set of states.
    pub(crate) fn post(&self, states: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        let mut next = self.post_from(0, states)?;
        if self.relation.is_conjunctive() {
            let base = self.base + 1 + self.relation.link_count();
            let together = ConjunctiveImage::new(self.relation, self.session, base).post(states)?;
            next = self.session.union(0, next.edge(), together.edge())?;
        }
        // An event without steps is enabled everywhere and leads back.
        match self.relation.events().iter().any(|event| event.first == END) {
            true => Ok(self.session.union(0, next.edge(), states)?),
            false => Ok(next),
        }
    }

    fn post_from(&self, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        if level == self.relation.levels() || is_empty(node) {
            return Ok(self.session.empty());
        }
        if let Some(result) = self.session.cached(self.base, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            join(self.session, level, &mut list, value, self.post_from(level + 1, child)?)?;
            for &event in self.relation.tops(level) {
                let event = &self.relation.events()[event as usize];
                self.step(level, &mut list, self.relation.link(event.first), (value, child))?;
            }
        }
        let result = self.session.node(level, list)?;
        self.session.remember(self.base, [node; 3], &result);
        Ok(result)
    }

    /// The successors of a set of states under one event.
    pub(crate) fn post_event(&self, event: u32, states: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        self.fire(self.relation.events()[event as usize].first, 0, states)
    }

    /// The image of a node under the steps from `link` down, and nothing else.
    fn fire(&self, link: LinkId, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
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
        if shared.level() == level {
            for (value, child) in self.session.pairs(node) {
                self.step(level, &mut list, shared, (value, child))?;
            }
        } else {
            for (value, child) in self.session.pairs(node) {
                list.push(value, self.fire(link, level + 1, child)?);
            }
        }
        let result = self.session.node(level, list)?;
        self.session.remember(operator, [node; 3], &result);
        Ok(result)
    }

    /// Add what a link of this level and those below make of a value and its child.
    #[inline(always)]
    fn step(
        &self,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        link: &Link,
        (value, child): (u32, EdgeRef<'_, 'id>),
    ) -> Result<(), StopReason> {
        let (step, next) = match link {
            Link::Step { step, next } => (step, *next),
            Link::Branch { branches, .. } => return self.branch(level, list, branches, (value, child)),
        };
        let targets = step.image(value);
        if targets.is_none() {
            return Ok(());
        }
        let fired = self.fire(next, level + 1, child)?;
        self.add(level, list, targets, fired)
    }

    #[inline(never)]
    fn branch(
        &self,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        branches: &Branches,
        (value, child): (u32, EdgeRef<'_, 'id>),
    ) -> Result<(), StopReason> {
        for arm in branches.arms(value) {
            let fired = self.fire(arm.tail.next, level + 1, child)?;
            if !fired.is_empty() {
                join(self.session, level, list, in_range(self.relation, level, arm.after(value))?, fired)?;
            }
        }
        Ok(())
    }

    /// Add what was fired on to the children of the values that the step leads to.
    fn add(
        &self,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        targets: Values<'_>,
        fired: Held<'m, 'id>,
    ) -> Result<(), StopReason> {
        match targets {
            _ if fired.is_empty() => {}
            Values::None => {}
            Values::One(target) => join(self.session, level, list, in_range(self.relation, level, target)?, fired)?,
            Values::Many(targets) => {
                for &target in targets {
                    join(self.session, level, list, target, fired.clone())?;
                }
            }
        }
        Ok(())
    }
}
