//! Constrained backward saturation: the states of a constraint from which a target can be reached inside
//! the constraint (Zhao and Ciardo, "Symbolic CTL model checking of asynchronous systems using constrained
//! saturation", ATVA 2009).
//!
//! The least fixpoint Z = target ∪ (pre(Z) ∩ constraint), computed as saturation computes reachable sets:
//! a node is closed under the events that start on its level or below before the node above uses it. The
//! constraint is a second operand of the recursion, as in [`super::preimage`]; where an event ends, the
//! remaining part is intersected with the constraint and saturated *against the constraint found there*,
//! since that may be another one than the node was saturated against before.

use super::preimage::{Preimage, before};
use super::sweep::Sweep;
use crate::mdd::{ChildList, EdgeRef, Held, Session, is_empty};
use crate::relation::{Branches, END, Link, LinkId, Relation};
use crate::stop_reason::StopReason;

/// Operator numbers that backward saturation over this relation needs, beside those of pre-images.
pub(crate) fn operators(relation: &Relation) -> u32 {
    relation.link_count() + 1
}

/// Backward saturation for one relation.
pub(crate) struct Backward<'r, 's, 'm, 'id> {
    relation: &'r Relation,
    session: &'s Session<'m, 'id>,
    /// `base` for saturating a node, `base + 1 + i` for link i.
    base: u32,
    /// The first operator number of pre-images.
    preimage: u32,
}

impl<'r, 's, 'm, 'id> Backward<'r, 's, 'm, 'id> {
    /// With operator numbers from `base`, [`operators`] of them, and those of pre-images, reserved for this purpose and
    /// relation.
    pub(crate) fn new(relation: &'r Relation, session: &'s Session<'m, 'id>, base: u32, preimage: u32) -> Self {
        Backward { relation, session, base, preimage }
    }

    /// The states of `constraint` from which `target` can be reached inside `constraint`, where `target` is
    /// a subset of `constraint`.
    pub(crate) fn reaching(
        &self,
        target: EdgeRef<'_, 'id>,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        if !self.relation.is_conjunctive() {
            return self.saturate(0, target, constraint);
        }
        // Step by step, from what is new, after the events alone.
        let before = Preimage::new(self.relation, self.session, self.preimage);
        let mut reaching = self.saturate(0, target, constraint)?;
        let mut new = reaching.clone();
        while !new.is_empty() && reaching.edge() != constraint {
            let found = before.all(new.edge(), constraint)?;
            new = self.session.difference(0, found.edge(), reaching.edge())?;
            reaching = self.session.union(0, reaching.edge(), new.edge())?;
        }
        Ok(reaching)
    }

    fn saturate(
        &self,
        level: u32,
        target: EdgeRef<'_, 'id>,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        if level == self.relation.levels() || is_empty(target) || target == constraint {
            return Ok(self.session.hold(target));
        }
        if let Some(result) = self.session.cached(self.base, [target, constraint, target]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(target) {
            if let Some(allowed) = self.session.child(constraint, value) {
                list.push(value, self.saturate(level + 1, child, allowed)?);
            }
        }
        self.close(level, &mut list, constraint)?;
        let result = self.session.node(level, list)?;
        self.session.remember(self.base, [target, constraint, target], &result);
        Ok(result)
    }

    /// Take the events that start on `level` backwards from a node under construction until nothing is added.
    fn close(&self, level: u32, list: &mut ChildList<'m, 'id>, constraint: EdgeRef<'_, 'id>) -> Result<(), StopReason> {
        let events = self.relation.tops(level);
        let mut sweep = Sweep::new(list.len());
        while let Some(position) = sweep.next() {
            self.session.tick()?;
            let value = list.value(position);
            for &number in events {
                let event = &self.relation.events()[number as usize];
                if event.idle {
                    continue;
                }
                let (step, next) = match self.relation.link(event.first) {
                    Link::Step { step, next } => (step, *next),
                    Link::Branch { branches, .. } => {
                        self.close_by_branches(level, list, &mut sweep, value, branches, constraint)?;
                        continue;
                    }
                };
                for before in step.preimage(value).in_range() {
                    self.step_back(level, list, &mut sweep, (before, value), next, constraint)?;
                }
            }
        }
        Ok(())
    }

    /// Take an event that begins with branches backwards from the child of one value.
    #[inline(never)]
    fn close_by_branches(
        &self,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        sweep: &mut Sweep,
        value: u32,
        branches: &Branches,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<(), StopReason> {
        let present = self.session.pairs(constraint).map(|(before, _)| before);
        for (before, next) in branches.before(value, present) {
            self.step_back(level, list, sweep, (before, value), next, constraint)?;
        }
        Ok(())
    }

    /// Take a step from one value to another, and what is below it from `next` on, backwards.
    #[inline(always)]
    fn step_back(
        &self,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        sweep: &mut Sweep,
        (before, value): (u32, u32),
        next: LinkId,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<(), StopReason> {
        let Some(allowed) = self.session.child(constraint, before) else { return Ok(()) };
        // Insertions may have moved the value, and its child may have grown by this very loop.
        let Ok(position) = list.position(value) else { return Ok(()) };
        let child = list.child_held(position);
        let fired = self.fire(next, level + 1, child.edge(), allowed)?;
        if !fired.is_empty() {
            sweep.add(self.session, level, list, before, fired)?;
        }
        Ok(())
    }

    /// The part of `constraint` that the steps from `link` down lead into `target`, saturated.
    fn fire(
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
            let inside = self.session.intersection(level, target, constraint)?;
            return self.saturate(level, inside.edge(), constraint);
        }
        let operator = self.base + 1 + link;
        if let Some(result) = self.session.cached(operator, [target, constraint, target]) {
            return Ok(result);
        }
        self.session.tick()?;
        let further =
            |link, target: EdgeRef<'_, 'id>, allowed: EdgeRef<'_, 'id>| self.fire(link, level + 1, target, allowed);
        let mut list = before(self.relation, self.session, (link, level), (target, constraint), further)?;
        let result = if list.is_empty() {
            self.session.empty()
        } else {
            self.close(level, &mut list, constraint)?;
            self.session.node(level, list)?
        };
        self.session.remember(operator, [target, constraint, target], &result);
        Ok(result)
    }
}
