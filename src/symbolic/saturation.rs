//! Saturation (Ciardo, Marmorstein, Siminiceanu: "The saturation algorithm for symbolic state-space
//! exploration", STTT 8, 2006) with domains that grow on the fly.
//!
//! A node on level l is *saturated* when it is closed under all events whose highest level is l or below.
//! The initial state is built from the bottom; every node is saturated before it is used by the one above,
//! by firing the events of its level until nothing is added ([`Saturation::close`]). Firing recurses below
//! ([`Saturation::fire`]) and saturates every node that it creates, so that a fixpoint on a high level only
//! ever sees saturated nodes below. Values need no bounds beforehand: a value exists once an event leads
//! to it.
//!
//! Where the budget ends, what was found in the nodes under construction is passed up as firing returns, so that the
//! states that are known in the end are those of all levels, and tell of the order how far it has brought.
//!
//! Results of firing are cached by *link* (the steps from here down, shared between events; see
//! [`crate::relation`]) and node. Idle events, which only test, add no state and are left out.

use super::in_range;
use super::join::join;
use super::search::under_initial;
use super::sweep::Sweep;
use crate::mdd::{ChildList, EdgeRef, Held, Session};
use crate::relation::{END, Effect, Link, LinkId, Relation, Step};
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Operator numbers that saturation over this relation needs.
pub(crate) fn operators(relation: &Relation) -> u32 {
    relation.link_count()
}

/// One run of saturation on a relation.
pub(crate) struct Saturation<'r, 's, 'm, 'id> {
    relation: &'r Relation,
    session: &'s Session<'m, 'id>,
    /// First operator number of this run; firing link i is cached as operator `base + i`.
    base: u32,
    /// Where the search has been stopped: the states that are known below the node it was in.
    stopped: RefCell<Option<Held<'m, 'id>>>,
}

impl<'r, 's, 'm, 'id> Saturation<'r, 's, 'm, 'id> {
    pub(crate) fn new(relation: &'r Relation, session: &'s Session<'m, 'id>) -> Result<Self, StopReason> {
        let base = session.reserve_operators(operators(relation))?;
        Ok(Saturation::with_operators(relation, session, base))
    }

    /// With operator numbers from `base`, [`operators`] of them, reserved for this purpose and relation.
    pub(crate) fn with_operators(relation: &'r Relation, session: &'s Session<'m, 'id>, base: u32) -> Self {
        Saturation { relation, session, base, stopped: RefCell::new(None) }
    }

    /// The states reachable from a set of states; where that fails, `known` are those that were found.
    pub(crate) fn reachable_from(
        &self,
        states: EdgeRef<'_, 'id>,
        known: &mut Option<Held<'m, 'id>>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let reached = self.saturated(0, states, &mut FxHashMap::default());
        *known = self.stopped.take().filter(|_| reached.is_err());
        reached
    }

