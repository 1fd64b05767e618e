//! What is answered depends on the question, not on the command: `check` and `mcc` on the same files.

use super::{run, starset};
use crate::shared::shared;
use starset::examination::Examination;
use std::collections::BTreeMap;
use std::path::Path;

/// Answers by identifier.
fn answers(arguments: &[&str], model: &Path) -> BTreeMap<String, String> {
    let mut command = starset();
    command.args(arguments).arg(model).args(["--time", "60", "--memory", "2G", "-q"]);
    let (out, err, status) = run(&mut command);
    assert_eq!(status, 0, "{arguments:?} {}: {out}{err}", model.display());
    let mut answers = BTreeMap::new();
    for line in out.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let ["FORMULA", id, answer, "TECHNIQUES", ..] = words[..] else { panic!("{line}") };
        assert!(answers.insert(id.to_owned(), answer.to_owned()).is_none(), "{id} twice");
    }
    answers
}

/// All formula files of some tiny instances, of both kinds: each command answers all, and they agree.
#[test]
fn check_and_mcc_answer_the_same_files() {
    let Some(sample) = shared("mcc") else { return };
    let instances = std::fs::read_to_string(sample.join("instances.csv")).unwrap();
    let tiny = instances.lines().filter(|line| line.split(',').any(|cell| cell == "tiny"));
    let tiny: Vec<&str> = tiny.filter_map(|line| line.split(',').next()).step_by(5).collect();
    assert!(tiny.len() >= 3 && tiny.iter().any(|name| name.contains("-COL-")), "{tiny:?}");
    for name in tiny {
        let folder = sample.join(name);
        for examination in Examination::ALL.into_iter().filter(|examination| examination.has_properties()) {
            let examination = examination.name();
            let file = folder.join(examination).with_extension("xml");
            let by_check = answers(&["check", "--format", "mcc", "-x", file.to_str().unwrap()], &folder);
            let by_mcc = answers(&["mcc", "--examination", examination], &folder);
            assert_eq!(by_check.len(), 16, "{name} {examination}");
            assert_eq!(by_check, by_mcc, "{name} {examination}");
        }
    }
}
