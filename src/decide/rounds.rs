//! Two lanes under one budget.
//!
//! On one lane the reachable set is computed as a diagram, and then whatever is wanted from it (`diagrams`). On the other
//! all other ways take turns in slices of time that grow from round to round: easy questions are answered in the first
//! milliseconds whichever way finds them easy, and a hard one costs a constant factor more than its best way alone.
//! While both lanes are at work, searches have half of the memory. Diagrams have the rest: their limit is one of the whole
//! process.
//!
//! A way that cannot succeed with more time (out of memory, unbounded, unsupported question) drops out. The run ends
//! when nothing is wanted any more, the budget is used up, or only random walks are left.
//!
//! **Models with infinitely many states.** Once that is known the diagrams are given up, and the rest is bounded even
//! where the caller sets no limit of time ([`INFINITE_TIME`], [`INFINITE_MEMORY`]): what is true of infinitely many states is
//! decided soon, by structure, linear programs, a coverability graph, a path or few tokens, or not at all.

use super::board::Board;
use super::case::{Case, Questionnaire};
use super::conditions::{Structure, Walk};
use super::diagrams;
use super::questions::{bounds, deadlock, figures, formulas, liveness, one_safe, quasi_liveness, stable_marking};
use super::rewriting::operands;
use super::smaller::{skeleton::Skeletal, together};
use super::{Asked, Listener, Question, Settings, Subject, Technique, Value, Ways};
use crate::budget::{Budget, Exhausted};
use crate::decide::Global;
use crate::halt::Halt;
use crate::mdd::with_deep_stack;
use crate::net::PetriNet;
use crate::structure::{Coverability, Effort};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// What each way has for one slice in the first round.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// By how much slices grow from round to round.
const GROWTH: u32 = 4;
/// The slices that all questions together have for nets of their own.
const REDUCTION: u32 = 4;
/// Shares of the time of a question with a net of its own.
const SHARES: u32 = 6;
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
/// Passes beyond memory take as long again as what was before them, and at least so long, where the caller sets no time.
const PASSES: Duration = Duration::from_secs(10);

/// Answer the questions; `time` is what the ways share in the first round, if it is little.
pub(super) fn run(
    subject: Subject<'_>,
    asked: &[Asked],
    settings: &Settings<'_>,
    budget: &Budget,
    listener: &dyn Listener,
    time: Option<Duration>,
) {
    let board = Board::new(subject, asked, listener);
    refuse_unreadable(&board);
    if board.is_over() {
        return;
    }
    if let Err(exhausted) = budget.check() {
        return board.close(&exhausted.into());
    }
    let slice = time.map_or(FIRST_SLICE, |time| FIRST_SLICE.min(time / SHARES));
    let reason = match lanes(&board, settings, budget, slice) {
        Ok(()) => Halt::Unsupported("none of the ways that take part answers this question"),
        Err(halt) => halt,
    };
    // What ended the run as a whole goes before what ended one of the ways.
    board.close(&budget.check().map_or_else(Halt::from, |()| reason));
}

/// What could not be read stays unknown.
pub(super) fn refuse_unreadable(board: &Board<'_>) {
    for (number, asked) in board.questions() {
        if let Question::Unreadable(why) = &asked.question {
            board.give(number, Value::Unknown(Halt::Unreadable(why.clone())), Technique::None, None);
        }
    }
}

/// Run both lanes. An error is why the more promising of them ended.
fn lanes(board: &Board<'_>, settings: &Settings<'_>, budget: &Budget, slice: Duration) -> Result<(), Halt> {
    let whole = board.until_over(budget);
    let ways = settings.ways;
    if !ways.diagrams {
        return turns(board, settings, &whole, slice, None);
    }
    let others = ways != Ways { diagrams: true, ..Ways::NONE };
    let here = board.while_here(&whole);
    let diagrams = || with_deep_stack(board.subject.model.variables(), || diagrams::run(board, settings, &here));
    if !others {
        return diagrams();
    }
    thread::scope(|scope| {
        let (sender, done) = mpsc::channel();
        let work = move || {
            // Nobody waits for it any more when everything is settled.
            let _unwanted = sender.send(diagrams());
        };
        let spawned = thread::Builder::new().name("diagrams".into()).spawn_scoped(scope, work);
        let by_turns = turns(board, settings, &whole, slice, spawned.is_ok().then_some(&done));
        match done.recv() {
            Ok(Err(halt)) => Err(halt),
            Ok(Ok(())) | Err(_) => by_turns,
        }
    })
}

