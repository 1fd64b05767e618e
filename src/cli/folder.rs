//! The folder of `--disk`, as `states` and `check` tell of it.

use super::Failure;
use super::ways::Engine;
use serde_json::{Value as Json, json};
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

/// Refuse engines that do not look at states one by one.
pub(super) fn needs_search(engine: Engine, option: &str) -> Result<(), Failure> {
    if matches!(engine, Engine::Auto | Engine::Explicit) {
        return Ok(());
    }
    let why = "is for search state by state: leave --engine out, or use --engine explicit";
    Err(Failure::Input(format!("{option} {why}")))
}

/// Refuse a model from standard input.
pub(super) fn needs_file(is_piped: bool) -> Result<(), Failure> {
    if !is_piped {
        return Ok(());
    }
    let why = "--disk needs a model in a file: an exploration that goes on looks whether it is the same";
    Err(Failure::Input(why.to_owned()))
}
