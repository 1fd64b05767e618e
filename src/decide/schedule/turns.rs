//! The ways that take turns, in slices of time that grow from round to round.
//!
//! A way that cannot succeed with more time (out of memory, unbounded, unsupported question) drops out. The run ends
//! when nothing is wanted any more, the budget is used up, or only random walks are left.
//!
//! **Models with infinitely many states.** Once that is known the diagrams are given up, and the rest is bounded even
//! where the caller sets no limit of time ([`INFINITE_TIME`], [`INFINITE_MEMORY`]): what is true of infinitely many
//! states is decided soon, by structure, linear programs, a coverability graph, a path or few tokens, or not at all.

use super::solvers::property_solvers;
use super::together;
use crate::budget::{Budget, Exhausted};
use crate::decide::board::Board;
use crate::decide::conditions::{Structure, Walk};
use crate::decide::context::Context;
use crate::decide::profile::Step;
use crate::decide::properties::PropertySolver;
use crate::decide::settings::{Settings, Ways};
use crate::decide::smaller::skeleton::Skeletal;
use crate::decide::solver::Solver;
use crate::net::PetriNet;
use crate::stop_reason::StopReason;
use crate::structure::{Coverability, Effort};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// By how much slices grow from round to round.
const GROWTH: u32 = 4;
/// By how much the work of a coverability search grows while no place is known to be unbounded.
const GROWTH_BOUNDED: u32 = 2;
/// The slices that all questions together have for nets of their own.
const REDUCTION: u32 = 4;
/// Once slices are so long, a search for numbers goes on, though a coverability graph might still tell more.
const COVERED: Duration = Duration::from_millis(1_500);
/// The part of a slice that goes to random walks.
const WALKS: u32 = 4;
/// The part of a slice that goes to more linear programs.
const PROGRAMS: u32 = 2;
/// A first look whether the net is unbounded, and the coverability search of the first round; later ones grow with
/// the slices.
const FIRST_COVER: Effort = Effort { rows: 500, work: 1_000_000 };
const COVER: Effort = Effort { rows: 20_000, work: 20_000_000 };
/// The part of that for walks where no place is known to be unbounded.
const BOUNDED: u64 = 8;
/// Limits for models with infinitely many states where the caller sets no time.
const INFINITE_TIME: Duration = Duration::from_secs(10);
const INFINITE_MEMORY: u64 = 512 << 20;
/// Passes beyond memory take as long again as what was before them, and at least so long, where the caller sets no
/// time.
const PASSES: Duration = Duration::from_secs(10);

/// Why search does not take part.
const LEFT_OUT: StopReason = StopReason::Unsupported("search was left out");
const NOT_BY_BITS: StopReason =
    StopReason::Unsupported("satisfiability, which is for properties of SMV programs, has not decided this question");

/// Let the ways take turns; `solver` answers questions about other models, and `beside` tells when the diagrams have
/// ended, if they are at work. An error is why nothing more can be done.
pub(super) fn run<'a>(
    board: &'a Board<'a>,
    (settings, budget): (&'a Settings<'a>, &'a Budget),
    solver: &'a dyn Solver,
    slice: Duration,
    beside: Option<&mpsc::Receiver<Result<(), StopReason>>>,
) -> Result<(), StopReason> {
    let context = Context::new(board, settings, budget, solver);
    let questions = property_solvers(board, settings);
    let mut turns = Turns {
        context: &context,
        questions,
        slice,
        beside: beside.is_some(),
        asked_together: usize::MAX,
        no_search: None,
        infinite: None,
        started: Instant::now(),
        passing: None,
    };
    let ended = turns.run(beside);
    turns.questions.iter_mut().for_each(|solver| solver.finish(&context));
    ended
}

