//! Runs made short, and the proof that none is shorter.
//!
//! **Problem.** Whoever decides a question first has a run, seldom a short one: a walk wanders, a depth-first search goes down
//! before it looks round, and a run of a smaller net has detours. People read runs, so each step too many costs.
//!
//! **Idea.** The verdict is given first, and its witness made short afterwards, whichever way it came from, by the firing rule of the model
//! ([`TransitionSystem`]) alone:
//!
//! 1. loops are cut: a marking that comes again (`replayed`);
//! 2. breadth-first from the start, for a while: of many models that is all ([`graph`]);
//! 3. the run is fired again without some of its steps (`replayed`);
//! 4. the neighbourhood of the run is explored, and the shortest run in it taken, again and again with a larger one;
//! 5. breadth-first from the start, with what is left.
//!
//! The last three after Nakhost and Müller, "Action elimination and plan neighborhood graph search", ICAPS 2010. Of runs that end what is
//! sought is not a marking but that the path formula is proved, whatever it is: positions have *duties* ([`goal`]). Lassos are
//! `lasso`, finite runs [`finite`].
//!
//! **What is short.** The number of steps; of a lasso, with those of its loop. Each run of a witness is made shorter for itself, from
//! where it starts. [`Run::least`] is what breadth-first search has proved of all runs that end, where a run that shows the formula
//! does so after finitely many steps, and a lasso without going round again; and of lassos on which one condition always holds.
//! Elsewhere nothing is claimed.
//!
//! **Invariant.** What is returned has been replayed ([`super::replay`]); if it does not replay, the witness stays what it was. How much is
//! done without [`Effort::Proof`] is a matter of actions that are tried, so that the same run comes out everywhere.

mod finite;
mod goal;
mod graph;
mod lasso;
mod replayed;
#[cfg(test)]
mod tests;

pub use finite::shorten_finite;

use super::replay::replay_from;
use super::table::{Shape, Table};
use super::valuation::has_quantifier;
use super::{Because, End, Part, Position, Reason, Run, Witness};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::{Step, TransitionSystem};
use crate::net::Marking;
use goal::Goal;
use graph::{Graph, Sight, Work};
use rustc_hash::FxHashMap;

/// Effort for a witness that nobody asked to be shortest, in actions that are tried: some tenths of a second.
const SOME: u64 = 1 << 24;
/// The memory that this may take, in bytes.
const MEMORY: u64 = 256 << 20;
/// The first neighbourhood of a run has this part of the work for neighbourhoods.
const NEIGHBOURHOOD: u64 = 64;

/// How much is done to make runs short.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// As much as is soon done.
    #[default]
    Some,
    /// Until it is proved that no run is shorter, or the budget ends.
    Proof,
}

/// The witness with shorter runs, where there are any.
pub fn shorten(
    model: &dyn TransitionSystem,
    pool: &Pool,
    witness: Witness,
    effort: Effort,
    budget: &Budget,
) -> Witness {
    let mut shorter = witness.clone();
    let runs = shorter.runs.len();
    for number in 0..runs {
        let share = budget.share(runs - number);
        let limit = budget.memory().unwrap_or(u64::MAX);
        let (amount, bytes) = match effort {
            Effort::Some => (SOME / runs as u64, limit.min(MEMORY)),
            Effort::Proof => (u64::MAX, limit),
        };
        let about = About { model, pool, paths: witness.paths, run: &witness.runs[number] };
        if let Some(run) = about.shortened(&mut Work::new(amount, bytes, &share)) {
            shorter.runs[number] = run;
        }
    }
    shorter.drop_unused();
    match replayed_as(model, pool, &witness, &shorter) {
        true => shorter,
        false => witness,
    }
}

/// Does the shorter witness replay, where values that were computed for the one that it comes from are known?
fn replayed_as(model: &dyn TransitionSystem, pool: &Pool, witness: &Witness, shorter: &Witness) -> bool {
    let mut computed: FxHashMap<(FormulaId, Marking), bool> = FxHashMap::default();
    let initial = witness.runs.first().map_or_else(|| model.initial(), |run| run.positions[0].marking.clone());
    let initial = if model.initial_states().contains(&initial) { initial } else { model.initial() };
    note(&witness.reason, &initial, &mut computed);
    for position in witness.runs.iter().flat_map(|run| &run.positions) {
        position.reasons.iter().for_each(|reason| note(reason, &position.marking, &mut computed));
    }
    let known = |formula: FormulaId, marking: &Marking| computed.get(&(formula, marking.clone())).copied();
    replay_from(&initial, model, pool, shorter, &known, &|_| None).is_ok()
}

