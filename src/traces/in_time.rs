//! Rules on the complete runs of a model with time: of a process with the durations of its timers, or a net with clocks.
//!
//! **Idea.** A rule is an observer ([`super::deadline`]), or the deterministic automaton of its formula, which is one
//! without a clock. Beside the net it is a place for each of its states, of which one has a token, and a transition for
//! each way in which an activity moves it. So the net with its observers is a net with clocks again, and zones say
//! whether a final marking is reached where an observer says that the rule is broken. Observers follow whatever the net
//! does, at whatever time, and forbid nothing. Every run that is found is replayed by the semantics.
//!
//! A run is complete once it comes to a final marking of the model ([`Labelled::ends`]), at whatever time.

use super::deadline::{Guard, Length, Observer};
use super::labelled::Labelled;
use super::reader::Reader;
use super::rules::Rule;
use crate::automaton::TranslationError;
use crate::budget::Budget;
use crate::kinds::bpmn::TimedProcess;
use crate::kinds::clocks::markings::{ExploreError, Limits};
use crate::kinds::clocks::model::{Arc, ClockNet, Place, PlaceId};
use crate::kinds::clocks::predicate::{ClockId, Predicate, Relation};
use crate::kinds::clocks::rational::{Rational, integer};
use crate::kinds::clocks::replay::{NoRun, replay};
use crate::kinds::clocks::run::run_to;
use crate::kinds::clocks::scaled::{ScaleError, Scaled};
use crate::kinds::clocks::zone_graph::{ZoneGraph, ZoneOptions};
use crate::processes::TimedRun;
use fixedbitset::FixedBitSet;

/// What is known of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedChecked {
    /// Do all complete runs keep it?
    pub all: bool,
    /// Does one keep it?
    pub some: bool,
    /// A complete run that breaks it, as transitions of the model; of a net with clocks, delays are units.
    pub run: Option<TimedRun>,
}

/// Why there is no answer about a rule.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The time in a rule is not that of the model.
    #[error("{0}")]
    Length(&'static str),
    /// The exploration did not end.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// A length of time is too long.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// The automaton of the rule is too large.
    #[error(transparent)]
    Automaton(#[from] TranslationError),
    /// A run that was found is none: an error of the program.
    #[error("a run that was found does not replay: {0}")]
    Broken(#[from] NoRun),
}

/// A model with time, about which rules are asked.
#[derive(Debug)]
pub struct TimedBehaviour<'m> {
    model: &'m Labelled<'m>,
    net: ClockNet,
    /// By transition of the net, that of the model.
    steps: Vec<usize>,
    /// Of a process: the seconds of a unit, and the places of the net at which it is over.
    process: Option<(Rational, FixedBitSet)>,
}

impl<'m> TimedBehaviour<'m> {
    /// A process with the durations of its timers; `model` is the same process.
    pub fn process(model: &'m Labelled<'m>, timed: TimedProcess) -> Self {
        let process = Some((timed.unit, timed.finals.into_iter().collect()));
        TimedBehaviour { model, net: timed.net, steps: timed.steps, process }
    }

    /// A net with clocks; `model` is the same net without them.
    pub fn net(model: &'m Labelled<'m>, net: ClockNet) -> Self {
        let steps = (0..net.transitions.len()).collect();
        TimedBehaviour { model, net, steps, process: None }
    }

    /// May a run be over with these tokens of the net, and perhaps of observers behind them?
    fn is_final(&self, tokens: &[u32]) -> bool {
        let tokens = &tokens[..self.net.places.len()];
        match &self.process {
            None => self.model.is_final(tokens),
            Some((_, finals)) => tokens.iter().position(|&held| held > 0).is_some_and(|place| finals.contains(place)),
        }
    }

    /// Is there a complete run?
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn completes(&self, budget: &Budget) -> Result<bool, NoAnswer> {
        let scaled = Scaled::new(&self.net)?;
        let graph = ZoneGraph::explore(&scaled, options(budget))?;
        Ok(graph.reached().any(|marking| self.is_final(&graph.markings.tokens(marking))))
    }

    /// Are delays of its runs seconds? Else they are units.
    pub fn is_in_seconds(&self) -> bool {
        self.process.is_some()
    }

    /// Asks for a rule.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn check(&self, rule: &Rule, budget: &Budget) -> Result<TimedChecked, NoAnswer> {
        let (observers, letters, length) = match &rule.deadline {
            Some(deadline) => (deadline.observers(), self.letters(rule), self.length(&deadline.length)?),
            None => {
                let (observer, letters) = Reader::new(self.model, rule, budget)?.observer();
                (vec![observer], letters, integer(0))
            }
        };
        let mut watched = Watched::new(&self.net, &self.steps, &letters);
        observers.iter().for_each(|observer| watched.add(observer, &length));
        let scaled = Scaled::new(&watched.net)?;
        let graph = ZoneGraph::explore(&scaled, options(budget))?;
        let is_broken = |tokens: &[u32]| watched.broken.iter().any(|place| tokens[place.index()] > 0);
        let tokens = |marking| graph.markings.tokens(marking);
        let breaks = |tokens: &[u32]| self.is_final(tokens) && is_broken(tokens);
        // What zones reach decides; the run is to show it.
        let all = !graph.reached().any(|marking| breaks(&tokens(marking)));
        let found = run_to(&graph, breaks);
        if !all && found.is_none() {
            return Err(NoRun::Missing.into());
        }
        let keeps = |tokens: &[u32]| self.is_final(tokens) && !is_broken(tokens);
        let some = graph.reached().any(|marking| keeps(&tokens(marking)));
        if let Some(run) = &found {
            replay(&watched.net, run)?;
        }
        let unit = self.process.as_ref().map_or_else(|| integer(1), |(unit, _)| unit.clone());
        let steps: Vec<usize> = watched.origins.iter().map(|&transition| self.steps[transition]).collect();
        let run = found.as_ref().map(|run| TimedRun::of(&unit, &steps, run));
        Ok(TimedChecked { all, some, run })
    }

    /// By transition of the model, the letter that observers of a rule read; nothing for what is no activity.
    fn letters(&self, rule: &Rule) -> Vec<Option<usize>> {
        let letter = |step| rule.letter(|name| self.model.meant(name).contains(&step));
        let positions = self.model.positions(rule);
        self.model.transitions().map(|step| positions[step].then(|| letter(step))).collect()
    }

    /// A length of time in units of the net.
    fn length(&self, length: &Length) -> Result<Rational, NoAnswer> {
        match (length, &self.process) {
            (Length::Seconds(seconds), Some((unit, _))) => Ok(seconds / unit),
            (Length::Units(units), None) => Ok(units.clone()),
            (Length::Units(_), Some(_)) => {
                Err(NoAnswer::Length("times of processes are durations of ISO 8601, as in `within P5D`"))
            }
            (Length::Seconds(_), None) => {
                Err(NoAnswer::Length("times of nets with clocks are numbers of units, as in `within 5`"))
            }
        }
    }
}