/// The ways that take turns, and how far they are.
struct Turns<'c, 'a> {
    context: &'c Context<'a>,
    questions: Vec<Box<dyn PropertySolver<'a> + 'a>>,
    slice: Duration,
    /// Are the diagrams still at work?
    beside: bool,
    /// How many questions were asked of a net for all of them.
    asked_together: usize,
    /// The reason why further search is of no use.
    no_search: Option<StopReason>,
    /// Limits from the moment when the model is known to have infinitely many states.
    infinite: Option<Budget>,
    started: Instant,
    /// Limits from the moment when memory is not enough for a search, and nothing else is left.
    passing: Option<Budget>,
}

impl<'a> Turns<'_, 'a> {
    fn run(&mut self, beside: Option<&mpsc::Receiver<Result<(), StopReason>>>) -> Result<(), StopReason> {
        let ways = self.context.settings.ways;
        if ways.structure {
            self.each(Step::InitialState, |solver, context| solver.by_initial_state(context));
        }
        let seed = self.context.settings.seed;
        let mut walk = self.context.net().filter(|_| ways.walks).map(|net| Walk::with_seed(net, seed));
        if let Some(walk) = &mut walk
            && self.is_open()
        {
            // What any walk decides need not be proved.
            let budget = self.budget().with_time(self.slice / 2);
            self.observed(Step::Walks, |_, _, observe| walk.run(&budget, observe));
        }
        if let Some(net) = self.context.net()
            && self.is_open()
            && let Some(skeletal) = Skeletal::new(self.context, net)
        {
            self.each(Step::Skeleton, |solver, context| solver.by_skeleton(context, &skeletal));
        }
        let mut cover_again = false;
        if let Some(net) = self.context.net()
            && self.is_open()
            && (ways.structure || ways.coverability)
        {
            let step = self.context.begin(Step::Structure);
            let structure = Structure::new(net, self.context.budget)?;
            drop(step);
            cover_again = ways.coverability && !structure.bounds.all_bounded();
            if cover_again {
                cover_again = self.cover(net, FIRST_COVER)?;
            }
            if ways.structure {
                self.each(Step::Structure, |solver, context| solver.by_structure(context, net, &structure));
            }
        }
        let mut effort = COVER;
        let (mut first, mut descended, mut glanced) = (true, false, !ways.search);
        if !ways.search {
            self.no_search = Some(if ways == Ways::SAT { NOT_BY_BITS } else { LEFT_OUT });
        }
        while self.is_open() {
            if self.beside
                && let Some(beside) = beside
            {
                // Most models are explored in no time; and to wait costs nothing when there is nothing else to do.
                let idle = self.no_search.is_some() && !cover_again;
                let wait = if first || idle { self.slice } else { Duration::ZERO };
                let wait = self.context.budget.remaining().map_or(wait, |left| wait.min(left));
                let _step = self.context.begin(Step::Waiting);
                self.beside = beside.recv_timeout(wait).is_err_and(|error| error == RecvTimeoutError::Timeout);
                first = false;
            }
            self.context.board.withdraw_unwanted();
            self.budget().check()?;
            cover_again &= !self.context.board.is_finite();
            if cover_again
                && self.is_open()
                && let Some(net) = self.context.net()
            {
                cover_again = self.cover(net, effort)?;
            }
            if let Some(walk) = &mut walk
                && self.is_open()
            {
                if !descended {
                    let time = Instant::now();
                    self.observed(Step::Walks, |context, slice, observe| {
                        walk.descend(&context.budget.clone().with_time(slice), observe);
                    });
                    descended = time.elapsed() < self.slice;
                }
                let budget = self.budget().with_time(self.slice / WALKS);
                self.observed(Step::Walks, |_, _, observe| walk.run(&budget, observe));
                // As long again.
                let budget = self.budget().with_time(self.slice / WALKS);
                if self.context.settings.techniques.guidance {
                    self.each(Step::Guidance, |solver, context| solver.by_guided_walks(context, walk, &budget));
                }
            }
            if let Some(net) = self.context.net()
                && ways.structure
                && self.is_open()
            {
                let budget = self.budget().with_time(self.slice / PROGRAMS);
                self.each(Step::Programs, |solver, context| solver.by_more_programs(context, net, &budget));
            }
            if !std::mem::replace(&mut glanced, true) {
                let budget = self.budget().with_time(self.slice);
                self.each(Step::Search, |solver, context| solver.by_first_states(context, &budget));
            }
            if ways.reductions && self.context.settings.techniques.together && self.is_open() {
                self.together();
            }
            let mut limit_again = false;
            if ways.reductions && self.is_open() {
                let mut slice = self.slice.saturating_mul(REDUCTION);
                if let Some(net) = self.context.net().filter(|_| self.infinite.is_some()) {
                    slice /= 2;
                    let budget = self.budget().with_time(slice);
                    self.each(Step::TokenLimit, |solver, context| {
                        limit_again |= solver.by_token_limit(context, net, &budget)
                    });
                }
                self.each(Step::Reductions, |solver, context| solver.by_reduction(context, slice));
            }
            self.budget().check()?;
            self.search(cover_again)?;
            self.budget().check()?;
            let passes_again = self.pass()?;
            if let Some(stop) = &self.no_search
                && !cover_again
                && !limit_again
                && !self.beside
                && !passes_again
            {
                return Err(stop.clone());
            }
            self.slice = self.slice.saturating_mul(GROWTH);
            // Where nothing is unbounded so far its share of the time gets smaller.
            let growth = if self.infinite.is_some() { GROWTH } else { GROWTH_BOUNDED };
            let (rows, work) = (effort.rows.saturating_mul(2), effort.work.saturating_mul(growth.into()));
            effort = Effort { rows, work };
        }
        Ok(())
    }

    /// Go on walks that all questions observe.
    fn observed(&mut self, step: Step, walk: impl FnOnce(&Context<'a>, Duration, &mut dyn FnMut(&Walk<'_>) -> bool)) {
        let (questions, context) = (&mut self.questions, self.context);
        let _step = context.begin(step);
        let mut observe = |walk: &Walk<'_>| {
            // Each of them looks, whatever the others say.
            let mut done = true;
            for solver in questions.iter_mut() {
                done &= solver.on_walk(context, walk);
            }
            done
        };
        walk(context, self.slice, &mut observe);
    }

    /// Ask what is open together, unless that has been tried with not even twice as much.
    fn together(&mut self) {
        let open = self.context.board.questions().filter(|&(number, _)| self.context.board.is_open(number)).count();
        if let Some(net) = self.context.net()
            && let [solver] = &self.questions[..]
            && self.infinite.is_none()
            && 2 * open <= self.asked_together
        {
            self.asked_together = open;
            let _step = self.context.begin(Step::Reductions);
            together::ask(self.context, net, &**solver);
        }
    }

    /// Is there anything that these ways could still tell?
    fn is_open(&self) -> bool {
        !self.context.board.is_over() && self.questions.iter().any(|solver| solver.is_open(self.context))
    }

    /// Let all open questions try a way.
    fn each(&mut self, step: Step, mut way: impl FnMut(&mut (dyn PropertySolver<'a> + 'a), &Context<'a>)) {
        let _step = self.context.begin(step);
        for solver in &mut self.questions {
            if solver.is_open(self.context) {
                way(&mut **solver, self.context);
            }
        }
    }

    /// The limits that hold now.
    fn budget(&self) -> Budget {
        self.infinite.clone().unwrap_or_else(|| self.context.budget.clone())
    }

    /// Look for unbounded places; false if another search would find nothing more.
    fn cover(&mut self, net: &'a PetriNet, effort: Effort) -> Result<bool, Exhausted> {
        let _step = self.context.begin(Step::Coverability);
        let budget = self.context.budget.clone().with_time(self.slice);
        match Coverability::new(net, effort, &budget) {
            Ok(Some(mut cover)) => {
                // Most nets in which nothing is unbounded so far are bounded.
                let part = if cover.unbounded() { 1 } else { BOUNDED };
                let limited = Effort { work: effort.work / part, ..effort };
                cover.walk(net, self.context.settings.seed.wrapping_add(effort.work), limited, &budget);
                if self.infinite.is_none()
                    && let Some(place) = cover.unbounded_place()
                {
                    self.context.board.note_infinite(&net.place(place).id);
                    self.infinite = Some(match self.context.budget.deadline() {
                        Some(_) => self.context.budget.clone(),
                        None => self.context.budget.clone().with_time(INFINITE_TIME).with_memory(INFINITE_MEMORY),
                    });
                }
                self.each(Step::Coverability, |solver, context| solver.by_coverability(context, net, &cover));
                Ok(!cover.complete())
            }
            Ok(None) => Ok(false),
            Err(Exhausted::Time) => self.context.budget.check().map(|()| true),
            Err(exhausted) => Err(exhausted),
        }
    }

    /// Where memory is not enough for searches and nothing else is left, look on with few bits for each state, for a
    /// slice; may that still tell more?
    fn pass(&mut self) -> Result<bool, StopReason> {
        let ways = self.context.settings.ways;
        let others = self.beside || ways.coverability || ways.walks || ways.reductions;
        if !ways.bit_state || (others && self.no_search.is_none()) || self.beside || !self.is_open() {
            return Ok(false);
        }
        let started = self.started;
        let whole = self.passing.clone().unwrap_or_else(|| match self.budget() {
            budget if budget.deadline().is_some() => budget,
            budget => budget.with_time(started.elapsed().max(PASSES)),
        });
        let open = self.questions.iter().filter(|solver| solver.is_open(self.context)).count();
        let budget = whole.clone().with_time(self.slice).share(open);
        let mut again = false;
        self.each(Step::BitState, |solver, context| again |= solver.by_passes(context, &budget));
        if again {
            // The time begins with the first pass.
            self.passing = Some(whole.clone());
        }
        self.context.budget.check()?;
        Ok(again && whole.check().is_ok())
    }

    /// Search state by state for a slice; may a coverability graph still tell more?
    fn search(&mut self, covering: bool) -> Result<(), StopReason> {
        if self.no_search.is_some() || !self.is_open() {
            return Ok(());
        }
        let _step = self.context.begin(Step::Search);
        // What no other way waits for need not begin anew.
        let ways = self.context.settings.ways;
        let single = matches!(&self.questions[..], [only] if only.is_one_search(self.context));
        let alone = single && !self.beside && !ways.coverability && !ways.walks && !ways.reductions;
        // Nor does a search that nothing but the diagrams is beside, on another thread; they look for unbounded places,
        // too.
        let waited = !covering || self.slice >= COVERED;
        let alone = alone || (single && waited && self.questions.iter().all(|only| only.is_search_only()));
        let mut budget = if alone { self.budget() } else { self.budget().with_time(self.slice) };
        if self.beside {
            budget = budget.share_of_memory(2);
        }
        // Those that ended for good do not keep the others from going on.
        let mut ended = None;
        let mut again = false;
        let open = self.questions.iter().filter(|solver| solver.is_open(self.context)).count();
        let budget = if open > 1 { budget.share(open) } else { budget };
        for solver in &mut self.questions {
            if !solver.is_open(self.context) {
                continue;
            }
            match solver.by_search(self.context, &budget) {
                Ok(()) => again |= solver.is_open(self.context),
                Err(stop) if stop.is_time() => again = true,
                Err(StopReason::Exhausted(Exhausted::Cancelled)) => self.context.budget.check()?,
                Err(stop) => ended = Some(stop),
            }
        }
        if !again {
            self.no_search = ended.or(Some(StopReason::Unsupported("explicit search does not answer this question")));
        }
        Ok(())
    }
}
