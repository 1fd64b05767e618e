//! The steps of a logical network for diagrams.
//!
//! A variable that moves alone is an event over the levels of what its function reads: above its own level the event
//! knows, for each of its values, what the function still depends on; below, what the value that it has chosen demands.
//! Where variables move together the steps are a conjunction of one condition for each of them.
//!
//! All combinations of levels are initial, and no step leads out of them.

use super::condition::{Part, Program};
use super::function::{FALLING, Function, RISING, Update};
use super::mediators::{Reduced, without_mediators};
use crate::budget::Budget;
use crate::model::VariableId;
use crate::relation::{
    ALWAYS, Arm, Branches, Condition, Conjunctive, ConjunctiveSteps, END, Influence, Link, LinkId, Mediated, NEVER,
    Node, Relation, Tail, Target, Test,
};
use starset_smv::{Diagram, Diagrams, TooLarge};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Runs of the nodes of all functions together.
pub(super) const RUNS: usize = 16_000_000;
/// Nodes up to which conditions of neighbours are conjoined, and runs that may be made for that.
const CLUSTER: usize = 2_000;
const TRIED: usize = 400_000;

/// What a relation is made of.
pub(super) struct Described<'n> {
    pub(super) functions: &'n [Function],
    /// By variable, its greatest level.
    pub(super) most: &'n [u32],
    /// What is true of all states: conditions on inputs.
    pub(super) admissible: &'n Program,
    pub(super) update: Update,
}

/// The relation over these levels, whose variables are in this order; `None` where diagrams of functions are too large.
pub(super) fn relation(
    &Described { functions, most, admissible, update }: &Described<'_>,
    order: &[VariableId],
    mut relation: Relation,
    budget: &Budget,
) -> Option<Relation> {
    let mut making = Making::new(most, order, budget);
    let sizes: Vec<u32> = order.iter().map(|variable| most[variable.index()] + 1).collect();
    let mut targets = Vec::new();
    let steps = match update {
        Update::Asynchronous | Update::MostPermissive => {
            for (label, function) in (0..).zip(functions) {
                let target = making.target(function).ok()?;
                let own = making.level_of[function.variable];
                let moves = match update {
                    Update::MostPermissive => making.ways(function, &target),
                    _ => making.moves(own, &target),
                };
                let moves = moves.ok()?;
                making.add_event(&mut relation, label, own, moves);
                targets.push((own, target));
            }
            Vec::new()
        }
        Update::Synchronous | Update::Mixed => {
            let mut rows = Vec::new();
            for function in functions {
                rows.push(making.row(function, &sizes, update == Update::Mixed).ok()?);
            }
            let moving: Vec<u32> = functions.iter().map(|f| making.level_of[f.variable]).collect();
            if update == Update::Mixed {
                rows.push((u32::MAX, making.some_change(&moving, &sizes).ok()?));
            }
            rows.sort_unstable_by_key(|&(level, _)| level);
            let clusters = making.clusters(rows.into_iter().map(|(_, row)| row).collect()).ok()?;
            let clusters = clusters.into_iter().map(|cluster| making.condition(cluster)).collect();
            let kept: Vec<u32> = (0..sizes.len() as u32).filter(|level| !moving.contains(level)).collect();
            vec![ConjunctiveSteps::new(0, clusters, &kept, sizes.len() as u32)]
        }
    };
    let admissible = making.conditions(admissible).ok()?;
    let mut first: Vec<Condition> =
        making.clusters(admissible.clone()).ok()?.into_iter().map(|cluster| making.condition(cluster)).collect();
    if update == Update::MostPermissive {
        for level in (0..).zip(&sizes).filter(|&(_, &size)| size > 2).map(|(level, _)| level) {
            let runs = [(0, ALWAYS), (2, NEVER)].into();
            first.push(Condition { root: 2, tests: vec![Test { level, next: false, runs }] });
        }
    }
    let conjunctive = Conjunctive { sizes, steps, first: Some(first), labels: Vec::new() };
    let relation = relation.with_conjunctive(conjunctive);
    if update == Update::MostPermissive {
        return Some(relation.with_passages());
    }
    let relation = relation.closed();
    // Without room for them they are not known.
    let known = (update == Update::Asynchronous).then(|| making.influences(&targets, &admissible).ok()).flatten();
    Some(match known {
        Some(influences) => relation.with_influences(influences),
        None => relation,
    })
}

