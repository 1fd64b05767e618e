//! The engine of bits, beside everything else.
//!
//! What is asked about all reachable states (`A G φ`, `E F φ` for a condition φ) of a model that is a circuit goes to
//! [`crate::sat`] as well, on a thread of its own. A model that is explored at once is not made a circuit: the thread waits
//! for a moment. Whoever is first gives the answer; what the others cannot answer waits until this engine has ended, too.
//! What is asked about single runs (`linear`) goes there as well: runs on which a path formula fails are those of a product
//! with its automaton (`product`) that have no end and meet its conditions again and again.
//!
//! **Paths.** That φ holds in all reachable states says that it does on all paths, of whatever sort and however fair. That a
//! run leads to where φ fails says that it fails on a path only where each run is part of a path: with the semantics of
//! maximal and of stuttering paths, and no assumption. If paths are infinite, the run has to go on to a state that it has
//! been in. Under assumptions such a run is no answer, but one that is fair is.
//! A run without end is a path with any semantics. That there is none says something of all paths where all are infinite: by
//! their semantics, or as each state has a successor.
//!
//! **Runs before verdicts.** The model itself tells whether the states are a run of its own, and whether φ fails in the last
//! of them; of runs without end, the definition of the operators whether the path formula fails (that of `linear`, which
//! reads quantifiers away).

pub(in crate::decide) mod evidence;
mod linear;
mod product;
mod resetting;

use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use crate::decide::answer::{Answer, Explained, Fault, Listener, Technique, Value};
use crate::decide::board::Board;
use crate::decide::conditions::Condition;
use crate::decide::profile::{Step, begin};
use crate::decide::recorder::{Recorded, Recorder};
use crate::decide::settings::{Settings, Ways};
use crate::decide::solver::{Pass, Solver};
use crate::decide::state_space::{Progress, StateSpace};
use crate::decide::task::{Question, Request, Subject, Task};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::model::{Path, State, Then};
use crate::sat::{Again, Endless, Outcome, Run, always_again, always_steps, decide, fair_run, is_faultless, looping};
use crate::witness::{Broken, Part, Unconfirmed, confirm_loop};
use linear::Linear;
use num_bigint::BigUint;
use product::Product;
use resetting::{Resetting, Signed};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What most models are answered in.
const MOMENT: Duration = Duration::from_millis(150);
/// The most time of a question in the first round, and by how much rounds grow.
const SLICE: Duration = Duration::from_secs(1);
const GROWTH: u32 = 4;
/// Stack of the thread: terms are nested.
const STACK: usize = 1 << 28;

/// Beside all that comes after it.
pub(super) struct Sat;

impl Pass for Sat {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        if !task.settings.ways.sat {
            return next.solve(task);
        }
        // What comes after it is asked without it.
        let settings = &Settings { ways: Ways { sat: false, ..task.settings.ways }, ..task.settings.clone() };
        if !task.subject.model.has_circuit() {
            return next.solve(&Task { settings, ..*task });
        }
        // Path formulas are added to it.
        let mut pool = task.subject.pool.clone();
        let asked: Vec<_> = task.requests.iter().map(|asked| Forms::new(task, asked, &mut pool)).collect();
        if asked.iter().all(Option::is_none) {
            return next.solve(&Task { settings, ..*task });
        }
        let both = Both {
            listener: task.listener,
            slots: asked
                .iter()
                .zip(task.requests)
                .map(|(asked, request)| Slot::new(asked.is_some(), request))
                .collect(),
            over: Arc::default(),
            idle: Arc::default(),
            answered: Mutex::new(()),
            heard: Condvar::new(),
        };
        let others = task.budget.clone().with_flag(Arc::clone(&both.over));
        std::thread::scope(|scope| {
            let work = || {
                // The others answer, whatever becomes of it.
                let _failed = catch_unwind(AssertUnwindSafe(|| both.engine(task, asked, pool)));
                both.ended();
            };
            let spawned = std::thread::Builder::new().name("sat".into()).stack_size(STACK).spawn_scoped(scope, work);
            next.solve(&Task { settings, budget: &others, listener: &both, ..*task });
            both.wake();
            if spawned.is_err() {
                both.ended();
            }
        });
    }
}

/// What this engine can make of a question.
struct Forms {
    /// It is about all reachable states, or follows from what is.
    all: Option<Asked>,
    /// It is about single runs.
    runs: Option<Linear>,
    /// It is about ways from each reachable state.
    ways: Option<Resetting>,
}

