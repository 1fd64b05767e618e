//! Answers as text, as JSON objects, as lines of the contest, and on a page.
//!
//! They are printed in the order of the questions, each when all of it has come that the form of output shows. With
//! several threads no answer waits for those before it longer than [`PATIENCE`]. What is known when the time is over is
//! printed then.

use super::collector::Collector;
use super::options::Format;
use super::options::stopped;
use super::page::Collected;
use super::{Console, Failure};
use num_bigint::BigUint;
use starset::StopReason;
use starset::budget::Exhausted;
use starset::decide::{Explained, Technique, Value};
use starset::examination::{Answer, Examination};
use starset::report::fields::Fields;
use starset::report::formulas::{QuestionReport, SettingCounts};
use starset::report::mcc::line;
use starset::report::number::count;
use starset::report::page::Beside;
use starset::report::state;
use starset::report::witness::{Purpose, nusmv, text};
use std::time::{Duration, Instant};

/// How long a known answer waits for those before it, where there are several threads.
const PATIENCE: Duration = Duration::from_millis(250);
/// The longest formula that is told to those who want details.
const SHORT: usize = 200;

impl Collector<'_> {
    /// When an answer has waited long enough.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let waiting = self.printing.iter().filter(|of| !of.printed).filter_map(|of| of.ready).min();
        waiting.filter(|_| self.args.limits.threads() > 1).map(|since| since + PATIENCE)
    }

    /// Print what is complete and has waited for its turn.
    pub(super) fn print_ready(&mut self, console: &mut Console) -> Result<(), Failure> {
        if self.compares {
            return Ok(());
        }
        let json = self.args.format.get() == Format::Json;
        let witness = json || self.args.witness.is_asked_in_words();
        let set = json || self.sets;
        let now = Instant::now();
        for number in 0..self.records.len() {
            if self.printing[number].ready.is_none() {
                let complete = self.records[number].is_complete(set, witness) && self.knows_fair_path(number);
                self.printing[number].ready = complete.then_some(now);
            }
        }
        let several = self.args.limits.threads() > 1;
        let mut in_turn = true;
        for number in 0..self.records.len() {
            let of = &self.printing[number];
            let waited = several && of.ready.is_some_and(|since| since + PATIENCE <= now);
            in_turn &= of.printed || of.ready.is_some();
            if !of.printed && (in_turn || waited) {
                self.print(number, console)?;
            }
        }
        Ok(())
    }

    /// The decider has ended: print what is left, and the page.
    pub(super) fn finish(&mut self, page: Option<&mut Collected>, console: &mut Console) -> Result<(), Failure> {
        for number in 0..self.records.len() {
            if !self.printing[number].printed {
                self.print(number, console)?;
            }
        }
        for record in &self.records {
            self.summary.broken |= record.doubt.is_some();
        }
        let mut told = Vec::new();
        for stop in &self.stops {
            let message = stopped(stop, &self.args.limits);
            if !told.contains(&message) {
                console.error(&message);
                told.push(message);
            }
        }
        let Some(collected) = page else { return Ok(()) };
        for (number, (record, of)) in self.records.iter().zip(&self.printing).enumerate() {
            let mut beside = Beside::default();
            if let Some(formula) = record.formula {
                beside = beside.with_formula(&*self.model.model, self.names.pool, self.names.symbols, formula);
            }
            if let Some(witness) = record.witness() {
                beside = beside.with_sources(&*self.model.model, witness);
            }
            if let Some(states) = record.set.as_ref().and_then(|set| set.members.as_ref()) {
                beside = beside.with_members(&*self.model.model, states);
            }
            let fields = of.shown.clone().unwrap_or_else(|| self.fields(record));
            collected.add(self.turns.get(number).copied().unwrap_or(number), fields, record.witness(), beside);
        }
        Ok(())
    }

    /// Print an answer and take note of it.
    fn print(&mut self, number: usize, console: &mut Console) -> Result<(), Failure> {
        let record = &self.records[number];
        let outcome = record.outcome();
        let id = &record.id.clone();
        if let Some(&turn) = self.turns.get(number) {
            console.begin_turn(turn);
        }
        match self.args.format.get() {
            Format::Json => {
                let fields = self.fields(record);
                console.json(&fields)?;
                self.printing[number].shown = Some(fields);
            }
            Format::Mcc => {
                let known = record.answer.as_ref().filter(|_| outcome.reason.is_none());
                let unknown = Value::Unknown(Exhausted::Cancelled.into());
                let value = known.map_or(unknown, |answer| answer.value.clone());
                let answer = Answer { id: id.clone(), value, technique: record.technique() };
                console.line(line(Examination::CTLCardinality, &answer))?;
            }
            Format::Text => {
                self.print_text(record, console)?;
                self.print_trace(number, console)?;
            }
        }
        console.end_turn()?;
        let record = &self.records[number];
        if record.fair_path == Some(false) {
            let state = self.names.model.terms().state;
            let state = match self.names.model.initial_states().len() {
                0 | 1 => format!("the initial {state}"),
                _ => format!("one of the initial {state}s, or in several"),
            };
            let none = match (record.paths.as_deref(), self.args.formulas.final_text()) {
                (Some("finite"), None) => format!("no run from {state} ends in a deadlock"),
                (Some("finite"), Some(_)) => format!("no run from {state} ends where --final says"),
                _ => format!("no fair path begins in {state}"),
            };
            console.note(format_args!("{id}: {none}: there E is false and A is true, whatever follows"));
        }
        if let (Some(Explained::Missing(why)), true) = (&record.explained, self.args.witness.is_asked_in_words()) {
            // What has no verdict has no witness.
            if outcome.verdict.is_some() {
                console.error(format_args!("{id}: {why}"));
            }
        }
        let stop = match record.answer.as_ref().map(|answer| &answer.value) {
            Some(Value::Unknown(stop)) if record.doubt.is_none() => Some(stop),
            _ => record.set.as_ref().and_then(|set| set.stop.as_ref()),
        };
        match (stop, &outcome.message) {
            (
                Some(
                    stop @ (StopReason::Exhausted(_)
                    | StopReason::NotFound { .. }
                    | StopReason::Unbounded { .. }
                    | StopReason::OutOfRange { .. }),
                ),
                _,
            ) => {
                let stop = stop.clone();
                self.stops.push(stop);
            }
            (_, Some(message)) => console.error(format_args!("{id}: {message}")),
            (_, None) => {}
        }
        self.summary.unknown |= outcome.reason.is_some();
        self.summary.undefined |= outcome.reason == Some("undefined");
        self.summary.refuted |= outcome.verdict == Some(false);
        self.printing[number].printed = true;
        Ok(console.flush()?)
    }

    fn print_text(&self, record: &QuestionReport, console: &mut Console) -> Result<(), Failure> {
        let (id, verdict) = (&record.id, record.outcome().text());
        if record.text.len() <= SHORT {
            console.detail(format_args!("{id}: {}", record.text));
        }
        for assumption in record.assumptions.iter().filter(|text| text.len() <= SHORT) {
            console.detail(format_args!("{id}: under {assumption}"));
        }
        if let Some(answer) = &record.answer {
            let states = answer.explored.map_or(String::new(), |stats| format!(", {} states", stats.states));
            console.detail(format_args!("{id}: by {}{states}", in_words(answer.technique)));
        }
        let sizes = record.set.as_ref().filter(|_| self.sets).and_then(|set| set.size.as_ref());
        match (sizes, self.reachable()) {
            (Some(size), Some(reachable)) => {
                let (size, reachable, states) = (count(size), count(reachable), self.names.model.terms().state);
                let text = format!("{id}: {verdict}, holds in {size} of {reachable} {states}s");
                console.judged(id.len() + 2, &text)?;
                if let Some(SettingCounts { of, all, some }) = record.set.as_ref().and_then(|set| set.settings.as_ref())
                {
                    let [of, all, some] = [of, all, some].map(count);
                    console.line(format_args!("  all states for {all}, some for {some} of {of} settings of inputs"))?;
                }
            }
            _ => console.judged(id.len() + 2, &format!("{id}: {verdict}"))?,
        }
        for member in record.set.iter().filter_map(|set| set.members.as_ref()).flatten() {
            console
                .line(format_args!("  {}", state::text(self.names.model, self.names.symbols, member, usize::MAX)))?;
        }
        let as_text = self.args.witness.is_shown() && self.args.witness.trace.form().is_none();
        if let Some(witness) = record.witness().filter(|_| as_text) {
            console.line(text(witness, self.names, record.written.as_deref()))?;
        }
        Ok(())
    }

    /// Print what NuSMV prints of an answer, if that is asked for.
    fn print_trace(&mut self, number: usize, console: &mut Console) -> Result<(), Failure> {
        let record = &self.records[number];
        let Some(form) = self.args.witness.trace.form() else { return Ok(()) };
        let outcome = record.outcome();
        let written = record.written.as_deref().unwrap_or(&record.text);
        match (outcome.verdict, &outcome.bound) {
            (Some(verdict), _) => {
                let purpose = match record.logic.as_deref() {
                    _ if record.invariant => Purpose::Invariant,
                    Some("LTL") => Purpose::Ltl,
                    // The meaning of paths where a formula of LTL is also one of CTL.
                    _ if record.paths.as_deref() == Some("stutter") => Purpose::Ltl,
                    _ => Purpose::Ctl,
                };
                let witness = (record.witness(), self.names);
                let lines = nusmv(form, witness, (written, verdict, purpose), &mut self.traces);
                console.line(lines.trim_end_matches('\n'))
            }
            (None, Some(bound)) => console.line(format_args!("-- the result of {written}  is {bound}")),
            (None, None) => Ok(()),
        }
        .map_err(Failure::from)
    }

    fn fields(&self, record: &QuestionReport) -> Fields {
        record.fields(self.names, self.space.as_ref(), self.engine.name())
    }

    fn reachable(&self) -> Option<&BigUint> {
        self.space.as_ref().and_then(|space| space.states.as_ref())
    }
}

/// A technique, for people.
fn in_words(technique: Technique) -> &'static str {
    match technique {
        Technique::DecisionDiagrams => "decision diagrams",
        Technique::Explicit => "explicit search",
        Technique::Sat => "satisfiability of bits",
        Technique::BitState => "explicit search with a few bits for each state",
        Technique::RandomWalk => "a random walk",
        Technique::Coverability => "a coverability graph",
        Technique::Skeleton => "the skeleton of the coloured net",
        Technique::TokenLimit => "markings with few tokens",
        Technique::StateEquation => "the state equation",
        Technique::Reduction => "a reduced net",
        Technique::Parts => "parts of the network",
        other => other.name(),
    }
}
