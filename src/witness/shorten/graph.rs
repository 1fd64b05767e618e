//! Markings with duties, as a graph that grows where it is looked at.
//!
//! A *node* is a marking and what must hold from there on ([`super::goal`]). It is *free* if every run from there will
//! do. A shortest path from the root to a free node, or to a deadlock that meets its duties, is a shortest finite run.
//! Paths lead through nodes that have been *opened*, whose successors are known; so that a graph of which any part is
//! known says two things: by which run of those that it has the goal is reached soonest, and how many steps each other
//! run has at least, as it leaves what is known at some node.
//!
//! Markings are kept as bytes. A step changes few variables, so of the actions only those are tried anew that read one
//! of these, beside those that were possible before.

use super::goal::{Duties, Goal, Way};
use crate::budget::Budget;
use crate::model::{ActionId, State, Step};
use crate::net::Marking;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;

type Set<T> = IndexSet<T, FxBuildHasher>;

/// Actions tried between two looks at the clock.
const CHECK_EVERY: u64 = 1 << 12;
/// What a successor of a node costs, in actions that are tried.
const SUCCESSOR: u64 = 8;

/// How much may be done: actions tried, which is the same on every machine; and time and memory.
pub(super) struct Work<'a> {
    pub(super) left: u64,
    pub(super) bytes: u64,
    since: u64,
    budget: &'a Budget,
}

impl<'a> Work<'a> {
    pub(super) fn new(left: u64, bytes: u64, budget: &'a Budget) -> Self {
        Work { left, bytes, since: 0, budget }
    }

    /// Note what has been done; false when that was all.
    pub(super) fn spend(&mut self, amount: u64) -> bool {
        self.left = self.left.saturating_sub(amount);
        self.since += amount;
        if self.since >= CHECK_EVERY {
            self.since = 0;
            if self.budget.check().is_err() {
                self.left = 0;
            }
        }
        self.left > 0
    }

    /// Do something within so much of what is left.
    pub(super) fn within<T>(&mut self, amount: u64, something: impl FnOnce(&mut Self) -> T) -> T {
        let rest = self.left.saturating_sub(amount);
        self.left -= rest;
        let done = something(self);
        self.left += rest;
        done
    }
}

/// A step to a marking.
type Move = (Step, u32);

/// A marking and its duties, by number.
type Key = (u32, u32);

struct Node {
    /// How duties may be met here.
    ways: u32,
    /// Every run from here will do.
    free: bool,
    /// A deadlock here meets all duties.
    ends: bool,
    /// Its successors are nodes.
    opened: bool,
}

/// How far the graph shows the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sight {
    /// Shortest steps to the goal within the graph.
    pub(super) found: Option<Vec<Step>>,
    /// No finite run to the goal has fewer steps, whether it is in the graph or not.
    pub(super) least: usize,
}

pub(super) struct Graph<'a> {
    pub(super) goal: Goal<'a>,
    markings: Set<Box<[u8]>>,
    moves: Vec<Option<Box<[Move]>>>,
    /// Of each marking one that a step leads from, if there is one.
    before: Vec<u32>,
    duties: Set<Duties>,
    ways: Set<Vec<Way>>,
    keys: Set<Key>,
    nodes: Vec<Node>,
    /// By variable: the actions that read it.
    readers: Vec<Vec<ActionId>>,
    bytes: u64,
}

/// No marking.
const NONE: u32 = u32::MAX;

impl<'a> Graph<'a> {
    /// With the root alone: the goal in a marking.
    pub(super) fn new(goal: Goal<'a>, marking: &Marking) -> Self {
        let mut readers = vec![Vec::new(); goal.model.variables()];
        for action in goal.model.action_ids() {
            for variable in goal.model.row(action).reads {
                readers[variable.index()].push(action);
            }
        }
        let root = vec![goal.root];
        let mut graph = Graph {
            goal,
            markings: Set::default(),
            moves: Vec::new(),
            before: Vec::new(),
            duties: Set::default(),
            ways: Set::default(),
            keys: Set::default(),
            nodes: Vec::new(),
            readers,
            bytes: 0,
        };
        let marking = graph.marking(marking, NONE);
        let duties = graph.duties.insert_full(root).0 as u32;
        graph.node((marking, duties));
        graph
    }

