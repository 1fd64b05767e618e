//! Every command on a kind of model made for the test, counter machines, and formulas over variables whose values have names.

use super::{model, run, starset, states_json};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Two counters and a control state; 12 states, one of them a deadlock.
fn buffer() -> PathBuf {
    model("buffer.counters")
}

#[test]
fn states_by_every_engine() {
    for engine in ["auto", "symbolic", "explicit", "both"] {
        let (object, status) = states_json(&buffer(), &["--deadlocks", "--engine", engine]);
        let figures = ["states", "transitions", "deadlocks"].map(|key| object[key].clone());
        assert_eq!((figures, status), (["12".into(), "17".into(), "1".into()], 0), "{engine}");
        assert_eq!(object["deadlock"], json!({ "consumer": "gone", "full": "3" }), "{engine}");
        assert_eq!(object["machine"], json!({ "states": 3, "counters": 2, "transitions": 4 }));
        assert!(object.get("net").is_none() && object.get("max_tokens_in_place").is_none());
    }
    let (listed, _) = states_json(&buffer(), &["--list", "100"]);
    assert_eq!(listed["markings"].as_array().unwrap().len(), 12);
    let (out, _, _) = run(starset().arg("states").arg(buffer()).args(["--list", "1", "--bounds"]));
    assert!(
        out.contains("buffer: 3 control states, 2 counters, 4 transitions\n") && out.contains("\nstates\n  "),
        "{out}"
    );
}

/// A counter that grows without end is unknown within the limits; a bound that nothing exceeds is known all the same.
#[test]
fn counters_grow_as_far_as_the_limits_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("up.counters");
    std::fs::write(&file, "control at = low high\ncounter x = 0\nup: do x += 1000\nturn: low -> high when x >= 5000\n")
        .unwrap();
    let check = |formula: &str, engine: &str| {
        let arguments = ["-f", formula, "--engine", engine, "--time", "5", "--memory", "256M", "-q"];
        let (out, _, status) = run(starset().arg("check").arg(&file).args(arguments));
        (out.trim().to_owned(), status)
    };
    assert_eq!(check("EF (#x = 70000 & at = high)", "explicit"), ("1: true".to_owned(), 0));
    assert_eq!(check("EF (#x = 70000 & at = high)", "auto"), ("1: true".to_owned(), 0));
    assert_eq!(check("AG at = low", "auto"), ("1: false".to_owned(), 0));
    let (_, _, status) = run(starset().arg("states").arg(&file).args(["--time", "0.5", "--memory", "64M"]));
    assert_eq!(status, 3);
}

#[test]
fn formulas_are_checked_and_explained() {
    let formulas =
        ["AG (#full = 3 -> consumer != gone)", "EF consumer = gone", "AG EF #full = 0", "A G F #consumer = eating"];
    let formulas: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
    for engine in ["auto", "symbolic", "explicit", "both"] {
        let mut command = starset();
        command.arg("check").arg(buffer()).args(&formulas).args(["--witness", "--json", "--engine", engine]);
        let (out, err, status) = run(&mut command);
        assert_eq!(status, 0, "{err}");
        let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let verdicts: Vec<_> = answers.iter().map(|answer| answer["verdict"].as_bool().unwrap()).collect();
        assert_eq!(verdicts, [false, true, false, false], "{engine}");
        assert_eq!(answers[0]["formula"], "A G (#full = 3 -> #consumer != gone)");
        for answer in &answers {
            let run = &answer["witness"]["runs"][0];
            assert!(run["states"][0]["marking"]["consumer=resting"] == "1", "{engine}: {run}");
        }
    }
    let (out, _, _) = run(starset().arg("check").arg(buffer()).args(["-f", "EF consumer = gone", "--witness"]));
    assert!(out.contains("leave: consumer resting→gone"), "{out}");
}

#[test]
fn sets_are_saved_loaded_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gone.set");
    let set = |options: &[&str]| run(starset().arg("satset").arg(buffer()).args(options));
    let (out, err, status) = set(&["-f", "consumer = gone", "--list", "2", "--save", file.to_str().unwrap()]);
    assert_eq!(status, 0, "{err}");
    let (first, listed) = out.split_once('\n').unwrap();
    assert_eq!(first, "1: false, holds in 4 of 12 states");
    assert!(listed.lines().count() == 2 && listed.lines().all(|line| line.starts_with("  consumer=gone ")), "{out}");
    let (again, _, status) = set(&["--load", file.to_str().unwrap(), "--order", "force"]);
    assert_eq!((again.as_str(), status), ("loaded: false, holds in 4 of 12 states\n", 0));
    let (_, err, status) = run(starset().arg("satset").arg(model("pipe.dot")).arg("--load").arg(&file));
    assert!(status == 2 && err.contains("a set of another network") && err.contains("and its component `"), "{err}");
}

