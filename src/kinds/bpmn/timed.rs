//! A process with the durations of its timers, as a net with clocks.
//!
//! **Meaning** (docs/processes.md). A timer with a duration goes off exactly so long after the place is marked where it
//! waits: a flow, an activity that runs, an event that can still come. *Automatic* steps let no time pass where they are
//! enabled: gateways, events that start, throw or end, begins and ends of sub-processes, begins of activities, and
//! taking a message that is there. Activities take any time, and what comes from outside comes at any time.
//!
//! **Idea.** Such urgency is about a marking as a whole (a join is urgent as soon as all its flows are marked), while a net
//! with clocks has conditions at places. So each marking that is reachable without time becomes a place, and each step
//! between two markings a transition: an automaton with clocks, of one token. A place has `x ≤ d` for each timer that
//! waits there and `u ≤ 0` where something automatic is enabled; each step resets `u`, and the clock of each timer whose
//! place it marks, or leaves without a token. With time there are no other markings, as time only forbids steps.
//!
//! **Refused.** Where a timer waits there must be one token at most. Processes with more markings than are listed; years
//! and months, which differ in length; timers that start an event sub-process.

use super::diagram::{Container, NodeId, Sort, Trigger};
use super::duration::{NoLength, seconds};
use super::models::ReadProcess;
use super::problem::Problem;
use super::process_net::{Deed, Meaning, PlaceId, ProcessNet, Transition};
use crate::budget::{Budget, Exhausted};
use crate::kinds::clocks::model::{self, ClockNet, NetBuilder};
use crate::kinds::clocks::predicate::{ClockId, Predicate, Relation};
use crate::kinds::clocks::rational::{Rational, integer};
use indexmap::{IndexMap, IndexSet};
use num_integer::Integer as _;
use num_traits::Zero as _;
use rustc_hash::FxBuildHasher;

/// As many markings are listed.
const MOST: usize = 1 << 16;

/// A process with time.
#[derive(Clone, Debug)]
pub struct TimedProcess {
    /// The automaton: a place for each marking.
    pub net: ClockNet,
    /// The seconds of its unit of time: the greatest common divisor of all durations.
    pub unit: Rational,
    /// By place, the tokens of the process.
    pub markings: Vec<Box<[u32]>>,
    /// By transition, that of the process.
    pub steps: Vec<usize>,
    /// The places at which the process is over.
    pub finals: Vec<usize>,
    /// All durations together, in units and up.
    pub longest: u32,
    /// Timers without a duration, which may go off at any time.
    pub free: Vec<NodeId>,
}

/// Why a process has no time.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTime {
    /// Something in the diagram.
    #[error("{0}")]
    Diagram(Problem),
    /// Too many markings, or infinitely many.
    #[error("there are more than {0} markings without time, perhaps without end; ask without --timers")]
    Markings(usize),
    /// The limits were not enough.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// When a transition fires.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Moment {
    /// At once.
    Automatic,
    /// At any time.
    Free,
    /// So long after a place is marked.
    Timer { place: PlaceId, node: NodeId },
}

/// The markings of a process, with its steps between them: transition and target.
struct Graph {
    markings: IndexSet<Box<[u32]>, FxBuildHasher>,
    edges: Vec<Vec<(usize, usize)>>,
}

