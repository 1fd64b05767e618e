//! Explicit search beyond memory: what passes find, and what is said if they find nothing.

use super::{run, starset};
use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;

/// Each of n choices is made once, and after the right one in all of them a token goes to and fro for ever: one of 2^n ends.
fn choices(n: usize) -> (tempfile::TempDir, PathBuf) {
    let mut net = String::from("net choices\npl begin (1)\n");
    for k in 0..n {
        let _written = write!(net, "pl open{k} (1)\ntr wrong{k} open{k} ->\n");
    }
    for k in 0..n {
        let _written = writeln!(net, "tr decide{k} open{k} -> right{k}");
    }
    let all: Vec<String> = (0..n).map(|k| format!("right{k}")).collect();
    let _written = writeln!(net, "tr start begin {} -> x\ntr to x -> y\ntr fro y -> x", all.join(" "));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("choices.net");
    std::fs::write(&path, net).unwrap();
    (folder, path)
}

fn check(net: &PathBuf, arguments: &[&str]) -> (Value, String, i32) {
    let limits = ["--engine", "explicit", "--memory", "1M", "--threads", "1", "--json"];
    let (out, err, status) = run(starset().arg("check").arg(net).args(limits).args(arguments));
    (serde_json::from_str(&out).unwrap(), err, status)
}

#[test]
fn a_run_beyond_memory_is_found_and_shown() {
    let (_folder, net) = choices(18);
    let formula = ["-f", "F G #y = 0"];
    let (stopped, err, status) = check(&net, &[&formula[..], &["--without", "bit-state"]].concat());
    assert_eq!((&stopped["reason"], status), (&"memory".into(), 3), "{stopped} {err}");
    assert!(stopped.get("bit_state").is_none());
    let (found, err, status) = check(&net, &[&formula[..], &["--witness", "--time", "120"]].concat());
    assert_eq!(
        (&found["verdict"], &found["technique"], status),
        (&false.into(), &"bit-state".into(), 0),
        "{found} {err}"
    );
    // It has been replayed.
    let run = &found["witness"]["runs"][0];
    assert_eq!(run["end"], "loop");
    let labels: Vec<_> = run["labels"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(labels.iter().filter(|label| label.starts_with("decide")).count(), 18, "{labels:?}");
    assert!(found["explored"]["bytes"].as_u64().unwrap() <= 1 << 20);
}

#[test]
fn nothing_found_proves_nothing() {
    let (_folder, net) = choices(18);
    for formula in ["A G #x + #y <= 1", "A F G (#x + #y <= 1)"] {
        let (answer, err, status) = check(&net, &["-f", formula, "--time", "3", "--without", "stubborn"]);
        assert_eq!((&answer["reason"], status), (&"memory".into(), 3), "{answer} {err}");
        assert!(answer["verdict"].is_null());
        let passes = &answer["bit_state"];
        assert!(passes["passes"].as_u64().unwrap() > 0 && passes["states"].as_u64().unwrap() > 1000, "{answer}");
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains(" states and found nothing, which proves nothing"), "{message}");
        assert!(err.contains("proves nothing; try a larger --memory"), "{err}");
    }
}

/// The examination of the contest, whose question is one for all.
#[test]
fn a_deadlock_beyond_memory() {
    let (folder, net) = choices(18);
    let pnml = folder.path().join("model.pnml");
    let (_, err, status) = run(starset().arg("convert").arg(&net).arg(&pnml));
    assert_eq!(status, 0, "{err}");
    let arguments = ["mcc", "--examination", "ReachabilityDeadlock", "--engine", "explicit", "--without", "stubborn"];
    let limits = ["--memory", "1M", "--time", "60", "--threads", "1"];
    let (out, err, _) = run(starset().args(arguments).args(limits).arg(folder.path()));
    assert!(out.contains("TRUE"), "{out} {err}");
}
