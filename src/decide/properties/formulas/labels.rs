//! Formulas of CTL\* by labels of all states.
//!
//! The reachability graph is explored in slices and goes on where it was; once it is there, each formula takes time
//! that is linear in it. All of this can be done by some threads while another one searches for runs.

use crate::budget::Budget;
use crate::decide::context::Context;
use crate::explicit::{self, Explicit, Growing, Labelling};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::stop_reason::StopReason;
use crate::witness::explain_by_labels;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of states that are visited one by one in a few seconds, and kept with their edges.
const FEW: u64 = 4_000_000;
/// The part of what is left of the budget that labelling a graph of few states may take, or one that is nearly
/// explored.
const LABELLING: u32 = 2;
/// A search is past its widest level when the next one has less than so many parts of that.
const PAST: (u64, u64) = (3, 4);
/// The part of the memory that a graph may keep while other ways have their turns.
const KEPT: u64 = 4;

/// The reachability graph.
pub(super) enum Graph<'a> {
    /// Nothing is known of it.
    Unknown,
    /// It is being explored, for so long.
    Growing(Box<dyn Growing<'a> + 'a>, Duration),
    /// It is known.
    Whole(Labelling<'a>),
}

impl Graph<'_> {
    /// Has a search, breadth first, passed where it is widest? Then about as much is left as has been done.
    fn is_ending(&self) -> bool {
        match self {
            Graph::Growing(graph, _) => graph.growth().waiting * PAST.1 < graph.growth().widest * PAST.0,
            _ => false,
        }
    }

    /// Memory of an unfinished graph, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Graph::Growing(graph, _) => graph.growth().bytes,
            _ => 0,
        }
    }
}

/// A question for labels.
pub(super) struct Due {
    /// Its place among the queries, and its number on the board.
    pub(super) place: usize,
    pub(super) number: usize,
    pub(super) formula: FormulaId,
    pub(super) paths: PathSemantics,
    pub(super) witness: bool,
    /// Is it looked for in another way, too?
    pub(super) others: bool,
}

/// Labels the states of a graph.
pub(super) struct Labeller<'c, 'a> {
    pub(super) context: &'c Context<'a>,
    pub(super) graph: Graph<'a>,
    pub(super) pool: Pool,
    pub(super) due: Vec<Due>,
    /// The net in which markings that are alike are one, if it is to be explored so.
    pub(super) symmetric: Option<Arc<dyn Explicit<'a> + 'a>>,
    pub(super) threads: usize,
    /// The places of what has been decided, or never will be.
    pub(super) decided: Vec<usize>,
}

impl<'a> Labeller<'_, 'a> {
    /// The graph, and the places of what need not be labelled any more.
    pub(super) fn end(self) -> (Graph<'a>, Vec<usize>) {
        (self.graph, self.decided)
    }

    /// Explore what is left of the graph, label it and explain the labels.
    pub(super) fn run(&mut self, budget: &Budget) -> Result<(), StopReason> {
        let context = self.context;
        let few = context.board.states().is_some_and(|states| states <= FEW);
        let longer = context.budget.part(1, LABELLING).with_memory_of(budget);
        let budget = if few { &longer } else { budget };
        let fairness = context.settings.techniques.fairness;
        let mut labelling = self.explore(budget, &longer)?.with_fairness(fairness);
        // Each label takes time linear in a graph that is known.
        let budget = &context.budget.part(1, LABELLING).with_memory_of(budget);
        let mut ended = Ok(());
        for due in &self.due {
            let labels = match labelling.label(&self.pool, due.formula, due.paths, budget) {
                Ok(labels) => labels,
                Err(stop @ StopReason::Exhausted(_)) => {
                    ended = Err(stop);
                    break;
                }
                Err(stop) => {
                    if !due.others {
                        context.board.fail(due.number, stop);
                    }
                    self.decided.push(due.place);
                    continue;
                }
            };
            self.decided.push(due.place);
            let Some(holds) = labels.of(due.formula).map(|labels| labels.holds_initially()) else { continue };
            context.board.found_in_all(due.number, holds, labelling.stats());
            if due.witness && context.board.wants_witness(due.number) {
                let model = context.subject.model;
                let found = explain_by_labels(model, context.subject.pool, &labelling, &labels, due.formula, budget);
                context.board.witness(due.number, found);
            }
        }
        self.graph = Graph::Whole(labelling);
        ended
    }

    /// The reachability graph. If the search for it does not end within the budget it goes on the next time; when it is
    /// about to end, it may take as long again, but no longer than this.
    fn explore(&mut self, budget: &Budget, longer: &Budget) -> Result<Labelling<'a>, StopReason> {
        let ending = self.graph.is_ending();
        let (mut graph, spent) = match std::mem::replace(&mut self.graph, Graph::Unknown) {
            Graph::Whole(labelling) => return Ok(labelling),
            Graph::Growing(graph, spent) => (graph, spent),
            Graph::Unknown => {
                let compiled = self.symmetric.as_deref().map_or_else(|| self.context.compiled(), Ok)?;
                let options = explicit::Options { threads: self.threads, ..self.context.options(false) };
                (compiled.graph(&options, budget)?, Duration::ZERO)
            }
        };
        let budget = if ending { budget.clone().or_at_least(spent, longer) } else { budget.clone() };
        let started = Instant::now();
        match graph.go_on(&budget) {
            Ok(()) => graph.finish(longer),
            Err(stop) => {
                let small = budget.memory().is_none_or(|limit| graph.growth().bytes * KEPT < limit);
                if stop.is_time() && (ending || small) {
                    self.graph = Graph::Growing(graph, spent + started.elapsed());
                }
                Err(stop)
            }
        }
    }
}
