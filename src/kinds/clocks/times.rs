//! Fastest and slowest: how long from the start, or from one transition, to another.
//!
//! A clock that is never reset measures the time since the start; the interval of its values at a firing is the answer,
//! with both ends and whether they are attained. For the time *between* two transitions the clock is reset by the
//! first, and a place remembers that it has fired: two copies of the transition share its part, one for the first
//! time and one for later. The time is measured from the last firing of the first transition.
//!
//! The clock is compared with nothing, so it takes part in the extrapolation with a constant of its own, the *horizon*;
//! values up to it are exact. Beyond it zones are larger than what is reached, and an end counts only if a run has it.
//! The other clocks may be extrapolated by ExtraLU+: what it adds agrees in the measuring clock with what is there.
//!
//! Each end comes with a run of the net that takes so long: the path to a node whose zone has that end, and delays for
//! it ([`super::run`]). Where an end is not attained the run comes within a tenth of a unit of integer time of it, and
//! others come as near as one likes. Runs are replayed by the semantics, and the time is taken from the run once more.

use super::markings::{ExploreError, Limits};
use super::model::{Arc, ClockNet, Place, PlaceId, TransitionId};
use super::predicate::{ClockId, Predicate};
use super::rational::{Rational, fraction, integer};
use super::replay::{NoRun, Run, replay};
use super::run::{Near, concretise_near};
use super::scaled::{ScaleError, Scaled};
use super::zone::{Bound, Federation, Interval, Zone};
use super::zone_graph::{NodeId, ZoneGraph, ZoneOptions};
use num_traits::Zero;

/// Times that cannot be computed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimesError {
    /// The exploration did not end.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// A constraint cannot be represented.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// A horizon beyond the range of constants.
    #[error("the horizon {0} is too far for the unit of the net; choose a smaller one")]
    Horizon(u32),
    /// A run that was found is none by the semantics: an error of the program.
    #[error(transparent)]
    Run(#[from] NoRun),
    /// A run that was found takes another time: an error of the program.
    #[error("it takes {0} where {1} was computed")]
    Elapsed(String, String),
}

/// Times in units of `1/scale` of the net; no upper end means beyond the horizon, or no end at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Times {
    /// Integer units per unit of the net.
    pub scale: i32,
    /// For each transition, if it fires.
    pub firing: Vec<Option<Measured>>,
    /// For the steps into a marking where no transition has its tokens: the process as a whole.
    pub completion: Option<Measured>,
}

/// From the fastest to the slowest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The ends; an upper one beyond the horizon is there only if a run takes so long.
    pub interval: Interval,
    /// Is even the least time beyond the horizon, and unknown? Then the lower end is the horizon.
    pub beyond: bool,
    /// A run that takes the least time, or nearly so if that is not attained.
    pub fastest: Option<Run>,
    /// The same for the most time, if there is an end.
    pub slowest: Option<Run>,
}

/// Since the start, for every transition, up to a horizon in units of the net.
pub fn since_start(net: &ClockNet, horizon: u32, limits: &Limits) -> Result<Times, TimesError> {
    let (watched, clock) = with_clock(net);
    measure(&watched, clock, Of { net, from: None, runs: true }, None, horizon, limits)
}

/// The same without runs, by unions of zones.
pub fn intervals_since_start(net: &ClockNet, horizon: u32, limits: &Limits) -> Result<Times, TimesError> {
    let (watched, clock) = with_clock(net);
    let of = Of { net, from: None, runs: false };
    measure(&watched, clock, of, None, horizon, limits)
}

/// Since the last firing of a transition, for every transition.
pub fn since(net: &ClockNet, from: TransitionId, horizon: u32, limits: &Limits) -> Result<Times, TimesError> {
    let (mut watched, clock) = with_clock(net);
    let place = |id: &str, initial| Place { id: id.to_owned(), initial, invariant: Predicate::True };
    let fresh = PlaceId(watched.places.len() as u32);
    let seen = PlaceId(fresh.0 + 1);
    watched.places.extend([place("'not yet'", 1), place("'seen'", 0)]);
    let one = |place| Arc { place, weight: 1 };
    let mut again = watched.transitions[from.index()].clone();
    again.resets.push(clock);
    let mut first = again.clone();
    first.inputs.push(one(fresh));
    first.outputs.push(one(seen));
    again.inputs.push(one(seen));
    again.outputs.push(one(seen));
    watched.transitions[from.index()] = again;
    watched.transitions.push(first);
    measure(&watched, clock, Of { net, from: Some(from), runs: true }, Some(seen), horizon, limits)
}

fn with_clock(net: &ClockNet) -> (ClockNet, ClockId) {
    let mut net = net.clone();
    net.clocks.push("'elapsed'".to_owned());
    let clock = ClockId(net.clocks.len() as u32 - 1);
    (net, clock)
}

