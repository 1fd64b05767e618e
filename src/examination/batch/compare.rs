//! Two runs of the same jobs side by side: what was gained, what was lost, where the answers differ, and how long both took.

use super::BatchError;
use super::jobs::Job;
use super::record::{ContestAnswer, Record, Records, Results, parse};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The results of another run, read and left alone.
pub struct Previous {
    records: Records,
}

impl Previous {
    /// Read a file of results; lines that are no results are left out.
    ///
    /// # Errors
    /// [`BatchError`] when the file cannot be read, or holds no result.
    pub fn read(path: &Path) -> Result<Self, BatchError> {
        let text = fs::read_to_string(path).map_err(|e| BatchError(format!("{}: {e}", path.display())))?;
        let (records, _) = parse(&text, path, "--compare")?;
        if records.is_empty() {
            return Err(BatchError(format!(
                "{}: no results to compare with; give a file of --results",
                path.display()
            )));
        }
        Ok(Previous { records })
    }
}

/// The change of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It was not known.
    Gained,
    /// It is not known any more.
    Lost,
    /// It was another.
    Differs,
}

/// An answer that is not as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub change: Change,
    pub model: String,
    pub examination: String,
    pub id: String,
    /// The answer now, and as it was.
    pub answer: Option<String>,
    pub before: Option<String>,
}

/// Two runs side by side.
#[derive(Default)]
pub struct Compared {
    /// Those that differ first, then what was lost, then what was gained; each in the order of the jobs.
    pub differences: Vec<Difference>,
    /// Answers that are the same.
    pub same: usize,
    /// Jobs that have results in both, by number, with their seconds now and before.
    pub times: Vec<(usize, f64, f64)>,
}

impl Compared {
    /// Compare what became of these jobs. Those without a result in one of the runs are left out.
    pub fn of(jobs: &[Job], results: &Results, previous: &Previous) -> Self {
        let mut compared = Compared::default();
        for (number, job) in jobs.iter().enumerate() {
            let before = previous.records.get(&(job.model.clone(), job.examination.to_string()));
            let (Some(now), Some(before)) = (results.get(job), before) else { continue };
            compared.times.push((number, now.seconds, before.seconds));
            let mut answers: BTreeMap<&str, [Option<&str>; 2]> = BTreeMap::new();
            for (side, record) in [now, before].into_iter().enumerate() {
                for answer in known(record) {
                    answers.entry(&answer.id).or_default()[side] = Some(&answer.value);
                }
            }
            for (id, [answer, old]) in answers {
                let change = match (answer, old) {
                    (Some(answer), Some(old)) if answer.eq_ignore_ascii_case(old) => {
                        compared.same += 1;
                        continue;
                    }
                    (Some(_), Some(_)) => Change::Differs,
                    (Some(_), None) => Change::Gained,
                    (None, _) => Change::Lost,
                };
                compared.differences.push(Difference {
                    change,
                    model: now.model.clone(),
                    examination: now.examination.clone(),
                    id: id.to_owned(),
                    answer: answer.map(str::to_owned),
                    before: old.map(str::to_owned),
                });
            }
        }
        let rank = |difference: &Difference| match difference.change {
            Change::Differs => 0,
            Change::Lost => 1,
            Change::Gained => 2,
        };
        compared.differences.sort_by_key(rank);
        compared
    }

    /// How many answers have changed so.
    pub fn count(&self, change: Change) -> usize {
        self.differences.iter().filter(|difference| difference.change == change).count()
    }
}

fn known(record: &Record) -> impl Iterator<Item = &ContestAnswer> {
    record.answers.iter().filter(|answer| answer.is_known())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::SCHEMA;
    use super::*;
    use crate::examination::Examination;

    #[test]
    fn gained_lost_and_differing() {
        let folder = tempfile::tempdir().unwrap();
        let line = |model: &str, seconds: f64, answers: &[(&str, &str)]| {
            let answer = |(id, value): &(&str, &str)| {
                format!("{{\"id\":\"{id}\",\"value\":\"{value}\",\"seconds\":0.1,\"techniques\":[]}}")
            };
            let answers: Vec<_> = answers.iter().map(answer).collect();
            format!(
                "{{\"schema\":\"{SCHEMA}\",\"version\":\"0\",\"model\":\"{model}\",\"examination\":\"OneSafe\",\
                 \"answers\":[{}],\"seconds\":{seconds},\"peak_memory_bytes\":null,\"status\":0,\"error\":null,\
                 \"time_limit\":1.0,\"memory_limit\":1}}\n",
                answers.join(",")
            )
        };
        let write = |name: &str, lines: &[String]| {
            let path = folder.path().join(name);
            fs::write(&path, lines.concat()).unwrap();
            path
        };
        let now = line("A", 1.0, &[("a", "TRUE"), ("b", "CANNOT_COMPUTE"), ("c", "1"), ("d", "FALSE")]);
        let then = line("A", 3.0, &[("a", "CANNOT_COMPUTE"), ("b", "7"), ("c", "2"), ("d", "false")]);
        let results = Results::open(&write("now", &[now, line("B", 1.0, &[("x", "TRUE")])])).unwrap();
        let previous = Previous::read(&write("then", &[then])).unwrap();
        let job = |model: &str| Job { model: model.into(), folder: "".into(), examination: Examination::OneSafe };
        let compared = Compared::of(&[job("B"), job("A"), job("C")], &results, &previous);
        let found: Vec<_> = compared.differences.iter().map(|d| (d.change, d.id.as_str())).collect();
        assert_eq!(found, [(Change::Differs, "c"), (Change::Lost, "b"), (Change::Gained, "a")]);
        assert_eq!(compared.differences[0].before.as_deref(), Some("2"));
        assert_eq!((compared.same, compared.times), (1, vec![(1, 1.0, 3.0)]));
        assert!(Previous::read(&write("empty", &[])).is_err());
        assert!(Previous::read(&folder.path().join("none")).is_err());
    }
}