impl Forms {
    fn new(task: &Task<'_>, asked: &Request, pool: &mut Pool) -> Option<Self> {
        let &Question::Formula { linear, paths, .. } = &asked.question else { return None };
        let subject = task.subject;
        let all = Asked::new(subject, asked);
        let is_all = asked.set || all.as_ref().is_some_and(|all| all.exact && all.by_run);
        // Others explain what no single run shows.
        let is_explained = !asked.witness || !task.settings.ways.has_others_than_sat();
        let runs = if is_all { None } else { Linear::new(subject.model, pool, linear, paths) };
        let runs = runs.filter(|runs| runs.as_asked || is_explained);
        let ways = if is_all || !is_explained { None } else { Resetting::new(subject, linear) };
        (all.is_some() || runs.is_some() || ways.is_some()).then_some(Forms { all, runs, ways })
    }

    /// Without what the circuit does not allow. Has each state a successor?
    fn of(mut self, circuit: &Circuit, has_successors: bool) -> Self {
        self.runs = self.runs.filter(|runs| {
            (has_successors || !(runs.needs_successors || runs.deterministic))
                && (!runs.deterministic || is_deterministic(circuit))
        });
        self.ways = self.ways.filter(|_| has_successors);
        self
    }

    /// Does it matter whether each state has a successor?
    fn rest_on_successors(&self) -> bool {
        self.ways.is_some() || self.runs.as_ref().is_some_and(|runs| runs.needs_successors || runs.deterministic)
    }
}

/// Do next values rest on no inputs?
fn is_deterministic(circuit: &Circuit) -> bool {
    let next: Vec<Signal> = circuit.latches.iter().map(|latch| latch.next).collect();
    let cone = circuit.gates.cone(&next);
    circuit.inputs.iter().all(|input| cone.binary_search(&input.gate()).is_err())
}

/// Conditions, with `true` those that are to fail.
type Parts = Vec<Signed>;

/// A question about all reachable states.
pub(super) struct Asked {
    /// The conditions: does each hold, or with `true`, fail in all of them?
    parts: Parts,
    /// The verdict if all do.
    pub(super) holds: bool,
    /// Is this all that it asks?
    pub(super) exact: bool,
    /// Does a run to where one does not decide it?
    by_run: bool,
    /// Only if the run goes on for ever?
    by_loop: bool,
}

impl Asked {
    pub(super) fn new(subject: Subject<'_>, asked: &Request) -> Option<Self> {
        let &Question::Formula { linear, paths, .. } = &asked.question else { return None };
        let (pool, model) = (subject.pool, subject.model);
        if asked.set {
            return None;
        }
        let (mut parts, holds, exact) = about_all(pool, linear)?;
        parts.sort_unstable();
        parts.dedup();
        let plain = |&(formula, _): &Signed| Condition::new(model, pool, formula).is_some();
        // Of several initial states, each has to lead there.
        let by_loop = paths == PathSemantics::Infinite;
        parts.iter().all(plain).then(|| Asked {
            parts,
            holds,
            exact,
            by_run: exact && (holds || model.has_one_initial_state()),
            by_loop,
        })
    }

    /// The signal that is to hold everywhere.
    pub(super) fn signal(&self, subject: Subject<'_>, circuit: &mut Circuit) -> Option<Signal> {
        let mut all = Signal::TRUE;
        for &(formula, negated) in &self.parts {
            let signal = Condition::new(subject.model, subject.pool, formula)?.signal(circuit)?;
            all = circuit.gates.and(all, if negated { !signal } else { signal });
        }
        Some(all)
    }

    /// Does the model say that one of the conditions is not as it should be?
    fn fails_in(&self, subject: Subject<'_>, state: &State) -> bool {
        self.parts.iter().any(|&(formula, negated)| {
            let holds = Condition::new(subject.model, subject.pool, formula).and_then(|it| it.holds(state));
            holds == Some(negated)
        })
    }
}