/// The questions by sorts.
pub(super) fn questionnaires<'a>(
    board: &'a Board<'a>,
    settings: &Settings<'_>,
) -> Vec<Box<dyn Questionnaire<'a> + 'a>> {
    let mut all: Vec<Box<dyn Questionnaire<'a> + 'a>> = Vec::new();
    for (number, asked) in board.questions() {
        let Question::Global(global) = asked.question else { continue };
        all.push(match global {
            Global::Deadlock => Box::new(deadlock::Deadlock::new(number)),
            Global::OneSafe => Box::new(one_safe::OneSafe::new(number)),
            Global::StableMarking => Box::new(stable_marking::StableMarking::new(number)),
            Global::QuasiLiveness => Box::new(quasi_liveness::QuasiLiveness::new(number)),
            Global::Liveness => Box::new(liveness::Liveness::new(number)),
        });
    }
    let any = |wanted: fn(&Question) -> bool| board.questions().any(|(_, asked)| wanted(&asked.question));
    if any(|question| matches!(question, Question::Figure(_))) {
        all.push(Box::new(figures::Figures::new(board)));
    }
    if any(|question| matches!(question, Question::Bound(_))) {
        all.push(Box::new(bounds::Bounds::new(board)));
    }
    if any(|question| matches!(question, Question::Formula { .. } | Question::Automaton { .. })) {
        all.push(Box::new(formulas::Formulas::new(board, settings.route)));
    }
    all
}

