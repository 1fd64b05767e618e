//! The manifest: what has been explored, and in which files it is.
//!
//! It is a line with the form and a checksum (CRC-32) of the rest, and one object of JSON. A program goes on with it if it
//! is of the same version of starset, the model and its encoding are the same, and the names of values that the model
//! numbers while it is explored have the same numbers again.

use super::folder::Folder;
use super::outcome::{Disk, DiskError};
use super::run::Run;
use crate::model::{TransitionSystem, VariableId};
use flate2::Crc;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The form of the folder, which a change of any file in it changes.
const FORM: &str = "states-on-disk/2";

/// The numbers of states that have been expanded.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(in crate::explicit) struct Figures {
    pub(in crate::explicit) expanded: u64,
    pub(in crate::explicit) firings: u64,
    pub(in crate::explicit) deadlocks: u64,
    /// The values of the first deadlock.
    pub(in crate::explicit) deadlock: Option<Vec<u64>>,
    /// The greatest value of each variable.
    pub(in crate::explicit) bounds: Vec<u64>,
    /// The greatest sum of values, in two parts: JSON has 64 bits.
    pub(in crate::explicit) sum: [u64; 2],
    /// By the identifiers of actions.
    pub(in crate::explicit) fireable: Vec<bool>,
}

impl Figures {
    /// Of no state.
    pub(in crate::explicit) fn none(system: &dyn TransitionSystem) -> Figures {
        let (bounds, fireable) = (vec![0; system.variables()], vec![false; system.actions()]);
        Figures { bounds, fireable, ..Figures::default() }
    }

    /// The greatest sum of values.
    pub(in crate::explicit) fn greatest_sum(&self) -> u128 {
        u128::from(self.sum[0]) << 64 | u128::from(self.sum[1])
    }

    /// Take note of the sum of the values of a state.
    #[inline]
    pub(in crate::explicit) fn meet(&mut self, sum: u128) {
        if sum > self.greatest_sum() {
            self.sum = [(sum >> 64) as u64, sum as u64];
        }
    }

    /// Add the numbers of other states, which come later.
    pub(in crate::explicit) fn add(&mut self, other: &Figures) {
        self.expanded += other.expanded;
        self.firings += other.firings;
        self.deadlocks += other.deadlocks;
        if self.deadlock.is_none() {
            self.deadlock.clone_from(&other.deadlock);
        }
        self.bounds.iter_mut().zip(&other.bounds).for_each(|(one, &two)| *one = two.max(*one));
        self.meet(other.greatest_sum());
        self.fireable.iter_mut().zip(&other.fireable).for_each(|(one, &two)| *one |= two);
    }
}

/// A firing that made the encoding grow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::explicit) struct Growth {
    pub(in crate::explicit) values: Vec<u64>,
    pub(in crate::explicit) rule: u32,
    /// The greatest values at that time.
    pub(in crate::explicit) most: Vec<u64>,
}

/// A run in the manifest: its number, states, and bytes.
pub(super) type Entry = (u64, u64, u64);

/// The entry of a run.
pub(super) fn entry(run: &Arc<Run>) -> Entry {
    (run.number, run.states, run.bytes)
}

/// What has been explored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The version of starset, and what a model and its encoding are known by.
    pub(super) version: String,
    pub(super) fingerprint: u64,
    pub(super) model: u64,
    pub(super) layout: u64,
    /// For each variable whose values have names, how many they are, and what they are known by.
    pub(super) names: Vec<(u32, u64, u64)>,
    pub(super) growths: Vec<Growth>,
    /// Levels that have been expanded.
    pub(super) levels: u64,
    /// States of these levels and the next.
    pub(super) states: u64,
    pub(super) figures: Figures,
    /// The next level, and the states before it.
    pub(super) level: Option<Entry>,
    pub(super) visited: Vec<Entry>,
    /// The levels one by one up to the next, if they are kept: for searches. Visited runs may be among them.
    pub(super) kept: Option<Vec<Entry>>,
    /// Bytes of all states, once all have been expanded and their files are gone.
    pub(super) bytes: Option<u64>,
    /// The number of the next run.
    pub(super) next: u64,
}

