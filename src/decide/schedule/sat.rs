//! The engine of bits, beside everything else.
//!
//! What is asked about all reachable states (`A G φ`, `E F φ` for a condition φ) of a model that is a circuit goes to
//! [`crate::sat`] as well, on a thread of its own. A model that is explored at once is not made a circuit: the thread waits
//! for a moment. Whoever is first gives the answer; what the others cannot answer waits until this engine has ended, too.
//!
//! **Paths.** That φ holds in all reachable states says that it does on all paths, of whatever sort and however fair. That a
//! run leads to where φ fails says that it fails on a path only where each run is part of a path: with the semantics of
//! maximal and of stuttering paths, and no assumption. If paths are infinite, the run has to go on to a state that it has
//! been in. Under assumptions such a run is no answer.
//!
//! **Runs before verdicts.** The model itself tells whether the states are a run of its own, and whether φ fails in the last
//! of them.

use crate::budget::Exhausted;
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
use crate::sat::{Outcome, Run, decide, is_faultless, looping};
use crate::witness::Broken;
use num_bigint::BigUint;
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
        let is_circuit = task.subject.model.has_circuit();
        let asked = |asked: &Request| if is_circuit { Asked::new(task.subject, asked) } else { None };
        let asked: Vec<Option<Asked>> = task.requests.iter().map(asked).collect();
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
                let _failed = catch_unwind(AssertUnwindSafe(|| both.engine(task, &asked)));
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

/// Conditions, with `true` those that are to fail.
type Parts = Vec<(FormulaId, bool)>;

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
        let one = || model.lists_initial_states() && model.initial_states().len() == 1;
        parts.sort_unstable();
        parts.dedup();
        let plain = |&(formula, _): &(FormulaId, bool)| Condition::new(model, pool, formula).is_some();
        // Of several initial states, each has to lead there.
        let by_loop = paths == PathSemantics::Infinite;
        parts.iter().all(plain).then(|| Asked { parts, holds, exact, by_run: exact && (holds || one()), by_loop })
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
    match (&pool[path], holds) {
        (&Formula::Globally(inner), true) => Some((vec![(inner, false)], true)),
        (&Formula::Finally(inner), false) => Some((vec![(inner, true)], true)),
        (&Formula::Release(never, inner), true) if pool[never] == Formula::False => Some((vec![(inner, false)], true)),
        (&Formula::Until(always, inner), false) if pool[always] == Formula::True => Some((vec![(inner, true)], true)),
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
    fn engine(&self, task: &Task<'_>, asked: &[Option<Asked>]) {
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
        let mut open: Vec<(usize, &Asked, Signal)> = Vec::new();
        for (question, asked) in asked.iter().enumerate() {
            match asked.as_ref().map(|asked| (asked, asked.signal(task.subject, &mut circuit))) {
                Some((asked, Some(signal))) => open.push((question, asked, signal)),
                Some((_, None)) => self.leave(question),
                None => {}
            }
        }
        // In rounds, as easy ones are not to wait for hard ones.
        let mut slice = SLICE;
        while !open.is_empty() && task.budget.check().is_ok() {
            let mut hard = Vec::new();
            for at in 0..open.len() {
                let (question, asked, signal) = open[at];
                let closed = &self.slots[question].closed;
                let rest = open[at..].iter().chain(&hard).filter(|it| !self.slots[it.0].closed.load(Relaxed)).count();
                let budget = task.budget.share(rest.max(1)).with_time(slice);
                let budget = budget.share_of_memory(2).with_flag(Arc::clone(closed));
                let ended = match closed.load(Relaxed) {
                    true => continue,
                    false => decide(&circuit, signal, &budget),
                };
                match ended {
                    Ok(Outcome::Holds(_)) => {
                        if self.give(question, asked.holds) {
                            let explained = explained(task, question, asked.holds, None);
                            self.explain(question, explained);
                        }
                    }
                    Ok(Outcome::Fails(run)) if asked.by_run && asked.by_loop => {
                        if let Ok(Some(run)) = looping(&circuit, &run, &budget) {
                            self.found(task, &circuit, (question, asked), &run);
                        }
                    }
                    Ok(Outcome::Fails(run)) if asked.by_run => self.found(task, &circuit, (question, asked), &run),
                    Err(Exhausted::Time) => {
                        hard.push(open[at]);
                        continue;
                    }
                    Ok(Outcome::Fails(_) | Outcome::Unsuitable) | Err(_) => {}
                }
                self.leave(question);
            }
            open = hard;
            slice *= GROWTH;
        }
    }

    /// A run to where a condition fails.
    fn found(&self, task: &Task<'_>, circuit: &Circuit, (question, asked): (usize, &Asked), run: &Run) {
        let (model, verdict) = (task.subject.model, !asked.holds);
        let states: Vec<State> = run.states.iter().map(|state| State::new(circuit.values(state))).collect();
        let steps = run.states.iter().zip(&run.inputs);
        let asides: Vec<Vec<u64>> = steps.map(|(state, inputs)| circuit.values_aside(state, inputs)).collect();
        let is_run = model.is_run(&states, &asides);
        let mut fails = states.iter().any(|state| asked.fails_in(task.subject, state));
        let loops = states.split_last().is_some_and(|(last, earlier)| earlier.contains(last));
        fails &= loops || !asked.by_loop;
        match is_run {
            Some(true) if fails => {
                let first = self.give(question, verdict);
                let explained = if first { explained(task, question, verdict, Some(&states)) } else { None };
                self.explain(question, explained);
            }
            // What is not told is not given.
            None => {}
            Some(_) => {
                let problem = match fails {
                    true => "its states are no run of the model",
                    false => "the condition does not fail on it, or it ends",
                };
                let (technique, problem) = (Technique::Sat, Broken::new(problem));
                self.listener.faulty(question, Fault::Unconfirmed { verdict, technique, problem });
            }
        }
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

/// The explanation of a verdict, where one is wanted: by the states of a run.
fn explained(task: &Task<'_>, question: usize, verdict: bool, states: Option<&[State]>) -> Option<Explained> {
    let request = &task.requests[question];
    if !request.witness {
        return None;
    }
    let missing = |why: &str| Some(Explained::Missing(why.to_owned()));
    let Some(states) = states else { return missing("it is so in all reachable states: no single run shows it") };
    let few = "the states of the run have too many successors to tell which of them it takes";
    let Some(started) = states.first().and_then(|first| task.subject.model.started_in(first)) else {
        return missing(few);
    };
    let steps: Option<Vec<_>> = states.windows(2).map(|pair| started.step_between(&pair[0], &pair[1])).collect();
    let Some(prefix) = steps else { return missing(few) };
    let (last, earlier) = states.split_last()?;
    let path = match earlier.iter().position(|state| state == last) {
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
