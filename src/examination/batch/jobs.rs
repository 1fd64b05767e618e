//! The jobs of a batch: pairs of an instance and an examination.

use super::BatchError;
use crate::examination::Examination;
use crate::files;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

/// An examination of an instance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Job {
    /// Name of the instance: that of its folder.
    pub model: String,
    pub folder: PathBuf,
    pub examination: Examination,
}

impl Job {
    /// The job as a line of a list, which [`jobs`] reads.
    ///
    /// # Errors
    /// [`BatchError`] if the name of the folder has a blank or a `#`, which a list cannot tell from what is around it.
    pub fn line(&self) -> Result<String, BatchError> {
        let folder = self.folder.display().to_string();
        if folder.contains(|c: char| c.is_whitespace() || c == '#') {
            return Err(BatchError(format!("{folder}: a list has no such names; rename the folder")));
        }
        Ok(format!("{folder} {}", self.examination))
    }
}

/// A share of the jobs: number `index` (from 1) of `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(index, count)| {
            // Some schedulers count from 0.
            let index: usize = match index.trim().strip_suffix("+1") {
                Some(before) => before.parse::<usize>().ok()?.checked_add(1)?,
                None => index.trim().parse().ok()?,
            };
            Some(Shard { index, count: count.trim().parse().ok()? })
        });
        shard
            .filter(|shard| (1..=shard.count).contains(&shard.index))
            .ok_or_else(|| format!("`{text}` is no share: write I/N with I from 1 to N, as in 3/16 or 2+1/16"))
    }
}

/// The jobs of `paths`: folders of instances, instances (folders, or archives of them), or lists (lines
/// `FOLDER [EXAMINATION]`, relative to the list), each with the `examinations` unless a line names one.
pub fn jobs(paths: &[PathBuf], examinations: &[Examination], shard: Option<Shard>) -> Result<Vec<Job>, BatchError> {
    let mut folders: BTreeMap<String, PathBuf> = BTreeMap::new();
    let (mut jobs, mut known) = (Vec::new(), HashSet::new());
    let mut add = |folder: &Path, examinations: &[Examination]| {
        let absolute = fs::canonicalize(folder).map_err(|e| BatchError(format!("{}: {e}", folder.display())))?;
        let model = files::plain_name(&absolute);
        match folders.get(&model) {
            Some(other) if *other != absolute => {
                return Err(BatchError(format!(
                    "{} and {}: two instances of the same name; rename one, since results are kept by name",
                    other.display(),
                    absolute.display()
                )));
            }
            _ => drop(folders.insert(model.clone(), absolute.clone())),
        }
        for &examination in examinations {
            let job = Job { model: model.clone(), folder: absolute.clone(), examination };
            if known.insert(job.clone()) {
                jobs.push(job);
            }
        }
        Ok(())
    };
    for path in paths {
        if is_instance(path) {
            add(path, examinations)?;
        } else if path.is_dir() {
            let found = instances(path)?;
            if found.is_empty() {
                return Err(BatchError(format!(
                    "{}: neither an instance nor a folder of instances (folders with a model.pnml)",
                    path.display()
                )));
            }
            found.iter().try_for_each(|folder| add(folder, examinations))?;
        } else {
            for (folder, examination) in list(path)? {
                add(&folder, examination.as_ref().map_or(examinations, std::slice::from_ref))?;
            }
        }
    }
    if let Some(Shard { index, count }) = shard {
        jobs = jobs.into_iter().skip(index - 1).step_by(count).collect();
    }
    Ok(jobs)
}

fn is_instance(folder: &Path) -> bool {
    folder.join("model.pnml").is_file() || (files::is_archive(folder) && folder.is_file())
}

/// The instances in a folder, by name.
fn instances(folder: &Path) -> Result<Vec<PathBuf>, BatchError> {
    let failure = |e| BatchError(format!("{}: {e}", folder.display()));
    let entries = fs::read_dir(folder).map_err(failure)?;
    let paths: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    // An archive that lies beside what it was unpacked to is no other instance.
    let unpacked = |path: &PathBuf| files::is_archive(path) && is_instance(&folder.join(files::plain_name(path)));
    let mut found: Vec<_> = paths.map_err(failure)?.into_iter().collect();
    found.retain(|path| is_instance(path) && !unpacked(path));
    found.sort();
    Ok(found)
}

/// The lines of a list; `#` begins a comment.
fn list(path: &Path) -> Result<Vec<(PathBuf, Option<Examination>)>, BatchError> {
    let text = fs::read_to_string(path).map_err(|e| BatchError(format!("{}: {e}", path.display())))?;
    if text.trim_start().starts_with('<') {
        let why = "this is XML, not a list; give the folder of the instance, which has a model.pnml in it";
        return Err(BatchError(format!("{}: {why}", path.display())));
    }
    let base = path.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(folder) = words.next() else { continue };
        let failure = |message| BatchError(format!("{}:{number}: {message}", path.display()));
        let examination = words.next().map(|name| Examination::from_str(name).map_err(|e| failure(e.to_string())));
        if let Some(rest) = words.next() {
            return Err(failure(format!("`{rest}` after the examination; a line is FOLDER [EXAMINATION]")));
        }
        let folder = base.join(folder);
        if !is_instance(&folder) {
            return Err(failure(format!("{} has no model.pnml", folder.display())));
        }
        found.push((folder, examination.transpose()?));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn shards() {
        assert_eq!("3/16".parse(), Ok(Shard { index: 3, count: 16 }));
        assert_eq!("0+1/16".parse(), Ok(Shard { index: 1, count: 16 }));
        for text in ["", "3", "0/4", "5/4", "4+1/4", "1+2/4", "+1/4", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn shares_are_a_partition() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["B", "A", "C"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("model.pnml"), "").unwrap();
        }
        fs::create_dir(folder.path().join("notes")).unwrap();
        let paths = [folder.path().to_owned()];
        let examinations = [Examination::StateSpace, Examination::OneSafe];
        let all = jobs(&paths, &examinations, None).unwrap();
        let names: Vec<_> = all.iter().map(|job| job.model.as_str()).collect();
        assert_eq!(names, ["A", "A", "B", "B", "C", "C"]);
        let mut shares = Vec::new();
        for index in 1..=4 {
            shares.extend(jobs(&paths, &examinations, Some(Shard { index, count: 4 })).unwrap());
        }
        assert_eq!(shares.len(), all.len());
        assert!(all.iter().all(|job| shares.contains(job)));
    }

    #[test]
    fn lists() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("A")).unwrap();
        fs::write(folder.path().join("A/model.pnml"), "").unwrap();
        let path = folder.path().join("list");
        fs::write(&path, "# two jobs\nA OneSafe\n\nA StateSpace # again\nA OneSafe\n").unwrap();
        let found = jobs(std::slice::from_ref(&path), &[], None).unwrap();
        let found: Vec<_> = found.iter().map(|job| job.examination).collect();
        assert_eq!(found, [Examination::OneSafe, Examination::StateSpace]);
        for (text, message) in [("A Nonsense", ":1:"), ("B OneSafe", "model.pnml"), ("A OneSafe x", "after the")] {
            fs::write(&path, text).unwrap();
            let Err(BatchError(error)) = jobs(std::slice::from_ref(&path), &[], None) else { unreachable!() };
            assert!(error.contains(message), "{error}");
        }
    }
}
