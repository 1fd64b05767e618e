//! What is looked for, and where: obligations, and the searches that they end in.
//!
//! Values come from the labels alone ([`super::labels`]), which are made anew when the part has grown by a good part. An
//! obligation that has been met so ends; one that has not may be given more effort in a later round.

use super::labels::Labels;
use super::oracle::Oracle;
use super::part::Part;
use crate::budget::Budget;
use crate::explicit::local::program::{Node, PathKind, Program, State};
use crate::explicit::packed_model::PackedModel;
use crate::explicit::states::States;
use crate::explicit::store::StateId;
use crate::formula::{FormulaId, PathSemantics};
use crate::rng::Rng;
use crate::stop_reason::StopReason;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The first effort, in expansions, and by how much it grows from round to round: one for each value hoped for.
const FIRST: u64 = if cfg!(test) { 2 } else { 64 };
const GROWTH: u64 = 2;
/// The greatest effort: the part is to be labelled now and then.
const GREATEST: u64 = 1 << 15;
/// The part is labelled anew once it has grown by one part in so many.
const STALE: usize = 4;
/// Of an effort, each obligation that a search begets has one part in so many.
const SHARE: u64 = 4;
/// States that are passed between two looks at the budget.
const CHECK_EVERY: u64 = 1 << 10;
/// Subformulas that are looked at to know the value of a formula in a state.
const LOOK: u32 = 1 << 8;
/// Of the states of a path or the operands of a formula, at most so many beget obligations.
const MOST: usize = 12;

/// In which order states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Nearest,
    Oldest,
    Chance,
}

/// A formula under pursuit in the initial state.
pub(super) struct Pursuit<'a, 'o, S: PackedModel> {
    program: &'a Program,
    paths: PathSemantics,
    part: Part<S>,
    labels: Labels,
    /// How many edges there were when it was labelled.
    labelled: usize,
    /// For each search the states in which, and after which, it has no path.
    refuted: Vec<Vec<StateId>>,
    /// It is to be labelled however little it has grown.
    is_stale: bool,
    rng: Rng,
    oracle: Oracle<'o>,
    budget: &'a Budget,
    /// Expansions so far, and states that searches have passed.
    expansions: u64,
    passed: u64,
}

impl<'a, 'o, S: PackedModel> Pursuit<'a, 'o, S> {
    pub(super) fn new(
        program: &'a Program,
        paths: PathSemantics,
        part: Part<S>,
        seed: u64,
        oracle: Oracle<'o>,
        budget: &'a Budget,
    ) -> Self {
        let refuted = vec![Vec::new(); program.paths.len()];
        Pursuit {
            program,
            paths,
            part,
            labels: Labels::default(),
            labelled: 0,
            refuted,
            is_stale: true,
            rng: Rng::new(seed),
            oracle,
            budget,
            expansions: 0,
            passed: 0,
        }
    }

    /// The states, and how many firings there were.
    pub(super) fn end(self) -> (States<S>, u64) {
        self.part.end()
    }

    /// Let the part grow until it tells the value of the formula in the initial state.
    pub(super) fn decide(&mut self) -> Result<bool, StopReason> {
        let root = self.program.root;
        let mut oldest = 0;
        let mut round = 0u32;
        loop {
            self.relabel()?;
            if let Some(value) = self.labels.value(root, 0) {
                return Ok(value);
            }
            let before = self.expansions;
            let effort = FIRST.saturating_mul(GROWTH.saturating_pow(round / 2)).min(GREATEST);
            self.pursue(root, 0, round.is_multiple_of(2), effort)?;
            if self.expansions == before {
                // What is in nobody's way may be of use all the same; and what is there may tell more than it did.
                while self.expansions < before + effort && (oldest as usize) < self.part.states() {
                    self.expand(oldest)?;
                    oldest += 1;
                }
                self.is_stale = true;
            }
            round = round.saturating_add(1);
        }
    }

    /// Label the part, if it has grown by a good part.
    fn relabel(&mut self) -> Result<(), StopReason> {
        let grown = self.part.edges() - self.labelled;
        if grown * STALE > self.labelled || self.is_stale {
            self.labels = Labels::new(self.program, self.paths, &self.part, &self.refuted, self.budget)?;
            (self.labelled, self.is_stale) = (self.part.edges(), false);
        }
        Ok(())
    }

