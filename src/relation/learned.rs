//! Relations that are learned: what a group of transitions does is known only once the model has been asked, for one
//! combination of the values that the group reads (a *projection*) after the other.
//!
//! An exploration asks ([`Learner`]) for the projections of the states that it has found, and adds the answers to a
//! [`Growing`] relation. A group is a diagram over the levels that it reads or writes, its [`Support`]: an answer is a
//! path in it, on which a level that is read leads from its value on, and one that is only written from any value.
//!
//! **Growing.** Links are never changed once they have a number, so that results that were cached with it stay right.
//! To add a path to a diagram is therefore to copy the nodes on it, and to add paths one by one to copy them over and
//! over. So, below each value of its highest level, a group is kept as several diagrams that get smaller by a factor of
//! two or more; the smallest are united when they have grown alike (the logarithmic method of Bentley and Saxe 1980).
//! When all is known they become one, and links that are not used any more are left out ([`Growing::settled`]).

use super::{Arm, Branches, END, KEEP, Link, LinkId, Links, Partition, Tail, Target};
use crate::budget::Budget;
use crate::model::{LabelId, VariableId};
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::sync::Arc;

/// A model that tells what its groups do.
pub(crate) trait Learner: Debug + Send + Sync {
    /// Number of groups; they are what formulas call actions.
    fn groups(&self) -> usize;

    /// The variables that a group reads, in the order of a projection's values.
    fn reads(&self, group: usize) -> &[VariableId];

    /// Variables that a group reads, and values without which it has no successor.
    fn needs(&self, _group: usize) -> Vec<(VariableId, u32)> {
        Vec::new()
    }

    /// The variables that a group writes, in the order of a successor's values.
    fn writes(&self, group: usize) -> &[VariableId];

    /// Tell the successors of each of these projections (one after the other, `count` of them): the number of the
    /// projection, and the values written, with [`KEEP`] for what stays. A projection that was asked for before, by
    /// whomever, is answered from memory.
    ///
    /// # Errors
    /// [`StopReason::Model`] when the model fails, [`StopReason::Exhausted`] when the budget is used up.
    fn ask(
        &self,
        group: usize,
        projections: &[u32],
        count: usize,
        budget: &Budget,
        tell: &mut dyn FnMut(usize, &[u32]),
    ) -> Result<(), StopReason>;

    /// The variables that a state label reads, if there is this label.
    fn label_reads(&self, label: LabelId) -> Option<Vec<VariableId>>;

    /// Does a state label hold, given the values of what it reads?
    ///
    /// # Errors
    /// [`StopReason::Model`] when the model fails, [`StopReason::Exhausted`] when the budget is used up.
    fn holds(&self, label: LabelId, values: &[u32], budget: &Budget) -> Result<bool, StopReason>;
}

/// A level that a group touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    pub(crate) level: u32,
    /// The index of its value in a projection, if it is read.
    pub(crate) read: Option<usize>,
    /// The value without which there is no successor, if there is one.
    pub(crate) needed: Option<u32>,
    /// The index of its value in a successor, if it is written.
    pub(crate) written: Option<usize>,
}

/// The levels that a group touches, from the top.
pub(crate) type Support = Box<[Touched]>;

/// A model to be asked, with the supports of its groups under a variable order.
#[derive(Debug)]
pub(crate) struct Learned {
    pub(crate) learner: Arc<dyn Learner>,
    /// By group.
    pub(crate) supports: Box<[Support]>,
    /// By level, the groups that touch it and none above.
    pub(crate) tops: Box<[Vec<u32>]>,
}

