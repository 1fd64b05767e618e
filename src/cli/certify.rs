//! `starset certify`: verdicts with proofs that another program can check.

use super::asking::Common;
use super::console::Console;
use super::examples;
use super::formulas::{FormulaArgs, NamedQuestion, Part};
use super::model::ModelArg;
use super::options::Limits;
use super::output_file::OutputFile;
use super::ways::{Engine, Switches, single_engine};
use super::{Failure, Status};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use starset::StopReason;
use starset::budget::Budget;
use starset::certify::{AnsweredQuestion, Certified, ModelText, Uncertified, certify, is_shown_by_a_run, model_text};
use starset::decide::{
    self, Answer, Explained, Fault, Listener, Recorder, Request, Settings, StateSpace, Subject, Technique, Value,
};
use starset::formula::Pool;
use starset::kinds::{Kind, Loaded, Purpose};
use starset::witness::Witness;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Arguments of `starset certify`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::CERTIFY)]
pub(super) struct CertifyArgs {
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    formulas: FormulaArgs,
    /// The folder for the certificates, ID.cert each
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Use this engine alone for the verdicts
    #[arg(long, value_parser = single_engine(), default_value = "auto")]
    engine: Engine,
    #[command(flatten)]
    switches: Switches,
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(args: &CertifyArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    args.formulas.once(args.model.is_piped())?;
    let purpose = if args.formulas.names_variables() { Purpose::States } else { Purpose::Proofs };
    let asked = (args.formulas.in_words_of_models(), purpose);
    let loaded = args.model.read_with_questions(asked, &budget, console)?;
    let own = args.formulas.is_empty() && !loaded.questions.list.is_empty();
    if args.formulas.is_empty() && !own {
        return Err(Failure::Input("no formula: give one with -f FORMULA, or a property file with -x FILE".to_owned()));
    }
    prepare(&args.folder)?;
    let mut status = Status::Answered;
    let settings = args.switches.settings(args.engine);
    let mut files = FxHashSet::default();
    for (number, part) in
        args.formulas.parts(loaded, (own, &settings), args.model.exact(), &budget, console)?.into_iter().enumerate()
    {
        // Formulas with another unit of time are about another model.
        let suffix = if number == 0 { String::new() } else { format!("-{}", number + 1) };
        let files = part.questions.iter().map(|question| unused(&args.folder, &question.id, &mut files)).collect();
        status = certified((args, &suffix), (part, files), status, &budget, console)?;
    }
    Ok(status)
}

/// Certify what is asked of a model, in these files; the status is that of those before, or worse.
fn certified(
    (args, suffix): (&CertifyArgs, &str),
    (Part { loaded, pool, questions, numbers }, files): (Part, Vec<PathBuf>),
    mut status: Status,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    let text = args.model.text(&*loaded.model, |stem| args.folder.join(format!("{stem}{suffix}")), budget, console)?;
    let settings = Settings { threads: args.limits.threads(), ..args.switches.settings(args.engine) };
    let subject = Subject { model: &*loaded.model, groups: &loaded.groups, pool: &pool };
    let asked: Vec<decide::Question> = questions.iter().map(|question| question.asked.clone()).collect();
    let Answers { answers, faults, space } = answers(subject, &asked, &settings, budget);
    for (number, fault) in &faults {
        status = Status::SelfCheck;
        console.error(format_args!("{}: internal error: {fault}", questions[*number].id));
    }
    let mut outcome = Ok(());
    // They come in any order, and are printed in that of the questions.
    let (mut lines, mut printed) = (vec![None; asked.len()], 0);
    let mut print = |number: usize, result: Result<Certified, Uncertified>| {
        let (id, value) = (&questions[number].id, &answers[number].0.value);
        let line = match result {
            Ok(certified) => {
                console.detail(details(id, &certified));
                let file = &files[number];
                if let Err(failure) = write(file, &certified) {
                    outcome = Err(failure);
                }
                format!("{id}: {value}, certified in {}", file.display())
            }
            Err(why) => {
                status = status_of(status, &why);
                format!("{id}: {value}, not certified: {why}")
            }
        };
        lines[number] = Some(line);
        while let Some(line) = lines.get_mut(printed).and_then(Option::take).filter(|_| outcome.is_ok()) {
            console.begin_turn(numbers[printed]);
            let written = console.line(line).and_then(|()| console.end_turn()).and_then(|()| console.flush());
            outcome = written.map_err(Failure::from);
            printed += 1;
        }
    };
    let all = with_questions(&asked, &answers);
    match text {
        Ok(text) => {
            certify((&*loaded.model, &loaded.groups, &text), &pool, (&all, space), &settings, budget, &mut print)
        }
        Err(why) => (0..all.len()).for_each(|number| print(number, Err(why.clone()))),
    }
    outcome.map(|()| status)
}

/// An answer, and its witness.
type Answered = (Answer, Option<Witness>);

/// The answers to some questions, in their order.
pub(super) struct Answers {
    pub(super) answers: Vec<Answered>,
    /// The faults that were found out, each with the number of its question.
    pub(super) faults: Vec<(usize, Fault)>,
    /// The reachable set of the model, if it was found on the way.
    pub(super) space: Option<StateSpace>,
}

/// Keeps the reachable set of the model for certificates.
#[derive(Default)]
pub(super) struct KeptSpace(Mutex<Option<StateSpace>>);

impl KeptSpace {
    /// What has been kept.
    pub(super) fn into_space(self) -> Option<StateSpace> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for KeptSpace {
    fn answered(&self, _: Answer) {}

    fn faulty(&self, _: usize, _: Fault) {}

    fn explored(&self, space: &StateSpace, model_states: Option<&BigUint>) {
        if model_states.is_none() {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(space.clone());
        }
    }
}

/// The answers to some questions, within the part of the time that is for them, a third; and witnesses of those that a
/// run may show, within a tenth of what is left. The rest is for certificates.
pub(super) fn answers(
    subject: Subject<'_>,
    questions: &[decide::Question],
    settings: &Settings<'_>,
    budget: &Budget,
) -> Answers {
    let space = KeptSpace::default();
    let ask = |numbers: &[usize], witness: bool, budget: &Budget| {
        let asked = numbers.iter().map(|&number| Request { question: questions[number].clone(), set: false, witness });
        let kept = Recorder::beside(numbers.len(), &space);
        decide::decide(subject, &asked.collect::<Vec<_>>(), settings, budget, &kept);
        kept.into_recorded()
    };
    let all: Vec<usize> = (0..questions.len()).collect();
    let none = |question| {
        let value = Value::Unknown(StopReason::Unsupported("it was not answered"));
        Answer { question, value, technique: Technique::None, explored: None }
    };
    let (mut answers, mut faults): (Vec<Answered>, Vec<(usize, Fault)>) = Default::default();
    for (recorded, &number) in ask(&all, false, &budget.part(1, 3)).into_iter().zip(&all) {
        answers.push((recorded.answer.unwrap_or_else(|| none(number)), None));
        faults.extend(recorded.faults.into_iter().map(|fault| (number, fault)));
    }
    let shown = |&number: &usize| is_shown_by_a_run(subject.pool, &questions[number], &answers[number].0.value);
    // Runs of programs prove nothing to the checker.
    let has_runs = subject.model.as_program().is_none();
    let shown: Vec<usize> = all.iter().copied().filter(|number| has_runs && shown(number)).collect();
    if !shown.is_empty() {
        for (recorded, &number) in ask(&shown, true, &budget.part(1, 10)).into_iter().zip(&shown) {
            if let Some(Explained::Witness(witness)) = recorded.explained {
                answers[number].1 = Some(witness);
            }
            faults.extend(recorded.faults.into_iter().map(|fault| (number, fault)));
        }
    }
    Answers { answers, faults, space: space.into_space() }
}

/// Questions with their answers.
pub(super) fn with_questions<'a>(
    questions: &'a [decide::Question],
    answers: &'a [Answered],
) -> Vec<AnsweredQuestion<'a>> {
    let answered = |(question, (answer, why)): (&'a decide::Question, &'a Answered)| {
        let visited = answer.explored.map(|stats| stats.states);
        AnsweredQuestion { question, value: &answer.value, witness: why.as_ref(), visited }
    };
    questions.iter().zip(answers).map(answered).collect()
}

