//! `starset certify`: verdicts with proofs that another program can check.

use super::asking::Common;
use super::console::Console;
use super::examples;
use super::formulas::{FormulaArgs, Question};
use super::model::{ModelArg, with_suffix};
use super::options::Limits;
use super::ways::Engine;
use super::{Failure, Status};
use starset::budget::Budget;
use starset::certify::{Certified, Uncertified, certify, model_text};
use starset::decide::{self, Answer, Asked, Question as Decided, Settings, Subject, Value};
use starset::formula::Pool;
use starset::kinds::Loaded;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
    #[arg(long, value_parser = super::mcc::single_engine(), default_value = "auto")]
    engine: Engine,
    #[command(flatten)]
    limits: Limits,
}

/// Of the time, this part is for the verdicts at most; the rest for certificates.
pub(super) const VERDICTS: (u32, u32) = (1, 5);

pub(super) fn run(args: &CertifyArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let (loaded, texts) = args.formulas.attuned(args.model.read(&budget, console)?);
    if args.formulas.is_empty() {
        return Err(Failure::Input("no formula: give one with -f FORMULA, or a property file with -x FILE".to_owned()));
    }
    let mut pool = loaded.questions.pool.clone();
    let questions = args.formulas.read((&loaded, &texts), &mut pool, false, console)?;
    let text = args.model.text()?;
    let settings = Settings { ways: args.engine.ways(), threads: args.limits.threads(), ..Settings::default() };
    let asked: Vec<Asked> = questions.iter().map(|question| question.asked.clone().into()).collect();
    let answers = Mutex::new(vec![None; asked.len()]);
    let keep = |answer: Answer| {
        if let Ok(mut answers) = answers.lock() {
            answers[answer.question] = Some(answer.value);
        }
    };
    let subject = Subject { model: &*loaded.model, groups: &loaded.groups, pool: &pool };
    decide::decide(subject, &asked, &settings, &budget.part(VERDICTS.0, VERDICTS.1), &keep);
    let unknown = |value: Option<Value>| value.unwrap_or(Value::Unknown(starset::Halt::Unsupported("not answered")));
    let answers: Vec<Value> = answers.into_inner().unwrap_or_default().into_iter().map(unknown).collect();
    let pairs: Vec<(&Decided, &Value)> = questions.iter().map(|question| &question.asked).zip(&answers).collect();
    let mut status = Status::Answered;
    let mut outcome = Ok(());
    let mut print = |number: usize, result: Result<Certified, Uncertified>| {
        let (id, value) = (&questions[number].id, &answers[number]);
        let line = match result {
            Ok(certified) => {
                let file = args.folder.join(with_suffix(Path::new(""), id).to_string_lossy().trim_start_matches('.'));
                let file = file.with_file_name(format!("{}.cert", file.file_name().unwrap_or_default().to_string_lossy()));
                if let Err(error) = fs::write(&file, &certified.text) {
                    outcome = Err(Failure::Input(format!("{}: {error}", file.display())));
                }
                console.detail(details(id, &certified));
                format!("{id}: {value}, certified in {}", file.display())
            }
            Err(why) => {
                status = if failed(&why) { Status::SelfCheck } else { Status::Unknown };
                format!("{id}: {value}, not certified: {why}")
            }
        };
        if outcome.is_ok() {
            outcome = console.line(line).map_err(Failure::from);
        }
    };
    certify((&*loaded.model, &loaded.groups, &text), &pool, &pairs, &settings, &budget, &mut print);
    outcome.map(|()| status)
}

/// Is there an error of the program?
pub(super) fn failed(why: &Uncertified) -> bool {
    matches!(why, Uncertified::NotProved | Uncertified::Refused(_))
}

/// What a certificate took, for those who want to know.
pub(super) fn details(id: &str, certified: &Certified) -> String {
    let (made, checked) = (certified.made.as_secs_f64(), certified.checked.as_secs_f64());
    format!("{id}: certified: made in {made:.3} s, checked in {checked:.3} s, {} bytes", certified.text.len())
}

/// A certificate of the only answer of `starset check`, into a file.
pub(super) fn of_check(
    args: &Common,
    loaded: &Loaded,
    pool: &Pool,
    (questions, value): (&[Question], Option<&Value>),
    (file, settings, budget): (&Path, &Settings<'_>, &Budget),
    console: &mut Console,
) -> Result<Status, Failure> {
    let ([question], Some(value)) = (questions, value) else {
        return Err(Failure::Input("--certificate is for one formula: `starset certify` is for many".to_owned()));
    };
    let text = args.model.text()?;
    let mut made = None;
    let pairs = [(&question.asked, value)];
    let mut keep = |_: usize, result: Result<Certified, Uncertified>| made = Some(result);
    certify((&*loaded.model, &loaded.groups, &text), pool, &pairs, settings, budget, &mut keep);
    match made {
        Some(Ok(certified)) => {
            fs::write(file, &certified.text).map_err(|error| Failure::Input(format!("{}: {error}", file.display())))?;
            console.detail(details(&question.id, &certified));
            Ok(Status::Answered)
        }
        Some(Err(why)) => {
            console.error(format_args!("{}: not certified: {why}", question.id));
            Ok(if failed(&why) { Status::SelfCheck } else { Status::Unknown })
        }
        None => Ok(Status::Unknown),
    }
}

impl ModelArg {
    /// The text of the only file of the model.
    pub(super) fn text(&self) -> Result<String, Failure> {
        match self.paths() {
            [path] => model_text(path).map_err(|error| Failure::Input(format!("{}: {error}", path.display()))),
            _ => Err(Failure::Input("certificates are about models of one file".to_owned())),
        }
    }
}
