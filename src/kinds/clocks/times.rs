//! Fastest and slowest: how long from the start, or from one transition, to another.
//!
//! A clock that is never reset measures the time since the start; the interval of its values at a firing is the answer,
//! with both ends and whether they are attained. For the time *between* two transitions the clock is reset by the
//! first, and a place remembers that it has fired: two copies of the transition share its part, one for the first
//! time and one for later. The time is measured from the last firing of the first transition.
//!
//! The clock is compared with nothing, so it takes part in the extrapolation with a constant of its own, the *horizon*;
//! values up to it are exact, beyond it there are none. The other clocks may be extrapolated by ExtraLU+: what it adds
//! agrees in the measuring clock with what is there.

use super::markings::{ExploreError, Limits};
use super::model::{Arc, ClockNet, Place, PlaceId, TransitionId};
use super::predicate::{ClockId, Predicate};
use super::scaled::{ScaleError, Scaled};
use super::tighten::firing_hulls_where;
use super::zone::{Bound, Interval};
use super::zone_graph::{ZoneGraph, ZoneOptions};

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
}

/// Times in units of `1/scale` of the net; no upper end means beyond the horizon, or no end at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Times {
    /// Integer units per unit of the net.
    pub scale: i32,
    /// For each transition, if it fires.
    pub firing: Vec<Option<Interval>>,
    /// For the steps into a marking where no transition has its tokens: the process as a whole.
    pub completion: Option<Interval>,
}

/// Since the start, for every transition, up to a horizon in units of the net.
pub fn since_start(net: &ClockNet, horizon: u32, limits: &Limits) -> Result<Times, TimesError> {
    let (watched, clock) = with_clock(net);
    measure(&watched, clock, net.transitions.len(), None, horizon, limits)
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
    measure(&watched, clock, net.transitions.len(), Some(seen), horizon, limits)
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
    transitions: usize,
    seen: Option<PlaceId>,
    horizon: u32,
    limits: &Limits,
) -> Result<Times, TimesError> {
    let scaled = Scaled::new(net)?;
    let constant = i64::from(horizon) * i64::from(scaled.scale);
    let constant = i32::try_from(constant).ok().filter(|&c| c < Bound::LIMIT).ok_or(TimesError::Horizon(horizon))?;
    let options = ZoneOptions { limits: limits.clone(), watch: Some((clock, constant)), ..ZoneOptions::reachability() };
    let mut graph = ZoneGraph::explore(&scaled, options)?;
    let counts = |before: &[u32], _: &[u32]| seen.is_none_or(|p| before[p.index()] > 0);
    let ends = |before: &[u32], after: &[u32]| {
        counts(before, after) && (0..net.transitions.len() as u32).all(|t| !net.enabled(TransitionId(t), after))
    };
    let interval = |hull: super::zone::ClockBox| hull.intervals[clock.index()];
    let all = firing_hulls_where(&mut graph, &counts)?;
    let last = firing_hulls_where(&mut graph, &ends)?;
    Ok(Times {
        scale: scaled.scale,
        firing: all.into_iter().take(transitions).map(|hull| hull.map(interval)).collect(),
        completion: last.into_iter().flatten().map(interval).reduce(Interval::hull),
    })
}
