//! The lane of the diagrams: the reachable set, and whatever is wanted from it, the cheap first.

use crate::budget::{Budget, Exhausted};
use crate::decide::answer::Technique;
use crate::decide::board::Board;
use crate::decide::profile::{Step, begin};
use crate::decide::properties::{
    bounds, deadlock, formulas, liveness, one_safe, quasi_liveness, stable_marking, statistics,
};
use crate::decide::settings::Settings;
use crate::decide::space::explore;
use crate::decide::space::{
    polyhedral_count::{self, Outcome},
    polyhedral_lift,
};
use crate::decide::state_space::Progress;
use crate::decide::task::{Global, Question};
use crate::stop_reason::StopReason;

/// Explore, and answer what is open. An error is why something stayed open.
pub(super) fn run(board: &Board<'_>, settings: &Settings<'_>, budget: &Budget) -> Result<(), StopReason> {
    let finite = board.while_finite(budget);
    let found = explored(board, settings, &finite);
    match board.infinite() {
        Some(infinite) => Err(infinite),
        None => found,
    }
}

fn explored(board: &Board<'_>, settings: &Settings<'_>, budget: &Budget) -> Result<(), StopReason> {
    let step = begin(settings.profile, Step::ReachableSet);
    let watch = |progress: Progress<'_>| board.listener().progress(progress);
    let fixpoints = board.questions().any(|(_, asked)| match asked.question {
        Question::Formula { .. }
        | Question::Automaton { .. }
        | Question::Distance { .. }
        | Question::Global(Global::Liveness) => true,
        Question::Bound(_)
        | Question::Statistic(_)
        | Question::Global(_)
        | Question::Stopped(_)
        | Question::Unreadable(_) => false,
    });
    let space = match polyhedral_count::run(board, settings, budget)? {
        Outcome::Answered => return Ok(()),
        Outcome::Explored(space) => *space,
        Outcome::Open => match polyhedral_lift::run(board, settings, fixpoints, budget)? {
            Outcome::Answered => return Ok(()),
            Outcome::Explored(space) => *space,
            Outcome::Open => explore(board.subject.model, settings, fixpoints, budget, &watch)?,
        },
    };
    drop(step);
    let _step = begin(settings.profile, Step::Fixpoints);
    board.note_finite();
    board.listener().explored(&space, None);
    if let Ok(states) = space.states(budget)
        && let Ok(states) = u64::try_from(&states)
    {
        board.note_states(states);
    }
    let mut ended = space.of_meant(budget).and_then(|meant| {
        let counted = statistics::by_diagram(board, &meant, budget);
        counted.and(bounds::by_diagram(board, &meant, budget))
    });
    for (number, asked) in board.questions() {
        let Question::Global(global) = asked.question else { continue };
        if !board.is_wanted(number) {
            continue;
        }
        let found = match global {
            Global::Deadlock => deadlock::by_diagram(&space, budget),
            Global::OneSafe => one_safe::by_diagram(board, &space, budget),
            Global::StableMarking => stable_marking::by_diagram(board, &space, budget),
            Global::QuasiLiveness => quasi_liveness::by_diagram(board, &space, budget),
            Global::Liveness => liveness::by_diagram(board, &space, budget),
        };
        match found {
            Ok(verdict) => board.verdict(number, verdict, Technique::DecisionDiagrams),
            Err(stop @ StopReason::Exhausted(Exhausted::Cancelled)) => return Err(stop),
            Err(stop) => {
                board.fail(number, stop.clone());
                ended = ended.and(Err(stop));
            }
        }
    }
    ended.and(formulas::by_diagram(board, settings, &space, budget))
}
