//! The events of a level as one relation.
//!
//! **Problem.** Where events are many and read much, saturation fires one after the other on the same node, and what each
//! adds is saturated before the next one's turn: most of what is made on the way is larger than what is left in the end.
//!
//! **Idea.** The events with the same top become one diagram, whose arms lead from a value to a target and on to the
//! *union* of what is left of the events that make this step. From some value on every affine step of a level is enabled,
//! so that there is a row for each value below it, and one for all others, whose targets are shifts: nobody has to know what
//! values there are. Where rows would be very many, those events go on together that do the same.
//!
//! A union can be much larger than its events. It may take so much work for each of their steps, beyond which the events of a
//! level are divided, down to single ones, which stay as they are.
//!
//! Source: Ciardo, Yu 2005, "Saturation-based symbolic reachability analysis using conjunctive and disjunctive
//! partitioning"; Miner 2006, "Saturation for a general class of models".

use super::{Arm, Branches, END, Event, Link, LinkId, Links, Partition, Relation, Step, Tail, Target, Values};
use crate::budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// More rows are not written.
const ROWS: u32 = 512;
/// The work of a union, in links that are looked at: for each step of its events, and at least and at most; and of all unions.
const WORK: Work = Work { for_each: 64, least: 1 << 14, most: 1 << 22, all: 1 << 24 };

/// Work limits of unions; see [`WORK`].
#[derive(Clone, Copy)]
struct Work {
    for_each: usize,
    least: usize,
    most: usize,
    all: usize,
}

/// Links of the union that together do what a set of links does.
type LinkUnion = SmallVec<[LinkId; 1]>;

/// The union under construction.
struct UnionBuilder<'a> {
    /// The relation whose events are united.
    relation: &'a Relation,
    budget: &'a Budget,
    /// The remaining work, also of all unions together.
    work: Work,
    /// The links of the union.
    links: Links,
    /// Links of the union, by the sorted links that it stands for.
    known: FxHashMap<Box<[LinkId]>, LinkUnion>,
    /// By link that is as it was, the same in the union.
    copied: FxHashMap<LinkId, LinkId>,
    /// The remaining work for the union of these events.
    left: usize,
}

impl Relation {
    /// The same relation with the events of each level as one, as far as that does not become too large; without labels.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(crate) fn level_union(&self, budget: &Budget) -> Result<Relation, Exhausted> {
        self.level_union_within(WORK, budget)
    }

    /// The same with so much work.
    fn level_union_within(&self, work: Work, budget: &Budget) -> Result<Relation, Exhausted> {
        let (links, known, copied) = (Links::default(), FxHashMap::default(), FxHashMap::default());
        let mut builder = UnionBuilder { relation: self, budget, work, links, known, copied, left: 0 };
        let mut partition = Partition::new(self.levels() as usize);
        for event in self.events().iter().filter(|event| event.first == END) {
            partition.add(event.clone(), &builder.links.links);
        }
        for numbers in (0..self.levels()).map(|level| self.tops(level)) {
            for idle in [false, true] {
                let events = numbers.iter().map(|&number| &self.events()[number as usize]);
                let events = events.filter(|event| event.idle == idle);
                let mut firsts: Vec<LinkId> = events.map(|event| event.first).collect();
                firsts.sort_unstable();
                let mut union = Vec::new();
                builder.unite(&firsts, &mut union)?;
                for first in union {
                    partition.add(Event { first, labels: SmallVec::new(), idle }, &builder.links.links);
                }
            }
        }
        Ok(Relation { links: Arc::new(builder.links), partition: Arc::new(partition), ..self.clone() })
    }
}

