//! `starset mcc`: one examination of the Model Checking Contest.

use super::events::Events;
use super::examples;
use super::interrupt::{end, last_words};
use super::model;
use super::options::{Format, Limits};
use super::order::OrderArgs;
use super::ways::{Engine, Switches, single_engine};
use super::{Console, Failure, Status, certify, each, profile};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use starset::StopReason;
use starset::budget::Budget;
use starset::certify::{Certified, Uncertified};
use starset::decide::{Profile, Question, Settings, Subject, Value};
use starset::examination::{self, Answer, Each, Event, Examination, UnknownExamination};
use starset::formula::{Pool, Property};
use starset::kinds::{self, Loaded, Reading};
use starset::report::mcc::{CANNOT_COMPUTE, CERTIFIED, line};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, thread};

/// Arguments of `starset mcc`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::MCC)]
pub(super) struct MccArgs {
    /// The folder of the instance, with model.pnml and the property files, or an archive of it (.tgz)
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// The examination, as in StateSpace or CTLFireability; `starset help examinations` lists them, and those of each
    /// transition or place, as in QuasiLivenessAll [default: that which
    /// the environment names in BK_EXAMINATION; to one that is not known the answer is DO_NOT_COMPETE]
    #[arg(long, value_name = "NAME", value_parser = wanted(), hide_possible_values = true)]
    examination: Option<Wanted>,
    /// Use this engine alone
    #[arg(long, value_parser = single_engine(), default_value = "auto")]
    engine: Engine,
    #[command(flatten)]
    switches: Switches,
    #[command(flatten)]
    order: OrderArgs,
    /// Seconds that the contest allows; --time goes before it
    #[arg(long, value_name = "SECONDS", env = "BK_TIME_CONFINEMENT", hide = true)]
    time_confinement: Option<u64>,
    /// Megabytes that the contest allows; --memory goes before it
    #[arg(long, value_name = "MB", env = "BK_MEMORY_CONFINEMENT", hide = true)]
    memory_confinement: Option<u64>,
    /// Print an answer only when a certificate of it has been made and checked; the others count as unknown
    #[arg(long)]
    certify: bool,
    /// Write the certificates into this folder, ID.cert each
    #[arg(long, value_name = "DIR", requires = "certify")]
    certificates: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

/// An examination, or the properties of each transition or place that one of them is about.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    Whole(Examination),
    Each(Each),
}

/// The properties of each transition or place, by the names of the examinations that they are conjuncts of.
pub(super) const OF_EACH: [(&str, Each); 4] = [
    ("QuasiLivenessAll", Each::Fireable),
    ("LivenessAll", Each::Live),
    ("StableMarkingAll", Each::Stable),
    ("UpperBoundsAll", Each::Bound),
];

impl FromStr for Wanted {
    type Err = UnknownExamination;

    fn from_str(name: &str) -> Result<Self, UnknownExamination> {
        match OF_EACH.iter().find(|(known, _)| *known == name) {
            Some(&(_, each)) => Ok(Wanted::Each(each)),
            None => name.parse().map(Wanted::Whole),
        }
    }
}

/// All that `--examination` takes.
fn wanted() -> impl TypedValueParser<Value = Wanted> {
    let names = Examination::ALL.map(Examination::name).into_iter().chain(OF_EACH.map(|(name, _)| name));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Wanted>())
}

/// The examinations by their names.
pub(super) fn examination() -> impl TypedValueParser<Value = Examination> {
    PossibleValuesParser::new(Examination::ALL.map(Examination::name)).try_map(|name| name.parse::<Examination>())
}

/// The answer of a tool that does not take part in an examination, as the contest wants it.
const DO_NOT_COMPETE: &str = "DO_NOT_COMPETE";

