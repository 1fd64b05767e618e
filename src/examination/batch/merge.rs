//! One file of results out of many: those of shares, of attempts that were killed, of machines that did the same.
//!
//! Of each job one record counts, the *best*: it has more known answers, then no error, then more certified answers, then it
//! was begun earlier; what is left is decided by the text of the line. That is a total order on lines, and taking the greatest of a
//! set is commutative, associative and idempotent. So results may be merged in any order, in parts, and again after a
//! crash, and the records in force are the same: delivering a result twice does no harm, and a scheduler need only promise
//! that it is delivered at least once. Records are taken whole, so that each says by whom all of its answers were found.
//!
//! Two records of a job that answer a question differently are a [`Contradiction`]: one of them is wrong, and nobody should
//! find that out from a file in which only one is left.

use super::BatchError;
use super::record::{ContestAnswer, Key, Record, Records, Results, parse};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Two records of a job that answer a question differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    pub model: String,
    pub examination: String,
    pub id: String,
    /// The answers, and where they are.
    pub answers: [(String, PathBuf); 2],
}

/// The result of merging.
#[derive(Default, Debug)]
pub struct Merged {
    pub files: usize,
    /// Records that were read, of how many jobs.
    pub records: usize,
    pub jobs: usize,
    /// Records that were better than what the file had, and are in it now.
    pub taken: usize,
    pub contradictions: Vec<Contradiction>,
    /// Lines that are no results: the file, and the number.
    pub torn: Vec<(PathBuf, usize)>,
}

