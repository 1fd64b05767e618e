//! Soundness of processes with the durations of their timers.
//!
//! The process is an automaton with clocks whose places are its markings without time ([`crate::kinds::bpmn::timed()`]).
//! Zones say which of its steps are ever taken, and from which states no end can be reached any more, be it that nothing
//! happens or that time cannot go on ([`crate::kinds::clocks::soundness`]). All else follows from the steps: a marking is
//! reached if a step leads to it.

use crate::budget::Budget;
use crate::kinds::bpmn::diagram::NodeId;
use crate::kinds::bpmn::process_net::{Meaning, ProcessNet};
use crate::kinds::bpmn::{NoTime, ReadProcess, TimedProcess, timed};
use crate::kinds::clocks::markings::{ExploreError, Limits};
use crate::kinds::clocks::model::{PlaceId, TransitionId};
use crate::kinds::clocks::rational::Rational;
use crate::kinds::clocks::replay::{NoRun, Run, replay};
use crate::kinds::clocks::run::run_to;
use crate::kinds::clocks::scaled::{ScaleError, Scaled};
use crate::kinds::clocks::soundness::{Demand, Soundness, Workflow, soundness_by};
use crate::kinds::clocks::times::intervals_since_start;
use crate::kinds::clocks::zone_graph::{ZoneGraph, ZoneOptions};
use fixedbitset::FixedBitSet;

/// A run with its delays in seconds: each before a transition of the process, and one at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedRun {
    /// Delays and transitions.
    pub steps: Vec<(Rational, usize)>,
    /// The delay at the end.
    pub rest: Rational,
}

/// When something happens, in seconds since the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct When {
    /// Not before.
    pub earliest: Rational,
    /// Not after; nothing where there is no end, or none within the horizon.
    pub latest: Option<Rational>,
}

/// The answers.
#[derive(Clone, Debug)]
pub struct TimedAnswers {
    /// From each state a final one can be reached.
    pub option_to_complete: bool,
    /// No end event of a pool is reached twice.
    pub proper_completion: bool,
    /// No flow has two tokens.
    pub safe: bool,
    /// No messages are left.
    pub clean: bool,
    /// Runs that refute demands, with the names of these in text and JSON: to a state from which no final one can be
    /// reached, and to markings.
    pub runs: Vec<(&'static str, &'static str, TimedRun)>,
    /// Activities that begin at no time.
    pub dead: Vec<NodeId>,
    /// Transitions that fire without time, and at no time.
    pub never: Vec<usize>,
    /// Markings that are reached, and all without time.
    pub markings: (usize, usize),
    /// By transition, when it fires, if it does and that is known.
    pub when: Vec<Option<When>>,
    /// Why it is not known when transitions fire.
    pub untold: Option<String>,
    /// Timers that may go off at any time.
    pub free: Vec<NodeId>,
}

