//! Wishes for a set of states beside its size: a list of members, a file.

use super::Failure;
use super::model::with_suffix;
use super::output_file::OutputFile;
use starset::budget::Budget;
use starset::decide::StateSpace;
use starset::kinds::{Kind, to_saved};
use starset::mdd::{Mdd, SavedSet};
use starset::report::formulas::SetReport;
use std::path::PathBuf;

/// Wishes for sets.
#[derive(clap::Args, Debug, Default)]
pub(super) struct SetArgs {
    /// List N of the states, those with the fewest tokens
    #[arg(long, value_name = "N", help_heading = "Results")]
    pub(super) list: Option<usize>,
    /// Save the set to a file (of several sets: with the identifier appended to the name but for the first)
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(super) save: Option<PathBuf>,
}

/// The names of a set in files.
pub(super) struct Named<'a> {
    /// The formula of the set.
    pub(super) formula: &'a str,
    /// The suffix of the name of the file.
    pub(super) suffix: Option<&'a str>,
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
        let mut report = SetReport::of(space, set, self.list, budget);
        if report.stop.is_some() {
            return Ok(report);
        }
        if let Some(path) = &self.save {
            let path = named.suffix.map_or_else(|| path.clone(), |id| with_suffix(path, id));
            let saved = SavedSet { formula: named.formula.to_owned(), ..to_saved(model, &space.relation, set) };
            OutputFile::create(&path)?.write(|out| saved.save(out))?;
            report.saved = Some(path.display().to_string());
        }
        Ok(report)
    }
}
