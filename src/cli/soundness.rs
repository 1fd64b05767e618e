//! `starset soundness`: the notions of soundness of workflow nets, with time and without.

use super::model::{ModelArg, clock_net_fields, clock_net_header};
use super::options::{Format, FormatArgs, Limits};
use super::time::run_json;
use super::{Console, Failure, Status};
use clap::Args;
use serde_json::{Value, json};
use starset::budget::Budget;
use starset::kinds::clocks::fairness::{Incomplete, incomplete};
use starset::kinds::clocks::markings::{self, ExploreError};
use starset::kinds::clocks::model::{ClockNet, TransitionId};
use starset::kinds::clocks::replay::{Run, replay};
use starset::kinds::clocks::scaled::Scaled;
use starset::kinds::clocks::soundness::{Demand, Soundness, Workflow, soundness, unbounded};
use starset::report::fields::Fields;

/// Arguments of `starset soundness`.
#[derive(Args, Debug)]
#[command(after_help = "A workflow net has one place without input, one without output, every node on a path between \
    them, and one token in the first. Without clocks a net is a workflow without time: PNML of any tool will do.")]
pub(super) struct SoundnessArgs {
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    limits: Limits,
}

/// The answers; `None` for what stayed unknown.
struct Answers {
    demands: Option<Soundness>,
    fair: Option<Option<Incomplete>>,
    /// Without time, the net is known to have infinitely many markings.
    unbounded: bool,
    stopped: Option<ExploreError>,
}

pub(super) fn run(args: &SoundnessArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let net = args.model.read_clock_net(&budget)?;
    let workflow = Workflow::of(&net).map_err(|e| Failure::Input(format!("{}: {e}", net.name)))?;
    let answers = ask(&net, workflow, &budget)?;
    let broken = answers.runs().into_iter().find_map(|run| replay(&net, run).err());
    let shown = Shown { net: &net, workflow, answers: &answers };
    match args.format.get() {
        Format::Json => console.json(&shown.fields(console.started().elapsed().as_secs_f64()))?,
        Format::Text | Format::Mcc => shown.text(console)?,
    }
    console.flush()?;
    if let Some(error) = broken {
        console.error(format_args!("a run that was found does not replay: {error}"));
        return Ok(Status::SelfCheck);
    }
    match &answers.stopped {
        Some(error) => {
            console.error(format_args!("unknown: {error}"));
            Ok(Status::Unknown)
        }
        None => Ok(Status::Answered),
    }
}

fn ask(net: &ClockNet, workflow: Workflow, budget: &Budget) -> Result<Answers, Failure> {
    let scaled = Scaled::new(net).map_err(|e| Failure::Input(e.to_string()))?;
    let limits = markings::Limits::of(budget);
    let unbounded = net.clocks.is_empty() && unbounded(net, budget);
    if unbounded {
        return Ok(Answers { demands: None, fair: None, unbounded, stopped: None });
    }
    let (mut stopped, goal) = (None, |tokens: &[u32]| workflow.is_final(tokens));
    let mut kept = |error: ExploreError| stopped = stopped.take().or(Some(error));
    let demands = soundness(&scaled, workflow, &limits).map_err(&mut kept).ok();
    let fair = incomplete(&scaled, &limits, &goal).map_err(&mut kept).ok();
    Ok(Answers { demands, fair, unbounded, stopped })
}

impl Answers {
    /// The runs from the start that refute something.
    fn runs(&self) -> Vec<&Run> {
        let mut runs = Vec::new();
        if let Some(s) = &self.demands {
            for demand in [&s.option_to_complete, &s.proper_completion, &s.option_to_mark, &s.single] {
                if let Demand::Refuted(Some(run)) = demand {
                    runs.push(run);
                }
            }
        }
        if let Some(Some(Incomplete::Stops(run) | Incomplete::Repeats(run, _))) = &self.fair {
            runs.push(run);
        }
        runs
    }

    /// Is the net sound in each of the notions?
    fn verdicts(&self) -> [(&'static str, Option<bool>); 5] {
        let of = |sound: fn(&Soundness) -> bool| self.demands.as_ref().map(sound);
        let fair = self.fair.as_ref().map(Option::is_none);
        // Growing tokens are left over, or not taken away any more.
        let grown = |verdict: Option<bool>| if self.unbounded { Some(false) } else { verdict };
        [
            ("classical", grown(of(Soundness::classical))),
            ("weak", grown(of(Soundness::weak))),
            ("relaxed", of(Soundness::relaxed)),
            ("lazy", of(Soundness::lazy)),
            ("fair", fair),
        ]
    }
}

/// What the demands are called, in text and in JSON.
type Demands<'a> = [(&'static str, &'static str, &'a Demand); 4];

