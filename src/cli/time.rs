//! `starset time`: what time does to a net with clocks.

use super::model::{ModelArg, clock_net_fields, clock_net_header};
use super::options::{Format, FormatArgs, Limits};
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use clap::Args;
use serde_json::{Map, Value, json};
use starset::kinds::clocks::inquiry::{Answers, Blocked, Inquiry, InquiryError, inquire};
use starset::kinds::clocks::markings;
use starset::kinds::clocks::model::{ClockNet, TransitionId};
use starset::kinds::clocks::repair::{Outcome, Proposal};
use starset::kinds::clocks::replay::Run;
use starset::kinds::clocks::scaled::Scaled;
use starset::kinds::clocks::tighten::Tightening;
use starset::kinds::clocks::times::Times;
use starset::kinds::clocks::zone::{Interval, Units, region_text};
use starset::memory::peak_resident_bytes;
use starset::report::fields::Fields;
use starset::report::timing;
use std::io::Write as _;
use std::path::PathBuf;

/// Nets with at most so many transitions are measured from each of them where nothing else is said.
const MEASURED: usize = 16;

/// Arguments of `starset time`.
#[derive(Args, Debug)]
pub(super) struct TimeArgs {
    #[command(flatten)]
    model: ModelArg,
    /// A marking in which nothing needs to happen, as 'closed' or 'done*2 idle'; may be given several times
    #[arg(long = "final", value_name = "MARKING")]
    finals: Vec<String>,
    /// Measure times from this transition, too; may be given several times, `all` is all of them [default: all of at
    /// most 16]
    #[arg(long, value_name = "TRANSITION")]
    from: Vec<String>,
    /// Measure times up to so many units
    #[arg(long, value_name = "UNITS", default_value = "1000")]
    horizon: u32,
    /// Also show changes that were tried out and are no repair, and intervals of clocks that a constraint does not name
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    format: FormatArgs,
    /// Write a page for a browser: runs on a time line, with clocks, and where each block lies
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

/// A marking as people write it.
fn marking(text: &str, net: &ClockNet) -> Result<Vec<u32>, Failure> {
    let mut tokens = vec![0; net.places.len()];
    for word in text.split_whitespace() {
        let (id, number) = match word.rsplit_once('*') {
            Some((id, number)) if net.place(word).is_none() => (id, number),
            _ => (word, "1"),
        };
        let place = net.place(id).ok_or_else(|| Failure::Input(format!("--final: there is no place `{id}`")))?;
        let number =
            number.parse().map_err(|_| Failure::Input(format!("--final: `{number}` is no number of tokens")))?;
        tokens[place.index()] = number;
    }
    Ok(tokens)
}

pub(super) fn run(args: &TimeArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let net = args.model.read_clock_net(&budget)?;
    let page = args.report.as_deref().map(OutputFile::create).transpose()?;
    let finals = args.finals.iter().map(|text| marking(text, &net)).collect::<Result<Vec<_>, _>>()?;
    let asked = Inquiry {
        is_final: &|tokens| finals.iter().any(|marking| **marking == *tokens),
        horizon: args.horizon,
        from: from(args, &net)?,
        limits: markings::Limits::of(&budget),
    };
    let scaled = Scaled::new(&net).map_err(|e| Failure::Input(e.to_string()))?;
    let answers = match inquire(&net, &asked) {
        Ok(answers) => answers,
        Err(InquiryError::Range(why)) => return Err(Failure::Input(why)),
        Err(error) => return unanswered(args, &net, &error, console),
    };
    let shown = Shown { net: &net, scaled: &scaled, answers: &answers, all: args.all };
    match args.format.get() {
        Format::Json => console.json(&shown.fields(console.started().elapsed().as_secs_f64()))?,
        Format::Text | Format::Mcc => shown.text(console)?,
    }
    if let Some(page) = page {
        let html = timing::page(&net, &scaled, &answers);
        page.write(|out| out.write_all(html.as_bytes()))?;
    }
    Ok(Status::Answered)
}

/// The transitions that times are measured from.
fn from(args: &TimeArgs, net: &ClockNet) -> Result<Vec<TransitionId>, Failure> {
    let all = || (0..net.transitions.len() as u32).map(TransitionId).collect();
    if args.from.iter().any(|id| id == "all") || args.from.is_empty() && net.transitions.len() <= MEASURED {
        return Ok(all());
    }
    let named =
        |id: &String| net.transition(id).ok_or_else(|| Failure::Input(format!("there is no transition `{id}`")));
    args.from.iter().map(named).collect()
}

/// Say that the questions stayed unanswered, and why.
fn unanswered(args: &TimeArgs, net: &ClockNet, error: &InquiryError, console: &mut Console) -> Result<Status, Failure> {
    let (reason, status) = match error {
        InquiryError::Explore(error) => (error.reason(), Status::Unknown),
        _ => ("self-check", Status::SelfCheck),
    };
    if args.format.get() == Format::Json {
        let fields = clock_net_fields("starset/time/1", net).with("reason", reason).with("message", error.to_string());
        console.json(&fields)?;
        console.flush()?;
    }
    console.error(format_args!("unknown: {error}"));
    Ok(status)
}

/// The delays and transitions of a run, as JSON.
pub(super) fn run_json(net: &ClockNet, run: &Run) -> Value {
    let mut now = run.rest.clone() - run.rest.clone();
    let steps: Vec<Value> = run
        .steps
        .iter()
        .map(|(delay, t)| {
            now += delay;
            let id = &net.transitions[t.index()].id;
            json!({ "delay": delay.to_string(), "transition": id, "at": now.to_string() })
        })
        .collect();
    json!({ "steps": steps, "rest": run.rest.to_string(), "duration": run.duration().to_string() })
}

/// The answers in words.
struct Shown<'a> {
    net: &'a ClockNet,
    scaled: &'a Scaled<'a>,
    answers: &'a Answers,
    all: bool,
}