/// The status when something is not certified: an error of the program counts most.
pub(super) fn status_of(status: Status, why: &Uncertified) -> Status {
    let failed = matches!(why, Uncertified::NotProved | Uncertified::Refused(_));
    if failed || status == Status::SelfCheck { Status::SelfCheck } else { Status::Unknown }
}

/// The effort of a certificate, for those who want to know.
pub(super) fn details(id: &str, certified: &Certified) -> String {
    let (made, checked) = (certified.made.as_secs_f64(), certified.checked.as_secs_f64());
    format!("{id}: certified: made in {made:.3} s, checked in {checked:.3} s, {} bytes", certified.text.len())
}

/// Make the folder for certificates, if there is none, before they cost time; a file in it can be written.
pub(super) fn prepare(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::Input(format!("{}: {error}", folder.display())))?;
    OutputFile::probe(Some(&file_of(folder, "certificate")))
}

/// The file of a certificate in a folder.
pub(super) fn file_of(folder: &Path, id: &str) -> PathBuf {
    let safe = id.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' });
    folder.join(format!("{}.cert", safe.collect::<String>()))
}

/// The same where others have the same name.
fn unused(folder: &Path, id: &str, used: &mut FxHashSet<PathBuf>) -> PathBuf {
    let ids = std::iter::once(id.to_owned()).chain((2..).map(|number| format!("{id}-{number}")));
    let mut files = ids.map(|id| file_of(folder, &id)).filter(|file| !used.contains(file));
    let file = files.next().unwrap_or_else(|| file_of(folder, id));
    used.insert(file.clone());
    file
}

