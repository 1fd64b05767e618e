//! Exploration of a model whose relation is learned on the way (Blom, van de Pol, Weber, "LTSmin: Distributed and
//! Symbolic Reachability", CAV 2010; Meijer, Kant, Blom, van de Pol, "Read, Write and Copy Dependencies for Symbolic
//! Model Checking", HVC 2014).
//!
//! **Idea.** What a group does to a set of states depends on what it reads of them: its *projection*. So before a group
//! is fired on a set, the set is projected, the model is asked for what is new in the projection, and the answers are
//! added to the diagram of the group. That is done as deep in the recursion as can be: a group whose highest level is l
//! does not depend on the levels above, so a node on level l is enough to know what to ask for. The searches are those
//! of [`super::reachability`], with this step before each firing; nothing is searched again because something was
//! learned.
//!
//! **Why cached results stay right** although the relation grows. A result belongs to a link and a node, or to a group
//! and a node. Links do not change; and whatever a group does from the states of a node was known when it was first
//! fired on that node, since all of them had been projected: what is learned later is about other states. For the same
//! reason a saturated node stays saturated, being closed under all that its groups will ever do.
//!
//! **What is asked.** A node exists because some reachable states end in its paths: it is built from the initial
//! states, or as an image, of which nothing is kept unless the levels below agree. So only projections of reachable
//! states are asked for, each once, in whatever order: their number is a property of the model.
//!
//! A group may *need* a value of a variable, its guard being that a process is somewhere; then it is fired on that
//! value only, and the others are left out of projections.
//!
//! Projections are diagrams over the same levels, with 0 on those that are not read.

use super::in_range;
use super::join::join;
use super::search::{Search, initial_states, under_initial};
use super::sweep::Sweep;
use crate::mdd::{ChildList, EdgeRef, Held, Session, is_empty};
use crate::relation::{Branches, END, Growing, Learned, LinkId, Relation, entry};
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;

/// Projections that are asked for together, at most; between batches the time is looked at.
const BATCH: usize = 256;
/// Operator numbers for links in the beginning; when there are more links, twice as many are reserved anew.
const LINKS: u32 = 1 << 16;

/// Levels that are read, from one down, as a list: an index into `Learning::reads`.
type ReadsId = usize;

/// A level that is read, and those below.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Reads {
    level: u32,
    /// The only value that matters there, if it is one.
    needed: Option<u32>,
    below: Option<ReadsId>,
}

/// The learned facts of a search about a group.
struct Known<'m, 'id> {
    /// The levels that it reads, without its highest one.
    reads: Option<ReadsId>,
    /// Is its highest level read?
    reads_top: bool,
    /// The value of its highest level without which it does nothing, if there is one.
    needed: Option<u32>,
    /// Does it write?
    writes: bool,
    /// By value of its highest level (0 if that is not read): the projections of the levels below that have been asked
    /// for.
    asked: FxHashMap<u32, Held<'m, 'id>>,
}

/// One exploration.
pub(super) struct Learning<'r, 's, 'm, 'id> {
    relation: &'r Relation,
    learned: &'r Learned,
    session: &'s Session<'m, 'id>,
    growing: Growing,
    groups: Vec<Known<'m, 'id>>,
    reads: Vec<Reads>,
    /// By level, the one tuple of zeros from there down.
    zeros: Vec<Held<'m, 'id>>,
    /// Are images to be saturated?
    saturates: bool,
    /// A node of states that were found, and its level, once the search has failed there.
    unclosed: Option<(u32, Held<'m, 'id>)>,
    /// First operator number of links, and for how many of them there are numbers.
    links: (u32, u32),
    /// First operator numbers: of projections by list, of images by group; and that of images by all groups.
    projections: u32,
    images: u32,
    image: u32,
}

