//! Questions of reachability beyond memory: search breadth first, with the states in a folder.
//!
//! The model is searched as it is, without reductions, so that its states serve all questions: those in the folder from
//! earlier questions are looked through first. Only `EF c`, `AG c`, their negations and Boolean combinations are
//! answered, with shortest runs.

use super::lanes::refuse_unreadable;
use crate::budget::Budget;
use crate::decide::answer::{Answer, Listener, Technique, Value};
use crate::decide::board::Board;
use crate::decide::context::Context;
use crate::decide::profile::{Counted, Step, begin};
use crate::decide::properties::formulas::Formulas;
use crate::decide::rewriting::operands::Operands;
use crate::decide::settings::{Settings, Ways};
use crate::decide::solver::{Pipeline, Solver};
use crate::decide::state_space::Progress;
use crate::decide::task::{Request, Subject, Task, suits};
use crate::explicit::{Disk, DiskError, Encoding, OnDisk};
use crate::stop_reason::StopReason;
use std::sync::{Mutex, PoisonError};

/// Why a question stays unknown.
const OTHERS: StopReason =
    StopReason::Unsupported("with the states on disk, EF c, AG c and their combinations alone are answered");
const SEVERAL: StopReason = StopReason::Unsupported("with the states on disk, models have one initial state");

/// Answer questions of reachability with the states in a folder. The listener hears each answer as soon as it is known;
/// other questions are unknown. Returned is what went on in the folder, if states were looked at.
///
/// # Errors
/// When the folder is of something else, damaged, or cannot be written.
pub fn decide_on_disk(
    subject: Subject<'_>,
    requests: &[Request],
    settings: &Settings<'_>,
    disk: &Disk,
    budget: &Budget,
    listener: &dyn Listener,
) -> Result<Option<OnDisk<()>>, DiskError> {
    let refusal = match suits(subject, requests) {
        Err(foreign) => Some(foreign.into()),
        Ok(()) if !is_plain(subject) => Some(SEVERAL),
        Ok(()) => None,
    };
    if let Some(stop) = refusal {
        let refuse = |question| {
            let value = Value::Unknown(stop.clone());
            listener.answered(Answer { question, value, technique: Technique::None, explored: None });
        };
        (0..requests.len()).for_each(refuse);
        return Ok(None);
    }
    let counted = settings.profile.map(|profile| Counted { profile, listener });
    let listener = counted.as_ref().map_or(listener, |counted| counted);
    // All ways, for the pass that takes combinations apart; and states that stand for no others.
    let encoding = Encoding { swaps: [].into(), families: [].into(), ..settings.encoding.clone() };
    let settings = &Settings { ways: Ways::default(), encoding, ..settings.clone() };
    let searched = Searched { disk, known: Mutex::new(Ok(None)) };
    Pipeline { passes: &[&Operands], solver: &searched }
        .solve(&Task::new(subject, requests, settings, budget, listener));
    searched.known.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Has a model one initial state, and are all of its states meant?
fn is_plain(subject: Subject<'_>) -> bool {
    let model = subject.model;
    model.lists_initial_states() && !model.passes_through() && model.initial_states().len() == 1
}

/// Search in a folder.
struct Searched<'d> {
    disk: &'d Disk,
    known: Mutex<Result<Option<OnDisk<()>>, DiskError>>,
}

impl Solver for Searched<'_> {
    fn solve(&self, task: &Task<'_>) {
        let &Task { settings, budget, listener, .. } = task;
        let board = Board::new(task);
        refuse_unreadable(&board);
        let whole = board.until_over(budget);
        let context = Context::new(&board, settings, &whole, self);
        let mut formulas = Formulas::new(&board, settings.route);
        let of_reachability = formulas.of_reachability(&context);
        let others = board.questions().filter(|(number, _)| !of_reachability.contains(number));
        others.for_each(|(number, _)| board.fail(number, OTHERS));
        let mut reason = OTHERS;
        if !of_reachability.is_empty() {
            let _step = begin(settings.profile, Step::Search);
            let mut tell = |states: u64| listener.progress(Progress::AtLeast(&states.into()));
            match formulas.visit_on_disk(&context, self.disk, &mut tell).map(|found| self.note(found)) {
                // What is in the folder is no reason: nothing is answered.
                Ok(Err(())) => return,
                Ok(Ok(stop)) => reason = stop.unwrap_or(OTHERS),
                Err(stop) => reason = stop,
            }
        }
        board.close(&reason);
    }
}