pub(super) fn write(file: &Path, certified: &Certified) -> Result<(), Failure> {
    fs::write(file, &certified.text).map_err(|error| Failure::Input(format!("{}: {error}", file.display())))
}

/// A certificate of the only answer of `starset check`, into a file.
pub(super) fn of_check(
    args: &Common,
    (loaded, pool): (&Loaded, &Pool),
    (questions, value, space): (&[NamedQuestion], Option<&Value>, Option<StateSpace>),
    (file, settings, budget): (&Path, &Settings<'_>, &Budget),
    console: &mut Console,
) -> Result<Status, Failure> {
    let ([question], Some(value)) = (questions, value) else {
        return Err(Failure::Input("--certificate is for one formula: `starset certify` is for many".to_owned()));
    };
    let mut made = None;
    let mut keep = |_: usize, result: Result<Certified, Uncertified>| made = Some(result);
    let answered = AnsweredQuestion { question: &question.asked, value, witness: None, visited: None };
    match args.model.text(&*loaded.model, |_| file.with_extension(""), budget, console)? {
        Ok(text) => {
            let answers = (&[answered][..], space);
            certify((&*loaded.model, &loaded.groups, &text), pool, answers, settings, budget, &mut keep);
        }
        Err(why) => keep(0, Err(why)),
    }
    match made {
        Some(Ok(certified)) => {
            console.detail(details(&question.id, &certified));
            write(file, &certified).map(|()| Status::Answered)
        }
        Some(Err(why)) => {
            console.error(format_args!("{}: not certified: {why}", question.id));
            Ok(status_of(Status::Answered, &why))
        }
        None => Ok(Status::Unknown),
    }
}

impl ModelArg {
    /// The text that certificates are about: that of the only file of the model; or one that is written here, under
    /// the name that is made from the name of the model, for the checker to read: a net in PNML, a program of one module,
    /// tables.
    fn text(
        &self,
        model: &dyn Kind,
        beside: impl FnOnce(&str) -> PathBuf,
        budget: &Budget,
        console: &mut Console,
    ) -> Result<Result<String, Uncertified>, Failure> {
        let [path] = self.paths() else {
            return Err(Failure::Input("certificates are about models of one file".to_owned()));
        };
        let found = match model_text(model, path, budget) {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        let name = if self.is_piped() { Path::new("stdin") } else { path };
        let stem = name.file_stem().map_or("model".into(), |stem| stem.to_string_lossy());
        beside_certificates(&found, beside(&stem), console)?;
        Ok(Ok(found.text))
    }
}

/// Write the model that certificates are about where the checker finds it, if it is not the file that was read.
pub(super) fn beside_certificates(model: &ModelText, stem: PathBuf, console: &mut Console) -> Result<(), Failure> {
    let Some(form) = model.form else { return Ok(()) };
    let mut name = stem.into_os_string();
    name.push(format!(".flat.{form}"));
    let flat = PathBuf::from(name);
    fs::write(&flat, &model.text).map_err(|error| Failure::Input(format!("{}: {error}", flat.display())))?;
    let what = match form {
        "pnml" => "the net in PNML, unfolded if it is coloured",
        "smv" => "the program as one module",
        _ => "the steps between reachable states",
    };
    console.note(format_args!("certificates are about {}: {what}", flat.display()));
    Ok(())
}
