//! Open questions, asked together of one net that is reduced for all of them.
//!
//! **Problem.** A net that is reduced for one question is the smallest; but what the questions of an examination have
//! in common, the reachable states, their graph, walks, is computed there for each of them anew, with a part of the
//! time.
//!
//! **Idea.** Once the easy questions are answered, the net is reduced as far as all the others allow together
//! (`reduced`). If it gets smaller by a good part, they are asked there as an examination of their own, with all ways
//! and all of the time; and when more than half of them have been answered, it is tried again. Diagrams of the net
//! itself go on beside it.

use crate::decide::answer::{Answer, Listener, Remapped, Remapping, Technique, Value};
use crate::decide::board::Board;
use crate::decide::context::Context;
use crate::decide::properties::{PropertySolver, Together};
use crate::decide::settings::Settings;
use crate::net::PetriNet;

/// The part of the time that making the net may take.
const PART: u32 = 10;

/// Ask what a solver has open of a net for all of it, if there is one that is smaller.
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
    let settings = Settings { ways: context.ways_of_smaller(), orders: Vec::new(), ..context.settings.clone() };
    context.board.leave();
    let onto = Remapped(OntoBoard { board: context.board, numbers: &numbers });
    reduced.ask(context.solver, &settings, context.budget, &onto, None);
}

/// Puts answers on the board of those who asked.
struct OntoBoard<'b, 'a> {
    board: &'b Board<'a>,
    numbers: &'b [usize],
}

impl Remapping for OntoBoard<'_, '_> {
    fn listener(&self) -> &dyn Listener {
        self.board.listener()
    }

    fn number(&self, question: usize) -> Option<usize> {
        Some(self.numbers[question])
    }

    fn answered(&self, answer: Answer) {
        if !matches!(answer.value, Value::Unknown(_)) {
            self.board.give(self.numbers[answer.question], answer.value, Technique::Reduction, None);
        }
    }

    fn is_wanted(&self, question: usize) -> bool {
        self.board.is_open(self.numbers[question])
    }

    fn is_same_model(&self) -> bool {
        false
    }
}