    fn marking(&mut self, marking: &Marking, before: u32) -> u32 {
        let packed = pack(marking);
        let bytes = packed.len() as u64;
        let (number, new) = self.markings.insert_full(packed);
        if new {
            self.moves.push(None);
            self.before.push(before);
            self.bytes += bytes + 64;
        }
        number as u32
    }

    fn unpacked(&self, marking: u32) -> Marking {
        unpack(&self.markings[marking as usize])
    }

    fn node(&mut self, key: Key) -> u32 {
        let (number, new) = self.keys.insert_full(key);
        if new {
            let marking = self.unpacked(key.0);
            let duties = &self.duties[key.1 as usize];
            let ways = self.goal.ways(duties, &marking);
            let free = self.goal.paths != crate::formula::PathSemantics::Infinite && ways.iter().any(Way::is_free);
            let ends = !free && self.goal.ends(duties, &marking);
            let ways = self.ways.insert_full(ways).0 as u32;
            self.nodes.push(Node { ways, free, ends, opened: false });
            self.bytes += 48;
        }
        number as u32
    }

    /// The steps from a marking; `None` when there is no more to be done.
    fn know_moves(&mut self, number: u32, work: &mut Work<'_>) -> Option<()> {
        if self.moves[number as usize].is_some() {
            return Some(());
        }
        let marking = self.unpacked(number);
        let model = self.goal.model;
        let before = self.before[number as usize];
        let tried: Vec<ActionId> = match self.moves.get(before as usize).and_then(|moves| moves.as_ref()) {
            None => model.action_ids().collect(),
            Some(moves) => {
                let mut tried: Vec<ActionId> = moves.iter().map(|(step, _)| step.action).collect();
                let from = self.unpacked(before);
                let values = from.as_slice().iter().zip(marking.as_slice());
                for (at, _) in values.enumerate().filter(|(_, (a, b))| a != b) {
                    tried.extend(&self.readers[at]);
                }
                tried.sort_unstable();
                tried.dedup();
                tried
            }
        };
        // Programs are asked, nets are looked at.
        let dear = if model.terms().counts { 1 } else { 8 };
        if self.bytes > work.bytes || !work.spend(dear * tried.len() as u64) {
            return None;
        }
        let mut moves = Vec::new();
        for action in tried {
            for step in (0..u32::MAX).map(|choice| Step { action, choice }) {
                let Some(next) = model.fire(&marking, step) else { break };
                let next = self.marking(&next, number);
                moves.push((step, next));
            }
        }
        let done = work.spend((moves.len() * (4 + model.variables() / 16)) as u64);
        self.bytes += (moves.len() * size_of::<Move>()) as u64 + 16;
        self.moves[number as usize] = Some(moves.into());
        done.then_some(())
    }

    /// Find the successors of a node; false when there is no more to be done.
    fn open(&mut self, node: u32, work: &mut Work<'_>) -> bool {
        if !self.nodes[node as usize].opened {
            if self.know_moves(self.keys[node as usize].0, work).is_none() {
                return false;
            }
            self.nodes[node as usize].opened = true;
            return work.spend(SUCCESSOR * self.successors(node).len() as u64);
        }
        true
    }

    /// The steps of an opened node, with the nodes that they lead to.
    pub(super) fn successors(&mut self, node: u32) -> Vec<(Step, u32)> {
        let marking = self.keys[node as usize].0;
        let moves = self.moves[marking as usize].clone().unwrap_or_default();
        let ways = self.ways[self.nodes[node as usize].ways as usize].clone();
        let mut found = Vec::with_capacity(moves.len());
        for way in &ways {
            let duties = self.duties.insert_full(way.next.clone()).0 as u32;
            let permitted = moves.iter().filter(|(step, _)| self.goal.permits(way, *step));
            let permitted: Vec<Move> = permitted.copied().collect();
            found.extend(permitted.into_iter().map(|(step, next)| (step, self.node((next, duties)))));
        }
        found
    }

