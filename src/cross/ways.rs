//! Computing in all the ways of a plan.
//!
//! The reachable set is computed once per order, and all questions are asked of it. Each way gets an equal
//! share of the time that is left; what needs less leaves it to those that follow.

use super::plan::{Plan, Strategy};
use super::{Opinion, Opinions, Quantity, Question};
use crate::automaton::Builtin;
use crate::budget::Budget;
use crate::decide::{self, Recorder, Request, Settings, Subject, Value};
use crate::explicit::{self, Encoding, Explicit, Labelling, Options};
use crate::formula::{Distance, FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::kinds::network::{LabelId, Network, to_net};
use crate::mdd::{Mdd, MddManager, with_deep_stack};
use crate::model::{Groups, Standstill};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::order::Order;
use crate::stop_reason::StopReason;
use crate::symbolic::{Checker, ProductKind, Route, Search, count_transitions, discover, standstills};
use std::time::Duration;

/// The time of a decider where there is no limit.
const UNLIMITED: Duration = Duration::from_secs(3600);

/// Most transitions of the net of a network that is compared, too.
const TRANSITIONS: usize = 4096;

/// Ask the questions in all the ways of the plan. Of a network, its net is asked as well.
pub fn compare(
    model: &dyn Kind,
    pool: &mut Pool,
    questions: &[Question],
    plan: &Plan<'_>,
    budget: &Budget,
) -> Opinions {
    let mut opinions = Opinions { space: Vec::new(), questions: vec![Vec::new(); questions.len()] };
    let unfolded = model.as_network().and_then(|network| unfolded(network, pool, questions));
    let mut left =
        plan.deciders.len() + plan.orders.len() + plan.explicit.len() + if unfolded.is_some() { 2 } else { 0 };
    let mut share = || {
        left = left.saturating_sub(1);
        budget.share(left + 1)
    };
    for (number, (way, order, search)) in plan.orders.iter().enumerate() {
        let strategies = if number == 0 { &plan.strategies[..] } else { plan.strategies.get(..1).unwrap_or(&[]) };
        symbolic(model, pool, questions, (way, order, *search), strategies, &share(), &mut opinions);
    }
    for (way, encoding, options) in &plan.explicit {
        by_search(model, pool, questions, (way, encoding, options), &share(), &mut opinions);
    }
    for (way, settings) in &plan.deciders {
        by_decider(model, pool, questions, (way, settings), &share(), &mut opinions);
    }
    if let Some((net, questions)) = &unfolded {
        let way = ("on its net, saturation", &Order::as_given(net), Search::Saturation);
        let strategies = plan.strategies.get(..1).unwrap_or(&[]);
        symbolic(net, pool, questions, way, strategies, &share(), &mut opinions);
        let (encoding, options) = (Encoding::default(), Options::default());
        by_search(net, pool, questions, ("on its net, explicit", &encoding, &options), &share(), &mut opinions);
    }
    for (way, other) in &plan.others {
        for (question, opinions) in questions.iter().zip(&mut opinions.questions) {
            let &Question::Formula(formula, paths) = question else { continue };
            let closed = pool.close(formula);
            if let Some(verdict) = other(model, pool, closed, paths) {
                opinions.push(opinion(way, vec![(Quantity::Verdict, verdict.to_string())]));
            }
        }
    }
    opinions
}

/// The net of a network and the questions about its transitions, unless it is too large.
fn unfolded(network: &Network, pool: &mut Pool, questions: &[Question]) -> Option<(PetriNet, Vec<Question>)> {
    let net = to_net(network).ok().filter(|net| net.transition_count() <= TRANSITIONS)?;
    let mut transitions: Vec<Vec<TransitionId>> = vec![Vec::new(); network.label_count()];
    for (id, transition) in net.transition_ids().zip(net.transitions()) {
        let LabelId(label) = network.find_label(transition.name.as_deref()?)?;
        transitions[label as usize].push(id);
    }
    let of = |labels: &[TransitionId]| {
        let transitions = labels.iter().map(|label| transitions.get(label.index()).map(|all| &all[..]));
        Some(transitions.collect::<Option<Vec<_>>>()?.concat())
    };
    let mut translated = Vec::with_capacity(questions.len());
    for question in questions {
        translated.push(match *question {
            Question::Formula(formula, paths) => Question::Formula(pool.relabelled(formula, of)?, paths),
            Question::Distance(journey, paths) => {
                Question::Distance(journey.map(|formula| pool.relabelled(formula, of))?, paths)
            }
            Question::Bound(_) => return None,
        });
    }
    Some((net, translated))
}

fn opinion(way: &str, quantities: Vec<(Quantity, String)>) -> Opinion {
    Opinion { way: way.to_owned(), quantities, stopped: None }
}

fn stopped(way: &str, why: impl ToString) -> Opinion {
    Opinion { way: way.to_owned(), quantities: Vec::new(), stopped: Some(why.to_string()) }
}

/// By diagrams under one order.
fn symbolic(
    model: &dyn Kind,
    pool: &mut Pool,
    questions: &[Question],
    (way, order, search): (&str, &Order, Search),
    strategies: &[Strategy<'_>],
    budget: &Budget,
    opinions: &mut Opinions,
) {
    let result = with_deep_stack(model.variables(), || {
        by_diagrams(model, pool, questions, (way, order, search), strategies, budget, opinions)
    });
    if let Err(stop) = result {
        opinions.space.push(stopped(way, stop));
    }
}

/// An error is one of the reachable set, which leaves nothing to ask.
fn by_diagrams(
    model: &dyn Kind,
    pool: &mut Pool,
    questions: &[Question],
    (way, order, search): (&str, &Order, Search),
    strategies: &[Strategy<'_>],
    budget: &Budget,
    opinions: &mut Opinions,
) -> Result<(), String> {
    let text = |stop: StopReason| stop.to_string();
    let relation = model.relation(order.as_slice()).map_err(|e| e.to_string())?;
    let space = MddManager::new(relation.levels(), budget).map_err(|e| e.to_string())?;
    let (states, relation) = discover(&relation, &space, search, budget, &mut |_| (), &mut None).map_err(text)?;
    let count = |set: &Mdd| set.count(budget).map(|count| count.to_string()).map_err(|e| e.to_string());
    let arcs = count_transitions(&relation, &states, budget).map_err(|e| e.to_string())?;
    let dead = standstills(&relation, &states, Standstill::Deadlock, budget).map_err(text)?;
    let mut quantities = vec![
        (Quantity::States, count(&states)?),
        (Quantity::Transitions, arcs.to_string()),
        (Quantity::Deadlocks, count(&dead)?),
    ];
    if model.terms().counts {
        let checker = Checker::new(&relation, states.clone(), PathSemantics::Stutter).map_err(text)?;
        let maxima: Result<Vec<i128>, StopReason> =
            model.variable_ids().map(|variable| checker.bound(&[variable], budget)).collect();
        quantities.push((Quantity::Maxima, format!("{:?}", maxima.map_err(text)?)));
    }
    opinions.space.push(opinion(way, quantities));
    for strategy in strategies {
        let way = format!("{way}{}", strategy.name);
        let mut checkers: Vec<Checker<'_>> = Vec::new();
        for paths in PathSemantics::ALL {
            let checker = Checker::new(&relation, states.clone(), paths).map_err(text)?;
            let checker = checker.with_product(strategy.product).with_route(strategy.route);
            let checker = checker.with_knowledge(strategy.knowledge).with_fairness(strategy.fairness);
            checkers.push(checker.with_translator(strategy.translator.unwrap_or(&Builtin)));
        }
        for (question, opinions) in questions.iter().zip(&mut opinions.questions) {
            let quantities = match question {
                Question::Bound(places) => {
                    checkers[0].bound(places, budget).map(|bound| vec![(Quantity::Bound, bound.to_string())])
                }
                &Question::Formula(formula, paths) => {
                    let Some(checker) = checkers.iter_mut().find(|checker| checker.paths() == paths) else { continue };
                    verdict(checker, pool, formula, strategy.route, budget)
                }
                Question::Distance(journey, paths) => {
                    let Some(checker) = checkers.iter_mut().find(|checker| checker.paths() == *paths) else { continue };
                    checker.distance(pool, journey, budget).map(|found| vec![steps(found)])
                }
            };
            opinions.push(match quantities {
                Ok(quantities) => opinion(&way, quantities),
                // It does not read actions.
                Err(StopReason::Unsupported(_)) if strategy.product == ProductKind::Plain => continue,
                Err(stop) => stopped(&way, stop),
            });
        }
    }
    Ok(())
}

/// A number of steps.
fn steps(distance: Distance) -> (Quantity, String) {
    let text = match distance {
        Distance::Steps(steps) => steps.to_string(),
        Distance::Infinite => "infinite".to_owned(),
        Distance::Undefined => "undefined".to_owned(),
    };
    (Quantity::Distance, text)
}

/// The verdict, by whatever decides it soonest, and the whole set.
fn verdict(
    checker: &mut Checker<'_>,
    pool: &mut Pool,
    formula: FormulaId,
    route: Route,
    budget: &Budget,
) -> Result<Vec<(Quantity, String)>, StopReason> {
    let closed = pool.close(formula);
    let formula = match route {
        Route::Fixpoints => pool.push_quantifiers(closed, checker.paths()),
        Route::Automata => pool.simplify(closed, checker.paths()),
    };
    let holds = checker.holds_initially(pool, formula, budget)?;
    let set = checker.sat(pool, formula, budget)?;
    Ok(vec![(Quantity::Verdict, holds.to_string()), (Quantity::Satisfying, set.count(budget)?.to_string())])
}

/// State by state.
fn by_search(
    model: &dyn Kind,
    pool: &mut Pool,
    questions: &[Question],
    (way, encoding, options): (&str, &Encoding, &Options),
    budget: &Budget,
    opinions: &mut Opinions,
) {
    let engine = match model.compile(encoding, budget) {
        Ok(engine) => engine,
        Err(why) => return opinions.space.push(stopped(way, why)),
    };
    opinions.space.push(match engine.explore(options, budget) {
        Ok(found) => {
            let mut quantities = vec![
                (Quantity::States, found.states.to_string()),
                (Quantity::Transitions, found.transitions.to_string()),
                (Quantity::Deadlocks, found.deadlocks.to_string()),
            ];
            if model.terms().counts {
                quantities.push((Quantity::Maxima, format!("{:?}", found.bounds)));
            }
            opinion(way, quantities)
        }
        Err(why) => stopped(way, why),
    });
    let mut graph = None;
    for (question, opinions) in questions.iter().zip(&mut opinions.questions) {
        let quantities = match question {
            Question::Bound(variables) => largest_sum(&*engine, variables, options, budget)
                .map(|bound| vec![(Quantity::Bound, bound.to_string())]),
            &Question::Formula(formula, paths) => explicit::check_ltl(&*engine, pool, formula, paths, options, budget)
                .map(|found| vec![(Quantity::Verdict, found.holds.to_string())]),
            Question::Distance(journey, paths) => graph_of(&*engine, &mut graph, budget)
                .and_then(|labelling| labelling.distance(pool, journey, *paths, budget))
                .map(|(distance, _)| vec![steps(distance)]),
        };
        let quantities = match (quantities, question) {
            (Err(StopReason::Unsupported(_)), &Question::Formula(formula, paths)) => {
                labelled(&*engine, &mut graph, pool, (formula, paths), budget)
            }
            (quantities, _) => quantities,
        };
        opinions.push(match quantities {
            Ok(quantities) => opinion(way, quantities),
            // Actions on paths are for LTL only.
            Err(StopReason::Unsupported(_)) => continue,
            Err(why) => stopped(way, why),
        });
    }
}

/// The reachability graph, which is explored once.
fn graph_of<'g, 'n>(
    engine: &dyn Explicit<'n>,
    graph: &'g mut Option<Labelling<'n>>,
    budget: &Budget,
) -> Result<&'g mut Labelling<'n>, StopReason> {
    match graph {
        Some(labelling) => Ok(labelling),
        None => Ok(graph.insert(engine.labelling(budget)?)),
    }
}

/// A formula of CTL\* on the reachability graph.
fn labelled<'n>(
    engine: &dyn Explicit<'n>,
    graph: &mut Option<Labelling<'n>>,
    pool: &mut Pool,
    (formula, paths): (FormulaId, PathSemantics),
    budget: &Budget,
) -> Result<Vec<(Quantity, String)>, StopReason> {
    let closed = pool.close(formula);
    let simple = pool.push_quantifiers(closed, paths);
    let labels = graph_of(engine, graph, budget)?.satisfying(pool, simple, paths, budget)?;
    let verdict = labels.holds_initially().to_string();
    Ok(vec![(Quantity::Verdict, verdict), (Quantity::Satisfying, labels.count().to_string())])
}

fn largest_sum(
    engine: &dyn Explicit<'_>,
    variables: &[PlaceId],
    options: &Options,
    budget: &Budget,
) -> Result<u128, StopReason> {
    let mut bound = 0;
    engine.find(options, budget, &mut |state| {
        bound = bound.max(variables.iter().map(|&variable| u128::from(state.value(variable))).sum());
        false
    })?;
    Ok(bound)
}

/// As every command decides: by all ways together. Without a limit there are no slices of time, and guided searches,
/// which have a part of one, would not be made.
fn by_decider(
    model: &dyn Kind,
    pool: &mut Pool,
    questions: &[Question],
    (way, settings): (&str, &Settings<'_>),
    budget: &Budget,
    opinions: &mut Opinions,
) {
    let budget = &if budget.remaining().is_some() { budget.clone() } else { budget.clone().with_time(UNLIMITED) };
    let mut asked = Vec::new();
    for question in questions {
        asked.push(Request::from(match question {
            Question::Bound(variables) => decide::Question::Bound(variables.clone()),
            &Question::Formula(formula, paths) => decide::Question::formula(pool, formula, paths, Route::Fixpoints),
            &Question::Distance(journey, paths) => decide::Question::Distance { journey, paths },
        }));
    }
    let groups = Groups::single(model);
    let kept = Recorder::new(asked.len());
    decide::decide(Subject { model, groups: &groups, pool }, &asked, settings, budget, &kept);
    for ((recorded, question), opinions) in kept.into_recorded().into_iter().zip(questions).zip(&mut opinions.questions)
    {
        let quantity = match question {
            Question::Bound(_) => Quantity::Bound,
            Question::Formula(..) => Quantity::Verdict,
            Question::Distance(..) => Quantity::Distance,
        };
        // No other way says so: it is reported.
        opinions.extend(recorded.faults.iter().map(|fault| opinion(way, vec![(quantity, fault.to_string())])));
        opinions.push(match recorded.answer.map(|answer| answer.value) {
            Some(Value::Verdict(verdict)) => opinion(way, vec![(Quantity::Verdict, verdict.to_string())]),
            Some(Value::Number(number)) => opinion(way, vec![(quantity, number.to_string())]),
            Some(Value::Infinite) if quantity == Quantity::Distance => opinion(way, vec![steps(Distance::Infinite)]),
            Some(Value::Undefined) => opinion(way, vec![steps(Distance::Undefined)]),
            Some(Value::Unknown(why)) => stopped(way, why),
            Some(Value::Numbers(_) | Value::Suprema(_) | Value::Infinite) | None => continue,
        });
    }
}