impl<'r, 's, 'm, 'id> Learning<'r, 's, 'm, 'id> {
    /// Nothing is known yet.
    pub(super) fn new(
        relation: &'r Relation,
        learned: &'r Learned,
        session: &'s Session<'m, 'id>,
        search: Search,
    ) -> Result<Self, StopReason> {
        let (mut reads, mut ids) = (Vec::new(), FxHashMap::default());
        let mut groups = Vec::new();
        for support in &learned.supports {
            let mut below = None;
            for touched in support.iter().skip(1).rev().filter(|touched| touched.read.is_some()) {
                let list = Reads { level: touched.level, needed: touched.needed, below };
                below = Some(*ids.entry(list).or_insert_with(|| {
                    reads.push(list);
                    reads.len() - 1
                }));
            }
            groups.push(Known {
                reads: below,
                reads_top: support.first().is_some_and(|top| top.read.is_some()),
                needed: support.first().and_then(|top| top.needed),
                writes: support.iter().any(|touched| touched.written.is_some()),
                asked: FxHashMap::default(),
            });
        }
        let mut zeros = vec![session.unit()];
        for level in (0..relation.levels()).rev() {
            let mut list = session.list();
            list.push(0, zeros[zeros.len() - 1].clone());
            zeros.push(session.node(level, list)?);
        }
        zeros.reverse();
        let links = (session.reserve_operators(LINKS)?, LINKS);
        let projections = session.reserve_operators(reads.len() as u32)?;
        let images = session.reserve_operators(groups.len() as u32 + 1)?;
        Ok(Learning {
            relation,
            learned,
            session,
            growing: Growing::new(learned),
            image: images + groups.len() as u32,
            groups,
            reads,
            zeros,
            saturates: search == Search::Saturation,
            unclosed: None,
            links,
            projections,
            images,
        })
    }

    /// The reachable states, and the relation between them.
    ///
    /// Where that fails, `known` are states that were found.
    pub(super) fn reachable(
        mut self,
        search: Search,
        progress: &mut dyn FnMut(u32),
        known: &mut Option<Held<'m, 'id>>,
    ) -> Result<(Held<'m, 'id>, Relation), StopReason> {
        for group in 0..self.groups.len() {
            if self.learned.supports[group].is_empty() {
                self.ask(group, &[])?;
            }
        }
        let initial = initial_states(self.relation, self.session)?;
        let reached = match search {
            Search::Saturation => {
                let saturated = self.saturated(0, initial.edge(), progress);
                // Below a level that was not closed, in the initial state if there is one.
                let one = self.relation.initial_states().nth(1).is_none();
                *known = self
                    .unclosed
                    .take()
                    .filter(|_| one)
                    .and_then(|(level, below)| under_initial(self.relation, self.session, level, below).ok());
                saturated?
            }
            Search::BreadthFirst => self.breadth_first(initial, progress, known)?,
            Search::Chaining => self.chaining(initial, progress, known)?,
        };
        Ok((reached, self.relation.with_learned(self.growing)))
    }

    fn breadth_first(
        &mut self,
        initial: Held<'m, 'id>,
        progress: &mut dyn FnMut(u32),
        known: &mut Option<Held<'m, 'id>>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let (mut reached, mut frontier) = (initial.clone(), initial);
        for round in 0.. {
            progress(round);
            *known = Some(reached.clone());
            let next = self.post(0, frontier.edge())?;
            frontier = self.session.difference(0, next.edge(), reached.edge())?;
            if frontier.is_empty() {
                break;
            }
            reached = self.session.union(0, reached.edge(), frontier.edge())?;
        }
        Ok(reached)
    }

    fn chaining(
        &mut self,
        initial: Held<'m, 'id>,
        progress: &mut dyn FnMut(u32),
        known: &mut Option<Held<'m, 'id>>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let mut reached = initial;
        for round in 0.. {
            progress(round);
            let before = reached.clone();
            *known = Some(reached.clone());
            for group in 0..self.groups.len() {
                let next = self.post_group(group, 0, reached.edge())?;
                reached = self.session.union(0, reached.edge(), next.edge())?;
            }
            if before.edge() == reached.edge() {
                break;
            }
        }
        Ok(reached)
    }

    /// The successors of the states that end in a node, by the groups from its level down.
    fn post(&mut self, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        if level == self.relation.levels() || is_empty(node) {
            return Ok(self.session.empty());
        }
        if let Some(result) = self.session.cached(self.image, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let learned = self.learned;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            let below = self.post(level + 1, child)?;
            join(self.session, level, &mut list, value, below)?;
            for &group in &learned.tops[level as usize] {
                self.fire_group(group as usize, level, &mut list, (value, child))?;
            }
        }
        let result = self.session.node(level, list)?;
        self.session.remember(self.image, [node; 3], &result);
        Ok(result)
    }

    /// The same by one group.
    fn post_group(&mut self, group: usize, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        let Some(&top) = self.learned.supports[group].first() else { return Ok(self.session.empty()) };
        let operator = self.images + group as u32;
        if let Some(result) = self.session.cached(operator, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            match level == top.level {
                true => self.fire_group(group, level, &mut list, (value, child))?,
                false => list.push(value, self.post_group(group, level + 1, child)?),
            }
        }
        let result = self.session.node(level, list)?;
        self.session.remember(operator, [node; 3], &result);
        Ok(result)
    }