    /// Does a run that ends here meet its duties, as far as is known?
    fn is_goal(&self, node: u32) -> bool {
        let Node { free, ends, opened, .. } = self.nodes[node as usize];
        let stuck = || self.moves[self.keys[node as usize].0 as usize].as_ref().is_some_and(|moves| moves.is_empty());
        free || (ends && opened && stuck())
    }

    /// Look from the root, breadth-first, through what is open; `grow` opens what is not, as long as there is work, and
    /// as long as it may lead to a run with less than `most` steps.
    pub(super) fn look(&mut self, most: usize, mut grow: Option<&mut Work<'_>>) -> Sight {
        let mut from: Vec<Option<(u32, Step)>> = vec![None; self.nodes.len()];
        let mut level = vec![0u32];
        let mut seen = vec![false; self.nodes.len()];
        seen[0] = true;
        let mut least = usize::MAX;
        for steps in 0.. {
            if level.is_empty() || steps >= most {
                return Sight { found: None, least: least.min(most) };
            }
            let mut next = Vec::new();
            for &node in &level {
                if let Some(work) = &mut grow
                    && !self.nodes[node as usize].free
                    // The last step leads to a goal. A deadlock is known when it is open.
                    && (steps + 1 < most || self.nodes[node as usize].ends)
                    && !self.open(node, work)
                {
                    grow = None;
                }
                if self.is_goal(node) {
                    return Sight { least: least.min(steps), found: Some(self.way(&from, node)) };
                }
            }
            for &node in &level {
                let Node { opened, ends, .. } = self.nodes[node as usize];
                if !opened {
                    least = least.min(if ends { steps } else { steps + 1 });
                    continue;
                }
                for (step, successor) in self.successors(node) {
                    let at = successor as usize;
                    if at >= seen.len() {
                        seen.resize(self.nodes.len(), false);
                        from.resize(self.nodes.len(), None);
                    }
                    if !std::mem::replace(&mut seen[at], true) {
                        from[at] = Some((node, step));
                        next.push(successor);
                    }
                }
            }
            level = next;
        }
        Sight { found: None, least: 0 }
    }

    /// The steps that were taken to a node.
    fn way(&self, from: &[Option<(u32, Step)>], mut node: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(&Some((before, step))) = from.get(node as usize) {
            steps.push(step);
            node = before;
        }
        steps.reverse();
        steps
    }

    /// Open the nodes of a run that is known to do, step by step, so that it is a path of the graph.
    pub(super) fn add_run(&mut self, steps: &[Step], work: &mut Work<'_>) -> Vec<u32> {
        let mut passed = vec![0u32];
        let mut here = vec![0u32];
        for (at, &step) in steps.iter().enumerate() {
            let mut next = Vec::new();
            for &node in &here {
                if !self.open(node, work) {
                    return passed;
                }
                let successors = self.successors(node);
                next.extend(successors.iter().filter(|(taken, _)| *taken == step).map(|&(_, to)| to));
            }
            next.sort_unstable();
            next.dedup();
            passed.extend(&next);
            here = next;
            if at + 1 == steps.len() {
                for &node in &here {
                    self.open(node, work);
                }
            }
        }
        passed
    }

    /// Open nodes around these, nearest first, up to so much work; false when there is no more to be done at all.
    pub(super) fn grow_around(&mut self, nodes: &[u32], amount: u64, work: &mut Work<'_>) -> bool {
        let end = work.left.saturating_sub(amount);
        let mut seen = vec![false; self.nodes.len()];
        let mut queue: VecDeque<u32> = VecDeque::new();
        for &node in nodes {
            if !std::mem::replace(&mut seen[node as usize], true) {
                queue.push_back(node);
            }
        }
        while let Some(node) = queue.pop_front() {
            if work.left <= end && work.left > 0 {
                return true;
            }
            if !self.open(node, work) {
                return false;
            }
            for (_, successor) in self.successors(node) {
                if successor as usize >= seen.len() {
                    seen.resize(self.nodes.len(), false);
                }
                if !std::mem::replace(&mut seen[successor as usize], true) {
                    queue.push_back(successor);
                }
            }
        }
        true
    }