/// A network with asynchronous updates without its mediators, over the levels of its relation, and with more and more of
/// them; `None` where diagrams of functions are too large.
pub(super) fn mediated(network: &Described<'_>, relation: &Relation, budget: &Budget) -> Option<Vec<Mediated>> {
    let by_level = relation.variables_by_level().into_iter();
    let order: Vec<VariableId> = by_level.map(|variable| VariableId(variable as u32)).collect();
    let mut making = Making::new(network.most, &order, budget);
    let mut targets = vec![None; order.len()];
    for function in network.functions {
        targets[making.level_of[function.variable] as usize] = Some(making.target(function).ok()?);
    }
    let admissible = making.conditions(network.admissible).ok()?;
    let networks = without_mediators(&mut making.diagrams, targets, &admissible).ok()?;
    let mut all = Vec::new();
    for Reduced { mut targets, without } in networks {
        making.diagrams.allow(RUNS);
        let mut smaller = relation.restricted(|_| false);
        let mut own_targets = Vec::new();
        for (label, function) in (0..).zip(network.functions) {
            let own = making.level_of[function.variable];
            let Some(target) = targets[own as usize].take() else { continue };
            let moves = making.moves(own, &target).ok()?;
            making.add_event(&mut smaller, label, own, moves);
            own_targets.push((own, target));
        }
        let influences = making.influences(&own_targets, &admissible).ok()?;
        all.push(Mediated { relation: smaller.with_influences(influences), without });
    }
    Some(all)
}

/// A move of a variable from one of its levels to the next or the one before.
#[derive(Clone, Copy, Debug)]
struct Move {
    from: u32,
    to: u32,
    /// What the other variables have to be for it.
    when: Diagram,
}

/// Conditions as diagrams, the variables on these slots.
fn translated(
    conditions: &Program,
    diagrams: &mut Diagrams,
    slot: impl Fn(usize) -> u32,
) -> Result<Vec<Diagram>, TooLarge> {
    conditions.translate(|part, made| match part {
        Part::Constant(value) => Ok(if value { Diagrams::TRUE } else { Diagrams::FALSE }),
        Part::AtLeast(variable, least) => {
            let level = 2 * slot(variable);
            if least >= diagrams.size(level) {
                return Ok(Diagrams::FALSE);
            }
            diagrams.make(level, &[(0, Diagrams::FALSE), (least, Diagrams::TRUE)])
        }
        Part::Not(a) => diagrams.not(made(a)),
        Part::And(a, b) => diagrams.and(made(a), made(b)),
        Part::Or(a, b) => diagrams.or(made(a), made(b)),
    })
}

/// Values of the variables of some conditions for which all of these hold; `None` if there are none, or it is too hard to
/// find them.
pub(super) fn satisfying(conditions: &Program, most: &[u32]) -> Option<HashMap<usize, u32>> {
    let sizes: Vec<u32> = most.iter().map(|most| most + 1).collect();
    let (mut diagrams, all) = diagrams_of(conditions, &sizes).ok()?;
    let mut at = Diagrams::TRUE;
    for one in all {
        at = diagrams.and(at, one).ok()?;
    }
    let mut values = HashMap::new();
    while at != Diagrams::TRUE {
        let (level, runs) = diagrams.node(at)?;
        let &(value, child) = runs.iter().find(|&&(_, child)| child != Diagrams::FALSE)?;
        values.insert(level as usize / 2, value);
        at = child;
    }
    Some(values)
}

/// Conditions as diagrams, for variables with so many levels, which are slots.
pub(super) fn diagrams_of(conditions: &Program, sizes: &[u32]) -> Result<(Diagrams, Vec<Diagram>), TooLarge> {
    let mut diagrams = Diagrams::new(sizes.to_vec(), RUNS);
    let made = translated(conditions, &mut diagrams, |variable| variable as u32)?;
    Ok((diagrams, made))
}

