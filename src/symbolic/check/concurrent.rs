//! The verdicts of several formulas at the same time.
//!
//! One thread at a time works in a space of diagrams, so each thread gets a space with a copy of the reachable
//! set: as many nodes as the set has, once, and no sharing of results with the other threads. That is worth it
//! where the formulas cost much more than the reachable set has nodes, and loses where they are cheap or have
//! most of their parts in common; see docs/formula-benchmarks.md for figures.
//!
//! Formulas are taken in turn by whichever thread is free, and the verdicts are handed out in the order in
//! which they are asked for: what is printed does not depend on the threads.

use super::{Checker, ProductKind, Route};
use crate::automaton::Translator;
use crate::budget::{Budget, scaled};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::mdd::{Mdd, MddManager, with_deep_stack};
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{Builder, Scope};

/// The common work of the threads.
#[derive(Clone, Copy, Debug)]
pub struct Work<'w> {
    /// The model.
    pub relation: &'w Relation,
    /// Its reachable set.
    pub states: &'w Mdd,
    /// Holds the formulas.
    pub pool: &'w Pool,
    /// State formulas, each with its path semantics.
    pub tasks: &'w [(FormulaId, PathSemantics)],
    /// For each of them, a flag that another engine raises when the verdict is not needed any more.
    pub stop: &'w [Arc<AtomicBool>],
    /// The method for products with automata.
    pub product: ProductKind,
    /// The method for path quantifiers.
    pub route: Route,
    /// The translator of formulas to automata.
    pub translator: &'w dyn Translator,
    /// Is what sets say of propositions folded into automata?
    pub knowledge: bool,
    /// Are fairness conditions kept beside automata?
    pub fairness: bool,
}

/// A verdict, or why there is none, with the number of its task.
type TaskVerdict = (usize, Result<bool, StopReason>);

/// Verdicts that are being computed. Dropping it stops the threads.
#[derive(Debug)]
pub struct Verdicts {
    incoming: Receiver<TaskVerdict>,
    known: FxHashMap<usize, Result<bool, StopReason>>,
    over: Arc<AtomicBool>,
}

impl Verdicts {
    /// Start to work on `threads` threads.
    pub fn start<'scope, 'w: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        work: Work<'w>,
        budget: &Budget,
    ) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let budget = budget.clone().with_flag(Arc::clone(&over));
        let (sender, incoming) = mpsc::channel();
        let next = Arc::new(AtomicUsize::new(0));
        let threads = threads.min(work.tasks.len());
        for number in 0..threads {
            let (sender, next, budget) = (sender.clone(), Arc::clone(&next), budget.clone());
            let run = move || {
                with_deep_stack(work.relation.levels() as usize, || {
                    take_tasks(work, (number, threads), &next, &sender, &budget)
                });
            };
            // With fewer threads the others do the work; with none, all verdicts are missing.
            let _fewer = Builder::new().name("formulas".into()).spawn_scoped(scope, run);
        }
        Verdicts { incoming, known: FxHashMap::default(), over }
    }

    /// Wait for the verdict of a task; to be asked for once.
    ///
    /// # Errors
    /// As [`Checker::sat`].
    pub fn wait(&mut self, task: usize) -> Result<bool, StopReason> {
        loop {
            if let Some(verdict) = self.known.remove(&task) {
                return verdict;
            }
            match self.incoming.recv() {
                Ok((number, verdict)) => self.known.insert(number, verdict),
                Err(_) => return Err(StopReason::Unsupported("no thread could be started, or each ran out of memory")),
            };
        }
    }
}

impl Drop for Verdicts {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
    }
}

/// Compute verdicts until none is left to take, as thread `number` of `threads`; the first in the space that is there,
/// the others in one of their own.
fn take_tasks(
    work: Work<'_>,
    (number, threads): (usize, usize),
    next: &AtomicUsize,
    sender: &Sender<TaskVerdict>,
    budget: &Budget,
) {
    let copy = || {
        let levels: Vec<u32> = (0..work.relation.levels()).collect();
        let space = MddManager::new(work.relation.levels(), budget).ok()?;
        work.states.rearranged(&space, &levels, budget).ok()
    };
    // Without room for a copy the work is left to the others; the first needs none.
    let Some(states) = (if number == 0 { Some(work.states.clone()) } else { copy() }) else { return };
    let mut checkers: Vec<Checker<'_>> = Vec::new();
    loop {
        let task = next.fetch_add(1, Relaxed);
        let Some(&(formula, paths)) = work.tasks.get(task) else { return };
        let mut budget = budget.clone();
        if let Some(stop) = work.stop.get(task) {
            budget = budget.with_flag(Arc::clone(stop));
        }
        if let Some(time) = budget.remaining() {
            // A fair share: the tasks that are left, over the threads.
            let share = f64::min(threads as f64 / (work.tasks.len() - task) as f64, 1.0);
            budget = budget.with_time(scaled(time, share));
        }
        let budget = &budget;
        let known = checkers.iter().position(|checker| checker.paths() == paths);
        let checker = match known {
            Some(known) => Ok(checkers.swap_remove(known)),
            None => Checker::new(work.relation, states.clone(), paths)
                .map(|checker| checker.with_product(work.product).with_route(work.route))
                .map(|checker| {
                    checker.with_translator(work.translator).with_knowledge(work.knowledge).with_fairness(work.fairness)
                }),
        };
        let verdict = checker.and_then(|mut checker| {
            let verdict = checker.holds_initially(work.pool, formula, budget);
            checkers.push(checker);
            verdict
        });
        if sender.send((task, verdict)).is_err() {
            return;
        }
    }
}
