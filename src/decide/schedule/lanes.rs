//! Two lanes under one budget.
//!
//! On one lane the reachable set is computed as a diagram, and then whatever is wanted from it (`diagrams`). On the
//! other all other ways take turns in slices of time that grow from round to round: easy questions are answered in the
//! first milliseconds whichever way finds them easy, and a hard one costs a constant factor more than its best way
//! alone. While both lanes are at work, searches have half of the memory. Diagrams have the rest: their limit is one of
//! the whole process.

use super::{diagrams, turns};
use crate::budget::Budget;
use crate::decide::answer::{Answer, Listener, Technique, Value};
use crate::decide::board::Board;
use crate::decide::profile::{Step, begin};
use crate::decide::rewriting::operands::Operands;
use crate::decide::settings::{Settings, Techniques, Ways};
use crate::decide::solver::{Pipeline, Solver};
use crate::decide::task::{Question, Request, Task};
use crate::mdd::with_deep_stack;
use crate::stop_reason::StopReason;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Slice of each way in the first round.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// Shares of the time of a question with a net of its own.
const SHARES: u32 = 6;

/// Why there is no number of steps.
const NO_STEPS: StopReason = StopReason::Unsupported("with most-permissive updates steps are not counted");

/// All ways that the settings let take part.
pub(super) struct Lanes;

impl Solver for Lanes {
    fn solve(&self, task: &Task<'_>) {
        let &Task { settings, budget, time, .. } = task;
        let board = Board::new(task);
        refuse_unreadable(&board);
        if board.is_over() {
            return;
        }
        if let Err(exhausted) = budget.check() {
            return board.close(&exhausted.into());
        }
        let slice = time.map_or(FIRST_SLICE, |time| FIRST_SLICE.min(time / SHARES));
        let reason = match lanes(&board, settings, budget, slice) {
            Ok(()) => StopReason::Unsupported("none of the ways that take part answers this question"),
            Err(stop) => stop,
        };
        // What ended the run as a whole goes before what ended one of the ways.
        board.close(&budget.check().map_or_else(StopReason::from, |()| reason));
    }
}

/// The same for models that are asked in place of another, formulas operand by operand.
pub(super) struct Inner;

impl Solver for Inner {
    fn solve(&self, task: &Task<'_>) {
        // What may show a formula at once is asked of the model in question.
        let techniques = Techniques { state_approximation: false, ..task.settings.techniques };
        let settings = &Settings { techniques, ..task.settings.clone() };
        Pipeline { passes: &[&Operands], solver: &Lanes }.solve(&Task { settings, ..*task });
    }
}

/// Answer all questions with unknown, for one reason.
pub(super) fn refuse(requests: &[Request], stop: &StopReason, listener: &dyn Listener) {
    for question in 0..requests.len() {
        let value = Value::Unknown(stop.clone());
        listener.answered(Answer { question, value, technique: Technique::None, explored: None });
    }
}

/// Answer questions with unknown that could not be read, or not asked within the limits.
pub(super) fn refuse_unreadable(board: &Board<'_>) {
    for (number, asked) in board.questions() {
        let why = match &asked.question {
            Question::Unreadable(why) => StopReason::Unreadable(why.clone()),
            Question::Stopped(stop) => stop.clone(),
            // A step between states that people mean is several between those that are passed through.
            Question::Distance { .. } if board.subject.model.passes_through() => NO_STEPS,
            _ => continue,
        };
        board.give(number, Value::Unknown(why), Technique::None, None);
    }
}

/// Run both lanes. An error is why the more promising of them ended.
fn lanes(board: &Board<'_>, settings: &Settings<'_>, budget: &Budget, slice: Duration) -> Result<(), StopReason> {
    let whole = board.until_over(budget);
    let ways = settings.ways;
    if !ways.diagrams {
        return turns::run(board, (settings, &whole), &Inner, slice, None);
    }
    let others = ways != Ways { diagrams: true, ..Ways::NONE };
    let here = board.while_here(&whole);
    let diagrams = || with_deep_stack(board.subject.model.most_levels(), || diagrams::run(board, settings, &here));
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
        let by_turns = turns::run(board, (settings, &whole), &Inner, slice, spawned.is_ok().then_some(&done));
        let _step = begin(settings.profile, Step::Waiting);
        match done.recv() {
            Ok(Err(stop)) => Err(stop),
            Ok(Ok(())) | Err(_) => by_turns,
        }
    })
}
