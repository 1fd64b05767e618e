//! Computing in all the ways of a plan.
//!
//! The reachable set is computed once per order, and all questions are asked of it. Each way gets an equal
//! share of the time that is left; what needs less leaves it to those that follow.

use super::plan::{Plan, Strategy};
use super::{Figure, Opinion, Opinions, Question};
use crate::automaton::Builtin;
use crate::budget::Budget;
use crate::explicit::{self, Options, Stopped};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::mdd::{Mdd, MddSpace, with_deep_stack};
use crate::net::{PetriNet, PlaceId};
use crate::order::Order;
use crate::relation::Relation;
use crate::symbolic::{Checker, Halt, Route, Search, count_transitions, deadlocks, reachable_set};

/// Ask the questions in all the ways of the plan.
pub fn compare(net: &PetriNet, pool: &mut Pool, questions: &[Question], plan: &Plan<'_>, budget: &Budget) -> Opinions {
    let mut opinions = Opinions { space: Vec::new(), questions: vec![Vec::new(); questions.len()] };
    let mut left = plan.orders.len() + plan.explicit.len();
    let mut share = || {
        left = left.saturating_sub(1);
        match budget.remaining() {
            Some(time) => budget.clone().with_time(time / (left as u32 + 1)),
            None => budget.clone(),
        }
    };
    for (number, (way, order, search)) in plan.orders.iter().enumerate() {
        let strategies = if number == 0 { &plan.strategies[..] } else { plan.strategies.get(..1).unwrap_or(&[]) };
        let budget = &share();
        let result = with_deep_stack(net.place_count(), || {
            symbolic(net, pool, questions, (way, order, *search), strategies, budget, &mut opinions)
        });
        if let Err(halt) = result {
            opinions.space.push(stopped(way, halt));
        }
    }
    for (way, options) in &plan.explicit {
        by_search(net, pool, questions, (way, options), &share(), &mut opinions);
    }
    for (way, other) in &plan.others {
        for (question, opinions) in questions.iter().zip(&mut opinions.questions) {
            let &Question::Formula(formula, paths) = question else { continue };
            let closed = pool.close(formula);
            if let Some(verdict) = other(net, pool, closed, paths) {
                opinions.push(opinion(way, vec![(Figure::Verdict, verdict.to_string())]));
            }
        }
    }
    opinions
}

fn opinion(way: &str, figures: Vec<(Figure, String)>) -> Opinion {
    Opinion { way: way.to_owned(), figures, stopped: None }
}

fn stopped(way: &str, why: impl ToString) -> Opinion {
    Opinion { way: way.to_owned(), figures: Vec::new(), stopped: Some(why.to_string()) }
}

