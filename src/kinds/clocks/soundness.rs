//! Soundness of workflow nets, with time and without.
//!
//! A *workflow net* has one source place `i`, one sink place `o`, and every node on a path from `i` to `o`. From one
//! token in `i`, over all reachable states (van der Aalst et al., "Soundness of workflow nets: classification,
//! decidability, and analysis", Formal Aspects of Computing 2011):
//!
//! | notion | demands |
//! |---|---|
//! | option to complete | from every state `[o]` can be reached |
//! | proper completion | a state with a token in `o` has no other token |
//! | no dead transition | every transition can fire |
//! | classical | all three |
//! | weak | the first two |
//! | relaxed | every transition is part of a run from `[i]` to `[o]` |
//! | lazy | from every state `o` can be marked, and it never has two tokens |
//!
//! A file may say in which markings a case is done (`<finalmarkings>`). Then these are the ends, whatever place they
//! mark: to complete is to come to one of them, nothing is left over if no state has more than one of them, and for
//! lazy soundness an end is *marked* where all its tokens are there, and once if not those of two ends are. For the one
//! end `[o]` this is the table.
//!
//! With time a state is a marking *and* values of clocks, and a run must find its delays: a workflow net that is
//! sound without time may have a timelock, one that is unsound may be repaired by time. The computation is the same for
//! both, by zones forwards and backwards ([`super::backward`]); a net without clocks is the case of one valuation.
//! Each refuted demand comes with a run to a state that refutes it. Soundness under fairness is in [`super::fairness`].
//!
//! An unbounded net is not sound without time ([`unbounded`]). With time nothing follows from growing tokens, and the
//! exploration is limited.

use super::backward;
use super::markings::{ExploreError, Limits, MarkingId};
use super::model::{ClockNet, PlaceId, TransitionId};
use super::replay::Run;
use super::run::{concretise, run_into};
use super::scaled::Scaled;
use super::zone::Federation;
use super::zone_graph::{NodeId, ZoneGraph, ZoneOptions};
use crate::budget::Budget;
use crate::structure::{Coverability, Effort};

/// Where the cases of a workflow net start and end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Workflow {
    /// Where the case starts.
    pub source: PlaceId,
    /// The markings in which it ends: one token in the sink, unless the file has others.
    pub ends: Vec<Box<[u32]>>,
}

/// Why a net is no workflow net.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoWorkflow {
    /// Not one source place.
    #[error("a workflow net has one place without input, and this net has {0}; name the start by one")]
    Sources(usize),
    /// Not one sink place.
    #[error(
        "a workflow net has one place without output, and this net has {0}; join the ends in one, or give them as final markings"
    )]
    Sinks(usize),
    /// A node off every path from the source to the sink.
    #[error("`{0}` is not on a path from the source to the sink; connect it, or remove it")]
    OffPath(String),
    /// Another initial marking than one token in the source.
    #[error("the initial marking must be one token in `{0}` and nothing else")]
    Start(String),
}

impl Workflow {
    /// Finds the ends and checks the form.
    pub fn of(net: &ClockNet) -> Result<Workflow, NoWorkflow> {
        let places = net.places.len();
        let (mut has_input, mut has_output) = (vec![false; places], vec![false; places]);
        for t in &net.transitions {
            t.outputs.iter().for_each(|a| has_input[a.place.index()] = true);
            t.inputs.iter().for_each(|a| has_output[a.place.index()] = true);
        }
        let without = |has: &[bool]| -> Vec<PlaceId> {
            (0u32..).zip(has).filter(|&(_, h)| !h).map(|(p, _)| PlaceId(p)).collect()
        };
        let (sources, sinks) = (without(&has_input), without(&has_output));
        let &[source] = sources.as_slice() else { return Err(NoWorkflow::Sources(sources.len())) };
        // What has no token says nothing.
        let ends: Vec<_> = net.finals.iter().filter(|end| end.iter().any(|&tokens| tokens > 0)).cloned().collect();
        let workflow = match sinks.as_slice() {
            _ if !ends.is_empty() => Workflow { source, ends },
            &[sink] => Workflow::between(source, sink, places),
            _ => return Err(NoWorkflow::Sinks(sinks.len())),
        };
        // Where a case ends in the middle of the net, or in several places, nothing need lead to one of them.
        let sink = workflow.sink().filter(|sink| sinks == [*sink]);
        for (from, forward) in std::iter::once((source, true)).chain(sink.map(|sink| (sink, false))) {
            if let Some(off) = off_path(net, from, forward) {
                return Err(NoWorkflow::OffPath(off));
            }
        }
        let start_only = |(p, place): (usize, &super::model::Place)| place.initial == u32::from(p == source.index());
        if !net.places.iter().enumerate().all(start_only) {
            return Err(NoWorkflow::Start(net.places[source.index()].id.clone()));
        }
        Ok(workflow)
    }

