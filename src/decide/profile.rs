//! Time and answers by step of the decision.
//!
//! Steps nest: a net that is reduced for a question is asked by all ways again. The time of a step is its own, without
//! that of the steps inside it. Each thread has its own steps, so that the times of two lanes add up to more than the
//! wall time.

use super::answer::{Answer, Explained, Fault, Listener};
use super::state_space::{Progress, StateSpace};
use crate::mdd::Mdd;
use num_bigint::BigUint;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A step of the decision. Those with the name of a technique that can be left out are its work
/// ([`SWITCHES`](super::SWITCHES)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Simpler formulas and smaller models before all ways, and what no other step takes.
    Rewriting,
    /// The initial state.
    InitialState,
    /// Random walks.
    Walks,
    /// Walks guided towards a decision.
    Guidance,
    /// The skeleton of a coloured net.
    Skeleton,
    /// The coverability graph.
    Coverability,
    /// Semiflows, siphons, and the first linear programs.
    Structure,
    /// More linear programs.
    Programs,
    /// Nets reduced for questions.
    Reductions,
    /// Limits on the tokens of unbounded places.
    TokenLimit,
    /// Explicit search.
    Search,
    /// Bit-state passes.
    BitState,
    /// The engine of bits.
    Sat,
    /// The reachable set as a decision diagram.
    ReachableSet,
    /// Answers from the reachable set.
    Fixpoints,
    /// Waiting for the diagrams.
    Waiting,
}

impl Step {
    /// All of them, in the order of the table.
    pub const ALL: [Step; 16] = [
        Step::Rewriting,
        Step::InitialState,
        Step::Walks,
        Step::Guidance,
        Step::Skeleton,
        Step::Coverability,
        Step::Structure,
        Step::Programs,
        Step::Reductions,
        Step::TokenLimit,
        Step::Search,
        Step::BitState,
        Step::Sat,
        Step::ReachableSet,
        Step::Fixpoints,
        Step::Waiting,
    ];

    /// As a word, for people and machines: docs/json.md.
    pub fn name(self) -> &'static str {
        match self {
            Step::Rewriting => "rewriting",
            Step::InitialState => "initial state",
            Step::Walks => "walks",
            Step::Guidance => "guidance",
            Step::Skeleton => "skeleton",
            Step::Coverability => "coverability",
            Step::Structure => "structure",
            Step::Programs => "linear programs",
            Step::Reductions => "reductions",
            Step::TokenLimit => "token limit",
            Step::Search => "search",
            Step::BitState => "bit-state",
            Step::Sat => "sat",
            Step::ReachableSet => "reachable set",
            Step::Fixpoints => "fixpoints",
            Step::Waiting => "waiting",
        }
    }
}

/// The share of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The step.
    pub step: Step,
    /// Its own time, on all threads.
    pub time: Duration,
    /// How often it began.
    pub turns: u64,
    /// How many of the questions it answered; those that stay unknown are not among them.
    pub answers: u64,
}

#[derive(Default, Debug)]
struct Tally {
    nanoseconds: AtomicU64,
    turns: AtomicU64,
    answers: AtomicU64,
}

/// Time, turns and answers of each step, and the nodes of diagrams.
#[derive(Default, Debug)]
pub struct Profile {
    tallies: [Tally; Step::ALL.len()],
    nodes: AtomicUsize,
}

thread_local! {
    /// The steps that are open on this thread, the outermost first: each with the time of the steps inside it.
    static OPEN: RefCell<Vec<(Step, Duration)>> = const { RefCell::new(Vec::new()) };
}

impl Profile {
    /// Steps that began, in the order of [`Step::ALL`].
    pub fn shares(&self) -> impl Iterator<Item = Share> + '_ {
        let share = |(step, tally): (Step, &Tally)| Share {
            step,
            time: Duration::from_nanos(tally.nanoseconds.load(Relaxed)),
            turns: tally.turns.load(Relaxed),
            answers: tally.answers.load(Relaxed),
        };
        Step::ALL.into_iter().zip(&self.tallies).map(share).filter(|share| share.turns > 0 || share.answers > 0)
    }

    /// Most nodes at a time of a diagram of a reachable set that was found; 0 if there was none.
    pub fn peak_nodes(&self) -> usize {
        self.nodes.load(Relaxed)
    }

    fn tally(&self, step: Step) -> &Tally {
        &self.tallies[step as usize]
    }
}

