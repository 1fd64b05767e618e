//! Images and pre-images by steps of all variables at once, cluster by cluster ([`crate::relation::ConjunctiveSteps`]).
//!
//! A cluster is conjoined with a set in one recursion over both: a value of the set says the current value, the next
//! value or both, the condition restricts what is not said, and what nobody needs any more is left out, which is where
//! children are united.

use super::join::join;
use crate::mdd::{EdgeRef, Held, Session, is_empty};
use crate::relation::{ALWAYS, Condition, Conjunctive, ConjunctiveSteps, Mode, NEVER, Node, Plan, Relation};
use crate::stop_reason::StopReason;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Images by the steps of all variables of one relation.
pub(super) struct ConjunctiveImage<'r, 's, 'm, 'id> {
    conjunctive: &'r Conjunctive,
    levels: u32,
    session: &'s Session<'m, 'id>,
    /// Operator numbers: one for each node of each cluster, in turn.
    base: u32,
}

impl<'r, 's, 'm, 'id> ConjunctiveImage<'r, 's, 'm, 'id> {
    /// With operator numbers from `base`, [`Relation::conjunctive_operators`] of them, reserved for images alone or for
    /// pre-images alone.
    pub(super) fn new(relation: &'r Relation, session: &'s Session<'m, 'id>, base: u32) -> Self {
        ConjunctiveImage { conjunctive: relation.conjunctive(), levels: relation.levels(), session, base }
    }

    /// The successors of a set of states.
    pub(super) fn post(&self, states: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        let mut all = self.session.empty();
        for (base, steps) in self.based() {
            let set = self.through(steps, &steps.forward, base, states)?;
            let free = levels_after(&steps.forward, Mode::Nothing);
            let set = self.any_values(0, set.edge(), &free, &mut FxHashMap::default())?;
            all = self.session.union(0, all.edge(), set.edge())?;
        }
        Ok(all)
    }

    /// The states of `constraint` with a successor in `target`.
    pub(super) fn pre(
        &self,
        target: EdgeRef<'_, 'id>,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        self.pre_by(&|_| true, target, constraint)
    }

    /// The same by the steps with some labels alone.
    pub(super) fn pre_by(
        &self,
        labels: &dyn Fn(u32) -> bool,
        target: EdgeRef<'_, 'id>,
        constraint: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let mut all = self.session.empty();
        for (base, steps) in self.based().filter(|(_, steps)| labels(steps.label)) {
            let set = self.through(steps, &steps.backward, base, target)?;
            let free = levels_after(&steps.backward, Mode::Nothing);
            let set = match free.contains(&true) {
                true => self.within(0, set.edge(), constraint, &free, &mut FxHashMap::default())?,
                false => self.session.intersection(0, set.edge(), constraint)?,
            };
            all = self.session.union(0, all.edge(), set.edge())?;
        }
        Ok(all)
    }

    /// The pairs of a state and a successor by the steps with this number, as a set of tuples, and how many next values
    /// of variables that may become anything go with each tuple.
    pub(super) fn pairs(
        &self,
        number: usize,
        states: EdgeRef<'_, 'id>,
    ) -> Result<(Held<'m, 'id>, BigUint), StopReason> {
        let steps = &self.conjunctive.steps[number];
        let base = self.session.reserve_operators(steps.numbers())?;
        let set = self.through(steps, &steps.pairs, base, states)?;
        let free = levels_after(&steps.pairs, Mode::Current);
        let sizes = free.iter().zip(&self.conjunctive.sizes).filter(|&(&free, _)| free).map(|(_, &size)| size);
        Ok((set, sizes.product()))
    }

    /// The steps, each with the first of its operator numbers.
    fn based(&self) -> impl Iterator<Item = (u32, &'r ConjunctiveSteps)> {
        self.conjunctive.steps.iter().scan(self.base, |next, steps| {
            let base = *next;
            *next += steps.numbers();
            Some((base, steps))
        })
    }

    /// A set after all clusters, in the order of the plans. Operator numbers are those of the clusters, in turn.
    fn through(
        &self,
        steps: &ConjunctiveSteps,
        plans: &[Plan],
        base: u32,
        set: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let mut set = self.session.hold(set);
        for plan in plans {
            let (before, rest) = steps.clusters.split_at(plan.cluster);
            let base = base + before.iter().map(Condition::numbers).sum::<u32>();
            let condition = &rest[0];
            set = Through { image: self, condition, plan, base }.apply(0, set.edge(), condition.root)?;
        }
        Ok(set)
    }

    /// The states in which a step with one of these labels is possible.
    pub(super) fn enabled(
        &self,
        labels: &dyn Fn(u32) -> bool,
        states: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let anything = all_tuples(&self.conjunctive.sizes, self.session)?;
        self.pre_by(labels, anything.edge(), states)
    }

