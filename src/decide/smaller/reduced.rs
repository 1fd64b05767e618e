//! Questions asked of a reduced net.
//!
//! For each formula the net is reduced as far as the formula allows (`reduction`): the simpler its logic, the
//! more rules apply. What remains is an examination of its own, with one question and a part of the budget.
//!
//! Where the formula asks whether transitions are enabled, it is written out as a condition on their places,
//! which are then observed. Before that, places that nothing tells apart are made one (`reduction::fusion`), which
//! every formula allows.

use super::symmetry::{self, Exchanges};
use crate::budget::{Budget, scaled};
use crate::decide::answer::{OnBehalf, Remapped};
use crate::decide::context::Context;
use crate::decide::rewriting::translated::{Seen, is_smaller, onto_fused, translate};
use crate::decide::solver::Solver;
use crate::decide::task::Task;
use crate::decide::{Answer, Global, Listener, Question, Request, Settings, Subject, Value, Ways};
use crate::explicit;
use crate::formula::{Comparison, Expr, Formula, FormulaId, Logic, MAX_DEPTH, PathSemantics, Pool};
use crate::mdd::with_deep_stack;
use crate::model::Groups;
use crate::net::{PetriNet, PlaceId};
use crate::reduction::fusion::Tokens;
use crate::reduction::symmetries::Swap;
use crate::reduction::{Preserved, reduce};
use crate::symbolic::Route;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// At least so much time to reduce a net, unless that is more than this part of what is left.
const PREPARATION: Duration = Duration::from_millis(500);
const PREPARATION_PART: u32 = 100;

/// Questions on a net that was reduced for them, with the pool of their formulas.
#[derive(Debug)]
pub(in crate::decide) struct Reduced {
    pub(in crate::decide) net: PetriNet,
    pub(in crate::decide) pool: Pool,
    pub(in crate::decide) requests: Vec<Request>,
    /// Is the net smaller by a good part?
    pub(in crate::decide) is_smaller: bool,
    /// The only verdict that counts, if not both do.
    only: Option<bool>,
    /// Swaps of places that neither the net nor the questions notice, if they have been looked for.
    exchanges: Exchanges,
}

/// None if the net does not get smaller, and has no swaps.
pub(in crate::decide) type Smaller = Option<Reduced>;

/// A question that a net may be reduced for.
pub(in crate::decide) struct Due<'a> {
    /// Its number for who asks.
    pub(in crate::decide) place: usize,
    /// The question of the board that it is asked for.
    pub(in crate::decide) question: usize,
    /// The reduced net, once that has been tried.
    pub(in crate::decide) smaller: &'a mut Option<Smaller>,
}