/// Note the values of the formulas with quantifiers that a reason gives.
fn note(reason: &Reason, marking: &Marking, known: &mut FxHashMap<(FormulaId, Marking), bool>) {
    match &reason.because {
        Because::Parts(parts) => parts.iter().for_each(|part| note(part, marking, known)),
        Because::Run(_) | Because::Computed => {
            known.insert((reason.formula, marking.clone()), reason.holds);
        }
        Because::Marking => {}
    }
}

/// A run that is to be shorter, and what it is about.
struct About<'a> {
    model: &'a dyn TransitionSystem,
    pool: &'a Pool,
    paths: PathSemantics,
    run: &'a Run,
}

impl<'a> About<'a> {
    fn start(&self) -> Option<&'a Marking> {
        self.run.positions.first().map(|first| &first.marking)
    }

    fn root(&self) -> Option<Part> {
        match self.pool[self.run.formula] {
            Formula::Exists(formula) => Some(Part { formula, holds: true }),
            Formula::Forall(formula) => Some(Part { formula, holds: false }),
            _ => None,
        }
    }

    fn goal(&self, root: Part) -> Goal<'a> {
        let mut known = FxHashMap::default();
        for position in &self.run.positions {
            position.reasons.iter().for_each(|reason| note(reason, &position.marking, &mut known));
        }
        Goal::new((self.model, self.pool, self.paths), root, known)
    }

    /// A run that is no longer, and for which more is proved.
    fn shortened(&self, work: &mut Work<'_>) -> Option<Run> {
        let (start, root) = (self.start()?, self.root()?);
        // What is put off to the next marking must know nothing of the markings before.
        let is_path = self.run.end != End::Final;
        if self.run.fired.is_empty() || self.pool.past(root.formula) > 0 || !is_path {
            return None;
        }
        let mut graph = Graph::new(self.goal(root), start);
        match self.run.end {
            End::Loop(at) => lasso::shortened(self, &mut graph, at, work),
            End::Open | End::Deadlock | End::Final => {
                let (run, least) = self.finite(&mut graph, &self.run.fired, work)?;
                let is_seen_at_once = run.fired.len() <= 1 || graph.goal.is_met_in_one_round();
                if graph.goal.is_met_in_the_end() && is_seen_at_once {
                    return Some(run);
                }
                // A lasso may show it sooner.
                let (lasso, complete) = lasso::below(self, &mut graph, run.fired.len(), work);
                let run = lasso.unwrap_or(run);
                let known = run.fired.len();
                let claimed = complete && least >= known && graph.goal.is_for_ever() && graph.goal.is_complete();
                Some(Run { least: if claimed { known } else { 0 }, ..run })
            }
        }
    }

    /// Of a run that ends, or of steps that make one; and how many steps each that ends has at least.
    fn finite(&self, graph: &mut Graph<'a>, steps: &[Step], work: &mut Work<'_>) -> Option<(Run, usize)> {
        let start = self.start()?;
        let some = work.left.min(SOME);
        let mut best = replayed::without_loops(&mut graph.goal, start, steps, work);
        let mut least = work.within(some / 4, |work| look(graph, &mut best, Some(work)));
        if least < best.len() {
            best = work.within(some / 4, |work| replayed::without_steps(&mut graph.goal, start, best, work));
            work.within(some / 2, |work| look_around(graph, &mut best, work));
            least = look(graph, &mut best, Some(work));
        }
        let ends = match self.paths {
            PathSemantics::Infinite => [End::Open].as_slice(),
            _ => &[End::Deadlock, End::Open],
        };
        let claimed = graph.goal.is_met_in_the_end() && graph.goal.is_complete();
        let run = ends.iter().find_map(|&end| self.made(&best, end))?;
        Some((Run { least: if claimed { least } else { 0 }, ..run }, least))
    }

    /// The run of these steps, if it does.
    fn made(&self, fired: &[Step], end: End) -> Option<Run> {
        let root = self.root()?;
        let position = |marking| Position { marking, parts: Vec::new(), reasons: Vec::new() };
        let mut positions = vec![position(self.start()?.clone())];
        for &step in fired {
            let next = self.model.fire(&positions.last()?.marking, step)?;
            positions.push(position(next));
        }
        match end {
            End::Loop(at) => {
                let last = positions.pop()?;
                if positions.get(at)?.marking != last.marking {
                    return None;
                }
            }
            End::Deadlock if !self.model.is_deadlock(&positions.last()?.marking) => return None,
            End::Deadlock | End::Open | End::Final => {}
        }
        let mut run = Run { formula: self.run.formula, positions, fired: fired.to_vec(), end, least: 0 };
        let goal = self.goal(root);
        let mut value = |formula, at: usize| goal.value(formula, &run.positions[at].marking);
        let table = Table::new(self.pool, root.formula, Shape::of(&run), self.paths, &mut value);
        if !table.proves(root, 0) {
            return None;
        }
        let mut used = table.justify(root);
        used.sort_unstable_by_key(|&(at, part)| (at, part.formula, part.holds));
        for (at, part) in used {
            let position = &mut run.positions[at];
            if self.pool.is_state(part.formula) && has_quantifier(self.pool, part.formula) {
                position.reasons.push(self.reason(part, &position.marking)?);
            }
            position.parts.push(part);
        }
        Some(run)
    }

    /// Why a part holds in a marking that the run passes, too.
    fn reason(&self, part: Part, marking: &Marking) -> Option<Reason> {
        let there = self.run.positions.iter().filter(|position| position.marking == *marking);
        let mut reasons = there.flat_map(|position| &position.reasons);
        reasons.find(|reason| reason.formula == part.formula && reason.holds == part.holds).cloned()
    }
}

