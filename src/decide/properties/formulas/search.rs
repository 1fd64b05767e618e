//! Formulas and automata state by state.
//!
//! Each round's slice is shared by what is due: searches on the fly for questions of CTL; visiting all states for those
//! of reachability; keeping them with their edges, to be labelled, for all of CTL\*; and searches for runs, for LTL and
//! automata. A formula that several of them suit (`AF p` is of CTL and of LTL) is tried by each.

use super::labels::{Due, Graph, Labeller};
use super::{FormulaQuestion, Formulas, Sought, is_showable};
use crate::budget::{Budget, Exhausted, Throttle};
use crate::decide::conditions::{Onward, Reachability};
use crate::decide::context::Context;
use crate::decide::{Fault, Question, Technique};
use crate::explicit::{self, Attempt, Disk, Emptiness, Explicit, OnDisk, Product, Searched, Trace};
#[cfg(feature = "distributed")]
use crate::explicit::{Cluster, ClusterError, Distributed, Goal as Condition};
#[cfg(feature = "distributed")]
use crate::formula::Symbols;
use crate::formula::{FormulaId, Logic, Pool};
use crate::mdd::with_deep_stack;
use crate::model::{Path, State, Then};
use crate::stop_reason::StopReason;
use crate::witness::{Claim, Unconfirmed, Unexplained, confirm, explain_locally};
#[cfg(feature = "distributed")]
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Least time of a search: the rest of a slice is not shorter than a small model takes.
const LEAST: Duration = Duration::from_millis(10);
/// Number of threads from which a shared search for a run is faster than one thread: four do about two and a half times
/// its work.
const CREW: usize = 4;
/// The part of the time for visiting states that goes to those of which no two are alike, where there are such.
const ALIKE: (u32, u32) = (3, 4);
/// At least so much time for the first look at those: there may be very few.
const FIRST_LOOK: Duration = Duration::from_secs(2);
/// That is no more than this part of what is left.
const FIRST_LOOK_PART: u32 = 10;
/// After so many of them that ran out of memory there are no more.
const FLOODS: u32 = 6;
/// A search for runs beside threads that explore the graph goes on without waiting for so long, which finds most runs
/// that there are; and then for one part in so many of the time, so that exploring has nearly all processors and runs
/// are found at most so many times later.
const SOON: Duration = Duration::from_millis(25);
const RUNS_PART: u32 = 4;
/// The part of the time of a search for runs that goes to guided ones, and their number.
const LED: u32 = 4;
const GUIDED_ATTEMPTS: u64 = 2;
/// The time after the end of that on several machines for replaying the runs that it has found.
#[cfg(feature = "distributed")]
const REPLAYING: Duration = Duration::from_secs(5);
/// The threads of a search for runs that has them all.
fn for_runs(context: &Context<'_>) -> usize {
    let threads = context.options(false).threads;
    if threads < CREW { 1 } else { threads }
}

/// The part of the time of a search on the fly after which one on a part of the states has the rest, if values may stay
/// open there.
const PARTIALLY: (u32, u32) = (3, 4);