impl Learned {
    pub(super) fn new(learner: Arc<dyn Learner>, levels: u32, level_of: impl Fn(usize) -> u32) -> Self {
        let mut tops = vec![Vec::new(); levels as usize];
        let support = |group: usize| {
            let mut touched: FxHashMap<u32, Touched> = FxHashMap::default();
            let mut at = |variable: &VariableId, note: &dyn Fn(&mut Touched)| {
                let level = level_of(variable.index());
                note(touched.entry(level).or_insert(Touched { level, read: None, needed: None, written: None }));
            };
            for (number, variable) in learner.reads(group).iter().enumerate() {
                at(variable, &|touched| touched.read = Some(number));
            }
            for (variable, value) in &learner.needs(group) {
                at(variable, &|touched| touched.needed = touched.read.and(Some(*value)));
            }
            for (number, variable) in learner.writes(group).iter().enumerate() {
                at(variable, &|touched| touched.written = Some(number));
            }
            let mut support: Vec<Touched> = touched.into_values().collect();
            support.sort_unstable_by_key(|touched| touched.level);
            if let Some(top) = support.first() {
                tops[top.level as usize].push(group as u32);
            }
            support.into_boxed_slice()
        };
        let supports = (0..learner.groups()).map(support).collect();
        Learned { learner, supports, tops: tops.into() }
    }
}

/// An answer along the support of its group: for each level the value read (0 where none is), and what it becomes.
pub(crate) type Entry = Box<[(u32, u32)]>;

/// The entry of a projection and a successor.
pub(crate) fn entry(support: &[Touched], projection: &[u32], successor: &[u32]) -> Entry {
    let step = |touched: &Touched| {
        let before = touched.read.map(|at| projection[at]);
        let after = touched.written.map_or(KEEP, |at| successor[at]);
        // A value that is known and stays becomes itself.
        (before.unwrap_or(0), before.filter(|_| after == KEEP).unwrap_or(after))
    };
    support.iter().map(step).collect()
}

/// A part of what a group does from one value of its highest level.
#[derive(Clone, Debug)]
struct Part {
    arms: Arc<[Arm]>,
    /// How many successors there are in it.
    size: usize,
}

/// A relation that grows; see the module documentation.
#[derive(Debug)]
pub(crate) struct Growing {
    links: Links,
    supports: Vec<Support>,
    /// By group and value of its highest level, or 0 if that is not read.
    groups: Vec<FxHashMap<u32, Vec<Part>>>,
    /// By group without support: how many successors each state has by it, all of them itself.
    everywhere: Vec<u32>,
    /// Pairs of links that have been united by the operation that is going on.
    unions: FxHashMap<(LinkId, LinkId), Tail>,
}

impl Growing {
    /// Nothing is known yet.
    pub(crate) fn new(learned: &Learned) -> Self {
        let supports = learned.supports.to_vec();
        let groups = vec![FxHashMap::default(); supports.len()];
        let (links, unions, everywhere) = (Links::default(), FxHashMap::default(), vec![0; supports.len()]);
        Growing { links, supports, groups, everywhere, unions }
    }

    /// Number of links so far.
    pub(crate) fn link_count(&self) -> u32 {
        self.links.links.len() as u32
    }

    /// The level and the branches of a link.
    pub(crate) fn branches(&self, link: LinkId) -> (u32, Arc<Branches>) {
        match &self.links.links[link as usize] {
            Link::Branch { level, branches } => (*level, Arc::clone(branches)),
            Link::Step { .. } => unreachable!("what is learned are branches"),
        }
    }

    /// The known effect of a group on a value of its highest level.
    pub(crate) fn arms(&self, group: usize, value: u32) -> Vec<Arc<[Arm]>> {
        let read = self.supports[group].first().is_some_and(|top| top.read.is_some());
        let parts = self.groups[group].get(if read { &value } else { &0 });
        parts.into_iter().flatten().map(|part| Arc::clone(&part.arms)).collect()
    }

    /// Add all successors of some projections for which nothing has been added before.
    pub(crate) fn add(&mut self, group: usize, mut entries: Vec<Entry>) {
        if self.supports[group].is_empty() {
            self.everywhere[group] += entries.len() as u32;
            return;
        }
        entries.sort_unstable();
        let support = self.supports[group].clone();
        for rest in entries.chunk_by(|a, b| a[0].0 == b[0].0) {
            let arms = self.row(&support, 0, rest).into();
            let mut parts = self.groups[group].remove(&rest[0][0].0).unwrap_or_default();
            parts.push(Part { arms, size: rest.len() });
            while let [.., large, small] = &parts[..]
                && large.size < 2 * small.size
            {
                let arms = self.unite_arms(&large.arms, &small.arms).into();
                let union = Part { arms, size: large.size + small.size };
                self.unions.clear();
                parts.truncate(parts.len() - 2);
                parts.push(union);
            }
            self.groups[group].insert(rest[0][0].0, parts);
        }
    }