    /// The set with all values of the domain on free levels, on which it says nothing.
    fn any_values<'a>(
        &self,
        level: u32,
        node: EdgeRef<'a, 'id>,
        free: &[bool],
        known: &mut FxHashMap<EdgeRef<'a, 'id>, Held<'m, 'id>>,
    ) -> Result<Held<'m, 'id>, StopReason>
    where
        'm: 'a,
    {
        if !free[level as usize..].contains(&true) || is_empty(node) {
            return Ok(self.session.hold(node));
        }
        if let Some(known) = known.get(&node) {
            return Ok(known.clone());
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            let child = self.any_values(level + 1, child, free, known)?;
            if free[level as usize] {
                for value in 0..self.conjunctive.sizes[level as usize] {
                    list.push(value, child.clone());
                }
            } else {
                list.push(value, child);
            }
        }
        let result = self.session.node(level, list)?;
        known.insert(node, result.clone());
        Ok(result)
    }

    /// The part of a constraint that a set allows, which says nothing on free levels.
    fn within<'a>(
        &self,
        level: u32,
        node: EdgeRef<'a, 'id>,
        constraint: EdgeRef<'a, 'id>,
        free: &[bool],
        known: &mut FxHashMap<(EdgeRef<'a, 'id>, EdgeRef<'a, 'id>), Held<'m, 'id>>,
    ) -> Result<Held<'m, 'id>, StopReason>
    where
        'm: 'a,
    {
        if is_empty(node) || is_empty(constraint) {
            return Ok(self.session.empty());
        }
        if level == self.levels {
            return Ok(self.session.hold(constraint));
        }
        if let Some(known) = known.get(&(node, constraint)) {
            return Ok(known.clone());
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, allowed) in self.session.pairs(constraint) {
            let here = if free[level as usize] { 0 } else { value };
            if let Some(child) = self.session.child(node, here) {
                list.push(value, self.within(level + 1, child, allowed, free, known)?);
            }
        }
        let result = self.session.node(level, list)?;
        known.insert((node, constraint), result.clone());
        Ok(result)
    }
}

/// A set conjoined with a cluster.
struct Through<'i, 'r, 's, 'm, 'id> {
    image: &'i ConjunctiveImage<'r, 's, 'm, 'id>,
    condition: &'i Condition,
    plan: &'i Plan,
    base: u32,
}

impl<'m, 'id> Through<'_, '_, '_, 'm, 'id> {
    /// The part of a set that a node of the condition allows.
    fn apply(&self, level: u32, set: EdgeRef<'_, 'id>, node: Node) -> Result<Held<'m, 'id>, StopReason> {
        let session = self.image.session;
        if node == NEVER || is_empty(set) {
            return Ok(session.empty());
        }
        if node == ALWAYS && !self.plan.changes[level as usize] {
            return Ok(session.hold(set));
        }
        let operator = self.base + node;
        if let Some(result) = session.cached(operator, [set; 3]) {
            return Ok(result);
        }
        session.tick()?;
        let size = self.image.conjunctive.sizes[level as usize];
        let (before, after) = self.plan.modes[level as usize];
        let mut children: SmallVec<[(u32, Held<'m, 'id>); 4]> = SmallVec::new();
        for (value, child) in session.pairs(set) {
            let (current, next) = match before {
                Mode::Nothing => (None, None),
                Mode::Current => (Some(value), None),
                Mode::Next => (None, Some(value)),
                Mode::Both => (Some(value / size), Some(value % size)),
                Mode::Kept => (Some(value), Some(value)),
            };
            for (currents, node) in self.runs(level, false, node, current, size) {
                for (nexts, node) in self.runs(level, true, node, next, size) {
                    let below = self.apply(level + 1, child, node)?;
                    if !below.is_empty() {
                        add(&mut children, (currents, nexts), (after, size), &below);
                    }
                }
            }
        }
        if !children.is_sorted_by_key(|&(value, _)| value) {
            children.sort_by_key(|&(value, _)| value);
        }
        let mut list = session.list();
        for (value, child) in children {
            join(session, level, &mut list, value, child)?;
        }
        let result = session.node(level, list)?;
        session.remember(operator, [set; 3], &result);
        Ok(result)
    }

    /// The children of a node for the current or the next value on a level: for the known value, or for runs of values.
    fn runs(
        &self,
        level: u32,
        next: bool,
        node: Node,
        known: Option<u32>,
        size: u32,
    ) -> impl Iterator<Item = ((u32, u32), Node)> {
        let test = self.condition.test(node).filter(|test| test.level == level && test.next == next);
        let runs = test.map_or(&[][..], |test| &test.runs);
        let one = match (test, known) {
            (None, Some(value)) => Some(((value, value + 1), node)),
            (None, None) => Some(((0, size), node)),
            (Some(test), Some(value)) => Some(((value, value + 1), test.child(value))),
            (Some(_), None) => None,
        };
        let several = if one.is_none() { runs } else { &[] };
        let end = move |at: usize| several.get(at + 1).map_or(size, |&(first, _)| first);
        let several = several.iter().enumerate().map(move |(at, &(first, node))| ((first, end(at)), node));
        one.into_iter().chain(several)
    }
}

