//! Runs for witnesses: a path from one state that an automaton accepts, as a lasso.
//!
//! The product ([`super::product`]) has computed, for each location, the states from which some path is
//! accepted, and those from which one is accepted that stays in the location's component. Inside the first
//! sets every step keeps an accepted path ahead, so a shortest path leads from the state to one of the second
//! sets. There a cycle is looked for: shortest paths to an edge with each acceptance mark in turn, and one
//! back to the start. When there is no way back, the start was not on a cycle; the search begins anew from
//! the farthest state found, in another component of the product, and so ends (Clarke, Grumberg, McMillan and
//! Zhao, "Efficient generation of counterexamples and witnesses in symbolic model checking", DAC 1995).
//!
//! A shortest path is found breadth-first: state by state first, with the sets only to test membership, up to
//! a number of states that costs less than a second; beyond it by images of whole rings, and back through the
//! rings by pre-images of one state.
//!
//! Constraints beside the automaton are met on the cycle likewise, each by a way to a state that can do what it demands, and
//! that step. Where no such state is reached any more, compassion demands nothing: in the sets of the product, states
//! that make it do so reach one.
//!
//! A step of a deadlock to itself fires nothing. A cycle of such steps is the end of the run.

use super::Checker;
use super::path;
use super::product::{Accepted, Product};
use super::way::{Constraints, Way};
use crate::automaton::{Edge, Location, Strength, Tgba};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::model::{Path, Then};
use crate::relation::{ConjunctiveSteps, END, Event, Link, LinkId, Relation, Values};
use crate::stop_reason::StopReason;
use crate::symbolic::in_range;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A step of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    /// The label of the event, which others may share.
    pub(crate) label: u32,
    /// The state it leads to.
    pub(crate) to: Box<[u32]>,
}

impl Checker<'_> {
    /// The state with these values of the variables (of a net: tokens by place), if it can be represented.
    pub fn state_of(&self, values: &[u64]) -> Option<Vec<u32>> {
        self.relation.tuple_of(values)
    }

    /// The values of the variables in a state, by variable.
    pub(crate) fn values_of(&self, state: &[u32]) -> Vec<u64> {
        self.relation.values_of(state)
    }

    /// Does a state satisfy a state formula whose sat-set has been computed? `None` if it has not.
    pub(crate) fn known_at(&self, formula: FormulaId, state: &[u32]) -> Option<bool> {
        self.known.get(&formula).map(|set| set.contains(state))
    }

    /// A path from `state` that satisfies φ, if `formula` is `E φ`, or violates it, if `A φ`. Unless `closed`,
    /// it may end where the rest does not matter.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up, or when there is no such path.
    pub(crate) fn run(
        &mut self,
        pool: &Pool,
        formula: FormulaId,
        state: &[u32],
        closed: bool,
        budget: &Budget,
    ) -> Result<Path<Taken>, StopReason> {
        let (path, negated) = match pool[formula] {
            Formula::Exists(path) => (path, false),
            Formula::Forall(path) => (path, true),
            _ => return Err(StopReason::Unsupported("only formulas with a path quantifier have runs")),
        };
        for part in pool.reach(&[path], |id| !pool.is_state(id)) {
            if pool.is_state(part) {
                self.sat(pool, part, budget)?;
            }
        }
        let parts = self.automaton(pool, path, negated, budget)?;
        let path::Taken { automaton, ways, constraints } = &parts;
        let sets = Product::new(self, automaton, ways, constraints, budget)?.accepted_and_staying()?;
        let stuttering = self.stuttering(budget)?;
        let search = RunSearch { checker: self, automaton, ways, constraints, stuttering, budget };
        let start = State { values: state.into(), location: automaton.initial() };
        search.lasso(start, &sets, closed)
    }

    /// A step with one of these labels that leads from one state to another.
    pub(super) fn taken(&self, from: &[u32], to: &[u32], allows: &dyn Fn(u32) -> bool) -> Result<Taken, StopReason> {
        let relation = &self.relation;
        for event in relation.events() {
            let Some(&label) = event.labels.iter().find(|&&label| allows(label)) else { continue };
            let after = fire(relation, event, from)?;
            if after.iter().any(|values| **values == *to) {
                return Ok(Taken { label, to: to.into() });
            }
        }
        let leads = |steps: &&ConjunctiveSteps| allows(steps.label) && steps.leads(from, to);
        if let Some(steps) = relation.conjunctive().steps.iter().find(leads) {
            return Ok(Taken { label: steps.label, to: to.into() });
        }
        Err(StopReason::Unsupported("no event leads from a state to its successor"))
    }
}

