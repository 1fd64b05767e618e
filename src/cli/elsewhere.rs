//! The folder of `--disk` and the processes of `--hosts`, as `states` and `check` tell of them.

// Without the feature there are no processes.
#![cfg_attr(not(feature = "distributed"), allow(dead_code))]

use super::Failure;
use super::ways::Engine;
use serde_json::{Value as Json, json};
#[cfg(feature = "distributed")]
use starset::explicit::Distributed;
use starset::explicit::OnDisk;
use starset::report::number::bytes;
use std::path::Path;

/// What went on in the folder.
pub(super) struct Folder {
    folder: String,
    levels: u64,
    resumed: u64,
    peak_bytes: u64,
}

impl Folder {
    /// That of an exploration or search.
    pub(super) fn of<T>(path: &Path, found: &OnDisk<T>) -> Folder {
        let &OnDisk { levels, resumed, peak_bytes, .. } = found;
        Folder { folder: path.display().to_string(), levels, resumed, peak_bytes }
    }

    /// For machines.
    pub(super) fn fields(&self) -> Json {
        let Folder { folder, levels, resumed, peak_bytes } = self;
        json!({ "folder": folder, "levels": levels, "resumed": resumed, "peak_bytes": peak_bytes })
    }

    /// For people.
    pub(super) fn told(&self) -> String {
        let resumed = if self.resumed > 0 { format!(", from level {} on", self.resumed) } else { String::new() };
        format!("{} levels in {}{resumed}, at most {}", self.levels, self.folder, bytes(self.peak_bytes))
    }
}

/// What went on between the processes.
pub(super) struct Together {
    processes: usize,
    threads: usize,
    levels: u64,
    sent_states: u64,
    sent_bytes: u64,
}

impl Together {
    /// That of an exploration or search.
    #[cfg(feature = "distributed")]
    pub(super) fn of<T>(found: &Distributed<T>) -> Together {
        let &Distributed { processes, threads, levels, sent_states, sent_bytes, .. } = found;
        Together { processes, threads, levels, sent_states, sent_bytes }
    }

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

/// Refuse engines that do not look at states one by one.
pub(super) fn needs_search(engine: Engine, option: &str) -> Result<(), Failure> {
    if matches!(engine, Engine::Auto | Engine::Explicit) {
        return Ok(());
    }
    let why = "is for search state by state: leave --engine out, or use --engine explicit";
    Err(Failure::Input(format!("{option} {why}")))
}

/// Refuse a model from standard input.
pub(super) fn needs_file(is_piped: bool, option: &str) -> Result<(), Failure> {
    if !is_piped {
        return Ok(());
    }
    let why = match option {
        "--disk" => "an exploration that goes on looks whether it is the same",
        _ => "the processes look whether they have the same",
    };
    Err(Failure::Input(format!("{option} needs a model in a file: {why}")))
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
