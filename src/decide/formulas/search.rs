//! Formulas and automata state by state.
//!
//! Each round's slice is shared by what is due: searches on the fly for questions of CTL; visiting all states for those of
//! reachability; keeping them with their edges, to be labelled, for all of CTL\*; and searches for runs, for LTL and automata. A
//! formula that several of them suit (`AF p` is of CTL and of LTL) is tried by each.

use super::super::case::Case;
use super::super::valuation::Reachability;
use super::super::{Question, Technique};
use super::{Formulas, Query, is_showable};
use crate::budget::{Budget, Exhausted};
use crate::explicit::{self, Explicit, Growing, Labelling, Product, Trace};
use crate::formula::Logic;
use crate::halt::Halt;
use crate::witness::{Unexplained, explain_by_labels, explain_locally};
use std::time::{Duration, Instant};

/// The reachability graph.
pub(super) enum Graph<'a> {
    /// Nothing is known of it.
    Unknown,
    /// It is being explored, for so long.
    Growing(Box<dyn Growing<'a> + 'a>, Duration),
    /// It is known.
    Whole(Labelling<'a>),
}

impl Graph<'_> {
    /// Has a search, breadth first, passed where it is widest? Then about as much is left as has been done.
    fn is_ending(&self) -> bool {
        match self {
            Graph::Growing(graph, _) => graph.growth().waiting * PAST.1 < graph.growth().widest * PAST.0,
            _ => false,
        }
    }

    /// What an unfinished one keeps, in bytes.
    fn bytes(&self) -> u64 {
        match self {
            Graph::Growing(graph, _) => graph.growth().bytes,
            _ => 0,
        }
    }
}

/// What a search gets at least: what a slice leaves after others is not less than a small model takes.
const LEAST: Duration = Duration::from_millis(10);
/// So many threads search for a run faster than one: together they do about two and a half times its work.
const CREW: usize = 4;
/// So many states can be visited one by one in a few seconds, and kept with their edges.
const FEW: u64 = 4_000_000;
/// The part of the time for visiting states that goes to those of which no two are alike, where there are such.
const ALIKE: (u32, u32) = (3, 4);
/// At least so much time for the first look at those: there may be very few.
const FIRST_LOOK: Duration = Duration::from_secs(2);
/// That is no more than this part of what is left.
const FIRST_LOOK_PART: u32 = 10;
/// After so many of them that ran out of memory there are no more.
const FLOODS: u32 = 6;
/// The part of what is left of the budget that labelling a graph of few states may take, or one that is nearly explored.
const LABELLING: u32 = 2;
/// A search is past its widest level when the next one has less than so many parts of that.
const PAST: (u64, u64) = (3, 4);
/// The parts of a slice for a graph that several threads explore, where one for each other search is left.
const GRAPH: u32 = 3;
/// The part of the memory that a graph may keep while other ways have their turns.
const KEPT: u64 = 4;

/// Options of searches for runs.
fn for_runs(case: &Case<'_>, witness: bool) -> explicit::Options {
    let options = case.options(witness);
    let threads = if options.threads < CREW { 1 } else { options.threads };
    explicit::Options { threads, ..options }
}