    /// The arms of entries, sorted, that are the same above a place in their support and read the same value there.
    fn row(&mut self, support: &[Touched], at: usize, entries: &[Entry]) -> Vec<Arm> {
        let arm =
            |same: &[Entry]| Arm { target: Target::written(same[0][at].1), tail: self.tail(support, at + 1, same) };
        entries.chunk_by(|a, b| a[at].1 == b[at].1).map(arm).collect()
    }

    /// The rest of entries, sorted, that are the same above a place in their support.
    fn tail(&mut self, support: &[Touched], at: usize, entries: &[Entry]) -> Tail {
        let Some(touched) = support.get(at) else { return Tail { next: END, times: entries.len() as u32 } };
        if touched.read.is_none() {
            let arms = self.row(support, at, entries);
            return self.of_all(touched.level, arms);
        }
        let rows: Vec<(u32, Vec<Arm>)> = entries
            .chunk_by(|a, b| a[at].0 == b[at].0)
            .map(|same| (same[0][at].0, self.row(support, at, same)))
            .collect();
        self.of_each(touched.level, &rows)
    }

    /// The same arms for all values of a level.
    fn of_all(&mut self, level: u32, arms: Vec<Arm>) -> Tail {
        match arms[..] {
            [Arm { target: Target::KEPT, tail }] => tail,
            _ => self.link(level, Branches::of_all(arms)),
        }
    }

    fn of_each(&mut self, level: u32, rows: &[(u32, Vec<Arm>)]) -> Tail {
        self.link(level, Branches::of_each(rows.iter().map(|(value, row)| (*value, &row[..]))))
    }

    fn link(&mut self, level: u32, branches: Branches) -> Tail {
        Tail { next: self.links.intern(Link::Branch { level, branches: Arc::new(branches) }), times: 1 }
    }

    /// All of both, which have no successor of the same projection.
    fn unite(&mut self, a: Tail, b: Tail) -> Tail {
        let both = a.next != END && b.next != END;
        if let Some(&union) = self.unions.get(&(a.next, b.next)).filter(|_| both) {
            return union;
        }
        let union = self.unite_branches(a, b);
        if both {
            self.unions.insert((a.next, b.next), union);
        }
        union
    }

    fn unite_branches(&mut self, a: Tail, b: Tail) -> Tail {
        let of = |growing: &Self, tail: Tail| (tail.next != END).then(|| growing.branches(tail.next));
        let (x, y) = match (of(self, a), of(self, b)) {
            (None, None) => return Tail { next: END, times: a.times + b.times },
            (x, y) => (x, y),
        };
        let level = x.iter().chain(&y).map(|(level, _)| *level).min().unwrap_or(0);
        // A diagram that goes on further down keeps the values of this level, which is not read.
        let here = |branches: Option<(u32, Arc<Branches>)>, tail| match branches {
            Some((at, branches)) if at == level => branches,
            _ => Arc::new(Branches::of_all(vec![Arm { target: Target::KEPT, tail }])),
        };
        let (x, y) = (here(x, a), here(y, b));
        let (Some(xs), Some(ys)) = (x.rows(), y.rows()) else {
            let arms = self.unite_arms(x.arms(0), y.arms(0));
            return self.of_all(level, arms);
        };
        let (mut xs, mut ys) = (xs.peekable(), ys.peekable());
        let mut rows = Vec::new();
        loop {
            rows.push(match (xs.peek().copied(), ys.peek().copied()) {
                (Some((v, x)), Some((w, y))) if v == w => {
                    xs.next();
                    ys.next();
                    (v, self.unite_arms(x, y))
                }
                (Some((v, x)), next) if next.is_none_or(|(w, _)| v < w) => {
                    xs.next();
                    (v, x.to_vec())
                }
                (_, Some((w, y))) => {
                    ys.next();
                    (w, y.to_vec())
                }
                (_, None) => break,
            });
        }
        self.of_each(level, &rows)
    }