fn options(budget: &Budget) -> ZoneOptions {
    ZoneOptions { limits: Limits::of(budget), ..ZoneOptions::united_reachability() }
}

/// A net with observers beside it.
struct Watched {
    net: ClockNet,
    /// By transition, that of the net without observers.
    origins: Vec<usize>,
    /// By transition, what observers read.
    letters: Vec<Option<usize>>,
    /// The places that say that the rule is broken.
    broken: Vec<PlaceId>,
}

impl Watched {
    fn new(net: &ClockNet, steps: &[usize], letters: &[Option<usize>]) -> Self {
        let letters = steps.iter().map(|&step| letters[step]).collect();
        // Final markings and silent transitions are those of the model.
        let net = ClockNet { finals: Vec::new(), silent: Vec::new(), ..net.clone() };
        Watched { net, origins: (0..steps.len()).collect(), letters, broken: Vec::new() }
    }

    /// One more observer, whose clock is compared with this length.
    fn add(&mut self, observer: &Observer, length: &Rational) {
        let first = self.net.places.len();
        let net = &mut self.net;
        let place = |state: usize| PlaceId((first + state) as u32);
        for (state, &broken) in observer.broken.iter().enumerate() {
            let id = format!("{} of observer at {first}", state);
            net.places.push(Place { id, initial: u32::from(state == 0), invariant: Predicate::True });
            self.broken.extend(broken.then(|| place(state)));
        }
        let is_timed = observer.edges.iter().flatten().flatten().any(|edge| edge.guard != Guard::Any);
        let clock = ClockId(net.clocks.len() as u32);
        if is_timed {
            net.clocks.push(format!("time of observer at {first}"));
        }
        let (mut transitions, mut origins, mut letters) = (Vec::new(), Vec::new(), Vec::new());
        for (number, transition) in net.transitions.iter().enumerate() {
            let mut add = |transition| {
                transitions.push(transition);
                origins.push(self.origins[number]);
                letters.push(self.letters[number]);
            };
            let Some(letter) = self.letters[number] else {
                add(transition.clone());
                continue;
            };
            for (state, edges) in observer.edges.iter().enumerate() {
                for edge in &edges[letter] {
                    let mut moved = transition.clone();
                    moved.id = format!("{} from {state} at {first}", moved.id);
                    moved.inputs.push(Arc { place: place(state), weight: 1 });
                    moved.outputs.push(Arc { place: place(edge.target), weight: 1 });
                    let relation = match edge.guard {
                        Guard::Any => None,
                        Guard::AtMost => Some(Relation::AtMost),
                        Guard::MoreThan => Some(Relation::Greater),
                    };
                    if let Some(relation) = relation {
                        moved.condition = moved.condition.and(Predicate::atom(clock, relation, length.clone()));
                    }
                    moved.resets.extend(edge.resets.then_some(clock));
                    add(moved);
                }
            }
        }
        net.transitions = transitions;
        (self.origins, self.letters) = (origins, letters);
    }
}
