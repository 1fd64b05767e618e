//! B machines as B users ask them: invariants by their parts, deadlocks, formulas about sets; and runs in B's words.

use crate::cli::{run, starset};
use crate::shared::shared;
use serde_json::Value;
use std::path::Path;

/// The answers of `starset check`, in their order.
fn check(machine: &Path, arguments: &[&str]) -> Vec<Value> {
    let common = ["--json", "--witness", "--threads", "1"];
    let (out, err, status) = run(starset().arg("check").arg(machine).args(arguments).args(common));
    assert_eq!(status, 0, "{err}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The labels of the steps of the only run, and the last state.
fn steps(answer: &Value) -> (Vec<&str>, &Value) {
    let run = &answer["witness"]["runs"][0];
    let labels = run["labels"].as_array().unwrap().iter().map(|label| label.as_str().unwrap());
    (labels.collect(), &run["states"].as_array().unwrap().last().unwrap()["marking"])
}

fn verdict(answer: &Value) -> Option<bool> {
    answer["verdict"].as_bool()
}

#[test]
fn counters_violate_one_part_of_their_invariant() {
    let Some(folder) = shared("pins/machines") else { return };
    let machine = folder.join("ConcurrentCounters.mch");
    let answers = check(&machine, &["--invariant"]);
    let verdicts: Vec<_> = answers.iter().map(verdict).collect();
    assert_eq!(verdicts, [Some(true), Some(false), Some(true), Some(true)]);
    assert_eq!(answers[1]["id"], "invariant 2 (line 4)");
    // x must go from 0 to 65, and y is more than 0 before.
    let (labels, last) = steps(&answers[1]);
    assert_eq!(labels.len(), 66, "{labels:?}");
    assert_eq!((labels[0], labels[65]), ("Inc_yy", "Inc_xx"));
    assert_eq!((&last["x"], &last["z"]), (&"65".into(), &"-1".into()));
    let formulas = ["-f", "EF deadlock", "-f", "F G #x < 70", "-f", "AG (enabled(Loop) -> #x = 70 & #z = 50)"];
    let answers = check(&machine, &formulas);
    assert_eq!(answers.iter().map(verdict).collect::<Vec<_>>(), [Some(false), Some(false), Some(true)]);
    // In the end nothing but Loop can happen, with x at 70.
    assert_eq!(answers[1]["witness"]["runs"][0]["end"], "loop");
}

#[test]
fn the_bus_keeps_its_invariant_and_its_run_is_told_in_words_of_b() {
    let Some(folder) = shared("pins/machines") else { return };
    let machine = folder.join("CAN_BUS_tlc.mch");
    let answers = check(&machine, &["--invariant"]);
    assert!(answers.len() == 21 && answers.iter().all(|answer| verdict(answer) == Some(true)));
    let formulas = [
        "AG !deadlock",
        "EF BUSwrite = \"{4|->0,0|->0}\"",
        "EF BUSwrite = \"{(4,0),(0,0)}\"",
        "G (T2_mode = T2MODE_TRANSMIT -> F T2_mode = T2MODE_SENSE)",
        "F T2_state = T2_RELEASE",
    ];
    let formulas: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
    let answers = check(&machine, &formulas);
    let verdicts: Vec<_> = answers.iter().map(verdict).collect();
    assert_eq!(verdicts, [Some(true), Some(true), Some(true), Some(true), Some(false)]);
    assert_eq!(answers[1]["formula"], answers[2]["formula"]);
    assert_eq!(answers[4]["witness"]["runs"][0]["end"], "loop");
    let (labels, last) = steps(&answers[2]);
    assert!(labels.contains(&"T3writebus(4,0)"), "{labels:?}");
    assert_eq!(last["BUSwrite={(0|->0),(4|->0)}"], "1", "{last}");
}

#[test]
fn trains_keep_their_invariant_and_may_run_for_ever() {
    let Some(folder) = shared("pins/machines") else { return };
    let machine = folder.join("Train1_Lukas_POR.mch");
    let answers = check(&machine, &["--invariant"]);
    assert!(answers.len() == 14 && answers.iter().all(|answer| verdict(answer) == Some(true)), "{answers:?}");
    let formulas =
        ["-f", "EF deadlock", "-f", "F G LBT = \"{}\"", "-f", "AG (enabled(FRONT_MOVE_1) -> !enabled(route_freeing))"];
    let answers = check(&machine, &formulas);
    assert_eq!(answers.iter().map(verdict).collect::<Vec<_>>(), [Some(false), Some(false), Some(true)]);
    assert_eq!(answers[1]["witness"]["runs"][0]["end"], "loop");
}

/// What the model asks is asked when nothing else is, and part of it on demand.
#[test]
fn models_ask_their_own_questions() {
    let folder = tempfile::tempdir().unwrap();
    let text = "MACHINE m VARIABLES x, s\nINVARIANT x : -2..1 &\n x < 1 & s <: {1,2}\nINITIALISATION x := -2 || s := {}\n\
        OPERATIONS add(n) = PRE n : {1,2} & n /: s THEN s := s \\/ {n} || x := x + n END;\n\
        y <-- look = BEGIN y := x END END";
    let machine = super::written(folder.path(), "m.mch", text);
    let (out, err, status) = run(starset().arg("check").arg(&machine).args(["--witness", "-q", "--threads", "1"]));
    assert_eq!(status, 0, "{err}");
    assert!(
        out.starts_with("invariant 1 (line 2): true\n") && out.contains("\ninvariant 2 (line 3): false\n"),
        "{out}"
    );
    assert!(out.contains("0  x = -2, s = {}\n"), "{out}");
    assert!(out.contains("add(1): x -2→-1, s {}→{1}\n") || out.contains("add(2): x -2→0, s {}→{2}\n"), "{out}");
    assert!(out.contains("invariant 3 (line 3): true\n"), "{out}");
    let answers =
        check(&machine, &["-f", "EF s = \"{2,1}\"", "-f", "AG !label(\"invariant 2 (line 3)\")", "--invariant"]);
    let verdicts: Vec<_> = answers.iter().map(verdict).collect();
    assert_eq!(verdicts, [Some(true), Some(false), Some(true), Some(false), Some(true)]);
    assert_eq!(answers[0]["formula"], "E F (#s = \"{1,2}\")");
    let (_, err, status) = run(starset().arg("check").arg(&machine).args(["-f", "s = \"{3}}\""]));
    assert!(status == 2 && err.contains("variable `s` has no value `{3}}`"), "{err}");
    let philosophers = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/philo-5.pnml");
    let (_, err, status) = run(starset().arg("check").arg(&philosophers).arg("--invariant"));
    assert!(status == 2 && err.contains("this net has neither an invariant nor assertions"), "{err}");
}

#[test]
#[cfg(not(feature = "prob"))]
fn without_the_feature_nobody_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let machine = super::written(folder.path(), "m.mch", "MACHINE m END");
    for arguments in [vec!["nothing.probz"], vec![machine.to_str().unwrap(), "--prober", "probcli"]] {
        let (_, err, status) = run(starset().arg("states").args(arguments));
        assert!(status == 2 && err.contains("build it with the feature `prob`"), "{err}");
    }
}

/// Numbers without bounds are taken from MININT..MAXINT, and what comes out is about these alone: that is said unasked.
#[test]
fn a_machine_that_is_cut_is_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("u.mch");
    let text = "MACHINE u VARIABLES n INVARIANT n : NATURAL INITIALISATION n := 0\n\
        OPERATIONS up = ANY x WHERE x : INTEGER THEN n := x END END";
    std::fs::write(&path, text).unwrap();
    let (out, err, status) = run(starset().arg("check").arg(&path).args(["-f", "AG #n < 100", "--quiet"]));
    assert_eq!((&*out, status), ("1: true\n", 0), "{err}");
    let said = format!("starset: {}:2:31: up: a number without bounds was taken from -1..3\n", path.display());
    assert_eq!(err, said);
}