    fn unite_arms(&mut self, x: &[Arm], y: &[Arm]) -> Vec<Arm> {
        let (mut xs, mut ys) = (x.iter().copied().peekable(), y.iter().copied().peekable());
        let mut arms = Vec::with_capacity(x.len() + y.len());
        loop {
            arms.push(match (xs.peek().copied(), ys.peek().copied()) {
                (Some(x), Some(y)) if x.target == y.target => {
                    xs.next();
                    ys.next();
                    Arm { target: x.target, tail: self.unite(x.tail, y.tail) }
                }
                (Some(x), next) if next.is_none_or(|y| x.target < y.target) => {
                    xs.next();
                    x
                }
                (_, Some(y)) => {
                    ys.next();
                    y
                }
                (_, None) => return arms,
            });
        }
    }

    /// The links and events when all is known, without what was needed on the way only.
    pub(super) fn settled(mut self, levels: u32) -> (Links, Partition) {
        let (mut links, mut known) = (Links::default(), FxHashMap::default());
        let mut partition = Partition::new(levels as usize);
        for group in 0..self.supports.len() {
            let Some(root) = self.root(group) else { continue };
            let (first, idle) = self.copy(root.next, &mut links, &mut known);
            let times = if first == END { root.times } else { 1 };
            partition.label(first, idle, (0..times).map(|_| group as u32), &links.links);
        }
        (links, partition)
    }

    /// All that a group does, if it does anything.
    fn root(&mut self, group: usize) -> Option<Tail> {
        let Some(&top) = self.supports[group].first() else {
            let times = self.everywhere[group];
            return (times > 0).then_some(Tail { next: END, times });
        };
        let mut rows: Vec<(u32, Vec<Arm>)> = Vec::new();
        for (value, parts) in std::mem::take(&mut self.groups[group]) {
            let all = parts.iter().rev().fold(Vec::new(), |all, part| self.unite_arms(&all, &part.arms));
            self.unions.clear();
            rows.push((value, all));
        }
        rows.sort_unstable_by_key(|row| row.0);
        match top.read {
            None => rows.pop().map(|(_, arms)| self.of_all(top.level, arms)),
            Some(_) => (!rows.is_empty()).then(|| self.of_each(top.level, &rows)),
        }
    }

    /// The link in other links, and whether it changes nothing.
    fn copy(&self, link: LinkId, links: &mut Links, known: &mut FxHashMap<LinkId, (LinkId, bool)>) -> (LinkId, bool) {
        if link == END {
            return (END, true);
        }
        if let Some(&copied) = known.get(&link) {
            return copied;
        }
        let (level, branches) = self.branches(link);
        let mut idle = branches.is_test();
        let branches = branches.going_on(|next| {
            let (next, test) = self.copy(next, links, known);
            idle &= test;
            next
        });
        let copied = (links.intern(Link::Branch { level, branches: Arc::new(branches) }), idle);
        known.insert(link, copied);
        copied
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Level, Relation};
    use super::*;
    use crate::rng::Rng;

    const LEVELS: usize = 5;
    const VALUES: usize = 3;

    /// Groups with random rows; nobody asks it.
    #[derive(Debug)]
    struct Rows(Vec<(Vec<VariableId>, Vec<VariableId>)>);

