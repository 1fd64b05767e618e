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
use crate::decide::context::{Context, PropertySolver};
use crate::decide::{Answer, Listener, Progress, Settings, Technique, Value, Ways};
use crate::net::PetriNet;

/// The part of the time that making the net may take.
const PART: u32 = 10;

/// Open questions by their numbers, and the net that they are asked of.
pub(in crate::decide) struct Together {
    pub(in crate::decide) numbers: Vec<usize>,
    pub(in crate::decide) reduced: Reduced,
}

/// Ask what a questionnaire has open of a net for all of it, if there is one that is smaller.
pub(in crate::decide) fn ask<'a>(context: &Context<'a>, net: &'a PetriNet, solver: &(dyn PropertySolver<'a> + 'a)) {
    if context
        .board
        .questions()
        .any(|(number, _)| context.board.wants_witness(number) || context.board.wants_set(number))
    {
        return;
    }
    let found = solver.together(context, net, &context.budget.part(1, PART));
    let Some(Together { numbers, reduced }) = found.filter(|found| found.reduced.is_smaller) else { return };
    // Passes beyond memory come when nothing else is left, here.
    let ways = Ways { bit_state: false, ..context.settings.ways };
    let settings = Settings { ways, orders: Vec::new(), ..context.settings.clone() };
    context.board.leave();
    reduced.ask(context.run, &settings, context.budget, &Onto { board: context.board, numbers: &numbers }, None);
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

    fn progress(&self, progress: Progress<'_>) {
        self.board.listener().progress(progress);
    }
}
