//! From a path of the zone graph to a run with rational delays.
//!
//! The moments `T_1 <= T_2 <= ...` of the steps are the unknowns. A clock at a moment is the difference to the moment
//! of its last reset, so every box that a step or a stay must satisfy is a set of bounds on differences of two
//! moments; so is a zone that the run shall end in. The system has a solution because the path exists. It is solved in
//! integers: with all constants times `d`, a strict bound `< c` is `<= c·d - 1`. If there is a real solution, there is
//! one for `d` = the number of moments + 1, since a cycle of bounds whose sum is positive has at most as many strict
//! ones; smaller `d` are tried first, for the sake of whoever reads the run. The solution taken is the earliest one,
//! found by relaxation as for longest paths (Bellman and Ford): O(moments · bounds) for each `d`.
//!
//! Under extrapolation the values in zones are not all reachable, but the *steps* are, with the same alternatives and
//! pieces: the boxes here are those of the net, not of the zones.

use super::markings::MarkingId;
use super::predicate::ClockId;
use super::rational::Rational;
use super::replay::Run;
use super::zone::{Bound, ClockBox, Federation, Zone};
use super::zone_graph::{NodeId, Step, ZoneGraph};
use num_bigint::BigInt;

/// A bound on `T_later - T_earlier`, of either sign.
struct Difference {
    later: usize,
    earlier: usize,
    bound: Bound,
    /// Added to the bound, in tenths of a unit of integer time.
    tenths: i64,
}

impl Difference {
    fn new(later: usize, earlier: usize, bound: Bound) -> Self {
        Difference { later, earlier, bound, tenths: 0 }
    }
}

/// A value that a clock shall have at the end of a run; if it cannot have it, another within a tenth of a unit of
/// integer time of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) clock: ClockId,
    pub(super) value: i32,
    /// It cannot have it.
    pub(super) strict: bool,
}

/// A run along the path to a node, which ends in a zone if one is given. Nothing if there is none, as may happen for
/// values that extrapolation has added.
pub fn concretise(graph: &ZoneGraph<'_, '_>, node: NodeId, goal: Option<&Zone>) -> Option<Run> {
    run_to_node(graph, node, goal, None)
}

/// The same, where a clock has some value at the end, or nearly so.
pub(super) fn concretise_near(graph: &ZoneGraph<'_, '_>, node: NodeId, goal: &Zone, near: Near) -> Option<Run> {
    run_to_node(graph, node, Some(goal), Some(near))
}

fn run_to_node(graph: &ZoneGraph<'_, '_>, node: NodeId, goal: Option<&Zone>, near: Option<Near>) -> Option<Run> {
    let region = goal.map(|goal| Federation::from(goal.clone()));
    run_along(graph, &graph.path_into(node, region.as_ref())?, goal, near)
}

fn run_along(graph: &ZoneGraph<'_, '_>, path: &[NodeId], goal: Option<&Zone>, near: Option<Near>) -> Option<Run> {
    let scaled = graph.scaled();
    let end = path.len();
    // Moment 0 is the start, moment i the step into path[i], moment `end` the end.
    let mut resets: Vec<usize> = vec![0; scaled.clocks()];
    let mut system = Vec::new();
    for (i, &id) in path.iter().enumerate() {
        let node = &graph.nodes[id as usize];
        let pieces = graph.markings.invariant(node.marking);
        let piece = pieces.get(node.piece as usize)?;
        match node.step {
            Step::Begin => in_box(&mut system, &piece.lower_relaxed(), i, &resets),
            Step::Fire(t, alternative) => {
                in_box(&mut system, scaled.condition(t).get(alternative as usize)?, i, &resets);
                scaled.resets(t).iter().for_each(|c| resets[c.index()] = i);
                in_box(&mut system, piece, i, &resets);
            }
            Step::Start | Step::Reach | Step::Union => in_box(&mut system, piece, i, &resets),
        }
        let next = path.get(i + 1).map(|&n| graph.nodes[n as usize].step);
        if next == Some(Step::Reach) {
            in_box(&mut system, &piece.upper_relaxed(), i + 1, &resets);
        } else {
            in_box(&mut system, piece, i + 1, &resets);
        }
        system.push(Difference::new(i, i + 1, Bound::ZERO));
    }
    if let Some(goal) = goal {
        in_zone(&mut system, goal, end, &resets);
    }
    if let Some(near) = near {
        let reset = resets[near.clock.index()];
        let tenths = i64::from(near.strict);
        for (later, earlier, value) in [(end, reset, near.value), (reset, end, -near.value)] {
            system.push(Difference { tenths, ..Difference::new(later, earlier, Bound::at_most(value)) });
        }
    }
    let parts = if near.is_some_and(|near| near.strict) { 10 } else { 1 };
    let (moments, divisor) = solve(&system, end + 1, parts)?;
    let unit = BigInt::from(divisor) * BigInt::from(scaled.scale);
    let delay = |from: usize, to: usize| Rational::new(BigInt::from(moments[to] - moments[from]), unit.clone());
    let mut steps = Vec::new();
    let mut since = 0;
    for (i, &id) in path.iter().enumerate() {
        if let Step::Fire(t, _) = graph.nodes[id as usize].step {
            steps.push((delay(since, i), t));
            since = i;
        }
    }
    Some(Run { steps, rest: delay(since, end) })
}

