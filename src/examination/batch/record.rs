//! The results of jobs: one line of JSON each, in a file that a later run resumes.

use super::BatchError;
use super::jobs::Job;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The form of the lines; see docs/batch.md.
pub const SCHEMA: &str = "starset/batch/1";
/// The technique that marks an answer with a certificate.
pub const CERTIFIED: &str = "CERTIFIED";
/// Bytes that are collected before they are written.
const MOST_AT_ONCE: usize = 1 << 20;

/// The record of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    pub schema: String,
    pub version: String,
    pub model: String,
    pub examination: String,
    pub answers: Vec<ContestAnswer>,
    /// Wall-clock time of the job.
    pub seconds: f64,
    pub peak_memory_bytes: Option<u64>,
    /// Exit status; `None` if the job was killed.
    pub status: Option<i32>,
    /// The reason of a failure.
    pub error: Option<String>,
    pub time_limit: f64,
    pub memory_limit: u64,
    /// Further options of the job. Results of earlier versions have neither this nor the fields below.
    #[serde(default)]
    pub options: Vec<String>,
    #[serde(default)]
    pub seed: u64,
    #[serde(default)]
    pub threads: Option<usize>,
    /// The machine that did the job, where the system tells.
    #[serde(default)]
    pub host: Option<String>,
    /// The beginning of the job, in seconds since 1970-01-01, UTC.
    #[serde(default)]
    pub begun: Option<f64>,
}

/// An answer to one question of an examination.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ContestAnswer {
    pub id: String,
    /// As in the contest: TRUE, FALSE, a number, or CANNOT_COMPUTE.
    pub value: String,
    /// Its time from the start of the job.
    pub seconds: f64,
    pub techniques: Vec<String>,
}

impl ContestAnswer {
    pub fn is_known(&self) -> bool {
        !matches!(self.value.as_str(), "CANNOT_COMPUTE" | "DO_NOT_COMPETE" | "-1")
    }

    /// Was it given with a certificate that was checked (`starset mcc --certify`)?
    pub fn is_certified(&self) -> bool {
        self.techniques.iter().any(|technique| technique == CERTIFIED)
    }

    /// An answer as the contest's output has it; `None` for other lines.
    pub fn parse(line: &str, seconds: f64) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (id, value) = match words.next()? {
            "FORMULA" | "STATE_SPACE" => (words.next()?, words.next()?),
            value @ ("CANNOT_COMPUTE" | "DO_NOT_COMPETE") => ("", value),
            _ => return None,
        };
        let techniques = words.skip_while(|&word| word == "TECHNIQUES").map(str::to_owned).collect();
        Some(ContestAnswer { id: id.to_owned(), value: value.to_owned(), seconds, techniques })
    }
}

impl Record {
    /// Is every question answered?
    pub fn is_complete(&self) -> bool {
        self.error.is_none() && !self.answers.is_empty() && self.answers.iter().all(ContestAnswer::is_known)
    }

    /// Its job.
    pub(super) fn key(&self) -> Key {
        (self.model.clone(), self.examination.clone())
    }

    /// Was it asked for in the same way: by this version, with these limits and options? Threads and machines may differ.
    pub fn is_like(&self, other: &Record) -> bool {
        let how = |record: &Record| (record.time_limit.to_bits(), record.memory_limit, record.seed);
        self.version == other.version && self.options == other.options && how(self) == how(other)
    }
}

/// A job: the name of its instance, and that of its examination.
pub(super) type Key = (String, String);
/// The last record of each job.
pub(super) type Records = HashMap<Key, Record>;

/// The records of a file, and the numbers of the lines that are none; `option` names the file on the command line.
pub(super) fn parse(text: &str, path: &Path, option: &str) -> Result<(Records, Vec<usize>), BatchError> {
    let (mut records, mut torn, mut first) = (HashMap::new(), Vec::new(), None);
    for (number, line) in (1..).zip(text.lines()) {
        match serde_json::from_str::<Record>(line) {
            Ok(record) => {
                records.insert(record.key(), record);
            }
            Err(error) => {
                first.get_or_insert(error);
                torn.push(number);
            }
        }
    }
    match (first, torn.first()) {
        (Some(error), Some(number)) if records.is_empty() => {
            let what = format!("no result of a batch ({error}); give another file to {option}");
            Err(BatchError(format!("{}:{number}: {what}", path.display())))
        }
        _ => Ok((records, torn)),
    }
}

/// The reason why a file of results cannot be opened or read.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is no such file, or cannot be read.
    #[error(transparent)]
    Unfit(#[from] BatchError),
    /// Another run has it open.
    #[error("{}: another batch writes its results here; wait for it, or give another file to --results", .0.display())]
    Busy(PathBuf),
}

