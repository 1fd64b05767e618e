//! Formulas and automata state by state.
//!
//! Each round's slice is shared by what is due: searches on the fly for questions of CTL; visiting all states for those of
//! reachability; keeping them with their edges, to be labelled, for all of CTL\*; and searches for runs, for LTL and automata. A
//! formula that several of them suit (`AF p` is of CTL and of LTL) is tried by each.

use super::labels::{Due, Graph, Labeller};
use super::{Formulas, Query, Sought, is_showable};
use crate::budget::{Budget, Exhausted, Pace};
use crate::decide::case::Case;
use crate::decide::conditions::Reachability;
use crate::decide::{Question, Technique};
use crate::explicit::{self, Emptiness, Explicit, Product, Trace};
use crate::formula::{Logic, Pool};
use crate::halt::Halt;
use crate::mdd::with_deep_stack;
use crate::model::{Path, Then};
use crate::witness::{Claim, Unconfirmed, Unexplained, confirm, explain_locally};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What a search gets at least: what a slice leaves after others is not less than a small model takes.
const LEAST: Duration = Duration::from_millis(10);
/// So many threads search for a run faster than one: together they do about two and a half times its work.
const CREW: usize = 4;
/// The part of the time for visiting states that goes to those of which no two are alike, where there are such.
const ALIKE: (u32, u32) = (3, 4);
/// At least so much time for the first look at those: there may be very few.
const FIRST_LOOK: Duration = Duration::from_secs(2);
/// That is no more than this part of what is left.
const FIRST_LOOK_PART: u32 = 10;
/// After so many of them that ran out of memory there are no more.
const FLOODS: u32 = 6;
/// A search for runs beside threads that explore the graph goes on without waiting for so long, which finds most runs that there are;
/// and then for one part in so many of the time, so that exploring has nearly all processors and runs are found at most so many times
/// later.
const SOON: Duration = Duration::from_millis(25);
const RUNS_PART: u32 = 4;
/// The part of the time of a search for runs that led ones have, and how many there are.
const LED: u32 = 4;
const LOTS: u64 = 2;
/// The threads of a search for runs that has them all.
fn for_runs(case: &Case<'_>) -> usize {
    let threads = case.options(false).threads;
    if threads < CREW { 1 } else { threads }
}

/// What a goal and its report both change, one after the other.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is done in a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Locally,
    States,
    Labels,
    /// Both, side by side.
    LabelsAndRuns,
    Runs,
}