/// A state of the product.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    values: Box<[u32]>,
    location: Location,
}

/// A step of the product: an edge of the automaton, and the step of the model unless a deadlock repeats.
#[derive(Clone, Debug)]
struct Move {
    edge: usize,
    step: Option<Taken>,
}

impl Move {
    /// By an edge and a step with this label, or by a deadlock that repeats, to a state.
    fn new(edge: usize, label: Option<u32>, to: &State) -> Move {
        Move { edge, step: label.map(|label| Taken { label, to: to.values.clone() }) }
    }
}

/// States in the order in which they were found, and how: from which one, by which edge and label.
type Seen = IndexMap<State, Option<(usize, usize, Option<u32>)>, FxBuildHasher>;

/// The goal of a path.
#[derive(Clone, Copy, Debug)]
enum Goal<'a> {
    /// A state in these sets, by location; the start will do.
    In(&'a [Mdd]),
    /// An edge with this mark, which the last step takes.
    Mark(u32),
    /// A step from a state that one of these ways allows: the first step.
    By(&'a [Way]),
    /// Any one step.
    Step,
    /// This state; the start will do.
    Exactly(&'a State),
}

/// The result of a search for a path.
struct Outcome {
    found: bool,
    /// The path to the goal, or to a state that is farthest from the start.
    moves: Vec<Move>,
    last: State,
}

struct RunSearch<'c, 'a> {
    checker: &'c Checker<'a>,
    automaton: &'c Tgba,
    /// The ways to take each edge.
    ways: &'c [Vec<Way>],
    constraints: &'c Constraints,
    /// Deadlocks that repeat themselves.
    stuttering: Mdd,
    budget: &'c Budget,
}

impl RunSearch<'_, '_> {
    fn lasso(&self, start: State, sets: &Accepted, closed: bool) -> Result<Path<Taken>, StopReason> {
        let Accepted { accepted, staying, demanded } = sets;
        const NONE: StopReason = StopReason::Unsupported("no path shows the value of the formula");
        let to_stay = self.path(&start, accepted, false, Goal::In(staying))?;
        if !to_stay.found {
            return Err(NONE);
        }
        let (mut prefix, mut first) = (to_stay.moves, to_stay.last);
        let strength = self.automaton.components()[self.automaton.component_of(first.location)].strength;
        let anyhow = self.constraints.is_empty() && self.checker.paths != PathSemantics::Infinite;
        if strength == Strength::Terminal && !closed && anyhow {
            return Ok(self.finish(prefix, None));
        }
        let marks = if strength == Strength::Strong { self.automaton.acceptance_sets() } else { 0 };
        loop {
            let (mut cycle, mut at): (Vec<Move>, State) = (Vec::new(), first.clone());
            let mut extend = |goal: Goal<'_>, cycle: &mut Vec<Move>| {
                let outcome = self.path(&at, staying, true, goal)?;
                // There may be no need to go to what a constraint demands.
                if outcome.found || !matches!(goal, Goal::In(_)) {
                    cycle.extend(outcome.moves);
                    at = outcome.last;
                }
                Ok::<bool, StopReason>(outcome.found)
            };
            for mark in 0..marks {
                let seen = cycle.iter().any(|step: &Move| self.edge(step.edge).marks.contains(mark));
                if !seen && !extend(Goal::Mark(mark), &mut cycle)? {
                    return Err(NONE);
                }
            }
            for ((ways, cause), demanded) in self.constraints.all().zip(demanded) {
                let met = extend(Goal::In(demanded), &mut cycle)?;
                if met && !extend(Goal::By(ways), &mut cycle)? || !met && cause.is_none() {
                    return Err(NONE);
                }
            }
            if cycle.is_empty() && !extend(Goal::Step, &mut cycle)? {
                return Err(NONE);
            }
            if extend(Goal::Exactly(&first), &mut cycle)? {
                return Ok(self.finish(prefix, Some(cycle)));
            }
            prefix.extend(cycle);
            first = at;
        }
    }

    fn edge(&self, index: usize) -> &Edge {
        &self.automaton.edges()[index]
    }

    /// From steps of the product to steps of the model.
    fn finish(&self, prefix: Vec<Move>, cycle: Option<Vec<Move>>) -> Path<Taken> {
        let steps = |moves: Vec<Move>| moves.into_iter().filter_map(|taken| taken.step).collect();
        let stutters = prefix.iter().chain(cycle.iter().flatten()).any(|taken| taken.step.is_none());
        let then = match cycle {
            _ if stutters => Then::Deadlock,
            Some(cycle) => Then::Cycle(steps(cycle)),
            None => Then::Open,
        };
        Path { prefix: steps(prefix), then }
    }

    /// Edges from a location, with their indices; of internal ones if asked.
    fn edges(&self, location: Location, internal: bool) -> impl Iterator<Item = (usize, &Edge)> {
        let edges = self.automaton.edges().iter().enumerate();
        edges.filter(move |(_, edge)| edge.source == location && (!internal || self.automaton.is_internal(edge)))
    }

    /// A shortest path from `start` to the goal through `within`, by edges inside the component if `internal`.
    fn path(&self, start: &State, within: &[Mdd], internal: bool, goal: Goal<'_>) -> Result<Outcome, StopReason> {
        let reached = match goal {
            Goal::In(sets) => sets.get(start.location.index()).is_some_and(|set| set.contains(&start.values)),
            Goal::Exactly(state) => state == start,
            Goal::Mark(_) | Goal::By(_) | Goal::Step => false,
        };
        if reached {
            return Ok(Outcome { found: true, moves: Vec::new(), last: start.clone() });
        }
        match self.explicit(start, within, internal, goal)? {
            Some(outcome) => Ok(outcome),
            None => self.by_rings(start, within, internal, goal),
        }
    }

    /// State by state; `None` when that becomes too much.
    fn explicit(
        &self,
        start: &State,
        within: &[Mdd],
        internal: bool,
        goal: Goal<'_>,
    ) -> Result<Option<Outcome>, StopReason> {
        let relation = &self.checker.relation;
        if relation.is_conjunctive() {
            return Ok(None);
        }
        let mut seen = Seen::default();
        seen.insert(start.clone(), None);
        let mut work = 0;
        let mut next = 0;
        while let Some((state, _)) = seen.get_index(next) {
            let state = state.clone();
            if next.is_multiple_of(64) {
                self.budget.check()?;
            }
            let edges: Vec<(usize, &Edge, Vec<&Way>)> = self
                .edges(state.location, internal)
                .map(|(index, edge)| {
                    let ways = self.ways[index].iter().filter(|way| way.states.contains(&state.values));
                    (index, edge, ways.collect::<Vec<&Way>>())
                })
                .filter(|(_, _, ways)| !ways.is_empty())
                .collect();
            // Of several labels of an event one is enough where no guard tells them apart.
            let by: &[Way] = if let Goal::By(by) = goal { by } else { &[] };
            let by: Vec<&Way> = by.iter().filter(|way| way.states.contains(&state.values)).collect();
            let read = edges.iter().flat_map(|(_, _, ways)| ways).chain(&by);
            let alike = read.into_iter().all(|way| way.steps.is_none());
            let mut successors: Vec<(Option<u32>, Box<[u32]>)> = Vec::new();
            if !edges.is_empty() {
                for event in relation.events() {
                    let after = fire(relation, event, &state.values)?;
                    for &label in event.labels.iter().take(if alike { 1 } else { usize::MAX }) {
                        successors.extend(after.iter().map(|values| (Some(label), values.clone())));
                    }
                }
            }
            if successors.is_empty() && self.stuttering.contains(&state.values) {
                successors.push((None, state.values.clone()));
            }
            work += relation.events().len() + (1 + successors.len()) * state.values.len() * edges.len();
            for (label, values) in successors {
                for &(index, edge, ref ways) in &edges {
                    let target = edge.target.index();
                    if !ways.iter().any(|way| way.allows(label)) || !within[target].contains(&values) {
                        continue;
                    }
                    let successor = State { values: values.clone(), location: edge.target };
                    let reached = match goal {
                        Goal::In(sets) => sets[target].contains(&successor.values),
                        Goal::Mark(mark) => edge.marks.contains(mark),
                        Goal::By(_) => by.iter().any(|way| way.allows(label)),
                        Goal::Step => true,
                        Goal::Exactly(state) => *state == successor,
                    };
                    if reached {
                        let mut moves = path_to(&seen, next);
                        moves.push(Move::new(index, label, &successor));
                        return Ok(Some(Outcome { found: true, moves, last: successor }));
                    }
                    seen.entry(successor).or_insert(Some((next, index, label)));
                }
            }
            if work > self.checker.run_work {
                return Ok(None);
            }
            next += 1;
        }
        let last = seen.len() - 1;
        let farthest = seen.get_index(last).map_or_else(|| start.clone(), |(state, _)| state.clone());
        Ok(Some(Outcome { found: false, moves: path_to(&seen, last), last: farthest }))
    }

    /// Ring by ring.
    fn by_rings(&self, start: &State, within: &[Mdd], internal: bool, goal: Goal<'_>) -> Result<Outcome, StopReason> {
        let space = self.checker.states.space();
        let none = vec![space.empty(); self.automaton.location_count()];
        let mut ring = none.clone();
        ring[start.location.index()] = space.tuple(&start.values, self.budget)?;
        let mut seen = ring.clone();
        let mut rings = vec![ring];
        while let Some(ring) = rings.last() {
            self.budget.check()?;
            let mut grown = none.clone();
            for (index, edge) in self.automaton.edges().iter().enumerate() {
                if internal && !self.automaton.is_internal(edge) {
                    continue;
                }
                let target = edge.target.index();
                let mut reached = space.empty();
                for way in &self.ways[index] {
                    let source = ring[edge.source.index()].intersection(&way.states, self.budget)?;
                    if source.is_empty() {
                        continue;
                    }
                    let moved = self.checker.post_by(way.steps.as_deref(), &source, self.budget)?;
                    reached = reached.union(&moved, self.budget)?;
                    if way.idle {
                        reached = reached.union(&source.intersection(&self.stuttering, self.budget)?, self.budget)?;
                    }
                }
                let reached = reached.intersection(&within[target], self.budget)?;
                let hit = match goal {
                    Goal::In(sets) => reached.intersection(&sets[target], self.budget)?.pick(),
                    Goal::Mark(mark) if edge.marks.contains(mark) => reached.pick(),
                    Goal::Step => reached.pick(),
                    Goal::Exactly(state) if state.location == edge.target && reached.contains(&state.values) => {
                        Some(state.values.to_vec())
                    }
                    Goal::Mark(_) | Goal::By(_) | Goal::Exactly(_) => None,
                };
                if let Some(values) = hit {
                    let last = State { values: values.into(), location: edge.target };
                    let moves = self.back(&rings, &last, Some(index), internal)?;
                    return Ok(Outcome { found: true, moves, last });
                }
                grown[target] = grown[target].union(&reached, self.budget)?;
            }
            for (set, seen) in grown.iter_mut().zip(&mut seen) {
                *set = set.difference(seen, self.budget)?;
                *seen = seen.union(set, self.budget)?;
            }
            if grown.iter().all(Mdd::is_empty) {
                break;
            }
            rings.push(grown);
        }
        let last = rings.pop().unwrap_or_default();
        let farthest = last
            .iter()
            .zip(self.automaton.locations())
            .find_map(|(set, location)| set.pick().map(|values| State { values: values.into(), location }));
        let last = farthest.unwrap_or_else(|| start.clone());
        Ok(Outcome { found: false, moves: self.back(&rings, &last, None, internal)?, last })
    }

    /// The steps that lead through the rings to a successor of the last one, by the given edge if any.
    fn back(
        &self,
        rings: &[Vec<Mdd>],
        last: &State,
        edge: Option<usize>,
        internal: bool,
    ) -> Result<Vec<Move>, StopReason> {
        let (mut moves, mut at, mut edge) = (Vec::new(), last.clone(), edge);
        for ring in rings.iter().rev() {
            self.budget.check()?;
            let target = self.checker.states.space().tuple(&at.values, self.budget)?;
            let mut before = None;
            for (index, candidate) in self.automaton.edges().iter().enumerate() {
                if edge.is_some_and(|edge| edge != index)
                    || candidate.target != at.location
                    || (internal && !self.automaton.is_internal(candidate))
                {
                    continue;
                }
                for way in &self.ways[index] {
                    let sources = ring[candidate.source.index()].intersection(&way.states, self.budget)?;
                    if way.idle && sources.contains(&at.values) && self.stuttering.contains(&at.values) {
                        before = Some((Move { edge: index, step: None }, at.values.clone()));
                        break;
                    }
                    let steps = way.steps.as_deref();
                    if let Some(values) = self.checker.pre_by(steps, &target, &sources, self.budget)?.pick() {
                        let taken = self.checker.taken(&values, &at.values, &|label| way.allows(Some(label)))?;
                        before = Some((Move { edge: index, step: Some(taken) }, values.into()));
                        break;
                    }
                }
                if before.is_some() {
                    break;
                }
            }
            let Some((step, values)) = before else {
                return Err(StopReason::Unsupported("a state of a ring without predecessor in the one before"));
            };
            at = State { values, location: self.edge(step.edge).source };
            moves.push(step);
            edge = None;
        }
        moves.reverse();
        Ok(moves)
    }
}

/// The steps from the first state to the one with this number.
fn path_to(seen: &Seen, number: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut at = seen.get_index(number);
    while let Some((state, &Some((before, edge, label)))) = at {
        moves.push(Move::new(edge, label, state));
        at = seen.get_index(before);
    }
    moves.reverse();
    moves
}

/// The states after an event: none if it is not enabled, several if its steps have several ways.
fn fire(relation: &Relation, event: &Event, values: &[u32]) -> Result<Vec<Box<[u32]>>, StopReason> {
    let mut after = Vec::new();
    if accepts(relation, event.first, values) {
        fire_from(relation, event.first, values, &mut values.into(), &mut after)?;
        after.sort_unstable();
        after.dedup();
    }
    Ok(after)
}

/// Do the steps from a link down accept a state?
fn accepts(relation: &Relation, link: LinkId, values: &[u32]) -> bool {
    link == END
        || match relation.link(link) {
            Link::Step { step, next } => step.accepts(values[step.level as usize]) && accepts(relation, *next, values),
            Link::Branch { level, branches } => {
                branches.arms(values[*level as usize]).iter().any(|arm| accepts(relation, arm.tail.next, values))
            }
        }
}

/// Add what the steps from a link down make of a state that they accept, where those above have made `made` of it.
fn fire_from(
    relation: &Relation,
    link: LinkId,
    values: &[u32],
    made: &mut Box<[u32]>,
    after: &mut Vec<Box<[u32]>>,
) -> Result<(), StopReason> {
    if link == END {
        after.push(made.clone());
        return Ok(());
    }
    let link = relation.link(link);
    let level = link.level() as usize;
    let mut go_on = |target: u32, next: LinkId| {
        made[level] = target;
        fire_from(relation, next, values, made, after)?;
        made[level] = values[level];
        Ok(())
    };
    match link {
        Link::Step { step, next } => match step.image(values[level]) {
            Values::None => Ok(()),
            Values::One(target) => go_on(in_range(relation, level as u32, target)?, *next),
            Values::Many(targets) => targets.iter().try_for_each(|&target| go_on(target, *next)),
        },
        Link::Branch { branches, .. } => {
            let mut arms = branches.arms(values[level]).iter();
            arms.try_for_each(|arm| go_on(in_range(relation, level as u32, arm.after(values[level]))?, arm.tail.next))
        }
    }
}