/// What is done in a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Locally,
    States,
    Labels,
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

    /// Is it wanted, and decided by the search for a run?
    fn is_running(&self, case: &Case<'_>) -> bool {
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
        let beyond =
            Halt::Unsupported("explicit search does not decide formulas that speak of steps inside of other formulas");
        let mut ended = Err(match self.queries.iter().any(|query| query.flooded && query.is_wanted(case)) {
            true => Exhausted::Memory.into(),
            false => self.no_labelling.clone().unwrap_or(beyond),
        });
        let threads = case.options(false).threads;
        for (done, &phase) in open.iter().enumerate() {
            if !self.is_due(phase, case) {
                ended = Ok(());
                continue;
            }
            let memory = budget.memory();
            let others = (open.len() - done) as u32 - 1;
            // Of several threads one searches for runs.
            let parts = if phase == Phase::Labels && open.contains(&Phase::Runs) && threads > 1 { GRAPH } else { 1 };
            let mut budget = budget.part(parts, parts + others);
            if let Some(memory) = budget.memory().filter(|_| phase != Phase::Labels) {
                budget = budget.with_memory(memory.saturating_sub(self.graph.bytes()));
            }
            if matches!(phase, Phase::States | Phase::Labels) && !self.has_looked && self.alike(case).is_some() {
                let least = case.budget.remaining().map_or(FIRST_LOOK, |left| FIRST_LOOK.min(left / FIRST_LOOK_PART));
                budget = budget.or_at_least(least, case.budget);
            }
            let result = match phase {
                Phase::Locally => self.search_locally(case, &budget),
                Phase::States => self.search_states(case, &budget),
                Phase::Labels => self.label_states(case, &budget),
                Phase::Runs => self.search_runs(case, &budget).and(self.search_automata(case, &budget)),
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
        let due = phases.into_iter().filter(|&phase| self.is_due(phase, case));
        due.eq([Phase::Runs]) && wanted.len() == 1 && self.automata.is_empty()
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
        for query in self.queries.iter().filter(|query| query.is_reachability(case)) {
            let Some(reachability) = query.reachability.filter(Reachability::is_about_deadlock) else { continue };
            // Stubborn sets leave out most of what does not lead to a deadlock.
            let found = match compiled.find_deadlock(&case.options(witness), &budget.part(1, 2)) {
                // Something else may be found all the same.
                Err(halt) if halt.is_time() || halt == Halt::Exhausted(Exhausted::Memory) => continue,
                found => found?,
            };
            let verdict = found.trace.is_some() == reachability.verdict_if_found;
            let path = found.trace.map(|trace| trace.path).filter(|path| is_showable(case, path));
            case.board.found(query.number, verdict, found.stats, path.as_ref());
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
        while self.is_due(Phase::States, case) && self.visit(case, alike, budget)? {}
        Ok(())
    }

    /// Visit states until one decides what wants a path to it, or all questions of reachability are decided. True if
    /// there may be more to decide.
    fn visit(
        &mut self,
        case: &Case<'a>,
        alike: Option<&(dyn Explicit<'a> + 'a)>,
        budget: &Budget,
    ) -> Result<bool, Halt> {
        let mut look = |view: explicit::View<'_>| {
            let look = self.look_at(case, &view, Technique::Explicit, None);
            look.unshown || !look.open
        };
        let found = alike.map_or_else(|| case.compiled(), Ok)?.find(&case.options(false), budget, &mut look)?;
        for query in self.queries.iter_mut().filter(|query| query.is_reachability(case)) {
            let Some(reachability) = query.reachability else { continue };
            let verdict = reachability.verdict_if_found;
            match &found.trace {
                // Every reachable state has been seen, and none of them decided.
                None => case.board.found(query.number, !verdict, found.stats, None),
                // It ends in the state that was the last to decide something.
                Some(Trace { path, last })
                    if reachability.decided_by(last) == Some(true) && is_showable(case, path) =>
                {
                    case.board.show(query.number, verdict, Some(path));
                    // What this does not show no other state will.
                    query.reachability = None;
                }
                Some(_) => {}
            }
        }
        Ok(found.trace.is_some_and(|trace| is_showable(case, &trace.path)))
    }

    /// Decide questions of CTL on the fly, each within its part of the time.
    fn search_locally(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let compiled = case.compiled()?;
        let mut left = self.queries.iter().filter(|query| query.is_local(case)).count();
        for query in self.queries.iter_mut().filter(|query| query.is_local(case)) {
            case.budget.check()?;
            let limited = budget.share(left).or_at_least(LEAST, case.budget);
            left -= 1;
            let limited = case.board.until_settled(query.number, &limited);
            let (formula, paths) = (query.formula, query.paths);
            let options = case.options(case.board.wants_witness(query.number));
            match compiled.check_ctl(&self.pool, formula, paths, self.attempt, &options, &limited) {
                Ok(found) => {
                    // The path is one of the formula with its quantifiers moved.
                    let path = found.path.filter(|path| query.asked == query.linear && is_showable(case, path));
                    case.board.found(query.number, found.holds, found.stats, path.as_ref());
                    query.passed = true;
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

    /// Decide questions by labelling all states, and explain them.
    fn label_states(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let few = case.board.states().is_some_and(|states| states <= FEW);
        let longer = case.budget.part(1, LABELLING).with_memory_of(budget);
        let budget = if few { &longer } else { budget };
        let mut labelling = self.explore(case, budget, &longer)?;
        // Each label takes time linear in a graph that is known.
        let budget = &case.budget.part(1, LABELLING).with_memory_of(budget);
        let mut ended = Ok(());
        for query in self.queries.iter_mut().filter(|query| query.is_labelled(case, true)) {
            // Witnesses are about the formula as it was asked, if that is of CTL or LTL.
            let witness = case.board.wants_witness(query.number);
            let formula = match witness {
                true if self.pool.logic(query.linear) <= Logic::Ltl => query.linear,
                true => query.asked,
                false => query.formula,
            };
            let labels = match labelling.label(&self.pool, formula, query.paths, budget) {
                Ok(labels) => labels,
                Err(halt @ Halt::Exhausted(_)) => {
                    ended = Err(halt);
                    break;
                }
                Err(halt) => {
                    case.board.fail(query.number, halt);
                    query.labelled = false;
                    continue;
                }
            };
            query.labelled = false;
            let Some(holds) = labels.of(formula).map(|labels| labels.holds_initially()) else { continue };
            case.board.found(query.number, holds, labelling.stats(), None);
            if witness && case.board.wants_witness(query.number) {
                let model = case.subject.model;
                let found = explain_by_labels(model, case.subject.pool, &labelling, &labels, formula, budget);
                case.board.witness(query.number, found);
            }
        }
        self.graph = Graph::Whole(labelling);
        ended
    }

    /// The reachability graph. If the search for it does not end within the budget it goes on the next time; when it is
    /// about to end, it may take as long again, but no longer than this.
    fn explore(&mut self, case: &Case<'a>, budget: &Budget, longer: &Budget) -> Result<Labelling<'a>, Halt> {
        let ending = self.graph.is_ending();
        let (mut graph, spent) = match std::mem::replace(&mut self.graph, Graph::Unknown) {
            Graph::Whole(labelling) => return Ok(labelling),
            Graph::Growing(graph, spent) => (graph, spent),
            Graph::Unknown => {
                let alike = self.alike(case);
                let compiled = alike.as_deref().map_or_else(|| case.compiled(), Ok)?;
                (compiled.graph(&case.options(false), budget)?, Duration::ZERO)
            }
        };
        let budget = if ending { budget.clone().or_at_least(spent, longer) } else { budget.clone() };
        let started = Instant::now();
        match graph.go_on(&budget) {
            Ok(()) => graph.finish(longer),
            Err(halt) => {
                let small = budget.memory().is_none_or(|limit| graph.growth().bytes * KEPT < limit);
                if halt.is_time() && (ending || small) {
                    self.graph = Graph::Growing(graph, spent + started.elapsed());
                }
                Err(halt)
            }
        }
    }

    /// Decide questions of LTL, each within its part of the slice.
    fn search_runs(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let mut left = self.queries.iter().filter(|query| query.is_running(case)).count();
        let mut out_of_time = Ok(());
        for query in self.queries.iter_mut().filter(|query| query.is_running(case)) {
            case.budget.check()?;
            let limited = budget.share(left).or_at_least(LEAST, case.budget);
            left -= 1;
            let limited = case.board.until_settled(query.number, &limited);
            let witness = case.board.wants_witness(query.number);
            let formula = if witness { query.linear } else { query.plain };
            let (compiled, options) = (case.compiled()?, for_runs(case, witness));
            match explicit::check_ltl(compiled, &mut self.pool, formula, query.paths, &options, &limited) {
                Ok(found) => {
                    let path = found.path.filter(|path| is_showable(case, path));
                    case.board.found(query.number, found.holds, found.stats, path.as_ref());
                    query.running = false;
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
        let asked: Vec<_> = case.board.questions().collect();
        for &number in &self.automata {
            let Question::Automaton { automaton, propositions, paths } = &asked[number].1.question else { continue };
            if !case.board.is_open(number) {
                continue;
            }
            let limited = case.board.until_answered(number, &budget.share(left));
            left -= 1;
            let product = Product { automaton, atoms: propositions, pool: &self.pool, paths: *paths };
            match case.compiled()?.find_accepting_run(product, &for_runs(case, false), &limited) {
                Ok(found) => case.board.found(number, !found.empty, found.stats, None),
                Err(halt) if halt.is_time() => out_of_time = Err(halt),
                Err(halt @ Halt::Exhausted(Exhausted::Cancelled)) => case.budget.check().map_err(|_| halt)?,
                Err(halt) => case.board.fail(number, halt),
            }
        }
        out_of_time
    }
}
