//! The notions of soundness of a process, and what is known of each.
//!
//! A marking is *final* if nothing is inside any pool and nothing can fire: a pool that waits for a message that nobody
//! sent may stay unstarted, and messages may be left.
//!
//! | notion | demands |
//! |---|---|
//! | safe | no sequence flow ever has two tokens |
//! | no deadlock | where nothing can fire, nothing is inside a pool |
//! | option to complete | from each marking a final one can be reached |
//! | proper completion | no run comes to an end event of a pool twice |
//! | no dead activity | each task, sub-process and call can begin |
//! | sound | the last three |
//! | weak | option to complete, proper completion |
//! | relaxed | each activity begins on some run to a final marking, of which there is one |
//! | easy | a final marking can be reached |
//! | fair | each run that is strongly fair to all transitions comes to a final marking |
//! | clean | no final marking has messages |

use crate::kinds::bpmn::diagram::NodeId;
use crate::kinds::bpmn::process_net::{Meaning, PlaceId, ProcessNet};
use num_bigint::BigUint;

/// A run from the start: its transitions.
pub type Run = Vec<usize>;

/// What is known of a demand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Known {
    /// Nothing.
    #[default]
    Unknown,
    /// It is met.
    Met,
    /// It is not met, as this run to some marking shows, if a run can show it and is known.
    Refuted(Option<Run>),
}

impl Known {
    /// Is it met?
    pub fn verdict(&self) -> Option<bool> {
        match self {
            Known::Unknown => None,
            Known::Met => Some(true),
            Known::Refuted(_) => Some(false),
        }
    }

    /// The run that refutes it.
    pub fn run(&self) -> Option<&Run> {
        match self {
            Known::Refuted(run) => run.as_ref(),
            _ => None,
        }
    }

    pub(super) fn of(verdict: bool) -> Known {
        if verdict { Known::Met } else { Known::Refuted(None) }
    }
}

/// Why something stayed unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Tokens or messages grow without end in this place.
    Unbounded(PlaceId),
    /// A message in this place starts another instance of a pool, which the net does not represent.
    Instances(PlaceId),
    /// The limits were not enough.
    Limits,
}

/// Numbers of a state space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Markings.
    pub states: BigUint,
    /// Edges, if they have been counted.
    pub steps: Option<BigUint>,
    /// Markings where nothing fires and something is inside a pool.
    pub deadlocks: BigUint,
    /// Markings from which nothing final can be reached.
    pub hopeless: BigUint,
    /// Final markings.
    pub completed: BigUint,
}

/// The answers about a process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    /// No flow has two tokens.
    pub safe: Known,
    /// No deadlock.
    pub no_deadlock: Known,
    /// From each marking a final one can be reached.
    pub option_to_complete: Known,
    /// No end event of a pool twice.
    pub proper_completion: Known,
    /// Each activity can begin.
    pub no_dead_activity: Known,
    /// Each activity begins on a run to a final marking.
    pub relaxed: Known,
    /// A final marking can be reached.
    pub easy: Known,
    /// Each strongly fair run completes.
    pub fair: Known,
    /// No messages are left.
    pub clean: Known,
    /// Activities that never begin, if that is known.
    pub dead: Vec<NodeId>,
    /// Activities on no run to a final marking, if that is known.
    pub useless: Vec<NodeId>,
    /// Numbers, if everything was explored.
    pub counts: Option<Counts>,
    /// Why something stayed unknown.
    pub stopped: Option<Stopped>,
    /// Where they are about fair runs alone, soundness and weak soundness: each run comes to where no token is left and
    /// no end event was reached twice, and stays there; for the first of them, without messages.
    pub whole: Option<[Known; 2]>,
}

impl Answers {
    /// Classical soundness.
    pub fn sound(&self) -> Option<bool> {
        match &self.whole {
            Some([sound, _]) => sound.verdict(),
            None => all([&self.option_to_complete, &self.proper_completion, &self.no_dead_activity]),
        }
    }

    /// Weak soundness.
    pub fn weak(&self) -> Option<bool> {
        match &self.whole {
            Some([_, weak]) => weak.verdict(),
            None => all([&self.option_to_complete, &self.proper_completion]),
        }
    }

    /// The names of the notions in text and JSON, with their verdicts and runs.
    pub fn verdicts(&self) -> [(&'static str, &'static str, Option<bool>); 11] {
        [
            ("sound", "sound", self.sound()),
            ("weak", "weak", self.weak()),
            ("option to complete", "option_to_complete", self.option_to_complete.verdict()),
            ("proper completion", "proper_completion", self.proper_completion.verdict()),
            ("no dead activity", "no_dead_activity", self.no_dead_activity.verdict()),
            ("no deadlock", "no_deadlock", self.no_deadlock.verdict()),
            ("safe", "safe", self.safe.verdict()),
            ("relaxed", "relaxed", self.relaxed.verdict()),
            ("easy", "easy", self.easy.verdict()),
            ("fair", "fair", self.fair.verdict()),
            ("clean", "clean", self.clean.verdict()),
        ]
    }

    /// The demands that runs refute, by their names in text and JSON.
    pub fn runs(&self) -> impl Iterator<Item = (&'static str, &'static str, &Run)> {
        let all = [
            ("option to complete", "option_to_complete", &self.option_to_complete),
            ("proper completion", "proper_completion", &self.proper_completion),
            ("no deadlock", "no_deadlock", &self.no_deadlock),
            ("safe", "safe", &self.safe),
            ("clean", "clean", &self.clean),
        ];
        let whole = self.whole.iter().flat_map(|[sound, weak]| [("sound", "sound", sound), ("weak", "weak", weak)]);
        whole.chain(all).filter_map(|(title, key, known)| Some((title, key, known.run()?)))
    }
}

fn all<const N: usize>(demands: [&Known; N]) -> Option<bool> {
    let verdicts = demands.map(Known::verdict);
    match (verdicts.contains(&Some(false)), verdicts.contains(&None)) {
        (true, _) => Some(false),
        (_, true) => None,
        _ => Some(true),
    }
}

/// The places of a net by what they are to the notions.
pub(super) struct Roles {
    pub inside: Vec<PlaceId>,
    pub flows: Vec<PlaceId>,
    pub ends: Vec<PlaceId>,
    pub messages: Vec<PlaceId>,
}

impl Roles {
    pub(super) fn of(net: &ProcessNet) -> Roles {
        let places = |fits: &dyn Fn(Meaning) -> bool| {
            (0..net.places.len()).filter(|&place| fits(net.places[place].meaning)).collect()
        };
        Roles {
            inside: places(&Meaning::is_inside),
            flows: places(&|meaning| meaning == Meaning::Flow),
            ends: places(&|meaning| matches!(meaning, Meaning::End(_))),
            messages: places(&|meaning| meaning == Meaning::Message),
        }
    }
}