    impl Learner for Rows {
        fn groups(&self) -> usize {
            self.0.len()
        }
        fn reads(&self, group: usize) -> &[VariableId] {
            &self.0[group].0
        }
        fn writes(&self, group: usize) -> &[VariableId] {
            &self.0[group].1
        }
        fn ask(
            &self,
            _: usize,
            _: &[u32],
            _: usize,
            _: &Budget,
            _: &mut dyn FnMut(usize, &[u32]),
        ) -> Result<(), StopReason> {
            Err(StopReason::Model("nobody asks".to_owned()))
        }
        fn label_reads(&self, _: LabelId) -> Option<Vec<VariableId>> {
            None
        }
        fn holds(&self, _: LabelId, _: &[u32], _: &Budget) -> Result<bool, StopReason> {
            Err(StopReason::Model("nobody asks".to_owned()))
        }
    }

    /// All ways of a link from a state, and where they lead.
    fn walk(relation: &Relation, link: LinkId, from: &[u32], to: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        let Link::Branch { level, branches } = relation.link(link) else { panic!("a step") };
        let level = *level as usize;
        for arm in branches.arms(from[level]) {
            to[level] = arm.after(from[level]).unwrap();
            match arm.tail.next {
                END => (0..arm.tail.times).for_each(|_| found.push(to.clone())),
                next => walk(relation, next, from, to, found),
            }
            to[level] = from[level];
        }
    }

    /// Each state has exactly the successors of the answers, with their multiplicity, for any order and size of the
    /// parts in which answers come.
    #[test]
    fn what_is_learned_is_what_was_said() {
        let mut ways = 0;
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let row = |rng: &mut Rng| (0..LEVELS as u32).map(VariableId).filter(|_| rng.one_in(2)).collect();
            let rows = (0..3).map(|_| (row(&mut rng), row(&mut rng))).collect::<Vec<(Vec<_>, Vec<_>)>>();
            let order: Vec<VariableId> = (0..LEVELS as u32).map(VariableId).collect();
            let level = |_| Level { name: String::new(), offset: 0, initial: 0 };
            let relation = Relation::new(LEVELS, &order, level).unwrap();
            let relation = relation.learned_from(Arc::new(Rows(rows.clone())), Vec::new());
            let mut growing = Growing::new(relation.learned().unwrap());
            let mut said: Vec<FxHashMap<Vec<u32>, Vec<Vec<u32>>>> = vec![FxHashMap::default(); rows.len()];
            for _ in 0..40 {
                let group = rng.below(rows.len());
                let (reads, writes) = &rows[group];
                let mut entries = Vec::new();
                for _ in 0..1 + rng.below(4) {
                    let short: Vec<u32> = reads.iter().map(|_| rng.below(VALUES) as u32).collect();
                    if said[group].contains_key(&short) {
                        continue;
                    }
                    let value = |rng: &mut Rng| if rng.one_in(2) { KEEP } else { rng.below(VALUES) as u32 };
                    let answers: Vec<Vec<u32>> =
                        (0..rng.below(4)).map(|_| writes.iter().map(|_| value(&mut rng)).collect()).collect();
                    let support = &relation.learned().unwrap().supports[group];
                    entries.extend(answers.iter().map(|answer| entry(support, &short, answer)));
                    said[group].insert(short, answers);
                }
                growing.add(group, entries);
            }
            let relation = relation.with_learned(growing);
            for _ in 0..50 {
                let state: Vec<u32> = (0..LEVELS).map(|_| rng.below(VALUES) as u32).collect();
                let mut expected = Vec::new();
                for ((reads, writes), said) in rows.iter().zip(&said) {
                    let short: Vec<u32> = reads.iter().map(|variable| state[variable.index()]).collect();
                    for answer in said.get(&short).into_iter().flatten() {
                        let mut next = state.clone();
                        for (variable, &value) in writes.iter().zip(answer).filter(|(_, value)| **value != KEEP) {
                            next[variable.index()] = value;
                        }
                        expected.push(next);
                    }
                }
                let mut found = Vec::new();
                for event in relation.events() {
                    for _label in &event.labels {
                        match event.first {
                            END => found.push(state.clone()),
                            first => walk(&relation, first, &state, &mut state.clone(), &mut found),
                        }
                    }
                }
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "seed {seed}, {state:?}");
                ways += found.len();
            }
        }
        assert!(ways > 1000, "{ways}");
    }
}