/// The process with its time.
///
/// # Errors
/// [`NoTime`].
pub fn timed(process: &ReadProcess, budget: &Budget) -> Result<TimedProcess, NoTime> {
    let net = &process.net;
    let (lengths, free) = lengths(process)?;
    let graph = explore(net, budget)?;
    let moments: Vec<Moment> = net.transitions.iter().map(|step| moment(process, &lengths, step)).collect();
    // A clock for each timer at each of its places.
    let mut timers: IndexMap<(PlaceId, NodeId), Rational, FxBuildHasher> = IndexMap::default();
    for moment in &moments {
        if let Moment::Timer { place, node } = *moment
            && let Some(length) = &lengths[node]
        {
            timers.insert((place, node), length.clone());
        }
    }
    for &(place, node) in timers.keys() {
        let known = &process.diagram.nodes[node];
        // An event that comes several times takes a token each time, of as many as an activation of its host has.
        let busy = known.host.map(Meaning::Busy);
        let waiting: Vec<PlaceId> = match net.places[place].meaning {
            Meaning::Once(_) => (0..net.places.len()).filter(|&p| Some(net.places[p].meaning) == busy).collect(),
            _ => vec![place],
        };
        let times = |tokens: &[u32]| waiting.iter().map(|&place| tokens[place]).sum::<u32>();
        if graph.markings.iter().any(|tokens| times(tokens) > 1) {
            let message =
                format!("timer `{}` may wait twice at a time, and has one clock; ask without --timers", known.id);
            return Err(NoTime::Diagram(Problem::new(known.line, message)));
        }
    }
    let lasting = timers.values().filter(|length| !length.is_zero()).cloned();
    let unit = lasting.reduce(|a, b| common_divisor(&a, &b)).unwrap_or_else(|| integer(1));
    timers.values_mut().for_each(|length| *length /= &unit);
    let mut builder = NetBuilder::new(&net.name);
    // Names are new, weights are 1: nothing is refused.
    let refused = |error: model::BuildError| NoTime::Diagram(Problem::new(1, error.to_string()));
    let urgent = builder.clock("u").map_err(refused)?;
    let mut clocks = Vec::new();
    for number in 0..timers.len() {
        clocks.push(builder.clock(&format!("x{number}")).map_err(refused)?);
    }
    let at_most = |clock: ClockId, length: &Rational| Predicate::atom(clock, Relation::AtMost, length.clone());
    let mut places = Vec::with_capacity(graph.markings.len());
    for (number, tokens) in graph.markings.iter().enumerate() {
        let mut invariant = Predicate::True;
        for (((place, _), length), &clock) in timers.iter().zip(&clocks) {
            if tokens[*place] > 0 {
                invariant = invariant.and(at_most(clock, length));
            }
        }
        if graph.edges[number].iter().any(|&(step, _)| moments[step] == Moment::Automatic) {
            invariant = invariant.and(at_most(urgent, &integer(0)));
        }
        places.push(builder.place(&format!("m{number}"), u32::from(number == 0), invariant).map_err(refused)?);
    }
    let mut steps = Vec::new();
    for (source, edges) in graph.edges.iter().enumerate() {
        for &(step, target) in edges {
            let condition = match moments[step] {
                Moment::Timer { place, node } => {
                    let timer = timers.get_full(&(place, node)).map(|(number, _, length)| (clocks[number], length));
                    timer.map_or(Predicate::True, |(clock, length)| {
                        Predicate::atom(clock, Relation::Equal, length.clone())
                    })
                }
                _ => Predicate::True,
            };
            let mut resets = vec![urgent];
            for (&(place, node), &clock) in timers.keys().zip(&clocks) {
                let goes_off = moments[step] == Moment::Timer { place, node };
                let is_new = graph.markings[source][place] == 0 || takes(&net.transitions[step], place);
                // The clock of a timer that does not wait is as `u`, so that zones do not differ in what it measured.
                if goes_off || is_new || graph.markings[target][place] == 0 {
                    resets.push(clock);
                }
            }
            let id = format!("{}@{source}", net.transitions[step].id);
            let added = builder.transition(&id, condition, &resets).map_err(refused)?;
            builder.input(added, places[source], 1).map_err(refused)?;
            builder.output(added, places[target], 1).map_err(refused)?;
            steps.push(step);
        }
    }
    let is_inside = |tokens: &[u32]| (0..tokens.len()).any(|p| tokens[p] > 0 && net.places[p].meaning.is_inside());
    let is_final = |&number: &usize| graph.edges[number].is_empty() && !is_inside(&graph.markings[number]);
    let finals = (0..graph.markings.len()).filter(is_final).collect();
    let longest = timers.values().fold(integer(1), |sum, length| sum + length).ceil().to_integer();
    let longest = u32::try_from(longest).unwrap_or(u32::MAX);
    let markings = graph.markings.into_iter().collect();
    Ok(TimedProcess { net: builder.build(), unit, markings, steps, finals, longest, free })
}

/// The greatest number that both are multiples of.
fn common_divisor(a: &Rational, b: &Rational) -> Rational {
    Rational::new((a.numer() * b.denom()).gcd(&(b.numer() * a.denom())), a.denom() * b.denom())
}

/// The markings that are reachable without time.
fn explore(net: &ProcessNet, budget: &Budget) -> Result<Graph, NoTime> {
    let mut markings: IndexSet<Box<[u32]>, FxBuildHasher> = IndexSet::from_iter([net.initial().into()]);
    let mut edges = Vec::new();
    while let Some(tokens) = markings.get_index(edges.len()).cloned() {
        budget.check()?;
        let mut list = Vec::new();
        for (number, step) in net.transitions.iter().enumerate() {
            if !step.is_enabled(&net.places, &tokens) {
                continue;
            }
            let mut next = tokens.clone();
            step.fire(&net.places, &mut next).ok_or(NoTime::Markings(MOST))?;
            list.push((number, markings.insert_full(next).0));
        }
        edges.push(list);
        if markings.len() > MOST {
            return Err(NoTime::Markings(MOST));
        }
    }
    Ok(Graph { markings, edges })
}

