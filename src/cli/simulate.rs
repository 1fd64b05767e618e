//! `starset simulate`: a random run of a model.

use super::examples;
use super::model::ModelArg;
use super::options::{Format, FormatArgs, Limits};
use super::witness::TraceArgs;
use super::{Console, Failure, Status};
use clap::Args;
use starset::formula::Pool;
use starset::random::Walk;
use starset::report::fields::Fields;
use starset::report::witness::{Names, Purpose, Trace, run_fields, steps};

/// Arguments of `starset simulate`.
#[derive(Args, Debug)]
#[command(after_help = examples::SIMULATE)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Steps of the run, which ends before where none is possible
    #[arg(long, value_name = "N", default_value = "10")]
    steps: usize,
    /// Seed of random choices: the same one gives the same run
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    #[command(flatten)]
    trace: TraceArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(args: &SimulateArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let loaded = args.model.read(&budget, console)?;
    let model = &*loaded.model;
    if let Some(folded) = model.as_folded() {
        let why = folded.why();
        return Err(Failure::Input(format!("{}: random runs need its unfolding: {why}", model.name())));
    }
    let mut walk = Walk::new(model, args.seed);
    let mut stopped = None;
    while walk.steps().len() < args.steps {
        match walk.go(&budget) {
            Ok(true) => {}
            Ok(false) => break,
            Err(exhausted) => {
                stopped = Some(exhausted.to_string());
                break;
            }
        }
    }
    let (pool, symbols) = (Pool::new(), &loaded.symbols);
    let names = Names { model, pool: &pool, symbols };
    match (args.format.get(), args.trace.form()) {
        (Format::Json, _) => {
            let fields = Fields::new("starset/simulate/1").with("model", model.name()).with("seed", args.seed);
            let fields = run_fields(fields, names, walk.states(), walk.steps());
            console.json(&fields.with("seconds", console.started().elapsed().as_secs_f64()))?;
        }
        (_, Some(form)) => {
            let trace = Trace::new(model, &walk.states().iter().collect::<Vec<_>>(), walk.steps(), None);
            console.line(trace.written(form, Purpose::Simulation, 1).trim_end())?;
        }
        (_, None) => console.line(steps(walk.states(), walk.steps(), names).trim_end())?,
    }
    console.flush()?;
    match stopped.or_else(|| model.failed()) {
        Some(why) => {
            console.error(format_args!("the run ends early: {why}"));
            Ok(Status::Unknown)
        }
        None => Ok(Status::Answered),
    }
}