pub(super) fn run(args: &MccArgs, console: &mut Console) -> Result<Status, Failure> {
    let named = || env::var("BK_EXAMINATION").ok().filter(|name| !name.is_empty());
    let wanted = match (args.examination, named()) {
        (Some(wanted), _) => wanted,
        (None, Some(name)) => match name.parse() {
            Ok(wanted) => wanted,
            Err(_) => {
                console.note(format_args!("BK_EXAMINATION: `{name}` is no examination that is known"));
                console.line(DO_NOT_COMPETE)?;
                return Ok(Status::Answered);
            }
        },
        (None, None) => {
            let names = Examination::ALL.map(Examination::name).join(", ");
            return Err(Failure::Input(format!("which examination? Give --examination with one of {names}")));
        }
    };
    let budget = args.limits().budget(console);
    let examination = match wanted {
        Wanted::Whole(examination) => examination,
        Wanted::Each(each) => return of_each(args, each, &budget, console),
    };
    if examination.has_properties() && args.folder.is_file() && !kinds::is_archive(&args.folder) {
        let (file, name) = (args.folder.display(), examination.name());
        let why = format!("{file}: a file, but {name} needs {name}.xml, too; give the folder with that and model.pnml");
        return Err(Failure::Input(why));
    }
    last_words(CANNOT_COMPUTE);
    let loaded = model::read(std::slice::from_ref(&args.folder), Reading::default(), &budget, console)?;
    if examination.has_properties() && !loaded.questions.assumptions.is_empty() {
        let why = "this model assumes fairness, which examinations do not; ask formulas with starset check";
        return Err(Failure::Input(format!("{}: {why}", args.folder.display())));
    }
    let mut pool = Pool::new();
    let properties = examination::read(&args.folder, examination, &loaded.symbols, &mut pool)
        .map_err(|error| Failure::Input(error.to_string()))?;
    properties.iter().flat_map(|property| &property.remarks).for_each(|remark| console.warning(remark));
    let profile = Profile::default();
    let settings = Settings { profile: Some(&profile), ..args.settings(&loaded, &budget)? };
    if args.certify {
        return certified(args, (&loaded, &mut pool), (examination, &properties), (&settings, &budget), console);
    }
    let (sender, receiver) = mpsc::channel();
    let (mut status, mut broken) = (Status::Answered, false);
    let started = console.started();
    let open =
        examination::questions(examination, &properties, &mut pool.clone()).into_iter().map(|(id, _)| id).collect();
    thread::scope(|scope| {
        scope.spawn(|| {
            let sender = sender;
            // Nobody listens any more when the output cannot be written; the answers are lost then anyway.
            let hear = |event: Event| drop(sender.send(event));
            let subject = (&*loaded.model, &loaded.groups);
            examination::run(subject, examination, &properties, &mut pool, &settings, &budget, &hear);
        });
        for event in Events::new(receiver, open, &budget) {
            let answer = match event {
                Event::Answer(answer) => answer,
                Event::Fault(id, fault) => {
                    broken = true;
                    console.error(format_args!("{id}: internal error: {fault}"));
                    continue;
                }
            };
            let seconds = started.elapsed().as_secs_f64();
            match &answer.value {
                Value::Unknown(reason) => {
                    status = Status::Unknown;
                    match reason {
                        StopReason::Unreadable(why) => console.error(format_args!("{} is left out: {why}", answer.id)),
                        _ => console.detail(format_args!("{seconds:.3} s: {} is unknown: {reason}", answer.id)),
                    }
                }
                _ => console.detail(format_args!("{seconds:.3} s: {} by {:?}", answer.id, answer.technique)),
            }
            console.line(line(examination, &answer))?;
            console.flush()?;
        }
        // An engine that does not look at the clock may still be at work, and is not waited for.
        profile::show(&profile, Format::Mcc, console)?;
        // To give back a large model and its diagrams piece by piece takes seconds; the system takes them as a whole.
        end(if broken { Status::SelfCheck } else { status })
    })
}

/// A property of each transition or place.
fn of_each(args: &MccArgs, each: Each, budget: &Budget, console: &mut Console) -> Result<Status, Failure> {
    if args.certify {
        return Err(Failure::Input("--certify is not for properties of each transition or place".to_owned()));
    }
    last_words(CANNOT_COMPUTE);
    let loaded = model::read(std::slice::from_ref(&args.folder), Reading::default(), budget, console)?;
    let settings = args.settings(&loaded, budget)?;
    each::run(
        &loaded,
        &each::Asked { properties: &[each], known: None, format: Format::Mcc },
        &settings,
        budget,
        console,
    )
}