/// Functions on their way to diagrams. Slots are levels.
struct Making {
    diagrams: Diagrams,
    level_of: Vec<u32>,
}

impl Making {
    /// For variables with these greatest levels, in this order.
    fn new(most: &[u32], order: &[VariableId], budget: &Budget) -> Making {
        let work = usize::try_from(budget.work().unwrap_or(u64::MAX)).unwrap_or(usize::MAX).saturating_mul(2);
        let sizes = order.iter().map(|variable| most[variable.index()] + 1).collect();
        let mut level_of = vec![0; order.len()];
        for (level, variable) in (0..).zip(order) {
            level_of[variable.index()] = level;
        }
        let mut diagrams = Diagrams::new(sizes, RUNS.min(work));
        let budget = budget.clone();
        diagrams.stop_when(Arc::new(move || budget.check().is_err()));
        Making { diagrams, level_of }
    }

    /// Add the event of the variable on a level that makes these moves.
    fn add_event(&self, relation: &mut Relation, label: u32, own: u32, moves: Vec<Move>) {
        let (above, below) = (HashMap::new(), HashMap::new());
        let mut builder = EventBuilder { making: self, relation, own, moves, above, below };
        let conditions: Vec<Diagram> = builder.moves.iter().map(|step| step.when).collect();
        if let Some(first) = builder.above(&conditions) {
            relation.add_event_from(label, first, false);
        }
    }

    /// For each level of a variable from 1 on: is its target at least this?
    fn target(&mut self, function: &Function) -> Result<Vec<Diagram>, TooLarge> {
        translated(&function.target, &mut self.diagrams, |variable| self.level_of[variable])
    }

    /// Some conditions.
    fn conditions(&mut self, conditions: &Program) -> Result<Vec<Diagram>, TooLarge> {
        translated(conditions, &mut self.diagrams, |variable| self.level_of[variable])
    }

    /// What has an effect on variables with these targets, on their levels, and of which sign, where some conditions hold.
    fn influences(
        &mut self,
        targets: &[(u32, Vec<Diagram>)],
        admissible: &[Diagram],
    ) -> Result<Vec<Influence>, TooLarge> {
        let diagrams = &mut self.diagrams;
        let admissible: Vec<(Diagram, BTreeSet<u32>)> =
            admissible.iter().map(|&one| (one, diagrams.support(one).into_iter().collect())).collect();
        let mut influences = Vec::new();
        for &(to, ref target) in targets {
            let support: BTreeSet<u32> = target.iter().flat_map(|&least| diagrams.support(least)).collect();
            // What is said of those that take part, if it says nothing of this one.
            let said = |diagrams: &mut Diagrams, slot: u32| {
                let mut all = Diagrams::TRUE;
                for (one, levels) in &admissible {
                    if !levels.contains(&slot) && !levels.is_disjoint(&support) {
                        all = diagrams.and(all, *one)?;
                    }
                }
                Ok::<_, TooLarge>(all)
            };
            for &slot in &support {
                let said = said(diagrams, slot)?;
                let mut one = Influence { from: slot / 2, to, rises: false, falls: false };
                for value in 1..diagrams.size(slot) {
                    for &least in target {
                        let (below, above) = (diagrams.fix(least, slot, value - 1)?, diagrams.fix(least, slot, value)?);
                        let (below, above) = (diagrams.and(below, said)?, diagrams.and(above, said)?);
                        let both = diagrams.and(below, above)?;
                        one.rises |= both != above;
                        one.falls |= both != below;
                    }
                }
                influences.push(one);
            }
        }
        Ok(influences)
    }

    /// The moves of the variable on a level with this target, and when each is made.
    fn moves(&mut self, own: u32, target: &[Diagram]) -> Result<Vec<Move>, TooLarge> {
        let mut moves = Vec::new();
        for from in 0..self.diagrams.size(2 * own) {
            if let Some(&above) = target.get(from as usize) {
                moves.push(Move { from, to: from + 1, when: self.diagrams.fix(above, 2 * own, from)? });
            }
            if let Some(below) = from.checked_sub(1) {
                let reached = self.diagrams.fix(target[below as usize], 2 * own, from)?;
                moves.push(Move { from, to: below, when: self.diagrams.not(reached)? });
            }
        }
        moves.retain(|step| step.when != Diagrams::FALSE);
        Ok(moves)
    }