/// Conditions that decide a formula if each holds in all reachable states, or with `true`, in none; the verdict then; and
/// whether the formula says no more than that.
fn about_all(pool: &Pool, formula: FormulaId) -> Option<(Parts, bool, bool)> {
    match pool[formula] {
        Formula::Forall(path) => always(pool, path, true).map(|(parts, exact)| (parts, true, exact)),
        Formula::Exists(path) => always(pool, path, false).map(|(parts, exact)| (parts, false, exact)),
        Formula::Not(inner) => about_all(pool, inner).map(|(parts, holds, exact)| (parts, !holds, exact)),
        Formula::Implies(_, then) => {
            let found = about_all(pool, then).filter(|(_, holds, _)| *holds);
            found.map(|(parts, ..)| (parts, true, false))
        }
        _ => None,
    }
}

/// The same of a path formula that is to hold on all paths, or of the negation of one that is to hold on none.
fn always(pool: &Pool, path: FormulaId, holds: bool) -> Option<(Parts, bool)> {
    if let Some(part) = resetting::always(pool, path, !holds) {
        return Some((vec![part], true));
    }
    match (&pool[path], holds) {
        (&Formula::Not(inner), _) => always(pool, inner, !holds),
        (&Formula::Implies(_, then), true) => always(pool, then, true).map(|(parts, _)| (parts, false)),
        (Formula::Or(parts), true) | (Formula::And(parts), false) => {
            parts.iter().find_map(|&part| always(pool, part, holds)).map(|(parts, _)| (parts, false))
        }
        _ => None,
    }
}

/// What is known of a question.
struct Slot {
    known: Mutex<Known>,
    /// It is answered, or is not asked of this engine.
    closed: Arc<AtomicBool>,
    /// Is more wanted than its answer?
    wants_more: bool,
}

impl Slot {
    fn new(asked: bool, request: &Request) -> Self {
        let known = Known { at_work: asked, by_bits: None, by_others: false, held: None };
        let wants_more = request.witness || request.set;
        Slot { known: Mutex::new(known), closed: Arc::new(AtomicBool::new(!asked)), wants_more }
    }
}

struct Known {
    /// Is this engine at work, or will it be?
    at_work: bool,
    /// The verdict that it has given.
    by_bits: Option<bool>,
    /// Have the others answered?
    by_others: bool,
    /// What the others have to say in vain.
    held: Option<Answer>,
}

/// Hears of the answers of others, and of those of the engine of bits.
struct Both<'a> {
    listener: &'a dyn Listener,
    slots: Vec<Slot>,
    /// All has been answered by the engine of bits.
    over: Arc<AtomicBool>,
    /// Nothing is left for the engine of bits.
    idle: Arc<AtomicBool>,
    answered: Mutex<()>,
    heard: Condvar,
}

