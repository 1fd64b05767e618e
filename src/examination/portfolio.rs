//! Several engines under one budget.
//!
//! Nobody can tell beforehand which engine will answer a question. So the reachable markings are computed as a
//! diagram beside everything else, and all other engines take turns in slices of time that grow from round to
//! round: easy questions are answered in the first milliseconds whichever engine finds them easy, and a hard one
//! costs a constant factor more than its best engine alone.
//!
//! An engine that cannot succeed with more time (out of memory, unbounded place, unsupported question) drops
//! out. The run ends when everything is answered, the budget is used up, or only random walks are left.

use super::answer::{Answer, Technique, Value};
use super::reached::{Reached, reach};
use super::walk::Walk;
use super::{Settings, Subject};
use crate::budget::{Budget, Exhausted};
use crate::explicit::{self, Stopped};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::structure::{Coverability, Effort, Flows, PSemiflow, PlaceBounds, Supremum, p_semiflows};
use crate::symbolic::Halt;
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// What each engine has for one slice in the first round.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// By how much slices grow from round to round.
const GROWTH: u32 = 4;
/// The slices that all questions together have for nets of their own.
const REDUCTION: u32 = 4;
/// Shares of the time of a question with a net of its own.
const SHARES: u32 = 6;
/// The part of a slice that goes to random walks.
const WALKS: u32 = 4;
/// The search for semiflows: a fraction of a second.
const SEMIFLOWS: Effort = Effort { rows: 50_000, work: 10_000_000 };
/// The part of the budget that semiflows may take.
const STRUCTURE: u32 = 20;
/// The time for linear programs, and the part of the budget that they may take.
const PROGRAMS: Duration = Duration::from_secs(20);
const PROGRAMS_PART: u32 = 8;
/// The coverability search of the first round; later ones grow with the slices.
const COVER: Effort = Effort { rows: 20_000, work: 20_000_000 };

/// Where answers go.
pub(super) struct Answers<'a> {
    emit: &'a mut (dyn FnMut(Answer) + Send),
}

impl Answers<'_> {
    /// Give an answer. To be called once for each question.
    pub(super) fn give(&mut self, id: &str, value: Value, technique: Technique) {
        (self.emit)(Answer { id: id.to_owned(), value, technique });
    }

    /// Give a verdict.
    pub(super) fn verdict(&mut self, id: &str, verdict: bool, technique: Technique) {
        self.give(id, Value::Verdict(verdict), technique);
    }
}

/// A net under examination.
pub(super) struct Case<'a> {
    /// What is examined.
    pub(super) subject: &'a Subject<'a>,
    /// How.
    pub(super) settings: &'a Settings,
    /// Limits of the whole run.
    pub(super) budget: &'a Budget,
    /// Where answers go.
    pub(super) answers: Answers<'a>,
    /// What each engine has for its first slice.
    slice: Duration,
    /// The reachable markings, once they are known.
    reached: &'a OnceCell<Reached>,
}

/// What the structure of the net says.
pub(super) struct Structure {
    semiflows: Flows<PSemiflow>,
    /// Bounds of places.
    pub(super) bounds: PlaceBounds,
}

impl Structure {
    /// An upper bound of the sum of the tokens in `places`, if there is one.
    pub(super) fn bound(&self, places: &[PlaceId]) -> Option<u128> {
        let sum = places.iter().try_fold(0u128, |sum, &place| Some(sum + u128::from(self.bounds.of(place)?)));
        // A semiflow that has each of the places at least as often as listed bounds their sum as a whole.
        let covers = |flow: &&PSemiflow| {
            let weight = |place| flow.weights.binary_search_by_key(&place, |&(p, _)| p).map(|i| flow.weights[i].1);
            places.iter().all(|place| {
                let listed = places.iter().filter(|p| *p == place).count() as u64;
                weight(*place).is_ok_and(|weight| weight >= listed)
            })
        };
        let whole = self.semiflows.flows.iter().filter(covers).map(|flow| flow.tokens).min();
        sum.into_iter().chain(whole).min()
    }
}

