//! `starset states --each`, and the examinations of each transition or place: a line for each, as soon as it is known.

use super::events::Events;
use super::interrupt::end;
use super::options::{Choices, Format};
use super::{Console, Failure, Status};
use rustc_hash::FxHashSet;
use serde::Deserialize;
use starset::budget::Budget;
use starset::decide::{Request, Settings, Subject, Value};
use starset::examination::{Answer, Each, Event, Examination, OfOne, ask, each_of};
use starset::formula::Pool;
use starset::kinds::Loaded;
use starset::report::fields::Fields;
use starset::report::mcc::line;
use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::thread;

/// The properties by their names.
pub(super) const EACH: Choices<Each> = &[
    (Each::Fireable.name(), Each::Fireable, "Can the transition fire at some time?"),
    (Each::Live.name(), Each::Live, "Can the transition always fire again?"),
    (Each::Stable.name(), Each::Stable, "Has the place always the same number of tokens?"),
    (Each::Bound.name(), Each::Bound, "The most tokens in the place"),
];

/// What is asked, and how it is printed.
pub(super) struct Asked<'a> {
    pub(super) properties: &'a [Each],
    /// Lines of an earlier run.
    pub(super) known: Option<&'a Path>,
    pub(super) format: Format,
}

/// A line of an earlier run.
#[derive(Deserialize)]
struct Known {
    schema: String,
    model: String,
    property: String,
    name: String,
    reason: Option<String>,
}

/// What a file of an earlier run has answered about a model.
fn known(path: &Path, model: &str) -> Result<FxHashSet<(String, String)>, Failure> {
    let refused = |why: String| Failure::Input(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let (mut known, lines, is_cut_off) = (FxHashSet::default(), text.lines().count(), !text.ends_with('\n'));
    for (number, text) in text.lines().enumerate() {
        let at = number + 1;
        let remedy = "give the output of starset states --each --json";
        match serde_json::from_str::<Known>(text) {
            Ok(line) if line.schema == SCHEMA && line.model != model => {
                return Err(refused(format!("line {at} is about the model `{}`, not `{model}`; {remedy}", line.model)));
            }
            Ok(line) if line.schema == SCHEMA => {
                if line.reason.is_none() {
                    known.insert((line.property, line.name));
                }
            }
            Ok(line) => return Err(refused(format!("line {at} is of `{}`; {remedy}", line.schema))),
            // The run was ended while it wrote.
            Err(_) if is_cut_off && at == lines => {}
            Err(error) => return Err(refused(format!("line {at}: {error}; {remedy}"))),
        }
    }
    Ok(known)
}

/// The schema of a line.
const SCHEMA: &str = "starset/each/1";

/// Ask, and print what comes.
pub(super) fn run(
    loaded: &Loaded,
    asked: &Asked<'_>,
    settings: &Settings<'_>,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    let known = asked.known.map(|path| known(path, loaded.model.name())).transpose()?.unwrap_or_default();
    let properties: Vec<Each> = Each::ALL.into_iter().filter(|each| asked.properties.contains(each)).collect();
    let mut pool = Pool::new();
    let is_known = |of: &OfOne| known.contains(&(of.each.name().to_owned(), of.name.clone()));
    let (each, questions): (Vec<_>, Vec<_>) = each_of(loaded, &properties, &mut pool, is_known).into_iter().unzip();
    let requests: Vec<Request> = questions.into_iter().map(Request::from).collect();
    let subject = Subject { model: &*loaded.model, groups: &loaded.groups, pool: &pool };
    let (sender, receiver) = mpsc::channel();
    let ids: Vec<String> = (0..each.len()).map(|number| number.to_string()).collect();
    let open = ids.iter().cloned().collect();
    let (mut status, mut decided) = (Status::Answered, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let sender = sender;
            // Nobody listens any more when the output cannot be written.
            let hear = |event: Event| drop(sender.send(event));
            ask(subject, (&ids, &requests), settings, budget, &hear);
        });
        for event in Events::new(receiver, open, budget) {
            let number = |id: &str| id.parse::<usize>().unwrap_or_default();
            match event {
                Event::Answer(answer) => {
                    let of = &each[number(&answer.id)];
                    let answer = Answer { value: of.each.value(answer.value), id: of.name.clone(), ..answer };
                    match answer.value {
                        Value::Unknown(_) if status == Status::Answered => status = Status::Unknown,
                        Value::Unknown(_) => {}
                        _ => decided += 1,
                    }
                    print(loaded, of, &answer, asked.format, console)?;
                }
                Event::Fault(id, fault) => {
                    status = Status::SelfCheck;
                    let of = &each[number(&id)];
                    console.error(format_args!("{} {}: internal error: {fault}", of.each, of.name));
                }
            }
            console.flush()?;
        }
        console.note(format_args!("{decided} of {} answered", each.len()));
        end(status)
    })
}

/// The line of an answer.
fn print(loaded: &Loaded, of: &OfOne, answer: &Answer, format: Format, console: &mut Console) -> Result<(), Failure> {
    match format {
        Format::Text => {
            let value = match &answer.value {
                Value::Unknown(_) => "unknown".to_owned(),
                value => value.to_string(),
            };
            let before = format!("{} {}: ", of.each, of.name);
            console.judged(before.len(), &format!("{before}{value}"))?;
        }
        Format::Json => {
            let (verdict, bound) = match &answer.value {
                Value::Verdict(verdict) => (Some(*verdict), None),
                Value::Unknown(_) => (None, None),
                value => (None, Some(value.to_string())),
            };
            let reason = match &answer.value {
                Value::Unknown(stop) => Some(stop),
                _ => None,
            };
            console.json(
                &Fields::new(SCHEMA)
                    .with("model", loaded.model.name())
                    .with("property", of.each.name())
                    .with("name", &of.name)
                    .with("verdict", verdict)
                    .with("bound", bound)
                    .with("reason", reason.map(|stop| stop.reason()))
                    .with("message", reason.map(ToString::to_string))
                    .with("technique", answer.technique.name())
                    .with("seconds", console.started().elapsed().as_secs_f64()),
            )?;
        }
        Format::Mcc => console.line(line(Examination::UpperBounds, answer))?,
    }
    Ok(())
}
