//! How far it is from some states to others: numbers of steps.
//!
//! Diagrams answer ([`super::formulas`]), and so does the graph of all states, explored as for formulas. Once the number
//! is known, a way of this length explains it. That no way is shorter, or longer, was computed, as was that there is
//! none at all.

use super::PropertySolver;
use super::whole_graph::WholeGraph;
use crate::budget::{Budget, Exhausted};
use crate::decide::board::{Board, NO_WAY};
use crate::decide::context::Context;
use crate::decide::{Explained, Question, Technique, Value};
use crate::explicit::substitute_bounds;
use crate::formula::{Distance, Journey, PathSemantics};
use crate::model::Path;
use crate::stop_reason::StopReason;
use crate::witness::{Unexplained, explain_by_labels, explain_way_by_labels};

impl From<Distance> for Value {
    fn from(distance: Distance) -> Value {
        match distance {
            Distance::Steps(steps) => Value::Number(steps.into()),
            Distance::Infinite => Value::Infinite,
            Distance::Undefined => Value::Undefined,
        }
    }
}

/// The way that explains a number of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::decide) enum Shown {
    /// One that is over.
    Over,
    /// One that never is.
    Forever,
}

/// The way that explains an answer, if one does.
pub(in crate::decide) fn shown(journey: &Journey, value: Value) -> Option<Shown> {
    match value {
        Value::Number(steps) if !journey.extreme.longest || steps > 0u32.into() => Some(Shown::Over),
        Value::Infinite if journey.extreme.longest => Some(Shown::Forever),
        _ => None,
    }
}

/// The numbers that are asked for.
pub(in crate::decide) struct Distances<'a> {
    asked: Vec<(usize, Journey, PathSemantics)>,
    graph: WholeGraph<'a>,
}

impl<'a> Distances<'a> {
    pub(in crate::decide) fn new(board: &Board<'a>) -> Self {
        let asked = board.questions().filter_map(|(number, asked)| match asked.question {
            Question::Distance { journey, paths } => Some((number, journey, paths)),
            _ => None,
        });
        Distances { asked: asked.collect(), graph: WholeGraph::default() }
    }
}

impl<'a> PropertySolver<'a> for Distances<'a> {
    fn is_open(&self, context: &Context<'a>) -> bool {
        self.asked.iter().any(|&(number, ..)| context.board.is_wanted(number))
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let (model, pool, board) = (context.subject.model, context.subject.pool, context.board);
        let asked = self.asked.clone();
        let (engine, options) = (context.compiled()?, context.options(false));
        let labelling = self.graph.get(context, budget)?;
        let (mut valued, mut said) = (pool.clone(), Vec::new());
        for (number, asked, paths) in asked.into_iter().filter(|&(number, ..)| board.is_wanted(number)) {
            let mut stopped = None;
            let with_bounds = |formula| {
                let found = substitute_bounds(engine, &mut valued, formula, &options, budget);
                found.map(|(formula, _)| formula).map_err(|stop| stopped = Some(stop)).ok()
            };
            let Some(journey) = asked.map(with_bounds) else { return Err(stopped.unwrap_or(Exhausted::Time.into())) };
            // Assumptions are as they were written.
            let simple = journey.map(|formula| Some(valued.simplify(formula, paths))).unwrap_or(journey);
            let (distance, path) = match labelling.distance(&valued, &simple, paths, budget) {
                Ok(found) => found,
                Err(stop @ StopReason::Exhausted(_)) => return Err(stop),
                Err(stop) => {
                    board.fail(number, stop);
                    said.push(number);
                    continue;
                }
            };
            board.give(number, distance.into(), Technique::Explicit, Some(labelling.stats()));
            // A way is one of the formulas that were asked, and of no others.
            if !board.wants_witness(number) || journey != asked {
                said.push(number);
                continue;
            }
            let found = match shown(&journey, distance.into()) {
                Some(Shown::Over) => path.map(|path: Path| {
                    explain_way_by_labels(model, pool, labelling, (journey.shown[0], path), paths, budget)
                }),
                Some(Shown::Forever) => {
                    let formula = journey.shown[1];
                    let labels = labelling.label(pool, formula, paths, budget).map_err(Unexplained::Stopped);
                    Some(labels.and_then(|labels| explain_by_labels(model, pool, labelling, &labels, formula, budget)))
                }
                None => None,
            };
            match found {
                // The next turn has more time.
                Some(Err(Unexplained::Stopped(stop))) if stop.is_time() => return Err(stop),
                Some(found) => board.witness(number, found),
                None => board.explain(number, Explained::Missing(NO_WAY.to_owned())),
            }
            said.push(number);
        }
        // Where a way is wanted and there is none from here, there will be none.
        self.asked.retain(|(number, ..)| !said.contains(number));
        Ok(())
    }
}