/// A step that lasts until this is dropped.
pub(super) struct Began<'p> {
    profile: Option<&'p Profile>,
    at: Instant,
}

/// Begin a step of this thread. Without a profile it is known all the same, as it may be inside a step that has one.
pub(super) fn begin(profile: Option<&Profile>, step: Step) -> Began<'_> {
    OPEN.with_borrow_mut(|open| open.push((step, Duration::ZERO)));
    Began { profile, at: Instant::now() }
}

impl Drop for Began<'_> {
    fn drop(&mut self) {
        let whole = self.at.elapsed();
        let ended = OPEN.with_borrow_mut(|open| {
            let ended = open.pop();
            if let Some((_, inside)) = open.last_mut() {
                *inside += whole;
            }
            ended
        });
        if let (Some(profile), Some((step, inside))) = (self.profile, ended) {
            let tally = profile.tally(step);
            tally.nanoseconds.fetch_add(whole.saturating_sub(inside).as_nanos() as u64, Relaxed);
            tally.turns.fetch_add(1, Relaxed);
        }
    }
}

/// Counts the answers that pass, for the step that gives them.
pub(super) struct Counted<'a> {
    pub(super) profile: &'a Profile,
    pub(super) listener: &'a dyn Listener,
}

impl Listener for Counted<'_> {
    fn answered(&self, answer: Answer) {
        if !matches!(answer.value, super::Value::Unknown(_)) {
            let step = OPEN.with_borrow(|open| open.last().map_or(Step::Rewriting, |&(step, _)| step));
            self.profile.tally(step).answers.fetch_add(1, Relaxed);
        }
        self.listener.answered(answer);
    }

    fn faulty(&self, question: usize, fault: Fault) {
        self.listener.faulty(question, fault);
    }

    fn is_wanted(&self, question: usize) -> bool {
        self.listener.is_wanted(question)
    }

    fn explained(&self, question: usize, explained: Explained) {
        self.listener.explained(question, explained);
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        self.listener.set(question, space, set);
    }

    fn unbounded(&self, variable: &str) {
        self.listener.unbounded(variable);
    }

    fn explored(&self, space: &StateSpace, model_states: Option<&BigUint>) {
        self.profile.nodes.fetch_max(space.peak_nodes(), Relaxed);
        self.listener.explored(space, model_states);
    }

    fn progress(&self, progress: Progress<'_>) {
        self.listener.progress(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time of a step is its own, and the times of one thread are disjoint.
    #[test]
    fn steps_nest() {
        let (profile, started) = (Profile::default(), Instant::now());
        let pause = Duration::from_millis(20);
        {
            let _outer = begin(Some(&profile), Step::Reductions);
            for _ in 0..3 {
                let _inner = begin(Some(&profile), Step::Walks);
                std::thread::sleep(pause);
            }
            // Of another profile, or of none: its time is not that of the step around it.
            let _unseen = begin(None, Step::Search);
            std::thread::sleep(10 * pause);
        }
        let wall = started.elapsed();
        let shares: Vec<Share> = profile.shares().collect();
        let [walks, reductions] = &shares[..] else { panic!("{shares:?}") };
        assert_eq!((walks.step, walks.turns), (Step::Walks, 3));
        assert_eq!((reductions.step, reductions.turns), (Step::Reductions, 1));
        assert!(walks.time >= 3 * pause);
        assert!(walks.time + reductions.time + 10 * pause <= wall, "{shares:?} in {wall:?}");
        assert!(OPEN.with_borrow(Vec::is_empty));
    }

    #[test]
    fn names_differ() {
        let names: std::collections::BTreeSet<_> = Step::ALL.map(Step::name).into();
        assert_eq!(names.len(), Step::ALL.len());
        assert!(Step::ALL.iter().enumerate().all(|(index, &step)| step as usize == index));
    }
}
