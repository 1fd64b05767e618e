//! Wishes for a set of states beside its size: a list of members, a file.

use super::Failure;
use super::model::with_suffix;
use super::output_file::OutputFile;
use starset::StopReason;
use starset::budget::Budget;
use starset::decide::StateSpace;
use starset::kinds::{Kind, to_saved};
use starset::mdd::{Mdd, SavedSet};
use starset::report::formulas::SetReport;
use std::path::{Path, PathBuf};

/// Wishes for sets.
#[derive(clap::Args, Debug, Default)]
pub(super) struct SetArgs {
    /// List N of the states, those with the fewest tokens
    #[arg(long, value_name = "N", help_heading = "Results")]
    pub(super) list: Option<usize>,
    /// Save the set to a file (of several sets: with the identifier appended to the name but for the first)
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(super) save: Option<PathBuf>,
    /// Of a model with inputs that keep their values: save the states with the settings of inputs for which all states are
    /// in the set (names as with --save)
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(super) save_settings: Option<PathBuf>,
}

/// A set of states, by its names in files.
pub(super) struct Named<'a> {
    /// The formula of the set.
    pub(super) formula: &'a str,
    /// The suffix of the name of the file.
    pub(super) suffix: Option<&'a str>,
    /// Whether its question is about some initial state, rather than about all.
    pub(super) some: bool,
}

/// The reason why a set is not in its file.
enum NotSaved {
    Stopped(StopReason),
    Failed(Failure),
}

impl From<StopReason> for NotSaved {
    fn from(stop: StopReason) -> Self {
        NotSaved::Stopped(stop)
    }
}

impl From<Failure> for NotSaved {
    fn from(failure: Failure) -> Self {
        NotSaved::Failed(failure)
    }
}

/// The end of a command whose set is not in its file.
pub(super) fn not_saved(stop: StopReason) -> Failure {
    Failure::Unknown(stop.to_string())
}

/// A set of states of a model as its file has it, with the formula that it is the set of.
pub(super) fn saved(
    model: &dyn Kind,
    (space, set): (&StateSpace, &Mdd),
    formula: String,
    budget: &Budget,
) -> Result<SavedSet, StopReason> {
    Ok(SavedSet { formula, ..to_saved(model, &space.relation, set, budget)? })
}

impl SetArgs {
    /// Count, list and save a set.
    pub(super) fn report(
        &self,
        model: &dyn Kind,
        space: &StateSpace,
        set: &Mdd,
        named: Named<'_>,
        budget: &Budget,
    ) -> Result<SetReport, Failure> {
        let mut report = SetReport::of(space, set, named.some, self.list, budget);
        if report.stop.is_none() {
            match self.save(model, (space, set), &named, budget) {
                Ok(saved) => report.saved = saved,
                Err(NotSaved::Stopped(stop)) => report.stop = Some(stop),
                Err(NotSaved::Failed(failure)) => return Err(failure),
            }
        }
        Ok(report)
    }

    /// Write the files that are wanted of a set, of which the first is that of its states.
    fn save(
        &self,
        model: &dyn Kind,
        (space, set): (&StateSpace, &Mdd),
        named: &Named<'_>,
        budget: &Budget,
    ) -> Result<Option<String>, NotSaved> {
        let write = |path: &Path, set: &Mdd, formula: String| {
            let saved = saved(model, (space, set), formula, budget)?;
            let path = named.suffix.map_or_else(|| path.to_owned(), |id| with_suffix(path, id));
            OutputFile::create(&path)?.write(|out| saved.save(out))?;
            Ok::<_, NotSaved>(path.display().to_string())
        };
        let states = match &self.save {
            Some(path) => Some(write(path, &space.meant(set, budget)?, named.formula.to_owned())?),
            None => None,
        };
        if let Some(path) = &self.save_settings {
            let Some(within) = space.settings_within(set, budget)? else {
                let why = "--save-settings: the model has no inputs that keep their values, or its states are explored";
                return Err(Failure::Input(why.to_owned()).into());
            };
            write(path, &within, format!("settings of inputs for which all states satisfy {}", named.formula))?;
        }
        Ok(states)
    }
}