/// An examination, as the engines see it. Each method answers what it can and leaves the rest open.
pub(super) trait Questionnaire<'a> {
    /// Is there a question without an answer?
    fn is_open(&self) -> bool;

    /// Will diagrams answer by fixpoints, rather than by a look at the reachable markings?
    fn needs_fixpoints(&self) -> bool {
        false
    }

    /// Answer from the structure of the net and its initial marking.
    fn by_structure(&mut self, _case: &mut Case<'a>, _structure: &Structure) {}

    /// Answer from a coverability graph.
    fn by_coverability(&mut self, _case: &mut Case<'a>, _cover: &Coverability) {}

    /// Answer from the reachable markings, spending about a slice on each question.
    ///
    /// # Errors
    /// When no more time would help with any open question.
    fn by_diagram(&mut self, case: &mut Case<'a>, reached: &'a Reached, slice: Duration) -> Result<(), Halt>;

    /// Look at the marking of a walk; true when there is no use in going on.
    fn on_walk(&mut self, _case: &mut Case<'a>, _walk: &Walk<'_>) -> bool {
        true
    }

    /// Answer from reduced nets, spending about a slice on all questions together.
    fn by_reduction(&mut self, _case: &mut Case<'a>, _slice: Duration) {}

    /// Search marking by marking, within this budget.
    ///
    /// # Errors
    /// When it ended early; only [`Exhausted::Time`] may be tried again with more.
    fn by_search(&mut self, _case: &mut Case<'a>, _budget: &Budget) -> Result<(), Stopped> {
        Err(Stopped::Unsupported("this examination"))
    }

    /// Give what is open as unknown.
    fn give_up(&mut self, case: &mut Case<'a>, reason: &str);
}

impl<'a> Case<'a> {
    pub(super) fn new(
        subject: &'a Subject<'a>,
        settings: &'a Settings,
        budget: &'a Budget,
        answer: &'a mut (dyn FnMut(Answer) + Send),
        reached: &'a OnceCell<Reached>,
    ) -> Self {
        Case { subject, settings, budget, answers: Answers { emit: answer }, slice: FIRST_SLICE, reached }
    }

    /// Begin with slices that let each engine have its turn within `time`.
    pub(super) fn share(&mut self, time: Duration) {
        self.slice = FIRST_SLICE.min(time / SHARES);
    }

    /// The net.
    pub(super) fn net(&self) -> &'a PetriNet {
        self.subject.net
    }

    /// Answer all questions that can be answered within the budget, and give up the others.
    pub(super) fn examine(&mut self, questions: &mut dyn Questionnaire<'a>) {
        let mut reason = String::new();
        if questions.is_open() {
            reason = match self.rounds(questions) {
                Ok(reason) => reason,
                Err(exhausted) => exhausted.to_string(),
            };
        }
        if questions.is_open() {
            questions.give_up(self, &reason);
        }
    }

    /// Let the engines answer what they can. Returns why nothing more can be done.
    fn rounds(&mut self, questions: &mut dyn Questionnaire<'a>) -> Result<String, Exhausted> {
        let engines = self.settings.engines;
        let structure = self.structure()?;
        if engines.structure {
            questions.by_structure(self, &structure);
        }
        let left_out = |takes_part: bool| (!takes_part).then(|| "left out".to_owned());
        let no_diagram = left_out(engines.diagrams);
        if no_diagram.is_some() || self.reached.get().is_some() || !questions.is_open() {
            return self.turns(questions, &structure, no_diagram, None);
        }
        let over = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let (net, settings) = (self.net(), self.settings);
        let fixpoints = questions.needs_fixpoints();
        let budget = self.budget.clone().with_flag(Arc::clone(&over));
        thread::scope(|scope| {
            let search = move || {
                // Nobody waits for it any more when the questions are answered.
                let _unwanted = sender.send(reach(net, settings, fixpoints, &budget));
            };
            let spawned = thread::Builder::new().name("reach".into()).spawn_scoped(scope, search);
            let no_diagram = spawned.err().map(|error| format!("no thread for the diagrams: {error}"));
            let reason = self.turns(questions, &structure, no_diagram, Some(&receiver));
            over.store(true, Relaxed);
            reason
        })
    }

    /// Let the engines take turns while the reachable markings are on their way. Returns why nothing more can be
    /// done.
    fn turns(
        &mut self,
        questions: &mut dyn Questionnaire<'a>,
        structure: &Structure,
        mut no_diagram: Option<String>,
        on_its_way: Option<&mpsc::Receiver<Result<Reached, Halt>>>,
    ) -> Result<String, Exhausted> {
        let engines = self.settings.engines;
        let mut no_search = (!engines.search).then(|| "left out".to_owned());
        let mut cover_again = engines.coverability && !structure.bounds.all_bounded();
        let mut infinite = false;
        let mut walk = Walk::new(self.net());
        let mut effort = COVER;
        let mut slice = self.slice;
        let mut first = true;
        while questions.is_open() {
            if let (Some(reach), None, None) = (on_its_way, &no_diagram, self.reached.get()) {
                // Most nets are explored in no time; and to wait costs nothing when there is nothing else to do.
                let wait = if first || (no_search.is_some() && !cover_again) { slice } else { Duration::ZERO };
                match reach.recv_timeout(self.budget.remaining().map_or(wait, |time| wait.min(time))) {
                    Ok(Ok(found)) => drop(self.reached.set(found)),
                    Ok(Err(Halt::Exhausted(exhausted @ (Exhausted::Time | Exhausted::Cancelled)))) => {
                        return Err(exhausted);
                    }
                    Ok(Err(halt)) => {
                        infinite |= matches!(halt, Halt::Unbounded { .. });
                        no_diagram = Some(halt.to_string());
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => no_diagram = Some("the search ended".to_owned()),
                }
                first = false;
            }
            if cover_again && self.reached.get().is_none() && questions.is_open() {
                let budget = self.budget.clone().with_time(slice);
                match Coverability::new(self.net(), effort, &budget) {
                    Ok(Some(cover)) => {
                        questions.by_coverability(self, &cover);
                        infinite |= cover.unbounded();
                        cover_again = !cover.complete();
                    }
                    Ok(None) => cover_again = false,
                    Err(Exhausted::Time) => self.budget.check()?,
                    Err(exhausted) => return Err(exhausted),
                }
            }
            if infinite && no_diagram.is_none() {
                no_diagram = Some("the net is unbounded".to_owned());
            }
            if let (Some(reached), None) = (self.reached.get(), &no_diagram)
                && questions.is_open()
                && let Err(halt) = questions.by_diagram(self, reached, slice)
            {
                self.budget.check()?;
                no_diagram = Some(halt.to_string());
            }
            self.budget.check()?;
            if engines.walks && questions.is_open() {
                let budget = self.budget.clone().with_time(slice / WALKS);
                walk.run(&budget, |walk| questions.on_walk(self, walk));
            }
            if engines.reductions && questions.is_open() {
                questions.by_reduction(self, slice * REDUCTION);
                self.budget.check()?;
            }
            if no_search.is_none() && questions.is_open() {
                let mut budget = self.budget.clone().with_time(slice);
                if let Some(bytes) = self.budget.memory() {
                    budget = budget.with_memory(bytes / 2);
                }
                match questions.by_search(self, &budget) {
                    Ok(()) => {}
                    Err(Stopped::Budget(Exhausted::Time)) => {}
                    Err(stopped) => no_search = Some(stopped.to_string()),
                }
            }
            self.budget.check()?;
            if let (Some(diagram), Some(_)) = (&no_diagram, &no_search)
                && !cover_again
            {
                return Ok(diagram.clone());
            }
            slice *= GROWTH;
            effort = Effort { rows: effort.rows * 2, work: effort.work * u64::from(GROWTH) };
        }
        Ok(String::new())
    }

    /// What linear programs may take of the budget.
    pub(super) fn programs_budget(&self) -> Budget {
        let share = self.budget.remaining().map_or(PROGRAMS, |time| PROGRAMS.min(time / PROGRAMS_PART));
        self.budget.clone().with_time(share)
    }

    fn structure(&self) -> Result<Structure, Exhausted> {
        let net = self.net();
        let share = self.budget.remaining().map(|time| time / STRUCTURE);
        let budget = share.map_or(self.budget.clone(), |share| self.budget.clone().with_time(share));
        let semiflows = match p_semiflows(net, SEMIFLOWS, &budget) {
            Ok(semiflows) => semiflows,
            Err(_) => {
                self.budget.check()?;
                Flows { flows: Vec::new(), complete: false }
            }
        };
        let bounds = PlaceBounds::new(net, &semiflows.flows);
        Ok(Structure { semiflows, bounds })
    }

    /// Explore everything marking by marking.
    pub(super) fn explore(&self, budget: &Budget) -> Result<explicit::Exploration, Stopped> {
        explicit::explore(self.net(), &self.settings.explicit, budget)
    }
}

/// The supremum as an answer.
pub(super) fn number(supremum: Supremum) -> Value {
    match supremum {
        Supremum::Finite(bound) => Value::Number(bound.into()),
        Supremum::Infinite => Value::Infinite,
    }
}

/// Is one of these transitions enabled?
pub(super) fn some_enabled(flags: &[bool], transitions: &[TransitionId]) -> bool {
    transitions.iter().any(|t| flags.get(t.index()).copied().unwrap_or(false))
}
