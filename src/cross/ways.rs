//! Computing in all the ways of a plan.
//!
//! The reachable set is computed once per order, and all questions are asked of it. Each way gets an equal
//! share of the time that is left; what needs less leaves it to those that follow.

use super::plan::{Plan, Strategy};
use super::{Figure, Opinion, Opinions, Question};
use crate::automaton::Builtin;
use crate::budget::Budget;
use crate::explicit::{self, Labelling, Options, Stopped};
use crate::formula::{FormulaId, Logic, PathSemantics, Pool};
use crate::lts::{LabelId, Model, Network, to_net};
use crate::mdd::{Mdd, MddSpace, with_deep_stack};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::order::Order;
use crate::relation::Relation;
use crate::symbolic::{Checker, Halt, ProductKind, Route, Search, count_transitions, deadlocks, reachable_set};

/// Most transitions of the net of a network that is compared, too.
const TRANSITIONS: usize = 4096;

/// Ask the questions in all the ways of the plan. Of a network, its net is asked as well.
pub fn compare<'m>(
    model: impl Into<Model<'m>>,
    pool: &mut Pool,
    questions: &[Question],
    plan: &Plan<'_>,
    budget: &Budget,
) -> Opinions {
    let model = model.into();
    let mut opinions = Opinions { space: Vec::new(), questions: vec![Vec::new(); questions.len()] };
    let unfolded = match model {
        Model::Network(network) => unfolded(network, pool, questions),
        Model::Net(_) => None,
    };
    let mut left = plan.orders.len() + plan.explicit.len() + if unfolded.is_some() { 2 } else { 0 };
    let mut share = || {
        left = left.saturating_sub(1);
        match budget.remaining() {
            Some(time) => budget.clone().with_time(time / (left as u32 + 1)),
            None => budget.clone(),
        }
    };
    for (number, (way, order, search)) in plan.orders.iter().enumerate() {
        let strategies = if number == 0 { &plan.strategies[..] } else { plan.strategies.get(..1).unwrap_or(&[]) };
        symbolic(model, pool, questions, (way, order, *search), strategies, &share(), &mut opinions);
    }
    for (way, options) in &plan.explicit {
        by_search(model, pool, questions, (way, options), &share(), &mut opinions);
    }
    if let Some((net, questions)) = &unfolded {
        let way = ("on its net, saturation", &Order::as_given(net), Search::Saturation);
        let strategies = plan.strategies.get(..1).unwrap_or(&[]);
        symbolic(net.into(), pool, questions, way, strategies, &share(), &mut opinions);
        by_search(net.into(), pool, questions, ("on its net, explicit", &Options::default()), &share(), &mut opinions);
    }
    for (way, other) in &plan.others {
        for (question, opinions) in questions.iter().zip(&mut opinions.questions) {
            let &Question::Formula(formula, paths) = question else { continue };
            let closed = pool.close(formula);
            if let Some(verdict) = other(model, pool, closed, paths) {
                opinions.push(opinion(way, vec![(Figure::Verdict, verdict.to_string())]));
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
        let &Question::Formula(formula, paths) = question else { return None };
        translated.push(Question::Formula(pool.relabelled(formula, of)?, paths));
    }
    Some((net, translated))
}

fn opinion(way: &str, figures: Vec<(Figure, String)>) -> Opinion {
    Opinion { way: way.to_owned(), figures, stopped: None }
}

fn stopped(way: &str, why: impl ToString) -> Opinion {
    Opinion { way: way.to_owned(), figures: Vec::new(), stopped: Some(why.to_string()) }
}

/// By diagrams under one order.
fn symbolic(
    model: Model<'_>,
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
    if let Err(halt) = result {
        opinions.space.push(stopped(way, halt));
    }
}

/// An error is one of the reachable set, which leaves nothing to ask.
fn by_diagrams(
    model: Model<'_>,
    pool: &mut Pool,
    questions: &[Question],
    (way, order, search): (&str, &Order, Search),
    strategies: &[Strategy<'_>],
    budget: &Budget,
    opinions: &mut Opinions,
) -> Result<(), String> {
    let text = |halt: Halt| halt.to_string();
    let relation = match model {
        Model::Net(net) => Relation::of_net(net, order.as_slice()),
        Model::Network(network) => Relation::of_network(network, order.as_slice()),
    };
    let relation = relation.map_err(|e| e.to_string())?;
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
    if let Model::Net(net) = model {
        let checker = Checker::new(&relation, states.clone(), PathSemantics::Stutter).map_err(text)?;
        let maxima: Result<Vec<i128>, Halt> = net.place_ids().map(|place| checker.bound(&[place])).collect();
        figures.push((Figure::Maxima, format!("{:?}", maxima.map_err(text)?)));
    }
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
                // It does not read actions.
                Err(Halt::Unsupported(_)) if strategy.product == ProductKind::Plain => continue,
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
    model: Model<'_>,
    pool: &mut Pool,
    questions: &[Question],
    (way, options): (&str, &Options),
    budget: &Budget,
    opinions: &mut Opinions,
) {
    opinions.space.push(match explicit::explore(model, options, budget) {
        Ok(found) => {
            let mut figures = vec![
                (Figure::States, found.states.to_string()),
                (Figure::Transitions, found.transitions.to_string()),
                (Figure::Deadlocks, found.deadlocks.to_string()),
            ];
            if let Model::Net(_) = model {
                figures.push((Figure::Maxima, format!("{:?}", found.bounds)));
            }
            opinion(way, figures)
        }
        Err(why) => stopped(way, why),
    });
    let mut graph = None;
    for (question, opinions) in questions.iter().zip(&mut opinions.questions) {
        let figures = match question {
            Question::Bound(places) => {
                largest_sum(model, places, options, budget).map(|bound| vec![(Figure::Bound, bound.to_string())])
            }
            &Question::Formula(formula, paths) => explicit::check_ltl(model, pool, formula, paths, options, budget)
                .map(|found| vec![(Figure::Verdict, found.holds.to_string())]),
        };
        let figures = match (figures, question) {
            (Err(Stopped::Unsupported(_)), &Question::Formula(formula, paths)) => {
                labelled(model, &mut graph, pool, (formula, paths), options, budget)
            }
            (figures, _) => figures,
        };
        opinions.push(match figures {
            Ok(figures) => opinion(way, figures),
            // It is for LTL and CTL only.
            Err(Stopped::Unsupported(_)) => continue,
            Err(why) => stopped(way, why),
        });
    }
}

/// A formula of CTL on the reachability graph.
fn labelled<'n>(
    model: Model<'n>,
    graph: &mut Option<Labelling<'n>>,
    pool: &mut Pool,
    (formula, paths): (FormulaId, PathSemantics),
    options: &Options,
    budget: &Budget,
) -> Result<Vec<(Figure, String)>, Stopped> {
    let closed = pool.close(formula);
    let simple = pool.push_quantifiers(closed, paths);
    if pool.logic(simple) > Logic::Ctl {
        return Err(Stopped::Unsupported("CTL*"));
    }
    let labelling = match graph {
        Some(labelling) => labelling,
        None => graph.insert(Labelling::new(model, options, budget)?),
    };
    let labels = labelling.satisfying(pool, simple, paths, budget)?;
    let verdict = labels.holds_initially().to_string();
    Ok(vec![(Figure::Verdict, verdict), (Figure::Satisfying, labels.count().to_string())])
}

fn largest_sum(model: Model<'_>, places: &[PlaceId], options: &Options, budget: &Budget) -> Result<u128, Stopped> {
    let mut bound = 0;
    explicit::find(model, options, budget, |marking| {
        bound = bound.max(places.iter().map(|&place| u128::from(marking.tokens(place))).sum());
        false
    })?;
    Ok(bound)
}
