//! The same figures by explicit search, and the comparison of two engines.

use super::super::progress::Meter;
use super::super::reproducer;
use super::super::{Console, Failure};
use super::StatesArgs;
use super::compute::Results;
use starset::budget::Budget;
use starset::examination::TokenMaxima;
use starset::explicit::{Exploration, Options, Stopped, explore, find_deadlock};
use starset::lts::Model;
use starset::memory::peak_resident_bytes;
use starset::net::PlaceId;
use starset::symbolic::Halt;
use std::time::Instant;

/// Find what `args` ask, marking by marking.
pub(super) fn compute<'m>(
    args: &StatesArgs,
    model: impl Into<Model<'m>>,
    budget: &Budget,
    meter: &Meter,
    started: Instant,
) -> Results {
    let model = model.into();
    let mut results = Results { engine: "explicit", ..Results::default() };
    meter.phase("explicit search");
    let options = Options::default();
    match explore(model, &options, budget) {
        Ok(found) => {
            figures(args, &found, model, &mut results);
            results.explored = Some(found.stats.into());
            if args.deadlocks && found.deadlocks > 0 {
                meter.phase("deadlocks");
                match find_deadlock(model, &options, budget) {
                    Ok(found) => {
                        let last = found.trace.map(|trace| trace.last);
                        let tokens = |marking: &starset::net::Marking| {
                            let counts = (0..).map(PlaceId).zip(marking.as_slice());
                            counts.filter(|&(_, &n)| n > 0).map(|(place, &n)| (place, u128::from(n))).collect()
                        };
                        results.deadlock = last.as_ref().map(tokens);
                    }
                    Err(stopped) => results.stop = Some(halt(stopped)),
                }
            }
        }
        Err(stopped) => results.stop = Some(halt(stopped)),
    }
    results.seconds = started.elapsed().as_secs_f64();
    results.peak_memory = peak_resident_bytes();
    results
}

fn figures(args: &StatesArgs, found: &Exploration, model: Model<'_>, results: &mut Results) {
    results.states = Some(found.states.into());
    results.transitions = Some(found.transitions.into());
    results.deadlocks = args.deadlocks.then(|| found.deadlocks.into());
    // Local states are no counts.
    results.maxima = matches!(model, Model::Net(_)).then(|| TokenMaxima {
        per_place: found.bounds.iter().map(|&bound| u128::from(bound)).collect(),
        in_place: u128::from(found.max_tokens_in_place()),
        per_marking: found.max_tokens_per_marking,
    });
}

fn halt(stopped: Stopped) -> Halt {
    match stopped {
        Stopped::Budget(exhausted) => exhausted.into(),
        Stopped::TooManyTokens => Halt::Unsupported("places with more than 2^64-1 tokens"),
        Stopped::DivisionByZero => Halt::DivisionByZero,
        Stopped::Arithmetic => Halt::Arithmetic,
        Stopped::Unsupported(what) => Halt::Unsupported(what),
        _ => Halt::Unsupported("this net by explicit search"),
    }
}

/// What two engines have found: the same, or files to reproduce that it is not. Where only one has finished, its
/// figures.
pub(super) fn compare<'m>(
    args: &StatesArgs,
    model: impl Into<Model<'m>>,
    first: Results,
    second: Results,
    console: &Console,
) -> Result<Results, Failure> {
    if let Some(why) = &second.stop {
        console.note(format_args!("not compared: explicit search: {why}"));
        return Ok(first);
    }
    if let Some(why) = &first.stop
        && first.states.is_none()
    {
        console.note(format_args!("not compared: diagrams: {why}"));
        return Ok(second);
    }
    let difference = difference(&first, &second);
    let Some((what, symbolic, explicit)) = difference else {
        return Ok(Results { engine: "both", seconds: second.seconds, peak_memory: second.peak_memory, ..first });
    };
    let model = model.into();
    let bounds = if matches!(model, Model::Net(_)) { " --bounds" } else { "" };
    let note = reproducer::write(&args.reproducers, model, "states", |model| {
        format!(
            "figure: {what}\nsymbolic: {symbolic}\nexplicit: {explicit}\ncommand: starset states {model} --engine \
             both --deadlocks{bounds}\n"
        )
    })?;
    let disagreement =
        format!("{what}: symbolic says {symbolic}, explicit says {explicit}: please report {}", note.display());
    Ok(Results {
        disagreement: Some(disagreement),
        engine: "both",
        seconds: second.seconds,
        peak_memory: second.peak_memory,
        ..Results::default()
    })
}

/// The first figure that differs, and both values of it.
fn difference(first: &Results, second: &Results) -> Option<(&'static str, String, String)> {
    let maxima = |results: &Results| results.maxima.as_ref().map(|maxima| format!("{:?}", maxima.per_place));
    let total = |results: &Results| results.maxima.as_ref().map(|maxima| maxima.per_marking.to_string());
    let text = |number: &Option<num_bigint::BigUint>| number.as_ref().map(ToString::to_string);
    let figures = [
        ("states", text(&first.states), text(&second.states)),
        ("transitions", text(&first.transitions), text(&second.transitions)),
        ("deadlocks", text(&first.deadlocks), text(&second.deadlocks)),
        ("bounds", maxima(first), maxima(second)),
        ("most tokens in a marking", total(first), total(second)),
    ];
    figures.into_iter().find_map(|(what, a, b)| match (a, b) {
        (Some(a), Some(b)) if a != b => Some((what, a, b)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cli::console::Loudness;
    use clap::Parser;
    use starset::pnml;
    use std::path::Path;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        states: StatesArgs,
    }

    #[test]
    fn figures_that_differ_are_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let words = ["states", "models/philo-5.pnml", "--deadlocks", "--reproducers", folder.path().to_str().unwrap()];
        let args = Line::parse_from(words).states;
        let net = pnml::read_path(Path::new("models/philo-5.pnml")).unwrap();
        let console = Console::new(std::io::stdout(), Loudness::Quiet);
        let results = |states: u64| Results { states: Some(states.into()), ..Results::default() };
        let agree = compare(&args, &net, results(5), results(5), &console).unwrap();
        assert_eq!((agree.engine, agree.states, agree.disagreement), ("both", Some(5u64.into()), None));
        let differ = compare(&args, &net, results(5), results(6), &console).unwrap();
        assert!(differ.disagreement.is_some_and(|text| text.contains("symbolic says 5, explicit says 6")));
        assert!(differ.states.is_none());
        assert!(folder.path().join("disagreement-states.txt").exists());
        assert!(folder.path().join("disagreement-states.pnml").exists());
    }
}