    /// From one place to another of so many.
    pub fn between(source: PlaceId, sink: PlaceId, places: usize) -> Workflow {
        Workflow { source, ends: vec![(0..places).map(|p| u32::from(p == sink.index())).collect()] }
    }

    /// The place in which one token is the only end.
    pub fn sink(&self) -> Option<PlaceId> {
        let [end] = self.ends.as_slice() else { return None };
        let sink = end.iter().position(|&tokens| tokens > 0)?;
        (end.iter().map(|&tokens| u64::from(tokens)).sum::<u64>() == 1).then_some(PlaceId(sink as u32))
    }

    /// Is the case done, with nothing left over?
    pub fn is_final(&self, tokens: &[u32]) -> bool {
        self.ends.iter().any(|end| **end == *tokens)
    }

    /// Are all tokens of an end there?
    pub fn is_marked(&self, tokens: &[u32]) -> bool {
        self.ends.iter().any(|end| end.iter().zip(tokens).all(|(end, tokens)| tokens >= end))
    }

    /// Are all tokens of two ends there?
    pub fn is_marked_twice(&self, tokens: &[u32]) -> bool {
        let both = |a: &[u32], b: &[u32]| {
            let sums = a.iter().zip(b).map(|(&a, &b)| u64::from(a) + u64::from(b));
            sums.zip(tokens).all(|(sum, &tokens)| u64::from(tokens) >= sum)
        };
        self.ends.iter().any(|a| self.ends.iter().any(|b| both(a, b)))
    }
}

/// A node that is not reached from a place, along the arcs or against them.
fn off_path(net: &ClockNet, from: PlaceId, forward: bool) -> Option<String> {
    let mut places = vec![false; net.places.len()];
    let mut transitions = vec![false; net.transitions.len()];
    places[from.index()] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for (t, seen) in net.transitions.iter().zip(&mut transitions) {
            let (near, far) = if forward { (&t.inputs, &t.outputs) } else { (&t.outputs, &t.inputs) };
            if !*seen && near.iter().any(|a| places[a.place.index()]) {
                *seen = true;
                changed = true;
                far.iter().for_each(|a| places[a.place.index()] = true);
            }
        }
    }
    let place = places.iter().position(|&s| !s).map(|p| net.places[p].id.clone());
    place.or_else(|| transitions.iter().position(|&s| !s).map(|t| net.transitions[t].id.clone()))
}

/// The answer to one demand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Demand {
    /// It is met.
    Met,
    /// A run to a state that refutes it; without one if it is about something that never happens.
    Refuted(Option<Run>),
}

impl Demand {
    /// Is it met?
    pub fn is_met(&self) -> bool {
        *self == Demand::Met
    }
}

/// The answers about a workflow net.
#[derive(Clone, Debug)]
pub struct Soundness {
    /// From every state the end can be reached.
    pub option_to_complete: Demand,
    /// At the end nothing is left over.
    pub proper_completion: Demand,
    /// Transitions that never fire.
    pub dead: Vec<TransitionId>,
    /// Transitions that are in no run to the end.
    pub useless: Vec<TransitionId>,
    /// From every state the sink can be marked.
    pub option_to_mark: Demand,
    /// The sink never has two tokens.
    pub single: Demand,
    /// Where the end cannot be reached any more.
    pub stuck: Stuck,
}

/// States from which the end cannot be reached.
#[derive(Clone, Debug, Default)]
pub struct Stuck {
    /// The first markings of them: the tokens, the values of the clocks, and those among all that they can have there.
    pub regions: Vec<Region>,
    /// How many markings have such states.
    pub markings: usize,
}

/// Some states of one marking.
#[derive(Clone, Debug)]
pub struct Region {
    /// The marking, by its tokens.
    pub marking: Box<[u32]>,
    /// The values of the clocks; not empty.
    pub values: Federation,
    /// All values that the clocks can have there.
    pub reachable: Federation,
}

/// Markings of which the states without a way to the end are kept.
const KEPT: usize = 50;

impl Soundness {
    /// Classical soundness.
    pub fn classical(&self) -> bool {
        self.weak() && self.dead.is_empty()
    }

    /// Weak soundness.
    pub fn weak(&self) -> bool {
        self.option_to_complete.is_met() && self.proper_completion.is_met()
    }

    /// Relaxed soundness.
    pub fn relaxed(&self) -> bool {
        self.useless.is_empty()
    }

    /// Lazy soundness.
    pub fn lazy(&self) -> bool {
        self.option_to_mark.is_met() && self.single.is_met()
    }
}

/// Are there infinitely many markings without time, for all that is known? A net without clocks is then neither
/// classically nor weakly sound: a marking that has grown can do what the smaller one does, and has something left over
/// at the end.
pub fn unbounded(net: &ClockNet, budget: &Budget) -> bool {
    let Some(net) = net.to_net() else { return false };
    let effort = Effort { rows: 20_000, ..Effort::default() };
    let cover = Coverability::new(&net, effort, budget).ok().flatten();
    cover.is_some_and(|cover| cover.unbounded())
}

