//! The five questions about time, asked of a net together.
//!
//! Which markings and transitions does time take away? Where does the process stand still, and with which values of the
//! clocks? Which constraints can never be met? Which constant has to move so that it goes on, and how far could
//! constraints be tightened without anybody noticing? How long does it take, at least and at most? The answers are those
//! of [`super::diagnostics`], [`super::consistency`], [`super::repair`], [`super::tighten`] and [`super::times`].
//!
//! Answers that a run can show are shown by one, with rational delays, and every run is replayed by the semantics
//! ([`super::replay`]) before anybody sees it.

use super::consistency::{Inconsistency, inconsistencies};
use super::diagnostics::{Block, Diagnosis};
use super::markings::{ExploreError, Limits, MarkingId};
use super::model::{ClockNet, TransitionId};
use super::repair::{Proposal, RepairError, Workshop};
use super::replay::{NoRun, Run, replay};
use super::run::{concretise, run_into};
use super::scaled::{ScaleError, Scaled};
use super::tighten::{Tightening, tightenings};
use super::times::{Times, TimesError, since, since_start};
use super::zone::Federation;
use super::zone_graph::{ZoneGraph, ZoneOptions};

/// The questions beside the net.
pub struct Inquiry<'a> {
    /// Markings in which nothing needs to happen.
    pub is_final: &'a dyn Fn(&[u32]) -> bool,
    /// Times are measured up to so many units.
    pub horizon: u32,
    /// Measure less far where so far takes very many zones?
    pub nearer: bool,
    /// Times are measured from these transitions, too.
    pub from: Vec<TransitionId>,
    /// How far to go.
    pub limits: Limits,
}

/// Why something stayed unanswered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InquiryError {
    /// An exploration did not end.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// A constraint cannot be represented, or the horizon is too far.
    #[error("{0}")]
    Range(String),
    /// A run that was found is none by the semantics: an error of the program.
    #[error("a run that was found does not replay: {0}")]
    Replay(NoRun),
    /// A run that was found does not show what it should: an error of the program.
    #[error("a run that was found shows something else: {0}")]
    Shows(String),
}

impl From<ScaleError> for InquiryError {
    fn from(e: ScaleError) -> Self {
        InquiryError::Range(e.to_string())
    }
}

impl From<RepairError> for InquiryError {
    fn from(e: RepairError) -> Self {
        match e {
            RepairError::Explore(e) => e.into(),
            RepairError::Scale(e) => e.into(),
        }
    }
}

impl From<TimesError> for InquiryError {
    fn from(e: TimesError) -> Self {
        match e {
            TimesError::Explore(e) => e.into(),
            TimesError::Run(e) => InquiryError::Replay(e),
            TimesError::Elapsed(..) => InquiryError::Shows(e.to_string()),
            other => InquiryError::Range(other.to_string()),
        }
    }
}

/// A block with all that is said of it.
#[derive(Clone, Debug)]
pub struct Blocked {
    /// Where, how, and for which values of the clocks.
    pub block: Block,
    /// All values that the clocks have in the marking.
    pub reachable: Federation,
    /// A run into the block.
    pub run: Option<Run>,
    /// Changes of one constraint, each tried out; those that repair it come first.
    pub proposals: Vec<Proposal>,
}

/// The answers.
#[derive(Clone, Debug)]
pub struct Answers {
    /// Behaviour that time makes impossible, and states without a future.
    pub diagnosis: Diagnosis,
    /// For each deadlock of the diagnosis a run to it.
    pub deadlocks: Vec<Option<Run>>,
    /// The blocks of the diagnosis.
    pub blocks: Vec<Blocked>,
    /// Constraints that can never be met.
    pub inconsistencies: Vec<Inconsistency>,
    /// Intervals that are smaller than what constraints allow.
    pub tightenings: Vec<Tightening>,
    /// Up to so many units.
    pub horizon: u32,
    /// Times since the start.
    pub since_start: Times,
    /// Times since transitions that were asked for.
    pub since: Vec<(TransitionId, Times)>,
}