/// By level: has it this mode in the end?
fn levels_after(plans: &[Plan], mode: Mode) -> Vec<bool> {
    plans.last().map_or(&[][..], |plan| &plan.modes).iter().map(|&(_, after)| after == mode).collect()
}

/// Add a child for each pair of values of these ranges, as far as they are still told apart.
fn add<'m, 'id>(
    children: &mut SmallVec<[(u32, Held<'m, 'id>); 4]>,
    (currents, nexts): ((u32, u32), (u32, u32)),
    (after, size): (Mode, u32),
    below: &Held<'m, 'id>,
) {
    let mut add = |value: u32| children.push((value, below.clone()));
    match after {
        Mode::Nothing => add(0),
        Mode::Current | Mode::Kept => (currents.0..currents.1).for_each(add),
        Mode::Next => (nexts.0..nexts.1).for_each(add),
        Mode::Both => {
            for current in currents.0..currents.1 {
                (nexts.0..nexts.1).for_each(|next| add(current * size + next));
            }
        }
    }
}

/// All tuples of values of levels with so many values each.
fn all_tuples<'m, 'id>(sizes: &[u32], session: &Session<'m, 'id>) -> Result<Held<'m, 'id>, StopReason> {
    let mut set = session.unit();
    for (level, &size) in sizes.iter().enumerate().rev() {
        let mut list = session.list();
        for value in 0..size {
            list.push(value, set.clone());
        }
        set = session.node(level as u32, list)?;
    }
    Ok(set)
}

/// The states that satisfy all of these conditions on current values.
pub(super) fn satisfying<'m, 'id>(
    relation: &Relation,
    conditions: &[Condition],
    session: &Session<'m, 'id>,
) -> Result<Held<'m, 'id>, StopReason> {
    let mut set = all_tuples(&relation.conjunctive().sizes, session)?;
    for condition in conditions {
        set = where_holds(condition, session, set.edge(), relation.levels())?;
    }
    Ok(set)
}

/// The states of a set that a step leads back to.
pub(super) fn standing<'m, 'id>(
    relation: &Relation,
    session: &Session<'m, 'id>,
    set: EdgeRef<'_, 'id>,
) -> Result<Held<'m, 'id>, StopReason> {
    let mut all = session.empty();
    for steps in &relation.conjunctive().steps {
        let mut some = session.hold(set);
        for cluster in &steps.clusters {
            some = where_holds(cluster, session, some.edge(), relation.levels())?;
        }
        all = session.union(0, all.edge(), some.edge())?;
    }
    Ok(all)
}

/// The part of a set where a condition holds, in which next values are the current ones.
pub(super) fn where_holds<'m, 'id>(
    condition: &Condition,
    session: &Session<'m, 'id>,
    set: EdgeRef<'_, 'id>,
    levels: u32,
) -> Result<Held<'m, 'id>, StopReason> {
    let mut part = Part { condition, session, levels, known: FxHashMap::default() };
    part.of(0, set, condition.root)
}

struct Part<'c, 's, 'a, 'm, 'id> {
    condition: &'c Condition,
    session: &'s Session<'m, 'id>,
    levels: u32,
    known: FxHashMap<(EdgeRef<'a, 'id>, Node), Held<'m, 'id>>,
}

impl<'a, 'm: 'a, 'id> Part<'_, '_, 'a, 'm, 'id> {
    fn of(&mut self, level: u32, set: EdgeRef<'a, 'id>, node: Node) -> Result<Held<'m, 'id>, StopReason> {
        if node == NEVER || is_empty(set) {
            return Ok(self.session.empty());
        }
        if node == ALWAYS || level == self.levels {
            return Ok(self.session.hold(set));
        }
        if let Some(known) = self.known.get(&(set, node)) {
            return Ok(known.clone());
        }
        self.session.tick()?;
        let test = |node: Node| self.condition.test(node).filter(|test| test.level == level);
        let mut children = Vec::new();
        for (value, child) in self.session.pairs(set) {
            let mut below = node;
            // The next value on the same level follows its current one.
            while let Some(test) = test(below) {
                below = test.child(value);
            }
            children.push((value, child, below));
        }
        let mut list = self.session.list();
        for (value, child, below) in children {
            list.push(value, self.of(level + 1, child, below)?);
        }
        let result = self.session.node(level, list)?;
        self.known.insert((set, node), result.clone());
        Ok(result)
    }
}