impl Both<'_> {
    fn known(&self, question: usize) -> MutexGuard<'_, Known> {
        self.slots[question].known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Say that something is answered.
    fn wake(&self) {
        drop(self.answered.lock().unwrap_or_else(PoisonError::into_inner));
        self.heard.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.slots.iter().all(|slot| slot.closed.load(Relaxed))
    }

    /// Take note that a question is closed; false if it was.
    fn close(&self, question: usize) -> bool {
        let is_new = !self.slots[question].closed.swap(true, Relaxed);
        if self.is_closed() {
            self.idle.store(true, Relaxed);
        }
        is_new
    }

    /// Ask for what is open.
    fn engine(&self, task: &Task<'_>, asked: Vec<Option<Forms>>, mut pool: Pool) {
        let ways = task.settings.ways;
        if ways.has_others_than_sat() {
            let moment = task.budget.remaining().map_or(MOMENT, |left| MOMENT.min(left / 8));
            let guard = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
            let _late = self.heard.wait_timeout_while(guard, moment, |()| !self.is_closed());
        }
        if self.is_closed() || task.budget.check().is_err() {
            return;
        }
        let _step = begin(task.settings.profile, Step::Sat);
        let budget = &task.budget.clone().with_flag(Arc::clone(&self.idle));
        let Some(mut circuit) = task.subject.model.circuit(budget) else { return };
        match is_faultless(&circuit, budget) {
            Ok(true) => {}
            Ok(false) | Err(_) => return,
        }
        let mut open: Vec<Open> = Vec::new();
        let mut has_successors = circuit.step == Signal::TRUE;
        if !has_successors && asked.iter().flatten().any(Forms::rest_on_successors) {
            has_successors = always_steps(&circuit, &budget.part_up_to(1, 10, SLICE)) == Ok(Some(true));
        }
        for (question, forms) in asked.into_iter().enumerate() {
            let Some(forms) = forms else { continue };
            let Forms { all, runs, ways } = forms.of(&circuit, has_successors);
            let all = all.and_then(|asked| asked.signal(task.subject, &mut circuit).map(|signal| (asked, signal)));
            let ways = ways.and_then(|asked| asked.signals(task.subject, &mut circuit).map(|both| (asked, both)));
            let open_forms = Open { question, all, runs, ways };
            match open_forms.count() {
                0 => self.leave(question),
                _ => open.push(open_forms),
            }
        }
        // In rounds, as easy ones are not to wait for hard ones.
        let mut slice = SLICE;
        while !open.is_empty() && task.budget.check().is_ok() {
            let mut hard: Vec<Open> = Vec::new();
            let mut rest = open.into_iter();
            while let Some(mut asked) = rest.next() {
                let closed = &self.slots[asked.question].closed;
                if closed.load(Relaxed) {
                    continue;
                }
                let others = rest.as_slice().iter().chain(&hard);
                let others = others.filter(|it| !self.slots[it.question].closed.load(Relaxed)).count();
                let forms = asked.count();
                let share = || {
                    let budget = task.budget.share(forms * (others + 1)).with_time(slice);
                    budget.share_of_memory(2).with_flag(Arc::clone(closed))
                };
                self.about_all(task, &circuit, &mut asked, &share());
                if !closed.load(Relaxed) {
                    self.about_runs(task, &circuit, (&mut pool, &mut asked), &share());
                }
                if !closed.load(Relaxed) {
                    self.about_ways(task, &circuit, &mut asked, &share());
                }
                match !closed.load(Relaxed) && asked.count() > 0 {
                    true => hard.push(asked),
                    false => self.leave(asked.question),
                }
            }
            open = hard;
            slice *= GROWTH;
        }
    }

    /// A question as one about all reachable states; it is none any more where that says nothing.
    fn about_all(&self, task: &Task<'_>, circuit: &Circuit, open: &mut Open, budget: &Budget) {
        let (question, Some((asked, signal))) = (open.question, open.all.take()) else { return };
        match decide(circuit, signal, budget) {
            Ok(Outcome::Holds(_)) => {
                if self.give(question, asked.holds) {
                    let explained = explained(task, question, asked.holds, Err(OF_ALL));
                    self.explain(question, explained);
                }
            }
            Ok(Outcome::Fails(run)) if asked.by_run && asked.by_loop => {
                if let Ok(Some(run)) = looping(circuit, &run, budget) {
                    self.found(task, circuit, (question, &asked), &run);
                }
            }
            Ok(Outcome::Fails(run)) if asked.by_run => self.found(task, circuit, (question, &asked), &run),
            Err(Exhausted::Time) => open.all = Some((asked, signal)),
            Ok(Outcome::Fails(_) | Outcome::Unsuitable) | Err(_) => {}
        }
    }

    /// The same as one about single runs.
    fn about_runs(&self, task: &Task<'_>, circuit: &Circuit, (pool, open): (&mut Pool, &mut Open), budget: &Budget) {
        let (question, Some(asked)) = (open.question, open.runs.take()) else { return };
        let Some(product) = Product::new(task.subject.model, circuit, (pool, &asked), budget) else { return };
        match fair_run(&product.circuit, &product.justice, budget) {
            Ok(Endless::None) => {
                if self.give(question, asked.holds) {
                    let explained = explained(task, question, asked.holds, Err(OF_RUNS));
                    self.explain(question, explained);
                }
            }
            Ok(Endless::Loop(run, start)) if asked.by_run => {
                self.found_loop(task, &product.circuit, (question, pool, &asked), (&run, start));
            }
            Err(Exhausted::Time) => open.runs = Some(asked),
            Ok(Endless::Loop(..) | Endless::Unsuitable) | Err(_) => {}
        }
    }

    /// The same as one about ways from each reachable state.
    fn about_ways(&self, task: &Task<'_>, circuit: &Circuit, open: &mut Open, budget: &Budget) {
        let (question, Some((asked, (from, goal)))) = (open.question, open.ways.take()) else { return };
        let verdict = match always_again(circuit, from, goal, budget) {
            Ok(Again::Always) => asked.holds,
            Ok(Again::Never(run)) if asked.by_run => {
                let (states, is_run) = of_model(task, circuit, &run);
                match is_run {
                    Some(true) if states.last().is_some_and(|last| asked.begins_in(task.subject, last)) => {}
                    Some(_) => return self.broken(question, !asked.holds, Broken::new(NO_RUN)),
                    None => return,
                }
                !asked.holds
            }
            Err(Exhausted::Time) => {
                open.ways = Some((asked, (from, goal)));
                return;
            }
            Ok(Again::Never(_) | Again::Unsuitable) | Err(_) => return,
        };
        if self.give(question, verdict) {
            let explained = explained(task, question, verdict, Err(OF_MANY));
            self.explain(question, explained);
        }
    }

    /// A run to where a condition fails.
    fn found(&self, task: &Task<'_>, circuit: &Circuit, (question, asked): (usize, &Asked), run: &Run) {
        let verdict = !asked.holds;
        let (states, is_run) = of_model(task, circuit, run);
        let mut fails = states.iter().any(|state| asked.fails_in(task.subject, state));
        let start = states.split_last().and_then(|(last, earlier)| earlier.iter().position(|state| state == last));
        fails &= start.is_some() || !asked.by_loop;
        match is_run {
            Some(true) if fails => {
                let first = self.give(question, verdict);
                let run = Ok((&states[..], start));
                let explained = if first { explained(task, question, verdict, run) } else { None };
                self.explain(question, explained);
            }
            // What is not told is not given.
            None => {}
            Some(is_run) => {
                let problem = match is_run {
                    false => NO_RUN,
                    true => "the condition does not fail on it, or it ends",
                };
                self.broken(question, verdict, Broken::new(problem));
            }
        }
    }

    /// A run on which a path formula fails, and which goes on from the last state as from that one.
    fn found_loop(
        &self,
        task: &Task<'_>,
        circuit: &Circuit,
        (question, pool, asked): (usize, &Pool, &Linear),
        (run, start): (&Run, usize),
    ) {
        let (model, verdict) = (task.subject.model, !asked.holds);
        let (states, is_run) = of_model(task, circuit, run);
        let part = Part { formula: asked.path, holds: false };
        match (is_run, confirm_loop(model, pool, part, &states, start)) {
            (Some(true), Ok(())) => {
                if self.give(question, verdict) {
                    let run = if asked.as_asked { Ok((&states[..], Some(start))) } else { Err(OF_MANY) };
                    let explained = explained(task, question, verdict, run);
                    self.explain(question, explained);
                }
            }
            (Some(false), _) => self.broken(question, verdict, Broken::new(NO_RUN)),
            (Some(true), Err(Unconfirmed::Broken(problem))) => self.broken(question, verdict, problem),
            (None, _) | (_, Err(_)) => {}
        }
    }

    fn broken(&self, question: usize, verdict: bool, problem: Broken) {
        let technique = Technique::Sat;
        self.listener.faulty(question, Fault::Unconfirmed { verdict, technique, problem });
    }

    /// Give a verdict; false if another one was first.
    fn give(&self, question: usize, verdict: bool) -> bool {
        let mut known = self.known(question);
        if !known.at_work || !self.close(question) {
            return false;
        }
        known.by_bits = Some(verdict);
        known.held = None;
        let value = Value::Verdict(verdict);
        self.listener.answered(Answer { question, value, technique: Technique::Sat, explored: None });
        drop(known);
        self.look_whether_over();
        true
    }

    /// The others end when nothing is wanted of them.
    fn look_whether_over(&self) {
        let is_done = |(question, slot): (usize, &Slot)| {
            let known = self.known(question);
            known.by_bits.is_some() || (known.by_others && !slot.wants_more)
        };
        if self.slots.iter().enumerate().all(is_done) {
            self.over.store(true, Relaxed);
        }
    }

    fn explain(&self, question: usize, explained: Option<Explained>) {
        explained.into_iter().for_each(|explained| self.listener.explained(question, explained));
    }

    /// This engine has nothing more to say of a question.
    fn leave(&self, question: usize) {
        let mut known = self.known(question);
        known.at_work = false;
        self.close(question);
        let held = known.held.take().filter(|_| known.by_bits.is_none());
        held.into_iter().for_each(|answer| self.listener.answered(answer));
    }

    /// It has ended.
    fn ended(&self) {
        (0..self.slots.len()).for_each(|question| self.leave(question));
    }
}

