//! `--witness`: what is shown, in every form, and what happens when there is no time for it.

use super::{model, run, starset};
use crate::shared::shared;
use serde_json::Value;

fn check(formulas: &[&str], arguments: &[&str]) -> (String, String, i32) {
    let mut command = starset();
    command.arg("check").arg(model("philo-5.pnml")).args(arguments);
    for formula in formulas {
        command.args(["-f", formula]);
    }
    run(&mut command)
}

#[test]
fn a_trace_in_text() {
    let (out, err, status) = check(&["AG !deadlock"], &["--witness"]);
    assert_eq!((err.as_str(), status), ("", 0));
    assert!(
        out.starts_with("1: false\n  violates AG !deadlock (5 steps, shortest, maximal paths)\n    0  Fork_0"),
        "{out}"
    );
    assert!(out.ends_with("         : deadlock\n       -- deadlock: the path ends\n"), "{out}");
    let (out, ..) = check(&["F G #Eat_0 = 1"], &["--witness"]);
    assert!(out.contains("-- back to ") || out.contains("-- deadlock: the marking repeats for ever"), "{out}");
}

/// The first run that is found is long; the one that is shown is shortest, and both forms say so.
#[test]
fn runs_are_short() {
    let Some(net) = shared("mcc/Peterson-PT-3/model.pnml") else { return };
    let asked = |more: &[&str]| run(starset().arg("check").arg(&net).args(["-f", "EF #CS_0 = 1"]).args(more)).0;
    assert!(asked(&["--witness"]).contains("shows EF #CS_0 = 1 (25 steps, shortest"));
    let object: Value = serde_json::from_str(&asked(&["--shortest", "--json"])).unwrap();
    let run = &object["witness"]["runs"][0];
    assert_eq!(
        (run["labels"].as_array().unwrap().len(), &run["shortest"], &run["least"]),
        (25, &true.into(), &25.into())
    );
}

#[test]
fn states_of_programs_are_assignments() {
    let told =
        |name: &str, formula: &str| run(starset().arg("check").arg(model(name)).args(["-f", formula, "--witness"])).0;
    assert!(
        told("turns.dve", "EF #Second = gone")
            .contains("\n    0  turn = 0, First at idle, Second at idle, again at watching\n")
    );
    assert!(told("locker.mch", "EF #coins = -2").contains("\n    0  taken = {}, mode = open, coins = 0\n"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cells.dve");
    let text = "byte b[2] = {0, 7}; byte x; process P { state q, r; init q; trans q -> r { effect b[0] = 3; }; } system async;";
    std::fs::write(&file, text).unwrap();
    let (out, ..) = run(starset().arg("states").arg(&file).arg("--deadlocks"));
    assert!(out.contains("b = [3, 7], x = 0, P at r"), "{out}");
}

#[test]
fn without_the_option_there_is_none() {
    let (out, _, status) = check(&["AG !deadlock"], &[]);
    assert_eq!((out.as_str(), status), ("1: false\n", 0));
}

#[test]
fn a_lasso_in_json() {
    let (out, _, status) = check(&["E G (F #Eat_0 = 1 & F #Eat_1 = 1)"], &["--witness", "--json"]);
    let object: Value = serde_json::from_str(&out).unwrap();
    let run = &object["witness"]["runs"][0];
    assert_eq!((status, &object["verdict"], &run["end"]), (0, &Value::Bool(true), &Value::from("loop")));
    let length = |field: &str| run[field].as_array().unwrap().len();
    assert_eq!(length("states"), length("labels"));
    assert!(run["loop_index"].as_u64().unwrap() < length("states") as u64);
    assert_eq!(object["witness"]["reason"]["because"], "run");
}

#[test]
fn a_tree_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("witness.dot");
    let formula = "EF (#Eat_0 = 1 & EF #Eat_1 = 1)";
    let (_, _, status) = check(&[formula], &["--witness-dot", file.to_str().unwrap()]);
    let dot = std::fs::read_to_string(file).unwrap();
    assert_eq!(status, 0);
    assert!(dot.starts_with("digraph witness {") && dot.ends_with("}\n"), "{dot}");
    assert!(dot.contains("subgraph cluster_1") && dot.contains("style=dashed"), "{dot}");
}

/// CTL that the explicit engine decides by runs, by labels, and by runs and labels.
#[test]
fn the_explicit_engine_explains_ctl() {
    for (formula, verdict) in [
        ("AG EF #Eat_0 = 1", "1: false"),
        ("AF #Eat_0 = 1", "1: false"),
        ("EF deadlock & !(AG #Eat_0 = 0)", "1: true"),
        ("A(X #Eat_0 = 0 U deadlock) | EF deadlock", "1: true"),
    ] {
        let (out, err, status) = check(&[formula], &["--engine", "explicit", "--witness"]);
        assert_eq!((out.lines().next(), status), (Some(verdict), 0), "{formula}\n{out}{err}");
        assert!(out.contains(" steps, "), "{formula}\n{out}");
    }
}
