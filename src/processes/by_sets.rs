//! The notions on sets of markings, for diagrams that have too many to look at each.

use super::notions::{Answers, Counts, Known, Roles, Run, Stopped};
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
use std::time::Duration;

/// Limits for runs: of the calls of each operation, the part of the time, and the most of it.
const RUN_CALLS: u64 = 1 << 13;
const RUNS_PART: u32 = 4;
const RUNS: Duration = Duration::from_secs(5);

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
    let (roles, space) = (Roles::of(net), states.space());
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
    let is_crowded = |place: PlaceId| maxima[relation.level_of(place) as usize] > 1;
    // The markings with two tokens in one of these places.
    let mut twice = |checker: &mut Checker<'_>, places: &[PlaceId]| {
        let crowded: Vec<FormulaId> =
            places.iter().filter(|&&place| is_crowded(place)).map(|&place| marked(&mut pool, place, 2)).collect();
        if crowded.is_empty() {
            return Ok(space.empty());
        }
        let some = pool.add(Formula::Or(crowded));
        checker.sat(&pool, some, budget)
    };
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
    let (loaded, ended) = (twice(&mut checker, &roles.flows)?, twice(&mut checker, &roles.ends)?);
    let improper = match loose {
        false => ended,
        true => ended.intersection(&checker.sat(&pool, inside, budget)?, budget)?,
    };
    let fair = match (hopeless.is_empty(), moves_forward(net)) {
        (false, _) => Known::Refuted(None),
        (true, true) => Known::Met,
        (true, false) => Known::Unknown,
    };
    let littered = finals.difference(&ends.sat(&pool, messages, budget)?, budget)?;
    let counts = Counts {
        states: states.count(budget)?,
        steps: count_transitions(&relation, &states, budget).ok(),
        deadlocks: deadlocks.count(budget)?,
        hopeless: hopeless.count(budget)?,
        completed: finals.count(budget)?,
    };
    // Without runs demands are refuted all the same, so that these may take a part of the limits alone.
    let part = budget.part_up_to(1, RUNS_PART, RUNS).with_work(RUN_CALLS);
    let runs =
        Runs { net, checker: &checker, states: &states, variables: relation.variables_by_level(), budget: &part };
    let demand = |against: &Mdd| match against.is_empty() {
        true => Known::Met,
        false => Known::Refuted(runs.shortest_to(against).ok().flatten()),
    };
    let no_deadlock = demand(&deadlocks);
    Ok(Answers {
        safe: demand(&loaded),
        option_to_complete: if loose { no_deadlock.clone() } else { demand(&hopeless) },
        no_deadlock,
        proper_completion: demand(&improper),
        no_dead_activity: Known::of(dead.is_empty()),
        relaxed: Known::of(useless.is_empty() && !finals.is_empty()),
        easy: Known::of(!finals.is_empty()),
        fair,
        clean: demand(&littered),
        dead,
        useless,
        counts: Some(counts),
        stopped: None,
        whole: None,
    })
}

/// Runs to sets of markings.
struct Runs<'a> {
    net: &'a ProcessNet,
    checker: &'a Checker<'a>,
    states: &'a Mdd,
    /// Place of each level.
    variables: Vec<usize>,
    budget: &'a Budget,
}

impl Runs<'_> {
    /// A shortest run to one of these reachable markings: layers of markings from which so many steps lead there, and a walk
    /// down the layers.
    fn shortest_to(&self, goal: &Mdd) -> Result<Option<Run>, StopReason> {
        let (mut layers, mut reached) = (vec![goal.clone()], goal.clone());
        let mut tokens = self.net.initial();
        while let Some(last) = layers.last()
            && !self.is_in(&tokens, last)
        {
            let before = self.checker.pre(last, self.states, self.budget)?.difference(&reached, self.budget)?;
            if before.is_empty() {
                return Ok(None);
            }
            reached = reached.union(&before, self.budget)?;
            layers.push(before);
        }
        layers.pop();
        let mut run = Vec::with_capacity(layers.len());
        while let Some(layer) = layers.pop() {
            let Some((step, next)) = self.step_into(&tokens, &layer) else { return Ok(None) };
            run.push(step);
            tokens = next;
        }
        Ok(Some(run))
    }

    /// A transition that leads into a set, and where it leads.
    fn step_into(&self, tokens: &[u32], set: &Mdd) -> Option<(usize, Vec<u32>)> {
        let ProcessNet { places, transitions, .. } = self.net;
        let mut enabled = (0..transitions.len()).filter(|&step| transitions[step].is_enabled(places, tokens));
        enabled.find_map(|step| {
            let mut next = tokens.to_vec();
            transitions[step].fire(places, &mut next)?;
            self.is_in(&next, set).then_some((step, next))
        })
    }

    fn is_in(&self, tokens: &[u32], set: &Mdd) -> bool {
        let tuple: Vec<u32> = self.variables.iter().map(|&place| tokens[place]).collect();
        set.contains(&tuple)
    }
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