#[test]
fn all_ways_agree_and_pictures_are_drawn() {
    let (out, err, status) = run(starset().arg("cross").arg(buffer()).args(["-f", "AG EF consumer = gone"]));
    assert!(status == 0 && out.contains("verdict true, satisfying markings 12"), "{out}{err}");
    let folder = tempfile::tempdir().unwrap();
    let [svg, page, aut, copy] =
        ["a.svg", "a.html", "a.aut", "a.counters"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let (out, err, status) = run(starset().arg("info").arg(buffer()).args(["--json", "--svg", &svg]));
    assert_eq!(status, 0, "{err}");
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&object["schema"], &object["machine"]["counters"]), (&"starset/info/1".into(), &2.into()));
    // Three control states and two counters.
    assert_eq!(std::fs::read_to_string(&svg).unwrap().matches("<circle class=\"p\"").count(), 5);
    let check = ["-f", "EF consumer = gone", "--report", &page];
    let (_, err, status) = run(starset().arg("check").arg(buffer()).args(check));
    assert_eq!((err.as_str(), status), ("", 0));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("[\"consumer=resting\",\"1\"]") && text.contains("\"actions\":[[\"produce\""), "{text}");
    for file in [&aut, &copy] {
        let (_, err, status) = run(starset().arg("convert").arg(buffer()).arg(file));
        assert_eq!(status, 0, "{err}");
        assert_eq!(states_json(file.as_ref(), &[]).0["states"], "12", "{file}");
    }
    let (_, err, status) = run(starset().arg("convert").arg(buffer()).arg(folder.path().join("a.pnml")));
    assert!(status == 2 && err.contains("a machine has no form `pnml`; it can be written as counters, aut"), "{err}");
    let (_, err, status) = run(starset().args(["states", "--network"]).arg(buffer()));
    assert!(status == 2 && err.contains("a machine has no units; only a net can be taken as a network"), "{err}");
}

#[test]
fn wrong_files_and_formulas_have_a_place_and_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.counters");
    std::fs::write(&file, "counter x = 1\nt: when y > 0\n").unwrap();
    let (out, err, status) = run(starset().arg("states").arg(&file));
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.ends_with("m.counters:2: there is no counter `y` above this line\n"), "{err}");
    let two = [buffer(), buffer()];
    let (_, err, status) = run(starset().arg("info").args(&two));
    assert!(status == 2 && err.contains("one counter machine at a time"), "{err}");
    for (formula, message) in [
        ("consumer = gnoe", "variable `consumer` has no value `gnoe`; did you mean `gone`?"),
        ("#consumer > 1", "values that have names are compared by `=` and `!=` only"),
        ("full & true", "`full` is a variable, not a formula; write `#full > 0`"),
        ("#nothing = 1", "unknown variable `nothing`"),
    ] {
        let (_, err, status) = run(starset().arg("check").arg(buffer()).args(["-f", formula]));
        assert!(status == 2 && err.contains(message), "{formula}: {err}");
    }
}

/// Components of networks are compared with their local states, under every engine.
#[test]
fn networks_have_state_formulas() {
    let formulas = ["AG (receiver = 6 -> AG #receiver = 6)", "EF (sender = 2 & receiver != 4)", "F receiver = 6"];
    let formulas: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
    for engine in ["auto", "symbolic", "explicit", "both"] {
        let mut command = starset();
        command.arg("check").arg(model("pipe.dot")).args(&formulas).args(["--engine", engine, "--quiet"]);
        let (out, err, status) = run(&mut command);
        assert_eq!((out.as_str(), status), ("1: true\n2: true\n3: false\n", 0), "{engine}: {err}");
    }
    let (out, _, _) = run(starset().arg("satset").arg(model("pipe.dot")).args(["-f", "sender = 2 & receiver = 5"]));
    assert_eq!(out, "1: false, holds in 1 of 6 states\n");
    // State 0 of the file is only where the component starts.
    let (_, err, status) = run(starset().arg("check").arg(model("pipe.dot")).args(["-f", "sender = 0"]));
    assert!(status == 2 && err.contains("component `sender` has no value `0`"), "{err}");
}