/// A question that is open, in the forms that have not been looked at to the end.
struct Open {
    question: usize,
    all: Option<(Asked, Signal)>,
    runs: Option<Linear>,
    ways: Option<(Resetting, (Signal, Signal))>,
}

impl Open {
    fn count(&self) -> usize {
        [self.all.is_some(), self.runs.is_some(), self.ways.is_some()].into_iter().filter(|&is_open| is_open).count()
    }
}

/// Why no run explains a verdict.
const OF_ALL: &str = "it is so in all reachable states: no single run shows it";
const OF_RUNS: &str = "it is so of all runs: no single run shows it";
const OF_MANY: &str = "it is about runs from the states of a run: no single run shows it";
const NO_RUN: &str = "its states are no run of the model";

/// The states of a run of a circuit, and whether the model says that they are a run of its own.
fn of_model(task: &Task<'_>, circuit: &Circuit, run: &Run) -> (Vec<State>, Option<bool>) {
    let states: Vec<State> = run.states.iter().map(|state| State::new(circuit.values(state))).collect();
    let steps = run.states.iter().zip(&run.inputs);
    let asides: Vec<Vec<u64>> = steps.map(|(state, inputs)| circuit.values_aside(state, inputs)).collect();
    let is_run = task.subject.model.is_run(&states, &asides);
    (states, is_run)
}