impl UnionBuilder<'_> {
    /// The union of these events, or of each half of them if that is too large.
    fn unite(&mut self, firsts: &[LinkId], found: &mut Vec<LinkId>) -> Result<(), Exhausted> {
        self.budget.check()?;
        let relation = self.relation;
        let next = |&link: &LinkId| match relation.link(link) {
            Link::Step { next, .. } => Some(*next).filter(|&next| next != END),
            Link::Branch { .. } => None,
        };
        let steps: usize = firsts.iter().map(|&first| std::iter::successors(Some(first), next).count()).sum();
        let Work { for_each, least, most, all } = self.work;
        let given = for_each.saturating_mul(steps).max(least).min(most).min(all);
        self.left = given;
        let union = self.of(firsts.to_vec());
        self.work.all -= given - self.left;
        match union {
            Some(all) => found.extend(all),
            None => {
                let (some, others) = firsts.split_at(firsts.len() / 2);
                self.unite(some, found)?;
                self.unite(others, found)?;
            }
        }
        Ok(())
    }

    /// The union of sorted links; `None` if it takes too much work.
    fn of(&mut self, links: Vec<LinkId>) -> Option<LinkUnion> {
        if links.len() < 2 {
            return Some(links.into_iter().map(|link| self.copy(link)).collect());
        }
        if let Some(known) = self.known.get(&links[..]) {
            return Some(known.clone());
        }
        let relation = self.relation;
        let level = |link: LinkId| if link == END { u32::MAX } else { relation.link(link).level() };
        let top = links.iter().map(|&link| level(link)).min().unwrap_or(u32::MAX);
        let (here, below): (Vec<LinkId>, Vec<LinkId>) = links.iter().partition(|&&link| level(link) == top);
        let union = match self.rows(&here) {
            Some(rows) if !below.is_empty() || !self.same_step(&here) => self.branches(top, rows, &here, &below)?,
            _ => self.by_step(&here, below)?,
        };
        self.known.insert(links.into(), union.clone());
        Some(union)
    }

    /// A link that is as it was.
    fn copy(&mut self, link: LinkId) -> LinkId {
        if link == END {
            return END;
        }
        if let Some(&copied) = self.copied.get(&link) {
            return copied;
        }
        let same = match self.relation.link(link) {
            Link::Step { step, next } => Link::Step { step: step.clone(), next: self.copy(*next) },
            Link::Branch { level, branches } => {
                Link::Branch { level: *level, branches: Arc::new(branches.going_on(|next| self.copy(next))) }
            }
        };
        let copied = self.links.intern(same);
        self.copied.insert(link, copied);
        copied
    }

    /// Do all these links begin with the same step?
    fn same_step(&self, links: &[LinkId]) -> bool {
        let step = |&link: &LinkId| match self.relation.link(link) {
            Link::Step { step, .. } => Some(step),
            Link::Branch { .. } => None,
        };
        links.iter().all(|link| step(link).is_some_and(|of| Some(of) == step(&links[0])))
    }

    /// Number of values with a row of their own in the union of these links, which begin on one level; all other values
    /// share a row. `None` if rows are too many, or the links are no steps.
    fn rows(&self, links: &[LinkId]) -> Option<u32> {
        let own = |&link: &LinkId| match self.relation.link(link) {
            Link::Step { step, .. } => Some(step.rows()),
            Link::Branch { .. } => None,
        };
        links.iter().map(own).try_fold(0, |most, rows| Some(most.max(rows?))).filter(|&rows| rows <= ROWS)
    }

    /// On a level with so many rows: for each value and what it becomes, the union of what follows.
    fn branches(&mut self, level: u32, rows: u32, here: &[LinkId], below: &[LinkId]) -> Option<LinkUnion> {
        let mut written: Vec<Vec<Arm>> = Vec::new();
        for value in 0..=rows {
            self.left = self.left.checked_sub(here.len() + below.len())?;
            let mut by_target: BTreeMap<Target, Vec<LinkId>> = BTreeMap::new();
            if !below.is_empty() {
                by_target.insert(Target::KEPT, below.to_vec());
            }
            for &link in here {
                let Link::Step { step, next } = self.relation.link(link) else { return None };
                let image = step.image(value);
                if matches!(image, Values::One(Err(_))) {
                    return None;
                }
                for after in image.in_range() {
                    by_target.entry(target(value, after, value == rows)?).or_default().push(*next);
                }
            }
            let mut row = Vec::new();
            for (target, mut next) in by_target {
                next.sort_unstable();
                next.dedup();
                let union = self.of(next)?;
                row.extend(union.iter().map(|&next| Arm { target, tail: Tail { next, times: 1 } }));
            }
            written.push(row);
        }
        // What is the same for all values, and keeps them, is no matter of this level.
        let kept = |row: &Vec<Arm>| row.iter().all(|arm| arm.target == Target::KEPT);
        if let Some((first, more)) = written.split_first().filter(|(first, _)| kept(first))
            && more.iter().all(|row| row == first)
        {
            return Some(first.iter().map(|arm| arm.tail.next).collect());
        }
        let others = written.pop()?;
        let each = (0..).zip(&written).map(|(value, row)| (value, &row[..]));
        let branches = Branches::with_others(each, &others);
        let branch = self.links.intern(Link::Branch { level, branches: Arc::new(branches) });
        Some(SmallVec::from_slice(&[branch]))
    }

    /// On a level without rows: the union of what follows on the same step.
    fn by_step(&mut self, here: &[LinkId], below: Vec<LinkId>) -> Option<LinkUnion> {
        self.left = self.left.checked_sub(here.len() + below.len())?;
        let mut union = self.of(below)?;
        let mut number_of: FxHashMap<Step, usize> = FxHashMap::default();
        let mut steps: Vec<(Step, Vec<LinkId>)> = Vec::new();
        for &link in here {
            let Link::Step { step, next } = self.relation.link(link) else {
                union.push(self.copy(link));
                continue;
            };
            match number_of.get(step) {
                Some(&number) => steps[number].1.push(*next),
                None => {
                    number_of.insert(step.clone(), steps.len());
                    steps.push((step.clone(), vec![*next]));
                }
            }
        }
        for (step, mut after) in steps {
            after.sort_unstable();
            after.dedup();
            for next in self.of(after)? {
                union.push(self.links.intern(Link::Step { step: step.clone(), next }));
            }
        }
        union.sort_unstable();
        union.dedup();
        Some(union)
    }
}