    /// The moves of a variable that takes its time, and when each is made.
    fn ways(&mut self, function: &Function, target: &[Diagram]) -> Result<Vec<Move>, TooLarge> {
        let own = 2 * self.level_of[function.variable];
        let (up, down) = (target[0], target[1]);
        let ways = [(0, RISING, up), (1, FALLING, down), (RISING, FALLING, down), (FALLING, RISING, up)];
        let arrivals = [(RISING, 1), (FALLING, 0)].map(|(from, to)| Move { from, to, when: Diagrams::TRUE });
        let mut moves = Vec::from(arrivals);
        for (from, to, when) in ways {
            moves.push(Move { from, to, when: self.diagrams.fix(when, own, from)? });
        }
        moves.retain(|step| step.when != Diagrams::FALSE);
        Ok(moves)
    }

    /// What a step of all variables makes of this one, with the level that it is on; it may stay where it is if `lazy`.
    fn row(&mut self, function: &Function, sizes: &[u32], lazy: bool) -> Result<(u32, Diagram), TooLarge> {
        let target = self.target(function)?;
        let own = self.level_of[function.variable];
        let moves = self.moves(own, &target)?;
        let size = sizes[own as usize];
        let (mut row, diagrams) = (Diagrams::FALSE, &mut self.diagrams);
        for now in 0..size {
            let stays = is_value(diagrams, 2 * own + 1, now, size)?;
            let mut next = stays;
            for step in moves.iter().filter(|step| step.from == now) {
                let moved = is_value(diagrams, 2 * own + 1, step.to, size)?;
                let either = if lazy { diagrams.or(moved, stays)? } else { moved };
                next = diagrams.choice(step.when, either, next)?;
            }
            let here = is_value(diagrams, 2 * own, now, size)?;
            let part = diagrams.and(here, next)?;
            row = diagrams.or(row, part)?;
        }
        Ok((own, row))
    }

    /// That one of the variables on these levels changes at least.
    fn some_change(&mut self, moving: &[u32], sizes: &[u32]) -> Result<Diagram, TooLarge> {
        let mut levels = moving.to_vec();
        levels.sort_unstable();
        let mut change = Diagrams::FALSE;
        for &level in levels.iter().rev() {
            let mut runs = Vec::new();
            for now in 0..sizes[level as usize] {
                let mut next = vec![(0, Diagrams::TRUE)];
                if now == 0 {
                    next.clear();
                }
                next.push((now, change));
                if now + 1 < sizes[level as usize] {
                    next.push((now + 1, Diagrams::TRUE));
                }
                runs.push((now, self.diagrams.make(2 * level + 1, &next)?));
            }
            change = self.diagrams.make(2 * level, &runs)?;
        }
        Ok(change)
    }

    /// Neighbours conjoined, while they stay small.
    fn clusters(&mut self, rows: Vec<Diagram>) -> Result<Vec<Diagram>, TooLarge> {
        let mut clusters: Vec<Diagram> = Vec::new();
        for row in rows {
            self.diagrams.allow(TRIED);
            if let Some(last) = clusters.last_mut()
                && let Ok(both) = self.diagrams.and(*last, row)
                && self.diagrams.nodes_of(both) <= CLUSTER
            {
                *last = both;
            } else {
                clusters.push(row);
            }
        }
        Ok(clusters)
    }

    /// A diagram as a condition on levels.
    fn condition(&self, diagram: Diagram) -> Condition {
        let (mut tests, mut known) = (Vec::new(), HashMap::new());
        // Children before their parents.
        let mut open = vec![(diagram, false)];
        while let Some((node, ready)) = open.pop() {
            let Some((level, runs)) = self.diagrams.node(node).filter(|_| !known.contains_key(&node)) else { continue };
            if !ready {
                open.push((node, true));
                open.extend(runs.iter().map(|&(_, child)| (child, false)));
                continue;
            }
            let runs = runs.iter().map(|&(first, child)| (first, number_of(child, &known))).collect();
            tests.push(Test { level: level / 2, next: level % 2 == 1, runs });
            known.insert(node, tests.len() as u32 + 1);
        }
        Condition { root: number_of(diagram, &known), tests }
    }
}