    /// Add what a group, whose highest level this is, makes of a value and its child.
    fn fire_group(
        &mut self,
        group: usize,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        (value, child): (u32, EdgeRef<'_, 'id>),
    ) -> Result<(), StopReason> {
        if self.groups[group].needed.is_some_and(|needed| needed != value) {
            return Ok(());
        }
        self.learn(group, level, value, child)?;
        if self.groups[group].writes {
            for row in self.growing.arms(group, value) {
                for arm in row.iter() {
                    let fired = self.fire(arm.tail.next, level + 1, child)?;
                    join(self.session, level, list, in_range(self.relation, level, arm.after(value))?, fired)?;
                }
            }
        }
        Ok(())
    }

    /// A set of states closed under the groups from its level down.
    fn saturated(
        &mut self,
        level: u32,
        node: EdgeRef<'_, 'id>,
        progress: &mut dyn FnMut(u32),
    ) -> Result<Held<'m, 'id>, StopReason> {
        if level == self.relation.levels() {
            return Ok(self.session.hold(node));
        }
        if let Some(result) = self.session.cached(self.image, [node; 3]) {
            return Ok(result);
        }
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            list.push(value, self.saturated(level + 1, child, progress)?);
        }
        progress(level);
        let closed = self.close(level, &mut list);
        let result = self.session.node(level, list);
        if let Err(stop) = closed {
            self.unclosed = result.ok().map(|below| (level, below));
            return Err(stop);
        }
        let result = result?;
        self.session.remember(self.image, [node; 3], &result);
        Ok(result)
    }

    /// Fire the groups whose highest level this is on a node under construction until nothing is added. The children
    /// are saturated before and after.
    fn close(&mut self, level: u32, list: &mut ChildList<'m, 'id>) -> Result<(), StopReason> {
        let learned = self.learned;
        let groups = &learned.tops[level as usize];
        if groups.is_empty() {
            return Ok(());
        }
        let mut sweep = Sweep::new(list.len());
        while let Some(position) = sweep.next() {
            self.session.tick()?;
            let value = list.value(position);
            for &group in groups {
                if self.groups[group as usize].needed.is_some_and(|needed| needed != value) {
                    continue;
                }
                // Insertions may have moved the value, and its child may have grown by this very loop.
                let Ok(position) = list.position(value) else { continue };
                let child = list.child_held(position);
                self.learn(group as usize, level, value, child.edge())?;
                if !self.groups[group as usize].writes {
                    continue;
                }
                for row in self.growing.arms(group as usize, value) {
                    for arm in row.iter() {
                        let fired = self.fire(arm.tail.next, level + 1, child.edge())?;
                        if !fired.is_empty() {
                            let after = in_range(self.relation, level, arm.after(value))?;
                            sweep.add(self.session, level, list, after, fired)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The image of a node under the links from one down; saturated, if that is the search.
    fn fire(&mut self, link: LinkId, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        if link == END || is_empty(node) {
            return Ok(self.session.hold(node));
        }
        let operator = self.operator(link)?;
        if let Some(result) = self.session.cached(operator, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        let (at, branches) = self.growing.branches(link);
        if at == level {
            self.branch(level, node, &mut list, &branches)?;
        } else {
            for (value, child) in self.session.pairs(node) {
                list.push(value, self.fire(link, level + 1, child)?);
            }
        }
        if self.saturates && !list.is_empty() {
            self.close(level, &mut list)?;
        }
        let result = self.session.node(level, list)?;
        // There may be other numbers by now.
        let operator = self.operator(link)?;
        self.session.remember(operator, [node; 3], &result);
        Ok(result)
    }

    /// The children of the image under branches. A union of saturated sets is saturated: successors are those of single
    /// states.
    fn branch(
        &mut self,
        level: u32,
        node: EdgeRef<'_, 'id>,
        list: &mut ChildList<'m, 'id>,
        branches: &Branches,
    ) -> Result<(), StopReason> {
        for (value, child) in self.session.pairs(node) {
            for arm in branches.arms(value) {
                let fired = self.fire(arm.tail.next, level + 1, child)?;
                join(self.session, level, list, in_range(self.relation, level, arm.after(value))?, fired)?;
            }
        }
        Ok(())
    }

    /// The operator number of a link.
    fn operator(&mut self, link: LinkId) -> Result<u32, StopReason> {
        if link >= self.links.1 {
            let count = self.growing.link_count().max(self.links.1).saturating_mul(2);
            self.links = (self.session.reserve_operators(count)?, count);
        }
        Ok(self.links.0 + link)
    }

    /// Ask for what a group, whose highest level this is, does to the states that end in a value and its child.
    fn learn(&mut self, group: usize, level: u32, value: u32, child: EdgeRef<'_, 'id>) -> Result<(), StopReason> {
        let known = &self.groups[group];
        let (reads, key) = (known.reads, if known.reads_top { value } else { 0 });
        if reads.is_none() && known.asked.contains_key(&key) {
            return Ok(());
        }
        let below = level + 1;
        let projection = self.project(reads, below, child)?;
        if projection.is_empty() {
            return Ok(());
        }
        let (new, all) = match self.groups[group].asked.get(&key) {
            None => (projection.clone(), projection),
            Some(asked) => {
                let new = self.session.difference(below, projection.edge(), asked.edge())?;
                if new.is_empty() {
                    return Ok(());
                }
                let all = self.session.union(below, asked.edge(), new.edge())?;
                (new, all)
            }
        };
        // Values along the levels that are read.
        let mut read = Vec::new();
        let mut prefix = if self.groups[group].reads_top { vec![value] } else { Vec::new() };
        self.tuples(reads, below, new.edge(), &mut prefix, &mut read)?;
        self.ask(group, &read)?;
        self.groups[group].asked.insert(key, all);
        Ok(())
    }

    /// The projection of a set of states, from a level down, to these levels that are read.
    fn project(
        &mut self,
        reads: Option<ReadsId>,
        level: u32,
        node: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let Some(id) = reads else { return Ok(self.zeros[level as usize].clone()) };
        let operator = self.projections + id as u32;
        if let Some(result) = self.session.cached(operator, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let first = self.reads[id];
        let mut list = self.session.list();
        if first.level == level {
            for (value, child) in self.session.pairs(node) {
                if first.needed.is_some_and(|needed| needed != value) {
                    continue;
                }
                let below = self.project(first.below, level + 1, child)?;
                if !below.is_empty() {
                    list.push(value, below);
                }
            }
        } else {
            let mut all = self.session.empty();
            for (_, child) in self.session.pairs(node) {
                let part = self.project(reads, level + 1, child)?;
                all = self.session.union(level + 1, all.edge(), part.edge())?;
            }
            if !all.is_empty() {
                list.push(0, all);
            }
        }
        let result = self.session.node(level, list)?;
        self.session.remember(operator, [node; 3], &result);
        Ok(result)
    }

    /// The values on the levels that are read, of each tuple of a projection, after `prefix`: one tuple after the
    /// other.
    fn tuples(
        &self,
        reads: Option<ReadsId>,
        level: u32,
        node: EdgeRef<'_, 'id>,
        prefix: &mut Vec<u32>,
        all: &mut Vec<u32>,
    ) -> Result<(), StopReason> {
        let Some(id) = reads else {
            self.session.tick_reading()?;
            all.extend_from_slice(prefix);
            return Ok(());
        };
        let here = self.reads[id].level == level;
        let below = if here { self.reads[id].below } else { reads };
        for (value, child) in self.session.pairs(node) {
            if here {
                prefix.push(value);
            }
            self.tuples(below, level + 1, child, prefix, all)?;
            if here {
                prefix.pop();
            }
        }
        Ok(())
    }

    /// Ask for projections of a group, each given by the values on the levels that it reads, from the top.
    fn ask(&mut self, group: usize, values: &[u32]) -> Result<(), StopReason> {
        let learned = self.learned;
        let support = &learned.supports[group];
        let places: Vec<usize> = support.iter().filter_map(|touched| touched.read).collect();
        let width = places.len();
        // A group that reads nothing has one projection, of no values.
        let count = values.len().checked_div(width).unwrap_or(1);
        let mut batch = Vec::new();
        for first in (0..count).step_by(BATCH) {
            self.session.check_time()?;
            let size = BATCH.min(count - first);
            batch.clear();
            batch.resize(size * width, 0);
            for number in 0..size {
                for (&place, &value) in places.iter().zip(&values[(first + number) * width..]) {
                    batch[number * width + place] = value;
                }
            }
            let mut entries = Vec::new();
            learned.learner.ask(group, &batch, size, self.session.budget(), &mut |number, successor| {
                entries.push(entry(support, &batch[number * width..(number + 1) * width], successor));
            })?;
            self.growing.add(group, entries);
        }
        Ok(())
    }
}
