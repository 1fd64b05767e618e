//! One-step pre-images within a constraint, over the whole partitioned relation in a single recursion.
//!
//! The states of `constraint` with a successor in `target`. Both operands are walked together: taking an
//! event backwards from `target` alone could leave the reachable set, even without bound, while every state
//! of the constraint is known to be reachable. As for images, events that start below a level are handled
//! by one recursive call per child.

use super::conjunctive::ConjunctiveImage;
use crate::mdd::{ChildList, EdgeRef, Held, Session, is_empty};
use crate::relation::{END, Link, LinkId, Relation};
use crate::stop_reason::StopReason;

/// Operator numbers that a pre-image over this relation needs.
pub(crate) fn operators(relation: &Relation) -> u32 {
    relation.link_count() + 1 + relation.conjunctive_operators()
}

/// Pre-image computation for one relation.
pub(crate) struct Preimage<'r, 's, 'm, 'id> {
    relation: &'r Relation,
    session: &'s Session<'m, 'id>,
    /// `base` for the whole relation, `base + 1 + i` for link i.
    base: u32,
    /// Is there an event that is enabled everywhere and changes nothing?
    always: bool,
}

impl<'r, 's, 'm, 'id> Preimage<'r, 's, 'm, 'id> {
    /// With operator numbers from `base`, [`operators`] of them, reserved for this purpose and relation.
    pub(crate) fn new(relation: &'r Relation, session: &'s Session<'m, 'id>, base: u32) -> Self {
        let always = relation.events().iter().any(|event| event.first == END);
        Preimage { relation, session, base, always }
    }

    /// The states of `constraint` with a successor in `target`.
    pub(crate) fn all(
        &self,
        target: EdgeRef<'_, 'id>,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let mut before = self.from(0, target, constraint)?;
        if self.relation.is_conjunctive() {
            let base = self.base + 1 + self.relation.link_count();
            let together = ConjunctiveImage::new(self.relation, self.session, base).pre(target, constraint)?;
            before = self.session.union(0, before.edge(), together.edge())?;
        }
        if !self.always {
            return Ok(before);
        }
        let stay = self.session.intersection(0, target, constraint)?;
        Ok(self.session.union(0, before.edge(), stay.edge())?)
    }

    fn from(
        &self,
        level: u32,
        target: EdgeRef<'_, 'id>,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        if level == self.relation.levels() || is_empty(target) || is_empty(constraint) {
            return Ok(self.session.empty());
        }
        if let Some(result) = self.session.cached(self.base, [target, constraint, target]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, allowed) in self.session.pairs(constraint) {
            let mut before = match self.session.child(target, value) {
                Some(child) => self.from(level + 1, child, allowed)?,
                None => self.session.empty(),
            };
            for &event in self.relation.tops(level) {
                if before.edge() == allowed {
                    break;
                }
                let (step, below) = match self.relation.link(self.relation.events()[event as usize].first) {
                    Link::Step { step, next } => (step, *next),
                    Link::Branch { branches, .. } => {
                        for arm in branches.arms(value) {
                            let Ok(next) = arm.after(value) else { continue };
                            let Some(child) = self.session.child(target, next) else { continue };
                            let through = self.through(arm.tail.next, level + 1, child, allowed)?;
                            before = self.session.union(level + 1, before.edge(), through.edge())?;
                        }
                        continue;
                    }
                };
                // A successor out of range is not reachable, so not in the target.
                for next in step.image(value).in_range() {
                    let Some(child) = self.session.child(target, next) else { continue };
                    let through = self.through(below, level + 1, child, allowed)?;
                    before = self.session.union(level + 1, before.edge(), through.edge())?;
                }
            }
            list.push(value, before);
        }
        let result = self.session.node(level, list)?;
        self.session.remember(self.base, [target, constraint, target], &result);
        Ok(result)
    }

    /// Is there an event that is enabled everywhere and changes nothing?
    pub(super) fn always(&self) -> bool {
        self.always
    }

    /// The part of `constraint` that the steps from `link` down lead into `target`.
    pub(super) fn through(
        &self,
        link: LinkId,
        level: u32,
        target: EdgeRef<'_, 'id>,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        if is_empty(target) || is_empty(constraint) {
            return Ok(self.session.empty());
        }
        if link == END {
            return Ok(self.session.intersection(level, target, constraint)?);
        }
        let operator = self.base + 1 + link;
        if let Some(result) = self.session.cached(operator, [target, constraint, target]) {
            return Ok(result);
        }
        self.session.tick()?;
        let further =
            |link, target: EdgeRef<'_, 'id>, allowed: EdgeRef<'_, 'id>| self.through(link, level + 1, target, allowed);
        let list = before(self.relation, self.session, (link, level), (target, constraint), further)?;
        let result = self.session.node(level, list)?;
        self.session.remember(operator, [target, constraint, target], &result);
        Ok(result)
    }
}

/// The children, on a level, of the part of `constraint` that the steps from `link` down lead into `target`, where
/// `further` gives that of the levels below.
pub(super) fn before<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
    (link, level): (LinkId, u32),
    (target, constraint): (EdgeRef<'_, 'id>, EdgeRef<'_, 'id>),
    further: impl Fn(LinkId, EdgeRef<'_, 'id>, EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason>,
) -> Result<ChildList<'m, 'id>, StopReason> {
    let shared = relation.link(link);
    let here = shared.level() == level;
    let mut list = session.list();
    let (affine, next_link) = match shared {
        _ if !here => (None, link),
        Link::Step { step, next } if step.table().is_none() => (Some(step), *next),
        Link::Step { step, next } => {
            for (value, allowed) in session.pairs(constraint) {
                let mut before = session.empty();
                for after in step.image(value).in_range() {
                    if let Some(child) = session.child(target, after) {
                        before = either(session, level + 1, before, further(*next, child, allowed)?)?;
                    }
                }
                list.push(value, before);
            }
            return Ok(list);
        }
        Link::Branch { branches, .. } => {
            for (value, allowed) in session.pairs(constraint) {
                let mut before = session.empty();
                for arm in branches.arms(value) {
                    if let Some(child) = arm.after(value).ok().and_then(|after| session.child(target, after)) {
                        before = either(session, level + 1, before, further(arm.tail.next, child, allowed)?)?;
                    }
                }
                list.push(value, before);
            }
            return Ok(list);
        }
    };
    for (value, allowed) in session.pairs(constraint) {
        let next = affine.map_or(Some(value), |step| step.affine_image(value).ok().flatten());
        if let Some(child) = next.and_then(|next| session.child(target, next)) {
            list.push(value, further(next_link, child, allowed)?);
        }
    }
    Ok(list)
}

/// The union of two sets, of which the first is often empty.
#[inline]
fn either<'m, 'id>(
    session: &Session<'m, 'id>,
    level: u32,
    a: Held<'m, 'id>,
    b: Held<'m, 'id>,
) -> Result<Held<'m, 'id>, StopReason> {
    if a.is_empty() { Ok(b) } else { Ok(session.union(level, a.edge(), b.edge())?) }
}
