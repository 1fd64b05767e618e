//! Questions asked of a reduced net.
//!
//! For each formula the net is reduced as far as the formula allows (`reduction`): the simpler its logic, the
//! more rules apply. What remains is an examination of its own, with one question and a part of the budget.
//!
//! Where the formula asks whether transitions are enabled, it is written out as a condition on their places,
//! which are then observed. Before that, places that nothing tells apart are made one (`reduction::fusion`), which
//! every formula allows.

use super::case::{Case, Run};
use super::translated::{Seen, is_smaller, onto_fused, rebuild, translate};
use super::{Answer, Asked, Global, Question, Settings, Subject, Value, Ways, alike};
use crate::budget::Budget;
use crate::explicit::Encoding;
use crate::formula::{Comparison, Expr, Formula, FormulaId, Logic, MAX_DEPTH, PathSemantics, Pool};
use crate::mdd::with_deep_stack;
use crate::model::Groups;
use crate::net::{PetriNet, PlaceId};
use crate::reduction::fusion::Tokens;
use crate::reduction::symmetries::Swap;
use crate::reduction::{Preserved, reduce};
use crate::symbolic::Route;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// At least so much time to reduce a net, unless that is more than this part of what is left.
const PREPARATION: Duration = Duration::from_millis(500);
const PREPARATION_PART: u32 = 100;

/// A question on a net that was reduced for it, with the pool of its formulas.
#[derive(Debug)]
pub(super) struct Reduced {
    pub(super) net: PetriNet,
    pub(super) pool: Pool,
    pub(super) question: Question,
    /// Swaps of places that neither the net nor the question notices.
    swaps: Arc<[Swap]>,
}

/// None if the net does not get smaller, and has no swaps.
pub(super) type Smaller = Option<Reduced>;

/// Reduce the net for each of these questions that has not been tried yet, and ask it there, on as many threads as
/// the settings allow; all of them together have about this slice. `prepare` makes the smaller question of the one with
/// this number.
pub(super) fn ask_all(
    case: &Case<'_>,
    net: &PetriNet,
    questions: &mut [(usize, &mut Option<Smaller>)],
    slice: Duration,
    prepare: impl Fn(usize, &Budget) -> Smaller + Sync,
) -> Vec<(usize, Value)> {
    // The diagrams have a core, too.
    let threads = case.settings.threads.saturating_sub(1).clamp(1, questions.len().max(1));
    let slice = slice.mul_f64(threads as f64 / questions.len().max(1) as f64);
    let ways = Ways { reductions: false, ..case.settings.ways };
    let settings = Settings { ways, orders: Vec::new(), threads: 1, ..case.settings.clone() };
    let budget = case.budget.share_of_memory(threads);
    let least = budget.remaining().map_or(PREPARATION, |time| PREPARATION.min(time / PREPARATION_PART));
    let run = case.run;
    let found = Mutex::new(Vec::new());
    let open = Mutex::new(questions.iter_mut());
    let next = || open.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((number, smaller)) = next() {
            if budget.check().is_err() {
                return;
            }
            let preparing = budget.clone().with_time(slice.max(least));
            let smaller = smaller.get_or_insert_with(|| prepare(*number, &preparing));
            if let Some(reduced) = smaller
                && let Some(value) = ask(run, &settings, &budget, reduced, slice)
            {
                found.lock().unwrap_or_else(PoisonError::into_inner).push((*number, value));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| with_deep_stack(net.place_count(), work));
        }
        work();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|&(number, _)| number);
    found
}

/// Ask one question of a reduced net, for at most this time.
fn ask(
    run: Run,
    settings: &Settings<'_>,
    budget: &Budget,
    Reduced { net, pool, question, swaps }: &Reduced,
    slice: Duration,
) -> Option<Value> {
    let encoding = Encoding { swaps: Arc::clone(swaps), ..settings.encoding.clone() };
    let settings = &Settings { encoding, ..settings.clone() };
    let budget = budget.clone().with_time(slice);
    let value = Mutex::new(None);
    let keep = |answer: Answer| *value.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer.value);
    let (groups, asked) = (Groups::single(net), [Asked::from(question.clone())]);
    let subject = Subject { model: net, groups: &groups, pool };
    run(subject, &asked, settings, &budget, &keep, Some(slice));
    let value = value.into_inner().unwrap_or_else(PoisonError::into_inner);
    value.filter(|value| !matches!(value, Value::Unknown(_)))
}