    /// A node of a set, saturated.
    fn saturated<'a>(
        &self,
        level: u32,
        node: EdgeRef<'a, 'id>,
        known: &mut FxHashMap<EdgeRef<'a, 'id>, Held<'m, 'id>>,
    ) -> Result<Held<'m, 'id>, StopReason>
    where
        'm: 'a,
    {
        if level == self.relation.levels() {
            return Ok(self.session.hold(node));
        }
        if let Some(known) = known.get(&node) {
            return Ok(known.clone());
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            match self.saturated(level + 1, child, known) {
                Ok(child) => list.push(value, child),
                Err(stop) => return Err(self.stopped_in(stop, level, list, Some(value))),
            }
        }
        if let Err(stop) = self.close(level, &mut list) {
            return Err(self.known_so_far(stop, level, list));
        }
        let result = self.session.node(level, list)?;
        known.insert(node, result.clone());
        Ok(result)
    }

    /// The states reachable from the initial state; where that fails, `known` are those that were found.
    pub(crate) fn reachable(
        &self,
        progress: &mut dyn FnMut(u32),
        known: &mut Option<Held<'m, 'id>>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let mut below = self.session.unit();
        for level in (0..self.relation.levels()).rev() {
            progress(level);
            let mut list = self.session.list();
            list.push(self.relation.initial()[level as usize], below);
            let closed = self.close(level, &mut list);
            let node = self.session.node(level, list);
            if let Err(stop) = closed {
                *known = node.ok().and_then(|node| under_initial(self.relation, self.session, level, node).ok());
                return Err(stop);
            }
            below = node?;
        }
        Ok(below)
    }

    /// Fire the events whose top is `level` on a node under construction until nothing is added. The
    /// children are saturated before and after.
    fn close(&self, level: u32, list: &mut ChildList<'m, 'id>) -> Result<(), StopReason> {
        let events = self.relation.tops(level);
        if events.is_empty() {
            return Ok(());
        }
        let mut sweep = Sweep::new(list.len());
        while let Some(position) = sweep.next() {
            // Firing an event that ends here is no recursive call, and an unbounded net has enough of it.
            self.session.tick()?;
            let value = list.value(position);
            for &event in events {
                let event = &self.relation.events()[event as usize];
                if event.idle {
                    continue;
                }
                let link = self.relation.link(event.first);
                let Link::Step { step: step @ Step { effect: Effect::Affine { .. }, .. }, next } = link else {
                    self.close_otherwise(level, list, &mut sweep, value, link)?;
                    continue;
                };
                let Some(target) = step.affine_image(value).transpose() else { continue };
                // Insertions may have moved the value, and its child may have grown by this very loop.
                let Ok(position) = list.position(value) else { continue };
                let child = list.child_held(position);
                let fired = self.fire(*next, level + 1, child.edge());
                let fired = fired.map_err(|stop| self.known_below(stop, level, list, target.ok()))?;
                if !fired.is_empty() {
                    sweep.add(self.session, level, list, in_range(self.relation, level, target)?, fired)?;
                }
            }
        }
        Ok(())
    }

    /// Where firing has been stopped below a node on `level`: what is known there belongs to these values of it.
    #[cold]
    #[inline(never)]
    fn known_below(
        &self,
        stop: StopReason,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        targets: impl IntoIterator<Item = u32>,
    ) -> StopReason {
        let Some(known) = self.stopped.take() else { return stop };
        for target in targets {
            match list.position(target) {
                // Without room for the union a part of it has to do.
                Ok(position) => {
                    if let Ok(union) = self.session.union(level + 1, list.child(position), known.edge()) {
                        list.replace(position, union);
                    }
                }
                Err(position) => list.insert(position, target, known.clone()),
            }
        }
        stop
    }

    /// Where firing has been stopped below a child, which became that of `target`, of a node on `level`.
    #[cold]
    #[inline(never)]
    fn stopped_in(
        &self,
        stop: StopReason,
        level: u32,
        mut list: ChildList<'m, 'id>,
        target: Option<u32>,
    ) -> StopReason {
        let stop = self.known_below(stop, level, &mut list, target);
        self.known_so_far(stop, level, list)
    }

    /// Where the search has been stopped in a node on `level`: its states are known, if not all of them.
    #[cold]
    #[inline(never)]
    fn known_so_far(&self, stop: StopReason, level: u32, list: ChildList<'m, 'id>) -> StopReason {
        let node = (!list.is_empty()).then(|| self.session.node(level, list).ok());
        self.stopped.replace(node.flatten());
        stop
    }

    /// Fire an event whose first step is not affine, on the child of one value.
    #[inline(never)]
    fn close_otherwise(
        &self,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        sweep: &mut Sweep,
        value: u32,
        link: &Link,
    ) -> Result<(), StopReason> {
        let Ok(position) = list.position(value) else { return Ok(()) };
        let (targets, next) = match link {
            Link::Step { step, next } => (step.table().map_or(&[][..], |table| table.after(value)), *next),
            Link::Branch { branches, .. } => {
                for arm in branches.arms(value) {
                    // The child may have grown by this very loop.
                    let Ok(position) = list.position(value) else { continue };
                    let child = list.child_held(position);
                    let fired = self.fire(arm.tail.next, level + 1, child.edge());
                    let fired = fired.map_err(|stop| self.known_below(stop, level, list, arm.after(value).ok()))?;
                    if !fired.is_empty() {
                        let after = in_range(self.relation, level, arm.after(value))?;
                        sweep.add(self.session, level, list, after, fired)?;
                    }
                }
                return Ok(());
            }
        };
        if targets.is_empty() {
            return Ok(());
        }
        let child = list.child_held(position);
        let fired = self.fire(next, level + 1, child.edge());
        let fired = fired.map_err(|stop| self.known_below(stop, level, list, targets.iter().copied()))?;
        if !fired.is_empty() {
            for &target in targets {
                sweep.add(self.session, level, list, target, fired.clone())?;
            }
        }
        Ok(())
    }

    /// The saturated image of a saturated node on `level` under the steps from `link` down.
    fn fire(&self, link: LinkId, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        if link == END {
            return Ok(self.session.hold(node));
        }
        let operator = self.base + link;
        if let Some(result) = self.session.cached(operator, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        let shared = self.relation.link(link);
        if shared.level() == level {
            let Link::Step { step: step @ Step { effect: Effect::Affine { .. }, .. }, next } = shared else {
                return match self.fire_otherwise(level, node, &mut list, shared) {
                    Ok(()) => self.fired(operator, level, node, list),
                    Err(stop) => Err(self.known_so_far(stop, level, list)),
                };
            };
            for (value, child) in self.session.pairs(node) {
                let Some(target) = step.affine_image(value).transpose() else { continue };
                let fired = match self.fire(*next, level + 1, child) {
                    Ok(fired) => fired,
                    Err(stop) => return Err(self.stopped_in(stop, level, list, target.ok())),
                };
                if !fired.is_empty() {
                    list.push(in_range(self.relation, level, target)?, fired);
                }
            }
        } else {
            for (value, child) in self.session.pairs(node) {
                match self.fire(link, level + 1, child) {
                    Ok(fired) => list.push(value, fired),
                    Err(stop) => return Err(self.stopped_in(stop, level, list, Some(value))),
                }
            }
        }
        self.fired(operator, level, node, list)
    }

    /// The node of these children, saturated: the result of an operator on a node.
    #[inline(always)]
    fn fired(
        &self,
        operator: u32,
        level: u32,
        node: EdgeRef<'_, 'id>,
        mut list: ChildList<'m, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let result = if list.is_empty() {
            self.session.empty()
        } else {
            if let Err(stop) = self.close(level, &mut list) {
                return Err(self.known_so_far(stop, level, list));
            }
            self.session.node(level, list)?
        };
        self.session.remember(operator, [node; 3], &result);
        Ok(result)
    }

    /// The children of the image under a table or branches and the steps below. A union of saturated sets is saturated:
    /// successors are those of single states.
    #[inline(never)]
    fn fire_otherwise(
        &self,
        level: u32,
        node: EdgeRef<'_, 'id>,
        list: &mut ChildList<'m, 'id>,
        link: &Link,
    ) -> Result<(), StopReason> {
        for (value, child) in self.session.pairs(node) {
            let (targets, next) = match link {
                Link::Step { step, next } => (step.table().map_or(&[][..], |table| table.after(value)), *next),
                Link::Branch { branches, .. } => {
                    for arm in branches.arms(value) {
                        let fired = self.fire(arm.tail.next, level + 1, child);
                        let fired = fired.map_err(|stop| self.known_below(stop, level, list, arm.after(value).ok()))?;
                        if !fired.is_empty() {
                            join(self.session, level, list, in_range(self.relation, level, arm.after(value))?, fired)?;
                        }
                    }
                    continue;
                }
            };
            if targets.is_empty() {
                continue;
            }
            let fired = self.fire(next, level + 1, child);
            let fired = fired.map_err(|stop| self.known_below(stop, level, list, targets.iter().copied()))?;
            for &target in targets {
                join(self.session, level, list, target, fired.clone())?;
            }
        }
        Ok(())
    }
}