impl Query<'_> {
    /// Is it wanted, and decided by visiting states?
    fn is_reachability(&self, case: &Case<'_>) -> bool {
        self.total && self.looks(case)
    }

    /// Is it wanted, and decided by labelling all states? What a search for a run decides is labelled where the graph is known, or
    /// explored by several threads, who are faster at that than at runs.
    fn is_labelled(&self, case: &Case<'_>, is_known: bool) -> bool {
        let explained_by_run = self.of_runs && self.is_running(case) && !case.board.is_open(self.number);
        let by_run = !self.branching && self.is_running(case);
        let soon = is_known || case.options(false).threads > 1;
        let visited = self.total && self.reachability.is_some();
        self.labelled && self.is_wanted(case) && !visited && !explained_by_run && (!by_run || soon)
    }

    /// Is it open, and perhaps decided by a search on the fly?
    fn is_local(&self, case: &Case<'_>) -> bool {
        let wanted = if self.passed { case.board.is_open(self.number) } else { self.is_wanted(case) };
        self.branching && self.total && wanted && self.floods < FLOODS
    }

    /// Give what a search for runs has found: a run once it has been replayed; that there is none as it is.
    pub(super) fn decided_by_run(
        &self,
        case: &Case<'_>,
        technique: Technique,
        found: &explicit::Verdict,
        budget: &Budget,
    ) -> Result<(), Unconfirmed> {
        let how = (technique, Some(found.stats));
        if case.is_broken(technique) && case.subject.pool.shown_by_run(self.linear, !found.holds) {
            let path = Path { prefix: Vec::new(), then: Then::Deadlock };
            return case.board.found_by_run(self.number, !found.holds, how, &path, budget);
        }
        match (&found.path, case.subject.pool.shown_by_run(self.linear, found.holds)) {
            (Some(path), _) => {
                case.board.found_by_run(self.number, found.holds, how, path, budget)?;
                let path = Some(path).filter(|path| is_showable(case, path));
                case.board.show(self.number, found.holds, path);
            }
            // A run that is not shown is none.
            (None, true) => return Err(Unconfirmed::Undecided),
            (None, false) => case.board.found_in_all(self.number, found.holds, found.stats),
        }
        Ok(())
    }

    /// Give what a search has found whose run did not tell enough: a run to its end shows what its beginning does not, and a formula
    /// about greatest sums is told by the one that has their values.
    fn decided_by_whole_run(
        &self,
        case: &Case<'_>,
        pool: &mut Pool,
        found: &explicit::Verdict,
        options: &explicit::Options,
        budget: &Budget,
    ) -> Result<(), Halt> {
        let (engine, how) = (case.compiled()?, (Technique::Explicit, Some(found.stats)));
        let (valued, _) = explicit::substitute_bounds(engine, pool, self.linear, options, budget)?;
        let options = explicit::Options { witness: true, led: None, ..options.clone() };
        let whole = explicit::check_ltl(engine, pool, valued, self.paths, &options, budget)?;
        let unconfirmed = Halt::Unsupported("the run that was found was not confirmed");
        let Some(path) = whole.path else { return Err(unconfirmed) };
        let claim = Claim { model: case.subject.model, pool, formula: valued, holds: whole.holds, paths: self.paths };
        case.board.found_by_claim(self.number, how, claim, &path, case.budget).map_err(|_| unconfirmed)?;
        case.board.show(self.number, whole.holds, Some(&path).filter(|path| is_showable(case, path)));
        Ok(())
    }

    /// Is it wanted, and decided by the search for a run?
    pub(super) fn is_running(&self, case: &Case<'_>) -> bool {
        self.running && self.total && self.reachability.is_none() && self.is_wanted(case)
    }
}

impl<'a> Formulas<'a> {
    /// One slice of all searches. An error is why none of them could do more with more time, or that they could.
    pub(super) fn search(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        // With more memory than there was, states are looked at again.
        self.flooded_at = self.flooded_at.filter(|&reached| budget.memory().is_some_and(|memory| memory <= reached));
        // What goes on where it was comes before what begins anew.
        let mut open: Vec<Phase> = match matches!(self.graph, Graph::Growing(..)) {
            true => [Phase::Labels, Phase::Locally, Phase::States, Phase::Runs],
            false => [Phase::Locally, Phase::States, Phase::Labels, Phase::Runs],
        }
        .into();
        open.retain(|&phase| self.is_due(phase, case));
        if case.options(false).threads > 1
            && !matches!(self.graph, Graph::Whole(_))
            && open.contains(&Phase::Runs)
            && let Some(labels) = open.iter_mut().find(|phase| **phase == Phase::Labels)
        {
            *labels = Phase::LabelsAndRuns;
            open.retain(|&phase| phase != Phase::Runs);
        }
        let beyond =
            Halt::Unsupported("explicit search does not decide formulas that speak of steps inside of other formulas");
        let mut ended = Err(match self.queries.iter().any(|query| query.flooded && query.is_wanted(case)) {
            true => Exhausted::Memory.into(),
            false => self.no_labelling.clone().unwrap_or(beyond),
        });
        for (done, &phase) in open.iter().enumerate() {
            if !self.is_due(phase, case) {
                ended = Ok(());
                continue;
            }
            let memory = budget.memory();
            let mut budget = budget.share(open.len() - done);
            let keeps_graph = matches!(phase, Phase::Labels | Phase::LabelsAndRuns);
            if let Some(memory) = budget.memory().filter(|_| !keeps_graph) {
                budget = budget.with_memory(memory.saturating_sub(self.graph.bytes()));
            }
            if (phase == Phase::States || keeps_graph) && !self.has_looked && self.alike(case).is_some() {
                let least = case.budget.remaining().map_or(FIRST_LOOK, |left| FIRST_LOOK.min(left / FIRST_LOOK_PART));
                budget = budget.or_at_least(least, case.budget);
            }
            let result = match phase {
                Phase::Locally => self.search_locally(case, &budget),
                Phase::States => self.search_states(case, &budget),
                Phase::Labels => self.label_states(case, &budget),
                Phase::LabelsAndRuns => self.label_beside_runs(case, &budget),
                Phase::Runs => self.search_runs(case, &budget, for_runs(case)).and(self.search_automata(case, &budget)),
            };
            match result {
                Ok(()) => ended = Ok(()),
                Err(halt) if halt.is_time() => ended = Ok(()),
                Err(halt @ Halt::Exhausted(Exhausted::Cancelled)) => {
                    case.budget.check()?;
                    ended = ended.or(Err(halt));
                }
                Err(halt) => {
                    if phase == Phase::Labels {
                        self.no_labelling = Some(halt.clone());
                    }
                    if phase == Phase::States && halt == Halt::Exhausted(Exhausted::Memory) {
                        self.flooded_at = memory;
                    }
                    ended = ended.or(Err(halt));
                }
            }
        }
        self.has_looked = true;
        ended
    }