impl Shown<'_> {
    fn transition(&self, t: TransitionId) -> &str {
        &self.net.transitions[t.index()].id
    }

    fn marking(&self, tokens: &[u32]) -> String {
        self.net.marking_text(tokens)
    }

    fn marking_json(&self, tokens: &[u32]) -> Value {
        let marked = self.net.places.iter().zip(tokens).filter(|&(_, &n)| n > 0);
        Value::Object(marked.map(|(place, n)| (place.id.clone(), n.to_string().into())).collect::<Map<_, _>>())
    }

    /// The repairs of a block, and what else was tried where that is asked for.
    fn proposals<'b>(&self, blocked: &'b Blocked) -> impl Iterator<Item = &'b Proposal> {
        let all = self.all;
        blocked.proposals.iter().filter(move |proposal| all || proposal.is_repair())
    }

    fn text(&self, console: &mut Console) -> Result<(), Failure> {
        let Answers { diagnosis, blocks, .. } = self.answers;
        console.line(clock_net_header(self.net))?;
        let mut line = |title: &str, text: String| console.line(format_args!("  {title:<22} {text}"));
        line("markings", format!("{} in time, {} without", diagnosis.timed, diagnosis.untimed))?;
        for marking in &diagnosis.unreachable {
            line("never in time", self.marking(marking))?;
        }
        for place in &diagnosis.dead_places {
            line("never marked in time", self.net.places[place.index()].id.clone())?;
        }
        for dead in &diagnosis.dead_transitions {
            let title = if dead.in_time { "never fires in time" } else { "never fires" };
            line(title, self.transition(dead.transition).to_owned())?;
        }
        for inconsistency in &self.answers.inconsistencies {
            line("inconsistent", inconsistency.text(self.scaled))?;
        }
        for (marking, run) in diagnosis.deadlocks.iter().zip(&self.answers.deadlocks) {
            line("deadlock", self.marking(marking))?;
            if let Some(run) = run {
                line("  a run", run.to_text(self.net))?;
            }
        }
        for blocked in blocks {
            let block = &blocked.block;
            let region = region_text(&block.region, self.scaled.units());
            line(block.kind.name(), format!("{} where {region}", self.marking(&block.marking)))?;
            if let Some(run) = &blocked.run {
                line("  a run", run.to_text(self.net))?;
            }
            for proposal in self.proposals(blocked) {
                line(if proposal.is_repair() { "  repair" } else { "  no repair" }, proposal.text(self.scaled))?;
            }
            if !blocked.proposals.iter().any(Proposal::is_repair) {
                line("  repair", "none by one constant".to_owned())?;
            }
        }
        // Of clocks that a constraint does not name there is much to say, and it says little.
        let named = |tightening: &&Tightening| self.all || tightening.allowed != Interval::ALL;
        for tightening in self.answers.tightenings.iter().filter(named) {
            line("may be tightened", self.tightening(tightening))?;
        }
        let since_start = &self.answers.since_start;
        self.measured("since the start", since_start, &mut line)?;
        if let Some(interval) = since_start.completion {
            line("until all is done", elapsed(since_start, interval))?;
        }
        for (from, times) in &self.answers.since {
            self.measured(&format!("since {}", self.transition(*from)), times, &mut line)?;
        }
        Ok(())
    }

    fn measured(
        &self,
        title: &str,
        times: &Times,
        line: &mut impl FnMut(&str, String) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        let firing = times.firing.iter().enumerate().filter_map(|(t, interval)| Some((t, (*interval)?)));
        let texts: Vec<String> = firing
            .map(|(t, interval)| format!("{} {}", self.net.transitions[t].id, elapsed(times, interval)))
            .collect();
        if texts.is_empty() { Ok(()) } else { Ok(line(title, texts.join(", "))?) }
    }

    fn tightening(&self, tightening: &Tightening) -> String {
        let units = self.scaled.units();
        let clock = tightening.clock.index();
        let text = |interval: Interval| units.interval(clock, interval).unwrap_or_else(|| "any value".to_owned());
        let (arises, allowed) = (text(tightening.arises), text(tightening.allowed));
        format!("{}: {arises} instead of {allowed}", tightening.constraint.text(self.net))
    }

    fn fields(&self, seconds: f64) -> Fields {
        let Answers { diagnosis, blocks, .. } = self.answers;
        let markings = |all: &[Box<[u32]>]| all.iter().map(|m| self.marking_json(m)).collect::<Vec<_>>();
        let run = |run: &Option<Run>| run.as_ref().map(|run| run_json(self.net, run));
        let dead = diagnosis.dead_transitions.iter().map(|dead| {
            json!({ "transition": self.transition(dead.transition), "by": if dead.in_time { "time" } else { "tokens" } })
        });
        let deadlocks = diagnosis.deadlocks.iter().zip(&self.answers.deadlocks);
        let deadlocks = deadlocks.map(|(marking, by)| json!({ "marking": self.marking_json(marking), "run": run(by) }));
        let tightenings = self.answers.tightenings.iter().map(|tightening| {
            let units = self.scaled.units();
            let clock = tightening.clock.index();
            json!({
                "constraint": tightening.constraint.text(self.net),
                "clock": self.net.clocks[clock],
                "allowed": units.interval(clock, tightening.allowed),
                "arises": units.interval(clock, tightening.arises),
            })
        });
        let inconsistent: Vec<String> =
            self.answers.inconsistencies.iter().map(|inconsistency| inconsistency.text(self.scaled)).collect();
        let since =
            self.answers.since.iter().map(|(from, times)| (self.transition(*from).to_owned(), self.times(times)));
        clock_net_fields("starset/time/1", self.net)
            .with("consistent", inconsistent.is_empty())
            .with("inconsistencies", inconsistent)
            .with("untimed_markings", diagnosis.untimed.to_string())
            .with("markings", diagnosis.timed.to_string())
            .with("unreachable", markings(&diagnosis.unreachable))
            .with(
                "dead_places",
                diagnosis.dead_places.iter().map(|p| &self.net.places[p.index()].id).collect::<Vec<_>>(),
            )
            .with("dead_transitions", dead.collect::<Vec<_>>())
            .with("deadlocks", deadlocks.collect::<Vec<_>>())
            .with("blocks", blocks.iter().map(|blocked| self.block(blocked)).collect::<Vec<_>>())
            .with("tightenings", tightenings.collect::<Vec<_>>())
            .with("since_start", self.times(&self.answers.since_start))
            .with("completion", self.answers.since_start.completion.map(|i| interval(&self.answers.since_start, i)))
            .with("since", Value::Object(since.collect()))
            .with("peak_memory_bytes", peak_resident_bytes())
            .with("seconds", seconds)
    }

    fn block(&self, blocked: &Blocked) -> Value {
        let block = &blocked.block;
        let units = self.scaled.units();
        let hull = block.region.hull().map(|hull| {
            let clocks = self.net.clocks.iter().zip(&hull.intervals).enumerate();
            let clocks = clocks.map(|(x, (name, &i))| (name.clone(), json!(units.interval(x, i))));
            Value::Object(clocks.collect())
        });
        let proposals = blocked.proposals.iter().map(|proposal| {
            let (outcome, region) = match &proposal.outcome {
                Outcome::Removes => ("removes", None),
                Outcome::Shrinks(region) => ("shrinks", Some(region_text(region, units))),
                Outcome::Leaves => ("leaves", None),
                Outcome::Creates(_) => ("creates", None),
                Outcome::Empties => ("empties", None),
            };
            json!({
                "change": proposal.change.text(self.net),
                "outcome": outcome,
                "region": region,
                "creates": match &proposal.outcome {
                    Outcome::Creates(marking) => self.marking_json(marking),
                    _ => Value::Null,
                },
                "lost": proposal.lost.iter().map(|marking| self.marking_json(marking)).collect::<Vec<_>>(),
                "text": proposal.text(self.scaled),
            })
        });
        json!({
            "marking": self.marking_json(&block.marking),
            "kind": block.kind.name(),
            "region": region_text(&block.region, units),
            "clocks": hull,
            "run": blocked.run.as_ref().map(|run| run_json(self.net, run)),
            "repairs": proposals.collect::<Vec<_>>(),
        })
    }

    fn times(&self, times: &Times) -> Value {
        let firing = self.net.transitions.iter().zip(&times.firing);
        Value::Object(firing.filter_map(|(t, i)| Some((t.id.clone(), interval(times, (*i)?)))).collect())
    }
}

fn units(times: &Times) -> Units<'static> {
    Units { clocks: &[], scale: times.scale }
}

/// How long something takes: `8..70`, `(2..`, with brackets where an end is not attained.
fn elapsed(times: &Times, interval: Interval) -> String {
    let units = units(times);
    let least = units.constant(-interval.lower.constant());
    let open = if interval.lower.is_strict() { "(" } else { "" };
    if interval.upper.is_none() {
        return format!("{open}{least}..");
    }
    let close = if interval.upper.is_strict() { ")" } else { "" };
    format!("{open}{least}..{}{close}", units.constant(interval.upper.constant()))
}

fn interval(times: &Times, interval: Interval) -> Value {
    let units = units(times);
    let upper = (!interval.upper.is_none()).then(|| units.constant(interval.upper.constant()).to_string());
    json!({
        "fastest": units.constant(-interval.lower.constant()).to_string(),
        "fastest_attained": !interval.lower.is_strict(),
        "slowest": upper,
        "slowest_attained": !interval.upper.is_none() && !interval.upper.is_strict(),
    })
}
