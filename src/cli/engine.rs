//! `--engine`: which engine answers `starset check`, and how two of them work side by side.
//!
//! The explicit engine has a thread of its own. It takes the questions in turn, each with its share of the time
//! that is left, and those that were not decided in their share again. With `auto` it starts when the diagrams
//! have had a head start, or have failed; whoever decides a question first stops the other. With `both`
//! each question is decided twice, and the answers are compared.

use super::formulas::{Question, Subject};
use clap::{Args, ValueEnum};
use serde::Serialize;
use starset::budget::{Budget, Exhausted};
use starset::explicit::{self, Attempt, Labelling, Lasso, Options, Product, Stats, Stopped};
use starset::formula::{Formula, FormulaId, Logic, PathSemantics, Pool};
use starset::lts::Model;
use starset::witness::{Unexplained, Witness, explain_by_labels};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// What diagrams have alone, where there is a second thread.
const HEAD_START: Duration = Duration::from_millis(250);
/// The same on a single thread: at most this, and this part of the time.
const LONG_START: Duration = Duration::from_secs(10);
const START_PART: u32 = 4;

/// Which engine answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Engine {
    /// Decision diagrams; where they take long or fail, the explicit engine too
    Auto,
    /// Decision diagrams
    Symbolic,
    /// Marking by marking: LTL, CTL, bounds
    Explicit,
    /// Both, and compare their answers: status 4 if they differ
    Both,
}

/// The engine and its switches, as options.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineArgs {
    /// Which engine answers
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) engine: Engine,
    /// Explicit engine: keep the enabled transitions of every marking on the stack
    #[arg(long)]
    no_dyn: bool,
    /// Explicit engine: decode markings to fire transitions
    #[arg(long)]
    no_drw: bool,
    /// Explicit engine: take edges of the automaton as they come
    #[arg(long)]
    no_hba: bool,
    /// Explicit engine: fire all enabled transitions, not only a stubborn set
    #[arg(long)]
    no_stubborn: bool,
    /// Where engines disagree: the folder for the files that reproduce it
    #[arg(long, value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    pub(crate) reproducers: PathBuf,
}

impl EngineArgs {
    /// The switches of the explicit engine.
    fn options(&self) -> Options {
        Options {
            dynamic_fireset: !self.no_dyn,
            drw: !self.no_drw,
            heuristic_buchi: !self.no_hba,
            stubborn: !self.no_stubborn,
            ..Options::default()
        }
    }
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// Of a formula, or an automaton.
    Verdict(bool),
    /// Of a bound.
    Bound(u128),
}

/// What the explicit engine found out.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The answer.
    pub(crate) value: Value,
    /// What the search did.
    pub(crate) stats: Stats,
    /// What shows why, if it was asked for.
    pub(crate) shown: Shown,
}

/// Why a verdict is as it is.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// By the run that was found, if any.
    Run(Option<Lasso>),
    /// By this witness, or there is none.
    Witness(Result<Witness, Unexplained<Stopped>>),
}

/// The effort of explicit search, in JSON.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Explored {
    states: u64,
    firings: u64,
    bytes: u64,
    bits_per_state: u32,
}

impl From<Stats> for Explored {
    fn from(stats: Stats) -> Self {
        let Stats { states, firings, bytes, bits_per_state, .. } = stats;
        Explored { states, firings, bytes, bits_per_state }
    }
}

/// What decides a question by explicit search: [`decide`], or a stand-in of the tests.
///
/// The reachability graph, where a question needs it, is left for the next one.
pub(crate) type Decide =
    for<'n> fn(Model<'n>, &mut Option<Labelling<'n>>, &mut Pool, &Subject, &Options, &Budget) -> Result<Found, Stopped>;

/// The explicit engine at work on questions.
pub(crate) struct Searches<'a> {
    pub(crate) engine: Engine,
    decide: Decide,
    options: Options,
    model: Model<'a>,
    questions: &'a [Question],
    budget: &'a Budget,
    threads: usize,
    /// Raised when the explicit engine has decided a question.
    decided: Vec<Arc<AtomicBool>>,
    /// Raised when it has decided all of them.
    all: Arc<AtomicBool>,
    /// Raised when a question needs no more work.
    settled: Vec<Arc<AtomicBool>>,
    results: Mutex<Vec<Option<Result<Found, Stopped>>>>,
    changed: Condvar,
    /// The thread of the explicit engine has ended.
    ended: AtomicBool,
}

/// Tells who waits for answers that there will be no more of them, also when the thread panics.
struct End<'s, 'a>(&'s Searches<'a>);

impl Drop for End<'_, '_> {
    fn drop(&mut self) {
        let _results = self.0.results.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.ended.store(true, Relaxed);
        self.0.changed.notify_all();
    }
}