/// The explanation of a verdict, where one is wanted: by the states of a run, and where it goes on from the last of them.
fn explained(
    task: &Task<'_>,
    question: usize,
    verdict: bool,
    run: Result<(&[State], Option<usize>), &str>,
) -> Option<Explained> {
    let request = &task.requests[question];
    if !request.witness {
        return None;
    }
    let missing = |why: &str| Some(Explained::Missing(why.to_owned()));
    let (states, start) = match run {
        Ok(run) => run,
        Err(why) => return missing(why),
    };
    let few = "the states of the run have too many successors to tell which of them it takes";
    let Some(started) = states.first().and_then(|first| task.subject.model.started_in(first)) else {
        return missing(few);
    };
    let steps: Option<Vec<_>> = states.windows(2).map(|pair| started.step_between(&pair[0], &pair[1])).collect();
    let Some(prefix) = steps else { return missing(few) };
    let path = match start {
        Some(at) => Path { then: Then::Cycle(prefix[at..].to_vec()), prefix: prefix[..at].to_vec() },
        None => Path { prefix, then: Then::Open },
    };
    let one = Recorder::new(1);
    let subject = Subject { model: &*started, ..task.subject };
    let asked = [Request { set: false, ..request.clone() }];
    let inner = Task { subject, requests: &asked, listener: &one, ..*task };
    let board = Board::new(&inner);
    let found = board.found_by_run(0, verdict, (Technique::Sat, None), &path, task.budget);
    if found.is_ok() {
        board.show(0, verdict, Some(&path));
    }
    drop(board);
    let Recorded { explained, .. } = one.into_recorded().pop().unwrap_or_default();
    explained.or_else(|| missing("the run that was found was not told in time"))
}

impl Listener for Both<'_> {
    fn answered(&self, answer: Answer) {
        let question = answer.question;
        let mut known = self.known(question);
        match (known.by_bits, &answer.value) {
            (Some(verdict), &Value::Verdict(other)) if verdict != other => {
                let (one, other) = ((Value::Verdict(verdict), Technique::Sat), (answer.value, answer.technique));
                self.listener.faulty(question, Fault::Contradiction { one, other });
            }
            (Some(_), _) => {}
            (None, Value::Unknown(_)) if known.at_work => known.held = Some(answer),
            (None, _) => {
                known.by_others = true;
                self.close(question);
                self.listener.answered(answer);
            }
        }
        drop(known);
        self.look_whether_over();
        self.wake();
    }

    fn faulty(&self, question: usize, fault: Fault) {
        self.listener.faulty(question, fault);
    }

    fn is_wanted(&self, question: usize) -> bool {
        self.known(question).by_bits.is_none() && self.listener.is_wanted(question)
    }

    fn explained(&self, question: usize, explained: Explained) {
        if self.known(question).by_bits.is_none() {
            self.listener.explained(question, explained);
        }
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        self.listener.set(question, space, set);
    }

    fn unbounded(&self, variable: &str) {
        self.listener.unbounded(variable);
    }

    fn explored(&self, space: &StateSpace, model_states: Option<&BigUint>) {
        self.listener.explored(space, model_states);
    }

    fn progress(&self, progress: Progress<'_>) {
        self.listener.progress(progress);
    }
}
