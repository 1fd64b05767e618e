//! Diagnoses of timing: behaviour that time makes impossible, and blocks of a process.
//!
//! *Dead in time*: markings, places and transitions that are reachable without time and not with it. *Deadlocks*:
//! reachable markings in which no transition has its tokens. *Blocks*: states in which some transition has its
//! tokens, but none will ever fire, however long one waits. At a marking `mu` with reachable values `R` these are
//!
//! ```text
//! dead = R − precede( ∪ over t with its tokens of  C(t) ∧ Inv(mu')[A(t) := 0] )
//! ```
//!
//! where `precede` is delay backwards inside the invariant (`delay::precede`). A block is a **timelock** if time
//! cannot pass for ever either, and a **missed window** if it can: the work then stays for ever. Time passes for
//! ever exactly where delay leads to values above every constant.
//!
//! Everything is a union of regions, so the zones under ExtraM give exact answers (Tripakis, "Verifying progress in
//! timed systems", ARTS 1999, computes timelocks like this). Zeno runs, in which infinitely many steps take finite
//! time, are not looked for.

use super::delay;
use super::markings::{ExploreError, Limits, MarkingId, MarkingTable};
use super::model::{PlaceId, TransitionId};
use super::scaled::Scaled;
use super::zone::{Bound, ClockBox, Federation, Interval};
use super::zone_graph::{ZoneGraph, ZoneOptions};
use std::sync::Arc;

/// Why nothing happens any more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BlockKind {
    /// Time stops too.
    Timelock,
    /// Time passes for ever.
    MissedWindow,
}

impl BlockKind {
    /// Name in texts.
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Timelock => "timelock",
            BlockKind::MissedWindow => "missed window",
        }
    }
}

/// The blocked states of one marking and kind.
#[derive(Clone, Debug)]
pub struct Block {
    /// The marking, by its tokens.
    pub marking: Box<[u32]>,
    /// The behaviour of time.
    pub kind: BlockKind,
    /// The values of the clocks; not empty.
    pub region: Federation,
}

/// A transition that never fires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeadTransition {
    /// The transition.
    pub transition: TransitionId,
    /// Is it time that keeps it from firing, rather than the net?
    pub in_time: bool,
}

/// The answers about one net. Lists are in the order of the net, markings in the order of their discovery.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The initial marking's invariant excludes the start: there is no state at all.
    pub inconsistent_start: bool,
    /// Markings reachable without time.
    pub untimed: usize,
    /// Markings reachable with time.
    pub timed: usize,
    /// Markings reachable without time only.
    pub unreachable: Vec<Box<[u32]>>,
    /// Places that are marked without time only.
    pub dead_places: Vec<PlaceId>,
    /// Transitions that never fire.
    pub dead_transitions: Vec<DeadTransition>,
    /// Markings without a transition that has its tokens, and not final.
    pub deadlocks: Vec<Box<[u32]>>,
    /// Blocked states.
    pub blocks: Vec<Block>,
}

/// Answers all the questions; `is_final` excludes markings in which nothing needs to happen.
pub fn diagnose(
    scaled: &Scaled<'_>,
    limits: &Limits,
    is_final: &dyn Fn(&[u32]) -> bool,
) -> Result<Diagnosis, ExploreError> {
    let mut untimed = MarkingTable::new(scaled, &limits.half())?;
    untimed.explore()?;
    let mut graph = ZoneGraph::explore(scaled, ZoneOptions { limits: limits.half(), ..ZoneOptions::antichain() })?;
    let reached: Vec<MarkingId> = graph.reached().collect();
    let net = scaled.net;
    let mut timed_places = vec![false; net.places.len()];
    for &m in &reached {
        graph.markings.marked(m).iter().for_each(|&(place, _)| timed_places[place as usize] = true);
    }
    let is_timed = |tokens: &[u32]| graph.markings.find(tokens).is_some_and(|m| graph.is_reached(m));
    let mut unreachable = Vec::new();
    let mut untimed_places = vec![false; net.places.len()];
    let mut untimed_fired = vec![false; net.transitions.len()];
    for m in 0..untimed.len() as MarkingId {
        untimed.successors(m)?.iter().for_each(|(t, _)| untimed_fired[t.index()] = true);
        let tokens = untimed.tokens(m);
        untimed.marked(m).iter().for_each(|&(place, _)| untimed_places[place as usize] = true);
        if !is_timed(&tokens) {
            unreachable.push(tokens);
        }
    }
    let dead_places = (0u32..)
        .zip(untimed_places.iter().zip(&timed_places))
        .filter(|&(_, (u, t))| *u && !t)
        .map(|(p, _)| PlaceId(p))
        .collect();
    let dead_transitions = (0u32..)
        .zip(&graph.fired)
        .filter(|&(_, fired)| !fired)
        .map(|(t, _)| DeadTransition { transition: TransitionId(t), in_time: untimed_fired[t as usize] })
        .collect();
    let (mut deadlocks, mut blocks) = (Vec::new(), Vec::new());
    for &m in &reached {
        let tokens: Box<[u32]> = graph.markings.tokens(m);
        if is_final(&tokens) {
            continue;
        }
        if graph.markings.successors(m)?.is_empty() {
            deadlocks.push(tokens);
            continue;
        }
        limits.budget.check()?;
        for (kind, region) in blocked(&mut graph, m)? {
            blocks.push(Block { marking: tokens.clone(), kind, region });
        }
    }
    Ok(Diagnosis {
        inconsistent_start: graph.nodes.is_empty(),
        untimed: untimed.len(),
        timed: reached.len(),
        unreachable,
        dead_places,
        dead_transitions,
        deadlocks,
        blocks,
    })
}

/// The blocked states of a marking, by kind.
pub fn blocked(graph: &mut ZoneGraph<'_, '_>, m: MarkingId) -> Result<Vec<(BlockKind, Federation)>, ExploreError> {
    let live = live_values(&mut graph.markings, m)?;
    let dead = graph.region_of(m).without(&live);
    if dead.is_empty() {
        return Ok(Vec::new());
    }
    let diverging = diverging_values(graph.scaled(), graph.markings.invariant(m));
    let parts = [(BlockKind::Timelock, dead.without(&diverging)), (BlockKind::MissedWindow, dead.and(&diverging))];
    Ok(parts.into_iter().filter(|(_, r)| !r.is_empty()).map(|(k, r)| (k, r.merged())).collect())
}

/// The values at a marking from which some transition fires after some delay.
pub fn live_values(markings: &mut MarkingTable<'_, '_>, m: MarkingId) -> Result<Federation, ExploreError> {
    let scaled = markings.scaled();
    let mut firing = Federation::new();
    for &(t, target) in markings.successors(m)?.iter() {
        let entered = Federation::of_boxes(markings.invariant(target));
        firing.join(entered.before_reset(scaled.resets(t)).and_boxes(scaled.condition(t)));
    }
    let invariant = Arc::clone(markings.invariant(m));
    Ok(delay::precede(&firing, &invariant))
}

/// The values from which time passes for ever under an invariant.
pub fn diverging_values(scaled: &Scaled<'_>, invariant: &[ClockBox]) -> Federation {
    let beyond = |&m: &i32| Interval { lower: Bound::below(-m), upper: Bound::NONE };
    let beyond = ClockBox { intervals: scaled.maximal_constants().iter().map(beyond).collect() };
    let reached = Federation::of_boxes(&[beyond]).and_boxes(invariant);
    delay::precede(&reached, invariant)
}
