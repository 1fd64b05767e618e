//! `starset combine`: algebra on saved sets.

use super::examples;
use super::options::{Format, FormatArgs, Limits};
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use clap::ValueEnum;
use num_bigint::BigUint;
use starset::StopReason;
use starset::budget::Budget;
use starset::kinds::{load_set, same_time};
use starset::mdd::{MatchError, Mdd, SavedSet, TransferError, with_deep_stack};
use starset::report::fields::Fields;
use starset::report::number::count;
use std::path::PathBuf;

/// Arguments of `starset combine`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::COMBINE)]
pub(super) struct CombineArgs {
    /// Operation on the two sets
    #[arg(value_enum)]
    operation: Operation,
    /// A set saved with --save
    first: PathBuf,
    /// Another one, of the same net or one with the same places
    second: PathBuf,
    /// Save the resulting set to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    limits: Limits,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Operation {
    /// The markings in either set
    Union,
    /// The markings in both sets
    Intersection,
    /// The markings in the first set but not in the second
    Difference,
    /// Are the sets equal?
    Equal,
    /// Is the first set a part of the second?
    Subset,
}

enum Outcome {
    Set(Mdd),
    Truth(bool),
}

pub(super) fn run(args: &CombineArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let [first, second] = [load_set(&args.first, &budget)?, load_set(&args.second, &budget)?];
    let levels = first.names.len().max(second.names.len());
    with_deep_stack(levels, || combine(args, first, &second, &budget, console))
}

fn combine(
    args: &CombineArgs,
    first: SavedSet,
    second: &SavedSet,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    let refused =
        |why: String| Failure::Input(format!("{} and {}: {why}", args.first.display(), args.second.display()));
    if !same_time(&first, second) {
        let models = format!("{} and {}", first.model, second.model);
        return Err(refused(format!(
            "their clocks do not count alike, in {models}: save both beside the same formulas"
        )));
    }
    let stopped = |error: MatchError| match error {
        MatchError::Transfer(TransferError::Exhausted(exhausted)) => Failure::Unknown(exhausted.to_string()),
        error => refused(error.to_string()),
    };
    let first = first.beside(second, budget).map_err(|error| stopped(error.into()))?;
    let other = first.matching(second, budget).map_err(stopped)?;
    let size = |set: &Mdd| set.count(budget);
    let outcome = (|| {
        let outcome = match args.operation {
            Operation::Union => Outcome::Set(first.set.union(&other, budget)?),
            Operation::Intersection => Outcome::Set(first.set.intersection(&other, budget)?),
            Operation::Difference => Outcome::Set(first.set.difference(&other, budget)?),
            Operation::Equal => Outcome::Truth(first.set == other),
            Operation::Subset => Outcome::Truth(first.set.is_subset(&other, budget)?),
        };
        let result = match &outcome {
            Outcome::Set(set) => Some(size(set)?),
            Outcome::Truth(_) => None,
        };
        Ok::<_, StopReason>((outcome, result, size(&first.set)?, size(&other)?))
    })();
    let (outcome, result, first_size, second_size) = match outcome {
        Ok(outcome) => outcome,
        Err(stop) => {
            console.error(format_args!("unknown: {stop}"));
            return Ok(Status::Unknown);
        }
    };
    let operation = args.operation.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let (mut holds, mut saved) = (None, None);
    match outcome {
        Outcome::Truth(truth) => holds = Some(truth),
        Outcome::Set(set) => {
            if let Some(path) = &args.save {
                let formula = format!("{operation} of ({}) and ({})", first.formula, second.formula);
                let set = SavedSet { formula, set, ..first };
                OutputFile::create(path)?.write(|out| set.save(out))?;
                saved = Some(path.display().to_string());
            }
        }
    }
    match (args.format.get(), &result, holds) {
        (Format::Json, ..) => {
            let fields = Fields::new("starset/combine/1").with("operation", operation);
            let fields = fields.with("first", first_size.to_string()).with("second", second_size.to_string());
            let fields = fields.with("result", result.as_ref().map(BigUint::to_string)).with("holds", holds);
            console.json(&fields.with("saved", saved))?;
        }
        (_, Some(result), _) => {
            let [result, first, second] = [result, &first_size, &second_size].map(count);
            console.line(format_args!("{operation}: {result} markings ({first} and {second})"))?;
        }
        (_, None, holds) => {
            console.judged(operation.len() + 2, &format!("{operation}: {}", holds.unwrap_or(false)))?;
        }
    }
    Ok(Status::Answered)
}
