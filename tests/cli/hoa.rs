//! `--automaton`: acceptance conditions of all kinds, labels as propositions, several automata, accepted runs.

use super::{model, run, starset};
use crate::shared::shared;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// An automaton with one state that marks an edge with set i where proposition i holds.
fn marking(acceptance: &str) -> String {
    format!(
        "HOA: v1 Start: 0 AP: 2 \"#Eat_0 = 1\" \"#Eat_1 = 1\" Acceptance: {acceptance} --BODY-- State: 0 \
         [0&1] 0 {{0 1}} [0&!1] 0 {{0}} [!0&1] 0 {{1}} [!0&!1] 0 --END--\n"
    )
}

fn satset(arguments: &[&str]) -> (Option<bool>, String) {
    let (out, err, status) = run(starset().arg("satset").arg(model("philo-5.pnml")).args(arguments).arg("--json"));
    assert_eq!(status, 0, "{err}");
    let object: Value = serde_json::from_str(&out).unwrap();
    (object["verdict"].as_bool(), object["satisfying"].as_str().unwrap().to_owned())
}

#[test]
fn any_acceptance_is_that_of_the_formula() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.hoa");
    let name = file.to_str().unwrap();
    for (acceptance, formula) in [
        ("2 Inf(0) | Inf(1)", "G F #Eat_0 = 1 | G F #Eat_1 = 1"),
        ("2 Fin(0)", "F G !#Eat_0 = 1"),
        ("2 Fin(0) & Inf(1)", "F G !#Eat_0 = 1 & G F #Eat_1 = 1"),
        ("2 (Fin(0) | Inf(1)) & (Fin(1) | Inf(0))", "(G F #Eat_0 = 1) <-> G F #Eat_1 = 1"),
        // Parity, min even.
        ("2 Inf(0) | Fin(1)", "(G F #Eat_0 = 1) | F G !#Eat_1 = 1"),
        ("2 Inf(!0) & Fin(!1)", "G F !#Eat_0 = 1 & F G #Eat_1 = 1"),
    ] {
        fs::write(&file, marking(acceptance)).unwrap();
        assert_eq!(satset(&["--automaton", name]), satset(&["-f", &format!("E ({formula})")]), "{acceptance}");
        let (out, err, status) =
            run(starset().arg("check").arg(model("philo-5.pnml")).args(["--automaton", name, "--engine", "both"]));
        assert_eq!((status, out.contains("differ")), (0, false), "{acceptance}: {out}{err}");
    }
}

/// A path that begins in one of several initial states is one, whether the set is asked for or not.
#[test]
fn one_initial_state_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.hoa");
    for (proposition, verdict) in [("limit = 2", "true"), ("limit = 3", "true"), ("floor > limit", "false")] {
        let text =
            format!("HOA: v1 Start: 0 AP: 1 \"{proposition}\" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--\n");
        fs::write(&file, text).unwrap();
        for arguments in [
            vec!["check"],
            vec!["satset"],
            vec!["check", "--engine", "both"],
            vec!["check", "--engine", "explicit", "--witness"],
        ] {
            let mut command = starset();
            command.args(&arguments[..1]).arg(model("lift.smv")).args(&arguments[1..]).arg("--automaton").arg(&file);
            let (out, err, status) = run(&mut command);
            assert_eq!(status, 0, "{arguments:?}: {out}{err}");
            assert!(out.contains(&format!(": {verdict}")), "{arguments:?}: {out}");
        }
    }
}

/// The lines of `check` on a model.
fn check(model: &Path, arguments: &[&str]) -> (String, String, i32) {
    run(starset().arg("check").arg(model).args(arguments))
}

#[test]
fn accepted_runs_are_shown() {
    let hungry = model("hungry.hoa");
    let hungry = hungry.to_str().unwrap();
    for engine in ["auto", "explicit"] {
        let (out, err, status) =
            check(&model("philo-5.pnml"), &["--automaton", hungry, "--witness", "--engine", engine]);
        assert_eq!(status, 0, "{err}");
        assert!(out.contains("shows a path") && out.contains("the loop starts here"), "{out}");
        assert!(out.contains(": #Eat_0 = 1") && out.contains(": !(#Eat_1 = 1)"), "{out}");
    }
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none.hoa");
    fs::write(&none, marking("2 Fin(0) & Inf(0)")).unwrap();
    let (out, err, status) = check(&model("philo-5.pnml"), &["--automaton", none.to_str().unwrap(), "--witness"]);
    assert_eq!(status, 0);
    assert!(out.contains(": false") && (out + &err).contains("no run is accepted"), "{err}");
}

/// Both commands refuse a file without an automaton in the same words.
#[test]
fn files_without_automata_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("none.hoa");
    fs::write(&file, "").unwrap();
    let refusal = format!("{}: there is no automaton in it", file.display());
    for json in [&[][..], &["--json"]] {
        let (out, err, status) = run(starset().arg("automaton").arg(&file).args(json));
        assert!(status == 2 && (out + &err).contains(&refusal), "{err}");
    }
    let (_, err, status) = check(&model("philo-5.pnml"), &["--automaton", file.to_str().unwrap()]);
    assert!(status == 2 && err.contains(&refusal), "{err}");
}