/// Of each node that is a timer with a duration, its length in seconds; and the timers without one.
fn lengths(process: &ReadProcess) -> Result<(Vec<Option<Rational>>, Vec<NodeId>), NoTime> {
    let (mut lengths, mut free) = (vec![None; process.diagram.nodes.len()], Vec::new());
    for (number, node) in process.diagram.nodes.iter().enumerate() {
        let is_timer = |trigger: &Trigger| matches!(trigger, Trigger::Timer(_));
        if !node.triggers.iter().any(is_timer) || node.left_out {
            continue;
        }
        let refuse = |what: &str| Err(NoTime::Diagram(Problem::new(node.line, format!("timer `{}` {what}", node.id))));
        let length = node.duration.as_deref().map_or(Err(NoLength::NoDuration), seconds);
        match (length, node.sort) {
            (Err(NoLength::Calendar), _) => {
                return refuse("has years or months, which differ in length; write days or weeks");
            }
            (Ok(_), Sort::Start) if starts_event_sub(process, node.container) => {
                return refuse("starts an event sub-process; ask without --timers");
            }
            // What starts a pool starts it.
            (Ok(length), Sort::Catch | Sort::Boundary) if node.triggers.len() == 1 => lengths[number] = Some(length),
            _ => free.push(number),
        }
    }
    Ok((lengths, free))
}

fn starts_event_sub(process: &ReadProcess, container: Container) -> bool {
    let Container::Sub(around) = container else { return false };
    process.diagram.nodes[around].sort == Sort::EventSub
}

/// Does a transition take the tokens of a place, as input or by emptying it?
fn takes(step: &Transition, place: PlaceId) -> bool {
    step.inputs.iter().any(|&(input, _)| input == place) || step.resets.contains(&place)
}

/// When a transition fires.
fn moment(process: &ReadProcess, lengths: &[Option<Rational>], step: &Transition) -> Moment {
    let net = &process.net;
    let meaning = |place: PlaceId| net.places[place].meaning;
    // A pool without start event starts, and ends, by itself.
    let Some(node) = step.node else { return Moment::Automatic };
    let known = &process.diagram.nodes[node];
    let takes_message = step.inputs.iter().any(|&(place, _)| meaning(place) == Meaning::Message);
    let when = |automatic: bool| if automatic { Moment::Automatic } else { Moment::Free };
    match (known.sort, step.deed) {
        (Sort::Exclusive | Sort::Parallel | Sort::Inclusive | Sort::EventBased, _) => Moment::Automatic,
        (Sort::Throw | Sort::End, _) => Moment::Automatic,
        (Sort::Start, _) => when(takes_message || !waits_outside(process, node)),
        (Sort::EventSub, _) => Moment::Automatic,
        (Sort::Sub, _) if process.diagram.is_expanded(node) => Moment::Automatic,
        (Sort::Task | Sort::ReceiveTask | Sort::Sub, Deed::Begin) => {
            // Of two steps, the first one.
            let runs = step.outputs.iter().any(|&(place, _)| meaning(place) == Meaning::Busy(node));
            when(runs || takes_message)
        }
        (Sort::Task | Sort::ReceiveTask | Sort::Sub, _) => when(takes_message),
        (Sort::Catch | Sort::Boundary, _) => {
            let places = || step.inputs.iter().map(|&(place, _)| place).chain(step.reads.iter().copied());
            let counted = places().find(|&place| meaning(place) == Meaning::Once(node));
            let waits = match known.sort {
                Sort::Catch => places().find(|&place| meaning(place) != Meaning::Message),
                _ => counted.or_else(|| places().find(|&place| Some(meaning(place)) == known.host.map(Meaning::Busy))),
            };
            match (takes_message, waits, &lengths[node]) {
                (true, ..) => Moment::Automatic,
                (false, Some(place), Some(_)) => Moment::Timer { place, node },
                (false, ..) => Moment::Free,
            }
        }
    }
}

/// Does a start event wait for a message, or for what starts an event sub-process or an embedded one? One that starts a
/// pool by a timer or a condition starts it.
fn waits_outside(process: &ReadProcess, node: NodeId) -> bool {
    let known = &process.diagram.nodes[node];
    let is_inside = matches!(known.container, Container::Sub(_));
    !known.triggers.is_empty() && (is_inside || known.triggers.contains(&Trigger::Message))
}
