//! Soundness of workflow nets in the simple case.

use super::{Error, Model, NamedRun, NamedState};
use crate::kinds::clocks::fairness::Incomplete;
use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::notions::{Answers, ask};
use crate::kinds::clocks::rational::Rational;
use crate::kinds::clocks::replay::Run;
use crate::kinds::clocks::soundness::{Demand, Workflow};
use crate::kinds::{Kind, Reading, read_clock_net};
use crate::model::{ActionId, State, Step};
use crate::report::fields::Fields;
use crate::report::soundness;
use crate::witness::End;
use num_traits::ToPrimitive as _;

/// Units of time that a run may wait at once.
const MOST_TICKS: u64 = 10_000;

/// Is a workflow net sound, in each of the notions? See [`Model::soundness`].
#[derive(Debug)]
pub struct Soundness {
    net: ClockNet,
    answers: Answers,
    /// The model that was asked.
    model: Model,
}

impl Soundness {
    /// The notions with their answers; `None` for what is not known.
    pub fn notions(&self) -> [(&'static str, Option<bool>); 5] {
        self.answers.verdicts()
    }

    /// Why some of them are not known.
    pub fn reason(&self) -> Option<String> {
        self.answers.stopped.as_ref().map(ToString::to_string)
    }

    /// The answers line by line, with runs that refute what is refuted.
    pub fn text(&self) -> Vec<String> {
        soundness::text(&self.net, &self.answers)
    }

    /// The same as an object of JSON, as `starset soundness --json` prints it: docs/json.md.
    pub fn fields(&self) -> Fields {
        soundness::fields(&self.net, &self.answers)
    }

    /// The same as a page for a browser, with the net, and the states that cannot complete.
    pub fn page(&self) -> String {
        soundness::page(&self.net, &self.answers)
    }

    /// The runs that refute something, each with the name in JSON of the demand that it refutes: from the start to a state
    /// from which the end cannot be reached, to one where something is left over, and so on; a fair run that never ends is a
    /// loop. Of a net with clocks they pass time step by step, as the runs of formulas do, in a unit that divides their
    /// delays, of which the clocks in states count the parts; one without such a unit is left out, and is in
    /// [`Soundness::text`] alone.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::witness::End;
    /// let claim = Model::read("models/claim.pnwc")?;
    /// let soundness = claim.soundness()?;
    /// let runs = soundness.runs();
    /// let (demand, run) = &runs[0];
    /// assert_eq!((*demand, run.formula()), ("option_to_complete", "option to complete"));
    /// assert_eq!(run.states()[0], claim.initial());
    /// assert!(run.states().last().is_some_and(|state| state.number("closed") == Some(0)));
    /// assert_eq!(run.end(), End::Deadlock);
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn runs(&self) -> Vec<(&'static str, NamedRun)> {
        let mut runs = Vec::new();
        let mut add = |key, title, run, cycle| runs.extend(self.named(title, run, cycle).map(|run| (key, run)));
        for (title, key, demand) in self.answers.demands.iter().flat_map(soundness::demands) {
            if let Demand::Refuted(Some(run)) = demand {
                add(key, title, run, None);
            }
        }
        match &self.answers.fair {
            Some(Some(Incomplete::Stops(run))) => add(FAIR, "completion of fair runs", run, None),
            Some(Some(Incomplete::Repeats(run, cycle))) => add(FAIR, "completion of fair runs", run, Some(cycle)),
            _ => {}
        }
        runs
    }

    /// A run in the states of the model.
    fn named(&self, title: &str, run: &Run, cycle: Option<&Run>) -> Option<NamedRun> {
        let model = self.model_in_unit_of(run, cycle);
        let (kind, first) = (model.kind(), model.kind().initial());
        let mut played = Played { kind, states: vec![first], steps: Vec::new() };
        played.play(run)?;
        let start = played.steps.len();
        let end = match cycle {
            Some(cycle) => {
                played.play(cycle)?;
                let last = played.states.pop()?;
                played.states.get(start).filter(|first| **first == last)?;
                End::Loop(start)
            }
            None if played.states.last().is_some_and(|last| kind.is_deadlock(last)) => End::Deadlock,
            None => End::Open,
        };
        let Played { states, steps, .. } = played;
        let states = states.into_iter().map(|state| NamedState::new(&model, state)).collect();
        Some(NamedRun { formula: title.to_owned(), states, steps, end, least: 0 })
    }

    /// The model in a unit of time that divides all delays of a run.
    fn model_in_unit_of(&self, run: &Run, cycle: Option<&Run>) -> Model {
        let Some(clock) = self.net.clocks.first() else { return self.model.clone() };
        let delays = |run: &Run| -> Vec<Rational> {
            run.steps.iter().map(|(delay, _)| delay).chain([&run.rest]).cloned().collect()
        };
        let delays = delays(run).into_iter().chain(cycle.map(delays).unwrap_or_default());
        let texts: Vec<String> = delays.map(|delay| format!("\"{clock}\" = 1/{}", delay.denom())).collect();
        self.model.rescaled(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Transitions that never fire.
    pub fn dead(&self) -> Vec<&str> {
        self.answers.demands.as_ref().map_or_else(Vec::new, |found| self.net.transition_names(&found.dead))
    }
}

/// The name in JSON of the demand on fair runs.
const FAIR: &str = "completion_of_fair_runs";

/// A run as steps of a model.
struct Played<'m> {
    kind: &'m dyn Kind,
    states: Vec<State>,
    steps: Vec<String>,
}

impl Played<'_> {
    /// Play a run after what has been played; `None` if the model has no such steps.
    fn play(&mut self, run: &Run) -> Option<()> {
        for (delay, transition) in &run.steps {
            self.wait(delay)?;
            self.step(ActionId(transition.0))?;
        }
        self.wait(&run.rest)
    }

    fn wait(&mut self, delay: &Rational) -> Option<()> {
        let Some(tick) = self.kind.tick() else { return Some(()) };
        let unit = self.kind.variable_ids().find_map(|variable| self.kind.unit(variable))?;
        let ticks = delay * Rational::from_integer(unit.parts.into());
        let ticks =
            ticks.is_integer().then(|| ticks.to_integer().to_u64()).flatten().filter(|&ticks| ticks <= MOST_TICKS)?;
        (0..ticks).try_for_each(|_| self.step(tick))
    }

    fn step(&mut self, action: ActionId) -> Option<()> {
        let from = self.states.last()?;
        let (step, mut to) = (Step::from(action), from.clone());
        self.steps.push(self.kind.describe(from, step).into_owned());
        self.kind.advance(&mut to, step).then(|| self.states.push(to))
    }
}

impl Model {
    /// Is a workflow net sound, with its time if it has any? It has one place without input, in which its only token is
    /// at first, and one without output.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::net::NetBuilder;
    /// let mut b = NetBuilder::new("order");
    /// let (start, end) = (b.place("start", 1)?, b.place("end", 0)?);
    /// let handle = b.transition("handle")?;
    /// b.input(start, handle, 1)?;
    /// b.output(handle, end, 1)?;
    /// let soundness = Model::new(b.build()?).soundness()?;
    /// assert_eq!(soundness.notions()[0], ("classical", Some(true)));
    /// assert!(soundness.dead().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoWorkflow`] when it is no workflow net.
    pub fn soundness(&self) -> Result<Soundness, Error> {
        let net = match (self.kind().as_net(), &self.shared.source) {
            (Some(net), _) => ClockNet::of_named_net(net).map_err(|error| self.no_workflow(&error))?,
            (None, Some(source)) => {
                let path = source.unchanged()?;
                self.run(|budget| read_clock_net(path, &Reading::default(), budget))?
            }
            (None, None) => return Err(self.no_workflow(&format!("it is a {}", self.kind().terms().model))),
        };
        let workflow = Workflow::of(&net).map_err(|error| self.no_workflow(&error))?;
        let answers = self.run(|budget| ask(&net, workflow, budget)).map_err(|error| self.no_workflow(&error))?;
        match &answers.broken {
            Some(run) => Err(Error::SelfCheck(format!("a run that was found does not replay: {run}"))),
            None => Ok(Soundness { net, answers, model: self.clone() }),
        }
    }

    pub(super) fn no_workflow(&self, error: &impl ToString) -> Error {
        Error::NoWorkflow { model: self.name().to_owned(), error: error.to_string() }
    }
}
