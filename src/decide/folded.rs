//! Coloured nets that are too large to be unfolded ([`crate::kinds::net::coloured::Folded`]).
//!
//! What is universal is asked of the skeleton ([`super::skeleton`]), for half of the time; what a single marking shows is looked
//! for on random walks of the coloured net itself. A walk knows of each marking how many tokens are in each place, and which
//! transitions can fire; a marking in which the search for bindings does not end is shown to nobody.

use super::board::Board;
use super::case::{Case, Questionnaire};
use super::rounds::{self, questionnaires};
use super::skeleton::Skeletal;
use super::valuation::Values;
use super::{Asked, Listener, Settings, Subject};
use crate::budget::{Budget, Exhausted};
use crate::kinds::Kind;
use crate::kinds::net::coloured::{Folded, Search};
use crate::model::{ActionId, VariableId};
use crate::rng::Rng;

/// Steps before a walk starts over; the walks alternate between these.
const LENGTHS: [u32; 3] = [100, 1_000, 10_000];

/// A marking that a walk has come to: sums of tokens, and what can fire.
pub(super) struct Visited<'a> {
    totals: &'a [u64],
    enabled: &'a [bool],
}

impl Visited<'_> {
    /// Which transitions can fire.
    pub(super) fn enabled(&self) -> &[bool] {
        self.enabled
    }
}

impl Values for Visited<'_> {
    fn value(&self, variable: VariableId) -> u64 {
        self.totals[variable.index()]
    }

    fn enables(&self, _: &dyn Kind, action: ActionId) -> bool {
        self.enabled[action.index()]
    }
}

/// Answer the questions as far as the skeleton and walks tell.
pub(super) fn run(
    subject: Subject<'_>,
    folded: &Folded,
    asked: &[Asked],
    settings: &Settings<'_>,
    budget: &Budget,
    listener: &dyn Listener,
) {
    let board = Board::new(subject, asked, listener);
    rounds::refuse_unreadable(&board);
    let budget = board.until_over(budget);
    let case = Case::new(&board, settings, &budget, rounds::run);
    let mut questions = questionnaires(&board, settings);
    if settings.ways.structure && settings.ideas.skeleton {
        let skeletal = Skeletal::of_folded(&case, folded);
        for question in questions.iter_mut().filter(|question| question.is_open(&case)) {
            question.by_skeleton(&case, &skeletal);
        }
    }
    let ended = if settings.ways.walks { walk(&case, folded, &mut questions) } else { Ok(()) };
    board.close(&ended.map_or_else(Into::into, |()| folded.halt()));
}

/// Go on walks until nothing is open that a walk could tell, or the budget ends.
fn walk<'a>(
    case: &Case<'a>,
    folded: &Folded,
    questions: &mut [Box<dyn Questionnaire<'a> + 'a>],
) -> Result<(), Exhausted> {
    let mut firing = folded.firing();
    let mut rng = Rng::new(case.settings.seed);
    let mut enabled = vec![false; case.subject.model.actions()];
    for length in LENGTHS.into_iter().cycle() {
        if !firing.restart() {
            return Ok(());
        }
        for _ in 0..length {
            case.budget.check()?;
            let mut bindings = Vec::new();
            let mut sure = true;
            for (transition, can_fire) in enabled.iter_mut().enumerate() {
                let found = firing.search(transition, &mut rng);
                sure &= found != Search::Unsure;
                *can_fire = matches!(found, Search::Found(_));
                if let Search::Found(binding) = found {
                    bindings.push((transition, binding));
                }
            }
            if sure {
                let visited = Visited { totals: firing.totals(), enabled: &enabled };
                let mut open = false;
                for question in questions.iter_mut().filter(|question| question.is_open(case)) {
                    open |= !question.on_folded(case, &visited);
                }
                if !open {
                    return Ok(());
                }
            }
            if bindings.is_empty() {
                break;
            }
            let (transition, binding) = bindings.swap_remove(rng.below(bindings.len()));
            if !firing.fire(transition, &binding) {
                break;
            }
        }
    }
    Ok(())
}
