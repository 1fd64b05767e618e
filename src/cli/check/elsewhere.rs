//! `starset check --disk` and `--hosts`: formulas about states, with the states in a folder or on several machines.

use crate::cli::Failure;
use crate::cli::asking::Common;
use crate::cli::elsewhere::{Folder, needs_file, needs_search};
#[cfg(feature = "distributed")]
use crate::cli::elsewhere::{Together, index};
use crate::cli::formulas::NamedQuestion;
use crate::cli::options::{DiskArg, parse_disk};
use crate::cli::ways::Engine;
use starset::budget::Budget;
#[cfg(feature = "distributed")]
use starset::decide::decide_on_hosts;
use starset::decide::{Listener, Request, Settings, Subject, decide_on_disk};
use starset::explicit::Disk;
#[cfg(feature = "distributed")]
use starset::explicit::{Cluster, ClusterError, hosts};
use starset::kinds::Loaded;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// Where states are kept, as options.
#[derive(clap::Args, Debug)]
pub(super) struct ElsewhereArgs {
    /// Keep states in this folder, at most so many bytes
    ///
    /// Keep states in this folder, at most SIZE bytes (units K, M, G, T), and answer formulas about states by search
    /// state by state and by fixpoints. What is in the folder from earlier questions is used; what was stopped goes on
    #[arg(long, value_name = "DIR[:SIZE]", value_parser = parse_disk, help_heading = "Engine", hide_short_help = true)]
    #[arg(conflicts_with_all = ["certificate", "report", "order", "translator"])]
    disk: Option<DiskArg>,
    /// Answer together with other processes, one for each line `host:port` of this file
    ///
    /// Answer formulas about states by search state by state and by fixpoints together with other processes, one for each
    /// line `host:port` of this file, which are asked the same; process 0 reports
    #[arg(long, value_name = "FILE", help_heading = "Engine", hide_short_help = true)]
    #[arg(conflicts_with_all = ["disk", "certificate", "report", "order", "translator", "witness_dot"])]
    hosts: Option<PathBuf>,
    /// Which of the processes of --hosts this is, from 0 on [default: what Slurm or Kubernetes says]
    #[arg(long, value_name = "I", requires = "hosts", help_heading = "Engine", hide_short_help = true)]
    process: Option<usize>,
}

/// Where states are kept.
pub(super) enum Elsewhere {
    Disk(Disk),
    #[cfg(feature = "distributed")]
    Hosts(Cluster),
}

impl ElsewhereArgs {
    /// Are states kept elsewhere than in the memory of this process?
    pub(super) fn is_asked(&self) -> bool {
        self.disk.is_some() || self.hosts.is_some()
    }

    /// Refuse what states that are kept elsewhere do not answer.
    pub(super) fn accept(&self, args: &Common, engine: Engine) -> Result<(), Failure> {
        let option = match (&self.disk, &self.hosts) {
            (Some(_), _) => "--disk",
            (None, Some(_)) => "--hosts",
            (None, None) => return Ok(()),
        };
        needs_search(engine, option)?;
        needs_file(args.model.is_piped(), option)
    }

    /// Where the states of a model are kept, if that is asked.
    pub(super) fn get(
        &self,
        args: &Common,
        loaded: &Loaded,
        questions: &[NamedQuestion],
    ) -> Result<Option<Elsewhere>, Failure> {
        if let Some(DiskArg { folder, quota }) = &self.disk {
            // The folder of a net has its states whatever is asked. Other models are read for what is asked, with units
            // of time or memories of their own.
            let is_net = loaded.model.as_net().is_some() && loaded.model.tick().is_none();
            let fingerprint = fingerprint(args, loaded, Some(questions).filter(|_| !is_net))?;
            return Ok(Some(Elsewhere::Disk(Disk { folder: folder.clone(), quota: *quota, fingerprint })));
        }
        #[cfg(feature = "distributed")]
        if let Some(file) = &self.hosts {
            let hosts = hosts(file).map_err(|error| Failure::Input(error.to_string()))?;
            let process = index(self.process, hosts.len(), |name| std::env::var(name).ok())?;
            let fingerprint = fingerprint(args, loaded, Some(questions))?;
            return Ok(Some(Elsewhere::Hosts(Cluster { hosts, process, fingerprint })));
        }
        #[cfg(not(feature = "distributed"))]
        if let Some(file) = &self.hosts {
            let what = "this starset explores on one machine only; build it with the feature `distributed`";
            return Err(Failure::Input(format!("--hosts {}: {what}", file.display())));
        }
        Ok(None)
    }
}

/// What a model is known by, perhaps with what is asked of it: as it is written, and as it was read.
fn fingerprint(args: &Common, loaded: &Loaded, questions: Option<&[NamedQuestion]>) -> Result<u64, Failure> {
    let fingerprint = args.model.fingerprint(loaded)?;
    let Some(questions) = questions else { return Ok(fingerprint) };
    let mut known_by = DefaultHasher::new();
    (fingerprint, format!("{:?}", args.formulas)).hash(&mut known_by);
    questions.iter().for_each(|question| (&question.id, &question.text).hash(&mut known_by));
    Ok(known_by.finish())
}

impl Elsewhere {
    /// Is it another process that prints the answers?
    pub(super) fn is_silent(&self) -> bool {
        match self {
            Elsewhere::Disk(_) => false,
            #[cfg(feature = "distributed")]
            Elsewhere::Hosts(cluster) => cluster.process != 0,
        }
    }

    /// Answer; returned is what went on there, for people.
    pub(super) fn decide(
        &self,
        subject: Subject<'_>,
        requests: &[Request],
        settings: &Settings<'_>,
        budget: &Budget,
        listener: &dyn Listener,
    ) -> Result<Option<String>, Failure> {
        match self {
            Elsewhere::Disk(disk) => {
                let found = decide_on_disk(subject, requests, settings, disk, budget, listener);
                let found = found.map_err(|fault| Failure::Input(fault.to_string()))?;
                Ok(found.map(|found| format!("{} states in {}", found.states, Folder::of(&disk.folder, &found).told())))
            }
            #[cfg(feature = "distributed")]
            Elsewhere::Hosts(cluster) => {
                match decide_on_hosts(subject, requests, settings, cluster, budget, listener) {
                    Ok(found) => {
                        Ok(found.map(|found| format!("{} states, {}", found.states, Together::of(&found).told())))
                    }
                    Err(ClusterError::Stopped(_)) => Ok(None),
                    Err(refused) => Err(Failure::Input(refused.to_string())),
                }
            }
        }
    }
}