/// Answers the demands.
pub fn soundness(scaled: &Scaled<'_>, workflow: &Workflow, limits: &Limits) -> Result<Soundness, ExploreError> {
    soundness_by(scaled, workflow, ZoneOptions { limits: limits.clone(), ..ZoneOptions::antichain() })
}

/// The same by zones that are exact for where runs can go on to. Regions of states are told by them, with what they do not
/// tell apart.
pub fn soundness_by(scaled: &Scaled<'_>, workflow: &Workflow, options: ZoneOptions) -> Result<Soundness, ExploreError> {
    let mut graph = ZoneGraph::explore(scaled, options)?;
    let to_end = backward::can_reach(&mut graph, &|m| workflow.is_final(m))?;
    let to_mark = backward::can_reach(&mut graph, &|m| workflow.is_marked(m))?;
    let marking_that = |graph: &ZoneGraph<'_, '_>, bad: &dyn Fn(&[u32]) -> bool| {
        graph.reached().find(|&m| bad(&graph.markings.tokens(m)))
    };
    let refuted_by = |graph: &ZoneGraph<'_, '_>, m: Option<MarkingId>| match m {
        None => Demand::Met,
        Some(m) => Demand::Refuted(graph.nodes_of(m).find_map(|(n, _)| concretise(graph, n, None))),
    };
    let left_over = marking_that(&graph, &|m| workflow.is_marked(m) && !workflow.is_final(m));
    let twice = marking_that(&graph, &|m| workflow.is_marked_twice(m));
    let mut useful = vec![false; scaled.net.transitions.len()];
    for node in 0..graph.nodes.len() as NodeId {
        mark_useful(&mut graph, node, &to_end, &mut useful)?;
    }
    Ok(Soundness {
        stuck: stuck(&graph, &to_end),
        option_to_complete: option(&graph, &to_end),
        proper_completion: refuted_by(&graph, left_over),
        dead: never(&graph.fired),
        useless: never(&useful),
        option_to_mark: option(&graph, &to_mark),
        single: refuted_by(&graph, twice),
    })
}

fn never(marks: &[bool]) -> Vec<TransitionId> {
    (0u32..).zip(marks).filter(|&(_, m)| !m).map(|(t, _)| TransitionId(t)).collect()
}

/// Marks the transitions that lead from a node to a state from which the end can be reached.
fn mark_useful(
    graph: &mut ZoneGraph<'_, '_>,
    node: NodeId,
    to_end: &[Federation],
    useful: &mut [bool],
) -> Result<(), ExploreError> {
    let marking = graph.nodes[node as usize].marking;
    let successors = graph.markings.successors(marking)?;
    let scaled = graph.scaled();
    let Some(zone) = &graph.nodes[node as usize].zone else { return Ok(()) };
    for &(t, target) in successors.iter() {
        if useful[t.index()] {
            continue;
        }
        let Some(values) = to_end.get(target as usize).filter(|f| !f.is_empty()) else { continue };
        let before = values.and_boxes(graph.markings.invariant(target)).before_reset(scaled.resets(t));
        useful[t.index()] = !before.and_boxes(scaled.condition(t)).and(&Federation::from(zone.clone())).is_empty();
    }
    Ok(())
}

/// The reachable states that cannot go on to the goal.
fn stuck(graph: &ZoneGraph<'_, '_>, goal: &[Federation]) -> Stuck {
    let mut stuck = Stuck::default();
    for (m, values) in (0u32..).zip(goal).filter(|&(m, _)| graph.is_reached(m)) {
        let mut reachable = Federation::new();
        for (_, zone) in graph.nodes_of(m) {
            reachable.add(zone.clone());
        }
        let values = Federation::of_boxes(graph.markings.invariant(m)).without(values).and(&reachable);
        if !values.is_empty() {
            stuck.markings += 1;
            if stuck.regions.len() < KEPT {
                stuck.regions.push(Region { marking: graph.markings.tokens(m), values, reachable });
            }
        }
    }
    stuck
}

/// Can every reachable state go on to the goal? If not, a run to one that cannot.
fn option(graph: &ZoneGraph<'_, '_>, goal: &[Federation]) -> Demand {
    let mut refuted = false;
    for (m, values) in (0u32..).zip(goal).filter(|&(m, _)| graph.is_reached(m)) {
        let stuck = Federation::of_boxes(graph.markings.invariant(m)).without(values);
        if graph.nodes_of(m).any(|(_, zone)| stuck.zones().iter().any(|part| zone.and(part).is_some())) {
            refuted = true;
            if let Some(run) = run_into(graph, m, &stuck) {
                return Demand::Refuted(Some(run));
            }
        }
    }
    if refuted { Demand::Refuted(None) } else { Demand::Met }
}
