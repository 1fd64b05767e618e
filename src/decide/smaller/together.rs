//! What is left open, asked together of one net that is reduced for all of it.
//!
//! **Problem.** A net that is reduced for one question is the smallest; but what the questions of an examination have in
//! common, the reachable states, their graph, walks, is computed there for each of them anew, with a part of the time.
//!
//! **Idea.** Once the easy questions are answered, the net is reduced as far as all the others allow together (`reduced`). If
//! it gets smaller by a good part, they are asked there as an examination of their own, with all ways and all of the time; and
//! when more than half of them have been answered, it is tried again. Diagrams of the net itself go on beside it.

use super::reduced::Reduced;
use crate::decide::board::Board;
use crate::decide::case::{Case, Questionnaire};
use crate::decide::{Answer, Listener, Progress, Settings, Technique, Value, Ways};
use crate::net::PetriNet;
use crate::witness::Broken;

/// The part of the time that making the net may take.
const PART: u32 = 10;

/// Open questions by their numbers, and the net that they are asked of.
pub(in crate::decide) struct Together {
    pub(in crate::decide) numbers: Vec<usize>,
    pub(in crate::decide) reduced: Reduced,
}

/// Ask what a questionnaire has open of a net for all of it, if there is one that is smaller.
pub(in crate::decide) fn ask<'a>(case: &Case<'a>, net: &'a PetriNet, questionnaire: &(dyn Questionnaire<'a> + 'a)) {
    if case.board.questions().any(|(number, _)| case.board.wants_witness(number) || case.board.wants_set(number)) {
        return;
    }
    let found = questionnaire.together(case, net, &case.budget.part(1, PART));
    let Some(Together { numbers, reduced }) = found.filter(|found| found.reduced.is_smaller) else { return };
    // Passes beyond memory come when nothing else is left, here.
    let ways = Ways { bit_state: false, ..case.settings.ways };
    let settings = Settings { ways, orders: Vec::new(), ..case.settings.clone() };
    case.board.leave();
    reduced.ask(case.run, &settings, case.budget, &Onto { board: case.board, numbers: &numbers }, None);
}

/// Puts answers on the board of those who asked.
struct Onto<'b, 'a> {
    board: &'b Board<'a>,
    numbers: &'b [usize],
}

impl Listener for Onto<'_, '_> {
    fn is_wanted(&self, question: usize) -> bool {
        self.board.is_open(self.numbers[question])
    }

    fn answered(&self, answer: Answer) {
        if !matches!(answer.value, Value::Unknown(_)) {
            self.board.give(self.numbers[answer.question], answer.value, Technique::Reduction, None);
        }
    }

    fn contradicted(&self, question: usize, one: (Value, Technique), other: (Value, Technique)) {
        self.board.listener().contradicted(self.numbers[question], one, other);
    }

    fn unconfirmed(&self, question: usize, verdict: bool, technique: Technique, problem: &Broken) {
        self.board.listener().unconfirmed(self.numbers[question], verdict, technique, problem);
    }

    fn progress(&self, progress: Progress<'_>) {
        self.board.listener().progress(progress);
    }
}
