//! Comparing answers with the expected ones.

use super::BatchError;
use super::jobs::Job;
use super::record::{ContestAnswer, Results};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

/// Expected answers by instance and examination: pairs of a question and its answer.
pub struct Expected {
    answers: HashMap<(String, String), Vec<(String, String)>>,
}

/// How many answers are what.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    pub right: usize,
    pub wrong: usize,
    /// Asked, and not answered.
    pub unknown: usize,
    /// Answered, and nothing is expected.
    pub unchecked: usize,
    /// Answered with a certificate that was checked.
    pub certified: usize,
}

impl Counts {
    pub fn add(&mut self, other: Counts) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.unknown += other.unknown;
        self.unchecked += other.unchecked;
        self.certified += other.certified;
    }

    /// Answers given.
    pub fn answered(&self) -> usize {
        self.right + self.wrong + self.unchecked
    }

    /// Answers given, of those asked for, in percent.
    pub fn percent(&self) -> f64 {
        let asked = self.answered() + self.unknown;
        if asked == 0 { 100.0 } else { 100.0 * self.answered() as f64 / asked as f64 }
    }
}

/// An answer that is not the expected one.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub model: String,
    pub examination: String,
    pub id: String,
    pub answer: String,
    pub expected: String,
}

/// A job and what came of it.
#[derive(Clone, Debug)]
pub struct Scored {
    pub model: String,
    pub examination: String,
    /// None where there is no result yet.
    pub result: Option<ScoredResult>,
}

/// The result of a job.
#[derive(Clone, Debug)]
pub struct ScoredResult {
    pub counts: Counts,
    pub seconds: f64,
    pub peak_memory_bytes: Option<u64>,
    pub error: Option<String>,
}

/// A batch in numbers.
#[derive(Default)]
pub struct Score {
    pub by_examination: BTreeMap<String, Counts>,
    pub by_family: BTreeMap<String, Counts>,
    pub wrong: Vec<Wrong>,
    /// Jobs that failed: model, examination, error.
    pub failed: Vec<(String, String, String)>,
    /// Jobs without a result.
    pub missing: usize,
    /// The time of each answer within its job, by examination.
    pub times: BTreeMap<String, Vec<f64>>,
    /// All jobs, in their order.
    pub jobs: Vec<Scored>,
}

impl Expected {
    /// Read a table with the columns instance, examination, formula_id and expected.
    pub fn read(path: &Path) -> Result<Self, BatchError> {
        let text = fs::read_to_string(path).map_err(|e| BatchError(format!("{}: {e}", path.display())))?;
        let mut lines = (1..).zip(text.lines());
        let header: Vec<_> = lines.next().map(|(_, line)| line.split(',').collect()).unwrap_or_default();
        let mut columns = [0; 4];
        for (column, name) in columns.iter_mut().zip(["instance", "examination", "formula_id", "expected"]) {
            *column = header.iter().position(|&title| title.trim() == name).ok_or_else(|| {
                BatchError(format!("{}:1: no column `{name}` among the titles of the table", path.display()))
            })?;
        }
        let mut answers: HashMap<_, Vec<_>> = HashMap::new();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let cells: Vec<_> = line.split(',').map(str::trim).collect();
            let cell = |column: usize| cells.get(column).map(|&cell| cell.to_owned());
            let [Some(instance), Some(examination), Some(id), Some(value)] = columns.map(cell) else {
                return Err(BatchError(format!("{}:{number}: too few cells", path.display())));
            };
            answers.entry((instance, examination)).or_default().push((id, value));
        }
        Ok(Expected { answers })
    }
}

