//! From a diagram to its net: what each element means.
//!
//! | file | elements |
//! |---|---|
//! | `places` | the places of flows, channels, pools, activities, end events |
//! | `draft`, `builder` | a transition while it is made; the net, and throwing signals to all who wait |
//! | `environment` | what a diagram does not say |
//! | `switches` | what tools do differently, and presets |
//! | `catching` | who catches errors, escalations and cancellation |
//! | `consumers` | what a node that catches waits for: messages, signals, anything |
//! | `activities` | tasks, sub-processes, event sub-processes, boundary events |
//! | `events` | start, end, throw and catch events, links |
//! | `gateways` | exclusive, parallel and event-based gateways |
//! | `inclusive` | inclusive gateways: which tokens may still come |
//!
//! The rules are those of docs/processes.md.

mod activities;
mod builder;
mod catching;
mod consumers;
mod draft;
mod environment;
mod events;
mod fbpmn;
mod gateways;
mod inclusive;
mod places;
mod switches;

pub use environment::Environment;
pub use switches::Like;

use super::diagram::{Diagram, Sort};
use super::problem::Problem;
use super::process_net::ProcessNet;
use builder::Mapping;

/// The net of a diagram.
pub(super) fn net(name: &str, diagram: &Diagram, environment: Environment) -> Result<ProcessNet, Problem> {
    if environment.like == Like::Fbpmn {
        return fbpmn::net(name, diagram, environment);
    }
    let mut mapping = Mapping::new(name, diagram, environment);
    for pool in 0..mapping.diagram.pools.len() {
        mapping.pool(pool);
    }
    for node in 0..mapping.diagram.nodes.len() {
        if mapping.diagram.nodes[node].left_out {
            continue;
        }
        match mapping.diagram.nodes[node].sort {
            Sort::Task | Sort::ReceiveTask => mapping.task(node),
            Sort::Sub if mapping.diagram.is_expanded(node) => mapping.sub_process(node),
            Sort::Sub => mapping.task(node),
            Sort::EventSub => mapping.event_sub_process(node),
            Sort::Exclusive => mapping.exclusive(node)?,
            Sort::Parallel => mapping.parallel(node),
            Sort::Inclusive => mapping.inclusive(node)?,
            Sort::EventBased => mapping.event_based(node)?,
            Sort::Boundary => mapping.boundary(node),
            Sort::Catch => mapping.catch(node),
            Sort::Throw => mapping.throw(node),
            Sort::End => mapping.end(node),
            // They are part of what they start.
            Sort::Start => {}
        }
    }
    mapping.throw_all()?;
    mapping.net.completion = mapping.switches.completion;
    mapping.net.restarts = mapping.restarts();
    mapping.net.delivery.order = environment.order;
    mapping.net.delivery.pools = diagram.pools.len() as u32;
    mapping.net.name_apart();
    Ok(mapping.net)
}
