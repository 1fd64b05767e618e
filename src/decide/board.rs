//! The board on which all ways post what they have found, and from which they see what is still open.
//!
//! A question has one answer: the first that is given. Another way that comes to a different one has found an error of
//! the program, which is reported ([`Fault`]). A question is *settled* when nothing is wanted of it
//! any more, neither its answer nor its set nor its witness; a flag that budgets can carry says so, so that an engine
//! at work on it stops.
//!
//! **Witnesses** may come before the verdict is posted or long after it, from any way: a path is put together to a
//! witness and replayed (module [`crate::witness`]) before it is given.

use super::answer::{Answer, Explained, Fault, Listener, Technique, Value};
use super::conditions::sum;
use super::task::{Global, Question, Request, Subject, Task};
use crate::budget::Budget;
use crate::explicit::{Searched, Stats};
use crate::formula::Formula;
use crate::model::{Path, Standstill, State, Then, TransitionSystem};
use crate::stop_reason::StopReason;
use crate::witness::{Broken, Claim, FiniteRuns, Unconfirmed, Unexplained, Witness};
use crate::witness::{
    confirm, confirm_accepted, confirm_finite, confirm_reached, explain_accepted, explain_finite, explain_search,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Why no way of a distance is shown.
pub(in crate::decide) const NO_WAY: &str = "no single way shows it";

/// States of all positions of a run that is shown, in values: more take too much memory to be written down.
pub(super) const MOST_SHOWN: usize = 1 << 25;

/// Is a run short enough to be written down with all its states?
pub(super) fn is_showable(model: &dyn TransitionSystem, path: &Path) -> bool {
    let cycle = if let Then::Cycle(cycle) = &path.then { cycle.len() } else { 0 };
    (path.prefix.len() + cycle + 1).saturating_mul(model.variables()) <= MOST_SHOWN
}

/// The known facts about one question.
#[derive(Debug, Default)]
struct Slot {
    known: Mutex<SlotState>,
    /// Is its answer known?
    answered: Arc<AtomicBool>,
    /// Is nothing wanted of it any more?
    settled: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct SlotState {
    answer: Option<(Value, Technique)>,
    explained: bool,
    /// Has its set been given?
    given: bool,
    /// The last reason why a way could not answer it.
    failure: Option<StopReason>,
}

/// The questions of a task, and the known facts about them.
pub(super) struct Board<'a> {
    pub(super) subject: Subject<'a>,
    asked: &'a [Request],
    listener: &'a dyn Listener,
    slots: Vec<Slot>,
    /// Raised when everything is settled.
    over: Arc<AtomicBool>,
    /// One more than the number of reachable states, if it is known and less than 2^64.
    states: AtomicU64,
    /// All that is open is asked of another model.
    left: Arc<AtomicBool>,
    /// The model has infinitely many states.
    infinite: Arc<AtomicBool>,
    /// It is known to have finitely many.
    finite: AtomicBool,
    /// The name of a variable without a bound, then.
    unbounded: OnceLock<String>,
}

impl<'a> Board<'a> {
    pub(super) fn new(&Task { subject, requests: asked, listener, .. }: &Task<'a>) -> Self {
        let board = Board {
            subject,
            asked,
            listener,
            slots: asked.iter().map(|_| Slot::default()).collect(),
            over: Arc::default(),
            states: AtomicU64::new(0),
            left: Arc::default(),
            infinite: Arc::default(),
            finite: AtomicBool::new(false),
            unbounded: OnceLock::new(),
        };
        board.look_whether_over();
        board
    }

    /// All questions with their numbers.
    pub(super) fn questions(&self) -> impl Iterator<Item = (usize, &'a Request)> + use<'a> {
        self.asked.iter().enumerate()
    }

    /// The receiver of answers.
    pub(super) fn listener(&self) -> &'a dyn Listener {
        self.listener
    }

    /// Is the answer of a question not known?
    pub(super) fn is_open(&self, question: usize) -> bool {
        !self.slots[question].answered.load(Relaxed)
    }

    /// Is anything wanted of a question: its answer, its set or its witness?
    pub(super) fn is_wanted(&self, question: usize) -> bool {
        !self.slots[question].settled.load(Relaxed)
    }

    /// Is its answer known, and a witness still wanted?
    pub(super) fn wants_witness(&self, question: usize) -> bool {
        self.asked[question].witness && !self.known(question).explained
    }

    /// Is its set still wanted?
    pub(super) fn wants_set(&self, question: usize) -> bool {
        self.asked[question].set && !self.known(question).given
    }

    /// Is everything settled?
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// A budget that ends when everything is settled.
    pub(super) fn until_over(&self, budget: &Budget) -> Budget {
        budget.clone().with_flag(Arc::clone(&self.over))
    }

    /// A budget that ends when a question is answered.
    pub(super) fn until_answered(&self, question: usize, budget: &Budget) -> Budget {
        budget.clone().with_flag(self.answered_flag(question))
    }

    /// The flag that is raised when a question is answered.
    pub(super) fn answered_flag(&self, question: usize) -> Arc<AtomicBool> {
        Arc::clone(&self.slots[question].answered)
    }

    /// A budget that ends when a question is settled.
    pub(super) fn until_settled(&self, question: usize, budget: &Budget) -> Budget {
        budget.clone().with_flag(Arc::clone(&self.slots[question].settled))
    }

    /// A budget that ends when the model turns out to have infinitely many states.
    pub(super) fn while_finite(&self, budget: &Budget) -> Budget {
        budget.clone().with_flag(Arc::clone(&self.infinite))
    }

    /// Note that all that is open is asked of another model.
    pub(super) fn leave(&self) {
        self.left.store(true, Relaxed);
    }

    /// A budget that ends when all that is open is asked of another model.
    pub(super) fn while_here(&self, budget: &Budget) -> Budget {
        budget.clone().with_flag(Arc::clone(&self.left))
    }

    /// Note how many reachable states there are.
    pub(super) fn note_states(&self, states: u64) {
        self.states.store(states.saturating_add(1), Relaxed);
    }

    /// How many reachable states there are, if that is known.
    pub(super) fn states(&self) -> Option<u64> {
        self.states.load(Relaxed).checked_sub(1)
    }

    /// Note that the model has finitely many states.
    pub(super) fn note_finite(&self) {
        self.finite.store(true, Relaxed);
    }

    /// Is that known?
    pub(super) fn is_finite(&self) -> bool {
        self.finite.load(Relaxed)
    }

    /// Note that the model has infinitely many states, as this variable has no bound.
    pub(super) fn note_infinite(&self, variable: &str) {
        if self.unbounded.set(variable.to_owned()).is_ok() {
            self.listener.unbounded(variable);
        }
        self.infinite.store(true, Relaxed);
    }

    /// That the model has infinitely many states, if that is known.
    pub(super) fn infinite(&self) -> Option<StopReason> {
        self.unbounded.get().map(|variable| StopReason::Unbounded { variable: variable.clone() })
    }

    /// Give an answer; it counts if it is the first.
    pub(super) fn give(&self, question: usize, value: Value, technique: Technique, explored: Option<Stats>) {
        let before = {
            let mut known = self.known(question);
            let before = known.answer.clone();
            if before.is_none() {
                known.answer = Some((value.clone(), technique));
                self.slots[question].answered.store(true, Relaxed);
                self.listener.answered(Answer { question, value, technique, explored });
                drop(known);
                self.settle_if_done(question);
                self.withdraw_unwanted();
                return;
            }
            before
        };
        if let Some(before) = before
            && before.0 != value
            && !matches!(before.0, Value::Unknown(_))
            && !matches!(value, Value::Unknown(_))
        {
            self.listener.faulty(question, Fault::Contradiction { one: before, other: (value, technique) });
        }
    }

    /// Close what is open and the listener does not want any more.
    pub(super) fn withdraw_unwanted(&self) {
        for (question, slot) in self.slots.iter().enumerate() {
            if !self.is_open(question) || self.listener.is_wanted(question) {
                continue;
            }
            let mut known = self.known(question);
            // An answer that has come in between has its own witness and set to wait for.
            if known.answer.is_none() {
                let why = StopReason::Unsupported("the answer is not wanted any more");
                known.answer = Some((Value::Unknown(why), Technique::None));
                slot.answered.store(true, Relaxed);
                slot.settled.store(true, Relaxed);
                drop(known);
                self.look_whether_over();
            }
        }
    }

    /// Give a verdict.
    pub(super) fn verdict(&self, question: usize, verdict: bool, technique: Technique) {
        self.give(question, Value::Verdict(verdict), technique, None);
    }

    /// Give a verdict that rests on all states, or on all runs: no single one shows it.
    pub(super) fn found_in_all(&self, question: usize, verdict: bool, explored: Stats) {
        self.give(question, Value::Verdict(verdict), Technique::Explicit, Some(explored));
        self.show(question, verdict, None);
    }

    /// Give the verdict of a search for a state: this one if there is none, the other one by the path to it.
    pub(super) fn found_in_all_or_by(&self, question: usize, in_all: bool, found: &Searched, budget: &Budget) {
        match &found.trace {
            None => self.found_in_all(question, in_all, found.stats),
            Some(trace) => {
                let how = (Technique::Explicit, Some(found.stats));
                let _open_if_not = self.found_by_run(question, !in_all, how, &trace.path, budget);
            }
        }
    }

    /// Give a verdict that rests on a run, once it has been replayed on the model. The reason if it is not given; what
    /// does not replay has been reported, and the question stays open.
    pub(super) fn found_by_run(
        &self,
        question: usize,
        verdict: bool,
        (technique, explored): (Technique, Option<Stats>),
        path: &Path,
        budget: &Budget,
    ) -> Result<(), Unconfirmed> {
        let (model, pool) = (self.subject.model, self.subject.pool);
        let confirmed = match &self.asked[question].question {
            &Question::Formula { linear, paths, .. } => {
                let claim = Claim { model, pool, formula: linear, holds: verdict, paths };
                confirm(claim, path, budget)
            }
            Question::Automaton { automaton, propositions, shown, last: Some(last), .. } => {
                let automaton = (automaton, &propositions[..]);
                confirm_finite(FiniteRuns { model, pool, formula: *shown, last: *last, automaton }, path, budget)
            }
            Question::Automaton { automaton, propositions, paths, .. } => {
                confirm_accepted(model, (automaton, propositions), pool, *paths, path, budget)
            }
            // After a deadlock no transition can fire any more.
            Question::Global(Global::Deadlock | Global::Liveness) => {
                confirm_reached(model, path, budget, &|state| model.stands_still(state, Standstill::Deadlock))
            }
            Question::Global(Global::OneSafe) => {
                let groups = &self.subject.groups.variables;
                let is_crowded = |state: &State| groups.iter().any(|group| sum(state, group) > 1);
                confirm_reached(model, path, budget, &is_crowded)
            }
            _ => Err(Unconfirmed::Undecided),
        };
        self.give_confirmed(question, verdict, (technique, explored), &confirmed);
        confirmed
    }

    /// The same of a verdict that rests on a state at the end of a path, for which `decides` is true.
    pub(super) fn found_by_path(
        &self,
        question: usize,
        verdict: bool,
        how: (Technique, Option<Stats>),
        path: &Path,
        decides: &dyn Fn(&State) -> bool,
        budget: &Budget,
    ) -> Result<(), Unconfirmed> {
        match self.found_by_run(question, verdict, how, path, budget) {
            // A combination of several formulas, or a formula about bounds.
            Err(Unconfirmed::Undecided) => {
                let confirmed = confirm_reached(self.subject.model, path, budget, decides);
                self.give_confirmed(question, verdict, how, &confirmed);
                confirmed
            }
            found => found,
        }
    }

    /// The same of a verdict for which a formula stands that has the same value on this model.
    pub(super) fn found_by_claim(
        &self,
        question: usize,
        how: (Technique, Option<Stats>),
        claim: Claim<'_>,
        path: &Path,
        budget: &Budget,
    ) -> Result<(), Unconfirmed> {
        let confirmed = confirm(claim, path, budget);
        self.give_confirmed(question, claim.holds, how, &confirmed);
        confirmed
    }

    fn give_confirmed(
        &self,
        question: usize,
        verdict: bool,
        (technique, explored): (Technique, Option<Stats>),
        confirmed: &Result<(), Unconfirmed>,
    ) {
        match confirmed {
            Ok(()) => self.give(question, Value::Verdict(verdict), technique, explored),
            Err(Unconfirmed::Broken(problem)) => {
                let problem = problem.clone();
                self.listener.faulty(question, Fault::Unconfirmed { verdict, technique, problem });
            }
            Err(_) => {}
        }
    }

    /// The verdict that was given.
    pub(super) fn verdict_of(&self, question: usize) -> Option<bool> {
        match self.known(question).answer {
            Some((Value::Verdict(verdict), _)) => Some(verdict),
            _ => None,
        }
    }

    /// The answer that was given.
    pub(super) fn value_of(&self, question: usize) -> Option<Value> {
        self.known(question).answer.as_ref().map(|(value, _)| value.clone())
    }

    /// Does a path show a verdict, if it goes on anyhow? What was asked may say more than what has been simplified, as of fair
    /// paths.
    pub(super) fn is_shown_by(&self, question: usize, verdict: bool, path: &Path) -> bool {
        let &Question::Formula { linear, paths, .. } = &self.asked[question].question else { return true };
        let Subject { model, pool, .. } = self.subject;
        path.then != Then::Open || explain_search(model, pool, paths, linear, verdict, Some(path)).is_ok()
    }

    /// Explain a verdict by a path, or by saying that no path could show it, where a witness is wanted.
    pub(super) fn show(&self, question: usize, verdict: bool, path: Option<&Path>) {
        if !self.wants_witness(question) {
            return;
        }
        let &Question::Formula { linear, paths, .. } = &self.asked[question].question else { return };
        let pool = self.subject.pool;
        let shown_by_path = match pool[linear] {
            Formula::Exists(_) | Formula::Forall(_) => pool.shown_by_run(linear, verdict),
            // Boolean combinations may need several paths, or none.
            _ => path.is_none(),
        };
        if shown_by_path && path.is_none() {
            return;
        }
        match explain_search(self.subject.model, pool, paths, linear, verdict, path) {
            Ok(Some(witness)) => self.explain(question, Explained::Witness(witness)),
            Ok(None) => {}
            Err(broken) => self.explain(question, Explained::Broken(broken)),
        }
    }

    /// Explain what a search for a run that an automaton accepts has found.
    pub(super) fn show_accepted(&self, question: usize, path: Option<&Path>) {
        let Question::Automaton { automaton, propositions, shown, paths, last, .. } = &self.asked[question].question
        else {
            return;
        };
        if !self.wants_witness(question) {
            return;
        }
        let missing = |why: &str| Explained::Missing(why.to_owned());
        let Subject { model, pool, .. } = self.subject;
        let explained = match (path, *last) {
            (None, None) => missing("no run is accepted, so there is none to show"),
            (None, Some(_)) => missing("no finite run decides it, so there is none to show"),
            (Some(path), Some(last)) => {
                let automaton = (automaton, &propositions[..]);
                match explain_finite(FiniteRuns { model, pool, formula: *shown, last, automaton }, path) {
                    Ok(Some(witness)) => Explained::Witness(witness),
                    Ok(None) => missing("the run that was found does not tell where it is over"),
                    Err(broken) => Explained::Broken(broken),
                }
            }
            (Some(path), None) => {
                match explain_accepted(model, pool, *paths, (automaton, propositions), *shown, path) {
                    Ok(Some(witness)) => Explained::Witness(witness),
                    Ok(None) => {
                        missing("a proposition of the automaton has path quantifiers, so no run alone shows it")
                    }
                    Err(broken) => Explained::Broken(broken),
                }
            }
        };
        self.explain(question, explained);
    }

    /// Give the witness of a verdict, or the error that came instead.
    pub(super) fn witness(&self, question: usize, found: Result<Witness, Unexplained<StopReason>>) {
        match found {
            Ok(witness) => self.explain(question, Explained::Witness(witness)),
            Err(Unexplained::Broken(broken)) => self.explain(question, Explained::Broken(broken)),
            Err(Unexplained::Stopped(stop)) => self.fail(question, stop),
        }
    }

    /// Explain an answer; it counts if it is the first explanation and is wanted.
    pub(super) fn explain(&self, question: usize, explained: Explained) {
        let mut known = self.known(question);
        if !self.asked[question].witness || known.explained {
            return;
        }
        // The answer comes first.
        let answered = known.answer.as_ref().map(|(value, _)| value.clone());
        if answered.is_none() {
            return;
        }
        // A run that an automaton accepts is shown as one, whatever the verdict is that it brings.
        let expected = |verdict: bool| match self.asked[question].question {
            Question::Automaton { accepted, last: None, .. } => verdict == accepted,
            _ => verdict,
        };
        let is_way = matches!(self.asked[question].question, Question::Distance { .. });
        let explained = match (explained, answered) {
            (Explained::Witness(witness), Some(Value::Verdict(verdict)))
                if witness.reason.holds != expected(verdict) =>
            {
                Explained::Broken(Broken::contradiction())
            }
            // It begins in one initial state, and another one may have the way.
            (Explained::Witness(witness), Some(_)) if is_way && !witness.reason.holds => {
                Explained::Missing(NO_WAY.to_owned())
            }
            (explained, _) => explained,
        };
        known.explained = true;
        self.listener.explained(question, explained);
        drop(known);
        self.settle_if_done(question);
    }

    /// Its set has been given.
    pub(super) fn note_set(&self, question: usize) {
        self.known(question).given = true;
        self.settle_if_done(question);
    }

    /// Note why a way could not do what is wanted of a question.
    pub(super) fn fail(&self, question: usize, stop: StopReason) {
        self.known(question).failure = Some(stop);
    }

    /// The reason why a way failed on a question, if it is not lack of time.
    pub(super) fn failure(&self, question: usize) -> Option<StopReason> {
        self.known(question).failure.clone()
    }

    /// Nothing more will come: give what is open as unknown. `reason` is for those of which no other is known.
    pub(super) fn close(&self, reason: &StopReason) {
        for (question, asked) in self.questions() {
            let failure = self.failure(question).filter(|failure| !failure.is_time());
            let why = failure.unwrap_or_else(|| reason.clone());
            if self.is_open(question) {
                self.give(question, Value::Unknown(why.clone()), Technique::None, None);
            }
            if asked.witness && !self.known(question).explained {
                let missing = match why.is_time() {
                    true => "witness not found in time".to_owned(),
                    false => format!("witness not found: {why}"),
                };
                self.explain(question, Explained::Missing(missing));
            }
        }
    }

    fn known(&self, question: usize) -> MutexGuard<'_, SlotState> {
        self.slots[question].known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle_if_done(&self, question: usize) {
        let asked = &self.asked[question];
        let done = {
            let known = self.known(question);
            known.answer.is_some() && (known.explained || !asked.witness) && (known.given || !asked.set)
        };
        if done {
            self.slots[question].settled.store(true, Relaxed);
            self.look_whether_over();
        }
    }

    fn look_whether_over(&self) {
        if self.slots.iter().all(|slot| slot.settled.load(Relaxed)) {
            self.over.store(true, Relaxed);
        }
    }
}
