//! The notions on sets of markings, for diagrams that have too many to look at each.

use super::notions::{Answers, Counts, Known, Roles, Stopped};
use crate::budget::Budget;
use crate::formula::{Comparison, Expr, Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::kinds::bpmn::process_net::{Completion, PlaceId, ProcessNet};
use crate::kinds::bpmn::{ProcessModel, model_of};
use crate::mdd::{Mdd, MddManager, with_deep_stack};
use crate::model::VariableId;
use crate::order::candidates;
use crate::relation::Relation;
use crate::scc::components;
use crate::stop_reason::StopReason;
use crate::symbolic::{Checker, Search, count_transitions, discover, fireable};

/// The answers; `None` where the limits are not enough.
pub(super) fn answers(net: &ProcessNet, budget: &Budget) -> Option<Answers> {
    // Recursion is as deep as there are places.
    with_deep_stack(net.places.len(), || found(net, budget)).ok()
}

fn none() -> StopReason {
    StopReason::Unsupported("the net of the diagram cannot be built")
}

/// The steps of a model, and the set of markings that are reachable.
///
/// # Errors
/// [`StopReason`].
pub(crate) fn reachable(model: &dyn Kind, budget: &Budget) -> Result<(Relation, Mdd), StopReason> {
    let order = candidates(&model.interactions(), budget, 0);
    let order = order.first().ok_or_else(none)?.order.as_slice();
    let relation = model.relation_within(order, budget).map_err(|_| none())?;
    let space = MddManager::new(relation.levels(), budget)?;
    let (states, relation) = discover(&relation, &space, Search::Saturation, budget, &mut |_| {}, &mut None)?;
    Ok((relation, states))
}

fn found(net: &ProcessNet, budget: &Budget) -> Result<Answers, StopReason> {
    let ProcessModel { model, actions } = model_of(net).ok_or_else(none)?;
    let (relation, states) = reachable(&*model, budget)?;
    let mut checker = Checker::new(&relation, states.clone(), PathSemantics::Maximal)?;
    let roles = Roles::of(net);
    let still = checker.deadlocks(budget)?;
    let mut pool = Pool::new();
    for &(message, ready) in &net.restarts {
        // The message is there, and its pool runs: what happens then is no part of the net.
        let there = marked(&mut pool, message, 1);
        let mut restarting = states.intersection(&checker.sat(&pool, there, budget)?, budget)?;
        if let Some(ready) = ready {
            let ready = marked(&mut pool, ready, 1);
            restarting = restarting.difference(&checker.sat(&pool, ready, budget)?, budget)?;
        }
        if !restarting.is_empty() {
            return Ok(Answers { stopped: Some(Stopped::Instances(message)), ..Answers::default() });
        }
    }
    let [inside, messages] = [&roles.inside, &roles.messages].map(|places| all_empty(&mut pool, places));
    // There are few deadlocks, and many places that have to be empty.
    let mut ends = Checker::new(&relation, still.clone(), PathSemantics::Maximal)?;
    let finals = ends.sat(&pool, inside, budget)?;
    let deadlocks = still.difference(&finals, budget)?;
    let reaching = checker.reach(&states, &finals, budget)?;
    let hopeless = states.difference(&reaching, budget)?;
    let maxima = states.maxima().ok_or_else(none)?.per_level;
    let at_most_one = |places: &[PlaceId]| places.iter().all(|&place| maxima[relation.level_of(place) as usize] <= 1);
    let enabled = fireable(&relation, &states, model.actions(), budget)?;
    let fires = |transition: usize| actions[transition].iter().any(|action| enabled[action.index()]);
    let begins = |node: usize| {
        (0..net.transitions.len()).filter(move |&transition| net.transitions[transition].begins.contains(&node))
    };
    let activities = || net.activities.iter().map(|activity| activity.node);
    let dead: Vec<usize> = activities().filter(|&node| !begins(node).any(fires)).collect();
    let useless = match hopeless.is_empty() {
        // Whatever begins is on a way to an end.
        true => dead.clone(),
        false => {
            let mut useless = Vec::new();
            for node in activities() {
                let labels: Vec<u32> = begins(node).flat_map(|t| &actions[t]).map(|action| action.0).collect();
                if !leads(&relation, &states, &reaching, &labels, budget)? {
                    useless.push(node);
                }
            }
            useless
        }
    };
    let loose = net.completion == Completion::NotStuck;
    let proper = match loose {
        false => at_most_one(&roles.ends),
        true => {
            let mut twice = Vec::new();
            for &place in &roles.ends {
                twice.push(marked(&mut pool, place, 2));
            }
            let twice = pool.add(Formula::Or(twice));
            let left = checker.sat(&pool, inside, budget)?;
            left.intersection(&checker.sat(&pool, twice, budget)?, budget)?.is_empty()
        }
    };
    let fair = match (hopeless.is_empty(), moves_forward(net)) {
        (false, _) => Known::Refuted(None),
        (true, true) => Known::Met,
        (true, false) => Known::Unknown,
    };
    let clean = finals.is_subset(&ends.sat(&pool, messages, budget)?, budget)?;
    Ok(Answers {
        safe: Known::of(at_most_one(&roles.flows)),
        no_deadlock: Known::of(deadlocks.is_empty()),
        option_to_complete: Known::of(if loose { deadlocks.is_empty() } else { hopeless.is_empty() }),
        proper_completion: Known::of(proper),
        no_dead_activity: Known::of(dead.is_empty()),
        relaxed: Known::of(useless.is_empty() && !finals.is_empty()),
        easy: Known::of(!finals.is_empty()),
        fair,
        clean: Known::of(clean),
        dead,
        useless,
        counts: Some(Counts {
            states: states.count(budget)?,
            steps: count_transitions(&relation, &states, budget).ok(),
            deadlocks: deadlocks.count(budget)?,
            hopeless: hopeless.count(budget)?,
            completed: finals.count(budget)?,
        }),
        stopped: None,
        whole: None,
    })
}

/// That a place has at least so many tokens.
fn marked(pool: &mut Pool, place: PlaceId, least: u64) -> FormulaId {
    let least = pool.add_expr(Expr::Const(least.into()));
    let tokens = pool.add_expr(Expr::Tokens(vec![VariableId(place as u32)]));
    pool.add(Formula::Compare(least, Comparison::Le, tokens))
}

/// That none of these places has a token.
fn all_empty(pool: &mut Pool, places: &[PlaceId]) -> FormulaId {
    let zero = pool.add_expr(Expr::Const(0));
    let empty = |pool: &mut Pool, place: PlaceId| {
        let tokens = pool.add_expr(Expr::Tokens(vec![VariableId(place as u32)]));
        pool.add(Formula::Compare(tokens, Comparison::Le, zero))
    };
    let all: Vec<FormulaId> = places.iter().map(|&place| empty(pool, place)).collect();
    pool.add(Formula::And(all))
}

/// Has every run an end, as each transition takes tokens, and puts some only to where none of them comes back?
///
/// A firing replaces a token by others that are further on: such an order on multisets has no endless descent (Dershowitz
/// and Manna 1979).
fn moves_forward(net: &ProcessNet) -> bool {
    let mut after = vec![Vec::new(); net.places.len()];
    for transition in &net.transitions {
        if transition.inputs.iter().all(|&(_, taken)| taken == 0) {
            return false;
        }
        for &(place, _) in &transition.inputs {
            after[place].extend(transition.outputs.iter().map(|&(place, _)| place));
        }
    }
    let all = components(after.len(), 0..after.len(), |place: usize| after[place].iter().copied());
    all.count == after.len() && (0..after.len()).all(|place| !after[place].contains(&place))
}

/// Does a step with one of these labels lead into the set?
fn leads(relation: &Relation, states: &Mdd, target: &Mdd, labels: &[u32], budget: &Budget) -> Result<bool, StopReason> {
    let steps = relation.restricted(|label| labels.contains(&label));
    let checker = Checker::new(&steps, states.clone(), PathSemantics::Maximal)?;
    Ok(!checker.pre(target, states, budget)?.is_empty())
}