/// The file of results. It is locked as long as this lives: two runs that write to one file would redo each other's jobs.
pub struct Results {
    path: PathBuf,
    file: File,
    records: Records,
    /// Lines that are no results, by number.
    torn: Vec<usize>,
}

impl Results {
    /// Open the file, or create it, and read what it has. A line that a killed run left unfinished is removed; others that
    /// are no results are left alone ([`Results::torn`]).
    ///
    /// # Errors
    /// [`OpenError`] when the file cannot be opened, when another run has it open, and when it holds lines and no result.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let failure = |e: io::Error| BatchError(format!("{}: {e}", path.display()));
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failure)?;
        // Where files cannot be locked, two runs are the user's care.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(OpenError::Busy(path.to_owned()));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failure)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let (records, torn) = parse(&text[..whole], path, "--results")?;
        file.set_len(whole as u64).map_err(failure)?;
        Ok(Results { path: path.to_owned(), file, records, torn })
    }

    /// The numbers of the lines that are no results: another program wrote them, or a disk was full.
    pub fn torn(&self) -> &[usize] {
        &self.torn
    }

    /// The result of a job, if there is one.
    pub fn get(&self, job: &Job) -> Option<&Record> {
        self.records.get(&(job.model.clone(), job.examination.to_string()))
    }

    /// Append a result. The line is written by one call and has reached the disk afterwards.
    pub fn append(&mut self, record: Record) -> Result<(), BatchError> {
        self.extend(std::iter::once(record))
    }

    /// Append results. All lines have reached the disk afterwards; if that fails, some may have.
    pub(super) fn extend(&mut self, records: impl Iterator<Item = Record>) -> Result<(), BatchError> {
        let failure = |e: io::Error| BatchError(format!("{}: {e}", self.path.display()));
        let mut text = String::new();
        for record in records {
            text.push_str(&serde_json::to_string(&record).map_err(|e| BatchError(e.to_string()))?);
            text.push('\n');
            self.records.insert(record.key(), record);
            if text.len() > MOST_AT_ONCE {
                self.file.write_all(text.as_bytes()).map_err(failure)?;
                text.clear();
            }
        }
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data()).map_err(failure)
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The records in force.
    pub(super) fn records(&self) -> &Records {
        &self.records
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::examination::Examination;
    use std::fs;

    fn record(model: &str) -> Record {
        Record {
            schema: SCHEMA.into(),
            version: "0".into(),
            model: model.into(),
            examination: "OneSafe".into(),
            answers: vec![ContestAnswer::parse("FORMULA OneSafe TRUE TECHNIQUES A B", 0.5).unwrap()],
            seconds: 1.0,
            peak_memory_bytes: None,
            status: Some(0),
            error: None,
            time_limit: 1.0,
            memory_limit: 1,
            options: Vec::new(),
            seed: 0,
            threads: Some(1),
            host: None,
            begun: None,
        }
    }

    #[test]
    fn lines() {
        let answer = ContestAnswer::parse("STATE_SPACE STATES 243 TECHNIQUES DECISION_DIAGRAMS", 1.0).unwrap();
        assert_eq!((answer.id.as_str(), answer.value.as_str()), ("STATES", "243"));
        assert_eq!(answer.techniques, ["DECISION_DIAGRAMS"]);
        assert!(!ContestAnswer::parse("FORMULA f CANNOT_COMPUTE", 0.0).unwrap().is_known());
        assert!(!ContestAnswer::parse("DO_NOT_COMPETE", 0.0).unwrap().is_known());
        assert!(ContestAnswer::parse("", 0.0).is_none() && ContestAnswer::parse("FORMULA f", 0.0).is_none());
    }

    /// After any part of the last line, the lines before it are kept and the next run goes on.
    #[test]
    fn a_killed_run_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let mut results = Results::open(&path).unwrap();
        results.append(record("A")).unwrap();
        results.append(record("B")).unwrap();
        drop(results);
        let whole = fs::read(&path).unwrap();
        let second = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let job = |model: &str| Job { model: model.into(), folder: "".into(), examination: Examination::OneSafe };
        for cut in second..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut results = Results::open(&path).unwrap();
            assert!(results.get(&job("A")).is_some_and(Record::is_complete), "{cut}");
            assert!(results.get(&job("B")).is_none(), "{cut}");
            results.append(record("B")).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole, "{cut}");
        }
        // A line that is torn in the middle costs its own job only.
        let torn = [&whole[..second], b"{\"schema\":\n", &whole[second..]].concat();
        fs::write(&path, &torn).unwrap();
        let results = Results::open(&path).unwrap();
        assert!(results.get(&job("A")).is_some() && results.get(&job("B")).is_some());
        assert_eq!(results.torn(), [2]);
        // One run at a time.
        assert!(matches!(Results::open(&path), Err(OpenError::Busy(_))));
        drop(results);
        fs::write(&path, "not a result\n").unwrap();
        assert!(Results::open(&path).is_err());
    }
}