    /// A shortest way from a node back to itself with fewer steps than `most`, through what is open or can be opened.
    pub(super) fn cycle(&mut self, start: u32, most: usize, work: &mut Work<'_>) -> Option<Vec<Step>> {
        let mut from: rustc_hash::FxHashMap<u32, (u32, Step)> = rustc_hash::FxHashMap::default();
        let mut level = vec![start];
        for steps in 1.. {
            if level.is_empty() || steps >= most {
                return None;
            }
            let mut next = Vec::new();
            for &node in &level {
                if !self.open(node, work) {
                    return None;
                }
                for (step, successor) in self.successors(node) {
                    if !work.spend(SUCCESSOR) {
                        return None;
                    }
                    if successor == start {
                        let mut back = vec![step];
                        let mut at = node;
                        while at != start {
                            let &(before, step) = from.get(&at)?;
                            back.push(step);
                            at = before;
                        }
                        back.reverse();
                        return Some(back);
                    }
                    if successor != start && !from.contains_key(&successor) {
                        from.insert(successor, (node, step));
                        next.push(successor);
                    }
                }
            }
            level = next;
        }
        None
    }

    /// The nodes that are fewer than `most` steps from the root through what is open, nearest first.
    pub(super) fn near(&mut self, most: usize) -> Near {
        let mut near = Near { from: vec![None; self.nodes.len()], nodes: vec![(0, 0)] };
        let mut seen = vec![false; self.nodes.len()];
        seen[0] = true;
        let mut done = 0;
        while let Some(&(node, steps)) = near.nodes.get(done) {
            done += 1;
            if steps + 1 >= most || !self.nodes[node as usize].opened {
                continue;
            }
            for (step, successor) in self.successors(node) {
                let at = successor as usize;
                if at < seen.len() && !std::mem::replace(&mut seen[at], true) {
                    near.from[at] = Some((node, step));
                    near.nodes.push((successor, steps + 1));
                }
            }
        }
        near
    }

    /// The steps to one of these.
    pub(super) fn steps_to(&self, near: &Near, node: u32) -> Vec<Step> {
        self.way(&near.from, node)
    }

    /// Have all of these been opened that are more than a step nearer than `most`?
    pub(super) fn is_open(&self, near: &Near, most: usize) -> bool {
        near.nodes.iter().all(|&(node, steps)| steps + 1 >= most || self.nodes[node as usize].opened)
    }

    /// Is nothing handed on in a node that must be met some day?
    pub(super) fn is_quiet(&self, node: u32) -> bool {
        !self.goal.is_pending(&self.duties[self.keys[node as usize].1 as usize])
    }

    /// The marking of a node.
    pub(super) fn marking_of(&self, node: u32) -> Marking {
        self.unpacked(self.keys[node as usize].0)
    }
}

/// Nodes near the root, with the numbers of steps to them, and how they are reached.
pub(super) struct Near {
    from: Vec<Option<(u32, Step)>>,
    pub(super) nodes: Vec<(u32, usize)>,
}

/// A marking in as few bytes as its values have, seven bits in each.
fn pack(marking: &Marking) -> Box<[u8]> {
    let mut packed = Vec::with_capacity(marking.as_slice().len());
    for &value in marking.as_slice() {
        let mut rest = value;
        while rest >= 0x80 {
            packed.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        packed.push(rest as u8);
    }
    packed.into()
}

fn unpack(packed: &[u8]) -> Marking {
    let (mut values, mut value, mut shift) = (Vec::with_capacity(packed.len()), 0u64, 0);
    for &byte in packed {
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            values.push(value);
            (value, shift) = (0, 0);
        }
    }
    State::new(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markings_are_packed() {
        let marking = State::new(vec![0, 1, 127, 128, 300, u64::MAX]);
        assert_eq!(unpack(&pack(&marking)), marking);
        assert_eq!(marking.as_slice()[5], u64::MAX);
    }
}