impl<'a> Searches<'a> {
    /// Nothing has started yet. Without arguments, the explicit engine has nothing to do.
    pub(crate) fn new(
        args: Option<&EngineArgs>,
        (decide, witness): (Decide, bool),
        model: Model<'a>,
        questions: &'a [Question],
        budget: &'a Budget,
        threads: usize,
    ) -> Self {
        let flags = || questions.iter().map(|_| Arc::new(AtomicBool::new(false))).collect();
        Searches {
            engine: args.map_or(Engine::Symbolic, |args| args.engine),
            decide,
            options: Options { witness, ..args.map(EngineArgs::options).unwrap_or_default() },
            model,
            questions,
            budget,
            threads,
            decided: flags(),
            all: Arc::new(AtomicBool::new(false)),
            settled: flags(),
            results: Mutex::new(vec![None; questions.len()]),
            changed: Condvar::new(),
            ended: AtomicBool::new(false),
        }
    }

    /// Decide the questions in turn, once `start` or time says so. Not at all if `start` is dropped before.
    pub(crate) fn run(&self, pool: &Pool, start: &Receiver<()>) {
        let _end = End(self);
        match self.engine {
            Engine::Symbolic => return,
            Engine::Auto => {
                let long = self.budget.remaining().map_or(LONG_START, |time| LONG_START.min(time / START_PART));
                let head_start = if self.threads > 1 { HEAD_START } else { long };
                if start.recv_timeout(head_start) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
            Engine::Explicit | Engine::Both => {}
        }
        let (mut pool, mut graph) = (pool.clone(), None);
        let mut open: Vec<usize> = (0..self.questions.len()).collect();
        while !open.is_empty() {
            let mut again = Vec::new();
            for (turn, &number) in open.iter().enumerate() {
                let result = self.attempt(number, open.len() - turn, &mut pool, &mut graph);
                let short = matches!(result, Err(Stopped::Budget(Exhausted::Time)));
                if short && self.budget.check().is_ok() {
                    again.push(number);
                    continue;
                }
                self.decided[number].store(result.is_ok(), Relaxed);
                if self.decided.iter().all(|flag| flag.load(Relaxed)) {
                    self.all.store(true, Relaxed);
                }
                self.results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
                self.changed.notify_all();
            }
            open = again;
        }
    }

    /// One attempt at a question, when `left` of them wait for their share of the time.
    fn attempt(
        &self,
        number: usize,
        left: usize,
        pool: &mut Pool,
        graph: &mut Option<Labelling<'a>>,
    ) -> Result<Found, Stopped> {
        let mut budget = self.budget.clone().with_flag(Arc::clone(&self.settled[number]));
        budget.check()?;
        if let Some(time) = budget.remaining() {
            budget = budget.with_time(time / left as u32);
        }
        if let Some(bytes) = budget.memory() {
            budget = match self.engine {
                Engine::Auto => budget.with_memory(bytes / 4),
                Engine::Both => budget.with_memory(bytes / 2),
                Engine::Explicit | Engine::Symbolic => budget,
            };
        }
        (self.decide)(self.model, graph, pool, &self.questions[number].subject, &self.options, &budget)
    }

    /// The net or network that is searched.
    pub(crate) fn model(&self) -> Model<'_> {
        self.model
    }

    /// The budget of the diagrams for the reachable set, or for one question: over when it is not needed any more.
    pub(crate) fn diagrams(&self, question: Option<usize>) -> Budget {
        let budget = match (self.engine, self.budget.memory()) {
            (Engine::Auto, Some(bytes)) => self.budget.clone().with_memory(bytes - bytes / 4),
            (Engine::Both, Some(bytes)) => self.budget.clone().with_memory(bytes / 2),
            _ => self.budget.clone(),
        };
        match question {
            Some(number) => budget.with_flag(self.decided(number)),
            None if self.engine == Engine::Auto => budget.with_flag(Arc::clone(&self.all)),
            None => budget,
        }
    }

    /// The flag that says that the explicit engine has decided a question first. Of no effect but with `auto`.
    pub(crate) fn decided(&self, number: usize) -> Arc<AtomicBool> {
        match self.engine {
            Engine::Auto => Arc::clone(&self.decided[number]),
            _ => Arc::default(),
        }
    }

    /// The answer of the explicit engine, if diagrams need not look for one.
    pub(crate) fn early(&self, number: usize) -> Option<Found> {
        match self.engine {
            Engine::Auto => self.results.lock().unwrap_or_else(PoisonError::into_inner)[number].clone()?.ok(),
            _ => None,
        }
    }