/// Take the records of other files where they are better; of a folder those of all its files `*.jsonl`. What a killed run has left unfinished at the end of a file is no
/// record; an empty file has none.
///
/// # Errors
/// [`BatchError`] when a file cannot be read or written, and when one has lines and no result.
pub fn merge(results: &mut Results, files: &[PathBuf]) -> Result<Merged, BatchError> {
    let mut merged = Merged::default();
    let mut found: BTreeMap<Key, Vec<(Record, Source<'_>)>> = BTreeMap::new();
    let files = spelled_out(files, results.path())?;
    merged.files = files.len();
    for path in &files {
        for (key, record) in read(path, &mut merged)? {
            merged.records += 1;
            found.entry(key).or_default().push((record, Some(path)));
        }
    }
    merged.jobs = found.len();
    let own = results.path().to_owned();
    let mut better = Vec::new();
    for (key, mut records) in found {
        // What the file has already takes part.
        records.extend(results.records().get(&key).map(|record| (record.clone(), None)));
        merged.contradictions.extend(contradictions(&records, &own));
        let best = records.into_iter().max_by_key(|(record, source)| (rank(record), source.is_none()));
        better.extend(best.filter(|(_, source)| source.is_some()).map(|(record, _)| record));
    }
    merged.taken = better.len();
    results.extend(better.into_iter())?;
    Ok(merged)
}

/// The files, and those in folders but for the one that is written.
fn spelled_out(paths: &[PathBuf], own: &Path) -> Result<Vec<PathBuf>, BatchError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failure = |e| BatchError(format!("{}: {e}", path.display()));
        let entries = fs::read_dir(path).map_err(failure)?.map(|entry| entry.map(|entry| entry.path()));
        let mut found = entries.collect::<Result<Vec<_>, _>>().map_err(failure)?;
        let same = |path: &PathBuf| fs::canonicalize(path).ok() == fs::canonicalize(own).ok();
        found.retain(|file| file.extension().is_some_and(|end| end == "jsonl") && file.is_file() && !same(file));
        if found.is_empty() {
            return Err(BatchError(format!("{}: no files *.jsonl to merge in this folder", path.display())));
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// The file of a record; none for the file that others are merged into.
type Source<'a> = Option<&'a PathBuf>;

/// The records of a file, in which a killed run may have left an unfinished line.
fn read(path: &Path, merged: &mut Merged) -> Result<Records, BatchError> {
    let text = fs::read(path).map_err(|e| BatchError(format!("{}: {e}", path.display())))?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let (records, torn) = parse(&String::from_utf8_lossy(&text[..whole]), path, "--merge")?;
    merged.torn.extend(torn.into_iter().map(|line| (path.to_owned(), line)));
    Ok(records)
}

/// The greater, the better.
fn rank(record: &Record) -> impl Ord + use<> {
    let known = record.answers.iter().filter(|answer| answer.is_known()).count();
    let certified = record.answers.iter().filter(|answer| answer.is_certified()).count();
    // A record that does not say when comes last. Times that are not negative are ordered as their bits are.
    let begun = record.begun.map_or(u64::MAX, |begun| begun.max(0.0).to_bits());
    let text = serde_json::to_string(record).unwrap_or_default();
    (known, record.error.is_none(), certified, Reverse(begun), Reverse(text))
}

/// The differences between records of one job: each question at most once.
fn contradictions(records: &[(Record, Source<'_>)], own: &Path) -> Vec<Contradiction> {
    let mut known: BTreeMap<&str, (&str, Source<'_>)> = BTreeMap::new();
    let mut differing: BTreeMap<&str, Contradiction> = BTreeMap::new();
    let place = |source: Source<'_>| source.map_or(own, |path| path).to_owned();
    for (record, source) in records {
        for ContestAnswer { id, value, .. } in record.answers.iter().filter(|answer| answer.is_known()) {
            let &mut (old, old_source) = known.entry(id).or_insert((value, *source));
            if !old.eq_ignore_ascii_case(value) {
                differing.entry(id).or_insert_with(|| Contradiction {
                    model: record.model.clone(),
                    examination: record.examination.clone(),
                    id: id.clone(),
                    answers: [(old.to_owned(), place(old_source)), (value.clone(), place(*source))],
                });
            }
        }
    }
    differing.into_values().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::SCHEMA;
    use super::super::jobs::Job;
    use super::*;
    use crate::examination::Examination;

    /// A record of a job `model` with the answers to `a`, `b` and so on.
    fn record(model: &str, answers: &[&str], begun: Option<f64>, error: Option<&str>) -> Record {
        let answer = |(id, value): (char, &&str)| ContestAnswer {
            id: id.into(),
            value: (*value).into(),
            seconds: 0.1,
            techniques: Vec::new(),
        };
        Record {
            schema: SCHEMA.into(),
            version: "0".into(),
            model: model.into(),
            examination: "OneSafe".into(),
            answers: ('a'..).zip(answers).map(answer).collect(),
            seconds: 1.0,
            peak_memory_bytes: None,
            status: Some(0),
            error: error.map(str::to_owned),
            time_limit: 1.0,
            memory_limit: 1,
            options: Vec::new(),
            seed: 0,
            threads: Some(1),
            host: Some("here".into()),
            begun,
        }
    }

    fn write(path: &Path, records: &[Record], torn: &str) {
        let lines: Vec<_> = records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect();
        fs::write(path, lines.concat() + torn).unwrap();
    }

    /// In whatever order and however often: the same records are in force, and a second time nothing is taken.
    #[test]
    fn any_order_and_again() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let open = record("A", &["TRUE", "CANNOT_COMPUTE"], Some(1.0), None);
        let whole = record("A", &["TRUE", "FALSE"], Some(3.0), None);
        let later = record("A", &["TRUE", "FALSE"], Some(5.0), None);
        let failed = record("B", &[], Some(1.0), Some("killed"));
        let unknown = record("B", &["CANNOT_COMPUTE"], Some(2.0), None);
        let old = record("C", &["TRUE"], None, None);
        let dated = record("C", &["TRUE"], Some(9.0), None);
        write(&at("1"), &[open, failed], "{\"schema\":\"starset/ba");
        write(&at("2"), &[later, old], "");
        write(&at("3"), &[unknown, whole, dated], "");
        write(&at("4"), &[], "{\"sch");
        let parts = ["1", "2", "3", "4"].map(at);
        let orders = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 0, 3, 1]];
        let mut texts = Vec::new();
        for (number, order) in orders.into_iter().enumerate() {
            // All at once, or one after the other.
            for alone in [false, true] {
                let path = at(&format!("all-{number}-{alone}"));
                let files = order.map(|part| parts[part].clone());
                let mut results = Results::open(&path).unwrap();
                for files in files.chunks(if alone { 1 } else { files.len() }) {
                    let merged = merge(&mut results, files).unwrap();
                    assert!(merged.contradictions.is_empty() && merged.torn.is_empty());
                }
                let get = |model: &str| {
                    let job = Job { model: model.into(), folder: "".into(), examination: Examination::OneSafe };
                    results.get(&job).unwrap().begun
                };
                assert_eq!([get("A"), get("B"), get("C")], [Some(3.0), Some(2.0), Some(9.0)], "{order:?}");
                let before = fs::read(&path).unwrap();
                assert_eq!(merge(&mut results, &parts).unwrap().taken, 0);
                assert_eq!(fs::read(&path).unwrap(), before);
                if !alone {
                    texts.push(before);
                }
            }
        }
        texts.dedup();
        assert_eq!(texts.len(), 1, "a fresh file does not depend on the order");
    }

    #[test]
    fn contradictions_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        // The best of them says nothing of the question about which the others differ.
        write(&at("1"), &[record("A", &["-1", "TRUE", "7"], Some(1.0), None)], "");
        write(&at("2"), &[record("A", &["TRUE", "CANNOT_COMPUTE"], Some(1.0), None)], "");
        write(&at("3"), &[record("A", &["FALSE"], Some(1.0), None)], "");
        write(&at("4"), &[record("A", &["true"], Some(1.0), None)], "");
        let merged = |parts: &[&str]| {
            let files: Vec<_> = parts.iter().map(|part| at(part)).collect();
            let mut results = Results::open(&at(&format!("all-{}", parts.concat()))).unwrap();
            merge(&mut results, &files).unwrap()
        };
        assert!(merged(&["1", "2", "4"]).contradictions.is_empty());
        for parts in [&["1", "2", "3"], &["3", "1", "2"], &["2", "3", "4"]] {
            let found = merged(parts).contradictions;
            assert_eq!(found.len(), 1, "{parts:?}");
            assert_eq!((found[0].model.as_str(), found[0].id.as_str()), ("A", "a"));
        }
    }

    #[test]
    fn what_is_no_result() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut results = Results::open(&at("all")).unwrap();
        fs::write(at("other"), "some text\n").unwrap();
        assert!(merge(&mut results, &[at("other")]).unwrap_err().to_string().contains("give another file to --merge"));
        assert!(merge(&mut results, &[at("none")]).unwrap_err().to_string().contains("none"));
        write(&at("mixed"), &[record("A", &["TRUE"], None, None)], "half a line\nand more\n");
        let merged = merge(&mut results, &[at("mixed")]).unwrap();
        assert_eq!((merged.taken, merged.torn), (1, vec![(at("mixed"), 2), (at("mixed"), 3)]));
        // A folder has files, of which the one that is written is none.
        assert!(merge(&mut results, &[folder.path().into()]).is_err());
        write(&at("part.jsonl"), &[record("B", &["TRUE"], None, None)], "");
        let mut results = Results::open(&at("whole.jsonl")).unwrap();
        let merged = merge(&mut results, &[folder.path().into()]).unwrap();
        assert_eq!((merged.files, merged.taken), (1, 1));
    }
}