    /// The value of a formula in a state, as far as it is known: from the labels, or of a newer state from itself.
    fn known(&self, node: Node, state: StateId) -> Option<bool> {
        self.looked_up(node, state, &mut { LOOK })
    }

    /// The same, by so many looks at subformulas at most.
    fn looked_up(&self, node: Node, state: StateId, looks: &mut u32) -> Option<bool> {
        *looks = looks.checked_sub(1)?;
        if self.labels.contains(state) {
            return self.labels.value(node, state);
        }
        let mut of = |node: Node| self.looked_up(node, state, looks);
        let all = |operands: &[Node], all: bool, of: &mut dyn FnMut(Node) -> Option<bool>| {
            let mut value = Some(all);
            for &operand in operands {
                match of(operand) {
                    Some(known) if known != all => return Some(!all),
                    Some(_) => {}
                    None => value = None,
                }
            }
            value
        };
        match &self.program.states[node] {
            State::Condition(proposition) => Some(self.part.letter(state) >> proposition & 1 == 1),
            State::Not(a) => of(*a).map(|value| !value),
            State::And(operands) => all(operands, true, &mut of),
            State::Or(operands) => all(operands, false, &mut of),
            State::Iff(a, b) => Some(of(*a)? == of(*b)?),
            &State::Some(search) => match self.program.paths[search] {
                PathKind::Next(_) => None,
                PathKind::Always(within) => of(within).filter(|within| !within),
                PathKind::Until(within, target) | PathKind::WeakUntil(within, target) => match of(target) {
                    Some(false) => of(within).filter(|within| !within),
                    target => target,
                },
            },
        }
    }

    fn expand(&mut self, state: StateId) -> Result<(), StopReason> {
        if self.part.successors(state).is_none() {
            self.expansions += 1;
            self.part.expand(state, self.budget)?;
        }
        Ok(())
    }

    /// Note that a search passes a state: the budget is looked at now and then, whether it expands it or not.
    fn pass(&mut self) -> Result<(), StopReason> {
        self.passed += 1;
        if self.passed.is_multiple_of(CHECK_EVERY) { Ok(self.budget.check()?) } else { Ok(()) }
    }

    fn successors(&self, state: StateId) -> Vec<StateId> {
        self.part.successors(state).map(<[StateId]>::to_vec).unwrap_or_default()
    }

    /// Try to bring it about that a formula is known to have this value in a state. The recursion is as deep as the
    /// formula is nested.
    fn pursue(&mut self, node: Node, state: StateId, wanted: bool, effort: u64) -> Result<(), StopReason> {
        if effort == 0 || self.known(node, state).is_some() {
            return Ok(());
        }
        let program = self.program;
        match &program.states[node] {
            State::Condition(_) => Ok(()),
            State::Not(a) => self.pursue(*a, state, !wanted, effort),
            State::And(operands) => self.pursue_operands(operands, state, wanted, wanted, effort),
            State::Or(operands) => self.pursue_operands(operands, state, wanted, !wanted, effort),
            State::Iff(a, b) => {
                let value = self.known(*a, state).unwrap_or_else(|| self.rng.one_in(2));
                self.pursue(*a, state, value, effort / 2)?;
                self.pursue(*b, state, value == wanted, effort / 2)
            }
            &State::Some(search) => match (program.paths[search], wanted) {
                (PathKind::Next(target), _) => self.pursue_next(target, state, wanted, effort),
                (PathKind::Until(within, target), true) => self.seek((within, target), state, effort),
                (PathKind::Always(within), true) => self.stay(within, state, effort),
                (PathKind::WeakUntil(within, target), true) => match self.rng.one_in(2) {
                    true => self.seek((within, target), state, effort),
                    false => self.stay(within, state, effort),
                },
                (PathKind::Until(within, target), false) => self.close(search, (within, Some(target)), state, effort),
                (PathKind::WeakUntil(within, target), false) => {
                    self.close(search, (within, Some(target)), state, effort)
                }
                (PathKind::Always(within), false) => self.close(search, (within, None), state, effort),
            },
        }
    }