    /// Wait for the explicit engine to answer a question, or to give it up.
    pub(crate) fn wait(&self, number: usize) -> Result<Found, Stopped> {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(result) = &results[number] {
                return result.clone();
            }
            if self.ended.load(Relaxed) {
                return Err(Exhausted::Cancelled.into());
            }
            results = self.changed.wait(results).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The diagrams have answered a question.
    pub(crate) fn settle(&self, number: usize) {
        self.settled[number].store(true, Relaxed);
    }
}

/// Answer a question by explicit search.
pub(crate) fn decide<'n>(
    model: Model<'n>,
    graph: &mut Option<Labelling<'n>>,
    pool: &mut Pool,
    subject: &Subject,
    options: &Options,
    budget: &Budget,
) -> Result<Found, Stopped> {
    match subject {
        Subject::Formula { formula, linear, paths, .. } => {
            match explicit::check_ltl(model, pool, *linear, *paths, options, budget) {
                // Perhaps it is CTL.
                Err(Stopped::Unsupported(_)) => branching(model, graph, pool, (*formula, *paths), options, budget),
                found => {
                    let found = found?;
                    let quantified = matches!(pool[*linear], Formula::Exists(_) | Formula::Forall(_));
                    let shown = match found.lasso {
                        // Combinations of quantified formulas need several runs; that there are none is no matter.
                        None if options.witness && !quantified => {
                            let labelled = labelled(model, graph, pool, (*formula, *paths), options, budget);
                            labelled.map_or(Shown::Run(None), |labelled| labelled.shown)
                        }
                        lasso => Shown::Run(lasso),
                    };
                    Ok(Found { value: Value::Verdict(found.holds), stats: found.stats, shown })
                }
            }
        }
        Subject::Automaton { automaton, propositions, paths } => {
            let product = Product { model, automaton, atoms: propositions, pool, paths: *paths };
            let found = explicit::find_accepting_run(product, options, budget)?;
            Ok(Found { value: Value::Verdict(!found.empty), stats: found.stats, shown: Shown::Run(found.lasso) })
        }
        Subject::Bound(places) => {
            let mut bound = 0;
            let found = explicit::find(model, options, budget, |marking| {
                bound = bound.max(places.iter().map(|&p| u128::from(marking.tokens(p))).sum());
                false
            })?;
            Ok(Found { value: Value::Bound(bound), stats: found.stats, shown: Shown::Run(None) })
        }
        Subject::Loaded => Err(Stopped::Unsupported("saved sets")),
    }
}

/// Decide a formula of CTL: on the fly, or on the reachability graph, which a witness needs. Where there is no graph
/// yet, what comes first has half of the time.
fn branching<'n>(
    model: Model<'n>,
    graph: &mut Option<Labelling<'n>>,
    pool: &Pool,
    (formula, paths): (FormulaId, PathSemantics),
    options: &Options,
    budget: &Budget,
) -> Result<Found, Stopped> {
    if graph.is_some() {
        return labelled(model, graph, pool, (formula, paths), options, budget);
    }
    let on_the_fly = |budget: &Budget, shown: Shown| {
        let found = explicit::check_ctl(model, pool, formula, paths, Attempt(0), options, budget)?;
        Ok(Found { value: Value::Verdict(found.holds), stats: found.stats, shown })
    };
    let mut labelled = |budget: &Budget| labelled(model, graph, pool, (formula, paths), options, budget);
    let half = budget.remaining().map_or(budget.clone(), |time| budget.clone().with_time(time / 2));
    if options.witness {
        labelled(&half).or_else(|stopped| {
            // The verdict alone, if it can be had.
            on_the_fly(budget, Shown::Witness(Err(Unexplained::Stopped(stopped)))).map_err(|_| stopped)
        })
    } else {
        on_the_fly(&half, Shown::Run(None)).or_else(|_: Stopped| labelled(budget))
    }
}

/// Decide a formula of CTL on the reachability graph.
fn labelled<'n>(
    model: Model<'n>,
    graph: &mut Option<Labelling<'n>>,
    pool: &Pool,
    (formula, paths): (FormulaId, PathSemantics),
    options: &Options,
    budget: &Budget,
) -> Result<Found, Stopped> {
    if Logic::CtlStar == pool.logic(formula) {
        return Err(Stopped::Unsupported("CTL* beyond CTL and LTL"));
    }
    let mut labelling = match graph.take() {
        Some(labelling) => labelling,
        None => Labelling::new(model, options, budget)?,
    };
    let labels = labelling.label(pool, formula, paths, budget);
    let stats = labelling.stats();
    let labelling = graph.insert(labelling);
    let labels = labels?;
    let holds = labels.of(formula).ok_or(Stopped::Unsupported("a formula about paths"))?.holds_initially();
    let shown = match options.witness {
        true => Shown::Witness(explain_by_labels(model, pool, labelling, &labels, formula, budget)),
        false => Shown::Run(None),
    };
    Ok(Found { value: Value::Verdict(holds), stats, shown })
}

/// The reason why the explicit engine gave up, as a word.
pub(crate) fn reason(stopped: &Stopped) -> &'static str {
    match stopped {
        Stopped::Budget(Exhausted::Memory) => "memory",
        Stopped::Budget(Exhausted::Cancelled) => "interrupted",
        Stopped::Budget(Exhausted::Time | Exhausted::Work) => "time",
        Stopped::TooManyTokens => "range",
        Stopped::DivisionByZero | Stopped::Arithmetic => "undefined",
        _ => "unsupported",
    }
}