/// Reduce the net for each of these questions that has not been tried yet, and ask it there, on as many threads as
/// the settings allow; all of them together have about this slice. `prepare` makes the smaller question of the one at
/// this place. Answers are by place.
pub(in crate::decide) fn ask_all(
    context: &Context<'_>,
    net: &PetriNet,
    questions: &mut [Due<'_>],
    slice: Duration,
    prepare: impl Fn(usize, &Budget) -> Option<Reduced> + Sync,
) -> Vec<(usize, Value)> {
    // The diagrams have a core, too.
    let threads = context.settings.threads.saturating_sub(1).clamp(1, questions.len().max(1));
    let slice = scaled(slice, threads as f64 / questions.len().max(1) as f64);
    let ways = Ways { reductions: false, ..context.ways_of_smaller() };
    let settings = Settings { ways, orders: Vec::new(), threads: 1, ..context.settings.clone() };
    let budget = context.budget.share_of_memory(threads);
    let least = budget.remaining().map_or(PREPARATION, |time| PREPARATION.min(time / PREPARATION_PART));
    let (symmetries, known) = (context.settings.techniques.symmetries, context.swaps());
    let found = Mutex::new(Vec::new());
    let open = Mutex::new(questions.iter_mut());
    let next = || open.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(Due { place, question, smaller: slot }) = next() {
            if budget.check().is_err() {
                return;
            }
            let preparing = budget.clone().with_time(slice.max(least));
            let smaller =
                slot.get_or_insert_with(|| prepare(*place, &preparing)?.folded(symmetries, known, &preparing));
            if let Some(reduced) = smaller
                && let Some(value) = ask(context, (*question, reduced), &settings, &budget, slice)
            {
                match (&value, reduced.only) {
                    // There is nothing more to be learnt there.
                    (&Value::Verdict(verdict), Some(only)) if verdict != only => *smaller = None,
                    _ => found.lock().unwrap_or_else(PoisonError::into_inner).push((*place, value)),
                }
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
    found.sort_by_key(|&(place, _)| place);
    found
}

/// Ask one question of a reduced net, for at most this time.
fn ask(
    context: &Context<'_>,
    (question, reduced): (usize, &Reduced),
    settings: &Settings<'_>,
    budget: &Budget,
    slice: Duration,
) -> Option<Value> {
    let value = Mutex::new(None);
    let keep = |answer: Answer| *value.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer.value);
    let listener = Remapped(OnBehalf { listener: context.board.listener(), question, answered: keep });
    reduced.ask(context.solver, settings, &budget.clone().with_time(slice), &listener, Some(slice));
    let value = value.into_inner().unwrap_or_else(PoisonError::into_inner);
    value.filter(|value| !matches!(value, Value::Unknown(_)))
}

/// The formulas, and a net that has the same verdicts on them. `tokens` are those of the net, if there are not too many.
pub(in crate::decide) fn formulas(
    net: &PetriNet,
    tokens: Option<&Tokens<'_>>,
    pool: &Pool,
    asked: &[(FormulaId, PathSemantics)],
    budget: &Budget,
) -> Option<Reduced> {
    if asked.iter().any(|&(formula, _)| pool.depth(formula) > MAX_DEPTH) {
        return None;
    }
    let mut pool = pool.clone();
    let formulas: Vec<FormulaId> = asked.iter().map(|&(formula, _)| formula).collect();
    let fused = tokens.and_then(|tokens| fuse(tokens, &mut pool, &formulas, budget));
    let (net_of, of_net) = fused.as_ref().map_or((net, &formulas), |(net, formulas)| (net, formulas));
    let finite = asked.iter().all(|&(_, paths)| paths != PathSemantics::Infinite);
    let reduced = if finite { reduce_for(net_of, &mut pool, of_net, budget) } else { None };
    let smaller = [reduced, fused].into_iter().flatten().find(|(smaller, _)| is_smaller(smaller, net));
    let is_smaller = smaller.is_some();
    let (net, formulas) = smaller.unwrap_or_else(|| (net.clone(), formulas));
    let question = |(formula, &(_, paths))| Question::formula(&mut pool, formula, paths, Route::Fixpoints).into();
    let requests = formulas.into_iter().zip(asked).map(question).collect();
    Some(Reduced { net, pool, requests, is_smaller, only: None, exchanges: Exchanges::default() })
}

/// A formula of LTL with next on a net with fewer silent steps, where that tells something.
///
/// The runs of such a net are those of the net itself, but shorter ([`Preserved::ShorterLtl`]). Let L be what the formula forbids, or asks for
/// under `E`. If words stay in L when they get shorter, a run of L in the net is one of L in the smaller net: if that has none, there is
/// none. If words stay in L when they get longer, a run of L in the smaller net is one of L in the net. If both, nothing is lost.
///
/// Paviot-Adet, Poitrenaud, Renault and Thierry-Mieg, "LTL under reductions with weaker conditions than stutter invariance", FORTE 2022.
pub(in crate::decide) fn shortened(
    net: &PetriNet,
    tokens: Option<&Tokens<'_>>,
    pool: &Pool,
    (formula, paths): (FormulaId, PathSemantics),
    budget: &Budget,
) -> Option<Reduced> {
    let deep = pool.depth(formula) > MAX_DEPTH;
    let is_wanted =
        || !pool.has_actions(formula) && kind(pool, formula) == Preserved::Ctl && pool.is_about_runs(formula);
    if paths != PathSemantics::Stutter || deep || !is_wanted() {
        return None;
    }
    let mut pool = pool.clone();
    let fused = tokens.and_then(|tokens| fuse(tokens, &mut pool, &[formula], budget));
    let (net_of, formula) = fused.as_ref().map_or((net, formula), |(net, formulas)| (net, formulas[0]));
    let formula = over_places(net_of, &mut pool, formula)?;
    let (path, all) = match pool[formula] {
        Formula::Forall(path) => (path, true),
        Formula::Exists(path) => (path, false),
        _ => return None,
    };
    let stuttering = explicit::stuttering(&mut pool, path, all, budget).ok()?;
    let (kind, only) = match (stuttering.longer, stuttering.shorter) {
        (Some(true), Some(true)) => (Preserved::StutterLtl, None),
        (Some(true), _) => (Preserved::ShorterLtl, Some(!all)),
        (_, Some(true)) => (Preserved::ShorterLtl, Some(all)),
        _ => return None,
    };
    let (smaller, formulas) = reduce_as(net_of, &mut pool, &[formula], kind, budget)?;
    if !is_smaller(&smaller, net) {
        return None;
    }
    let question = |formula| Question::formula(&mut pool, formula, paths, Route::Fixpoints).into();
    let requests = formulas.into_iter().map(question).collect();
    Some(Reduced { net: smaller, pool, requests, is_smaller: true, only, exchanges: Exchanges::default() })
}

impl Reduced {
    /// With swaps, if they are wanted; `None` if the net is not smaller and has none of its own. `known` are those of the net
    /// before it was reduced.
    fn folded(mut self, symmetries: bool, known: &[Swap], budget: &Budget) -> Smaller {
        if !symmetries {
            return Some(self).filter(|reduced| reduced.is_smaller);
        }
        let (mut formulas, mut sums) = (Vec::new(), Vec::new());
        for asked in &self.requests {
            match &asked.question {
                Question::Formula { formula, linear, .. } => formulas.extend([*formula, *linear]),
                Question::Bound(places) => sums.push(&places[..]),
                Question::Global(Global::Deadlock) => {}
                _ => return Some(self).filter(|reduced| reduced.is_smaller),
            }
        }
        let known = if self.is_smaller { &[] } else { known };
        self.exchanges = symmetry::of(&self.net, known, (&self.pool, &formulas), &sums, budget);
        // What the questions together do not notice is left to the search for all of them, but for runs.
        let of_runs = |asked: &Request| match asked.question {
            Question::Formula { formula, .. } => self.pool.logic(formula) > Logic::Ctl,
            _ => false,
        };
        let alone = self.requests.iter().any(of_runs);
        let swaps = self.exchanges.swaps.len();
        let fewer = swaps > 0 && (alone || swaps > known.len());
        Some(self).filter(|reduced| reduced.is_smaller || fewer)
    }

    /// Ask all of them, with the first slice of this time if it is given.
    pub(in crate::decide) fn ask(
        &self,
        solver: &dyn Solver,
        settings: &Settings<'_>,
        budget: &Budget,
        listener: &dyn Listener,
        time: Option<Duration>,
    ) {
        let encoding = self.exchanges.encoding(&settings.encoding);
        let settings = &Settings { encoding, ..settings.clone() };
        let groups = Groups::single(&self.net);
        let subject = Subject { model: &self.net, groups: &groups, pool: &self.pool };
        solver.solve(&Task { subject, requests: &self.requests, settings, budget, listener, time });
    }
}

/// The net with places that are one for the formulas made one, and the formulas over it.
fn fuse(
    tokens: &Tokens<'_>,
    pool: &mut Pool,
    formulas: &[FormulaId],
    budget: &Budget,
) -> Option<(PetriNet, Vec<FormulaId>)> {
    let mut seen = Seen::default();
    seen.formulas(pool, formulas)?;
    let fused = seen.fuse(tokens, budget)?;
    let formulas = formulas.iter().map(|&formula| onto_fused(&fused, pool, formula)).collect::<Option<_>>()?;
    Some((fused.net, formulas))
}

/// The net reduced as far as all the formulas allow, and the formulas over it.
fn reduce_for(
    net: &PetriNet,
    pool: &mut Pool,
    formulas: &[FormulaId],
    budget: &Budget,
) -> Option<(PetriNet, Vec<FormulaId>)> {
    if formulas.iter().any(|&formula| pool.has_actions(formula)) {
        return None;
    }
    let formulas: Vec<_> = formulas.iter().map(|&formula| over_places(net, pool, formula)).collect::<Option<_>>()?;
    let kind = formulas.iter().map(|&formula| kind(pool, formula)).max()?;
    reduce_as(net, pool, &formulas, kind, budget)
}

/// The net reduced for this kind of questions, and the formulas, which are about places alone, over it.
fn reduce_as(
    net: &PetriNet,
    pool: &mut Pool,
    formulas: &[FormulaId],
    kind: Preserved,
    budget: &Budget,
) -> Option<(PetriNet, Vec<FormulaId>)> {
    let reduced = reduce(net, &observed_places(pool, formulas)?, kind, budget)?;
    let places = |list: &[PlaceId]| list.iter().map(|&place| reduced.place(place)).collect();
    // Nothing asks for transitions any more.
    let formulas = formulas.iter().map(|&formula| translate(pool, formula, places, |_| None)).collect::<Option<_>>()?;
    Some((reduced.net, formulas))
}

/// Questions about sums of places, or about none, and a net that has the same answers.
pub(in crate::decide) fn sums(
    net: &PetriNet,
    tokens: Option<&Tokens<'_>>,
    (sums, preserved): (&[&[PlaceId]], Preserved),
    question: impl Fn(Vec<PlaceId>) -> Question,
    budget: &Budget,
) -> Option<Reduced> {
    let sorted = |sum: &&[PlaceId]| {
        let mut sum = sum.to_vec();
        sum.sort_unstable();
        sum
    };
    let original: Vec<_> = sums.iter().map(sorted).collect();
    let lists: Vec<&[PlaceId]> = original.iter().map(|sum| &**sum).collect();
    let fused = tokens.and_then(|tokens| tokens.fuse(&lists, &[], budget));
    let on_fused = fused.as_ref().map(|fused| original.iter().map(|sum| fused.sum(sum)).collect::<Vec<_>>());
    let (net_of, of_net) = (fused.as_ref().map_or(net, |fused| &fused.net), on_fused.as_ref().unwrap_or(&original));
    let mut observed = of_net.concat();
    observed.sort_unstable();
    observed.dedup();
    let reduced = reduce(net_of, &observed, preserved, budget).and_then(|reduced| {
        let places = |sum: &Vec<PlaceId>| sum.iter().map(|&place| reduced.place(place)).collect();
        let sums = of_net.iter().map(places).collect::<Option<Vec<Vec<PlaceId>>>>()?;
        Some((reduced.net, sums))
    });
    let fused = fused.map(|fused| fused.net).zip(on_fused);
    let smaller = [reduced, fused].into_iter().flatten().find(|(smaller, _)| is_smaller(smaller, net));
    let is_smaller = smaller.is_some();
    let (net, places) = smaller.unwrap_or_else(|| (net.clone(), original));
    let requests = places.into_iter().map(|places| question(places).into()).collect();
    Some(Reduced { net, pool: Pool::new(), requests, is_smaller, only: None, exchanges: Exchanges::default() })
}

/// The properties that a reduction has to preserve for the formula.
fn kind(pool: &Pool, formula: FormulaId) -> Preserved {
    let quantified = |id: FormulaId| match pool[id] {
        Formula::Exists(path) | Formula::Forall(path) => Some(path),
        _ => None,
    };
    let all = pool.subformulas(&[formula]);
    let quantifies = |path| pool.subformulas(&[path]).into_iter().any(|id| quantified(id).is_some());
    // A path formula stands for all paths.
    let nested = if pool.is_state(formula) {
        all.iter().any(|&id| quantified(id).is_some_and(quantifies))
    } else {
        quantifies(formula)
    };
    if pool.logic(formula) <= Logic::Reachability {
        Preserved::Reachability
    } else if pool.past(formula) > 0 || all.iter().any(|&id| matches!(pool[id], Formula::Next(_))) {
        Preserved::Ctl
    } else if nested {
        Preserved::StutterCtl
    } else {
        // Each quantifier speaks of all runs, and of nothing but their observations.
        Preserved::StutterLtl
    }
}

/// The formula with its questions for enabled transitions written out; `None` if it speaks of deadlocks.
pub(in crate::decide) fn over_places(net: &PetriNet, pool: &mut Pool, formula: FormulaId) -> Option<FormulaId> {
    pool.rebuild(formula, |pool, node| match node {
        Formula::Deadlock | Formula::Still(_) | Formula::Set(_) => None,
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

/// The places that the formulas mention, sorted; `None` if one asks for bounds.
pub(in crate::decide) fn observed_places(pool: &Pool, formulas: &[FormulaId]) -> Option<Vec<PlaceId>> {
    let mut places = BTreeSet::new();
    for id in pool.subformulas(formulas) {
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
