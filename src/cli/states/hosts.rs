//! `starset states --hosts`: the reachable states one by one, on several machines.

// Without the feature there is nothing to be told.
#![cfg_attr(not(feature = "distributed"), allow(dead_code))]

use super::super::Failure;
use super::disk::Explored;
use crate::cli::elsewhere::Together;
#[cfg(feature = "distributed")]
use crate::cli::elsewhere::index;
use crate::cli::progress::Meter;
use starset::budget::Budget;
use starset::decide::Settings;
use starset::kinds::Kind;
use std::path::Path;

/// Explore a model, which this number is known by, as one of the processes that a file lists: also says whether it is
/// the one that reports.
#[cfg(feature = "distributed")]
pub(super) fn explore(
    (model, fingerprint): (&dyn Kind, u64),
    (file, process): (&Path, Option<usize>),
    settings: &Settings<'_>,
    budget: &Budget,
    meter: &Meter,
) -> Result<(Explored, Option<Together>, bool), Failure> {
    use starset::decide::Progress;
    use starset::explicit::{Cluster, ClusterError, Encoding, Options, hosts};
    let refused = |error: ClusterError| Failure::Input(error.to_string());
    let hosts = hosts(file).map_err(refused)?;
    let process = index(process, hosts.len(), |name| std::env::var(name).ok())?;
    if !model.lists_initial_states() || model.passes_through() {
        let why = "--hosts is for models whose initial states can be listed, and all of whose states are meant";
        return Err(Failure::Input(why.to_owned()));
    }
    let encoding = Encoding { swaps: [].into(), families: [].into(), ..settings.encoding.clone() };
    let options = Options { threads: settings.threads, ..Options::default() };
    let stopped = |stop| (Explored { ended: Err(stop), at_least: 0, deadlock: None }, None, process == 0);
    meter.phase("search");
    let engine = match model.compile(&encoding, budget) {
        Ok(engine) => engine,
        Err(stop) => return Ok(stopped(stop)),
    };
    let mut tell = |states: u64| meter.event(Progress::AtLeast(&states.into()));
    let cluster = Cluster { hosts, process, fingerprint };
    let found = match engine.explore_distributed(&cluster, &options, budget, &mut tell) {
        Ok(found) => found,
        Err(ClusterError::Stopped(stop)) => return Ok(stopped(stop)),
        Err(error) => return Err(refused(error)),
    };
    let together = Together::of(&found);
    Ok((
        Explored { ended: found.ended, at_least: found.states, deadlock: found.deadlock },
        Some(together),
        process == 0,
    ))
}

/// This program cannot.
#[cfg(not(feature = "distributed"))]
pub(super) fn explore(
    _: (&dyn Kind, u64),
    (file, _): (&Path, Option<usize>),
    _: &Settings<'_>,
    _: &Budget,
    _: &Meter,
) -> Result<(Explored, Option<Together>, bool), Failure> {
    let what = "this starset explores on one machine only; build it with the feature `distributed`";
    Err(Failure::Input(format!("--hosts {}: {what}", file.display())))
}
