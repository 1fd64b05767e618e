//! `--translator` and `--automaton`: automata from elsewhere.
#![cfg(unix)]

use super::{model, run, starset};
use serde_json::Value;
use std::fs;
use std::path::Path;

const FORMULA: &str = "E(G F #Eat_0 = 1 & G F #Eat_1 = 1)";

/// What `satset` answers on five philosophers: verdict and size.
fn satset(arguments: &[&str]) -> (Option<bool>, String) {
    let (out, err, status) = run(starset().arg("satset").arg(model("philo-5.pnml")).args(arguments).arg("--json"));
    assert_eq!(status, 0, "{err}");
    let object: Value = serde_json::from_str(&out).unwrap();
    (object["verdict"].as_bool(), object["satisfying"].as_str().unwrap().to_owned())
}

/// Writes the automaton of a formula to a file.
fn write(file: &Path, formula: &str) {
    let (out, _, status) = run(starset().args(["automaton", formula]));
    assert_eq!(status, 0);
    fs::write(file, out).unwrap();
}

#[test]
fn a_command_as_translator() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("automaton.hoa");
    let cat = format!("sh -c 'cat {}' cat", file.display());
    write(&file, "GF p0 & GF p1");
    let builtin = satset(&["-f", FORMULA]);
    assert_eq!(builtin, (Some(true), "241".to_owned()));
    for translator in ["builtin", &cat] {
        assert_eq!(satset(&["-f", FORMULA, "--translator", translator]), builtin, "{translator}");
        assert_eq!(satset(&["-f", FORMULA, "--translator", translator, "--without", "components"]), builtin);
    }
    // One clear error when the tool is wrong, missing, or not a translator; no verdict.
    write(&file, "GF p0");
    let cases = [
        (cat.as_str(), "is not one of G(Fp0 & Fp1): it accepts "),
        ("/nonexistent/tool %f", "cannot run `/nonexistent/tool`"),
        ("echo hello", "line 1, column 1: "),
        ("false", "it failed (exit status: 1)"),
        ("tool 'open", "not closed"),
    ];
    for (translator, message) in cases {
        let mut command = starset();
        command.arg("check").arg(model("philo-5.pnml")).args(["-f", FORMULA, "--translator", translator]);
        let (out, err, status) = run(&mut command);
        assert_eq!((out.as_str(), status), ("", 2), "{translator}");
        let place = format!("starset: translator `{translator}`: ");
        assert!(err.starts_with(&place) && err.contains(message), "{err}");
        assert_eq!(err.matches("starset: ").count(), 1, "{err}");
    }
    let (out, _, status) = run(starset().args(["automaton", "GFp0", "--stats", "--translator", &cat]));
    assert!(status == 0 && out.contains("states             1\n"), "{out}");
    let (_, err, status) = run(starset().args(["automaton", "GFp1", "--translator", &cat]));
    assert!(status == 2 && err.contains("proposition \"p0\""), "{err}");
}

#[test]
fn spot_unless_built_with_it() {
    let (out, err, status) = run(starset().args(["automaton", "GFa", "--stats", "--translator", "spot"]));
    if cfg!(feature = "spot") {
        assert!(status == 0 && out.contains("states             1\n"), "{err}");
    } else {
        assert!(status == 2 && err.contains("--features spot"), "{err}");
    }
}

#[test]
fn ltl2tgba_where_there_is_one() {
    if std::process::Command::new("ltl2tgba").arg("--version").output().is_err() {
        crate::shared::passed_over("no ltl2tgba");
        return;
    }
    assert_eq!(satset(&["-f", FORMULA, "--translator", "ltl2tgba"]), satset(&["-f", FORMULA]));
    assert_eq!(satset(&["-f", FORMULA, "--translator", "ltl2tgba -B %f"]), satset(&["-f", FORMULA]));
}

#[test]
fn an_automaton_as_the_question() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("automaton.hoa");
    let name = file.to_str().unwrap();
    write(&file, "GF\"#Eat_0 = 1\" & GF\"#Eat_1 = 1\"");
    assert_eq!(satset(&["--automaton", name]), satset(&["-f", FORMULA]));
    // Deadlocks repeat for ever, or are no path.
    write(&file, "FG \"deadlock\"");
    assert_eq!(satset(&["--automaton", name]), (Some(true), "243".to_owned()));
    assert_eq!(satset(&["--automaton", name, "--paths", "infinite"]), (Some(false), "0".to_owned()));
    let (out, _, status) = run(starset().arg("check").arg(model("philo-5.pnml")).args(["--automaton", name]));
    assert_eq!((out, status), (format!("{name}: true\n"), 0));
    let error = |arguments: &[&str]| {
        let (out, err, status) = run(starset().arg("check").arg(model("philo-5.pnml")).args(arguments));
        assert_eq!((out.as_str(), status), ("", 2), "{err}");
        assert_eq!(err.matches("starset: ").count(), 1, "{err}");
        err
    };
    assert!(error(&["--automaton", name, "--paths", "maximal"]).contains("infinite paths"));
    assert!(error(&["--automaton", "/nonexistent.hoa"]).contains("/nonexistent.hoa: cannot be read"));
    write(&file, "GF\"#Nowhere = 1\"");
    assert!(error(&["--automaton", name]).contains("proposition \"#Nowhere = 1\": "));
    write(&file, "GF\"X deadlock\"");
    assert!(error(&["--automaton", name]).contains("not a state formula"));
    fs::write(&file, "HOA: v1 Start: 0 Acceptance: 1 Often(0) --BODY-- State: 0 --END--").unwrap();
    assert!(error(&["--automaton", name]).contains("line 1, column 32: expected `Inf`"));
}