    /// Is a single search for a run all that there is to be done?
    pub(super) fn is_one_run(&self, case: &Case<'_>) -> bool {
        let wanted: Vec<&Query<'_>> = self.queries.iter().filter(|query| query.is_wanted(case)).collect();
        let phases = [Phase::Locally, Phase::States, Phase::Labels, Phase::Runs];
        let due: Vec<Phase> = phases.into_iter().filter(|&phase| self.is_due(phase, case)).collect();
        let is_run = matches!(due[..], [Phase::Runs] | [Phase::Labels, Phase::Runs]);
        is_run && wanted.len() == 1 && self.automata.is_empty()
    }

    /// Is there something to be done in this phase?
    fn is_due(&self, phase: Phase, case: &Case<'_>) -> bool {
        let mut queries = self.queries.iter();
        match phase {
            Phase::Locally => queries.any(|query| query.is_local(case)),
            Phase::States => self.flooded_at.is_none() && queries.any(|query| query.is_reachability(case)),
            Phase::Labels => {
                let is_known = matches!(self.graph, Graph::Whole(_));
                self.no_labelling.is_none() && queries.any(|query| query.is_labelled(case, is_known))
            }
            Phase::LabelsAndRuns => self.is_due(Phase::Labels, case) || self.is_due(Phase::Runs, case),
            Phase::Runs => {
                let automata = self.automata.iter().any(|&number| case.board.is_open(number));
                automata || queries.any(|query| query.is_running(case))
            }
        }
    }

    /// Decide questions of reachability by visiting states until all are decided. What walks have found is shown if
    /// nothing shorter is found soon.
    fn search_states(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let found = self.visit_states(case, budget);
        if found == Err(Halt::Exhausted(Exhausted::Memory)) {
            for query in self.queries.iter_mut().filter(|query| query.is_reachability(case)) {
                query.flooded = true;
            }
        }
        self.show_walks(case);
        found
    }

    fn visit_states(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let compiled = case.compiled()?;
        let witness = self.queries.iter().any(|query| case.board.wants_witness(query.number));
        for query in self.queries.iter_mut().filter(|query| query.is_reachability(case)) {
            let Some(reachability) = query.reachability.filter(Reachability::is_about_deadlock) else { continue };
            // Stubborn sets leave out most of what does not lead to a deadlock.
            let found = match compiled.find_deadlock(&case.options(witness), &budget.part(1, 2)) {
                // Something else may be found all the same.
                Err(halt) if halt.is_time() || halt == Halt::Exhausted(Exhausted::Memory) => continue,
                found => found?,
            };
            match found.trace {
                Some(trace) => {
                    query.reached(case, (Technique::Explicit, Some(found.stats)), &trace.path);
                }
                None => case.board.found_in_all(query.number, !reachability.verdict_if_found, found.stats),
            }
        }
        // To see all states, where markings that are alike are one; and to find one soon.
        let mut out_of_time = Ok(());
        if let Some(alike) = self.alike(case) {
            let budget = budget.part(ALIKE.0, ALIKE.1);
            match self.visit_all(case, Some(&*alike), &budget) {
                Err(halt) if halt.is_time() => out_of_time = Err(halt),
                visited => visited?,
            }
        }
        self.visit_all(case, None, budget).and(out_of_time)
    }