/// Why there are no answers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoAnswers {
    /// The process has no time.
    #[error(transparent)]
    NoTime(#[from] NoTime),
    /// The exploration did not end.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// A duration is too long.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// A run that was found is none: an error of the program.
    #[error(transparent)]
    Broken(#[from] NoRun),
}

impl TimedAnswers {
    /// Classical soundness, with time.
    pub fn sound(&self) -> bool {
        self.option_to_complete && self.proper_completion && self.dead.is_empty()
    }

    /// The demands by their names in text and JSON.
    pub fn verdicts(&self) -> [(&'static str, &'static str, bool); 6] {
        [
            ("sound", "sound", self.sound()),
            ("option to complete", "option_to_complete", self.option_to_complete),
            ("proper completion", "proper_completion", self.proper_completion),
            ("no dead activity", "no_dead_activity", self.dead.is_empty()),
            ("safe", "safe", self.safe),
            ("clean", "clean", self.clean),
        ]
    }
}

/// Asks a process with its time.
///
/// # Errors
/// [`NoAnswers`].
pub fn in_time(process: &ReadProcess, budget: &Budget) -> Result<TimedAnswers, NoAnswers> {
    let net = &process.net;
    let timed = timed(process, budget)?;
    let limits = Limits::of(budget);
    let scaled = Scaled::new(&timed.net)?;
    let end = |&place: &usize| (0..timed.markings.len()).map(|other| u32::from(other == place)).collect();
    let workflow = Workflow { source: PlaceId(0), ends: timed.finals.iter().map(end).collect() };
    let zones = ZoneOptions { limits: limits.clone(), ..ZoneOptions::united() };
    let found: Soundness = soundness_by(&scaled, &workflow, zones)?;
    let option_to_complete = found.option_to_complete.is_met();
    let mut fired = FixedBitSet::with_capacity(net.transitions.len());
    let mut reached = FixedBitSet::with_capacity(timed.markings.len());
    let mut known = fired.clone();
    reached.insert(0);
    let mut fires = FixedBitSet::with_capacity(timed.steps.len());
    fires.insert_range(..);
    found.dead.iter().for_each(|dead| fires.set(dead.index(), false));
    for (number, (&step, transition)) in timed.steps.iter().zip(&timed.net.transitions).enumerate() {
        known.insert(step);
        if fires.contains(number) {
            fired.insert(step);
            reached.extend(transition.outputs.iter().map(|arc| arc.place.index()));
        }
    }
    let begins = |node: NodeId| fired.ones().any(|step| net.transitions[step].begins.contains(&node));
    let all: Vec<usize> = reached.ones().collect();
    let over: Vec<usize> = timed.finals.iter().copied().filter(|&place| reached.contains(place)).collect();
    let ends_twice = |meaning| matches!(meaning, Meaning::End(_));
    let refuting = |of: &dyn Fn(Meaning) -> bool, above: u32, places: &[usize]| -> Vec<usize> {
        let is_bad = |&place: &usize| has(net, &timed.markings[place], of, above);
        places.iter().copied().filter(is_bad).collect()
    };
    let improper = refuting(&ends_twice, 1, &all);
    let unsafe_ones = refuting(&|meaning| meaning == Meaning::Flow, 1, &all);
    let unclean = refuting(&|meaning| meaning == Meaning::Message, 0, &over);
    let mut runs = Vec::new();
    let mut ends = reached.clone();
    timed.net.transitions.iter().for_each(|step| ends.set(step.inputs[0].place.index(), false));
    timed.finals.iter().for_each(|&place| ends.set(place, false));
    let dead_ends: Vec<usize> = ends.ones().collect();
    let mut demands = vec![
        ("proper completion", "proper_completion", &improper),
        ("safe", "safe", &unsafe_ones),
        ("clean", "clean", &unclean),
    ];
    match found.option_to_complete {
        // Where nothing completes from the start on, a run to where it ends says more.
        Demand::Refuted(Some(run)) if !run.steps.is_empty() || dead_ends.is_empty() => {
            runs.push(("option to complete", "option_to_complete", run));
        }
        Demand::Refuted(_) => demands.insert(0, ("option to complete", "option_to_complete", &dead_ends)),
        Demand::Met => {}
    }
    if demands.iter().any(|(.., places)| !places.is_empty()) {
        let graph =
            ZoneGraph::explore(&scaled, ZoneOptions { limits: limits.clone(), ..ZoneOptions::united_reachability() })?;
        for (title, key, places) in demands {
            if places.is_empty() {
                continue;
            }
            let run = run_to(&graph, |tokens| places.iter().any(|&place| tokens[place] > 0));
            runs.push((title, key, run.ok_or(NoRun::Missing)?));
        }
    }
    runs.iter().try_for_each(|(.., run)| replay(&timed.net, run).map(drop))?;
    let runs = runs.into_iter().map(|(title, key, run)| (title, key, TimedRun::of(&timed.unit, &timed.steps, &run)));
    let (when, untold) = match when(net, &timed, &limits) {
        Ok(when) => (when, None),
        Err(why) => (vec![None; net.transitions.len()], Some(why)),
    };
    Ok(TimedAnswers {
        option_to_complete,
        proper_completion: improper.is_empty(),
        safe: unsafe_ones.is_empty(),
        clean: unclean.is_empty(),
        runs: runs.collect(),
        dead: net.activities.iter().map(|activity| activity.node).filter(|&node| !begins(node)).collect(),
        never: known.difference(&fired).collect(),
        markings: (reached.count_ones(..), timed.markings.len()),
        when,
        untold,
        free: timed.free,
    })
}

/// Has a marking more tokens than so many in a place of such a meaning?
fn has(net: &ProcessNet, tokens: &[u32], of: &dyn Fn(Meaning) -> bool, above: u32) -> bool {
    net.places.iter().zip(tokens).any(|(place, &held)| held > above && of(place.meaning))
}

impl TimedRun {
    /// A run of an automaton, by the seconds of its unit and, by transition, the step of the process.
    pub(crate) fn of(unit: &Rational, steps: &[usize], run: &Run) -> TimedRun {
        let step = |(delay, transition): &(Rational, TransitionId)| (delay * unit, steps[transition.index()]);
        TimedRun { steps: run.steps.iter().map(step).collect(), rest: &run.rest * unit }
    }
}

/// Times beyond so many times the longest run through all timers are not told.
const HORIZON: u32 = 2;

/// When each transition fires; or why that is not known.
fn when(net: &ProcessNet, timed: &TimedProcess, limits: &Limits) -> Result<Vec<Option<When>>, String> {
    let mut when: Vec<Option<When>> = vec![None; net.transitions.len()];
    let horizon = timed.longest.checked_mul(HORIZON).ok_or("the durations are too long")?;
    let times = intervals_since_start(&timed.net, horizon, limits).map_err(|error| error.to_string())?;
    let seconds = |units: i32| crate::kinds::clocks::rational::fraction(units.into(), times.scale.into()) * &timed.unit;
    for (measured, &step) in times.firing.iter().zip(&timed.steps) {
        let Some(measured) = measured else { continue };
        if measured.beyond {
            return Err("some are later than twice the time of all timers together".to_owned());
        }
        let earliest = seconds(-measured.interval.lower.constant());
        let latest = measured.interval.upper.finite().map(seconds);
        when[step] = Some(match when[step].take() {
            None => When { earliest, latest },
            Some(known) => When {
                earliest: earliest.min(known.earliest),
                latest: latest.and_then(|latest| Some(latest.max(known.latest?))),
            },
        });
    }
    Ok(when)
}