#[test]
fn propositions_may_be_labels() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let model = at("two.aut", "des (0,3,2)\n(0,\"a\",0)\n(0,\"b\",1)\n(1,\"c\",1)\n");
    let often = |label: &str| {
        format!(
            "\u{feff}HOA: v1 Start: 0 AP: 1 \"{label}\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {{0}} [!0] 0 --END--\n"
        )
    };
    let all = at("all.hoa", &[often("a"), often("b"), often("action(c)")].join("").replace("\n\u{feff}", "\n"));
    for engine in ["symbolic", "explicit"] {
        let (out, err, status) = check(&model, &["--automaton", all.to_str().unwrap(), "--engine", engine]);
        let name = all.display();
        assert_eq!(out, format!("{name}:1: true\n{name}:2: false\n{name}:3: true\n"), "{engine}: {err}");
        assert_eq!(status, 0);
    }
    let (out, err, _) = check(&model, &["--automaton", all.to_str().unwrap(), "--witness"]);
    assert!(out.contains("action(a)") && out.contains("!(action(c))"), "{out}{err}");
    let unknown = at("unknown.hoa", &often("d"));
    let (_, err, status) = check(&model, &["--automaton", unknown.to_str().unwrap()]);
    assert!(status == 2 && err.contains("proposition \"d\": "), "{err}");
    let inside = at("inside.hoa", &often("X action(a)"));
    let (_, err, _) = check(&model, &["--automaton", inside.to_str().unwrap()]);
    assert!(err.contains("a proposition of its own"), "{err}");
}

#[test]
fn files_from_outside() {
    let Some(faults) = shared("faults") else { return };
    let automaton = faults.join("action.hoa");
    let arguments = ["--automaton", automaton.to_str().unwrap(), "--witness"];
    let (out, err, status) = check(&faults.join("loop.aut"), &arguments);
    assert!(status == 0 && out.contains(": true") && out.contains("for ever"), "{out}{err}");
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("a.net");
    fs::write(&net, "tr t a1 -> a2\ntr u a2 -> a1\npl a1 (1)\n").unwrap();
    let automaton = faults.join("buchi-or.hoa");
    let (out, err, status) = check(&net, &["--automaton", automaton.to_str().unwrap()]);
    assert!(status == 0 && out.contains(": true"), "{out}{err}");
    // The same automaton in the forms that are written.
    let (out, err, status) = run(starset().arg("automaton").arg(&automaton));
    assert!(status == 0 && out.starts_with("HOA: v1") && out.contains("#a1 = 1"), "{out}{err}");
    let (out, err, status) = run(starset().arg("automaton").arg(&automaton).arg("--stats"));
    assert!(status == 0 && out.contains("deterministic"), "{out}{err}");
}

/// A proposition with path quantifiers is no condition that a search can evaluate; the question is not asked again and again.
#[test]
fn quantifiers_in_propositions_of_automata() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready.hoa");
    let text = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"AG EF Eat_0 = 1\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n\
                State: 0\n[t] 0\n[0] 1\nState: 1\n[t] 1 {0}\n--END--\n";
    std::fs::write(&file, text).unwrap();
    let ask = |engine: &str| {
        run(starset().arg("check").arg(model("philo-5.pnml")).arg("--automaton").arg(&file).args([
            "--engine",
            engine,
            "--witness",
        ]))
    };
    let (out, err, status) = ask("explicit");
    assert!(out.contains("unknown") && err.contains("does not decide path quantifiers") && status == 3, "{out}{err}");
    let (out, err, status) = ask("auto");
    assert!(out.contains("false") && status == 0, "{out}{err}");
}

/// An automaton under assumptions asks for what its formula under them does.
#[test]
fn automata_under_assumptions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.hoa");
    let net = model("philo-5.pnml");
    for formula in ["G(p -> F q)", "G F p & F G !q", "p U q | G !q"] {
        let (out, err, status) = run(starset().args(["automaton", formula]));
        assert_eq!(status, 0, "{err}");
        let named = |text: &str| text.replace("\"p\"", "\"#Eat_0 = 1\"").replace("\"q\"", "\"#Eat_1 = 1\"");
        std::fs::write(&path, named(&out)).unwrap();
        let asked = formula.replace('p', "(#Eat_0 = 1)").replace('q', "(#Eat_1 = 1)");
        for assumptions in [
            &["--justice", "#Eat_2 = 1"] as &[&str],
            &["--justice", "!deadlock", "--compassion", "#Eat_0 = 1", "#Eat_1 = 1"],
            &["--weak-fair", "FF1a_0, FF2a_0", "--justice", "#Fork_3 = 1"],
            &["--strong-fair", "FF1a_0, FF1b_1"],
        ] {
            let satisfying = |arguments: &[&str]| {
                let mut command = starset();
                command.arg("satset").arg(&net).args(arguments).args(assumptions).arg("--json");
                let (out, err, status) = run(&mut command);
                assert_eq!(status, 0, "{err}");
                let object: serde_json::Value = serde_json::from_str(&out).unwrap();
                (object["verdict"].clone(), object["satisfying"].clone(), object["assumptions"].clone())
            };
            let automaton = ["--automaton", path.to_str().unwrap()];
            let by_formula = satisfying(&["--paths", "stutter", "-f", &format!("E ({asked})")]);
            assert_eq!(satisfying(&automaton), by_formula, "{formula} {assumptions:?}");
            let mut command = starset();
            command.arg("check").arg(&net).args(automaton).args(assumptions).args(["--engine", "explicit", "--json"]);
            let (out, err, _) = run(&mut command);
            let object: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!(object["verdict"], by_formula.0, "{formula} {assumptions:?}: {err}");
        }
    }
    let mut command = starset();
    command.arg("check").arg(&net).arg("--automaton").arg(&path).args(["--strong-fair", "all"]);
    let (_, err, status) = run(&mut command);
    assert!(status == 2 && err.contains("at most 6 assumptions"), "{err}");
}