/// What is looked for, and who is told of each state that is found.
type Goal<'g> = &'g mut (dyn FnMut(explicit::View<'_>) -> bool + Send);
type Report<'r> = &'r mut dyn FnMut(&Trace, &explicit::Stats) -> bool;

/// Lock on data that a goal and its report change in turn.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The method of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Locally,
    States,
    Labels,
    /// Both, side by side.
    LabelsAndRuns,
    Runs,
}

impl FormulaQuestion<'_> {
    /// Is it wanted, and decided by visiting states?
    fn is_reachability(&self, context: &Context<'_>) -> bool {
        self.total && self.looks(context)
    }

    /// Is it wanted, and decided by labelling all states? What a search for a run decides is labelled where the graph
    /// is known, or explored by several threads, who are faster at that than at runs.
    fn is_labelled(&self, context: &Context<'_>, is_known: bool) -> bool {
        let explained_by_run = self.of_runs && self.is_running(context) && !context.board.is_open(self.number);
        let by_run = !self.branching && self.is_running(context);
        let soon = is_known || context.options(false).threads > 1;
        let visited = self.total && self.reachability.is_some();
        self.labelled && self.is_wanted(context) && !visited && !explained_by_run && (!by_run || soon)
    }

    /// Is it open, and perhaps decided by a search on the fly?
    fn is_local(&self, context: &Context<'_>) -> bool {
        let wanted = if self.passed { context.board.is_open(self.number) } else { self.is_wanted(context) };
        self.branching && self.total && wanted && self.memory_failures < FLOODS
    }

    /// The formula that a run of a search on the fly is one of: as it was asked, or with its quantifiers moved.
    fn of_run(&self) -> FormulaId {
        if self.asked == self.linear { self.linear } else { self.formula }
    }

    /// Is it open, and about more than one state? Then parts of it may be out of reach in the first states.
    fn is_beyond_states(&self, context: &Context<'_>) -> bool {
        self.reachability.is_none() && context.board.is_open(self.number)
    }

    /// Decide it by a part of the states in which values may stay open.
    fn search_partially(
        &self,
        context: &Context<'_>,
        compiled: &dyn Explicit<'_>,
        pool: &Pool,
        Attempt(seed): Attempt,
        budget: &Budget,
    ) {
        let mut onward = context.net().map(|net| Onward::new(net, pool, budget));
        let mut oracle = |state: &State, demanded: &[(FormulaId, bool)]| {
            onward.as_mut().is_some_and(|onward| onward.never(state, demanded))
        };
        let asked = (self.formula, self.paths);
        if let Ok(found) = compiled.check_ctl_partially(pool, asked, seed.into(), &mut oracle, budget) {
            // What one run shows is told with that run: others look for it.
            if !(pool.is_about_runs(self.of_run()) && pool.shown_by_run(self.of_run(), found.holds)) {
                context.board.found_in_all(self.number, found.holds, found.stats);
            }
        }
    }

    /// Give what a search for runs has found: a run once it has been replayed; that there is none as it is.
    pub(super) fn decided_by_run(
        &self,
        context: &Context<'_>,
        technique: Technique,
        found: &explicit::LtlResult,
        budget: &Budget,
    ) -> Result<(), Unconfirmed> {
        let how = (technique, Some(found.stats));
        if context.is_broken(technique) && context.subject.pool.shown_by_run(self.linear, !found.holds) {
            let path = Path { prefix: Vec::new(), then: Then::Deadlock };
            return context.board.found_by_run(self.number, !found.holds, how, &path, budget);
        }
        match (&found.path, context.subject.pool.shown_by_run(self.linear, found.holds)) {
            (Some(path), _) => {
                context.board.found_by_run(self.number, found.holds, how, path, budget)?;
                let path = Some(path).filter(|path| is_showable(context, path));
                context.board.show(self.number, found.holds, path);
            }
            // A run that is not shown is none.
            (None, true) => return Err(Unconfirmed::Undecided),
            (None, false) => context.board.found_in_all(self.number, found.holds, found.stats),
        }
        Ok(())
    }

    /// Give what a search has found whose run did not tell enough: a run to its end shows what its beginning does not,
    /// and a formula about greatest sums is told by the one that has their values.
    fn decided_by_whole_run(
        &self,
        context: &Context<'_>,
        pool: &mut Pool,
        found: &explicit::LtlResult,
        options: &explicit::Options,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let (engine, how) = (context.compiled()?, (Technique::Explicit, Some(found.stats)));
        let (valued, _) = explicit::substitute_bounds(engine, pool, self.linear, options, budget)?;
        let options = explicit::Options { witness: true, guided: None, ..options.clone() };
        let whole = explicit::check_ltl(engine, pool, valued, self.paths, &options, budget)?;
        let unconfirmed = StopReason::Unsupported("the run that was found was not confirmed");
        let Some(path) = whole.path else { return Err(unconfirmed) };
        let claim =
            Claim { model: context.subject.model, pool, formula: valued, holds: whole.holds, paths: self.paths };
        context.board.found_by_claim(self.number, how, claim, &path, context.budget).map_err(|_| unconfirmed)?;
        context.board.show(self.number, whole.holds, Some(&path).filter(|path| is_showable(context, path)));
        Ok(())
    }

    /// Is it wanted, and decided by the search for a run?
    pub(super) fn is_running(&self, context: &Context<'_>) -> bool {
        self.running && self.total && self.reachability.is_none() && self.is_wanted(context)
    }
}

