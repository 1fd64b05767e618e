//! Coloured nets that are too large to be unfolded ([`crate::kinds::net::coloured::Folded`]).
//!
//! Universal questions go to the skeleton ([`crate::decide::smaller::skeleton`]), for half of the time; single markings
//! are looked for on random walks of the coloured net itself, every other one guided to where the least is missing
//! ([`crate::decide::conditions::distance`]). A walk knows of each marking how many tokens are in each place, and which
//! transitions can fire; a marking in which the search for bindings does not end is shown to nobody.

use super::lanes::{self, Lanes};
use super::solvers::property_solvers;
use crate::budget::Exhausted;
use crate::decide::board::Board;
use crate::decide::conditions::Visited;
use crate::decide::context::Context;
use crate::decide::properties::PropertySolver;
use crate::decide::smaller::skeleton::Skeletal;
use crate::decide::solver::{Pass, Solver};
use crate::decide::task::Task;
use crate::kinds::net::coloured::{Folded, Search};
use crate::model::State;
use crate::net::PetriNet;
use crate::rng::Rng;

/// Steps before a walk starts over; the walks alternate between these.
const LENGTHS: [u32; 3] = [100, 1_000, 10_000];
/// Number of steps of which a guided walk takes one at random.
const ASTRAY: usize = 12;

/// Coloured nets that are not unfolded: nobody else answers questions about them.
pub(super) struct Coloured;

impl Pass for Coloured {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        match task.subject.model.as_folded() {
            Some(folded) => solve(task, folded),
            None => next.solve(task),
        }
    }
}

/// Answer the questions as far as the skeleton and walks tell.
fn solve(task: &Task<'_>, folded: &Folded) {
    let settings = task.settings;
    let board = Board::new(task);
    lanes::refuse_unreadable(&board);
    let budget = board.until_over(task.budget);
    let context = Context::new(&board, settings, &budget, &Lanes);
    let mut questions = property_solvers(&board, settings);
    if settings.ways.structure && settings.techniques.skeleton {
        let skeletal = Skeletal::of_folded(&context, folded);
        for question in questions.iter_mut().filter(|question| question.is_open(&context)) {
            question.by_skeleton(&context, &skeletal);
        }
    }
    let ended = if settings.ways.walks { walk(&context, folded, &mut questions) } else { Ok(()) };
    board.close(&ended.map_or_else(Into::into, |()| folded.stop()));
}

/// The numbers of tokens after a transition, which are the same for each of its bindings.
fn after(skeleton: &PetriNet, totals: &[u64], transition: usize) -> State {
    let (mut totals, transition) = (totals.to_vec(), &skeleton.transitions()[transition]);
    for arc in &transition.pre {
        totals[arc.place.index()] = totals[arc.place.index()].saturating_sub(arc.weight);
    }
    for arc in &transition.post {
        totals[arc.place.index()] = totals[arc.place.index()].saturating_add(arc.weight);
    }
    State::new(totals)
}

/// Numbers of tokens and enabled transitions where these bindings lead, fired anew from the initial marking; `None` if
/// one of them cannot fire.
fn replayed(folded: &Folded, enabled: &[bool], fired: &[(usize, Vec<u64>)]) -> Option<(Vec<u64>, Vec<bool>)> {
    let mut firing = folded.firing()?;
    let mut rng = Rng::new(0);
    if !fired.iter().all(|(transition, binding)| firing.fire(*transition, binding)) {
        return None;
    }
    let anew = enabled.iter().enumerate().map(|(transition, &could)| match firing.search(transition, &mut rng) {
        Search::Found(_) => true,
        Search::None => false,
        // Another order of candidates has found an end.
        Search::Unsure => could,
    });
    let enabled = anew.collect();
    Some((firing.totals().to_vec(), enabled))
}

/// Go on walks until nothing is open that a walk could tell, or the budget ends.
fn walk<'a>(
    context: &Context<'a>,
    folded: &Folded,
    questions: &mut [Box<dyn PropertySolver<'a> + 'a>],
) -> Result<(), Exhausted> {
    let Some(mut firing) = folded.firing() else { return Ok(()) };
    let mut rng = Rng::new(context.settings.seed);
    let mut enabled = vec![false; context.subject.model.actions()];
    let skeleton = folded.skeleton();
    let walks = LENGTHS.into_iter().cycle().flat_map(|length| [(length, false), (length, true)]);
    for (turn, (length, guided)) in walks.enumerate() {
        if !firing.restart() {
            return Ok(());
        }
        let mut fired: Vec<(usize, Vec<u64>)> = Vec::new();
        for _ in 0..length {
            context.budget.check()?;
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
                let replays = || replayed(folded, &enabled, &fired);
                let visited = Visited { totals: firing.totals(), enabled: &enabled, replays: &replays };
                let mut open = false;
                for question in questions.iter_mut().filter(|question| question.is_open(context)) {
                    open |= !question.on_folded(context, &visited);
                }
                if !open {
                    return Ok(());
                }
            }
            if bindings.is_empty() {
                break;
            }
            let mut next = rng.below(bindings.len());
            if guided && context.settings.techniques.guidance && !rng.one_in(ASTRAY) {
                // The first of those that lead nearest, in an order that begins anywhere.
                let far = |at: &usize| {
                    let after = after(skeleton.net(), firing.totals(), bindings[*at].0);
                    let mut open = questions.iter();
                    open.find_map(|question| question.distance(context, turn / 2, skeleton.net(), &after))
                };
                next = (next..bindings.len()).chain(0..next).min_by_key(far).unwrap_or(next);
            }
            let (transition, binding) = bindings.swap_remove(next);
            if !firing.fire(transition, &binding) {
                break;
            }
            fired.push((transition, binding));
        }
    }
    Ok(())
}