/// The answers that have certificates, and the others as unknown.
fn certified(
    args: &MccArgs,
    (loaded, pool): (&Loaded, &mut Pool),
    (examination, properties): (Examination, &[Property]),
    (settings, budget): (&Settings<'_>, &Budget),
    console: &mut Console,
) -> Result<Status, Failure> {
    args.certificates.as_deref().map_or(Ok(()), certify::prepare)?;
    let (mut ids, mut asked) = (Vec::new(), Vec::new());
    for (id, question) in examination::questions(examination, properties, pool) {
        ids.push(id);
        asked.push(question.unwrap_or_else(|| Question::Unreadable("it is not of this examination".to_owned())));
    }
    let begun = Instant::now();
    let subject = Subject { model: &*loaded.model, groups: &loaded.groups, pool };
    let certify::Answers { answers, faults, space } = certify::answers(subject, &asked, settings, budget);
    for (number, fault) in &faults {
        console.error(format_args!("{}: internal error: {fault}", ids[*number]));
    }
    console.detail(format_args!("verdicts in {:.3} s", begun.elapsed().as_secs_f64()));
    let text = starset::certify::model_text(&*loaded.model, &args.folder, budget);
    if let (Some(folder), Ok(text)) = (&args.certificates, &text) {
        certify::beside_certificates(text, folder.join("model"), console)?;
    }
    let begun_with = if faults.is_empty() { Status::Answered } else { Status::SelfCheck };
    let (mut status, mut outcome) = (begun_with, Ok(()));
    let mut print = |number: usize, result: Result<Certified, Uncertified>| {
        let (id, found) = (&ids[number], &answers[number].0);
        let mut answer = Answer { id: id.clone(), value: found.value.clone(), technique: found.technique };
        let mut technique = "";
        match result {
            Ok(certified) => {
                technique = CERTIFIED;
                console.detail(certify::details(id, &certified));
                let folder = args.certificates.as_ref();
                if let Some(Err(failure)) =
                    folder.map(|folder| certify::write(&certify::file_of(folder, id), &certified))
                {
                    outcome = Err(failure);
                }
            }
            Err(why) => {
                if !matches!(answer.value, Value::Unknown(_)) {
                    console.detail(format_args!("{id}: {}, not certified: {why}", answer.value));
                }
                status = certify::status_of(status, &why);
                answer.value = Value::Unknown(StopReason::Unsupported("there is no certificate"));
            }
        }
        if outcome.is_ok() {
            let line = [&line(examination, &answer), technique].join(" ");
            outcome = console.line(line.trim_end()).and_then(|()| console.flush()).map_err(Failure::from);
        }
    };
    let all = certify::with_questions(&asked, &answers);
    match &text {
        Ok(text) => {
            let model = (&*loaded.model, &loaded.groups, &text.text[..]);
            starset::certify::certify(model, pool, (&all, space), settings, budget, &mut print);
        }
        Err(why) => (0..all.len()).for_each(|number| print(number, Err(why.clone()))),
    }
    outcome.map(|()| status)
}

impl MccArgs {
    /// The ways that take part.
    fn settings(&self, loaded: &Loaded, budget: &Budget) -> Result<Settings<'static>, Failure> {
        let settings = Settings { threads: self.limits.threads(), ..self.switches.settings(self.engine) };
        self.order.settings(&*loaded.model, settings, budget)
    }

    /// The limits of the command line, or those of the contest with a margin to end in good order.
    fn limits(&self) -> Limits {
        let time = |seconds| Duration::from_secs(seconds).mul_f64(0.97);
        Limits {
            time: self.limits.time.or(self.time_confinement.map(time)),
            memory: self.limits.memory.or(self.memory_confinement.map(|megabytes| (megabytes << 20) / 10 * 9)),
            threads: self.limits.threads,
            until_closed: self.limits.until_closed,
        }
    }
}