/// By diagrams under one order. An error is one of the reachable set, which leaves nothing to ask.
fn symbolic(
    net: &PetriNet,
    pool: &mut Pool,
    questions: &[Question],
    (way, order, search): (&str, &Order, Search),
    strategies: &[Strategy<'_>],
    budget: &Budget,
    opinions: &mut Opinions,
) -> Result<(), String> {
    let text = |halt: Halt| halt.to_string();
    let relation = Relation::of_net(net, order.as_slice()).map_err(|e| e.to_string())?;
    let space = MddSpace::new(relation.levels(), budget).map_err(|e| e.to_string())?;
    let states = reachable_set(&relation, &space, search, budget, &mut |_| ()).map_err(text)?;
    let count = |set: &Mdd| set.count(budget).map(|count| count.to_string()).map_err(|e| e.to_string());
    let arcs = count_transitions(&relation, &states, budget).map_err(|e| e.to_string())?;
    let dead = deadlocks(&relation, &states, budget).map_err(text)?;
    let mut figures = vec![
        (Figure::States, count(&states)?),
        (Figure::Transitions, arcs.to_string()),
        (Figure::Deadlocks, count(&dead)?),
    ];
    let checker = Checker::new(&relation, states.clone(), PathSemantics::Stutter).map_err(text)?;
    let maxima: Result<Vec<i128>, Halt> = net.place_ids().map(|place| checker.bound(&[place])).collect();
    figures.push((Figure::Maxima, format!("{:?}", maxima.map_err(text)?)));
    opinions.space.push(opinion(way, figures));
    for strategy in strategies {
        let way = format!("{way}{}", strategy.name);
        let mut checkers: Vec<Checker<'_>> = Vec::new();
        for paths in PathSemantics::ALL {
            let checker = Checker::new(&relation, states.clone(), paths).map_err(text)?;
            let checker = checker.with_product(strategy.product).with_route(strategy.route);
            checkers.push(checker.with_translator(strategy.translator.unwrap_or(&Builtin)));
        }
        for (question, opinions) in questions.iter().zip(&mut opinions.questions) {
            let figures = match question {
                Question::Bound(places) => {
                    checkers[0].bound(places).map(|bound| vec![(Figure::Bound, bound.to_string())])
                }
                &Question::Formula(formula, paths) => {
                    let Some(checker) = checkers.iter_mut().find(|checker| checker.paths() == paths) else { continue };
                    verdict(checker, pool, formula, strategy.route, budget)
                }
            };
            opinions.push(match figures {
                Ok(figures) => opinion(&way, figures),
                Err(halt) => stopped(&way, halt),
            });
        }
    }
    Ok(())
}

/// The verdict, by whatever decides it soonest, and the whole set.
fn verdict(
    checker: &mut Checker<'_>,
    pool: &mut Pool,
    formula: FormulaId,
    route: Route,
    budget: &Budget,
) -> Result<Vec<(Figure, String)>, Halt> {
    let closed = pool.close(formula);
    let formula = match route {
        Route::Fixpoints => pool.push_quantifiers(closed, checker.paths()),
        Route::Automata => pool.simplify(closed, checker.paths()),
    };
    let holds = checker.holds_initially(pool, formula, budget)?;
    let set = checker.sat(pool, formula, budget)?;
    Ok(vec![(Figure::Verdict, holds.to_string()), (Figure::Satisfying, set.count(budget)?.to_string())])
}

/// Marking by marking.
fn by_search(
    net: &PetriNet,
    pool: &mut Pool,
    questions: &[Question],
    (way, options): (&str, &Options),
    budget: &Budget,
    opinions: &mut Opinions,
) {
    opinions.space.push(match explicit::explore(net, options, budget) {
        Ok(found) => {
            let figures = vec![
                (Figure::States, found.states.to_string()),
                (Figure::Transitions, found.transitions.to_string()),
                (Figure::Deadlocks, found.deadlocks.to_string()),
                (Figure::Maxima, format!("{:?}", found.bounds)),
            ];
            opinion(way, figures)
        }
        Err(why) => stopped(way, why),
    });
    for (question, opinions) in questions.iter().zip(&mut opinions.questions) {
        let figure = match question {
            Question::Bound(places) => {
                largest_sum(net, places, options, budget).map(|bound| (Figure::Bound, bound.to_string()))
            }
            &Question::Formula(formula, paths) => explicit::check_ltl(net, pool, formula, paths, options, budget)
                .map(|found| (Figure::Verdict, found.holds.to_string())),
        };
        opinions.push(match figure {
            Ok(figure) => opinion(way, vec![figure]),
            // It is for LTL only.
            Err(Stopped::Unsupported(_)) => continue,
            Err(why) => stopped(way, why),
        });
    }
}

fn largest_sum(net: &PetriNet, places: &[PlaceId], options: &Options, budget: &Budget) -> Result<u128, Stopped> {
    let mut bound = 0;
    explicit::find(net, options, budget, |marking| {
        bound = bound.max(places.iter().map(|&place| u128::from(marking.tokens(place))).sum());
        false
    })?;
    Ok(bound)
}