/// Let the ways take turns; `beside` tells when the diagrams have ended, if they are at work. An error is why nothing
/// more can be done.
fn turns<'a>(
    board: &'a Board<'a>,
    settings: &'a Settings<'a>,
    budget: &'a Budget,
    slice: Duration,
    beside: Option<&mpsc::Receiver<Result<(), Halt>>>,
) -> Result<(), Halt> {
    let case = Case::new(board, settings, budget, operands::run);
    let questions = questionnaires(board, settings);
    let mut turns = Turns {
        case: &case,
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
    turns.questions.iter_mut().for_each(|questionnaire| questionnaire.finish(&case));
    ended
}

/// The ways that take turns, and how far they are.
struct Turns<'c, 'a> {
    case: &'c Case<'a>,
    questions: Vec<Box<dyn Questionnaire<'a> + 'a>>,
    slice: Duration,
    /// Are the diagrams still at work?
    beside: bool,
    /// How many questions were asked of a net for all of them.
    asked_together: usize,
    /// Why there is no use in searching any more.
    no_search: Option<Halt>,
    /// Limits from the moment when the model is known to have infinitely many states.
    infinite: Option<Budget>,
    started: Instant,
    /// Limits from the moment when memory is not enough for a search, and nothing else is left.
    passing: Option<Budget>,
}

impl<'a> Turns<'_, 'a> {
    fn run(&mut self, beside: Option<&mpsc::Receiver<Result<(), Halt>>>) -> Result<(), Halt> {
        let ways = self.case.settings.ways;
        if ways.structure {
            self.each(|questionnaire, case| questionnaire.by_initial_state(case));
        }
        let seed = self.case.settings.seed;
        let mut walk = self.case.net().filter(|_| ways.walks).map(|net| Walk::with_seed(net, seed));
        if let Some(walk) = &mut walk
            && self.is_open()
        {
            // What any walk decides need not be proved.
            let budget = self.budget().with_time(self.slice / 2);
            self.observed(|_, _, observe| walk.run(&budget, observe));
        }
        if let Some(net) = self.case.net()
            && self.is_open()
            && let Some(skeletal) = Skeletal::new(self.case, net)
        {
            self.each(|questionnaire, case| questionnaire.by_skeleton(case, &skeletal));
        }
        let mut cover_again = false;
        if let Some(net) = self.case.net()
            && self.is_open()
            && (ways.structure || ways.coverability)
        {
            let structure = Structure::new(net, self.case.budget)?;
            cover_again = ways.coverability && !structure.bounds.all_bounded();
            if cover_again {
                cover_again = self.cover(net, FIRST_COVER)?;
            }
            if ways.structure {
                self.each(|questionnaire, case| questionnaire.by_structure(case, net, &structure));
            }
        }
        let mut effort = COVER;
        let (mut first, mut descended, mut glanced) = (true, false, !ways.search);
        if !ways.search {
            self.no_search = Some(Halt::Unsupported("search was left out"));
        }
        while self.is_open() {
            if self.beside
                && let Some(beside) = beside
            {
                // Most models are explored in no time; and to wait costs nothing when there is nothing else to do.
                let idle = self.no_search.is_some() && !cover_again;
                let wait = if first || idle { self.slice } else { Duration::ZERO };
                let wait = self.case.budget.remaining().map_or(wait, |left| wait.min(left));
                self.beside = beside.recv_timeout(wait).is_err_and(|error| error == RecvTimeoutError::Timeout);
                first = false;
            }
            self.case.board.withdraw_unwanted();
            self.budget().check()?;
            if cover_again
                && self.is_open()
                && let Some(net) = self.case.net()
            {
                cover_again = self.cover(net, effort)?;
            }
            if let Some(walk) = &mut walk
                && self.is_open()
            {
                if !descended {
                    let time = Instant::now();
                    self.observed(|case, slice, observe| {
                        walk.descend(&case.budget.clone().with_time(slice), observe);
                    });
                    descended = time.elapsed() < self.slice;
                }
                let budget = self.budget().with_time(self.slice / WALKS);
                self.observed(|_, _, observe| walk.run(&budget, observe));
                // As long again.
                let budget = self.budget().with_time(self.slice / WALKS);
                if self.case.settings.ideas.leads {
                    self.each(|questionnaire, case| questionnaire.by_led_walks(case, walk, &budget));
                }
            }
            if let Some(net) = self.case.net()
                && ways.structure
                && self.is_open()
            {
                let budget = self.budget().with_time(self.slice / PROGRAMS);
                self.each(|questionnaire, case| questionnaire.by_more_programs(case, net, &budget));
            }
            if !std::mem::replace(&mut glanced, true) {
                let budget = self.budget().with_time(self.slice);
                self.each(|questionnaire, case| questionnaire.by_first_states(case, &budget));
            }
            if ways.reductions && self.case.settings.ideas.together && self.is_open() {
                self.together();
            }
            let mut limit_again = false;
            if ways.reductions && self.is_open() {
                let mut slice = self.slice.saturating_mul(REDUCTION);
                if let Some(net) = self.case.net().filter(|_| self.infinite.is_some()) {
                    slice /= 2;
                    let budget = self.budget().with_time(slice);
                    self.each(|questionnaire, case| limit_again |= questionnaire.by_token_limit(case, net, &budget));
                }
                self.each(|questionnaire, case| questionnaire.by_reduction(case, slice));
            }
            self.budget().check()?;
            self.search(cover_again)?;
            self.budget().check()?;
            let passes_again = self.pass()?;
            if let Some(halt) = &self.no_search
                && !cover_again
                && !limit_again
                && !self.beside
                && !passes_again
            {
                return Err(halt.clone());
            }
            self.slice = self.slice.saturating_mul(GROWTH);
            let (rows, work) = (effort.rows.saturating_mul(2), effort.work.saturating_mul(GROWTH.into()));
            effort = Effort { rows, work };
        }
        Ok(())
    }

    /// Go on walks that all questions observe.
    fn observed(&mut self, walk: impl FnOnce(&Case<'a>, Duration, &mut dyn FnMut(&Walk<'_>) -> bool)) {
        let (questions, case) = (&mut self.questions, self.case);
        let mut observe = |walk: &Walk<'_>| {
            // Each of them looks, whatever the others say.
            let mut done = true;
            for questionnaire in questions.iter_mut() {
                done &= questionnaire.on_walk(case, walk);
            }
            done
        };
        walk(case, self.slice, &mut observe);
    }

    /// Ask what is open together, unless that has been tried with not even twice as much.
    fn together(&mut self) {
        let open = self.case.board.questions().filter(|&(number, _)| self.case.board.is_open(number)).count();
        if let Some(net) = self.case.net()
            && let [questionnaire] = &self.questions[..]
            && self.infinite.is_none()
            && 2 * open <= self.asked_together
        {
            self.asked_together = open;
            together::ask(self.case, net, &**questionnaire);
        }
    }

    /// Is there anything that these ways could still tell?
    fn is_open(&self) -> bool {
        !self.case.board.is_over() && self.questions.iter().any(|questionnaire| questionnaire.is_open(self.case))
    }

    /// Let all open questions try a way.
    fn each(&mut self, mut way: impl FnMut(&mut (dyn Questionnaire<'a> + 'a), &Case<'a>)) {
        for questionnaire in &mut self.questions {
            if questionnaire.is_open(self.case) {
                way(&mut **questionnaire, self.case);
            }
        }
    }

    /// The limits that hold now.
    fn budget(&self) -> Budget {
        self.infinite.clone().unwrap_or_else(|| self.case.budget.clone())
    }

    /// Look for unbounded places; false if another search would find nothing more.
    fn cover(&mut self, net: &'a PetriNet, effort: Effort) -> Result<bool, Exhausted> {
        let budget = self.case.budget.clone().with_time(self.slice);
        match Coverability::new(net, effort, &budget) {
            Ok(Some(mut cover)) => {
                // Most nets in which nothing is unbounded so far are bounded.
                let part = if cover.unbounded() { 1 } else { BOUNDED };
                let limited = Effort { work: effort.work / part, ..effort };
                cover.walk(net, self.case.settings.seed.wrapping_add(effort.work), limited, &budget);
                if self.infinite.is_none()
                    && let Some(place) = cover.unbounded_place()
                {
                    self.case.board.note_infinite(&net.place(place).id);
                    self.infinite = Some(match self.case.budget.deadline() {
                        Some(_) => self.case.budget.clone(),
                        None => self.case.budget.clone().with_time(INFINITE_TIME).with_memory(INFINITE_MEMORY),
                    });
                }
                self.each(|questionnaire, case| questionnaire.by_coverability(case, net, &cover));
                Ok(!cover.complete())
            }
            Ok(None) => Ok(false),
            Err(Exhausted::Time) => self.case.budget.check().map(|()| true),
            Err(exhausted) => Err(exhausted),
        }
    }

    /// Where memory is not enough for searches and nothing else is left, look on with few bits for each state, for a slice; may
    /// that still tell more?
    fn pass(&mut self) -> Result<bool, Halt> {
        let ways = self.case.settings.ways;
        let others = self.beside || ways.coverability || ways.walks || ways.reductions;
        if !ways.bit_state || (others && self.no_search.is_none()) || self.beside || !self.is_open() {
            return Ok(false);
        }
        let started = self.started;
        let whole = self.passing.clone().unwrap_or_else(|| match self.budget() {
            budget if budget.deadline().is_some() => budget,
            budget => budget.with_time(started.elapsed().max(PASSES)),
        });
        let open = self.questions.iter().filter(|questionnaire| questionnaire.is_open(self.case)).count();
        let budget = whole.clone().with_time(self.slice).share(open);
        let mut again = false;
        self.each(|questionnaire, case| again |= questionnaire.by_passes(case, &budget));
        if again {
            // The time begins with the first pass.
            self.passing = Some(whole.clone());
        }
        self.case.budget.check()?;
        Ok(again && whole.check().is_ok())
    }

    /// Search state by state for a slice; may a coverability graph still tell more?
    fn search(&mut self, covering: bool) -> Result<(), Halt> {
        if self.no_search.is_some() || !self.is_open() {
            return Ok(());
        }
        // What no other way waits for need not begin anew.
        let ways = self.case.settings.ways;
        let single = matches!(&self.questions[..], [only] if only.is_one_search(self.case));
        let alone = single && !self.beside && !ways.coverability && !ways.walks && !ways.reductions;
        // Nor does a search that nothing but the diagrams is beside, on another thread; they look for unbounded places, too.
        let waited = !covering || self.slice >= COVERED;
        let alone = alone || (single && waited && self.questions.iter().all(|only| only.is_search_only()));
        let mut budget = if alone { self.budget() } else { self.budget().with_time(self.slice) };
        if self.beside {
            budget = budget.share_of_memory(2);
        }
        // Those that ended for good do not keep the others from going on.
        let mut ended = None;
        let mut again = false;
        let open = self.questions.iter().filter(|questionnaire| questionnaire.is_open(self.case)).count();
        let budget = if open > 1 { budget.share(open) } else { budget };
        for questionnaire in &mut self.questions {
            if !questionnaire.is_open(self.case) {
                continue;
            }
            match questionnaire.by_search(self.case, &budget) {
                Ok(()) => again |= questionnaire.is_open(self.case),
                Err(halt) if halt.is_time() => again = true,
                Err(Halt::Exhausted(Exhausted::Cancelled)) => self.case.budget.check()?,
                Err(halt) => ended = Some(halt),
            }
        }
        if !again {
            self.no_search = ended.or(Some(Halt::Unsupported("explicit search does not answer this question")));
        }
        Ok(())
    }
}