impl<'a> Formulas<'a> {
    /// One slice of all searches. An error is why none of them could do more with more time, or that they could.
    pub(super) fn search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        // With more memory than there was, states are looked at again.
        self.out_of_memory_at =
            self.out_of_memory_at.filter(|&reached| budget.memory().is_some_and(|memory| memory <= reached));
        // What goes on where it was comes before what begins anew.
        let mut open: Vec<Phase> = match matches!(self.graph, Graph::Growing(..)) {
            true => [Phase::Labels, Phase::Locally, Phase::States, Phase::Runs],
            false => [Phase::Locally, Phase::States, Phase::Labels, Phase::Runs],
        }
        .into();
        open.retain(|&phase| self.is_due(phase, context));
        if context.options(false).threads > 1
            && !matches!(self.graph, Graph::Whole(_))
            && open.contains(&Phase::Runs)
            && let Some(labels) = open.iter_mut().find(|phase| **phase == Phase::Labels)
        {
            *labels = Phase::LabelsAndRuns;
            open.retain(|&phase| phase != Phase::Runs);
        }
        let beyond = StopReason::Unsupported(
            "explicit search does not decide formulas that speak of steps inside of other formulas",
        );
        let mut ended = Err(match self.queries.iter().any(|query| query.out_of_memory && query.is_wanted(context)) {
            true => Exhausted::Memory.into(),
            false => self.no_labelling.clone().unwrap_or(beyond),
        });
        for (done, &phase) in open.iter().enumerate() {
            if !self.is_due(phase, context) {
                ended = Ok(());
                continue;
            }
            let memory = budget.memory();
            let mut budget = budget.share(open.len() - done);
            let keeps_graph = matches!(phase, Phase::Labels | Phase::LabelsAndRuns);
            if let Some(memory) = budget.memory().filter(|_| !keeps_graph) {
                budget = budget.with_memory(memory.saturating_sub(self.graph.bytes()));
            }
            if (phase == Phase::States || keeps_graph) && !self.has_looked && self.symmetric(context).is_some() {
                let least =
                    context.budget.remaining().map_or(FIRST_LOOK, |left| FIRST_LOOK.min(left / FIRST_LOOK_PART));
                budget = budget.or_at_least(least, context.budget);
            }
            let result = match phase {
                Phase::Locally => self.search_locally(context, &budget),
                Phase::States => self.search_states(context, &budget),
                Phase::Labels => self.label_states(context, &budget),
                Phase::LabelsAndRuns => self.label_beside_runs(context, &budget),
                Phase::Runs => {
                    self.search_runs(context, &budget, for_runs(context)).and(self.search_automata(context, &budget))
                }
            };
            match result {
                Ok(()) => ended = Ok(()),
                Err(stop) if stop.is_time() => ended = Ok(()),
                Err(stop @ StopReason::Exhausted(Exhausted::Cancelled)) => {
                    context.budget.check()?;
                    ended = ended.or(Err(stop));
                }
                Err(stop) => {
                    if phase == Phase::Labels {
                        self.no_labelling = Some(stop.clone());
                    }
                    if phase == Phase::States && stop == StopReason::Exhausted(Exhausted::Memory) {
                        self.out_of_memory_at = memory;
                    }
                    ended = ended.or(Err(stop));
                }
            }
        }
        self.has_looked = true;
        ended
    }

    /// Is a single search for a run all that there is to be done?
    pub(super) fn is_one_run(&self, context: &Context<'_>) -> bool {
        let wanted: Vec<&FormulaQuestion<'_>> = self.queries.iter().filter(|query| query.is_wanted(context)).collect();
        let phases = [Phase::Locally, Phase::States, Phase::Labels, Phase::Runs];
        let due: Vec<Phase> = phases.into_iter().filter(|&phase| self.is_due(phase, context)).collect();
        let is_run = matches!(due[..], [Phase::Runs] | [Phase::Labels, Phase::Runs]);
        is_run && wanted.len() == 1 && self.automata.is_empty()
    }

    /// Is there something to be done in this phase?
    fn is_due(&self, phase: Phase, context: &Context<'_>) -> bool {
        let mut queries = self.queries.iter();
        match phase {
            Phase::Locally => queries.any(|query| query.is_local(context)),
            Phase::States => self.out_of_memory_at.is_none() && queries.any(|query| query.is_reachability(context)),
            Phase::Labels => {
                let is_known = matches!(self.graph, Graph::Whole(_));
                self.no_labelling.is_none() && queries.any(|query| query.is_labelled(context, is_known))
            }
            Phase::LabelsAndRuns => self.is_due(Phase::Labels, context) || self.is_due(Phase::Runs, context),
            Phase::Runs => {
                let wanted = |number: usize| context.board.is_open(number) || context.board.wants_witness(number);
                let automata = self.automata.iter().any(|&number| wanted(number));
                automata || queries.any(|query| query.is_running(context))
            }
        }
    }

    /// Decide questions of reachability by visiting states until all are decided. What walks have found is shown if
    /// nothing shorter is found soon.
    fn search_states(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let found = self.visit_states(context, budget);
        if found == Err(StopReason::Exhausted(Exhausted::Memory)) {
            for query in self.queries.iter_mut().filter(|query| query.is_reachability(context)) {
                query.out_of_memory = true;
            }
        }
        self.show_walks(context);
        found
    }

    fn visit_states(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let compiled = context.compiled()?;
        let witness = self.queries.iter().any(|query| context.board.wants_witness(query.number));
        for query in self.queries.iter_mut().filter(|query| query.is_reachability(context)) {
            let Some(reachability) = query.reachability.filter(Reachability::is_about_deadlock) else { continue };
            // Stubborn sets leave out most of what does not lead to a deadlock.
            let found = match compiled.find_deadlock(&context.options(witness), &budget.part(1, 2)) {
                // Something else may be found all the same.
                Err(stop) if stop.is_time() || stop == StopReason::Exhausted(Exhausted::Memory) => continue,
                found => found?,
            };
            match found.trace {
                Some(trace) => {
                    query.reached(context, (Technique::Explicit, Some(found.stats)), &trace.path, context.budget);
                }
                None => context.board.found_in_all(query.number, !reachability.verdict_if_found, found.stats),
            }
        }
        // To see all states, where markings that are alike are one; and to find one soon.
        let mut out_of_time = Ok(());
        if let Some(symmetric) = self.symmetric(context) {
            let budget = budget.part(ALIKE.0, ALIKE.1);
            match self.visit_all(context, Some(&*symmetric), &budget) {
                Err(stop) if stop.is_time() => out_of_time = Err(stop),
                visited => visited?,
            }
        }
        self.visit_all(context, None, budget).and(out_of_time)
    }

    /// Visit states until all questions of reachability are decided.
    fn visit_all(
        &mut self,
        context: &Context<'a>,
        symmetric: Option<&(dyn Explicit<'a> + 'a)>,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        if !self.is_due(Phase::States, context) {
            return Ok(());
        }
        let engine = symmetric.map_or_else(|| context.compiled(), Ok)?;
        self.visit(context, |goal, report| engine.find_each(&context.options(false), budget, goal, report))
    }

    /// The questions that visiting states decides.
    pub(in crate::decide) fn of_reachability(&self, context: &Context<'_>) -> Vec<usize> {
        self.queries.iter().filter(|query| query.is_reachability(context)).map(|query| query.number).collect()
    }

    /// The same with the states in a folder. `progress` is told now and then how many there are so far.
    pub(in crate::decide) fn visit_on_disk(
        &mut self,
        context: &Context<'a>,
        disk: &Disk,
        progress: &mut dyn FnMut(u64),
    ) -> Result<OnDisk<()>, StopReason> {
        let engine = context.compiled()?;
        let options = explicit::Options { threads: context.settings.threads, ..context.options(false) };
        let mut known = None;
        let ended = self.visit(context, |goal, report| {
            let found = engine.find_on_disk(disk, &options, context.budget, goal, report, progress);
            let (ended, rest) = found.apart();
            known = Some(rest);
            ended
        });
        known.map(|known| OnDisk { ended, ..known }).ok_or(StopReason::Unsupported("nothing was looked for"))
    }

    /// The questions that labels of all states decide, and visiting states does not.
    pub(in crate::decide) fn of_labels(&self, context: &Context<'_>) -> Vec<usize> {
        let labelled = |query: &&FormulaQuestion<'a>| {
            query.labelled && context.board.is_open(query.number) && !query.is_reachability(context)
        };
        self.queries.iter().filter(labelled).map(|query| query.number).collect()
    }

    /// Decide these formulas with the states in a folder. `progress` is told now and then how many there are so far.
    pub(in crate::decide) fn label_on_disk(
        &self,
        context: &Context<'a>,
        numbers: &[usize],
        disk: &Disk,
        progress: &mut dyn FnMut(u64),
    ) -> Result<OnDisk<()>, StopReason> {
        let engine = context.compiled()?;
        let options = explicit::Options { threads: context.settings.threads, ..context.options(false) };
        let due: Vec<_> = self.queries.iter().filter(|query| numbers.contains(&query.number)).collect();
        let asked: Vec<_> = due.iter().map(|query| (query.formula, query.paths)).collect();
        let mut told = |at: usize, found: Result<(bool, explicit::Stats), StopReason>| match found {
            Ok((holds, stats)) => context.board.found_in_all(due[at].number, holds, stats),
            Err(stop) => context.board.fail(due[at].number, stop),
        };
        Ok(engine.check_on_disk(disk, &options, context.budget, (&self.pool, &asked), &mut told, progress))
    }

    /// Decide the questions of reachability, and these formulas, with the states on several machines: those that are decided
    /// by its end, in whichever way it comes. `progress` is told now and then how many there are so far.
    #[cfg(feature = "distributed")]
    pub(in crate::decide) fn decide_on_hosts(
        &mut self,
        context: &Context<'a>,
        labelled: &[usize],
        cluster: &Cluster,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Distributed<()>, ClusterError> {
        let engine = context.compiled()?;
        let options = explicit::Options { threads: context.settings.threads, ..context.options(false) };
        let due: Vec<_> = self.queries.iter().filter(|query| labelled.contains(&query.number)).collect();
        let (due, formulas): (Vec<_>, Vec<_>) =
            due.into_iter().map(|query| (query.number, (query.formula, query.paths))).unzip();
        let asked = self.queries.iter_mut().filter(|query| query.is_reachability(context));
        let asked: Vec<_> = asked.filter_map(|query| query.reachability.map(|goal| (query, goal))).collect();
        // All processes have to look for the same, in the same order: what differs makes other goals, or another order.
        let mut known_by = DefaultHasher::new();
        cluster.fingerprint.hash(&mut known_by);
        let symbols = Symbols::of(context.subject.model);
        let text_of = |pool: &Pool, formula: FormulaId| match pool.has_sets(formula) {
            true => Err(ClusterError::Refused("formulas that name sets are not asked of several machines".to_owned())),
            false => Ok(pool.display(formula, &symbols).to_string()),
        };
        for (_, goal) in &asked {
            let Reachability { condition, verdict_if_found, .. } = goal;
            let text = text_of(condition.pool, condition.formula)?;
            (text, goal.sought(), *verdict_if_found).hash(&mut known_by);
        }
        for &(formula, paths) in &formulas {
            (text_of(&self.pool, formula)?, paths.to_string()).hash(&mut known_by);
        }
        let cluster = &Cluster { fingerprint: known_by.finish(), ..cluster.clone() };
        let goals: Vec<_> =
            asked.iter().map(|&(_, goal)| move |state: explicit::View<'_>| goal.decided_by(&state)).collect();
        let goals: Vec<Condition<'_>> = goals.iter().map(|goal| goal as Condition<'_>).collect();
        let wanted = (&goals[..], (&self.pool, &formulas[..]));
        let (found, ended) = engine.find_distributed(cluster, wanted, &options, context.budget, progress)?;
        let replaying = match context.budget.check() {
            Ok(()) => context.budget.clone().or_at_least(REPLAYING, Budget::none()),
            Err(_) => Budget::unlimited().with_time(REPLAYING),
        };
        for (place, (query, goal)) in asked.into_iter().enumerate() {
            match found.traces.get(place) {
                Some(Some(trace)) => {
                    query.reached(context, (Technique::Explicit, Some(found.stats)), &trace.path, &replaying);
                }
                _ if !found.has_seen_all => {}
                _ if found.undefined[place] => query.reachability = None,
                _ => context.board.found_in_all(query.number, !goal.verdict_if_found, found.stats),
            }
        }
        for (number, verdict) in due.into_iter().zip(found.verdicts) {
            match verdict {
                Ok(holds) => context.board.found_in_all(number, holds, found.stats),
                Err(stop) => context.board.fail(number, stop),
            }
        }
        Ok(ended)
    }

    /// Decide the questions of reachability by a search for states that decide one.
    fn visit<E>(
        &mut self,
        context: &Context<'a>,
        find: impl FnOnce(Goal<'_>, Report<'_>) -> Result<Searched, E>,
    ) -> Result<(), E> {
        // Those of which a state was found, whether it led to an answer and a witness or not: nothing follows from there
        // being no other.
        let mut seen = Vec::new();
        let shared = Mutex::new(&mut *self);
        let mut goal = |view: explicit::View<'_>| {
            let Sought { open, decided } = lock(&shared).seek(context, Technique::Explicit, &view);
            !decided.is_empty() || !open
        };
        let mut report = |trace: &Trace, stats: &explicit::Stats| {
            let mut formulas = lock(&shared);
            for place in formulas.seek(context, Technique::Explicit, &trace.last).decided {
                let query = &mut formulas.queries[place];
                seen.push(query.number);
                query.reached(context, (Technique::Explicit, Some(*stats)), &trace.path, context.budget);
                // What this does not show no other state will.
                query.reachability = query.reachability.filter(|_| context.board.is_open(query.number));
            }
            formulas.is_due(Phase::States, context)
        };
        let found = find(&mut goal, &mut report)?;
        if found.trace.is_none() {
            // Every reachable state has been seen.
            for query in self.queries.iter().filter(|query| query.is_reachability(context)) {
                if let Some(reachability) = query.reachability
                    && !seen.contains(&query.number)
                {
                    context.board.found_in_all(query.number, !reachability.verdict_if_found, found.stats);
                }
            }
        }
        Ok(())
    }

    /// Decide questions of CTL on the fly, each within its part of the time.
    pub(super) fn search_locally(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let compiled = context.compiled()?;
        let mut left = self.queries.iter().filter(|query| query.is_local(context)).count();
        for query in self.queries.iter_mut().filter(|query| query.is_local(context)) {
            context.budget.check()?;
            let limited = budget.share(left).or_at_least(LEAST, context.budget);
            left -= 1;
            let limited = context.board.until_settled(query.number, &limited);
            let (formula, paths) = (query.formula, query.paths);
            let wants_witness = context.board.wants_witness(query.number);
            let options = explicit::Options { run: true, ..context.options(wants_witness) };
            let partially = context.settings.techniques.partial && query.is_beyond_states(context);
            let whole = limited;
            let limited = if partially { whole.part(PARTIALLY.0, PARTIALLY.1) } else { whole.clone() };
            match compiled.check_ctl(&self.pool, formula, paths, self.attempt, &options, &limited) {
                Ok(mut found) => {
                    query.passed = true;
                    // The path is one of the formula with its quantifiers moved.
                    let asked = query.of_run();
                    let is_about_runs = self.pool.is_about_runs(asked);
                    let is_broken = context.is_broken(Technique::Explicit) && is_about_runs;
                    if is_broken && self.pool.shown_by_run(asked, !found.holds) {
                        (found.holds, found.path) = (!found.holds, None);
                    }
                    let claim = Claim {
                        model: context.subject.model,
                        pool: &self.pool,
                        formula: asked,
                        holds: found.holds,
                        paths,
                    };
                    let confirmed = match &found.path {
                        Some(path) => confirm(claim, path, context.budget),
                        None => Err(Unconfirmed::Undecided),
                    };
                    if let Err(Unconfirmed::Broken(problem)) = &confirmed {
                        let (verdict, technique, problem) = (found.holds, Technique::Explicit, problem.clone());
                        let fault = Fault::Unconfirmed { verdict, technique, problem };
                        context.board.listener().faulty(query.number, fault);
                    }
                    // Where one run would show it, there is one. With quantifiers inside others the verdict rests on
                    // all that was looked at.
                    let of_run = is_about_runs && self.pool.shown_by_run(asked, found.holds);
                    if matches!(confirmed, Err(Unconfirmed::Broken(_))) || of_run && confirmed.is_err() {
                        query.memory_failures = FLOODS;
                        continue;
                    }
                    context.board.found_in_all(query.number, found.holds, found.stats);
                    let path = found.path.filter(|path| query.asked == query.linear && is_showable(context, path));
                    context.board.show(query.number, found.holds, path.as_ref());
                    let by_run = query.of_runs && query.is_running(context);
                    if context.board.wants_witness(query.number) && !by_run {
                        let pool = context.subject.pool;
                        let formula = if pool.logic(query.linear) <= Logic::Ctl { query.linear } else { query.asked };
                        let found = explain_locally(compiled, pool, query.paths, formula, &options, &limited);
                        if !matches!(found, Err(Unexplained::Stopped(_))) {
                            context.board.witness(query.number, found);
                        }
                    }
                }
                Err(stop @ StopReason::Exhausted(Exhausted::Cancelled)) => context.budget.check().map_err(|_| stop)?,
                Err(StopReason::Exhausted(why)) => {
                    // Another attempt goes another way.
                    query.memory_failures += u32::from(why == Exhausted::Memory);
                    if partially {
                        query.search_partially(context, compiled, &self.pool, self.attempt, &whole);
                    }
                }
                Err(_) => query.memory_failures = FLOODS,
            }
        }
        self.attempt.0 += 1;
        Ok(())
    }

    /// The labeller of open questions, with the graph as far as it is explored.
    fn labeller<'c>(&mut self, context: &'c Context<'a>, threads: usize) -> Labeller<'c, 'a> {
        let mut due = Vec::new();
        for (place, query) in self.queries.iter().enumerate().filter(|(_, query)| query.is_labelled(context, true)) {
            // Witnesses are about the formula as it was asked, if that is of CTL or LTL.
            let witness = context.board.wants_witness(query.number);
            let formula = match witness {
                true if self.pool.logic(query.linear) <= Logic::Ltl => query.linear,
                true => query.asked,
                false => query.formula,
            };
            let (number, paths, others) = (query.number, query.paths, query.is_running(context));
            due.push(Due { place, number, formula, paths, witness, others });
        }
        let graph = std::mem::replace(&mut self.graph, Graph::Unknown);
        let (pool, symmetric) = (self.pool.clone(), self.symmetric(context));
        Labeller { context, graph, pool, due, symmetric, threads, decided: Vec::new() }
    }

    fn labelled(&mut self, graph: Graph<'a>, decided: &[usize]) {
        self.graph = graph;
        decided.iter().for_each(|&place| self.queries[place].labelled = false);
    }

    /// Decide questions by labelling all states, and explain them.
    fn label_states(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let mut labeller = self.labeller(context, context.options(false).threads);
        let ended = labeller.run(budget);
        let (graph, decided) = labeller.end();
        self.labelled(graph, &decided);
        ended
    }

    /// The same, while one more thread searches for runs, at a pace that leaves the processors to those that explore.
    fn label_beside_runs(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let budget = &budget.clone().share_of_memory(2);
        let mut labeller = self.labeller(context, context.options(false).threads);
        let variables = context.subject.model.variables();
        let throttle = Throttle::new(SOON, RUNS_PART);
        let (labels, runs) = std::thread::scope(|scope| {
            let (labeller, throttle) = (&mut labeller, &throttle);
            let unwanted = Arc::new(AtomicBool::new(false));
            let wanted = budget.clone().with_flag(Arc::clone(&unwanted));
            let work = move || {
                let ended = with_deep_stack(variables, || labeller.run(&wanted));
                throttle.release();
                ended
            };
            let labels = std::thread::Builder::new().spawn_scoped(scope, work);
            if labels.is_err() {
                throttle.release();
            }
            let throttled = &budget.clone().with_throttle(Arc::clone(throttle));
            let runs = self.search_runs(context, throttled, 1).and(self.search_automata(context, throttled));
            unwanted.store(!self.is_due(Phase::Labels, context), Relaxed);
            // Where no thread could be had there may be one the next time.
            let ended = labels.map_or(Err(Exhausted::Work.into()), |labels| {
                labels.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            (ended, runs)
        });
        let (graph, decided) = labeller.end();
        self.labelled(graph, &decided);
        if let Err(stop) = &labels
            && !stop.is_time()
            && *stop != StopReason::Exhausted(Exhausted::Cancelled)
        {
            self.no_labelling = Some(stop.clone());
        }
        match (runs, labels) {
            (Ok(()), _) | (_, Ok(())) => Ok(()),
            (Err(stop), _) | (_, Err(stop)) if stop.is_time() => Err(stop),
            (runs, _) => runs,
        }
    }

    /// Decide questions of LTL, each within its part of the slice.
    fn search_runs(&mut self, context: &Context<'a>, budget: &Budget, threads: usize) -> Result<(), StopReason> {
        let mut left = self.queries.iter().filter(|query| query.is_running(context)).count();
        let mut out_of_time = Ok(());
        let first = self.tie_seed;
        self.tie_seed += GUIDED_ATTEMPTS;
        for query in self.queries.iter_mut().filter(|query| query.is_running(context)) {
            context.budget.check()?;
            let limited = budget.share(left).or_at_least(LEAST, context.budget);
            left -= 1;
            let limited = context.board.until_settled(query.number, &limited);
            let witness = context.board.wants_witness(query.number);
            let formula = if witness { query.linear } else { query.plain };
            let compiled = context.compiled()?;
            let mut check = |options: &explicit::Options, budget: &Budget| {
                explicit::check_ltl(compiled, &mut self.pool, formula, query.paths, options, budget)
            };
            let options =
                explicit::Options { threads, run: true, facts: Arc::clone(&self.facts), ..context.options(witness) };
            // A guided search finds a run soon or not at all, and then perhaps another time, in another way.
            let soon = limited.part(1, LED);
            let guided = context.settings.techniques.guidance && soon.remaining().is_some();
            let mut attempts = (0..GUIDED_ATTEMPTS).filter(|_| guided).map(|tie_seed| {
                let options = explicit::Options { guided: Some(first + tie_seed), ..options.clone() };
                check(&options, &soon.share((GUIDED_ATTEMPTS - tie_seed) as usize))
            });
            let is_over = |found: &Result<_, StopReason>| {
                matches!(found, Ok(_) | Err(StopReason::Exhausted(Exhausted::Cancelled)))
            };
            let found = attempts.find(is_over).unwrap_or_else(|| check(&options, &limited));
            match found {
                Ok(found) => {
                    query.running = false;
                    match query.decided_by_run(context, Technique::Explicit, &found, context.budget) {
                        Ok(()) | Err(Unconfirmed::Broken(_)) => {}
                        Err(Unconfirmed::Stopped(exhausted)) => out_of_time = Err(exhausted.into()),
                        Err(Unconfirmed::Undecided) => {
                            match query.decided_by_whole_run(context, &mut self.pool, &found, &options, &limited) {
                                Ok(()) => {}
                                Err(stop) if stop.is_time() => {
                                    query.running = true;
                                    out_of_time = Err(stop);
                                }
                                Err(stop) => context.board.fail(query.number, stop),
                            }
                        }
                    }
                }
                Err(stop) if stop.is_time() => out_of_time = Err(stop),
                Err(stop @ StopReason::Exhausted(Exhausted::Cancelled)) => context.budget.check().map_err(|_| stop)?,
                Err(stop) => {
                    query.running = false;
                    query.out_of_memory |= stop == StopReason::Exhausted(Exhausted::Memory);
                }
            }
        }
        out_of_time
    }

    /// Look for runs that automata accept.
    fn search_automata(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let is_wanted = |number: usize| context.board.is_open(number) || context.board.wants_witness(number);
        let mut left = self.automata.iter().filter(|&&number| is_wanted(number)).count();
        let mut out_of_time = Ok(());
        let mut hopeless = Vec::new();
        let asked: Vec<_> = context.board.questions().collect();
        for &number in &self.automata {
            let Question::Automaton { automaton, propositions, paths, accepted, .. } = &asked[number].1.question else {
                continue;
            };
            let accepted = *accepted;
            if !is_wanted(number) {
                continue;
            }
            let witness = context.board.wants_witness(number);
            let limited = budget.share(left.max(1));
            let limited = match witness {
                true => context.board.until_settled(number, &limited),
                false => context.board.until_answered(number, &limited),
            };
            left = left.saturating_sub(1);
            let product = Product { automaton, atoms: propositions, pool: &self.pool, paths: *paths };
            let options = explicit::Options { threads: for_runs(context), witness: true, ..context.options(false) };
            match context.compiled()?.find_accepting_run(product, &options, &limited) {
                Ok(Emptiness { empty: true, stats, .. }) => {
                    context.board.found_in_all(number, !accepted, stats);
                    context.board.show_accepted(number, None);
                }
                Ok(Emptiness { path, stats, .. }) => {
                    let how = (Technique::Explicit, Some(stats));
                    let unshown = Err(Unconfirmed::Undecided);
                    let board = &context.board;
                    let found = path
                        .as_ref()
                        .map_or(unshown, |path| board.found_by_run(number, accepted, how, path, context.budget));
                    if found.is_ok() {
                        board.show_accepted(number, path.as_ref());
                    } else {
                        context.board.fail(number, StopReason::Unsupported("the run that was found was not confirmed"));
                        // It would be found again.
                        hopeless.push(number);
                    }
                }
                Err(stop) if stop.is_time() => out_of_time = Err(stop),
                Err(stop @ StopReason::Exhausted(Exhausted::Cancelled)) => context.budget.check().map_err(|_| stop)?,
                Err(stop) => {
                    if matches!(stop, StopReason::Unsupported(_)) {
                        hopeless.push(number);
                    }
                    context.board.fail(number, stop);
                }
            }
        }
        self.automata.retain(|number| !hopeless.contains(number));
        out_of_time
    }
}