/// A run to a marking of some sort, of those that are met first.
pub fn run_to(graph: &ZoneGraph<'_, '_>, is_meant: impl Fn(&[u32]) -> bool) -> Option<Run> {
    let meant: Vec<bool> =
        (0..graph.markings.len()).map(|marking| is_meant(&graph.markings.tokens(marking as MarkingId))).collect();
    let nodes = (0u32..).zip(&graph.nodes).filter(|(_, node)| meant[node.marking as usize]);
    nodes.into_iter().find_map(|(number, _)| concretise(graph, number, None))
}

/// A run to a marking with clock values in a region, if there is one.
pub fn run_into(graph: &ZoneGraph<'_, '_>, marking: MarkingId, region: &Federation) -> Option<Run> {
    graph.nodes_of(marking).find_map(|(node, zone)| {
        let mut parts = region.zones().iter().filter(|part| zone.and(part).is_some()).peekable();
        parts.peek()?;
        let path = graph.path_into(node, Some(region))?;
        parts.find_map(|part| run_along(graph, &path, Some(part), None))
    })
}

fn in_box(system: &mut Vec<Difference>, b: &ClockBox, moment: usize, resets: &[usize]) {
    for (interval, &reset) in b.intervals.iter().zip(resets) {
        for (later, earlier, bound) in [(moment, reset, interval.upper), (reset, moment, interval.lower)] {
            if !bound.is_none() {
                system.push(Difference::new(later, earlier, bound));
            }
        }
    }
}

fn in_zone(system: &mut Vec<Difference>, zone: &Zone, moment: usize, resets: &[usize]) {
    // x_i - x_j = (now - reset_i) - (now - reset_j); the constant 0 was "reset" now.
    let reset = |i: usize| if i == 0 { moment } else { resets[i - 1] };
    for i in 0..zone.dimension() {
        for j in 0..zone.dimension() {
            let bound = zone.bound(i, j);
            if i != j && !bound.is_none() {
                system.push(Difference::new(reset(j), reset(i), bound));
            }
        }
    }
}

/// The earliest moments, and what they are to be divided by: a multiple of `parts`, which is 10 where there are tenths.
fn solve(system: &[Difference], moments: usize, parts: i64) -> Option<(Vec<i64>, i64)> {
    let enough = moments as i64 + 1;
    let mut divisor = 1;
    loop {
        if let Some(solution) = solve_with(system, moments, divisor * parts) {
            return Some((solution, divisor * parts));
        }
        if divisor >= enough {
            return None;
        }
        divisor = if divisor < 8 { divisor + 1 } else { divisor * 2 }.min(enough);
    }
}

fn solve_with(system: &[Difference], moments: usize, divisor: i64) -> Option<Vec<i64>> {
    let mut at = vec![0i64; moments];
    for _ in 0..=moments {
        let mut changed = false;
        for d in system {
            let limit =
                i64::from(d.bound.constant()) * divisor - i64::from(d.bound.is_strict()) + d.tenths * divisor / 10;
            let least = at[d.later] - limit;
            if at[d.earlier] < least {
                // The start cannot move, and a bound between a moment and itself cannot be met by moving it.
                if d.earlier == 0 || d.earlier == d.later {
                    return None;
                }
                at[d.earlier] = least;
                changed = true;
            }
        }
        if !changed {
            return Some(at);
        }
    }
    None
}