fn measure(
    net: &ClockNet,
    clock: ClockId,
    of: Of<'_>,
    seen: Option<PlaceId>,
    horizon: u32,
    limits: &Limits,
) -> Result<Times, TimesError> {
    let scaled = Scaled::new(net)?;
    let constant = i64::from(horizon) * i64::from(scaled.scale);
    let constant = i32::try_from(constant).ok().filter(|&c| c < Bound::LIMIT).ok_or(TimesError::Horizon(horizon))?;
    let zones = if of.runs { ZoneOptions::reachability() } else { ZoneOptions::united_reachability() };
    let options = ZoneOptions { limits: limits.clone(), watch: Some((clock, constant)), ..zones };
    let mut graph = ZoneGraph::explore(&scaled, options)?;
    let counts = |before: &[(u32, u32)]| seen.is_none_or(|p| before.iter().any(|&(place, _)| place == p.0));
    let mut firing: Vec<Option<Extremes>> = vec![None; net.transitions.len()];
    let mut completion: Option<Extremes> = None;
    for node in 0..graph.nodes.len() as NodeId {
        let marking = graph.nodes[node as usize].marking;
        let successors = graph.markings.successors(marking)?;
        let Some(zone) = &graph.nodes[node as usize].zone else { continue };
        if !counts(graph.markings.marked(marking)) {
            continue;
        }
        for &(t, target) in successors.iter() {
            let entered = Federation::of_boxes(graph.markings.invariant(target)).before_reset(scaled.resets(t));
            let fires = entered.and_boxes(scaled.condition(t)).and(&Federation::from(zone.clone()));
            let ends = !fires.zones().is_empty() && graph.markings.successors(target)?.is_empty();
            for part in fires.zones() {
                let at = At { node, part: part.clone(), fires: t };
                widen(&mut firing[t.index()], part.interval(clock), &at);
                if ends {
                    widen(&mut completion, part.interval(clock), &at);
                }
            }
        }
    }
    let measured =
        |found: Option<Extremes>| found.map(|found| found.measured(&graph, (clock, constant), of)).transpose();
    Ok(Times {
        scale: scaled.scale,
        completion: measured(completion)?,
        firing: firing.into_iter().take(of.net.transitions.len()).map(measured).collect::<Result<_, _>>()?,
    })
}

/// Values of the clocks at which a transition fires.
#[derive(Clone, Debug)]
struct At {
    node: NodeId,
    part: Zone,
    fires: TransitionId,
}

/// The ends of an interval, and where they arise.
#[derive(Clone, Debug)]
struct Extremes {
    lower: (Bound, At),
    upper: (Bound, At),
}

fn widen(slot: &mut Option<Extremes>, interval: Interval, at: &At) {
    match slot {
        None => *slot = Some(Extremes { lower: (interval.lower, at.clone()), upper: (interval.upper, at.clone()) }),
        Some(old) => {
            for (end, bound) in [(&mut old.lower, interval.lower), (&mut old.upper, interval.upper)] {
                if bound > end.0 {
                    *end = (bound, at.clone());
                }
            }
        }
    }
}

impl Extremes {
    /// The interval with its runs, as runs of the net that was asked about.
    fn measured(
        self,
        graph: &ZoneGraph<'_, '_>,
        (clock, horizon): (ClockId, i32),
        of: Of<'_>,
    ) -> Result<Measured, TimesError> {
        let interval = Interval { lower: self.lower.0, upper: self.upper.0 };
        if !of.runs {
            return Ok(Measured { interval, beyond: false, fastest: None, slowest: None }.up_to(horizon));
        }
        let run = |(bound, at): &(Bound, At), end: i32| -> Result<Option<Run>, TimesError> {
            let near = Near { clock, value: end, strict: bound.is_strict() };
            let Some(mut run) = concretise_near(graph, at.node, &at.part, near) else { return Ok(None) };
            let last = std::mem::replace(&mut run.rest, Rational::zero());
            run.steps.push((last, at.fires));
            // The copy of a transition that fires for the first time is that transition.
            let copy = |t: TransitionId| if t.index() < of.net.transitions.len() { t } else { of.from.unwrap_or(t) };
            run.steps.iter_mut().for_each(|(_, t)| *t = copy(*t));
            replay(of.net, &run)?;
            of.checked(run, near, graph.scaled().scale).map(Some)
        };
        let fastest = run(&self.lower, -interval.lower.constant())?;
        let ends = !interval.upper.is_none();
        let slowest = if ends { run(&self.upper, interval.upper.constant())? } else { None };
        Ok(Measured { interval, beyond: false, fastest, slowest }.up_to(horizon))
    }
}

impl Measured {
    /// Without ends beyond the horizon that no run has.
    fn up_to(mut self, horizon: i32) -> Measured {
        let later = Bound::below(-horizon);
        if self.interval.lower <= later && self.fastest.is_none() {
            self.interval.lower = later;
            self.beyond = true;
        }
        if self.interval.upper > Bound::at_most(horizon) && self.slowest.is_none() {
            self.interval.upper = Bound::NONE;
        }
        self
    }
}

/// The measured interval.
#[derive(Clone, Copy, Debug)]
struct Of<'n> {
    net: &'n ClockNet,
    /// The transition since whose last firing, if not since the start.
    from: Option<TransitionId>,
    /// Are runs wanted?
    runs: bool,
}

impl Of<'_> {
    /// The run, if it takes as long as was computed.
    fn checked(&self, run: Run, near: Near, scale: i32) -> Result<Run, TimesError> {
        let before = run.steps.len().saturating_sub(1);
        let since = self.from.and_then(|from| run.steps[..before].iter().rposition(|&(_, t)| t == from));
        let start = since.map_or(0, |at| at + 1);
        let takes = run.steps[start..].iter().fold(Rational::zero(), |sum, (delay, _)| sum + delay);
        let unit = integer(i64::from(scale));
        let computed = integer(i64::from(near.value)) / &unit;
        let off = if takes < computed { &computed - &takes } else { &takes - &computed };
        let is_near = if near.strict { !off.is_zero() && off <= fraction(1, 10) / unit } else { off.is_zero() };
        if is_near && since.is_some() == self.from.is_some() {
            Ok(run)
        } else {
            Err(TimesError::Elapsed(takes.to_string(), computed.to_string()))
        }
    }
}