    /// What is not known of the operands: all of them have to have the value, or one.
    fn pursue_operands(
        &mut self,
        operands: &[Node],
        state: StateId,
        wanted: bool,
        all: bool,
        effort: u64,
    ) -> Result<(), StopReason> {
        let open: Vec<Node> = operands.iter().copied().filter(|&a| self.known(a, state).is_none()).collect();
        if !all {
            // The first ones are the cheaper ones.
            let chosen = self.rng.below(open.len()).min(self.rng.below(open.len()));
            return open.get(chosen).map_or(Ok(()), |&a| self.pursue(a, state, wanted, effort));
        }
        let share = effort / open.len().clamp(1, MOST) as u64;
        open.into_iter().take(MOST).try_for_each(|a| self.pursue(a, state, wanted, share))
    }

    fn pursue_next(&mut self, target: Node, state: StateId, wanted: bool, effort: u64) -> Result<(), StopReason> {
        self.expand(state)?;
        let mut open = self.successors(state);
        if open.is_empty() {
            // It may be its own successor.
            open.push(state);
        }
        if wanted && open.iter().any(|&next| self.known(target, next) == Some(true)) {
            return Ok(());
        }
        open.retain(|&next| self.known(target, next).is_none());
        self.rng.shuffle(&mut open);
        if wanted {
            open.sort_by_cached_key(|&next| self.part.distance(self.program, (target, true), next));
        }
        open.truncate(MOST);
        let share = effort / if wanted { SHARE } else { open.len().max(1) as u64 };
        let most = if wanted { SHARE as usize } else { MOST };
        open.into_iter().take(most).try_for_each(|next| self.pursue(target, next, wanted, share))
    }

    /// Some states of which something is hoped for, if it is not known.
    fn secure(&mut self, node: Node, states: &[StateId], wanted: bool, effort: u64) -> Result<(), StopReason> {
        let open: Vec<StateId> =
            states.iter().copied().filter(|&state| self.known(node, state).is_none()).take(MOST).collect();
        let share = effort / open.len().max(1) as u64;
        open.into_iter().try_for_each(|state| self.pursue(node, state, wanted, share))
    }

    /// Look for a path through states where the first may hold to one where the second does.
    fn seek(&mut self, (within, target): (Node, Node), from: StateId, effort: u64) -> Result<(), StopReason> {
        let order = [Order::Nearest, Order::Nearest, Order::Oldest, Order::Chance][self.rng.below(4)];
        let end = self.expansions.saturating_add(effort);
        let mut before: FxHashMap<StateId, StateId> = FxHashMap::from_iter([(from, from)]);
        let mut waiting = BinaryHeap::from([Reverse((0u64, 0u64, from))]);
        let (mut visited, mut next_look) = (0u64, 0u64);
        while let Some(Reverse((_, _, state))) = waiting.pop() {
            visited += 1;
            self.pass()?;
            let reached = self.known(target, state);
            if reached != Some(false) && (reached == Some(true) || visited > next_look) {
                // The next one is looked at farther away.
                next_look = 2 * visited;
                let left = end.saturating_sub(self.expansions);
                self.pursue(target, state, true, left / SHARE)?;
                let mut path = vec![state];
                let mut at = state;
                while at != before[&at] {
                    at = before[&at];
                    path.push(at);
                }
                let left = end.saturating_sub(self.expansions);
                self.secure(within, &path[1..], true, left / SHARE)?;
                if reached == Some(true) {
                    return Ok(());
                }
            }
            if self.expansions >= end {
                return Ok(());
            }
            if self.known(within, state) == Some(false) {
                continue;
            }
            self.expand(state)?;
            for next in self.successors(state) {
                if before.contains_key(&next) {
                    continue;
                }
                before.insert(next, state);
                let age = before.len() as u64;
                let place = match order {
                    // Of those that are as near the newest.
                    Order::Nearest => (self.part.distance(self.program, (target, true), next), u64::MAX - age),
                    Order::Oldest => (0, age),
                    Order::Chance => (self.rng.bits(), 0),
                };
                waiting.push(Reverse((place.0, place.1, next)));
            }
        }
        Ok(())
    }