impl Manifest {
    /// That of a model, of which nothing has been explored.
    pub(super) fn of(system: &dyn TransitionSystem, disk: &Disk) -> Manifest {
        let mut model = DefaultHasher::new();
        system.variable_ids().for_each(|variable| system.variable(variable).hash(&mut model));
        system.action_ids().for_each(|action| system.action(action).hash(&mut model));
        system.initial_states().iter().for_each(|state| state.as_slice().hash(&mut model));
        Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            fingerprint: disk.fingerprint,
            model: model.finish(),
            layout: 0,
            names: Vec::new(),
            growths: Vec::new(),
            levels: 0,
            states: 0,
            figures: Figures::none(system),
            level: None,
            visited: Vec::new(),
            kept: None,
            bytes: None,
            next: 0,
        }
    }

    /// The numbers of the runs that it names.
    pub(super) fn runs(&self) -> Vec<u64> {
        self.visited.iter().chain(&self.level).chain(self.kept.iter().flatten()).map(|run| run.0).collect()
    }

    /// Is this run a level that is kept?
    pub(super) fn keeps(&self, run: &Run) -> bool {
        self.kept.iter().flatten().any(|&(number, ..)| number == run.number)
    }

    /// That of an earlier program, if there was one.
    pub(super) fn read(folder: &Folder) -> Result<Option<Manifest>, DiskError> {
        let Some(bytes) = folder.manifest()? else { return Ok(None) };
        let damaged = |what| DiskError::Damaged { file: folder.manifest_path(), what };
        let text = std::str::from_utf8(&bytes).map_err(|_| damaged("it is no text"))?;
        let (first, rest) = text.split_once('\n').ok_or_else(|| damaged("it is cut off"))?;
        let (form, sum) = first.split_once(' ').ok_or_else(|| damaged("it does not begin as it should"))?;
        if form != FORM {
            let why = format!("its form is {form}, of another version of starset; give an empty folder");
            return Err(DiskError::Refused { folder: folder.path().to_owned(), why });
        }
        if sum != checksum(rest) {
            return Err(damaged("it is not as it was written"));
        }
        serde_json::from_str(rest).map(Some).map_err(|_| damaged("it is not what was expected"))
    }

    /// Put it in the place of the one in the folder.
    pub(super) fn write(&self, folder: &Folder) -> Result<(), DiskError> {
        let damaged = |_| DiskError::Damaged { file: folder.manifest_path(), what: "it cannot be written" };
        let text = serde_json::to_string(self).map_err(damaged)? + "\n";
        folder.replace_manifest(format!("{FORM} {}\n{text}", checksum(&text)).as_bytes())
    }

    /// Why an exploration of this model cannot go on from here, if it cannot.
    pub(super) fn differs(&self, own: &Manifest, system: &dyn TransitionSystem) -> Option<String> {
        if self.version != own.version {
            return Some(format!("it was explored by starset {}; give an empty folder", self.version));
        }
        if (self.fingerprint, self.model) != (own.fingerprint, own.model) {
            return Some("another model was explored in it, or with other options; give an empty folder".to_owned());
        }
        // What has been explored to the end is told as it was, unless its states are looked at again.
        if self.level.is_none() && self.kept.is_none() {
            return None;
        }
        let other = self.names.iter().find(|&&(variable, count, hash)| {
            let mut now = Names::of(VariableId(variable));
            now.learn(system, Some(count));
            (now.count, now.hash) != (count, hash)
        });
        let (variable, ..) = other?;
        Some(format!(
            "the values of {} are numbered while the model is explored, and have other numbers now: an exploration of it \
             cannot go on; give an empty folder",
            system.variable(VariableId(*variable))
        ))
    }
}

fn checksum(text: &str) -> String {
    let mut crc = Crc::new();
    crc.update(text.as_bytes());
    format!("{:08x}", crc.sum())
}

/// What a layout is known by.
pub(in crate::explicit) fn hash_of(layout: &impl std::fmt::Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{layout:?}").hash(&mut hasher);
    hasher.finish()
}

/// The names of the values of a variable, as far as they are known.
#[derive(Clone, Debug)]
pub(in crate::explicit) struct Names {
    variable: VariableId,
    count: u64,
    hash: u64,
}

impl Names {
    /// None yet.
    pub(in crate::explicit) fn of(variable: VariableId) -> Names {
        Names { variable, count: 0, hash: 0 }
    }

    /// Those of the variables whose values have names, not numbers.
    pub(in crate::explicit) fn all(system: &dyn TransitionSystem) -> Vec<Names> {
        let named = |v: &VariableId| system.value(*v, 0).is_some() && system.least(*v) == 0;
        system.variable_ids().filter(named).map(Names::of).collect()
    }

    /// Take note of those that are new, or of as many as that altogether.
    pub(in crate::explicit) fn learn(&mut self, system: &dyn TransitionSystem, most: Option<u64>) {
        while most.is_none_or(|most| self.count < most)
            && let Some(name) = system.value(self.variable, self.count)
        {
            let mut hasher = DefaultHasher::new();
            (self.hash, name).hash(&mut hasher);
            (self.hash, self.count) = (hasher.finish(), self.count + 1);
        }
    }

    /// For the manifest.
    pub(in crate::explicit) fn entry(&self) -> (u32, u64, u64) {
        (self.variable.0, self.count, self.hash)
    }
}
