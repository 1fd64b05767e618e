//! `starset check --disk`: questions of reachability, with the states in a folder.

use crate::cli::asking::Common;
use crate::cli::folder::{Folder, needs_file, needs_search};
use crate::cli::options::DiskArg;
use crate::cli::ways::Engine;
use crate::cli::{Console, Failure};
use starset::explicit::{Disk, OnDisk};
use starset::kinds::Loaded;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Refuse what the states in a folder do not answer.
pub(super) fn accept(args: &Common, engine: Engine) -> Result<(), Failure> {
    needs_search(engine, "--disk")?;
    needs_file(args.model.is_piped())
}

/// The folder, for a model: that of a net has its states whatever is asked. Other models are read for what is asked, with
/// units of time or memories of their own.
pub(super) fn of(args: &Common, DiskArg { folder, quota }: &DiskArg, loaded: &Loaded) -> Result<Disk, Failure> {
    let (model, mut fingerprint) = (&*loaded.model, args.model.fingerprint(loaded)?);
    if model.as_net().is_none() || model.tick().is_some() {
        let mut known_by = DefaultHasher::new();
        (fingerprint, format!("{:?}", args.formulas)).hash(&mut known_by);
        fingerprint = known_by.finish();
    }
    Ok(Disk { folder: folder.clone(), quota: *quota, fingerprint })
}

/// Say what went on there.
pub(super) fn say(disk: &Disk, found: &OnDisk<()>, console: &Console) {
    console.note(format!("{} states in {}", found.states, Folder::of(&disk.folder, found).told()));
}