/// Look for a shorter run from the start: how many steps each has at least.
fn look(graph: &mut Graph<'_>, best: &mut Vec<Step>, work: Option<&mut Work<'_>>) -> usize {
    let Sight { found, least } = graph.look(best.len(), work);
    *best = found.unwrap_or_else(|| std::mem::take(best));
    least
}

/// Look for a shorter run in neighbourhoods of the best that is known, larger from time to time.
fn look_around(graph: &mut Graph<'_>, best: &mut Vec<Step>, work: &mut Work<'_>) {
    let mut amount = (work.left / NEIGHBOURHOOD).max(1);
    loop {
        let (known, left) = (best.len(), work.left);
        let nodes = graph.add_run(best, work);
        let more = graph.grow_around(&nodes, amount, work);
        look(graph, best, None);
        // Where all is known around there is nothing to do, and no work is spent.
        if !more || work.left == 0 || work.left == left && best.len() == known {
            return;
        }
        if best.len() == known {
            amount = amount.saturating_mul(4);
        }
    }
}

impl Run {
    /// Is it proved that no run is shorter?
    pub fn is_shortest(&self) -> bool {
        self.least >= self.fired.len()
    }
}

impl Witness {
    /// Leave out runs that no reason names any more.
    fn drop_unused(&mut self) {
        let mut used = vec![false; self.runs.len()];
        named(&self.reason, &mut |number| used[number] = true);
        for number in 0..self.runs.len() {
            if used[number] {
                let reasons = self.runs[number].positions.iter().flat_map(|position| &position.reasons);
                reasons.for_each(|reason| named(reason, &mut |number| used[number] = true));
            }
        }
        let mut kept = 0..;
        let numbers: Vec<usize> = used.iter().map(|&used| if used { kept.next().unwrap_or(0) } else { 0 }).collect();
        let mut at = 0;
        self.runs.retain(|_| {
            at += 1;
            used[at - 1]
        });
        let positions = self.runs.iter_mut().flat_map(|run| &mut run.positions);
        let reasons = positions.flat_map(|position| &mut position.reasons);
        std::iter::once(&mut self.reason).chain(reasons).for_each(|reason| renumber(reason, &numbers));
    }
}

/// Calls a function for each run that a reason names.
fn named(reason: &Reason, with: &mut dyn FnMut(usize)) {
    match &reason.because {
        Because::Run(number) => with(*number),
        Because::Parts(parts) => parts.iter().for_each(|part| named(part, with)),
        Because::Marking | Because::Computed => {}
    }
}

fn renumber(reason: &mut Reason, numbers: &[usize]) {
    match &mut reason.because {
        Because::Run(number) => *number = numbers[*number],
        Because::Parts(parts) => parts.iter_mut().for_each(|part| renumber(part, numbers)),
        Because::Marking | Because::Computed => {}
    }
}