/// Is the answer the expected one? Numbers that begin with `~` are rounded to five digits.
fn agrees(answer: &str, expected: &str) -> bool {
    let Some(rounded) = expected.strip_prefix('~') else { return answer.eq_ignore_ascii_case(expected) };
    let parts = |text: &str| -> Option<(f64, i64)> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        Some((mantissa.parse().ok()?, exponent.parse().ok()?))
    };
    // An integer of any length as mantissa and exponent.
    let (Some((mantissa, exponent)), true) = (parts(rounded), answer.bytes().all(|b| b.is_ascii_digit())) else {
        return false;
    };
    let kept = answer.len().min(15);
    let Ok(digits) = answer[..kept].parse::<f64>() else { return false };
    let ratio = digits / mantissa * 10f64.powi(((answer.len() - kept) as i64 - exponent).clamp(-400, 400) as i32);
    (ratio - 1.0).abs() <= 1e-4
}

/// The score of the jobs that have a result.
pub fn score(jobs: &[Job], results: &Results, expected: Option<&Expected>) -> Score {
    let mut score = Score::default();
    for job in jobs {
        let Some(record) = results.get(job) else {
            score.missing += 1;
            let examination = job.examination.to_string();
            score.jobs.push(Scored { model: job.model.clone(), examination, result: None });
            continue;
        };
        if let Some(error) = &record.error {
            score.failed.push((record.model.clone(), record.examination.clone(), error.clone()));
        }
        let known: HashMap<&str, &ContestAnswer> =
            record.answers.iter().filter(|a| a.is_known()).map(|a| (a.id.as_str(), a)).collect();
        let key = (record.model.clone(), record.examination.clone());
        let mut counts = Counts::default();
        match expected.and_then(|expected| expected.answers.get(&key)) {
            Some(questions) => {
                for (id, value) in questions {
                    match (known.get(id.as_str()), value.as_str()) {
                        (None, "?") => {}
                        (None, _) => counts.unknown += 1,
                        (Some(_), "?") => counts.unchecked += 1,
                        (Some(given), value) if agrees(&given.value, value) => counts.right += 1,
                        (Some(given), value) => {
                            counts.wrong += 1;
                            score.wrong.push(Wrong {
                                model: key.0.clone(),
                                examination: key.1.clone(),
                                id: id.clone(),
                                answer: given.value.clone(),
                                expected: value.to_owned(),
                            });
                        }
                    }
                }
            }
            None => {
                counts.unchecked = known.len();
                counts.unknown = record.answers.iter().filter(|answer| !answer.is_known()).count();
                counts.unknown += usize::from(record.answers.is_empty());
            }
        }
        counts.certified = known.values().filter(|answer| answer.is_certified()).count();
        score.jobs.push(Scored {
            model: key.0.clone(),
            examination: key.1.clone(),
            result: Some(ScoredResult {
                counts,
                seconds: record.seconds,
                peak_memory_bytes: record.peak_memory_bytes,
                error: record.error.clone(),
            }),
        });
        score.times.entry(key.1.clone()).or_default().extend(known.values().map(|answer| answer.seconds));
        score.by_examination.entry(key.1).or_default().add(counts);
        let family = key.0.split('-').next().unwrap_or_default().to_owned();
        score.by_family.entry(family).or_default().add(counts);
    }
    score.times.values_mut().for_each(|times| times.sort_by(f64::total_cmp));
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_expectations() {
        for (answer, expected) in [
            ("12345", "12345"),
            ("TRUE", "TRUE"),
            ("123456789", "~1.2346e8"),
            ("999996", "~1.0000e6"),
            ("1000001", "~1.0000e6"),
            ("12345600000000000000000", "~1.2346e22"),
        ] {
            assert!(agrees(answer, expected), "{answer} {expected}");
        }
        for (answer, expected) in [
            ("12346", "12345"),
            ("TRUE", "FALSE"),
            ("123456789", "~1.2346e9"),
            ("123956789", "~1.2346e8"),
            ("+inf", "~1.0e8"),
            ("12345600000000000000000", "~1.2346e23"),
        ] {
            assert!(!agrees(answer, expected), "{answer} {expected}");
        }
    }
}