    /// Visit states until all questions of reachability are decided.
    fn visit_all(
        &mut self,
        case: &Case<'a>,
        alike: Option<&(dyn Explicit<'a> + 'a)>,
        budget: &Budget,
    ) -> Result<(), Halt> {
        if !self.is_due(Phase::States, case) {
            return Ok(());
        }
        let engine = alike.map_or_else(|| case.compiled(), Ok)?;
        // Those of which a state was found that did not lead to an answer: nothing follows from there being no other.
        let mut undecided = Vec::new();
        let shared = Mutex::new(&mut *self);
        let mut goal = |view: explicit::View<'_>| {
            let Sought { open, decided } = lock(&shared).seek(case, Technique::Explicit, &view);
            !decided.is_empty() || !open
        };
        let mut report = |trace: &Trace, stats: &explicit::Stats| {
            let mut formulas = lock(&shared);
            for place in formulas.seek(case, Technique::Explicit, &trace.last).decided {
                let query = &mut formulas.queries[place];
                if !query.reached(case, (Technique::Explicit, Some(*stats)), &trace.path) {
                    undecided.push(query.number);
                    // What this does not show no other state will.
                    query.reachability = query.reachability.filter(|_| case.board.is_open(query.number));
                }
            }
            formulas.is_due(Phase::States, case)
        };
        let found = engine.find_each(&case.options(false), budget, &mut goal, &mut report)?;
        if found.trace.is_none() {
            // Every reachable state has been seen.
            for query in self.queries.iter().filter(|query| query.is_reachability(case)) {
                if let Some(reachability) = query.reachability
                    && !undecided.contains(&query.number)
                {
                    case.board.found_in_all(query.number, !reachability.verdict_if_found, found.stats);
                }
            }
        }
        Ok(())
    }

    /// Decide questions of CTL on the fly, each within its part of the time.
    pub(super) fn search_locally(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let compiled = case.compiled()?;
        let mut left = self.queries.iter().filter(|query| query.is_local(case)).count();
        for query in self.queries.iter_mut().filter(|query| query.is_local(case)) {
            case.budget.check()?;
            let limited = budget.share(left).or_at_least(LEAST, case.budget);
            left -= 1;
            let limited = case.board.until_settled(query.number, &limited);
            let (formula, paths) = (query.formula, query.paths);
            let wants_witness = case.board.wants_witness(query.number);
            let options = explicit::Options { run: true, ..case.options(wants_witness) };
            match compiled.check_ctl(&self.pool, formula, paths, self.attempt, &options, &limited) {
                Ok(mut found) => {
                    query.passed = true;
                    // The path is one of the formula with its quantifiers moved.
                    let asked = if query.asked == query.linear { query.linear } else { formula };
                    let is_about_runs = self.pool.is_about_runs(asked);
                    let is_broken = case.is_broken(Technique::Explicit) && is_about_runs;
                    if is_broken && self.pool.shown_by_run(asked, !found.holds) {
                        (found.holds, found.path) = (!found.holds, None);
                    }
                    let claim = Claim {
                        model: case.subject.model,
                        pool: &self.pool,
                        formula: asked,
                        holds: found.holds,
                        paths,
                    };
                    let confirmed = match &found.path {
                        Some(path) => confirm(claim, path, case.budget),
                        None => Err(Unconfirmed::Undecided),
                    };
                    if let Err(Unconfirmed::Broken(problem)) = &confirmed {
                        let listener = case.board.listener();
                        listener.unconfirmed(query.number, found.holds, Technique::Explicit, problem);
                    }
                    // Where one run would show it, there is one. With quantifiers inside others the verdict rests on all that was looked at.
                    let of_run = is_about_runs && self.pool.shown_by_run(asked, found.holds);
                    if matches!(confirmed, Err(Unconfirmed::Broken(_))) || of_run && confirmed.is_err() {
                        query.floods = FLOODS;
                        continue;
                    }
                    case.board.found_in_all(query.number, found.holds, found.stats);
                    let path = found.path.filter(|path| query.asked == query.linear && is_showable(case, path));
                    case.board.show(query.number, found.holds, path.as_ref());
                    let by_run = query.of_runs && query.is_running(case);
                    if case.board.wants_witness(query.number) && !by_run {
                        let pool = case.subject.pool;
                        let formula = if pool.logic(query.linear) <= Logic::Ctl { query.linear } else { query.asked };
                        let found = explain_locally(compiled, pool, query.paths, formula, &options, &limited);
                        if !matches!(found, Err(Unexplained::Stopped(_))) {
                            case.board.witness(query.number, found);
                        }
                    }
                }
                Err(halt @ Halt::Exhausted(Exhausted::Cancelled)) => case.budget.check().map_err(|_| halt)?,
                // Another attempt goes another way.
                Err(Halt::Exhausted(Exhausted::Memory)) => query.floods += 1,
                Err(Halt::Exhausted(_)) => {}
                Err(_) => query.floods = FLOODS,
            }
        }
        self.attempt.0 += 1;
        Ok(())
    }

    /// What labels decide, with the graph as far as it is.
    fn labeller<'c>(&mut self, case: &'c Case<'a>, threads: usize) -> Labeller<'c, 'a> {
        let mut due = Vec::new();
        for (place, query) in self.queries.iter().enumerate().filter(|(_, query)| query.is_labelled(case, true)) {
            // Witnesses are about the formula as it was asked, if that is of CTL or LTL.
            let witness = case.board.wants_witness(query.number);
            let formula = match witness {
                true if self.pool.logic(query.linear) <= Logic::Ltl => query.linear,
                true => query.asked,
                false => query.formula,
            };
            let (number, paths, others) = (query.number, query.paths, query.is_running(case));
            due.push(Due { place, number, formula, paths, witness, others });
        }
        let graph = std::mem::replace(&mut self.graph, Graph::Unknown);
        let (pool, alike) = (self.pool.clone(), self.alike(case));
        Labeller { case, graph, pool, due, alike, threads, decided: Vec::new() }
    }

    fn labelled(&mut self, graph: Graph<'a>, decided: &[usize]) {
        self.graph = graph;
        decided.iter().for_each(|&place| self.queries[place].labelled = false);
    }

    /// Decide questions by labelling all states, and explain them.
    fn label_states(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let mut labeller = self.labeller(case, case.options(false).threads);
        let ended = labeller.run(budget);
        let (graph, decided) = labeller.end();
        self.labelled(graph, &decided);
        ended
    }

    /// The same, while one more thread searches for runs, at a pace that leaves the processors to those that explore.
    fn label_beside_runs(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let budget = &budget.clone().share_of_memory(2);
        let mut labeller = self.labeller(case, case.options(false).threads);
        let variables = case.subject.model.variables();
        let pace = Pace::new(SOON, RUNS_PART);
        let (labels, runs) = std::thread::scope(|scope| {
            let (labeller, pace) = (&mut labeller, &pace);
            let unwanted = Arc::new(AtomicBool::new(false));
            let wanted = budget.clone().with_flag(Arc::clone(&unwanted));
            let work = move || {
                let ended = with_deep_stack(variables, || labeller.run(&wanted));
                pace.release();
                ended
            };
            let labels = std::thread::Builder::new().spawn_scoped(scope, work);
            if labels.is_err() {
                pace.release();
            }
            let paced = &budget.clone().with_pace(Arc::clone(pace));
            let runs = self.search_runs(case, paced, 1).and(self.search_automata(case, paced));
            unwanted.store(!self.is_due(Phase::Labels, case), Relaxed);
            // Where no thread could be had there may be one the next time.
            let ended = labels.map_or(Err(Exhausted::Work.into()), |labels| {
                labels.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            (ended, runs)
        });
        let (graph, decided) = labeller.end();
        self.labelled(graph, &decided);
        if let Err(halt) = &labels
            && !halt.is_time()
            && *halt != Halt::Exhausted(Exhausted::Cancelled)
        {
            self.no_labelling = Some(halt.clone());
        }
        match (runs, labels) {
            (Ok(()), _) | (_, Ok(())) => Ok(()),
            (Err(halt), _) | (_, Err(halt)) if halt.is_time() => Err(halt),
            (runs, _) => runs,
        }
    }

    /// Decide questions of LTL, each within its part of the slice.
    fn search_runs(&mut self, case: &Case<'a>, budget: &Budget, threads: usize) -> Result<(), Halt> {
        let mut left = self.queries.iter().filter(|query| query.is_running(case)).count();
        let mut out_of_time = Ok(());
        let first = self.lots;
        self.lots += LOTS;
        for query in self.queries.iter_mut().filter(|query| query.is_running(case)) {
            case.budget.check()?;
            let limited = budget.share(left).or_at_least(LEAST, case.budget);
            left -= 1;
            let limited = case.board.until_settled(query.number, &limited);
            let witness = case.board.wants_witness(query.number);
            let formula = if witness { query.linear } else { query.plain };
            let compiled = case.compiled()?;
            let mut check = |options: &explicit::Options, budget: &Budget| {
                explicit::check_ltl(compiled, &mut self.pool, formula, query.paths, options, budget)
            };
            let options =
                explicit::Options { threads, run: true, facts: Arc::clone(&self.facts), ..case.options(witness) };
            // What is led finds a run soon or not at all, and then perhaps another time, in another way.
            let soon = limited.part(1, LED);
            let led = case.settings.ideas.leads && soon.remaining().is_some();
            let mut attempts = (0..LOTS).filter(|_| led).map(|lots| {
                let options = explicit::Options { led: Some(first + lots), ..options.clone() };
                check(&options, &soon.share((LOTS - lots) as usize))
            });
            let is_over = |found: &Result<_, Halt>| matches!(found, Ok(_) | Err(Halt::Exhausted(Exhausted::Cancelled)));
            let found = attempts.find(is_over).unwrap_or_else(|| check(&options, &limited));
            match found {
                Ok(found) => {
                    query.running = false;
                    match query.decided_by_run(case, Technique::Explicit, &found, case.budget) {
                        Ok(()) | Err(Unconfirmed::Broken(_)) => {}
                        Err(Unconfirmed::Stopped(exhausted)) => out_of_time = Err(exhausted.into()),
                        Err(Unconfirmed::Undecided) => {
                            match query.decided_by_whole_run(case, &mut self.pool, &found, &options, &limited) {
                                Ok(()) => {}
                                Err(halt) if halt.is_time() => {
                                    query.running = true;
                                    out_of_time = Err(halt);
                                }
                                Err(halt) => case.board.fail(query.number, halt),
                            }
                        }
                    }
                }
                Err(halt) if halt.is_time() => out_of_time = Err(halt),
                Err(halt @ Halt::Exhausted(Exhausted::Cancelled)) => case.budget.check().map_err(|_| halt)?,
                Err(halt) => {
                    query.running = false;
                    query.flooded |= halt == Halt::Exhausted(Exhausted::Memory);
                }
            }
        }
        out_of_time
    }

    /// Look for runs that automata accept.
    fn search_automata(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let mut left = self.automata.iter().filter(|&&number| case.board.is_open(number)).count();
        let mut out_of_time = Ok(());
        let mut unconfirmed = Vec::new();
        let asked: Vec<_> = case.board.questions().collect();
        for &number in &self.automata {
            let Question::Automaton { automaton, propositions, paths } = &asked[number].1.question else { continue };
            if !case.board.is_open(number) {
                continue;
            }
            let limited = case.board.until_answered(number, &budget.share(left));
            left -= 1;
            let product = Product { automaton, atoms: propositions, pool: &self.pool, paths: *paths };
            let options = explicit::Options { threads: for_runs(case), witness: true, ..case.options(false) };
            match case.compiled()?.find_accepting_run(product, &options, &limited) {
                Ok(Emptiness { empty: true, stats, .. }) => case.board.found_in_all(number, false, stats),
                Ok(Emptiness { path, stats, .. }) => {
                    let how = (Technique::Explicit, Some(stats));
                    let unshown = Err(Unconfirmed::Undecided);
                    let found =
                        path.map_or(unshown, |path| case.board.found_by_run(number, true, how, &path, case.budget));
                    if found.is_err() {
                        case.board.fail(number, Halt::Unsupported("the run that was found was not confirmed"));
                        // It would be found again.
                        unconfirmed.push(number);
                    }
                }
                Err(halt) if halt.is_time() => out_of_time = Err(halt),
                Err(halt @ Halt::Exhausted(Exhausted::Cancelled)) => case.budget.check().map_err(|_| halt)?,
                Err(halt) => case.board.fail(number, halt),
            }
        }
        self.automata.retain(|number| !unconfirmed.contains(number));
        out_of_time
    }
}