    /// Look for a path through states where a formula may hold that goes round in a circle, or ends: depth first, or all
    /// around.
    fn stay(&mut self, within: Node, from: StateId, effort: u64) -> Result<(), StopReason> {
        if self.rng.one_in(2) {
            // Around, where there are circles of few steps.
            return self.close_around((within, None), from, effort, true);
        }
        let end = self.expansions.saturating_add(effort);
        // Where it takes most until the formula fails, or any.
        let careful = self.rng.one_in(2);
        let mut position: FxHashMap<StateId, usize> = FxHashMap::default();
        let mut path = vec![from];
        while let Some(&state) = path.last() {
            position.insert(state, path.len() - 1);
            self.pass()?;
            if self.expansions >= end {
                return Ok(());
            }
            self.expand(state)?;
            let mut successors = self.successors(state);
            successors.retain(|&next| self.known(within, next) != Some(false));
            let is_dead = self.part.successors(state).is_some_and(<[StateId]>::is_empty);
            let ends = is_dead && self.paths != PathSemantics::Infinite;
            let on_path = |next: &StateId| position.get(next).is_some_and(|&at| path.get(at) == Some(next));
            if ends || successors.iter().any(on_path) {
                let left = end.saturating_sub(self.expansions);
                return self.secure(within, &path, true, left);
            }
            successors.retain(|next| !position.contains_key(next));
            // Where it is known that the formula holds before where it is not.
            let known: Vec<StateId> =
                successors.iter().copied().filter(|&next| self.known(within, next) == Some(true)).collect();
            let mut candidates = if known.is_empty() { successors } else { known };
            self.rng.shuffle(&mut candidates);
            let place = |&next: &StateId| {
                if careful { self.part.distance(self.program, (within, false), next) } else { 0 }
            };
            match candidates.into_iter().max_by_key(place) {
                Some(next) => path.push(next),
                None => drop(path.pop()),
            }
        }
        Ok(())
    }

    /// Expand all that can be reached from a state through states where a formula may hold, in the hope that none of it
    /// satisfies the target; unless the oracle knows that.
    fn close(
        &mut self,
        search: usize,
        (within, target): (Node, Option<Node>),
        from: StateId,
        effort: u64,
    ) -> Result<(), StopReason> {
        let is_until = matches!(self.program.paths[search], PathKind::Until(..));
        if let Some(target) = target.filter(|_| is_until) {
            let demanded = self.conditions(target);
            if !demanded.is_empty() {
                let state = self.part.unpacked(from);
                if (self.oracle)(&state, &demanded) {
                    self.refuted[search].push(from);
                    self.is_stale = true;
                    return Ok(());
                }
            }
        }
        self.close_around((within, target), from, effort, false)
    }

    /// The conditions that a formula implies.
    fn conditions(&self, node: Node) -> Vec<(FormulaId, bool)> {
        match &self.program.states[node] {
            &State::Condition(proposition) => vec![(self.program.conditions[proposition], true)],
            &State::Not(a) => match self.program.states[a] {
                State::Condition(proposition) => vec![(self.program.conditions[proposition], false)],
                _ => Vec::new(),
            },
            State::And(operands) => operands.iter().flat_map(|&operand| self.conditions(operand)).collect(),
            _ => Vec::new(),
        }
    }

    fn close_around(
        &mut self,
        (within, target): (Node, Option<Node>),
        from: StateId,
        effort: u64,
        hoped: bool,
    ) -> Result<(), StopReason> {
        let end = self.expansions.saturating_add(effort);
        let mut seen = FxHashSet::from_iter([from]);
        let mut inside = vec![from];
        let mut waiting = VecDeque::from([from]);
        let mut unknown = Vec::new();
        while let Some(state) = waiting.pop_front() {
            self.pass()?;
            if self.expansions >= end {
                return Ok(());
            }
            if let Some(target) = target {
                match self.known(target, state) {
                    Some(true) => return Ok(()),
                    None => unknown.push(state),
                    Some(false) => {}
                }
            }
            if self.known(within, state) == Some(false) {
                continue;
            }
            self.expand(state)?;
            for next in self.successors(state) {
                if seen.insert(next) {
                    inside.push(next);
                    waiting.push_back(next);
                }
            }
        }
        // All of it is known; what is left is what is nested.
        let left = end.saturating_sub(self.expansions);
        match target {
            Some(target) => self.secure(target, &unknown, false, left),
            None => self.secure(within, &inside, hoped, left),
        }
    }
}
