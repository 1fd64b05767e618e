//! Coloured nets that are too large to be unfolded ([`crate::kinds::net::coloured::Folded`]).
//!
//! What is universal is asked of the skeleton ([`super::skeleton`]), for half of the time; what a single marking shows is looked
//! for on random walks of the coloured net itself, every other of which is led to where the least is missing
//! ([`crate::decide::conditions::distance`]). A walk knows of each marking how many tokens are in each place, and which
//! transitions can fire; a marking in which the search for bindings does not end is shown to nobody.

use super::skeleton::Skeletal;
use crate::budget::{Budget, Exhausted};
use crate::decide::board::Board;
use crate::decide::case::{Case, Questionnaire};
use crate::decide::conditions::Values;
use crate::decide::rounds::questionnaires;
use crate::decide::{Asked, Listener, Settings, Subject, Technique, rounds};
use crate::kinds::Kind;
use crate::kinds::net::coloured::{Folded, Search};
use crate::model::{ActionId, State, VariableId};
use crate::net::PetriNet;
use crate::rng::Rng;
use crate::witness::Broken;

/// Steps before a walk starts over; the walks alternate between these.
const LENGTHS: [u32; 3] = [100, 1_000, 10_000];
/// Out of how many steps one of a walk that is led goes anywhere.
const ASTRAY: usize = 12;

/// A marking that a walk has come to: sums of tokens, and what can fire.
pub(in crate::decide) struct Visited<'a> {
    folded: &'a Folded,
    totals: &'a [u64],
    enabled: &'a [bool],
    /// The way there: transitions with their bindings.
    fired: &'a [(usize, Vec<u64>)],
}

impl Visited<'_> {
    /// Which transitions can fire.
    pub(in crate::decide) fn enabled(&self) -> &[bool] {
        self.enabled
    }

    /// Give a verdict that rests on this marking, once the bindings have been fired from the initial marking again and have led to these
    /// numbers of tokens, in which the same transitions can fire. False if that is not so: that is reported.
    pub(in crate::decide) fn decides(&self, case: &Case<'_>, question: usize, verdict: bool) -> bool {
        if self.replays() {
            case.board.verdict(question, verdict, Technique::RandomWalk);
            return true;
        }
        let problem = Broken::new("the bindings of a walk do not lead to its marking");
        case.board.listener().unconfirmed(question, verdict, Technique::RandomWalk, &problem);
        false
    }

    fn replays(&self) -> bool {
        let mut firing = self.folded.firing();
        let mut rng = Rng::new(0);
        let there =
            firing.restart() && self.fired.iter().all(|(transition, binding)| firing.fire(*transition, binding));
        if !there || firing.totals() != self.totals {
            return false;
        }
        self.enabled.iter().enumerate().all(|(transition, &can_fire)| match firing.search(transition, &mut rng) {
            Search::Found(_) => can_fire,
            Search::None => !can_fire,
            // Another order of candidates may have found an end.
            Search::Unsure => true,
        })
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
pub(in crate::decide) fn run(
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

/// Go on walks until nothing is open that a walk could tell, or the budget ends.
fn walk<'a>(
    case: &Case<'a>,
    folded: &Folded,
    questions: &mut [Box<dyn Questionnaire<'a> + 'a>],
) -> Result<(), Exhausted> {
    let mut firing = folded.firing();
    let mut rng = Rng::new(case.settings.seed);
    let mut enabled = vec![false; case.subject.model.actions()];
    let skeleton = folded.skeleton();
    let walks = LENGTHS.into_iter().cycle().flat_map(|length| [(length, false), (length, true)]);
    for (turn, (length, led)) in walks.enumerate() {
        if !firing.restart() {
            return Ok(());
        }
        let mut fired: Vec<(usize, Vec<u64>)> = Vec::new();
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
                let visited = Visited { folded, totals: firing.totals(), enabled: &enabled, fired: &fired };
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
            let mut next = rng.below(bindings.len());
            if led && case.settings.ideas.leads && !rng.one_in(ASTRAY) {
                // The first of those that lead nearest, in an order that begins anywhere.
                let far = |at: &usize| {
                    let after = after(skeleton.net(), firing.totals(), bindings[*at].0);
                    let mut open = questions.iter();
                    open.find_map(|question| question.distance(case, turn / 2, skeleton.net(), &after))
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
