//! What is asked of a set of states beside its size: to list some of its members, to save it.

use super::Failure;
use super::model::with_suffix;
use super::output_file::OutputFile;
use num_bigint::BigUint;
use starset::Halt;
use starset::budget::Budget;
use starset::decide::StateSpace;
use starset::kinds::{Kind, to_saved};
use starset::mdd::{Mdd, SavedSet};
use starset::report::state;
use std::path::PathBuf;

/// What is asked of sets.
#[derive(clap::Args, Debug, Default)]
pub(super) struct SetArgs {
    /// List N of the states, those with the fewest tokens
    #[arg(long, value_name = "N")]
    pub(super) list: Option<usize>,
    /// Save the set to a file (of several sets: with the identifier appended to the name but for the first)
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
}

/// A set, as far as the budget goes.
pub(super) struct SetReport {
    /// Is the initial state in it?
    pub(super) holds: bool,
    /// Its size.
    pub(super) size: Option<BigUint>,
    /// Some members.
    pub(super) members: Option<Vec<String>>,
    /// The file that it was saved to.
    pub(super) saved: Option<String>,
    /// Why something is missing.
    pub(super) stop: Option<Halt>,
}

/// What a set is called in files.
pub(super) struct Named<'a> {
    /// What it is the set of.
    pub(super) formula: &'a str,
    /// What is appended to the name of the file.
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
        let holds = space.relation.initial_states().all(|state| set.contains(state));
        let mut report = SetReport { holds, size: None, members: None, saved: None, stop: None };
        let counted = (|| {
            report.size = Some(set.count(budget)?);
            if let Some(most) = self.list {
                let text = |state| state::text(model, &state, usize::MAX);
                report.members = Some(space.lightest(set, budget)?.take(most).map(text).collect());
            }
            Ok::<(), Halt>(())
        })();
        if let Err(halt) = counted {
            report.stop = Some(halt);
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
