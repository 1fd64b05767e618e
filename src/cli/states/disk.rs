//! `starset states --disk`: the reachable states one by one, in a folder.

use super::super::Failure;
use crate::cli::elsewhere::Folder;
use crate::cli::options::DiskArg;
use crate::cli::progress::Meter;
use num_bigint::BigUint;
use starset::StopReason;
use starset::budget::Budget;
use starset::decide::{Progress, Settings, Statistic, Value};
use starset::explicit::{Disk, DiskError, Encoding, Exploration, Options};
use starset::kinds::Kind;
use starset::model::State;

/// What a search that keeps its states elsewhere knows in the end.
pub(super) struct Explored {
    pub(super) ended: Result<Exploration, StopReason>,
    pub(super) at_least: u64,
    pub(super) deadlock: Option<State>,
}

/// Explore a model, which this number is known by.
pub(super) fn explore(
    (model, fingerprint): (&dyn Kind, u64),
    DiskArg { folder, quota }: &DiskArg,
    settings: &Settings<'_>,
    budget: &Budget,
    meter: &Meter,
) -> Result<(Explored, Option<Folder>), Failure> {
    if !model.lists_initial_states() || model.passes_through() {
        let why = "--disk is for models whose initial states can be listed, and all of whose states are meant";
        return Err(Failure::Input(why.to_owned()));
    }
    let encoding = Encoding { swaps: [].into(), families: [].into(), ..settings.encoding.clone() };
    let disk = Disk { folder: folder.clone(), quota: *quota, fingerprint };
    let options = Options { threads: settings.threads, ..Options::default() };
    meter.phase("search");
    let engine = match model.compile(&encoding, budget) {
        Ok(engine) => engine,
        Err(stop) => return Ok((Explored { ended: Err(stop), at_least: 0, deadlock: None }, None)),
    };
    let mut tell = |states: u64| meter.event(Progress::AtLeast(&states.into()));
    let found = engine.explore_on_disk(&disk, &options, budget, &mut tell);
    let told = Folder::of(folder, &found);
    let ended = match found.ended {
        Ok(all) => Ok(all),
        Err(DiskError::Stopped(stop)) => Err(stop),
        Err(fault) => return Err(Failure::Input(fault.to_string())),
    };
    Ok((Explored { ended, at_least: found.states, deadlock: found.deadlock }, Some(told)))
}

/// A figure of all states.
pub(super) fn value(model: &dyn Kind, all: &Exploration, statistic: Statistic) -> Value {
    let number = |number: u128| Value::Number(BigUint::from(number));
    match statistic {
        Statistic::States => number(all.states),
        Statistic::Transitions => number(all.transitions + u128::from(model.initialisations())),
        Statistic::Deadlocks => number(all.deadlocks),
        Statistic::MaxInVariable => number(all.max_tokens_in_place().into()),
        Statistic::MaxInState => number(all.max_tokens_per_marking),
        Statistic::Bounds => Value::Numbers(all.bounds.iter().map(|&bound| bound.into()).collect()),
        Statistic::Markings => Value::Unknown(StopReason::Unsupported("markings are not counted on disk")),
    }
}