fn number_of(diagram: Diagram, known: &HashMap<Diagram, Node>) -> Node {
    match known.get(&diagram) {
        Some(&node) => node,
        None => {
            if diagram == Diagrams::TRUE {
                ALWAYS
            } else {
                NEVER
            }
        }
    }
}

/// That a level has this value.
fn is_value(diagrams: &mut Diagrams, level: u32, value: u32, size: u32) -> Result<Diagram, TooLarge> {
    let mut runs = vec![(0, Diagrams::FALSE)];
    if value == 0 {
        runs.clear();
    }
    runs.push((value, Diagrams::TRUE));
    if value + 1 < size {
        runs.push((value + 1, Diagrams::FALSE));
    }
    diagrams.make(level, &runs)
}

/// The event of a variable under construction.
struct EventBuilder<'k, 'r> {
    making: &'k Making,
    relation: &'r mut Relation,
    own: u32,
    moves: Vec<Move>,
    /// By what the moves still depend on.
    above: HashMap<Vec<Diagram>, Option<LinkId>>,
    below: HashMap<Diagram, Option<LinkId>>,
}

impl EventBuilder<'_, '_> {
    /// The link that makes each move where its condition holds; `None` if all of them are false.
    fn above(&mut self, when: &[Diagram]) -> Option<LinkId> {
        if when.iter().all(|&when| when == Diagrams::FALSE) {
            return None;
        }
        if let Some(&known) = self.above.get(when) {
            return known;
        }
        let diagrams = &self.making.diagrams;
        let top = when.iter().map(|&when| diagrams.level(when) / 2).min().unwrap_or(self.own).min(self.own);
        let mut rows: Vec<(u32, Vec<Arm>)> = Vec::new();
        for value in 0..self.making.diagrams.size(2 * top) {
            let child = |&when: &Diagram| self.making.diagrams.child(2 * top, when, value);
            let mut arms = Vec::new();
            if top < self.own {
                let children: Vec<Diagram> = when.iter().map(child).collect();
                arms.extend(self.above(&children).map(|next| arm(Target::KEPT, next)));
            } else {
                let here = self.moves.iter().zip(when).filter(|(step, _)| step.from == value);
                let here: Vec<(u32, Diagram)> = here.map(|(step, &when)| (step.to, when)).collect();
                for (to, when) in here {
                    arms.extend(self.below(when).map(|next| arm(Target::Value(to), next)));
                }
                arms.sort_unstable_by_key(|arm| arm.target);
            }
            if !arms.is_empty() {
                rows.push((value, arms));
            }
        }
        let link = self.branch(top, &rows);
        self.above.insert(when.to_vec(), link);
        link
    }

    /// The link that keeps everything where a condition holds; `None` if it is false.
    fn below(&mut self, when: Diagram) -> Option<LinkId> {
        let diagrams = &self.making.diagrams;
        let Some((level, _)) = diagrams.node(when) else { return (when == Diagrams::TRUE).then_some(END) };
        if let Some(&known) = self.below.get(&when) {
            return known;
        }
        let mut rows = Vec::new();
        for value in 0..diagrams.size(level) {
            let child = self.making.diagrams.child(level, when, value);
            rows.extend(self.below(child).map(|next| (value, vec![arm(Target::KEPT, next)])));
        }
        let link = self.branch(level / 2, &rows);
        self.below.insert(when, link);
        link
    }

    fn branch(&mut self, level: u32, rows: &[(u32, Vec<Arm>)]) -> Option<LinkId> {
        if rows.is_empty() {
            return None;
        }
        let branches = Arc::new(Branches::of_each(rows.iter().map(|(value, arms)| (*value, &arms[..]))));
        Some(self.relation.link_to(Link::Branch { level, branches }))
    }
}

fn arm(target: Target, next: LinkId) -> Arm {
    Arm { target, tail: Tail { next, times: 1 } }
}
