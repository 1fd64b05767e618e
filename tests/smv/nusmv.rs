//! Random programs beside NuSMV, where there is one on the PATH: verdicts, numbers of steps, and numbers of states.

use super::bits::cases;
use super::cone::program;
use super::{states, written};
use crate::cli::{run, starset};
use crate::shared::passed_over;
use serde_json::Value;
use starset::random::Rng;
use std::path::Path;
use std::process::Command;

/// What NuSMV prints about a program: the answer to its one question, in the words of starset, and its number of reachable
/// states; `None` for what it refuses.
fn said(path: &Path) -> Option<(String, String)> {
    let out = Command::new("NuSMV").args(["-dcx", "-r"]).arg(path).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    let answer = text.lines().find(|line| line.starts_with("-- ") && line.contains(" is "))?;
    let answer = answer.rsplit_once(" is ")?.1.trim().replace("infinity", "infinite");
    let states = text.lines().find_map(|line| line.strip_prefix("reachable states: "))?;
    Some((answer, states.split(' ').next()?.to_owned()))
}

#[test]
fn random_programs_have_the_answers_of_nusmv() {
    if Command::new("NuSMV").arg("-h").output().is_err() {
        return passed_over("no NuSMV");
    }
    let mut rng = Rng::new(149);
    let (mut compared, mut refused) = (0, 0);
    for _ in 0..cases(60) {
        let text = program(&mut rng);
        // NuSMV takes fairness about inputs, such as `running`, as if it were about every step there: see
        // findings/nusmv-compassion-of-inputs.sh.
        if text.contains("COMPASSION") && text.contains("FAIRNESS running") {
            continue;
        }
        let (_folder, path) = written(&text);
        let (out, err, status) = run(starset().arg("check").arg(&path).arg("--json"));
        let Some((answer, number)) = said(&path) else {
            refused += 1;
            continue;
        };
        if err.contains("has no initial state") {
            assert_eq!(number, "0", "{text}");
            continue;
        }
        assert_eq!(status, 0, "{text}{err}");
        let record: Value = serde_json::from_str(out.trim()).unwrap();
        let own = match &record["verdict"] {
            Value::Bool(verdict) => verdict.to_string(),
            _ => record["bound"].as_str().unwrap_or("none").to_owned(),
        };
        assert_eq!(own, answer, "{text}{out}{err}");
        assert_eq!(states(&path, &[]).0, number, "{text}");
        compared += 1;
    }
    assert!(compared > 2 * refused, "{compared} {refused}");
}