/// The formula, and a net that is smaller by a good part and has the same verdict on it. `tokens` are those of the net, if
/// there are not too many.
pub(super) fn formula(
    net: &PetriNet,
    tokens: Option<&Tokens<'_>>,
    pool: &Pool,
    formula: FormulaId,
    paths: PathSemantics,
    budget: &Budget,
) -> Smaller {
    if pool.depth(formula) > MAX_DEPTH {
        return None;
    }
    let mut pool = pool.clone();
    let fused = tokens.and_then(|tokens| fuse(tokens, &mut pool, formula, budget));
    let (net_of, formula) = fused.as_ref().map_or((net, formula), |(net, formula)| (net, *formula));
    let question = |pool: &mut Pool, formula| Question::formula(pool, formula, paths, Route::Fixpoints);
    if let Some((reduced, formula)) = reduce_for(net_of, &mut pool, formula, paths, budget)
        && is_smaller(&reduced, net)
    {
        let question = question(&mut pool, formula);
        return Some(Reduced::new(reduced, pool, question, budget));
    }
    if let Some((fused, formula)) = fused.filter(|(fused, _)| is_smaller(fused, net)) {
        let question = question(&mut pool, formula);
        return Some(Reduced::new(fused, pool, question, budget));
    }
    let question = question(&mut pool, formula);
    Some(Reduced::new(net.clone(), pool, question, budget)).filter(|reduced| !reduced.swaps.is_empty())
}

impl Reduced {
    fn new(net: PetriNet, pool: Pool, question: Question, budget: &Budget) -> Self {
        let swaps = match &question {
            Question::Formula { formula, linear, .. } => alike::of(&net, &pool, &[*formula, *linear], &[], budget),
            Question::Bound(places) => alike::of(&net, &pool, &[], places, budget),
            Question::Global(Global::Deadlock) => alike::of(&net, &pool, &[], &[], budget),
            _ => Vec::new(),
        };
        Reduced { net, pool, question, swaps: swaps.into() }
    }
}

/// The net with places that are one for the formula made one, and the formula over it.
fn fuse(tokens: &Tokens<'_>, pool: &mut Pool, formula: FormulaId, budget: &Budget) -> Option<(PetriNet, FormulaId)> {
    let mut seen = Seen::default();
    seen.formulas(pool, &[formula])?;
    let fused = seen.fuse(tokens, budget)?;
    let formula = onto_fused(&fused, pool, formula)?;
    Some((fused.net, formula))
}

/// The net reduced as far as the formula allows, and the formula over it.
fn reduce_for(
    net: &PetriNet,
    pool: &mut Pool,
    formula: FormulaId,
    paths: PathSemantics,
    budget: &Budget,
) -> Option<(PetriNet, FormulaId)> {
    if paths == PathSemantics::Infinite || pool.has_actions(formula) {
        return None;
    }
    let formula = over_places(net, pool, formula)?;
    let kind = kind(pool, formula);
    let observed = observed_places(pool, formula)?;
    let reduced = reduce(net, &observed, kind, budget)?;
    let places = |list: &[PlaceId]| list.iter().map(|&place| reduced.place(place)).collect();
    // Nothing asks for transitions any more.
    let formula = translate(pool, formula, places, |_| None)?;
    Some((reduced.net, formula))
}