/// Asks the questions.
///
/// # Errors
/// [`InquiryError`].
pub fn inquire(net: &ClockNet, asked: &Inquiry<'_>) -> Result<Answers, InquiryError> {
    let limits = &asked.limits;
    let shop = Workshop::new(net, limits, asked.is_final)?;
    let diagnosis = shop.diagnosis().clone();
    let scaled = Scaled::new(net)?;
    let options = ZoneOptions { limits: limits.clone(), ..ZoneOptions::antichain() };
    let mut graph = ZoneGraph::explore(&scaled, options)?;
    let to = |graph: &ZoneGraph<'_, '_>, marking: &[u32]| -> Result<Option<Run>, InquiryError> {
        let Some(m) = graph.markings.find(marking) else { return Ok(None) };
        replayed(net, marking, graph.nodes_of(m).find_map(|(node, _)| concretise(graph, node, None)))
    };
    let deadlocks = diagnosis.deadlocks.iter().map(|marking| to(&graph, marking)).collect::<Result<_, _>>()?;
    let mut blocks = Vec::new();
    for block in &diagnosis.blocks {
        let marking: Option<MarkingId> = graph.markings.find(&block.marking);
        let run = marking.and_then(|m| run_into(&graph, m, &block.region));
        blocks.push(Blocked {
            block: block.clone(),
            reachable: marking.map(|m| graph.region_of(m).merged()).unwrap_or_default(),
            run: replayed(net, &block.marking, run)?,
            proposals: shop.proposals(block)?,
        });
    }
    let tightenings = tightenings(&mut graph)?;
    drop(graph);
    let inconsistencies = inconsistencies(&scaled, limits)?;
    let (horizon, since_start, since) = measured(net, asked)?;
    Ok(Answers { diagnosis, deadlocks, blocks, inconsistencies, tightenings, horizon, since_start, since })
}

/// Zones of one measurement beyond which a nearer horizon is tried.
const ZONES: usize = 2000;
/// The nearest horizon that is tried.
const NEAREST: u32 = 10;

/// A horizon, times from the start up to it, and those since some transitions.
type Measured = (u32, Times, Vec<(TransitionId, Times)>);

/// A horizon, and the times up to it. A clock that is never reset has as many zones as the horizon has units where the net goes round, and they
/// are compared with each other; numbers decide, so that the answer is the same everywhere.
fn measured(net: &ClockNet, asked: &Inquiry<'_>) -> Result<Measured, InquiryError> {
    let mut horizon = asked.horizon;
    loop {
        let last = !asked.nearer || horizon <= NEAREST;
        let states = if last { asked.limits.states } else { ZONES.min(asked.limits.states) };
        let limits = Limits { states, ..asked.limits.clone() };
        let all = since_start(net, horizon, &limits).and_then(|start| {
            let each = asked.from.iter().map(|&from| Ok((from, since(net, from, horizon, &limits)?)));
            Ok((start, each.collect::<Result<Vec<_>, TimesError>>()?))
        });
        match all {
            Err(TimesError::Explore(ExploreError::States(_))) if !last => horizon = (horizon / 3).max(NEAREST),
            all => return all.map(|(start, since)| (horizon, start, since)).map_err(InquiryError::from),
        }
    }
}

/// A run, if the semantics says that it is one, to this marking.
fn replayed(net: &ClockNet, marking: &[u32], run: Option<Run>) -> Result<Option<Run>, InquiryError> {
    let Some(run) = run else { return Ok(None) };
    let end = replay(net, &run).map_err(InquiryError::Replay)?;
    let steps = run.steps.len();
    if *end.marking == *marking { Ok(Some(run)) } else { Err(InquiryError::Replay(NoRun::Tokens(steps))) }
}
