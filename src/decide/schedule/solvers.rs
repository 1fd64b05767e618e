//! A solver for each sort of question.

use crate::decide::board::Board;
use crate::decide::properties::{
    PropertySolver, bounds, deadlock, distances, formulas, liveness, one_safe, quasi_liveness, stable_marking,
    statistics,
};
use crate::decide::settings::Settings;
use crate::decide::task::{Global, Question};

/// The questions by sorts.
pub(super) fn property_solvers<'a>(
    board: &'a Board<'a>,
    settings: &Settings<'_>,
) -> Vec<Box<dyn PropertySolver<'a> + 'a>> {
    let mut all: Vec<Box<dyn PropertySolver<'a> + 'a>> = Vec::new();
    for (number, asked) in board.questions() {
        let Question::Global(global) = asked.question else { continue };
        all.push(match global {
            Global::Deadlock => Box::new(deadlock::Deadlock::new(number)),
            Global::OneSafe => Box::new(one_safe::OneSafe::new(number)),
            Global::StableMarking => Box::new(stable_marking::StableMarking::new(number)),
            Global::QuasiLiveness => Box::new(quasi_liveness::QuasiLiveness::new(number)),
            Global::Liveness => Box::new(liveness::Liveness::new(number)),
        });
    }
    let any = |wanted: fn(&Question) -> bool| board.questions().any(|(_, asked)| wanted(&asked.question));
    if any(|question| matches!(question, Question::Statistic(_))) {
        all.push(Box::new(statistics::Statistics::new(board)));
    }
    if any(|question| matches!(question, Question::Bound(_))) {
        all.push(Box::new(bounds::Bounds::new(board)));
    }
    if any(|question| matches!(question, Question::Formula { .. } | Question::Automaton { .. })) {
        all.push(Box::new(formulas::Formulas::new(board, settings.route)));
    }
    if any(|question| matches!(question, Question::Distance { .. })) {
        all.push(Box::new(distances::Distances::new(board)));
    }
    all
}