/// A question about a sum of places, or about none, and a net that is smaller by a good part and has the same answer.
pub(super) fn sum(
    net: &PetriNet,
    tokens: Option<&Tokens<'_>>,
    (original, preserved): (&[PlaceId], Preserved),
    question: impl FnOnce(Vec<PlaceId>) -> Question,
    budget: &Budget,
) -> Smaller {
    let mut sorted = original.to_vec();
    sorted.sort_unstable();
    let fused = tokens.and_then(|tokens| tokens.fuse(&[&sorted], &[], budget));
    let places = match &fused {
        Some(fused) => fused.sum(&sorted),
        None => sorted,
    };
    let net_of = fused.as_ref().map_or(net, |fused| &fused.net);
    let reduced = reduce(net_of, &places, preserved, budget).filter(|reduced| is_smaller(&reduced.net, net));
    if let Some(reduced) = reduced {
        let places = places.iter().map(|&place| reduced.place(place)).collect::<Option<_>>()?;
        return Some(Reduced::new(reduced.net, Pool::new(), question(places), budget));
    }
    if let Some(fused) = fused.filter(|fused| is_smaller(&fused.net, net)) {
        return Some(Reduced::new(fused.net, Pool::new(), question(places), budget));
    }
    let reduced = Reduced::new(net.clone(), Pool::new(), question(original.to_vec()), budget);
    Some(reduced).filter(|reduced| !reduced.swaps.is_empty())
}

/// What has to be preserved for the formula.
fn kind(pool: &Pool, formula: FormulaId) -> Preserved {
    let quantified = |id: FormulaId| match pool[id] {
        Formula::Exists(path) | Formula::Forall(path) => Some(path),
        _ => None,
    };
    let all = pool.subformulas(&[formula]);
    let nested = |id| {
        let inside = quantified(id).map(|path| pool.subformulas(&[path]));
        inside.is_some_and(|inside| inside.into_iter().any(|id| quantified(id).is_some()))
    };
    if pool.logic(formula) <= Logic::Reachability {
        Preserved::Reachability
    } else if all.iter().any(|&id| matches!(pool[id], Formula::Next(_))) {
        Preserved::Ctl
    } else if pool.is_state(formula) && all.iter().any(|&id| nested(id)) {
        Preserved::StutterCtl
    } else {
        // Each quantifier speaks of all runs, and of nothing but their observations.
        Preserved::StutterLtl
    }
}

/// The formula with its questions for enabled transitions written out; `None` if it speaks of deadlocks.
fn over_places(net: &PetriNet, pool: &mut Pool, formula: FormulaId) -> Option<FormulaId> {
    rebuild(pool, formula, |pool, node| match node {
        Formula::Deadlock | Formula::Still(_) => None,
        Formula::Enabled(transitions) => {
            let mut alternatives = Vec::new();
            for t in transitions {
                let transition = net.transition(t);
                let enough = transition.pre.iter().map(|arc| (arc, Comparison::Ge));
                let few = transition.inhibitors.iter().map(|arc| (arc, Comparison::Lt));
                let parts = enough.chain(few).map(|(arc, comparison)| {
                    let tokens = pool.add_expr(Expr::Tokens(vec![arc.place]));
                    let weight = pool.add_expr(Expr::Const(arc.weight.into()));
                    pool.add(Formula::Compare(tokens, comparison, weight))
                });
                let parts = parts.collect();
                alternatives.push(pool.and(parts));
            }
            let any = pool.or(alternatives);
            Some(pool[any].clone())
        }
        node => Some(node),
    })
}

/// The places that the formula mentions; `None` if it asks for bounds.
fn observed_places(pool: &Pool, formula: FormulaId) -> Option<Vec<PlaceId>> {
    let mut places = BTreeSet::new();
    for id in pool.subformulas(&[formula]) {
        let Formula::Compare(a, _, b) = pool[id] else { continue };
        for expr in pool.subexpressions(vec![a, b]) {
            match &pool[expr] {
                Expr::Bounds(_) => return None,
                Expr::Tokens(tokens) => places.extend(tokens.iter().copied()),
                _ => {}
            }
        }
    }
    Some(places.into_iter().collect())
}

#[cfg(test)]
mod tests;