fn demands(s: &Soundness) -> Demands<'_> {
    [
        ("option to complete", "option_to_complete", &s.option_to_complete),
        ("proper completion", "proper_completion", &s.proper_completion),
        ("option to mark the end", "option_to_mark", &s.option_to_mark),
        ("end marked once", "single", &s.single),
    ]
}

struct Shown<'a> {
    net: &'a ClockNet,
    workflow: Workflow,
    answers: &'a Answers,
}

impl Shown<'_> {
    fn names(&self, transitions: &[TransitionId]) -> Vec<&str> {
        transitions.iter().map(|t| self.net.transitions[t.index()].id.as_str()).collect()
    }

    fn text(&self, console: &mut Console) -> Result<(), Failure> {
        console.line(clock_net_header(self.net))?;
        let mut line = |title: &str, text: &str| console.line(format_args!("  {title:<22} {text}"));
        for (notion, verdict) in self.answers.verdicts() {
            let text = match verdict {
                Some(true) => "sound",
                Some(false) => "not sound",
                None => "unknown",
            };
            line(notion, text)?;
        }
        if self.answers.unbounded {
            line("unbounded", "without time, tokens grow without end")?;
        }
        let state = |run: &Run| match replay(self.net, run) {
            Ok(end) => format!("{} reaches {}", run.to_text(self.net), self.net.marking_text(&end.marking)),
            Err(_) => run.to_text(self.net),
        };
        if let Some(s) = &self.answers.demands {
            for (title, _, demand) in demands(s) {
                match demand {
                    Demand::Met => {}
                    Demand::Refuted(Some(run)) => line(title, &format!("refuted: {}", state(run)))?,
                    Demand::Refuted(None) => line(title, "refuted")?,
                }
            }
            for (title, transitions) in [("never fires", &s.dead), ("never on a way to the end", &s.useless)] {
                if !transitions.is_empty() {
                    line(title, &self.names(transitions).join(", "))?;
                }
            }
        }
        match &self.answers.fair {
            Some(Some(Incomplete::Stops(run))) => line("fair runs", &format!("one stops: {}", state(run)))?,
            Some(Some(Incomplete::Repeats(run, cycle))) => {
                let cycle = cycle.to_text(self.net);
                line("fair runs", &format!("one never ends: {}, then again and again {cycle}", run.to_text(self.net)))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn fields(&self, seconds: f64) -> Fields {
        let place = |p: starset::kinds::clocks::model::PlaceId| &self.net.places[p.index()].id;
        let run = |run: &Run| run_json(self.net, run);
        let mut fields = clock_net_fields("starset/soundness/1", self.net)
            .with("source", place(self.workflow.source))
            .with("sink", place(self.workflow.sink));
        for (notion, verdict) in self.answers.verdicts() {
            fields = fields.with(notion, verdict);
        }
        fields = fields.with_some("unbounded", self.answers.unbounded.then_some(true));
        if let Some(s) = &self.answers.demands {
            for (_, key, demand) in demands(s) {
                let refuted = match demand {
                    Demand::Met | Demand::Refuted(None) => None,
                    Demand::Refuted(Some(by)) => Some(run(by)),
                };
                fields = fields.with(key, json!({ "met": demand.is_met(), "refuted_by": refuted }));
            }
            fields = fields
                .with("dead_transitions", self.names(&s.dead))
                .with("useless_transitions", self.names(&s.useless));
        }
        let fair = match &self.answers.fair {
            None => Value::Null,
            Some(None) => json!({ "met": true, "refuted_by": null, "repeats": null }),
            Some(Some(Incomplete::Stops(stem))) => json!({ "met": false, "refuted_by": run(stem), "repeats": null }),
            Some(Some(Incomplete::Repeats(stem, cycle))) => {
                json!({ "met": false, "refuted_by": run(stem), "repeats": run(cycle) })
            }
        };
        let stopped = self.answers.stopped.as_ref();
        let unbounded = self.answers.unbounded;
        let reason = stopped.map(ExploreError::reason).or(unbounded.then_some("unbounded"));
        fields
            .with("completion_of_fair_runs", fair)
            .with("time_model", if self.net.clocks.is_empty() { "none" } else { "dense" })
            .with("reason", reason)
            .with("message", stopped.map(ToString::to_string))
            .with("seconds", seconds)
    }
}
