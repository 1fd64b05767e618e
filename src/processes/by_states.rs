//! The notions on a graph of markings. Of a graph that is not complete, what its part shows for certain.

use super::fairness::{incomplete, refuted};
use super::graph::Graph;
use super::notions::{Answers, Counts, Known, Roles, Stopped};
use crate::kinds::bpmn::process_net::{Completion, ProcessNet};
use fixedbitset::FixedBitSet;

/// Edges of a graph of which fair runs are looked at.
const FAIR: usize = 1 << 16;

/// The answers.
pub(super) fn answers(net: &ProcessNet, graph: &Graph) -> Answers {
    let roles = Roles::of(net);
    let complete = graph.is_complete;
    let any =
        |state: usize, places: &[usize], above: u32| places.iter().any(|&place| graph.tokens(state)[place] > above);
    let first = |fits: &dyn Fn(usize) -> bool| (0..graph.len()).find(|&state| fits(state));
    let restarts = |state: usize| {
        let has = |place: usize| graph.tokens(state)[place] > 0;
        net.restarts
            .iter()
            .find(|&&(message, ready)| has(message) && !ready.is_some_and(has))
            .map(|&(message, _)| message)
    };
    if let Some(message) = (0..graph.len()).find_map(restarts) {
        return Answers { stopped: Some(Stopped::Instances(message)), ..Answers::default() };
    }
    let loose = net.completion == Completion::NotStuck;
    // Where nothing fires.
    let ends = |state: usize| state < graph.expanded() && graph.edges(state).is_empty();
    let fair = net.completion == Completion::Fair;
    let is_done = |state: usize| !(any(state, &roles.inside, 0) || fair && any(state, &roles.ends, 1));
    let is_final = |state: usize| ends(state) && is_done(state);
    let is_deadlock = |state: usize| ends(state) && !is_done(state);
    let demand = |refuted: Option<usize>| match refuted {
        Some(state) => Known::Refuted(Some(graph.run_to(state))),
        None if complete => Known::Met,
        None => Known::Unknown,
    };
    let whole = fair.then(|| {
        let done = refuted(net, graph, is_done);
        let clean = refuted(net, graph, |state| is_done(state) && !any(state, &roles.messages, 0));
        [demand(clean), demand(done)]
    });
    let mut finals = FixedBitSet::with_capacity(graph.len());
    finals.extend((0..graph.len()).filter(|&state| is_final(state)));
    let reaching = graph.reaching(&finals);
    let deadlock = first(&is_deadlock);
    let mut answers = Answers {
        safe: demand(first(&|state| any(state, &roles.flows, 1))),
        no_deadlock: demand(deadlock),
        proper_completion: demand(first(&|state| {
            any(state, &roles.ends, 1) && !(loose && any(state, &roles.inside, 0))
        })),
        clean: demand(first(&|state| finals.contains(state) && any(state, &roles.messages, 0))),
        option_to_complete: match complete {
            true if !loose => demand(first(&|state| !reaching.contains(state))),
            _ => demand(deadlock),
        },
        easy: certain(!finals.is_clear(), complete),
        whole,
        ..Answers::default()
    };
    // Activities that begin, and those that begin on the way to a final marking.
    let mut begun = FixedBitSet::with_capacity(net.transitions.len());
    let mut useful = begun.clone();
    for state in 0..graph.expanded() {
        for &(transition, target) in graph.edges(state) {
            begun.insert(transition as usize);
            if reaching.contains(target as usize) {
                useful.insert(transition as usize);
            }
        }
    }
    let without = |fired: &FixedBitSet| -> Vec<usize> {
        let begins = |node: usize| fired.ones().any(|transition| net.transitions[transition].begins.contains(&node));
        net.activities.iter().map(|activity| activity.node).filter(|&node| !begins(node)).collect()
    };
    let (dead, useless) = (without(&begun), without(&useful));
    answers.no_dead_activity = certain(dead.is_empty(), complete);
    answers.relaxed = match answers.easy {
        Known::Met => certain(useless.is_empty(), complete),
        _ => answers.easy.clone(),
    };
    if complete {
        (answers.dead, answers.useless) = (dead, useless);
        let count = |fits: &dyn Fn(usize) -> bool| (0..graph.len()).filter(|&state| fits(state)).count().into();
        answers.counts = Some(Counts {
            states: graph.len().into(),
            steps: Some(graph.edge_count().into()),
            deadlocks: count(&is_deadlock),
            hopeless: count(&|state| !reaching.contains(state)),
            completed: count(&|state| finals.contains(state)),
        });
        if fair {
            answers.fair = Known::of(refuted(net, graph, |state| !any(state, &roles.inside, 0)).is_none());
        } else if graph.edge_count() <= FAIR {
            answers.fair = Known::of(!incomplete(net, graph, &finals));
        }
    } else {
        answers.stopped = Some(graph.unbounded.map_or(Stopped::Limits, Stopped::Unbounded));
        if let Some(Stopped::Unbounded(place)) = answers.stopped
            && roles.flows.contains(&place)
            && answers.safe == Known::Unknown
            && net.restarts.is_empty()
        {
            answers.safe = Known::Refuted(None);
        }
    }
    answers
}

/// Something that has been seen is certain; that it is not there only if everything has been looked at.
fn certain(seen: bool, complete: bool) -> Known {
    match (seen, complete) {
        (true, _) => Known::Met,
        (false, true) => Known::Refuted(None),
        (false, false) => Known::Unknown,
    }
}
