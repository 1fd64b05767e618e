//! Soundness of processes, as people ask for it of diagrams of BPMN.
//!
//! | file | concern |
//! |---|---|
//! | `notions` | the notions, and what is known of each |
//! | `graph`, `growth` | markings one by one, and tokens that grow without end |
//! | `by_states`, `fairness` | the notions on such a graph, complete or not |
//! | `timing` | the notions with the durations of timers |
//! | `by_sets` | the notions on sets of markings |
//!
//! Most diagrams have few markings: they are looked at one by one, breadth first, so that runs are shortest. What is
//! larger is a set in a diagram ([`crate::symbolic`]). Where tokens grow without end there is no such set; then that is
//! said, with what the explored part shows.

mod by_sets;
mod by_states;
mod fairness;
mod graph;
mod growth;
mod notions;
mod timing;

pub(crate) use by_sets::reachable;
pub use notions::{Answers, Counts, Known, Run, Stopped};
pub use timing::{NoAnswers, TimedAnswers, TimedRun, When, in_time};

use crate::budget::{Budget, Exhausted};
use crate::kinds::bpmn::Order;
use crate::kinds::bpmn::process_net::{Completion, ProcessNet};
use graph::Graph;

/// Edges that are looked at before sets are tried, and where it is clear that there are far more.
const FIRST: usize = 1 << 15;
const HOPELESS: usize = 1 << 12;

/// Then, in turns: calls for sets, and edges where they were not enough.
const TURNS: [(u64, usize); 3] = [(1 << 18, 1 << 18), (1 << 21, 1 << 20), (1 << 24, 1 << 22)];

/// The same by sets of markings alone; `None` where the limits are not enough.
/// What fair runs do may be left open.
pub fn by_sets(net: &ProcessNet, budget: &Budget) -> Option<Answers> {
    by_sets::answers(net, budget)
}

/// Asks for all notions.
///
/// # Errors
/// When the budget is used up before anything is known. What is not decided within it otherwise is unknown.
pub fn soundness(net: &ProcessNet, budget: &Budget) -> Result<Answers, Exhausted> {
    let mut graph = Graph::explore(net, FIRST, HOPELESS, budget)?;
    // A walk may pass what is no part of the net.
    let ordered = net.delivery.order != Order::Bag;
    if !graph.is_complete && graph.unbounded.is_none() && net.restarts.is_empty() && !ordered {
        graph.unbounded = growth::walk(net);
    }
    for (calls, edges) in TURNS {
        if graph.is_complete || graph.unbounded.is_some() {
            break;
        }
        // Sets know no order of messages, and no fairness to nodes and ways out of gateways.
        if !ordered
            && net.completion != Completion::Fair
            && let Some(answers) = by_sets::answers(net, &budget.clone().with_work(calls))
        {
            return Ok(answers);
        }
        match Graph::explore(net, edges, edges, budget) {
            Ok(more) => graph = more,
            Err(_) => break,
        }
    }
    Ok(by_states::answers(net, &graph))
}
