//! `starset states --hosts`: the reachable states one by one, on several machines.

// Without the feature there is nothing to be told.
#![cfg_attr(not(feature = "distributed"), allow(dead_code))]

use super::super::Failure;
use super::disk::Explored;
use crate::cli::progress::Meter;
use serde_json::{Value as Json, json};
use starset::budget::Budget;
use starset::decide::Settings;
use starset::kinds::Kind;
use starset::report::number::bytes;
use std::path::Path;

/// What went on between the processes.
pub(super) struct Together {
    processes: usize,
    threads: usize,
    levels: u64,
    sent_states: u64,
    sent_bytes: u64,
}

impl Together {
    /// For machines.
    pub(super) fn fields(&self) -> Json {
        let Together { processes, threads, levels, sent_states, sent_bytes } = self;
        json!({
            "processes": processes, "threads": threads, "levels": levels,
            "sent_states": sent_states, "sent_bytes": sent_bytes
        })
    }

    /// For people.
    pub(super) fn told(&self) -> String {
        let Together { processes, threads, levels, sent_states, sent_bytes } = self;
        let many =
            |count: usize, what: &str, plural: &str| format!("{count} {}", if count == 1 { what } else { plural });
        let (processes, threads) = (many(*processes, "process", "processes"), many(*threads, "thread", "threads"));
        format!("{processes} of {threads}, {levels} levels, {sent_states} states sent in {}", bytes(*sent_bytes))
    }
}

/// The index of this process: what was given, or what Slurm or Kubernetes says. Slurm says how many there are, too.
pub(super) fn index(
    given: Option<usize>,
    processes: usize,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<usize, Failure> {
    const VARIABLES: [&str; 2] = ["SLURM_PROCID", "JOB_COMPLETION_INDEX"];
    let number = |name: &str| -> Option<Result<usize, Failure>> {
        let text = environment(name)?;
        Some(text.parse().map_err(|_| Failure::Input(format!("{name} is `{text}`, and no number; give --process"))))
    };
    let Some(index) = given.map(Ok).or_else(|| VARIABLES.into_iter().find_map(number)).transpose()? else {
        let why = format!("--hosts needs --process, from 0 to {}: which of the processes this is", processes - 1);
        return Err(Failure::Input(why));
    };
    if index >= processes {
        let why = format!("there is no process {index}: --hosts lists {processes}, which count from 0");
        return Err(Failure::Input(why));
    }
    if given.is_none()
        && environment(VARIABLES[0]).is_some()
        && let Some(tasks) = number("SLURM_NTASKS").transpose()?.filter(|&tasks| tasks != processes)
    {
        let why =
            format!("Slurm has started {tasks} tasks (SLURM_NTASKS), and --hosts lists {processes}: give as many");
        return Err(Failure::Input(why));
    }
    Ok(index)
}

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
    let together = Together {
        processes: found.processes,
        threads: found.threads,
        levels: found.levels,
        sent_states: found.sent_states,
        sent_bytes: found.sent_bytes,
    };
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The index that an environment makes, or why there is none.
    fn found(given: Option<usize>, processes: usize, environment: &[(&str, &str)]) -> Result<usize, String> {
        let value = |name: &str| environment.iter().find(|known| known.0 == name).map(|known| known.1.to_owned());
        index(given, processes, value).map_err(|failure| failure.message().unwrap())
    }

    #[test]
    fn the_index_is_given_or_known_to_the_scheduler() {
        let slurm = [("SLURM_PROCID", "2"), ("SLURM_NTASKS", "4")];
        assert_eq!(found(None, 4, &slurm), Ok(2));
        assert_eq!(found(Some(1), 2, &slurm), Ok(1));
        assert_eq!(found(None, 4, &[("JOB_COMPLETION_INDEX", "3")]), Ok(3));
        let wrong = [
            (found(None, 3, &slurm), "Slurm has started 4 tasks"),
            (found(None, 4, &[]), "needs --process, from 0 to 3"),
            (found(Some(4), 4, &[]), "there is no process 4: --hosts lists 4"),
            (found(None, 2, &[("JOB_COMPLETION_INDEX", "2")]), "there is no process 2"),
            (found(None, 2, &[("SLURM_PROCID", "one")]), "SLURM_PROCID is `one`, and no number"),
        ];
        for (found, why) in wrong {
            let error = found.unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