/// The target of a value, as a shift where other values change likewise. `None` if it is too large for a shift.
fn target(value: u32, after: u32, shift: bool) -> Option<Target> {
    match i64::from(after) - i64::from(value) {
        0 => Some(Target::KEPT),
        change if shift => Some(Target::Shift(i32::try_from(change).ok()?)),
        _ => Some(Target::Value(after)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::formula::PathSemantics;
    use crate::kinds::Kind;
    use crate::mdd::{Mdd, MddManager};
    use crate::model::VariableId;
    use crate::net::{NetBuilder, PetriNet};
    use crate::random::Rng;
    use crate::reference::explore;
    use crate::symbolic::{Checker, Search, discover};

    const PLACES: usize = 5;

    /// A net with few places and many transitions, some of which only read or are inhibited.
    fn with_many_transitions(rng: &mut Rng) -> PetriNet {
        let mut b = NetBuilder::new("many");
        let places: Vec<_> =
            (0..PLACES).map(|place| b.place(format!("p{place}"), rng.below(3) as u64).unwrap()).collect();
        for number in 0..4 + rng.below(60) {
            let transition = b.transition(format!("t{number}")).unwrap();
            let (from, to) = (rng.below(PLACES), rng.below(PLACES));
            let moved = 1 + rng.below(2) as u64;
            b.input(places[from], transition, moved).unwrap();
            b.output(transition, places[to], 1 + rng.below(moved as usize) as u64).unwrap();
            if rng.one_in(2) {
                let read = rng.below(PLACES);
                b.input(places[read], transition, 1).unwrap();
                b.output(transition, places[read], 1).unwrap();
            }
            if rng.one_in(4) {
                b.inhibitor(places[rng.below(PLACES)], transition, 1 + rng.below(3) as u64).unwrap();
            }
        }
        b.build().unwrap()
    }

    /// The events that lead from a state to another, by a relation as it is.
    fn successors(relation: &Relation, from: &[u32]) -> Vec<Vec<u32>> {
        fn go_on(relation: &Relation, link: LinkId, from: &[u32], to: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
            if link == END {
                return found.push(to.clone());
            }
            let level = relation.link(link).level() as usize;
            let ways: Vec<(u32, LinkId)> = match relation.link(link) {
                Link::Step { step, next } => step.image(from[level]).in_range().map(|after| (after, *next)).collect(),
                Link::Branch { branches, .. } => {
                    let arms = branches.arms(from[level]).iter();
                    arms.map(|arm| (arm.after(from[level]).unwrap(), arm.tail.next)).collect()
                }
            };
            for (after, next) in ways {
                to[level] = after;
                go_on(relation, next, from, to, found);
                to[level] = from[level];
            }
        }
        let mut found = Vec::new();
        for event in relation.events() {
            go_on(relation, event.first, from, &mut from.to_vec(), &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn from_each_state_the_union_leads_where_its_events_do() {
        let (mut fewer, mut divided) = (0, 0);
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let net = with_many_transitions(&mut rng);
            let order: Vec<VariableId> = (0..PLACES as u32).map(VariableId).collect();
            let relation = net.relation(&order).unwrap();
            let whole = relation.level_union(&Budget::unlimited()).unwrap();
            let small =
                relation.level_union_within(Work { for_each: 1, least: 1, ..WORK }, &Budget::unlimited()).unwrap();
            fewer += usize::from(whole.events().len() < relation.events().len());
            divided += usize::from(small.events().len() > whole.events().len());
            for _ in 0..200 {
                let state: Vec<u32> = (0..PLACES).map(|_| rng.below(6) as u32).collect();
                let expected = successors(&relation, &state);
                assert_eq!(successors(&whole, &state), expected, "seed {seed}, {state:?}");
                assert_eq!(successors(&small, &state), expected, "seed {seed}, {state:?}");
            }
            let moves = |relation: &Relation| relation.events().iter().filter(|event| event.idle).count();
            assert_eq!(moves(&relation) == 0, moves(&whole) == 0, "seed {seed}");
        }
        assert!(fewer > 150 && divided > 100, "{fewer} {divided}");
    }

    #[test]
    fn units_are_united_as_tables() {
        // Two units of two places each, one level each: what moves the one reads the other.
        let mut b = NetBuilder::new("units");
        let places: Vec<_> = (0..4).map(|place| b.place(format!("p{place}"), (place + 1) % 2).unwrap()).collect();
        for (number, (from, to, read)) in
            [(0, 1, 2), (1, 0, 3), (2, 3, 1), (3, 2, 0), (0, 1, 3)].into_iter().enumerate()
        {
            let transition = b.transition(format!("t{number}")).unwrap();
            b.input(places[from], transition, 1).unwrap();
            b.output(transition, places[to], 1).unwrap();
            b.input(places[read], transition, 1).unwrap();
            b.output(transition, places[read], 1).unwrap();
        }
        let order: Vec<VariableId> = (0..4).map(VariableId).collect();
        let merged = b.build().unwrap().relation(&order).unwrap().merged(&[2, 2]).unwrap();
        let union = merged.level_union(&Budget::unlimited()).unwrap();
        assert_eq!((merged.events().len(), union.events().len()), (5, 1));
        for state in (0..4).flat_map(|a| (0..4).map(move |b| [a, b])) {
            assert_eq!(successors(&union, &state), successors(&merged, &state), "{state:?}");
        }
    }

    #[test]
    fn sets_and_fixpoints_are_those_of_the_events() {
        let mut large = 0;
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let net = with_many_transitions(&mut rng);
            let Some(graph) = explore(&net, 500) else { continue };
            let order: Vec<VariableId> = (0..PLACES as u32).map(VariableId).collect();
            let relation = net.relation(&order).unwrap();
            let budget = Budget::unlimited();
            let space = MddManager::new(relation.levels(), &budget).unwrap();
            let found = discover(&relation, &space, Search::Saturation, &budget, &mut |_| (), &mut None).unwrap().0;
            assert_eq!(found.count(&budget).unwrap(), graph.markings.len().into(), "seed {seed}");
            large += usize::from(graph.markings.len() > 3);
            // Backwards from each of some states, one step.
            let states: Vec<Vec<u32>> =
                graph.markings.iter().map(|marking| relation.tuple_of(marking.as_slice()).unwrap()).collect();
            let checker = Checker::new(&relation, found.clone(), PathSemantics::Maximal).unwrap();
            for target in states.iter().take(20) {
                let before: Mdd = checker.pre(&space.tuple(target, &budget).unwrap(), &found, &budget).unwrap();
                for state in &states {
                    let leads = successors(&relation, state).contains(target);
                    assert_eq!(before.contains(state), leads, "seed {seed}, {state:?} {target:?}");
                }
            }
        }
        assert!(large > 20, "{large}");
    }
}
