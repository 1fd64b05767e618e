//! `starset combine`: algebra on saved sets.

use super::loaded::saved_levels;
use super::number::count;
use super::options::{Format, FormatArgs, Limits};
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use clap::ValueEnum;
use num_bigint::BigUint;
use serde::Serialize;
use starset::budget::Budget;
use starset::mdd::{Mdd, SavedSet, with_deep_stack};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Arguments of `starset combine`.
#[derive(clap::Args, Debug)]
pub(super) struct CombineArgs {
    /// What to do with the two sets
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

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    operation: String,
    first: String,
    second: String,
    result: Option<String>,
    holds: Option<bool>,
    saved: Option<String>,
}

enum Outcome {
    Set(Mdd),
    Truth(bool),
}

pub(super) fn run(args: &CombineArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    with_deep_stack(saved_levels(&args.first).max(saved_levels(&args.second)), || combine(args, &budget, console))
}

fn combine(args: &CombineArgs, budget: &Budget, console: &mut Console) -> Result<Status, Failure> {
    let (first, second) = (load(&args.first, budget)?, load(&args.second, budget)?);
    let other = first
        .matching(&second, budget)
        .map_err(|e| Failure::Input(format!("{} and {}: {e}", args.first.display(), args.second.display())))?;
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
        Ok((outcome, result, size(&first.set)?, size(&other)?))
    })();
    let (outcome, result, first_size, second_size) = match outcome {
        Ok(outcome) => outcome,
        Err(exhausted) => {
            let exhausted: starset::budget::Exhausted = exhausted;
            console.error(format_args!("unknown: {exhausted}"));
            return Ok(Status::Unknown);
        }
    };
    let mut report = Report {
        schema: "starset/combine/1",
        operation: args.operation.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned()),
        first: first_size.to_string(),
        second: second_size.to_string(),
        result: result.as_ref().map(BigUint::to_string),
        holds: None,
        saved: None,
    };
    match outcome {
        Outcome::Truth(holds) => report.holds = Some(holds),
        Outcome::Set(set) => {
            if let Some(path) = &args.save {
                let formula = format!("{} of ({}) and ({})", report.operation, first.formula, second.formula);
                let saved = SavedSet { formula, set, ..first };
                OutputFile::create(path)?.write(|out| saved.save(out))?;
                report.saved = Some(path.display().to_string());
            }
        }
    }
    match (args.format.get(), &result, report.holds) {
        (Format::Json, ..) => console.json(&report)?,
        (_, Some(result), _) => console.line(format_args!(
            "{}: {} markings ({} and {})",
            report.operation,
            count(result),
            count(&first_size),
            count(&second_size)
        ))?,
        (_, None, holds) => console.line(format_args!("{}: {}", report.operation, holds.unwrap_or(false)))?,
    }
    Ok(Status::Answered)
}

fn load(path: &Path, budget: &Budget) -> Result<SavedSet, Failure> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|e| Failure::Input(format!("cannot read {name}: {e}")))?;
    SavedSet::load(BufReader::new(file), budget).map_err(|e| Failure::Input(format!("{name}: {e}")))
}