impl Searched<'_> {
    /// Take note of a search; returned is why it ended before its time. An error is one of the folder.
    fn note(&self, found: OnDisk<()>) -> Result<Option<StopReason>, ()> {
        let OnDisk { ended, deadlock, states, levels, resumed, peak_bytes } = found;
        let (known, noted) = match ended {
            Ok(()) => (Ok(()), Ok(None)),
            Err(DiskError::Stopped(stop)) => (Ok(()), Ok(Some(stop))),
            Err(fault) => (Err(fault), Err(())),
        };
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *all = known.map(|()| Some(OnDisk { ended: Ok(()), deadlock, states, levels, resumed, peak_bytes }));
        noted
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::decide::answer::Explained;
    use crate::decide::recorder::Recorder;
    use crate::decide::task::Question;
    use crate::formula::{Formula, Logic, PathSemantics, Pool, Symbols, parse};
    use crate::kinds::net::families;
    use crate::model::Groups;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, formula, net};
    use crate::reference::explore;
    use crate::rng::Rng;
    use crate::symbolic::Route;
    use std::path::Path;

    fn disk(folder: &Path) -> Disk {
        Disk { folder: folder.to_owned(), quota: None, fingerprint: 3 }
    }

    #[test]
    fn formulas_of_random_nets_have_their_verdicts() {
        let (mut verdicts, mut runs) = ([0, 0], 0);
        for seed in 0..200 {
            let rng = &mut Rng::new(seed);
            let net = net(rng, &NetShape { max_states: 80, ..NetShape::default() });
            let graph = explore(&net, 80).unwrap();
            let (groups, folder) = (Groups::single(&net), tempfile::tempdir().unwrap());
            for _ in 0..3 {
                let mut pool = Pool::new();
                let (mut requests, mut expected) = (Vec::new(), Vec::new());
                for _ in 0..4 {
                    let mut draw = |pool: &mut Pool| {
                        let shape = FormulaShape { logic: Logic::Reachability, size: 1 + rng.below(5) };
                        formula(rng, &net, &shape, pool)
                    };
                    let mut drawn = draw(&mut pool);
                    let (witness, alone) = (seed % 2 == 0, seed % 3 == 0);
                    if !witness && !alone {
                        let other = draw(&mut pool);
                        drawn = pool.add(Formula::Or(vec![drawn, other]));
                    }
                    let paths = [PathSemantics::Maximal, PathSemantics::Stutter][seed as usize % 2];
                    let Ok(truth) = check(Setting::new(&graph, &pool, paths), drawn) else { continue };
                    expected.push(truth[&drawn][0]);
                    let question = Question::formula(&mut pool, drawn, paths, Route::Fixpoints);
                    requests.push(Request { question, set: false, witness });
                }
                let subject = Subject { model: &net, groups: &groups, pool: &pool };
                let (kept, budget, settings) =
                    (Recorder::new(requests.len()), Budget::unlimited(), Settings::default());
                decide_on_disk(subject, &requests, &settings, &disk(folder.path()), &budget, &kept).unwrap();
                for ((record, expected), request) in kept.into_recorded().into_iter().zip(expected).zip(&requests) {
                    let value = record.answer.unwrap().value;
                    if value == Value::Unknown(OTHERS) {
                        // Conditions alone, and what has become one.
                        continue;
                    }
                    assert_eq!(value, Value::Verdict(expected), "seed {seed}");
                    verdicts[usize::from(expected)] += 1;
                    match record.explained {
                        Some(Explained::Witness(_)) => runs += 1,
                        Some(Explained::Broken(broken)) => panic!("seed {seed}: {broken}"),
                        Some(_) => {}
                        None => assert!(!request.witness),
                    }
                }
            }
        }
        assert!(verdicts[0] > 300 && verdicts[1] > 300 && runs > 200, "{verdicts:?} {runs}");
    }

    #[test]
    fn other_questions_stay_unknown() {
        let net = families::family("philo").unwrap().generate(3).unwrap();
        let (groups, mut pool, folder) = (Groups::single(&net), Pool::new(), tempfile::tempdir().unwrap());
        // The second is refuted by a deadlock.
        let texts = ["EF deadlock", "AG EF #Eat_0 = 1", "EF #Eat_0 = 2", "E (#Eat_0 = 0 U #Eat_1 = 1)"];
        let asked = texts.map(|text| {
            let formula = parse(text, &Symbols::new(&net), &mut pool).unwrap();
            Question::formula(&mut pool, formula, PathSemantics::Maximal, Route::Fixpoints).into()
        });
        let subject = Subject { model: &net, groups: &groups, pool: &pool };
        let kept = Recorder::new(4);
        let (settings, budget) = (Settings::default(), Budget::unlimited());
        let found = decide_on_disk(subject, &asked, &settings, &disk(folder.path()), &budget, &kept).unwrap().unwrap();
        assert_eq!(found.states, 27);
        let values = kept.into_recorded().into_iter().map(|record| record.answer.unwrap().value);
        let [no, yes] = [false, true].map(Value::Verdict);
        assert_eq!(values.collect::<Vec<_>>(), [yes, no.clone(), no, Value::Unknown(OTHERS)]);
    }
}