/// A value that a formula names and no state has is no other machine; one that a state has is.
#[test]
fn sets_of_a_machine_go_together_whatever_formulas_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let machine =
        "MACHINE v SETS SS = {s0, s1, s2} VARIABLES x, n INVARIANT x <: SS & n : 0..9 INITIALISATION x := {} || n := 0
        OPERATIONS add(p) = PRE p : SS & p /: x & n < 2 THEN x := x \\/ {p} || n := n + 1 END;
          reset = PRE n = 2 THEN x := {} || n := 0 END END";
    std::fs::write(file("v.mch"), machine).unwrap();
    std::fs::write(file("other.mch"), machine.replace("s2", "t2")).unwrap();
    let save = |machine: &str, formula: &str, set: &str| {
        let command = ["satset", &file(machine), "-f", formula, "--save", &file(set)];
        let (_, err, status) = run(starset().args(command));
        assert_eq!(status, 0, "{err}");
    };
    save("v.mch", "x = \"{s1}\" | x = \"{s0,s1,s2}\"", "a.set");
    save("v.mch", "x = \"{s2}\" | x = \"{s1}\"", "b.set");
    save("v.mch", "x = \"{s1,s2,s0}\" | x = \"{s1}\"", "same.set");
    save("other.mch", "x = \"{t2}\"", "other.set");
    save("other.mch", "x = \"{s1}\"", "shared.set");
    let combine = |operation: &str, first: &str, second: &str| {
        let (out, err, status) = run(starset().args(["combine", operation, &file(first), &file(second)]));
        (out.trim().to_owned() + &err, status)
    };
    for (first, second) in [("a.set", "b.set"), ("b.set", "a.set")] {
        let sizes = if first == "a.set" { "(1 and 2)" } else { "(2 and 1)" };
        for (operation, count) in [("union", 2), ("intersection", 1)] {
            let expected = (format!("{operation}: {count} markings {sizes}"), 0);
            assert_eq!(combine(operation, first, second), expected, "{first}");
        }
        let (subset, _) = combine("subset", first, second);
        assert_eq!(subset, format!("subset: {}", first == "a.set"));
    }
    assert_eq!(combine("equal", "a.set", "same.set").0, "equal: true");
    assert_eq!(combine("equal", "a.set", "shared.set").0, "equal: true");
    let (why, status) = combine("union", "b.set", "other.set");
    assert!(status == 2 && why.contains("`x` has no value `{"), "{why}");
    assert!(why.contains("the two sets are of different models"), "{why}");
}
